/* SPDX-License-Identifier: Apache-2.0
 *
 * Our driver's side of the DDI: segment query, submission, access rights, fences, errors and reset. The
 * paging operations are in driver_paging.c.
 *
 * A submission is one atomic group in the ring: [WAIT_FENCE] [RUN ...] RUN FENCE. Access rights (GUARD), and bindings
 * of what has moved (BIND), are ring packets of their own around it, as many as needed; a submission's room is kept
 * free of them. Should the submission be withheld, they are left: a DMA buffer draws only with what it has bound
 * itself.
 */
#include "driver/driver.h"

#include "driver/driver_paging.h"
#include "ddi/patch.h"

enum {
    CLOBBER_WORDS = SLOT_LIMIT / 2 * PKT_RUN_WORDS, /* every second register */
    SUBMISSION_WORDS = PKT_WAIT_FENCE_WORDS + CLOBBER_WORDS + PKT_RUN_WORDS + PKT_FENCE_WORDS,
    RESERVED_WORDS = PKT_FENCE_WORDS /* always free in a ring: a preemption fence */
};

static const uint32_t local_page_limit = LIMIT_BITS_GUARD_SPACE_PAGES;

/* ------------------------------------------------------------------ segments */

static uint32_t aperture_pages(void) { return min_u32(hal_register_read(APERTURE_PAGES_OFFSET), local_page_limit); }

static uint32_t limited_pages(uint32_t bytes, uint32_t limit)
{
    uint32_t pages = min_u32(bytes / (uint32_t)PAGE_BYTES, local_page_limit);
    return limit == 0u ? pages : min_u32(pages, limit);
}

/* Memory on the chip takes 8 bytes in every cycle, the board's in every second one at best. */
static uint32_t page_cycles(uint32_t base)
{
    if (base >= GPU_LIMIT(ADDR_APERTURE)) return 0;
    return PAGE_BYTES / (base < GPU_LIMIT(ADDR_SEGMENT2) ? 8u : 4u);
}

static void add_segment(struct driver *driver, uint32_t flags, uint32_t base, uint32_t pages)
{
    uint32_t bytes = pages * (uint32_t)PAGE_BYTES;
    if (pages == 0u) return;
    driver->segment[driver->segment_count++] = (struct ddi_segment_descriptor){
        .flags = flags, .base_address = base, .size = bytes, .commit_limit = bytes, .page_cycles = page_cycles(base)};
}

/* Four banks of whole pages in the newest segment, if it is large enough. */
static void add_banks(struct driver *driver)
{
    struct ddi_segment_descriptor *segment = &driver->segment[driver->segment_count - 1u];
    uint32_t bank_pages = segment->size / (uint32_t)PAGE_BYTES / (uint32_t)DRIVER_BANKS;
    if (bank_pages == 0u) return;
    for (uint32_t i = 0; i + 1u < (uint32_t)DRIVER_BANKS; i++)
        driver->bank_end[i] = (i + 1u) * bank_pages * (uint32_t)PAGE_BYTES;
    segment->flags |= (uint32_t)DDI_SEGMENT_USE_BANKING;
    segment->number_of_banks = DRIVER_BANKS;
    segment->bank_end = driver->bank_end;
}

/* The DESCRIPTION group: the same memories, described in different ways. A memory without pages is no segment, and a
 * description that does not exist has none at all, which stops the boot. */
static void describe_segments(struct driver *driver, uint32_t description, uint32_t pages1, uint32_t pages2,
                              uint32_t aperture)
{
    const uint32_t coherent = (uint32_t)DDI_SEGMENT_APERTURE | (uint32_t)DDI_SEGMENT_CACHE_COHERENT;
    const uint32_t half1 = pages1 / 2u, half_aperture = aperture / 2u, page = PAGE_BYTES;
    driver->segment_count = 0;
    if (description == (uint32_t)DESCRIPTION_CUT) {
        add_segment(driver, 0, GPU_LIMIT(ADDR_SEGMENT1), half1);
        add_segment(driver, coherent, GPU_LIMIT(ADDR_APERTURE), half_aperture);
        add_segment(driver, 0, GPU_LIMIT(ADDR_SEGMENT1) + half1 * page, pages1 - half1);
        add_segment(driver, 0, GPU_LIMIT(ADDR_SEGMENT2), pages2);
        add_banks(driver);
        add_segment(driver, DDI_SEGMENT_APERTURE, GPU_LIMIT(ADDR_APERTURE) + half_aperture * page,
                    aperture - half_aperture);
    } else if (description == (uint32_t)DESCRIPTION_WHOLE) {
        add_segment(driver, 0, GPU_LIMIT(ADDR_SEGMENT1), pages1);
        add_segment(driver, 0, GPU_LIMIT(ADDR_SEGMENT2), pages2);
        add_segment(driver, coherent, GPU_LIMIT(ADDR_APERTURE), aperture);
    }
}

