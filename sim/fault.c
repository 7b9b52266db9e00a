/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults that a test puts into the machine (simulator.h): when they begin, what they hit, when they end. The
 * memories' part is done by fault_gate.v.
 */
#include "gpu_spec.h"
#include "simulator_internal.h"

void simulator_inject(struct simulator *simulator, const struct simulator_fault *fault)
{
    simulator->fault = (struct fault_state){0};
    if (fault) simulator->fault.what = *fault;
}

bool simulator_fault_fired(const struct simulator *simulator) { return simulator->fault.has_fired; }

/* The DMA buffer that the render node runs; false when it runs none. */
static bool running_buffer(const struct simulator *simulator, uint32_t *first, uint32_t *end)
{
    const struct node_view *view = &simulator->node[0];
    uint32_t words[PACKET_WORDS];
    if (view->depth == 0 || view->packet[0].opcode != PKT_RUN) return false;
    simulator_packet_words(simulator, 0, view->packet[0].offset, words);
    *first = view->depth == RUN_DEPTH ? view->packet[1].offset : words[PKT_RUN_ADDRESS_WORD];
    *end = words[PKT_RUN_ADDRESS_WORD] + words[PKT_RUN_BYTES_WORD];
    return !FIELD_GET(words[0], PKT_RUN_PRIVILEGED) && *first + 4 < *end;
}

void simulator_fault_flip(struct simulator *simulator)
{
    uint32_t first, end;
    struct fault_state *fault = &simulator->fault;
    if (fault->what.kind != SIMULATOR_COMMAND_WORD || simulator->cycle < fault->what.at) return;
    if (fault->has_fired || !running_buffer(simulator, &first, &end)) return;
    chip_command_flip(simulator->chip, first + 4 + fault->what.pick % ((end - first - 4) / 4) * 4, fault->what.bits);
    fault->has_fired = true;
}

static void step_memory(struct simulator *simulator)
{
    struct fault_state *fault = &simulator->fault;
    struct pins *pins = &simulator->pins;
    const struct simulator_fault *what = &fault->what;
    bool is_error = what->kind == SIMULATOR_READ_ERROR || what->kind == SIMULATOR_WRITE_ERROR;
    if (pins->fault_fired && !fault->has_fired) {
        fault->has_fired = true;
        fault->fired_at = simulator->cycle;
    }
    if (fault->has_fired && !fault->is_ending) {
        bool is_reset = what->cycles == 0 && pins->node_resetting != 0;
        bool is_over = what->cycles != 0 && simulator->cycle - fault->fired_at >= what->cycles;
        if (is_error || is_reset || is_over) {
            fault->is_ending = true;
            fault->ends_at = simulator->cycle + (is_reset ? what->pick % 256u : 0);
        }
    }
    if (fault->is_ending && simulator->cycle >= fault->ends_at) {
        fault->what.kind = SIMULATOR_NO_FAULT;
        return;
    }
    pins->fault_kind = (uint8_t)what->kind;
    pins->fault_memory = what->memory == 2 ? 1 : 2;
    pins->fault_readers = what->node == 0 ? 3 : 4; /* fabric.v: 0 render source, 1 render target, 2 paging source */
    pins->fault_writers = what->node == 0 ? 1 : 2; /* 0 render, 1 paging */
}

void simulator_fault_step(struct simulator *simulator)
{
    const struct simulator_fault *what = &simulator->fault.what;
    simulator->pins.fault_kind = 0;
    if (what->kind == SIMULATOR_NO_FAULT || simulator->cycle < what->at) return;
    if (what->kind != SIMULATOR_COMMAND_WORD) step_memory(simulator);
}
