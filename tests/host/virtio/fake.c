/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake.h.
 */
#include "fake.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char fake_told[8192];
bool fake_paints = true;

static uint8_t *memory; /* of its own size, so that the sanitizer sees the byte behind it */
static uint16_t offered;

uint8_t *fake_at(uint64_t address) { return memory + (address - FAKE_FROM); }

static uint8_t *at(void *context, uint64_t address, uint64_t bytes)
{
    (void)context;
    if (address < FAKE_FROM || address - FAKE_FROM > FAKE_BYTES) return NULL;
    return bytes <= FAKE_BYTES - (address - FAKE_FROM) ? fake_at(address) : NULL;
}

/* ------------------------------------------------------------------ stand-ins */

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    va_list arguments;
    const size_t length = strlen(fake_told);
    va_start(arguments, format);
    vsnprintf(fake_told + length, sizeof fake_told - length, format, arguments);
    va_end(arguments);
}

static bool create(void *context, uint32_t place, uint32_t width, uint32_t height)
{
    (void)context;
    tell("create %u %ux%u\n", place, width, height);
    return fake_paints;
}
static void destroy(void *context, uint32_t place)
{
    (void)context;
    tell("destroy %u\n", place);
}
static bool attach(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count)
{
    (void)context;
    tell("attach %u %u", place, count);
    for (uint32_t i = 0; i < count && i < 4; i++)
        tell(" %llx+%x", (unsigned long long)entries[i].address, entries[i].bytes);
    tell("\n");
    return fake_paints;
}
static void detach(void *context, uint32_t place)
{
    (void)context;
    tell("detach %u\n", place);
}
static bool transfer(void *context, uint32_t place, const struct virtio_gpu_rectangle *part, uint64_t offset)
{
    (void)context;
    tell("transfer %u %u,%u %ux%u at %llu\n", place, part->x, part->y, part->width, part->height,
         (unsigned long long)offset);
    return fake_paints;
}
static void show(void *context, uint32_t scanout, uint32_t place, uint32_t format,
                 const struct virtio_gpu_rectangle *part)
{
    (void)context;
    tell("show %u: %d of %u %u,%u %ux%u\n", scanout, (int)place, format, part->x, part->y, part->width, part->height);
}
static void flush(void *context, uint32_t scanout, const struct virtio_gpu_rectangle *part)
{
    (void)context;
    tell("flush %u: %u,%u %ux%u\n", scanout, part->x, part->y, part->width, part->height);
}
static void cursor(void *context, uint32_t scanout, uint32_t place, uint32_t format, uint32_t hot_x, uint32_t hot_y)
{
    (void)context;
    tell("cursor %u: %d of %u hot %u,%u\n", scanout, (int)place, format, hot_x, hot_y);
}
static void move(void *context, uint32_t scanout, uint32_t x, uint32_t y)
{
    (void)context;
    tell("move %u: %u,%u\n", scanout, x, y);
}

/* ------------------------------------------------------------------ the driver */

void fake_begin(struct virtio_gpu *gpu, struct virtio_queue *queue)
{
    free(memory);
    memory = calloc(1, FAKE_BYTES);
    if (memory == NULL) abort();
    fake_paints = true;
    fake_told[0] = 0;
    offered = 0;
    *queue = (struct virtio_queue){.memory = {NULL, at},
                                   .table = fake_at(FAKE_TABLE),
                                   .available = fake_at(FAKE_AVAILABLE),
                                   .used = fake_at(FAKE_USED)};
    if (!virtio_queue_start(queue, FAKE_SIZE, 0)) abort();
    if (gpu == NULL) return;
    gpu->painter = (struct virtio_gpu_painter){NULL, create, destroy, attach, detach, transfer};
    gpu->display = (struct virtio_gpu_display){NULL, show, flush, cursor, move};
    gpu->scanouts = 2;
    gpu->width = 1024;
    gpu->height = 768;
    gpu->bytes_most = 64u << 20;
    virtio_gpu_begin(gpu);
}

void fake_describe(uint32_t index, uint64_t address, uint32_t bytes, uint16_t flags, uint16_t next)
{
    const struct fake_descriptor descriptor = {address, bytes, flags, next};
    memcpy(fake_at(FAKE_TABLE) + index * sizeof descriptor, &descriptor, sizeof descriptor);
}

void fake_offer(uint16_t head)
{
    memcpy(fake_at(FAKE_AVAILABLE) + 4 + 2 * (offered % FAKE_SIZE), &head, 2);
    offered++;
    memcpy(fake_at(FAKE_AVAILABLE) + 2, &offered, 2);
}

uint16_t fake_used_index(void)
{
    uint16_t index;
    memcpy(&index, fake_at(FAKE_USED) + 2, 2);
    return index;
}

uint32_t fake_written(uint16_t *head)
{
    uint32_t element[2];
    memcpy(element, fake_at(FAKE_USED) + 4 + 8 * ((fake_used_index() - 1u) % FAKE_SIZE), sizeof element);
    if (head != NULL) *head = (uint16_t)element[0];
    return element[1];
}

uint32_t fake_command(struct virtio_gpu *gpu, struct virtio_queue *queue, const void *command, uint32_t bytes)
{
    uint32_t type = 0;
    memcpy(fake_at(FAKE_COMMAND), command, bytes);
    memset(fake_at(FAKE_ANSWER), 0, 0x1000);
    fake_describe(0, FAKE_COMMAND, bytes, FAKE_NEXT, 1);
    fake_describe(1, FAKE_ANSWER, 0x1000, FAKE_WRITE, 0);
    fake_offer(0);
    const uint16_t before = fake_used_index();
    for (uint32_t turn = 0; turn < 100000 && fake_used_index() == before; turn++)
        if (!virtio_gpu_control(gpu, queue)) return 0;
    if (fake_written(NULL) < sizeof(struct virtio_gpu_header)) return 0;
    memcpy(&type, fake_at(FAKE_ANSWER), sizeof type);
    return type;
}
