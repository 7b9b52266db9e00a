/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside libtessera: the one struct, and how system memory is divided.
 *
 *   page 0              unused: address 0 means "none" in several messages
 *   SUBMIT_RING         64 entries of 64 bytes
 *   COMPLETE_RING       128 entries of 32 bytes
 *   DUMMY               the page behind unmapped aperture entries
 *   SCRATCH             outputs of queries
 *   STAGING             DMA buffer, allocation list and patch list of each submission in flight
 *   LISTS               page lists of allocations, first fit in granules of 64 bytes
 *   pool                pages of allocations, handed out in an order shuffled by the seed, so that nothing
 *                       can depend on neighbouring pages
 */
#ifndef TESSERA_INTERNAL_H
#define TESSERA_INTERNAL_H

#include "tessera.h"

enum {
    PAGE_BYTES = LIMIT_BITS_PAGE_BYTES,
    SUBMIT_RING_ADDRESS = 1 * PAGE_BYTES,
    SUBMIT_RING_LOG2 = 6,
    COMPLETE_RING_ADDRESS = 2 * PAGE_BYTES,
    COMPLETE_RING_LOG2 = 7,
    DUMMY_ADDRESS = 3 * PAGE_BYTES,
    SCRATCH_ADDRESS = 4 * PAGE_BYTES,
    STAGING_ADDRESS = 16 * PAGE_BYTES,
    STAGING_COUNT = 8,
    LISTS_GRANULE = 64,
    LISTS_GRANULES = 32768,
    /* With the default limits of DMA buffers and lists, or lower ones; memory_layout has the others. */
    STAGING_BYTES = LIMIT_BITS_DMA_BYTES +
                    LIMIT_BITS_LIST_ENTRIES * 4 * (LIMIT_BITS_LIST_ENTRY_WORDS + LIMIT_BITS_PATCH_ENTRY_WORDS),
    LISTS_ADDRESS = STAGING_ADDRESS + STAGING_COUNT * STAGING_BYTES,
    POOL_ADDRESS = LISTS_ADDRESS + LISTS_GRANULE * LISTS_GRANULES,
    CLEAR_PAGES = 16 /* rings, dummy page, scratch: what is read before it is written */
};

/* A message in flight, found by tag % TESSERA_OUTSTANDING. */
struct outstanding {
    uint32_t tag;
    bool is_used, is_done;
    bool is_abandoned;                   /* nothing will wait for it: free when it completes */
    uint32_t staging;                    /* address to free at completion, 0 = none */
    struct tessera_allocation *released; /* to release when it has been waited for, NULL = none */
    struct tessera_allocation *locked;   /* locked when it has been waited for, NULL = none */
    struct tessera_completion completion;
    uint32_t message[16];
    char *refusal; /* the sentence, if it was refused; to free */
};

struct tessera_allocation {
    uint32_t handle;
    uint32_t bytes; /* whole pages */
    uint32_t page_count;
    uint32_t *pages;
    uint32_t list_address, list_granules;
    bool is_own;      /* the pages are the program's */
    bool keeps_pages; /* and not cleared */
    bool is_locked;
    bool is_known_to_gpu;                    /* some submission named it: its content may be elsewhere */
    bool is_released;                        /* its destruction has been sent: it belongs to that message */
    uint32_t client;                         /* whose it is */
    uint32_t created[16];                    /* the message that made it */
    struct tessera_allocation *next, **link; /* the next of `all`, and what points to this one */
};

struct tessera;
/* The writer of dumps of faults (tdump/) is called here. None of these changes the message of the last error. */
struct fault_hooks {
    /* A message was answered. What it named in system memory is still there; no message may be sent. */
    void (*answered)(struct tessera *tessera, const struct outstanding *slot);
    /* PANIC, or TIMED_OUT. */
    void (*stopped)(struct tessera *tessera, int status);
    /* At the end of a call that waits: messages may be sent. */
    void (*rest)(struct tessera *tessera);
    void (*closed)(struct tessera *tessera);
};

