/* SPDX-License-Identifier: Apache-2.0
 *
 * Submission and completion ring. Head and tail count for ever; a tail that claims more messages than the
 * ring has entries is ignored until it makes sense, and so is an impossible completion head.
 */
#include "host_ring/host.h"

enum { MESSAGE_BYTES = MESSAGE_WORDS * 4, COMPLETION_BYTES = COMPLETION_WORDS * 4, RING_LOG2_LIMIT = 12 };

bool host_owns(const struct host *host, uint32_t address, uint32_t bytes)
{
    return address % 4u == 0u && address <= host->system_bytes && bytes <= host->system_bytes - address;
}

bool host_can_read(uint32_t address)
{
    uint32_t word, failed;
    hal_system_read(address, &word, 1);
    return !hal_system_failed(&failed);
}

static bool ring_is_sound(const struct host *host, uint32_t base, uint32_t log2_entries, uint32_t entry_bytes)
{
    if (log2_entries < 1u || log2_entries > (uint32_t)RING_LOG2_LIMIT) return false;
    return base % entry_bytes == 0u && host_owns(host, base, entry_bytes << log2_entries) && host_can_read(base) &&
           host_can_read(base + (entry_bytes << log2_entries) - 4u);
}

enum gpu_status host_init(struct host *host, uint32_t system_pages)
{
    uint32_t submit_log2 = hal_register_read(HOST_SUBMIT_SIZE_OFFSET);
    uint32_t complete_log2 = hal_register_read(HOST_COMPLETE_SIZE_OFFSET);
    *host = (struct host){
        .submit_base = hal_register_read(HOST_SUBMIT_BASE_OFFSET),
        .complete_base = hal_register_read(HOST_COMPLETE_BASE_OFFSET),
        .submit_head = hal_register_read(HOST_SUBMIT_HEAD_OFFSET),
        .complete_tail = hal_register_read(HOST_COMPLETE_TAIL_OFFSET),
        .system_bytes = system_pages * (uint32_t)PAGE_BYTES,
    };
    if (!ring_is_sound(host, host->submit_base, submit_log2, MESSAGE_BYTES)) return STATUS_BAD_ADDRESS;
    if (!ring_is_sound(host, host->complete_base, complete_log2, COMPLETION_BYTES)) return STATUS_BAD_ADDRESS;
    host->submit_entries = 1u << submit_log2;
    host->complete_entries = 1u << complete_log2;
    return STATUS_OK;
}

uint32_t host_waiting(const struct host *host)
{
    const uint32_t waiting = hal_register_read(HOST_SUBMIT_TAIL_OFFSET) - host->submit_head;
    return waiting > host->submit_entries ? 0u : waiting;
}

static uint32_t slot_address(const struct host *host, uint32_t count)
{
    return host->submit_base + (count & (host->submit_entries - 1u)) * (uint32_t)MESSAGE_BYTES;
}

bool host_peek_submit(const struct host *host, uint32_t after, uint32_t *client, uint32_t *context)
{
    uint32_t words[MSG_SUBMIT_CONTEXT + 1], failed;
    hal_system_read(slot_address(host, host->submit_head + after), words, MSG_SUBMIT_CONTEXT + 1);
    *client = message_client(words[0]);
    *context = words[MSG_SUBMIT_CONTEXT];
    return !hal_system_failed(&failed) && message_code(words[0]) == (uint32_t)MSG_SUBMIT;
}

/* Has the completion of one more message room? An impossible head of the host's is no room. */
static bool has_reply_room(const struct host *host)
{
    const uint32_t unread = host->complete_tail - hal_register_read(HOST_COMPLETE_HEAD_OFFSET);
    return unread <= host->complete_entries && host->unanswered < host->complete_entries - unread;
}

bool host_peek(struct host *host, uint32_t message[MESSAGE_WORDS])
{
    uint32_t failed;
    if (host_waiting(host) == 0u || !has_reply_room(host)) return false;
    hal_system_invalidate();
    hal_system_read(slot_address(host, host->submit_head), message, MESSAGE_WORDS);
    if (!hal_system_failed(&failed)) return true;
    message[0] = MESSAGE_UNREADABLE;
    message[1] = 0;
    message[2] = failed;
    return true;
}

bool host_look(struct host *host, uint32_t *word)
{
    uint32_t failed;
    if (host->looked - host->submit_head - 1u >= (uint32_t)HOST_LOOK_LIMIT) host->looked = host->submit_head + 1u;
    if (host->looked - host->submit_head >= min_u32(host_waiting(host), HOST_LOOK_LIMIT)) return false;
    hal_system_invalidate();
    hal_system_read(slot_address(host, host->looked++), word, 1);
    return !hal_system_failed(&failed);
}

void host_pop(struct host *host)
{
    host->unanswered++;
    hal_register_write(HOST_SUBMIT_HEAD_OFFSET, ++host->submit_head);
}

void host_complete(struct host *host, uint32_t tag, const struct reply *reply)
{
    ASSERT(host->unanswered > 0u);
    uint32_t entry[COMPLETION_WORDS] = {tag,
                                        reply->status,
                                        reply->detail,
                                        reply->fence,
                                        reply->words[0],
                                        reply->words[1],
                                        reply->words[2],
                                        reply->words[3]};
    uint32_t failed, slot = host->complete_tail & (host->complete_entries - 1u);
    hal_system_write(host->complete_base + slot * (uint32_t)COMPLETION_BYTES, entry, COMPLETION_WORDS);
    (void)hal_system_failed(&failed); /* the host's loss */
    host->unanswered--;
    host->complete_tail++;
    hal_barrier();
    hal_register_write(HOST_COMPLETE_TAIL_OFFSET, host->complete_tail);
    hal_register_write(HOST_IRQ_RAISE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION));
    hal_trace(TRACE_COMPLETE, tag);
}
