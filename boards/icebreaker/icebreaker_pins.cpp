// SPDX-License-Identifier: Apache-2.0
//
// The Verilated iCEBreaker behind boards/sim/board_pins.h: a cycle of the system's clock is two of the pin's. It has no
// display.
#include "board_pins.h"

#include <new>

#include "Vicebreaker.h"
#include "board_failed.h"
#include "verilated.h"

const uint32_t board_bit_cycles = 4;
static Vicebreaker *board;

bool board_create(void)
{
    Verilated::randReset(2);
    board = new (std::nothrow) Vicebreaker;
    if (board == nullptr) return false;
    struct board_pins pins = {};
    pins.uart_rx = 1;
    board->btn_n = 0;
    for (int i = 0; i < 8; i++) board_cycle(&pins);
    board->btn_n = 1;
    for (int i = 0; i < 64; i++) board_cycle(&pins);
    return !has_failed;
}

bool board_cycle(struct board_pins *pins)
{
    board->rx = pins->uart_rx;
    for (int edge = 0; edge < 4; edge++) {
        board->clk_12mhz = edge % 2 == 0;
        board->eval();
    }
    pins->uart_tx = board->tx;
    pins->led = (uint8_t)(board->led3 << 2 | board->led2 << 1 | board->led1 | (board->ledr_n ? 0 : 8));
    pins->has_symbols = false;
    return !has_failed;
}

void board_destroy(void)
{
    delete board;
    board = nullptr;
}
