/* SPDX-License-Identifier: Apache-2.0
 *
 * When a node stops on an error or makes no progress: ask it to preempt, and if it does not, reset it; find the
 * culprit and let everything else run on.
 */
#ifndef FIRMWARE_RECOVERY_H
#define FIRMWARE_RECOVERY_H

#include <stdbool.h>

#include "schedule/scheduler.h"

/* Look at both nodes. True: a node was reset, or a fence has passed since the last look.
 *
 * Time-out: a node that works and completes nothing for `timeout` cycles, or the render node that works on one portion
 * for `portion` cycles, is asked to preempt (TDR-01); if the same submission is still at work `preempt_delay` cycles
 * later, it has timed out. A node that waits for the other one is not to blame.
 *
 * Render node: engine reset. The context of the portion at work is lost; its jobs are answered TIMEOUT, FAULT or
 * CONTEXT_LOST. All other jobs in the ring had not begun and start again, with new fences. After the last portion
 * there are ring packets of ours, at which it can stop as well: then nothing is lost but the context of the job at
 * hand, if portions of it have run.
 *
 * Paging node: what it was doing to memory is half done, so the whole adapter is reset (TDR-07). Both nodes stop, the
 * last completed fences become the last submitted ones (TDR-05), everything is purged from memory (TDR-04). Lost are
 * the contexts that use an allocation of the paging buffer at work, and that of a DMA buffer that has begun;
 * content that existed only in local memory is lost: its jobs are answered CONTENT_LOST, as later ones will be. All
 * else starts again and is paged in again.
 *
 * Whoever makes a node stop pays alone, with its context; where the paging node stops on what no job waits for, the
 * context that used it last pays when that has happened more than `recoveries` times. So does its client, and the
 * clients whose allocations the paging node was moving: more than `recoveries` within `window`, and a client is barred
 * (context.h), but for client 0. Only recoveries that no context has to answer for count: one more than `recoveries` of
 * these within `window` is final, PANIC_RECOVERY (TDR-02). */
bool recovery_step(struct scheduler *scheduler);

#endif
