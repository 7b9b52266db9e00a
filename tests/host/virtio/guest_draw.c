/* SPDX-License-Identifier: Apache-2.0
 *
 * guest_draw WORD: a program inside the guest of guest_draw.sh, which draws by the GPU of its machine with the library
 * as it is installed. It prints a line that begins with its word; exit status 0: all was as it has to be.
 *   exact   draws, reads back and holds it against what the calls mean; three times local memory, in turn
 *   times   submit -> complete of an empty buffer, and 1,000 submissions with 100 in flight
 *   forge   names every resource that is not its own, while others draw
 *   fence   a fence of the kernel's passes when what was submitted is complete, and orders what comes after, of this
 *           program and of another
 *   fault   one DMA buffer takes longer than any may: TIMEOUT, then its context is lost
 *   leave   ends with work in flight, locks held and nothing freed
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tessera_device.h"
#include "tessera_stream.h"

enum { LOCK_MESSAGE = 4 };
enum { WIDTH = 64, HEIGHT = 48, PIXELS = WIDTH * HEIGHT, BYTES = PIXELS * 4, MANY = 48, LARGE = 1 << 20 };

static struct tessera *gpu;
static struct tessera_stream *stream;
static uint32_t context;
static const char *device = "drm:/dev/dri/renderD128";

static void need(int status, const char *what)
{
    if (status == TESSERA_OK) return;
    printf("FAILED %s: %s: %s\n", what, tessera_status_name(status), tessera_message(gpu));
    exit(1);
}

static struct tessera_allocation *create(uint32_t bytes, uint32_t sets)
{
    struct tessera_allocation_options wish = {.bytes = bytes, .flags = TESSERA_ALLOCATION_CPU_VISIBLE};
    struct tessera_allocation *made = NULL;
    wish.read_set = wish.write_set = sets;
    need(tessera_allocation_create(gpu, &wish, &made), "create");
    return made;
}

static void run(void)
{
    tessera_ticket ticket;
    need(tessera_submit(gpu, context, stream, 0, &ticket), "submit");
    need(tessera_wait(gpu, ticket, NULL), "wait");
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int exact(void)
{
    static uint32_t pixels[PIXELS];
    static uint8_t found[LARGE];
    static struct tessera_allocation *many[MANY];
    struct tessera_allocation *target = create(BYTES, 0), *source = create(BYTES, 0);
    const struct tessera_surface to = {
        .allocation = target, .format = TESSERA_ARGB8888, .pitch = WIDTH * 4, .is_target = true};
    const struct tessera_surface from = {.allocation = source, .format = TESSERA_ARGB8888, .pitch = WIDTH * 4};
    const struct tessera_blit blit = {.target = 0,
                                      .source = 1,
                                      .mode = TESSERA_COPY,
                                      .target_x = 8,
                                      .target_y = 4,
                                      .source_x = 1,
                                      .source_y = 2,
                                      .width = 30,
                                      .height = 20};
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < PIXELS; i++) pixels[i] = i * 0x01030507u;
    need(tessera_write(gpu, source, 0, pixels, BYTES), "write");
    need(tessera_stream_bind(stream, 0, &to), "bind");
    need(tessera_stream_bind(stream, 1, &from), "bind");
    need(tessera_stream_fill_rect(stream, 0, 0, 0, WIDTH, HEIGHT, 0xff3366cc), "fill");
    need(tessera_stream_blit(stream, &blit), "blit");
    run();
    need(tessera_read(gpu, target, 0, pixels, BYTES), "read");
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const int is_inside = x >= 8 && x < 38 && y >= 4 && y < 24;
            const uint32_t of_source = ((y - 4 + 2) * WIDTH + x - 8 + 1) * 0x01030507u;
            wrong += pixels[y * WIDTH + x] != (is_inside ? of_source : 0xff3366ccu);
        }
    for (uint32_t i = 0; i < MANY; i++) { /* 48 MB in local memory of 16 MB */
        const struct tessera_place place = {many[i] = create(LARGE, 2), 0, 0};
        tessera_stream_clear(stream);
        need(tessera_stream_fill(stream, &place, LARGE, i * 0x01010101u), "fill");
        run();
    }
    for (uint32_t i = 0; i < MANY; i++) {
        need(tessera_read(gpu, many[i], 0, found, LARGE), "read");
        for (uint32_t at = 0; at < LARGE; at++) wrong += found[at] != i;
    }
    printf("exact: %u of %u pixels, %u bytes evicted in turn, %u wrong\n", PIXELS, PIXELS, MANY * LARGE, wrong);
    return wrong != 0;
}

