/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of memory/client.c, plan/limits.c, schedule/charge.c and client_command.c where core memory has no room
 * for them (gpu-tcm.elf): there are no figures and no limits.
 */
#include "frontend/client_command.h"
#include "plan/limits.h"
#include "schedule/scheduler_jobs.h"

void client_table_init(struct client_table *clients, struct tables *tables, const uint16_t segment_pages[SEGMENT_LIMIT])
{
    (void)tables, (void)segment_pages;
    clients->has_news = false;
}

void client_hold(const struct client_table *clients, uint32_t segment, uint32_t client, uint32_t pages, bool is_added)
{
    (void)clients, (void)segment, (void)client, (void)pages, (void)is_added;
}

void client_gave_way(struct client_table *clients, uint32_t owner, uint32_t client, uint32_t pages)
{
    (void)clients, (void)owner, (void)client, (void)pages;
}

void limits_guard(struct residency *residency) { (void)residency; }
void limits_meet(struct residency *residency) { (void)residency; }

bool limits_allow(const struct residency *residency, uint32_t allocation, uint32_t id)
{
    (void)residency, (void)allocation, (void)id;
    return true;
}

bool limits_keep(const struct residency *residency, const uint16_t *members, uint32_t count)
{
    (void)residency, (void)members, (void)count;
    return true;
}

bool limits_make_way(struct residency *residency, uint32_t allocation, uint32_t id, bool is_pressing)
{
    (void)residency, (void)allocation, (void)id, (void)is_pressing;
    return false;
}

void scheduler_charge(struct scheduler *scheduler, const struct job_record *record, uint32_t client)
{
    (void)scheduler, (void)record, (void)client;
}

void scheduler_meter(struct scheduler *scheduler, uint32_t client) { scheduler->metered = narrow_u8(client); }

static struct reply unsupported(uint32_t code) { return (struct reply){.status = STATUS_UNSUPPORTED, .detail = code}; }

struct reply client_query(struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    (void)manager;
    return unsupported(message_code(message[0]));
}

struct reply client_set(struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    (void)manager;
    return unsupported(message_code(message[0]));
}

bool client_wait(struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct reply *reply)
{
    (void)manager;
    *reply = unsupported(message_code(message[0]));
    return true;
}

void client_tell(struct manager *manager) { (void)manager; }
void client_reset(struct manager *manager, uint32_t client) { (void)manager, (void)client; }
