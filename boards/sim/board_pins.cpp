// SPDX-License-Identifier: Apache-2.0
//
// The Verilated board behind board_pins.h: clk at half the rate of sdram_clk, pixel_clk at half of clk's.
#include "board_pins.h"

#include <new>

#include "Vboard_sim.h"
#include "board_failed.h"
#include "verilated.h"

const uint32_t board_bit_cycles = 3; // board_sim.v
static Vboard_sim *board;
static bool pixel_phase;

bool board_create(void)
{
    Verilated::randReset(2);
    board = new (std::nothrow) Vboard_sim;
    if (board == nullptr) return false;
    struct board_pins pins = {};
    pins.uart_rx = 1;
    board->release_ = 0;
    for (int i = 0; i < 8; i++) board_cycle(&pins);
    board->release_ = 1;
    for (int i = 0; i < 64; i++) board_cycle(&pins);
    return !has_failed;
}

bool board_cycle(struct board_pins *pins)
{
    pixel_phase = !pixel_phase;
    board->uart_rx = pins->uart_rx;
    board->clk = 1;
    board->sdram_clk = 1;
    board->pixel_clk = pixel_phase;
    board->eval();
    pins->uart_tx = board->uart_tx;
    pins->led = board->led;
    pins->has_symbols = pixel_phase;
    pins->red = board->tmds_red;
    pins->green = board->tmds_green;
    pins->blue = board->tmds_blue;
    board->sdram_clk = 0;
    board->eval();
    board->clk = 0;
    board->sdram_clk = 1;
    board->eval();
    board->sdram_clk = 0;
    board->eval();
    return !has_failed;
}

void board_destroy(void)
{
    delete board;
    board = nullptr;
}
