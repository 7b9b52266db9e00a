/* SPDX-License-Identifier: Apache-2.0
 *
 * A node that stops on an error or makes no progress is asked to preempt. If it does not, it is reset, the cause is
 * found, and everything else continues.
 */
#ifndef FIRMWARE_RECOVERY_H
#define FIRMWARE_RECOVERY_H

#include <stdbool.h>

#include "schedule/scheduler.h"

/* Look at both nodes. True: a node was reset, or a fence has passed since the last look.
 *
 * Time-out. Asked to preempt (TDR-01) is a node that works and completes nothing for `timeout` cycles, or the render
 * node if it works on one portion for `portion` cycles. If it still works on the same submission `preempt_delay`
 * cycles later, it has timed out. A node that waits for the other one is not to blame.
 *
 * Render node: engine reset. The context of the portion at work is lost. Its jobs are answered TIMEOUT, FAULT or
 * CONTEXT_LOST. All other jobs in the ring had not begun, and begin again with new fences. The node can also stop at
 * our ring packets after the last portion. Then only the context of the job at hand is lost, if portions of it have
 * run.
 *
 * Paging node: its memory accesses are half done, so the whole adapter is reset (TDR-07). Both nodes stop. The last
 * completed fences become the last submitted ones (TDR-05). Memory is purged (TDR-04). Lost are the contexts that
 * use an allocation of the paging buffer at work, and the context of a DMA buffer that has begun. Content that
 * existed only in local memory is lost; its jobs, now and later, are answered CONTENT_LOST. All else begins again
 * and is paged in again.
 *
 * Blame. What makes a node stop pays alone, with its context. If the paging node stops on what no job waits for, the
 * context that used it last pays, after more than `recoveries` times. Clients pay, too: that context's, and those
 * whose allocations the paging node moved. More than `recoveries` within `window` bar a client (context.h), except
 * client 0. A FLIP pays for what the paging node was bringing in for it: it ends. Recoveries that no context, no client
 * and no FLIP must answer for are counted apart. More than `recoveries` of these within `window` are final:
 * PANIC_RECOVERY (TDR-02). */
bool recovery_step(struct scheduler *scheduler);

#endif