static void declare_caps(struct driver *driver, uint32_t options)
{
    uint32_t committed = 0, limit = hal_register_read(HOST_COMMIT_LIMIT_OFFSET);
    for (uint32_t i = 0; i < driver->segment_count; i++)
        if ((driver->segment[i].flags & DDI_SEGMENT_APERTURE) != 0u) committed += driver->segment[i].commit_limit;
    if (limit != 0u) committed = min_u32(committed, min_u32(limit, local_page_limit) * (uint32_t)PAGE_BYTES);
    driver->caps = (struct ddi_driver_caps){
        .wddm_version = FIELD_GET(options, HOST_BOOT_OPTIONS_PLAIN_QUERY) != 0u ? DDI_WDDM_1_0 : DDI_WDDM_1_2,
        .max_transfer_bytes = FIELD_GET(options, HOST_BOOT_OPTIONS_TRANSFER_PAGES) * (uint32_t)PAGE_BYTES,
        .highest_acceptable_address = driver->system_pages * (uint32_t)PAGE_BYTES - 1u, /* at most 2 GiB: boot checks */
        .max_allocation_list_slot_id = (uint32_t)SLOT_LIMIT - 1u,
        .aperture_segment_commit_limit = committed,
        .scheduling_caps = DDI_CAP_MULTI_ENGINE_AWARE,
        .nodes = NODE_LIMIT,
        .paging_node = NODE_PAGING,
        .preemption_granularity = DDI_PREEMPTION_DMA_BUFFER_BOUNDARY,
    };
}

void driver_init(struct driver *driver, const struct driver_layout *layout)
{
    uint32_t options = hal_register_read(HOST_BOOT_OPTIONS_OFFSET);
    uint32_t paging_bytes = FIELD_GET(options, HOST_BOOT_OPTIONS_PAGING_WORDS) * 4u;
    uint32_t pages1 =
        limited_pages(hal_register_read(MEMORY_SEGMENT1_BYTES_OFFSET), hal_register_read(HOST_SEGMENT1_LIMIT_OFFSET));
    uint32_t pages2 =
        limited_pages(hal_register_read(MEMORY_SEGMENT2_BYTES_OFFSET), hal_register_read(HOST_SEGMENT2_LIMIT_OFFSET));
    describe_segments(driver, FIELD_GET(options, HOST_BOOT_OPTIONS_DESCRIPTION), pages1, pages2, aperture_pages());
    driver->clobber = layout->clobber;
    driver->system_pages = layout->system_pages;
    driver->dummy_page = layout->dummy_page;
    const uint32_t longest_packet = PKT_COPY_2D_WORDS * 4u;
    driver->paging_buffer_bytes = GPU_LIMIT(PAGING_BUFFER_BYTES);
    if (paging_bytes != 0u)
        driver->paging_buffer_bytes = max_u32(min_u32(paging_bytes, GPU_LIMIT(PAGING_BUFFER_BYTES)), longest_packet);
    declare_caps(driver, options);
    driver->context_info = (struct ddi_context_info){layout->dma_bytes, 0, layout->list_entries, layout->list_entries};
    hal_register_write(APERTURE_DUMMY_OFFSET, driver->dummy_page);
    hal_register_write(NODE_PAGE_BOUND_OFFSET + (uint32_t)NODE_PAGING * (uint32_t)NODE_STRIDE, driver->system_pages);
    for (uint32_t node = 0; node < NODE_LIMIT; node++) {
        engine_init(&driver->engine[node], node, layout->ring[node], layout->ring_words[node],
                    layout->first_fence[node]);
        driver->preemption[node] = (struct driver_preemption){PREEMPTION_NONE, 0, 0};
        driver->submitted[node] = driver->reported[node] = layout->first_fence[node];
    }
}

