/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of timeline.c where core memory has no room for it (gpu-tcm.elf): there are no timelines.
 */
#include "schedule/timeline.h"

struct timelines *timelines_create(struct tables *tables, uint32_t limit)
{
    (void)tables, (void)limit;
    return NULL;
}

bool timelines_command(struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct reply *reply)
{
    (void)manager;
    *reply = (struct reply){.status = STATUS_UNSUPPORTED, .detail = message_code(message[0])};
    return true;
}

enum admission timelines_admit(struct manager *manager, const uint32_t message[MESSAGE_WORDS], const uint32_t *points,
                               struct refusal *why)
{
    (void)manager, (void)points;
    (void)message;
    *why = (struct refusal){STATUS_UNSUPPORTED, 0};
    return ADMISSION_REFUSED;
}

bool timelines_step(struct manager *manager, uint32_t now, struct point_wait **ready)
{
    (void)manager, (void)now, (void)ready;
    return false;
}

void timelines_signal(struct manager *manager, const uint32_t signal[POINT_WORDS]) { (void)manager, (void)signal; }
void timelines_resume(struct timelines *timelines, const struct point_wait *wait) { (void)timelines, (void)wait; }
void timelines_release(struct manager *manager, const struct point_wait *wait) { (void)manager, (void)wait; }
void timelines_end_submits(struct manager *manager, uint32_t context_id) { (void)manager, (void)context_id; }
