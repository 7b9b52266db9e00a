/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera dump FILE: a DMA buffer that tessera_stream_save or TESSERA_DUMP wrote (device/stream_file.h), or bare words,
 * a packet a line: its byte, its name, its fields. What no device would run is marked.
 */
#include "tools/cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/device/stream_file.h"
#include "gpu_hash.h"
#include "lib/packet_text.h"

/* Larger than any DMA buffer with its lists. */
enum { FILE_BYTES_MAX = 1 << 20, LINE_BYTES = 512, USAGE = 2 };

static int refuse(const char *path, const char *why)
{
    fprintf(stderr, "tessera dump: %s: %s\n", path, why);
    return USAGE;
}

/* The file's bytes in memory that the caller frees; NULL: errno says why. */
static uint8_t *read_whole(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    uint8_t *data = malloc(FILE_BYTES_MAX + 1u);
    *bytes = data != NULL ? fread(data, 1, FILE_BYTES_MAX + 1u, file) : 0;
    if (data != NULL && ferror(file)) {
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

/* The parts of a saved DMA buffer; false: the counts are not those of the file. */
static bool find_parts(const uint32_t *words, size_t bytes, struct stream_view *view)
{
    const uint32_t *counts = words + STREAM_FILE_LETTERS_BYTES / 4;
    const uint32_t *first = counts + STREAM_FILE_COUNTS;
    const size_t head = STREAM_FILE_LETTERS_BYTES + STREAM_FILE_COUNTS * 4u;
    if (bytes < head) return false;
    const uint64_t list = (uint64_t)counts[2] * GPU_LIMIT(LIST_ENTRY_WORDS);
    const uint64_t patches = (uint64_t)counts[3] * GPU_LIMIT(PATCH_ENTRY_WORDS);
    if (counts[1] + list + patches != (bytes - head) / 4u || bytes % 4u != 0) return false;
    *view =
        (struct stream_view){first, first + counts[1], first + counts[1] + list, counts[1], counts[2], counts[3], NULL};
    return true;
}

static const char *mark_of(enum packet_state state)
{
    switch (state) {
    case PACKET_UNKNOWN: return "  <- no such opcode";
    case PACKET_TRUNCATED: return "  <- truncated: the buffer ends inside it";
    case PACKET_PRIVILEGED: return "  <- privileged: rings and paging buffers alone";
    case PACKET_RESERVED: return "  <- reserved bits are set";
    default: return "";
    }
}

/* Is a patch location due at this word? There the buffer may be split. */
static bool is_split(const struct stream_view *view, uint32_t position)
{
    for (uint32_t i = 0; i < view->patch_count; i++)
        if (packet_patch_word(view, i, PATCH_SPLIT_OFFSET) == position * 4u) return true;
    return false;
}

/* Returns how many packets are bad. */
static unsigned print_packets(const struct stream_view *view)
{
    char line[LINE_BYTES];
    unsigned bad = 0;
    for (uint32_t position = 0; position < view->word_count;) {
        const enum packet_state state = packet_state(view, position);
        const uint32_t words = packet_words(view->words[position]);
        packet_print(view, position, line, sizeof line);
        printf("%6u %c %s%s\n", position * 4u, is_split(view, position) ? '|' : ' ', line, mark_of(state));
        bad += state != PACKET_GOOD;
        position += words != 0 ? words : 1u;
    }
    return bad;
}

static void print_list(const struct stream_view *view)
{
    for (uint32_t i = 1; i < view->list_count; i++)
        printf("  list %3u   allocation %u%s\n", i, packet_list_word(view, i, LIST_HANDLE),
               (packet_list_word(view, i, LIST_FLAGS) & LIST_FLAG_WRITE) != 0 ? ", written (WriteOperation)" : "");
}

static int dump(const char *path, const uint8_t *data, size_t bytes)
{
    const uint32_t *words = (const uint32_t *)(const void *)data;
    struct stream_view view = {words, NULL, NULL, (uint32_t)(bytes / 4u), 0, 0, NULL};
    const bool is_saved =
        bytes >= STREAM_FILE_LETTERS_BYTES && memcmp(data, STREAM_FILE_LETTERS, STREAM_FILE_LETTERS_BYTES) == 0;
    if (is_saved && !find_parts(words, bytes, &view))
        return refuse(path, "is damaged: its counts do not fit its length. Save it again.");
    if (is_saved && words[STREAM_FILE_LETTERS_BYTES / 4] != GPU_ABI_HASH)
        fprintf(stderr, "tessera dump: %s was saved by another version. Names and fields may be wrong.\n", path);
    printf("%s: %u bytes, %u list entries, %u patch locations%s\n", path, view.word_count * 4u, view.list_count,
           view.patch_count, is_saved ? "; | where it may be split" : " (bare words)");
    print_list(&view);
    unsigned bad = print_packets(&view);
    if (bytes % 4u != 0) printf("%6zu   %zu bytes of a word  <- truncated\n", bytes / 4u * 4u, bytes % 4u), bad++;
    if (bad != 0) printf("%u bad\n", bad);
    return bad != 0;
}

int command_dump(int argc, char **argv)
{
    size_t bytes = 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        printf("tessera dump FILE: print a DMA buffer, packet by packet\n\nFILE is what tessera_stream_save wrote, or "
               "a program run with TESSERA_DUMP=FOLDER in its\nenvironment, which saves every DMA buffer that it "
               "submits. A file of bare words works, too.\nThe exit status is 1 if a packet is bad.\n");
        return 0;
    }
    if (argc != 2) {
        fprintf(stderr, "tessera dump: name one file. 'tessera dump --help' says which files it reads.\n");
        return USAGE;
    }
    uint8_t *data = read_whole(argv[1], &bytes);
    if (data == NULL) return refuse(argv[1], strerror(errno));
    const int status = bytes > FILE_BYTES_MAX ? refuse(argv[1], "is too long for a DMA buffer")
                       : bytes == 0           ? refuse(argv[1], "is empty")
                                              : dump(argv[1], data, bytes);
    free(data);
    return status;
}
