/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/view/account.h"

#include <inttypes.h>

static const char *const port_names[PROBE_PORTS] = {"segment 1", "segment 2", "system memory"};

static uint64_t busy_cycles(const struct node_cycles *cycles)
{
    return cycles->works + cycles->memory + cycles->other_node;
}

void account_until(struct account *account, uint64_t cycle, const struct probe_counters *counters,
                   bool is_firmware_idle)
{
    if (cycle < account->cycles) return;
    for (unsigned n = 0; n < PROBE_NODES; n++) {
        struct account_node *node = &account->node[n];
        const uint64_t busy = busy_cycles(&counters->cycles[n]) - busy_cycles(&node->busy);
        const uint64_t passed = cycle - account->cycles;
        *(is_firmware_idle ? &node->nothing : &node->firmware) += passed > busy ? passed - busy : 0;
        node->busy = counters->cycles[n];
    }
    for (unsigned port = 0; port < PROBE_PORTS; port++) account->port_cycles[port] = counters->port_cycles[port];
    account->sdram = counters->sdram;
    account->cycles = cycle;
}

struct account account_since(const struct account *account, const struct account *before)
{
    struct account since = *account;
    since.cycles -= before->cycles;
    for (unsigned n = 0; n < PROBE_NODES; n++) {
        since.node[n].busy.works -= before->node[n].busy.works;
        since.node[n].busy.memory -= before->node[n].busy.memory;
        since.node[n].busy.other_node -= before->node[n].busy.other_node;
        since.node[n].firmware -= before->node[n].firmware;
        since.node[n].nothing -= before->node[n].nothing;
    }
    for (unsigned port = 0; port < PROBE_PORTS; port++) since.port_cycles[port] -= before->port_cycles[port];
    since.sdram.passed -= before->sdram.passed;
    since.sdram.moves -= before->sdram.moves;
    since.sdram.busy -= before->sdram.busy;
    return since;
}

uint64_t account_bound(const struct account *account, const char **port)
{
    unsigned busiest = 0;
    for (unsigned i = 1; i < PROBE_PORTS; i++)
        if (account->port_cycles[i] > account->port_cycles[busiest]) busiest = i;
    *port = busiest == 1 && account_has_sdram(account) ? "the SDRAM" : port_names[busiest];
    return account->cycles != 0 ? account->port_cycles[busiest] : 0;
}

void account_json(FILE *file, const struct account *account)
{
    static const char *const names[PROBE_NODES] = {"render_node", "paging_node"};
    const char *port;
    const uint64_t bound = account_bound(account, &port);
    if (bound == 0) {
        fputs("  \"bound\": null,\n  \"account\": null,\n", file);
        return;
    }
    fprintf(file, "  \"bound\": {\"cycles\": %" PRIu64 ", \"port\": \"%s\", \"cycles_per_bound\": %.3f},\n", bound,
            port, (double)account->cycles / (double)bound);
    fprintf(file, "  \"account\": {\"cycles\": %" PRIu64, account->cycles);
    for (unsigned n = 0; n < PROBE_NODES; n++) {
        const struct account_node *node = &account->node[n];
        fprintf(file,
                ",\n    \"%s\": {\"works\": %" PRIu64 ", \"memory\": %" PRIu64 ", \"other_node\": %" PRIu64
                ", \"firmware\": %" PRIu64 ", \"nothing_queued\": %" PRIu64 "}",
                names[n], node->busy.works, node->busy.memory, node->busy.other_node, node->firmware, node->nothing);
    }
    fputs("},\n", file);
    if (account_has_sdram(account))
        fprintf(file, "  \"sdram\": {\"cycles\": %" PRIu64 ", \"moves\": %" PRIu64 ", \"busy\": %" PRIu64 "},\n",
                account->sdram.passed, account->sdram.moves, account->sdram.busy);
}

void account_waits(const struct account *account, unsigned node, char *text, size_t room)
{
    const struct account_node *of = &account->node[node];
    const struct {
        const char *name;
        uint64_t cycles;
    } parts[] = {{"waits for memory", of->busy.memory},
                 {"for the other node", of->busy.other_node},
                 {"for the firmware", of->firmware},
                 {"nothing queued", of->nothing}};
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && used < room; i++) {
        if (parts[i].cycles * 2000u < account->cycles) continue;
        const int length = snprintf(text + used, room - used, "%s%s %.1f %%", used != 0 ? ", " : "", parts[i].name,
                                    100.0 * (double)parts[i].cycles / (double)account->cycles);
        used += length > 0 ? (size_t)length : 0;
    }
}
