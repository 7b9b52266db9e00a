/* SPDX-License-Identifier: Apache-2.0
 *
 * When a node stops on an error or makes no progress: find the culprit, reset the node, let everything
 * else run on.
 */
#ifndef FIRMWARE_RECOVERY_H
#define FIRMWARE_RECOVERY_H

#include <stdbool.h>

#include "scheduler.h"

/* Look at both nodes. True: a node was reset.
 *
 * The culprit's context is lost: its queued portions become empty (their fences still pass, in order, which
 * is what paging waits for), its later jobs are answered CONTEXT_LOST. Portions of other contexts run again
 * from the ring. An error on the paging node is our own and stops the firmware. */
bool recovery_step(struct scheduler *scheduler);

#endif
