/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens becomes operations of the tape. The golden model shows a packet before it executes it, so a packet is
 * kept until something else happens: then its effect is there.
 */
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"
#include "machine_internal.h"

enum { TAPE_LIMIT = 900 << 20 }; /* bytes of differences */

/* ------------------------------------------------------------------ the list of operations */

static bool grow(void **list, uint32_t count, uint32_t *room, size_t bytes)
{
    if (count < *room) return true;
    const uint32_t wanted = *room * 2u + 1024u;
    void *larger = realloc(*list, wanted * bytes);
    if (larger == NULL) return false;
    *list = larger;
    *room = wanted;
    return true;
}

static bool note_ends(struct machine *machine, uint8_t ends)
{
    for (unsigned unit = UNIT_PORTION; unit < MACHINE_UNITS; unit++) {
        if (((uint32_t)ends >> unit & 1u) == 0) continue;
        if (!grow((void **)&machine->ends[unit], machine->ended[unit], &machine->ends_room[unit], sizeof(uint32_t)))
            return false;
        machine->ends[unit][machine->ended[unit]++] = machine->count;
    }
    return true;
}

static void append(struct machine *machine, const struct operation *operation, size_t first, size_t count)
{
    if (!machine->is_taping) return;
    snapshot_take(&machine->now, &machine->memory, machine->device, machine->view);
    bool is_good = grow((void **)&machine->operations, machine->count, &machine->room, sizeof *operation) &&
                   tape_append(machine->tape, &machine->now, 0, 0) &&
                   tape_append(machine->canvas, machine->surfaces, first, count != 0 ? count : 8u) &&
                   tape_bytes(machine->tape) + tape_bytes(machine->canvas) < TAPE_LIMIT;
    if (is_good) machine->operations[machine->count++] = *operation;
    if (!is_good || !note_ends(machine, operation->ends)) machine->is_taping = false;
}

/* ------------------------------------------------------------------ packets */

static uint32_t frame_of_plan(const struct view *view, uint32_t plan)
{
    const uint32_t job = plan < view->decision_count ? view->decisions[plan].job : UINT32_MAX;
    return job < view->job_count ? view->jobs[job].frame : UINT32_MAX;
}

/* Of a packet: to the submission at the ring's head. */
static void find_plan(const struct machine *machine, unsigned node, struct operation *operation)
{
    const struct snapshot_node *shown = &machine->now.node[node];
    operation->plan = shown->count != 0 ? shown->queue[0].plan : NO_PLAN;
    operation->frame = frame_of_plan(machine->view, operation->plan);
}

void machine_tape_flush(struct machine *machine)
{
    size_t first = 0, count = 0;
    if (!machine->is_pending) return;
    machine->is_pending = false;
    struct operation *operation = &machine->pending;
    const unsigned node = operation->by == BY_RENDER ? 0 : 1;
    find_plan(machine, node, operation);
    if (node == 0) machine_picture_drawn(machine, machine->pending_words, operation->frame, &first, &count);
    if (count != 0 && operation->frame != UINT32_MAX) machine->now.frame = operation->frame;
    append(machine, operation, first, count);
}

uint32_t operation_detail(const uint32_t *words)
{
    switch (words[0] & 0xffu) {
    case PKT_BLIT: return words[PKT_BLIT_WIDTH_WORD];
    case PKT_FILL_RECT: return words[PKT_FILL_RECT_WIDTH_WORD];
    case PKT_COPY_LIST: return words[PKT_COPY_LIST_BYTES_WORD];
    case PKT_MAP_LIST: return words[PKT_MAP_LIST_COUNT_WORD];
    case PKT_COPY: return words[PKT_COPY_BYTES_WORD];
    case PKT_FILL: return words[PKT_FILL_BYTES_WORD];
    case PKT_UNMAP: return words[PKT_UNMAP_COUNT_WORD];
    case PKT_GUARD: return words[PKT_GUARD_COUNT_WORD];
    case PKT_FENCE:
    case PKT_WAIT_FENCE:
    case PKT_BIND: return words[1];
    case PKT_RUN: return words[PKT_RUN_BYTES_WORD];
    default: return 0;
    }
}

static uint32_t words_of(uint32_t opcode)
{
    switch (opcode) {
        /* clang-format off */
#define PKT(name, opcode, words, privilege, doc) \
    case opcode: return words;
#include "gpu.def"
        /* clang-format on */
    default: return 1;
    }
}

