/* SPDX-License-Identifier: Apache-2.0
 *
 * guest_sessions COUNT SEED: programs inside the guest of guest_sessions.py, four at a time. A session is a process
 * with the GPU's node open. By its number it is
 *   honest   draws, and finds every pixel right; ends with or without closing
 *   forged   payloads of its own making: any message, other programs' resources, lengths and records that are wrong
 *   hostile  streams of noise, packets outside their allocations, floods of submissions
 *   dying    killed with locks held, work in flight, in the middle of anything
 * This process keeps 16 allocations of known bytes beside them, and looks at these every 500 sessions. It prints one
 * line; exit status 0: every honest session was right, no byte was lost, none of them hung.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/device/drm_kernel.h"
#include "gpu_spec.h"
#include "tessera_device.h"
#include "tessera_stream.h"

enum { AT_ONCE = 4, KEPT = 16, KEPT_BYTES = 64 << 10, LOOK = 500, SECONDS = 60 };
enum { WIDTH = 32, HEIGHT = 24, PIXELS = WIDTH * HEIGHT, BYTES = PIXELS * 4, LARGE = 256 << 10, OBJECTS = 4 };
static const char NODE[] = "/dev/dri/renderD128";
enum kind { HONEST, FORGED, HOSTILE, DYING, KINDS };

static uint64_t noise;

static uint32_t random_word(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 7;
    noise ^= noise << 17;
    return (uint32_t)(noise >> 16);
}
static uint32_t below(uint32_t limit) { return random_word() % limit; }

/* ------------------------------------------------------------------ by the library */

static struct tessera *gpu;
static struct tessera_stream *stream;
static uint32_t context;

/* The session cannot go on; an honest one is wrong then. */
static void need(int status, const char *what)
{
    if (status == TESSERA_OK) return;
    printf("%s: %s: %s\n", what, tessera_status_name(status), tessera_message(gpu));
    (void)fflush(stdout);
    _exit(1);
}

static void open_gpu(void)
{
    char message[256], where[64];
    snprintf(where, sizeof where, "drm:%s", NODE);
    if (tessera_open_device(&gpu, where, NULL, NULL, message) != TESSERA_OK) {
        printf("open: %s\n", message);
        (void)fflush(stdout);
        _exit(1);
    }
    stream = tessera_stream_create_for(gpu);
    need(stream != NULL ? TESSERA_OK : TESSERA_NO_MEMORY, "stream");
    need(tessera_context_create(gpu, 0, 0, &context), "context");
}

static struct tessera_allocation *create(uint32_t bytes)
{
    struct tessera_allocation_options wish = {.bytes = bytes, .flags = TESSERA_ALLOCATION_CPU_VISIBLE};
    struct tessera_allocation *made = NULL;
    need(tessera_allocation_create(gpu, &wish, &made), "create");
    return made;
}

static int honest(void)
{
    static uint32_t found[PIXELS];
    open_gpu();
    struct tessera_allocation *target = create(BYTES);
    const struct tessera_surface to = {
        .allocation = target, .format = TESSERA_ARGB8888, .pitch = WIDTH * 4, .is_target = true};
    const uint32_t ground = random_word(), patch = random_word(), x = below(WIDTH - 8), y = below(HEIGHT - 8);
    tessera_ticket ticket;
    uint32_t wrong = 0;
    need(tessera_stream_bind(stream, 0, &to), "bind");
    need(tessera_stream_fill_rect(stream, 0, 0, 0, WIDTH, HEIGHT, ground), "fill");
    need(tessera_stream_fill_rect(stream, 0, x, y, 8, 8, patch), "fill");
    need(tessera_submit(gpu, context, stream, 0, &ticket), "submit");
    need(tessera_wait(gpu, ticket, NULL), "wait");
    need(tessera_read(gpu, target, 0, found, BYTES), "read");
    for (uint32_t i = 0; i < PIXELS; i++) {
        const uint32_t column = i % WIDTH, row = i / WIDTH;
        const int is_inside = column >= x && column < x + 8 && row >= y && row < y + 8;
        wrong += found[i] != (is_inside ? patch : ground);
    }
    if (wrong != 0) printf("honest: %u pixels wrong\n", wrong);
    (void)fflush(stdout);
    if (below(2) != 0) _exit(wrong != 0);
    tessera_stream_destroy(stream);
    tessera_close(gpu);
    return wrong != 0;
}

