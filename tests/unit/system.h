/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the whole firmware share: one client, one stream, patterns of content.
 */
#ifndef TESSERA_UNIT_SYSTEM_H
#define TESSERA_UNIT_SYSTEM_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client.h"

enum { SET_1 = 1, SET_2 = 2, SET_APERTURE = 4, SET_LOCAL = 3, SET_ALL = 7 };

static struct client client;

static struct stream stream;

static struct gpu_options gpu_options;

static inline void open_with(uint32_t segment1_pages, uint32_t segment2_pages, uint32_t force, uint32_t seed)
{
    const struct device_options options = {.memory_bytes = 8u << 20,
                                           .segment1_bytes = segment1_pages * CLIENT_PAGE,
                                           .segment2_bytes = segment2_pages * CLIENT_PAGE,
                                           .aperture_pages = 16,
                                           .seed = seed,
                                           .gpu = &gpu_options};
    client_open(&client, &options, force);
}

static inline void close_checked(void)
{
    CHECK(gpu_check(device_gpu(client.device)));
    client_close(&client);
}

static inline struct answer submit(uint32_t context)
{
    uint32_t message[16];
    client_stage(&client, &stream, context, 0, message);
    return client_call(&client, message);
}

static inline void fill_pattern(const struct client_allocation *allocation, uint8_t seed)
{
    uint8_t bytes[CLIENT_PAGES * CLIENT_PAGE];
    for (uint32_t i = 0; i < allocation->pages * CLIENT_PAGE; i++) bytes[i] = (uint8_t)(seed + i * 7u + i / 256u);
    client_write(&client, allocation, bytes);
}

static inline bool has_pattern(const struct client_allocation *allocation, uint8_t seed)
{
    uint8_t bytes[CLIENT_PAGES * CLIENT_PAGE];
    client_read(&client, allocation, bytes);
    for (uint32_t i = 0; i < allocation->pages * CLIENT_PAGE; i++)
        if (bytes[i] != (uint8_t)(seed + i * 7u + i / 256u)) return false;
    return true;
}

/* Word `index` of an allocation's host pages. */
static inline uint32_t word_of(const struct client_allocation *allocation, uint32_t index)
{
    uint32_t words[CLIENT_PAGES * CLIENT_PAGE / 4];
    client_read(&client, allocation, (uint8_t *)words);
    return words[index];
}

static inline bool is_resident(const struct client_allocation *allocation)
{
    const struct allocation_table *table = &device_gpu(client.device)->manager.residency.world.table;
    uint32_t index;
    return allocation_find(table, allocation->handle, &index) && table->entry[index].segment != 0;
}

static inline uint32_t use(uint32_t context, const struct client_allocation *allocation)
{
    stream_init(&stream);
    stream_fill(&stream, allocation->handle, 0, 8, 1, 0);
    return submit(context).status;
}

#endif
