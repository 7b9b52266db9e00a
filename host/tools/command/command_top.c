/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera top: the clients of a running device, from the snapshots of device/top_file.h. Shares of time are of the last
 * interval; other numbers are since boot.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/cli/option_table.h"
#include "tools/cli/options.h"
#include "tools/command/command_guest.h"
#include "lib/device/top_file.h"

static const char self[] = "tessera top";
enum { CLIENTS = LIMIT_BITS_CLIENTS, SEGMENTS = LIMIT_BITS_SEGMENTS, OF_SEGMENT = 4, USAGE = 2 };
enum { CLIENT, RENDER, PAGING, WRITTEN, WAITED, BUFFERS, WAITING, IN, OUT, LOST, TAKEN, ALLOCATIONS, CONTEXTS };
_Static_assert(CONTEXTS + 1 == (int)TOP_FILE_NUMBERS, "the numbers of a line");

struct snapshot {
    uint64_t cycles;
    uint32_t segments, clients;
    uint32_t number[CLIENTS][TOP_FILE_NUMBERS + SEGMENTS * OF_SEGMENT];
};

/* ------------------------------------------------------------------ reading */

static bool read_number(const char **text, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    while (**text == ' ') ++*text;
    if (**text < '0' || **text > '9') return false;
    errno = 0;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0 && *number <= most;
}

static bool read_line(const char **text, struct snapshot *snapshot)
{
    if (snapshot->clients == CLIENTS) return false;
    uint32_t *numbers = snapshot->number[snapshot->clients];
    for (uint32_t i = 0; i < TOP_FILE_NUMBERS + snapshot->segments * OF_SEGMENT; i++) {
        uint64_t number;
        if (!read_number(text, i == CLIENT ? CLIENTS - 1 : UINT32_MAX, &number)) return false;
        numbers[i] = (uint32_t)number;
    }
    snapshot->clients++;
    return *(*text)++ == '\n';
}

static bool read_snapshot(const char *text, struct snapshot *snapshot)
{
    uint64_t segments;
    memset(snapshot, 0, sizeof *snapshot);
    if (strncmp(text, TOP_FILE_HEAD " ", sizeof TOP_FILE_HEAD) != 0) return false;
    text += sizeof TOP_FILE_HEAD;
    if (!read_number(&text, UINT64_MAX, &snapshot->cycles) || !read_number(&text, SEGMENTS, &segments) ||
        *text++ != '\n')
        return false;
    snapshot->segments = (uint32_t)segments;
    while (*text != 0)
        if (!read_line(&text, snapshot)) return false;
    return true;
}

/* ------------------------------------------------------------------ printing */

static const uint32_t *same_client(const struct snapshot *snapshot, uint32_t client)
{
    for (uint32_t i = 0; i < snapshot->clients; i++)
        if (snapshot->number[i][CLIENT] == client) return snapshot->number[i];
    return NULL;
}

/* What a node has worked for the client, of the cycles that have passed; "-" where none are known. */
static void print_share(const uint32_t *now, const uint32_t *before, uint32_t which, uint64_t cycles)
{
    const uint32_t more = now[which] - (before != NULL ? before[which] : 0);
    if (cycles == 0) printf("       -");
    else printf(" %6.1f%%", 100.0 * (double)more * TESSERA_CLIENT_UNIT / (double)cycles);
}

static double megabytes(uint32_t units) { return (double)units * TESSERA_CLIENT_UNIT / 1e6; }

static void print_segment(const uint32_t *of)
{
    char limits[40] = "";
    if (of[1] != 0 || of[2] < of[3]) snprintf(limits, sizeof limits, " (%" PRIu32 "..%" PRIu32 ")", of[1], of[2]);
    printf("  %6" PRIu32 "%s", of[0], limits);
}

