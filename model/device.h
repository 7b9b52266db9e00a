/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware, compiled for the host, on the golden model of the engine: a GPU without a chip. Programs
 * reach it through struct transport exactly as they reach the simulated chip, only much faster; tests also
 * look inside. Time is counted, not measured: so many cycles per turn of the firmware and per packet.
 *
 * hal_*() has no context, so the device a thread works on is remembered while one of its verbs is active;
 * several devices may exist, also in several threads.
 */
#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "display_model.h"
#include "engine_model.h"
#include "gpu.h"
#include "lib/device/probe.h"
#include "transport.h"

struct device_options {
    uint32_t memory_bytes;     /* system memory, multiple of 4096; 0 = 64 MiB */
    void *memory;              /* the caller's, of memory_bytes, which outlives the device; NULL: the device's own */
    uint32_t segment1_bytes;   /* multiple of 4096; 0 = 256 KiB */
    uint32_t segment2_bytes;   /* multiple of 4096; 0 = 2 MiB */
    uint32_t aperture_pages;   /* 0 = 4096 */
    uint32_t table_bytes;      /* memory for the firmware's tables; 0 = enough for any limit */
    uint32_t command_bytes;    /* command RAM; 0 = enough for any limit */
    uint32_t examiner_log2;    /* of the examiner's table, at most EXAMINER_LOG2_MAX; 0 = that */
    const struct probe *probe; /* may be NULL; copied */
    uint32_t seed;             /* 0: firmware and nodes take turns; else they run in random order */
    bool has_display;          /* MEMORY.FEATURES.DISPLAY: as display_model.h */
    uint32_t display_khz;      /* its only pixel clock; 0 = any */
    const struct gpu_options *gpu; /* another driver, small paging buffers; NULL = the firmware's own */
};

struct device;

/* NULL and a message in `error` (256 bytes) when an option is impossible. */
struct device *device_create(const struct device_options *options, char *error);
void device_transport(struct device *device, struct transport *transport);
/* Show the inside to `probe` (copied) from now on; NULL = none. */
void device_probe(struct device *device, const struct probe *probe);
/* As the transport's close does. */
void device_destroy(struct device *device);

/* ------------------------------------------------------------------ inside, for tests */

struct engine_model *device_engine(struct device *device);
struct gpu *device_gpu(struct device *device);
/* From now on a turn after which the reader of lists knows another thing of an allocation than the firmware aborts. */
void device_check_rows(struct device *device);
/* One turn of everything; false: nothing could move. */
bool device_turn(struct device *device);
/* The node stops making progress, busy, until it is reset. */
void device_hang(struct device *device, unsigned node);
/* From now on every packet of the node's ring takes so many turns more, busy; its byte counter grows by `bytes` in
 * each. */
void device_slow(struct device *device, unsigned node, uint32_t turns, uint32_t bytes);
/* It goes on after all. */
void device_release(struct device *device, unsigned node);
/* For so many of its turns the node completes packets (NODE.PACKETS grows) without getting on: a long DMA buffer. */
void device_crawl(struct device *device, unsigned node, uint32_t turns);
/* Every look at the clock takes the firmware so many cycles: what it limits by time comes in pieces. 0 at first. */
void device_look_cycles(struct device *device, uint32_t cycles);
/* The cycle counter has this value now. */
void device_set_cycle(struct device *device, uint64_t cycle);
/* The core sleeps when it has nothing to do, until an interrupt or until its patience ends, as the real one does;
 * otherwise it always has its turns. */
void device_sleep(struct device *device, bool sleeps);
/* Nodes' interrupts are lost on their way. */
void device_drop_interrupts(struct device *device, bool are_dropped);
/* The display unit, so that the caller sees what is shown (on_frame); has_display. */
struct display_model *device_display(struct device *device);
/* Time passes up to the next blank, or to the end of it. False: the display is off. */
bool device_blank(struct device *device);
/* A register as the core reads it. */
uint32_t device_register(struct device *device, uint32_t offset);

#endif
