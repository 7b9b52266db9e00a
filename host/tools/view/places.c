/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/view/places.h"

#include <inttypes.h>

int places_ask(struct places *places, struct view *view, struct tessera *tessera, struct tessera_allocation *allocation)
{
    struct tessera_residence place;
    if (allocation == NULL) return TESSERA_OK;
    int status = tessera_residence(tessera, allocation, &place);
    if (status != TESSERA_OK || place.reason >= PLACE_REASONS) return status;
    view_reason(view, tessera_allocation_handle(allocation), place.reason);
    places->count++;
    places->by_reason[place.reason]++;
    places->bytes[place.reason] += tessera_allocation_bytes(allocation);
    return TESSERA_OK;
}

void places_json(FILE *file, const struct places *places)
{
    const char *before = "";
    if (places->count == 0) {
        fputs("  \"places\": null,\n", file);
        return;
    }
    fputs("  \"places\": {", file);
    for (uint32_t i = 0; i < PLACE_REASONS; i++) {
        if (places->by_reason[i] == 0) continue;
        fprintf(file, "%s\"%s\": {\"allocations\": %u, \"bytes\": %" PRIu64 "}", before, tessera_reason_name(i),
                places->by_reason[i], places->bytes[i]);
        before = ", ";
    }
    fputs("},\n", file);
}

void places_words(const struct places *places, char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < PLACE_REASONS && used < room; i++) {
        if (places->by_reason[i] == 0) continue;
        const int length = snprintf(text + used, room - used, "%s%u %s", used != 0 ? "; " : "", places->by_reason[i],
                                    tessera_reason_name(i));
        used += length > 0 ? (size_t)length : 0;
    }
}
