/* SPDX-License-Identifier: Apache-2.0
 *
 * libtessera: what a program on the host needs to use the GPU, over any struct transport.
 *
 * Life of a program: tessera_open - create allocations and write their content - create a context -
 * build a command stream (tessera_stream.h) - tessera_submit - tessera_wait - tessera_read - close.
 * docs/library.md has the calls on one page; docs/host.md tells it step by step, with every error.
 *
 * Every call returns 0 (TESSERA_OK), a status of the device (enum tessera_device_status, 1..: the device refused, and
 * nothing changed), or a negative TESSERA_* of this library. tessera_message() tells the last error in words.
 * tessera_device.h opens a simulated chip, the golden model or a board.
 * One thread at a time per struct tessera. All addresses are bus addresses of system memory.
 */
#ifndef TESSERA_H
#define TESSERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu_spec.h"
#include "tessera_values.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum tessera_status {
    TESSERA_OK = 0,
    TESSERA_LINK = -1,        /* the transport failed; its text is in tessera_message() */
    TESSERA_NOT_A_GPU = -2,   /* HOST.ID is not TSRA */
    TESSERA_ABI = -3,         /* hardware and this program were built from different tables */
    TESSERA_FIRMWARE = -4,    /* the firmware image cannot be read, or is none */
    TESSERA_BOOT = -5,        /* the firmware did not become ready */
    TESSERA_PANIC = -6,       /* the firmware stopped */
    TESSERA_TIMED_OUT = -7,   /* no completion within `patience_cycles` */
    TESSERA_NO_MEMORY = -8,   /* system memory (or the program's own) is used up */
    TESSERA_STREAM_FULL = -9, /* the stream, its allocation list or its patch list is at its limit */
    TESSERA_MISUSE = -10,     /* the call contradicts an earlier one */
};

struct tessera;
struct tessera_allocation;
struct tessera_stream;

struct tessera_options {
    const char *firmware;    /* ELF image; NULL: the device has its firmware already (golden model) */
    uint32_t segment1_pages; /* use at most this many pages of a segment; 0 = all */
    uint32_t segment2_pages;
    uint32_t force;           /* HOST.FORCE bits from the start */
    uint32_t timeout_cycles;  /* HOST.TIMEOUT; 0 = default */
    uint32_t boot_options;    /* HOST.BOOT_OPTIONS: which description of the segments, and more; 0 = as built */
    uint32_t commit_limit;    /* HOST.COMMIT_LIMIT: pages that all apertures map together; 0 = all they have */
    uint32_t allocations;     /* HOST.ALLOCATIONS: most allocations at a time; 0 = 1,024 */
    uint32_t contexts;        /* HOST.CONTEXTS: most contexts at a time; 0 = 64 */
    uint32_t list_entries;    /* HOST.LIST_ENTRIES: of an allocation list, and of a patch list; 0 = 1,024 */
    uint32_t dma_bytes;       /* HOST.DMA_BYTES: of a DMA buffer; 0 = 32,768; both 0: as much as command RAM has room
                               * for, 8,192 bytes and 256 entries with 32 KB */
    uint32_t seed;            /* order in which host pages are handed out */
    uint64_t patience_cycles; /* longest wait for one completion; 0 = 200 million */
    uint32_t abi;             /* for tests: the hash this program claims; 0 = GPU_ABI_HASH */
    uint32_t own_bytes;       /* the end of system memory that is the program's own: its allocations' `address` */
};

/* Check identity and ABI, load the firmware, set up rings, release the core, wait until it is ready.
 * The transport stays the caller's until tessera_close, which closes it. On failure *tessera is NULL and
 * `message` (256 bytes) says what to do; the transport is not closed. */
int tessera_open(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
                 char message[256]);
/* The same with a firmware image that lies in memory, an ELF file's bytes, for programs without files (the image has
 * to be the chip's: gpu-tcm.elf where MEMORY.FIRMWARE_BYTES is 0); options->firmware is not looked at. */
