/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GENERATED_CSR_H
#define GENERATED_CSR_H
#include <stdint.h>
#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CSR_VIDEO_FRAMEBUFFER_BASE 0xf0002000
static inline uint32_t uart_txfull_read(void) { return REGISTER(0xf0001804); }
static inline void uart_rxtx_write(uint32_t value) { REGISTER(0xf0001800) = value; }
static inline void tessera_ev_enable_write(uint32_t value) { REGISTER(0xf0001008) = value; }
static inline void video_framebuffer_dma_base_write(uint64_t value) { REGISTER(0xf0002000) = (uint32_t)value; }
static inline void video_framebuffer_dma_enable_write(uint32_t value) { REGISTER(0xf0002008) = value; }
static inline void timer0_en_write(uint32_t value) { REGISTER(0xf0003008) = value; }
static inline void timer0_load_write(uint32_t value) { REGISTER(0xf0003000) = value; }
static inline void timer0_reload_write(uint32_t value) { REGISTER(0xf0003004) = value; }
static inline void timer0_update_value_write(uint32_t value) { REGISTER(0xf000300c) = value; }
static inline uint32_t timer0_value_read(void) { return REGISTER(0xf0003010); }
#endif
