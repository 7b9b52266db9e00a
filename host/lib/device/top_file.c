/* SPDX-License-Identifier: Apache-2.0
 *
 * See top_file.h. A file that cannot be written is said once, and the program goes on.
 */
#include "lib/device/top_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/tessera_internal.h"

static bool has_anything(const struct tessera_client *figures)
{
    return (figures->allocations | figures->contexts | figures->waiting) != 0;
}

static void print_client(FILE *file, uint32_t client, const struct tessera_client *figures)
{
    const uint32_t numbers[TOP_FILE_NUMBERS] = {
        client,           figures->render,      figures->paging,   figures->written,   figures->waited,
        figures->buffers, figures->waiting,     figures->pages_in, figures->pages_out, figures->lost,
        figures->taken,   figures->allocations, figures->contexts};
    for (uint32_t i = 0; i < TOP_FILE_NUMBERS; i++) fprintf(file, "%s%" PRIu32, i == 0 ? "" : " ", numbers[i]);
    for (uint32_t i = 0; i < figures->segment_count; i++) {
        const struct tessera_client_segment *segment = &figures->segment[i];
        fprintf(file, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, segment->pages, segment->minimum,
                segment->maximum, segment->size);
    }
    fputc('\n', file);
}

int top_print(FILE *file, struct tessera *tessera)
{
    const uint32_t before = tessera->client;
    const struct transport *transport = tessera->transport;
    uint32_t segments = 0;
    struct tessera_client figures;
    tessera->client = 0;
    int status = tessera_query_segments(tessera, NULL, &segments);
    if (status == TESSERA_OK)
        fprintf(file, TOP_FILE_HEAD " %" PRIu64 " %" PRIu32 "\n", transport_cycles(transport), segments);
    for (uint32_t client = 0; client < GPU_LIMIT(CLIENTS) && status == TESSERA_OK; client++) {
        if (client != 0 && (tessera->senders >> client & 1u) == 0) continue;
        status = tessera_client_query(tessera, client, &figures);
        if (status == TESSERA_OK && (client == 0 || has_anything(&figures))) print_client(file, client, &figures);
    }
    tessera->client = before;
    return status;
}

/* ------------------------------------------------------------------ of a program that runs */

static bool replace(struct tessera *tessera, const char *path)
{
    char next[4096];
    const size_t length = (size_t)snprintf(next, sizeof next, "%s.next", path);
    errno = ENAMETOOLONG;
    FILE *file = length < sizeof next ? fopen(next, "w") : NULL;
    if (file == NULL) return false;
    (void)top_print(file, tessera);
    return fclose(file) == 0 && rename(next, path) == 0;
}

static void save_clients(struct tessera *tessera)
{
    static uint64_t saved;
    static bool is_saving, has_failed;
    const char *path = getenv("TESSERA_TOP");
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t halves = (uint64_t)now.tv_sec * 2u + (uint64_t)now.tv_nsec / 500000000u;
    if (path == NULL || has_failed || is_saving || halves == saved) return;
    char message[sizeof tessera->message];
    memcpy(message, tessera->message, sizeof message); /* what the program was told stays */
    is_saving = true;
    has_failed = !replace(tessera, path);
    is_saving = false;
    memcpy(tessera->message, message, sizeof message);
    saved = halves;
    if (has_failed)
        fprintf(stderr, "TESSERA_TOP: cannot write %s: %s. Name a file in a folder that exists.\n", path,
                strerror(errno));
}

void top_file_begin(void)
{
    if (getenv("TESSERA_TOP") != NULL) queue_waits = save_clients;
}
