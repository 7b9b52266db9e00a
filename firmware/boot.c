/* SPDX-License-Identifier: Apache-2.0
 *
 * Boot: what lies where, what the host asks for, and every module for the first time.
 *
 * Command RAM from its start: the render node's ring, then the paging buffers, messages that wait, and the rest for the
 * private copies of DMA buffers and their patch locations. Between the paging buffers lie the paging node's ring with
 * the packets of FORCE.CLOBBER, the list of the DMA buffer being examined (after the private copies, if it has no room
 * here), and the records of jobs and clients.
 */
#include <stddef.h>

#include "gpu.h"
#include "gpu_hash.h"
#include "policy/policies.h"
#include "schedule/timeline.h"

enum {
    RING_WORDS = LIMIT_BITS_RING_WORDS,
    PAGING_RING_WORDS = RING_WORDS / 4, /* no more than a submission per buffer and what a preemption leaves */
    GAP_BYTES = PAGING_STRIDE - LIMIT_BITS_PAGING_BUFFER_BYTES,
    PAGING_OFFSET = RING_WORDS * 4,
    PAGING_RING_OFFSET = PAGING_OFFSET + LIMIT_BITS_PAGING_BUFFER_BYTES,
    CLOBBER_OFFSET = PAGING_RING_OFFSET + PAGING_RING_WORDS * 4,
    LIST_OFFSET = PAGING_RING_OFFSET + PAGING_STRIDE,
    JOBS_OFFSET = LIST_OFFSET + PAGING_STRIDE,
    CLIENTS_OFFSET = JOBS_OFFSET + JOB_COUNT * (int)sizeof(struct job_record),
    DEFERRED_OFFSET = PAGING_OFFSET + (PAGING_BUFFER_COUNT - 1) * PAGING_STRIDE + LIMIT_BITS_PAGING_BUFFER_BYTES,
    POOL_OFFSET = DEFERRED_OFFSET + (DEFERRED_LIMIT + 1) * (int)sizeof(struct command)
};
_Static_assert(PAGING_OFFSET % PAGING_STRIDE == 0, "paging buffers are aligned");
_Static_assert(PAGING_BUFFER_COUNT >= 4, "three gaps");
_Static_assert(PAGING_RING_WORDS * 4 + DRIVER_CLOBBER_BYTES <= GAP_BYTES, "between two paging buffers");
_Static_assert(JOB_COUNT * sizeof(struct job_record) + CLIENT_LIMIT * sizeof(struct client_record) <= GAP_BYTES,
               "between two paging buffers");

static const uint32_t default_timeout = 4000000u, default_recoveries = 5u;
static const uint32_t system_page_limit = 0x80000000u / PAGE_BYTES;

/* ------------------------------------------------------------------ boot */

static bool stop_boot(enum gpu_status status)
{
    hal_register_write(HOST_BOOT_STATUS_OFFSET, 0x80000000u + (uint32_t)status);
    return false;
}

/* Any mixture of memory segments and apertures; buffers in command RAM. Anything else is legal but cannot be
 * driven here. */
static bool can_manage(const struct manager *manager)
{
    const struct ddi_query_segment_out *out = &manager->adapter;
    for (uint32_t i = 0; i < out->nb_segment; i++) {
        const struct ddi_segment_descriptor *segment = &manager->segments[i];
        if ((segment->flags & ((uint32_t)DDI_SEGMENT_AGP | (uint32_t)DDI_SEGMENT_CPU_VISIBLE)) != 0u) return false;
        if (segment->size / (uint32_t)PAGE_BYTES > UINT16_MAX) return false;
    }
    return out->paging_buffer_segment_id == 0u && manager->caps.paging_node == NODE_PAGING &&
           manager->caps.max_allocation_list_slot_id == (uint32_t)SLOT_LIMIT - 1u &&
           manager->caps.max_transfer_bytes % (uint32_t)PAGE_BYTES == 0u &&
           out->paging_buffer_private_data_size <= (uint32_t)PAGING_PRIVATE_BYTES;
}

/* The two-call query in the form of the driver's version (SEG-09), and the rules that make an adapter fail to
 * initialise. There is no AGP aperture: its description is all zero, in both calls (SEG-04, SEG-05). */
