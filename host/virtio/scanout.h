/* SPDX-License-Identifier: Apache-2.0
 *
 * What a virtio GPU's display shows (gpu.h), on the display unit of a Tessera: a scanout that has the size of a mode is
 * the primary plane, straight from the resource's memory, and the cursor is the cursor plane. A flush after a change of
 * the scanout returns when the display shows it, so flips take as long as frames.
 *
 * What the display cannot show (another size or format, too little bandwidth or memory) is read back instead
 * (screen.h), and a sentence says why. So is everything for a board, whose frames go to its own monitor.
 */
#ifndef TESSERA_VIRTIO_SCANOUT_H
#define TESSERA_VIRTIO_SCANOUT_H

#include "lib/device/platform.h"
#include "virtio/screen.h"

struct scanout;

struct scanout_counts {
    uint64_t flips;     /* that the display has shown */
    uint64_t read_back; /* scanouts that it could not show */
    char reason[128];   /* of the last of these; "" */
};

/* NULL: out of memory. `platform`: where frames come from; it stays where it is. The painter's transfers make the
 * display let go of memory that they need. */
struct scanout *scanout_create(struct tessera *tessera, struct painter *painter, struct platform *platform);
/* Before the painter's. Nothing is shown after it. NULL is fine. */
void scanout_destroy(struct scanout *scanout);
void scanout_table(struct scanout *scanout, struct virtio_gpu_display *table);

/* The size of a mode that memory can feed; 1024 x 768 if there is none. The second is for a display of these modes and
 * so many bytes a microsecond. */
void scanout_prefer(const struct scanout *scanout, uint32_t *width, uint32_t *height);
void scanout_prefer_of(uint32_t modes, uint32_t promise, uint32_t *width, uint32_t *height);

/* Let the display go on, a little, if it owes a frame with what has changed. True: it still does. */
bool scanout_run(struct scanout *scanout);
/* The last frame, cursor and all: 32-bit units, blue first, the last byte of no meaning. NULL: nothing is shown. Valid
 * until the next call of any function. */
const uint8_t *scanout_picture(struct scanout *scanout, uint32_t *width, uint32_t *height);
/* Has the picture changed since this was asked last? */
bool scanout_changed(struct scanout *scanout);
/* Is there a cursor, and where? */
bool scanout_cursor(const struct scanout *scanout, uint32_t *x, uint32_t *y);
/* Does the display show it? */
bool scanout_is_shown(const struct scanout *scanout);
const struct scanout_counts *scanout_counts(const struct scanout *scanout);

#endif
