// SPDX-License-Identifier: Apache-2.0
//
// The ULX3S's mapped netlist behind boards/sim/board_pins.h, pins outwards: clocks as the netlist's two PLLs make them
// of 25 MHz, phases included, and the SDRAM's model at the SDRAM's pins, on the clock of its clock pin. The netlist's
// path is in the environment, NETLIST; NETLIST_DAMAGE as netlist_read takes it; NETLIST_REGION is a file with what the
// firmware's region, the end of the SDRAM, holds.
#include "board_pins.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "Vsdram_model.h"
#include "Vsdram_model___024root.h"
#include "board_failed.h"
#include "netlist.h"
#include "verilated.h"

const uint32_t board_bit_cycles = 17;

// 30 ticks to the nanosecond: a whole number of them for every phase of both oscillators.
enum : uint64_t { CYCLE = 600, BIT = 120, INPUT = 1200, LOCKED = 10 * INPUT };

struct clock {
    netlist_net net;
    uint64_t period, before; // the first rise is `before` ticks before tick 0
    uint64_t phase(uint64_t now) const { return (now + before) % period; }
};

static struct netlist *netlist;
static Vsdram_model *sdram;
static struct clock clocks[6];
static unsigned clock_count;
static uint64_t now;
static uint16_t symbol[4]; // blue, green, red, clock
static struct {
    netlist_net txd, rxd, led[8], gpdi[4], locked[2];
    netlist_net clock, csn, rasn, casn, wen, a[13], ba[2], dqm[2], d[16], out[16], release;
} pin;

// ------------------------------------------------------------------ clocks

// One output of a PLL, whose feedback puts CLKOP's edges on the input's; the others' phases count from CLKOP's, in
// eighths of the oscillator's period.
static void add_clock(const char *pll, const char *output)
{
    char name[32];
    auto parameter = [&](const char *of, const char *what, uint32_t absent) {
        std::snprintf(name, sizeof name, "%s_%s", of, what);
        return netlist_parameter(netlist, pll, name, absent);
    };
    netlist_net net = netlist_port(netlist, pll, output);
    if (net == NETLIST_NONE) return;
    const uint64_t multiplied =
        (uint64_t)netlist_parameter(netlist, pll, "CLKFB_DIV", 1) * parameter("CLKOP", "DIV", 8);
    const uint64_t oscillator = INPUT * netlist_parameter(netlist, pll, "CLKI_DIV", 1) / multiplied;
    const int64_t eighths = 8 * ((int64_t)parameter(output, "CPHASE", 0) - parameter("CLKOP", "CPHASE", 0)) +
                            parameter(output, "FPHASE", 0) - parameter("CLKOP", "FPHASE", 0);
    const uint64_t period = oscillator * parameter(output, "DIV", 8);
    const int64_t late = (int64_t)oscillator * eighths / 8;
    const bool is_whole = oscillator * multiplied == INPUT && (int64_t)oscillator * eighths % 8 == 0 && period % 2 == 0;
    // 400 to 800 MHz.
    if (!is_whole || oscillator * 800 < 30000 || oscillator * 400 > 30000 || late < 0 || (uint64_t)late > period) {
        std::fprintf(stderr, "netlist-sim: %s.%s is no clock that a PLL makes, or one between two ticks\n", pll,
                     output);
        has_failed = true;
        return;
    }
    clocks[clock_count++] = {net, period, period - (uint64_t)late};
}

static void set_clocks(void)
{
    for (unsigned i = 0; i < clock_count; i++)
        netlist_set(netlist, clocks[i].net, clocks[i].phase(now) < clocks[i].period / 2);
    for (netlist_net locked : pin.locked) netlist_set(netlist, locked, now >= LOCKED);
}

static uint64_t to_next_edge(void)
{
    uint64_t least = BIT - now % BIT;
    for (unsigned i = 0; i < clock_count; i++) {
        const uint64_t phase = clocks[i].phase(now), half = clocks[i].period / 2;
        const uint64_t left = phase < half ? half - phase : clocks[i].period - phase;
        if (left < least) least = left;
    }
    return least;
}

// ------------------------------------------------------------------ the SDRAM

static unsigned number(const netlist_net *nets, unsigned bits)
{
    unsigned value = 0;
    for (unsigned i = 0; i < bits; i++) value |= (unsigned)netlist_get(netlist, nets[i]) << i;
    return value;
}

static void clock_sdram(void)
{
    const bool level = netlist_get(netlist, pin.clock);
    if (level == (sdram->clk != 0)) return;
    sdram->clk = level;
    sdram->rst = !netlist_get(netlist, pin.locked[0]);
    sdram->command = (uint8_t)(netlist_get(netlist, pin.csn) << 3 | netlist_get(netlist, pin.rasn) << 2 |
                               netlist_get(netlist, pin.casn) << 1 | netlist_get(netlist, pin.wen));
    sdram->a = (uint16_t)number(pin.a, 13);
    sdram->ba = (uint8_t)number(pin.ba, 2);
    sdram->dqm = (uint8_t)number(pin.dqm, 2);
    sdram->dq_drive = !netlist_get(netlist, pin.release);
    sdram->dq_in = sdram->dq_drive ? (uint16_t)number(pin.out, 16) : 0xdead;
    sdram->eval();
    for (unsigned i = 0; i < 16; i++) netlist_set(netlist, pin.d[i], sdram->dq_out >> i & 1);
}

