/* SPDX-License-Identifier: Apache-2.0
 *
 * One encoder per packet that the firmware itself writes, and the bounded stream they write to. Words and
 * fields by the names of the table.
 */
#ifndef FIRMWARE_PACKET_H
#define FIRMWARE_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"

enum { PACKET_WORDS_MAX = 6 };

struct packet {
    uint32_t words; /* used */
    uint32_t word[PACKET_WORDS_MAX];
};

static inline struct packet packet_fence(uint32_t value)
{
    return (struct packet){PKT_FENCE_WORDS, {PKT_FENCE | FIELD_PUT(1, PKT_FENCE_INTERRUPT), value}};
}

static inline struct packet packet_wait_fence(uint32_t value)
{
    return (struct packet){PKT_WAIT_FENCE_WORDS, {PKT_WAIT_FENCE, value}};
}

static inline struct packet packet_run(uint32_t offset, uint32_t bytes, bool is_privileged)
{
    return (struct packet){PKT_RUN_WORDS, {PKT_RUN | FIELD_PUT(is_privileged, PKT_RUN_PRIVILEGED), offset, bytes}};
}

static inline struct packet packet_guard(uint32_t first, uint32_t count, bool may_read, bool may_write)
{
    return (struct packet){PKT_GUARD_WORDS,
                           {PKT_GUARD | FIELD_PUT(may_read, PKT_GUARD_READ) | FIELD_PUT(may_write, PKT_GUARD_WRITE),
                            FIELD_PUT(first, PKT_GUARD_FIRST), FIELD_PUT(count, PKT_GUARD_COUNT)}};
}

static inline struct packet packet_map_list(uint32_t first, uint32_t count, uint32_t list, bool is_coherent)
{
    return (struct packet){PKT_MAP_LIST_WORDS,
                           {PKT_MAP_LIST | FIELD_PUT(is_coherent, PKT_MAP_LIST_COHERENT),
                            FIELD_PUT(first, PKT_MAP_LIST_FIRST), FIELD_PUT(count, PKT_MAP_LIST_COUNT), list}};
}

static inline struct packet packet_copy_list(uint32_t local, uint32_t bytes, uint32_t list, bool to_system)
{
    return (struct packet){PKT_COPY_LIST_WORDS,
                           {PKT_COPY_LIST | FIELD_PUT(to_system, PKT_COPY_LIST_TO_SYSTEM), local, bytes, list}};
}

static inline struct packet packet_unmap(uint32_t first, uint32_t count, uint32_t frame)
{
    return (struct packet){PKT_UNMAP_WORDS,
                           {PKT_UNMAP, FIELD_PUT(first, PKT_UNMAP_FIRST), FIELD_PUT(count, PKT_UNMAP_COUNT),
                            FIELD_PUT(frame, PKT_UNMAP_FRAME)}};
}

static inline struct packet packet_touch(uint32_t address, uint32_t bytes, bool is_write)
{
    return (struct packet){
        PKT_TOUCH_WORDS,
        {PKT_TOUCH | FIELD_PUT(is_write, PKT_TOUCH_WRITE) | FIELD_PUT(bytes, PKT_TOUCH_BYTES), address}};
}

static inline struct packet packet_copy(uint32_t source, uint32_t target, uint32_t bytes, bool has_barrier,
                                        bool is_reverse)
{
    return (struct packet){
        PKT_COPY_WORDS,
        {PKT_COPY | FIELD_PUT(has_barrier, PKT_COPY_BARRIER) | FIELD_PUT(is_reverse, PKT_COPY_REVERSE), source, target,
         bytes}};
}

static inline struct packet packet_fill(uint32_t target, uint32_t bytes, uint32_t pattern)
{
    return (struct packet){PKT_FILL_WORDS, {PKT_FILL, target, bytes, pattern}};
}

static inline struct packet packet_copy_2d(uint32_t source, uint32_t target, uint32_t row_bytes, uint32_t rows,
                                           uint32_t source_pitch, uint32_t target_pitch, bool has_barrier)
{
    return (struct packet){
        PKT_COPY_2D_WORDS,
        {PKT_COPY_2D | FIELD_PUT(has_barrier, PKT_COPY_2D_BARRIER), source, target,
         FIELD_PUT(row_bytes, PKT_COPY_2D_ROW_BYTES) | FIELD_PUT(rows, PKT_COPY_2D_ROWS),
         FIELD_PUT(source_pitch, PKT_COPY_2D_SOURCE_PITCH) | FIELD_PUT(target_pitch, PKT_COPY_2D_TARGET_PITCH)}};
}

/* A BIND with another address. */
static inline struct packet packet_bind(const uint32_t words[PKT_BIND_WORDS], uint32_t address)
{
    return (struct packet){PKT_BIND_WORDS, {words[0], address, words[2], words[3]}};
}
_Static_assert(PKT_BIND_ADDRESS_WORD == 1 && PKT_BIND_WORDS == 4, "the words of a BIND");

#endif
