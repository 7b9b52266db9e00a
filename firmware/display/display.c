/* SPDX-License-Identifier: Apache-2.0
 *
 * Each message is checked first, and changes nothing until it is all right.
 */
#include "display/display.h"

#include "plan/limits.h"
#include "plan/placement.h"
#include "schedule/job_flips.h"

static const uint32_t stop_cycles = 4000000u; /* a raster that was left running ends its frame in less */

static bool is_running(void)
{
    return FIELD_GET(hal_register_read(DISPLAY_STATUS_OFFSET), DISPLAY_STATUS_RUNNING) != 0u;
}

static void end_jobs(struct display *display)
{
    struct scheduler *scheduler = display->scheduler;
    for (; scheduler->ended_flips != 0u; scheduler->ended_flips &= (uint8_t)(scheduler->ended_flips - 1u)) {
        const uint32_t bit = lowest_bit(scheduler->ended_flips);
        flips_end_job(&display->flips, 1u << bit, (enum gpu_status)scheduler->flip_status[bit]);
    }
}

/* scheduler.arm_flips: no turn, and no answer, comes between the end of drawing and this. */
static void arm_flips(void *context)
{
    struct display *display = context;
    end_jobs(display);
    (void)flips_arm(&display->flips);
}

struct display *display_create(struct tables *tables, struct manager *manager, struct scheduler *scheduler)
{
    const uint32_t features = hal_register_read(MEMORY_FEATURES_OFFSET), begin = hal_cycles();
    if (FIELD_GET(features, MEMORY_FEATURES_DISPLAY) == 0u) return NULL;
    struct display *display = tables_take(tables, (uint32_t)sizeof *display);
    if (display == NULL) return NULL;
    *display = (struct display){.scheduler = scheduler, .mode = DISPLAY_MODE_OFF};
    hal_register_write(DISPLAY_FLIP_DROP_OFFSET, 1);
    hal_register_write(DISPLAY_CONTROL_OFFSET, 0);
    hal_register_write(DISPLAY_CURSOR_IMAGE_OFFSET, 0);
    while (is_running() && hal_cycles() - begin < stop_cycles) continue;
    display->modes = modes_offered();
    hal_register_write(DISPLAY_IRQ_ENABLE_OFFSET, FIELD_PUT(1, DISPLAY_IRQ_BLANK) | FIELD_PUT(1, DISPLAY_IRQ_FLIP));
    flips_init(&display->flips, manager);
    scheduler->arm_flips = arm_flips;
    scheduler->display = display;
    return display;
}

/* ------------------------------------------------------------------ answers */

static enum display_outcome answer_display(struct reply *reply, enum gpu_status status, uint32_t detail)
{
    reply->status = status;
    reply->detail = detail;
    return DISPLAY_ANSWERED;
}

static enum display_outcome answer_done(struct reply *reply) { return answer_display(reply, STATUS_OK, 0); }

static enum display_outcome refuse_display_word(struct reply *reply, uint32_t word)
{
    return answer_display(reply, STATUS_BAD_ARGUMENT, word);
}

/* The frame of words `when` and `when + 1`: a WHEN and a FRAME. False: refused. */
static bool read_frame(const uint32_t message[MESSAGE_WORDS], uint32_t word, uint32_t *frame, struct reply *reply)
{
    const uint32_t when = message[word], wish = message[word + 1u];
    *frame = flips_next_frame();
    if (when > (uint32_t)WHEN_FRAME) {
        (void)refuse_display_word(reply, word);
        return false;
    }
    if (when != (uint32_t)WHEN_FRAME) {
        if (wish == 0u) return true;
        (void)refuse_display_word(reply, word + 1u);
        return false;
    }
    const int32_t ahead = (int32_t)(wish - *frame);
    if (ahead > (int32_t)GPU_LIMIT(FLIP_AHEAD)) {
        (void)refuse_display_word(reply, word + 1u);
        return false;
    }
    *frame = wish;
    return true;
}
_Static_assert((int)MSG_FLIP_FRAME == (int)MSG_FLIP_WHEN + 1, "two words in a row");
_Static_assert((int)MSG_WAIT_VBLANK_FRAME == (int)MSG_WAIT_VBLANK_WHEN + 1, "two words in a row");

/* ------------------------------------------------------------------ queries, owner, palette */