static bool query_segments(struct manager *manager, struct segment_fault *fault)
{
    const struct ddi *ddi = &manager->ddi;
    const struct ddi_query_segment_in no_agp = {0, 0, 0};
    const struct segment_description_limits limits = {SEGMENT_LIMIT, SLOT_LIMIT};
    struct ddi_query_segment_out *out = &manager->adapter;
    *out = (struct ddi_query_segment_out){0};
    *fault = (struct segment_fault){SEGMENT_RULE_NONE, 0};
    ddi->query_driver_caps(ddi->adapter, &manager->caps);
    const enum ddi_query_type form = manager->caps.wddm_version < DDI_WDDM_1_2 ? DDI_QUERY_SEGMENT : DDI_QUERY_SEGMENT3;
    if (ddi->query_adapter_info(ddi->adapter, form, &no_agp, out) != DDI_SUCCESS) return false;
    if (out->nb_segment == 0u || out->nb_segment > limits.segments) {
        fault->rule = SEGMENT_RULE_COUNT;
        return false;
    }
    out->descriptor = manager->segments;
    if (ddi->query_adapter_info(ddi->adapter, form, &no_agp, out) != DDI_SUCCESS) return false;
    return segment_description_check(&no_agp, out, &manager->caps, &limits, fault) && can_manage(manager);
}

/* The map and the table of the segments. An aperture's map covers as many pages as may be mapped: its own
 * commit limit (SEG-16); what all apertures map together is bounded by the planner (SEG-17). */
static void init_segments(struct manager *manager, struct tables *tables, uint32_t system_pages)
{
    uint16_t segment_pages[SEGMENT_LIMIT] = {0};
    uint32_t page_cycles[SEGMENT_LIMIT] = {0}, base_page[SEGMENT_LIMIT] = {0};
    uint32_t apertures = 0;
    struct memory_totals *totals = &manager->totals;
    *totals =
        segment_description_totals(&manager->adapter, &manager->caps, (uint64_t)system_pages * (uint32_t)PAGE_BYTES);
    for (uint32_t i = 0; i < manager->adapter.nb_segment; i++) {
        const struct ddi_segment_descriptor *segment = &manager->segments[i];
        if ((segment->flags & DDI_SEGMENT_APERTURE) != 0u) apertures |= 1u << i;
        segment_pages[i] = (uint16_t)(min_u32(segment->size, segment->commit_limit) / (uint32_t)PAGE_BYTES);
    }
    residency_init(&manager->residency, tables, segment_pages, system_pages);
    if (tables->is_short) return;
    for (uint32_t i = 0; i < manager->adapter.nb_segment; i++) {
        manager->residency.world.table.banks[i] =
            (struct allocation_banks){manager->segments[i].bank_end, manager->segments[i].number_of_banks};
        page_cycles[i] = manager->segments[i].page_cycles;
        base_page[i] = manager->segments[i].base_address / (uint32_t)PAGE_BYTES;
    }
    allocation_table_tell(&manager->residency.world.table, base_page);
    residency_set_page_cycles(&manager->residency.outlook, page_cycles);
    allocation_table_set_apertures(&manager->residency.world.table, apertures,
                                   (uint32_t)(totals->shared_system_memory / (uint32_t)PAGE_BYTES));
    manager->statistics[STAT_AVAILABLE_SYSTEM] = (uint32_t)(totals->available_system_memory / (uint32_t)PAGE_BYTES);
    manager->statistics[STAT_DEDICATED_VIDEO] = (uint32_t)(totals->dedicated_video_memory / (uint32_t)PAGE_BYTES);
    manager->statistics[STAT_DEDICATED_SYSTEM] = (uint32_t)(totals->dedicated_system_memory / (uint32_t)PAGE_BYTES);
    manager->statistics[STAT_SHARED_SYSTEM] = (uint32_t)(totals->shared_system_memory / (uint32_t)PAGE_BYTES);
    manager->statistics[STAT_TOTAL_VIDEO] = (uint32_t)(totals->total_video_memory / (uint32_t)PAGE_BYTES);
}

static uint32_t option(uint32_t offset, uint32_t otherwise)
{
    uint32_t value = hal_register_read(offset);
    return value != 0u ? value : otherwise;
}

/* As the registers say; what is derived from TIMEOUT is at most all ones. */
static struct recovery_limits read_limits(void)
{
    uint32_t timeout = option(HOST_TIMEOUT_OFFSET, default_timeout), limit = UINT32_MAX / 2u;
    return (struct recovery_limits){
        .timeout = timeout,
        .preempt_delay = option(HOST_PREEMPT_DELAY_OFFSET, timeout),
        .portion = option(HOST_PORTION_LIMIT_OFFSET, timeout > limit / 16u ? limit : timeout * 16u),
        .recoveries = option(HOST_RECOVERY_LIMIT_OFFSET, default_recoveries),
        .window = option(HOST_RECOVERY_WINDOW_OFFSET, timeout > limit / 30u ? limit : timeout * 30u),
    };
}

