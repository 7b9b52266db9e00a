/* SPDX-License-Identifier: Apache-2.0
 *
 * See plan.h. In the order of SDL_render.c and SDL_render_sw.c of SDL 2.26.
 */
#include "clients/sdl/record/plan.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/steps.h"

/* ------------------------------------------------------------------ rectangles */

/* SDL clears the whole target, whatever viewport and clip rectangle are. */
void plan_clear(const struct renderer_state *state) { steps_clear(state->raw); }

/* Numbers that int does not hold are drawn as they are by the machine; nothing is said of them here. */
static bool is_sane(const struct sdl2_float_rect *rect)
{
    const float far = 1 << 20;
    return fabsf(rect->x) < far && fabsf(rect->y) < far && fabsf(rect->width) < far && fabsf(rect->height) < far;
}

static struct sdl2_float_rect viewport_of(const struct renderer_state *state)
{
    return (struct sdl2_float_rect){0, 0, (float)state->viewport.width / state->scale_x,
                                    (float)state->viewport.height / state->scale_y};
}

/* All that viewport and clip rectangle leave. */
static void leave_all(const struct renderer_state *state, enum recording_reason reason)
{
    steps_leave(&state->target.clip, reason);
}

/* In units of the target; a side of 0 becomes 1. */
static void fill_scaled(const struct renderer_state *state, const struct sdl2_float_rect *rect)
{
    struct sdl2_rect to = {(int)rect->x, (int)rect->y, (int)rect->width, (int)rect->height};
    if (!is_sane(rect)) {
        leave_all(state, REASON_FLAT);
        return;
    }
    if (to.width < 1) to.width = 1;
    if (to.height < 1) to.height = 1;
    to.x += state->viewport.x;
    to.y += state->viewport.y;
    steps_flat(&to, state->colour, state->mode, state->raw);
}

void plan_fill(const struct renderer_state *state, const struct sdl2_float_rect *rect)
{
    const struct sdl2_float_rect all = viewport_of(state), *from = rect != NULL ? rect : &all;
    const struct sdl2_float_rect to = {from->x * state->scale_x, from->y * state->scale_y, from->width * state->scale_x,
                                       from->height * state->scale_y};
    fill_scaled(state, &to);
}

/* ------------------------------------------------------------------ points and lines */

static void point(const struct renderer_state *state, float x, float y)
{
    plan_fill(state, &(struct sdl2_float_rect){x, y, 1, 1});
}

void plan_points(const struct renderer_state *state, const struct sdl2_float_point *points, int count)
{
    for (int i = 0; i < count; i++) point(state, points[i].x, points[i].y);
}

/* The points between, by Bresenham; as few runs as they make. */
static void slanted(const struct renderer_state *state, struct sdl2_point from, struct sdl2_point to, bool has_last)
{
    int across = to.x > from.x ? to.x - from.x : from.x - to.x, down = to.y > from.y ? to.y - from.y : from.y - to.y;
    int longer = across >= down ? across : down, shorter = across >= down ? down : across;
    int step_x = to.x < from.x ? -1 : 1, step_y = to.y < from.y ? -1 : 1, error = 2 * shorter - longer;
    for (int left = has_last ? longer + 1 : longer; left > 0; left--) {
        point(state, (float)from.x, (float)from.y);
        if (error >= 0 || across >= down) from.x += step_x;
        if (error >= 0 || across < down) from.y += step_y;
        error += error < 0 ? 2 * shorter : 2 * (shorter - longer);
    }
}

static struct sdl2_point rounded(const struct sdl2_float_point *point)
{
    return (struct sdl2_point){(int)roundf(point->x), (int)roundf(point->y)};
}

static void line(const struct renderer_state *state, const struct sdl2_float_point *a, const struct sdl2_float_point *b,
                 bool has_last)
{
    const float one = has_last ? 1 : 0;
    if (fabsf(a->x) > 1e6f || fabsf(a->y) > 1e6f || fabsf(b->x) > 1e6f || fabsf(b->y) > 1e6f) {
        leave_all(state, REASON_LINE);
    } else if (a->x == b->x) {
        float low = a->y < b->y ? a->y : b->y, high = a->y < b->y ? b->y : a->y;
        struct sdl2_float_rect rect = {a->x * state->scale_x, low * state->scale_y, state->scale_x,
                                       (high - low + one) * state->scale_y};
        if (!has_last && b->y < a->y) rect.y += state->scale_y;
        fill_scaled(state, &rect);
    } else if (a->y == b->y) {
        float low = a->x < b->x ? a->x : b->x, high = a->x < b->x ? b->x : a->x;
        struct sdl2_float_rect rect = {low * state->scale_x, a->y * state->scale_y, (high - low + one) * state->scale_x,
                                       state->scale_y};
        if (!has_last && b->x < a->x) rect.x += state->scale_x;
        fill_scaled(state, &rect);
    } else {
        slanted(state, rounded(a), rounded(b), has_last);
    }
}

