/* SPDX-License-Identifier: Apache-2.0
 *
 * Grants in address order, neighbours together.
 */
#include "schedule/portion_access.h"

#include "platform/turn.h"

/* Is this member behind that one, by segment and address? */
static bool comes_after(const struct segment_link *one, const struct segment_link *other)
{
    return one->where != other->where ? one->where > other->where : one->first > other->first;
}

static void insert(struct portion_access *access, const struct segment_link *link, uint32_t member)
{
    uint32_t i = access->count++;
    for (; i > 0u && comes_after(&link[access->few[i - 1u]], &link[member]); i--) access->few[i] = access->few[i - 1u];
    access->few[i] = narrow_u16(member);
}

void portion_access_begin(struct portion_access *access, const struct residency *residency,
                          const struct index_set *members)
{
    access->segment = 1;
    access->owner = residency->world.map.segment[0].head;
    access->count = access->next = 0;
    if (members == NULL) return;
    INDEX_SET_EACH (i, members) {
        if (residency->plan.mark[i] != 0u) insert(access, residency->world.map.link, i);
        yield_if_late();
    }
    access->segment = SEGMENT_LIMIT + 1u;
}

/* The next run of neighbouring pages that the portion may touch in the same way. False: none in the segment. */
static bool next_run(const struct portion_access *access, const struct residency *residency, struct ddi_access *run,
                     uint32_t *after)
{
    const struct segment_link *const link = residency->world.map.link;
    const uint8_t *const mark = residency->plan.mark;
    const uint32_t none = residency->world.map.none;
    uint32_t owner = access->owner;
    while (mark[owner] == 0u) { /* that of `none` ends it */
        for (uint32_t i = 0; i < 2u * LOOP_STEPS && mark[owner] == 0u; i++) owner = link[owner].next;
        yield_if_late();
    }
    if (owner == none) return false;
    const bool may_write = (mark[owner] & MARK_WRITE) != 0u;
    uint32_t steps = 0;
    *run = (struct ddi_access){access->segment, link[owner].first, 0, true, may_write};
    while (owner != none && mark[owner] != 0u && ((mark[owner] & MARK_WRITE) != 0u) == may_write &&
           link[owner].first == run->first_page + run->pages) {
        run->pages += link[owner].count;
        yield_in_loop(++steps);
        owner = link[owner].next;
    }
    *after = owner;
    return true;
}

/* The run that begins with the next of few members. */
static struct ddi_access run_of_few(const struct portion_access *access, const struct residency *residency,
                                    uint32_t *after)
{
    const struct segment_link *const link = residency->world.map.link, *at = &link[access->few[access->next]];
    const uint32_t writes = residency->plan.mark[access->few[access->next]] & (uint32_t)MARK_WRITE;
    struct ddi_access run = {at->where, at->first, at->count, true, writes != 0u};
    for (*after = access->next + 1u; *after < access->count; ++*after) {
        const uint32_t member = access->few[*after];
        at = &link[member];
        if (at->where != run.segment_id || at->first != run.first_page + run.pages ||
            (residency->plan.mark[member] & (uint32_t)MARK_WRITE) != writes)
            break;
        run.pages += at->count;
    }
    return run;
}

static bool grant_few(struct portion_access *access, const struct manager *manager)
{
    while (access->next < access->count) {
        uint32_t after;
        const struct ddi_access run = run_of_few(access, &manager->residency, &after);
        if (!manager->ddi.set_access(manager->ddi.adapter, &run)) return false;
        access->granted |= 1u << (run.segment_id - 1u);
        access->next = after;
    }
    return true;
}

bool portion_access_grant(struct portion_access *access, const struct manager *manager)
{
    const struct residency *residency = &manager->residency;
    if (!grant_few(access, manager)) return false;
    while (access->segment <= (uint32_t)SEGMENT_LIMIT) {
        struct ddi_access run;
        uint32_t after;
        if (!next_run(access, residency, &run, &after)) {
            access->segment++;
            if (access->segment <= (uint32_t)SEGMENT_LIMIT)
                access->owner = residency->world.map.segment[access->segment - 1u].head;
            continue;
        }
        if (!manager->ddi.set_access(manager->ddi.adapter, &run)) return false;
        access->granted |= 1u << (access->segment - 1u);
        access->owner = after;
    }
    return true;
}

bool portion_access_revoke(struct portion_access *access, const struct manager *manager)
{
    for (; access->segment <= (uint32_t)SEGMENT_LIMIT; access->segment++) {
        const uint32_t bit = 1u << (access->segment - 1u);
        const uint32_t pages = manager->residency.world.map.segment[access->segment - 1u].pages;
        const struct ddi_access all = {access->segment, 0, pages, false, false};
        if ((access->granted & bit) == 0u) continue;
        if (!manager->ddi.set_access(manager->ddi.adapter, &all)) return false;
        access->granted &= ~bit;
    }
    return true;
}
