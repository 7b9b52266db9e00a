/* SPDX-License-Identifier: Apache-2.0
 *
 * A hostile driver of the virtio GPU. Goal: whatever lies in its memory and its queues, nothing else is read or
 * written, every chain is given back at most once, and the painter and the display hear only what their contract
 * allows. Method: an input is a list of steps (bytes into the driver's memory, a chain offered, a queue served); the
 * stand-ins keep books and abort; the sanitizers watch the rest. Inputs are made of good commands that are then
 * spoilt, and mutations of them; or they are libFuzzer's (LIBFUZZER, `make fuzz-virtio`).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz_input.h"
#include "gpu_spec.h"
#include "virtio/gpu.h"

enum { FROM = 0x1000, BYTES = 0x10000, SIZE = 16, TABLE = 0, AVAILABLE = 0x400, USED = 0x600, FREE = 0x800 };
enum { STEP_WRITE, STEP_OFFER, STEP_CONTROL, STEP_CURSOR, STEP_RESET, STEP_INDEX, STEP_RESTART, STEP_COMMAND, STEPS };

/* ------------------------------------------------------------------ books */

static struct {
    bool exists, has_backing;
    uint32_t width, height;
} book[VIRTIO_GPU_RESOURCES_MOST];
static struct {
    uint32_t place, width, height;
} shown[VIRTIO_GPU_SCANOUTS_MOST];
static uint64_t total;
enum { SCANOUTS = 3, MOST = 1 << 20 };

static bool create(void *context, uint32_t place, uint32_t width, uint32_t height)
{
    (void)context;
    DEMAND(place < VIRTIO_GPU_RESOURCES_MOST && !book[place].exists && width != 0 && height != 0);
    if (width % 64 == 13) return false; /* no room, now and then */
    total += (uint64_t)width * height * 4;
    DEMAND(total <= MOST);
    book[place].exists = true;
    book[place].has_backing = false;
    book[place].width = width;
    book[place].height = height;
    return true;
}
static void destroy(void *context, uint32_t place)
{
    (void)context;
    DEMAND(place < VIRTIO_GPU_RESOURCES_MOST && book[place].exists);
    for (uint32_t i = 0; i < SCANOUTS; i++) DEMAND(shown[i].place != place);
    total -= (uint64_t)book[place].width * book[place].height * 4;
    book[place].exists = false;
}
static bool attach(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count)
{
    uint64_t sum = 0;
    (void)context;
    DEMAND(book[place].exists && !book[place].has_backing && count <= VIRTIO_GPU_ENTRIES_MOST);
    for (uint32_t i = 0; i < count; i++) sum += entries[i].address ^ entries[i].bytes;
    book[place].has_backing = sum % 8 != 3;
    return book[place].has_backing;
}
static void detach(void *context, uint32_t place)
{
    (void)context;
    DEMAND(book[place].exists && book[place].has_backing);
    book[place].has_backing = false;
}
static bool transfer(void *context, uint32_t place, const struct virtio_gpu_rectangle *part, uint64_t offset)
{
    (void)context;
    DEMAND(book[place].exists && book[place].has_backing && part->width != 0 && part->height != 0);
    DEMAND((uint64_t)part->x + part->width <= book[place].width);
    DEMAND((uint64_t)part->y + part->height <= book[place].height);
    return offset % 16 != 5;
}
static void show(void *context, uint32_t scanout, uint32_t place, uint32_t format,
                 const struct virtio_gpu_rectangle *part)
{
    (void)context;
    DEMAND(scanout < SCANOUTS && (place == VIRTIO_GPU_NOTHING || (book[place].exists && format != 0)));
    if (place != VIRTIO_GPU_NOTHING) {
        DEMAND((uint64_t)part->x + part->width <= book[place].width && part->width >= 16);
        DEMAND((uint64_t)part->y + part->height <= book[place].height && part->height >= 16);
    }
    shown[scanout].place = place;
    shown[scanout].width = part->width;
    shown[scanout].height = part->height;
}
static void flush(void *context, uint32_t scanout, const struct virtio_gpu_rectangle *part)
{
    (void)context;
    DEMAND(scanout < SCANOUTS && shown[scanout].place != VIRTIO_GPU_NOTHING && book[shown[scanout].place].exists);
    DEMAND((uint64_t)part->x + part->width <= shown[scanout].width && part->width != 0);
    DEMAND((uint64_t)part->y + part->height <= shown[scanout].height && part->height != 0);
}
static void cursor(void *context, uint32_t scanout, uint32_t place, uint32_t format, uint32_t hot_x, uint32_t hot_y)
{
    (void)context;
    (void)format;
    (void)hot_x;
    (void)hot_y;
    DEMAND(scanout < SCANOUTS);
    DEMAND(place == VIRTIO_GPU_NOTHING || (book[place].exists && book[place].width == 64 && book[place].height == 64));
}
static void move(void *context, uint32_t scanout, uint32_t x, uint32_t y)
{
    (void)context;
    (void)x;
    (void)y;
    DEMAND(scanout < SCANOUTS);
}