int tessera_open_image(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
                       const void *image, size_t bytes, char message[256]);
void tessera_close(struct tessera *tessera);
/* Of the library: "1.2.3". */
const char *tessera_version(void);

/* The last error in words; for a device status with its detail. Valid until the next call. */
const char *tessera_message(const struct tessera *tessera);
/* Name of any value a call returns: "NOT_WRITABLE", "TESSERA_LINK". */
const char *tessera_status_name(int status);

/* ------------------------------------------------------------------ segments and statistics */

enum { TESSERA_SEGMENT_APERTURE = 1, TESSERA_SEGMENT_CPU_VISIBLE = 4 }; /* DXGK_SEGMENTFLAGS */
struct tessera_segment {
    uint32_t flags;
    uint64_t base; /* GPU address */
    uint64_t bytes;
    uint64_t commit_limit;
};
/* The two-call query: `segments` NULL fills only *count; else at most *count descriptors are filled. */
int tessera_query_segments(struct tessera *tessera, struct tessera_segment *segments, uint32_t *count);

/* What the render node executes: MEMORY_FEATURES_* fields (FIELD_GET), FEATURES_ALL if nothing is left out. A packet
 * that needs more is refused, UNSUPPORTED. */
int tessera_features(struct tessera *tessera, uint32_t *features);

/* The firmware's counters by enum tessera_statistic; those the firmware does not know are 0. */
int tessera_statistics(struct tessera *tessera, uint32_t statistics[TESSERA_STATISTICS]);

/* Host registers, for tools (offsets are the table's *_OFFSET). */
int tessera_register_read(struct tessera *tessera, uint32_t offset, uint32_t *value);
int tessera_register_write(struct tessera *tessera, uint32_t offset, uint32_t value);
struct transport *tessera_transport(struct tessera *tessera);

/* A message in flight (below). */
typedef uint32_t tessera_ticket;

/* ------------------------------------------------------------------ allocations */

struct tessera_allocation_options {
    uint32_t bytes;
    uint32_t alignment; /* 0 = page */
    uint32_t flags;     /* enum tessera_allocation_flag */
    uint32_t preferred; /* tessera_prefer(); 0 = no preference */
    uint32_t read_set;  /* bit 0 = segment 1; 0 = every segment */
    uint32_t write_set; /* 0 = every segment */
    uint32_t eviction_set;
    uint32_t priority;              /* 0 = normal, 0x78000000 */
    uint32_t pitch, height, levels; /* SWIZZLED only */
    uint32_t pattern;               /* UNDEFINED only */
    uint32_t context;               /* owner, 0 = none */
    /* 0: pages of the library's. Else where in system memory, in its part `own_bytes`, the content lies already: whole
     * pages, which stay the program's. With write_set and read_set of apertures alone the content never leaves them:
     * what the program writes there is seen by what it submits later, and what that writes is there when it has been
     * waited for (caches: transport_mmio.h). */
    uint32_t address;
    /* Instead of `address`, where those pages do not lie side by side: the number (bus address / 4096) of each of the
     * page_count pages that `bytes` take, all of the part `own_bytes`. The list may go when the call returns. NULL:
     * none. */
    const uint32_t *pages;
    uint32_t page_count;
    bool keeps_pages; /* of these: they are the client's own memory, and are not cleared when the allocation goes */
};
/* PreferredSegment word: highest first, 0 ends. With an id above LIMIT_BITS_SEGMENTS it is one that
 * tessera_allocation_create refuses. */
uint32_t tessera_prefer(uint32_t first, uint32_t second, uint32_t third);

int tessera_allocation_create(struct tessera *tessera, const struct tessera_allocation_options *options,
                              struct tessera_allocation **allocation);
/* Waits for the GPU's references; frees the host pages. NULL is fine. If the device does not answer, the allocation is
 * not the caller's any more all the same. */
