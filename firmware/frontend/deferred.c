/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages that wait: see deferred.h.
 */
#include "frontend/deferred.h"

#include "validate/validate.h"

void deferred_init(struct deferred *deferred, struct command *entries)
{
    deferred->entry = entries;
    for (uint32_t i = 0; i <= DEFERRED_LIMIT; i++) deferred->order[i] = (uint8_t)i;
    deferred->count = deferred->next = deferred->untried = 0;
    deferred->held = NULL;
    for (uint32_t i = 0; i < (uint32_t)CLIENT_LIMIT; i++) deferred->waiting[i] = 0;
}

static struct command *at(const struct deferred *deferred, uint32_t place)
{
    return &deferred->entry[deferred->order[place]];
}

static uint32_t client_at(const struct deferred *deferred, uint32_t place) { return deferred->client[place]; }

struct command *deferred_incoming(const struct deferred *deferred) { return at(deferred, deferred->count); }

static void remove_at(struct deferred *deferred, uint32_t place)
{
    const uint8_t entry = deferred->order[place];
    deferred->count--;
    deferred->waiting[client_at(deferred, place)]--;
    for (uint32_t i = place; i < deferred->count; i++) {
        deferred->order[i] = deferred->order[i + 1u];
        deferred->client[i] = deferred->client[i + 1u];
    }
    /* The incoming message keeps its entry, which is the first free one. */
    deferred->order[deferred->count] = deferred->order[deferred->count + 1u];
    deferred->order[deferred->count + 1u] = entry;
    deferred_retry(deferred);
}

bool deferred_has_room(struct deferred *deferred, uint32_t client, bool *has_tag, uint32_t *tag)
{
    const uint32_t own = deferred_count(deferred, client);
    uint32_t most = own + 2u, victim = DEFERRED_LIMIT;
    *has_tag = false;
    if (own >= (uint32_t)(client == 0u ? DEFERRED_HOST : DEFERRED_CLIENT)) return false;
    if (deferred->count < (uint32_t)DEFERRED_LIMIT) return true;
    for (uint32_t i = 0; i < (uint32_t)DEFERRED_LIMIT; i++) {
        const uint32_t count = client_at(deferred, i) == 0u ? 0u : deferred_count(deferred, client_at(deferred, i));
        if (count < most || at(deferred, i) == deferred->held) continue;
        most = count;
        victim = i; /* the newest at last: a client's oldest, which may have begun, is none of two */
    }
    if (victim == (uint32_t)DEFERRED_LIMIT) return false;
    *has_tag = true;
    *tag = at(deferred, victim)->message[1];
    remove_at(deferred, victim);
    return true;
}

void deferred_add(struct deferred *deferred)
{
    ASSERT(deferred->count < (uint32_t)DEFERRED_LIMIT);
    command_begin(deferred_incoming(deferred));
    const uint32_t client = message_client(deferred_incoming(deferred)->message[0]);
    deferred->waiting[client]++;
    deferred->client[deferred->count] = narrow_u8(client);
    deferred->count++;
    deferred_retry(deferred);
}

bool deferred_can_overtake(const struct command *command)
{
    const uint32_t code = message_code(command->message[0]);
    return code == (uint32_t)MSG_UNLOCK || (code == (uint32_t)MSG_LOCK && command->message[MSG_LOCK_PAGES] == 0u);
}

static bool is_submit(const struct command *command)
{
    return message_code(command->message[0]) == (uint32_t)MSG_SUBMIT;
}

static bool has_turn(const struct deferred *deferred, uint32_t place)
{
    const bool overtakes = deferred_can_overtake(at(deferred, place));
    for (uint32_t i = 0; i < place; i++)
        if (client_at(deferred, i) == client_at(deferred, place) && !(overtakes && is_submit(at(deferred, i))))
            return false;
    return true;
}

struct command *deferred_next(struct deferred *deferred)
{
    while (deferred->untried != 0u) {
        const uint32_t place = deferred->next < deferred->count ? deferred->next : 0u;
        deferred->untried--;
        deferred->next = (uint8_t)(place + 1u);
        if (has_turn(deferred, place)) return at(deferred, place);
    }
    return NULL;
}

/* The place of the oldest message of its client in front of `command` that it has not passed; `count`: there is none.
 */
static uint32_t place_in_front(const struct deferred *deferred, const struct command *command)
{
    uint32_t i = 0;
    while (at(deferred, i) != command && (client_at(deferred, i) != message_client(command->message[0]) ||
                                          (command->passed >> deferred->order[i] & 1u) != 0u))
        i++;
    return at(deferred, i) == command ? deferred->count : i;
}

bool deferred_is_held_up(struct deferred *deferred, struct command *command, uint32_t system_pages,
                         uint32_t list_entries)
{
    const uint32_t place = place_in_front(deferred, command);
    if (place == deferred->count) return false;
    const uint32_t entry = deferred->order[place];
    if (command->behind == entry + 1u) return true;
    if (validation_list_names(at(deferred, place)->message, system_pages, list_entries,
                              command->message[MSG_LOCK_HANDLE]))
        command->behind = (uint8_t)(entry + 1u);
    else {
        command->passed |= 1u << entry;
        deferred_retry(deferred);
    }
    return true;
}
_Static_assert((int)MSG_LOCK_HANDLE == (int)MSG_UNLOCK_HANDLE, "one word for both");

void deferred_remove(struct deferred *deferred, const struct command *command)
{
    uint32_t place = 0;
    while (at(deferred, place) != command) place++;
    ASSERT(place < deferred->count);
    remove_at(deferred, place);
}