static void on_packet_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct machine *machine = context;
    machine_tape_flush(machine);
    for (unsigned i = 0; i < 2; i++)
        if (machine->next[i].packet_begin != NULL)
            machine->next[i].packet_begin(machine->next[i].context, cycle, node, offset, words);
    const uint32_t count = words_of(words[0] & 0xffu);
    memset(machine->pending_words, 0, sizeof machine->pending_words);
    memcpy(machine->pending_words, words, (count < SNAPSHOT_PACKET_WORDS ? count : SNAPSHOT_PACKET_WORDS) * 4u);
    memcpy(machine->memory.packet[node], machine->pending_words, sizeof machine->pending_words);
    const bool ends_portion = node == 0 && (words[0] & 0xffu) == PKT_FENCE;
    machine->pending = (struct operation){.by = node == 0 ? BY_RENDER : BY_PAGING,
                                          .kind = (uint8_t)words[0],
                                          .ends = ends_portion ? 1u << UNIT_PORTION : 0,
                                          .argument = words[0],
                                          .detail = operation_detail(words)};
    machine->is_pending = true;
}

static void on_packet_end(void *context, uint64_t cycle, unsigned node)
{
    struct machine *machine = context;
    for (unsigned i = 0; i < 2; i++)
        if (machine->next[i].packet_end != NULL) machine->next[i].packet_end(machine->next[i].context, cycle, node);
}

/* ------------------------------------------------------------------ the firmware */

static bool is_operation(uint32_t event)
{
    switch (event) {
    case TRACE_ACCEPT:
    case TRACE_PLANNED:
    case TRACE_PORTION:
    case TRACE_SPLIT:
    case TRACE_PAGING:
    case TRACE_EVICT:
    case TRACE_PAGE_IN:
    case TRACE_MOVE:
    case TRACE_COMPLETE:
    case TRACE_RECOVER:
    case TRACE_PREEMPT:
    case TRACE_PREEMPTED: return true;
    default: return false;
    }
}

static void on_firmware(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    struct machine *machine = context;
    struct view *view = machine->view;
    machine_tape_flush(machine);
    for (unsigned i = 0; i < 2; i++)
        if (machine->next[i].firmware != NULL)
            machine->next[i].firmware(machine->next[i].context, cycle, event, argument);
    if (view == NULL) return;
    snapshot_note(&machine->memory, view, event, argument);
    const bool is_job = event == TRACE_ACCEPT || event == TRACE_COMPLETE;
    const struct view_job *job = is_job ? view_job_of(view, argument) : NULL;
    if (!is_operation(event) || (event == TRACE_ACCEPT && job == NULL)) return;
    const bool is_behind = event == TRACE_PORTION || event == TRACE_SPLIT;
    struct operation operation = {.by = BY_FIRMWARE,
                                  .kind = (uint8_t)event,
                                  .ends = event == TRACE_COMPLETE && job != NULL ? 1u << UNIT_BUFFER : 0,
                                  .argument = argument,
                                  .detail = view->place,
                                  .plan = is_behind           ? view->decision_count - 1u
                                          : view->is_planning ? view->decision_count
                                                              : NO_PLAN,
                                  .frame = job != NULL ? job->frame : UINT32_MAX};
    if (operation.frame == UINT32_MAX) operation.frame = frame_of_plan(view, operation.plan);
    append(machine, &operation, 0, 0);
}

struct probe machine_probe(struct machine *machine, const struct probe *of_view, const struct probe *other)
{
    machine->next[0] = of_view != NULL ? *of_view : (struct probe){0};
    machine->next[1] = other != NULL ? *other : (struct probe){0};
    return (struct probe){
        .context = machine, .packet_begin = on_packet_begin, .packet_end = on_packet_end, .firmware = on_firmware};
}

/* ------------------------------------------------------------------ the program */

/* What the program sends besides DMA buffers is its touching something. */
static void see_message(struct machine *machine, uint32_t tail)
{
    const struct device *device = machine->device;
    const uint32_t *registers = device->registers;
    const uint32_t mask = field_mask(registers[HOST_SUBMIT_SIZE_OFFSET / 4u] & 15u);
    uint32_t message[LIMIT_BITS_MESSAGE_WORDS];
    const uint32_t address = registers[HOST_SUBMIT_BASE_OFFSET / 4u] + ((tail - 1u) & mask) * (uint32_t)sizeof message;
    if (address > device->engine.system_bytes - sizeof message) return;
    memcpy(message, device->engine.system + address, sizeof message);
    const uint32_t code = message_code(message[0]);
    if (code == MSG_QUERY_STATISTICS || code == MSG_QUERY_SEGMENT || code == MSG_QUERY_ALLOCATION) return;
    const struct operation operation = {.by = BY_PROGRAM,
                                        .kind = (uint8_t)code,
                                        .argument = message[2],
                                        .plan = NO_PLAN,
                                        .frame = machine->view->frame,
                                        .detail = code == MSG_SUBMIT ? message[MSG_SUBMIT_DMA_BYTES] : 0};
    append(machine, &operation, 0, 0);
}

