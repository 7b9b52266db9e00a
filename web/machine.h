/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine of the page: the firmware on the golden model with a scene, a recording or a workload, run frame by
 * frame, and a tape (tape.h) of what it looked like after every operation. protocol.md says what an operation is.
 *
 *   machine_create - machine_run until it says that nothing is left - machine_seek and what is in the struct
 *
 * Where a run can only go as a whole (recordings, workloads), the first machine_run does all of it.
 */
#ifndef TESSERA_WEB_MACHINE_H
#define TESSERA_WEB_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/command/scene_run.h"
#include "lib/device/platform.h"
#include "knobs.h"
#include "snapshot.h"
#include "tools/cli/options.h"
#include "tape.h"

enum machine_by { BY_FIRMWARE, BY_RENDER, BY_PAGING, BY_PROGRAM };
enum machine_unit { UNIT_OPERATION, UNIT_PORTION, UNIT_BUFFER, UNIT_FRAME, MACHINE_UNITS };

/* One operation of the tape. */
struct operation {
    uint8_t by;
    uint8_t kind; /* of the firmware: TRACE group; of nodes: opcode; of the program: message code, 0: a frame is read */
    uint8_t ends; /* bit per unit that has ended with it */
    uint8_t program;
    uint32_t argument; /* of the trace; the node's first word; the program's handle or frame */
    uint32_t plan;     /* NO_PLAN: none */
    uint32_t frame;    /* UINT32_MAX: of none */
    uint32_t detail;   /* bytes of a copy, width and height of a draw, the second argument */
};

/* A picture of the display: the scene's units. */
struct machine_shown {
    uint32_t at;   /* seen after this operation */
    uint32_t torn; /* so many rows, from the first on, are not all of the surface below them; 0: it is whole */
    uint8_t *units;
};

struct machine {
    struct knobs knobs;
    char message[256];                   /* the last failure */
    bool is_over;                        /* nothing is left to run */
    struct machine *before;              /* the current one when this was made */
    const struct program_options *plain; /* of a run for its results alone, without a tape; else NULL */
    /* What runs. */
    struct platform platform;
    struct transport watched;
    struct tessera *tessera;
    struct device *device;
    struct view *view;
    bool is_view_borrowed;      /* from what plays a recording, which frees it */
    struct probe next[2];       /* that the device's is passed on to: the view's, and another's */
    struct transport of_device; /* below the one that the platform has */
    struct scene scene;
    struct scene_run run;
    struct run_record record;
    uint8_t *pixels;
    uint64_t footprint;
    /* The tape. */
    struct snapshot now;
    struct snapshot_memory memory;
    struct tape *tape, *canvas;
    struct operation *operations;
    uint32_t count, room;
    uint32_t *ends[MACHINE_UNITS]; /* the operations with which each has ended; of UNIT_OPERATION nothing */
    uint32_t ended[MACHINE_UNITS], ends_room[MACHINE_UNITS];
    struct operation pending;                  /* a packet that is being executed */
    bool is_pending, is_taping, waits_to_tape; /* the last: the tape begins with the program's first message */
    uint32_t pending_words[SNAPSHOT_PACKET_WORDS];
    /* The picture: surfaces of `surface_bytes` one after the other. */
    uint8_t *surfaces;
    uint32_t width, height, format, surface_bytes, surface_count;
    /* The display's, each unlike the one before. */
    struct machine_shown *shown;
    uint32_t shown_count;
};

/* NULL with one line in `message`. */
struct machine *machine_create(const struct knobs *knobs, char message[256]);
void machine_destroy(struct machine *machine); /* NULL is fine */
/* Run the next frame. False: it has failed, machine->message says why, and nothing is left. */
bool machine_run(struct machine *machine);

/* The state after operation `at`, and the picture's surfaces. */
const struct snapshot *machine_state(struct machine *machine, uint32_t at);
const uint8_t *machine_surfaces(struct machine *machine, uint32_t at);
/* How many pictures of the display there were after operation `at`; the last is shown[that - 1]. */
uint32_t machine_shown_at(const struct machine *machine, uint32_t at);
/* How many of a unit have ended after operation `at`; and the operation after which the `number`-th has (0: 0);
 * past the last: the last one's. */
uint32_t machine_ended(const struct machine *machine, enum machine_unit unit, uint32_t at);
uint32_t machine_end_of(const struct machine *machine, enum machine_unit unit, uint32_t number);
/* In words, what the operation did. */
void machine_describe(const struct machine *machine, const struct operation *operation, char text[160]);
/* Of a packet, for struct operation. */
uint32_t operation_detail(const uint32_t *words);
const char *machine_kind(const struct operation *operation);

/* The one that hal and platform work for: there is one at a time. */
struct machine *machine_current(void);

#endif
