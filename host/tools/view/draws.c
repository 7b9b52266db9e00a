/* SPDX-License-Identifier: Apache-2.0
 *
 * See draws.h: the copy of the machine, and what is kept of each draw.
 */
#include "tools/view/draws.h"

#include <stdlib.h>
#include <string.h>

#include "engine_packets.h"
#include "gpu_spec.h"
#include "pixel_model.h"

enum { IN_FLIGHT = 5 };             /* frames */
enum { SPACE_BYTES = 4096 * 4096 }; /* the largest segment; untouched pages of it cost nothing */
static const uint64_t texture_limit_bytes = 96u << 20;

/* ------------------------------------------------------------------ the copy of the machine */

static void on_unit(void *context, uint32_t address)
{
    struct draws *draws = context;
    uint32_t offset = address - draws->pen.target.address, pitch = draws->pen.target.pitch;
    uint32_t x = offset % pitch / draws->pen.unit - draws->pen.x, y = offset / pitch - draws->pen.y;
    uint32_t at = y * draws->pen.width + x;
    draws->pen.mask[at / 8u] |= (uint8_t)(1u << at % 8u);
    draws->pen.written++;
}

static void free_model(struct engine_model *model)
{
    free(model->system);
    free(model->segment1);
    free(model->segment2);
    free(model->aperture);
    memset(model, 0, sizeof *model);
}

/* The machine before its first packet: what the host has written is in its memory. */
static bool copy_machine(struct draws *draws)
{
    struct transport *inner = draws->view->inner;
    uint32_t bytes = inner != NULL ? (uint32_t)inner->memory_bytes : 0;
    struct engine_model *model = &draws->model;
    if (model->system != NULL) return true;
    *model = (struct engine_model){.segment1 = calloc(1, SPACE_BYTES),
                                   .segment2 = calloc(1, SPACE_BYTES),
                                   .system = calloc(1, bytes + 1u),
                                   .aperture = calloc(GPU_LIMIT(GUARD_SPACE_PAGES), sizeof(uint32_t)),
                                   .segment1_bytes = SPACE_BYTES,
                                   .segment2_bytes = SPACE_BYTES,
                                   .system_bytes = bytes,
                                   .aperture_pages = GPU_LIMIT(GUARD_SPACE_PAGES),
                                   .context = draws};
    for (unsigned node = 0; node < PROBE_NODES; node++) model->node[node].page_bound = UINT32_MAX;
    bool is_good = bytes != 0 && model->segment1 != NULL && model->segment2 != NULL && model->system != NULL &&
                   model->aperture != NULL && inner->memory_read(inner->context, 0, model->system, bytes) == 0;
    if (!is_good) free_model(model);
    return is_good;
}

void draws_host_write(struct draws *draws, uint32_t address, const void *data, size_t bytes)
{
    if (draws == NULL || draws->model.system == NULL || address > draws->model.system_bytes ||
        bytes > draws->model.system_bytes - address)
        return;
    memcpy(draws->model.system + address, data, bytes);
}

/* Rows of a surface as the engine sees them. */
static void read_rows(struct engine_model *model, uint32_t address, uint32_t bytes, uint8_t *data)
{
    const uint32_t page = GPU_LIMIT(PAGE_BYTES);
    for (uint32_t done = 0; done < bytes;) {
        uint32_t at = address + done, count = page - at % page;
        const uint8_t *found = engine_model_page(model, at);
        if (count > bytes - done) count = bytes - done;
        if (found != NULL) memcpy(data + done, found + at % page, count);
        done += count;
    }
}

/* ------------------------------------------------------------------ textures */