/* A limit of this boot, rounded up to a multiple of `unit`; false: above its maximum. */
static bool read_limit(uint32_t offset, uint32_t otherwise, uint32_t unit, uint32_t maximum, uint32_t *limit)
{
    const uint32_t value = option(offset, otherwise);
    *limit = align_up(value, unit);
    return value <= maximum;
}

/* The limits that the host asks for; false: no firmware has so many. */
static bool read_table_limits(struct table_limits *limits)
{
    const bool has_allocations =
        read_limit(HOST_ALLOCATIONS_OFFSET, ALLOCATION_DEFAULT, 32, ALLOCATION_MAXIMUM, &limits->allocations);
    const bool has_contexts = read_limit(HOST_CONTEXTS_OFFSET, CONTEXT_DEFAULT, 32, CONTEXT_MAXIMUM, &limits->contexts);
    const bool has_entries =
        read_limit(HOST_LIST_ENTRIES_OFFSET, LIST_DEFAULT, 32, LIST_MAXIMUM, &limits->list_entries);
    const bool has_bytes =
        read_limit(HOST_DMA_BYTES_OFFSET, DMA_BYTES_DEFAULT, 128, DMA_BYTES_MAXIMUM, &limits->dma_bytes);
    return has_allocations && has_contexts && has_entries && has_bytes;
}

/* What is left of command RAM is the pool's; with the default limits it is as large as with COMMAND_DEFAULT, so that
 * what such a machine decides does not depend on its size. False: the pool could not hold the longest DMA buffer with
 * the longest patch list. */
static bool share_command_memory(const struct table_limits *limits, struct scheduler_memory *memory)
{
    enum { COMMAND_DEFAULT = 65536 };
    const uint32_t list_bytes = limits->list_entries * (uint32_t)sizeof(uint16_t);
    const uint32_t list_behind = list_bytes > (uint32_t)GAP_BYTES ? list_bytes : 0u;
    const bool is_default =
        limits->list_entries <= (uint32_t)LIST_DEFAULT && limits->dma_bytes <= (uint32_t)DMA_BYTES_DEFAULT;
    uint32_t end = hal_register_read(MEMORY_COMMAND_BYTES_OFFSET);
    if (is_default) end = min_u32(end, COMMAND_DEFAULT);
    const uint32_t need = scheduler_job_bytes(limits);
    if (end < (uint32_t)POOL_OFFSET + need + list_behind) return false;
    end -= list_behind;
    memory->pool_base = POOL_OFFSET;
    memory->pool_bytes = end - (uint32_t)POOL_OFFSET;
    memory->jobs = hal_command_memory(JOBS_OFFSET);
    memory->list = hal_command_memory(list_behind != 0u ? end : (uint32_t)LIST_OFFSET);
    return true;
}

/* False: its tables, or what lies in command RAM, have no room. */
static bool init_modules(struct gpu *gpu, const struct gpu_options *options, uint32_t system_pages)
{
    struct manager *manager = &gpu->manager;
    struct hal_memory part[2];
    hal_free_memory(part);
    tables_init(&gpu->tables, &manager->limits, part);
    for (uint32_t i = 0; i < STAT_COUNT; i++) manager->statistics[i] = 0;
    init_segments(manager, &gpu->tables, system_pages);
    if (gpu->tables.is_short) return false;
    manager->policies = options->policies != NULL ? options->policies : policies;
    manager->force = hal_register_read(HOST_FORCE_OFFSET);
    residency_set_policy(&manager->residency, manager_policy(manager));
    context_table_init(&manager->contexts, &gpu->tables, hal_command_memory(CLIENTS_OFFSET));
    destruction_init(&gpu->destruction, &gpu->tables);
    uint32_t buffer_bytes = min_u32(manager->adapter.paging_buffer_size, GPU_LIMIT(PAGING_BUFFER_BYTES));
    const struct paging_setup setup = {
        .ddi = &manager->ddi,
        .residency = &manager->residency,
        .statistics = manager->statistics,
        .segments = manager->segments,
        .buffers = PAGING_OFFSET,
        .buffer_bytes = options->paging_buffer_bytes != 0u ? options->paging_buffer_bytes : buffer_bytes,
        .private_bytes = manager->adapter.paging_buffer_private_data_size,
        .transfer_bytes = manager->caps.max_transfer_bytes,
        .dummy_page = manager->dummy_page,
        .first_fence = options->first_fence,
    };
    paging_init(&manager->paging, &gpu->tables, &setup);
    const struct recovery_limits limits = read_limits();
    struct scheduler_memory memory;
    if (!share_command_memory(&manager->limits, &memory)) return false;
    scheduler_init(&gpu->scheduler, manager, &gpu->work, &gpu->tables, &memory, options->first_fence, &limits);
    if (options->split_pages != 0u) cost_presume(&gpu->scheduler.costs, options->split_pages);
    manager->statistics[STAT_ALLOCATION_LIMIT] = manager->limits.allocations;
    manager->statistics[STAT_CONTEXT_LIMIT] = manager->limits.contexts;
    manager->statistics[STAT_LIST_LIMIT] = manager->limits.list_entries;
    manager->statistics[STAT_DMA_LIMIT] = manager->limits.dma_bytes;
    gpu->display = display_create(&gpu->tables, manager, &gpu->scheduler);
    manager->timelines = timelines_create(&gpu->tables, limits.portion);
    manager->has_waits = manager->is_point_due = false;
    return !gpu->tables.is_short;
}