static enum display_outcome query(const struct display *display, uint32_t client, struct reply *reply)
{
    const struct mode *mode = mode_at(display->mode);
    reply->words[REPLY_QUERY_DISPLAY_MODES - 4] = display->modes;
    reply->words[REPLY_QUERY_DISPLAY_SIZE - 4] = mode->columns | (uint32_t)mode->rows << 16;
    reply->words[REPLY_QUERY_DISPLAY_OWNER - 4] = display->owner == client;
    reply->words[REPLY_QUERY_DISPLAY_FRAME - 4] = hal_register_read(DISPLAY_FRAME_OFFSET);
    return answer_done(reply);
}

static enum display_outcome give(struct display *display, const uint32_t message[MESSAGE_WORDS], struct reply *reply)
{
    const uint32_t client = message[MSG_GIVE_DISPLAY_CLIENT];
    if (client >= (uint32_t)CLIENT_LIMIT) return refuse_display_word(reply, MSG_GIVE_DISPLAY_CLIENT);
    if (display->stage != (uint8_t)MODE_STANDS) return DISPLAY_LATER;
    display->owner = narrow_u8(client);
    if (display->mode == (uint8_t)DISPLAY_MODE_OFF) return answer_done(reply);
    flips_drop(&display->flips);
    flips_hide(&display->flips, PLANE_OVERLAY);
    flips_hide(&display->flips, PLANE_CURSOR);
    return answer_done(reply);
}

static enum display_outcome set_palette(const struct display *display, const uint32_t message[MESSAGE_WORDS],
                                        struct reply *reply)
{
    enum { COLOURS = 256, PART = 16 };
    const uint32_t address = message[MSG_SET_PALETTE_ADDRESS];
    uint32_t colours[PART], failed;
    if (!host_owns(&display->flips.manager->host, address, COLOURS * 4))
        return answer_display(reply, STATUS_BAD_ADDRESS, MSG_SET_PALETTE_ADDRESS);
    /* Twice: nothing is written until all of it could be read. */
    for (uint32_t first = 0; first < 2u * (uint32_t)COLOURS; first += (uint32_t)PART) {
        hal_system_read(address + first % (uint32_t)COLOURS * 4u, colours, PART);
        if (hal_system_failed(&failed)) return answer_display(reply, STATUS_BUS_ERROR, failed);
        if (first < (uint32_t)COLOURS) continue;
        for (uint32_t i = 0; i < (uint32_t)PART; i++)
            hal_register_write(DISPLAY_PALETTE_OFFSET, FIELD_PUT(first + i, DISPLAY_PALETTE_INDEX) |
                                                           FIELD_PUT(colours[i], DISPLAY_PALETTE_COLOUR));
    }
    return answer_done(reply);
}

/* ------------------------------------------------------------------ the mode */

/* What a WAIT_VBLANK is answered at the blank of frame `now`. */
static void tell_blank(struct reply *reply, uint32_t now)
{
    reply->words[REPLY_WAIT_VBLANK_FRAME - 4] = now;
    flips_blank_time(&reply->words[REPLY_WAIT_VBLANK_TIME_LO - 4], &reply->words[REPLY_WAIT_VBLANK_TIME_HI - 4]);
}

/* Those whose frame has begun are answered; all of them when nothing shows frames any more. */
static void answer_waits(struct display *display)
{
    const bool is_off = display->mode == (uint8_t)DISPLAY_MODE_OFF;
    const uint32_t now = hal_register_read(DISPLAY_FRAME_OFFSET);
    struct reply reply = {.status = is_off ? STATUS_DROPPED : STATUS_OK};
    uint32_t kept = 0;
    if (!is_off) tell_blank(&reply, now);
    for (uint32_t i = 0; i < display->wait_count; i++) {
        if (!is_off && (int32_t)(now - display->wait[i].frame) < 0) display->wait[kept++] = display->wait[i];
        else host_complete(&display->flips.manager->host, display->wait[i].tag, &reply);
    }
    display->wait_count = kept;
}