int tessera_allocation_destroy(struct tessera *tessera, struct tessera_allocation *allocation);
/* The same without waiting: right after the submissions that use the allocation for the last time, and its content is
 * copied nowhere any more, even between two portions of these. It belongs to the ticket from here on: its pages are
 * free when that has been waited for, unless the device refuses (LOCKED): then it is as it was. */
int tessera_allocation_destroy_begin(struct tessera *tessera, struct tessera_allocation *allocation,
                                     tessera_ticket *ticket);
uint32_t tessera_allocation_handle(const struct tessera_allocation *allocation);
uint32_t tessera_allocation_bytes(const struct tessera_allocation *allocation);

/* Copy content in or out. Straight to the host's pages while no submission has named the allocation or
 * while it is locked; otherwise lock, copy, unlock. */
int tessera_write(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t offset, const void *data,
                  uint32_t bytes);
int tessera_read(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t offset, void *data,
                 uint32_t bytes);
/* Flags: enum tessera_lock_flag; TESSERA_LOCK_ENTIRE is added. */
int tessera_lock(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t flags);
int tessera_unlock(struct tessera *tessera, struct tessera_allocation *allocation);
/* The same without waiting, so that many are under way at a time. It is locked when the ticket has been waited for, if
 * that was good, and counts as unlocked from the call on: what this client sends later comes after it. */
int tessera_lock_begin(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t flags,
                       tessera_ticket *ticket);
int tessera_unlock_begin(struct tessera *tessera, struct tessera_allocation *allocation, tessera_ticket *ticket);
int tessera_set_priority(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t priority);
/* The segment that holds it now (0: none) and its offset there, bytes. Only a pinned allocation stays where it is. */
int tessera_where(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t *segment, uint32_t *offset);
/* The same, and why it is read there, as the manager sees it now: enum tessera_reason. */
struct tessera_residence {
    uint32_t segment, offset, reason;
};
int tessera_residence(struct tessera *tessera, struct tessera_allocation *allocation, struct tessera_residence *place);
/* That reason in a few words; "?" if there is none such. */
const char *tessera_reason_name(uint32_t reason);
int tessera_offer(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t priority);
int tessera_reclaim(struct tessera *tessera, struct tessera_allocation *allocation, bool *is_discarded);
/* NULL: everything that can be. */
int tessera_evict(struct tessera *tessera, struct tessera_allocation *allocation);

/* ------------------------------------------------------------------ clients */

/* The client of the messages that follow: programs that do not trust each other, with ids 1 to LIMIT_BITS_CLIENTS - 1,
 * after this one, which is client 0 (from tessera_open on). What a client creates is its own; to others it does not
 * exist: BAD_HANDLE, BAD_CONTEXT. A client may have only so many messages that wait (docs/security.md): a call tries
 * again, but what tessera_submit, tessera_allocation_destroy_begin and tessera_send have queued can be answered BUSY;
 * then nothing has been done, while what was queued after it may have been. */
int tessera_set_client(struct tessera *tessera, uint32_t client);
/* `client` may name the allocation in its submissions: enum tessera_right, or'ed; 0: no longer. */
int tessera_share(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t client, uint32_t rights);
/* A client that made nodes stop too often is barred: its contexts are lost, new ones are BARRED. Let it in again, or
 * give its id to another. For client 0, whoever messages are sent for. */
int tessera_admit_client(struct tessera *tessera, uint32_t client);
/* Take away everything of a client, whatever is in flight: what it has sent is waited for, then its locks, allocations
 * and contexts go. Its tickets count as waited for; what it was called for is not the program's any more. Sent for that
 * client, whichever is set. A status of the device means that something stayed; call again. */
int tessera_client_clear(struct tessera *tessera, uint32_t client);

/* What a client has had done, and what it has. Counts are since the device's boot or the client's tessera_admit_client,
 * and wrap; cycles and bytes are in units of TESSERA_CLIENT_UNIT. On the golden model render, paging and waited say
 * nothing, because it knows no cycles. */
