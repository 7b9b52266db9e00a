/* SPDX-License-Identifier: Apache-2.0
 *
 * The allocation table: what the host created, where its content is now, and what still needs it.
 *
 * The table says where an allocation *is* (or will be when the paging node has done what has been built
 * for it); where a plan wants it to be is the segment map's business (segment.h). Host pages always stay
 * with the allocation, so content that the GPU has not written needs no copy when it leaves.
 */
#ifndef FIRMWARE_ALLOCATION_H
#define FIRMWARE_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"
#include "memory/tables.h"
#include "ddi/job.h"

/* allocation.flags: the host's ALLOCATION_* flags of the table and these states of ours. */
enum allocation_state {
    ALLOCATION_PENDING_DESTROY =
        0x0008,                  /* the host has destroyed it; jobs accepted before may still need it (destruction.h) */
    ALLOCATION_UNSAVED = 0x0010, /* dirty since a Fill made its content: its pages have never held it */
    ALLOCATION_OWNED = 0x0020,   /* a job of the context `owner` named it last (share.h); else of none that exists */
    ALLOCATION_EXISTS = 0x1000,  /* the entry is in use */
    ALLOCATION_DIRTY = 0x2000,   /* the copy in its memory segment is newer than the host's pages */
    ALLOCATION_LOCKED = 0x4000,  /* between LOCK and UNLOCK */
    ALLOCATION_LOST = 0x8000     /* content vanished in a reset; destroy it */
};
enum { ALLOCATION_NEWER = ALLOCATION_DIRTY | ALLOCATION_UNSAVED };

enum { OFFER_DISCARDED = 4 }; /* allocation.offer: the content is gone */

/* Preferences as the documents encode them: highest first in the lowest bits; each a segment id, then the direction
 * bit. Id 0 = none. */
enum { PREFERENCE_COUNT = 5, PREFERENCE_BITS = 6, PREFERENCE_FROM_END = 32 };

/* HintedBank: the same with banks of the most preferred segment, counted from 1. */
enum { BANK_HINT_COUNT = 4, BANK_HINT_BITS = 8, BANK_HINT_FROM_END = 128 };

/* What every reference to it looks at: half a line of the core's cache, and all of them in core memory by default. */
struct allocation {
    uint32_t last_fence; /* render fence of the last portion that used it: busy mark and age in one */
    uint16_t flags;
    uint16_t pages;
    uint16_t first_page; /* in `segment`; in a free entry the next free one */
    uint16_t generation; /* grows at each creation, so that stale handles are recognised */
    uint8_t client;      /* whose it is */
    uint8_t owner;       /* while ALLOCATION_OWNED */
    uint8_t read_set;    /* bit 0 = segment 1 */
    uint8_t segment : 4; /* id 1..SEGMENT_LIMIT, 0 = only in the host's pages */
    uint8_t offer : 3;   /* 0 not offered, 1 low .. 3 high, OFFER_DISCARDED */
};
_Static_assert(ALLOCATION_DEFAULT * sizeof(struct allocation) == TABLES_CORE_BYTES, "they lie in core memory");

/* What else is known of it, by the same index: for creation, for those that write it, and for where it moves. */
struct allocation_details {
    uint32_t pages_address; /* system byte address of the page list (MDL), one word per page */
    uint32_t priority;      /* lower is evicted first; never 0 */
    union {
        uint32_t pattern;  /* of the fill at the first page-in, while ALLOCATION_UNDEFINED */
        uint32_t instance; /* in a renaming group, except of its first, which has 0 */
    };
    uint32_t preferred; /* PREFERENCE_COUNT fields */
    union {
        uint32_t hinted_banks; /* BANK_HINT_COUNT fields, until its destruction is pending */
        uint32_t destroy_tag;  /* of the message that asked for its destruction */
    };
    union {
        struct {                        /* swizzled, so that no aperture holds it */
            uint32_t pitch_tiles : 11;  /* row of level 0, in tiles' widths */
            uint32_t height_tiles : 13; /* rows of level 0, in tiles' heights */
            uint32_t levels : 5;        /* mip levels */
        };
        uint16_t traffic; /* of any other, behind a slow bus, for the policy: map_or_copy.h */
    };
    uint8_t group;        /* renaming group + 1, 0 = never renamed */
    uint8_t eviction_set; /* apertures through which it may leave a memory segment */
    uint8_t write_set;    /* bit 0 = segment 1 */
    uint8_t alignment_pages_log2;
};
_Static_assert(sizeof(struct allocation_details) == 28, "there are many");