static enum display_outcome set_mode(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                     struct reply *reply)
{
    const struct surface off = surface_none(), *const none[PLANE_COUNT] = {&off, &off, &off};
    const uint32_t mode = message[MSG_SET_MODE_MODE];
    uint32_t rate;
    if (mode >= (uint32_t)MODE_COUNT) return refuse_display_word(reply, MSG_SET_MODE_MODE);
    if ((display->modes >> mode & 1u) == 0u) return answer_display(reply, STATUS_NO_MODE, mode);
    switch ((enum mode_stage)display->stage) {
    case MODE_STANDS:
        if (mode != (uint32_t)DISPLAY_MODE_OFF && !surface_keeps_time(none, mode, &rate))
            return answer_display(reply, STATUS_NO_BANDWIDTH, rate);
        display->stage = MODE_HIDES;
        if (display->mode == (uint8_t)DISPLAY_MODE_OFF) return DISPLAY_LATER;
        flips_drop(&display->flips);
        for (uint32_t plane = 0; plane < (uint32_t)PLANE_COUNT; plane++) flips_hide(&display->flips, plane);
        return DISPLAY_LATER;
    case MODE_HIDES:
        if (display->flips.count != 0u) return DISPLAY_LATER;
        hal_register_write(DISPLAY_CONTROL_OFFSET, 0);
        display->stage = MODE_STOPS;
        return DISPLAY_LATER;
    case MODE_STOPS:
    default:
        if (is_running()) return DISPLAY_LATER;
        /* While the display is off no turn reads it. */
        hal_register_write(DISPLAY_IRQ_OFFSET, hal_register_read(DISPLAY_IRQ_OFFSET));
        mode_start(mode);
        display->mode = narrow_u8(mode);
        display->stage = MODE_STANDS;
        if (display->wait_count != 0u) answer_waits(display);
        reply->words[REPLY_SET_MODE_PROMISE1 - 4] = hal_register_read(DISPLAY_PROMISE1_OFFSET);
        reply->words[REPLY_SET_MODE_PROMISE2 - 4] = hal_register_read(DISPLAY_PROMISE2_OFFSET);
        return answer_done(reply);
    }
}

/* ------------------------------------------------------------------ flips */

/* Beside what is shown and waits in the other planes, and this one. */
static bool keeps_time(const struct display *display, const struct flip *flip, struct reply *reply)
{
    const struct surface *surfaces[PLANE_COUNT];
    uint32_t rate;
    for (uint32_t plane = 0; plane < (uint32_t)PLANE_COUNT; plane++)
        surfaces[plane] = flips_heaviest(&display->flips, plane);
    const struct surface *other = surfaces[flip->plane];
    if (!surface_is_on(other) || flip->surface.ticks > other->ticks) surfaces[flip->plane] = &flip->surface;
    if (!surface_is_on(&flip->surface) || surface_keeps_time(surfaces, display->mode, &rate)) return true;
    (void)answer_display(reply, STATUS_NO_BANDWIDTH, rate);
    return false;
}

/* The frame at which it is to be shown: one that is busy with an earlier FLIP is not missed. */
static uint32_t asked_frame(const struct display *display, const struct flip *flip)
{
    const struct flip *newest = flips_newest(&display->flips, flip->plane);
    const uint32_t now = flips_next_frame();
    uint32_t asked = (int32_t)(flip->frame - now) > 0 ? flip->frame : now;
    if (newest != NULL && (int32_t)(newest->asked + 1u - asked) > 0) asked = newest->asked + 1u;
    return asked;
}

static bool has_room(const struct display *display, const struct flip *flip, struct reply *reply)
{
    if (!keeps_time(display, flip, reply)) return false;
    if (flips_waiting(&display->flips) < (uint32_t)FLIP_COUNT) return true;
    (void)answer_display(reply, STATUS_BUSY, 0);
    return false;
}

static enum display_outcome take(struct display *display, struct flip *flip)
{
    if (flips_coming(&display->flips) == NULL)
        display->scheduler->coming_status = STATUS_OK; /* of FLIPs that are gone */
    flip->asked = asked_frame(display, flip);
    flips_add(&display->flips, flip);
    (void)flips_hold(&display->flips);
    (void)flips_look(&display->flips);
    return DISPLAY_TAKEN;
}

/* The DMA buffer after which it happens. False: refused. */
static bool read_job(const struct display *display, const uint32_t message[MESSAGE_WORDS], struct reply *reply,
                     struct job_record **record)
{
    struct scheduler *scheduler = display->scheduler;
    const struct context_table *contexts = &scheduler->manager->contexts;
    const uint32_t id = message[MSG_FLIP_CONTEXT];
    uint32_t context;
    *record = NULL;
    if (id == 0u) {
        if (message[MSG_FLIP_TAG] == 0u) return true;
        (void)refuse_display_word(reply, MSG_FLIP_TAG);
        return false;
    }
    if (!context_find_of(contexts, message_client(message[0]), id, &context)) {
        (void)answer_display(reply, STATUS_BAD_CONTEXT, 0);
        return false;
    }
    if (contexts->entry[context].is_lost) {
        (void)answer_display(reply, STATUS_CONTEXT_LOST, 0);
        return false;
    }
    *record = job_flips_find(scheduler, context, message[MSG_FLIP_TAG]);
    return true;
}

