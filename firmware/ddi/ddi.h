/* SPDX-License-Identifier: Apache-2.0
 *
 * The boundary between the memory manager with its scheduler (above) and the display driver (below), in
 * the documents' nouns. Above nothing knows a packet or a register; below nothing knows residency or
 * policy. The driver is a table of functions so that tests can put another one under the manager.
 *
 * At most one call is active at a time (one thread, and interrupts only wake the core). A DMA or paging
 * buffer is named by its byte offset in command RAM, which is "contiguous memory outside every segment".
 */
#ifndef FIRMWARE_DDI_H
#define FIRMWARE_DDI_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "ddi/job.h"

/* What build_paging_buffer may answer. Anything but SUCCESS, INSUFFICIENT and (for Transfer and
 * DiscardContent with is_allocation_idle clear) BUSY is fatal. */
enum ddi_status {
    DDI_SUCCESS = 0,
    DDI_INSUFFICIENT_DMA_BUFFER, /* submit what is there, call again with a fresh buffer */
    DDI_ALLOCATION_BUSY,         /* wait until no GPU reference remains, call again with the idle flag */
    DDI_NOT_SUPPORTED,
    DDI_INVALID_PARAMETER
};

/* ------------------------------------------------------------------ segment query */

enum ddi_segment_flag {
    DDI_SEGMENT_APERTURE = 0x0001,
    DDI_SEGMENT_AGP = 0x0002,
    DDI_SEGMENT_CPU_VISIBLE = 0x0004,
    DDI_SEGMENT_USE_BANKING = 0x0008,
    DDI_SEGMENT_CACHE_COHERENT = 0x0010,
    DDI_SEGMENT_POPULATED = 0x0040, /* PopulatedFromSystemMemory */
    DDI_SEGMENT_PRESERVED_STANDBY = 0x0080,
    DDI_SEGMENT_PRESERVED_HIBERNATE = 0x0100,
    DDI_SEGMENT_PRESERVED_PARTIALLY = 0x0200 /* PartiallyPreservedDuringHibernate */
};

enum ddi_query_type { DDI_QUERY_SEGMENT = 2, DDI_QUERY_SEGMENT3 = 5 };

struct ddi_segment_descriptor {
    uint32_t flags;
    uint32_t base_address;           /* GPU address of the segment's first byte */
    uint32_t cpu_translated_address; /* 0: no segment is CPU visible here */
    uint32_t size;                   /* bytes */
    uint32_t commit_limit;
    uint32_t number_of_banks;
    uint32_t system_memory_end_address;
    const uint32_t *bank_end; /* UseBanking: where each bank but the last ends, bytes from the segment's start */
    uint32_t page_cycles;     /* not in the documents: what its memory alone takes for a page; 0 = not known */
};

struct ddi_query_segment_in {
    uint32_t agp_aperture_base, agp_aperture_size, agp_flags; /* all zero without AGP */
};

/* First call: `descriptor` NULL, only nb_segment is written. Second: nb_segment descriptors and the rest. */
struct ddi_query_segment_out {
    uint32_t nb_segment;
    struct ddi_segment_descriptor *descriptor;
    uint32_t paging_buffer_segment_id;
    uint32_t paging_buffer_size;
    uint32_t paging_buffer_private_data_size;
};

/* ------------------------------------------------------------------ capabilities */

enum ddi_scheduling_cap {
    DDI_CAP_MULTI_ENGINE_AWARE = 0x01,
    DDI_CAP_PREEMPTION_AWARE = 0x04,
    DDI_CAP_NO_DMA_PATCHING = 0x08,
    DDI_CAP_CANCEL_COMMAND_AWARE = 0x10
};

enum ddi_wddm_version { DDI_WDDM_1_0 = 0x10, DDI_WDDM_1_2 = 0x12 }; /* of the driver; decides the form of the query */
/* D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY, as far as it is of use here. */
enum ddi_preemption_granularity {
    DDI_PREEMPTION_NONE = 0,
    DDI_PREEMPTION_DMA_BUFFER_BOUNDARY = 1 /* pending buffers can be withheld, the running one cannot be stopped */
};

/* The members of DRIVERCAPS that size or steer something here. */
struct ddi_driver_caps {
    enum ddi_wddm_version wddm_version;
    uint32_t max_transfer_bytes;            /* ours: bytes of one Transfer, whole pages; 0 = any */
    uint32_t highest_acceptable_address;    /* of system memory, bytes */
    uint32_t max_allocation_list_slot_id;   /* the resource table has one row more */
    uint32_t aperture_segment_commit_limit; /* bytes mapped over all apertures */
    uint32_t number_of_swizzling_ranges;
    uint32_t scheduling_caps; /* ddi_scheduling_cap */
    uint32_t nodes, paging_node;
    uint32_t preemption_granularity; /* ddi_preemption_granularity, of the render node */
};

/* ------------------------------------------------------------------ paging buffers */

