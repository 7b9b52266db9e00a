/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run leaves behind: out/run.json and the table at the end.
 */
#ifndef TESSERA_REPORT_H
#define TESSERA_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_spec.h"
#include "tools/cli/options.h"
#include "lib/device/probe.h"
#include "tools/scene/scene_gpu.h"
#include "tools/bound/bound.h"
#include "tools/view/account.h"
#include "tools/view/places.h"

struct frame_record {
    struct scene_result result;
    uint64_t done_cycle, bound; /* bound: of the frame (bound_solve_frames), 0: not known */
    bool is_golden, is_unsplit;
};

struct run_record {
    const char *device;
    uint64_t footprint;   /* bytes of textures in frame 0 */
    uint64_t cycles;      /* device cycles, reset to the last frame */
    uint64_t first_cycle; /* when the first frame was submitted */
    uint32_t clock_hz;    /* at which the chip is placed; 0: not known */
    uint64_t firmware_instructions;
    uint32_t statistics[STAT_COUNT];
    struct node_counters node[NODE_COUNT];
    struct account account; /* of the frames, if the device tells */
    struct bound_result least;
    struct places places; /* with --why */
    uint32_t buffers, failed_buffers;
    struct frame_record *frames; /* options->frames of them */
    bool matches_golden, matches_unsplit, is_unsplit_known;
    uint32_t unsplit_splits; /* splits of the comparison run: must be 0 */
    double wall_seconds, unsplit_wall_seconds;
    bool is_cut;       /* ended at --until: frames are missing, and nothing is wrong */
    char failure[256]; /* why the run ended early, or "" */
};

/* What was paged, in pages, as the frames' lines, the table, the report and run.json count it (docs/glossary.md):
 *   mapped      mapped into the aperture: drawn from where it lies, nothing is copied
 *   in          copied into memory segments
 *   out         copied out of memory segments, for whatever cause; `out_for_host` of it because the host reads or
 *               writes (read back, or evicted for it), the rest to make room for DMA buffers
 *   for_room    allocations evicted for the DMA buffers of the frames; for_host: by the host's locks and messages
 *   read_backs  copies out of allocations that stay where they are, because the host reads them: no evictions */
struct report_paging {
    uint64_t mapped, in, out, out_for_host;
    uint32_t for_room, for_host, read_backs;
};
struct report_paging report_paging(uint32_t frames, const struct run_record *record);

/* 0, or -1 with a line in `message`. */
int report_json(const char *path, const struct program_options *options, const struct run_record *record,
                char message[256]);

/* The summary: a line of the table each. */
enum { REPORT_ROWS = 30 };
struct report_row {
    char name[24], value[24], note[128];
};
uint32_t report_rows(const struct program_options *options, const struct run_record *record,
                     struct report_row rows[REPORT_ROWS]);
void report_table(const struct program_options *options, const struct run_record *record);

/* Of them, where the cycles went. 0 of a device that does not tell, else ACCOUNT_ROWS. */
enum { ACCOUNT_ROWS = 1 + PROBE_NODES };
uint32_t report_account(const struct account *account, struct report_row rows[ACCOUNT_ROWS]);

/* Engine errors and failed DMA buffers: must be 0. */
uint32_t report_faults(const struct run_record *record);

#endif
