/* SPDX-License-Identifier: Apache-2.0
 *
 * A small host for tests of the whole firmware: rings, messages and page lists over a model device or the simulated
 * chip, with nothing hidden, so that a test can also do what libtessera never would.
 */
#ifndef TESSERA_CLIENT_H
#define TESSERA_CLIENT_H

#include "device.h"

enum {
    CLIENT_PAGE = 4096,
    CLIENT_RING_LOG2 = 6, /* entries of both rings, if nothing else is wished */
    CLIENT_DUMMY_PAGE = 3,
    CLIENT_PAGES = 160,    /* most of an allocation */
    CLIENT_FIRST_PAGE = 64 /* below: rings, dummy page, staging */
};

struct client {
    struct device *device; /* NULL: the transport is somebody else's (client_start) */
    struct transport transport;
    uint32_t submit_base, submit_log2, complete_base, complete_log2;
    uint32_t submit_tail, complete_head;
    uint32_t next_tag, next_page, random;
    uint32_t id; /* the client that messages are sent for, 0 after the start */
    uint32_t force;
};

/* What came back for one message. */
struct answer {
    uint32_t tag, status, detail, fence, words[4];
};

/* An allocation with its host pages. */
struct client_allocation {
    uint32_t handle, pages, list; /* list: system address of the page list */
    uint16_t page[CLIENT_PAGES];
};

/* What the host tells the firmware before it boots. */
struct client_boot {
    uint32_t force;
    uint32_t options;      /* HOST.BOOT_OPTIONS */
    uint32_t commit_limit; /* HOST.COMMIT_LIMIT, pages; 0 = as large as the apertures */
    uint32_t timeout, preempt_delay, portion_limit, recovery_limit, recovery_window; /* HOST registers; 0 = default */
    uint32_t ring_log2;    /* entries of both rings; 0 = CLIENT_RING_LOG2 */
    uint32_t system_pages; /* HOST.SYSTEM_PAGES; 0 = as many as there are */
    uint32_t allocations;  /* HOST.ALLOCATIONS; 0 = the default */
    uint32_t contexts;     /* the same of HOST.CONTEXTS, LIST_ENTRIES, DMA_BYTES */
    uint32_t list_entries, dma_bytes;
};

/* Boots; aborts the test on failure. */
void client_open(struct client *client, const struct device_options *options, uint32_t force);
void client_boot(struct client *client, const struct device_options *options, const struct client_boot *boot);
/* The same on a transport that the client has already, to a device whose core has its firmware and is held or running:
 * it starts again. False: BOOT_STATUS is not 1. */
bool client_start(struct client *client, const struct client_boot *boot);
/* Unlocks and destroys whatever is left, and aborts the test unless the manager's validators hold before and after,
 * every page is free again, nothing refers to anything, and the engine may touch nothing. Skipped when the firmware has
 * stopped. */
void client_close(struct client *client);

/* Queue a message (word 0 and the arguments from word 2); returns its tag. */
uint32_t client_send(struct client *client, const uint32_t message[16]);
/* Next completion, in the device's order; false if none comes. */
bool client_receive(struct client *client, struct answer *answer);
/* One has come. */
bool client_has_answer(struct client *client);
/* Send and wait for its answer (no other may be outstanding). */
struct answer client_call(struct client *client, const uint32_t message[16]);

/* Scattered pages of the host's and their list, for an allocation that does not exist yet. */
void client_pages(struct client *client, struct client_allocation *allocation, uint32_t pages);
/* Scattered pages, page list written; `message` (may be NULL) replaces words of the default message where
 * not 0: CPU visible, no preference, sets as given, normal priority. */
uint32_t client_create(struct client *client, struct client_allocation *allocation, uint32_t pages, uint32_t set,
                       const uint32_t *message);
uint32_t client_lock(struct client *client, const struct client_allocation *allocation, uint32_t flags);
uint32_t client_unlock(struct client *client, const struct client_allocation *allocation);
uint32_t client_destroy(struct client *client, const struct client_allocation *allocation);
uint32_t client_context(struct client *client, int32_t priority);
/* Straight to and from the host's pages. */
void client_write(struct client *client, const struct client_allocation *allocation, const uint8_t *bytes);
void client_read(struct client *client, const struct client_allocation *allocation, uint8_t *bytes);
void client_statistics(struct client *client, uint32_t statistics[STAT_COUNT]);

/* ------------------------------------------------------------------ DMA buffers */

enum { STREAM_WORDS = 4096, STREAM_LIST = 64, STREAM_PATCHES = 1024 };

struct stream {
    uint32_t words[STREAM_WORDS], used;
    uint32_t handle[STREAM_LIST], writes[STREAM_LIST], list_used; /* entry 0 is NULL */
    uint32_t patch[STREAM_PATCHES][6], patches_used;
    uint32_t split; /* SplitOffset of the next patch locations */
};

void stream_init(struct stream *stream);
/* Index of the handle in the allocation list, added if need be; `write` only ever adds. */
uint32_t stream_list(struct stream *stream, uint32_t handle, bool write);
/* Patch the word that is pushed next. */
void stream_patch(struct stream *stream, uint32_t list_index, uint32_t slot, uint32_t offset);
void stream_push(struct stream *stream, uint32_t word);

/* Whole packets, each its own split point. */
void stream_copy(struct stream *stream, uint32_t source, uint32_t source_offset, uint32_t target,
                 uint32_t target_offset, uint32_t bytes, uint32_t slot);
void stream_fill(struct stream *stream, uint32_t target, uint32_t offset, uint32_t bytes, uint32_t pattern,
                 uint32_t slot);
void stream_bind(struct stream *stream, uint32_t slot, uint32_t handle, uint32_t offset, uint32_t pitch, uint32_t bytes,
                 bool write);
void stream_unbind(struct stream *stream, uint32_t slot);
void stream_fill_rect(struct stream *stream, uint32_t slot, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      uint32_t colour);

/* Place everything in staging memory (`place` 0..: a part of its own) and fill in the SUBMIT message. */
void client_stage(struct client *client, const struct stream *stream, uint32_t context, uint32_t place,
                  uint32_t message[16]);

#endif
