/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: the first decision that differs, what both runs did there, and why; what the change of the cycles
 * consists of.
 */
#include "tools/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct compare_trace *trace, const struct compare_decision *decision)
{
    return decision->name < trace->name_count ? trace->names[decision->name] : "?";
}

static bool is_alike(const struct comparison *comparison, uint32_t i)
{
    const struct compare_trace *a = &comparison->run[0]->trace, *b = &comparison->run[1]->trace;
    const struct compare_decision *x = &a->decisions[i], *y = &b->decisions[i];
    bool is_same_job = x->buffer == y->buffer || x->buffer == UINT32_MAX || y->buffer == UINT32_MAX;
    return x->kind == y->kind && x->place == y->place && is_same_job &&
           (x->kind == COMPARE_PORTION || strcmp(name_of(a, x), name_of(b, y)) == 0);
}

/* The page-in of the same allocation after decision `at`: how many portions later; UINT32_MAX: never. */
static uint32_t comes_back(const struct compare_trace *trace, uint32_t at)
{
    for (uint32_t i = at + 1u; i < trace->decision_count; i++)
        if (trace->decisions[i].kind == COMPARE_PAGE_IN && trace->decisions[i].name == trace->decisions[at].name)
            return trace->decisions[i].portion - trace->decisions[at].portion;
    return UINT32_MAX;
}

void compare_describe(const struct compare_trace *trace, uint32_t at, char text[COMPARE_LINE])
{
    const struct compare_decision *decision = &trace->decisions[at];
    uint32_t later = 0;
    switch (decision->kind) {
    case COMPARE_EVICT:
        later = comes_back(trace, at);
        if (later == UINT32_MAX)
            snprintf(text, COMPARE_LINE, "evicts %s, which is never used again", name_of(trace, decision));
        else
            snprintf(text, COMPARE_LINE, "evicts %s, which comes back %" PRIu32 " portion%s later",
                     name_of(trace, decision), later, later == 1 ? "" : "s");
        break;
    case COMPARE_PAGE_IN:
    case COMPARE_MOVE:
        snprintf(text, COMPARE_LINE, "%s %s %s page %" PRIu32 " of segment %" PRIu32,
                 decision->kind == COMPARE_MOVE ? "moves" : "pages in", name_of(trace, decision),
                 decision->kind == COMPARE_MOVE ? "to" : "at", decision->place & 0x0fffffffu, decision->place >> 28);
        break;
    case COMPARE_PORTION:
    default:
        if (decision->place != 0)
            snprintf(text, COMPARE_LINE, "ends the portion and cuts the DMA buffer at byte %" PRIu32, decision->place);
        else snprintf(text, COMPARE_LINE, "ends the DMA buffer's last portion");
        break;
    }
}

/* ------------------------------------------------------------------ why */

static void tell_policies(struct comparison *comparison, const char *a, const char *b)
{
    compare_say(&comparison->decided,
                "Why: the policies differ (%s, %s). literal evicts what was used longest ago; "
                "lookahead knows the next uses from the patch lists and evicts what costs least until then.",
                a, b);
}

static bool is_told(const struct comparison *comparison, const char *begin)
{
    for (uint32_t i = 0; i < comparison->settings.count; i++)
        if (strncmp(comparison->settings.line[i], begin, strlen(begin)) == 0) return true;
    return false;
}

static void tell_why(struct comparison *comparison)
{
    const char *a = compare_policy(comparison->run[0]), *b = compare_policy(comparison->run[1]);
    const struct compare_trace *x = &comparison->run[0]->trace, *y = &comparison->run[1]->trace;
    uint32_t last = comparison->decisions_same;
    if (strcmp(a, b) != 0) tell_policies(comparison, a, b);
    else if (is_told(comparison, "device"))
        compare_say(&comparison->decided, "Why: the devices differ in timing, so different work is queued when the "
                                          "firmware plans. On the golden model nothing waits.");
    else if (is_told(comparison, "local memory") || is_told(comparison, "bytes of local memory"))
        compare_say(&comparison->decided,
                    "Why: local memory differs, so one run has room where the other has to evict.");
    else if (is_told(comparison, "textures"))
        compare_say(&comparison->decided, "Why: only one of the runs may read textures in place.");
    else if (comparison->settings.count > (is_told(comparison, "frames") ? 1u : 0u))
        compare_say(&comparison->decided,
                    "Why: the options differ (%s). They change the timing, so different work is queued when the "
                    "firmware plans.",
                    comparison->settings.line[is_told(comparison, "frames") ? 1 : 0]);
    else if (last != 0 && x->decisions[last - 1u].cycle != y->decisions[last - 1u].cycle)
        compare_say(&comparison->decided,
                    "Why: the options are equal, but the last decision that both share came in cycle %" PRIu64
                    " of A and %" PRIu64 " of B. Different work was queued at that time, and the plan depends on it.",
                    x->decisions[last - 1u].cycle, y->decisions[last - 1u].cycle);
    else
        compare_say(
            &comparison->decided,
            "Why: the options and all decisions before are equal, so the firmware of the two runs plans differently.");
}

