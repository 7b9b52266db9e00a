/* SPDX-License-Identifier: Apache-2.0
 *
 * See report_html.h. The page has a line DATA in its script; one assignment takes its place. Long lists go as base64
 * of little-endian 32-bit words, which a browser reads much faster than JSON; times in them are in units of
 * TIME_UNIT cycles.
 */
#include "tools/view/report_html.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report_page.h"
#include "tools/view/base64.h"
#include "tools/view/report_draws.h"
#include "tools/view/report_why.h"
#include "tools/view/view_internal.h"

enum { TIME_UNIT = 16 };

static uint32_t time_of(uint64_t cycle)
{
    uint64_t units = cycle / TIME_UNIT;
    return units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
}

/* ------------------------------------------------------------------ lists */

static void print_string(FILE *file, const char *key, const char *value)
{
    fprintf(file, "\"%s\":\"", key);
    json_print_text(file, value);
    fputs("\",\n", file);
}

/* Five words each: begin, end, name + 0x40000000 if it had been here before + how it ended << 28, first page,
 * pages + segment << 24. */
static void print_stays(FILE *file, const struct view *view)
{
    struct base64 base64 = {.file = file};
    fputs("\"stays\":\"", file);
    for (uint32_t i = 0; i < view->stay_count; i++) {
        const struct stay *stay = &view->stays[i];
        base64_word(&base64, time_of(stay->begin));
        base64_word(&base64, time_of(stay->end));
        base64_word(&base64, stay->known | (stay->is_again ? 0x40000000u : 0) | (uint32_t)stay->how_ended << 28);
        base64_word(&base64, stay->page);
        base64_word(&base64, stay->pages | (uint32_t)stay->segment << 24);
    }
    base64_end(&base64);
    fprintf(file, "\",\n\"stays_lost\":%" PRIu32 ",\n", view->stay_lost);
}

static void print_names(FILE *file, const struct view *view)
{
    const char *comma = "";
    fputs("\"names\":{", file);
    for (uint32_t i = 0; i < VIEW_KNOWN; i++) {
        if (view->known[i].arrivals == 0) continue;
        fprintf(file, "%s\"%" PRIu32 "\":\"", comma, i);
        json_print_text(file, view->known[i].name);
        fputc('"', file);
        comma = ",";
    }
    fputs("},\n", file);
}

static void print_segments(FILE *file, const struct view *view)
{
    const char *comma = "";
    fputs("\"segments\":[", file);
    for (uint32_t segment = 1; segment < VIEW_SEGMENTS; segment++) {
        if (view->segment_top[segment] == 0) continue;
        fprintf(file, "%s[%" PRIu32 ",%" PRIu32 "]", comma, segment, view->segment_top[segment]);
        comma = ",";
    }
    fputs("],\n", file);
}

static void print_jobs(FILE *file, const struct view *view)
{
    fputs("\"jobs\":[", file);
    for (uint32_t i = 0; i < view->job_count; i++) {
        const struct view_job *job = &view->jobs[i];
        fprintf(file,
                "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
                ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
                i != 0 ? ",\n" : "", job->tag, job->frame, job->submitted, job->accepted, job->completed, job->bytes,
                job->portions, job->evictions, job->pages_in, job->pages_out, job->status);
    }
    fputs("],\n", file);
}

static int by_plan(const void *left, const void *right)
{
    const struct decision *a = *(const struct decision *const *)left, *b = *(const struct decision *const *)right;
    uint64_t x = a->planned - a->begin, y = b->planned - b->begin;
    return x != y ? (x < y ? 1 : -1) : a < b ? -1 : a > b; /* both are of one list */
}