/* The last point of the last line is drawn, unless the lines end where they began. */
void plan_lines(const struct renderer_state *state, const struct sdl2_float_point *points, int count)
{
    bool has_drawn = false;
    for (int i = 0; i + 1 < count; i++) {
        const struct sdl2_float_point *a = &points[i], *b = &points[i + 1];
        bool is_last = i == count - 2;
        if (!is_last && a->x == b->x && a->y == b->y) continue;
        line(state, a, b, is_last && (!has_drawn || b->x != points[0].x || b->y != points[0].y));
        has_drawn = true;
    }
}

void plan_outline(const struct renderer_state *state, const struct sdl2_float_rect *rect)
{
    const struct sdl2_float_rect all = viewport_of(state), *of = rect != NULL ? rect : &all;
    const float right = of->x + of->width - 1, bottom = of->y + of->height - 1;
    const struct sdl2_float_point points[] = {
        {of->x, of->y}, {right, of->y}, {right, bottom}, {of->x, bottom}, {of->x, of->y}};
    plan_lines(state, points, 5);
}

/* ------------------------------------------------------------------ copies */

/* Which unit of a scaled picture SDL takes of each of `count` source units: the first at half a step; filtered: its
 * centre half a unit before that. */
static void scale_axis(int count, int places, bool is_filtered, int32_t *start, int32_t *step)
{
    *step = (int32_t)(((int64_t)count << 16) / places);
    *start = is_filtered ? (*step + 1) / 2 - (1 << 15) : *step / 2;
}

/* Is there a filter where SDL scales this texture? Of no texture, and where SDL cannot tell: no. */
static bool is_filtered(void *texture)
{
    static int (*scale_mode)(void *, int *);
    int mode = 0;
    if (scale_mode == NULL) *(void **)&scale_mode = sdl_function("SDL_GetTextureScaleMode");
    return texture != NULL && scale_mode != NULL && (scale_mode(texture, &mode) & 255) == (sdl_version() == SDL_3) &&
           mode != 0;
}

static bool is_size(const struct sdl2_rect *rect)
{
    return rect->width > 0 && rect->height > 0 && rect->width <= RECORDING_SIDE && rect->height <= RECORDING_SIDE;
}

/* How SDL scales: to the nearest unit and, while it does that, by its general formula of a blend; to the nearest unit
 * beside the target first; or with a filter, beside the target if it blends. */
enum scaling { SCALE_GENERAL, SCALE_BESIDE, SCALE_FILTERED };

/* `from` over all of `to`, as SDL scales. */
static void scale(const struct view *source, const struct sdl2_rect *from, const struct sdl2_rect *to,
                  enum scaling scaling)
{
    struct steps_map how = {.from = *from, .to = *to, .is_general = scaling == SCALE_GENERAL};
    const bool is_filtered = scaling == SCALE_FILTERED;
    if (!is_size(from) || !is_size(to)) {
        steps_leave(to, REASON_SCALED);
        return;
    }
    how.map = (struct recording_map){
        .width = (uint32_t)from->width, .height = (uint32_t)from->height, .is_filtered = is_filtered};
    scale_axis(from->width, to->width, is_filtered, &how.map.u, &how.map.u_x);
    scale_axis(from->height, to->height, is_filtered, &how.map.v, &how.map.v_y);
    steps_map(source, &how);
}

/* One side of SDL_UpperBlitScaled: what of `from` (position, length) is drawn to what of `to`, with its rounding. */
static void clip_scaled(int from[2], int to[2], int source_length, int clip, int clip_length)
{
    const double scaling = (double)to[1] / from[1];
    double from_0 = from[0], from_1 = from_0 + from[1], to_0 = to[0], to_1 = to_0 + to[1];
    if (from_0 < 0) to_0 -= from_0 * scaling, from_0 = 0;
    if (from_1 > source_length) to_1 -= (from_1 - source_length) * scaling, from_1 = source_length;
    to_0 -= clip;
    to_1 -= clip;
    if (to_0 < 0) from_0 -= to_0 / scaling, to_0 = 0;
    if (to_1 > clip_length) from_1 -= (to_1 - clip_length) / scaling, to_1 = clip_length;
    from[0] = (int)round(from_0);
    from[1] = (int)round(from_1 - from_0);
    to[0] = (int)round(to_0 + clip);
    to[1] = (int)round(to_1 - to_0);
}

