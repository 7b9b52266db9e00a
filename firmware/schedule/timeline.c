/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines: see timeline.h. An id holds the index, the generation and a bit that makes it non-zero.
 */
#include "schedule/timeline.h"

#include "platform/turn.h"

enum { INDEX_BITS = 8, GENERATION_BITS = 16, WAITS_A_STEP = 2 };
_Static_assert(TIMELINE_COUNT <= 1 << INDEX_BITS, "an id keeps its index in the low bits");
_Static_assert(CLIENT_LIMIT <= 64, "two words of readers");

struct timelines *timelines_create(struct tables *tables, uint32_t limit)
{
    struct timelines *timelines = tables_take(tables, (uint32_t)sizeof *timelines);
    if (timelines == NULL) return NULL;
    timelines->limit = limit;
    for (uint32_t i = 0; i < (uint32_t)POINT_WAIT_COUNT; i++) timelines->order[i] = (uint8_t)i;
    return timelines;
}

static bool answer_timeline(struct reply *reply, enum gpu_status status, uint32_t detail)
{
    reply->status = status;
    reply->detail = detail;
    return true;
}

/* ------------------------------------------------------------------ timelines */

static uint32_t timeline_id(const struct timelines *timelines, uint32_t index)
{
    return 1u << (INDEX_BITS + GENERATION_BITS) | (uint32_t)timelines->entry[index].generation << INDEX_BITS | index;
}

static struct timeline *find_timeline(struct timelines *timelines, uint32_t id)
{
    const uint32_t index = id & ((1u << INDEX_BITS) - 1u);
    if (index >= (uint32_t)TIMELINE_COUNT || !timelines->entry[index].exists || timeline_id(timelines, index) != id)
        return NULL;
    return &timelines->entry[index];
}

/* The client's own. */
static struct timeline *find_own(struct timelines *timelines, uint32_t client, uint32_t id)
{
    struct timeline *entry = find_timeline(timelines, id);
    return entry != NULL && entry->client == client ? entry : NULL;
}

/* One whose points the client may wait for. */
static struct timeline *find_shared(struct timelines *timelines, uint32_t client, uint32_t id)
{
    struct timeline *entry = find_timeline(timelines, id);
    return entry != NULL && (entry->client == client || bit_is_set(entry->readers, client)) ? entry : NULL;
}

/* Two words: low half, high half. */
static bool is_reached(const struct timeline *entry, const uint32_t point[2])
{
    return entry->value[1] > point[1] || (entry->value[1] == point[1] && entry->value[0] >= point[0]);
}

/* What waits has to be looked at. */
static void note_due(struct manager *manager)
{
    manager->timelines->due = narrow_u8(manager->timelines->wait_count);
    manager->is_point_due = manager->timelines->due != 0u;
}

static void take_to(struct manager *manager, struct timeline *entry, const uint32_t point[2])
{
    if (is_reached(entry, point)) return;
    entry->value[0] = point[0];
    entry->value[1] = point[1];
    note_due(manager);
}

void timelines_signal(struct manager *manager, const uint32_t signal[POINT_WORDS])
{
    struct timeline *entry = find_timeline(manager->timelines, signal[0]);
    if (entry != NULL) take_to(manager, entry, &signal[1]);
}

/* ------------------------------------------------------------------ what waits */

static struct point_wait *wait_at(struct timelines *timelines, uint32_t place)
{
    return &timelines->wait[timelines->order[place]];
}

/* Is it the SUBMIT that this FLIP is to be shown after? */
static bool is_shown_after(const uint32_t flip[MESSAGE_WORDS], const uint32_t *submit)
{
    return message_code(flip[0]) == (uint32_t)MSG_FLIP && message_code(submit[0]) == (uint32_t)MSG_SUBMIT &&
           message_client(flip[0]) == message_client(submit[0]) &&
           flip[MSG_FLIP_CONTEXT] == submit[MSG_SUBMIT_CONTEXT] && flip[MSG_FLIP_TAG] == submit[1];
}