static enum display_outcome flip_plane(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                       struct reply *reply)
{
    struct flip flip = {.when = (uint8_t)(message[MSG_FLIP_WHEN] & 3u), .has_answer = true, .tag = message[1]};
    struct job_record *record;
    if (message[MSG_FLIP_POINTS] != 0u || display->flips.manager->has_waits) {
        const enum admission admission = timelines_admit_flip(display->flips.manager, message, flip.signal, reply);
        if (admission != ADMISSION_NOW) return admission == ADMISSION_WAITS ? DISPLAY_TAKEN : DISPLAY_ANSWERED;
    }
    if (!surface_read_flip(display->flips.manager, message, display->mode, &flip.surface, reply) ||
        !read_frame(message, MSG_FLIP_WHEN, &flip.frame, reply) || !read_job(display, message, reply, &record))
        return DISPLAY_ANSWERED;
    flip.plane = narrow_u8(message[MSG_FLIP_PLANE]);
    if (!has_room(display, &flip, reply)) return DISPLAY_ANSWERED;
    if (record != NULL) {
        flip.job_bit = narrow_u8(job_flips_add(display->scheduler, record));
        if (flip.job_bit == 0u) return answer_display(reply, STATUS_BUSY, 0);
    }
    return take(display, &flip);
}

static enum display_outcome set_cursor(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                       struct reply *reply)
{
    struct flip flip = {.plane = PLANE_CURSOR, .when = WHEN_NEXT, .has_answer = true, .tag = message[1]};
    if (!surface_read_cursor(display->flips.manager, message, &flip.surface, reply)) return DISPLAY_ANSWERED;
    flip.frame = flips_next_frame();
    return has_room(display, &flip, reply) ? take(display, &flip) : DISPLAY_ANSWERED;
}

/* ------------------------------------------------------------------ blanks */

static enum display_outcome wait_blank(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                       struct reply *reply)
{
    uint32_t frame;
    if (message[MSG_WAIT_VBLANK_WHEN] == (uint32_t)WHEN_NOW) return refuse_display_word(reply, MSG_WAIT_VBLANK_WHEN);
    if (!read_frame(message, MSG_WAIT_VBLANK_WHEN, &frame, reply)) return DISPLAY_ANSWERED;
    const uint32_t now = hal_register_read(DISPLAY_FRAME_OFFSET);
    if (message[MSG_WAIT_VBLANK_WHEN] == (uint32_t)WHEN_NEXT) frame = now + 1u;
    if ((int32_t)(now - frame) < 0) {
        if (display->wait_count == (uint32_t)BLANK_WAITS) return answer_display(reply, STATUS_BUSY, 0);
        display->wait[display->wait_count++] = (struct blank_wait){message[1], frame};
        return DISPLAY_TAKEN;
    }
    tell_blank(reply, now);
    return answer_done(reply);
}

bool display_look(struct display *display)
{
    const uint32_t called = hal_register_read(DISPLAY_IRQ_OFFSET);
    if (called != 0u) hal_register_write(DISPLAY_IRQ_OFFSET, called);
    bool has_worked = called != 0u || display->scheduler->ended_flips != 0u;
    if (FIELD_GET(called, DISPLAY_IRQ_BLANK) != 0u) {
        const uint32_t frame = hal_register_read(DISPLAY_FRAME_OFFSET);
        uint32_t *statistics = display->flips.manager->statistics;
        hal_trace(TRACE_BLANK, frame);
        statistics[STAT_BLANKS] = frame;
        statistics[STAT_MISSED_PIXELS] = hal_register_read(DISPLAY_MISSED_OFFSET);
        if (display->wait_count != 0u) answer_waits(display);
    }
    end_jobs(display);
    has_worked |= flips_look(&display->flips);
    return has_worked;
}

bool display_hold(struct display *display) { return flips_hold(&display->flips); }
bool display_has_work(struct display *display) { return flips_coming(&display->flips) != NULL; }

/* ------------------------------------------------------------------ one message */