/* The part of [*at, *at + *length) in [low, low + room). */
static void intersect(int *at, int *length, int low, int room)
{
    const int first = *at > low ? *at : low, end = *at + *length < low + room ? *at + *length : low + room;
    *at = first;
    *length = end - first;
}

/* SDL_UpperBlitScaled: both sides clipped, and rounded, before it scales. */
static void scale_clipped(const struct view *source, const struct sdl2_rect *from, const struct view *target,
                          const struct sdl2_rect *to, enum scaling scaling)
{
    const struct sdl2_rect *clip = &target->clip;
    if (!is_size(from) || !is_size(to) || abs(to->x) > RECORDING_SIDE || abs(to->y) > RECORDING_SIDE ||
        abs(from->x) > RECORDING_SIDE || abs(from->y) > RECORDING_SIDE) {
        steps_leave(clip, REASON_SCALED);
        return;
    }
    int from_x[2] = {from->x, from->width}, to_x[2] = {to->x, to->width};
    int from_y[2] = {from->y, from->height}, to_y[2] = {to->y, to->height};
    clip_scaled(from_x, to_x, source->width, clip->x, clip->width);
    clip_scaled(from_y, to_y, source->height, clip->y, clip->height);
    intersect(&from_x[0], &from_x[1], 0, source->width);
    intersect(&from_y[0], &from_y[1], 0, source->height);
    intersect(&to_x[0], &to_x[1], clip->x, clip->width);
    intersect(&to_y[0], &to_y[1], clip->y, clip->height);
    if (from_x[1] <= 0 || from_y[1] <= 0 || to_x[1] <= 0 || to_y[1] <= 0) return;
    scale(source, &(struct sdl2_rect){from_x[0], from_y[0], from_x[1], from_y[1]},
          &(struct sdl2_rect){to_x[0], to_y[0], to_x[1], to_y[1]}, scaling);
}

bool plan_stretched(const struct view *source, const struct sdl2_rect *from, const struct view *target,
                    const struct sdl2_rect *to, bool has_filter)
{
    if (from->width == to->width && from->height == to->height) return false;
    scale_clipped(source, from, target, to, has_filter ? SCALE_FILTERED : SCALE_GENERAL);
    return true;
}

bool plan_scaled(const struct view *source, const struct sdl2_rect *from, const struct view *target,
                 const struct sdl2_rect *to)
{
    return plan_stretched(source, from, target, to, false);
}

/* The part of the texture that is drawn. False: none is. */
static bool part_of(const struct view *view, const struct sdl2_rect *source, struct sdl2_rect *part)
{
    *part = source != NULL ? *source : (struct sdl2_rect){0, 0, view->width, view->height};
    intersect(&part->x, &part->width, 0, view->width);
    intersect(&part->y, &part->height, 0, view->height);
    return part->width > 0 && part->height > 0;
}

static void copy_view(const struct renderer_state *state, const struct view *view, void *texture,
                      const struct sdl2_rect *source, const struct sdl2_float_rect *rect)
{
    struct sdl2_float_rect all = viewport_of(state), to = rect != NULL ? *rect : all;
    struct sdl2_rect from;
    if (!part_of(view, source, &from)) return;
    to = (struct sdl2_float_rect){to.x * state->scale_x, to.y * state->scale_y, to.width * state->scale_x,
                                  to.height * state->scale_y};
    if (!is_sane(&to)) {
        leave_all(state, REASON_SCALED);
        return;
    }
    const struct view *target = &state->target;
    struct sdl2_rect place = {(int)to.x + state->viewport.x, (int)to.y + state->viewport.y, (int)to.width,
                              (int)to.height};
    const enum scaling filtered = is_filtered(texture) ? SCALE_FILTERED : SCALE_GENERAL;
    if (place.width == from.width && place.height == from.height) steps_blit(view, &from, place.x, place.y);
    else if (place.x < 0 || place.y < 0 || place.x + place.width > target->width ||
             place.y + place.height > target->height) /* SDL scales it beside the target, and blits that */
        scale(view, &from, &place, filtered == SCALE_FILTERED ? filtered : SCALE_BESIDE);
    else scale_clipped(view, &from, target, &place, filtered);
}

void plan_copy(const struct renderer_state *state, void *texture, const struct sdl2_rect *source,
               const struct sdl2_float_rect *rect)
{
    struct view view;
    if (texture_view(&view, texture)) copy_view(state, &view, texture, source, rect);
    else leave_all(state, REASON_UNSEEN);
}

/* ------------------------------------------------------------------ turned copies */

