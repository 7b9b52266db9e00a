/* SPDX-License-Identifier: Apache-2.0
 *
 * A surface of a played recording: what its views are like, and that it has changed.
 */
#include "clients/sdl/play/play_gpu_internal.h"

uint32_t image_format(const struct image *image, enum play_view view)
{
    static const uint32_t formats[RECORDING_FORMATS] = {
        [RECORDING_RGB565] = FORMAT_RGB565,     [RECORDING_XRGB8888] = FORMAT_XRGB8888,
        [RECORDING_ARGB8888] = FORMAT_ARGB8888, [RECORDING_RGB888] = FORMAT_RGB888,
        [RECORDING_ARGB1555] = FORMAT_ARGB1555, [RECORDING_XRGB1555] = FORMAT_ARGB1555,
        [RECORDING_INDEX8] = FORMAT_INDEX8};
    return play_view_is_plain(view) ? formats[image->format] : FORMAT_ARGB8888;
}

uint32_t image_pitch(const struct image *image, enum play_view view)
{
    return image->width * (play_view_is_plain(view) ? image->unit_bytes : 4u);
}

uint32_t image_band_height(const struct image *image, uint32_t band)
{
    uint32_t first = band * image->band_rows;
    return image->height - first < image->band_rows ? image->height - first : image->band_rows;
}

uint32_t image_view_height(const struct image *image, enum play_view view, uint32_t band)
{
    return image_band_height(image, band) + (view == PLAY_LAPPED && band + 1u < image->band_count);
}

bool image_is_drawn(const struct image *image)
{
    bool is_drawn = false;
    for (uint32_t band = 0; band < image->band_count; band++) is_drawn = is_drawn || image->bands[band].is_drawn;
    return is_drawn;
}

void image_change(struct image *image, uint32_t band, bool is_drawn)
{
    struct band_state *state = &image->bands[band];
    state->is_drawn = state->is_drawn || is_drawn;
    state->is_new = true;
    state->version++;
}

size_t image_row_bytes(const struct image *image) { return (size_t)image->width * image->unit_bytes; }

size_t image_band_offset(const struct image *image, uint32_t band)
{
    return (size_t)band * image->band_rows * image_row_bytes(image);
}

size_t image_band_bytes(const struct image *image, uint32_t band)
{
    return image_band_height(image, band) * image_row_bytes(image);
}