struct tessera {
    struct transport *transport;
    void *platform; /* of tessera_open_device, what the transport lies in; else NULL */
    uint64_t patience_cycles;
    char message[512];
    bool has_image, uses_region; /* an image was loaded, and had a part in the firmware's region */
    /* rings */
    uint32_t submit_tail, submit_head, complete_head;
    uint32_t next_tag;
    uint32_t client;  /* the client of the messages */
    uint64_t senders; /* bit per client: a message was sent for it */
    struct outstanding outstanding[TESSERA_OUTSTANDING];
    uint32_t staging_used;            /* bit per staging buffer */
    uint32_t staging_clients;         /* bit per staging buffer: a client other than 0 had it last */
    uint32_t dma_bytes, list_entries; /* of a stream: the limits of this boot */
    /* a staging buffer's bytes, and where in it a list and patches lie; where page lists and the pool do */
    uint32_t staging_bytes, staging_list, staging_patches, lists_address, pool_address;
    /* system memory */
    uint32_t *pool; /* free pages: a stack in shuffled order */
    uint32_t pool_count;
    uint32_t own_page; /* from here on pages are the program's */
    uint8_t
        *is_clients; /* per page of system memory: a client other than 0 had it last, so it holds what is not ours */
    uint8_t list_used[LISTS_GRANULES];
    struct tessera_allocation *all; /* that exist, or may do so for the device: tessera_close frees them */
    struct client_note *contexts, *timelines;
    const struct fault_hooks *fault_hooks; /* NULL: no dumps */
    void *dumper;
    uint32_t flight_count; /* messages whose ticket has not been waited for */
    /* Of tessera_open_device: flight_count became 0, or is not 0 any more; and before `platform` is freed. */
    void (*on_flight)(void *platform, bool is_any);
    void (*on_close)(void *platform);
};

/* A context or timeline that exists, and whose it is. */
struct client_note {
    uint32_t id, client;
    struct client_note *next;
};

