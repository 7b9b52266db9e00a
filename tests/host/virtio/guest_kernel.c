/* SPDX-License-Identifier: Apache-2.0
 *
 * guest_kernel WORD: a program inside the guest of guest_draw.sh that uses the kernel's own calls beside the library.
 * It prints a line that begins with its word; exit status 0: all was as it has to be.
 *   flight   1,000 submissions by EXECBUFFER, none of which is waited for before the last is queued. It measures the
 *            longest call and the longest time in which none completes: over a quarter of a second is a stall
 *   syncobj  the kernel's syncobjs: of a binary one and of points of a timeline that have the library's fences, in and
 *            out of EXECBUFFER
 */
#include <errno.h>
#include <fcntl.h>
#include <libdrm/virtgpu_drm.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gpu_spec.h"
#include "lib/device/drm_kernel.h"
#include "tessera_device.h"
#include "tessera_stream.h"

static const char NODE[] = "/dev/dri/renderD128";

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

_Noreturn static void fail(const char *what, int error)
{
    printf("FAILED %s: %s\n", what, strerror(error));
    exit(1);
}

/* ------------------------------------------------------------------ 1,000 in flight */

enum { ALL = 1000, RECORD_WORDS = LIMIT_BITS_COMPLETION_WORDS, RECORD_BYTES = RECORD_WORDS * 4, SECONDS = 60 };
enum {
    STALLED = 2,
    STALL = 250000 /* us; tessera-gpu looks at its queues twice a second where nobody tells it of them */
};
static uint32_t *records; /* of submission i, RECORD_WORDS at i * RECORD_WORDS; one more for other messages */
static double longest_gap;
static uint32_t gap_at; /* the submission after it */

static uint32_t tag_of(const uint32_t *record) { return __atomic_load_n(record, __ATOMIC_ACQUIRE); }

/* They complete in their order: the longest time between two, from the first on. */
static void *watch(void *context)
{
    double last = 0;
    (void)context;
    for (uint32_t i = 0; i < ALL; i++) {
        while (tag_of(records + (size_t)i * RECORD_WORDS) == 0) (void)usleep(50);
        const double time = now();
        if (i != 0 && time - last > longest_gap) {
            longest_gap = time - last;
            gap_at = i;
        }
        last = time;
    }
    return NULL;
}

static void send(const struct drm_kernel *kernel, uint32_t *payload, uint32_t words, uint32_t place,
                 const uint32_t handle[1])
{
    struct drm_fences fences = {.in = -1, .out = -1};
    payload[PAYLOAD_RECORD_OFFSET] = place * RECORD_BYTES;
    payload[PAYLOAD_MESSAGE + 1] = place + 1;
    const int error = kernel->submit(kernel->context, payload, words * 4, handle, 1, &fences);
    if (error != 0) fail("submit", -error);
}

static int flight_once(void)
{
    enum { BYTES = (ALL + 1) * RECORD_BYTES, WORDS = PAYLOAD_LIST + LIMIT_BITS_LIST_ENTRY_WORDS };
    struct drm_kernel kernel;
    uint32_t handle, resource, payload[WORDS] = {PAYLOAD_IS_MAGIC, PAYLOAD_IS_VERSION};
    uint32_t longest_at = 0, bad = 0;
    char message[256];
    pthread_t watcher;
    double longest = 0;
    longest_gap = 0;
    if (drm_kernel_open(&kernel, NODE, message) != 0) fail(message, 0);
    int error = kernel.create(kernel.context, BYTES, &handle, &resource);
    if (error != 0) fail("create", -error);
    void *range = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (range == MAP_FAILED) fail("mmap", errno);
    records = range;
    error = kernel.map(kernel.context, handle, records, BYTES);
    if (error != 0) fail("map", -error);
    memset(records, 0, BYTES);
    payload[PAYLOAD_RECORD] = resource;
    payload[PAYLOAD_MESSAGE] = MSG_CREATE_CONTEXT;
    send(&kernel, payload, PAYLOAD_LIST, ALL, &handle);
    error = kernel.wait(kernel.context, handle);
    const uint32_t *made = records + (size_t)ALL * RECORD_WORDS;
    if (error != 0 || made[COMPLETION_STATUS] != STATUS_OK) fail("context", -error);
    payload[PAYLOAD_LIST_COUNT] = 1;
    payload[PAYLOAD_MESSAGE] = MSG_SUBMIT;
    payload[PAYLOAD_MESSAGE + MSG_SUBMIT_CONTEXT] = made[REPLY_CREATE_CONTEXT_CONTEXT];
    if (pthread_create(&watcher, NULL, watch, NULL) != 0) fail("thread", errno);
    const double begin = now();
    for (uint32_t i = 0; i < ALL; i++) {
        const double before = now();
        send(&kernel, payload, WORDS, i, &handle);
        if (now() - before > longest) {
            longest = now() - before;
            longest_at = i;
        }
    }
    const double queued = now() - begin;
    (void)pthread_join(watcher, NULL);
    const double all = now() - begin;
    for (uint32_t i = 0; i < ALL; i++) {
        const uint32_t *record = records + (size_t)i * RECORD_WORDS;
        bad += record[COMPLETION_TAG] != i + 1 || record[COMPLETION_STATUS] != STATUS_OK;
    }
    kernel.close(kernel.context);
    const int stalls = (longest >= STALL) + (longest_gap >= STALL);
    printf(
        "flight: %u queued in %.0f us each, longest %.0f us (%u); complete in %.0f us each, longest gap %.0f us (%u); "
        "%d stalls, %u bad\n",
        (uint32_t)ALL, queued / ALL, longest, longest_at, all / ALL, longest_gap, gap_at, stalls, bad);
    return bad != 0 ? 1 : stalls != 0 ? STALLED : 0;
}