bool gpu_init_with(struct gpu *gpu, const struct gpu_options *options)
{
    /* The host may change its registers at any time: each is read once, checked, and used from the copy. */
    const uint32_t system_pages = hal_register_read(HOST_SYSTEM_PAGES_OFFSET);
    const uint32_t dummy_page = hal_register_read(HOST_DUMMY_PAGE_OFFSET);
    if (hal_register_read(HOST_ABI_OFFSET) != GPU_ABI_HASH) hal_panic(PANIC_ABI, hal_register_read(HOST_ABI_OFFSET));
    if (hal_register_read(MEMORY_COMMAND_BYTES_OFFSET) < (uint32_t)POOL_OFFSET)
        hal_panic(PANIC_CONFIG, MEMORY_COMMAND_BYTES_OFFSET);
    if (hal_register_read(HOST_ABI_HOST_OFFSET) != GPU_ABI_HASH) return stop_boot(STATUS_ABI_MISMATCH);
    if (system_pages == 0u || system_pages > system_page_limit) return stop_boot(STATUS_BAD_ADDRESS);
    if (dummy_page >= system_pages || !host_can_read(dummy_page * (uint32_t)PAGE_BYTES))
        return stop_boot(STATUS_BAD_PAGE);
    gpu->manager.dummy_page = dummy_page;

    gpu->is_examining = gpu->awaits_examination = gpu->has_worked = gpu->is_busy = false;
    gpu->owed = gpu->messages_end = gpu->put_off = 0;
    gpu->work = (struct work){.stack = HAL_STACK_WORK};
    gpu->examination = (struct work){.stack = HAL_STACK_EXAMINE};
    gpu->part = PART_MESSAGES;
    gpu->portions = gpu->patience = gpu->waiting = gpu->turns = 0;
    gpu->self_test.round = 0;
    deferred_init(&gpu->deferred, hal_command_memory(DEFERRED_OFFSET));
    enum gpu_status status = host_init(&gpu->manager.host, system_pages);
    gpu->clear_to = gpu->manager.host.submit_head;
    if (status != STATUS_OK) return stop_boot(status);
    const bool has_limits = read_table_limits(&gpu->manager.limits);
    const struct driver_layout layout = {
        .ring = {[NODE_RENDER] = 0, [NODE_PAGING] = PAGING_RING_OFFSET},
        .ring_words = {[NODE_RENDER] = RING_WORDS, [NODE_PAGING] = PAGING_RING_WORDS},
        .first_fence = {options->first_fence, options->first_fence},
        .clobber = CLOBBER_OFFSET,
        .system_pages = system_pages,
        .dummy_page = dummy_page,
        .dma_bytes = gpu->manager.limits.dma_bytes,
        .list_entries = gpu->manager.limits.list_entries,
    };
    driver_init(&gpu->driver, &layout);
    gpu->manager.ddi = options->ddi != NULL ? *options->ddi : driver_ddi(&gpu->driver);
    if (!query_segments(&gpu->manager, &gpu->fault)) return stop_boot(STATUS_BAD_SEGMENT_SET);
    if (!has_limits || !init_modules(gpu, options, system_pages)) return stop_boot(STATUS_NO_TABLE_ROOM);
    hal_register_write(HOST_BOOT_STATUS_OFFSET, 1);
    return true;
}

bool gpu_init(struct gpu *gpu)
{
    const struct gpu_options options = {0};
    return gpu_init_with(gpu, &options);
}
