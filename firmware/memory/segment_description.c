/* SPDX-License-Identifier: Apache-2.0
 *
 * Segment descriptions. A rule of one segment is a line of segment_rule(); rules between segments and rules
 * of the whole adapter follow. Size and base of an AGP segment are ignored, as the documents say.
 */
#include "memory/segment_description.h"

enum { PRESERVE_LSB = 7, BANK_LIMIT = 127, SLOT_FIELD_BITS = 24 };

static const uint32_t known_flags =
    (uint32_t)DDI_SEGMENT_APERTURE | (uint32_t)DDI_SEGMENT_AGP | (uint32_t)DDI_SEGMENT_CPU_VISIBLE |
    (uint32_t)DDI_SEGMENT_USE_BANKING | (uint32_t)DDI_SEGMENT_CACHE_COHERENT | (uint32_t)DDI_SEGMENT_POPULATED |
    (uint32_t)DDI_SEGMENT_PRESERVED_STANDBY | (uint32_t)DDI_SEGMENT_PRESERVED_HIBERNATE |
    (uint32_t)DDI_SEGMENT_PRESERVED_PARTIALLY;

static bool has(const struct ddi_segment_descriptor *segment, uint32_t flag) { return (segment->flags & flag) != 0u; }

static bool is_memory(const struct ddi_segment_descriptor *segment)
{
    return !has(segment, (uint32_t)DDI_SEGMENT_APERTURE | (uint32_t)DDI_SEGMENT_AGP);
}

static bool is_whole_pages(uint32_t bytes) { return bytes % (uint32_t)PAGE_BYTES == 0u; }

/* ------------------------------------------------------------------ one segment */

/* Bits: standby 1, hibernate 2, partially 4. Valid: none, standby, standby with either of the others. */
static bool is_preserve_valid(uint32_t flags)
{
    const uint32_t valid = 1u << 0 | 1u << 1 | 1u << 3 | 1u << 5;
    return (valid >> (flags >> PRESERVE_LSB & 7u) & 1u) != 0u;
}

/* Last byte of the segment addressable, not past the end of 32 bits. */
static bool is_size_valid(const struct ddi_segment_descriptor *segment)
{
    return is_whole_pages(segment->size) && is_whole_pages(segment->base_address) &&
           (segment->size == 0u || segment->size - 1u <= UINT32_MAX - segment->base_address);
}

static bool is_commit_limit_valid(const struct ddi_segment_descriptor *segment)
{
    return is_memory(segment) ? segment->commit_limit == segment->size : is_whole_pages(segment->commit_limit);
}

/* The table holds the ends of all banks but the last, which ends with the segment: ascending ends inside the
 * segment make the banks contiguous and cover it. */
static bool are_banks_valid(const struct ddi_segment_descriptor *segment)
{
    uint32_t end = 0;
    if (!has(segment, DDI_SEGMENT_USE_BANKING)) return segment->number_of_banks == 0u;
    if (!is_memory(segment) || segment->number_of_banks == 0u || segment->number_of_banks > BANK_LIMIT) return false;
    if (segment->number_of_banks > 1u && segment->bank_end == NULL) return false;
    for (uint32_t i = 0; i + 1u < segment->number_of_banks; i++) {
        if (segment->bank_end[i] <= end || segment->bank_end[i] >= segment->size) return false;
        end = segment->bank_end[i];
    }
    return true;
}

static enum segment_rule rule_of_segment(const struct ddi_query_segment_in *in,
                                         const struct ddi_segment_descriptor *segment)
{
    if ((segment->flags & ~known_flags) != 0u) return SEGMENT_RULE_FLAGS_KNOWN;
    if (has(segment, DDI_SEGMENT_AGP)) {
        if (segment->flags != (uint32_t)DDI_SEGMENT_AGP) return SEGMENT_RULE_AGP_ALONE;
        return in->agp_aperture_size == 0u ? SEGMENT_RULE_AGP_INFO : SEGMENT_RULE_NONE;
    }
    if (has(segment, DDI_SEGMENT_CACHE_COHERENT) && is_memory(segment)) return SEGMENT_RULE_CACHE_COHERENT;
    if (!is_preserve_valid(segment->flags)) return SEGMENT_RULE_PRESERVE;
    if (segment->system_memory_end_address != 0u && !has(segment, DDI_SEGMENT_PRESERVED_PARTIALLY))
        return SEGMENT_RULE_SYSTEM_END;
    if (!is_size_valid(segment)) return SEGMENT_RULE_SIZE;
    if (!is_commit_limit_valid(segment)) return SEGMENT_RULE_COMMIT_LIMIT;
    if (segment->cpu_translated_address != 0u && !has(segment, DDI_SEGMENT_CPU_VISIBLE))
        return SEGMENT_RULE_CPU_ADDRESS;
    return are_banks_valid(segment) ? SEGMENT_RULE_NONE : SEGMENT_RULE_BANKS;
}

