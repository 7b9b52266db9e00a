/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of the two engine nodes: packets of spec/gpu.def executed in C over byte arrays, strictly
 * one after the other. It is the judge of the RTL benches, the scenes and the firmware's host tests, so
 * it is written to be obviously right, not fast. Pixel arithmetic is in pixel_model.h.
 * Link build/model/libmodel.a, or engine_model.c, engine_packets.c and pixel_model.c of this folder.
 */
#ifndef TESSERA_ENGINE_MODEL_H
#define TESSERA_ENGINE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_spec.h"

struct engine_binding {
    uint32_t address, pitch, format, bytes;
};

struct engine_node {
    /* registers of the NODE block that software sees */
    uint32_t ring_base, ring_log2_words, head, tail, fence, irq, page_bound;
    uint32_t error, error_address, error_packet, error_word;
    bool is_enabled, is_paused, is_halted;
    /* state */
    struct engine_binding bindings[64];
    uint32_t palette[256];   /* ARGB8888 */
    bool has_palette;        /* loaded in the RUN at hand */
    uint8_t guard[3 * 4096]; /* bit 0 read, bit 1 write, per page of segment 1, segment 2, aperture */
    uint32_t run_done;       /* bytes executed of the RUN at the ring's head (a WAIT_FENCE inside stopped it) */
    bool is_in_run;          /* that RUN has begun */
    uint32_t packets;        /* completed, those inside a RUN and the RUN itself */
    uint64_t bytes_read_local, bytes_read_system, bytes_written_local, bytes_written_system;
};

struct engine_model {
    uint8_t *segment1, *segment2, *system;
    uint32_t segment1_bytes, segment2_bytes, system_bytes;
    uint32_t *command; /* command RAM, words */
    uint32_t command_bytes;
    uint32_t *aperture; /* APERTURE_ENTRY words */
    uint32_t aperture_pages, dummy_page, lookups, dummy_hits;
    struct engine_node node[2];
    /* Test hook: called before each packet with its node, command RAM byte offset and words; may be NULL. */
    void (*on_packet)(void *context, unsigned node, uint32_t offset, const uint32_t *words);
    /* Called for each unit that a BLIT or FILL_RECT writes, whatever its value; may be NULL. */
    void (*on_unit)(void *context, uint32_t address);
    void *context;
};

/* Execute the packet at the node's ring head (a whole RUN counts as one). Returns false when there is
 * nothing to do: disabled, paused, halted, ring empty, or waiting for the other node's fence. */
bool engine_model_step(struct engine_model *engine, unsigned node);

/* Execute `bytes` of packets at command RAM offset `offset` outside any ring, as RUN would. Returns the
 * FAULT_* code (details in node->error_*) and does not halt the node. A WAIT_FENCE inside counts as reached. */
uint32_t engine_model_run(struct engine_model *engine, unsigned node, uint32_t offset, uint32_t bytes,
                          bool is_privileged);

/* NODE.CONTROL.RESET: head := tail, errors cleared, every slot unbound, no palette. Guard, fence and irq stay. */
void engine_model_reset(struct engine_model *engine, unsigned node);

/* One byte through the engine's eyes (aperture translated); false on a bus error. */
bool engine_model_read(struct engine_model *engine, uint32_t address, uint8_t *value);
bool engine_model_write(struct engine_model *engine, uint32_t address, uint8_t value);
/* The page that holds the address, as the engine sees it; NULL on a bus error. */
uint8_t *engine_model_page(struct engine_model *engine, uint32_t address);

#endif