enum ddi_operation {
    DDI_TRANSFER = 0,
    DDI_FILL = 1,
    DDI_DISCARD_CONTENT = 2,
    DDI_READ_PHYSICAL = 3,
    DDI_WRITE_PHYSICAL = 4,
    DDI_MAP_APERTURE_SEGMENT = 5,
    DDI_UNMAP_APERTURE_SEGMENT = 6
};

enum ddi_transfer_flag {
    DDI_TRANSFER_SWIZZLE = 0x01,
    DDI_TRANSFER_UNSWIZZLE = 0x02,
    DDI_TRANSFER_ALLOCATION_IS_IDLE = 0x04, /* also DiscardContent's */
    DDI_TRANSFER_START = 0x08,
    DDI_TRANSFER_END = 0x10
};

/* One side of an operation: a segment address, or system pages in a page list. */
struct ddi_location {
    uint32_t segment_id;      /* 0: the side is the page list */
    uint32_t segment_address; /* base and offset in the segment are both included */
    uint32_t mdl;             /* system address of the page list, one word per page; it stays until the GPU is done */
};

/* What the driver may ask about the allocation (hAllocation and what it knows of it from its creation). */
struct ddi_allocation {
    uint32_t handle;                /* 0: none (a plain byte copy; a DMA buffer being mapped) */
    uint32_t pitch, height, levels; /* swizzled: level 0; levels 0 = not swizzled */
};

struct ddi_transfer {
    uint32_t transfer_offset; /* bytes inside the allocation; added to segment sides only */
    uint32_t transfer_size;   /* bytes; 0: the content is gone, nothing to copy */
    struct ddi_location source, destination;
    uint32_t flags;      /* ddi_transfer_flag */
    uint32_t mdl_offset; /* pages, of the page-list side */
};

struct ddi_fill {
    uint32_t fill_size, fill_pattern;
    struct ddi_location destination;
};

struct ddi_discard_content {
    uint32_t flags; /* DDI_TRANSFER_ALLOCATION_IS_IDLE */
    uint32_t segment_id, segment_address;
};

struct ddi_access_physical { /* ReadPhysical and WritePhysical: the GPU touches 1 to 8 bytes */
    uint32_t segment_id, physical_address, access_size;
};

struct ddi_map_aperture_segment {
    uint32_t segment_id;
    uint32_t offset_in_pages; /* from the segment's start */
    uint32_t number_of_pages;
    uint32_t mdl, mdl_offset;
    bool is_cache_coherent;
};

struct ddi_unmap_aperture_segment {
    uint32_t segment_id, offset_in_pages, number_of_pages;
    uint32_t dummy_page; /* page number */
};

struct ddi_build_paging_buffer {
    uint32_t dma_buffer;        /* in/out: first free byte (command RAM offset) */
    uint32_t dma_size;          /* in: bytes left */
    uint8_t *private_data;      /* in/out: first free byte */
    uint32_t private_data_size; /* in: bytes left */
    enum ddi_operation operation;
    uint32_t multipass_offset; /* 0 at the first call of an operation, then the driver's */
    struct ddi_allocation allocation;
    union {
        struct ddi_transfer transfer;
        struct ddi_fill fill;
        struct ddi_discard_content discard_content;
        struct ddi_access_physical access_physical;
        struct ddi_map_aperture_segment map;
        struct ddi_unmap_aperture_segment unmap;
    } u;
};

/* ------------------------------------------------------------------ submission */

/* Ours, not the documents': what the render node may touch while it runs the next submissions. */
struct ddi_access {
    uint32_t segment_id, first_page, pages;
    bool may_read, may_write; /* both false: nothing any more */
};

/* Ours, not the documents': what an earlier portion of the DMA buffer has bound is in another place in the next one. */
struct ddi_rebinding {
    uint32_t dma_buffer;
    const struct patch *patch_location_list; /* the whole buffer's */
    uint32_t patch_location_list_size;
    uint32_t patch_location; /* index of the one whose packet has been executed */
    uint32_t address;        /* of the allocation's first byte, now */
};

struct ddi_submit_command {
    uint32_t node_ordinal;
    uint32_t dma_buffer, dma_buffer_size;                    /* the whole buffer */
    uint32_t submission_start_offset, submission_end_offset; /* the portion */
    uint32_t submission_fence_id;
    bool is_paging;         /* privileged */
    bool is_null_rendering; /* signal the fence, execute nothing */
    bool must_wait;         /* for the other node's fence `wait_fence_id` first */
    uint32_t wait_fence_id;
    uint64_t clobbered_slots; /* ours, for tests: binding registers to empty before it; bit 0 = slot 0 */
};

/* Offsets, buffer and fence are those of the submission that follows. The list is the whole buffer's, in the
 * private form of job.h; the allocation list's addresses are asked for one by one. */
struct ddi_patch {
    uint32_t dma_buffer, dma_buffer_size;
    uint32_t submission_start_offset, submission_end_offset;
    const struct patch *patch_location_list;
    uint32_t patch_location_list_size;
    uint32_t patch_location_list_submission_start, patch_location_list_submission_length;
    uint32_t submission_fence_id;
    uint32_t (*address)(const void *context, uint32_t allocation); /* of an allocation's first byte */
    const void *context;
    bool must_rewrite;    /* FORCE.ALWAYS_REPATCH: also words that are right already */
    uint32_t right_count; /* out: locations whose pre-patched address was right */
};