static void print_snapshot(const struct snapshot *now, const struct snapshot *before)
{
    const uint64_t cycles = now->cycles - (before->cycles <= now->cycles ? before->cycles : 0);
    printf("client  render  paging  drawn MB  buffers waits   pages in      out     lost    taken  allocs ctx");
    for (uint32_t i = 0; i < now->segments; i++) printf("  seg %" PRIu32 " pages", i + 1u);
    putchar('\n');
    for (uint32_t i = 0; i < now->clients; i++) {
        const uint32_t *of = now->number[i], *was = same_client(before, of[CLIENT]);
        printf("%6" PRIu32, of[CLIENT]);
        print_share(of, was, RENDER, cycles);
        print_share(of, was, PAGING, cycles);
        printf(" %9.1f %8" PRIu32 " %5" PRIu32 " %10" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32 " %7" PRIu32
               " %3" PRIu32,
               megabytes(of[WRITTEN]), of[BUFFERS], of[WAITING], of[IN], of[OUT], of[LOST], of[TAKEN], of[ALLOCATIONS],
               of[CONTEXTS]);
        for (uint32_t k = 0; k < now->segments; k++) print_segment(&of[TOP_FILE_NUMBERS + k * OF_SEGMENT]);
        putchar('\n');
    }
    if (now->clients == 0) puts("This device has no figures of clients: its firmware has no region.");
}

/* ------------------------------------------------------------------ the command */

static int copy_file(const char *path, FILE *to)
{
    char part[4096];
    size_t got;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot read %s: %s. Start the program with TESSERA_TOP=%s in its environment.\n", self,
                path, strerror(errno), path);
        return USAGE;
    }
    while ((got = fread(part, 1, sizeof part, file)) != 0) (void)fwrite(part, 1, got, to);
    (void)fclose(file);
    return 0;
}

/* 0, or an exit status after a line on the error output. */
static int take_snapshot(const char *where, struct snapshot *snapshot)
{
    static const char guest[] = "guest:";
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL) return fprintf(stderr, "%s: out of memory\n", self), 1;
    const bool is_guest = strncmp(where, guest, strlen(guest)) == 0;
    int status = is_guest ? command_guest(where + strlen(guest), ".top", file) : copy_file(where, file);
    (void)fclose(file);
    if (status == 0 && !read_snapshot(text, snapshot)) {
        fprintf(stderr, "%s: %s is damaged, or of another version. Build both programs from one tree.\n", self, where);
        status = USAGE;
    }
    free(text);
    return status;
}

enum { ONCE };
static const struct option_line lines[] = {
    [ONCE] = {GROUP_RESULTS, "once", NULL, "print the clients once; shares of time are then since boot"}};

static bool take(void *context, int index, const char *text)
{
    (void)index, (void)text;
    *(bool *)context = true;
    return true;
}

int command_top(int argc, char **argv)
{
    static struct snapshot now, before;
    bool is_once = false;
    const struct option_table table = {
        self,
        " [options] FILE|guest:SOCKET: show the clients of a running program or tessera-gpu\n\n"
        "A program with TESSERA_TOP=FILE in its environment writes FILE twice a second while it\n"
        "waits for its device. SOCKET is what tessera-gpu has for --socket. Shows them every second:\n"
        "what part of the time each node worked for a client, what it drew, DMA buffers done and\n"
        "waiting, pages copied, lost to others and taken from them, and its pages of each segment\n"
        "with minimum and maximum",
        lines, 1, take};
    const enum option_outcome outcome = option_parse(&table, &is_once, argc, argv);
    if (outcome != OPTION_GOOD) return outcome == OPTION_HELPED ? 0 : USAGE;
    if (optind + 1 != argc) {
        fprintf(stderr, "%s: name one file, or guest:SOCKET. '%s --help' says more.\n", self, self);
        return USAGE;
    }
    for (;;) {
        const int status = take_snapshot(argv[optind], &now);
        if (status != 0) return status;
        if (isatty(STDOUT_FILENO) != 0 && !is_once) fputs("\033[H\033[J", stdout);
        print_snapshot(&now, &before);
        if (fflush(stdout) != 0) return 1;
        if (is_once) return 0;
        before = now;
        (void)nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
}
