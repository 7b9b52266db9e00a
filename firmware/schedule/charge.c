/* SPDX-License-Identifier: Apache-2.0
 *
 * The accounts of clients, of what the nodes did: see scheduler_jobs.h.
 */
#include "schedule/scheduler_jobs.h"

enum { METERED_BUFFERS = 64 }; /* of one client, until the render node's counters are read: they must not lap */

/* Seldom: when the render node goes from one client to another. */
void scheduler_meter(struct scheduler *scheduler, uint32_t client)
{
    const struct ddi *ddi = &scheduler->manager->ddi;
    struct client_table *clients = &scheduler->manager->residency.world.clients;
    struct client_account *account = &clients->account[scheduler->metered];
    account->busy[NODE_RENDER] += client_meter(&clients->render, ddi->query_work_cycles(ddi->adapter, NODE_RENDER));
    account->written += client_meter(&clients->writes, ddi->query_written_bytes(ddi->adapter, NODE_RENDER));
    scheduler->metered = narrow_u8(client);
}

void scheduler_charge(struct scheduler *scheduler, const struct job_record *record, uint32_t client)
{
    struct client_account *account = &scheduler->manager->residency.world.clients.account[client];
    if (cost_is_timed(&scheduler->costs))
        account->busy[NODE_PAGING] +=
            (record->pages_in + record->pages_out) * scheduler->costs.page_cycles / (uint32_t)CLIENT_UNIT;
    account->waited += record->waited / (uint32_t)CLIENT_UNIT;
    account->pages_in += record->pages_in;
    account->pages_out += record->pages_out;
    if (++account->buffers % (uint32_t)METERED_BUFFERS == 0u) scheduler_meter(scheduler, scheduler->metered);
}