static enum ddi_status query_adapter_info(void *adapter, enum ddi_query_type type,
                                          const struct ddi_query_segment_in *in, struct ddi_query_segment_out *out)
{
    const struct driver *driver = adapter;
    (void)in; /* no AGP aperture here, so no AGP segment whatever it says */
    if (type != (driver->caps.wddm_version < DDI_WDDM_1_2 ? DDI_QUERY_SEGMENT : DDI_QUERY_SEGMENT3))
        return DDI_NOT_SUPPORTED;
    uint32_t room = out->nb_segment;
    out->nb_segment = driver->segment_count;
    if (out->descriptor == NULL) return DDI_SUCCESS;
    ASSERT(room >= driver->segment_count);
    for (uint32_t i = 0; i < driver->segment_count; i++) out->descriptor[i] = driver->segment[i];
    out->paging_buffer_segment_id = 0;
    out->paging_buffer_size = driver->paging_buffer_bytes;
    out->paging_buffer_private_data_size = 0;
    return DDI_SUCCESS;
}

static void query_driver_caps(void *adapter, struct ddi_driver_caps *caps)
{
    const struct driver *driver = adapter;
    *caps = driver->caps;
}

/* ------------------------------------------------------------------ submission */

static enum ddi_status driver_create_context(void *adapter, uint32_t node, struct ddi_context_info *info)
{
    const struct driver *driver = adapter;
    if (node != (uint32_t)NODE_RENDER) return DDI_NOT_SUPPORTED;
    *info = driver->context_info;
    return DDI_SUCCESS;
}

static enum ddi_status patch(void *adapter, struct ddi_patch *arguments)
{
    (void)adapter;
    return patch_portion(arguments) ? DDI_SUCCESS : DDI_INVALID_PARAMETER;
}

static bool is_preempting(const struct driver *driver, uint32_t node)
{
    return driver->preemption[node].stage != PREEMPTION_NONE;
}

static bool ring_has_room(const struct driver *driver, uint32_t node, uint32_t words)
{
    return !is_preempting(driver, node) && engine_room(&driver->engine[node]) >= words + (uint32_t)RESERVED_WORDS;
}

static bool can_submit(void *adapter, uint32_t node) { return ring_has_room(adapter, node, SUBMISSION_WORDS); }

static void push(struct engine *engine, struct packet packet) { engine_push(engine, &packet); }

/* One BIND of nothing per register, in order, so that neighbours are one RUN. The area always holds the same words. */
static void clobber(struct driver *driver, struct engine *engine, uint64_t slots)
{
    const uint32_t bytes = PKT_BIND_WORDS * 4u;
    for (uint32_t slot = 0; slot < (uint32_t)SLOT_LIMIT; slot++) {
        uint32_t at = driver->clobber + slot * bytes;
        hal_command_write(at, PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT));
        for (uint32_t i = 1; i < (uint32_t)PKT_BIND_WORDS; i++) hal_command_write(at + i * 4u, 0);
    }
    for (uint32_t first = 0; first < (uint32_t)SLOT_LIMIT;) {
        uint32_t count = 0;
        while (first + count < (uint32_t)SLOT_LIMIT && (slots >> (first + count) & 1u) != 0u) count++;
        if (count != 0u) push(engine, packet_run(driver->clobber + first * bytes, count * bytes, false));
        first += count + 1u;
    }
}

static enum ddi_status submit_command(void *adapter, const struct ddi_submit_command *arguments)
{
    struct driver *driver = adapter;
    struct engine *engine = &driver->engine[arguments->node_ordinal];
    uint32_t start = arguments->submission_start_offset;
    uint32_t bytes = arguments->is_null_rendering ? 0u : arguments->submission_end_offset - start;
    if (start > arguments->submission_end_offset || arguments->submission_end_offset > arguments->dma_buffer_size)
        return DDI_INVALID_PARAMETER;
    ASSERT(ring_has_room(driver, arguments->node_ordinal, SUBMISSION_WORDS));
    engine_note(engine, arguments->submission_fence_id, start != 0u);
    if (arguments->must_wait) push(engine, packet_wait_fence(arguments->wait_fence_id));
    if (arguments->clobbered_slots != 0u) clobber(driver, engine, arguments->clobbered_slots);
    push(engine, packet_run(arguments->dma_buffer + start, bytes, arguments->is_paging));
    push(engine, packet_fence(arguments->submission_fence_id));
    engine_kick(engine);
    driver->submitted[arguments->node_ordinal] = arguments->submission_fence_id;
    return DDI_SUCCESS;
}

static bool set_access(void *adapter, const struct ddi_access *access)
{
    struct driver *driver = adapter;
    struct engine *engine = &driver->engine[NODE_RENDER];
    if (!ring_has_room(driver, NODE_RENDER, SUBMISSION_WORDS + PKT_GUARD_WORDS)) {
        engine_kick(engine); /* let the node make room */
        return false;
    }
    /* Guard spaces in the order of addresses: the two memories, the aperture. */
    uint32_t base = driver->segment[access->segment_id - 1u].base_address;
    uint32_t space = ((base >> SPACE_BITS) - (GPU_LIMIT(ADDR_SEGMENT1) >> SPACE_BITS)) * GPU_LIMIT(GUARD_SPACE_PAGES);
    uint32_t first = space + driver_first_page(driver, access->segment_id) + access->first_page;
    push(engine, packet_guard(first, access->pages, access->may_read, access->may_write));
    /* Rights are taken away at once; a grant may wait for the submission that needs it. */
    if (!access->may_read && !access->may_write) engine_kick(engine);
    return true;
}

