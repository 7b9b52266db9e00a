/* SPDX-License-Identifier: Apache-2.0
 *
 * See transport_drm.h. Payloads are answered in their order, so the oldest in flight is looked at alone.
 */
#include "lib/device/transport_drm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu_spec.h"

enum {
    PAGE = LIMIT_BITS_PAGE_BYTES,
    PAGES = 0x7ffff,               /* of the range: below 2 GiB */
    OWN_PAGES = (16 << 20) / PAGE, /* of the library's part, whatever its limits */
    FLIGHTS = 128,                 /* as many as the library has in flight */
    RECORD_WORDS = LIMIT_BITS_COMPLETION_WORDS,
    RECORDS_BYTES = FLIGHTS * RECORD_WORDS * 4,
    REGISTERS = 64, /* of block HOST that are kept */
    WORDS = LIMIT_BITS_MESSAGE_WORDS,
    LIST_WORDS = LIMIT_BITS_LIST_ENTRY_WORDS,
    PATCH_WORDS = LIMIT_BITS_PATCH_ENTRY_WORDS,
    PAYLOAD_WORDS =
        PAYLOAD_LIST + LIMIT_BITS_DMA_BYTES_MAX / 4 + LIMIT_BITS_LIST_ENTRIES_MAX * (LIST_WORDS + PATCH_WORDS)
};

/* A resource, and where it is in the range. */
struct object {
    uint32_t handle, resource, first, count;
};

struct drm {
    struct transport *transport;
    struct drm_kernel kernel;
    uint8_t *range;
    struct object *objects; /* by `first` */
    uint32_t object_count, object_room;
    struct object records;
    uint32_t *record; /* of flight i, RECORD_WORDS at i * RECORD_WORDS */
    uint32_t tag[FLIGHTS], oldest, flights;
    int fence; /* that the next payload is sent after; -1: none */
    uint32_t capset[CAPSET_WORDS];
    uint32_t registers[REGISTERS]; /* as written; SUBMIT_HEAD and COMPLETE_TAIL are ours */
    uint32_t handles[LIMIT_BITS_LIST_ENTRIES_MAX + 2];
    uint32_t payload[PAYLOAD_WORDS];
};

static int failed(struct drm *drm, int result, const char *what, int error)
{
    snprintf(drm->transport->error, sizeof drm->transport->error, "%s: %s", what, strerror(-error));
    return result;
}

static int refused(struct drm *drm, const char *text)
{
    snprintf(drm->transport->error, sizeof drm->transport->error, "%s", text);
    return TRANSPORT_IO;
}

/* ------------------------------------------------------------------ memory */

/* The place of the first object that begins after this page. */
static uint32_t after(const struct drm *drm, uint32_t page)
{
    uint32_t low = 0, high = drm->object_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2u;
        if (drm->objects[middle].first <= page) low = middle + 1u;
        else high = middle;
    }
    return low;
}

/* The object that has this page; NULL: none. */
static struct object *object_at(const struct drm *drm, uint32_t page)
{
    const uint32_t next = after(drm, page);
    if (next == 0) return NULL;
    struct object *object = &drm->objects[next - 1u];
    return page - object->first < object->count ? object : NULL;
}

static struct object *object_of(const struct drm *drm, uint32_t resource)
{
    for (uint32_t i = 0; i < drm->object_count; i++)
        if (drm->objects[i].resource == resource) return &drm->objects[i];
    return NULL;
}

/* NULL: not all of it is memory. */
static uint8_t *memory_at(const struct drm *drm, uint32_t address, size_t bytes)
{
    const uint32_t own = (uint32_t)OWN_PAGES * PAGE;
    if (address < own) return bytes <= own - address ? drm->range + address : NULL;
    const struct object *object = object_at(drm, address / PAGE);
    if (object == NULL) return NULL;
    return bytes <= (size_t)(object->first + object->count) * PAGE - address ? drm->range + address : NULL;
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    struct drm *drm = context;
    const uint8_t *from = memory_at(drm, address, bytes);
    if (from == NULL) return refused(drm, "there is no such memory");
    if (bytes != 0) memcpy(data, from, bytes);
    return TRANSPORT_OK;
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct drm *drm = context;
    uint8_t *to = memory_at(drm, address, bytes);
    if (to == NULL) return refused(drm, "there is no such memory");
    if (bytes != 0) memcpy(to, data, bytes);
    return TRANSPORT_OK;
}

