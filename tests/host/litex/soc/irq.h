/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOC_IRQ_H
#define SOC_IRQ_H
static inline void irq_setmask(unsigned mask) { __asm__ volatile("csrw 0xbc0, %0" ::"r"(mask)); }
static inline void irq_setie(unsigned on) { __asm__ volatile("csrw mstatus, %0" ::"r"(on << 3)); }
#endif
