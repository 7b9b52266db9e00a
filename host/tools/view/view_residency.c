/* SPDX-License-Identifier: Apache-2.0
 *
 * The residency of view.h in the time line. By default a segment is one track, its spans the changes of what lies in
 * it: "in NAME" and "out NAME", each until the next change, with all that is known of the stay; so a track never holds
 * two spans at a time, and hundreds of allocations do not bury the other tracks. With view_show_pages a track per page
 * at which allocations begin, its spans the stays themselves.
 */
#include "tools/view/view_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TRACK_CHANGES = 1 };

static const char *const endings[] = {"resident at the end", "evicted", "moved"};

static struct track changes_of(uint32_t segment) { return (struct track){GROUP_SEGMENT + segment, TRACK_CHANGES}; }

void view_show_pages(struct view *view)
{
    if (view != NULL) view->shows_pages = true;
}

/* ------------------------------------------------------------------ a track per segment */

/* The change before lasts until this one. */
static void end_change(struct view *view, uint32_t segment, uint64_t cycle)
{
    struct change *change = &view->changes[segment];
    if (change->name[0] == 0) return;
    if (cycle < change->begin) cycle = change->begin;
    timeline_span(view->timeline, changes_of(segment), change->begin, cycle, change->name, change->arguments);
    change->name[0] = 0;
}

static struct change *begin_change(struct view *view, const struct stay *stay, uint64_t cycle, const char *what)
{
    struct change *change = &view->changes[stay->segment];
    uint64_t last = change->begin;
    end_change(view, stay->segment, cycle);
    change->begin = cycle > last ? cycle : last;
    snprintf(change->name, sizeof change->name, "%s %s", what, view->known[stay->known].name);
    return change;
}

/* What is known of a stay: as JSON, without its end. */
static int describe(const struct view *view, const struct stay *stay, char *text, size_t room)
{
    const struct known *known = &view->known[stay->known];
    return snprintf(text, room,
                    "\"handle\":\"0x%" PRIx32 "\",\"page\":%" PRIu32 ",\"pages\":%" PRIu32 ",\"again\":%s,"
                    "\"resident_pages\":%" PRIu32,
                    known->handle, stay->page, stay->pages, stay->is_again ? "true" : "false",
                    view->resident[stay->segment]);
}

void view_show_arrival(struct view *view, const struct stay *stay)
{
    if (view->shows_pages || view->timeline == NULL) return;
    struct change *change = begin_change(view, stay, stay->begin, "in");
    (void)describe(view, stay, change->arguments, sizeof change->arguments);
}

static void add_end(const struct stay *stay, char *text, size_t used, size_t room)
{
    snprintf(text + used, room - used, ",\"since\":%" PRIu64 ",\"end\":\"%s\"", stay->begin, endings[stay->how_ended]);
}

/* ------------------------------------------------------------------ a track per page */

static void show_stay(struct view *view, const struct stay *stay)
{
    const struct track track = {GROUP_SEGMENT + stay->segment, stay->page + 1u};
    char arguments[200];
    int used = describe(view, stay, arguments, sizeof arguments);
    add_end(stay, arguments, (size_t)used, sizeof arguments);
    timeline_span(view->timeline, track, stay->begin, stay->end, view->known[stay->known].name, arguments);
}

void view_show_leaving(struct view *view, const struct stay *stay)
{
    if (view->timeline == NULL) return;
    if (view->shows_pages) {
        show_stay(view, stay);
        return;
    }
    struct change *change = begin_change(view, stay, stay->end, "out");
    int used = describe(view, stay, change->arguments, sizeof change->arguments);
    add_end(stay, change->arguments, (size_t)used, sizeof change->arguments);
}

/* ------------------------------------------------------------------ the end */

static int by_place(const void *left, const void *right)
{
    const struct stay *a = left, *b = right;
    if (a->segment != b->segment) return a->segment < b->segment ? -1 : 1;
    if (a->page != b->page) return a->page < b->page ? -1 : 1;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* A track for every page where an allocation began. */
static void name_pages(const struct view *view)
{
    const struct stay *last = NULL;
    char name[64];
    struct stay *stays = malloc((view->stay_count + 1u) * sizeof *stays);
    if (stays == NULL) return;
    if (view->stay_count != 0) memcpy(stays, view->stays, view->stay_count * sizeof *stays);
    qsort(stays, view->stay_count, sizeof *stays, by_place);
    for (uint32_t i = 0; i < view->stay_count; i++) {
        const struct stay *stay = &stays[i];
        if (last == NULL || last->segment != stay->segment || last->page != stay->page) {
            snprintf(name, sizeof name, "page %" PRIu32, stay->page);
            timeline_name_track(view->timeline, (struct track){GROUP_SEGMENT + stay->segment, stay->page + 1u}, name);
        }
        last = stay;
    }
    free(stays);
}

static void show_open(struct view *view, const struct stay *open)
{
    struct stay stay = *open;
    char name[40], arguments[200];
    stay.end = view->now;
    if (view->shows_pages) {
        show_stay(view, &stay);
        return;
    }
    int used = describe(view, &stay, arguments, sizeof arguments);
    add_end(&stay, arguments, (size_t)used, sizeof arguments);
    snprintf(name, sizeof name, "still in %s", view->known[stay.known].name);
    timeline_instant(view->timeline, changes_of(stay.segment), view->now, name, arguments);
}

void view_show_residents(struct view *view)
{
    char name[64];
    for (uint32_t segment = 1; segment < VIEW_SEGMENTS; segment++) {
        end_change(view, segment, view->now);
        if (view->segment_top[segment] == 0) continue;
        snprintf(name, sizeof name, "residency of segment %" PRIu32, segment);
        timeline_name_group(view->timeline, GROUP_SEGMENT + segment, name);
        snprintf(name, sizeof name, "segment %" PRIu32, segment);
        if (!view->shows_pages) timeline_name_track(view->timeline, changes_of(segment), name);
    }
    for (uint32_t i = 0; i < view->stay_count; i++)
        if (view->stays[i].how_ended == STAY_OPEN && view->stays[i].end == 0) show_open(view, &view->stays[i]);
    if (view->shows_pages) name_pages(view);
}