/* Good packets of which some words are noise, then noise alone. What is refused is; the session goes on. */
static int hostile(void)
{
    static uint32_t words[512];
    open_gpu();
    struct tessera_allocation *target = create(LARGE), *other = create(4096);
    tessera_ticket tickets[32];
    uint32_t count = 0;
    const uint32_t rounds = 1 + below(24);
    for (uint32_t round = 0; round < rounds; round++) {
        const struct tessera_place place = {below(2) != 0 ? target : other, below(LARGE) & ~3u, 0};
        tessera_stream_clear(stream);
        (void)tessera_stream_fill(stream, &place, below(2 * LARGE) & ~3u, round); /* refused here, or by the device */
        if (below(3) == 0) {
            const uint32_t length = below(512);
            uint32_t patch[LIMIT_BITS_PATCH_ENTRY_WORDS], index;
            for (uint32_t i = 0; i < length; i++) words[i] = below(4) != 0 ? random_word() : below(64);
            (void)tessera_stream_list(stream, other, below(2) != 0, &index);
            (void)tessera_stream_raw(stream, words, length);
            for (uint32_t i = 0; i < LIMIT_BITS_PATCH_ENTRY_WORDS; i++)
                patch[i] = below(2) != 0 ? below(600) : random_word();
            if (below(2) != 0) (void)tessera_stream_patch(stream, patch);
        }
        if (tessera_submit(gpu, below(16) != 0 ? context : below(300), stream, 0, &tickets[count]) == TESSERA_OK)
            count++;
        if (below(4) == 0) (void)tessera_allocation_destroy(gpu, create(4096 * (1 + below(16))));
    }
    for (uint32_t i = 0; i < count; i++) (void)tessera_wait(gpu, tickets[i], NULL);
    if (below(2) != 0) _exit(0);
    tessera_stream_destroy(stream);
    tessera_close(gpu);
    return 0;
}

/* Until this process is killed: by itself, or from outside. */
_Noreturn static void dying(void)
{
    const uint32_t end = below(40);
    open_gpu();
    struct tessera_allocation *target = create(LARGE), *locked = create(LARGE);
    const struct tessera_place place = {target, 0, 0};
    tessera_ticket ticket;
    for (uint32_t i = 0;; i++) {
        if (i == end) (void)raise(below(2) != 0 ? SIGKILL : SIGABRT);
        if (i == end / 2) (void)tessera_lock(gpu, locked, 0);
        if (i % 8 == 3) (void)create(4096);
        tessera_stream_clear(stream);
        need(tessera_stream_fill(stream, &place, LARGE, i), "fill");
        need(tessera_submit(gpu, context, stream, 0, &ticket), "submit");
    }
}

/* ------------------------------------------------------------------ by the kernel alone */

struct object {
    uint32_t handle, resource;
};

/* A word of a message: small, another program's number, or noise. */
static uint32_t some_word(const struct object *objects)
{
    switch (below(6)) {
    case 0: return 0;
    case 1: return objects[below(OBJECTS)].resource;
    case 2: return below(400);
    case 3: return 4096 * below(64);
    case 4: return 1u << below(32);
    default: return random_word();
    }
}

static uint32_t forge(uint32_t *payload, const struct object *objects)
{
    const uint32_t lists = below(5), patches = below(4), words = below(64);
    uint32_t count =
        PAYLOAD_LIST + lists * LIMIT_BITS_LIST_ENTRY_WORDS + patches * LIMIT_BITS_PATCH_ENTRY_WORDS + words;
    const bool draws = below(3) == 0;
    for (uint32_t i = 0; i < count; i++) payload[i] = some_word(objects);
    payload[PAYLOAD_MAGIC] = below(40) != 0 ? (uint32_t)PAYLOAD_IS_MAGIC : random_word();
    payload[PAYLOAD_VERSION] = below(40) != 0 ? (uint32_t)PAYLOAD_IS_VERSION : random_word();
    payload[PAYLOAD_RECORD] = below(8) != 0 ? objects[0].resource : some_word(objects);
    payload[PAYLOAD_RECORD_OFFSET] = below(8) != 0 ? below(64) * LIMIT_BITS_COMPLETION_WORDS * 4 : random_word();
    payload[PAYLOAD_RESERVED] = below(40) == 0;
    payload[PAYLOAD_LIST_COUNT] = draws || below(8) == 0 ? lists : 0;
    payload[PAYLOAD_PATCH_COUNT] = draws || below(8) == 0 ? patches : 0;
    payload[PAYLOAD_WORD_COUNT] = draws || below(8) == 0 ? words : 0;
    payload[PAYLOAD_MESSAGE] = draws ? (uint32_t)MSG_SUBMIT : below(64);
    if (!draws && payload[PAYLOAD_LIST_COUNT] + payload[PAYLOAD_PATCH_COUNT] + payload[PAYLOAD_WORD_COUNT] == 0)
        count = PAYLOAD_LIST;
    if (draws && lists != 0 && below(4) != 0) memset(payload + PAYLOAD_LIST, 0, LIMIT_BITS_LIST_ENTRY_WORDS * 4);
    if (draws)
        for (uint32_t i = MSG_SUBMIT_DMA; i < MSG_SUBMIT_FLAGS; i++)
            if (below(40) != 0) payload[PAYLOAD_MESSAGE + i] = 0;
    return below(16) != 0 ? count : 1 + below(count);
}

