/* SPDX-License-Identifier: Apache-2.0
 *
 * Life of a device and its transport. The loop gives the firmware and the two nodes their turns: in a
 * fixed order, or at random by seed, so that whatever depends on an order that nothing guarantees shows.
 */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"
#include "unwind.h"

enum { TURN_CYCLES = 400, PACKET_CYCLES = 200, PAGE = 4096 };

static const uint32_t space_limit = 4096u * PAGE; /* guard pages of a space */

/* ------------------------------------------------------------------ probe */

static void on_packet(void *context, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct device *device = context;
    const struct probe *probe = &device->probe;
    if (probe->packet_begin != NULL) probe->packet_begin(probe->context, device->cycle, node, offset, words);
    if (probe->packet_end != NULL) probe->packet_end(probe->context, device->cycle + PACKET_CYCLES, node);
    device->cycle += PACKET_CYCLES;
}

void device_probe(struct device *device, const struct probe *probe)
{
    device->probe = probe != NULL ? *probe : (struct probe){0};
}

/* ------------------------------------------------------------------ life */

static bool check_bytes(uint32_t bytes, uint32_t limit, const char *what, char *error)
{
    if (bytes != 0 && bytes % PAGE == 0 && bytes <= limit) return true;
    snprintf(error, 256, "%s: %u bytes is not a multiple of 4096 up to %u", what, bytes, limit);
    return false;
}

struct device *device_create(const struct device_options *options, char *error)
{
    uint32_t memory = options->memory_bytes != 0 ? options->memory_bytes : 64u << 20;
    uint32_t segment1 = options->segment1_bytes != 0 ? options->segment1_bytes : 256u << 10;
    uint32_t segment2 = options->segment2_bytes != 0 ? options->segment2_bytes : 2u << 20;
    uint32_t aperture = options->aperture_pages != 0 ? options->aperture_pages : 4096;
    if (!check_bytes(memory, 0x80000000u - PAGE, "system memory", error) ||
        !check_bytes(segment1, space_limit, "segment 1", error) ||
        !check_bytes(segment2, space_limit, "segment 2", error) ||
        !check_bytes(aperture * PAGE, space_limit, "aperture", error))
        return NULL;
    const uint32_t command = options->command_bytes != 0 ? options->command_bytes : COMMAND_BYTES;
    struct device *device = calloc(1, sizeof *device);
    if (device == NULL) {
        snprintf(error, 256, "no memory for the device");
        return NULL;
    }
    device->engine = (struct engine_model){
        .segment1 = calloc(1, segment1),
        .segment2 = calloc(1, segment2),
        .system = options->memory != NULL ? options->memory : calloc(1, memory),
        .segment1_bytes = segment1,
        .segment2_bytes = segment2,
        .system_bytes = memory,
        .command = calloc(1, command),
        .command_bytes = command,
        .aperture = calloc(aperture, sizeof(uint32_t)),
        .aperture_pages = aperture,
        .on_packet = on_packet,
        .context = device,
    };
    device->table_bytes = options->table_bytes != 0 ? options->table_bytes : TABLE_BYTES;
    device->examiner_log2 = options->examiner_log2 != 0 ? options->examiner_log2 : EXAMINER_LOG2_MAX;
    device->tables = malloc(device->table_bytes);
    device->is_memory_given = options->memory != NULL;
    device->stacks = stacks_create();
    const struct engine_model *engine = &device->engine;
    if (!device->tables || !device->stacks || !engine->segment1 || !engine->segment2 || !engine->system ||
        !engine->command || !engine->aperture) {
        device_destroy(device);
        snprintf(error, 256, "no memory for the device");
        return NULL;
    }
    /* What a chip's memory holds at power-on is anything: nothing may depend on zeros. */
    memset(engine->segment1, 0xa5, segment1);
    memset(engine->segment2, 0x5a, segment2);
    memset(engine->command, 0xc3, command);
    memset(&device->gpu, 0x69, sizeof device->gpu);
    memset(device->tables, 0x69, device->table_bytes);
    if (options->probe != NULL) device->probe = *options->probe;
    if (options->gpu != NULL) device->gpu_options = *options->gpu;
    device->random = options->seed;
    if (options->has_display) {
        const struct display_model_memory shown = {engine->segment1, engine->segment2, segment1, segment2};
        display_model_init(&device->display, &shown);
        device->display.fixed_clock = options->display_khz;
    }
    device_registers_reset(device);
    return device;
}

void device_destroy(struct device *device)
{
    if (device == NULL) return;
    free(device->engine.segment1);
    free(device->engine.segment2);
    if (!device->is_memory_given) free(device->engine.system);
    free(device->engine.command);
    free(device->engine.aperture);
    free(device->tables);
    stacks_destroy(device->stacks);
    display_model_free(&device->display);
    free(device);
}

