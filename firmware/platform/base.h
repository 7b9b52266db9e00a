/* SPDX-License-Identifier: Apache-2.0
 *
 * What every firmware file may use: assertions that stay on in the shipped image, and tiny arithmetic.
 */
#ifndef FIRMWARE_BASE_H
#define FIRMWARE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu_spec.h"
#include "platform/hal.h"

/* What we believe about ourselves. Host input is checked, never asserted. On the target the panic
 * registers tell the return address; everywhere else the text tells the place. */
#ifdef TESSERA_TARGET
#define ASSERT(condition) ((condition) ? (void)0 : hal_assert_failed(""))
#else
#define ASSERT_TEXT_OF(line) #line
#define ASSERT_TEXT(line) ASSERT_TEXT_OF(line)
#define ASSERT(condition) \
    ((condition) ? (void)0 : hal_assert_failed(__FILE__ ":" ASSERT_TEXT(__LINE__) ": " #condition))
#endif

/* Is there time to assert what takes long? Not on the target. */
#ifdef TESSERA_TARGET
enum { ASSERTS_MORE = 0 };
#else
enum { ASSERTS_MORE = 1 };
#endif

/* Limits of the table as plain constants: GPU_LIMIT is not usable everywhere an array size is. */
enum {
    ALLOCATION_DEFAULT = LIMIT_BITS_ALLOCATIONS,
    ALLOCATION_MAXIMUM = LIMIT_BITS_ALLOCATIONS_MAX,
    CONTEXT_DEFAULT = LIMIT_BITS_CONTEXTS,
    CONTEXT_MAXIMUM = LIMIT_BITS_CONTEXTS_MAX,
    LIST_DEFAULT = LIMIT_BITS_LIST_ENTRIES, /* entries of either list of a DMA buffer */
    LIST_MAXIMUM = LIMIT_BITS_LIST_ENTRIES_MAX,
    DMA_BYTES_DEFAULT = LIMIT_BITS_DMA_BYTES,
    DMA_BYTES_MAXIMUM = LIMIT_BITS_DMA_BYTES_MAX,
    CLIENT_LIMIT = LIMIT_BITS_CLIENTS,
    NO_CONTEXT = CONTEXT_MAXIMUM,
    SLOT_LIMIT = LIMIT_BITS_SLOTS,
    SEGMENT_LIMIT = LIMIT_BITS_SEGMENTS, /* most segments; ids 1 to this */
    PAGE_BYTES = LIMIT_BITS_PAGE_BYTES,
    MESSAGE_WORDS = LIMIT_BITS_MESSAGE_WORDS,
    COMPLETION_WORDS = LIMIT_BITS_COMPLETION_WORDS
};

/* Engine nodes by name. */
enum node { NODE_RENDER = 0, NODE_PAGING = 1, NODE_LIMIT = 2 };

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* `unit` is a power of two. */
static inline uint32_t align_up(uint32_t value, uint32_t unit) { return (value + unit - 1u) & ~(unit - 1u); }
static inline uint32_t align_down(uint32_t value, uint32_t unit) { return value & ~(unit - 1u); }
static inline bool is_power_of_two(uint32_t value) { return value != 0u && (value & (value - 1u)) == 0u; }

/* A number in fewer bits than it came in. That it fits was checked where the host said it; the check here is of us, so
 * that no value is ever cut silently. The files that see the host's numbers narrow in no other way (tests/meta/tidy).
 */
static inline uint32_t narrow(uint32_t value, uint32_t bits)
{
    ASSERT(value >> bits == 0u);
    return value;
}
static inline uint16_t narrow_u16(uint32_t value) { return (uint16_t)narrow(value, 16); }
static inline uint8_t narrow_u8(uint32_t value) { return (uint8_t)narrow(value, 8); }
static inline int8_t narrow_i8(int32_t value)
{
    ASSERT(value >= INT8_MIN && value <= INT8_MAX);
    return (int8_t)value;
}

/* Of a map with 32 bits in each word. */
static inline void bit_set(uint32_t *words, uint32_t bit) { words[bit / 32u] |= 1u << bit % 32u; }
static inline void bit_clear(uint32_t *words, uint32_t bit) { words[bit / 32u] &= ~(1u << bit % 32u); }
static inline bool bit_is_set(const uint32_t *words, uint32_t bit)
{
    return (words[bit / 32u] >> bit % 32u & 1u) != 0u;
}

/* Number of the lowest bit set; not 0. */
static inline uint32_t lowest_bit(uint32_t bits)
{
    uint32_t number = 0;
    while ((bits >> number & 0xfu) == 0u) number += 4u;
    while ((bits >> number & 1u) == 0u) number++;
    return number;
}

static inline uint32_t pages_of_bytes(uint32_t bytes)
{
    return bytes / (uint32_t)PAGE_BYTES + (bytes % (uint32_t)PAGE_BYTES != 0u ? 1u : 0u);
}

#endif