/* Something of its context or plane waits in front of it, or what it is to be shown after. */
static bool is_behind(struct timelines *timelines, const uint32_t message[MESSAGE_WORDS], uint32_t place)
{
    const uint32_t own = timelines->waiting[message_client(message[0])];
    if (message_code(message[0]) == (uint32_t)MSG_WAIT_TIMELINE || own == 0u) return false;
    for (uint32_t i = 0; i < place; i++) {
        const uint32_t *other = wait_at(timelines, i)->message;
        if (other[0] == message[0] && other[2] == message[2]) return true;
        if (is_shown_after(message, other)) return true;
    }
    return false;
}
_Static_assert((int)MSG_SUBMIT_CONTEXT == 2 && (int)MSG_FLIP_PLANE == 2, "one word for both");

static void remove_wait(struct manager *manager, uint32_t place)
{
    struct timelines *timelines = manager->timelines;
    const uint8_t freed = timelines->order[place];
    timelines->waiting[message_client(wait_at(timelines, place)->message[0])]--;
    timelines->wait_count--;
    for (uint32_t i = place; i < timelines->wait_count; i++) timelines->order[i] = timelines->order[i + 1u];
    timelines->order[timelines->wait_count] = freed;
    manager->has_waits = timelines->wait_count != 0u;
    note_due(manager); /* what has waited behind it */
}

/* Answer it with this status. */
static void end_wait(struct manager *manager, uint32_t place, enum gpu_status status, uint32_t detail)
{
    const struct point_wait *wait = wait_at(manager->timelines, place);
    struct reply reply = {.status = status, .detail = detail};
    const struct timeline *entry = find_timeline(manager->timelines, wait->points[0]);
    if (status == STATUS_OK && entry != NULL) {
        reply.words[REPLY_WAIT_TIMELINE_VALUE_LO - 4] = entry->value[0];
        reply.words[REPLY_WAIT_TIMELINE_VALUE_HI - 4] = entry->value[1];
    }
    if (status == STATUS_DROPPED) manager->statistics[STAT_FLIPS_DROPPED]++;
    host_complete(&manager->host, wait->message[1], &reply);
    remove_wait(manager, place);
}

/* The same, and of FLIPs that were to be shown after it. It yields: meanwhile another message may begin to wait. */
static void fail_wait(struct manager *manager, uint32_t place, enum gpu_status status)
{
    struct timelines *timelines = manager->timelines;
    const uint32_t *message = wait_at(timelines, place)->message, failed[] = {message[0], message[1], message[2]};
    const uint8_t *waiting = &timelines->waiting[message_client(failed[0])];
    end_wait(manager, place, status, 0);
    for (uint32_t i = 0; *waiting != 0u && i < timelines->wait_count; yield_if_late())
        if (is_shown_after(wait_at(timelines, i)->message, failed)) end_wait(manager, i, STATUS_DROPPED, status);
        else i++;
}

/* False: the table is full, or this client has its part of it. */
static bool add_wait(struct manager *manager, const uint32_t message[MESSAGE_WORDS], const uint32_t *points,
                     uint32_t limit)
{
    struct timelines *timelines = manager->timelines;
    const uint32_t client = message_client(message[0]), own = timelines->waiting[client];
    if ((uint32_t)POINT_WAIT_COUNT - timelines->wait_count <= own) return false;
    timelines->waiting[client] = narrow_u8(own + 1u);
    if (timelines->due != 0u) timelines->due++; /* it comes between two that have still to be looked at */
    struct point_wait *wait = wait_at(timelines, timelines->wait_count++);
    for (uint32_t i = 0; i < (uint32_t)MESSAGE_WORDS; i++) wait->message[i] = message[i];
    for (uint32_t i = 0; i < (uint32_t)POINTS_WORDS; i++) wait->points[i] = points != NULL ? points[i] : 0u;
    wait->since = hal_cycles();
    wait->limit = limit;
    manager->has_waits = true;
    return true;
}

static enum admission refuse_points(struct refusal *why, enum gpu_status status, uint32_t detail)
{
    *why = (struct refusal){status, detail};
    return ADMISSION_REFUSED;
}

