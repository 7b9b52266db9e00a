/* SPDX-License-Identifier: Apache-2.0
 *
 * Main loop: what the nodes have done, then messages of the host's ring (answered at once, or set aside:
 * frontend/deferred.h), then long work: examinations, messages that were set aside, and the scheduler.
 */
#include "gpu.h"

#include "frontend/client_command.h"
#include "schedule/timeline.h"

enum {
    TURNS_BETWEEN_LOOKS = 16,
    TRIES = 4,                             /* of messages that wait, in a turn */
    INTAKE = 16,                           /* new messages, if nothing of them has to be done at once */
    BURST_CYCLES = 4608,                   /* that they may take before long work has its time ... */
    WORK_SHARE = 5,                        /* ... so many times what they have taken beyond that, ... */
    DEBT_CYCLES = 5120,                    /* ... of which no more counts than this */
    FREE_OWED = BURST_CYCLES * WORK_SHARE, /* owed: as much as lets messages be taken */
    MOST_OWED = DEBT_CYCLES * WORK_SHARE,
    IDLE_OWED = FREE_OWED / 4 * 3 /* owed when long work has nothing more to do */
};

static const uint32_t preemption_patience = 256u; /* the end of a portion before a withheld one makes no interrupt */

/* ------------------------------------------------------------------ the loop */

static void answer_message(struct gpu *gpu, uint32_t tag, const struct reply *reply)
{
    host_complete(&gpu->manager.host, tag, reply);
}

/* A DMA buffer takes long to examine, and the nodes should get their work first: while the scheduler has something to
 * do, the next one is taken only when some portions have been submitted. */
static bool can_wait(const struct gpu *gpu)
{
    return gpu->is_busy && gpu->manager.statistics[STAT_PORTIONS] - gpu->portions < gpu->patience &&
           host_waiting(&gpu->manager.host) == gpu->waiting;
}

static void end_submit(struct gpu *gpu, const struct reply *reply)
{
    gpu->is_examining = false;
    gpu->portions = gpu->manager.statistics[STAT_PORTIONS];
    hal_trace(TRACE_ACCEPT, gpu->examined_tag);
    if (reply->status != STATUS_OK) answer_message(gpu, gpu->examined_tag, reply);
}

void gpu_examination(void *context)
{
    struct gpu *gpu = context;
    struct reply reply;
    scheduler_examine(&gpu->scheduler, &reply);
    end_submit(gpu, &reply);
}

/* No SUBMIT from there waits for the next portion. */
static void clear_put_off(struct gpu *gpu, enum submit_source source) { bit_clear(&gpu->put_off, source); }

/* A SUBMIT before which nothing of its client waits; nothing is being examined. True: it has been taken. */
static bool take_submit(struct gpu *gpu, const uint32_t message[MESSAGE_WORDS], enum submit_source source)
{
    struct host *host = &gpu->manager.host;
    struct reply reply;
    gpu->waiting = host_waiting(host);
    gpu->patience = scheduler_patience(&gpu->scheduler, message, source == SUBMIT_IN_RING);
    if (can_wait(gpu)) {
        bit_set(&gpu->put_off, source);
        return false;
    }
    const enum acceptance acceptance = scheduler_accept(&gpu->scheduler, message, &reply);
    if (acceptance == ACCEPTANCE_LATER) return false;
    gpu->examined_tag = message[1];
    gpu->examined_client = message_client(message[0]);
    gpu->is_examining = acceptance == ACCEPTANCE_EXAMINING;
    if (source == SUBMIT_IN_RING) host_pop(host);
    if (!gpu->is_examining) end_submit(gpu, &reply);
    return true;
}

/* ------------------------------------------------------------------ the display */

/* What the display shows no more may be destroyed. */
static void hold_for_display(struct gpu *gpu)
{
    if (display_hold(gpu->display)) gpu->destruction.has_news = true;
}

static bool look_at_display(struct gpu *gpu)
{
    const bool has_worked = display_look(gpu->display);
    if (!gpu->work.is_paused && display_holds(gpu->display)) hold_for_display(gpu);
    return has_worked;
}

