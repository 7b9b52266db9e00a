/* SPDX-License-Identifier: Apache-2.0
 *
 * The allocation table: what the host created, where its content is now, and what still needs it.
 *
 * The table says where an allocation is, or will be when the paging node has done what is built. Where a plan wants
 * it to be is in the segment map (segment.h). The host's pages always stay with the allocation. So content that the
 * GPU has not written needs no copy when it leaves (ALC-12).
 *
 * Units: `pages` are 4 KB; segment ids begin with 1; bit 0 of a set is segment 1 (SEG-18, SEG-19).
 */
#ifndef FIRMWARE_ALLOCATION_H
#define FIRMWARE_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "memory/rights.h"
#include "memory/tables.h"
#include "ddi/job.h"

/* allocation.flags: the host's ALLOCATION_* flags, and these states. */
enum allocation_state {
    ALLOCATION_PENDING_DESTROY = 0x0008, /* destroyed by the host; jobs accepted before may need it (destruction.h) */
    ALLOCATION_UNSAVED = 0x0010,         /* dirty since a Fill made its content: its pages have never held it */
    ALLOCATION_OWNED = 0x0020,           /* the context `owner` named it last (share.h); else no existing context */
    ALLOCATION_SHOWN = 0x0400,           /* the display shows it, or soon will (flips.h): it stays where it is */
    ALLOCATION_EXISTS = 0x1000,          /* the entry is in use */
    ALLOCATION_DIRTY = 0x2000,           /* the copy in its memory segment is newer than the host's pages */
    ALLOCATION_LOCKED = 0x4000,          /* between LOCK and UNLOCK */
    ALLOCATION_LOST = 0x8000             /* content was lost in a reset; it can only be destroyed */
};
enum { ALLOCATION_NEWER = ALLOCATION_DIRTY | ALLOCATION_UNSAVED };
enum { ALLOCATION_STAYS = ALLOCATION_PINNED | ALLOCATION_SHOWN };
_Static_assert((int)ALLOCATION_SHOWN == (int)ALLOCATION_ALTERNATE_VA, "a flag that no host may set");

enum { OFFER_DISCARDED = 4 }; /* allocation.offer: the content was discarded (ALC-14) */

/* Preferences as the documents encode them, the highest in the lowest bits. Each is a segment id, 0 = none, and a
 * direction bit. */
enum { PREFERENCE_COUNT = 5, PREFERENCE_BITS = 6, PREFERENCE_FROM_END = 32 };

/* HintedBank: the same with banks of the most preferred segment, counted from 1 (SEG-22). */
enum { BANK_HINT_COUNT = 4, BANK_HINT_BITS = 8, BANK_HINT_FROM_END = 128 };

/* What every reference reads: half a cache line. By default the whole table is in core memory. */
struct allocation {
    uint32_t last_fence; /* fence of the last portion that used it: busy mark and age */
    uint16_t flags;
    uint16_t pages;
    uint16_t first_page; /* in `segment`. In a free entry: the next free one */
    uint16_t generation; /* grows with each creation, so that stale handles are recognised */
    uint8_t client;      /* its client */
    uint8_t owner;       /* if ALLOCATION_OWNED */
    uint8_t read_set;    /* bit 0 = segment 1 */
    uint8_t segment : 4; /* id 1..SEGMENT_LIMIT; 0 = only in the host's pages */
    uint8_t offer : 3;   /* 0 not offered, 1 low .. 3 high, OFFER_DISCARDED */
};
_Static_assert(ALLOCATION_DEFAULT * sizeof(struct allocation) == TABLES_CORE_BYTES, "they lie in core memory");

