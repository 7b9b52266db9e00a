/* SPDX-License-Identifier: Apache-2.0
 *
 * C and C++ view of spec/gpu.def: enumeration constants with the table's own names, so that no number of
 * the contract is ever typed twice. Field access: field_get(word, NODE_CONTROL_RESET) etc. through the
 * FIELD_* helpers below. GPU_ABI_HASH comes from build/gpu_hash.h, printed by spec/gen.c.
 */
#ifndef GPU_SPEC_H
#define GPU_SPEC_H

#include <stdint.h>

/* Registers: HOST_ID_OFFSET is the byte offset from the register space's start (first copy of a block). */
enum gpu_block {
#define BLOCK(block, base, count, stride, doc) \
    block##_BASE = (base), block##_COUNT = (count), block##_STRIDE = (stride),
#include "gpu.def"
};

enum gpu_register {
#define REG(block, name, offset, host, core, reset, doc) block##_##name##_OFFSET = block##_BASE + (offset),
#include "gpu.def"
};

enum gpu_register_field {
#define FIELD(block, reg, name, lsb, width, doc) \
    block##_##reg##_##name##_LSB = (lsb), block##_##reg##_##name##_WIDTH = (width),
#include "gpu.def"
};

enum gpu_enumerator {
#define ENUMERATOR(group, name, value, doc) group##_##name = (value),
#include "gpu.def"
};

enum gpu_packet {
#define PKT(name, opcode, words, privilege, doc) PKT_##name = (opcode), PKT_##name##_WORDS = (words),
#include "gpu.def"
};

enum gpu_packet_field {
#define PKT_FIELD(pkt, word, name, lsb, width, kind, doc) \
    PKT_##pkt##_##name##_WORD = (word), PKT_##pkt##_##name##_LSB = (lsb), PKT_##pkt##_##name##_WIDTH = (width),
#include "gpu.def"
};

enum gpu_message {
#define MSG(name, code, doc) MSG_##name = (code),
#include "gpu.def"
};

enum gpu_message_field {
#define MSG_FIELD(msg, word, name, doc) MSG_##msg##_##name = (word),
#define REPLY(msg, word, name, doc) REPLY_##msg##_##name = (word),
#include "gpu.def"
};

enum gpu_status {
#define STATUS(name, value, doc) STATUS_##name = (value),
#include "gpu.def"
    STATUS_COUNT
};

enum gpu_statistic {
#define STATISTIC(name, doc) STAT_##name,
#include "gpu.def"
    STAT_COUNT
};

enum gpu_trace_event {
#define TRACE(name, value, doc) TRACE_##name = (value),
#include "gpu.def"
};

/* Limits do not fit one enum type (addresses use bit 31), so each is a typed constant expression. */
enum gpu_limit {
#define LIMIT(name, value, doc) LIMIT_BITS_##name = (int)(value),
#include "gpu.def"
};
#define GPU_LIMIT(name) ((uint32_t)LIMIT_BITS_##name)

/* Completion entry: fixed words, then REPLY_* words. */
enum gpu_completion { COMPLETION_TAG = 0, COMPLETION_STATUS = 1, COMPLETION_DETAIL = 2, COMPLETION_FENCE = 3 };

/* Allocation-list and patch-location entries, in words. */
enum gpu_list_entry { LIST_HANDLE = 0, LIST_FLAGS = 1, LIST_FLAG_WRITE = 1 };
enum gpu_patch_entry {
    PATCH_ALLOCATION_INDEX = 0,
    PATCH_SLOT_ID = 1,
    PATCH_DRIVER_ID = 2,
    PATCH_ALLOCATION_OFFSET = 3,
    PATCH_PATCH_OFFSET = 4,
    PATCH_SPLIT_OFFSET = 5
};

/* Mask of `width` bits, 1..32, right aligned. */
static inline uint32_t field_mask(unsigned width) { return width >= 32u ? 0xffffffffu : (1u << width) - 1u; }

static inline uint32_t field_extract(uint32_t word, unsigned lsb, unsigned width)
{
    return (word >> lsb) & field_mask(width);
}

static inline uint32_t field_place(uint32_t value, unsigned lsb, unsigned width)
{
    return (value & field_mask(width)) << lsb;
}

/* FIELD_GET(word, NODE_STATUS_BUSY), FIELD_PUT(1, PKT_FENCE_INTERRUPT): names of the table, no shifts. */
#define FIELD_GET(word, name) field_extract((uint32_t)(word), name##_LSB, name##_WIDTH)
#define FIELD_PUT(value, name) field_place((uint32_t)(value), name##_LSB, name##_WIDTH)

/* MEMORY.FEATURES of an engine that nothing is left out of. */
#define FEATURES_ALL \
    (1u << MEMORY_FEATURES_FORMATS_LSB | 1u << MEMORY_FEATURES_MAPS_LSB | 1u << MEMORY_FEATURES_REPEAT_LSB | \
     1u << MEMORY_FEATURES_BILINEAR_LSB | 1u << MEMORY_FEATURES_PALETTE_LSB | 1u << MEMORY_FEATURES_MASKS_LSB)

/* Word 0 of a message is its code and the client that it is for. With an unknown client it is no code at all. */
static inline uint32_t message_word(uint32_t code, uint32_t client) { return client << 16 | code; }
static inline uint32_t message_client(uint32_t word) { return word >> 16; }
static inline uint32_t message_code(uint32_t word)
{
    return message_client(word) < (uint32_t)LIMIT_BITS_CLIENTS ? word & 0xffffu : word;
}

/* Fences are 32-bit and wrap: has `now` reached `fence`? */
static inline int fence_reached(uint32_t now, uint32_t fence) { return (int32_t)(now - fence) >= 0; }

#endif