/* What changes the display is its owner's, in a mode that shows something. */
static enum display_outcome step_owned(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                       struct reply *reply)
{
    const uint32_t code = message_code(message[0]);
    if (message_client(message[0]) != display->owner) return answer_display(reply, STATUS_NOT_OWNER, 0);
    if (code == (uint32_t)MSG_SET_MODE) return set_mode(display, message, reply);
    if (code == (uint32_t)MSG_SET_PALETTE) return set_palette(display, message, reply);
    if (display->mode == (uint8_t)DISPLAY_MODE_OFF) return answer_display(reply, STATUS_NO_MODE, 0);
    if (code == (uint32_t)MSG_FLIP) return flip_plane(display, message, reply);
    if (code == (uint32_t)MSG_SET_CURSOR) return set_cursor(display, message, reply);
    ASSERT(code == (uint32_t)MSG_MOVE_CURSOR);
    flips_move_cursor(&display->flips, message[MSG_MOVE_CURSOR_POSITION]);
    return answer_done(reply);
}

enum display_outcome display_command(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                     struct reply *reply)
{
    const uint32_t code = message_code(message[0]), client = message_client(message[0]);
    *reply = (struct reply){0};
    if (code == (uint32_t)MSG_GIVE_DISPLAY && client != 0u) return answer_display(reply, STATUS_NOT_ALLOWED, code);
    if (display == NULL)
        return code == (uint32_t)MSG_QUERY_DISPLAY ? answer_done(reply)
                                                   : answer_display(reply, STATUS_UNSUPPORTED, code);
    if (code == (uint32_t)MSG_QUERY_DISPLAY) return query(display, client, reply);
    if (code == (uint32_t)MSG_GIVE_DISPLAY) return give(display, message, reply);
    if (code != (uint32_t)MSG_WAIT_VBLANK) return step_owned(display, message, reply);
    if (display->mode == (uint8_t)DISPLAY_MODE_OFF) return answer_display(reply, STATUS_NO_MODE, 0);
    return wait_blank(display, message, reply);
}

/* ------------------------------------------------------------------ bringing in */

/* Ordinary planning of one allocation, for memory alone. It keeps its owner. */
static bool plan_one(struct manager *manager, struct scheduler *scheduler, uint32_t allocation)
{
    struct residency *residency = &manager->residency;
    residency->outlook.future = FUTURE_STALE;
    residency->plan.steps = residency->plan.fail_step = 0;
    residency->uses.current = NULL; /* content that it makes is no job's */
    limits_begin(residency, residency->world.table.entry[allocation].client);
    residency_begin(residency, scheduler->last_fence + 1u, 0);
    residency->plan.planner = allocation_owner(&residency->world.table.entry[allocation]);
    residency_mark(residency, allocation, MARK_READ);
    residency->plan.avoided_set = narrow_u8(residency->world.table.aperture_set);
    const bool is_placed = placement_require(residency, allocation, true);
    residency->plan.avoided_set = 0;
    if (is_placed) return true;
    residency_rollback(residency, 0);
    residency_finish(residency);
    return false;
}

/* The paging node was reset while it brought this in: every FLIP that waits for it ends. */
static void end_failed(struct display *display, uint32_t allocation, enum gpu_status status)
{
    struct flips *flips = &display->flips;
    for (uint32_t i = flips->count; i-- > 0u;)
        if (flips->flip[i].state == FLIP_COMES && flips->flip[i].surface.allocation == allocation)
            flips_fail(flips, &flips->flip[i], STATUS_DROPPED, (uint32_t)status);
}

bool display_bring_in(struct display *display)
{
    struct manager *manager = display->flips.manager;
    struct scheduler *scheduler = display->scheduler;
    if (scheduler->coming_status != (uint8_t)STATUS_OK) {
        end_failed(display, scheduler->coming, (enum gpu_status)scheduler->coming_status);
        scheduler->coming_status = STATUS_OK;
        scheduler->coming = NOTHING_COMES;
        return true;
    }
    struct flip *flip = flips_coming(&display->flips);
    if (flip == NULL || paging_is_active(&manager->paging) || scheduler->stage != STAGE_IDLE) return false;
    const uint32_t allocation = flip->surface.allocation;
    const struct allocation *entry = &manager->residency.world.table.entry[allocation];
    const enum gpu_status status = surface_state(manager, flip->surface.client, allocation);
    if (status != STATUS_OK) { /* since flips_hold: its destruction goes on beside this */
        flips_fail(&display->flips, flip, STATUS_DROPPED, (uint32_t)status);
        return true;
    }
    if (allocation_is_in_memory(&manager->residency.world.table, entry))
        return false; /* until the paging node is done */
    if (!plan_one(manager, scheduler, allocation)) {
        flips_fail(&display->flips, flip, STATUS_NO_PLACEMENT, 0);
        return true;
    }
    paging_start(&manager->paging);
    scheduler->coming = allocation;
    return true;
}
