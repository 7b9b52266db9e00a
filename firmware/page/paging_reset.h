/* SPDX-License-Identifier: Apache-2.0
 *
 * Paging when the paging node is stopped. After a preemption its buffers come back. A reset of the adapter drops
 * everything.
 */
#ifndef FIRMWARE_PAGING_RESET_H
#define FIRMWARE_PAGING_RESET_H

#include "page/paging.h"

/* After a preemption: submit the buffers after `last_completed` again, in order, with their ids (SCH-08). Returns
 * how many. There is room: the ring is empty when a preemption is reported. */
uint32_t paging_resubmit(struct paging *paging, uint32_t last_completed);

/* After a reset of the adapter (TDR-04): forget the plan under way and what is in buffers, and begin to evict
 * everything without copying. `completed` is the paging fence that had passed before. Content is lost
 * (ALLOCATION_LOST) if it existed only in a memory segment, or was on its way out of one. Offered content is not.
 * paging->aborted then has the allocations of the first buffer that was not completed. The node stopped there.
 * `next_fence`: as for residency_begin. */
void paging_purge(struct paging *paging, uint32_t completed, uint32_t next_fence);

#endif
