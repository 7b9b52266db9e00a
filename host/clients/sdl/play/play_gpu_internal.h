/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the played recording share: play_gpu.c (drawing), play_surface.c (surfaces and their allocations),
 * play_palette.c (colours of INDEX8), play_upload.c (small writes by the host), play_frame.c (frames in flight),
 * play_flip.c (frames on the display) and play_bind.c (streams and binding slots).
 */
#ifndef TESSERA_PLAY_GPU_INTERNAL_H
#define TESSERA_PLAY_GPU_INTERNAL_H

#include "clients/sdl/play/play_gpu.h"
#include "clients/sdl/play/play_view.h"
#include "tessera_stream.h"

enum {
    LOCAL_SEGMENTS = 3, /* bits of a set of segments */
    APERTURE_SEGMENT = 4,
    PLAY_SLOTS = 32,
    PLAY_PALETTE_SLOT = PLAY_SLOTS, /* no draw names it */
    PLAY_STAGE_SLOT = PLAY_SLOTS + 1,
    PLAY_SCREEN_SLOT = PLAY_SLOTS + 2,
    PLAY_STAGES = 16,
    PLAY_TICKETS = 16,
    PLAY_ANSWERS = 48,
    PLAY_LOCKS = 32,
    PLAY_SPARES = 64,
    PLAY_PALETTES = 32,
    PLAY_SCREENS = 2
};

/* Rows of a surface that lie in one allocation. */
struct band_state {
    bool is_drawn;    /* the GPU has drawn it since the host's copy was current */
    bool is_new;      /* no frame has read it since it changed */
    uint64_t version; /* one more with every change */
};

struct image {
    bool exists;
    enum recording_format format;
    uint32_t width, height, unit_bytes, band_rows, band_count;
    uint8_t *pixels;
    struct band_state *bands;
    uint32_t *colours; /* of INDEX8 */
    bool is_clear;     /* XRGB1555: the GPU may have drawn units without their alpha */
    bool is_on_screen; /* the screen has surfaces of its size and format, if it is play_screen.image */
    struct {
        struct tessera_allocation **bands; /* NULL: there is no such view */
        uint32_t told;                     /* the first band's number in play_gpu.bound */
    } views[PLAY_VIEWS];
    uint64_t stream;   /* the last one that names it */
    uint64_t last_use; /* number of the last operation that names it */
};

/* Colours on the GPU, which never change there: surfaces of one palette share it. */
struct palette {
    struct tessera_allocation *allocation; /* NULL: free */
    uint64_t last_use;
    uint32_t colours[RECORDING_COLOURS];
};

/* What uploads read. */
struct stage {
    struct tessera_allocation *allocation; /* NULL: not made yet */
    bool is_open;                          /* locked, and in the stream */
    uint32_t used, told;                   /* bytes; its number in play_gpu.bound */
};

struct binding {
    struct image *image; /* NULL: free */
    enum play_view view;
    uint32_t band, pages;
    bool is_target;
    uint64_t last_use;
};

/* A DMA buffer under way. */
struct buffer {
    tessera_ticket ticket;
    uint32_t frame;
};

/* A message that nothing waits for but its turn here: UNLOCK, or the end of an allocation. */
struct answer {
    tessera_ticket ticket;
    bool is_destroyed;
};

/* What a frame that has been presented shows of one band. */
struct shown_band {
    struct tessera_allocation *allocation; /* to be read from; NULL: the rows are in the frame's pixels */
    bool is_own;                           /* the surface has another by now */
    uint64_t version;
};

/* A frame in flight; with `is_presented` one whose pixels have to be read. */
struct flight {
    uint32_t number;
    bool is_presented, is_read;
    struct image *image;
    uint8_t *pixels;
    struct shown_band *bands;
    struct play_work work;
};

/* Of these two one is shown on the device's display. */
struct play_screen_surface {
    struct tessera_allocation *allocation;
    uint64_t *versions; /* of each band, and one more; 0: it is not there */
};

struct play_screen {
    uint32_t mode; /* TESSERA_DISPLAY_OFF: nothing else here is valid */
    const struct image *image;
    struct play_screen_surface surfaces[PLAY_SCREENS];
    uint32_t back; /* the surface that is not shown */
};