static int by_time(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static int times(void)
{
    enum { ROUNDS = 500, AT_ONCE = 100, ALL = 1000 };
    static double each[ROUNDS];
    tessera_ticket tickets[AT_ONCE];
    double longest = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const double before = now();
        run();
        each[i] = now() - before;
    }
    qsort(each, ROUNDS, sizeof *each, by_time);
    const double begin = now();
    for (uint32_t i = 0; i < ALL; i++) {
        const double before = now();
        if (i >= AT_ONCE) need(tessera_wait(gpu, tickets[i % AT_ONCE], NULL), "wait");
        need(tessera_submit(gpu, context, stream, 0, &tickets[i % AT_ONCE]), "submit");
        if (now() - before > longest) longest = now() - before;
    }
    for (uint32_t i = 0; i < AT_ONCE; i++) need(tessera_wait(gpu, tickets[(ALL + i) % AT_ONCE], NULL), "wait");
    printf("times: empty buffer %.0f us (least %.0f, most %.0f); 1000 submissions %.0f us each, longest wait %.0f us\n",
           each[ROUNDS / 2], each[0], each[ROUNDS - 1], (now() - begin) / ALL, longest);
    return 0;
}

static int forge(void)
{
    uint32_t refused = 0, others = 0;
    struct tessera_allocation *own = create(4096, 0);
    for (uint32_t round = 0; round < 20; round++)
        for (uint32_t id = 1; id < 200; id++) {
            uint32_t message[16] = {LOCK_MESSAGE, 0, id, 0x10};
            if (id == tessera_allocation_handle(own)) continue;
            others++;
            refused += tessera_call(gpu, message, NULL) == TESSERA_STATUS_BAD_HANDLE;
        }
    printf("forge: %u of %u refused\n", refused, others);
    return refused != others;
}

enum { FILLS = 8 };

/* So many submissions in flight, each of this many fills. */
static void begin_fills(const struct tessera_place *place, uint32_t round, uint32_t each, tessera_ticket tickets[FILLS])
{
    for (uint32_t i = 0; i < FILLS; i++) {
        tessera_stream_clear(stream);
        for (uint32_t j = 0; j < each; j++) need(tessera_stream_fill(stream, place, LARGE, round * FILLS + i), "fill");
        need(tessera_submit(gpu, context, stream, 0, &tickets[i]), "submit");
    }
}

static uint32_t count_undone(const tessera_ticket tickets[FILLS])
{
    uint32_t undone = 0;
    for (uint32_t i = 0; i < FILLS; i++) undone += !tessera_is_done(gpu, tickets[i]); /* nothing is waited for */
    return undone;
}

/* What another program submits after the fence begins after it. How many of the fills were not complete then. */
static uint32_t count_early(const struct tessera_place *place, struct tessera *other, uint32_t other_context)
{
    enum { ROUNDS = 5, EACH = 16 };
    struct tessera_stream *empty = tessera_stream_create_for(other);
    uint32_t early = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        tessera_ticket tickets[FILLS], ticket;
        int passed = -1;
        begin_fills(place, round, EACH, tickets);
        need(tessera_fence_out(gpu, &passed), "fence out");
        need(tessera_fence_in(other, passed), "fence in");
        (void)close(passed);
        need(tessera_submit(other, other_context, empty, 0, &ticket), "submit");
        while (!tessera_is_done(other, ticket)) (void)usleep(100); /* waiting would be for the kernel's later fence */
        early += count_undone(tickets);
        need(tessera_wait(other, ticket, NULL), "wait");
        for (uint32_t i = 0; i < FILLS; i++) need(tessera_wait(gpu, tickets[i], NULL), "wait");
    }
    tessera_stream_destroy(empty);
    return early;
}

