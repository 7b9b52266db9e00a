/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture as it is drawn: after a draw its rows are read where the render node has written them.
 */
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"
#include "machine_internal.h"

enum { PAGE = LIMIT_BITS_PAGE_BYTES };

bool machine_picture_init(struct machine *machine, uint32_t width, uint32_t height, uint32_t format, uint32_t count)
{
    const uint32_t unit = format == FORMAT_RGB565 ? 2u : 4u;
    machine->width = width;
    machine->height = height;
    machine->format = format;
    machine->surface_count = count;
    machine->surface_bytes = width != 0 ? (width * height * unit + 7u) / 8u * 8u : 8u;
    machine->surfaces = calloc(count, machine->surface_bytes);
    machine->canvas = tape_create((size_t)count * machine->surface_bytes);
    return machine->surfaces != NULL && machine->canvas != NULL;
}

/* Which of the scene's targets is drawn to; SCENE_TARGETS: none. It is the frame's, since the table may already hold
 * what the next frame's plan has made of it; of a frame that is not known the table says it. */
static uint32_t target_of(const struct machine *machine, uint32_t frame, uint32_t address)
{
    if (frame != UINT32_MAX) return frame % SCENE_TARGETS;
    const struct allocation_table *table = &machine->device->gpu.manager.residency.world.table;
    const uint32_t segment = address >> 28, page = (address & 0x0fffffffu) / PAGE;
    for (uint32_t i = 0; i < SCENE_TARGETS; i++) {
        if (machine->run.gpu.targets[i] == NULL) continue;
        const uint32_t handle = tessera_allocation_handle(machine->run.gpu.targets[i]);
        const struct allocation *entry = &table->entry[handle % SNAPSHOT_ALLOCATIONS];
        if (entry->segment == segment && entry->first_page == page) return i;
    }
    return SCENE_TARGETS;
}

void machine_read(struct machine *machine, uint32_t address, uint8_t *to, uint32_t count)
{
    struct engine_model *engine = &machine->device->engine;
    while (count != 0) {
        const uint32_t left = PAGE - address % PAGE, chunk = count < left ? count : left;
        const uint8_t *page = engine_model_page(engine, address);
        if (page != NULL) memcpy(to, page + address % PAGE, chunk);
        address += chunk;
        to += chunk;
        count -= chunk;
    }
}

void machine_picture_drawn(struct machine *machine, const uint32_t *words, uint32_t frame, size_t *first, size_t *count)
{
    const bool is_blit = (words[0] & 0xffu) == PKT_BLIT;
    *count = 0;
    if ((!is_blit && (words[0] & 0xffu) != PKT_FILL_RECT) || machine->scene.textures == NULL) return;
    const struct engine_binding *binding = &machine->device->engine.node[0].bindings[words[0] >> 8 & 63u];
    const uint32_t target = target_of(machine, frame, binding->address);
    if (target == SCENE_TARGETS) return;
    const uint32_t y = is_blit ? FIELD_GET(words[PKT_BLIT_TARGET_Y_WORD], PKT_BLIT_TARGET_Y)
                               : FIELD_GET(words[PKT_FILL_RECT_Y_WORD], PKT_FILL_RECT_Y);
    const uint32_t rows = is_blit ? FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT)
                                  : FIELD_GET(words[PKT_FILL_RECT_HEIGHT_WORD], PKT_FILL_RECT_HEIGHT);
    if (y >= machine->height || rows > machine->height - y) return;
    *first = (size_t)target * machine->surface_bytes + (size_t)y * binding->pitch;
    *count = (size_t)rows * binding->pitch;
    machine_read(machine, binding->address + y * binding->pitch, machine->surfaces + *first, (uint32_t)*count);
    machine->now.target = target;
}

void machine_picture_shown(struct machine *machine, uint32_t number, const uint8_t *units)
{
    memcpy(machine->surfaces, units, (size_t)machine->width * machine->height * 4u);
    machine->now.frame = number;
    machine_tape_frame(machine, number);
}