/* Where SDL puts what it has turned: the least of the turned middles of its corner units, from the rectangle's corner.
 */
static struct sdl2_point turned_corner(int width, int height, double angle, const struct sdl2_float_point *centre)
{
    const double sine = sin(angle * (M_PI / 180.0)), cosine = cos(angle * (M_PI / 180.0));
    double left = 0, top = 0;
    for (int i = 0; i < 4; i++) {
        const double x = (i % 2 != 0 ? width - 0.5 : 0.5) - centre->x, y = (i > 1 ? height - 0.5 : 0.5) - centre->y;
        const double to_x = cosine * x - sine * y + centre->x, to_y = sine * x + cosine * y + centre->y;
        if (i == 0 || to_x < left) left = to_x;
        if (i == 0 || to_y < top) top = to_y;
    }
    return (struct sdl2_point){(int)floor(left), (int)floor(top)};
}

/* One axis of the source along one of the target, which has so many places: from the last to the first if so wished. */
static void turn_axis(int count, int places, bool is_backward, int32_t *start, int32_t *step)
{
    scale_axis(count, places, false, start, step);
    if (!is_backward) return;
    *start += *step * (places - 1);
    *step = -*step;
}

/* `from`, scaled to the place, mirrored, and turned clockwise by so many quarters. */
static void turn(const struct view *view, const struct sdl2_rect *from, const struct sdl2_rect *place, int quarters,
                 const struct plan_turn *turn)
{
    const bool is_across = quarters % 2 != 0, is_flat = (turn->flip & 1) != 0, is_up = (turn->flip & 2) != 0;
    const struct sdl2_point corner = turned_corner(place->width, place->height, turn->angle, turn->centre);
    struct steps_map how = {.from = *from, .has_alpha = true};
    how.to = (struct sdl2_rect){place->x + corner.x, place->y + corner.y, is_across ? place->height : place->width,
                                is_across ? place->width : place->height};
    how.map = (struct recording_map){.width = (uint32_t)from->width, .height = (uint32_t)from->height};
    turn_axis(from->width, place->width, (quarters >= 2) != is_flat, &how.map.u,
              is_across ? &how.map.u_y : &how.map.u_x);
    turn_axis(from->height, place->height, (quarters == 1 || quarters == 2) != is_up, &how.map.v,
              is_across ? &how.map.v_x : &how.map.v_y);
    steps_map(view, &how);
}

static void turn_view(const struct renderer_state *state, const struct view *view, void *texture,
                      const struct sdl2_rect *source, const struct sdl2_float_rect *rect, const struct plan_turn *how)
{
    struct sdl2_float_rect all = viewport_of(state), to = rect != NULL ? *rect : all;
    struct sdl2_rect from;
    const int quarters = fabs(how->angle) < 1e6 ? (int)(how->angle / 90) : 0;
    if (!part_of(view, source, &from)) return;
    if (quarters != how->angle / 90 || !is_sane(&to) || state->scale_x != 1 || state->scale_y != 1) {
        leave_all(state, REASON_TURNED);
        return;
    }
    const struct sdl2_rect place = {(int)to.x + state->viewport.x, (int)to.y + state->viewport.y, (int)to.width,
                                    (int)to.height};
    const struct sdl2_float_point middle = {to.width / 2.0f, to.height / 2.0f};
    struct plan_turn turned = *how;
    if (turned.centre == NULL) turned.centre = &middle;
    if (place.width <= 0 || place.height <= 0) return;
    if (is_filtered(texture) && (place.width != from.width || place.height != from.height))
        leave_all(state, REASON_FILTERED);
    else if (!is_size(&place)) leave_all(state, REASON_TURNED);
    else turn(view, &from, &place, (quarters % 4 + 4) % 4, &turned);
}

void plan_turned(const struct renderer_state *state, void *texture, const struct sdl2_rect *source,
                 const struct sdl2_float_rect *rect, const struct plan_turn *how)
{
    struct view view;
    if (texture_view(&view, texture)) turn_view(state, &view, texture, source, rect, how);
    else leave_all(state, REASON_UNSEEN);
}

/* ------------------------------------------------------------------ triangles */

static int vertex_of(const struct plan_triangles *triangles, int i)
{
    const uint8_t *from = triangles->indices;
    uint16_t half;
    int32_t word;
    if (from == NULL) return i;
    from += (size_t)i * (size_t)triangles->index_bytes;
    if (triangles->index_bytes == 1) return *from;
    if (triangles->index_bytes == 2) {
        memcpy(&half, from, sizeof half);
        return half;
    }
    memcpy(&word, from, sizeof word);
    return word;
}

struct corner {
    struct sdl2_float_point at, texture;
    uint8_t colour[4];
};