/* Does another location patch this word? */
static bool is_patched(const struct ddi_rebinding *rebinding, uint32_t word)
{
    for (uint32_t i = 0; i < rebinding->patch_location_list_size; i++)
        if (rebinding->patch_location_list[i].patch_word == word) return true;
    return false;
}

/* Only a BIND loads a register. Of other packets the second address stands behind the first, which may look like one.
 */
static bool rebind(void *adapter, const struct ddi_rebinding *rebinding)
{
    struct driver *driver = adapter;
    struct engine *engine = &driver->engine[NODE_RENDER];
    const struct patch *patch = &rebinding->patch_location_list[rebinding->patch_location];
    const uint32_t first = patch->patch_word - (uint32_t)PKT_BIND_ADDRESS_WORD;
    const uint32_t *words = hal_command_memory(rebinding->dma_buffer + first * 4u);
    if ((words[0] & 0xffu) != (uint32_t)PKT_BIND || FIELD_GET(words[0], PKT_BIND_SLOT) != patch->slot ||
        is_patched(rebinding, first))
        return true;
    if (!ring_has_room(driver, NODE_RENDER, SUBMISSION_WORDS + PKT_BIND_WORDS)) {
        engine_kick(engine);
        return false;
    }
    push(engine, packet_bind(words, rebinding->address + patch->offset));
    return true;
}

/* ------------------------------------------------------------------ state of the nodes */

static uint32_t query_current_fence(void *adapter, uint32_t node)
{
    struct driver *driver = adapter;
    driver->reported[node] = engine_fence(&driver->engine[node]);
    return driver->reported[node];
}

/* What a node has got done, as a number that changes while it works. One packet of the paging node may move
 * megabytes, so its bytes count too; a packet of the render node comes from a stranger and has to end. */
static uint32_t progress_of(uint32_t node, uint32_t bank)
{
    uint32_t progress = hal_register_read(NODE_PACKETS_OFFSET + bank);
    if (node != (uint32_t)NODE_PAGING) return progress;
    return progress + hal_register_read(NODE_READ_LOCAL_OFFSET + bank) +
           hal_register_read(NODE_READ_SYSTEM_OFFSET + bank) + hal_register_read(NODE_WRITE_LOCAL_OFFSET + bank) +
           hal_register_read(NODE_WRITE_SYSTEM_OFFSET + bank);
}

static struct ddi_engine_status query_engine_status(void *adapter, uint32_t node)
{
    const struct driver *driver = adapter;
    uint32_t bank = node * (uint32_t)NODE_STRIDE;
    uint32_t status = hal_register_read(NODE_STATUS_OFFSET + bank);
    struct engine_error error = {0};
    struct ddi_engine_status result = {
        .is_faulted = engine_error(&driver->engine[node], &error),
        .is_busy = FIELD_GET(status, NODE_STATUS_BUSY) != 0u,
        .is_waiting = FIELD_GET(status, NODE_STATUS_WAITING) != 0u,
        .progress = progress_of(node, bank),
    };
    result.fault_code = error.code;
    return result;
}

static uint32_t query_work_cycles(void *adapter, uint32_t node)
{
    uint32_t bank = node * (uint32_t)NODE_STRIDE;
    (void)adapter;
    return hal_register_read(NODE_BUSY_CYCLES_OFFSET + bank) - hal_register_read(NODE_STALL_FENCE_OFFSET + bank);
}

static uint32_t query_written_bytes(void *adapter, uint32_t node)
{
    uint32_t bank = node * (uint32_t)NODE_STRIDE;
    (void)adapter;
    return hal_register_read(NODE_WRITE_LOCAL_OFFSET + bank) + hal_register_read(NODE_WRITE_SYSTEM_OFFSET + bank);
}

/* ------------------------------------------------------------------ preemption */

