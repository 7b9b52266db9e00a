/* SPDX-License-Identifier: Apache-2.0 */
#include "disassemble.h"

#include <stdio.h>

void disassemble(uint32_t word, uint32_t pc, char *text, size_t text_bytes)
{
    (void)pc;
    snprintf(text, text_bytes, ".word 0x%08x", word);
}