static uint64_t hash_of(const uint8_t *bytes, size_t count, const struct engine_binding *binding)
{
    uint64_t hash = 0x9e3779b97f4a7c15u ^ ((uint64_t)binding->format << 32 | binding->pitch), word;
    for (size_t i = 0; i + 8 <= count; i += 8) {
        memcpy(&word, bytes + i, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    for (size_t i = count - count % 8u; i < count; i++) hash = (hash ^ bytes[i]) * 0xff51afd7ed558ccdu;
    return hash ^ count;
}

/* Number + 1 of this content, entered if it is new; takes the bytes. */
static uint32_t enter_texture(struct draws *draws, const struct engine_binding *binding, uint8_t *bytes)
{
    uint64_t hash = hash_of(bytes, binding->bytes, binding);
    for (uint32_t i = draws->texture_count; i-- > 0;) {
        if (draws->textures[i].hash != hash) continue;
        free(bytes);
        return i + 1u;
    }
    if (draws->texture_count == DRAW_TEXTURES || draws->texture_bytes + binding->bytes > texture_limit_bytes) {
        free(bytes);
        return 0;
    }
    draws->texture_bytes += binding->bytes;
    draws->textures[draws->texture_count] = (struct draw_texture){
        .hash = hash, .binding = *binding, .bytes = bytes, .frame = UINT32_MAX, .known = UINT32_MAX};
    return ++draws->texture_count;
}

static struct draw_cache *find_cache(struct draws *draws, const struct engine_binding *binding)
{
    for (uint32_t i = 0; i < DRAW_CACHES; i++)
        if (draws->caches[i].bytes != NULL && draws->caches[i].binding.address == binding->address &&
            draws->caches[i].binding.bytes == binding->bytes)
            return &draws->caches[i];
    return NULL;
}

/* ------------------------------------------------------------------ draws */

static struct draw *add_draw(struct draws *draws)
{
    struct draw_portion *portion = draws->open;
    if (portion == NULL) portion = draws->open = calloc(1, sizeof *portion);
    if (portion == NULL) return NULL;
    if (portion->count == portion->room) {
        uint32_t room = portion->room != 0 ? portion->room * 2u : 64u;
        struct draw *larger = realloc(portion->draws, room * sizeof *larger);
        if (larger == NULL) return NULL;
        portion->draws = larger;
        portion->room = room;
    }
    struct draw *draw = &portion->draws[portion->count++];
    memset(draw, 0, sizeof *draw);
    return draw;
}

static void free_portion(struct draw_portion *portion)
{
    if (portion == NULL) return;
    free(portion->draws);
    free(portion->bytes.data);
    free(portion);
}

static void forget_targets(struct draws *draws)
{
    for (uint32_t i = 0; i < DRAW_CACHES; i++) free(draws->caches[i].bytes);
    memset(draws->caches, 0, sizeof draws->caches);
}

static void give_up(struct draws *draws)
{
    draws->is_full = true;
    draws->is_over = true;
    free_portion(draws->open);
    draws->open = NULL;
    draws->current = NULL;
    free_model(&draws->model);
}

/* The target is not what the last draw left: that is an entry of its own. */
static bool look_at_target(struct draws *draws, const struct engine_binding *target)
{
    struct draw_cache *cache = find_cache(draws, target);
    uint8_t *bytes = malloc(target->bytes + 1u);
    if (bytes == NULL) return false;
    read_rows(&draws->model, target->address, target->bytes, bytes);
    if (cache != NULL && memcmp(cache->bytes, bytes, target->bytes) == 0) {
        free(bytes);
        return true;
    }
    struct draw *draw = add_draw(draws);
    uint8_t *units = draw != NULL ? draw_bytes_add(&draws->open->bytes, target->bytes) : NULL;
    if (units == NULL) {
        free(bytes);
        return false;
    }
    memcpy(units, bytes, target->bytes);
    *draw = (struct draw){.target = *target,
                          .begin = draws->view->now,
                          .end = draws->view->now,
                          .width = target->pitch / pixel_unit_bytes(target->format),
                          .height = target->bytes / target->pitch,
                          .units = (size_t)(units - draws->open->bytes.data)};
    if (cache == NULL) cache = &draws->caches[draws->next_cache++ % DRAW_CACHES];
    free(cache->bytes);
    *cache = (struct draw_cache){*target, bytes, draws->view->frame};
    return true;
}

/* What is in the source of a draw. A surface that is drawn to now is shown as it was drawn, and needs no copy. */
static uint32_t look_at_source(struct draws *draws, uint32_t slot)
{
    const struct engine_binding *binding = &draws->model.node[0].bindings[slot];
    if (draws->texture_of[slot] != 0) return draws->texture_of[slot];
    if (binding->pitch == 0 || binding->bytes > SPACE_BYTES) return 0;
    const struct draw_cache *cache = find_cache(draws, binding);
    if (cache != NULL && draws->view->frame - cache->frame <= IN_FLIGHT) {
        (void)look_at_target(draws, binding);
        return 0;
    }
    uint8_t *bytes = malloc(binding->bytes + 1u);
    if (bytes == NULL) return 0;
    read_rows(&draws->model, binding->address, binding->bytes, bytes);
    draws->texture_of[slot] = enter_texture(draws, binding, bytes);
    return draws->texture_of[slot];
}

/* The rectangle after the draw, into the portion's bytes and the cache. */
static bool read_target(struct draws *draws, struct draw *draw)
{
    const uint32_t unit = pixel_unit_bytes(draw->target.format), row = draw->width * unit;
    struct draw_cache *cache = find_cache(draws, &draw->target);
    size_t used = draws->open->bytes.used;
    uint8_t *units = draw_bytes_add(&draws->open->bytes, (size_t)row * draw->height);
    if (units == NULL || cache == NULL) return false;
    draw->units = used;
    cache->frame = draws->view->frame;
    for (uint32_t y = 0; y < draw->height; y++) {
        uint32_t offset = (draw->y + y) * draw->target.pitch + draw->x * unit;
        if (offset + row > draw->target.bytes) break;
        read_rows(&draws->model, draw->target.address + offset, row, units + (size_t)y * row);
        memcpy(cache->bytes + offset, units + (size_t)y * row, row);
    }
    return true;
}

_Static_assert((int)PKT_BLIT_AFFINE_TARGET_LSB == (int)PKT_BLIT_TARGET_LSB &&
                   (int)PKT_BLIT_AFFINE_SOURCE_LSB == (int)PKT_BLIT_SOURCE_LSB &&
                   (int)PKT_BLIT_AFFINE_TARGET_X_WORD == (int)PKT_BLIT_TARGET_X_WORD &&
                   (int)PKT_BLIT_AFFINE_SOURCE_X_WORD == (int)PKT_BLIT_SOURCE_X_WORD &&
                   (int)PKT_BLIT_AFFINE_WIDTH_WORD == (int)PKT_BLIT_WIDTH_WORD &&
                   (int)PKT_BLIT_AFFINE_MODE_LSB == (int)PKT_BLIT_MODE_LSB,
               "a map's packet begins as a BLIT");

static void parse(struct draw *draw, uint32_t *target, uint32_t *source)
{
    const uint32_t *words = draw->words;
    if ((words[0] & 0xffu) == PKT_FILL_RECT) {
        *target = FIELD_GET(words[0], PKT_FILL_RECT_TARGET);
        *source = UINT32_MAX;
        draw->x = FIELD_GET(words[PKT_FILL_RECT_X_WORD], PKT_FILL_RECT_X);
        draw->y = FIELD_GET(words[PKT_FILL_RECT_Y_WORD], PKT_FILL_RECT_Y);
        draw->width = FIELD_GET(words[PKT_FILL_RECT_WIDTH_WORD], PKT_FILL_RECT_WIDTH);
        draw->height = FIELD_GET(words[PKT_FILL_RECT_HEIGHT_WORD], PKT_FILL_RECT_HEIGHT);
        return;
    }
    *target = FIELD_GET(words[0], PKT_BLIT_TARGET);
    *source = FIELD_GET(words[0], PKT_BLIT_SOURCE);
    draw->x = FIELD_GET(words[PKT_BLIT_TARGET_X_WORD], PKT_BLIT_TARGET_X);
    draw->y = FIELD_GET(words[PKT_BLIT_TARGET_Y_WORD], PKT_BLIT_TARGET_Y);
    draw->width = FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH);
    draw->height = FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT);
}

