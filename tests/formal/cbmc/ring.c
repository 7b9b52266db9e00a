/* SPDX-License-Identifier: Apache-2.0
 * The host's rings for every value of every register at every read: no access outside system memory, no completion
 * without a reserved place, no number that does not fit.
 * cbmc: --unwind 35 --conversion-check
 */
#include "cbmc.h"
#include "host_ring/host.c"

int main(void)
{
    static struct host host;
    static const struct reply reply;
    uint32_t message[MESSAGE_WORDS], word, context, client;
    const uint32_t system_pages = nondet_u32();
    ASSUME(system_pages >= 1u && system_pages <= 0x80000u); /* gpu.c has seen to that */
    system_bytes_there = system_pages * (uint32_t)PAGE_BYTES;
    if (host_init(&host, system_pages) != STATUS_OK) return 0;
    (void)host_peek_submit(&host, nondet_u32(), &context, &client);
    host.looked = nondet_u32();
    if (host_look(&host, &word)) PROVE(host.looked - host.submit_head <= (uint32_t)HOST_LOOK_LIMIT);
    if (host_peek(&host, message)) {
        host_pop(&host);
        PROVE(host.unanswered <= host.complete_entries);
        host_complete(&host, message[1], &reply);
    }
    return 0;
}