/* A message of the display's. False: it waits. */
static bool step_display(struct gpu *gpu, const uint32_t message[MESSAGE_WORDS])
{
    struct reply reply;
    const enum display_outcome outcome = display_command(gpu->display, message, &reply);
    if (outcome == DISPLAY_ANSWERED) answer_message(gpu, message[1], &reply);
    return outcome != DISPLAY_LATER;
}

/* ------------------------------------------------------------------ messages: what waits */

/* While a DMA buffer is examined nothing may happen to what its list names: its own client waits, and the others do if
 * anything at all is shared, but for a LOCK or UNLOCK of what it does not name. */
static bool spares_examined(const struct gpu *gpu, const struct command *command)
{
    const uint32_t *message = command->message, code = message_code(message[0]), client = message_client(message[0]);
    const struct allocation_table *table = &gpu->manager.residency.world.table;
    uint32_t index;
    if (code == (uint32_t)MSG_SUBMIT) return false;
    if (client != gpu->examined_client && table->rights.count == 0u) return true;
    return deferred_can_overtake(command) && allocation_find(table, message[MSG_LOCK_HANDLE], &index) &&
           validation_spares(&gpu->scheduler.validation, index);
}

static bool may_carry_out(const struct gpu *gpu, const struct command *command)
{
    return !gpu->is_examining || spares_examined(gpu, command);
}

/* Try a message that has its turn. True: it is out of the table. */
static bool carry_out(struct gpu *gpu, struct command *command)
{
    const uint32_t *message = command->message, tag = message[1], code = message_code(message[0]);
    struct reply reply;
    bool is_done, must_answer = true;
    command->goes_on = false;
    if (deferred_is_held_up(&gpu->deferred, command, gpu->manager.residency.world.table.system_pages,
                            gpu->manager.limits.list_entries) ||
        !may_carry_out(gpu, command))
        return false;
    if (code == (uint32_t)MSG_SUBMIT) {
        is_done = take_submit(gpu, message, SUBMIT_DEFERRED);
        must_answer = false;
    } else if (code == (uint32_t)MSG_DESTROY_ALLOCATION) {
        must_answer = !destruction_begin(&gpu->destruction, &gpu->manager, message, &reply);
        is_done = true;
    } else if (message[0] == MSG_PREEMPT) { /* client 0's: others may not */
        bool has_asked = command->stage != COMMAND_START;
        is_done = preemption_command(&gpu->scheduler, message, &has_asked, &reply);
        if (has_asked) command->stage = COMMAND_DRAINING;
    } else if (code == (uint32_t)MSG_WAIT_BUDGET) {
        must_answer = client_wait(&gpu->manager, message, &reply);
        is_done = true;
    } else if (display_takes(code)) {
        is_done = step_display(gpu, message);
        must_answer = false;
    } else {
        if (code == (uint32_t)MSG_QUERY_CLIENT) scheduler_meter(&gpu->scheduler, gpu->scheduler.metered);
        is_done = command_step(command, &gpu->manager, &gpu->self_test, scheduler_is_between_portions(&gpu->scheduler),
                               &reply);
    }
    if (!is_done) return false;
    deferred_hold(&gpu->deferred, NULL);
    deferred_remove(&gpu->deferred, command);
    if (must_answer) answer_message(gpu, tag, &reply);
    return true;
}

/* A few of them, until one is carried out, or a piece of one. False: each has been tried, and nothing came of it. */
static bool step_deferred(struct gpu *gpu)
{
    clear_put_off(gpu, SUBMIT_DEFERRED);
    for (uint32_t tries = 0; tries < (uint32_t)TRIES; tries++) {
        yield_if_late();
        struct command *command = deferred_next(&gpu->deferred);
        if (command == NULL) break;
        deferred_hold(&gpu->deferred, command);
        const bool is_done = carry_out(gpu, command);
        deferred_hold(&gpu->deferred, NULL);
        if (!is_done && !command->goes_on) continue;
        if (!is_done) deferred_retry(&gpu->deferred);
        return true;
    }
    if (gpu->deferred.untried != 0u) return true;
    deferred_retry(&gpu->deferred);
    return false;
}

