/* SPDX-License-Identifier: Apache-2.0
 *
 * What a finished run of a scene leaves in its directory: pictures, run.json, report.html.
 */
#ifndef TESSERA_SCENE_RESULTS_H
#define TESSERA_SCENE_RESULTS_H

#include "tools/cli/options.h"
#include "tools/view/report.h"
#include "tools/view/report_html.h"

struct scene_results {
    const struct program_options *options;
    const struct run_record *record;
    const struct view *view; /* closed */
    const uint8_t *pixels;   /* all frames, one after the other */
    const struct profile_row *functions;
    uint32_t function_count;
};

/* Remove the run.json, the report and the pictures that an earlier run of as many frames has left there. */
void scene_results_clear(const struct program_options *options);
/* 0, or 2 after a line on stderr. */
int scene_results_write(const struct scene_results *results, bool is_good);

#endif
