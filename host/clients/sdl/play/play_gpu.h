/* SPDX-License-Identifier: Apache-2.0
 *
 * The surfaces of a recording on the GPU. A surface is cut into bands of rows, each an allocation of its own, so that
 * a surface larger than local memory is paged piece by piece; binding slots are handed out least recently used, under
 * a budget of pages that a split may have to keep in place.
 *
 * Every blit of a recording is one BLIT packet per pair of bands, nothing is drawn by the host; formats, key, blend
 * mode and modulations are the engine's, and so is SDL's rounding (TRUNCATED, BY_256): the result is that of SDL 2.26,
 * bit for bit.
 * Only some sources are stored in another way than in the file, as *views* made when first needed:
 *
 *   SDL32   ARGB8888 sources of a BLEND, for XRGB8888 targets: colours multiplied by alpha, alpha one larger. SDL
 * computes (s * a >> 8) + (t * (255 - a) >> 8) there, the engine BY_256 s + (t * (256 - alpha) >> 8) SDL16   the same
 * for RGB565 targets: reduced to 5 and 6 bits, alpha to 5, as SDL does before it blends LAPPED  sources of several
 * bands that are filtered: each band has the first row of the next besides
 *
 * A frame that has been presented is read when it is done, while the next one is drawn (play_frame.c): the allocations
 * that it shows stay as they are until then. What is about to be written over as a whole gets other memory, so that
 * nothing waits; what is changed in part is read first.
 *
 * A view is made of the host's copy of the surface; if the GPU has drawn the surface since, it is read back first
 * (counted: `readbacks`). LAPPED is made by the GPU where it has the surface.
 */
#ifndef TESSERA_PLAY_GPU_H
#define TESSERA_PLAY_GPU_H

#include "tools/bound/bound.h"
#include "tools/recording/recording.h"
#include "tessera.h"
#include "tools/view/places.h"
#include "tools/view/view.h"

struct play_gpu;

/* Frames under way at a time, at most: the one that is drawn, and those presented and not read. */
enum { PLAY_IN_FLIGHT = 4, PLAY_FAILURE = 256 };

/* What the DMA buffers of one frame took. */
struct play_work {
    uint32_t buffers, portions, evictions, pages_in, pages_out;
};

/* Everything since the beginning. */
struct play_counts {
    uint32_t blits[RECORDING_MODES], modulated, fills, updates; /* operations of the recording; modulated: blits whose
                                                                   colours are; updates: PIXELS */
    uint32_t mapped;                                            /* blits of these that have a map */
    uint32_t packets;                                           /* BLIT, BLIT_AFFINE and FILL_RECT */
    uint32_t uploads; /* of these: what the host wrote into surfaces that the GPU knows */
    uint32_t binds;
    uint32_t views, readbacks, dropped;   /* dropped: surfaces taken off the GPU because allocations were used up */
    uint32_t overlapped, renewed, reread; /* frames begun while another was drawn; bands that got other memory because a
                                             frame was still to be read; frames that were read early instead */
    uint32_t flips;                       /* of the device's display */
    uint64_t pixels, update_bytes;        /* drawn; written */
};

/* `local_pages`: segments 1 and 2 together. Copied: surfaces in these only, instead of wherever it costs least.
 * NULL: out of memory. */
struct play_gpu *play_gpu_create(uint32_t local_pages, bool is_copied);
void play_gpu_destroy(struct play_gpu *gpu);
/* Use a device from now on: first of all, and after play_gpu_leave. */
int play_gpu_enter(struct play_gpu *gpu, struct tessera *tessera);
/* Tell the view the name of every allocation from now on; NULL: none. */
void play_gpu_watch(struct play_gpu *gpu, struct view *view);
/* Bring every surface back to the host and let the device go. */
int play_gpu_leave(struct play_gpu *gpu);

/* Tell this, from the next play_gpu_begin on, what is drawn; NULL: nothing. */
void play_gpu_tell(struct play_gpu *gpu, struct bound *bound);
/* Wait for everything that was drawn; frames are counted from here, the first is 0. */
int play_gpu_begin(struct play_gpu *gpu);
/* SURFACE, FREE, PIXELS, FILL or BLIT. Returns a status of tessera.h. */
int play_gpu_event(struct play_gpu *gpu, const struct recording_event *event);
/* The frame ends and shows the surface: it is submitted, and the next one may be drawn. Before that, at most
 * PLAY_IN_FLIGHT - 1 frames may be left to take. */
int play_gpu_present(struct play_gpu *gpu, uint32_t surface);
/* How many frames are left to take. */
uint32_t play_gpu_presented(const struct play_gpu *gpu);
/* Wait for the oldest of them, and no other, and read what it shows. *pixels stays the library's, valid until the next
 * call; rows without padding, in the surface's format. */
int play_gpu_take(struct play_gpu *gpu, const uint8_t **pixels, struct play_work *work);
/* The display's mode for the surface, XRGB8888 or RGB565, by its size; TESSERA_DISPLAY_OFF: there is none. */
uint32_t play_gpu_mode(const struct play_gpu *gpu, uint32_t surface);
/* Instead of play_gpu_present and play_gpu_take, while no frame is left to take: the frame ends, and the surface is
 * shown on the device's display, which gets the mode of its size. What has changed is copied to one of two allocations;
 * from the blank after that on it is shown, and this returns at the next blank. *middle: a cycle between the two; 0:
 * nothing has changed. Between play_gpu_enter and play_gpu_leave the display is this one's. TESSERA_MISUSE: a frame is
 * left, or no mode has the size.
 * After another failure the frame goes on, and can be presented: NO_MODE, NO_BANDWIDTH, NO_SEGMENT, NO_PLACEMENT. */
int play_gpu_flip(struct play_gpu *gpu, uint32_t surface, struct play_work *work, uint64_t *middle);
/* After a failure: the frame that it belongs to, which may be older or younger than the one that was asked for. */
uint32_t play_gpu_failed_frame(const struct play_gpu *gpu);
/* And what the library said. */
const char *play_gpu_message(const struct play_gpu *gpu);
/* Where all of the surfaces are, and why. */
int play_gpu_places(struct play_gpu *gpu, struct places *places);
const struct play_counts *play_gpu_counts(const struct play_gpu *gpu);
/* For tests of the check: invert one byte of the surface, on the GPU. */
int play_gpu_spoil(struct play_gpu *gpu, uint32_t surface);

#endif