enum admission timelines_admit(struct manager *manager, const uint32_t message[MESSAGE_WORDS], const uint32_t *points,
                               struct refusal *why)
{
    struct timelines *timelines = manager->timelines;
    const uint32_t client = message_client(message[0]);
    const struct timeline *entry = NULL;
    if (timelines_resumed(manager, message) != NULL) return ADMISSION_NOW;
    if (points != NULL && points[0] != 0u) {
        entry = find_shared(timelines, client, points[0]);
        if (entry == NULL) return refuse_points(why, STATUS_BAD_TIMELINE, MSG_SUBMIT_WAIT_TIMELINE);
    }
    if (points != NULL && points[POINT_WORDS] != 0u && find_own(timelines, client, points[POINT_WORDS]) == NULL)
        return refuse_points(why, STATUS_BAD_TIMELINE, MSG_SUBMIT_SIGNAL_TIMELINE);
    const bool has_point = entry == NULL || is_reached(entry, &points[1]);
    if (has_point && !is_behind(timelines, message, timelines->wait_count)) return ADMISSION_NOW;
    if (!add_wait(manager, message, points, entry != NULL ? entry->limit : 0u))
        return refuse_points(why, STATUS_BUSY, 0);
    return ADMISSION_WAITS;
}

const uint32_t *timelines_resumed(const struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    const struct timelines *timelines = manager->timelines;
    const uint32_t resumed = timelines->resumed;
    if (resumed == 0u || timelines->wait[resumed - 1u].message != message) return NULL;
    return timelines->wait[resumed - 1u].points;
}

void timelines_resume(struct timelines *timelines, const struct point_wait *wait)
{
    timelines->resumed = wait != NULL ? narrow_u8((uint32_t)(wait - timelines->wait) + 1u) : 0u;
}

enum admission timelines_admit_flip(struct manager *manager, const uint32_t message[MESSAGE_WORDS],
                                    uint32_t signal[POINT_WORDS], struct reply *reply)
{
    const uint32_t address = message[MSG_FLIP_POINTS], *resumed = timelines_resumed(manager, message);
    uint32_t points[POINTS_WORDS] = {0};
    struct refusal why = {STATUS_BAD_ADDRESS, MSG_FLIP_POINTS};
    enum admission admission = ADMISSION_REFUSED;
    if (resumed != NULL || address == 0u) admission = ADMISSION_NOW;
    else if (host_owns(&manager->host, address, (uint32_t)sizeof points)) {
        hal_system_read(address, points, POINTS_WORDS);
        if (hal_system_failed(&why.detail)) why.status = STATUS_BUS_ERROR;
        else admission = ADMISSION_NOW;
    }
    if (admission == ADMISSION_NOW) admission = timelines_admit(manager, message, points, &why);
    if (why.status == STATUS_BAD_TIMELINE) why.detail = MSG_FLIP_POINTS;
    if (admission == ADMISSION_REFUSED) (void)answer_timeline(reply, why.status, why.detail);
    for (uint32_t i = 0; i < (uint32_t)POINT_WORDS; i++)
        signal[i] = (resumed != NULL ? resumed : points)[POINT_WORDS + i];
    return admission;
}

/* Nothing of it will be drawn: it is refused when it is sent. */
static bool is_of_lost_context(const struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    uint32_t index;
    return message_code(message[0]) == (uint32_t)MSG_SUBMIT &&
           context_find(&manager->contexts, message[MSG_SUBMIT_CONTEXT], &index) &&
           manager->contexts.entry[index].is_lost;
}

/* OK: the point is reached. POINT_TIMEOUT, TIMELINE_GONE: the wait ends. BUSY: it goes on. */
static enum gpu_status wait_state(const struct manager *manager, const struct point_wait *wait, uint32_t now)
{
    if (wait->points[0] == 0u || is_of_lost_context(manager, wait->message)) return STATUS_OK;
    const struct timeline *entry = find_shared(manager->timelines, message_client(wait->message[0]), wait->points[0]);
    if (entry == NULL) return STATUS_TIMELINE_GONE;
    if (is_reached(entry, &wait->points[1])) return STATUS_OK;
    return now - wait->since > wait->limit ? STATUS_POINT_TIMEOUT : STATUS_BUSY;
}

bool timelines_step(struct manager *manager, uint32_t now, struct point_wait **ready)
{
    struct timelines *timelines = manager->timelines;
    *ready = NULL;
    /* All, a few in each step, when something has changed; a few when a limit may have passed. One of those whose
     * point is reached, because it looks at what waits in front of it. */
    const uint32_t changed = timelines->due, most = changed != 0u ? changed : timelines->wait_count;
    for (uint32_t looks = min_u32(most, WAITS_A_STEP); looks-- > 0u;) {
        if (timelines->next >= timelines->wait_count) timelines->next = 0;
        const uint32_t place = timelines->next;
        struct point_wait *wait = wait_at(timelines, place);
        const enum gpu_status state = wait_state(manager, wait, now);
        if (state == STATUS_BUSY || (state == STATUS_OK && is_behind(timelines, wait->message, place))) {
            timelines->next++;
            if (changed != 0u) timelines->due--;
            if (state == STATUS_OK) break;
            continue;
        }
        if (state != STATUS_OK) fail_wait(manager, place, state);
        else if (message_code(wait->message[0]) == (uint32_t)MSG_WAIT_TIMELINE) end_wait(manager, place, STATUS_OK, 0);
        else *ready = wait;
        return true;
    }
    manager->is_point_due = timelines->due != 0u;
    return manager->is_point_due;
}

