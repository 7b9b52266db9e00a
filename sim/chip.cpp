// SPDX-License-Identifier: Apache-2.0
//
// chip.h over the class that Verilator generates from sim_top.v. Nothing here decides anything.
#include "chip.h"

#include <cstdio>
#include <memory>

#include "lib/device/probe.h"
#include "gpu_spec.h"
#include "misses.h"

#include "Vsim_top.h"
#include "Vsim_top___024root.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

struct chip {
    VerilatedContext context;
    std::unique_ptr<Vsim_top> top;
    bool never_sleeps = false;
    node_cycles cycles[2] = {};
    uint64_t until_sdram = 0; // from the chip's next edge to the SDRAM's: see sdram_edges
    uint32_t pixel_phase = 0; // of the pixel's cycle, in parts of which it has DISPLAY_CLOCK_KHZ
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> trace;
#endif
};

// A failed assertion ends in vl_stop (build with -DVL_USER_STOP and -DVL_USER_FATAL): remember it instead
// of aborting, so that the simulator can say where everything was.
static thread_local bool assertion_failed;

void vl_stop(const char *file, int line, const char *scope) VL_MT_UNSAFE
{
    std::fprintf(stderr, "assertion failed: %s:%d in %s\n", file, line, scope);
    assertion_failed = true;
}

void vl_fatal(const char *file, int line, const char *scope, const char *message) VL_MT_UNSAFE
{
    std::fprintf(stderr, "%s:%d: %s %s\n", file, line, scope, message);
    assertion_failed = true;
}

extern "C" struct chip *chip_create(uint32_t seed)
{
    auto chip = std::make_unique<struct chip>();
    chip->context.randReset(2);
    chip->context.randSeed(static_cast<int>(seed % 0x7fffffffu) + 1); // 0 would mean the clock's time
#if VM_TRACE
    chip->context.traceEverOn(true);
#endif
    chip->context.assertOn(true);
    chip->top = std::make_unique<Vsim_top>(&chip->context);
    chip->top->clk = chip->top->clk_render = chip->top->clk_paging = chip->top->clk_fabric = chip->top->sdram_clk = 0;
    chip->top->clk_display = chip->top->pixel_clk = 0;
    chip->top->eval(); // what is awake before the first edge
    return chip.release();
}

extern "C" void chip_never_sleep(struct chip *chip) { chip->never_sleeps = true; }

extern "C" void chip_destroy(struct chip *chip)
{
    chip_trace_stop(chip);
    chip->top->final();
    delete chip;
}

// What a board has is in this module's instance.
#define BOARD_SIDE(name) root.sim_top__DOT__board__DOT__memory__DOT__##name

static inline void dump(struct chip *chip)
{
#if VM_TRACE
    if (chip->trace) chip->trace->dump(static_cast<uint64_t>(chip->context.time()));
#else
    (void)chip;
#endif
}

