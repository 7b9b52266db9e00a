/* SPDX-License-Identifier: Apache-2.0
 *
 * See draws.h: bytes that grow, and which allocation was somewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "tools/view/draws.h"

uint8_t *draw_bytes_add(struct draw_bytes *bytes, size_t count)
{
    if (bytes->used + count > bytes->room) {
        size_t room = bytes->room != 0 ? bytes->room * 2u : 65536u;
        while (room < bytes->used + count) room *= 2u;
        uint8_t *larger = realloc(bytes->data, room);
        if (larger == NULL) return NULL;
        bytes->data = larger;
        bytes->room = room;
    }
    uint8_t *added = bytes->data + bytes->used;
    if (count != 0) memset(added, 0, count);
    bytes->used += count;
    return added;
}

uint32_t draws_allocation_at(const struct draws *draws, uint32_t decision, uint32_t address, uint32_t *first)
{
    const struct view *view = draws->view;
    const uint64_t planned = view->decisions[decision].submitted;
    const uint32_t segment = address >> 28, page = (address & 0x0fffffffu) / GPU_LIMIT(PAGE_BYTES);
    for (uint32_t i = view->stay_count; i-- > 0;) {
        const struct stay *stay = &view->stays[i];
        if (stay->segment != segment || page < stay->page || page - stay->page >= stay->pages || stay->begin > planned)
            continue;
        *first = segment << 28 | stay->page * GPU_LIMIT(PAGE_BYTES);
        return stay->known;
    }
    *first = address;
    return UINT32_MAX;
}