enum { TESSERA_CLIENT_UNIT = 256 };
#define TESSERA_NO_LIMIT 0xffffffffu
struct tessera_client_segment {
    uint32_t pages;            /* of its allocations, resident or mapped there */
    uint32_t minimum, maximum; /* tessera_client_limit */
    uint32_t size;             /* pages of the segment; 0: there is none */
};
struct tessera_client {
    uint32_t render, paging; /* cycles that the nodes worked for it */
    uint32_t written;        /* bytes that its DMA buffers wrote */
    uint32_t waited;         /* cycles in which its DMA buffers waited for their turn */
    uint32_t buffers;        /* DMA buffers completed */
    uint32_t waiting;        /* DMA buffers accepted and not completed */
    uint32_t pages_in, pages_out;
    uint32_t lost, taken; /* pages evicted for other clients; of others for it, which client 0 alone is told */
    uint32_t allocations, contexts;
    uint32_t segment_count;
    struct tessera_client_segment segment[LIMIT_BITS_SEGMENTS]; /* [id - 1] */
};
/* One's own figures; for client 0 anybody's (NOT_ALLOWED). UNSUPPORTED: this hardware has no region for the firmware.
 */
int tessera_client_query(struct tessera *tessera, uint32_t client, struct tessera_client *figures);
/* Pages of a segment (1..) that no other client takes from this one, and the most that it may have;
 * TESSERA_NO_LIMIT: as many as there are. From the next plan on: what it has above a new maximum leaves when
 * the next of its DMA buffers is planned, or when others need the room. For client 0, whoever messages are sent for.
 * MINIMUMS, nothing changed: those of all clients would exceed the segment; the message says what is left. DMA buffers
 * that find no place because of limits end OVER_LIMIT. */
int tessera_client_limit(struct tessera *tessera, uint32_t client, uint32_t segment, uint32_t minimum,
                         uint32_t maximum);
/* The ticket is done when the client of the messages has had to give way: memory of its own was evicted for another
 * client, or its limits were set, since the last such ticket. completion.words: REPLY_WAIT_BUDGET_* - 4. Of a client
 * one is under way: an earlier one ends, DROPPED, and so does this at tessera_budget_end or tessera_admit_client. BUSY
 * where it would wait for the last entry of the completion ring. */
int tessera_budget_begin(struct tessera *tessera, tessera_ticket *ticket);
int tessera_budget_end(struct tessera *tessera);

/* ------------------------------------------------------------------ contexts, submission, fences */

int tessera_context_create(struct tessera *tessera, uint32_t node, int32_t priority, uint32_t *context);
int tessera_context_destroy(struct tessera *tessera, uint32_t context);
/* From its next DMA buffer on: -7..7, which counts for its turns and for its automatic share of memory. */
int tessera_context_set_priority(struct tessera *tessera, uint32_t context, int32_t priority);
/* Pages of local memory that are its due while memory is short; 0: an automatic share. A preference: DMA buffers that
 * need more get more, and what a context does not use is the others'. */
int tessera_context_set_budget(struct tessera *tessera, uint32_t context, uint32_t pages);

/* A context's part of local memory, pages. */
struct tessera_share {
    uint32_t share;    /* its budget, or its automatic share now; 0: it has used no memory lately */
    uint32_t resident; /* of the allocations that it was the last to use */
    uint32_t lost;     /* of these, evicted for other contexts since its creation ... */
    uint32_t taken;    /* ... and of other contexts for it */
};
int tessera_context_query(struct tessera *tessera, uint32_t context, struct tessera_share *share);

/* Ticket of a message in flight. Every ticket must be waited for once; at most TESSERA_OUTSTANDING may exist. */
enum { TESSERA_OUTSTANDING = 128 };

/* What the device answered. */
struct tessera_completion {
    uint32_t status, detail, fence;
    uint32_t words[4]; /* REPLY_* - 4 */
};

