/* SPDX-License-Identifier: Apache-2.0
 *
 * What device.c (life and transport) and device_hal.c (the hardware as the firmware sees it) share.
 */
#ifndef TESSERA_DEVICE_INTERNAL_H
#define TESSERA_DEVICE_INTERNAL_H

#include "device.h"
#include "display_model.h"
#include "lists_model.h"
#include "platform/turn.h"
#include "stack.h"

enum { LISTS_ROWS_LOG2 = 10 }; /* as the chip has */

enum {
    REGISTER_BYTES = 0x1000, /* room for every block of the table */
    COMMAND_BYTES = 262144,
    TCM_BYTES = 65536,
    TABLE_BYTES = 2 << 20, /* what the firmware's tables may take; as if all lay in core memory */
    LINE_WORDS = 16,       /* of the core's read buffer of system memory */
    DEVICE_NODES = 2,
    EVENTS_KEPT = 64, /* last events of the firmware, for transport_inside */
    EVENT_WORDS = 4
};

enum device_side { SIDE_HOST, SIDE_CORE };

struct device {
    struct engine_model engine;
    struct examiner_model examiner;
    struct lists_model lists;
    bool checks_rows;     /* device_check_rows */
    uint32_t lists_waits; /* times that they still say BUSY */
    struct display_model display;
    struct gpu gpu;
    struct gpu_options gpu_options;
    struct probe probe;
    struct stacks *stacks; /* of the firmware's long work */
    struct turn turn;
    void *tables; /* memory for the firmware's, of so many bytes */
    uint32_t table_bytes, examiner_log2;
    bool is_memory_given;                   /* device_options.memory */
    uint32_t registers[REGISTER_BYTES / 4]; /* those that are plain storage */
    uint64_t cycle;
    uint32_t events[EVENTS_KEPT][EVENT_WORDS];
    uint64_t event_count;
    uint32_t random; /* state of the interleaving; 0 = take turns */
    bool has_failed; /* the core's last access to system memory where there is none ... */
    uint32_t failed_address;
    uint32_t line[LINE_WORDS], line_address;
    bool line_is_valid;
    bool is_hung[DEVICE_NODES];
    uint32_t slow_turns[DEVICE_NODES], slow_left[DEVICE_NODES], slow_bytes[DEVICE_NODES];
    bool is_waiting[DEVICE_NODES];   /* the last step found nothing to do */
    uint32_t crawling[DEVICE_NODES]; /* turns left */
    bool sleeps, is_asleep, drops_interrupts;
    uint64_t wake_at;
    uint32_t look_cycles;
    bool is_booted, is_stopped; /* gpu_init ran; it refused */
    bool is_dead;               /* panicked */
    bool has_worked;            /* anything, in the last turn that came to its end */
};

/* Is the node in the middle of something that a pause does not stop? */
static inline bool device_is_inside(const struct device *device, unsigned node)
{
    return device->engine.node[node].is_in_run || device->slow_left[node] != device->slow_turns[node];
}

/* The device whose firmware runs on this thread. */
struct device *device_current(void);
void device_enter(struct device *device);

uint32_t device_register_read(struct device *device, uint32_t offset, enum device_side side);
void device_register_write(struct device *device, uint32_t offset, uint32_t value, enum device_side side);
void device_registers_reset(struct device *device);

#endif
