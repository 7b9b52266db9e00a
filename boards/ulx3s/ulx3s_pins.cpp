// SPDX-License-Identifier: Apache-2.0
//
// The Verilated ULX3S (ulx3s_sim.v) behind boards/sim/board_pins.h. A "cycle" is 20 ns here, whatever the chip's clock is:
// 16 2/3 of them are a bit of the real wire's 3 Mbit/s. The display's symbols come from the serial pins, as a
// display takes them: a bit every 4 ns, a symbol whenever the clock's pin has sent five ones and five zeros.
#include "board_pins.h"

#include <cstdio>
#include <new>

#include "Vulx3s_sim.h"
#include "verilated.h"

const uint32_t board_bit_cycles = 17;
enum : uint64_t { CYCLE = 600, BIT = 120 }; // ticks, 30 to the nanosecond
static Vulx3s_sim *board;
static bool has_failed;
static uint16_t symbol[4]; // blue, green, red, clock

// Assertions end here (-DVL_USER_STOP, -DVL_USER_FATAL).
void vl_stop(const char *file, int line, const char *)
{
    std::fprintf(stderr, "ulx3s-sim: an assertion failed at %s:%d\n", file, line);
    has_failed = true;
}
void vl_fatal(const char *file, int line, const char *, const char *text)
{
    std::fprintf(stderr, "ulx3s-sim: %s:%d: %s\n", file, line, text);
    has_failed = true;
}

bool board_create(void)
{
    Verilated::randReset(2);
    board = new (std::nothrow) Vulx3s_sim;
    if (board == nullptr) return false;
    board->now = 0;
    board->ftdi_txd = 1;
    board->eval();
    return !has_failed;
}

static void take_bit(struct board_pins *pins)
{
    for (unsigned i = 0; i < 4; i++) symbol[i] = (uint16_t)(symbol[i] >> 1 | (board->gpdi_dp >> i & 1) << 9);
    if (symbol[3] != 0x1f) return;
    pins->has_symbols = true;
    pins->blue = symbol[0];
    pins->green = symbol[1];
    pins->red = symbol[2];
}

bool board_cycle(struct board_pins *pins)
{
    const uint64_t end = board->now + CYCLE;
    board->ftdi_txd = pins->uart_rx;
    pins->has_symbols = false;
    while (board->now < end) {
        uint64_t step = BIT - board->now % BIT;
        if (board->to_edge < step) step = board->to_edge;
        board->now += step;
        if (board->now % BIT == 0) take_bit(pins); // what was sent until now
        board->eval();
    }
    pins->uart_tx = board->ftdi_rxd;
    pins->led = board->led;
    return !has_failed;
}

void board_destroy(void)
{
    delete board;
    board = nullptr;
}