/* ------------------------------------------------------------------ messages: the host's ring */

/* Client 0's SUBMITs wait in the ring, unless something else comes soon after them. */
static bool has_later_messages(struct gpu *gpu)
{
    struct host *host = &gpu->manager.host;
    uint32_t word;
    while (host_look(host, &word))
        if (word != (uint32_t)MSG_SUBMIT) gpu->clear_to = host->looked;
    return (int32_t)(gpu->clear_to - host->submit_head) > 0;
}

/* The incoming message waits its turn, or is answered BUSY. False: it stays in the ring. */
static bool set_aside(struct gpu *gpu, const uint32_t message[MESSAGE_WORDS])
{
    const struct reply busy = {.status = STATUS_BUSY};
    const uint32_t client = message_client(message[0]), tag = message[1];
    uint32_t dropped;
    bool has_dropped;
    const bool has_room = deferred_has_room(&gpu->deferred, client, &has_dropped, &dropped);
    if (!has_room && client == 0u) return false;
    if (has_dropped) answer_message(gpu, dropped, &busy);
    host_pop(&gpu->manager.host);
    clear_put_off(gpu, SUBMIT_IN_RING);
    if (message_code(message[0]) != (uint32_t)MSG_SUBMIT) hal_trace(TRACE_ACCEPT, tag);
    if (has_room) deferred_add(&gpu->deferred);
    else answer_message(gpu, tag, &busy);
    return true;
}

/* A NOP, one of the timelines', or one with a code above those: answered before whatever waits. */
static bool is_always_quick(uint32_t code) { return code - 1u >= (uint32_t)MSG_CREATE_TIMELINE - 1u; }
_Static_assert(MSG_NOP == 0 && (int)MSG_CREATE_TIMELINE > (int)MSG_WAIT_VBLANK, "one comparison");

/* Nothing that its client has sent before is under way: it may be answered now, whatever else is. */
static bool is_quick(const struct gpu *gpu, const struct command *command)
{
    const uint32_t client = message_client(command->message[0]), code = message_code(command->message[0]);
    if (is_always_quick(code) || client >= (uint32_t)CLIENT_LIMIT) return true;
    if (deferred_count(&gpu->deferred, client) != 0u) return false;
    if (display_takes(code)) return !gpu->work.is_paused && display_is_quick(code) && may_carry_out(gpu, command);
    return command_is_quick(command, &gpu->manager, gpu->work.is_paused) && may_carry_out(gpu, command);
}

/* A quick message of the display's or the timelines'. False: of neither. */
static bool answer_others(struct gpu *gpu, const uint32_t message[MESSAGE_WORDS])
{
    struct reply reply;
    if (display_takes(message_code(message[0]))) return step_display(gpu, message);
    if (!timelines_take(message_code(message[0])) || message_client(message[0]) >= (uint32_t)CLIENT_LIMIT) return false;
    if (timelines_command(&gpu->manager, message, &reply)) answer_message(gpu, message[1], &reply);
    return true;
}

/* The incoming message is answered. */
static void answer_at_once(struct gpu *gpu, struct command *incoming)
{
    struct reply reply;
    host_pop(&gpu->manager.host);
    clear_put_off(gpu, SUBMIT_IN_RING);
    hal_trace(TRACE_ACCEPT, incoming->message[1]);
    if (message_code(incoming->message[0]) >= (uint32_t)MSG_QUERY_DISPLAY && answer_others(gpu, incoming->message))
        return;
    command_begin(incoming);
    command_answer(incoming, &gpu->manager, &reply);
    answer_message(gpu, incoming->message[1], &reply);
}