/* The rest, by the same index: for creation, for writers, and for paging. */
struct allocation_details {
    uint32_t pages_address; /* system byte address of the page list (MDL): a word per page */
    uint32_t priority;      /* lower is evicted first (ALC-08); never 0 */
    union {
        uint32_t pattern;  /* of the Fill at its first page-in, while ALLOCATION_UNDEFINED (ALC-07) */
        uint32_t instance; /* number in its renaming group; the first has 0 */
    };
    uint32_t preferred; /* PREFERENCE_COUNT fields */
    union {
        uint32_t hinted_banks; /* BANK_HINT_COUNT fields, until it is pending destroy */
        uint32_t destroy_tag;  /* of the message that destroys it */
    };
    union {
        struct {                        /* swizzled: no aperture may hold it */
            uint32_t pitch_tiles : 11;  /* row of level 0, in tile widths */
            uint32_t height_tiles : 13; /* rows of level 0, in tile heights */
            uint32_t levels : 5;        /* mip levels */
        };
        uint16_t traffic; /* of any other, where the bus is slow: for the policy (map_or_copy.h) */
    };
    uint8_t group;        /* renaming group + 1; 0 = never renamed */
    uint8_t eviction_set; /* apertures through which it may leave a memory segment (ALC-03) */
    uint8_t write_set;    /* bit 0 = segment 1 */
    uint8_t alignment_pages_log2;
};
_Static_assert(sizeof(struct allocation_details) == 28, "there are many");

/* A handle: index in the table, generation of the entry, and a bit that is always set. */
enum { HANDLE_INDEX_BITS = 14, HANDLE_GENERATION_BITS = 16 };
_Static_assert((1 << HANDLE_INDEX_BITS) == LIMIT_BITS_ALLOCATIONS_MAX, "the index of any fits");
static inline uint32_t allocation_index(uint32_t handle) { return handle & ((1u << HANDLE_INDEX_BITS) - 1u); }
static inline uint32_t allocation_handle_of(const struct allocation *entry, uint32_t index)
{
    return (uint32_t)entry->generation << HANDLE_INDEX_BITS | index |
           1u << (HANDLE_INDEX_BITS + HANDLE_GENERATION_BITS);
}

/* Banks of a segment: the byte where each bank ends, except the last. */
struct allocation_banks {
    const uint32_t *end;
    uint32_t count; /* 0 = none */
};

/* Instances of one allocation, made by DISCARD locks (ALC-15). To the driver they are one allocation in several
 * places. Once a list has named an instance, older ones are invalid. */
enum { RENAMING_GROUPS = 64 };
_Static_assert((int)RENAMING_GROUPS < UINT8_MAX && CLIENT_LIMIT <= UINT8_MAX, "allocation.group and client");
struct renaming_group {
    uint32_t handle;  /* of the first instance: the driver's */
    uint32_t newest;  /* instances are numbered from 0 */
    uint32_t used;    /* the newest that an accepted list has named */
    uint32_t named;   /* the same while a list is being validated */
    uint16_t members; /* 0 = the group is free */
    uint16_t client;  /* whose allocation it is */
};

struct allocation_table {
    struct allocation *entry;
    struct allocation_details *details;
    uint32_t limit;                /* number of entries, a multiple of 32 */
    uint16_t free_head, free_tail; /* freed entries are reused last, so that generations last longer */
    uint16_t live_count, pending_destroy_count, instance_count; /* in the table; pending destroy; in renaming groups */
    uint16_t segment_pages[SEGMENT_LIMIT];                      /* sizes, to refuse what can never fit */
    struct renaming_group groups[RENAMING_GROUPS];
    struct right_table rights;
    struct allocation_banks banks[SEGMENT_LIMIT];
    uint32_t segment_set, aperture_set; /* segments that exist; those of them that are apertures */
    uint32_t commit_limit;              /* most pages mapped in all apertures together (SEG-17) */
    uint32_t memory_pages;              /* of all memory segments */
    uint32_t system_pages;              /* page numbers from here on are refused */
    uint32_t losses;                    /* grows each time content is lost */
    uint32_t row_count;                /* of those that the reader of lists knows (allocation_tell); 0: there is none */
    uint32_t told;                     /* grows each time that it is told of one */
    uint32_t base_page[SEGMENT_LIMIT]; /* of each segment: its GPU address / 4096 */
    uint16_t *of_client;               /* by client: allocations and instances that it has */
};

/* Initialise, with working space from `tables`. If `tables` ran short, nothing else may be called. A segment with 0
 * pages does not exist. All others are memory segments until allocation_table_set_apertures. */
void allocation_table_init(struct allocation_table *table, struct tables *tables,
                           const uint16_t segment_pages[SEGMENT_LIMIT], uint32_t system_pages);
/* Set which segments are apertures, and the pages that they may map together. Call before anything is created. */
void allocation_table_set_apertures(struct allocation_table *table, uint32_t aperture_set, uint32_t commit_limit);

