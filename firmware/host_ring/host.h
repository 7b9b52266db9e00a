/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's rings in system memory: messages in, completions out. Everything the host writes is untrusted:
 * a message is copied once into private memory, a ring that lies outside system memory, or begins or ends where there
 * is none, stops the boot.
 */
#ifndef FIRMWARE_HOST_H
#define FIRMWARE_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"

struct host {
    uint32_t submit_base, submit_entries, submit_head;
    uint32_t complete_base, complete_entries, complete_tail;
    uint32_t system_bytes;
    uint32_t looked;     /* the first message that host_look has not shown, by its number since boot */
    uint32_t unanswered; /* messages taken whose completion is not written: their room is reserved */
};

/* What a message is answered with. */
struct reply {
    uint32_t status, detail, fence;
    uint32_t words[COMPLETION_WORDS - 4];
};

/* STATUS_OK, or the status that stops the boot. `system_pages` of memory are the host's. */
enum gpu_status host_init(struct host *host, uint32_t system_pages);

/* The oldest message, if there is one and its completion has room. Nothing is taken yet. Where the bus answers with an
 * error it is read as MESSAGE_UNREADABLE with tag 0, and word 2 is the address. */
enum { MESSAGE_UNREADABLE = 0x7fffffff };
bool host_peek(struct host *host, uint32_t message[MESSAGE_WORDS]);
/* Messages that wait, 0 if there are more than the ring holds. */
uint32_t host_waiting(const struct host *host);
/* Client and context of the message that comes so many after the oldest, as it was at the last hal_system_invalidate or
 * later; false if it is not a SUBMIT. The host may change it until it is taken. */
bool host_peek_submit(const struct host *host, uint32_t after, uint32_t *client, uint32_t *context);
/* Word 0 of the next message after the oldest one that was not looked at, of HOST_LOOK_LIMIT. Each is shown once. */
enum { HOST_LOOK_LIMIT = 16 };
bool host_look(struct host *host, uint32_t *word);
/* Take the oldest: the slot is the host's again. */
void host_pop(struct host *host);
/* Answer a taken message. Cannot fail: its room is reserved. */
void host_complete(struct host *host, uint32_t tag, const struct reply *reply);

/* Is there memory at the address? */
bool host_can_read(uint32_t address);
/* Is [address, address + bytes) inside system memory and word aligned? */
bool host_owns(const struct host *host, uint32_t address, uint32_t bytes);

#endif
