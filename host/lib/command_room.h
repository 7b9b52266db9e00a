/* SPDX-License-Identifier: Apache-2.0
 *
 * What the firmware takes of command RAM, in bytes (firmware/gpu.c, share_command_memory), so that the library can say
 * how much longer DMA buffers and lists need. test_limits.c of tests/unit/whole holds the firmware to it.
 */
#ifndef HOST_LIB_COMMAND_ROOM_H
#define HOST_LIB_COMMAND_ROOM_H

enum {
    COMMAND_OWN_BYTES = 20432, /* rings, paging buffers, messages that wait */
    COMMAND_PATCH_BYTES = 12,  /* an entry of a patch list */
    COMMAND_LIST_BYTES = 2     /* one of an allocation list that is longer than by default */
};

#endif
