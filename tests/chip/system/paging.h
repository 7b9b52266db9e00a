/* SPDX-License-Identifier: Apache-2.0
 *
 * What paging.c (the driver on the chip) and test_paging.c (the host) agree on: places in system memory (bus
 * addresses), and the words of a request. The host writes a request and rings the doorbell; the chip executes
 * it, writes the reply and raises the completion interrupt.
 */
#ifndef TEST_PAGING_H
#define TEST_PAGING_H

#include "gpu_spec.h"

enum {
    PAGING_REQUEST = 0x1000, /* REQUEST_WORDS words */
    PAGING_REPLY = 0x2000,   /* REPLY_WORDS words */
    PAGING_DUMMY = 3,        /* page number of the dummy page */
    PAGING_LISTS = 0x4000,   /* page lists, one page */
    PAGING_PAGES = 0x10,     /* first page number of what the page lists name */
    PAGING_WINDOW = 0x80000, /* PEEK and POKE: the content, as words */
    PAGING_WINDOW_BYTES = 0x20000
};

enum paging_command {
    PAGING_BUILD = 1,   /* one operation through build_paging_buffer, submitted and completed */
    PAGING_BUILD_OPEN,  /* the same, but what is in the last buffer stays there: the next operation follows it */
    PAGING_PEEK,        /* GPU memory to the window, by the render node */
    PAGING_POKE,        /* the window to GPU memory, by the render node */
    PAGING_LOAD,        /* as PEEK, by loads of the core: GPU memory and registers */
    PAGING_STORE,       /* as POKE, by stores of the core */
    PAGING_RENDER_COPY, /* start copies on the render node; the reply does not wait for them */
    PAGING_RENDER_WAIT, /* wait for them */
    PAGING_SEARCH,      /* the worst search of the segment allocator among BYTES ranges */
    PAGING_EXIT
};

enum paging_request {
    REQUEST_COMMAND,
    REQUEST_ADDRESS, /* PEEK .. STORE: first byte; RENDER_COPY: source */
    REQUEST_TARGET,  /* RENDER_COPY */
    REQUEST_BYTES,
    REQUEST_COPIES,    /* RENDER_COPY: how often */
    REQUEST_OPERATION, /* BUILD: enum ddi_operation */
    REQUEST_BUFFER,    /* BUILD: bytes of each fresh paging buffer */
    REQUEST_HANDLE,    /* BUILD: the allocation */
    REQUEST_PITCH,
    REQUEST_HEIGHT,
    REQUEST_LEVELS,
    REQUEST_ARGUMENTS, /* BUILD: the members of the operation's struct of ddi.h, in its order */
    REQUEST_WORDS = REQUEST_ARGUMENTS + 10
};

enum paging_reply {
    REPLY_STATUS,      /* BUILD: enum ddi_status of the last call */
    REPLY_CALLS,       /* BUILD: calls of build_paging_buffer */
    REPLY_SUBMISSIONS, /* BUILD: paging buffers submitted, each with a fence of its own */
    REPLY_FENCE,       /* of the paging node, after the last of them */
    REPLY_BYTES,       /* BUILD: bytes of packets written */
    REPLY_USED,        /* BUILD_OPEN: bytes in the open buffer */
    REPLY_SPOILED,     /* BUILD: words of command RAM changed after the free byte that the driver returned */
    REPLY_OFFSET,      /* BUILD: MultipassOffset after the last call */
    REPLY_CYCLES,      /* BUILD: inside those calls; SEARCH: of it */
    REPLY_WORDS
};

#endif