// One of rtl/event_counters.v, as it would be read: what lies in its memory, once its first turn has come, and what was
// counted since. `counters` is an instance's name with DOT after it.
#define EVENTS(counters, index) \
    ((root.counters##is_first && (index) >= root.counters##turn ? 0 : root.counters##counts[index]) + \
     ((root.counters##recent >> (4 * (index))) & 15))

// NODE_COUNTERS(render_node): the fields of struct node_counters from the instance of that name.
#define NODE_COUNTER(node, name) root.sim_top__DOT__chip__DOT__##node##__DOT__counters__DOT__##name
#define NODE_EVENTS(node, index) EVENTS(sim_top__DOT__chip__DOT__##node##__DOT__counters__DOT__cycles__DOT__, index)
#define NODE_COUNTERS(node) \
    { \
        NODE_EVENTS(node, 0), NODE_EVENTS(node, 1), NODE_EVENTS(node, 2), NODE_EVENTS(node, 3), NODE_EVENTS(node, 4), \
            NODE_EVENTS(node, 5), NODE_EVENTS(node, 6), NODE_COUNTER(node, read_local), \
            NODE_COUNTER(node, read_system), NODE_COUNTER(node, write_local), NODE_COUNTER(node, write_system) \
    }

// A cycle of a node belongs to the first of these that it is spent with.
#define COUNT_CYCLE(node, cycles) \
    if (NODE_COUNTER(node, busy_d1)) { \
        if (NODE_COUNTER(node, fence_d1)) (cycles).other_node++; \
        else if (NODE_COUNTER(node, fetch_d1) | NODE_COUNTER(node, read_d1) | NODE_COUNTER(node, write_d1) | \
                 NODE_COUNTER(node, drain_d1)) \
            (cycles).memory++; \
        else (cycles).works++; \
    }

static inline void count_cycle(struct chip *chip)
{
    const auto &root = *chip->top->rootp;
    COUNT_CYCLE(render_node, chip->cycles[0])
    COUNT_CYCLE(paging_node, chip->cycles[1])
}

// The edges of a board's SDRAM clock until the chip's next one. Time is counted in parts of which the chip's cycle has
// SDRAM_HZ and the SDRAM's CLOCK_HZ; both clocks come from one oscillator, so they meet.
static inline void sdram_edges(struct chip *chip)
{
#ifdef SIM_BOARD
    for (; chip->until_sdram < SDRAM_HZ; chip->until_sdram += CLOCK_HZ) {
        chip->top->sdram_clk = 1;
        chip->top->eval();
        chip->top->sdram_clk = 0;
        chip->top->eval();
    }
    chip->until_sdram -= SDRAM_HZ;
#else
    (void)chip;
#endif
}

// Does the SDRAM's edge meet the chip's?
static inline bool meets_sdram(struct chip *chip)
{
#ifdef SIM_BOARD
    const bool meets = chip->until_sdram == 0;
    if (meets) chip->until_sdram = CLOCK_HZ;
    return meets;
#else
    (void)chip;
    return false;
#endif
}

// Does the pixel's edge meet the chip's? Its clock is made from the chip's, and rests while nothing is shown.
static inline bool meets_pixel(struct chip *chip, const struct pins *pins)
{
    if (pins->rst) return true;
    if (!chip->top->pixel_on) return false;
    const uint32_t khz = chip->top->pixel_khz;
    chip->pixel_phase += khz < DISPLAY_CLOCK_KHZ ? khz : DISPLAY_CLOCK_KHZ;
    if (chip->pixel_phase < DISPLAY_CLOCK_KHZ) return false;
    chip->pixel_phase -= DISPLAY_CLOCK_KHZ;
    return true;
}

extern "C" bool chip_cycle(struct chip *chip, struct pins *pins)
{
    assertion_failed = false;
    Vsim_top &top = *chip->top;
    top.rst = pins->rst;
    top.h_awaddr = pins->h_awaddr;
    top.h_araddr = pins->h_araddr;
    top.h_wdata = pins->h_wdata;
    top.h_wstrb = pins->h_wstrb;
    top.h_awvalid = pins->h_awvalid;
    top.h_wvalid = pins->h_wvalid;
    top.h_bready = pins->h_bready;
    top.h_arvalid = pins->h_arvalid;
    top.h_rready = pins->h_rready;
    top.m_arready = pins->m_arready;
    top.m_rlast = pins->m_rlast;
    top.m_rvalid = pins->m_rvalid;
    top.m_rresp = pins->m_rresp;
    top.m_rdata = pins->m_rdata;
    top.m_awready = pins->m_awready;
    top.m_wready = pins->m_wready;
    top.m_bresp = pins->m_bresp;
    top.m_bvalid = pins->m_bvalid;
    top.fault_kind = pins->fault_kind;
    top.fault_memory = pins->fault_memory;
    top.fault_readers = pins->fault_readers;
    top.fault_writers = pins->fault_writers;
    const unsigned awake = chip->never_sleeps || pins->rst ? ~0u : top.awake;
    top.clk = 1;
    top.clk_render = awake & 1;
    top.clk_paging = awake >> 1 & 1;
    top.clk_fabric = awake >> 2 & 1;
    top.clk_display = awake >> 3 & 1;
    top.pixel_clk = meets_pixel(chip, pins);
    pins->d_clock = top.pixel_clk;
    top.sdram_clk = meets_sdram(chip);
    top.eval();
    pins->h_awready = top.h_awready;
    pins->h_wready = top.h_wready;
    pins->h_bresp = top.h_bresp;
    pins->h_bvalid = top.h_bvalid;
    pins->h_arready = top.h_arready;
    pins->h_rresp = top.h_rresp;
    pins->h_rvalid = top.h_rvalid;
    pins->h_rdata = top.h_rdata;
    pins->irq = top.irq;
    pins->m_araddr = top.m_araddr;
    pins->m_arlen = top.m_arlen;
    pins->m_arsize = top.m_arsize;
    pins->m_arburst = top.m_arburst;
    pins->m_arvalid = top.m_arvalid;
    pins->m_rready = top.m_rready;
    pins->m_awaddr = top.m_awaddr;
    pins->m_awlen = top.m_awlen;
    pins->m_awsize = top.m_awsize;
    pins->m_awburst = top.m_awburst;
    pins->m_awvalid = top.m_awvalid;
    pins->m_wdata = top.m_wdata;
    pins->m_wstrb = top.m_wstrb;
    pins->m_wlast = top.m_wlast;
    pins->m_wvalid = top.m_wvalid;
    pins->m_bready = top.m_bready;
    pins->probe_begin = top.probe_begin;
    pins->probe_end = top.probe_end;
    pins->probe_offset = top.probe_offset;
    pins->probe_opcode = top.probe_opcode;
    pins->ring_base = top.ring_base;
    pins->ring_size = top.ring_size;
    pins->trace_valid = top.trace_valid;
    pins->trace_event = top.trace_event;
    pins->trace_argument = top.trace_argument;
    pins->console_valid = top.console_valid;
    pins->console_char = top.console_char;
    pins->exit_valid = top.exit_valid;
    pins->exit_code = top.exit_code;
    pins->retire_valid = top.retire_valid;
    pins->retire_pc = top.retire_pc;
    pins->core_held = top.core_held;
    pins->panicked = top.panicked;
    pins->fault_fired = top.fault_fired;
    pins->m_rheld = top.m_rheld;
    pins->m_bheld = top.m_bheld;
    pins->node_resetting = top.node_resetting;
    pins->d_vsync = top.d_vsync;
    pins->d_visible = top.d_visible;
    pins->d_colour = top.d_colour;
    count_cycle(chip);
    dump(chip);
    chip->context.timeInc(5);
    top.clk = top.clk_render = top.clk_paging = top.clk_fabric = top.sdram_clk = 0; // changes nothing but the clocks
    top.clk_display = top.pixel_clk = 0;
    top.eval();
    sdram_edges(chip);
    dump(chip);
    chip->context.timeInc(5);
    return !assertion_failed;
}

extern "C" uint32_t chip_command_word(const struct chip *chip, uint32_t byte_offset)
{
    const auto &memory = chip->top->rootp->sim_top__DOT__chip__DOT__commands__DOT__memory;
    return memory[(byte_offset / 4) % (sizeof memory / sizeof memory[0])];
}

extern "C" void chip_command_flip(struct chip *chip, uint32_t byte_offset, uint32_t bits)
{
    auto &memory = chip->top->rootp->sim_top__DOT__chip__DOT__commands__DOT__memory;
    memory[(byte_offset / 4) % (sizeof memory / sizeof memory[0])] ^= bits;
}

extern "C" void chip_counters(const struct chip *chip, struct probe_counters *counters)
{
    const auto &root = *chip->top->rootp;
    const node_counters render = NODE_COUNTERS(render_node), paging = NODE_COUNTERS(paging_node);
    const uint32_t beats[PROBE_PORTS] = {root.sim_top__DOT__chip__DOT__memory_system__DOT__beats1,
                                         root.sim_top__DOT__chip__DOT__memory_system__DOT__beats2,
                                         root.sim_top__DOT__chip__DOT__memory_system__DOT__beats3};
    const uint64_t read = static_cast<uint64_t>(render.read_system) + paging.read_system;
    const uint64_t written = static_cast<uint64_t>(render.write_system) + paging.write_system;
    *counters = {{render, paging},
                 {chip->cycles[0], chip->cycles[1]},
                 {beats[0], beats[1], beats[2]},
                 // Reads beside writes; one after the other; reads beside writes.
                 {(beats[0] + 1ull) / 2, static_cast<uint64_t>(beats[1]) * SEGMENT2_BEAT_CYCLES,
                  (read > written ? read : written) / 8},
                 {}};
#ifdef SIM_BOARD
    counters->port_cycles[1] = BOARD_SIDE(moves) * CLOCK_HZ / SDRAM_HZ; // one SDRAM is both
    counters->port_cycles[2] = 0;
    counters->sdram = {BOARD_SIDE(passed), BOARD_SIDE(moves), BOARD_SIDE(busy)};
#endif
}

#ifdef SIM_BOARD
// The model's words are in the order of byte addresses, and this machine's lowest byte comes first as the SDRAM's does.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the back door copies bytes");

extern "C" uint8_t *chip_board_memory(struct chip *chip, uint32_t *system_bytes)
{
    auto &root = *chip->top->rootp;
    *system_bytes = SYSTEM_BYTES;
    return reinterpret_cast<uint8_t *>(&BOARD_SIDE(sdram__DOT__memory)[0]);
}

extern "C" uint32_t chip_board_queued(const struct chip *chip)
{
    const auto &root = *chip->top->rootp;
    return BOARD_SIDE(queued);
}

extern "C" bool chip_board_written(const struct chip *chip, uint32_t queued)
{
    const auto &root = *chip->top->rootp;
    return static_cast<int32_t>(BOARD_SIDE(written) - queued) >= 0;
}

extern "C" bool chip_board_ready(const struct chip *chip)
{
    const auto &root = *chip->top->rootp;
    return BOARD_SIDE(ready);
}

extern "C" void chip_board_wire(struct chip *chip)
{
    auto &root = *chip->top->rootp;
    BOARD_SIDE(wire_busy) = 1;
}

extern "C" const char *chip_board(void) { return SIM_BOARD; }
#else
extern "C" uint8_t *chip_board_memory(struct chip *, uint32_t *) { return nullptr; }
extern "C" uint32_t chip_board_queued(const struct chip *) { return 0; }
extern "C" bool chip_board_written(const struct chip *, uint32_t) { return true; }
extern "C" bool chip_board_ready(const struct chip *) { return true; }
extern "C" void chip_board_wire(struct chip *) {}
extern "C" const char *chip_board(void) { return nullptr; }
#endif
extern "C" uint32_t chip_clock_hz(void) { return CLOCK_HZ; }

#define CORE_SIDE(name) root.sim_top__DOT__chip__DOT__core_side__DOT__##name
#define CACHES(name) CORE_SIDE(region__DOT__caches__DOT__##name)

extern "C" bool chip_misses(const struct chip *chip, struct misses_seen *seen)
{
    const auto &root = *chip->top->rootp;
    if (!(CACHES(counts_i_miss) | CACHES(counts_d_miss) | CACHES(counts_i_stall) | CACHES(counts_d_stall)))
        return false;
    *seen = {CACHES(counts_i_miss) != 0,
             CACHES(counts_d_miss) != 0,
             CACHES(counts_i_stall) != 0,
             CACHES(counts_d_stall) != 0,
             LIMIT_BITS_ADDR_FIRMWARE + CACHES(instructions__DOT__at),
             LIMIT_BITS_ADDR_FIRMWARE + CACHES(data__DOT__at)};
    return true;
}

extern "C" const uint32_t *chip_registers(const struct chip *chip)
{
    const auto &root = *chip->top->rootp;
    return &CORE_SIDE(control_core__DOT__register_file__DOT__registers)[0];
}

#if VM_TRACE
extern "C" bool chip_trace_start(struct chip *chip, const char *path)
{
    chip->trace = std::make_unique<VerilatedFstC>();
    chip->top->trace(chip->trace.get(), 99);
    chip->trace->open(path);
    if (!chip->trace->isOpen()) chip->trace.reset();
    return chip->trace != nullptr;
}

extern "C" void chip_trace_stop(struct chip *chip)
{
    if (chip->trace) chip->trace->close();
    chip->trace.reset();
}

extern "C" bool chip_can_trace(void) { return true; }
#else
extern "C" bool chip_trace_start(struct chip *, const char *) { return false; }
extern "C" void chip_trace_stop(struct chip *) {}
extern "C" bool chip_can_trace(void) { return false; }
#endif
