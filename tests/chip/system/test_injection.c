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
static uint32_t flips, flipped_at, flipped_bits, asked_node, asked_offset, run_words[PACKET_WORDS];

void chip_command_flip(struct chip *chip, uint32_t offset, uint32_t bits)
{
    (void)chip;
    flips++;
    flipped_at = offset;
    flipped_bits = bits;
}
void simulator_packet_words(const struct simulator *it, unsigned node, uint32_t offset, uint32_t words[PACKET_WORDS])
{
    (void)it;
    asked_node = node;
    asked_offset = offset;
    memcpy(words, run_words, sizeof run_words);
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

    arm(&(struct simulator_fault){SIMULATOR_HOLD_READS, 2, 0, .at = 10, .cycles = 0, .pick = 20});
    simulator.pins.fault_fired = simulator.pins.node_resetting = 1;
    check(strikes(100) && strikes(101) && strikes(110), "while the node is reset it goes on");
    check(first(111, 5000, false) == 120, "... and ends so long after the reset began");

    static const enum simulator_fault_kind errors[] = {SIMULATOR_READ_ERROR, SIMULATOR_WRITE_ERROR};
    for (unsigned i = 0; i < 2; i++) {
        arm(&(struct simulator_fault){errors[i], 2, 0, .at = 100});
        check(first(0, 5000, true) == 100, "an error begins at its cycle");
        simulator.pins.fault_fired = 1;
        (void)strikes(200);
        check(first(201, 5000, true) == 5000, "... and strikes one burst");
    }

    arm(NULL);
    check(first(0, 100, true) == 100, "no fault, nothing");
}

/* What the memories are told: which of them, whose reads, whose writes. */
static void test_pins(void)
{
    for (unsigned node = 0; node < 2; node++)
        for (unsigned memory = 0; memory < 3; memory += 2) {
            arm(&(struct simulator_fault){SIMULATOR_HOLD_ANSWERS, memory, node, .at = 5, .cycles = 9});
            check(!strikes(4) && strikes(5), "armed");
            check(simulator.pins.fault_kind == SIMULATOR_HOLD_ANSWERS, "the kind");
            check(simulator.pins.fault_memory == (memory == 2 ? 1 : 2), "the memory");
            check(simulator.pins.fault_readers == (node == 0 ? 3 : 4), "whose reads");
            check(simulator.pins.fault_writers == (node == 0 ? 1 : 2), "whose writes");
        }
    arm(&(struct simulator_fault){SIMULATOR_HOLD_READS, 2, 0, .at = 0, .cycles = 50});
    simulator.pins.fault_fired = 1;
    (void)strikes(100);
    (void)strikes(110); /* fires on: the first counts */
    check(first(111, 5000, false) == 150, "it ends so many cycles after the first");
}

/* Where a word flips: after the packet at work, in the RUN that the render node executes for a program. */
static void test_place(void)
{
    static const struct {
        uint32_t depth, opcode, privileged, address, bytes, inner, pick, at;
    } rows[] = {{0, PKT_RUN, 0, 0x400, 64, 0, 0, 0},         {1, PKT_COPY, 0, 0x400, 64, 0, 0, 0},
                {1, PKT_RUN, 1, 0x400, 64, 0, 0, 0},         {1, PKT_RUN, 0, 0x400, 64, 0, 0, 0x404},
                {1, PKT_RUN, 0, 0x400, 64, 0, 14, 0x43c},    {1, PKT_RUN, 0, 0x400, 64, 0, 15, 0x404},
                {2, PKT_RUN, 0, 0x400, 64, 0x410, 0, 0x414}, {2, PKT_RUN, 0, 0x400, 64, 0x410, 12, 0x418},
                {2, PKT_RUN, 0, 0x400, 64, 0x43c, 0, 0},     {2, PKT_RUN, 0, 0x400, 64, 0x438, 7, 0x43c},
                {1, PKT_RUN, 0, 0x400, 4, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        arm(&(struct simulator_fault){SIMULATOR_COMMAND_WORD, .at = 3, .pick = rows[i].pick, .bits = 0x880});
        simulator.node[0].depth = rows[i].depth;
        simulator.node[0].packet[0].opcode = (uint8_t)rows[i].opcode;
        simulator.node[0].packet[0].offset = 0x7c;
        simulator.node[0].packet[1].offset = rows[i].inner;
        run_words[0] = FIELD_PUT(rows[i].privileged, PKT_RUN_PRIVILEGED);
        run_words[PKT_RUN_ADDRESS_WORD] = rows[i].address;
        run_words[PKT_RUN_BYTES_WORD] = rows[i].bytes;
        flips = flipped_at = 0;
        simulator.cycle = 3;
        simulator_fault_flip(&simulator);
        check(flips == (rows[i].at != 0) && flipped_at == rows[i].at, "the word that flips");
        check(flips == 0 || (flipped_bits == 0x880 && simulator_fault_fired(&simulator)), "its bits");
        check(flips == 0 || (asked_node == 0 && asked_offset == 0x7c), "of the packet at work");
    }
    memset(run_words, 0, sizeof run_words);
    run_words[PKT_RUN_BYTES_WORD] = 64;
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
    test_pins();
    test_place();
    test_command_word();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
