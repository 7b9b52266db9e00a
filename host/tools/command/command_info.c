/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera info: open the GPU, ask for its segments and counters, print them. The smallest complete program.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/cli/options.h"
#include "tools/command/command_guest.h"
#include "tessera.h"

static const char *const statistic_names[] = {
#define STATISTIC(name, doc) #name,
#include "gpu.def"
};

static void print_features(uint32_t features)
{
    static const struct {
        uint8_t lsb;
        const char *name;
    } rows[] = {{MEMORY_FEATURES_FORMATS_LSB, "formats"}, {MEMORY_FEATURES_MAPS_LSB, "maps"},
                {MEMORY_FEATURES_REPEAT_LSB, "repeat"},   {MEMORY_FEATURES_BILINEAR_LSB, "bilinear"},
                {MEMORY_FEATURES_PALETTE_LSB, "palette"}, {MEMORY_FEATURES_MASKS_LSB, "masks"}};
    printf("features   ");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((features >> rows[i].lsb & 1u) != 0) printf(" %s", rows[i].name);
    printf("%s\n", features == 0 ? " none" : "");
}

/* A line per counter, all numbers below one another however long a name is. */
static void print_statistics(const uint32_t *statistics)
{
    size_t width = 0;
    for (uint32_t i = 0; i < STAT_COUNT; i++)
        if (strlen(statistic_names[i]) > width) width = strlen(statistic_names[i]);
    for (uint32_t i = 0; i < STAT_COUNT; i++) printf("%-*s %10u\n", (int)width, statistic_names[i], statistics[i]);
}

static int print_device(struct tessera *tessera)
{
    struct tessera_segment segments[31];
    uint32_t statistics[STAT_COUNT], abi = 0, count = 0, features = 0;
    int status = tessera_register_read(tessera, HOST_ABI_OFFSET, &abi);
    if (status == TESSERA_OK) status = tessera_features(tessera, &features);
    if (status == TESSERA_OK) status = tessera_query_segments(tessera, NULL, &count);
    if (status == TESSERA_OK && count <= 31) status = tessera_query_segments(tessera, segments, &count);
    if (status == TESSERA_OK) status = tessera_statistics(tessera, statistics);
    if (status != TESSERA_OK) return status;
    printf("table 0x%08x\n", abi);
    print_features(features);
    for (uint32_t i = 0; i < count && count <= 31; i++)
        printf("segment %u   %-8s at 0x%08" PRIx64 ", %6" PRIu64 " KB, commit limit %6" PRIu64 " KB\n", i + 1,
               (segments[i].flags & (uint32_t)TESSERA_SEGMENT_APERTURE) != 0 ? "aperture" : "memory", segments[i].base,
               segments[i].bytes / 1024u, segments[i].commit_limit / 1024u);
    print_statistics(statistics);
    return TESSERA_OK;
}

int command_info(const struct program_options *options)
{
    struct tessera_options open_options = {.segment1_pages = options->is_large ? 0 : options->segment1_pages,
                                           .segment2_pages = options->is_large ? 0 : options->segment2_pages,
                                           .seed = options->platform.seed,
                                           .allocations = options->limits.allocations,
                                           .contexts = options->limits.contexts,
                                           .list_entries = options->limits.list_entries,
                                           .dma_bytes = options->limits.dma_bytes,
                                           .patience_cycles = 1000000,
                                           .abi = options->abi};
    static const char guest[] = "guest:";
    const char *where = options->platform.device;
    struct platform platform;
    struct tessera *tessera;
    char message[256];
    if (where != NULL && strncmp(where, guest, strlen(guest)) == 0)
        return command_guest(where + strlen(guest), ".info", stdout);
    if (platform_open(&platform, &options->platform, message) != 0) {
        fprintf(stderr, "tessera: %s\n", message);
        return 2;
    }
    open_options.firmware = platform.firmware;
    if (tessera_open(&tessera, &platform.transport, &open_options, message) != TESSERA_OK) {
        fprintf(stderr, "tessera: %s\n", message);
        platform.transport.close(platform.transport.context);
        return 2;
    }
    int status = print_device(tessera);
    if (status != TESSERA_OK)
        fprintf(stderr, "tessera: %s: %s\n", tessera_status_name(status), tessera_message(tessera));
    tessera_close(tessera);
    return status == TESSERA_OK ? 0 : 1;
}