static int forged(void)
{
    static uint32_t payload[1024];
    struct drm_kernel kernel;
    struct object objects[OBJECTS];
    char message[256];
    uint32_t handles[OBJECTS];
    if (drm_kernel_open(&kernel, NODE, message) != 0) return 1;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        if (kernel.create(kernel.context, 4096u << below(5), &objects[i].handle, &objects[i].resource) != 0) return 1;
        handles[i] = objects[i].handle;
    }
    const uint32_t rounds = 1 + below(40);
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t words = forge(payload, objects);
        struct drm_fences fences = {.in = below(16) == 0 ? (int)below(8) : -1, .gives_out = below(16) == 0, .out = -1};
        (void)kernel.submit(kernel.context, payload, words * 4 - (below(16) == 0), handles, below(OBJECTS + 1),
                            &fences);
        if (fences.out >= 0 && below(2) != 0) (void)close(fences.out);
        if (below(8) == 0) (void)kernel.wait(kernel.context, handles[below(OBJECTS)]);
        if (below(24) == 0) kernel.destroy(kernel.context, handles[1 + below(OBJECTS - 1)]); /* twice, perhaps */
    }
    if (below(2) != 0) kernel.close(kernel.context);
    return 0;
}

/* ------------------------------------------------------------------ all of them */

static int session(uint32_t number, uint32_t seed)
{
    noise = ((uint64_t)seed << 32 | number) * 0x9e3779b97f4a7c15ull | 1u;
    for (uint32_t i = 0; i < 8; i++) (void)random_word();
    (void)alarm(SECONDS);
    switch ((enum kind)(number % KINDS)) {
    case HONEST: return honest();
    case FORGED: return forged();
    case HOSTILE: return hostile();
    case DYING:
    case KINDS:
    default: dying();
    }
}

static struct {
    pid_t process;
    uint32_t number;
} slot[AT_ONCE];
static uint32_t ended, wrong, killed, hung;

static void await_one(void)
{
    int status;
    const pid_t process = wait(&status);
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        if (slot[i].process != process) continue;
        slot[i].process = 0;
        ended++;
        const bool is_killed = WIFSIGNALED(status) != 0;
        killed += is_killed && WTERMSIG(status) != SIGALRM;
        hung += is_killed && WTERMSIG(status) == SIGALRM;
        if (slot[i].number % KINDS == HONEST) wrong += is_killed || WEXITSTATUS(status) != 0;
        else wrong += is_killed && slot[i].number % KINDS != DYING && WTERMSIG(status) != SIGALRM;
    }
}

static void begin(uint32_t number, uint32_t seed)
{
    uint32_t free = 0;
    while (free < AT_ONCE && slot[free].process != 0) free++;
    if (free == AT_ONCE) {
        await_one();
        for (free = 0; slot[free].process != 0;) free++;
    }
    slot[free].number = number;
    slot[free].process = fork();
    if (slot[free].process == 0) {
        const int status = session(number, seed);
        (void)fflush(stdout);
        _exit(status);
    }
}

static uint8_t kept_byte(uint32_t which, uint32_t at) { return (uint8_t)(which * 31u + at * 7u + at / 256u); }

static uint32_t look(struct tessera_allocation *const *kept)
{
    static uint8_t bytes[KEPT_BYTES];
    uint32_t lost = 0;
    for (uint32_t i = 0; i < KEPT; i++) {
        need(tessera_read(gpu, kept[i], 0, bytes, KEPT_BYTES), "read");
        for (uint32_t at = 0; at < KEPT_BYTES; at++) lost += bytes[at] != kept_byte(i, at);
    }
    return lost;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[KEPT_BYTES];
    static struct tessera_allocation *kept[KEPT];
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    const uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    uint32_t lost = 0;
    open_gpu();
    for (uint32_t i = 0; i < KEPT; i++) {
        kept[i] = create(KEPT_BYTES);
        for (uint32_t at = 0; at < KEPT_BYTES; at++) bytes[at] = kept_byte(i, at);
        need(tessera_write(gpu, kept[i], 0, bytes, KEPT_BYTES), "write");
        const struct tessera_place place = {kept[i], 0, 0}; /* its first word is drawn as it is: it is the GPU's */
        uint32_t first;
        tessera_ticket ticket;
        memcpy(&first, bytes, sizeof first);
        tessera_stream_clear(stream);
        need(tessera_stream_fill(stream, &place, sizeof first, first), "fill");
        need(tessera_submit(gpu, context, stream, 0, &ticket), "submit");
        need(tessera_wait(gpu, ticket, NULL), "wait");
    }
    for (uint32_t number = 0; number < count; number++) {
        begin(number, seed);
        if (number % LOOK == LOOK - 1) lost += look(kept);
    }
    while (ended < count) await_one();
    lost += look(kept);
    tessera_stream_destroy(stream);
    tessera_close(gpu);
    printf("sessions: %u of %u ended, %u killed, %u hung, %u wrong, %u bytes of another lost\n", ended, count, killed,
           hung, wrong, lost);
    return wrong != 0 || lost != 0 || hung != 0;
}
