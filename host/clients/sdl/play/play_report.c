/* SPDX-License-Identifier: Apache-2.0
 *
 * out/run.json of `tessera play` and the closing table. The names in the JSON are a contract: tools and tests read
 * them; those that `tessera run` has too mean the same.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cli/options.h"
#include "clients/sdl/play/play.h"
#include "tessera.h"
#include "tools/view/lower_bound.h"
#include "tools/view/report_html.h"
#include "tools/view/timeline.h"

static const char *const statistic_names[] = {
#define STATISTIC(name, doc) #name,
#include "gpu.def"
};

static const char *const mode_names[RECORDING_MODES] = {[RECORDING_COPY] = "copy",
                                                        [RECORDING_KEY] = "key",
                                                        [RECORDING_BLEND] = "blend",
                                                        [RECORDING_ADD] = "add",
                                                        [RECORDING_KEYED_BLEND] = "keyed_blend",
                                                        [RECORDING_KEYED_ADD] = "keyed_add",
                                                        [RECORDING_MOD] = "mod",
                                                        [RECORDING_KEYED_MOD] = "keyed_mod"};

struct verdict {
    uint32_t frames_equal, frames_bad, largest, largest_depth;
    uint64_t blended, bad, exact_bad, over_one, pixels;
};

static struct verdict sum_up(const struct play_record *record)
{
    struct verdict verdict = {0};
    for (uint32_t i = 0; i < record->frame_count; i++) {
        const struct play_frame *frame = &record->frames[i];
        const struct check_result *check = &frame->check;
        verdict.frames_bad += check->bad != 0;
        verdict.frames_equal += check->largest == 0;
        if (check->largest > verdict.largest) verdict.largest = check->largest;
        if (check->largest_depth > verdict.largest_depth) verdict.largest_depth = check->largest_depth;
        verdict.blended += check->blended;
        verdict.bad += check->bad;
        verdict.exact_bad += check->exact_bad;
        verdict.over_one += check->over_one;
        verdict.pixels += (uint64_t)frame->width * frame->height;
    }
    return verdict;
}

static const char *truth(bool value) { return value ? "true" : "false"; }

/* A string of the command line as JSON. */
static void print_string(FILE *file, const char *text)
{
    fputc('"', file);
    json_print_text(file, text);
    fputc('"', file);
}

static void print_operations(FILE *file, const struct play_record *record)
{
    const struct play_counts *now = &record->counts, *before = &record->before;
    fprintf(file, "  \"operations\": {");
    for (uint32_t mode = 0; mode < RECORDING_MODES; mode++)
        fprintf(file, "\"%s\": %u, ", mode_names[mode], now->blits[mode] - before->blits[mode]);
    fprintf(file, "\"modulated\": %u, \"mapped\": %u, \"fill\": %u, \"update\": %u},\n",
            now->modulated - before->modulated, now->mapped - before->mapped, now->fills - before->fills,
            now->updates - before->updates);
    fprintf(file,
            "  \"draw_packets\": %u,\n  \"binds\": %u,\n  \"pixels_drawn\": %" PRIu64 ",\n  \"bytes_updated\": %" PRIu64
            ",\n",
            now->packets - before->packets, now->binds - before->binds, now->pixels - before->pixels,
            now->update_bytes - before->update_bytes);
    fprintf(file,
            "  \"host_fallbacks\": {\"pixels_drawn_by_host\": 0, \"source_views\": %u, \"readbacks_for_views\": %u, "
            "\"surfaces_let_go\": %u},\n",
            now->views - before->views, now->readbacks - before->readbacks, now->dropped - before->dropped);
}

static double share_of(uint64_t part, const struct play_shown *shown)
{
    return shown->pixels != 0 ? (double)part / (double)shown->pixels : 0.0;
}

/* Why pixels were the host's: the sum is `finished_by_host`. */
static void print_finished_json(FILE *file, const struct play_shown *shown)
{
    const char *comma = "";
    fputs("  \"finished\": [", file);
    for (uint32_t i = 0; i < RECORDING_REASONS; i++) {
        if (shown->finished[i] == 0) continue;
        fprintf(file, "%s{\"pixels\": %" PRIu64 ", \"why\": ", comma, shown->finished[i]);
        print_string(file, recording_reason_words((enum recording_reason)i));
        fputc('}', file);
        comma = ", ";
    }
    fputs("],\n", file);
}

