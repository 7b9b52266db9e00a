/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU of tessera-live: it draws what the recorder inside a running program writes into a pipe, and sends every
 * picture that the program shows back through another (record/drawn.h). It lives in a process of its own: so it draws
 * beside the program, and neither harms the other.
 */
#ifndef TESSERA_LIVE_GPU_H
#define TESSERA_LIVE_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/cli/option_table.h"
#include "clients/sdl/live/live_screen.h"
#include "clients/sdl/play/play_origin.h"

struct live_gpu;

/* What has come of it so far; in memory that is shared with the process that asks. */
struct live_result {
    uint32_t frames;
    uint64_t microseconds, cycles; /* that the GPU and its driver took for these; cycles: 0 where there are none */
    struct play_shown shown;
    uint32_t flipped;            /* of `frames`: shown by flips of the display, the others read back */
    char read_back[LIVE_REASON]; /* why the last of the others was */
    bool has_failed;
    char failure[256];
};

/* `device` as for tessera_open_device. NULL after a line in `message`. */
struct live_gpu *live_gpu_open(const char *device, const struct option_limits *limits, char message[256]);
void live_gpu_close(struct live_gpu *gpu);
/* For tests of the comparison: invert a byte of the surface that the first frame shows. */
void live_gpu_spoil(struct live_gpu *gpu);
/* Draw until the events end, or nothing takes the pictures any more. True: nothing went wrong. */
bool live_gpu_serve(struct live_gpu *gpu, int events, int pictures, struct live_result *result);

#endif