void timelines_release(struct manager *manager, const struct point_wait *wait)
{
    uint32_t place = 0;
    while (wait_at(manager->timelines, place) != wait) place++;
    ASSERT(place < manager->timelines->wait_count);
    remove_wait(manager, place);
}

static bool end_submit_of(struct manager *manager, uint32_t context_id)
{
    struct timelines *timelines = manager->timelines;
    for (uint32_t i = 0; i < timelines->wait_count; i++) {
        const uint32_t *message = wait_at(timelines, i)->message;
        if (message_code(message[0]) != (uint32_t)MSG_SUBMIT || message[MSG_SUBMIT_CONTEXT] != context_id) continue;
        fail_wait(manager, i, STATUS_WAIT_ENDED);
        return true;
    }
    return false;
}

void timelines_end_submits(struct manager *manager, uint32_t context_id)
{
    while (manager->has_waits && end_submit_of(manager, context_id)) yield_if_late();
}

void timelines_drop_flips(struct manager *manager)
{
    struct timelines *timelines = manager->timelines;
    for (uint32_t i = 0; i < timelines->wait_count;)
        if (message_code(wait_at(timelines, i)->message[0]) == (uint32_t)MSG_FLIP)
            end_wait(manager, i, STATUS_DROPPED, 0);
        else i++;
}

/* ------------------------------------------------------------------ messages */

/* What the message names is the client's own, or shared with it. False: refused. */
static bool find_message_timeline(struct manager *manager, const uint32_t message[MESSAGE_WORDS],
                                  struct timeline **entry, struct reply *reply)
{
    const uint32_t code = message_code(message[0]), client = message_client(message[0]);
    const bool is_read = code == (uint32_t)MSG_QUERY_TIMELINE || code == (uint32_t)MSG_WAIT_TIMELINE;
    const uint32_t id = message[MSG_WAIT_TIMELINE_TIMELINE];
    *entry = is_read ? find_shared(manager->timelines, client, id) : find_own(manager->timelines, client, id);
    return *entry != NULL || !answer_timeline(reply, STATUS_BAD_TIMELINE, MSG_WAIT_TIMELINE_TIMELINE);
}
_Static_assert((int)MSG_WAIT_TIMELINE_TIMELINE == 2 && (int)MSG_QUERY_TIMELINE_TIMELINE == 2 &&
                   (int)MSG_SIGNAL_TIMELINE_TIMELINE == 2 && (int)MSG_SHARE_TIMELINE_TIMELINE == 2 &&
                   (int)MSG_DESTROY_TIMELINE_TIMELINE == 2,
               "one word for all");

static bool create_timeline(struct timelines *timelines, const uint32_t message[MESSAGE_WORDS], struct reply *reply)
{
    const uint32_t client = message_client(message[0]), limit = message[MSG_CREATE_TIMELINE_LIMIT];
    uint32_t own = 0, free = 0, index = 0;
    if (limit >> 31 != 0u) return answer_timeline(reply, STATUS_BAD_ARGUMENT, MSG_CREATE_TIMELINE_LIMIT);
    for (uint32_t i = TIMELINE_COUNT; i-- > 0u;) {
        const struct timeline *entry = &timelines->entry[i];
        if (!entry->exists) free++, index = i;
        else own += entry->client == client;
    }
    if (free <= own) return answer_timeline(reply, STATUS_OUT_OF_HANDLES, 0);
    struct timeline *entry = &timelines->entry[index];
    *entry = (struct timeline){.value = {message[MSG_CREATE_TIMELINE_VALUE_LO], message[MSG_CREATE_TIMELINE_VALUE_HI]},
                               .limit = limit != 0u ? limit : timelines->limit,
                               .generation = (entry->generation + 1u) & 0xffffu,
                               .client = narrow_u8(client),
                               .exists = true};
    reply->words[REPLY_CREATE_TIMELINE_TIMELINE - 4] = timeline_id(timelines, index);
    return answer_timeline(reply, STATUS_OK, 0);
}