/* ------------------------------------------------------------------ between segments */

static enum segment_rule rule_of_pair(const struct ddi_segment_descriptor *a, const struct ddi_segment_descriptor *b)
{
    bool is_agp_a = has(a, DDI_SEGMENT_AGP), is_agp_b = has(b, DDI_SEGMENT_AGP);
    if (is_agp_a && is_agp_b) return SEGMENT_RULE_AGP_ONCE;
    if (is_agp_a || is_agp_b) return SEGMENT_RULE_NONE;
    const struct ddi_segment_descriptor *low = a->base_address <= b->base_address ? a : b;
    const struct ddi_segment_descriptor *high = low == a ? b : a;
    bool is_apart = low->size <= high->base_address - low->base_address || high->size == 0u;
    return is_apart ? SEGMENT_RULE_NONE : SEGMENT_RULE_OVERLAP;
}

/* ------------------------------------------------------------------ the adapter */

static bool are_scheduling_caps_valid(uint32_t caps)
{
    const uint32_t needs_engines =
        (uint32_t)DDI_CAP_PREEMPTION_AWARE | (uint32_t)DDI_CAP_NO_DMA_PATCHING | (uint32_t)DDI_CAP_CANCEL_COMMAND_AWARE;
    if ((caps & needs_engines) != 0u && (caps & DDI_CAP_MULTI_ENGINE_AWARE) == 0u) return false;
    return (caps & DDI_CAP_NO_DMA_PATCHING) == 0u || (caps & DDI_CAP_PREEMPTION_AWARE) != 0u;
}

static enum segment_rule rule_of_adapter(const struct ddi_query_segment_out *out, const struct ddi_driver_caps *caps,
                                         const struct segment_description_limits *limits)
{
    uint32_t id = out->paging_buffer_segment_id, slot = caps->max_allocation_list_slot_id;
    if (id > out->nb_segment) return SEGMENT_RULE_PAGING_SEGMENT;
    if (id != 0u && !has(&out->descriptor[id - 1u], DDI_SEGMENT_APERTURE)) return SEGMENT_RULE_PAGING_SEGMENT;
    if (out->paging_buffer_size == 0u) return SEGMENT_RULE_PAGING_SIZE;
    if (slot >> SLOT_FIELD_BITS != 0u || slot >= limits->slots) return SEGMENT_RULE_SLOTS;
    if (!are_scheduling_caps_valid(caps->scheduling_caps)) return SEGMENT_RULE_SCHEDULING_CAPS;
    return caps->paging_node < caps->nodes ? SEGMENT_RULE_NONE : SEGMENT_RULE_PAGING_NODE;
}

bool segment_description_check(const struct ddi_query_segment_in *in, const struct ddi_query_segment_out *out,
                               const struct ddi_driver_caps *caps, const struct segment_description_limits *limits,
                               struct segment_fault *fault)
{
    *fault = (struct segment_fault){SEGMENT_RULE_NONE, 0};
    if (out->nb_segment == 0u || out->nb_segment > limits->segments) fault->rule = SEGMENT_RULE_COUNT;
    for (uint32_t i = 0; fault->rule == SEGMENT_RULE_NONE && i < out->nb_segment; i++) {
        fault->segment = i;
        fault->rule = rule_of_segment(in, &out->descriptor[i]);
        for (uint32_t k = 0; fault->rule == SEGMENT_RULE_NONE && k < i; k++)
            fault->rule = rule_of_pair(&out->descriptor[k], &out->descriptor[i]);
    }
    if (fault->rule == SEGMENT_RULE_NONE) *fault = (struct segment_fault){rule_of_adapter(out, caps, limits), 0};
    return fault->rule == SEGMENT_RULE_NONE;
}

/* ------------------------------------------------------------------ totals */

static uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }

struct memory_totals segment_description_totals(const struct ddi_query_segment_out *out,
                                                const struct ddi_driver_caps *caps, uint64_t system_bytes)
{
    const uint64_t least_available = 64u << 20;
    struct memory_totals totals = {0};
    uint64_t committed = 0;
    totals.available_system_memory = system_bytes / 2u > least_available ? system_bytes / 2u : least_available;
    for (uint32_t i = 0; i < out->nb_segment; i++) {
        const struct ddi_segment_descriptor *segment = &out->descriptor[i];
        if (!is_memory(segment)) committed += segment->commit_limit;
        else if (has(segment, DDI_SEGMENT_POPULATED)) totals.dedicated_system_memory += segment->size;
        else totals.dedicated_video_memory += segment->size;
    }
    totals.dedicated_system_memory = min_u64(totals.dedicated_system_memory, totals.available_system_memory);
    totals.shared_system_memory = min_u64(min_u64(committed, caps->aperture_segment_commit_limit),
                                          totals.available_system_memory - totals.dedicated_system_memory);
    totals.total_video_memory =
        totals.dedicated_video_memory + totals.dedicated_system_memory + totals.shared_system_memory;
    return totals;
}
