/* SPDX-License-Identifier: Apache-2.0
 *
 * The messages of timelines, and what waits for points or signals them.
 */
#include <string.h>

#include "lib/tessera_internal.h"

enum { POINTS_WORDS = 6 }; /* SUBMIT's words 10 to 15 */

static uint32_t low(uint64_t value) { return (uint32_t)value; }
static uint32_t high(uint64_t value) { return (uint32_t)(value >> 32); }

int tessera_timeline_create(struct tessera *tessera, uint64_t value, uint32_t limit_cycles, uint32_t *timeline)
{
    uint32_t message[16] = {MSG_CREATE_TIMELINE, 0, low(value), high(value), limit_cycles};
    struct tessera_completion completion;
    int status = argument_check_limit(tessera, "timeline_create", limit_cycles);
    if (status == TESSERA_OK) status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) return status;
    *timeline = completion.words[REPLY_CREATE_TIMELINE_TIMELINE - 4];
    status = queue_note(tessera, &tessera->timelines, *timeline);
    if (status != TESSERA_OK) (void)tessera_timeline_destroy(tessera, *timeline);
    return status;
}

int tessera_timeline_destroy(struct tessera *tessera, uint32_t timeline)
{
    uint32_t message[16] = {MSG_DESTROY_TIMELINE, 0, timeline};
    int status = tessera_call(tessera, message, NULL);
    if (status == TESSERA_OK) queue_forget(&tessera->timelines, timeline);
    return status;
}

int tessera_timeline_share(struct tessera *tessera, uint32_t timeline, uint32_t client, bool may_wait)
{
    uint32_t message[16] = {MSG_SHARE_TIMELINE, 0, timeline, client, may_wait ? RIGHT_READ : 0};
    int status = argument_check_client(tessera, "timeline_share", client);
    return status == TESSERA_OK ? tessera_call(tessera, message, NULL) : status;
}

int tessera_timeline_signal(struct tessera *tessera, uint32_t timeline, uint64_t value)
{
    uint32_t message[16] = {MSG_SIGNAL_TIMELINE, 0, timeline, low(value), high(value)};
    return tessera_call(tessera, message, NULL);
}

int tessera_timeline_query(struct tessera *tessera, uint32_t timeline, uint64_t *value)
{
    uint32_t message[16] = {MSG_QUERY_TIMELINE, 0, timeline};
    struct tessera_completion completion;
    int status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) return status;
    *value = (uint64_t)completion.words[REPLY_QUERY_TIMELINE_VALUE_HI - 4] << 32 |
             completion.words[REPLY_QUERY_TIMELINE_VALUE_LO - 4];
    return TESSERA_OK;
}

int tessera_timeline_wait(struct tessera *tessera, const struct tessera_point *point, uint32_t limit_cycles,
                          tessera_ticket *ticket)
{
    uint32_t message[16] = {MSG_WAIT_TIMELINE, 0, point->timeline, low(point->value), high(point->value), limit_cycles};
    int status = argument_check_limit(tessera, "timeline_wait", limit_cycles);
    return status == TESSERA_OK ? tessera_send(tessera, message, ticket) : status;
}

/* The points lie in a staging buffer until the flip is answered. */
int tessera_flip_points(struct tessera *tessera, const struct tessera_flip *flip, const struct tessera_point *wait,
                        const struct tessera_point *signal, tessera_ticket *ticket)
{
    uint32_t message[16], words[POINTS_WORDS], address;
    int status = display_flip_message(tessera, flip, message);
    if (status == TESSERA_OK) status = tessera_staging_take(tessera, &address);
    if (status != TESSERA_OK) return status;
    queue_points(words, wait, signal);
    message[MSG_FLIP_POINTS] = address;
    status = link_write(tessera, address, words, sizeof words);
    if (status == TESSERA_OK) status = queue_send_staged(tessera, message, address, ticket);
    if (status != TESSERA_OK) tessera_staging_free(tessera, address);
    return status;
}