static void print_shown(FILE *file, const struct play_record *record)
{
    const struct play_shown *shown = &record->shown;
    fprintf(file,
            "  \"shown\": {\"pixels\": %" PRIu64 ", \"drawn_by_gpu\": %" PRIu64 ", \"finished_by_host\": %" PRIu64
            ", \"never_written\": %" PRIu64 ", \"share_drawn\": %.4f, \"frames_without_drawing\": %u},\n",
            shown->pixels, shown->drawn, shown->host, shown->nothing, share_of(shown->drawn, shown),
            shown->frames_without);
    print_finished_json(file, shown);
}

static uint64_t left_in_all(const struct recording_totals *totals)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < RECORDING_REASONS; i++) left += totals->left[i];
    return left;
}

/* Blits that the recorder could not express, by reason. */
static void print_left(FILE *file, const struct recording_totals *totals)
{
    const char *comma = "";
    if (!totals->knows_left) {
        fputs("  \"left_to_pixels\": null,\n", file);
        return;
    }
    fprintf(file, "  \"left_to_pixels\": {\"blits\": %" PRIu64 ", \"reasons\": [", left_in_all(totals));
    for (uint32_t i = 0; i < RECORDING_REASONS; i++) {
        if (totals->left[i] == 0) continue;
        fprintf(file, "%s{\"blits\": %" PRIu64 ", \"reason\": ", comma, totals->left[i]);
        print_string(file, recording_reason_words((enum recording_reason)i));
        fputc('}', file);
        comma = ", ";
    }
    fputs("]},\n", file);
}

static void print_check(FILE *file, const struct play_options *options, const struct play_record *record)
{
    struct verdict verdict = sum_up(record);
    if (!options->is_checked) {
        fprintf(file, "  \"check\": null,\n");
        return;
    }
    fprintf(file,
            "  \"check\": {\"sdl\": \"%s\", \"tolerance\": %u, \"matches\": %s, \"frames_equal\": %u, "
            "\"frames_bad\": %u, \"pixels\": %" PRIu64 ", \"blended_pixels\": %" PRIu64 ", \"bad_pixels\": %" PRIu64
            ", \"unblended_bad_pixels\": %" PRIu64 ", \"pixels_over_one_level\": %" PRIu64
            ", \"largest_difference\": %u, \"deepest_blend\": %u},\n",
            record->sdl_version, options->tolerance, truth(verdict.bad == 0), verdict.frames_equal, verdict.frames_bad,
            verdict.pixels, verdict.blended, verdict.bad, verdict.exact_bad, verdict.over_one, verdict.largest,
            verdict.largest_depth);
}

/* A number of cycles, or null: the golden model has no clock. */
static const char *known(char text[24], uint64_t cycles, const struct play_options *options)
{
    snprintf(text, 24, "%" PRIu64, cycles);
    return options->platform.is_model ? "null" : text;
}

static void print_frames(FILE *file, const struct play_options *options, const struct play_record *record)
{
    fprintf(file, "  \"frame\": [\n");
    for (uint32_t i = 0; i < record->frame_count; i++) {
        const struct play_frame *frame = &record->frames[i];
        char cycle[24];
        fprintf(file,
                "    {\"number\": %u, \"width\": %u, \"height\": %u, \"crc32\": \"%08x\", \"recorded_ms\": %u, "
                "\"done_cycle\": %s, \"dma_buffers\": %u, \"portions\": %u, \"evictions\": %u, "
                "\"pages_in\": %u, \"pages_out\": %u",
                frame->number, frame->width, frame->height, frame->crc, frame->milliseconds,
                known(cycle, frame->done_cycle, options), frame->work.buffers, frame->work.portions,
                frame->work.evictions, frame->work.pages_in, frame->work.pages_out);
        if (options->is_checked)
            fprintf(file, ", \"blended\": %u, \"bad\": %u, \"largest_difference\": %u", frame->check.blended,
                    frame->check.bad, frame->check.largest);
        fputs(", ", file);
        lower_bound_frame_json(file, frame->bound);
        fprintf(file, "}%s\n", i + 1u < record->frame_count ? "," : "");
    }
    fprintf(file, "  ],\n");
}