/* Check a CREATE_ALLOCATION message of the host, which is not trusted, and `count` words of its page list after the
 * first *checked ones, which grows by them. Refuses with the reason in `why`: bad size, alignment, priority, flags,
 * segment sets (ALC-01 to ALC-03), swizzle shape, page list; no segment that can hold it. Yields. O(count). */
bool allocation_check(const struct allocation_table *table, const uint32_t message[MESSAGE_WORDS], uint32_t *checked,
                      uint32_t count, struct refusal *why);
/* Create what has been checked. Refuses OUT_OF_HANDLES if no entry is free, TABLE_SHARE if the client may not have the
 * next one (client_may_take). O(1). */
bool allocation_make(struct allocation_table *table, const uint32_t message[MESSAGE_WORDS], uint32_t *handle,
                     struct refusal *why);
/* Both at once: O(pages). Refused, nothing has changed. */
static inline bool allocation_create(struct allocation_table *table, const uint32_t message[MESSAGE_WORDS],
                                     uint32_t *handle, struct refusal *why)
{
    uint32_t checked = 0;
    return allocation_check(table, message, &checked, UINT32_MAX, why) && allocation_make(table, message, handle, why);
}

/* Create a new instance of the allocation over other pages, with a handle of its own. The rest is as in the first
 * instance; the host writes its content. Refuses a bad page list (detail: message word of LOCK, or page),
 * OUT_OF_HANDLES if the table or the groups are full, and TABLE_SHARE, of either. O(pages). */
bool allocation_rename(struct allocation_table *table, uint32_t index, uint32_t pages_address, uint32_t *handle,
                       struct refusal *why);
/* Take a job's references in order. Refuses with OLD_INSTANCE, detail entry, when one names an instance older than
 * one that it or an earlier accepted job has named; then nothing is changed. O(entries); O(1) while there are no
 * instances. */
bool allocation_name_instances(struct allocation_table *table, const struct job *job, struct refusal *why);
/* The handle that the driver knows: the first instance's. */
uint32_t allocation_driver_handle(const struct allocation_table *table, uint32_t index);

/* The host destroys it: its handle is invalid from now on, its shares and hints are gone. It exists until
 * allocation_destroy. `tag` is kept for the answer. */
void allocation_begin_destroy(struct allocation_table *table, uint32_t index, uint32_t tag);
/* Free the entry. No accepted job may name it, and it must be in no segment. */
void allocation_destroy(struct allocation_table *table, uint32_t index);

/* Handle to index, for the driver. False: no such allocation (0 included). O(1). */
bool allocation_find_any(const struct allocation_table *table, uint32_t handle, uint32_t *index);
/* The same for the host, for which an allocation that is pending destroy does not exist. */
bool allocation_find(const struct allocation_table *table, uint32_t handle, uint32_t *index);
/* May the client's job name it: the handle is current and the client's, and the allocation is not lost, locked or
 * offered? O(1). */
static inline bool allocation_is_ready(const struct allocation *entry, uint32_t client, uint32_t handle)
{
    enum { STATES = ALLOCATION_EXISTS | ALLOCATION_PENDING_DESTROY | ALLOCATION_LOCKED | ALLOCATION_LOST };
    return (entry->flags & (uint32_t)STATES) == ALLOCATION_EXISTS &&
           allocation_handle_of(entry, allocation_index(handle)) == handle && entry->client == client &&
           entry->offer == 0u;
}
/* As allocation_find, for allocations of this client only. */
bool allocation_find_of(const struct allocation_table *table, uint32_t client, uint32_t handle, uint32_t *index);
/* RIGHT_* that a client has to any allocation: all of them to its own, and to another's those that it was given. */
static inline uint32_t allocation_rights(const struct allocation_table *table, uint32_t client, uint32_t index)
{
    return table->entry[index].client == client ? (uint32_t)RIGHT_READ | (uint32_t)RIGHT_WRITE
                                                : rights_find(&table->rights, index, client);
}
uint32_t allocation_handle(const struct allocation_table *table, uint32_t index);