/* The first gap of so many pages, and the place in the table that it has. False: there is none. */
static bool find_gap(const struct drm *drm, uint32_t count, uint32_t *place, uint32_t *first)
{
    *first = OWN_PAGES;
    for (*place = 0; *place < drm->object_count; (*place)++) {
        const struct object *object = &drm->objects[*place];
        if (object->first - *first >= count) return true;
        *first = object->first + object->count;
    }
    return (uint32_t)PAGES - *first >= count;
}

static bool has_room(struct drm *drm)
{
    const uint32_t room = drm->object_room != 0 ? drm->object_room * 2u : 64u;
    if (drm->object_count < drm->object_room) return true;
    struct object *objects = realloc(drm->objects, room * sizeof *objects);
    if (objects == NULL) return false;
    drm->objects = objects;
    drm->object_room = room;
    return true;
}

static int take_pages(void *context, uint32_t count, uint32_t *first)
{
    struct drm *drm = context;
    struct object object = {.count = count};
    uint32_t place;
    if (count == 0 || count > PAGES || !has_room(drm) || !find_gap(drm, count, &place, &object.first))
        return refused(drm, "there is no room for it in 2 GiB of addresses");
    const size_t bytes = (size_t)count * PAGE;
    int error = drm->kernel.create(drm->kernel.context, (uint32_t)bytes, &object.handle, &object.resource);
    if (error != 0) return failed(drm, TRANSPORT_IO, "the kernel makes no resource", error);
    error = drm->kernel.map(drm->kernel.context, object.handle, drm->range + (size_t)object.first * PAGE, bytes);
    if (error != 0) {
        drm->kernel.destroy(drm->kernel.context, object.handle);
        return failed(drm, TRANSPORT_IO, "the kernel maps no resource", error);
    }
    memmove(drm->objects + place + 1u, drm->objects + place, (drm->object_count - place) * sizeof object);
    drm->objects[place] = object;
    drm->object_count++;
    *first = object.first;
    return TRANSPORT_OK;
}

/* Addresses without memory. */
static bool reserve(uint8_t *at, size_t bytes, int flags, uint8_t **range)
{
    void *got = mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (got == MAP_FAILED) return false;
    *range = got;
    return true;
}

static void give_pages(void *context, uint32_t first)
{
    struct drm *drm = context;
    uint8_t *range;
    struct object *object = object_at(drm, first);
    if (object == NULL || object->first != first) return;
    (void)reserve(drm->range + (size_t)first * PAGE, (size_t)object->count * PAGE, MAP_FIXED, &range);
    drm->kernel.destroy(drm->kernel.context, object->handle);
    const uint32_t place = (uint32_t)(object - drm->objects);
    drm->object_count--;
    memmove(object, object + 1, (drm->object_count - place) * sizeof *object);
}

/* ------------------------------------------------------------------ completions */

static uint32_t *reg(struct drm *drm, uint32_t offset) { return &drm->registers[offset / 4u]; }

static int complete(struct drm *drm, const uint32_t words[RECORD_WORDS])
{
    uint32_t *tail = reg(drm, HOST_COMPLETE_TAIL_OFFSET);
    const uint32_t index = *tail & field_mask(*reg(drm, HOST_COMPLETE_SIZE_OFFSET));
    const int result = memory_write(drm, *reg(drm, HOST_COMPLETE_BASE_OFFSET) + index * RECORD_WORDS * 4u, words,
                                    RECORD_WORDS * sizeof *words);
    if (result == TRANSPORT_OK) (*tail)++;
    return result;
}

/* Of this message, which needs no one else. */
static int answer(struct drm *drm, const uint32_t *message, uint32_t status, uint32_t detail, uint32_t word)
{
    const uint32_t words[RECORD_WORDS] = {message[1], status, detail, 0, word};
    return complete(drm, words);
}

static int collect(struct drm *drm)
{
    int result = TRANSPORT_OK;
    while (drm->flights != 0 && result == TRANSPORT_OK) {
        uint32_t words[RECORD_WORDS], *record = drm->record + drm->oldest * (uint32_t)RECORD_WORDS;
        words[0] = __atomic_load_n(record, __ATOMIC_ACQUIRE);
        if (words[0] == 0) break;
        memcpy(words + 1, record + 1, sizeof words - sizeof *words);
        words[COMPLETION_TAG] = drm->tag[drm->oldest];
        drm->oldest = (drm->oldest + 1u) % FLIGHTS;
        drm->flights--;
        result = complete(drm, words);
    }
    return result;
}

