/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera dump FILE: a DMA buffer that tessera_stream_save or TESSERA_DUMP wrote (device/stream_file.h), or bare words,
 * a packet a line: its byte, its name, its fields. What no device would run is marked. Or a dump of a fault (tdump.h).
 */
#include "tools/cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/device/installation.h"
#include "lib/device/stream_file.h"
#include "tools/command/dump_again.h"
#include "tools/command/dump_text.h"
#include "gpu_hash.h"
#include "lib/packet_text.h"

/* Larger than any DMA buffer with its lists; a dump of a fault may be longer. */
enum { FILE_BYTES_MAX = 1 << 20, LINE_BYTES = 512, AGAIN = 0, NOT_AGAIN = 1, USAGE = 2 };

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
    uint8_t *data = malloc(TDUMP_BYTES_MAX + 1u);
    *bytes = data != NULL ? fread(data, 1, TDUMP_BYTES_MAX + 1u, file) : 0;
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

/* ------------------------------------------------------------------ dumps of faults */

/* One line of a replay. True: it is the dump's fault. */
static bool say_again(const struct tdump *dump, const char *how, const struct again *again)
{
    const bool has_value = again->reason == TDUMP_FAULT || again->reason == TDUMP_PANIC;
    const bool is_again = again->has_run && again->reason == dump->about[ABOUT_REASON] &&
                          (!has_value || again->value == dump->about[ABOUT_VALUE]);
    const char *verdict = !again->has_run                ? "not run"
                          : is_again                     ? "AGAIN"
                          : again->reason != TDUMP_ASKED ? "another fault"
                                                         : "not again";
    printf("replay     %s, %s: %s\n", how, verdict, again->text);
    return is_again;
}

/* Golden model first. Each of the two has to show the fault, in one of the two ways. */
static int replay(const struct tdump *dump, bool has_chip)
{
    const struct platform_options model = {.is_model = true, .seed = 1};
    const struct platform_options chip = {.firmware = installation_firmware(), .seed = 1, .latency = PLATFORM_LATENCY};
    struct again again;
    (void)unsetenv("TESSERA_FAULTS"); /* of what happens again there is a dump */
    again_machine(dump, &model, &again);
    bool is_model = say_again(dump, "golden model, as submitted", &again);
    again_engine(dump, &again);
    is_model = say_again(dump, "golden model, as executed", &again) || is_model;
    bool is_chip = !has_chip;
    if (has_chip) {
        again_machine(dump, &chip, &again);
        is_chip = say_again(dump, "simulated chip, as submitted", &again);
        again_chip(dump, &chip, &again);
        is_chip = say_again(dump, "simulated chip, as executed", &again) || is_chip;
    }
    printf("result     golden model: %s\n", is_model ? "it happens again" : "it does not happen again");
    if (has_chip) printf("           simulated chip: %s\n", is_chip ? "it happens again" : "it does not happen again");
    return is_model && is_chip ? AGAIN : NOT_AGAIN;
}

static int dump_fault(const char *path, const uint8_t *data, size_t bytes, bool is_replayed, bool has_chip)
{
    struct tdump *dump = malloc(sizeof *dump);
    if (dump == NULL) return refuse(path, "there is no memory for it");
    const enum tdump_status status = tdump_read(dump, data, bytes);
    int result = 0;
    if (status != TDUMP_OK) {
        fprintf(stderr, "tessera dump: %s: %s: it %s\n", path, tdump_status_name(status), tdump_status_text(status));
        result = USAGE;
    } else {
        dump_print(path, dump);
        if (is_replayed) result = replay(dump, has_chip);
    }
    free(dump);
    return result;
}

static bool is_fault(const char *path, const uint8_t *data, size_t bytes)
{
    const char *end = strrchr(path, '.');
    return (bytes >= TDUMP_LETTERS_BYTES && memcmp(data, TDUMP_LETTERS, TDUMP_LETTERS_BYTES) == 0) ||
           (end != NULL && strcmp(end, ".tdump") == 0);
}

/* ------------------------------------------------------------------ the command line */

struct request {
    const char *path;
    bool is_helped, is_replayed, has_chip;
};

static bool parse(int argc, char **argv, struct request *request)
{
    *request = (struct request){.has_chip = true};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) request->is_helped = true;
        else if (strcmp(argv[i], "--replay") == 0) request->is_replayed = true;
        else if (strcmp(argv[i], "--model") == 0) request->has_chip = false;
        else if (argv[i][0] == '-' || request->path != NULL) return false;
        else request->path = argv[i];
    }
    return request->is_helped || (request->path != NULL && (request->has_chip || request->is_replayed));
}

int command_dump(int argc, char **argv)
{
    struct request request;
    size_t bytes = 0;
    if (!parse(argc, argv, &request)) {
        fprintf(stderr, "tessera dump: name one file. 'tessera dump --help' says which files it reads.\n");
        return USAGE;
    }
    if (request.is_helped) {
        printf("tessera dump FILE [--replay [--model]]: explain a DMA buffer or a dump of a fault\n\n"
               "FILE is what tessera_stream_save wrote, or a program run with TESSERA_DUMP=FOLDER in its\n"
               "environment, which saves every DMA buffer that it submits. A file of bare words works, too.\n"
               "The exit status is 1 if a packet is bad.\n\n"
               "FILE.tdump is what a program run with TESSERA_FAULTS=FOLDER, or with --faults FOLDER, wrote when\n"
               "the GPU stopped on something (docs/host.md).\n\n"
               "  --replay     run it again on the golden model and on the simulated chip: exit status 0 if the\n"
               "               same happens on both, 1 if not\n"
               "  --model      ... on the golden model alone\n");
        return 0;
    }
    uint8_t *data = read_whole(request.path, &bytes);
    if (data == NULL) return refuse(request.path, strerror(errno));
    int status;
    if (bytes == 0) status = refuse(request.path, "is empty");
    else if (is_fault(request.path, data, bytes))
        status = dump_fault(request.path, data, bytes, request.is_replayed, request.has_chip);
    else if (request.is_replayed) status = refuse(request.path, "is not a dump of a fault: only these can be replayed");
    else if (bytes > FILE_BYTES_MAX) status = refuse(request.path, "is too long for a DMA buffer");
    else status = dump(request.path, data, bytes);
    free(data);
    return status;
}
