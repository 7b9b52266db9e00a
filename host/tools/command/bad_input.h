/* SPDX-License-Identifier: Apache-2.0
 *
 * Every way to be wrong, as a table: what is sent, and the status and detail that must come back.
 */
#ifndef TESSERA_BAD_INPUT_H
#define TESSERA_BAD_INPUT_H

#include "tessera.h"
#include "tessera_stream.h"

/* What the cases work on. Every allocation is 2 pages, local memory only. */
struct bench {
    struct tessera *tessera;
    struct tessera_stream *stream;
    uint32_t context, staging; /* staging: a buffer the cases write to */
    struct tessera_allocation *source, *target;
    struct tessera_allocation *locked, *offered, *hidden; /* hidden: not CPU visible */
    uint32_t message[16];                                 /* what will be sent: a SUBMIT of `stream` unless changed */
};

/* First words of every case's stream: slot 0 := target, slot 1 := source, both RGB565 of pitch 64, and a
 * draw between them. Its length in bytes: */
enum { BAD_INPUT_START = 56, BAD_INPUT_ANY = 0x7fffffff };

struct bad_case {
    const char *name;
    void (*add)(struct bench *bench);   /* append to the stream; may be NULL */
    void (*spoil)(struct bench *bench); /* change the message once the stream is staged; may be NULL */
    uint32_t status, detail;            /* detail BAD_INPUT_ANY: not looked at */
};

extern const struct bad_case bad_cases[];
extern const uint32_t bad_case_count;

#endif
