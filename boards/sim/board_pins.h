/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated board as C sees it: one call per cycle of the chip's clock. board_pins.cpp is the only file
 * that knows the generated class.
 */
#ifndef BOARD_PINS_H
#define BOARD_PINS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct board_pins {
    uint8_t uart_rx;           /* in: the line towards the board, taken in this cycle */
    uint8_t uart_tx;           /* out */
    uint8_t led;               /* out */
    bool has_symbols;          /* out: the pixel clock rose in this cycle */
    uint16_t red, green, blue; /* out: its TMDS symbols */
};

/* Cycles of a bit on the serial line. */
extern const uint32_t board_bit_cycles;

/* Resets the board. False: out of memory. */
bool board_create(void);
/* One cycle: two of the memory's clock, and every second time one of the pixel's. False when an assertion in the
 * RTL has failed (its message is on stderr). */
bool board_cycle(struct board_pins *pins);
void board_destroy(void);

#ifdef __cplusplus
}
#endif

#endif
