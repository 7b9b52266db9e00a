/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a fault that a test injects strikes from its cycle on, once, and ends when it was said to: a judge that other
 * tests believe. Method: sim/fault.c alone, its pins played cycle by cycle.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_spec.h"
#include "simulator_internal.h"

static unsigned passed, failed;

static void check(bool is_right, const char *what)
{
    if (is_right) {
        passed++;
    } else {
        failed++;
        printf("FAILED: %s\n", what);
    }
}

static struct simulator simulator;
static uint32_t flips;

void chip_command_flip(struct chip *chip, uint32_t offset, uint32_t bits)
{
    (void)chip, (void)offset, (void)bits;
    flips++;
}
void simulator_packet_words(const struct simulator *it, unsigned node, uint32_t offset, uint32_t words[PACKET_WORDS])
{
    (void)it, (void)node, (void)offset;
    memset(words, 0, PACKET_WORDS * sizeof *words);
    words[PKT_RUN_BYTES_WORD] = 64;
}

static void arm(const struct simulator_fault *fault)
{
    memset(&simulator, 0, sizeof simulator);
    simulator_inject(&simulator, fault);
}

/* One cycle; is the memory held or wrong in it? */
static bool strikes(uint64_t cycle)
{
    simulator.cycle = cycle;
    simulator_fault_step(&simulator);
    return simulator.pins.fault_kind != 0;
}

/* The first cycle of [from, to) in which strikes() is `value`, or `to`. */
static uint64_t first(uint64_t from, uint64_t to, bool value)
{
    while (from < to && strikes(from) != value) from++;
    return from;
}

static void test_memory(void)
{
    arm(&(struct simulator_fault){SIMULATOR_HOLD_READS, 2, 0, .at = 1000, .cycles = 50});
    check(first(0, 5000, true) == 1000, "a hold begins at its cycle");
    check(first(1001, 1200, false) == 1200, "... and waits for somebody to strike");
    check(!simulator_fault_fired(&simulator), "... before which it has not fired");
    simulator.pins.fault_fired = 1;
    check(strikes(1200), "struck");
    simulator.pins.fault_fired = 0;
    check(simulator_fault_fired(&simulator), "fired");
    check(first(1201, 5000, false) == 1250, "it ends so many cycles after it struck");
    check(first(1250, 5000, true) == 5000, "... for good");

    arm(&(struct simulator_fault){SIMULATOR_HOLD_ANSWERS, 0, 1, .at = 10, .cycles = 0, .pick = 256 * 7 + 33});
    simulator.pins.fault_fired = 1;
    check(strikes(10), "a hold without an end");
    check(first(11, 3000, false) == 3000, "... goes on");
    simulator.pins.node_resetting = 2;
    check(strikes(3000), "... also at the reset");
    simulator.pins.node_resetting = 0;
    check(first(3001, 5000, false) == 3033, "... until some cycles after it, which are drawn");

    arm(&(struct simulator_fault){SIMULATOR_READ_ERROR, 2, 0, .at = 100});
    check(first(0, 5000, true) == 100, "an error begins at its cycle");
    simulator.pins.fault_fired = 1;
    (void)strikes(200);
    check(first(201, 5000, true) == 5000, "... and strikes one burst");

    arm(NULL);
    check(first(0, 100, true) == 100, "no fault, nothing");
}

static void test_command_word(void)
{
    const struct simulator_fault fault = {SIMULATOR_COMMAND_WORD, .at = 500, .bits = 1};
    arm(&fault);
    simulator.node[0].depth = 1;
    simulator.node[0].packet[0].opcode = PKT_RUN;
    flips = 0;
    for (simulator.cycle = 0; simulator.cycle < 500; simulator.cycle++) simulator_fault_flip(&simulator);
    check(flips == 0, "no word flips before its cycle");
    simulator_fault_flip(&simulator);
    check(flips == 1, "one flips at it");
    for (; simulator.cycle < 600; simulator.cycle++) simulator_fault_flip(&simulator);
    check(flips == 1, "... and no other");
}

int main(void)
{
    test_memory();
    test_command_word();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