/* Another program on the host can hold it up, too: what it does every time is its own. */
static int flight(void)
{
    int result = STALLED;
    for (uint32_t i = 0; i < 3 && result == STALLED; i++) result = flight_once();
    return result;
}

/* ------------------------------------------------------------------ syncobjs */

/* EXECBUFFER of Linux 6.6, which older headers do not have. */
struct sync_point {
    uint32_t handle, flags;
    uint64_t point;
};
struct execbuffer {
    uint32_t flags, size;
    uint64_t command, bo_handles;
    uint32_t num_bo_handles;
    int32_t fence_fd;
    uint32_t ring_idx, syncobj_stride, num_in_syncobjs, num_out_syncobjs;
    uint64_t in_syncobjs, out_syncobjs;
};
#define EXECBUFFER DRM_IOWR(DRM_COMMAND_BASE + DRM_VIRTGPU_EXECBUFFER, struct execbuffer)

enum { LARGE = 1 << 20, FILLS = 8 };
static int node;
static struct tessera *gpu;
static struct tessera_stream *stream;
static uint32_t context;
static tessera_ticket tickets[FILLS];

static int control(unsigned long request, void *argument) { return ioctl(node, request, argument) == 0 ? 0 : errno; }

static void need(int status, const char *what)
{
    if (status == TESSERA_OK) return;
    printf("FAILED %s: %s: %s\n", what, tessera_status_name(status), tessera_message(gpu));
    exit(1);
}

static void begin_fills(const struct tessera_place *place)
{
    for (uint32_t i = 0; i < FILLS; i++) {
        tessera_stream_clear(stream);
        need(tessera_stream_fill(stream, place, LARGE, i), "fill");
        need(tessera_submit(gpu, context, stream, 0, &tickets[i]), "submit");
    }
}

/* How many of the fills are not complete, though what said so has passed. */
static uint32_t end_fills(void)
{
    uint32_t undone = 0;
    for (uint32_t i = 0; i < FILLS; i++) undone += !tessera_is_done(gpu, tickets[i]);
    for (uint32_t i = 0; i < FILLS; i++) need(tessera_wait(gpu, tickets[i], NULL), "wait");
    return undone;
}

static uint32_t create_syncobj(void)
{
    struct drm_syncobj_create made = {0};
    const int error = control(DRM_IOCTL_SYNCOBJ_CREATE, &made);
    if (error != 0) fail("SYNCOBJ_CREATE", error);
    return made.handle;
}

/* The library's fence of everything that it has queued becomes that of the syncobj. */
static void take_fence(uint32_t syncobj)
{
    struct drm_syncobj_handle named = {.handle = syncobj, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE};
    need(tessera_fence_out(gpu, &named.fd), "fence out");
    const int error = control(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &named);
    if (error != 0) fail("SYNCOBJ_FD_TO_HANDLE", error);
    (void)close(named.fd);
}

