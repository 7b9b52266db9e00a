/* SPDX-License-Identifier: Apache-2.0
 *
 * What second.c (the whole firmware with the second driver under its manager, on the chip) and test_second.c (the host
 * and judge) agree on: HOST.SCRATCH says how the driver behaves, the trace says every call between manager and driver.
 */
#ifndef TEST_SECOND_H
#define TEST_SECOND_H

#include "gpu_spec.h"

/* HOST.SCRATCH, read at every call. Without DIRECTED the driver is difficult at random. */
enum second_mode {
    SECOND_DIRECTED = 0x01,
    SECOND_BUSY = 0x02,       /* BUSY whenever it may be said ... */
    SECOND_BUSY_LATER = 0x04, /* ... but only to a Transfer that does not begin its allocation */
    SECOND_ONE_PACKET = 0x08, /* at most one packet in a call */
    SECOND_LINGERS = 0x10,    /* stays SECOND_LINGER_CYCLES in a call that promises idleness */
    SECOND_BAD = 0x20,        /* answers BAD_STATUS to BAD_OPERATION ... */
    SECOND_BAD_IDLE = 0x40,   /* ... once it was promised idle; BUSY before */
    SECOND_VALIDATE = 0x80    /* when there is nothing to do: run the validators, then clear this bit */
};
enum { SECOND_BAD_OPERATION_LSB = 8, SECOND_BAD_STATUS_LSB = 16, SECOND_BAD_BITS = 0xff, SECOND_LINGER_CYCLES = 1500 };

/* CORE.TRACE events beside those of the table. */
enum second_event {
    SECOND_CALL = 0x100,  /* a call begins. Argument: enum second_call */
    SECOND_WORD = 0x101,  /* its next argument */
    SECOND_BUILT = 0x102, /* the next word that the driver wrote to the paging buffer */
    SECOND_RETURN = 0x103 /* it ends. Argument: enum ddi_status */
};

enum second_call { CALL_BUILD, CALL_PATCH, CALL_SUBMIT, CALL_PREEMPT, CALL_QUERY_STATUS, CALL_RESET };

/* Arguments of CALL_BUILD: struct ddi_build_paging_buffer as it lies in the core's memory, and the first three
 * members again as the driver left them. */
enum second_build {
    BUILD_BUFFER,
    BUILD_SIZE,
    BUILD_PRIVATE,
    BUILD_PRIVATE_SIZE,
    BUILD_OPERATION,
    BUILD_MULTIPASS,
    BUILD_HANDLE,
    BUILD_PITCH,
    BUILD_HEIGHT,
    BUILD_LEVELS,
    BUILD_UNION,
    BUILD_UNION_WORDS = 10,
    BUILD_AFTER_BUFFER = BUILD_UNION + BUILD_UNION_WORDS,
    BUILD_AFTER_PRIVATE,
    BUILD_AFTER_MULTIPASS,
    BUILD_WORDS
};
/* Inside the union, from BUILD_UNION on. */
enum second_transfer {
    TRANSFER_OFFSET,
    TRANSFER_SIZE,
    TRANSFER_FROM_SEGMENT,
    TRANSFER_FROM_ADDRESS,
    TRANSFER_FROM_MDL,
    TRANSFER_TO_SEGMENT,
    TRANSFER_TO_ADDRESS,
    TRANSFER_TO_MDL,
    TRANSFER_FLAGS,
    TRANSFER_MDL_OFFSET
};
enum second_discard { DISCARD_FLAGS, DISCARD_SEGMENT, DISCARD_ADDRESS };
/* Of CALL_SUBMIT; of CALL_PATCH the first four and the length of its patch list. */
enum second_submit {
    SUBMIT_BUFFER,
    SUBMIT_SIZE,
    SUBMIT_START,
    SUBMIT_END,
    SUBMIT_NODE,
    SUBMIT_FENCE,
    SUBMIT_IS_PAGING
};

#endif
