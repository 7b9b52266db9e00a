/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes' command rings, for test firmware without a driver. Whoever includes it says before how long they are:
 * RING_LOG2, log2 of the words. They lie at the beginning of command RAM, with as much again between them.
 */
#ifndef TEST_RINGS_H
#define TEST_RINGS_H

#include "device.h"

enum { RING_WORDS = 1 << RING_LOG2 };

static uint32_t tail[2];

static inline uint32_t ring_of(unsigned node) { return node * 8u * RING_WORDS; }

/* The next word of the node's ring; it is seen at the next kick. There must be room. */
static inline void put(unsigned node, uint32_t word)
{
    *word_at(GPU_LIMIT(ADDR_COMMAND) + ring_of(node) + 4 * (tail[node]++ % RING_WORDS)) = word;
}

static inline void kick(unsigned node) { reg_write(NODE_TAIL_OFFSET + node * (uint32_t)NODE_STRIDE, tail[node]); }

/* Reset the node and let it run with an empty ring. */
static inline void start_node(unsigned node)
{
    uint32_t block = node * (uint32_t)NODE_STRIDE;
    reg_write(block + NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_RESET));
    while (FIELD_GET(reg_read(block + NODE_CONTROL_OFFSET), NODE_CONTROL_RESET)) continue;
    reg_write(block + NODE_RING_BASE_OFFSET, ring_of(node));
    reg_write(block + NODE_RING_SIZE_OFFSET, RING_LOG2);
    tail[node] = reg_read(block + NODE_HEAD_OFFSET);
    kick(node);
    reg_write(block + NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_ENABLE));
}

#endif