/* And that of the library: what it queues from now on begins after it. */
static void give_fence(uint32_t syncobj)
{
    struct drm_syncobj_handle named = {.handle = syncobj, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
    const int error = control(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &named);
    if (error != 0) fail("SYNCOBJ_HANDLE_TO_FD", error);
    need(tessera_fence_in(gpu, named.fd), "fence in");
    (void)close(named.fd);
}

/* 0, or an errno; ETIME: it has not passed within the time. */
static int wait_binary(uint32_t syncobj, int64_t seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    struct drm_syncobj_wait wait = {.handles = (uintptr_t)&syncobj, .count_handles = 1};
    wait.timeout_nsec = seconds != 0 ? (time.tv_sec + seconds) * 1000000000ll : 0;
    return control(DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

static int wait_point(uint32_t syncobj, uint64_t point)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    struct drm_syncobj_timeline_wait wait = {
        .handles = (uintptr_t)&syncobj, .points = (uintptr_t)&point, .count_handles = 1};
    wait.timeout_nsec = (time.tv_sec + SECONDS) * 1000000000ll;
    return control(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

/* The fence of a binary syncobj at a point of a timeline. */
static void put_point(uint32_t from, uint32_t to, uint64_t point)
{
    struct drm_syncobj_transfer both = {.src_handle = from, .dst_handle = to, .dst_point = point};
    const int error = control(DRM_IOCTL_SYNCOBJ_TRANSFER, &both);
    if (error != 0) fail("SYNCOBJ_TRANSFER", error);
}

/* A payload that is a fence alone, after one point and before others. */
static int execute(const struct sync_point *in, const struct sync_point *out, uint32_t out_count)
{
    static const uint32_t payload[1] = {PAYLOAD_IS_MAGIC};
    struct execbuffer buffer = {.size = sizeof payload,
                                .command = (uintptr_t)payload,
                                .fence_fd = -1,
                                .syncobj_stride = sizeof *in,
                                .num_in_syncobjs = 1,
                                .num_out_syncobjs = out_count,
                                .in_syncobjs = (uintptr_t)in,
                                .out_syncobjs = (uintptr_t)out};
    return control(EXECBUFFER, &buffer);
}

static int syncobj(void)
{
    enum { ROUNDS = 10 };
    char message[256];
    uint32_t late = 0, early = 0, wrong = 0;
    if (tessera_open_device(&gpu, "drm:/dev/dri/renderD128", NULL, NULL, message) != TESSERA_OK) fail(message, 0);
    node = open(NODE, O_RDWR | O_CLOEXEC);
    stream = tessera_stream_create_for(gpu);
    if (node < 0 || stream == NULL) fail("open", errno);
    need(tessera_context_create(gpu, 0, 0, &context), "context");
    struct tessera_allocation_options wish = {.bytes = LARGE, .flags = TESSERA_ALLOCATION_CPU_VISIBLE};
    struct tessera_place place = {0};
    need(tessera_allocation_create(gpu, &wish, &place.allocation), "create");
    const uint32_t binary = create_syncobj(), timeline = create_syncobj(), after = create_syncobj();
    const struct sync_point nothing = {.handle = 1000};
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        begin_fills(&place);
        take_fence(binary);
        late += wait_binary(binary, 0) == ETIME;
        if (wait_binary(binary, SECONDS) != 0) wrong++;
        early += end_fills();

        begin_fills(&place);
        take_fence(binary);
        put_point(binary, timeline, round * 10);
        if (wait_point(timeline, round * 10) != 0) wrong++;
        early += end_fills();

        begin_fills(&place);
        take_fence(binary);
        put_point(binary, timeline, round * 10 + 1);
        const struct sync_point in = {.handle = timeline, .point = round * 10 + 1};
        const struct sync_point out[2] = {{.handle = after}, {.handle = timeline, .point = round * 10 + 2}};
        const int error = execute(&in, out, 2);
        if (error != 0) fail("EXECBUFFER with syncobjs", error);
        if (wait_point(timeline, round * 10 + 2) != 0 || wait_binary(after, SECONDS) != 0) wrong++;
        early += end_fills();
        give_fence(after);
        wrong += execute(&nothing, NULL, 0) != ENOENT;
    }
    begin_fills(&place);
    (void)end_fills();
    tessera_stream_destroy(stream);
    tessera_close(gpu);
    (void)close(node);
    printf("syncobj: %u of %u had not passed at once, %u passed early, %u wrong\n", late, (uint32_t)ROUNDS, early,
           wrong);
    return early != 0 || wrong != 0;
}

int main(int argc, char **argv) { return argc > 1 && strcmp(argv[1], "flight") == 0 ? flight() : syncobj(); }
