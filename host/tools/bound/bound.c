/* SPDX-License-Identifier: Apache-2.0
 *
 * See bound.h. Loads are in cycles of a resource: a beat of 8 bytes takes one, two of segment 2.
 */
#include "tools/bound/bound.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

enum {
    BEAT_BYTES = 8,
    PAGE_BEATS = LIMIT_BITS_PAGE_BYTES / BEAT_BYTES,
    PIXELS_PER_CYCLE = 2,
    SEGMENT2_CYCLES = 2, /* a beat */
    PRICED = BOUND_RENDER_NODE,
    STATES = 5, /* its pages; clean and newer than these in either segment */
    MOST_TRIALS = 400,
    LEAST_TRIALS = 60,
    TRIAL_BUDGET = 12000000 /* uses looked at in all trials */
};

enum use_kind { USE_DRAW, USE_HOST_READ, USE_HOST_WRITE };

struct use {
    enum use_kind kind;
    bool is_whole; /* covered, or written whole by the host */
    uint32_t frame, read_bytes, write_bytes;
    uint32_t next; /* of the same allocation, UINT32_MAX: none */
};

struct item {
    uint32_t pages;
    bool is_mappable;
    uint32_t first, last;
};

/* Cycles of the render node in a frame. */
struct render {
    double read, write, pixels;
};

struct bound {
    struct item *items;
    struct use *uses;
    struct render *renders, render; /* of frames; their sum */
    uint32_t item_count, item_room, use_count, use_room, render_count, render_room, frame;
    bool is_short; /* of memory */
};

/* ------------------------------------------------------------------ telling */

struct bound *bound_create(void) { return calloc(1, sizeof(struct bound)); }

void bound_destroy(struct bound *bound)
{
    if (bound == NULL) return;
    free(bound->items);
    free(bound->uses);
    free(bound->renders);
    free(bound);
}

void bound_clear(struct bound *bound)
{
    if (bound == NULL) return;
    for (uint32_t i = 0; i < bound->item_count; i++) bound->items[i].first = UINT32_MAX;
    bound->use_count = bound->render_count = bound->frame = 0;
    bound->render = (struct render){0, 0, 0};
}

/* Room for one more of `size` bytes. */
static bool grow(void **array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room) return true;
    uint32_t wanted = *room != 0 ? 2u * *room : 1024u;
    void *grown = realloc(*array, wanted * size);
    if (grown == NULL) return false;
    *array = grown;
    *room = wanted;
    return true;
}

uint32_t bound_allocation(struct bound *bound, uint32_t bytes, bool is_mappable)
{
    if (bound == NULL) return 0;
    void *items = bound->items;
    bool has_room = grow(&items, bound->item_count, &bound->item_room, sizeof *bound->items);
    bound->items = items;
    bound->is_short = bound->is_short || !has_room;
    if (!has_room) return 0;
    const uint32_t pages = (bytes + GPU_LIMIT(PAGE_BYTES) - 1u) / GPU_LIMIT(PAGE_BYTES);
    bound->items[bound->item_count] = (struct item){pages, is_mappable, UINT32_MAX, 0};
    return bound->item_count++;
}

static void add_use(struct bound *bound, uint32_t allocation, struct use use)
{
    if (bound == NULL) return;
    void *uses = bound->uses;
    bool has_room = grow(&uses, bound->use_count, &bound->use_room, sizeof *bound->uses);
    bound->uses = uses;
    bound->is_short = bound->is_short || !has_room;
    if (!has_room || allocation >= bound->item_count) return;
    struct item *item = &bound->items[allocation];
    use.frame = bound->frame;
    use.next = UINT32_MAX;
    if (item->first == UINT32_MAX) item->first = bound->use_count;
    else bound->uses[item->last].next = bound->use_count;
    item->last = bound->use_count;
    bound->uses[bound->use_count++] = use;
}

void bound_use(struct bound *bound, uint32_t allocation, uint32_t read_bytes, uint32_t write_bytes, bool is_covered)
{
    add_use(
        bound, allocation,
        (struct use){.kind = USE_DRAW, .is_whole = is_covered, .read_bytes = read_bytes, .write_bytes = write_bytes});
}

void bound_host_read(struct bound *bound, uint32_t allocation)
{
    add_use(bound, allocation, (struct use){.kind = USE_HOST_READ});
}

void bound_host_write(struct bound *bound, uint32_t allocation, bool is_whole)
{
    add_use(bound, allocation, (struct use){.kind = USE_HOST_WRITE, .is_whole = is_whole});
}

static void add_render(struct render *sum, const struct render *work)
{
    sum->read += work->read;
    sum->write += work->write;
    sum->pixels += work->pixels;
}

