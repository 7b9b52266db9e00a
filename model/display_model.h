/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of the display unit: block DISPLAY of spec/gpu.def, and the frames that it shows.
 *
 * Time is the device's cycle. The caller advances the model to it before each access. A frame begins with its vertical
 * blank; then its flips are taken, and its lines are shown. Lines are drawn when their time has passed, so that a flip
 * in the middle of a frame tears the picture as on the chip. No pixel is ever too late, unless a test wants it.
 */
#ifndef TESSERA_DISPLAY_MODEL_H
#define TESSERA_DISPLAY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "display_picture.h"

enum {
    DISPLAY_MODEL_MHZ = 100,      /* of the device: so many cycles a microsecond */
    DISPLAY_MODEL_PROMISE1 = 600, /* bytes a microsecond */
    DISPLAY_MODEL_PROMISE2 = 400,
    DISPLAY_MODEL_PIXELS = 4096, /* most columns, and most rows */
    DISPLAY_MODEL_QUEUE = 4
};

/* A frame as it was shown: `pixels` are XRGB8888, row by row, without gaps. */
typedef void display_model_frame(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                                 uint64_t cycle);

/* What planes read: local memory. */
struct display_model_memory {
    const uint8_t *segment1, *segment2;
    uint32_t segment1_bytes, segment2_bytes;
};

struct display_model_entry {
    uint32_t address, frame, push; /* `push`: the word of FLIP_PUSH */
};

/* What is written of the overlay's place and of the cursor, until it is taken. */
struct display_model_written {
    uint32_t overlay_place, overlay_size, overlay_mix, overlay_mode, cursor_image, cursor_place;
};

struct display_model {
    bool is_there; /* else every register reads zero */
    struct display_model_memory memory;
    display_model_frame *on_frame; /* NULL: frames are not drawn */
    void *context;
    /* The raster. */
    uint32_t control, clock, h_show, h_line, v_show, v_line, lead;
    bool is_running, is_in_blank;
    uint64_t begin;      /* cycle at which the blank of this frame began, or would have */
    uint64_t blank_end;  /* with it its flips are taken */
    uint32_t frame, row; /* rows of it that are drawn */
    uint32_t irq, irq_enable;
    /* Planes. */
    struct display_model_entry next, queue[DISPLAY_MODEL_QUEUE];
    uint32_t queued, taken, hold;
    struct display_model_written written;
    struct display_picture shown;
    uint32_t *pixels;
    uint32_t step; /* draw every so-many-th pixel of every so-many-th row; 0 = all */
    uint32_t late; /* the last so many pixels of each frame that is drawn come too late: black, and in MISSED */
    uint32_t missed;
    uint32_t mix_rate;    /* MIX_RATE; 0 = DISPLAY_MODEL_MHZ */
    uint32_t fixed_clock; /* kHz: the only pixel clock that there is; 0 = any up to DISPLAY_MODEL_MHZ */
};

void display_model_init(struct display_model *model, const struct display_model_memory *memory);
void display_model_free(struct display_model *model);

/* Let the time pass up to this cycle. */
void display_model_advance(struct display_model *model, uint64_t cycle);
/* The cycle at which something happens next; UINT64_MAX: nothing does. */
uint64_t display_model_next(const struct display_model *model);

uint32_t display_model_read(const struct display_model *model, uint32_t offset, uint64_t cycle);
void display_model_write(struct display_model *model, uint32_t offset, uint32_t value, uint64_t cycle);

#endif
