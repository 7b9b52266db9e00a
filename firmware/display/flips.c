/* SPDX-License-Identifier: Apache-2.0
 *
 * FLIPs: see flips.h.
 */
#include "display/flips.h"

void flips_init(struct flips *flips, struct manager *manager)
{
    *flips = (struct flips){.manager = manager, .taken = hal_register_read(DISPLAY_TAKEN_OFFSET)};
    for (uint32_t i = 0; i < (uint32_t)PLANE_COUNT; i++) flips->shown[i] = surface_none();
}

/* ------------------------------------------------------------------ the unit's time */

uint32_t flips_next_frame(void)
{
    uint32_t frame, status;
    do {
        frame = hal_register_read(DISPLAY_FRAME_OFFSET);
        status = hal_register_read(DISPLAY_STATUS_OFFSET);
    } while (frame != hal_register_read(DISPLAY_FRAME_OFFSET));
    return FIELD_GET(status, DISPLAY_STATUS_IN_BLANK) != 0u ? frame : frame + 1u;
}

void flips_blank_time(uint32_t *low, uint32_t *high)
{
    do {
        *high = hal_register_read(DISPLAY_BLANK_HI_OFFSET);
        *low = hal_register_read(DISPLAY_BLANK_LO_OFFSET);
    } while (*high != hal_register_read(DISPLAY_BLANK_HI_OFFSET));
}

/* ------------------------------------------------------------------ the table */

uint32_t flips_waiting(const struct flips *flips)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < flips->count; i++) count += flips->flip[i].has_answer;
    return count;
}

const struct flip *flips_newest(const struct flips *flips, uint32_t plane)
{
    for (uint32_t i = flips->count; i-- > 0u;)
        if (flips->flip[i].plane == plane) return &flips->flip[i];
    return NULL;
}

const struct surface *flips_heaviest(const struct flips *flips, uint32_t plane)
{
    const struct surface *heaviest = &flips->shown[plane];
    for (uint32_t i = 0; i < flips->count; i++) {
        const struct flip *flip = &flips->flip[i];
        if (flip->plane != plane || !surface_is_on(&flip->surface)) continue;
        if (!surface_is_on(heaviest) || flip->surface.ticks > heaviest->ticks) heaviest = &flip->surface;
    }
    return heaviest;
}

static enum flip_state state_when_here(const struct flip *flip)
{
    return flip->job_bit != 0u ? FLIP_IS_DRAWN : FLIP_WAITS;
}

void flips_add(struct flips *flips, const struct flip *flip)
{
    ASSERT(flips->count < (uint32_t)FLIP_ROOM);
    struct flip *added = &flips->flip[flips->count++];
    *added = *flip;
    added->state = surface_is_on(&flip->surface) ? FLIP_COMES : state_when_here(flip);
}

static void remove_flip(struct flips *flips, struct flip *flip)
{
    flips->count--;
    for (struct flip *end = &flips->flip[flips->count]; flip < end; flip++) flip[0] = flip[1];
}

static void answer_flip(struct flips *flips, struct flip *flip, const struct reply *reply)
{
    if (!flip->has_answer) return;
    flip->has_answer = false;
    host_complete(&flips->manager->host, flip->tag, reply);
}

void flips_fail(struct flips *flips, struct flip *flip, enum gpu_status status, uint32_t detail)
{
    const struct reply reply = {.status = status, .detail = detail};
    if (flip->has_answer) flips->manager->statistics[STAT_FLIPS_DROPPED] += status == STATUS_DROPPED;
    answer_flip(flips, flip, &reply);
    remove_flip(flips, flip);
}

struct flip *flips_coming(struct flips *flips)
{
    for (uint32_t i = 0; i < flips->count; i++)
        if (flips->flip[i].state == FLIP_COMES) return &flips->flip[i];
    return NULL;
}

void flips_end_job(struct flips *flips, uint32_t job_bit, enum gpu_status status)
{
    for (uint32_t i = 0; i < flips->count; i++) {
        struct flip *flip = &flips->flip[i];
        if (flip->job_bit != job_bit) continue;
        flip->job_bit = 0;
        if (flip->state == FLIP_IS_DRAWN) flip->state = FLIP_WAITS;
        if (status != STATUS_OK) flips_fail(flips, flip, STATUS_DROPPED, (uint32_t)status);
        return; /* each DMA buffer of a FLIP has a bit of its own */
    }
}

/* ------------------------------------------------------------------ what stays */

static bool is_needed(const struct flips *flips, uint32_t allocation)
{
    for (uint32_t i = 0; i < (uint32_t)PLANE_COUNT; i++)
        if (flips->shown[i].allocation == allocation) return true;
    for (uint32_t i = 0; i < flips->count; i++)
        if (flips->flip[i].surface.allocation == allocation && flips->flip[i].state != FLIP_COMES) return true;
    return false;
}