void bound_draw(struct bound *bound, uint64_t read_bytes, uint64_t write_bytes, uint64_t pixels)
{
    if (bound == NULL) return;
    const struct render work = {(double)read_bytes / BEAT_BYTES, (double)write_bytes / BEAT_BYTES,
                                (double)pixels / PIXELS_PER_CYCLE};
    add_render(&bound->render, &work);
    while (bound->render_count <= bound->frame) {
        void *renders = bound->renders;
        bool has_room = grow(&renders, bound->render_count, &bound->render_room, sizeof *bound->renders);
        bound->renders = renders;
        bound->is_short = bound->is_short || !has_room;
        if (!has_room) return;
        bound->renders[bound->render_count++] = (struct render){0, 0, 0};
    }
    add_render(&bound->renders[bound->frame], &work);
}

void bound_frame(struct bound *bound)
{
    if (bound != NULL) bound->frame++;
}

/* ------------------------------------------------------------------ the cheapest sequence of places */

struct prices {
    double of[PRICED];         /* add up to 1 */
    double room[BOUND_PLACES]; /* of a page that is carried from one frame into the next */
    double system_beat;        /* cycles of a beat of system memory */
    const struct bound_machine *machine;
};

struct loads {
    double of[PRICED];
    double room[BOUND_PLACES]; /* pages carried */
};

enum direction { READS, WRITES };

static void load_beats(struct loads *loads, const struct prices *prices, enum direction direction,
                       enum bound_place place, double beats)
{
    static const enum bound_resource ports[2][BOUND_PLACES] = {
        [READS] = {BOUND_SYSTEM_READ, BOUND_SEGMENT1_READ, BOUND_SEGMENT2_PORT},
        [WRITES] = {BOUND_SYSTEM_WRITE, BOUND_SEGMENT1_WRITE, BOUND_SEGMENT2_PORT}};
    const double cycles[BOUND_PLACES] = {prices->system_beat, 1, SEGMENT2_CYCLES};
    loads->of[ports[direction][place]] += beats * cycles[place];
}

static double page_beats(const struct item *item) { return (double)item->pages * PAGE_BEATS; }

static void load_copy(struct loads *loads, const struct prices *prices, const struct item *item, enum bound_place from,
                      enum bound_place to)
{
    load_beats(loads, prices, READS, from, page_beats(item));
    load_beats(loads, prices, WRITES, to, page_beats(item));
    loads->of[BOUND_PAGING_NODE] += page_beats(item);
}

static double cost_of(const struct loads *loads, const struct prices *prices)
{
    double cost = 0;
    for (unsigned r = 0; r < PRICED; r++) cost += prices->of[r] * loads->of[r];
    for (unsigned p = BOUND_SEGMENT1; p < BOUND_PLACES; p++) cost += prices->room[p] * loads->room[p];
    return cost;
}

/* A way for the content up to some use: what it takes, and where it ends. */
struct way {
    double cost;
    struct loads loads;
};

static enum bound_place place_of(unsigned state) { return (enum bound_place)((state + 1u) / 2u); }
static bool is_newer(unsigned state) { return state != 0 && state % 2u == 0; }
static unsigned state_of(enum bound_place place, bool newer)
{
    return place == BOUND_PAGES ? 0u : 2u * (unsigned)place - (newer ? 0u : 1u);
}

static void consider(struct way *way, const struct loads *loads, double cost)
{
    if (cost >= way->cost) return;
    way->cost = cost;
    way->loads = *loads;
}

/* From `state` a draw uses it at `place`. `is_carried`: it was used before, in an earlier frame. */
static void draw_from(const struct item *item, const struct use *use, const struct prices *prices,
                      const struct way *from, unsigned state, enum bound_place place, bool is_carried,
                      struct way next[STATES])
{
    const enum bound_place before = place_of(state);
    const bool stays = before == place && place != BOUND_PAGES;
    for (unsigned again = 0; again <= (stays && is_carried ? 1u : 0u); again++) {
        struct loads loads = from->loads;
        bool newer = is_newer(state);
        if (stays && again == 0) {
            if (is_carried) loads.room[place] += item->pages;
        } else if (!use->is_whole) {
            const bool is_direct = before != BOUND_PAGES && place != BOUND_PAGES && !stays;
            if (is_direct) load_copy(&loads, prices, item, before, place);
            else if (newer) load_copy(&loads, prices, item, before, BOUND_PAGES);
            if (!is_direct && place != BOUND_PAGES) load_copy(&loads, prices, item, BOUND_PAGES, place);
            newer = newer && is_direct;
        }
        load_beats(&loads, prices, READS, place, use->read_bytes / (double)BEAT_BYTES);
        load_beats(&loads, prices, WRITES, place, use->write_bytes / (double)BEAT_BYTES);
        newer = newer || use->write_bytes != 0 || use->is_whole;
        consider(&next[state_of(place, newer)], &loads, cost_of(&loads, prices));
    }
}

