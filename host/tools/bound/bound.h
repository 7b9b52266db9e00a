/* SPDX-License-Identifier: Apache-2.0
 *
 * A number of cycles that no schedule gets below, whatever is mapped and whatever is copied.
 *
 * A run is told as it happens: allocations, what drawing reads and writes through each, what the host reads and writes.
 * For each allocation there is then a cheapest sequence of places (its pages, segment 1, segment 2), with copies
 * between them, once every port has a price per cycle. The sum of these, at any prices that add up to 1, is a lower
 * bound of the busiest port's cycles (weak duality of the linear relaxation); the best of some hundred trials is taken,
 * so a bad search makes the bound lower and never wrong. Relaxed are: addresses and holes; waiting (all ports and both
 * nodes work at once, all the time); rows that do not begin at a beat; and room: only what is used in a segment in one
 * frame, without having come there in that frame, has to fit beside one another.
 *
 * It differs from the bound of struct account (docs/views.md): that takes what a run has moved and drawn as given,
 * and asks how fast the ports could have done that; this one asks what had to be moved at all.
 */
#ifndef TESSERA_BOUND_H
#define TESSERA_BOUND_H

#include <stdbool.h>
#include <stdint.h>

enum bound_place { BOUND_PAGES, BOUND_SEGMENT1, BOUND_SEGMENT2, BOUND_PLACES };

/* What must do the work: a direction of a port, both of one, the paging node, the render node. */
enum bound_resource {
    BOUND_SYSTEM_READ,
    BOUND_SYSTEM_WRITE,
    BOUND_SEGMENT1_READ,
    BOUND_SEGMENT1_WRITE,
    BOUND_SEGMENT2_PORT,
    BOUND_PAGING_NODE,
    BOUND_RENDER_NODE, /* the same wherever things lie */
    BOUND_RESOURCES
};

struct bound_machine {
    uint32_t pages[BOUND_PLACES]; /* of both segments; pages[BOUND_PAGES] is not looked at */
    uint32_t stall_percent;       /* cycles in which system memory withholds a handshake */
};

struct bound_result {
    uint64_t cycles;
    enum bound_resource busiest; /* which has the highest price */
};

struct bound;

/* NULL: out of memory. Running out of it later makes bound_solve return 0 cycles. */
struct bound *bound_create(void);
void bound_destroy(struct bound *bound); /* NULL is fine; so it is for all that follow */
/* Forget all that was told. */
void bound_clear(struct bound *bound);
/* Its content is in its pages. `is_mappable`: the GPU may use it there. Returns its number. */
uint32_t bound_allocation(struct bound *bound, uint32_t bytes, bool is_mappable);
/* Drawing reads and writes so many bytes of it; `is_covered`: writes all of it, and nothing of what was in it counts.
 */
void bound_use(struct bound *bound, uint32_t allocation, uint32_t read_bytes, uint32_t write_bytes, bool is_covered);
/* The host reads it; or writes a part of it or the whole. */
void bound_host_read(struct bound *bound, uint32_t allocation);
void bound_host_write(struct bound *bound, uint32_t allocation, bool is_whole);
/* So many bytes go through the render node each way, and so many pixels one by one. */
void bound_draw(struct bound *bound, uint64_t read_bytes, uint64_t write_bytes, uint64_t pixels);
/* A frame ends. */
void bound_frame(struct bound *bound);
struct bound_result bound_solve(const struct bound *bound, const struct bound_machine *machine);
/* The same, and for each of the first `count` frames a number of cycles of its own, 0 without memory.
 *
 * It is the least of the frame alone, at the prices that give the run's bound: whatever lies where when the frame
 * begins, as long as what is carried into it has room, its uses load the priced resources so much at least. So no
 * schedule's busiest resource works less than that for the uses of the frame, and the sum over frames is a lower bound
 * of the run, too: it never exceeds what the busiest resource of any schedule works in all. It may be less than the
 * run's bound, which knows where things lay before, or a little more, where room is better not priced in some frames.
 * Where the render node bounds the run, it is that node's work for the frame.
 *
 * It is no bound of the time between two pictures: frames overlap, and what a frame needs may be moved during the one
 * before. A single frame may take less than its number; frames together cannot. What is told after the last frame
 * counts for that. */
struct bound_result bound_solve_frames(const struct bound *bound, const struct bound_machine *machine, uint64_t *frames,
                                       uint32_t count);
const char *bound_resource_name(enum bound_resource resource);

#endif