/* ------------------------------------------------------------------ programs */

static bool is_named[VIRTIO_GPU_RESOURCES_MOST]; /* buffers with pages */
static struct virtio_gpu gpu;

static bool attach_buffer(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count,
                          uint32_t bytes)
{
    (void)context;
    DEMAND(place < VIRTIO_GPU_RESOURCES_MOST && !book[place].exists && !is_named[place] && bytes != 0);
    DEMAND(count <= VIRTIO_GPU_ENTRIES_MOST);
    is_named[place] = count == 0 || entries[count - 1].bytes % 8 != 3;
    return is_named[place];
}
static void detach_buffer(void *context, uint32_t place)
{
    (void)context;
    DEMAND(is_named[place]);
    is_named[place] = false;
}
static bool transfer_buffer(void *context, uint32_t place, bool is_from_host)
{
    (void)context;
    DEMAND(is_named[place]);
    return is_from_host;
}
static bool is_under_way[VIRTIO_GPU_CONTEXTS_MOST];
static uint32_t turns; /* by which it is decided how far what is under way is */
static enum virtio_gpu_ended submit(void *context, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    const uint32_t *end = payload->words + payload->word_count;
    uint32_t sum = 0;
    (void)context;
    DEMAND(payload->context < VIRTIO_GPU_CONTEXTS_MOST && gpu.program[payload->context] != 0);
    DEMAND(!is_under_way[payload->context]);
    DEMAND(end <= gpu.command.words + VIRTIO_GPU_COMMAND_BYTES / 4);
    for (const uint32_t *word = payload->message; word < end; word++) sum += *word;
    for (uint32_t i = 0; i < payload->list_count; i++) {
        const uint32_t place = virtio_gpu_attached(&gpu, payload->context, payload->list[i * 2]);
        DEMAND(place == VIRTIO_GPU_NOTHING || is_named[place]);
    }
    answer[1] = sum;
    turns++;
    if (sum % 4 == 0) return VIRTIO_GPU_ENDED;
    if (turns % 4 == 0) return VIRTIO_GPU_AGAIN;
    is_under_way[payload->context] = true;
    return VIRTIO_GPU_NOT_YET;
}
static enum virtio_gpu_ended poll(void *context, uint32_t of, uint32_t *answer)
{
    (void)context;
    DEMAND(is_under_way[of]);
    if (++turns % 3 != 0) return VIRTIO_GPU_NOT_YET;
    is_under_way[of] = false;
    answer[1] = turns;
    return turns % 9 == 0 ? VIRTIO_GPU_AGAIN : VIRTIO_GPU_ENDED;
}
static void work(void *context) { (void)context; }
static void give_up(void *context, uint32_t of)
{
    (void)context;
    DEMAND(is_under_way[of]);
    is_under_way[of] = false;
}
static void record(void *context, uint32_t place, uint32_t offset, const uint32_t *answer)
{
    (void)context;
    (void)answer;
    DEMAND(is_named[place] && offset % 32 == 0 && offset + 32 <= gpu.resource[place].width);
}
static void part(void *context, uint32_t of, uint32_t place)
{
    (void)context;
    DEMAND(of < VIRTIO_GPU_CONTEXTS_MOST && gpu.resource[place].is_buffer);
}
static void leave(void *context, uint32_t of)
{
    (void)context;
    DEMAND(gpu.program[of] != 0 && !is_under_way[of]);
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++)
        DEMAND(gpu.resource[i].id == 0 || (gpu.resource[i].attached[of / 32] >> of % 32 & 1) == 0);
}

