/* SPDX-License-Identifier: Apache-2.0
 * A step of exact placement from any state of the search: a member that is given a place lies in its run, after what
 * is there, aligned, in a segment of its set, and under the apertures' limit; otherwise nothing has changed.
 * cbmc: --unwind 4 --unsigned-overflow-check --conversion-check
 */
#include "cbmc.h"
#include "plan/exact_fit.c"

int main(void)
{
    static struct search search;
    enum { RUN = 3, MEMBER = 1, OTHERS = 3 }; /* one of each stands for all: they are alike */
    struct level level = {RUN, nondet_u16(), nondet_u8(), nondet_u8() & OTHERS, nondet_u8(), nondet_u32()};
    const uint32_t i = MEMBER, log2 = nondet_u32();
    ASSUME(log2 <= 12u); /* ALIGNMENT_BYTES is 2^12 pages */
    struct run *run = &search.run[RUN];
    *run = (struct run){nondet_u16(), nondet_u16(), nondet_u16()};
    ASSUME(run->low < run->high && run->id >= 1u && run->id <= SEGMENT_LIMIT);
    for (uint32_t k = 0; k < 2u; k++) {
        search.member[k].pages = nondet_u16(), search.member[k].set = nondet_u8();
        search.member[k].alignment = nondet_u16();
        ASSUME(search.member[k].pages >= 1u);
    }
    struct member *member = &search.member[i];
    member->alignment = narrow_u16(1u << log2);
    search.aperture_set = nondet_u8(), search.mapped_room = nondet_u32(), search.steps = nondet_u32();
    ASSUME(search.steps <= PACK_STEPS);
    search.left_pages = nondet_u32();
    ASSUME(search.left_pages >= member->pages);
    const uint32_t room = search.mapped_room, steps = search.steps, left_pages = search.left_pages;
    const bool is_aperture = (search.aperture_set >> (run->id - 1u) & 1u) != 0u;
    if (!try_member(&search, &level, i)) {
        PROVE(search.mapped_room == room && search.steps == steps && search.left_pages == left_pages);
        return 0;
    }
    PROVE(member->run == level.run && member->first >= run->low && member->first >= level.at);
    PROVE((uint32_t)member->first + member->pages <= run->high);
    PROVE((member->first & (member->alignment - 1u)) == 0u && (member->set >> (run->id - 1u) & 1u) != 0u);
    PROVE(search.mapped_room + (is_aperture ? member->pages : 0u) == room);
    level.member = (uint8_t)i;
    take_back(&search, &level);
    PROVE(search.mapped_room == room && search.left_pages == left_pages);
    return 0;
}