static int on_register_write(void *context, uint32_t offset, uint32_t value)
{
    struct machine *machine = context;
    machine_tape_flush(machine);
    if (machine->waits_to_tape && offset == HOST_SUBMIT_TAIL_OFFSET && value != 0 && machine->device->is_booted) {
        machine->waits_to_tape = false;
        (void)machine_tape_begin(machine);
    }
    const int result = machine->of_device.register_write(machine->of_device.context, offset, value);
    if (offset == HOST_SUBMIT_TAIL_OFFSET && machine->is_taping) see_message(machine, value);
    return result;
}

static int on_register_read(void *context, uint32_t offset, uint32_t *value)
{
    struct machine *machine = context;
    return machine->of_device.register_read(machine->of_device.context, offset, value);
}

static int on_memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    struct machine *machine = context;
    return machine->of_device.memory_read(machine->of_device.context, address, data, bytes);
}

static int on_memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct machine *machine = context;
    return machine->of_device.memory_write(machine->of_device.context, address, data, bytes);
}

static int on_wait(void *context, uint32_t cycles)
{
    struct machine *machine = context;
    return machine->of_device.wait(machine->of_device.context, cycles);
}

static uint64_t on_cycles(void *context)
{
    const struct machine *machine = context;
    return machine->of_device.cycles(machine->of_device.context);
}

static void on_close(void *context)
{
    struct machine *machine = context;
    machine_tape_flush(machine);
    machine->is_taping = false;
    machine_keep_view(machine);
    machine->device = NULL;
    machine->of_device.close(machine->of_device.context);
}

void machine_watch(struct machine *machine, struct transport *inner, struct transport *watched)
{
    machine->of_device = *inner;
    *watched = *inner;
    watched->context = machine;
    watched->register_read = on_register_read;
    watched->register_write = on_register_write;
    watched->memory_read = on_memory_read;
    watched->memory_write = on_memory_write;
    watched->wait = on_wait;
    watched->cycles = on_cycles;
    watched->close = on_close;
}

/* ------------------------------------------------------------------ life */

bool machine_tape_begin(struct machine *machine)
{
    _Static_assert(sizeof(struct snapshot) % 8u == 0, "the tape's words");
    machine_tape_flush(machine);
    machine->tape = tape_create(sizeof(struct snapshot));
    if (machine->tape == NULL) return false;
    snapshot_take(&machine->now, &machine->memory, machine->device, machine->view);
    machine->is_taping =
        tape_append(machine->tape, &machine->now, 0, 0) && tape_append(machine->canvas, machine->surfaces, 0, 0);
    return machine->is_taping;
}

void machine_tape_frame(struct machine *machine, uint32_t number)
{
    const struct operation operation = {
        .by = BY_PROGRAM, .ends = 1u << UNIT_FRAME, .argument = number, .plan = NO_PLAN, .frame = number};
    machine_tape_flush(machine);
    machine->now.finished = number + 1u;
    append(machine, &operation, 0, (size_t)machine->surface_count * machine->surface_bytes);
}

void machine_tape_free(struct machine *machine)
{
    tape_destroy(machine->tape);
    tape_destroy(machine->canvas);
    free(machine->operations);
    for (unsigned unit = 0; unit < MACHINE_UNITS; unit++) free(machine->ends[unit]);
}

/* ------------------------------------------------------------------ looking at it */

const struct snapshot *machine_state(struct machine *machine, uint32_t at) { return tape_seek(machine->tape, at + 1u); }
const uint8_t *machine_surfaces(struct machine *machine, uint32_t at) { return tape_seek(machine->canvas, at + 1u); }

uint32_t machine_ended(const struct machine *machine, enum machine_unit unit, uint32_t at)
{
    if (unit == UNIT_OPERATION) return at;
    uint32_t low = 0, high = machine->ended[unit];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2u;
        if (machine->ends[unit][middle] <= at) low = middle + 1u;
        else high = middle;
    }
    return low;
}

uint32_t machine_end_of(const struct machine *machine, enum machine_unit unit, uint32_t number)
{
    if (number == 0) return 0;
    if (unit == UNIT_OPERATION) return number < machine->count ? number : machine->count;
    return number <= machine->ended[unit] ? machine->ends[unit][number - 1u] : machine->count;
}
