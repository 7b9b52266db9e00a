/* SPDX-License-Identifier: Apache-2.0
 *
 * What build/tessera-record (launcher.c) shares with the programs that it has started: the recorder inside them fills a
 * recording; whatever becomes of them, by exit or by signal, the launcher ends it and tells what it holds.
 *
 * It lies in a file without a name, which the processes find by the path in TESSERA_RECORD. Only one of them records:
 * the first that shows a surface on a screen of its own.
 */
#ifndef TESSERA_RECORD_LINK_H
#define TESSERA_RECORD_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/recording/recording.h"

#define LINK_VARIABLE "TESSERA_RECORD"
#define LINK_SDL3_VARIABLE "SDL3_DYNAMIC_API"         /* SDL 3's own: see hooks_sdl3.c */
#define LINK_SDL3_USER_VARIABLE "TESSERA_RECORD_SDL3" /* what the user has there */
#define LINK_EVENTS_VARIABLE "TESSERA_RECORD_EVENTS"  /* see events.h */

/* What programs have done, for the line that says why there is no recording. */
enum link_seen {
    SEEN_SDL = 1,       /* SDL_Init */
    SEEN_SCREEN = 2,    /* a screen, or the surface of a window */
    SEEN_UNSEEABLE = 4, /* a surface was shown whose pixels cannot be looked at */
    SEEN_RENDERER = 8,  /* SDL_RenderPresent */
    SEEN_OPENGL = 16,
    SEEN_OVERLAY = 32, /* SDL_DisplayYUVOverlay */
    SEEN_GPU = 64      /* SDL 3: a window for SDL's GPU interface, or for Vulkan */
};

/* Counts for the closing line. */
struct link_counts {
    uint32_t surfaces, blits, fills, blits_as_pixels; /* the last: the sum of those below */
    uint32_t left[RECORDING_REASONS];
    uint64_t pixel_bytes, finished[RECORDING_REASONS]; /* bytes of PIXELS: all, and by reason */
};

enum { LINK_PATH = 32, LINK_UNLIKE = 8 };

/* Of tessera-live: the recording goes to a GPU, and what it has drawn comes back (drawn.h) and is what is shown. */
struct link_drawn {
    char pictures[LINK_PATH];       /* a path of where they come from; empty: nothing comes back */
    bool is_exact;                  /* what the GPU draws otherwise than this SDL is left to SDL (blit_inexact) */
    uint32_t frames, unlike_frames; /* that came; of them, those with a pixel unlike SDL's */
    uint64_t unlike_pixels;         /* of all frames */
    struct link_unlike {
        uint32_t frame, pixels, x, y, levels; /* from 0; how many; the first of them; the largest difference, of 255 */
    } unlike[LINK_UNLIKE];                    /* the first of these frames */
    uint32_t levels;                          /* the largest of all */
};

struct record_link {
    char file[LINK_PATH];      /* a path of the recording, which is empty until a recording begins */
    char name[256];            /* what its user calls it */
    uint32_t frame_limit;      /* end the program after so many presents; 0: never */
    _Atomic uint32_t seen;     /* of link_seen, by all processes */
    _Atomic int32_t owner;     /* the process that records, 0: none yet */
    _Atomic bool is_closed;    /* by the launcher: nothing may be recorded any more */
    _Atomic bool has_failed;   /* the recording ends before the program, which a line has said */
    struct link_counts counts; /* the owner's */
    struct link_drawn drawn;
    struct recording_state state;
};

/* ------------------------------------------------------------------ inside the program (link.c) */

/* The link, or NULL: this process was not started by tessera-record. */
struct record_link *link_attach(void);
void link_see(enum link_seen what);
/* The command that has started this process, for its lines: "tessera-live" or "tessera-record". */
const char *link_self(void);
/* This process has a screen: if it is the first that has one, it records from here on. */
void link_has_screen(void);
/* Does this very process record? A fork of it, or what it has become by exec, does not. */
bool link_is_ours(void);

#endif
