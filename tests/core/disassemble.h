/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of one RV32IMC + Zicsr instruction, for traces and for reports of differences.
 */
#ifndef TESSERA_DISASSEMBLE_H
#define TESSERA_DISASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `word` holds the instruction at `pc` in its low bits (what follows a compressed one is ignored). Compressed
 * instructions are printed as the instruction they stand for, with a leading "c.". */
void disassemble(uint32_t word, uint32_t pc, char *text, size_t text_bytes);

#ifdef __cplusplus
}
#endif
#endif