/* ------------------------------------------------------------------ the driver */

static uint8_t *memory;
static struct virtio_queue queue;
static uint16_t offered;

static uint8_t *at(void *context, uint64_t address, uint64_t bytes)
{
    (void)context;
    if (address < FROM || address - FROM > BYTES || bytes > BYTES - (address - FROM)) return NULL;
    return memory + (address - FROM);
}

static void restart(uint16_t next)
{
    virtio_gpu_settle(&gpu, &queue);
    DEMAND(!virtio_gpu_is_late(&gpu));
    queue = (struct virtio_queue){.memory = {NULL, at},
                                  .table = memory + TABLE,
                                  .available = memory + AVAILABLE,
                                  .used = memory + USED,
                                  .has_events = next % 2u != 0};
    DEMAND(virtio_queue_start(&queue, SIZE, next));
    offered = next;
}

static void offer(uint16_t head)
{
    memcpy(memory + AVAILABLE + 4 + 2 * (offered % SIZE), &head, 2);
    offered++;
    memcpy(memory + AVAILABLE + 2, &offered, 2);
}

static void serve(bool is_cursor)
{
    const uint16_t before = queue.put, taken_before = queue.next;
    const uint32_t late_before = gpu.late_count;
    const bool is_good = is_cursor ? virtio_gpu_cursor(&gpu, &queue) : virtio_gpu_control(&gpu, &queue);
    DEMAND(is_good == !queue.is_broken);
    const uint16_t given = (uint16_t)(queue.put - before), taken = (uint16_t)(queue.next - taken_before);
    DEMAND(taken <= 1 && late_before + taken == gpu.late_count + given);
    (void)virtio_queue_wait(&queue);
    (void)virtio_queue_notifies(&queue);
}

static void take_bytes(struct input *input, uint32_t place, uint32_t count)
{
    if (place >= BYTES) return;
    if (count > BYTES - place) count = BYTES - place;
    if (count > input->left) count = (uint32_t)input->left;
    if (count != 0) memcpy(memory + place, input->data, count);
    input->data += count;
    input->left -= count;
}

/* A whole command in one chain, of which the bytes are the input's. */
static void command(struct input *input)
{
    const uint32_t bytes = 1 + take(input, 1) % 200u;
    const struct {
        uint64_t address;
        uint32_t bytes;
        uint16_t flags, next;
    } chain[2] = {{FROM + FREE, bytes, 1, 1}, {FROM + FREE + 0x1000, 0x500, 2, 0}};
    memset(memory + FREE, 0, bytes);
    take_bytes(input, FREE, bytes);
    memcpy(memory + TABLE, chain, sizeof chain);
    offer(0);
}

static void step(struct input *input)
{
    const uint32_t kind = take(input, 1) % STEPS;
    if (kind == STEP_WRITE) {
        const uint32_t place = take(input, 2), count = take(input, 1);
        take_bytes(input, place, count);
    } else if (kind == STEP_OFFER) offer((uint16_t)take(input, 1));
    else if (kind == STEP_CONTROL) serve(false);
    else if (kind == STEP_CURSOR) serve(true);
    else if (kind == STEP_RESET) virtio_gpu_reset(&gpu);
    else if (kind == STEP_INDEX) {
        offered = (uint16_t)take(input, 2);
        memcpy(memory + AVAILABLE + 2, &offered, 2);
    } else if (kind == STEP_RESTART) restart((uint16_t)take(input, 2));
    else command(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct input input = {data, bytes};
    memory = calloc(1, BYTES);
    if (memory == NULL) abort();
    gpu.painter = (struct virtio_gpu_painter){NULL, create, destroy, attach, detach, transfer};
    gpu.display = (struct virtio_gpu_display){NULL, show, flush, cursor, move};
    static const uint32_t set[4] = {PAYLOAD_IS_MAGIC};
    gpu.programs = (struct virtio_gpu_programs){&gpu,   set,  sizeof set, attach_buffer, detach_buffer, transfer_buffer,
                                                submit, poll, work,       give_up,       record,        part,
                                                leave};
    memset(is_named, 0, sizeof is_named);
    memset(is_under_way, 0, sizeof is_under_way);
    turns = 0;
    gpu.scanouts = SCANOUTS;
    gpu.width = 640;
    gpu.height = 480;
    gpu.bytes_most = MOST;
    memset(book, 0, sizeof book);
    for (uint32_t i = 0; i < VIRTIO_GPU_SCANOUTS_MOST; i++) shown[i].place = VIRTIO_GPU_NOTHING;
    total = 0;
    virtio_gpu_begin(&gpu);
    restart(0);
    while (input.left > 0) step(&input);
    serve(false);
    virtio_gpu_reset(&gpu);
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) DEMAND(!book[i].exists && !is_named[i]);
    DEMAND(total == 0 && virtio_gpu_contexts(&gpu) == 0 && gpu.bytes == 0 && gpu.late_count == 0);
    for (uint32_t i = 0; i < VIRTIO_GPU_CONTEXTS_MOST; i++) DEMAND(!is_under_way[i]);
    free(memory);
    return 0;
}