static void mark_shown(struct flips *flips, uint32_t allocation, bool is_shown)
{
    struct residency *residency = &flips->manager->residency;
    struct allocation *entry = &residency->world.table.entry[allocation];
    if (is_shown) allocation_set(entry, ALLOCATION_SHOWN);
    else allocation_clear(entry, ALLOCATION_SHOWN);
    residency->outlook.news |= (uint32_t)NEWS_PLACES;
}

static void hold_allocation(struct flips *flips, uint32_t allocation)
{
    for (uint32_t i = 0; i < flips->held_count; i++)
        if (flips->held[i] == allocation) return;
    ASSERT(flips->held_count < (uint32_t)HELD_COUNT);
    flips->held[flips->held_count++] = narrow_u16(allocation);
    mark_shown(flips, allocation, true);
}

static bool release(struct flips *flips)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < flips->held_count; i++) {
        if (is_needed(flips, flips->held[i])) flips->held[kept++] = flips->held[i];
        else mark_shown(flips, flips->held[i], false);
    }
    const bool has_released = kept != flips->held_count;
    flips->held_count = kept;
    return has_released;
}

bool flips_hold(struct flips *flips)
{
    const bool has_released = release(flips);
    for (uint32_t i = 0; i < flips->count;) {
        struct flip *flip = &flips->flip[i];
        if (flip->state != FLIP_COMES) {
            i++;
            continue;
        }
        const enum gpu_status status = surface_state(flips->manager, flip->surface.client, flip->surface.allocation);
        if (status != STATUS_OK) {
            flips_fail(flips, flip, STATUS_DROPPED, (uint32_t)status);
            continue;
        }
        if (surface_is_ready(flips->manager, flip->surface.allocation)) {
            hold_allocation(flips, flip->surface.allocation);
            flip->state = state_when_here(flip);
        }
        i++;
    }
    return has_released;
}

/* ------------------------------------------------------------------ shown */

static void note_shown(struct flips *flips, struct flip *flip, uint32_t frame)
{
    uint32_t *statistics = flips->manager->statistics;
    struct reply reply = {.status = STATUS_OK};
    reply.words[REPLY_FLIP_FRAME - 4] = frame;
    flips_blank_time(&reply.words[REPLY_FLIP_TIME_LO - 4], &reply.words[REPLY_FLIP_TIME_HI - 4]);
    if (flip->has_answer) {
        const bool is_late = (int32_t)(frame - flip->asked) > 0;
        if (is_late) hal_trace(TRACE_LATE, frame - flip->asked);
        hal_trace(TRACE_SHOW, flip->tag);
        statistics[STAT_FLIPS]++;
        statistics[STAT_FLIPS_LATE] += is_late;
    }
    answer_flip(flips, flip, &reply);
    if (flip->signal[0] != 0u) timelines_signal(flips->manager, flip->signal);
    flips->shown[flip->plane] = flip->surface;
    remove_flip(flips, flip);
}

/* The armed one that the unit takes next, or NULL. The cursor is not in its queue. */
static struct flip *next_taken(struct flips *flips)
{
    struct flip *next = NULL;
    for (uint32_t i = 0; i < flips->count; i++) {
        struct flip *flip = &flips->flip[i];
        if (flip->state != FLIP_ARMED || flip->plane == (uint8_t)PLANE_CURSOR) continue;
        if (next == NULL || (int32_t)(flip->number - next->number) < 0) next = flip;
    }
    return next;
}

static bool note_taken(struct flips *flips)
{
    const uint32_t next_frame = flips_next_frame();
    bool has_changed = false;
    for (const uint32_t taken = hal_register_read(DISPLAY_TAKEN_OFFSET); flips->taken != taken; flips->taken++) {
        struct flip *flip = next_taken(flips);
        ASSERT(flip != NULL);
        note_shown(flips, flip, hal_register_read(DISPLAY_FRAME_OFFSET));
        has_changed = true;
    }
    for (uint32_t i = 0; i < flips->count; i++) {
        struct flip *flip = &flips->flip[i];
        if (flip->plane != (uint8_t)PLANE_CURSOR || flip->state != FLIP_ARMED) continue;
        if ((int32_t)(next_frame - flip->taken_at) <= 0) break;
        note_shown(flips, flip, flip->taken_at);
        has_changed = true;
        break; /* one is armed at a time */
    }
    return has_changed;
}

/* ------------------------------------------------------------------ arming */

static uint32_t corner_of(uint32_t position, uint32_t hot_spot)
{
    const uint32_t x = (position - hot_spot) & 0xffffu, y = (position >> 16) - (hot_spot >> 16);
    return x | y << 16;
}

static void write_cursor(const struct flips *flips)
{
    hal_register_write(DISPLAY_CURSOR_PLACE_OFFSET, corner_of(flips->position, flips->hot_spot));
}

void flips_move_cursor(struct flips *flips, uint32_t position)
{
    flips->position = position;
    write_cursor(flips);
}

static void arm_cursor(struct flips *flips, struct flip *flip)
{
    const bool is_on = surface_is_on(&flip->surface);
    hal_register_write(DISPLAY_HOLD_OFFSET, 1);
    if (is_on) flips->hot_spot = flip->surface.hot_spot;
    hal_register_write(DISPLAY_CURSOR_IMAGE_OFFSET, is_on ? surface_address(flips->manager, &flip->surface) : 0u);
    write_cursor(flips);
    hal_register_write(DISPLAY_HOLD_OFFSET, 0);
    flip->taken_at = flips_next_frame();
}