/* The oldest message of the ring. */
static bool take_from_ring(struct gpu *gpu)
{
    struct command *incoming = deferred_incoming(&gpu->deferred);
    const uint32_t *message = incoming->message;
    const bool is_working = gpu->work.is_paused, may_take = !gpu->is_examining && !is_working;
    const bool is_put_off = bit_is_set(&gpu->put_off, SUBMIT_IN_RING);
    const bool waits = (is_put_off && can_wait(gpu)) || (gpu->awaits_examination && !may_take);
    if (waits && !has_later_messages(gpu)) return false;
    clear_put_off(gpu, SUBMIT_IN_RING);
    gpu->awaits_examination = false;
    if (!host_peek(&gpu->manager.host, incoming->message)) return false;
    const uint32_t client = message_client(message[0]);
    if (is_quick(gpu, incoming)) {
        answer_at_once(gpu, incoming);
        return true;
    }
    if (message_code(message[0]) == (uint32_t)MSG_SUBMIT) {
        const bool is_free = may_take && deferred_count(&gpu->deferred, client) == 0u;
        if (is_free && take_submit(gpu, message, SUBMIT_IN_RING)) return true;
        if (client == 0u && !has_later_messages(gpu)) {
            gpu->awaits_examination = !may_take;
            return false;
        }
    }
    return set_aside(gpu, message);
}

/* Messages have had so many cycles more. When several wait, long work has its share of what is too much before the next
 * one. */
static void count_messages(struct gpu *gpu, uint32_t cycles)
{
    const uint32_t most = host_waiting(&gpu->manager.host) > 1u ? MOST_OWED : FREE_OWED - 1;
    gpu->owed = min_u32(gpu->owed + cycles * (uint32_t)WORK_SHARE, most);
}

/* As long as messages have not taken more than their part of the time. */
static bool take_messages(struct gpu *gpu)
{
    const uint32_t begin = hal_cycles(), owed = gpu->owed - min_u32(gpu->owed, begin - gpu->messages_end);
    const bool was_examining = gpu->is_examining;
    bool has_worked = false;
    bool goes_on = owed < (uint32_t)FREE_OWED;
    gpu->owed = owed;
    hal_turn()->begun = begin;
    if (goes_on) turn_look();
    for (uint32_t i = 0; goes_on && take_from_ring(gpu); i++) {
        has_worked = true;
        turn_look();
        goes_on = i + 1u < (uint32_t)INTAKE && gpu->is_examining == was_examining &&
                  owed + (hal_turn()->looked - begin) * (uint32_t)WORK_SHARE < (uint32_t)FREE_OWED;
    }
    hal_turn()->is_owed = !goes_on && host_waiting(&gpu->manager.host) != 0u;
    gpu->messages_end = hal_cycles();
    if (has_worked) count_messages(gpu, gpu->messages_end - begin);
    hal_turn()->debt = gpu->owed < (uint32_t)FREE_OWED ? 0u : gpu->owed - (FREE_OWED - WORK_SHARE);
    return has_worked;
}

/* ------------------------------------------------------------------ what waits for points */

/* As if it had been sent now. False: it waits until there is room for its job, or for the next portion. */
static bool resume_message(struct gpu *gpu, const struct point_wait *wait)
{
    const bool is_submit = message_code(wait->message[0]) == (uint32_t)MSG_SUBMIT;
    timelines_resume(gpu->manager.timelines, wait);
    const bool is_done =
        is_submit ? take_submit(gpu, wait->message, SUBMIT_AT_POINT) : step_display(gpu, wait->message);
    timelines_resume(gpu->manager.timelines, NULL);
    if (is_done) timelines_release(&gpu->manager, wait);
    return is_done;
}

/* One of them ends, or goes on. Not while a DMA buffer is examined or a plan is paused. */
static bool step_waits(struct gpu *gpu)
{
    struct point_wait *ready = NULL;
    if (gpu->is_examining || gpu->work.is_paused) return false;
    clear_put_off(gpu, SUBMIT_AT_POINT);
    return timelines_step(&gpu->manager, hal_cycles(), &ready) && (ready == NULL || resume_message(gpu, ready));
}

/* ------------------------------------------------------------------ long work */