static bool is_drawable(const struct draw *draw)
{
    const uint32_t unit = pixel_unit_bytes(draw->target.format);
    return draw->width != 0 && draw->height != 0 && draw->target.address != 0 && unit != 0 &&
           (draw->x + draw->width) * unit <= draw->target.pitch && draw->target.bytes <= SPACE_BYTES &&
           (uint64_t)(draw->y + draw->height - 1u) * draw->target.pitch + (draw->x + draw->width) * unit <=
               draw->target.bytes;
}

static uint32_t execute(struct draws *draws, unsigned node, const uint32_t *words)
{
    uint32_t address;
    return engine_packet_execute(&draws->model, node, words, false, &address);
}

static void count_moved(const struct engine_node *node, uint64_t moved[4])
{
    moved[0] = node->bytes_read_local;
    moved[1] = node->bytes_read_system;
    moved[2] = node->bytes_written_local;
    moved[3] = node->bytes_written_system;
}

static uint32_t words_of(uint32_t word0)
{
    if (draw_has_map(word0)) return PKT_BLIT_AFFINE_WORDS;
    return draw_has_source(word0) ? PKT_BLIT_WORDS : PKT_FILL_RECT_WORDS;
}

/* A draw of a frame of interest: executed, with all that is kept of it. */
static bool keep_draw(struct draws *draws, uint64_t cycle, uint32_t offset, const uint32_t *words)
{
    const struct engine_node *node = &draws->model.node[0];
    struct draw draw = {.offset = offset, .begin = cycle, .end = cycle};
    uint32_t target, source;
    memcpy(draw.words, words, words_of(words[0]) * 4u);
    parse(&draw, &target, &source);
    draw.target = node->bindings[target];
    if (source != UINT32_MAX) draw.source = node->bindings[source];
    if (!is_drawable(&draw)) return execute(draws, 0, words) != UINT32_MAX;
    if (!look_at_target(draws, &draw.target)) return false;
    if (source != UINT32_MAX) draw.texture = look_at_source(draws, source);
    size_t mask = draws->open != NULL ? draws->open->bytes.used : 0, mask_bytes = (draw.width * draw.height + 7u) / 8u;
    struct draw *kept = add_draw(draws);
    uint8_t *bits = kept != NULL ? draw_bytes_add(&draws->open->bytes, mask_bytes) : NULL;
    if (bits == NULL) return false;
    uint64_t before[4], after[4];
    count_moved(node, before);
    draws->pen.target = draw.target;
    draws->pen.x = draw.x;
    draws->pen.y = draw.y;
    draws->pen.width = draw.width;
    draws->pen.unit = pixel_unit_bytes(draw.target.format);
    draws->pen.written = 0;
    draws->pen.mask = bits;
    draws->model.on_unit = on_unit;
    (void)execute(draws, 0, words);
    draws->model.on_unit = NULL;
    count_moved(node, after);
    for (unsigned i = 0; i < 4; i++) draw.moved[i] = (uint32_t)(after[i] - before[i]);
    draw.written = draws->pen.written;
    draw.mask = mask;
    *kept = draw;
    draws->current = kept;
    /* Whatever shows the same memory has to be looked at again. */
    for (uint32_t slot = 0; slot < 64; slot++)
        if (node->bindings[slot].address - draw.target.address < draw.target.bytes) draws->texture_of[slot] = 0;
    return read_target(draws, kept);
}