static struct corner corner_of(const struct plan_triangles *triangles, int i)
{
    const int vertex = vertex_of(triangles, i);
    struct corner corner = {.texture = {0, 0}};
    memcpy(&corner.at, (const uint8_t *)triangles->at + (ptrdiff_t)vertex * triangles->at_stride, sizeof corner.at);
    memcpy(corner.colour, (const uint8_t *)triangles->colour + (ptrdiff_t)vertex * triangles->colour_stride, 4);
    if (triangles->texture != NULL)
        memcpy(&corner.texture, (const uint8_t *)triangles->texture + (ptrdiff_t)vertex * triangles->texture_stride,
               sizeof corner.texture);
    return corner;
}

/* Two triangles that SDL draws as a rectangle, and its corners at the top left and the bottom right. */
static bool is_rectangle(const struct corner corners[6], struct corner *first, struct corner *last)
{
    *first = *last = corners[0];
    for (int i = 0; i < 6; i++) {
        if (memcmp(corners[i].colour, corners[0].colour, 4) != 0) return false;
        if (corners[i].at.x <= first->at.x && corners[i].at.y <= first->at.y) *first = corners[i];
        if (corners[i].at.x >= last->at.x && corners[i].at.y >= last->at.y) *last = corners[i];
    }
    unsigned seen[2] = {0, 0}; /* corners of each triangle: top left 1, top right 2, bottom left 4, bottom right 8 */
    for (int i = 0; i < 6; i++) {
        const struct sdl2_float_point *at = &corners[i].at;
        bool is_right = at->x == last->at.x, is_low = at->y == last->at.y;
        if ((!is_right && at->x != first->at.x) || (!is_low && at->y != first->at.y)) return false;
        seen[i / 3] |= 1u << ((is_right ? 1u : 0u) + (is_low ? 2u : 0u));
    }
    return (seen[0] | seen[1]) == 15u && (seen[0] & seen[1]) == 9u;
}

/* Sides below 0 are mirrored, as SDL_RenderCopyEx does it. */
static void copy_mirrored(const struct renderer_state *state, const struct view *view, void *texture,
                          struct sdl2_rect from, const struct sdl2_float_rect *to)
{
    struct plan_turn how = {.angle = 0};
    if (from.width < 0) {
        from.width = -from.width;
        from.x -= from.width;
        how.flip |= 1;
    }
    if (from.height < 0) {
        from.height = -from.height;
        from.y -= from.height;
        how.flip |= 2;
    }
    if (how.flip != 0) turn_view(state, view, texture, &from, to, &how);
    else copy_view(state, view, texture, &from, to);
}

static void rectangle(const struct renderer_state *state, const struct view *view, void *texture,
                      const struct corner *first, const struct corner *last)
{
    const struct sdl2_float_rect to = {first->at.x, first->at.y, last->at.x - first->at.x, last->at.y - first->at.y};
    const uint8_t *c = first->colour;
    if (view != NULL) {
        const float width = (float)view->width, height = (float)view->height;
        struct sdl2_rect from = {(int)(first->texture.x * width), (int)(first->texture.y * height), 0, 0};
        from.width = (int)(last->texture.x * width - (float)from.x);
        from.height = (int)(last->texture.y * height - (float)from.y);
        struct view coloured = *view;
        coloured.alpha = c[3];
        coloured.colour = (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | (uint32_t)c[2];
        if (from.width != 0 && from.height != 0) {
            copy_mirrored(state, &coloured, texture, from, &to);
            return;
        }
    }
    if (to.width == 0 || to.height == 0) return;
    struct renderer_state flat = *state;
    flat.colour = (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | (uint32_t)c[3];
    flat.mode = SDL2_BLENDMODE_BLEND;
    flat.raw = renderer_raw(state, flat.colour);
    plan_fill(&flat, &to);
}

void plan_triangles(const struct renderer_state *state, void *texture, const struct plan_triangles *triangles)
{
    struct corner corners[6], first, last;
    struct view view;
    bool has_texture = texture != NULL;
    if (has_texture && !texture_view(&view, texture)) {
        leave_all(state, REASON_UNSEEN);
        return;
    }
    for (int i = 0; i + 2 < triangles->count; i += 6) {
        bool is_pair = i + 5 < triangles->count;
        for (int k = 0; is_pair && k < 6; k++) corners[k] = corner_of(triangles, i + k);
        if (!is_pair || !is_rectangle(corners, &first, &last)) {
            leave_all(state, REASON_TRIANGLE);
            return;
        }
        rectangle(state, has_texture ? &view : NULL, texture, &first, &last);
    }
}