/* The unit takes them with the entry. No other entry of the overlay is queued. */
static void write_overlay(const struct surface *surface)
{
    hal_register_write(DISPLAY_OVERLAY_PLACE_OFFSET, surface->place);
    hal_register_write(DISPLAY_OVERLAY_SIZE_OFFSET, surface->size);
    hal_register_write(DISPLAY_OVERLAY_MIX_OFFSET, surface->mix);
    hal_register_write(DISPLAY_OVERLAY_MODE_OFFSET, surface->mode);
}

/* The address alone of what is shown changes: that can be done in the middle of a frame. */
static bool can_tear(const struct flips *flips, const struct flip *flip)
{
    const struct surface *shown = &flips->shown[flip->plane];
    return flip->when == (uint8_t)WHEN_NOW && surface_is_on(shown) && surface_is_on(&flip->surface) &&
           shown->format == flip->surface.format && shown->pitch == flip->surface.pitch &&
           shown->place == flip->surface.place && shown->size == flip->surface.size &&
           shown->mix == flip->surface.mix && shown->mode == flip->surface.mode;
}

static void push_flip(const struct flips *flips, const struct flip *flip, bool is_torn)
{
    const struct surface *surface = &flip->surface;
    const bool is_on = surface_is_on(surface), is_overlay = flip->plane == (uint8_t)PLANE_OVERLAY;
    if (is_overlay && is_on && !is_torn) write_overlay(surface);
    hal_register_write(DISPLAY_FLIP_ADDRESS_OFFSET, is_on ? surface_address(flips->manager, surface) : 0u);
    hal_register_write(DISPLAY_FLIP_PUSH_OFFSET,
                       FIELD_PUT(surface->pitch, DISPLAY_FLIP_PUSH_PITCH) |
                           FIELD_PUT(is_on ? surface->format : (uint32_t)FORMAT_BYTES, DISPLAY_FLIP_PUSH_FORMAT) |
                           FIELD_PUT(is_overlay, DISPLAY_FLIP_PUSH_OVERLAY) |
                           FIELD_PUT(is_torn ? WHEN_NOW : WHEN_NEXT, DISPLAY_FLIP_PUSH_WHEN));
}

/* False: not yet. */
static bool arm(struct flips *flips, struct flip *flip)
{
    const bool is_torn = can_tear(flips, flip);
    if (flip->plane == (uint8_t)PLANE_CURSOR) arm_cursor(flips, flip);
    else {
        if (is_torn && next_taken(flips) != NULL) return false; /* the queue is in order */
        push_flip(flips, flip, is_torn);
    }
    flip->state = FLIP_ARMED;
    flip->number = flips->armed++;
    if (flip->has_answer) hal_trace(TRACE_ARM, flip->tag);
    return true;
}

bool flips_arm(struct flips *flips)
{
    const uint32_t next_frame = flips_next_frame();
    uint32_t planes = 0;
    bool has_armed = false;
    for (uint32_t i = 0; i < flips->count; i++) {
        struct flip *flip = &flips->flip[i];
        const uint32_t bit = 1u << flip->plane;
        const bool is_first = (planes & bit) == 0u;
        planes |= bit;
        if (!is_first || flip->state != FLIP_WAITS || (int32_t)(flip->frame - next_frame) > 0) continue;
        has_armed |= arm(flips, flip);
    }
    return has_armed;
}

bool flips_look(struct flips *flips)
{
    if (flips->count == 0u) return false;
    bool has_changed = note_taken(flips);
    has_changed |= flips_arm(flips);
    return has_changed;
}

/* ------------------------------------------------------------------ dropping */

void flips_drop(struct flips *flips)
{
    const struct reply dropped = {.status = STATUS_DROPPED};
    hal_register_write(DISPLAY_FLIP_DROP_OFFSET, 1);
    (void)note_taken(flips);
    if (flips->manager->has_waits) timelines_drop_flips(flips->manager);
    for (uint32_t i = 0; i < flips->count;) {
        struct flip *flip = &flips->flip[i];
        if (flip->plane == (uint8_t)PLANE_CURSOR && flip->state == FLIP_ARMED) { /* its registers may be taken yet */
            if (flip->has_answer) flips->manager->statistics[STAT_FLIPS_DROPPED]++;
            answer_flip(flips, flip, &dropped);
            i++;
        } else flips_fail(flips, flip, STATUS_DROPPED, 0);
    }
}

void flips_hide(struct flips *flips, uint32_t plane)
{
    const struct flip flip = {
        .surface = surface_none(), .plane = narrow_u8(plane), .when = WHEN_NEXT, .frame = flips_next_frame()};
    if (!surface_is_on(&flips->shown[plane]) && flips_newest(flips, plane) == NULL) return;
    flips_add(flips, &flip);
}