/* A handle: its index in the table, the generation of the entry, and a bit that no handle is without. */
enum { HANDLE_INDEX_BITS = 14, HANDLE_GENERATION_BITS = 16 };
_Static_assert((1 << HANDLE_INDEX_BITS) == LIMIT_BITS_ALLOCATIONS_MAX, "the index of any fits");
static inline uint32_t allocation_index(uint32_t handle) { return handle & ((1u << HANDLE_INDEX_BITS) - 1u); }
static inline uint32_t allocation_handle_of(const struct allocation *entry, uint32_t index)
{
    return (uint32_t)entry->generation << HANDLE_INDEX_BITS | index |
           1u << (HANDLE_INDEX_BITS + HANDLE_GENERATION_BITS);
}

/* Banks of a segment: where each but the last ends, bytes from the segment's start. */
struct allocation_banks {
    const uint32_t *end;
    uint32_t count; /* 0 = none */
};

/* Instances of one allocation, made by DISCARD locks (ALC-15). To the driver they are one allocation that is in
 * several places at once. Once a list has named an instance, older ones are no longer valid. */
enum { RENAMING_GROUPS = 64 };
_Static_assert((int)RENAMING_GROUPS < UINT8_MAX && CLIENT_LIMIT <= UINT8_MAX, "allocation.group and client");
struct renaming_group {
    uint32_t handle;  /* of the first instance: the driver's */
    uint32_t newest;  /* instances are numbered from 0 */
    uint32_t used;    /* the latest that an accepted list has named */
    uint32_t named;   /* the same while a list is being looked at */
    uint32_t members; /* 0 = the group is free */
};

/* Rights of clients to allocations of others; the owner's needs none. */
enum { RIGHT_LIMIT = LIMIT_BITS_SHARES };
struct right_table {
    uint32_t used, writes;       /* bit per entry: there is one; it is to write as well */
    uint32_t entry[RIGHT_LIMIT]; /* client * ALLOCATION_MAXIMUM + index */
};
_Static_assert(RIGHT_LIMIT == 32, "a word of bits");

struct allocation_table {
    struct allocation *entry;
    struct allocation_details *details;
    uint32_t limit;                /* entries there are, a multiple of 32 */
    uint16_t free_head, free_tail; /* a freed entry waits for its turn, so that generations last */
    uint16_t live_count, pending_destroy_count,
        instance_count;                    /* in the table; pending destruction; in renaming groups */
    uint16_t segment_pages[SEGMENT_LIMIT]; /* sizes, to refuse what can never fit */
    struct renaming_group groups[RENAMING_GROUPS];
    struct right_table rights;
    struct allocation_banks banks[SEGMENT_LIMIT];
    uint32_t segment_set, aperture_set; /* bit 0 = segment 1: which exist, and which of them are apertures */
    uint32_t commit_limit;              /* most pages that all apertures may map together (SEG-17) */
    uint32_t memory_pages;              /* of all segments that are no apertures */
    uint32_t system_pages;              /* page numbers at or above are refused */
    uint32_t losses;                    /* how often content was lost: while it stays the same, none was */
};

/* Takes what it needs of `tables`; if that is short nothing else may be called. Segments without pages do not exist.
 * Those that do are memory segments until the next call. */
void allocation_table_init(struct allocation_table *table, struct tables *tables,
                           const uint16_t segment_pages[SEGMENT_LIMIT], uint32_t system_pages);
/* Before anything is created: which segments are apertures, and the pages they may map together. */
void allocation_table_set_apertures(struct allocation_table *table, uint32_t aperture_set, uint32_t commit_limit);

/* Create from a CREATE_ALLOCATION message (host words, untrusted). False with the reason in `why` and
 * nothing changed. Reads the whole page list: O(pages). */
bool allocation_create(struct allocation_table *table, const uint32_t message[MESSAGE_WORDS], uint32_t *handle,
                       struct refusal *why);

/* A new instance of the allocation over other pages, with a handle of its own: created as the first was, its content
 * the host's to write. Refuses a bad page list (detail: message word of LOCK, or page), and OUT_OF_HANDLES when the
 * table or the groups are full. O(pages). */
bool allocation_rename(struct allocation_table *table, uint32_t index, uint32_t pages_address, uint32_t *handle,
                       struct refusal *why);
/* A job's references, in order: false with OLD_INSTANCE and the entry when one names an instance older than one that
 * it or an earlier accepted job has named; then nothing has changed. O(entries); O(1) while there are no instances. */
