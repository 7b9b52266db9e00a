/* SPDX-License-Identifier: Apache-2.0
 *
 * What is bound may move between two portions, under a policy that says so (policy.h, moves_bound). This goes beyond
 * the documents, whose resource table pins it; docs/memory.md, "What is bound may move", says why it is sound. Before
 * the second portion runs, every row of the table that it inherits of what its plan has moved (portion->moved_slots) is
 * put right: where the row's packet has been executed, the driver loads its register again, in the ring and so after
 * the portion before; where it comes later, its word is patched again.
 */
#ifndef FIRMWARE_REBINDING_H
#define FIRMWARE_REBINDING_H

#include <stdbool.h>

#include "ddi/patch.h"
#include "plan/splitter.h"
#include "schedule/manager.h"

/* The registers: rows whose packets stand before the portion. What is done is taken off portion->moved_slots. `address`
 * is asked with the manager. True: complete; false: the node's ring is full, call again. O(rows), and O(patch
 * locations) for one that looks like a BIND and is none. */
bool rebinding_bind(struct manager *manager, const struct job *job, const struct splitter *splitter,
                    struct portion *portion, patch_address *address);

/* The words: what is left in portion->moved_slots, patched as *patch says of the portion. O(rows). */
void rebinding_patch(struct manager *manager, const struct splitter *splitter, const struct portion *portion,
                     const struct ddi_patch *patch);

#endif