static bool share_timeline(struct manager *manager, struct timeline *entry, const uint32_t message[MESSAGE_WORDS],
                           struct reply *reply)
{
    const uint32_t client = message[MSG_SHARE_TIMELINE_CLIENT], rights = message[MSG_SHARE_TIMELINE_RIGHTS];
    if (client >= (uint32_t)CLIENT_LIMIT || client == entry->client)
        return answer_timeline(reply, STATUS_BAD_ARGUMENT, MSG_SHARE_TIMELINE_CLIENT);
    if ((rights & ~(uint32_t)RIGHT_READ) != 0u)
        return answer_timeline(reply, STATUS_BAD_ARGUMENT, MSG_SHARE_TIMELINE_RIGHTS);
    if (rights != 0u) bit_set(entry->readers, client);
    else bit_clear(entry->readers, client);
    note_due(manager);
    return answer_timeline(reply, STATUS_OK, 0);
}

static bool tell_value(const struct timeline *entry, struct reply *reply)
{
    reply->words[REPLY_QUERY_TIMELINE_VALUE_LO - 4] = entry->value[0];
    reply->words[REPLY_QUERY_TIMELINE_VALUE_HI - 4] = entry->value[1];
    return answer_timeline(reply, STATUS_OK, 0);
}
_Static_assert((int)REPLY_QUERY_TIMELINE_VALUE_LO == (int)REPLY_WAIT_TIMELINE_VALUE_LO, "one answer for both");

static bool wait_timeline(struct manager *manager, const struct timeline *entry, const uint32_t message[MESSAGE_WORDS],
                          struct reply *reply)
{
    const uint32_t limit = message[MSG_WAIT_TIMELINE_LIMIT];
    const uint32_t points[POINTS_WORDS] = {message[MSG_WAIT_TIMELINE_TIMELINE], message[MSG_WAIT_TIMELINE_VALUE_LO],
                                           message[MSG_WAIT_TIMELINE_VALUE_HI]};
    if (limit >> 31 != 0u) return answer_timeline(reply, STATUS_BAD_ARGUMENT, MSG_WAIT_TIMELINE_LIMIT);
    if (is_reached(entry, &points[1])) return tell_value(entry, reply);
    return !add_wait(manager, message, points, limit != 0u ? limit : entry->limit) &&
           answer_timeline(reply, STATUS_BUSY, 0);
}

bool timelines_command(struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct reply *reply)
{
    struct timeline *entry;
    *reply = (struct reply){0};
    if (message_code(message[0]) == (uint32_t)MSG_CREATE_TIMELINE)
        return create_timeline(manager->timelines, message, reply);
    if (!find_message_timeline(manager, message, &entry, reply)) return true;
    switch (message_code(message[0])) {
    case MSG_DESTROY_TIMELINE:
        entry->exists = false;
        note_due(manager);
        return true;
    case MSG_SHARE_TIMELINE: return share_timeline(manager, entry, message, reply);
    case MSG_SIGNAL_TIMELINE: take_to(manager, entry, &message[MSG_SIGNAL_TIMELINE_VALUE_LO]); return true;
    case MSG_QUERY_TIMELINE: return tell_value(entry, reply);
    default: return wait_timeline(manager, entry, message, reply);
    }
}

/* ------------------------------------------------------------------ for tests */

bool timelines_check(const struct manager *manager)
{
    const struct timelines *timelines = manager->timelines;
    uint32_t seen = 0, waiting = 0;
    for (uint32_t i = 0; i < (uint32_t)POINT_WAIT_COUNT; i++) seen |= 1u << timelines->order[i];
    for (uint32_t i = 0; i < (uint32_t)CLIENT_LIMIT; i++) waiting += timelines->waiting[i];
    if (waiting != timelines->wait_count) return false;
    return seen == (1u << POINT_WAIT_COUNT) - 1u && timelines->wait_count <= (uint32_t)POINT_WAIT_COUNT &&
           timelines->due <= timelines->wait_count && timelines->resumed == 0u &&
           manager->has_waits == (timelines->wait_count != 0u) && (manager->has_waits || !manager->is_point_due);
}