bool allocation_name_instances(struct allocation_table *table, const struct job *job, struct refusal *why);
/* The handle by which the driver knows it: the first instance's. */
uint32_t allocation_driver_handle(const struct allocation_table *table, uint32_t index);

/* The host has destroyed it: its handle is invalid from here on, nor shared, and it has no hints any more. It exists
 * until allocation_destroy. `tag` is kept for the answer. */
void allocation_begin_destroy(struct allocation_table *table, uint32_t index, uint32_t tag);
/* No accepted job may name it, and it must be in no segment. */
void allocation_destroy(struct allocation_table *table, uint32_t index);

/* Handle to index, for the driver's side: false if there is no such allocation (0 included). O(1). */
bool allocation_find_any(const struct allocation_table *table, uint32_t handle, uint32_t *index);
/* The same for the host, for which one that is pending destroy is gone. */
bool allocation_find(const struct allocation_table *table, uint32_t handle, uint32_t *index);
/* Is the entry of this handle's index an allocation of the client, of this handle, that a job may name: neither lost
 * nor locked nor offered? O(1). */
static inline bool allocation_is_ready(const struct allocation *entry, uint32_t client, uint32_t handle)
{
    enum { STATES = ALLOCATION_EXISTS | ALLOCATION_PENDING_DESTROY | ALLOCATION_LOCKED | ALLOCATION_LOST };
    return (entry->flags & (uint32_t)STATES) == ALLOCATION_EXISTS &&
           allocation_handle_of(entry, allocation_index(handle)) == handle && entry->client == client &&
           entry->offer == 0u;
}
/* The same for its owner. */
bool allocation_find_of(const struct allocation_table *table, uint32_t client, uint32_t handle, uint32_t *index);
/* RIGHT_* of a client to another's allocation; 0: to it there is no such allocation. O(RIGHT_LIMIT). */
uint32_t allocation_right_to(const struct allocation_table *table, uint32_t client, uint32_t index);
/* The same for any client and allocation: all rights to its own. */
static inline uint32_t allocation_rights(const struct allocation_table *table, uint32_t client, uint32_t index)
{
    return table->entry[index].client == client ? (uint32_t)RIGHT_READ | (uint32_t)RIGHT_WRITE
                                                : allocation_right_to(table, client, index);
}
/* Give a client RIGHT_* to another's allocation in place of those that it had; 0: it has none any more. False: the
 * table is full. */
bool allocation_share(struct allocation_table *table, uint32_t index, uint32_t client, uint32_t rights);
uint32_t allocation_handle(const struct allocation_table *table, uint32_t index);

/* Bytes that accesses may touch: whole pages. */
uint32_t allocation_bytes(const struct allocation_table *table, uint32_t index);
bool allocation_is_locked(const struct allocation_table *table, uint32_t index);  /* submit: STATUS_LOCKED */
bool allocation_is_offered(const struct allocation_table *table, uint32_t index); /* submit: STATUS_OFFERED */
bool allocation_is_lost(const struct allocation_table *table, uint32_t index);    /* submit: STATUS_CONTENT_LOST */

/* Evicted only after everything else that can be, and only once a buffer is split to its minimum. */
bool allocation_is_soft_pinned(const struct allocation_table *table, uint32_t index);

static inline void allocation_set(struct allocation *entry, uint32_t flags)
{
    entry->flags = (uint16_t)(entry->flags | flags);
}
/* Its content is lost. */
static inline void allocation_lose(struct allocation_table *table, uint32_t index)
{
    allocation_set(&table->entry[index], ALLOCATION_LOST);
    table->losses++;
}
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

/* Only apertures may ever hold it: its content never leaves its pages. */
static inline bool allocation_stays_in_pages(const struct allocation_table *table, const struct allocation *entry)
{
    return ((uint32_t)(entry->read_set | allocation_details(table, entry)->write_set) & ~table->aperture_set) == 0u;
}

/* What counts as its priority when something has to be evicted: offered content goes before everything else. */
static inline uint32_t allocation_rank(const struct allocation_table *table, const struct allocation *entry)
{
    return entry->offer != 0u ? entry->offer : allocation_details(table, entry)->priority;
}

/* Segments that may hold it for this use: bit 0 = segment 1. */
uint32_t allocation_segments(const struct allocation_table *table, uint32_t index, bool is_written);

/* Every rule of the table: sizes, states that exclude each other, free list. For tests. */
bool allocation_table_check(const struct allocation_table *table);

#endif
