/* SPDX-License-Identifier: Apache-2.0
 *
 * The world around a bare control core in test benches, and around the ISA model that it is compared with: memory, a
 * console, interrupt lines that programs raise themselves. Both sides get the same addresses.
 *
 *   0x00000000  16 MiB RAM        0x80000000  16 MiB RAM (where official tests are linked)
 *   0xffff0000  boot words: jump to the ELF's entry      0xf0000000  devices, below      else bus error
 */
#ifndef TESSERA_BENCH_MEMORY_H
#define TESSERA_BENCH_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_RAM_BYTES = 16 << 20 };

#define BENCH_LOW 0x00000000u
#define BENCH_HIGH 0x80000000u
#define BENCH_BOOT 0xffff0000u
#define BENCH_DEVICES 0xf0000000u
/* Devices: byte offsets. Lines: bit 0 software, 1 timer, 2 external, 3..5 platform 0..2. */
#define BENCH_CONSOLE 0x00u /* W a character */
#define BENCH_LINES 0x04u   /* RW lines now */
#define BENCH_RAISE 0x08u   /* W lines that go up after BENCH_DELAY cycles */
#define BENCH_DELAY 0x0cu   /* RW cycles from the write of BENCH_RAISE */
#define BENCH_CYCLE 0x10u   /* R cycles since reset */
#define BENCH_RAISED 0x14u  /* R cycle at which lines last went up after a delay */

struct bench_memory {
    uint8_t *ram[2]; /* low, high */
    uint32_t boot[4];
    uint32_t tohost; /* address whose store ends the program; ~0 = none */
    bool is_ended;
    uint32_t exit_value; /* what was stored there */
    uint32_t lines, delayed_lines, delay;
    uint64_t raise_cycle; /* 0 = nothing pending */
    uint64_t cycle, raised;
    bool is_quiet; /* console characters are dropped */
};

/* Allocates and clears; false when there is no memory. */
bool bench_memory_create(struct bench_memory *memory);
void bench_memory_destroy(struct bench_memory *memory);

/* Loads an ELF file, aims the boot words at its entry and finds `tohost`. False with the reason in `error`. */
struct elf_image;
bool bench_memory_load(struct bench_memory *memory, const struct elf_image *image, char *error);

/* One access of a word; `address` is a multiple of 4. False is a bus error. */
bool bench_memory_read(struct bench_memory *memory, uint32_t address, uint32_t *value);
bool bench_memory_write(struct bench_memory *memory, uint32_t address, uint32_t value, unsigned byte_enable);

/* Time passes: `cycle` becomes `now`, due lines go up. */
void bench_memory_time(struct bench_memory *memory, uint64_t now);

#ifdef __cplusplus
}
#endif
#endif