static int fence(void)
{
    enum { ROUNDS = 20 };
    struct tessera_allocation *target = create(LARGE, 0);
    const struct tessera_place place = {target, 0, 0};
    struct tessera *other;
    char message[256];
    uint32_t late = 0, early = 0, wrong = 0, found = 0, other_context = 0;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        tessera_ticket tickets[FILLS];
        struct pollfd passed = {.events = POLLIN};
        begin_fills(&place, round, 1, tickets);
        need(tessera_fence_out(gpu, &passed.fd), "fence out");
        late += poll(&passed, 1, 0) == 0;
        if (poll(&passed, 1, 20000) != 1) wrong++;
        early += count_undone(tickets);
        for (uint32_t i = 0; i < FILLS; i++) need(tessera_wait(gpu, tickets[i], NULL), "wait");
        need(tessera_fence_in(gpu, passed.fd), "fence in");
        (void)close(passed.fd);
        need(tessera_read(gpu, target, LARGE - 4, &found, sizeof found), "read");
        wrong += found != round * FILLS + FILLS - 1;
    }
    wrong += tessera_fence_in(gpu, 1000) != TESSERA_LINK;
    if (tessera_open_device(&other, device, NULL, NULL, message) != TESSERA_OK) return 1;
    need(tessera_context_create(other, 0, 0, &other_context), "context");
    const uint32_t of_other = count_early(&place, other, other_context);
    tessera_close(other);
    printf("fence: %u of %u had not passed at once, %u passed early, %u of another program, %u wrong\n", late, ROUNDS,
           early, of_other, wrong);
    return early != 0 || of_other != 0 || wrong != 0;
}

static int fault(void)
{
    enum { LONG = 100 };
    const struct tessera_place place = {create(LARGE, 0), 0, 0};
    tessera_ticket ticket;
    for (uint32_t i = 0; i < LONG; i++) need(tessera_stream_fill(stream, &place, LARGE, i), "fill");
    need(tessera_submit(gpu, context, stream, 0, &ticket), "submit");
    const int first = tessera_wait(gpu, ticket, NULL);
    tessera_stream_clear(stream);
    need(tessera_submit(gpu, context, stream, 0, &ticket), "submit");
    const int second = tessera_wait(gpu, ticket, NULL);
    printf("fault: %s, then %s\n", tessera_status_name(first), tessera_status_name(second));
    return first != TESSERA_STATUS_TIMEOUT || second != TESSERA_STATUS_CONTEXT_LOST;
}

static int leave(void)
{
    struct tessera_allocation *target = create(LARGE, 0), *locked = create(LARGE, 0);
    const struct tessera_place place = {target, 0, 0};
    tessera_ticket ticket;
    need(tessera_lock(gpu, locked, 0), "lock");
    for (uint32_t i = 0; i < 50; i++) {
        tessera_stream_clear(stream);
        need(tessera_stream_fill(stream, &place, LARGE, i), "fill");
        need(tessera_submit(gpu, context, stream, 0, &ticket), "submit");
    }
    puts("leave: 50 in flight");
    (void)fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    char message[256];
    const char *word = argc > 1 ? argv[1] : "exact";
    if (argc > 2) device = argv[2];
    if (tessera_open_device(&gpu, device, NULL, NULL, message) != TESSERA_OK) {
        printf("FAILED %s: %s\n", word, message);
        return 1;
    }
    stream = tessera_stream_create_for(gpu);
    if (stream == NULL) return 1;
    need(tessera_context_create(gpu, 0, 0, &context), "context");
    const int result = strcmp(word, "times") == 0   ? times()
                       : strcmp(word, "forge") == 0 ? forge()
                       : strcmp(word, "fence") == 0 ? fence()
                       : strcmp(word, "fault") == 0 ? fault()
                       : strcmp(word, "leave") == 0 ? leave()
                                                    : exact();
    tessera_stream_destroy(stream);
    tessera_close(gpu);
    return result;
}
