/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the replay: replay_run.c drives buffers through the device, replay_setup.c opens the device, maps the
 * workload's segments and allocations to it, and compares the content at the end.
 */
#ifndef REPLAY_INTERNAL_H
#define REPLAY_INTERNAL_H

#include "tools/replay/replay.h"
#include "tessera.h"

/* A submission under way. */
struct flight {
    struct stream_job *job;
    tessera_ticket ticket;
};

/* A temporary on its way out: destroyed after the last DMA buffer that uses it. */
struct departure {
    uint32_t surface, buffer;
    tessera_ticket ticket;
};
enum { REPLAY_DEPARTURES = TESSERA_OUTSTANDING - REPLAY_AHEAD_MAX - 2 };

struct replay {
    const struct replay_options *options;
    struct replay_result *result;
    char *message;
    struct pagesim *workload;
    struct transport transport;
    struct tessera *tessera; /* owns the transport once it is open */
    bool is_transport_open;
    struct track *track;
    struct oracle *oracle;
    struct tessera_stream *stream;
    struct stream_setup setup;
    uint32_t context;
    /* Surfaces: the workload's allocations, the collector, the filler. */
    struct tessera_allocation **allocations;
    uint32_t surface_count;
    uint32_t segment_ids[PAGESIM_SEGMENTS]; /* the device's for each of the workload's */
    uint32_t segment_limits[3];             /* pages of segments 1 and 2 to use, 0 = all; index = id - 1 */
    uint32_t collector_segment;             /* 0: there is no room for one */
    uint32_t filler_pages;                  /* of the aperture that the workload does not have */
    struct flight flights[REPLAY_AHEAD_MAX];
    uint32_t flight_count, ahead;
    struct departure departures[REPLAY_DEPARTURES]; /* oldest first */
    uint32_t departure_count;
    uint32_t lag; /* buffers for which what died before them may still be there when a buffer's temporaries come */
    uint64_t begin_cycle;
    bool oracle_failed;
};

/* The end of what is said when the device did what no workload may make it do. */
#define REPLAY_BUG ". This is a bug of Tessera: report it with this workload"

bool replay_refuse(struct replay *replay, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A library status as a refusal: `what` failed, with the library's own words. */
bool replay_check(struct replay *replay, int status, const char *what);

/* Open the device and the library, create what exists from the start, bring in what is resident. */
bool replay_open(struct replay *replay);
/* Create the allocation of a surface of the workload, with its content. */
bool replay_create(struct replay *replay, uint32_t surface);
/* Destroy the surface after what has been submitted; it is not waited for. `buffer`: its last one. */
bool replay_depart(struct replay *replay, uint32_t surface, uint32_t buffer);
/* Forget those that are gone; wait for all that died in a buffer before `buffer`. */
bool replay_settle(struct replay *replay, uint32_t buffer);
/* Compare every allocation that exists with the oracle. */
bool replay_compare(struct replay *replay);
void replay_close(struct replay *replay);

#endif