struct play_gpu {
    struct tessera *tessera;
    struct tessera_stream *stream;
    uint32_t context, local_pages, band_bytes, bound_pages;
    uint32_t surface_set; /* segments in which surfaces may be */
    bool is_mappable;     /* the aperture among them */
    uint32_t allocation_count;
    uint64_t stream_number, clock, operation;
    struct binding bindings[PLAY_SLOTS];
    struct buffer buffers[PLAY_TICKETS];
    uint32_t first_buffer, buffer_count;
    uint32_t frame, first_flight;               /* the number of the one that is drawn, of the oldest in flight */
    uint32_t begun;                             /* the last frame of which a buffer was submitted, and one */
    struct flight flights[PLAY_IN_FLIGHT + 1u]; /* by number */
    struct answer answers[PLAY_ANSWERS];
    uint32_t first_answer, answer_count;
    struct tessera_allocation *spares[PLAY_SPARES]; /* for bands that a frame keeps */
    uint32_t spare_count;
    struct palette palettes[PLAY_PALETTES];
    const struct palette *palette; /* that the stream has; NULL: none */
    struct stage stages[PLAY_STAGES];
    uint32_t stage; /* that was opened last */
    bool has_failed;
    uint32_t failed_frame;
    char failure[PLAY_FAILURE];
    struct play_screen screen;
    struct play_counts counts;
    struct view *view;
    struct bound *bound; /* NULL: none */
    uint8_t *row;        /* one converted row */
    struct image images[RECORDING_SURFACES];
};

static inline struct flight *play_flight(struct play_gpu *gpu, uint32_t frame)
{
    return &gpu->flights[frame % (PLAY_IN_FLIGHT + 1u)];
}

/* From the bottom up: no file calls one that comes later. */

/* ------------------------------------------------------------------ play_image.c */

uint32_t image_format(const struct image *image, enum play_view view); /* FORMAT group */
uint32_t image_pitch(const struct image *image, enum play_view view);
uint32_t image_band_height(const struct image *image, uint32_t band);
uint32_t image_view_height(const struct image *image, enum play_view view, uint32_t band);
size_t image_row_bytes(const struct image *image); /* of the host's copy */
size_t image_band_offset(const struct image *image, uint32_t band);
size_t image_band_bytes(const struct image *image, uint32_t band);
/* Is there a band that the GPU has drawn, and not the host? */
bool image_is_drawn(const struct image *image);
/* The band's content is another from here on; drawn: by the GPU. */
void image_change(struct image *image, uint32_t band, bool is_drawn);

/* ------------------------------------------------------------------ play_answers.c */

/* Destroy it after what has been submitted, without waiting. */
int play_release(struct play_gpu *gpu, struct tessera_allocation *allocation);
/* Room for the ticket of one more message whose answer is looked at later. */
int play_answer_room(struct play_gpu *gpu, struct answer **answer);
/* Wait for all of them. */
int play_await_answers(struct play_gpu *gpu);
/* UNLOCK, without waiting. */
int play_unlock(struct play_gpu *gpu, struct tessera_allocation *allocation);
/* The stream is about to be submitted. */
int play_close_stages(struct play_gpu *gpu);

/* ------------------------------------------------------------------ play_bind.c */

/* Submit what has been drawn, if anything. Nothing is bound afterwards. */
int play_flush(struct play_gpu *gpu);
/* And wait for everything. */
int play_drain(struct play_gpu *gpu);
/* Wait for every buffer of the frame and of those before. */
int play_wait_frame(struct play_gpu *gpu, uint32_t frame);
/* Bind a band of a view, unless it is bound already; *slot says where. The slot `kept` stays as it is. */
int play_bind(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band, bool is_target,
              uint32_t kept, uint32_t *slot);
/* The band has another allocation, or is about to get one: it is no longer bound. */
int play_unbind(struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band);
/* Room in the stream for one operation on one pair of bands, with its bindings. */
int play_make_room(struct play_gpu *gpu);
/* A call failed that belongs to this frame: the first one is kept. */
void play_note_failure(struct play_gpu *gpu, int status, uint32_t frame);

