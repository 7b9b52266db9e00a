/* SPDX-License-Identifier: Apache-2.0
 *
 * out/report.html: one run as one page that needs nothing else: no network, no other file. The page is
 * host/tools/view/report.html; what is added here are the numbers and up to REPORT_PICTURES of the frames.
 */
#ifndef TESSERA_REPORT_HTML_H
#define TESSERA_REPORT_HTML_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile.h"
#include "tools/view/report.h"
#include "tools/view/view.h"

/* A page of a long run must still load at once: so many pictures, so many of the longest decisions, and no more
 * of their bytes. Left out pictures are named in the page. */
enum { REPORT_PICTURES = 48, REPORT_PICTURE_BYTES = 8 << 20, REPORT_DECISIONS = 100, REPORT_FUNCTIONS = 48 };

struct report_page {
    bool has_clock;      /* cycles mean something: not of the golden model */
    uint32_t clock_hz;   /* at which the chip is placed; 0: not known */
    const char *title;   /* "freedoom, 8 frames on the simulated hardware" */
    const char *verdict; /* one line about the whole run */
    bool is_good;
    const struct report_row *rows;
    uint32_t row_count;
    const struct profile_row *functions; /* of the firmware, may be none */
    uint32_t function_count;
    const char *directory; /* of frame-NN.png, NN of `digits` digits at least */
    int digits;
    uint32_t first_frame, frame_count;
    const uint64_t *frame_bounds; /* frame_count of them, 0: not known; or NULL: none is */
    const bool *is_frame_good;    /* frame_count of them, or NULL: not judged */
};

/* Of its data the history: when what lay where, the DMA buffers, the plans and what report_why.js needs to explain
 * them. Members of an object, each with its comma. The view may go on. */
void report_history(FILE *file, const struct view *view);

/* Write the page about a closed view. 0, or -1 with a line in `message`. */
int report_html(const char *path, const struct view *view, const struct report_page *page, char message[256]);

#endif
