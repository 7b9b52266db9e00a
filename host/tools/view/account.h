/* SPDX-License-Identifier: Apache-2.0
 *
 * Where all cycles of a run went, and the least that its memory ports needed.
 *
 * A cycle of a node belongs to one of: it works; it waits for memory; for the other node's fence; it has nothing to do
 * while the firmware is busy (it waits for the firmware); it has nothing to do and the firmware neither (nothing is
 * queued). The sum over these is all cycles.
 */
#ifndef TESSERA_ACCOUNT_H
#define TESSERA_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/device/probe.h"

struct account_node {
    struct node_cycles busy;
    uint64_t firmware, nothing; /* not busy: waits for the firmware, nothing is queued */
};

struct account {
    uint64_t cycles; /* 0: the device does not tell */
    struct account_node node[PROBE_NODES];
    uint64_t port_cycles[PROBE_PORTS];
    struct sdram_cycles sdram;
};

/* The counters at `cycle`; until then, from the last call on, the firmware was busy or idle all the time. */
void account_until(struct account *account, uint64_t cycle, const struct probe_counters *counters,
                   bool is_firmware_idle);

/* What is in `account` and was not in `before`, an earlier one of the same run. */
struct account account_since(const struct account *account, const struct account *before);

/* Of the port that needs longest for what the run moved and drew: cycles, 0 if they are not known; its name. */
uint64_t account_bound(const struct account *account, const char **port);

/* Does a board's SDRAM take the place of segment 2 and system memory? */
static inline bool account_has_sdram(const struct account *account) { return account->sdram.passed != 0; }

/* As members of run.json, each line with its comma at the end. */
void account_json(FILE *file, const struct account *account);

/* "waits for memory 6.1 %, for the firmware 70.2 %; ..." of a node, what is below 0.05 % left out. */
void account_waits(const struct account *account, unsigned node, char *text, size_t room);

#endif