/* ------------------------------------------------------------------ portions */

static bool is_wanted(const struct draws *draws, uint32_t job)
{
    const struct view *view = draws->view;
    return job < view->job_count && job >= draws->first_job && view->jobs[job].frame >= draws->first &&
           view->jobs[job].frame <= draws->last;
}

/* The fence after a portion says which it was. */
static void end_portion(struct draws *draws, uint32_t fence)
{
    struct draw_portion *portion = draws->open;
    const struct view *view = draws->view;
    uint32_t decision = view->decision_count;
    draws->open = NULL;
    draws->current = NULL;
    if (portion == NULL) return;
    while (decision > 0 && view->decisions[decision - 1u].fence != fence) decision--;
    if (decision != 0) portion->job = view->decisions[decision - 1u].job;
    draws->lost += decision == 0;
    if (decision == 0 || !is_wanted(draws, portion->job)) {
        free_portion(portion);
        forget_targets(draws); /* what is drawn outside is not followed */
        return;
    }
    portion->decision = decision - 1u;
    portion->frame = view->jobs[portion->job].frame;
    *draws->done_end = portion;
    draws->done_end = &portion->next;
}

/* May a draw be one of a frame of interest? Frames overlap, so this is asked before its frame is known. */
static bool is_watching(const struct draws *draws) { return !draws->is_full && draws->view->frame >= draws->first; }

