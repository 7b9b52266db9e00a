/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake_chip.h.
 */
#include "fake_chip.h"

#include <string.h>

#include "lib/device/probe.h"
#include "gpu_spec.h"

struct fake_chip fake;

struct chip {
    uint8_t is_address_taken, is_data_taken, is_read_taken;
    uint32_t write_address, write_data, read_address;
    unsigned write_waits, read_waits;
};
static struct chip chip;

struct chip *chip_create(uint32_t seed)
{
    fake.seed = seed;
    fake.created++;
    memset(&chip, 0, sizeof chip);
    return fake.cannot_create ? NULL : &chip;
}
void chip_destroy(struct chip *gone) { fake.destroyed += gone == &chip; }
void chip_never_sleep(struct chip *awake) { fake.never_sleeps = awake == &chip; }
bool chip_misses(const struct chip *here, struct misses_seen *seen)
{
    (void)seen;
    return here != &chip;
}
const uint32_t *chip_registers(const struct chip *here)
{
    static const uint32_t registers[32];
    return here == &chip ? registers : NULL;
}

/* One access at a time; each hand shake after so many cycles as `delay` says, the answer after as many again. */
static void serve_write(struct pins *pins)
{
    pins->h_awready = pins->h_wready = 0;
    if (pins->h_bvalid && pins->h_bready) pins->h_bvalid = 0;
    if (fake.is_deaf) return;
    if (pins->h_awvalid && !chip.is_address_taken && ++chip.write_waits > fake.delay) {
        pins->h_awready = 1, chip.is_address_taken = 1, chip.write_address = pins->h_awaddr;
        chip.write_waits = 0;
    } else if (pins->h_wvalid && chip.is_address_taken && !chip.is_data_taken && ++chip.write_waits > fake.delay) {
        pins->h_wready = 1, chip.is_data_taken = 1, chip.write_data = pins->h_wdata;
        chip.write_waits = 0;
    } else if (chip.is_data_taken && ++chip.write_waits > fake.delay) {
        fake.registers[chip.write_address / 4] = chip.write_data;
        fake.writes++;
        chip.is_address_taken = chip.is_data_taken = 0;
        chip.write_waits = 0;
        pins->h_bvalid = 1, pins->h_bresp = chip.write_address % 4 != 0 ? 2 : fake.response;
        fake.strobes &= pins->h_wstrb;
    }
}

static void serve_read(struct pins *pins)
{
    pins->h_arready = 0;
    if (pins->h_rvalid && pins->h_rready) pins->h_rvalid = 0;
    if (fake.is_deaf) return;
    if (pins->h_arvalid && !chip.is_read_taken && ++chip.read_waits > fake.delay) {
        pins->h_arready = 1, chip.is_read_taken = 1, chip.read_address = pins->h_araddr;
        chip.read_waits = 0;
    } else if (chip.is_read_taken && ++chip.read_waits > fake.delay) {
        fake.reads++;
        fake.read_address = chip.read_address;
        pins->h_rdata = fake.registers[chip.read_address / 4];
        pins->h_rvalid = 1, pins->h_rresp = chip.read_address % 4 != 0 ? 2 : fake.response;
        chip.is_read_taken = 0;
        chip.read_waits = 0;
        if (fake.counts_stalls) /* they count with every read */
            for (uint32_t at = NODE_STALL_FETCH_OFFSET; at <= NODE_STALL_DRAIN_OFFSET; at += 4)
                fake.registers[at / 4] += 3 * at, fake.registers[(at + NODE_STRIDE) / 4] += at % 16;
    }
}

bool chip_cycle(struct chip *clocked, struct pins *pins)
{
    (void)clocked;
    fake.cycles++;
    fake.reset_cycles += pins->rst;
    pins->m_rready = pins->m_bready = 1;
    pins->probe_begin = pins->probe_end = 0;
    pins->trace_valid = pins->console_valid = pins->exit_valid = pins->retire_valid = 0;
    pins->ring_base = fake.ring_base, pins->ring_size = fake.ring_size;
    pins->core_held = fake.is_held, pins->panicked = fake.is_panicked, pins->irq = fake.irq;
    serve_write(pins);
    serve_read(pins);
    if (!pins->rst && fake.each != NULL) fake.each(pins);
    return !fake.is_broken;
}

uint32_t chip_command_word(const struct chip *of, uint32_t byte_offset)
{
    (void)of;
    return 0xc0000000u + byte_offset;
}

void chip_command_flip(struct chip *of, uint32_t byte_offset, uint32_t bits)
{
    (void)of;
    fake.flipped = byte_offset, fake.flipped_bits = bits;
}

void chip_counters(const struct chip *of, struct probe_counters *counters)
{
    (void)of;
    fake.counted++;
    memset(counters, 0, sizeof *counters);
    counters->beats[2] = fake.cycles;
    counters->node[1].busy = 7;
}

uint8_t *chip_board_memory(struct chip *of, uint32_t *system_bytes)
{
    (void)of;
    if (fake.board != NULL) *system_bytes = fake.board_bytes;
    return fake.board;
}
uint32_t chip_board_queued(const struct chip *of)
{
    (void)of;
    return fake.queued;
}
bool chip_board_written(const struct chip *of, uint32_t queued)
{
    (void)of;
    return queued == 0 || fake.cycles >= fake.written_at;
}
bool chip_board_ready(const struct chip *of)
{
    (void)of;
    return fake.cycles >= fake.ready_at;
}
void chip_board_wire(struct chip *of) { (void)of; }
const char *chip_board(void) { return fake.board != NULL ? "fake" : NULL; }
uint32_t chip_clock_hz(void) { return 12345678; }

bool chip_trace_start(struct chip *of, const char *path)
{
    (void)of;
    fake.trace_from = fake.cycles;
    fake.traces++;
    return strcmp(path, "nowhere") != 0;
}
void chip_trace_stop(struct chip *of)
{
    (void)of;
    fake.trace_to = fake.cycles;
    fake.stops++;
}
bool chip_can_trace(void) { return fake.can_trace; }
