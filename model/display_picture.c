/* SPDX-License-Identifier: Apache-2.0
 *
 * What a display unit shows: see display_picture.h.
 */
#include "display_picture.h"

#include "gpu_spec.h"

static uint32_t bytes_of(uint32_t format)
{
    return format == FORMAT_XRGB8888 ? 4u : format == FORMAT_RGB565 ? 2u : format == FORMAT_INDEX8 ? 1u : 0u;
}

/* The high bits repeat below. */
static uint32_t of_rgb565(uint32_t value)
{
    uint32_t red = value >> 11 & 31u, green = value >> 5 & 63u, blue = value & 31u;
    return (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8 | (blue << 3 | blue >> 2);
}

static uint32_t plane_pixel(const struct display_picture *picture, const struct display_plane *plane, uint32_t x,
                            uint32_t y, display_read read, void *context)
{
    uint32_t bytes = bytes_of(plane->format);
    if (bytes == 0u) return 0;
    uint32_t value = read(context, plane->address + y * plane->pitch + x * bytes, bytes);
    if (bytes == 2u) return of_rgb565(value);
    return (bytes == 1u ? picture->palette[value] : value) & 0xffffffu;
}

static uint32_t over(uint32_t source, uint32_t under, uint32_t alpha)
{
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 24u; shift += 8u) {
        uint32_t s = source >> shift & 255u, d = under >> shift & 255u;
        uint32_t biased = s * alpha + d * (255u - alpha) + 128u;
        result |= (biased + (biased >> 8)) >> 8 << shift;
    }
    return result;
}

uint32_t display_pixel(const struct display_picture *picture, uint32_t x, uint32_t y, display_read read, void *context)
{
    uint32_t colour = plane_pixel(picture, &picture->primary, x, y, read, context);
    uint32_t right = x - picture->overlay_x, down = y - picture->overlay_y;
    if (bytes_of(picture->overlay.format) != 0u && right < picture->overlay_width && down < picture->overlay_height) {
        uint32_t source = plane_pixel(picture, &picture->overlay, right, down, read, context);
        uint32_t alpha = !picture->is_keyed ? picture->alpha : source == picture->key ? 0u : 255u;
        colour = over(source, colour, alpha);
    }
    right = x - (uint32_t)picture->cursor_x, down = y - (uint32_t)picture->cursor_y;
    if (picture->cursor_image != 0u && right < GPU_LIMIT(CURSOR_SIZE) && down < GPU_LIMIT(CURSOR_SIZE)) {
        uint32_t source = read(context, picture->cursor_image + 4u * (GPU_LIMIT(CURSOR_SIZE) * down + right), 4);
        colour = over(source & 0xffffffu, colour, source >> 24);
    }
    return colour;
}