static bool may_be_at(const struct item *item, const struct bound_machine *machine, enum bound_place place)
{
    return place == BOUND_PAGES ? item->is_mappable : item->pages <= machine->pages[place];
}

static void step(const struct item *item, const struct use *use, const struct prices *prices, bool is_carried,
                 const struct way ways[STATES], struct way next[STATES])
{
    for (unsigned s = 0; s < STATES; s++) next[s].cost = DBL_MAX;
    for (unsigned s = 0; s < STATES; s++) {
        if (ways[s].cost >= DBL_MAX) continue;
        struct loads loads = ways[s].loads;
        if (use->kind == USE_DRAW) {
            for (unsigned place = BOUND_PAGES; place < BOUND_PLACES; place++)
                if (may_be_at(item, prices->machine, (enum bound_place)place))
                    draw_from(item, use, prices, &ways[s], s, (enum bound_place)place, is_carried, next);
            continue;
        }
        if (is_newer(s) && !use->is_whole) load_copy(&loads, prices, item, place_of(s), BOUND_PAGES);
        const unsigned after = use->kind == USE_HOST_WRITE ? 0u : state_of(place_of(s), false);
        consider(&next[after], &loads, cost_of(&loads, prices));
    }
}

static double cheapest(const struct bound *bound, const struct item *item, const struct prices *prices,
                       struct loads *sum)
{
    struct way ways[2][STATES];
    unsigned now = 0, best = 0;
    uint32_t last_frame = 0;
    for (unsigned s = 0; s < STATES; s++) ways[0][s].cost = DBL_MAX;
    ways[0][0] = (struct way){0, {{0}, {0}}};
    for (uint32_t i = item->first; i != UINT32_MAX; i = bound->uses[i].next) {
        const struct use *use = &bound->uses[i];
        step(item, use, prices, i != item->first && use->frame != last_frame, ways[now], ways[1u - now]);
        last_frame = use->frame;
        now = 1u - now;
    }
    for (unsigned s = 1; s < STATES; s++)
        if (ways[now][s].cost < ways[now][best].cost) best = s;
    if (ways[now][best].cost >= DBL_MAX) return 0; /* it fits nowhere: no run has used it */
    for (unsigned r = 0; r < PRICED; r++) sum->of[r] += ways[now][best].loads.of[r];
    for (unsigned p = 0; p < BOUND_PLACES; p++) sum->room[p] += ways[now][best].loads.room[p];
    return ways[now][best].cost;
}

/* ------------------------------------------------------------------ prices */

/* A lower bound at these prices, and what the cheapest sequences load. */
static double bound_at(const struct bound *bound, const struct bound_machine *machine, const struct prices *prices,
                       struct loads *loads)
{
    double sum = 0;
    memset(loads, 0, sizeof *loads);
    for (uint32_t i = 0; i < bound->item_count; i++)
        if (bound->items[i].first != UINT32_MAX) sum += cheapest(bound, &bound->items[i], prices, loads);
    for (unsigned p = BOUND_SEGMENT1; p < BOUND_PLACES; p++)
        sum -= prices->room[p] * machine->pages[p] * (double)bound->frame;
    return sum;
}

/* What is loaded more than others becomes more expensive. */
static void adjust(const struct bound *bound, const struct bound_machine *machine, const struct loads *loads,
                   double pace, struct prices *prices)
{
    double all = 1, sum = 0;
    for (unsigned r = 0; r < PRICED; r++) all += loads->of[r];
    for (unsigned r = 0; r < PRICED; r++) {
        prices->of[r] = fmax(prices->of[r] * exp(pace * PRICED * loads->of[r] / all), 1e-9);
        sum += prices->of[r];
    }
    for (unsigned r = 0; r < PRICED; r++) prices->of[r] /= sum;
    for (unsigned p = BOUND_SEGMENT1; p < BOUND_PLACES; p++) {
        const double room = machine->pages[p] * (double)bound->frame + 1;
        prices->room[p] += pace * PAGE_BEATS * (loads->room[p] - room) / room;
        if (prices->room[p] < 0) prices->room[p] = 0;
    }
}