/* ------------------------------------------------------------------ play_read.c */

/* No frame shows it any more: another band of its size can have it. */
void play_keep_spare(struct play_gpu *gpu, struct tessera_allocation *allocation);
/* Destroy the spare allocations. Were there any? */
bool play_drop_spares(struct play_gpu *gpu);
bool play_is_to_be_read(const struct flight *flight, const struct image *image);
/* Frames before it have been read. */
int play_read_frame(struct play_gpu *gpu, uint32_t frame);
/* Read every frame that shows the surface. */
int play_settle(struct play_gpu *gpu, const struct image *image);

/* ------------------------------------------------------------------ play_allocation.c */

/* The stream may not go on naming memory that is about to change. */
int image_flush(struct play_gpu *gpu, const struct image *image);
int image_drop_view(struct play_gpu *gpu, struct image *image, enum play_view view);
/* The host's copy takes over what the GPU has drawn. Waits for everything. */
int image_read_back(struct play_gpu *gpu, struct image *image);
/* An allocation that may be in these segments, as a set; others make room for it. */
int play_create_allocation(struct play_gpu *gpu, uint32_t bytes, uint32_t segments,
                           struct tessera_allocation **allocation);
/* An allocation for a band of a view. */
int image_create_band(struct play_gpu *gpu, const struct image *image, enum play_view view, uint32_t band,
                      struct tessera_allocation **allocation);
/* Tell the view that from the next DMA buffer on this allocation is the band. */
void play_show_band(const struct play_gpu *gpu, const struct image *image, uint32_t band,
                    const struct tessera_allocation *allocation);
/* Tell the view that this allocation is what the display shows. */
void play_name_screen(const struct play_gpu *gpu, const struct image *image,
                      const struct tessera_allocation *allocation);

/* ------------------------------------------------------------------ play_renew.c */

/* A band of the PLAIN view is about to be written, all of it or a part, by the GPU or the host. If a frame is still to
 * be read from it, that frame keeps the allocation and the band gets another; for a part, the frame is read first. */
int play_before_write(struct play_gpu *gpu, struct image *image, uint32_t band, bool is_whole);

/* ------------------------------------------------------------------ play_palette.c */

/* The surface's colours are on the GPU. What has been drawn may be submitted. */
int play_need_palette(struct play_gpu *gpu, const struct image *image, struct palette **palette);
/* Draws from INDEX8 of the stream take these colours from now on. */
int play_use_palette(struct play_gpu *gpu, const struct palette *palette);
/* PALETTE. */
void image_set_palette(struct image *image, const uint32_t *colours);
/* All of them leave the GPU. */
int play_drop_palettes(struct play_gpu *gpu);

/* ------------------------------------------------------------------ play_upload.c */

/* The longest upload that is one packet. */
uint32_t play_stage_bytes(const struct play_gpu *gpu);
/* A rectangle of the host's copy, of rows that the band has, goes into the view by the stream. What has been drawn may
 * be submitted. */
int play_upload(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band,
                const struct recording_rect *rect);
/* All of them leave the GPU. */
int play_drop_stages(struct play_gpu *gpu);

/* ------------------------------------------------------------------ play_surface.c */

int image_create(struct play_gpu *gpu, const struct recording_event *event);
int image_destroy(struct play_gpu *gpu, struct image *image);
/* PIXELS. */
int image_update(struct play_gpu *gpu, const struct recording_event *event);
int image_need_view(struct play_gpu *gpu, struct image *image, enum play_view view);
/* The surface is about to be drawn: only the PLAIN view stays. */
int image_need_target(struct play_gpu *gpu, struct image *image);

/* ------------------------------------------------------------------ play_frame.c */

/* The frame that is drawn needs no reading, and no other is left to take: the next one begins. */
void play_end_frame(struct play_gpu *gpu);

/* ------------------------------------------------------------------ play_flip.c */

/* The display is off, and its surfaces leave the GPU. */
int play_drop_screen(struct play_gpu *gpu);

#endif