/* Bytes that accesses may touch, in whole pages. */
uint32_t allocation_bytes(const struct allocation_table *table, uint32_t index);
bool allocation_is_locked(const struct allocation_table *table, uint32_t index);  /* submit: STATUS_LOCKED */
bool allocation_is_offered(const struct allocation_table *table, uint32_t index); /* submit: STATUS_OFFERED */
bool allocation_is_lost(const struct allocation_table *table, uint32_t index);    /* submit: STATUS_CONTENT_LOST */

/* Soft-pinned: evicted only after everything else, and only if a buffer is split to its minimum (ALC-09). */
bool allocation_is_soft_pinned(const struct allocation_table *table, uint32_t index);

static inline void allocation_set(struct allocation *entry, uint32_t flags)
{
    entry->flags = (uint16_t)(entry->flags | flags);
}
/* Its content is lost. O(1). */
void allocation_lose(struct allocation_table *table, uint32_t index);
static inline void allocation_clear(struct allocation *entry, uint32_t flags)
{
    entry->flags = (uint16_t)(entry->flags & ~flags);
}

/* The context whose job named it last, or NO_CONTEXT. */
static inline uint32_t allocation_owner(const struct allocation *entry)
{
    return (entry->flags & ALLOCATION_OWNED) != 0u ? entry->owner : (uint32_t)NO_CONTEXT;
}
static inline void allocation_set_owner(struct allocation *entry, uint32_t context)
{
    if (context == (uint32_t)NO_CONTEXT) allocation_clear(entry, ALLOCATION_OWNED);
    else {
        allocation_set(entry, ALLOCATION_OWNED);
        entry->owner = (uint8_t)context;
    }
}

/* Is segment `id` (1..) an aperture? */
static inline bool allocation_is_aperture(const struct allocation_table *table, uint32_t id)
{
    return (table->aperture_set >> (id - 1u) & 1u) != 0u;
}
/* Is its content in a memory segment? */
static inline bool allocation_is_in_memory(const struct allocation_table *table, const struct allocation *entry)
{
    return entry->segment != 0u && !allocation_is_aperture(table, entry->segment);
}

/* What else is known of an entry of the table. */
static inline struct allocation_details *allocation_details(const struct allocation_table *table,
                                                            const struct allocation *entry)
{
    return &table->details[entry - table->entry];
}

/* May only apertures hold it? Then its content never leaves its pages. */
static inline bool allocation_stays_in_pages(const struct allocation_table *table, const struct allocation *entry)
{
    return ((uint32_t)(entry->read_set | allocation_details(table, entry)->write_set) & ~table->aperture_set) == 0u;
}

/* Its rank in evictions, lowest first: offered content comes before any priority. */
static inline uint32_t allocation_rank(const struct allocation_table *table, const struct allocation *entry)
{
    return entry->offer != 0u ? entry->offer : allocation_details(table, entry)->priority;
}

/* Where a limit has to be met: offered content leaves first, then by priority, then by age. O(1). */
static inline bool allocation_leaves_before(const struct allocation_table *table, uint32_t index, uint32_t than)
{
    const struct allocation *a = &table->entry[index], *b = &table->entry[than];
    const uint32_t rank_a = allocation_rank(table, a), rank_b = allocation_rank(table, b);
    if (rank_a != rank_b) return rank_a < rank_b;
    return a->last_fence != b->last_fence && fence_reached(b->last_fence, a->last_fence);
}

/* Segments that may hold it for this use (ALC-06). */
uint32_t allocation_segments(const struct allocation_table *table, uint32_t index, bool is_written);

/* The hardware that reads lists (rtl/lists.v, validate/lists.h) knows whose an allocation is, how large it is and
 * where. At boot: it forgets all. `base_page` of each segment: its GPU address / 4096. */
void allocation_table_tell(struct allocation_table *table, const uint32_t base_page[SEGMENT_LIMIT]);
/* It is told what the allocation is now. Whoever changes a state that allocation_is_ready looks at, or the place, calls
 * this. O(1), three registers; nothing without that hardware. */
void allocation_tell(struct allocation_table *table, uint32_t index);
/* For tests: what it is told, as its registers take it. */
struct allocation_row {
    uint32_t key, place, size;
};
struct allocation_row allocation_row(const struct allocation_table *table, uint32_t index);

/* For tests: sizes are right, states do not contradict each other, the free list is complete. */
bool allocation_table_check(const struct allocation_table *table);

#endif
