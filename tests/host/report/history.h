/* SPDX-License-Identifier: Apache-2.0
 *
 * A history that is made up, in which everything happens: messages, completions, packets, events of the firmware,
 * names, frames, in a fixed random order. For test_written.c, and with more variety for test_histories.c.
 */
#ifndef TESTS_HISTORY_H
#define TESTS_HISTORY_H

#include "gpu_spec.h"
#include "held.h"
#include "made_up.h"
#include "tools/view/view.h"

enum { STEPS = 8000, HANDLES = 90, FRAMES = 5 };

/* Events, messages and cases that the first history does not have; counters that the device does not have. */
static bool is_varied, has_no_counters;

/* ------------------------------------------------------------------ a device that is made up */

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    (void)context, (void)offset, (void)value;
    clock_now += pick(3) * 20;
    return TRANSPORT_OK;
}

static struct transport device = {.register_read = register_read,
                                  .register_write = register_write,
                                  .memory_read = memory_read,
                                  .cycles = cycles,
                                  .close = close_device},
                        watched;
static struct view *view;
static const struct probe *probe;
static struct probe_counters counters;
static uint32_t sent, completed, tag;

/* ------------------------------------------------------------------ what happens */

static void advance(void)
{
    uint32_t counted[] = {1, 7, 30, 400, 3000, 20000};
    clock_now += counted[pick(6)];
    for (unsigned node = 0; node < PROBE_NODES; node++) {
        uint32_t *counter = &counters.node[node].packets;
        for (size_t i = 0; i < sizeof counters.node[node] / sizeof *counter; i++) counter[i] += pick(4) * pick(90);
        counters.cycles[node].works += pick(50);
        counters.cycles[node].memory += pick(40);
        counters.cycles[node].other_node += pick(30);
    }
    for (unsigned port = 0; port < PROBE_PORTS; port++) {
        counters.beats[port] += pick(60);
        counters.port_cycles[port] += pick(90);
    }
    if (pick(8) == 0) clock_now += (uint64_t)PROBE_SAMPLE - clock_now % PROBE_SAMPLE;
    if (pick(2) == 0 && !has_no_counters) probe->counters(probe->context, clock_now, &counters);
}

static void send(void)
{
    static const uint32_t codes[] = {MSG_NOP,  MSG_CREATE_ALLOCATION, MSG_DESTROY_ALLOCATION, MSG_LOCK, MSG_SUBMIT,
                                     MSG_EVICT};
    uint32_t message[16];
    for (unsigned i = 2; i < 16; i++) message[i] = pick(5) == 0 ? pick(0x7fffffff) : pick(HANDLES);
    message[0] = codes[pick(6)] | pick(3) << 24;
    message[1] = ++tag;
    if (is_varied && pick(9) == 0) message[0] = pick(40);
    if (is_varied && pick(30) == 0) message[1] = tag += 100 + pick(2000); /* of another turn of the list of tags */
    memcpy(memory + SUBMIT_RING + sent % (1u << RING_LOG2) * 64u, message, 64);
    watched.register_write(watched.context, HOST_SUBMIT_TAIL_OFFSET, ++sent);
}

static void complete(void)
{
    uint32_t words[8];
    for (unsigned i = 0; i < 8; i++) words[i] = pick(HANDLES);
    words[COMPLETION_TAG] = tag > 9 ? tag - pick(9) : tag;
    words[COMPLETION_STATUS] = pick(4) == 0 ? pick(20) : STATUS_OK;
    if (is_varied && pick(9) == 0) words[COMPLETION_TAG] = tag - pick(3000);
    memcpy(memory + COMPLETE_RING + completed % (1u << RING_LOG2) * 32u, words, 32);
    watched.register_write(watched.context, HOST_COMPLETE_HEAD_OFFSET, ++completed);
}

