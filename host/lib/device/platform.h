/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices a program of this repository can open: the Verilated chip and the golden model. Both become
 * a struct transport; what only the simulator can do (wave forms, reports) is left out by the model.
 */
#ifndef TESSERA_PLATFORM_H
#define TESSERA_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/device/probe.h"
#include "profile.h"
#include "transport.h"

enum { PLATFORM_LATENCY = 20 }; /* of options.latency, unless asked for */

struct platform_options {
    bool is_model;                         /* golden model instead of the Verilated chip */
    const char *device;                    /* a board: tty:... or tcp:..., see transport_wire.h; NULL = none */
    const char *firmware;                  /* ELF; the model has its own */
    bool keeps_firmware;                   /* of a board: what core memory holds already is run, nothing is loaded */
    uint32_t seed, latency, stall_percent; /* a simulated board's memory has no other latency and no stalls */
    void *memory;                          /* system memory of the caller's, of memory_bytes; NULL: the device's own */
    uint32_t memory_bytes;                 /* 0 = 64 MiB; both not of a board, which has its own */
    uint64_t max_cycles;                   /* a failure when it is reached; 0 = none */
    uint64_t end_cycle;                    /* an end like any other; 0 = none */
    const char *fst_path;                  /* wave form of [fst_from, fst_to); NULL = none */
    uint64_t fst_from, fst_to;             /* fst_to 0 = until the end */
    const struct probe *probe;             /* may be NULL */
    bool is_debugged;                      /* a gdb server in front of the device (gdb.h), on gdb_port */
    uint16_t gdb_port;
};

struct simulator;
struct device;

/* A frame that the display has shown: rows of XRGB8888 without gaps, valid during the call. */
typedef void platform_frame(void *context, const uint32_t *pixels, uint32_t width, uint32_t height);

struct platform {
    struct transport transport;
    const char *name;
    const char *firmware;        /* for tessera_options; NULL: the device has its own */
    struct simulator *simulator; /* NULL for the model */
    struct device *model;        /* NULL for everything else */
    platform_frame *frame;       /* of platform_display */
    void *frame_context;
    void *memory; /* system memory, where this program can touch it; NULL: it lies elsewhere */
    void *mapped; /* of these, what tessera_open_device mapped, or NULL; and how much */
    uint32_t mapped_bytes;
    int event;         /* the descriptor of tessera_event_descriptor; 0: none yet */
    uint32_t clock_hz; /* at which the simulated chip is placed; 0: not known */
};

/* 0, or -1 with a line in `message`. tessera_close() closes the transport and with it the device. */
int platform_open(struct platform *platform, const struct platform_options *options, char message[256]);
/* Call `frame` for each frame of the display, in the device's time. *platform stays where it is until the device is
 * closed. False: a board, whose frames go to its monitor, or out of memory. */
bool platform_display(struct platform *platform, platform_frame *frame, void *context);
/* Where the firmware's cycles went, one line per chain of callers, to `path`. False when that cannot be written. True
 * and nothing written for the model, which runs no instructions. */
bool platform_write_profile(const struct platform *platform, const char *path);
/* The same by function, most cycles first; how many rows were filled. */
uint32_t platform_profile(const struct platform *platform, struct profile_row *rows, uint32_t limit);
/* Has the device ended because options.end_cycle was reached? Its verbs fail from then on. */
bool platform_reached_end(const struct platform *platform);
/* What the device is doing, to stderr. */
void platform_report(const struct platform *platform);

#endif