// Words of 16 bits in the order of byte addresses, behind system memory and segment 2 (boards/common/board_core.v).
static bool load_region(const char *path)
{
    const size_t region_at = (24u << 20) + (7u << 20);
    FILE *file = std::fopen(path, "rb");
    if (file == nullptr) return false;
    size_t at = region_at / 2;
    for (uint8_t word[2]; std::fread(word, 1, 2, file) == 2;)
        sdram->rootp->sdram_model__DOT__memory[at++] = (uint16_t)(word[0] | word[1] << 8);
    std::fclose(file);
    return at > region_at / 2;
}

// ------------------------------------------------------------------ the board

static void find_pins(void)
{
    char name[32];
    auto vector = [](netlist_net *nets, const char *port, unsigned bits) {
        for (unsigned i = 0; i < bits; i++) nets[i] = netlist_pin(netlist, port, i);
    };
    pin.txd = netlist_pin(netlist, "ftdi_txd", 0);
    pin.rxd = netlist_pin(netlist, "ftdi_rxd", 0);
    vector(pin.led, "led", 8);
    vector(pin.gpdi, "gpdi_dp", 4);
    pin.locked[0] = netlist_port(netlist, "pll1", "LOCK");
    pin.locked[1] = netlist_port(netlist, "pll2", "LOCK");
    pin.clock = netlist_pin(netlist, "sdram_clk", 0);
    pin.csn = netlist_pin(netlist, "sdram_csn", 0);
    pin.rasn = netlist_pin(netlist, "sdram_rasn", 0);
    pin.casn = netlist_pin(netlist, "sdram_casn", 0);
    pin.wen = netlist_pin(netlist, "sdram_wen", 0);
    vector(pin.a, "sdram_a", 13);
    vector(pin.ba, "sdram_ba", 2);
    vector(pin.dqm, "sdram_dqm", 2);
    vector(pin.d, "sdram_d", 16);
    for (unsigned i = 0; i < 16; i++) {
        std::snprintf(name, sizeof name, "data_pin[%u].pin", i);
        pin.out[i] = netlist_port(netlist, name, "I");
        if (i > 0 && pin.release != netlist_port(netlist, name, "T")) has_failed = true; // all released as one
        pin.release = netlist_port(netlist, name, "T");
    }
    for (const char *pll : {"pll1", "pll2"})
        for (const char *output : {"CLKOP", "CLKOS", "CLKOS2"}) add_clock(pll, output);
}

static void take_bit(struct board_pins *pins)
{
    for (unsigned i = 0; i < 4; i++) symbol[i] = (uint16_t)(symbol[i] >> 1 | netlist_get(netlist, pin.gpdi[i]) << 9);
    if (symbol[3] != 0x1f) return;
    pins->has_symbols = true;
    pins->blue = symbol[0];
    pins->green = symbol[1];
    pins->red = symbol[2];
}

bool board_cycle(struct board_pins *pins)
{
    const uint64_t end = now + CYCLE;
    netlist_set(netlist, pin.txd, pins->uart_rx);
    pins->has_symbols = false;
    while (now < end && !has_failed) {
        now += to_next_edge();
        if (now % BIT == 0) take_bit(pins); // what was sent until now
        set_clocks();
        if (!netlist_settle(netlist)) has_failed = true;
        clock_sdram();
        if (!netlist_settle(netlist)) has_failed = true; // the data reach the input registers before their clock
    }
    pins->uart_tx = netlist_get(netlist, pin.rxd);
    pins->led = (uint8_t)number(pin.led, 8);
    return !has_failed;
}

bool board_create(void)
{
    const char *path = std::getenv("NETLIST");
    netlist = path ? netlist_read(path, std::getenv("NETLIST_DAMAGE")) : nullptr;
    sdram = new (std::nothrow) Vsdram_model;
    if (netlist == nullptr || sdram == nullptr) return false;
    const char *region = std::getenv("NETLIST_REGION");
    if (region != nullptr && !load_region(region)) return false;
    find_pins();
    netlist_set(netlist, netlist_pin(netlist, "btn", 0), true);
    netlist_set(netlist, pin.txd, true);
    sdram->clk = 0;
    sdram->eval();
    set_clocks();
    if (!netlist_settle(netlist)) return false;
    struct board_pins pins = {};
    pins.uart_rx = 1;
    for (unsigned i = 0; i < 200; i++) board_cycle(&pins); // until reset is over
    return !has_failed;
}

void board_destroy(void)
{
    delete sdram;
    netlist_free(netlist);
}
