/* SPDX-License-Identifier: Apache-2.0
 *
 * The chip itself in a browser: the Verilog of rtl/ as Verilator makes C++ of it, the firmware's image on its core, and
 * a deck of cards drawn by it cycle by cycle. One call runs the frames, and shows how far it is after so many cycles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/scene_run.h"
#include "gpu_names.h"
#include "lib/tessera_internal.h"
#include "pixel_model.h"
#include "tools/scene/scenes.h"
#include "simulator.h"

enum { SEGMENT1_PAGES = 16, SEGMENT2_PAGES = 64, FRAMES_MOST = 8, PATIENCE_CYCLES = 30000000 };

#define EXPORT(name) __attribute__((export_name(#name), used))
/* Both nodes' packets, "" where one has nothing to do. */
__attribute__((import_module("rtl"), import_name("show"))) void rtl_show(double cycle, const char *render,
                                                                         const char *paging);

static struct transport chip, watched;
static uint32_t piece; /* cycles from one look to the next */
static const char *packets[PROBE_NODES];
static char message[256];
static uint8_t pixels[FRAMES_MOST * SCENE_FRAME_BYTES], expected[FRAMES_MOST * SCENE_FRAME_BYTES];
static uint8_t rgba[SCENE_WIDTH * SCENE_HEIGHT * 4];

static void on_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    (void)context;
    (void)cycle;
    (void)offset;
    packets[node] = packet_name((uint8_t)words[0]);
}

static void on_end(void *context, uint64_t cycle, unsigned node)
{
    (void)context;
    (void)cycle;
    packets[node] = "";
}

/* In pieces; one that is shorter than asked for has been ended by the interrupt line. */
static int on_wait(void *context, uint32_t cycles)
{
    int status = TRANSPORT_OK;
    while (cycles != 0 && status == TRANSPORT_OK) {
        const uint32_t count = cycles < piece ? cycles : piece;
        const uint64_t begin = chip.cycles(context);
        status = chip.wait(context, count);
        rtl_show((double)chip.cycles(context), packets[0], packets[1]);
        if (chip.cycles(context) - begin < count) break;
        cycles -= count;
    }
    return status;
}

static bool open_chip(struct tessera **tessera, uint32_t seed)
{
    const struct probe probe = {.packet_begin = on_begin, .packet_end = on_end};
    const struct simulator_options options = {.seed = seed};
    const struct tessera_options of_library = {.segment1_pages = SEGMENT1_PAGES,
                                               .segment2_pages = SEGMENT2_PAGES,
                                               .firmware = "gpu.elf",
                                               .seed = seed,
                                               .patience_cycles = PATIENCE_CYCLES};
    struct simulator *simulator = simulator_create(&options, message);
    if (simulator == NULL) return false;
    packets[0] = packets[1] = "";
    simulator_probe(simulator, &probe);
    simulator_transport(simulator, &chip);
    watched = chip;
    watched.wait = on_wait;
    return tessera_open(tessera, &watched, &of_library, message) == TESSERA_OK;
}

const char *rtl_message(void);
EXPORT(rtl_message) const char *rtl_message(void) { return message; }

/* A frame that has been drawn, as RGBA. */
const uint8_t *rtl_picture(uint32_t frame);
EXPORT(rtl_picture) const uint8_t *rtl_picture(uint32_t frame)
{
    const uint8_t *from = pixels + (size_t)(frame % FRAMES_MOST) * SCENE_FRAME_BYTES;
    for (uint32_t i = 0; i < SCENE_WIDTH * SCENE_HEIGHT; i++) {
        const uint32_t colour = pixel_expand(FORMAT_RGB565, from[2u * i] | (uint32_t)from[2u * i + 1u] << 8);
        rgba[4 * i] = (uint8_t)(colour >> 16);
        rgba[4 * i + 1] = (uint8_t)(colour >> 8);
        rgba[4 * i + 2] = (uint8_t)colour;
        rgba[4 * i + 3] = 255;
    }
    return rgba;
}

/* Frames that are not as the golden model draws them; -1 and a message: it failed. */
int rtl_run(uint32_t frames, uint32_t cycles);
EXPORT(rtl_run) int rtl_run(uint32_t frames, uint32_t cycles)
{
    struct tessera *tessera;
    struct scene scene;
    static struct frame_record records[FRAMES_MOST];
    static struct run_record record = {.frames = records};
    static struct scene_run run;
    int wrong = 0;
    if (frames == 0 || frames > FRAMES_MOST || cycles == 0) return -1;
    piece = cycles;
    if (scene_computed(&scene, "cards", 1, message) != 0 || !open_chip(&tessera, 1)) return -1;
    for (uint32_t i = 0; i < frames; i++) {
        static struct scene_frame frame;
        scene.frame(&scene, i, &frame);
        scene_reference(&scene, &frame, expected + (size_t)i * SCENE_FRAME_BYTES);
    }
    run = (struct scene_run){
        .scene = &scene, .frames = frames, .pixels = pixels, .expected = expected, .record = &record};
    int status = scene_run_begin(&run, tessera);
    for (bool is_over = false; status == TESSERA_OK && !is_over;) status = scene_run_frame(&run, &is_over);
    snprintf(message, sizeof message, "%s", status == TESSERA_OK ? "" : tessera_message(tessera));
    for (uint32_t i = 0; i < frames; i++) wrong += !records[i].is_golden;
    return status == TESSERA_OK ? wrong : -1;
}

/* The chip's, of the run. */
double rtl_cycles(void);
EXPORT(rtl_cycles) double rtl_cycles(void) { return (double)chip.cycles(chip.context); }
