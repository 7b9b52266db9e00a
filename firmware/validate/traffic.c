/* SPDX-License-Identifier: Apache-2.0
 *
 * See traffic.h. The packet has been examined: its fields are in range, its registers bound, and what it writes is
 * within DMA_WORK_BYTES, so that no product here leaves 32 bits.
 */
#include "validate/traffic.h"

static void count(const struct access_state *state, uint32_t entry, uint32_t bytes)
{
    struct patch *patch = &state->job->patches[entry];
    const uint32_t units = bytes / (uint32_t)TRAFFIC_BYTES + (bytes % (uint32_t)TRAFFIC_BYTES != 0u);
    patch->traffic = narrow_u16(min_u32(patch->traffic + units, UINT16_MAX));
}

/* `pixels` of the surface in `slot`, so many times. */
static void count_draw(const struct access_state *state, uint32_t slot, uint32_t pixels, uint32_t times)
{
    const struct access_binding *binding = &state->binding[slot];
    const uint32_t bytes = pixels * binding->unit_bytes * times, parts = (1u << binding->depth) - 1u;
    count(state, binding->entry, (bytes >> binding->depth) + ((bytes & parts) != 0u));
}

static void count_direct(const struct access_state *state, uint32_t source_word, uint32_t target_word, uint32_t bytes)
{
    count(state, state->words[source_word], bytes);
    count(state, state->words[target_word], bytes);
}

__attribute__((cold, noinline)) static void count_affine(const struct access_state *state)
{
    enum { BEAT_BYTES = 8 }; /* read for every unit, of either row with a filter */
    const uint32_t *words = state->words;
    const uint32_t units = FIELD_GET(words[PKT_BLIT_AFFINE_WIDTH_WORD], PKT_BLIT_AFFINE_WIDTH) *
                           FIELD_GET(words[PKT_BLIT_AFFINE_HEIGHT_WORD], PKT_BLIT_AFFINE_HEIGHT);
    count(state, state->binding[FIELD_GET(words[0], PKT_BLIT_AFFINE_SOURCE)].entry,
          units * (uint32_t)BEAT_BYTES *
              (1u + FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR)));
    count_draw(state, FIELD_GET(words[0], PKT_BLIT_AFFINE_TARGET), units,
               FIELD_GET(words[0], PKT_BLIT_AFFINE_MODE) == BLIT_COPY ? 1 : 2);
}

void traffic_count(const struct access_state *state)
{
    const uint32_t *words = state->words;
    switch (words[0] & field_mask(8)) {
    case PKT_COPY: count_direct(state, PKT_COPY_SOURCE_WORD, PKT_COPY_TARGET_WORD, words[PKT_COPY_BYTES_WORD]); return;
    case PKT_FILL: count(state, words[PKT_FILL_TARGET_WORD], words[PKT_FILL_BYTES_WORD]); return;
    case PKT_COPY_2D:
        count_direct(state, PKT_COPY_2D_SOURCE_WORD, PKT_COPY_2D_TARGET_WORD,
                     FIELD_GET(words[PKT_COPY_2D_ROW_BYTES_WORD], PKT_COPY_2D_ROW_BYTES) *
                         FIELD_GET(words[PKT_COPY_2D_ROWS_WORD], PKT_COPY_2D_ROWS));
        return;
    case PKT_TILE:
        count_direct(state, PKT_TILE_SOURCE_WORD, PKT_TILE_TARGET_WORD,
                     FIELD_GET(words[PKT_TILE_ROW_BYTES_WORD], PKT_TILE_ROW_BYTES) *
                         FIELD_GET(words[PKT_TILE_ROWS_WORD], PKT_TILE_ROWS));
        return;
    case PKT_FILL_RECT:
        count_draw(state, FIELD_GET(words[0], PKT_FILL_RECT_TARGET),
                   FIELD_GET(words[PKT_FILL_RECT_WIDTH_WORD], PKT_FILL_RECT_WIDTH) *
                       FIELD_GET(words[PKT_FILL_RECT_HEIGHT_WORD], PKT_FILL_RECT_HEIGHT),
                   1);
        return;
    case PKT_BLIT: {
        const uint32_t pixels = FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH) *
                                FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT);
        count_draw(state, FIELD_GET(words[0], PKT_BLIT_SOURCE), pixels, 1);
        count_draw(state, FIELD_GET(words[0], PKT_BLIT_TARGET), pixels,
                   FIELD_GET(words[0], PKT_BLIT_MODE) == BLIT_COPY ? 1 : 2);
        return;
    }
    case PKT_BLIT_AFFINE: count_affine(state); return;
    case PKT_PALETTE: count(state, words[PKT_PALETTE_SOURCE_WORD], GPU_LIMIT(PALETTE_BYTES)); return;
    default: return; /* NOP and BIND move nothing */
    }
}