void gpu_messages(void *context)
{
    struct gpu *gpu = context;
    if (display_holds(gpu->display)) hold_for_display(gpu);
    gpu->has_worked = step_deferred(gpu);
}

void gpu_scheduling(void *context)
{
    struct gpu *gpu = context;
    const bool may_page = scheduler_is_between_portions(&gpu->scheduler);
    gpu->has_worked = destruction_step(&gpu->destruction, &gpu->manager, may_page);
    if (display_has_flips(gpu->display)) gpu->has_worked |= display_bring_in(gpu->display);
    gpu->is_busy = scheduler_step(&gpu->scheduler);
    gpu->has_worked |= gpu->is_busy;
}

/* Might the part, which is not paused, have something to do? */
static bool has_work(struct gpu *gpu, enum gpu_part part)
{
    if (part == PART_MESSAGES) return gpu->deferred.count != 0u;
    gpu->is_busy = false;
    return destruction_has_work(&gpu->destruction, &gpu->manager) || scheduler_has_work(&gpu->scheduler) ||
           (display_has_flips(gpu->display) && display_has_work(gpu->display));
}

__attribute__((cold)) static struct gpu_paused note_paused(const struct gpu *gpu)
{
    const struct residency *residency = &gpu->manager.residency;
    struct gpu_paused paused = {.policy = residency->policy,
                                .journal_count = residency->plan.journal_count,
                                .next_fence = residency->outlook.next_fence,
                                .portion_pages = residency->plan.portion_pages,
                                .allocations = residency->world.table.live_count,
                                .last_fence = gpu->scheduler.last_fence,
                                .current = gpu->scheduler.current,
                                .stage = (uint8_t)gpu->scheduler.stage};
    for (uint32_t i = 0; i < (uint32_t)SEGMENT_LIMIT; i++)
        paused.used_pages += residency->world.map.segment[i].used_pages;
    return paused;
}

__attribute__((cold)) static bool is_unchanged(const struct gpu_paused *then, const struct gpu_paused *now)
{
    return then->policy == now->policy && then->journal_count == now->journal_count &&
           then->next_fence == now->next_fence && then->portion_pages == now->portion_pages &&
           then->used_pages == now->used_pages && then->allocations == now->allocations &&
           then->last_fence == now->last_fence && then->current == now->current && then->stage == now->stage;
}

/* Messages or scheduling, on their stack. False: paused. */
static bool run_work(struct gpu *gpu, enum gpu_part part)
{
    if (ASSERTS_MORE != 0 && gpu->work.is_paused) {
        const struct gpu_paused now = note_paused(gpu);
        ASSERT(is_unchanged(&gpu->paused, &now));
    }
    if (turn_run(&gpu->work, part == PART_MESSAGES ? gpu_messages : gpu_scheduling, gpu)) return true;
    if (ASSERTS_MORE != 0) gpu->paused = note_paused(gpu);
    return false;
}

/* Begin or continue a part. *has_ended: the next one may follow. False: there was nothing to do. */
static bool run_part(struct gpu *gpu, enum gpu_part part, bool *has_ended)
{
    const uint32_t rest = validation_rest(&gpu->scheduler.validation);
    *has_ended = true;
    if (part == PART_EXAMINATION) {
        if (!gpu->is_examining) return false;
        ASSERT(!gpu->work.is_paused); /* a turn goes on with what has paused, and with nothing else before */
        hal_trace(TRACE_VALIDATE, gpu->examination.is_paused ? rest : gpu->scheduler.validation.job.dma_words * 4u);
        *has_ended = turn_run(&gpu->examination, gpu_examination, gpu);
        if (!*has_ended) hal_trace(TRACE_VALIDATE, validation_rest(&gpu->scheduler.validation));
        if (*has_ended || !validation_waits(&gpu->scheduler.validation)) return true;
        *has_ended = true; /* of its time: the hardware works */
        return false;
    }
    if (gpu->scheduler.is_accepting) return false; /* nothing else may be planned */
    if (!gpu->work.is_paused && !has_work(gpu, part)) return false;
    gpu->has_worked = true;
    *has_ended = run_work(gpu, part);
    return gpu->has_worked;
}