static int wait(void *context, uint32_t cycles)
{
    struct drm *drm = context;
    const uint32_t before = drm->flights;
    (void)cycles;
    if (before == 0) return TRANSPORT_OK;
    const int error = drm->kernel.wait(drm->kernel.context, drm->records.handle);
    if (error != 0 && error != -EBUSY) return failed(drm, TRANSPORT_IO, "the kernel does not wait", error);
    const int result = collect(drm);
    if (result == TRANSPORT_OK && error == 0 && drm->flights == before)
        return refused(drm, "the machine's GPU has not answered. Look at dmesg");
    return result;
}

/* ------------------------------------------------------------------ messages */

/* What a payload names stays until it is answered: once each is enough for the kernel, more do no harm. */
static void name_resource(struct drm *drm, uint32_t resource, uint32_t *count)
{
    const struct object *object = object_of(drm, resource);
    if (object != NULL) drm->handles[(*count)++] = object->handle;
}

/* The kernel passes over fences of its own driver, as if all programs were served in one order. */
static void await_fence(struct drm *drm)
{
    struct pollfd fence = {.fd = drm->fence, .events = POLLIN};
    while (drm->fence >= 0 && poll(&fence, 1, -1) < 0 && (errno == EINTR || errno == EAGAIN)) continue;
}

/* After the fence that the program has named, and with one out if it wants that. 0, or a negative errno. */
static int submit_after(struct drm *drm, const uint32_t *payload, uint32_t bytes, uint32_t named, int *out)
{
    struct drm_fences fences = {.in = drm->fence, .gives_out = out != NULL, .out = -1};
    await_fence(drm);
    const int error = drm->kernel.submit(drm->kernel.context, payload, bytes, drm->handles, named, &fences);
    if (error != 0) return error;
    if (drm->fence >= 0) (void)close(drm->fence);
    drm->fence = -1;
    if (out != NULL) *out = fences.out;
    return 0;
}

static void close_drm(void *context);

bool drm_is(const struct transport *transport) { return transport->close == close_drm; }

/* A payload that is its first word alone: nothing but a fence. */
int drm_fence_out(const struct transport *transport, int *descriptor)
{
    static const uint32_t payload[1] = {PAYLOAD_IS_MAGIC};
    struct drm *drm = transport->context;
    const int error = submit_after(drm, payload, sizeof payload, 0, descriptor);
    return error != 0 ? failed(drm, TRANSPORT_IO, "the kernel gives none", error) : TRANSPORT_OK;
}

/* Of two that are named before anything is sent, both count: the first goes with a payload of its own. */
int drm_fence_in(const struct transport *transport, int descriptor)
{
    static const uint32_t payload[1] = {PAYLOAD_IS_MAGIC};
    struct drm *drm = transport->context;
    const int error = drm->fence >= 0 ? submit_after(drm, payload, sizeof payload, 0, NULL) : 0;
    if (error != 0) return failed(drm, TRANSPORT_IO, "the kernel does not wait for it", error);
    drm->fence = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return drm->fence >= 0 ? TRANSPORT_OK : failed(drm, TRANSPORT_IO, "the descriptor", -errno);
}

static int send(struct drm *drm, const uint32_t *message, uint32_t words, uint32_t named)
{
    const uint32_t flight = (drm->oldest + drm->flights) % FLIGHTS;
    uint32_t *payload = drm->payload;
    if (drm->flights == FLIGHTS) return refused(drm, "too many messages are in flight");
    payload[PAYLOAD_MAGIC] = PAYLOAD_IS_MAGIC;
    payload[PAYLOAD_VERSION] = PAYLOAD_IS_VERSION;
    payload[PAYLOAD_RECORD] = drm->records.resource;
    payload[PAYLOAD_RECORD_OFFSET] = flight * RECORD_WORDS * 4u;
    payload[PAYLOAD_RESERVED] = 0;
    memcpy(payload + PAYLOAD_MESSAGE, message, WORDS * sizeof *message);
    drm->handles[named++] = drm->records.handle;
    __atomic_store_n(drm->record + flight * RECORD_WORDS, 0, __ATOMIC_RELEASE);
    const int error = submit_after(drm, payload, words * 4u, named, NULL);
    if (error != 0) return failed(drm, TRANSPORT_IO, "the kernel refuses a submission", error);
    drm->tag[flight] = message[1];
    drm->flights++;
    return TRANSPORT_OK;
}

