/* SPDX-License-Identifier: Apache-2.0
 *
 * platform.h where there is only the golden model: it belongs to the page's machine, whose knobs say what it is like,
 * and whose tape sees what happens in it. With a machine that does not tape it is the golden model of platform.c.
 */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "interrupt.h"
#include "machine_internal.h"
#include "own_policy.h"

enum { SEGMENT1_BYTES = 256 << 10, SEGMENT2_BYTES = 16 << 20, PAGE = LIMIT_BITS_PAGE_BYTES };

int machine_open_device(struct machine *machine, uint32_t memory_bytes, uint32_t seed, const struct probe *of_view,
                        const struct probe *other, struct transport *transport, char message[256])
{
    const struct knobs *knobs = &machine->knobs;
    const struct gpu_options gpu = {.policies = knobs->is_own ? own_policies : NULL, .split_pages = knobs->split_cost};
    const uint32_t segment1 = knobs->segment1 * PAGE > SEGMENT1_BYTES ? knobs->segment1 * PAGE : SEGMENT1_BYTES;
    struct probe probe = machine_probe(machine, of_view, other);
    const struct device_options of_device = {.memory_bytes = memory_bytes,
                                             .segment1_bytes = segment1,
                                             .segment2_bytes = SEGMENT2_BYTES,
                                             .aperture_pages = knobs->aperture,
                                             .probe = &probe,
                                             .seed = seed,
                                             .gpu = &gpu,
                                             .has_display = knobs->display != KNOBS_DARK};
    struct transport of_model;
    machine->device = device_create(&of_device, message);
    if (machine->device == NULL) return -1;
    device_transport(machine->device, &of_model);
    machine_watch(machine, &of_model, transport);
    return 0;
}

int platform_open(struct platform *platform, const struct platform_options *options, char message[256])
{
    struct machine *machine = machine_current();
    memset(platform, 0, sizeof *platform);
    machine->is_view_borrowed = machine->view == NULL;
    if (options->probe != NULL) machine->view = options->probe->context;
    platform->name = "golden model";
    return machine_open_device(machine, 0, options->seed, options->probe, NULL, &platform->transport, message);
}

bool platform_write_profile(const struct platform *platform, const char *path)
{
    (void)platform;
    (void)path;
    return true;
}

uint32_t platform_profile(const struct platform *platform, struct profile_row *rows, uint32_t limit)
{
    (void)platform;
    (void)rows;
    (void)limit;
    return 0;
}

bool platform_reached_end(const struct platform *platform)
{
    (void)platform;
    return false;
}

void platform_report(const struct platform *platform) { (void)platform; }

/* A page has no Ctrl-C: its worker is ended instead. */
void interrupt_watch(void) {}
bool interrupt_asked(void) { return false; }
