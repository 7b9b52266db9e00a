/* SPDX-License-Identifier: Apache-2.0
 *
 * SHARE: the owner of an allocation gives another client the right to read or write it, or takes it back.
 */
#ifndef FIRMWARE_SHARE_COMMAND_H
#define FIRMWARE_SHARE_COMMAND_H

#include "schedule/manager.h"

/* Refuses BAD_HANDLE, BAD_ARGUMENT, OUT_OF_HANDLES, and TABLE_SHARE (client_may_take). Yields. O(rights). */
struct reply share_command(struct manager *manager, const uint32_t message[MESSAGE_WORDS]);

#endif