/* A message that names at most one resource. */
static int send_message(struct drm *drm, const uint32_t *message, uint32_t resource)
{
    uint32_t named = 0;
    drm->payload[PAYLOAD_LIST_COUNT] = drm->payload[PAYLOAD_PATCH_COUNT] = drm->payload[PAYLOAD_WORD_COUNT] = 0;
    if (resource != 0) name_resource(drm, resource, &named);
    return send(drm, message, PAYLOAD_LIST, named);
}

/* The page list that the library has made names one resource from its first page on. */
static int create_allocation(struct drm *drm, uint32_t *message)
{
    uint32_t page = 0;
    const int result = memory_read(drm, message[MSG_CREATE_ALLOCATION_PAGES], &page, sizeof page);
    const struct object *object = result == TRANSPORT_OK ? object_at(drm, page) : NULL;
    if (object == NULL || object->first != page)
        return answer(drm, message, STATUS_BAD_ADDRESS, MSG_CREATE_ALLOCATION_PAGES, 0);
    message[MSG_CREATE_ALLOCATION_PAGES] = object->resource;
    return send_message(drm, message, object->resource);
}

static int submit(struct drm *drm, uint32_t *message)
{
    const uint32_t lists = message[MSG_SUBMIT_LIST_COUNT], patches = message[MSG_SUBMIT_PATCH_COUNT];
    const uint32_t words = message[MSG_SUBMIT_DMA_BYTES] / 4u;
    uint32_t named = 0, *list = drm->payload + PAYLOAD_LIST;
    if (lists > LIMIT_BITS_LIST_ENTRIES_MAX || patches > LIMIT_BITS_LIST_ENTRIES_MAX ||
        words > LIMIT_BITS_DMA_BYTES_MAX / 4)
        return answer(drm, message, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES, 0);
    uint32_t *patch = list + lists * (uint32_t)LIST_WORDS, *word = patch + patches * (uint32_t)PATCH_WORDS;
    int result = memory_read(drm, message[MSG_SUBMIT_LIST], list, (size_t)lists * LIST_WORDS * 4u);
    if (result == TRANSPORT_OK)
        result = memory_read(drm, message[MSG_SUBMIT_PATCHES], patch, (size_t)patches * PATCH_WORDS * 4u);
    if (result == TRANSPORT_OK) result = memory_read(drm, message[MSG_SUBMIT_DMA], word, (size_t)words * 4u);
    if (result != TRANSPORT_OK) return answer(drm, message, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA, 0);
    for (uint32_t i = 0; i < lists; i++) name_resource(drm, list[i * (uint32_t)LIST_WORDS + LIST_HANDLE], &named);
    drm->payload[PAYLOAD_LIST_COUNT] = lists;
    drm->payload[PAYLOAD_PATCH_COUNT] = patches;
    drm->payload[PAYLOAD_WORD_COUNT] = words;
    for (uint32_t i = MSG_SUBMIT_DMA; i < MSG_SUBMIT_FLAGS; i++) message[i] = 0;
    return send(drm, message, (uint32_t)(word - drm->payload) + words, named);
}

/* The library has asked how many there are, or has room for all. */
static int query_segments(struct drm *drm, const uint32_t *message)
{
    const uint32_t count = drm->capset[CAPSET_SEGMENT_COUNT];
    uint32_t output[SEGMENT_OUT_DESCRIPTORS + LIMIT_BITS_SEGMENTS * SEGMENT3_WORDS] = {count};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *of = drm->capset + CAPSET_SEGMENT + i * (uint32_t)CAPSET_SEGMENT_WORDS;
        uint32_t *to = output + SEGMENT_OUT_DESCRIPTORS + i * (uint32_t)SEGMENT3_WORDS;
        to[SEGMENT3_FLAGS] = of[CAPSET_SEGMENT_FLAGS];
        memcpy(to + SEGMENT3_BASE, of + CAPSET_SEGMENT_BASE, 8);
        memcpy(to + SEGMENT3_SIZE, of + CAPSET_SEGMENT_BYTES, 8);
        memcpy(to + SEGMENT3_COMMIT_LIMIT, of + CAPSET_SEGMENT_COMMIT_LIMIT, 8);
    }
    const uint32_t address = message[MSG_QUERY_SEGMENT_ADDRESS];
    const size_t bytes = (SEGMENT_OUT_DESCRIPTORS + count * (uint32_t)SEGMENT3_WORDS) * sizeof *output;
    if (message[MSG_QUERY_SEGMENT_FORM] != 5)
        return answer(drm, message, STATUS_BAD_ARGUMENT, MSG_QUERY_SEGMENT_FORM, 0);
    if (address != 0 && message[MSG_QUERY_SEGMENT_COUNT] < count)
        return answer(drm, message, STATUS_BAD_ARGUMENT, MSG_QUERY_SEGMENT_COUNT, 0);
    if (address != 0 && memory_write(drm, address, output, bytes) != TRANSPORT_OK)
        return answer(drm, message, STATUS_BAD_ADDRESS, MSG_QUERY_SEGMENT_ADDRESS, 0);
    return answer(drm, message, STATUS_OK, 0, count);
}