#ifndef LIBFUZZER
/* ------------------------------------------------------------------ inputs */

static size_t put(uint8_t *input, size_t at_byte, const void *data, size_t bytes)
{
    memcpy(input + at_byte, data, bytes);
    return at_byte + bytes;
}

enum { WORDS = 40 };

/* Of a command of programs, what makes it good. */
static void put_program_words(uint32_t words[WORDS], uint32_t type, uint32_t id)
{
    words[4] = 1;
    if (below(3) == 0) words[4] = 1 + below(3);
    words[6] = id;
    words[7] = 1; /* a version of GET_CAPSET's */
    if (type == COMMAND_GET_CAPSET_INFO) words[6] = 0;
    else if (type == COMMAND_GET_CAPSET) words[6] = PAYLOAD_IS_CAPSET;
    else if (type == COMMAND_CREATE_3D && below(8) != 0) {
        words[7] = words[14] = words[15] = words[16] = 0;
        words[10] = 64 * (1 + below(3));
        words[11] = words[12] = words[13] = 1;
    } else if (type == COMMAND_SUBMIT_3D) {
        words[6] = (WORDS - 8) * 4;
        words[8] = PAYLOAD_IS_MAGIC;
        words[9] = PAYLOAD_IS_VERSION;
        words[10] = id;
        words[11] = 32 * below(3);
        words[12] = below(3);
        words[13] = 0;
        words[14] = WORDS - 8 - PAYLOAD_LIST - words[12] * 2;
        words[15] = 0;
    } else if (type == COMMAND_TRANSFER_TO_HOST_3D || type == COMMAND_TRANSFER_FROM_HOST_3D) {
        memset(words + 6, 0, 12 * sizeof *words);
        words[9] = 64 * (1 + below(3));
        words[10] = words[11] = 1;
        words[14] = id;
    }
}