static bool has_more_than_messages(const struct gpu *gpu)
{
    return (gpu->is_examining && !validation_waits(&gpu->scheduler.validation)) || scheduler_has_work(&gpu->scheduler);
}

/* All parts, one after the other, until the turn is late; the next turn goes on with the part that has paused, or with
 * the next one if an examination has, unless it is urgent. */
static bool go_on(struct gpu *gpu)
{
    const uint32_t begin = hal_cycles();
    bool has_worked = false, has_ended = true;
    for (uint32_t i = 0; i < (uint32_t)PART_COUNT; i++) {
        const enum gpu_part part = gpu->part;
        const bool is_worth_it = run_part(gpu, part, &has_ended);
        has_worked |= is_worth_it;
        const bool is_urgent = !has_ended && part == PART_EXAMINATION && scheduler_has_urgent_waiting(&gpu->scheduler);
        if (has_ended || (part == PART_EXAMINATION && !is_urgent))
            gpu->part = part == PART_SCHEDULING ? PART_MESSAGES : part + 1;
        const uint32_t cycles = hal_cycles() - begin;
        if (has_ended && (!is_worth_it || cycles < (uint32_t)SLICE_CYCLES)) continue;
        /* It has not used half of its time, or only messages are left: it needs no more. */
        if (cycles < hal_turn()->debt / 2u || (part == PART_MESSAGES && !has_more_than_messages(gpu))) break;
        return true;
    }
    gpu->owed = min_u32(gpu->owed, IDLE_OWED);
    return has_worked || gpu->is_examining; /* nothing wakes the core when the hardware has examined */
}

/* What was put off comes when a fence has been seen to, or at once if none is expected. */
static bool has_put_off(const struct gpu *gpu)
{
    return gpu->put_off != 0u && gpu->scheduler.queue_count == 0u && paging_is_quiet(&gpu->manager.paging);
}

/* Errors can wait while there is work, but not for ever. */
static bool look_for_errors(struct gpu *gpu, bool has_worked)
{
    if (has_worked && ++gpu->turns % (uint32_t)TURNS_BETWEEN_LOOKS != 0u) return false;
    gpu->manager.is_point_due |= gpu->manager.has_waits; /* a limit may have passed */
    return recovery_step(&gpu->scheduler);
}

bool gpu_turn(struct gpu *gpu)
{
    if (!gpu->work.is_paused) gpu->manager.force = hal_register_read(HOST_FORCE_OFFSET);
    hal_turn()->is_stepped = manager_is_forced(&gpu->manager, HOST_FORCE_STEP_PLAN_LSB);
    bool has_worked = scheduler_retire(&gpu->scheduler);
    if (display_is_called(gpu->display)) has_worked |= look_at_display(gpu);
    has_worked |= take_messages(gpu);
    if (gpu->manager.is_point_due) has_worked |= step_waits(gpu);
    has_worked |= go_on(gpu);
    has_worked |= has_put_off(gpu);
    has_worked |= look_for_errors(gpu, has_worked);
    if (gpu->manager.residency.world.clients.has_news) client_tell(&gpu->manager);
    return has_worked;
}

uint32_t gpu_patience(const struct gpu *gpu)
{
    const struct scheduler *scheduler = &gpu->scheduler;
    for (uint32_t node = 0; node < NODE_LIMIT; node++)
        if (scheduler->preemption[node].is_pending) return min_u32(preemption_patience, scheduler->limits.timeout / 4u);
    return min_u32(scheduler->limits.timeout, scheduler->limits.preempt_delay) / 4u;
}

bool gpu_check(const struct gpu *gpu)
{
    /* An acceptance that has paused has named instances that are not used yet. */
    return (gpu->scheduler.is_accepting || residency_check(&gpu->manager.residency)) &&
           context_check(&gpu->manager.contexts) && scheduler_check(&gpu->scheduler) && timelines_check(&gpu->manager);
}
