/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `tessera play`: a recording (recording.h) drawn on the GPU (play_gpu.h), judged by SDL (play_check.h).
 */
#ifndef TESSERA_PLAY_H
#define TESSERA_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/sdl/play/play_check.h"
#include "clients/sdl/play/play_gpu.h"
#include "clients/sdl/play/play_origin.h"
#include "tools/cli/option_table.h"
#include "lib/device/platform.h"
#include "tools/view/places.h"
#include "tools/view/report.h"

enum { PLAY_TIMELINE_FRAMES = 32, PLAY_FUNCTIONS = 48, PLAY_IN_FLIGHT_DEFAULT = 2 };

struct play_options {
    struct platform_options platform;
    const char *file, *out;
    uint32_t segment1_pages, segment2_pages;
    bool is_large;                       /* --local large: all of the device's memory */
    bool asks_why;                       /* --why: QUERY_ALLOCATION of all at the end */
    bool is_copied;                      /* --copy-only: surfaces in memory segments only */
    bool is_checked, has_window, spoils; /* --check, --window; --spoil: for tests */
    bool without_pictures, has_timeline; /* --no-pictures, --timeline: of all frames, not of PLAY_TIMELINE_FRAMES */
    bool has_page_tracks;                /* --page-tracks */
    uint32_t tolerance;                  /* --check: levels a channel may be off per blend */
    uint32_t first, last;                /* --frames, last included */
    uint32_t report_first, report_last;  /* --report-frames, last included */
    uint32_t in_flight;                  /* --in-flight: frames submitted before the oldest of them is read */
    uint32_t force;                      /* HOST.FORCE: --policy */
    struct option_limits limits;         /* --allocations, --contexts */
};

struct play_frame {
    uint32_t number, crc, milliseconds, width, height, surface;
    enum recording_format format;
    struct play_work work;
    uint64_t done_cycle, bound; /* bound: of the frame (bound_solve_frames), 0: not known */
    struct check_result check;
};

struct play_record {
    const char *device;
    char sdl_version[16], failure[256];
    struct recording_totals totals;
    struct play_frame *frames;
    uint32_t frame_count;
    uint32_t skipped;          /* frames before the first, drawn by the golden model */
    struct play_counts before; /* counts when the first frame began */
    struct play_counts counts; /* at the end */
    struct play_shown shown;   /* what drew the pixels of the frames */
    uint64_t cycles, first_cycle;
    uint32_t statistics[STAT_COUNT], render_busy, paging_busy;
    struct bound_result least;
    struct places places;                   /* with --why */
    struct account account_before, account; /* when the first frame began; of the frames, if the device tells */
    uint32_t local_pages, windowed;
    struct profile_row functions[PLAY_FUNCTIONS]; /* of the firmware */
    uint32_t function_count;
    double wall_seconds;
};

/* `tessera play ...`: exit status of the program. 0: played, and every frame as SDL draws it; 1: a frame differs or the
 * GPU failed; 2: it could not be played, after one line on stderr. */
int play_command(int argc, char **argv);

/* Play, fill the record. The exit status, but for what play_is_good says. */
int play_run(const struct play_options *options, struct play_record *record);
/* Does every frame agree with the check? True without one. */
bool play_is_good(const struct play_record *record);
/* out/run.json. 0, or -1 with a line. */
int play_report_json(const char *path, const struct play_options *options, const struct play_record *record,
                     char message[256]);
void play_report_table(const struct play_options *options, const struct play_record *record);
/* out/report.html about a closed view. 0, or -1 with a line. */
int play_report_page(const struct view *view, const struct play_options *options, const struct play_record *record,
                     char message[256]);

#endif
