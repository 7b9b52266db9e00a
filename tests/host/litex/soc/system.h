/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOC_SYSTEM_H
#define SOC_SYSTEM_H
static inline void flush_cpu_dcache(void) { __asm__ volatile(".word 0x500f"); }
#endif
