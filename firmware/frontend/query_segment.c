/* SPDX-License-Identifier: Apache-2.0
 *
 * See query_segment.h.
 */
#include "frontend/query_segment.h"

enum { QUERY_FORM_LIMIT = SEGMENT3_WORDS };

static uint32_t encode_segment3(const struct ddi_segment_descriptor *segment, uint32_t words[QUERY_FORM_LIMIT])
{
    for (uint32_t i = 0; i < QUERY_FORM_LIMIT; i++) words[i] = 0;
    words[SEGMENT3_FLAGS] = segment->flags;
    words[SEGMENT3_BASE] = segment->base_address;
    words[SEGMENT3_CPU_ADDRESS] = segment->cpu_translated_address;
    words[SEGMENT3_SIZE] = segment->size;
    words[SEGMENT3_BANKS] = segment->number_of_banks;
    words[SEGMENT3_COMMIT_LIMIT] = segment->commit_limit;
    words[SEGMENT3_SYSTEM_END] = segment->system_memory_end_address;
    return SEGMENT3_WORDS;
}

static uint32_t encode_segment2(const struct ddi_segment_descriptor *segment, uint32_t words[QUERY_FORM_LIMIT])
{
    for (uint32_t i = 0; i < QUERY_FORM_LIMIT; i++) words[i] = 0;
    words[SEGMENT2_BASE] = segment->base_address;
    words[SEGMENT2_CPU_ADDRESS] = segment->cpu_translated_address;
    words[SEGMENT2_SIZE] = segment->size;
    words[SEGMENT2_BANKS] = segment->number_of_banks;
    words[SEGMENT2_COMMIT_LIMIT] = segment->commit_limit;
    words[SEGMENT2_FLAGS] = segment->flags;
    return SEGMENT2_WORDS;
}

static struct reply refused(struct reply reply, enum gpu_status status, uint32_t detail)
{
    reply.status = status;
    reply.detail = detail;
    return reply;
}

/* The documents' two calls, seen from the host: address 0 asks for the count and nothing else is written. */
struct reply query_segment(struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    uint32_t form = message[MSG_QUERY_SEGMENT_FORM], address = message[MSG_QUERY_SEGMENT_ADDRESS];
    struct ddi_query_segment_in in = {message[MSG_QUERY_SEGMENT_AGP_BASE], message[MSG_QUERY_SEGMENT_AGP_SIZE],
                                      message[MSG_QUERY_SEGMENT_AGP_FLAGS]};
    struct ddi_query_segment_out out = {0};
    if (form != DDI_QUERY_SEGMENT && form != DDI_QUERY_SEGMENT3)
        return (struct reply){.status = STATUS_BAD_ARGUMENT, .detail = MSG_QUERY_SEGMENT_FORM};
    if (manager->ddi.query_adapter_info(manager->ddi.adapter, (enum ddi_query_type)form, &in, &out) != DDI_SUCCESS)
        return (struct reply){.status = STATUS_UNSUPPORTED, .detail = MSG_QUERY_SEGMENT_FORM};
    const struct reply counted = {.status = STATUS_OK, .words = {[REPLY_QUERY_SEGMENT_COUNT - 4] = out.nb_segment}};
    if (address == 0u) return counted;

    struct ddi_segment_descriptor descriptors[SEGMENT_LIMIT];
    uint32_t stride = form == DDI_QUERY_SEGMENT3 ? SEGMENT3_WORDS : SEGMENT2_WORDS;
    uint32_t count = out.nb_segment;
    if (message[MSG_QUERY_SEGMENT_COUNT] < count) return refused(counted, STATUS_BAD_ARGUMENT, MSG_QUERY_SEGMENT_COUNT);
    if (!host_owns(&manager->host, address, (SEGMENT_OUT_DESCRIPTORS + count * stride) * 4u))
        return refused(counted, STATUS_BAD_ADDRESS, MSG_QUERY_SEGMENT_ADDRESS);
    out.descriptor = descriptors;
    manager->ddi.query_adapter_info(manager->ddi.adapter, (enum ddi_query_type)form, &in, &out);
    uint32_t head[SEGMENT_OUT_DESCRIPTORS] = {out.nb_segment, out.paging_buffer_segment_id, out.paging_buffer_size,
                                              out.paging_buffer_private_data_size};
    hal_system_write(address, head, SEGMENT_OUT_DESCRIPTORS);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t words[QUERY_FORM_LIMIT];
        uint32_t used = form == DDI_QUERY_SEGMENT3 ? encode_segment3(&descriptors[i], words)
                                                   : encode_segment2(&descriptors[i], words);
        hal_system_write(address + (SEGMENT_OUT_DESCRIPTORS + i * stride) * 4u, words, used);
    }
    return counted;
}

bool query_context_room(const struct manager *manager, struct refusal *why)
{
    const uint32_t apertures = manager->residency.world.table.aperture_set;
    const struct table_limits *limits = &manager->limits;
    struct ddi_context_info info;
    *why = (struct refusal){STATUS_UNSUPPORTED, 0};
    if (manager->ddi.create_context(manager->ddi.adapter, NODE_RENDER, &info) != DDI_SUCCESS) return false;
    if ((info.dma_buffer_segment_set & ~apertures) != 0u) {
        *why = (struct refusal){STATUS_BAD_SEGMENT_SET, info.dma_buffer_segment_set};
        return false;
    }
    return info.dma_buffer_segment_set == 0u && info.dma_buffer_size <= limits->dma_bytes &&
           info.allocation_list_size <= limits->list_entries && info.patch_location_list_size <= limits->list_entries;
}
