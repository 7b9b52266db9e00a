/* SPDX-License-Identifier: Apache-2.0
 *
 * See scene_results.h.
 */
#include "tools/command/scene_results.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/picture/image_png.h"

static int say(const char *message)
{
    fprintf(stderr, "tessera: %s\n", message);
    return 2;
}

static int write_page(const struct scene_results *results, bool is_good)
{
    const struct program_options *options = results->options;
    const struct run_record *record = results->record;
    struct report_row rows[REPORT_ROWS];
    /* analyse: clang-analyzer-optin.portability.UnixAPI: --frames is 1 at least */
    bool *good = calloc(options->frames, sizeof *good);
    char path[512], title[160], message[256];
    if (good == NULL) return 0;
    uint64_t *bounds = calloc(options->frames + 1u, sizeof *bounds);
    for (uint32_t i = 0; i < options->frames; i++) good[i] = record->frames[i].is_golden;
    for (uint32_t i = 0; bounds != NULL && i < options->frames; i++) bounds[i] = record->frames[i].bound;
    snprintf(title, sizeof title, "%s, %u frames on the %s", options->scene, options->frames, record->device);
    const struct report_page page = {.has_clock = !options->platform.is_model,
                                     .clock_hz = record->clock_hz,
                                     .title = title,
                                     .verdict = is_good ? "Every frame is as the golden model draws it; nothing failed."
                                                        : "Something is wrong: see the summary.",
                                     .is_good = is_good,
                                     .rows = rows,
                                     .row_count = report_rows(options, record, rows),
                                     .functions = results->functions,
                                     .function_count = results->function_count,
                                     .directory = options->out,
                                     .digits = 2,
                                     .frame_count = options->frames,
                                     .frame_bounds = bounds,
                                     .is_frame_good = good};
    snprintf(path, sizeof path, "%s/report.html", options->out);
    int status = report_html(path, results->view, &page, message);
    free(good);
    free(bounds);
    return status != 0 ? say(message) : 0;
}

void scene_results_clear(const struct program_options *options)
{
    static const char *const names[] = {"run.json", "report.html"};
    char path[512];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", options->out, names[i]);
        (void)remove(path);
    }
    for (uint32_t i = 0; i < options->frames; i++) {
        snprintf(path, sizeof path, "%s/frame-%02u.png", options->out, i);
        (void)remove(path);
    }
}

int scene_results_write(const struct scene_results *results, bool is_good)
{
    const struct program_options *options = results->options;
    char path[512], message[256];
    for (uint32_t i = 0; i < options->frames; i++) {
        snprintf(path, sizeof path, "%s/frame-%02u.png", options->out, i);
        if (image_png_write(path, results->pixels + (size_t)i * SCENE_FRAME_BYTES, SCENE_WIDTH, SCENE_HEIGHT,
                            message) != 0)
            return say(message);
    }
    snprintf(path, sizeof path, "%s/run.json", options->out);
    if (report_json(path, options, results->record, message) != 0) return say(message);
    return write_page(results, is_good);
}
