/* SPDX-License-Identifier: Apache-2.0
 *
 * simulator_report: where the core was, what each node was doing and waiting for, what the host and the
 * rings look like. Registers are read the way a host reads them, by clocking the chip a little further;
 * the simulation is at its end by then. A chip that no longer answers is reported as such.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu_names.h"
#include "gpu_spec.h"
#include "simulator_internal.h"

enum { STALL_SAMPLE = 500 }; /* cycles over which the stall counters are compared */

static bool read_register(struct simulator *simulator, uint32_t offset, uint32_t *value)
{
    *value = 0;
    return simulator_register(simulator, false, offset, value) == TRANSPORT_OK;
}

/* ------------------------------------------------------------------ core */

static void print_place(const struct simulator *simulator, uint32_t pc)
{
    uint32_t offset = 0;
    const char *name = symbols_find(simulator->symbols, pc, &offset);
    fprintf(stderr, "0x%05" PRIx32, pc);
    if (name) fprintf(stderr, " %s+0x%" PRIx32, name, offset);
}

/* The last program counters, oldest first; a new line where the function changes. */
static void print_retired(const struct simulator *simulator)
{
    uint64_t count = simulator->retired_count < RETIRED_KEPT ? simulator->retired_count : RETIRED_KEPT;
    const char *last_name = "";
    unsigned column = 0;
    fprintf(stderr, "  last %" PRIu64 " instructions:", count);
    for (uint64_t i = simulator->retired_count - count; i < simulator->retired_count; i++) {
        uint32_t pc = simulator->retired[i % RETIRED_KEPT], offset = 0;
        const char *name = symbols_find(simulator->symbols, pc, &offset);
        if (!name) name = "?";
        if (name != last_name || column == 16) {
            fprintf(stderr, "\n    %-28s", name);
            column = 0;
        }
        fprintf(stderr, " %" PRIx32, pc);
        last_name = name;
        column++;
    }
    fprintf(stderr, "\n");
}

static void print_core(struct simulator *simulator)
{
    fprintf(stderr, "  core: ");
    if (simulator->pins.core_held) {
        fprintf(stderr, "held in reset (HOST_CONTROL.CORE_RUN is 0), %" PRIu64 " instructions retired\n",
                simulator->retired_count);
    } else if (simulator->retired_count == 0) {
        fprintf(stderr, "released, but no instruction has retired yet\n");
    } else {
        print_place(simulator, simulator->retired[(simulator->retired_count - 1) % RETIRED_KEPT]);
        fprintf(stderr, ", %" PRIu64 " instructions retired\n", simulator->retired_count);
    }
    if (simulator->retired_count) print_retired(simulator);
    if (simulator->console_count) {
        uint64_t count = simulator->console_count < CONSOLE_KEPT ? simulator->console_count : CONSOLE_KEPT;
        fprintf(stderr, "  console ends:\n    ");
        for (uint64_t i = simulator->console_count - count; i < simulator->console_count; i++) {
            char character = simulator->console[i % CONSOLE_KEPT];
            fputc(character, stderr);
            if (character == '\n') fputs("    ", stderr);
        }
        fputc('\n', stderr);
    }
}

/* ------------------------------------------------------------------ nodes */

static const struct {
    uint32_t offset;
    const char *text;
} stalls[] = {
    {NODE_STALL_FETCH_OFFSET, "command words"},  {NODE_STALL_FENCE_OFFSET, "the other node's fence"},
    {NODE_STALL_READ_OFFSET, "read data"},       {NODE_STALL_WRITE_OFFSET, "the bus to take write data"},
    {NODE_STALL_DRAIN_OFFSET, "earlier writes"},
};
enum { STALLS = sizeof stalls / sizeof stalls[0] };

static void print_packets(struct simulator *simulator, unsigned node)
{
    const struct node_view *view = &simulator->node[node];
    for (unsigned i = 0; i < view->depth; i++) {
        uint32_t words[PACKET_WORDS];
        simulator_packet_words(simulator, node, view->packet[i].offset, words);
        fprintf(stderr, "    %s %s at 0x%04" PRIx32 " since cycle %" PRIu64 ":", i ? "in it" : "packet",
                packet_name(view->packet[i].opcode), view->packet[i].offset, view->packet[i].cycle);
        for (unsigned word = 0; word < 6; word++) fprintf(stderr, " %08" PRIx32, words[word]);
        fprintf(stderr, "\n");
    }
}

static void print_stalls(const uint32_t before[STALLS], const uint32_t after[STALLS])
{
    for (unsigned i = 0; i < STALLS; i++)
        if (after[i] - before[i] > STALL_SAMPLE / 4)
            fprintf(stderr, "    waits for %s (%" PRIu32 " of the next cycles)\n", stalls[i].text,
                    after[i] - before[i]);
}

