/* SPDX-License-Identifier: Apache-2.0
 *
 * What tessera-gpu --report leaves in a folder: trace.json as the guest draws, and at the end report.html and run.json.
 * A picture that was written is a frame of them; the commands before it, since the last one, are that frame's. Every
 * function takes NULL for a run without a report, and then does nothing.
 */
#ifndef TESSERA_VIRTIO_GUEST_REPORT_H
#define TESSERA_VIRTIO_GUEST_REPORT_H

#include "virtio/scanout.h"
#include "virtio/submitter.h"

enum { GUEST_REPORT_DIGITS = 6 }; /* frame-000000.png */

struct guest_report;

struct guest_counts {
    struct virtio_gpu_counts gpu;
    struct painter_counts painter;
    struct scanout_counts scanout;
    struct submitter_counts programs;
    uint32_t resources, program_contexts;
    uint64_t bytes; /* of resources */
    uint64_t cycles;
    uint32_t statistics[TESSERA_STATISTICS];
    const char *message; /* what failed last; "" if nothing did */
};

/* NULL after a line in `message`. */
struct guest_report *guest_report_open(const char *folder, char message[256]);
/* As tessera_open_device, for a device that the report watches. *platform stays where it is. */
int guest_report_device(struct guest_report *report, struct tessera **tessera, struct platform *platform,
                        struct platform_options *device, const struct tessera_options *options, char message[256]);
/* A command of the guest was done; its words come after the type. */
void guest_report_command(struct guest_report *report, uint64_t begin, uint64_t end, const uint8_t *command);
void guest_report_name(struct guest_report *report, const struct tessera_allocation *allocation, const char *name);
/* Picture `number` has been written. */
void guest_report_frame(struct guest_report *report, uint32_t number, uint64_t cycle);
/* After the device was closed. False after a line in `message`. */
bool guest_report_close(struct guest_report *report, const struct guest_counts *counts, char message[256]);

#endif
