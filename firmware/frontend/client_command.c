/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages about clients: see client_command.h.
 */
#include "frontend/client_command.h"

#include "plan/limits.h"
#include "platform/turn.h"

static struct reply refuse_client(enum gpu_status status, uint32_t detail)
{
    return (struct reply){.status = status, .detail = detail};
}

/* ------------------------------------------------------------------ figures */

static void fill_tables(const struct manager *manager, uint32_t client, uint32_t words[4])
{
    words[CLIENT_TABLES_ALLOCATIONS] = manager->residency.world.table.of_client[client];
    words[CLIENT_TABLES_CONTEXTS] = manager->contexts.of_client[client].contexts;
    words[CLIENT_TABLES_BUFFERS] = manager->residency.world.clients.account[client].buffers;
    words[CLIENT_TABLES_WAITING] = manager->contexts.of_client[client].jobs;
}

struct reply client_query(struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    const struct client_table *clients = &manager->residency.world.clients;
    const uint32_t asks = message_client(message[0]), client = message[MSG_QUERY_CLIENT_CLIENT];
    const uint32_t part = message[MSG_QUERY_CLIENT_PART], id = part - (uint32_t)CLIENT_PART_SEGMENT;
    struct reply reply = {.status = STATUS_OK};
    if (client >= (uint32_t)CLIENT_LIMIT) return refuse_client(STATUS_BAD_ARGUMENT, MSG_QUERY_CLIENT_CLIENT);
    if (asks != 0u && client != asks) return refuse_client(STATUS_NOT_ALLOWED, MSG_QUERY_CLIENT);
    const struct client_account *account = &clients->account[client];
    if (part == (uint32_t)CLIENT_PART_WORK) {
        reply.words[CLIENT_WORK_RENDER] = account->busy[NODE_RENDER];
        reply.words[CLIENT_WORK_PAGING] = account->busy[NODE_PAGING];
        reply.words[CLIENT_WORK_WRITTEN] = account->written;
        reply.words[CLIENT_WORK_WAITED] = account->waited;
    } else if (part == (uint32_t)CLIENT_PART_PAGES) {
        reply.words[CLIENT_PAGES_IN] = account->pages_in;
        reply.words[CLIENT_PAGES_OUT] = account->pages_out;
        reply.words[CLIENT_PAGES_LOST] = account->lost;
        reply.words[CLIENT_PAGES_TAKEN] = asks == 0u ? account->taken : 0u;
    } else if (part == (uint32_t)CLIENT_PART_TABLES) {
        fill_tables(manager, client, reply.words);
    } else if (id - 1u < clients->segments) {
        const struct client_part *of = client_part(clients, id, client);
        reply.words[CLIENT_SEGMENT_PAGES] = of->held;
        reply.words[CLIENT_SEGMENT_MINIMUM] = of->minimum;
        reply.words[CLIENT_SEGMENT_MAXIMUM] = of->maximum;
        reply.words[CLIENT_SEGMENT_SIZE] = manager->residency.world.map.segment[id - 1u].pages;
    } else return refuse_client(STATUS_BAD_ARGUMENT, MSG_QUERY_CLIENT_PART);
    return reply;
}

/* ------------------------------------------------------------------ limits */

/* What the limits are together. */
static void sum_limits(struct world *world)
{
    const struct client_table *clients = &world->clients;
    bool has_limits = false, has_minimums = false;
    for (uint32_t id = 1; id <= clients->segments; id++)
        for (uint32_t i = 0; i < (uint32_t)CLIENT_LIMIT; i++) {
            const struct client_part *part = client_part(clients, id, i);
            yield_in_loop(i);
            has_minimums |= part->minimum != 0u;
            has_limits |= part->maximum < world->map.segment[id - 1u].pages;
        }
    world->limits = has_minimums ? CLIENT_LIMITS_MINIMUM : has_limits ? CLIENT_LIMITS_MAXIMUM : CLIENT_LIMITS_NONE;
}

