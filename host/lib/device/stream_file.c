/* SPDX-License-Identifier: Apache-2.0
 *
 * See stream_file.h. A file that cannot be written is said once, and the program goes on.
 */
#include "lib/device/stream_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_hash.h"
#include "lib/tessera_internal.h"
#include "tessera_device.h"

static bool write_all(FILE *file, const void *data, size_t bytes)
{
    return bytes == 0 || fwrite(data, 1, bytes, file) == bytes;
}

static bool write_view(FILE *file, const struct stream_view *view)
{
    const uint32_t counts[STREAM_FILE_COUNTS] = {GPU_ABI_HASH, view->word_count, view->list_count, view->patch_count};
    return write_all(file, STREAM_FILE_LETTERS, STREAM_FILE_LETTERS_BYTES) && write_all(file, counts, sizeof counts) &&
           write_all(file, view->words, view->word_count * 4u) &&
           write_all(file, view->list, view->list_count * GPU_LIMIT(LIST_ENTRY_WORDS) * 4u) &&
           write_all(file, view->patches, view->patch_count * GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u);
}

static bool save(const struct stream_view *view, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    const bool is_written = write_view(file, view);
    return fclose(file) == 0 && is_written;
}

int tessera_stream_save(const struct tessera_stream *stream, const char *path)
{
    const struct stream_view view = stream_view(stream);
    return save(&view, path) ? TESSERA_OK : TESSERA_LINK;
}

static void save_submitted(const struct stream_view *view)
{
    static unsigned number;
    static bool has_failed;
    char path[4096];
    const char *folder = getenv("TESSERA_DUMP");
    if (folder == NULL || has_failed) return;
    const size_t length = (size_t)snprintf(path, sizeof path, "%s/%06u.dma", folder, ++number);
    errno = ENAMETOOLONG;
    if (length < sizeof path && save(view, path)) return;
    has_failed = true;
    fprintf(stderr, "TESSERA_DUMP: cannot write %s: %s. Name a folder that exists.\n", path, strerror(errno));
}

void stream_file_begin(void)
{
    if (getenv("TESSERA_DUMP") != NULL) queue_submitted = save_submitted;
}
