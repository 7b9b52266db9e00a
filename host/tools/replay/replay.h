/* SPDX-License-Identifier: Apache-2.0
 *
 * `tessera replay FILE`: run a pagesim-1 workload on the GPU with real DMA buffers, check every byte it
 * leaves, and report what paging and splitting cost. docs/replay.md tells the user's side.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "tools/cli/option_table.h"
#include "tools/replay/pagesim.h"
#include "lib/device/probe.h"
#include "tools/replay/replay_track.h"
#include "transport.h"

/* What a replay needs of a device. */
struct replay_machine_options {
    uint32_t memory_bytes, latency, stall_percent, seed;
    uint32_t split_pages; /* golden model: what a split costs, to REPLAY_SPLIT_PAGES_MAX; 0 = as the firmware says */
    uint64_t max_cycles;
    const char *firmware;
    const struct probe *probe;
};
/* 0, or -1 with a line in `message`. Closing the transport closes the device. */
typedef int replay_machine_open(struct transport *transport, const struct replay_machine_options *options,
                                char message[256]);
replay_machine_open replay_open_model, replay_open_simulator;

enum { REPLAY_AHEAD_MAX = 8, REPLAY_SPLIT_PAGES_MAX = 1024 };

struct replay_options {
    const char *file;
    const char *schedule, *report, *workload, *submitted; /* files to write, NULL = none */
    const char *firmware;                                 /* ELF; NULL for the golden model */
    replay_machine_open *open;
    uint32_t scale; /* 0 and 1: as it is */
    uint32_t limit; /* buffers, 0 = all */
    uint32_t ahead; /* buffers submitted and not complete, 1..REPLAY_AHEAD_MAX */
    uint32_t force; /* HOST.FORCE, policy included */
    uint32_t latency, stall_percent, seed;
    uint32_t split_pages; /* as above */
    struct option_limits limits;
    uint64_t max_cycles;
    double work; /* bytes drawn per unit of time; 0 = a balanced machine */
};

struct replay_buffer_result {
    uint32_t portions, evictions, pages_in, pages_out, submissions;
    uint64_t done_cycle; /* since the start */
};

struct replay_result {
    bool has_run; /* the device took the workload, and what was asked for is written: if it is bad, it went wrong */
    uint32_t buffers, steps, patches, jobs;
    uint32_t portions, portions_minimum;
    uint32_t failed_steps, skipped_steps, reordered_buffers, unread;
    uint32_t scale, grown_pages;
    uint64_t loads_minimum, traffic_minimum;
    uint64_t cycles;
    uint64_t busy_cycles[2], wait_cycles[2]; /* per node: working, and waiting for the other node's fence */
    uint64_t draw_bytes, checked_pages;
    double work;
    uint32_t statistics[64]; /* STAT_* of the run alone; the maxima as they are */
    struct track_counts paging;
    struct replay_buffer_result *buffer; /* one per buffer of the workload; free() it */
};

/* Cycles for the least possible traffic at the speed of the run's own copies; 0 when none was seen. */
uint64_t replay_bound_cycles(const struct replay_result *result);
/* The run's time in units of what neither node can do without, max(engine, bound), and of what they really did,
 * max(engine, paging). 0: not measured. */
double replay_time_ratio(const struct replay_result *result);
double replay_overlap_ratio(const struct replay_result *result);
/* The run's time in units of what segment 2's data path was needed for, which both nodes share. */
double replay_path_ratio(const struct replay_result *result);

/* Replay. True: everything went as it should, every byte is right. False: `message` has one line. `result` holds
 * what is known in both cases. */
bool replay_run(const struct replay_options *options, struct replay_result *result, char message[PAGESIM_MESSAGE]);

/* The report as JSON. */
bool replay_write_report(const struct replay_options *options, const struct replay_result *result, bool is_good,
                         const char *error, const char *path, char message[PAGESIM_MESSAGE]);

/* The command; argv[0] is "replay". Returns the program's exit status: 0, 1 for a replay that went wrong, 2 for one
 * that could not be run: a bad command line or file, no device, nowhere to write. */
int replay_command(int argc, char **argv);

#endif