struct reply client_set(struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    struct residency *residency = &manager->residency;
    struct client_table *clients = &residency->world.clients;
    const uint32_t client = message[MSG_SET_CLIENT_CLIENT], id = message[MSG_SET_CLIENT_SEGMENT];
    const uint32_t minimum = message[MSG_SET_CLIENT_MINIMUM], maximum = message[MSG_SET_CLIENT_MAXIMUM];
    if (client >= (uint32_t)CLIENT_LIMIT) return refuse_client(STATUS_BAD_ARGUMENT, MSG_SET_CLIENT_CLIENT);
    if (id - 1u >= clients->segments || residency->world.map.segment[id - 1u].pages == 0u)
        return refuse_client(STATUS_BAD_ARGUMENT, MSG_SET_CLIENT_SEGMENT);
    const uint32_t size = residency->world.map.segment[id - 1u].pages;
    if (minimum > maximum || minimum > size) return refuse_client(STATUS_BAD_ARGUMENT, MSG_SET_CLIENT_MINIMUM);
    struct client_part *part = client_part(clients, id, client);
    if (minimum > part->minimum) {
        const uint32_t left = limits_left(&residency->world, id, client);
        if (max_u32(minimum, limits_fixed(&residency->world, id, client)) > left)
            return refuse_client(STATUS_MINIMUMS, left);
    }
    part->minimum = narrow_u16(minimum);
    part->maximum = narrow_u16(min_u32(maximum, size));
    sum_limits(&residency->world);
    residency->outlook.news |= (uint32_t)NEWS_PLACES;
    bit_set(clients->is_set, client);
    bit_set(clients->news, client);
    clients->has_news = true;
    return (struct reply){.status = STATUS_OK};
}

/* ------------------------------------------------------------------ the budget event */

static struct reply take_budget(struct client_table *clients, uint32_t client)
{
    struct client_account *account = &clients->account[client];
    const struct reply reply = {.status = STATUS_OK,
                                .words = {[REPLY_WAIT_BUDGET_LOST - 4] = account->lost - account->told,
                                          [REPLY_WAIT_BUDGET_IS_SET - 4] = bit_is_set(clients->is_set, client)}};
    account->told = account->lost;
    bit_clear(clients->is_set, client);
    bit_clear(clients->news, client);
    return reply;
}

static void end_budget(struct manager *manager, uint32_t client, const struct reply *reply)
{
    struct client_table *clients = &manager->residency.world.clients;
    bit_clear(clients->waits, client);
    host_complete(&manager->host, clients->account[client].tag, reply);
}

bool client_wait(struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct reply *reply)
{
    struct client_table *clients = &manager->residency.world.clients;
    const uint32_t client = message_client(message[0]), cancels = message[MSG_WAIT_BUDGET_CANCEL];
    const struct reply dropped = {.status = STATUS_DROPPED};
    *reply = refuse_client(STATUS_BAD_ARGUMENT, MSG_WAIT_BUDGET_CANCEL);
    if (cancels > 1u) return true;
    if (bit_is_set(clients->waits, client)) end_budget(manager, client, &dropped);
    *reply = (struct reply){.status = STATUS_OK};
    if (cancels != 0u) return true;
    if (bit_is_set(clients->news, client)) {
        *reply = take_budget(clients, client);
        return true;
    }
    *reply = (struct reply){.status = STATUS_BUSY};
    if (manager->host.unanswered >= manager->host.complete_entries) return true;
    bit_set(clients->waits, client);
    clients->account[client].tag = message[1];
    return false;
}

void client_tell(struct manager *manager)
{
    struct client_table *clients = &manager->residency.world.clients;
    clients->has_news = false;
    for (uint32_t i = 0; i < (uint32_t)CLIENT_LIMIT; i++) {
        if (!bit_is_set(clients->news, i) || !bit_is_set(clients->waits, i)) continue;
        const struct reply reply = take_budget(clients, i);
        end_budget(manager, i, &reply);
    }
}

void client_reset(struct manager *manager, uint32_t client)
{
    struct client_table *clients = &manager->residency.world.clients;
    const struct reply dropped = {.status = STATUS_DROPPED};
    if (bit_is_set(clients->waits, client)) end_budget(manager, client, &dropped);
    (void)take_budget(clients, client);
    clients->account[client] = (struct client_account){0};
}
