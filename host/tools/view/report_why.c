/* SPDX-License-Identifier: Apache-2.0
 *
 * See report_why.h.
 */
#include "tools/view/report_why.h"

#include <inttypes.h>

#include "tools/view/base64.h"
#include "tools/view/report_draws.h"
#include "tools/view/view_internal.h"

static uint32_t in_units(uint64_t cycle, uint32_t unit)
{
    uint64_t units = cycle / unit;
    return units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
}

/* Eight words each: begin, planned, submitted, DMA buffer, first patch entry, entries, byte of a split, paging buffers.
 */
static void print_plans(FILE *file, const struct view *view, uint32_t unit)
{
    struct base64 base64 = {.file = file};
    fputs("\"plans\":\"", file);
    for (uint32_t i = 0; i < view->decision_count; i++) {
        const struct decision *decision = &view->decisions[i];
        base64_word(&base64, in_units(decision->begin, unit));
        base64_word(&base64, in_units(decision->planned, unit));
        base64_word(&base64, in_units(decision->submitted, unit));
        base64_word(&base64, decision->job);
        base64_word(&base64, decision->first_entry);
        base64_word(&base64, decision->entries);
        base64_word(&base64, decision->split);
        base64_word(&base64, decision->buffers);
    }
    base64_end(&base64);
    fputs("\",\n", file);
}

/* Three words per stay: the plan that brought it, the one that ended it, what the policy knew of its next use. */
static void print_plans_of_stays(FILE *file, const struct view *view)
{
    struct base64 base64 = {.file = file};
    fputs("\"plans_of\":\"", file);
    for (uint32_t i = 0; i < view->stay_count; i++) {
        base64_word(&base64, view->stays[i].arrived_in);
        base64_word(&base64, view->stays[i].left_in);
        base64_word(&base64, view->stays[i].next_use);
    }
    base64_end(&base64);
    fputs("\",\n", file);
}

static void print_reasons(FILE *file, const struct view *view)
{
    const char *comma = "";
    fputs("\"reasons\":{", file);
    for (uint32_t i = 0; i < VIEW_KNOWN; i++) {
        if (view->known[i].reason == 0) continue;
        fprintf(file, "%s\"%" PRIu32 "\":%" PRIu32, comma, i, view->known[i].reason - 1u);
        comma = ",";
    }
    fputs("},\n", file);
}

void report_why(FILE *file, const struct view *view, uint32_t time_unit)
{
    print_plans(file, view, time_unit);
    print_plans_of_stays(file, view);
    print_reasons(file, view);
    report_print_group(file, "reason_texts", "PLACE_REASON", true);
    fputc('\n', file);
}