static void tell_side(struct comparison *comparison, unsigned side)
{
    enum { SHOWN = 3 };
    const struct compare_trace *trace = &comparison->run[side]->trace;
    char text[COMPARE_LINE], line[COMPARE_LINE] = "";
    size_t used = 0;
    for (uint32_t i = comparison->decisions_same; i < trace->decision_count && i < comparison->decisions_same + SHOWN;
         i++) {
        compare_describe(trace, i, text);
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", used != 0 ? "; " : "", text);
        if (used >= sizeof line || trace->decisions[i].kind == COMPARE_PORTION) break;
    }
    compare_say(&comparison->decided, "%c: %s.", 'A' + (int)side, line[0] != 0 ? line : "decides nothing any more");
}

static void tell_difference(struct comparison *comparison)
{
    const struct compare_trace *a = &comparison->run[0]->trace, *b = &comparison->run[1]->trace;
    uint32_t at = comparison->decisions_same;
    bool is_in_a = at < a->decision_count;
    const struct compare_decision *decision = is_in_a ? &a->decisions[at] : &b->decisions[at];
    char where[80] = "", same[60];
    if (decision->frame != UINT32_MAX)
        snprintf(where, sizeof where, ", DMA buffer %" PRIu32 ", frame %" PRIu32, decision->buffer, decision->frame);
    snprintf(same, sizeof same, "The first %" PRIu32 " decisions are the same", at);
    compare_say(&comparison->decided, "%s. Then, in portion %" PRIu32 "%s, in cycle %" PRIu64 " of %c%s:",
                at == 0   ? "No decision is the same"
                : at == 1 ? "The first decision is the same"
                          : same,
                decision->portion, where, decision->cycle, is_in_a ? 'A' : 'B',
                is_in_a && at < b->decision_count ? "" : ", which decides more");
    tell_side(comparison, 0);
    tell_side(comparison, 1);
    tell_why(comparison);
}

void compare_decisions(struct comparison *comparison)
{
    const struct compare_trace *a = &comparison->run[0]->trace, *b = &comparison->run[1]->trace;
    comparison->is_decided_alike = true;
    if (!comparison->is_same_work || !a->is_read || !b->is_read) return;
    uint32_t least = a->decision_count < b->decision_count ? a->decision_count : b->decision_count;
    while (comparison->decisions_same < least && is_alike(comparison, comparison->decisions_same))
        comparison->decisions_same++;
    comparison->is_decided_alike =
        comparison->decisions_same == a->decision_count && comparison->decisions_same == b->decision_count;
    if (comparison->is_decided_alike)
        compare_say(&comparison->decided, "All %" PRIu32 " decisions are the same, in the same order.", least);
    else tell_difference(comparison);
    for (unsigned side = 0; side < 2 && !comparison->is_decided_alike; side++) {
        const struct compare_trace *trace = &comparison->run[side]->trace;
        compare_say(&comparison->decided,
                    "%c in all: %" PRIu32 " portions; %" PRIu32 " arrivals, %" PRIu32 " of them of what had been there "
                    "before.",
                    'A' + (int)side, trace->portions, trace->again[1], trace->again[0]);
    }
}

/* ------------------------------------------------------------------ what moved */

/* The rows of a group that changed most, the largest first. */
static uint32_t most_changed(const struct comparison *comparison, enum compare_group group,
                             const struct compare_row *rows[], uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < comparison->row_count; i++) {
        const struct compare_row *row = &comparison->rows[i];
        if (row->group != group || !row->is_known[0] || !row->is_known[1] || !compare_differs(row)) continue;
        uint32_t at = count < most ? count++ : most;
        for (; at > 0 && fabs(compare_change(rows[at - 1u])) < fabs(compare_change(row)); at--)
            if (at < most) rows[at] = rows[at - 1u];
        if (at < most) rows[at] = row;
    }
    return count;
}

static void tell_group(struct comparison *comparison, enum compare_group group, const char *title)
{
    enum { MOST = 4 };
    const struct compare_row *rows[MOST];
    char line[COMPARE_LINE];
    uint32_t count = most_changed(comparison, group, rows, MOST);
    if (count == 0) return;
    int used = snprintf(line, sizeof line, "%s:", title);
    for (uint32_t i = 0; i < count && used < (int)sizeof line; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%s %s %+.0f", i != 0 ? "," : "", rows[i]->name,
                         compare_change(rows[i]));
    compare_say(&comparison->moved, "%s.", line);
}

static double frame_cycles(const struct compare_run *run)
{
    return compare_number(run, "cycles", 0) - compare_number(run, "first_frame_cycle", 0);
}

void compare_moved(struct comparison *comparison)
{
    const double a = frame_cycles(comparison->run[0]), b = frame_cycles(comparison->run[1]);
    const double frames[2] = {compare_number(comparison->run[0], "frames", 0),
                              compare_number(comparison->run[1], "frames", 0)};
    if (!comparison->is_timed) return;
    if (a == b) compare_say(&comparison->moved, "The frames of both take %.0f cycles.", a);
    else
        compare_say(&comparison->moved, "The frames of A take %.0f cycles, those of B %.0f: %+.0f, %+.2f %%.", a, b,
                    b - a, a > 0 ? 100 * (b - a) / a : 0);
    if (frames[0] != frames[1] && frames[0] > 0 && frames[1] > 0)
        compare_say(&comparison->moved, "They are %.0f and %.0f frames: per frame %.0f and %.0f cycles.", frames[0],
                    frames[1], a / frames[0], b / frames[1]);
    tell_group(comparison, GROUP_RENDER, "The render node");
    tell_group(comparison, GROUP_PAGING, "The paging node");
    tell_group(comparison, GROUP_STAGES, "The firmware");
    tell_group(comparison, GROUP_FUNCTIONS, "Its functions");
}
