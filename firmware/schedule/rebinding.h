/* SPDX-License-Identifier: Apache-2.0
 *
 * What is bound may move between two portions, if the policy says so (policy.h, moves_bound).
 *
 * The documents do not have this: their resource table pins what is bound. docs/memory.md, "What is bound may move",
 * says why it is sound. Before the second portion runs, each row that it inherits of what the plan moved
 * (portion->moved_slots) is corrected. If the row's packet was executed, the driver loads its register again, in the
 * ring, after the portion before. If the packet comes later, its word is patched again.
 */
#ifndef FIRMWARE_REBINDING_H
#define FIRMWARE_REBINDING_H

#include <stdbool.h>

#include "ddi/patch.h"
#include "plan/splitter.h"
#include "schedule/manager.h"

/* Registers: rows whose packets are before the portion. Finished rows leave portion->moved_slots. `address` is
 * called with the manager. True: all done. False: the node's ring is full, call again. O(rows), and O(patch
 * locations) for a word that looks like a BIND and is not. */
bool rebinding_bind(struct manager *manager, const struct job *job, const struct splitter *splitter,
                    struct portion *portion, patch_address *address);

/* Words: the rows left in portion->moved_slots, patched as *patch says. O(rows). */
void rebinding_patch(struct manager *manager, const struct splitter *splitter, const struct portion *portion,
                     const struct ddi_patch *patch);

#endif