static void print_node(struct simulator *simulator, unsigned node, const uint32_t before[STALLS],
                       const uint32_t after[STALLS])
{
    static const char *const names[] = {"render", "paging"};
    uint32_t base = node * (uint32_t)NODE_STRIDE, status, head, tail, fence, error, address, packet, word;
    bool is_answered = read_register(simulator, base + NODE_STATUS_OFFSET, &status);
    read_register(simulator, base + NODE_HEAD_OFFSET, &head);
    read_register(simulator, base + NODE_TAIL_OFFSET, &tail);
    read_register(simulator, base + NODE_FENCE_OFFSET, &fence);
    read_register(simulator, base + NODE_ERROR_OFFSET, &error);
    read_register(simulator, base + NODE_ERROR_ADDRESS_OFFSET, &address);
    read_register(simulator, base + NODE_ERROR_PACKET_OFFSET, &packet);
    read_register(simulator, base + NODE_ERROR_WORD_OFFSET, &word);
    if (!is_answered) {
        fprintf(stderr, "  node %u (%s): registers do not answer\n", node, names[node]);
        print_packets(simulator, node);
        return;
    }
    fprintf(stderr, "  node %u (%s):%s%s%s%s ring head %" PRIu32 " tail %" PRIu32 ", fence %" PRIu32 "\n", node,
            names[node], FIELD_GET(status, NODE_STATUS_BUSY) ? " busy," : " idle,",
            FIELD_GET(status, NODE_STATUS_HALTED) ? " halted," : "",
            FIELD_GET(status, NODE_STATUS_WAITING) ? " in WAIT_FENCE," : "",
            FIELD_GET(status, NODE_STATUS_PAUSED) ? " paused," : "", head, tail, fence);
    if (FIELD_GET(error, NODE_ERROR_CODE))
        fprintf(stderr, "    error %s: address 0x%08" PRIx32 ", packet at 0x%04" PRIx32 ", word 0x%08" PRIx32 "\n",
                fault_name(FIELD_GET(error, NODE_ERROR_CODE)), address, packet, word);
    print_packets(simulator, node);
    print_stalls(before, after);
}

static void print_nodes(struct simulator *simulator)
{
    uint32_t sample[2][2][STALLS]; /* before and after, node */
    for (unsigned time = 0; time < 2; time++) {
        for (unsigned node = 0; node < 2; node++)
            for (unsigned i = 0; i < STALLS; i++)
                read_register(simulator, node * (uint32_t)NODE_STRIDE + stalls[i].offset, &sample[time][node][i]);
        for (unsigned i = 0; time == 0 && i < STALL_SAMPLE; i++) simulator_cycle(simulator);
    }
    for (unsigned node = 0; node < 2; node++) print_node(simulator, node, sample[0][node], sample[1][node]);
}

/* ------------------------------------------------------------------ host */

static void print_host(struct simulator *simulator)
{
    uint32_t boot, code, place, cause, address, submit_head, submit_tail, complete_head, complete_tail, status;
    char memory[160];
    read_register(simulator, HOST_BOOT_STATUS_OFFSET, &boot);
    read_register(simulator, HOST_PANIC_CODE_OFFSET, &code);
    read_register(simulator, HOST_PANIC_PLACE_OFFSET, &place);
    read_register(simulator, HOST_PANIC_CAUSE_OFFSET, &cause);
    read_register(simulator, HOST_PANIC_ADDRESS_OFFSET, &address);
    read_register(simulator, HOST_IRQ_STATUS_OFFSET, &status);
    read_register(simulator, HOST_SUBMIT_HEAD_OFFSET, &submit_head);
    read_register(simulator, HOST_SUBMIT_TAIL_OFFSET, &submit_tail);
    read_register(simulator, HOST_COMPLETE_HEAD_OFFSET, &complete_head);
    if (!read_register(simulator, HOST_COMPLETE_TAIL_OFFSET, &complete_tail)) {
        fprintf(stderr, "  host: registers do not answer\n");
        return;
    }
    fprintf(stderr,
            "  host: boot status 0x%" PRIx32 ", irq status 0x%" PRIx32 ", submissions taken %" PRIu32 " of %" PRIu32
            ", completions taken %" PRIu32 " of %" PRIu32 "\n",
            boot, status, submit_head, submit_tail, complete_head, complete_tail);
    if (code != PANIC_NONE) {
        fprintf(stderr, "  panic: %s at ", panic_name(code));
        print_place(simulator, place);
        if (code == PANIC_TRAP) fprintf(stderr, ": %s, 0x%08" PRIx32, trap_name(cause), address);
        fprintf(stderr, "\n");
    }
    if (simulator->world == NULL) return;
    world_describe(simulator->world, memory, sizeof memory);
    fprintf(stderr, "  system memory: %s\n", memory);
}

void simulator_report(const struct simulator *constant)
{
    /* Reading registers takes clock cycles, so the report moves the simulation; its result is the same. */
    struct simulator *simulator = (struct simulator *)(uintptr_t)constant;
    if (simulator->is_reporting) return;
    simulator->is_reporting = true;
    simulator->is_reported = true;
    fflush(stdout);
    fprintf(stderr, "simulator: cycle %" PRIu64 "%s%s\n", simulator->cycle, simulator->why[0] ? ": " : "",
            simulator->why);
    print_core(simulator);
    print_host(simulator);
    print_nodes(simulator);
    simulator->is_reporting = false;
}
