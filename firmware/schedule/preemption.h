/* SPDX-License-Identifier: Apache-2.0
 *
 * Preemption: asking a node to withhold what it has not begun, and what happens then.
 *
 * The boundary is the DMA buffer. Portions of a buffer that has begun follow each other (SPL-16). So a job that is
 * taken back has executed nothing and begins again, with new plan, addresses and fences.
 */
#ifndef FIRMWARE_PREEMPTION_H
#define FIRMWARE_PREEMPTION_H

#include <stdbool.h>

#include "schedule/scheduler.h"

/* Ask the node to preempt, unless a preemption of it is under way. */
void preemption_request(struct scheduler *scheduler, enum node node);

/* Ask the render node if a waiting job is more urgent than one that the node has not begun. That means: its context
 * has a higher priority, and it is more urgent now than the other was when it was chosen. */
void preemption_consider(struct scheduler *scheduler);

/* Take the node's DMA_PREEMPTED report, if there is one (SCH-07). Render: portions up to the last completed fence
 * are retired, the others taken back. Paging: preempted submissions are submitted again at once, in order, with
 * their ids (SCH-08). False: nothing was reported. */
bool preemption_collect(struct scheduler *scheduler, enum node node);

/* The render node dropped its queued portions before they ran: their jobs begin again. */
void preemption_take_back(struct scheduler *scheduler);
/* Put a job back among those that wait. It must not be the current one. */
void preemption_requeue(struct scheduler *scheduler, struct job_record *record);

/* A PREEMPT message, in steps. *is_asked is its state, false at first. True: finished, *reply is the answer. */
bool preemption_command(struct scheduler *scheduler, const uint32_t message[MESSAGE_WORDS], bool *is_asked,
                        struct reply *reply);

#endif