static enum ddi_status preempt_command(void *adapter, const struct ddi_preempt_command *arguments)
{
    struct driver *driver = adapter;
    uint32_t node = arguments->node_ordinal;
    struct engine *engine = &driver->engine[node];
    struct driver_preemption *preemption = &driver->preemption[node];
    if (preemption->stage != PREEMPTION_NONE) return DDI_INVALID_PARAMETER;
    *preemption = (struct driver_preemption){PREEMPTION_ASKED, arguments->preemption_fence_id, 0};
    if (engine_is_empty(engine) && driver->reported[node] == driver->submitted[node]) {
        preemption->stage = PREEMPTION_DIRECT;
        preemption->last_completed = driver->reported[node];
    } else {
        engine_kick(engine);
        engine_pause(engine, true);
    }
    return DDI_SUCCESS;
}

/* The node stands still between two ring packets. */
static void cut_ring(struct driver *driver, uint32_t node)
{
    struct engine *engine = &driver->engine[node];
    struct driver_preemption *preemption = &driver->preemption[node];
    preemption->last_completed = engine_withhold(engine);
    if (node == (uint32_t)NODE_RENDER) {
        push(engine, packet_fence(preemption->fence_id));
        driver->submitted[node] = preemption->fence_id;
    }
    engine_kick(engine);
    engine_pause(engine, false);
    preemption->stage = PREEMPTION_CUT;
}

static bool query_dma_preempted(void *adapter, uint32_t node, struct ddi_dma_preempted *report)
{
    struct driver *driver = adapter;
    struct driver_preemption *preemption = &driver->preemption[node];
    bool has_fence = node == (uint32_t)NODE_RENDER;
    if (preemption->stage == PREEMPTION_ASKED && engine_is_paused(&driver->engine[node])) cut_ring(driver, node);
    if (preemption->stage == PREEMPTION_NONE || preemption->stage == PREEMPTION_ASKED) return false;
    if (preemption->stage == PREEMPTION_CUT && has_fence && query_current_fence(driver, node) != preemption->fence_id)
        return false;
    /* What was withheld is submitted again, so the node passes its NOPs first: the ring has room however often it is
     * asked. Nothing is left there that waits for the render node. */
    if (preemption->stage == PREEMPTION_CUT && !has_fence && !engine_is_empty(&driver->engine[node])) return false;
    *report = (struct ddi_dma_preempted){preemption->fence_id, preemption->last_completed,
                                         preemption->stage == PREEMPTION_DIRECT};
    preemption->stage = PREEMPTION_NONE;
    return true;
}

/* ------------------------------------------------------------------ reset */

static void stop_node(struct driver *driver, uint32_t node)
{
    driver->preemption[node].stage = PREEMPTION_NONE;
    engine_stop(&driver->engine[node], driver->submitted[node]);
    driver->reported[node] = driver->submitted[node];
}

static void start_node(struct driver *driver, uint32_t node)
{
    struct engine *engine = &driver->engine[node];
    engine_start(engine);
    /* What took the grants back, or would have unmapped pages, was in the ring. */
    push(engine, node == (uint32_t)NODE_RENDER
                     ? packet_guard(0, (uint32_t)SPACE_COUNT * GPU_LIMIT(GUARD_SPACE_PAGES), false, false)
                     : packet_unmap(0, aperture_pages(), driver->dummy_page));
    engine_kick(engine);
}

static void reset_engine(void *adapter, struct ddi_reset_engine *arguments)
{
    struct driver *driver = adapter;
    stop_node(driver, arguments->node_ordinal);
    arguments->last_aborted_fence_id = driver->submitted[arguments->node_ordinal];
    start_node(driver, arguments->node_ordinal);
}

static void reset_from_timeout(void *adapter)
{
    for (uint32_t node = 0; node < NODE_LIMIT; node++) stop_node(adapter, node);
}

static void restart_from_timeout(void *adapter)
{
    for (uint32_t node = 0; node < NODE_LIMIT; node++) start_node(adapter, node);
}

struct ddi driver_ddi(struct driver *driver)
{
    return (struct ddi){
        .adapter = driver,
        .query_adapter_info = query_adapter_info,
        .create_context = driver_create_context,
        .build_paging_buffer = driver_build_paging_buffer,
        .patch = patch,
        .can_submit = can_submit,
        .submit_command = submit_command,
        .set_access = set_access,
        .rebind = rebind,
        .query_current_fence = query_current_fence,
        .query_engine_status = query_engine_status,
        .query_work_cycles = query_work_cycles,
        .query_written_bytes = query_written_bytes,
        .preempt_command = preempt_command,
        .query_dma_preempted = query_dma_preempted,
        .reset_engine = reset_engine,
        .reset_from_timeout = reset_from_timeout,
        .restart_from_timeout = restart_from_timeout,
        .query_driver_caps = query_driver_caps,
    };
}