struct engine_model *device_engine(struct device *device) { return &device->engine; }
struct gpu *device_gpu(struct device *device) { return &device->gpu; }
void device_hang(struct device *device, unsigned node) { device->is_hung[node] = true; }
void device_slow(struct device *device, unsigned node, uint32_t turns, uint32_t bytes)
{
    device->slow_turns[node] = device->slow_left[node] = turns;
    device->slow_bytes[node] = bytes;
}
void device_release(struct device *device, unsigned node) { device->is_hung[node] = false; }
void device_crawl(struct device *device, unsigned node, uint32_t turns) { device->crawling[node] = turns; }
void device_look_cycles(struct device *device, uint32_t cycles) { device->look_cycles = cycles; }
void device_set_cycle(struct device *device, uint64_t cycle) { device->cycle = cycle; }
void device_sleep(struct device *device, bool sleeps) { device->sleeps = sleeps; }
void device_drop_interrupts(struct device *device, bool are_dropped) { device->drops_interrupts = are_dropped; }

struct display_model *device_display(struct device *device) { return &device->display; }

bool device_blank(struct device *device)
{
    const uint64_t next = display_model_next(&device->display);
    if (next == UINT64_MAX) return false;
    if (next > device->cycle) device->cycle = next;
    display_model_advance(&device->display, device->cycle);
    return true;
}

uint32_t device_register(struct device *device, uint32_t offset)
{
    return device_register_read(device, offset, SIDE_CORE);
}

/* ------------------------------------------------------------------ turns */

static bool must_sleep(struct device *device)
{
    bool is_called = device_register_read(device, CORE_IRQ_PENDING_OFFSET, SIDE_CORE) != 0u;
    if (device->is_asleep && (is_called || device->cycle >= device->wake_at)) device->is_asleep = false;
    return device->is_asleep;
}

static bool turn_firmware(struct device *device)
{
    if (device->sleeps && must_sleep(device)) return false;
    device->cycle += TURN_CYCLES;
    device_register_write(device, CORE_IRQ_PENDING_OFFSET, FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL), SIDE_CORE);
    if (!device->is_booted) {
        device->is_booted = true;
        device->is_stopped = !gpu_init_with(&device->gpu, &device->gpu_options);
        return true;
    }
    bool has_worked = !device->is_stopped && gpu_turn(&device->gpu);
    device->is_asleep = !has_worked;
    device->wake_at = device->cycle + (device->is_stopped ? 0u : gpu_patience(&device->gpu));
    return has_worked;
}

static bool turn_node(struct device *device, unsigned node)
{
    struct engine_node *state = &device->engine.node[node];
    bool is_stopped = state->is_paused && !device_is_inside(device, node);
    bool has_work = state->head != state->tail && state->is_enabled && !state->is_halted && !is_stopped;
    if (device->is_hung[node]) return false;
    if (device->crawling[node] != 0u) {
        device->crawling[node]--;
        state->packets++;
        device->cycle += PACKET_CYCLES;
        return true;
    }
    if (has_work && device->slow_left[node] != 0) {
        device->slow_left[node]--;
        device->is_waiting[node] = false;
        state->bytes_read_system += device->slow_bytes[node];
        return true;
    }
    bool is_paused = state->is_paused; /* which does not stop a packet that has begun */
    if (has_work) state->is_paused = false;
    device->slow_left[node] = device->slow_turns[node];
    bool has_worked = engine_model_step(&device->engine, node);
    state->is_paused = is_paused;
    device->is_waiting[node] = !has_worked;
    return has_worked;
}

static uint32_t next_random(struct device *device)
{
    device->random ^= device->random << 13;
    device->random ^= device->random >> 17;
    device->random ^= device->random << 5;
    return device->random;
}

static bool turn_all(struct device *device)
{
    bool firmware = turn_firmware(device);
    bool render = turn_node(device, 0), paging = turn_node(device, 1);
    return firmware || render || paging;
}

/* Everyone in random order and number; nothing has moved only if a full round says so too. */
static bool turn_random(struct device *device)
{
    bool has_worked = false;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t who = next_random(device) >> 8 & 3u;
        if (who == 0) has_worked |= turn_node(device, 0);
        else if (who == 1) has_worked |= turn_node(device, 1);
        else has_worked |= turn_firmware(device);
    }
    return has_worked || turn_all(device);
}

static bool is_running(const struct device *device)
{
    return FIELD_GET(device->registers[HOST_CONTROL_OFFSET / 4u], HOST_CONTROL_CORE_RUN) != 0u && !device->is_dead;
}