static int take_message(struct drm *drm, uint32_t *message)
{
    switch (message[0]) {
    case MSG_QUERY_STATISTICS: return answer(drm, message, STATUS_OK, 0, 0);
    case MSG_QUERY_SEGMENT: return query_segments(drm, message);
    case MSG_CREATE_ALLOCATION: return create_allocation(drm, message);
    case MSG_SUBMIT: return submit(drm, message);
    case MSG_DESTROY_ALLOCATION:
    case MSG_LOCK:
    case MSG_UNLOCK:
    case MSG_SET_PRIORITY:
    case MSG_OFFER:
    case MSG_RECLAIM:
    case MSG_EVICT:
    case MSG_QUERY_ALLOCATION: return send_message(drm, message, message[MSG_LOCK_HANDLE]);
    default: break;
    }
    if (message_client(message[0]) != 0) return answer(drm, message, STATUS_BAD_MESSAGE, message[0], 0);
    return send_message(drm, message, 0);
}

static int take_messages(struct drm *drm, uint32_t tail)
{
    uint32_t *head = reg(drm, HOST_SUBMIT_HEAD_OFFSET), message[WORDS];
    int result = TRANSPORT_OK;
    while (*head != tail && result == TRANSPORT_OK) {
        const uint32_t index = *head & field_mask(*reg(drm, HOST_SUBMIT_SIZE_OFFSET));
        result = memory_read(drm, *reg(drm, HOST_SUBMIT_BASE_OFFSET) + index * WORDS * 4u, message, sizeof message);
        if (result == TRANSPORT_OK) result = take_message(drm, message);
        if (result == TRANSPORT_OK) (*head)++;
    }
    return result;
}

/* ------------------------------------------------------------------ registers */

static int start(struct drm *drm)
{
    const uint32_t *bytes = reg(drm, HOST_DMA_BYTES_OFFSET), *entries = reg(drm, HOST_LIST_ENTRIES_OFFSET);
    const uint32_t bytes_most = drm->capset[CAPSET_DMA_BYTES], entries_most = drm->capset[CAPSET_LIST_ENTRIES];
    if (*bytes <= bytes_most && *entries <= entries_most) {
        *reg(drm, HOST_BOOT_STATUS_OFFSET) = 1;
        return TRANSPORT_OK;
    }
    snprintf(drm->transport->error, sizeof drm->transport->error,
             "this machine's GPU takes DMA buffers of %u bytes and lists of %u entries. Ask for no more (dma_bytes, "
             "list_entries)",
             bytes_most, entries_most);
    return TRANSPORT_IO;
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    struct drm *drm = context;
    if (offset / 4u >= REGISTERS || offset == HOST_COMPLETE_TAIL_OFFSET || offset == HOST_SUBMIT_HEAD_OFFSET)
        return TRANSPORT_OK;
    if (offset == HOST_IRQ_STATUS_OFFSET || offset == HOST_BOOT_STATUS_OFFSET) return TRANSPORT_OK;
    *reg(drm, offset) = value;
    if (offset == HOST_CONTROL_OFFSET && value != 0) return start(drm);
    return offset == HOST_SUBMIT_TAIL_OFFSET ? take_messages(drm, value) : TRANSPORT_OK;
}

