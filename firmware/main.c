/* SPDX-License-Identifier: Apache-2.0
 *
 * The control core's program: boot, then turn after turn; asleep when there is nothing to do. Owns the one
 * struct gpu and decides nothing.
 */
#include "gpu.h"
#include "display/panel.h"

static struct gpu gpu;

void hal_last_words(uint32_t code, uint32_t place)
{
    if (gpu.display != NULL) panel_show(gpu.display->mode, code, place);
}

int main(void)
{
    bool is_ready = gpu_init(&gpu);
    hal_turn()->looked = hal_cycles(); /* boot is no turn */
    uint32_t *const statistics = gpu.manager.statistics;
    for (;;) {
        uint32_t begin = hal_cycles();
        /* Cleared before looking, so that a message that arrives after the look wakes the core again. */
        hal_register_write(CORE_IRQ_PENDING_OFFSET, FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL));
        bool has_worked = is_ready && gpu_turn(&gpu);
        const uint32_t cycles = hal_cycles() - begin;
        statistics[STAT_FIRMWARE_CYCLES] += cycles;
        statistics[STAT_TURN_MAX] = hal_turn()->longest;
        if (has_worked) continue;
        hal_idle(is_ready ? gpu_patience(&gpu) : 1000000u);
        hal_turn()->looked = hal_cycles();
    }
}