static void turn(void *context)
{
    struct device *device = context;
    device->has_worked = device->random != 0 ? turn_random(device) : turn_all(device);
}

void device_check_rows(struct device *device) { device->checks_rows = true; }

static void check_rows(const struct device *device)
{
    const struct allocation_table *table = &device->gpu.manager.residency.world.table;
    for (uint32_t i = 0; i < table->limit && i < table->row_count; i++) {
        const struct lists_row *row = &device->lists.row[i];
        const bool is_ready = FIELD_GET(row->key, EXAMINE_ROW_KEY_READY) != 0u;
        if ((table->entry[i].flags & ALLOCATION_EXISTS) == 0u && !is_ready) continue;
        const struct allocation_row due = allocation_row(table, i);
        if (row->key != due.key || row->place != due.place || row->pages != FIELD_GET(due.size, EXAMINE_ROW_PAGES))
            hal_assert_failed("the reader of lists does not know what has become of an allocation");
    }
}

bool device_turn(struct device *device)
{
    device_enter(device);
    if (!is_running(device) || !unwind_call(turn, device)) return false;
    if (device->checks_rows) check_rows(device);
    return device->has_worked;
}

/* ------------------------------------------------------------------ transport */

static int read_register(void *context, uint32_t offset, uint32_t *value)
{
    *value = device_register_read(context, offset, SIDE_HOST);
    return TRANSPORT_OK;
}

static int write_register(void *context, uint32_t offset, uint32_t value)
{
    device_register_write(context, offset, value, SIDE_HOST);
    return TRANSPORT_OK;
}

static bool is_inside(const struct device *device, uint32_t address, size_t bytes)
{
    return address <= device->engine.system_bytes && bytes <= device->engine.system_bytes - address;
}

static int read_memory(void *context, uint32_t address, void *data, size_t bytes)
{
    const struct device *device = context;
    if (!is_inside(device, address, bytes)) return TRANSPORT_IO;
    if (bytes != 0) memcpy(data, device->engine.system + address, bytes);
    return TRANSPORT_OK;
}

static int write_memory(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct device *device = context;
    if (!is_inside(device, address, bytes)) return TRANSPORT_IO;
    if (bytes != 0) memcpy(device->engine.system + address, data, bytes);
    return TRANSPORT_OK;
}

static bool line_is_high(const struct device *device)
{
    return (device->registers[HOST_IRQ_STATUS_OFFSET / 4u] & device->registers[HOST_IRQ_ENABLE_OFFSET / 4u]) != 0u;
}

static int wait_for(void *context, uint32_t cycles)
{
    struct device *device = context;
    uint64_t end = device->cycle + cycles;
    while (!line_is_high(device) && device->cycle < end) {
        if (device->is_dead) return TRANSPORT_DEAD;
        if (device_turn(device)) continue;
        /* Nothing can move: time passes until the firmware would look again. */
        uint64_t patience = device->is_booted && !device->is_stopped ? gpu_patience(&device->gpu) : cycles;
        const uint64_t blank = display_model_next(&device->display);
        uint64_t until = patience < end - device->cycle ? device->cycle + patience : end;
        if (blank < until) until = blank;
        if (until > device->cycle) device->cycle = until;
        display_model_advance(&device->display, device->cycle);
    }
    return TRANSPORT_OK;
}

static uint64_t cycles_so_far(void *context) { return ((const struct device *)context)->cycle; }

static uint32_t look(void *context, enum transport_view view, uint32_t first, uint32_t *words, uint32_t count)
{
    const struct device *device = context;
    const uint32_t room = device->engine.command_bytes / 4u;
    uint32_t done = 0;
    if (view == TRANSPORT_COMMAND && first < room) {
        done = count < room - first ? count : room - first;
        memcpy(words, device->engine.command + first, done * sizeof *words);
    }
    if (view != TRANSPORT_EVENTS) return done; /* no instructions: the firmware is this machine's */
    const uint64_t kept = device->event_count < EVENTS_KEPT ? device->event_count : EVENTS_KEPT;
    for (uint64_t i = device->event_count - kept + first; i < device->event_count && count - done >= EVENT_WORDS; i++) {
        memcpy(words + done, device->events[i % EVENTS_KEPT], sizeof device->events[0]);
        done += EVENT_WORDS;
    }
    return done;
}

static void close_device(void *context) { device_destroy(context); }

void device_transport(struct device *device, struct transport *transport)
{
    *transport = (struct transport){
        .context = device,
        .register_read = read_register,
        .register_write = write_register,
        .memory_read = read_memory,
        .memory_write = write_memory,
        .wait = wait_for,
        .cycles = cycles_so_far,
        .close = close_device,
        .inside = {device, look},
        .memory_bytes = device->engine.system_bytes,
    };
}
