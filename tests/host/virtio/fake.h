/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver's side of the queues, and a painter and a display that only keep what they are told, for tests of the virtio
 * GPU. The driver's memory begins at address 0x1000; what is before and behind it is poisoned.
 */
#ifndef TESTS_VIRTIO_FAKE_H
#define TESTS_VIRTIO_FAKE_H

#include "virtio/gpu.h"

enum { FAKE_FROM = 0x1000, FAKE_BYTES = 1 << 20, FAKE_SIZE = 64, FAKE_TABLE = 0x2000, FAKE_AVAILABLE = 0x4000 };
enum { FAKE_USED = 0x5000, FAKE_ANSWER = 0x6000, FAKE_COMMAND = 0x8000, FAKE_INDIRECT = 0x60000 };

struct fake_descriptor {
    uint64_t address;
    uint32_t bytes;
    uint16_t flags, next;
};
enum { FAKE_NEXT = 1, FAKE_WRITE = 2, FAKE_INDIRECT_FLAG = 4 };

/* What the painter and the display were told, a line each. */
extern char fake_told[8192];
extern bool fake_paints; /* false: every wish is refused */

uint8_t *fake_at(uint64_t address);
void fake_begin(struct virtio_gpu *gpu, struct virtio_queue *queue);
void fake_describe(uint32_t index, uint64_t address, uint32_t bytes, uint16_t flags, uint16_t next);
/* Make the chain from `head` available. */
void fake_offer(uint16_t head);
/* Bytes that were written into the last chain that was given back; its head. */
uint32_t fake_written(uint16_t *head);
uint16_t fake_used_index(void);
/* A command of `bytes`, with room for an answer: the answer's type. */
uint32_t fake_command(struct virtio_gpu *gpu, struct virtio_queue *queue, const void *command, uint32_t bytes);

#endif