static uint32_t segment_bytes(const struct drm *drm, uint32_t id)
{
    const uint32_t *of = drm->capset + CAPSET_SEGMENT + (id - 1u) * (uint32_t)CAPSET_SEGMENT_WORDS;
    return id <= drm->capset[CAPSET_SEGMENT_COUNT] ? of[CAPSET_SEGMENT_BYTES] : 0;
}

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    struct drm *drm = context;
    int result = TRANSPORT_OK;
    if (offset == HOST_COMPLETE_TAIL_OFFSET) result = collect(drm);
    switch (offset) {
    case HOST_ID_OFFSET: *value = drm->capset[CAPSET_MAGIC]; break;
    case HOST_ABI_OFFSET: *value = drm->capset[CAPSET_ABI]; break;
    case MEMORY_FEATURES_OFFSET: *value = drm->capset[CAPSET_FEATURES]; break;
    case MEMORY_COMMAND_BYTES_OFFSET: *value = drm->capset[CAPSET_COMMAND_BYTES]; break;
    case MEMORY_SEGMENT1_BYTES_OFFSET: *value = segment_bytes(drm, 1); break;
    case MEMORY_SEGMENT2_BYTES_OFFSET: *value = segment_bytes(drm, 2); break;
    case APERTURE_PAGES_OFFSET: *value = segment_bytes(drm, 3) / (uint32_t)PAGE; break;
    default: *value = offset / 4u < REGISTERS ? *reg(drm, offset) : 0;
    }
    return result;
}

/* ------------------------------------------------------------------ life */

static void close_drm(void *context)
{
    struct drm *drm = context;
    for (uint32_t i = 0; i < drm->object_count; i++) drm->kernel.destroy(drm->kernel.context, drm->objects[i].handle);
    if (drm->records.handle != 0) drm->kernel.destroy(drm->kernel.context, drm->records.handle);
    if (drm->range != NULL) (void)munmap(drm->range, (size_t)PAGES * PAGE);
    if (drm->record != NULL) (void)munmap(drm->record, RECORDS_BYTES);
    drm->kernel.close(drm->kernel.context);
    if (drm->fence >= 0) (void)close(drm->fence);
    free(drm->objects);
    free(drm);
}

static const char *get_memory(struct drm *drm)
{
    uint8_t *records = NULL;
    if (!reserve(NULL, (size_t)PAGES * PAGE, 0, &drm->range)) return "no 2 GiB of addresses";
    if (mprotect(drm->range, (size_t)OWN_PAGES * PAGE, PROT_READ | PROT_WRITE) != 0) return "out of memory";
    if (drm->kernel.create(drm->kernel.context, RECORDS_BYTES, &drm->records.handle, &drm->records.resource) != 0)
        return "the kernel makes no resource";
    if (!reserve(NULL, RECORDS_BYTES, 0, &records)) return "out of memory";
    drm->record = (uint32_t *)(void *)records;
    if (drm->kernel.map(drm->kernel.context, drm->records.handle, records, RECORDS_BYTES) != 0)
        return "the kernel maps no resource";
    memset(drm->record, 0, RECORDS_BYTES);
    return NULL;
}

static const char *get_capset(struct drm *drm)
{
    if (drm->kernel.capset(drm->kernel.context, drm->capset, sizeof drm->capset) != 0 ||
        drm->capset[CAPSET_MAGIC] != PAYLOAD_IS_MAGIC)
        return "the GPU of this machine is not a Tessera. Start the machine with build/tessera-gpu";
    if (drm->capset[CAPSET_VERSION] != PAYLOAD_IS_VERSION || drm->capset[CAPSET_SEGMENT_COUNT] > LIMIT_BITS_SEGMENTS)
        return "the machine's build/tessera-gpu is of another version. Build both from one tree";
    return NULL;
}

int drm_open(struct transport *transport, const struct drm_kernel *kernel, char message[256])
{
    struct drm *drm = calloc(1, sizeof *drm);
    if (drm == NULL) {
        snprintf(message, 256, "out of memory");
        kernel->close(kernel->context);
        return -1;
    }
    drm->kernel = *kernel;
    drm->transport = transport;
    drm->fence = -1;
    const char *wrong = get_capset(drm);
    if (wrong == NULL) wrong = get_memory(drm);
    if (wrong != NULL) {
        snprintf(message, 256, "%s.", wrong);
        close_drm(drm);
        return -1;
    }
    *transport = (struct transport){.context = drm,
                                    .register_read = register_read,
                                    .register_write = register_write,
                                    .memory_read = memory_read,
                                    .memory_write = memory_write,
                                    .wait = wait,
                                    .close = close_drm,
                                    .take_pages = take_pages,
                                    .give_pages = give_pages,
                                    .memory_bytes = (uint32_t)PAGES * PAGE};
    return 0;
}