/* Copy the stream to system memory and queue it. Waits while every staging buffer is in flight. The stream
 * may be reused at once. `flags`: SUBMIT.FLAGS. */
int tessera_submit(struct tessera *tessera, uint32_t context, const struct tessera_stream *stream, uint32_t flags,
                   tessera_ticket *ticket);
/* Wait for the completion; returns its status. `completion` may be NULL. */
int tessera_wait(struct tessera *tessera, tessera_ticket ticket, struct tessera_completion *completion);
bool tessera_is_done(struct tessera *tessera, tessera_ticket ticket);
/* Let the device work for so many cycles, less if something completes before, and take what has completed. For programs
 * that wait on tessera_event_descriptor (tessera_device.h). */
int tessera_work(struct tessera *tessera, uint32_t cycles);

/* ------------------------------------------------------------------ timelines */

/* A timeline is a counter of 64 bits that only grows. It belongs to the client that is set, which alone signals it. A
 * submission or flip may wait for a point of one, and signal a point of one: the device goes on by itself, without the
 * program. UNSUPPORTED on a device without the firmware's region.
 *
 * A submission that waits counts as sent when its point is reached. Only then does the device look at what it names, so
 * tessera_lock, tessera_read, tessera_offer and destruction do not wait for it: wait for its ticket, or for a point
 * that it signals, before. It holds up later submissions of its context, and nothing else; a flip those of its plane.
 * Its staging buffer is in use as long as it waits.
 *
 * A wait ends with an error when its limit has passed (POINT_TIMEOUT), when its timeline is destroyed or the client may
 * no longer wait for it (TIMELINE_GONE), and when its context is destroyed (WAIT_ENDED). Nothing has been drawn then,
 * its context goes on, and the point that it would signal is not signalled. BUSY: too many messages wait for points. */
struct tessera_point {
    uint32_t timeline; /* 0: none */
    uint64_t value;
};
/* `limit_cycles`: how long a wait for one of its points lasts at most, below 2^31; 0: as tessera_options'
 * timeout_cycles say, 16 times these. It may end up to a quarter of these later. */
int tessera_timeline_create(struct tessera *tessera, uint64_t value, uint32_t limit_cycles, uint32_t *timeline);
int tessera_timeline_destroy(struct tessera *tessera, uint32_t timeline);
/* `client` may wait for its points, and query it; false: no longer. */
int tessera_timeline_share(struct tessera *tessera, uint32_t timeline, uint32_t client, bool may_wait);
/* Take it to this value. One that it has reached changes nothing. */
int tessera_timeline_signal(struct tessera *tessera, uint32_t timeline, uint64_t value);
/* The value that it has reached. */
int tessera_timeline_query(struct tessera *tessera, uint32_t timeline, uint64_t *value);
/* The ticket is done when the point is reached. `limit_cycles`: of this wait; 0: the timeline's. */
int tessera_timeline_wait(struct tessera *tessera, const struct tessera_point *point, uint32_t limit_cycles,
                          tessera_ticket *ticket);
/* tessera_submit after a point, and signalling one when it has completed without an error. NULL: none. */
int tessera_submit_points(struct tessera *tessera, uint32_t context, const struct tessera_stream *stream,
                          uint32_t flags, const struct tessera_point *wait, const struct tessera_point *signal,
                          tessera_ticket *ticket);

/* ------------------------------------------------------------------ the display */

/* Without a display unit tessera_query_display says that there are no modes, and the other calls UNSUPPORTED. All but
 * the query and tessera_wait_vblank are for the client that owns the display: NOT_OWNER. Client 0 owns it at first. */