/* A command that is good as often as not: few ids, small sizes. */
static size_t put_command(uint8_t *input, size_t length)
{
    static const uint32_t types[] = {COMMAND_CREATE_2D,
                                     COMMAND_CREATE_2D,
                                     COMMAND_ATTACH_BACKING,
                                     COMMAND_SET_SCANOUT,
                                     COMMAND_FLUSH,
                                     COMMAND_TRANSFER_TO_HOST_2D,
                                     COMMAND_UNREF,
                                     COMMAND_DETACH_BACKING,
                                     COMMAND_GET_EDID,
                                     COMMAND_GET_DISPLAY_INFO,
                                     COMMAND_UPDATE_CURSOR,
                                     COMMAND_MOVE_CURSOR,
                                     COMMAND_CONTEXT_CREATE,
                                     COMMAND_CONTEXT_DESTROY,
                                     COMMAND_CONTEXT_ATTACH,
                                     COMMAND_CONTEXT_ATTACH,
                                     COMMAND_CONTEXT_DETACH,
                                     COMMAND_CREATE_3D,
                                     COMMAND_CREATE_3D,
                                     COMMAND_SUBMIT_3D,
                                     COMMAND_SUBMIT_3D,
                                     COMMAND_TRANSFER_TO_HOST_3D,
                                     COMMAND_TRANSFER_FROM_HOST_3D,
                                     COMMAND_GET_CAPSET,
                                     COMMAND_GET_CAPSET_INFO};
    const uint32_t type = types[below(sizeof types / sizeof *types)], id = 1 + below(4);
    uint32_t words[WORDS] = {type};
    for (uint32_t i = 6; i < WORDS; i++) words[i] = below(8) == 0 ? UINT32_MAX - below(4) : below(70);
    if (type == COMMAND_CREATE_2D) {
        words[6] = id;
        words[7] = 1 + below(4);
        if (below(2) == 0) words[8] = words[9] = 64;
    } else if (type == COMMAND_UNREF || type == COMMAND_DETACH_BACKING) words[6] = id;
    else if (type == COMMAND_ATTACH_BACKING) {
        words[6] = id;
        words[7] = below(4);
    } else if (type == COMMAND_SET_SCANOUT) {
        words[6] = words[7] = below(20);
        words[8] = words[9] = 16 + below(30);
        words[10] = below(4);
        words[11] = below(3) == 0 ? 0 : id;
    } else if (type == COMMAND_FLUSH || type == COMMAND_TRANSFER_TO_HOST_2D) {
        if (below(2) == 0) words[6] = words[7] = below(20);
        if (below(2) == 0) words[8] = words[9] = below(45);
        words[type == COMMAND_FLUSH ? 10 : 12] = id;
    } else if (type >= COMMAND_GET_CAPSET_INFO && type <= COMMAND_SUBMIT_3D && type != COMMAND_GET_EDID)
        put_program_words(words, type, id);
    else {
        words[6] = below(4);
        words[10] = below(3) == 0 ? 0 : id;
    }
    const uint8_t head[2] = {STEP_COMMAND, WORDS * 4 - 1};
    const uint8_t kick = type >= COMMAND_UPDATE_CURSOR ? STEP_CURSOR : STEP_CONTROL;
    length = put(input, length, head, 2);
    length = put(input, length, words, sizeof words);
    return put(input, length, &kick, 1);
}

static size_t make_input(uint8_t *input)
{
    size_t length = 0;
    const uint32_t commands = 1 + below(30), spoils = below(3) == 0 ? 0 : below(12);
    for (uint32_t i = 0; i < commands; i++) {
        length = put_command(input, length);
        for (uint32_t more = below(6) == 0 ? below(20) : 0; more > 0; more--) input[length++] = (uint8_t)below(256);
    }
    for (uint32_t i = 0; i < spoils; i++) input[below((uint32_t)length)] = (uint8_t)below(256);
    return length;
}

/* fuzz SEED SECONDS, fuzz --corpus FOLDER COUNT, or fuzz FILE... */
int main(int argc, char **argv)
{
    static uint8_t input[8192];
    unsigned long count = 0;
    int failed = 0;
    const bool is_corpus = argc == 4 && strcmp(argv[1], "--corpus") == 0;
    if (!is_corpus && (argc != 3 || strtoul(argv[1], NULL, 10) == 0)) {
        for (int i = 1; i < argc; i++) failed += replay(argv[i]);
        printf("%d passed, %d failed\n", argc - 1 - failed, failed);
        return failed != 0;
    }
    state = (is_corpus ? 7 : strtoul(argv[1], NULL, 10)) * 0x9e3779b97f4a7c15u + 1u;
    const time_t end = time(NULL) + (is_corpus ? 0 : strtol(argv[2], NULL, 10));
    uint64_t commands = 0, good = 0;
    for (unsigned long i = 0; is_corpus ? i < strtoul(argv[3], NULL, 10) : time(NULL) < end; i++) {
        const size_t bytes = make_input(input);
        (void)LLVMFuzzerTestOneInput(input, bytes);
        commands += gpu.counts.commands;
        good += gpu.counts.commands - gpu.counts.refused;
        count++;
        if (!is_corpus) continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%03lu", argv[2], i);
        FILE *file = fopen(path, "wb");
        if (file == NULL || fwrite(input, 1, bytes, file) != bytes || fclose(file) != 0) return 1;
    }
    fprintf(stderr, "%lu inputs, %llu commands, %llu of them done\n", count, (unsigned long long)commands,
            (unsigned long long)good);
    printf("1 passed, 0 failed\n");
    return good * 4 < commands; /* if most are refused at once, nothing is tested */
}
#endif