void draws_packet_begin(struct draws *draws, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    const uint32_t opcode = words[0] & 0xffu;
    if (draws == NULL || draws->is_over || !copy_machine(draws)) return;
    if (opcode == PKT_RUN || opcode == PKT_WAIT_FENCE) return;
    if (node != 0) {
        (void)execute(draws, node, words);
        return;
    }
    if ((draw_has_source(opcode) || opcode == PKT_FILL_RECT) && is_watching(draws)) {
        if (!keep_draw(draws, cycle, offset, words)) give_up(draws);
        return;
    }
    (void)execute(draws, node, words);
    if (opcode == PKT_BIND) draws->texture_of[FIELD_GET(words[0], PKT_BIND_SLOT)] = 0;
    else if (opcode == PKT_FENCE) end_portion(draws, words[PKT_FENCE_VALUE_WORD]);
    else memset(draws->texture_of, 0, sizeof draws->texture_of);
}

void draws_packet_end(struct draws *draws, uint64_t cycle, unsigned node)
{
    if (draws == NULL || node != 0 || draws->current == NULL) return;
    draws->current->end = cycle;
    draws->current = NULL;
}

/* ------------------------------------------------------------------ frames and life */

void view_report_frames(struct view *view, uint32_t first, uint32_t last)
{
    if (view != NULL && view->draws == NULL) view->draws = draws_create(view, first, last);
}

void view_frames_begin(struct view *view)
{
    if (view != NULL && view->draws != NULL) view->draws->first_job = view->job_count;
}

void view_frame_picture(struct view *view, uint32_t number, uint32_t surface, const uint8_t *pixels,
                        const uint8_t *expected)
{
    (void)number;
    if (view != NULL && view->draws != NULL)
        view->draws->picture = (struct draw_picture){true, surface, pixels, expected};
}

/* The portions of a frame that is over, in order. */
void draws_frame_end(struct draws *draws, uint32_t number)
{
    if (draws == NULL || number < draws->first || number > draws->last || draws->is_over) return;
    encode_frame_begin(draws->encoder, number);
    while (draws->done != NULL && draws->done->frame <= number) {
        struct draw_portion *portion = draws->done;
        if (portion->frame == number && !draws->is_full) encode_portion(draws->encoder, portion);
        draws->done = portion->next;
        free_portion(portion);
    }
    if (draws->done == NULL) draws->done_end = &draws->done;
    if (draws->picture.is_told) encode_picture(draws->encoder, &draws->picture);
    draws->picture = (struct draw_picture){0};
    draws->is_full = draws->is_full || !encode_frame_end(draws->encoder);
    if (number == draws->last || draws->is_full) { /* the rest of the run costs nothing */
        draws->is_over = true;
        free_portion(draws->open);
        draws->open = NULL;
        draws->current = NULL;
        free_model(&draws->model);
    }
}

struct draws *draws_create(struct view *view, uint32_t first, uint32_t last)
{
    struct draws *draws = calloc(1, sizeof *draws);
    if (draws == NULL) return NULL;
    draws->view = view;
    draws->first = first;
    draws->last = last;
    draws->done_end = &draws->done;
    draws->textures = calloc(DRAW_TEXTURES, sizeof *draws->textures);
    draws->encoder = encode_create(draws);
    if (draws->textures != NULL && draws->encoder != NULL) return draws;
    draws_destroy(draws);
    return NULL;
}

void draws_destroy(struct draws *draws)
{
    if (draws == NULL) return;
    free_model(&draws->model);
    forget_targets(draws);
    free_portion(draws->open);
    while (draws->done != NULL) {
        struct draw_portion *next = draws->done->next;
        free_portion(draws->done);
        draws->done = next;
    }
    for (uint32_t i = 0; draws->textures != NULL && i < draws->texture_count; i++) free(draws->textures[i].bytes);
    free(draws->textures);
    encode_destroy(draws->encoder);
    free(draws);
}