struct tessera_display {
    uint32_t modes;         /* bit n: mode n of enum tessera_display_mode can be set */
    uint32_t columns, rows; /* of the mode that is set; 0: it is off */
    uint32_t frame;         /* vertical blanks begun since the device's reset */
    bool is_owner;          /* the client of the messages owns it */
};
int tessera_query_display(struct tessera *tessera, struct tessera_display *display);
/* `client` owns the display from now on. For client 0, whoever messages are sent for. What is shown stays until the
 * new owner's first flip; FLIPs that wait end DROPPED. */
int tessera_give_display(struct tessera *tessera, uint32_t client);
/* Returns when the mode is set: nothing is shown in it yet, and FLIPs that waited have ended DROPPED. NO_MODE: the
 * device has no clock for it. */
int tessera_set_mode(struct tessera *tessera, uint32_t mode);
/* The mode of this size, enum tessera_display_mode; TESSERA_DISPLAY_OFF: there is none. */
uint32_t tessera_mode_of(uint32_t columns, uint32_t rows);
/* The colours of INDEX8, XRGB8888. */
int tessera_set_palette(struct tessera *tessera, const uint32_t colours[256]);

struct tessera_flip {
    uint32_t plane;                        /* enum tessera_plane */
    struct tessera_allocation *allocation; /* NULL: the plane is off */
    uint32_t offset, pitch, format;        /* bytes; TESSERA_XRGB8888, RGB565, or on the primary plane INDEX8 */
    uint32_t when, frame;                  /* enum tessera_when; `frame` of TESSERA_WHEN_FRAME alone */
    /* Not 0: a context of the same client. The flip waits until the device has completed this submission to it, and
     * ends DROPPED if that fails. The program need not wait in between. */
    uint32_t context;
    tessera_ticket after;
    /* Of the overlay: where its left upper corner is, its size, enum tessera_mix, and a key or an alpha. */
    uint32_t x, y, width, height, mix, value;
};
/* Show a surface. The ticket is done when it is shown: what its plane showed before is free from then on. Until then
 * and while it is shown the allocation stays in memory where it is: to lock it for writing, offer or evict it is
 * refused, SHOWN, and its destruction ends when it is no longer shown. At most four flips and cursors wait: BUSY.
 * completion.words: REPLY_FLIP_*, the frame and its time. */
int tessera_flip(struct tessera *tessera, const struct tessera_flip *flip, tessera_ticket *ticket);
/* The same after a point, and signalling one when it is shown. NULL: none. It takes a staging buffer while it waits. */
int tessera_flip_points(struct tessera *tessera, const struct tessera_flip *flip, const struct tessera_point *wait,
                        const struct tessera_point *signal, tessera_ticket *ticket);
/* A cursor of 64 x 64 ARGB8888 pixels at `offset`, a multiple of 256; NULL: none. hot_x, hot_y: the pixel that points.
 * The ticket is as of a flip. */
int tessera_cursor(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t offset, uint32_t hot_x,
                   uint32_t hot_y, tessera_ticket *ticket);
/* Where the cursor points, -32768 to 32767 each, also outside the picture. */
int tessera_move_cursor(struct tessera *tessera, int32_t x, int32_t y);

struct tessera_blank {
    uint32_t frame; /* that has begun */
    uint64_t cycle; /* at which its blank began */
};
/* Wait for the next vertical blank, or until frame `frame` has begun. `blank` may be NULL. */
int tessera_wait_vblank(struct tessera *tessera, uint32_t when, uint32_t frame, struct tessera_blank *blank);

/* ------------------------------------------------------------------ the bare ring, for tests and tools */

/* Queue a message as it is (word 1, the tag, is filled in). Waits while the ring is full. */
int tessera_send(struct tessera *tessera, uint32_t message[16], tessera_ticket *ticket);
/* Queue and wait. */
int tessera_call(struct tessera *tessera, uint32_t message[16], struct tessera_completion *completion);
/* A staging area of 64 KB at least in system memory that no later call touches until it is freed. */
int tessera_staging_take(struct tessera *tessera, uint32_t *address);
void tessera_staging_free(struct tessera *tessera, uint32_t address);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
