/* SPDX-License-Identifier: Apache-2.0
 *
 * A split virtqueue as a device sees it (VIRTIO 1.2, 2.7), with indirect descriptors and event indices.
 *
 * The driver can change its memory at any time, and may be hostile. So each descriptor is copied once and then judged,
 * a chain is of a bounded length, and everything that is read from a chain is a copy.
 */
#ifndef TESSERA_VIRTIO_QUEUE_H
#define TESSERA_VIRTIO_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The driver's memory by its own addresses. NULL unless all bytes are in one piece of it. */
struct guest_memory {
    void *context;
    uint8_t *(*at)(void *context, uint64_t address, uint64_t bytes);
};

enum { VIRTIO_QUEUE_MOST = 1024, VIRTIO_CHAIN_MOST = 512 };

struct virtio_queue {
    struct guest_memory memory;
    uint32_t size;      /* descriptors, a power of two; 0: the queue is not running */
    uint8_t *table;     /* of 16 bytes each */
    uint8_t *available; /* flags, index, ring, used_event */
    uint8_t *used;      /* flags, index, ring of 8 bytes each, avail_event */
    bool has_events;    /* VIRTIO_F_EVENT_IDX was agreed on */
    uint16_t next;      /* of the available ring, the next to take */
    uint16_t put;       /* of the used ring, the next to fill */
    uint16_t notified;  /* `put` when the driver was last told */
    bool is_broken;     /* its indices make no sense: nothing is taken any more */
};

/* What a driver gave: parts that the device reads, then parts that the device writes. */
struct virtio_part {
    uint8_t *bytes;
    uint32_t count;
};
struct virtio_chain {
    uint16_t head;
    uint32_t part_count, readable_count; /* of the parts, these are read */
    struct virtio_part part[VIRTIO_CHAIN_MOST];
};

enum virtio_taken {
    VIRTIO_NOTHING,
    VIRTIO_CHAIN,
    VIRTIO_MALFORMED, /* `head` is set: give it back, with nothing written */
    VIRTIO_BROKEN,    /* the ring itself: there is nothing to give back */
};

/* Bytes that the three areas of a queue of this size take. */
uint32_t virtio_table_bytes(uint32_t size);
uint32_t virtio_available_bytes(uint32_t size);
uint32_t virtio_used_bytes(uint32_t size);

/* Begin at this index of the available ring. False: the size is not possible, and the queue does not run. */
bool virtio_queue_start(struct virtio_queue *queue, uint32_t size, uint16_t next);
void virtio_queue_stop(struct virtio_queue *queue);

enum virtio_taken virtio_queue_take(struct virtio_queue *queue, struct virtio_chain *chain);
/* The chain is the driver's again, with so many bytes written. */
void virtio_queue_give(struct virtio_queue *queue, uint16_t head, uint32_t written);
/* Ask to be told of the next chain. True: one is there already. */
bool virtio_queue_wait(struct virtio_queue *queue);
/* Does the driver want to hear of what was given back since the last time? */
bool virtio_queue_notifies(struct virtio_queue *queue);

/* Copy from what the device reads, from byte `offset` on; how many bytes there were. */
size_t virtio_chain_read(const struct virtio_chain *chain, size_t offset, void *data, size_t bytes);
/* Copy to what the device writes, from its beginning; how many bytes had room. */
size_t virtio_chain_write(const struct virtio_chain *chain, const void *data, size_t bytes);

#endif