static void packet(void)
{
    static const uint32_t opcodes[] = {PKT_NOP,   PKT_FENCE, PKT_WAIT_FENCE, PKT_RUN,  PKT_GUARD,    PKT_MAP,
                                       PKT_UNMAP, PKT_TOUCH, PKT_MAP_LIST,   PKT_COPY, PKT_FILL,     PKT_COPY_2D,
                                       PKT_TILE,  PKT_BIND,  PKT_FILL_RECT,  PKT_BLIT, PKT_COPY_LIST};
    uint32_t words[8], node = pick(2);
    for (unsigned i = 1; i < 8; i++) words[i] = pick(3) != 0 ? pick(4000) : pick(4) << 28 | pick(0x1000000);
    words[0] = opcodes[pick(17)] | pick(0x1000) << 8;
    if ((words[0] & 0xffu) <= PKT_WAIT_FENCE) words[1] = pick(40) + (pick(4) == 0 ? 256u : 0u); /* its place: % 256 */
    if (pick(2) == 0) probe->packet_begin(probe->context, clock_now, node, pick(4096), words);
    else probe->packet_end(probe->context, clock_now, node);
}

static void firmware(void)
{
    static const uint32_t events[] = {TRACE_ACCEPT,  TRACE_VALIDATE, TRACE_PLAN,    TRACE_PORTION,   TRACE_SPLIT,
                                      TRACE_PAGING,  TRACE_EVICT,    TRACE_PAGE_IN, TRACE_RETIRE,    TRACE_COMPLETE,
                                      TRACE_IDLE,    TRACE_WAKE,     TRACE_RECOVER, TRACE_PLACE,     TRACE_JOB,
                                      TRACE_PLANNED, TRACE_PREEMPT,  TRACE_MOVE,    TRACE_PREEMPTED, TRACE_PAGE_IN,
                                      TRACE_PLACE,   TRACE_PLACE,    TRACE_JOB,     TRACE_PORTION};
    uint32_t event = events[pick(24)], argument = pick(HANDLES);
    if (event == TRACE_PLACE) argument = (1 + pick(3)) << 28 | pick(600);
    if (event == TRACE_JOB || event == TRACE_ACCEPT || event == TRACE_COMPLETE) argument = tag - pick(4);
    if (is_varied && pick(9) == 0) probe->firmware(probe->context, clock_now, TRACE_NEXT_USE, pick(9));
    if (is_varied && pick(9) == 0) event = pick(40);
    probe->firmware(probe->context, clock_now, event, argument);
}

static inline void happen(uint32_t step)
{
    static const char *const names[] = {"wall", "a \"quoted\" one", "</script>", "back\\slash", "sky \x01"};
    advance();
    switch (pick(12)) {
    case 0:
    case 1: send(); break;
    case 2:
    case 3: complete(); break;
    case 4:
    case 5:
    case 6:
    case 7: packet(); break;
    case 8: view_name(view, pick(HANDLES), names[pick(5)]); break;
    case 9: view_span(view, clock_now - pick(900), clock_now, names[pick(2)]); break;
    default: firmware(); break;
    }
    if (is_varied && pick(20) == 0) view_reason(view, pick(HANDLES), pick(9));
    if (step % (STEPS / FRAMES) == 0) view_frame_begin(view, step / (STEPS / FRAMES), clock_now);
    if (step % (STEPS / FRAMES) == STEPS / FRAMES - 3) view_frame_end(view, step / (STEPS / FRAMES), clock_now);
}

/* From here on the view follows the rings. */
static inline void watch(void)
{
    view_watch(view, &device, &watched);
    watched.register_write(watched.context, HOST_SUBMIT_BASE_OFFSET, SUBMIT_RING);
    watched.register_write(watched.context, HOST_SUBMIT_SIZE_OFFSET, RING_LOG2);
    watched.register_write(watched.context, HOST_COMPLETE_BASE_OFFSET, COMPLETE_RING);
    watched.register_write(watched.context, HOST_COMPLETE_SIZE_OFFSET, RING_LOG2);
}

#endif
