/* SPDX-License-Identifier: Apache-2.0
 *
 * How a renderer of SDL 3 draws now: a viewport and a clip rectangle in the program's units, which a scale and a
 * logical size map to pixels. In the order of UpdateLogicalPresentation and UpdatePixelViewport of SDL 3.2.
 */
#include "clients/sdl/record/renderer.h"

#include <math.h>
#include <stddef.h>

/* SDL's own function of that name, of that type. */
#define SDL(type, name, ...) \
    static type (*name)(__VA_ARGS__); \
    if (name == NULL) *(void **)&name = sdl_function("SDL_" #name)

struct float_rect {
    float x, y, width, height;
};

/* Where the logical size is shown, in pixels, and what it is; false: there is none. */
static bool logical(void *renderer, struct float_rect *place, int *width, int *height, int *mode)
{
    SDL(bool, GetRenderLogicalPresentation, void *, int *, int *, int *);
    SDL(bool, GetRenderLogicalPresentationRect, void *, struct float_rect *);
    *mode = 0;
    return GetRenderLogicalPresentation(renderer, width, height, mode) && *mode != 0 && *width > 0 && *height > 0 &&
           GetRenderLogicalPresentationRect(renderer, place);
}

static struct sdl2_rect shared_part(const struct sdl2_rect *a, const struct sdl2_rect *b)
{
    int left = a->x > b->x ? a->x : b->x, top = a->y > b->y ? a->y : b->y;
    int right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
    int bottom = a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
    return (struct sdl2_rect){left, top, right > left ? right - left : 0, bottom > top ? bottom - top : 0};
}

static void look_at_view(struct renderer_state *state, void *renderer)
{
    SDL(bool, GetRenderScale, void *, float *, float *);
    SDL(bool, GetRenderViewport, void *, struct sdl2_rect *);
    SDL(bool, RenderViewportSet, void *);
    SDL(bool, GetRenderClipRect, void *, struct sdl2_rect *);
    SDL(bool, RenderClipEnabled, void *);
    struct float_rect place = {0, 0, (float)state->target.width, (float)state->target.height};
    struct sdl2_rect own = {0, 0, 0, 0}, clip = {0, 0, 0, 0};
    int width = 0, height = 0, mode = 0;
    state->scale_x = state->scale_y = 1;
    (void)GetRenderScale(renderer, &state->scale_x, &state->scale_y);
    if (logical(renderer, &place, &width, &height, &mode)) {
        state->scale_x *= place.width / (float)width;
        state->scale_y *= place.height / (float)height;
    }
    const float x = state->scale_x, y = state->scale_y;
    (void)GetRenderViewport(renderer, &own);
    const bool is_set = RenderViewportSet(renderer);
    state->viewport.x = (int)floorf((float)(is_set ? own.x : 0) * x + place.x);
    state->viewport.y = (int)floorf((float)(is_set ? own.y : 0) * y + place.y);
    state->viewport.width = is_set ? (int)ceilf((float)own.width * x) : (int)place.width;
    state->viewport.height = is_set ? (int)ceilf((float)own.height * y) : (int)place.height;
    const struct sdl2_rect all = {0, 0, state->target.width, state->target.height};
    state->target.clip = shared_part(&all, &state->viewport);
    if (!RenderClipEnabled(renderer)) return;
    (void)GetRenderClipRect(renderer, &clip);
    clip = (struct sdl2_rect){(int)floorf((float)clip.x * x) + state->viewport.x,
                              (int)floorf((float)clip.y * y) + state->viewport.y, (int)ceilf((float)clip.width * x),
                              (int)ceilf((float)clip.height * y)};
    state->target.clip = shared_part(&state->target.clip, &clip);
}

static uint32_t byte_of(float value) { return (uint32_t)roundf((value < 0 ? 0 : value > 1 ? 1 : value) * 255.0f); }

void renderer3_look(struct renderer_state *state, void *renderer)
{
    SDL(bool, GetRenderDrawColorFloat, void *, float *, float *, float *, float *);
    SDL(bool, GetRenderDrawBlendMode, void *, int *);
    SDL(bool, GetRenderColorScale, void *, float *);
    float red = 0, green = 0, blue = 0, alpha = 0, scale = 1;
    look_at_view(state, renderer);
    state->mode = 0;
    (void)GetRenderDrawColorFloat(renderer, &red, &green, &blue, &alpha);
    (void)GetRenderColorScale(renderer, &scale);
    (void)GetRenderDrawBlendMode(renderer, &state->mode);
    state->colour =
        byte_of(red * scale) << 24 | byte_of(green * scale) << 16 | byte_of(blue * scale) << 8 | byte_of(alpha);
}