struct ddi_engine_status {
    bool is_faulted;          /* stopped by an error; the rest of the struct says which */
    uint32_t fault_code;      /* FAULT group */
    bool is_busy, is_waiting; /* waiting: for the other node's fence */
    uint32_t progress;        /* changes whenever the node has completed something */
};

struct ddi_preempt_command {
    uint32_t node_ordinal;
    uint32_t preemption_fence_id;
};

/* DMA_PREEMPTED. Submissions after last_completed_fence_id were preempted: nothing of them was executed, and
 * nothing of them is left in the node's ring. */
struct ddi_dma_preempted {
    uint32_t preemption_fence_id;
    uint32_t last_completed_fence_id;
    bool is_direct; /* all was completed and reported before, so no preemption fence was queued */
};

struct ddi_reset_engine {
    uint32_t node_ordinal;
    uint32_t last_aborted_fence_id; /* out: the last submission that is gone, now also the node's last completed */
};

/* DXGK_CONTEXTINFO: what a context's DMA buffers need. */
struct ddi_context_info {
    uint32_t dma_buffer_size, dma_buffer_segment_set; /* set 0: contiguous memory outside every segment */
    uint32_t allocation_list_size, patch_location_list_size;
};

struct ddi {
    void *adapter;
    /* DDI_SUCCESS, or DDI_NOT_SUPPORTED for the form of another driver version. */
    enum ddi_status (*query_adapter_info)(void *adapter, enum ddi_query_type type,
                                          const struct ddi_query_segment_in *in, struct ddi_query_segment_out *out);
    /* Asked at the creation of every context; *info is what its DMA buffers and lists must hold at least. */
    enum ddi_status (*create_context)(void *adapter, uint32_t node_ordinal, struct ddi_context_info *info);
    enum ddi_status (*build_paging_buffer)(void *adapter, struct ddi_build_paging_buffer *arguments);
    /* In place, the portion's locations only; may be called again. Anything but SUCCESS is fatal. */
    enum ddi_status (*patch)(void *adapter, struct ddi_patch *arguments);
    /* Room for one submission on the node? Not while a preemption of it is under way. When the paging node's is
     * reported, there is room for all that it has withheld. */
    bool (*can_submit)(void *adapter, uint32_t node_ordinal);
    /* Asked for can_submit first. Anything but SUCCESS is fatal. */
    enum ddi_status (*submit_command)(void *adapter, const struct ddi_submit_command *arguments);
    /* Takes effect in order with the submissions of the render node. False: no room now. */
    bool (*set_access)(void *adapter, const struct ddi_access *access);
    /* The binding register that the location's packet has loaded holds the new address from here on, with all else as
     * it was; nothing, if the packet loads none. Takes effect in order with the submissions of the render node. False:
     * no room now. */
    bool (*rebind)(void *adapter, const struct ddi_rebinding *rebinding);
    uint32_t (*query_current_fence)(void *adapter, uint32_t node_ordinal);
    struct ddi_engine_status (*query_engine_status)(void *adapter, uint32_t node_ordinal);
    /* Ours: cycles in which the node was busy and not waiting for a fence, ever (they wrap); 0: it does not count. */
    uint32_t (*query_work_cycles)(void *adapter, uint32_t node_ordinal);
    /* Ours: bytes that the node has written, ever (they wrap); 0: it does not count. */
    uint32_t (*query_written_bytes)(void *adapter, uint32_t node_ordinal);
    /* Withhold what the node has not begun. The boundary is the DMA buffer: later portions of a buffer whose
     * first one has run follow before the node stops. Not while one is under way. Anything but SUCCESS is fatal.
     *   render node   a fence with preemption_fence_id is queued after what still runs; the id must be newer than
     *                 every submission's. When it is reached, the preempted fences count as passed.
     *   paging node   its submissions keep their ids, so no fence stands for them: it is reported at the stop. */
    enum ddi_status (*preempt_command)(void *adapter, const struct ddi_preempt_command *arguments);
    /* Once per preemption: true when it is complete. */
    bool (*query_dma_preempted)(void *adapter, uint32_t node_ordinal, struct ddi_dma_preempted *report);
    /* Reset one node: its ring is empty, what the render node was granted is taken back, it accepts new
     * submissions. Everything submitted and not completed is aborted. A preemption under way is forgotten. */
    void (*reset_engine)(void *adapter, struct ddi_reset_engine *arguments);
    /* Adapter-wide: on return neither node reads or writes memory, rings are empty, fences are as last submitted.
     * Between the two build_paging_buffer may be called, the nodes do nothing. */
    void (*reset_from_timeout)(void *adapter);
    /* The nodes go on; nothing is mapped in an aperture, whatever was under way. */
    void (*restart_from_timeout)(void *adapter);
    void (*query_driver_caps)(void *adapter, struct ddi_driver_caps *caps);
};

#endif
