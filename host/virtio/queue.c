/* SPDX-License-Identifier: Apache-2.0
 *
 * See queue.h. Numbers in the driver's memory have their low byte first.
 */
#include "virtio/queue.h"

#include <string.h>

enum {
    DESCRIPTOR_BYTES = 16,
    USED_BYTES = 8,
    RING_HEAD_BYTES = 4, /* flags and index */
    FLAG_NEXT = 1,
    FLAG_WRITE = 2,
    FLAG_INDIRECT = 4,
    AVAILABLE_NO_INTERRUPT = 1,
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers in rings are copied as they are");

struct descriptor {
    uint64_t address;
    uint32_t bytes;
    uint16_t flags, next;
};
_Static_assert(sizeof(struct descriptor) == DESCRIPTOR_BYTES, "as it lies in memory");

uint32_t virtio_table_bytes(uint32_t size) { return size * (uint32_t)DESCRIPTOR_BYTES; }
uint32_t virtio_available_bytes(uint32_t size) { return (uint32_t)RING_HEAD_BYTES + 2u * size + 2u; }
uint32_t virtio_used_bytes(uint32_t size) { return (uint32_t)RING_HEAD_BYTES + (uint32_t)USED_BYTES * size + 2u; }

/* ------------------------------------------------------------------ words that both sides touch */

static uint16_t load(const uint8_t *place)
{
    uint16_t value;
    memcpy(&value, place, sizeof value);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* what the driver wrote before is read after */
    return value;
}

static void store(uint8_t *place, uint16_t value)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    memcpy(place, &value, sizeof value);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* and what is read next is read after the driver can see it */
}

static uint16_t available_index(const struct virtio_queue *queue) { return load(queue->available + 2); }

/* ------------------------------------------------------------------ life */

bool virtio_queue_start(struct virtio_queue *queue, uint32_t size, uint16_t next)
{
    const bool is_possible = size != 0 && size <= VIRTIO_QUEUE_MOST && (size & (size - 1u)) == 0;
    queue->size = is_possible ? size : 0;
    queue->next = queue->put = queue->notified = next;
    queue->is_broken = false;
    return is_possible;
}

void virtio_queue_stop(struct virtio_queue *queue) { queue->size = 0; }

/* ------------------------------------------------------------------ taking */

static bool add_part(const struct virtio_queue *queue, struct virtio_chain *chain, const struct descriptor *descriptor)
{
    const bool is_writable = (descriptor->flags & FLAG_WRITE) != 0;
    if (!is_writable && chain->readable_count != chain->part_count) return false; /* what is read comes first */
    if (chain->part_count == VIRTIO_CHAIN_MOST) return false;
    uint8_t *bytes = queue->memory.at(queue->memory.context, descriptor->address, descriptor->bytes);
    if (bytes == NULL || descriptor->bytes == 0) return false;
    chain->part[chain->part_count++] = (struct virtio_part){bytes, descriptor->bytes};
    if (!is_writable) chain->readable_count++;
    return true;
}

/* Follow the chain from `index` in a table of `count`. A loop is longer than the table. */
static bool follow(const struct virtio_queue *queue, struct virtio_chain *chain, const uint8_t *table, uint32_t count,
                   uint32_t index, bool is_indirect)
{
    struct descriptor descriptor;
    for (uint32_t seen = 0; seen < count; seen++) {
        if (index >= count) return false;
        memcpy(&descriptor, table + index * (size_t)DESCRIPTOR_BYTES, sizeof descriptor);
        if ((descriptor.flags & FLAG_INDIRECT) != 0) {
            const uint32_t entries = descriptor.bytes / DESCRIPTOR_BYTES;
            const bool is_last = (descriptor.flags & (FLAG_NEXT | FLAG_WRITE)) == 0;
            if (is_indirect || !is_last || descriptor.bytes % DESCRIPTOR_BYTES != 0 || entries == 0) return false;
            if (entries > VIRTIO_CHAIN_MOST) return false;
            const uint8_t *indirect = queue->memory.at(queue->memory.context, descriptor.address, descriptor.bytes);
            return indirect != NULL && follow(queue, chain, indirect, entries, 0, true);
        }
        if (!add_part(queue, chain, &descriptor)) return false;
        if ((descriptor.flags & FLAG_NEXT) == 0) return true;
        index = descriptor.next;
    }
    return false;
}

enum virtio_taken virtio_queue_take(struct virtio_queue *queue, struct virtio_chain *chain)
{
    if (queue->size == 0 || queue->is_broken) return queue->is_broken ? VIRTIO_BROKEN : VIRTIO_NOTHING;
    const uint16_t waiting = (uint16_t)(available_index(queue) - queue->next);
    if (waiting == 0) return VIRTIO_NOTHING;
    const uint32_t place = queue->next & (queue->size - 1u);
    const uint16_t head = load(queue->available + RING_HEAD_BYTES + 2u * place);
    if (waiting > queue->size || head >= queue->size) {
        queue->is_broken = true;
        return VIRTIO_BROKEN;
    }
    queue->next++;
    chain->head = head;
    chain->part_count = chain->readable_count = 0;
    return follow(queue, chain, queue->table, queue->size, head, false) ? VIRTIO_CHAIN : VIRTIO_MALFORMED;
}

/* ------------------------------------------------------------------ giving back */

void virtio_queue_give(struct virtio_queue *queue, uint16_t head, uint32_t written)
{
    const uint32_t element[2] = {head, written};
    if (queue->size == 0) return;
    memcpy(queue->used + RING_HEAD_BYTES + (queue->put & (queue->size - 1u)) * (size_t)USED_BYTES, element,
           sizeof element);
    queue->put++;
    store(queue->used + 2, queue->put);
}

bool virtio_queue_wait(struct virtio_queue *queue)
{
    if (queue->size == 0 || queue->is_broken) return false;
    if (queue->has_events) store(queue->used + RING_HEAD_BYTES + queue->size * (size_t)USED_BYTES, queue->next);
    return available_index(queue) != queue->next;
}

bool virtio_queue_notifies(struct virtio_queue *queue)
{
    const uint16_t before = queue->notified, now = queue->put;
    if (queue->size == 0 || before == now) return false;
    queue->notified = now;
    if (!queue->has_events) return (load(queue->available) & AVAILABLE_NO_INTERRUPT) == 0;
    const uint16_t event = load(queue->available + RING_HEAD_BYTES + 2u * (size_t)queue->size);
    return (uint16_t)(now - event - 1u) < (uint16_t)(now - before);
}

/* ------------------------------------------------------------------ what is in a chain */

static size_t lesser(size_t a, size_t b) { return a < b ? a : b; }

size_t virtio_chain_read(const struct virtio_chain *chain, size_t offset, void *data, size_t bytes)
{
    size_t done = 0;
    for (uint32_t i = 0; i < chain->readable_count && done < bytes; i++) {
        const struct virtio_part *part = &chain->part[i];
        if (offset >= part->count) {
            offset -= part->count;
            continue;
        }
        const size_t step = lesser(part->count - offset, bytes - done);
        memcpy((uint8_t *)data + done, part->bytes + offset, step);
        done += step;
        offset = 0;
    }
    return done;
}

size_t virtio_chain_write(const struct virtio_chain *chain, const void *data, size_t bytes)
{
    size_t done = 0;
    for (uint32_t i = chain->readable_count; i < chain->part_count && done < bytes; i++) {
        const struct virtio_part *part = &chain->part[i];
        const size_t step = lesser(part->count, bytes - done);
        memcpy(part->bytes, (const uint8_t *)data + done, step);
        done += step;
    }
    return done;
}