static void print_decisions(FILE *file, const struct view *view)
{
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    const struct decision **list = calloc(view->decision_count + 1u, sizeof *list);
    uint64_t plan = 0;
    for (uint32_t i = 0; list != NULL && i < view->decision_count; i++) {
        list[i] = &view->decisions[i];
        plan += list[i]->planned - list[i]->begin;
    }
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    if (list != NULL) qsort(list, view->decision_count, sizeof *list, by_plan);
    fprintf(file, "\"decision_count\":%" PRIu32 ",\"decision_cycles\":%" PRIu64 ",\n\"decisions\":[",
            view->decision_count, plan);
    for (uint32_t i = 0; list != NULL && i < view->decision_count && i < REPORT_DECISIONS; i++)
        fprintf(file,
                "%s[%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
                ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
                i != 0 ? ",\n" : "", list[i]->job != UINT32_MAX ? (int64_t)list[i]->job : -1, list[i]->begin,
                list[i]->planned, list[i]->submitted, list[i]->first_entry, list[i]->entries, list[i]->evictions,
                list[i]->arrivals, list[i]->pages_in, list[i]->buffers, list[i]->split);
    fputs("],\n", file);
    free(list);
    /* Every cut, for the picture: when, the DMA buffer, the byte. */
    struct base64 base64 = {.file = file};
    fputs("\"splits\":\"", file);
    for (uint32_t i = 0; i < view->decision_count; i++) {
        if (view->decisions[i].split == 0) continue;
        base64_word(&base64, time_of(view->decisions[i].submitted));
        base64_word(&base64, view->decisions[i].job);
        base64_word(&base64, view->decisions[i].split);
    }
    base64_end(&base64);
    fputs("\",\n", file);
}

static void print_samples(FILE *file, const struct view *view)
{
    fprintf(file, "\"has_counters\":%s,\n\"samples\":[", view->has_counters ? "true" : "false");
    for (uint32_t i = 0; i < view->sample_count; i++) {
        const struct sample *sample = &view->samples[i];
        fprintf(file, "%s[%" PRIu64 ",%" PRIu64, i != 0 ? ",\n" : "", sample->begin, sample->end);
        for (unsigned port = 0; port < 3; port++) fprintf(file, ",%" PRIu64, sample->beats[port] * 8u);
        for (unsigned node = 0; node < VIEW_NODES; node++) {
            const struct node_counters *counters = &sample->node[node];
            fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, counters->busy,
                    counters->stall_fetch, counters->stall_fence, counters->stall_read, counters->stall_write,
                    counters->stall_drain);
        }
        fprintf(file, ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "]", sample->firmware_busy, sample->queued,
                sample->firmware_waits[0], sample->firmware_waits[1]);
    }
    fputs("],\n", file);
}

/* Two words each: when; 0: a vertical blank, else a flip is shown, that less 1 frames later than it asked for. */
static void print_blanks(FILE *file, const struct view *view)
{
    struct base64 base64 = {.file = file};
    fputs("\"blanks\":\"", file);
    for (uint32_t i = 0; i < view->blank_count; i++) {
        base64_word(&base64, time_of(view->blanks[i].cycle));
        base64_word(&base64, view->blanks[i].is_flip ? view->blanks[i].late + 1u : 0);
    }
    base64_end(&base64);
    fputs("\",\n", file);
}

static void print_traffic(FILE *file, const struct view *view)
{
    const struct traffic *traffic = &view->traffic;
    const struct node_counters *render = &view->counters.node[0];
    fprintf(file,
            "\"traffic\":{\"in_first\":%" PRIu64 ",\"in_again\":%" PRIu64 ",\"paging_in\":%" PRIu64
            ",\"paging_out\":%" PRIu64 ",\"moved\":%" PRIu64 ",\"filled\":%" PRIu64 ",\"mapped\":%" PRIu64
            ",\"render_read_local\":%" PRIu32 ",\"render_read_system\":%" PRIu32 ",\"render_write_local\":%" PRIu32
            ",\"render_write_system\":%" PRIu32 "},\n",
            traffic->in_first, traffic->in_again, traffic->paging_in, traffic->paging_out, traffic->moved,
            traffic->filled, traffic->mapped, render->read_local, render->read_system, render->write_local,
            render->write_system);
}

/* ------------------------------------------------------------------ what the program says */

static void print_summary(FILE *file, const struct report_page *page)
{
    fputs("\"summary\":[", file);
    for (uint32_t i = 0; i < page->row_count; i++) {
        const char *const texts[] = {page->rows[i].name, page->rows[i].value, page->rows[i].note};
        for (unsigned text = 0; text < 3; text++) {
            fputs(text != 0 ? "\",\"" : i != 0 ? ",[\"" : "[\"", file);
            json_print_text(file, texts[text]);
        }
        fputs("\"]", file);
    }
    fputs("],\n", file);
}

static void print_functions(FILE *file, const struct report_page *page)
{
    fputs("\"functions\":[", file);
    for (uint32_t i = 0; i < page->function_count; i++) {
        const struct profile_row *row = &page->functions[i];
        fputs(i != 0 ? ",\n[\"" : "[\"", file);
        json_print_text(file, row->function);
        fprintf(file, "\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", row->calls, row->instructions,
                row->self_cycles, row->total_cycles);
    }
    fputs("],\n", file);
}

