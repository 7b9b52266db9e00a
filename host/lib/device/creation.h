/* SPDX-License-Identifier: Apache-2.0
 *
 * What a CREATE_ALLOCATION message asks for, as the options of the library's call: the other way round.
 */
#ifndef TESSERA_CREATION_H
#define TESSERA_CREATION_H

#include "gpu_spec.h"
#include "tessera.h"

/* All but context and pages, which are of the machine that the message was for. */
static inline struct tessera_allocation_options options_of_creation(const uint32_t message[16])
{
    return (struct tessera_allocation_options){
        .bytes = message[MSG_CREATE_ALLOCATION_BYTES],
        .alignment = message[MSG_CREATE_ALLOCATION_ALIGNMENT],
        .flags = message[MSG_CREATE_ALLOCATION_FLAGS],
        .preferred = message[MSG_CREATE_ALLOCATION_PREFERRED],
        .read_set = message[MSG_CREATE_ALLOCATION_READ_SET],
        .write_set = message[MSG_CREATE_ALLOCATION_WRITE_SET],
        .eviction_set = message[MSG_CREATE_ALLOCATION_EVICTION_SET],
        .priority = message[MSG_CREATE_ALLOCATION_PRIORITY],
        .pitch = message[MSG_CREATE_ALLOCATION_PITCH],
        .height = message[MSG_CREATE_ALLOCATION_HEIGHT] & 0xffffu,
        .levels = message[MSG_CREATE_ALLOCATION_HEIGHT] >> 16,
        .pattern = message[MSG_CREATE_ALLOCATION_PATTERN],
    };
}

#endif