/* Record an error text and return `status`. */
int tessera_fail(struct tessera *tessera, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What a call is given (argument_check.c): OK, or MISUSE after a sentence that names the field. */
int argument_check_options(struct tessera *tessera, const struct tessera_options *options);
int argument_check_allocation(struct tessera *tessera, const struct tessera_allocation_options *options);
int argument_check_lock(struct tessera *tessera, uint32_t flags);
int argument_check_priority(struct tessera *tessera, uint32_t priority);
int argument_check_offer(struct tessera *tessera, uint32_t priority);
int argument_check_client(struct tessera *tessera, const char *call, uint32_t client);
int argument_check_rights(struct tessera *tessera, uint32_t rights);
int argument_check_context(struct tessera *tessera, const char *call, uint32_t node, int32_t priority);
int argument_check_submit(struct tessera *tessera, uint32_t flags);
int argument_check_limit(struct tessera *tessera, const char *call, uint32_t cycles);

/* What a verb of the transport has answered, as a status with an error text. */
int link_result(struct tessera *tessera, int result, const char *verb);
/* Transport verbs with the error text taken along. */
int link_read(struct tessera *tessera, uint32_t address, void *data, size_t bytes);
int link_write(struct tessera *tessera, uint32_t address, const void *data, size_t bytes);

/* Read the completion ring into `outstanding`; *progress tells whether anything came. */
int queue_collect(struct tessera *tessera, bool *progress);
/* OK while the firmware runs; PANIC with a line that says why it stopped, `when` put after "stopped". */
int queue_check_panic(struct tessera *tessera, const char *when);

/* A client's message was answered BUSY, and some time has passed: it should be sent again. Not client 0's, to which
 * BUSY is about something else; and `*spent` ends it. */
bool queue_is_busy(struct tessera *tessera, int status, uint64_t *spent);

/* Send a message. `staging`: a staging buffer that is free once it is complete, 0 = none. If it cannot be sent, that
 * stays the caller's. */
int queue_send_staged(struct tessera *tessera, uint32_t message[16], uint32_t staging, tessera_ticket *ticket);
/* SUBMIT's words 10 to 15; NULL: no such point. */
void queue_points(uint32_t words[6], const struct tessera_point *wait, const struct tessera_point *signal);
/* The FLIP that says this; MISUSE: its numbers do not fit. */
int display_flip_message(struct tessera *tessera, const struct tessera_flip *flip, uint32_t message[16]);

/* The number of messages in flight has changed by this. */
void queue_count(struct tessera *tessera, int change);

/* Whoever waits for the message releases the allocation if the device has destroyed it; else tessera_close does. */
void queue_keep(struct tessera *tessera, tessera_ticket ticket, struct tessera_allocation *released);
/* The ticket is a LOCK of this allocation. */
void queue_keep_lock(struct tessera *tessera, tessera_ticket ticket, struct tessera_allocation *locked);

/* A context or timeline was made for the client that is set; it was destroyed. */
int queue_note(struct tessera *tessera, struct client_note **notes, uint32_t id);
void queue_forget(struct client_note **notes, uint32_t id);

/* The limits that `options` ask for, and where what lies in system memory. */
void memory_layout(struct tessera *tessera, const struct tessera_options *options);
int memory_init(struct tessera *tessera, const struct tessera_options *options);
void memory_free(struct tessera *tessera);
/* Allocations have pages that the transport gives, and none of the pool. */
bool memory_has_system_pages(const struct tessera *tessera);
/* OK, or MISUSE after a sentence: the pages that the options name are not the program's. */
int memory_check_own(struct tessera *tessera, const struct tessera_allocation_options *options);
/* Host pages, those that the options name if they do, and page list; NULL when memory is out. */
struct tessera_allocation *memory_reserve(struct tessera *tessera, const struct tessera_allocation_options *options);
/* Pages of the library's may hold what others left: those that go to a client, or had been a client's, are cleared.
 * What client 0 gives to itself stays as it is. The program's own pages hold what the program put there. */
int memory_clear_before_use(struct tessera *tessera, const struct tessera_allocation *allocation);
/* Its pages and list are free again, and the struct is. What a client other than 0 left in the program's own pages is
 * cleared; pages of the library's are when they are given out again. */
int memory_release(struct tessera *tessera, struct tessera_allocation *allocation);
/* `bytes` of system memory := 0. */
int memory_clear(struct tessera *tessera, uint32_t address, uint32_t bytes);

/* Load the ELF image at `path` through LOAD_ADDRESS and LOAD_DATA. */
int boot_load(struct tessera *tessera, const char *path);
/* The same of an image in memory; `path` is its name in messages, `region_bytes` MEMORY.FIRMWARE_BYTES. */
int boot_image(struct tessera *tessera, const char *path, const uint8_t *image, size_t bytes, uint32_t region_bytes);
/* tessera_open with whatever loads the firmware; NULL: the device has it. */
typedef int (*boot_loader)(struct tessera *tessera, const void *image);
int boot_open(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
              boot_loader load, const void *image, char message[256]);

/* Called at the end of every tessera_open that is good; NULL: nothing wants it (device/dump_file.h). */
extern void (*boot_opened)(struct tessera *tessera);

/* The word of the builder's output that tessera_submit copies. */
struct stream_view {
    const uint32_t *words, *list, *patches;
    uint32_t word_count, list_count, patch_count;
    struct tessera_allocation *const *allocations; /* of the list, entry 0 is NULL */
};
struct stream_view stream_view(const struct tessera_stream *stream);
/* Called with every DMA buffer that is submitted; NULL: nothing wants them (device/stream_file.h). */
extern void (*queue_submitted)(const struct stream_view *view);
/* Called before something is waited for; NULL: nothing. */
extern void (*queue_waits)(struct tessera *tessera);

#endif
