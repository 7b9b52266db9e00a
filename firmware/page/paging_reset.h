/* SPDX-License-Identifier: Apache-2.0
 *
 * Paging when the paging node is stopped: preempted buffers come back, a reset of the adapter throws everything away.
 */
#ifndef FIRMWARE_PAGING_RESET_H
#define FIRMWARE_PAGING_RESET_H

#include "page/paging.h"

/* After a preemption: submit the buffers after `last_completed` again, in order, with their ids (SCH-08). Returns
 * how many. There is room: the ring is empty when the preemption is reported. */
uint32_t paging_resubmit(struct paging *paging, uint32_t last_completed);

/* After a reset of the adapter (TDR-04), `completed` being the paging fence that had passed before it: forget the plan
 * that is being carried out and what is in buffers; content that existed only in a memory segment, or was on its way
 * out of one, is lost (ALLOCATION_LOST), unless it is offered. Then begin to evict everything, without copying.
 * paging->aborted has then every allocation with an operation in the first buffer that was not completed, the one at
 * which the node stopped. `next_fence` as for residency_begin. */
void paging_purge(struct paging *paging, uint32_t completed, uint32_t next_fence);

#endif
