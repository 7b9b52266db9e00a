/* SPDX-License-Identifier: Apache-2.0
 *
 * What the display shows of a scene: the pictures that its frames have had where the overlay is, one after the other.
 * A picture that is torn has rows of an older surface above those of the surface that is shown when the frame ends.
 */
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"
#include "machine_internal.h"
#include "tools/scene/scene_flips.h"

enum {
    FRAME_CYCLES = 1250000, /* of a program that waits for no blank: 80 frames a second at 100 MHz */
    WORK_CALLS = 4096
};

/* The overlay's rectangle, as the scene's units. */
static void crop(const uint32_t *pixels, uint32_t columns, uint8_t *units)
{
    const uint32_t left = (SCENE_DISPLAY_WIDTH - SCENE_WIDTH) / 2, top = (SCENE_DISPLAY_HEIGHT - SCENE_HEIGHT) / 2;
    for (uint32_t y = 0; y < SCENE_HEIGHT; y++)
        for (uint32_t x = 0; x < SCENE_WIDTH; x++, units += 2) {
            const uint32_t colour = pixels[(top + y) * columns + left + x];
            const uint32_t unit = (colour >> 19 & 31u) << 11 | (colour >> 10 & 63u) << 5 | (colour >> 3 & 31u);
            units[0] = (uint8_t)unit;
            units[1] = (uint8_t)(unit >> 8);
        }
}

/* How many rows from the first on are not all of the surface that is shown now; 0: the picture is whole. */
static uint32_t torn_rows(struct machine *machine, const struct display_plane *plane, const uint8_t *units)
{
    uint8_t row[SCENE_PITCH];
    uint32_t torn = 0;
    for (uint32_t y = 0; y < SCENE_HEIGHT; y++) {
        machine_read(machine, plane->address + y * plane->pitch, row, SCENE_PITCH);
        if (memcmp(row, units + (size_t)y * SCENE_PITCH, SCENE_PITCH) != 0) torn = y + 1u;
    }
    return torn;
}

static bool is_like_last(const struct machine *machine, const uint8_t *units, uint32_t torn)
{
    const struct machine_shown *last = &machine->shown[machine->shown_count - 1u];
    return machine->shown_count != 0 && last->torn == torn && memcmp(last->units, units, SCENE_FRAME_BYTES) == 0;
}

/* A display_model_frame. */
static void take_frame(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                       uint64_t cycle)
{
    struct machine *machine = context;
    const struct display_plane *plane = &device_display(machine->device)->shown.overlay;
    (void)frame, (void)cycle;
    if (columns != SCENE_DISPLAY_WIDTH || rows != SCENE_DISPLAY_HEIGHT || plane->format != FORMAT_RGB565) return;
    uint8_t *units = malloc(SCENE_FRAME_BYTES);
    if (units != NULL) crop(pixels, columns, units);
    const uint32_t torn = units != NULL ? torn_rows(machine, plane, units) : 0;
    const bool is_new = units != NULL && !is_like_last(machine, units, torn);
    struct machine_shown *larger =
        is_new ? realloc(machine->shown, (machine->shown_count + 1u) * sizeof *machine->shown) : NULL;
    machine->is_taping = machine->is_taping && units != NULL && (larger != NULL || !is_new);
    if (larger == NULL) {
        free(units);
        return;
    }
    machine->shown = larger;
    machine->shown[machine->shown_count++] = (struct machine_shown){machine->count, torn, units};
}

void machine_display_begin(struct machine *machine)
{
    struct display_model *display = device_display(machine->device);
    if (machine->knobs.display == KNOBS_DARK || machine->plain != NULL) return;
    display->on_frame = take_frame;
    display->context = machine;
}

int machine_display_rest(struct machine *machine, uint64_t begin)
{
    const struct transport *transport = tessera_transport(machine->tessera);
    int status = TESSERA_OK;
    if (machine->knobs.display != KNOBS_AT_ONCE) return TESSERA_OK;
    for (uint32_t i = 0; i < WORK_CALLS && status == TESSERA_OK; i++) {
        const uint64_t gone = transport_cycles(transport) - begin;
        if (gone >= FRAME_CYCLES) break;
        status = tessera_work(machine->tessera, FRAME_CYCLES - (uint32_t)gone);
    }
    return status;
}

void machine_display_free(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->shown_count; i++) free(machine->shown[i].units);
    free(machine->shown);
}

uint32_t machine_shown_at(const struct machine *machine, uint32_t at)
{
    uint32_t count = machine->shown_count;
    while (count != 0 && machine->shown[count - 1u].at > at) count--;
    return count;
}