static void print_json(FILE *file, const struct play_options *options, const struct play_record *record)
{
    const struct recording_totals *totals = &record->totals;
    fprintf(file, "{\n  \"version\": \"%s\",\n  \"recording\": ", tessera_version());
    print_string(file, options->file);
    fprintf(file, ",\n  \"device\": \"%s\",\n  \"local\": \"%s\",\n  \"seed\": %u,\n  \"force\": %u,\n", record->device,
            options->is_large ? "large" : "small", options->platform.seed, options->force);
    fprintf(file, "  \"frames\": %u,\n  \"first_frame\": %u,\n  \"frames_drawn_by_model_before\": %u,\n",
            record->frame_count, options->first, record->skipped);
    fprintf(file, "  \"surfaces\": %" PRIu64 ",\n  \"surfaces_at_once\": %u,\n  \"texture_bytes\": %" PRIu64 ",\n",
            totals->records[RECORDING_SURFACE], totals->live_surfaces, totals->live_bytes);
    fprintf(file, "  \"local_bytes\": %" PRIu64 ",\n", (uint64_t)record->local_pages * GPU_LIMIT(PAGE_BYTES));
    print_operations(file, record);
    print_shown(file, record);
    print_left(file, totals);
    fprintf(file,
            "  \"in_flight\": %u,\n  \"frames_overlapped\": %u,\n  \"bands_renewed\": %u,\n"
            "  \"frames_read_early\": %u,\n",
            options->in_flight, record->counts.overlapped, record->counts.renewed, record->counts.reread);
    char last[24], first[24];
    fprintf(file, "  \"cycles\": %s,\n  \"first_frame_cycle\": %s,\n", known(last, record->cycles, options),
            known(first, record->first_cycle, options));
    account_json(file, &record->account);
    lower_bound_json(file, &record->least, record->account.cycles);
    places_json(file, &record->places);
    fprintf(file, "  \"render_busy_cycles\": %u,\n  \"paging_busy_cycles\": %u,\n", record->render_busy,
            record->paging_busy);
    fprintf(file, "  \"dma_buffers\": %u,\n  \"portions\": %u,\n  \"splits\": %u,\n  \"evictions\": %u,\n",
            record->statistics[STAT_DMA_BUFFERS], record->statistics[STAT_PORTIONS], record->statistics[STAT_SPLITS],
            record->statistics[STAT_EVICTIONS]);
    print_check(file, options, record);
    print_frames(file, options, record);
    fprintf(file, "  \"statistics\": {");
    for (uint32_t i = 0; i < STAT_COUNT; i++)
        fprintf(file, "%s\"%s\": %u", i != 0 ? ", " : "", statistic_names[i], record->statistics[i]);
    fprintf(file,
            "},\n  \"faults\": %u,\n  \"frames_in_window\": %u,\n  \"failure\": ", record->statistics[STAT_RECOVERIES],
            record->windowed);
    print_string(file, record->failure);
    fprintf(file, ",\n  \"wall_seconds\": %.2f\n}\n", record->wall_seconds);
}

int play_report_json(const char *path, const struct play_options *options, const struct play_record *record,
                     char message[256])
{
    FILE *file = fopen(path, "w");
    bool is_bad = file == NULL;
    if (file != NULL) {
        print_json(file, options, record);
        is_bad = ferror(file) != 0;
        is_bad = fclose(file) != 0 || is_bad;
    }
    if (is_bad)
        snprintf(message, 256, "cannot write %.150s: %s. Name another directory with --out.", path, strerror(errno));
    return is_bad ? -1 : 0;
}

/* ------------------------------------------------------------------ the table */

struct rows {
    struct report_row *row;
    uint32_t count;
};

static void row(struct rows *rows, const char *name, uint64_t value, const char *note)
{
    struct report_row *row = &rows->row[rows->count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->value, sizeof row->value, "%" PRIu64, value);
    snprintf(row->note, sizeof row->note, "%s", note);
}