/* The best of the trials, and its prices if these give it: then busiest is not the render node. */
static struct bound_result solve(const struct bound *bound, const struct bound_machine *machine, struct prices *found)
{
    struct bound_result result = {0, BOUND_RENDER_NODE};
    struct prices prices = {.system_beat = 100.0 / (100.0 - machine->stall_percent), .machine = machine};
    struct loads loads;
    const uint32_t uses = bound->use_count + 1u;
    uint32_t trials = TRIAL_BUDGET / uses < MOST_TRIALS ? TRIAL_BUDGET / uses : MOST_TRIALS;
    double best = fmax(fmax(bound->render.read, bound->render.write), bound->render.pixels);
    if (trials < LEAST_TRIALS) trials = LEAST_TRIALS;
    for (unsigned r = 0; r < PRICED; r++) prices.of[r] = 1.0 / PRICED;
    for (uint32_t trial = 0; trial < trials; trial++) {
        const double cycles = bound_at(bound, machine, &prices, &loads);
        if (cycles > best) {
            best = cycles;
            *found = prices;
            result.busiest = BOUND_SYSTEM_READ;
            for (unsigned r = 1; r < PRICED; r++)
                if (prices.of[r] > prices.of[result.busiest]) result.busiest = (enum bound_resource)r;
        }
        adjust(bound, machine, &loads, 0.5 / (1.0 + 0.1 * trial), &prices);
    }
    result.cycles = (uint64_t)best;
    return result;
}

/* ------------------------------------------------------------------ frames */

/* The uses of an item in one frame, from `first` on, begun anywhere: their cost is added; the use after them. */
static uint32_t add_frame(const struct bound *bound, const struct item *item, const struct prices *prices,
                          uint32_t first, double *cost)
{
    struct way ways[2][STATES];
    const bool is_new = first == item->first; /* its content is in its pages */
    unsigned now = 0;
    uint32_t i = first;
    double least = DBL_MAX;
    memset(ways, 0, sizeof ways);
    for (unsigned s = 1; s < STATES; s++)
        if (is_new || item->pages > prices->machine->pages[place_of(s)]) ways[0][s].cost = DBL_MAX;
    for (; i != UINT32_MAX && bound->uses[i].frame == bound->uses[first].frame; i = bound->uses[i].next) {
        step(item, &bound->uses[i], prices, i == first && !is_new, ways[now], ways[1u - now]);
        now = 1u - now;
    }
    for (unsigned s = 0; s < STATES; s++) least = fmin(least, ways[now][s].cost);
    if (least < DBL_MAX) *cost += least;
    return i;
}

/* The least of every frame at these prices, where that is more than what is there. */
static void raise_frames(const struct bound *bound, const struct prices *prices, double *costs, uint64_t *frames,
                         uint32_t count)
{
    double rent = 0;
    for (unsigned p = BOUND_SEGMENT1; p < BOUND_PLACES; p++) rent += prices->room[p] * prices->machine->pages[p];
    for (uint32_t f = 0; f < count; f++) costs[f] = f < bound->frame ? -rent : 0;
    if (bound->frame > count) costs[count - 1u] -= rent * (bound->frame - count);
    for (uint32_t k = 0; k < bound->item_count; k++)
        for (uint32_t i = bound->items[k].first; i != UINT32_MAX;) {
            const uint32_t frame = bound->uses[i].frame;
            i = add_frame(bound, &bound->items[k], prices, i, &costs[frame < count ? frame : count - 1u]);
        }
    for (uint32_t f = 0; f < count; f++)
        if (costs[f] > (double)frames[f]) frames[f] = (uint64_t)costs[f];
}

static void render_frames(const struct bound *bound, uint64_t *frames, uint32_t count)
{
    const struct render *all = &bound->render;
    const bool is_read = all->read >= all->write && all->read >= all->pixels, is_write = all->write >= all->pixels;
    for (uint32_t f = 0; f < bound->render_count; f++) {
        const struct render *of = &bound->renders[f];
        frames[f < count ? f : count - 1u] += (uint64_t)(is_read ? of->read : is_write ? of->write : of->pixels);
    }
}

struct bound_result bound_solve_frames(const struct bound *bound, const struct bound_machine *machine, uint64_t *frames,
                                       uint32_t count)
{
    struct bound_result result = {0, BOUND_RENDER_NODE};
    struct prices prices = {.machine = machine};
    for (uint32_t f = 0; f < count; f++) frames[f] = 0;
    if (bound == NULL || bound->is_short) return result;
    result = solve(bound, machine, &prices);
    if (count == 0) return result;
    if (result.busiest == BOUND_RENDER_NODE) {
        render_frames(bound, frames, count);
        return result;
    }
    double *costs = calloc(count, sizeof *costs);
    if (costs == NULL) return result;
    raise_frames(bound, &prices, costs, frames, count);
    memset(prices.room, 0, sizeof prices.room);
    raise_frames(bound, &prices, costs, frames, count);
    free(costs);
    return result;
}

struct bound_result bound_solve(const struct bound *bound, const struct bound_machine *machine)
{
    return bound_solve_frames(bound, machine, NULL, 0);
}

const char *bound_resource_name(enum bound_resource resource)
{
    static const char *const names[BOUND_RESOURCES] = {"system memory, reads",
                                                       "system memory, writes",
                                                       "segment 1, reads",
                                                       "segment 1, writes",
                                                       "segment 2",
                                                       "paging node",
                                                       "render node"};
    return names[resource];
}