static void print_frames(FILE *file, const struct view *view, const struct report_page *page)
{
    fputs("\"frames\":[", file);
    for (uint32_t i = 0; i < page->frame_count; i++) {
        uint32_t number = page->first_frame + i;
        bool is_known = number < view->frame_count;
        int good = page->is_frame_good == NULL ? -1 : page->is_frame_good[i] ? 1 : 0;
        fprintf(file, "%s[%" PRIu64 ",%" PRIu64 ",%d]", i != 0 ? "," : "", is_known ? view->frames[number].begin : 0,
                is_known ? view->frames[number].end : 0, good);
    }
    fputs("],\n\"frame_bounds\":[", file);
    for (uint32_t i = 0; page->frame_bounds != NULL && i < page->frame_count; i++)
        fprintf(file, "%s%" PRIu64, i != 0 ? "," : "", page->frame_bounds[i]);
    fputs("],\n", file);
}

/* The bytes of one picture file as a member, if it can be read and is not too large. */
static size_t print_picture(FILE *file, const struct report_page *page, uint32_t number, size_t room)
{
    char path[512];
    struct base64 base64 = {.file = file};
    snprintf(path, sizeof path, "%s/frame-%0*" PRIu32 ".png", page->directory, page->digits, number);
    FILE *picture = fopen(path, "rb");
    if (picture == NULL) return 0;
    long bytes = fseek(picture, 0, SEEK_END) == 0 ? ftell(picture) : -1;
    if (bytes <= 0 || (size_t)bytes > room || fseek(picture, 0, SEEK_SET) != 0) {
        fclose(picture);
        return 0;
    }
    fprintf(file, "[%" PRIu32 ",\"", number);
    for (int byte = fgetc(picture); byte != EOF; byte = fgetc(picture)) base64_byte(&base64, (uint32_t)byte);
    base64_end(&base64);
    fputs("\"],\n", file);
    fclose(picture);
    return (size_t)bytes;
}

static void print_pictures(FILE *file, const struct report_page *page)
{
    uint32_t step = (page->frame_count + REPORT_PICTURES - 1u) / REPORT_PICTURES;
    size_t used = 0;
    fputs("\"pictures\":[", file);
    for (uint32_t i = 0; i < page->frame_count; i += step)
        used += print_picture(file, page, page->first_frame + i, REPORT_PICTURE_BYTES - used);
    fputs("[]],\n", file);
}

void report_history(FILE *file, const struct view *view)
{
    fprintf(file, "\"unit\":%d,\"cycles\":%" PRIu64 ",\n", TIME_UNIT, view->now);
    print_segments(file, view);
    print_names(file, view);
    print_stays(file, view);
    print_jobs(file, view);
    report_why(file, view, TIME_UNIT);
}

int report_html(const char *path, const struct view *view, const struct report_page *page, char message[256])
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        snprintf(message, 256, "cannot write %.150s: %s. Name another directory with --out.", path, strerror(errno));
        return -1;
    }
    for (size_t i = 0; i < sizeof report_page_before / sizeof *report_page_before; i++)
        fputs(report_page_before[i], file);
    fputs("const run = {\n", file);
    print_string(file, "title", page->title);
    print_string(file, "verdict", page->verdict);
    fprintf(file, "\"is_good\":%s,\"cut\":%s,\n\"first\":%" PRIu32 ",\n", page->is_good ? "true" : "false",
            view->is_cut ? "true" : "false", page->first_frame);
    fprintf(file, "\"has_clock\":%s,\"clock_hz\":%" PRIu32 ",\n", page->has_clock ? "true" : "false", page->clock_hz);
    print_summary(file, page);
    report_history(file, view);
    print_decisions(file, view);
    print_samples(file, view);
    print_blanks(file, view);
    print_traffic(file, view);
    print_functions(file, page);
    print_frames(file, view, page);
    print_pictures(file, page);
    report_draws(file, view);
    fputs("};\n", file);
    for (size_t i = 0; i < sizeof report_page_after / sizeof *report_page_after; i++) fputs(report_page_after[i], file);
    bool is_bad = ferror(file) != 0;
    if (fclose(file) != 0 || is_bad) {
        snprintf(message, 256, "cannot write all of %.150s. Is the disk full?", path);
        return -1;
    }
    return 0;
}