static void rows_of_origin(struct rows *rows, const struct play_record *record)
{
    const struct play_shown *shown = &record->shown;
    struct report_row *drawn = &rows->row[rows->count++];
    snprintf(drawn->name, sizeof drawn->name, "drawn by the GPU");
    snprintf(drawn->value, sizeof drawn->value, "%.2f %%", 100.0 * share_of(shown->drawn, shown));
    snprintf(drawn->note, sizeof drawn->note, "of the pixels shown; %.2f %% are finished pixels of the host%s",
             100.0 * share_of(shown->host, shown), shown->drawn == 0 ? ": nothing that the GPU drew is seen" : "");
}

static uint32_t fill_rows(const struct play_options *options, const struct play_record *record,
                          struct report_row table[REPORT_ROWS])
{
    struct rows rows = {table, 0};
    const struct play_counts *now = &record->counts, *before = &record->before;
    uint32_t frames = record->frame_count != 0 ? record->frame_count : 1u;
    uint64_t local = (uint64_t)record->local_pages * GPU_LIMIT(PAGE_BYTES);
    struct verdict verdict = sum_up(record);
    char note[96];
    snprintf(note, sizeof note, "KB, %.1f times the %" PRIu64 " KB of local memory",
             (double)record->totals.live_bytes / (double)local, local / 1024u);
    row(&rows, "surfaces at once", record->totals.live_surfaces, "");
    row(&rows, "their pixels", record->totals.live_bytes / 1024u, note);
    uint64_t blits = 0;
    size_t used = 0;
    note[0] = 0;
    for (uint32_t mode = 0; mode < RECORDING_MODES; mode++) {
        uint32_t count = now->blits[mode] - before->blits[mode];
        blits += count;
        if (count != 0 && used < sizeof note)
            used += (size_t)snprintf(note + used, sizeof note - used, "%s%u %s", used != 0 ? ", " : "", count,
                                     mode_names[mode]);
    }
    row(&rows, "blits", blits, note);
    row(&rows, "fills", now->fills - before->fills, "");
    row(&rows, "updates by the CPU", now->updates - before->updates, "");
    rows_of_origin(&rows, record);
    row(&rows, "pixels per frame", (now->pixels - before->pixels) / frames, "");
    if (!options->platform.is_model)
        row(&rows, "cycles per frame", (record->cycles - record->first_cycle) / frames, "");
    snprintf(note, sizeof note, "begun before the frame before was drawn; --in-flight %u", options->in_flight);
    row(&rows, "frames overlapped", record->counts.overlapped, note);
    if (record->account.cycles != 0) {
        struct report_row *lower = &table[rows.count++];
        snprintf(lower->name, sizeof lower->name, "cycles / lower bound");
        lower_bound_row(&record->least, record->account.cycles, lower->value, lower->note);
    }
    rows.count += report_account(&record->account, &table[rows.count]);
    if (record->places.count != 0) {
        char why[128];
        places_words(&record->places, why, sizeof why);
        row(&rows, "allocations at the end", record->places.count, why);
    }
    row(&rows, "DMA buffers", record->statistics[STAT_DMA_BUFFERS], "");
    row(&rows, "portions", record->statistics[STAT_PORTIONS], "");
    row(&rows, "evictions", record->statistics[STAT_EVICTIONS], "");
    row(&rows, "paged in", (uint64_t)record->statistics[STAT_PAGES_IN] * 4u, "KB, copied into local memory");
    row(&rows, "paged out", (uint64_t)record->statistics[STAT_PAGES_OUT] * 4u, "KB, copied out of it");
    if (options->is_checked) {
        snprintf(note, sizeof note, "of %u; SDL %s; %u equal bit for bit, others within %u level per blend",
                 record->frame_count, record->sdl_version, verdict.frames_equal, options->tolerance);
        row(&rows, "frames as SDL's", record->frame_count - verdict.frames_bad, note);
        double share = verdict.pixels != 0 ? 100.0 * (double)verdict.blended / (double)verdict.pixels : 0.0;
        snprintf(note, sizeof note, "levels; %.2f %% of the pixels blended, %" PRIu64 " off by more than 1", share,
                 verdict.over_one);
        row(&rows, "largest difference", verdict.largest, note);
    }
    row(&rows, "faults", record->statistics[STAT_RECOVERIES], "");
    if (options->platform.is_model) snprintf(note, sizeof note, "s");
    else snprintf(note, sizeof note, "s, of which the GPU had %.1f million cycles", (double)record->cycles * 1e-6);
    row(&rows, "wall time", (uint64_t)(record->wall_seconds + 0.5), note);
    return rows.count;
}

