/* SPDX-License-Identifier: Apache-2.0
 *
 * Preemption: asking a node to withhold what it has not begun, and what happens to that. The boundary is the DMA
 * buffer: portions of a buffer that has begun follow each other (SPL-16), so a job that is taken back has not
 * executed anything and simply starts again, with new plan, addresses and fences.
 */
#ifndef FIRMWARE_PREEMPTION_H
#define FIRMWARE_PREEMPTION_H

#include <stdbool.h>

#include "schedule/scheduler.h"

/* Ask the node, unless a preemption of it is under way. */
void preemption_request(struct scheduler *scheduler, enum node node);

/* Ask the render node if a job that waits is more urgent than one that the node has not begun: its context has a
 * higher priority and it is more urgent than the other was when it was picked. */
void preemption_consider(struct scheduler *scheduler);

/* Take the node's DMA_PREEMPTED report, if there is one. Render: portions up to the last completed fence are
 * retired, the others taken back. Paging: preempted submissions are submitted again at once, in order, with their
 * ids (SCH-08). False: nothing reported. */
bool preemption_collect(struct scheduler *scheduler, enum node node);

/* The portions still queued on the render node are gone without having run: their jobs start again. */
void preemption_take_back(struct scheduler *scheduler);
/* The job goes back among those that wait. It is not the current one. */
void preemption_requeue(struct scheduler *scheduler, struct job_record *record);

/* A PREEMPT message, step by step: `is_asked` is its state, false at first. True: answered. */
bool preemption_command(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS], bool *is_asked,
                        struct reply *reply);

#endif