/* A line for each reason of finished pixels. */
static void print_finished(const struct play_shown *shown, const struct recording_totals *totals)
{
    char calls[32];
    for (uint32_t i = 0; i < RECORDING_REASONS; i++) {
        if (shown->finished[i] == 0 && totals->left[i] == 0) continue;
        snprintf(calls, sizeof calls, "%" PRIu64 " call%s", totals->left[i], totals->left[i] != 1 ? "s" : "");
        printf("  %10.2f %% %14s  %s\n", 100.0 * share_of(shown->finished[i], shown), totals->left[i] != 0 ? calls : "",
               recording_reason_words((enum recording_reason)i));
    }
}

/* What of the pictures is the GPU's work, and what is not, and why. */
static void print_closing(const struct play_record *record)
{
    const struct play_shown *shown = &record->shown;
    const struct recording_totals *totals = &record->totals;
    const struct play_counts *counts = &record->counts;
    printf("\n  The GPU drew %.2f %% of the pixels shown. The host wrote %.2f %% of them as finished pixels. In %u "
           "of %u frames nothing was drawn.\n",
           100.0 * share_of(shown->drawn, shown), 100.0 * share_of(shown->host, shown), shown->frames_without,
           shown->frames);
    print_finished(shown, totals);
    if (counts->views + counts->readbacks + counts->dropped != 0)
        printf("  The host also converted %u sources for a blend or a filter. It read %u of them back first. It took "
               "%u surfaces off the GPU.\n",
               counts->views, counts->readbacks, counts->dropped);
}

void play_report_table(const struct play_options *options, const struct play_record *record)
{
    struct report_row rows[REPORT_ROWS];
    uint32_t count = fill_rows(options, record, rows);
    printf("\n  %s, frames %u to %u on the %s\n\n", options->file, options->first, options->last, record->device);
    for (uint32_t i = 0; i < count; i++) printf("  %-22s %14s  %s\n", rows[i].name, rows[i].value, rows[i].note);
    print_closing(record);
    putchar('\n');
}

int play_report_page(const struct view *view, const struct play_options *options, const struct play_record *record,
                     char message[256])
{
    struct report_row rows[REPORT_ROWS];
    struct verdict verdict = sum_up(record);
    char path[512], title[160], judged[160];
    bool is_good = verdict.frames_bad == 0 && record->failure[0] == 0;
    bool *good = calloc(record->frame_count + 1u, sizeof *good);
    uint64_t *bounds = calloc(record->frame_count + 1u, sizeof *bounds);
    for (uint32_t i = 0; bounds != NULL && i < record->frame_count; i++) bounds[i] = record->frames[i].bound;
    for (uint32_t i = 0; good != NULL && i < record->frame_count; i++) good[i] = record->frames[i].check.bad == 0;
    snprintf(title, sizeof title, "%.80s, frames %u to %u on the %s", options->file, options->first, options->last,
             record->device);
    snprintf(judged, sizeof judged, "%u of %u frames equal what SDL %s draws in software, bit for bit; %u are wrong.",
             verdict.frames_equal, record->frame_count, record->sdl_version, verdict.frames_bad);
    const struct report_page page = {
        .has_clock = !options->platform.is_model,
        .title = title,
        .verdict = record->failure[0] != 0 ? record->failure
                   : options->is_checked   ? judged
                                           : "Nothing failed. The frames were not compared with SDL's (--check does).",
        .is_good = is_good,
        .rows = rows,
        .row_count = fill_rows(options, record, rows),
        .functions = record->functions,
        .function_count = record->function_count,
        .directory = options->out,
        .digits = 4,
        .first_frame = options->first,
        .frame_count = record->frame_count,
        .frame_bounds = bounds,
        .is_frame_good = options->is_checked ? good : NULL};
    snprintf(path, sizeof path, "%s/report.html", options->out);
    int status = report_html(path, view, &page, message);
    free(good);
    free(bounds);
    return status;
}
