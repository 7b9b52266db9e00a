/* SPDX-License-Identifier: Apache-2.0
 *
 * The display unit in C: registers, time, and what planes mix to.
 */
#include "display_model.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

void display_model_init(struct display_model *model, const struct display_model_memory *memory)
{
    *model = (struct display_model){.is_there = true, .memory = *memory};
}

void display_model_free(struct display_model *model)
{
    free(model->pixels);
    model->pixels = NULL;
}

/* ------------------------------------------------------------------ the raster's numbers */

static uint32_t columns(const struct display_model *model) { return FIELD_GET(model->h_show, DISPLAY_H_SHOW_VISIBLE); }
static uint32_t rows(const struct display_model *model) { return FIELD_GET(model->v_show, DISPLAY_V_SHOW_VISIBLE); }
static uint32_t line_clocks(const struct display_model *model)
{
    return FIELD_GET(model->h_line, DISPLAY_H_LINE_TOTAL);
}
static uint32_t frame_lines(const struct display_model *model)
{
    return FIELD_GET(model->v_line, DISPLAY_V_LINE_TOTAL);
}

/* Cycles that so many pixel clocks take, rounded up. */
static uint64_t cycles_of(const struct display_model *model, uint64_t clocks)
{
    return (clocks * (uint32_t)DISPLAY_MODEL_MHZ * 1000u + model->clock - 1u) / model->clock;
}

/* From the beginning of the blank. */
static uint64_t blank_clocks(const struct display_model *model)
{
    return (uint64_t)(frame_lines(model) - rows(model)) * line_clocks(model) - model->lead;
}

static uint64_t frame_clocks(const struct display_model *model)
{
    return (uint64_t)frame_lines(model) * line_clocks(model);
}

static bool can_run(const struct display_model *model)
{
    return model->clock != 0u && columns(model) != 0u && rows(model) != 0u && line_clocks(model) > columns(model) &&
           frame_lines(model) > rows(model) && model->lead < line_clocks(model);
}

static uint64_t end_of_frame(const struct display_model *model)
{
    return model->begin + cycles_of(model, frame_clocks(model));
}

/* Lines since the blank began. */
static uint32_t lines_gone(const struct display_model *model, uint64_t cycle)
{
    const uint64_t clocks = (cycle - model->begin) * model->clock / ((uint32_t)DISPLAY_MODEL_MHZ * 1000u);
    const uint64_t lines = clocks / line_clocks(model);
    return lines < frame_lines(model) ? (uint32_t)lines : frame_lines(model) - 1u;
}

/* ------------------------------------------------------------------ pixels */

static const uint8_t *byte_at(const struct display_model *model, uint32_t address, uint32_t bytes)
{
    const struct display_model_memory *memory = &model->memory;
    const bool is_second = address >= GPU_LIMIT(ADDR_SEGMENT2);
    const uint32_t offset = address - (is_second ? GPU_LIMIT(ADDR_SEGMENT2) : GPU_LIMIT(ADDR_SEGMENT1));
    const uint32_t limit = is_second ? memory->segment2_bytes : memory->segment1_bytes;
    if (offset >= limit || bytes > limit - offset) return NULL;
    return (is_second ? memory->segment2 : memory->segment1) + offset;
}

/* A display_read. Black where there is no memory. */
static uint32_t read_pixel(void *context, uint32_t address, uint32_t bytes)
{
    const uint8_t *byte = byte_at(context, address, bytes);
    uint32_t word = 0;
    for (uint32_t i = 0; byte != NULL && i < bytes; i++) word |= (uint32_t)byte[i] << 8u * i;
    return word;
}

/* Where the cursor alone may be, in this row: [*first, *end). */
static void cursor_columns(const struct display_model *model, uint32_t row, uint32_t *first, uint32_t *end)
{
    const struct display_picture *shown = &model->shown;
    const int32_t side = (int32_t)GPU_LIMIT(CURSOR_SIZE), left = shown->cursor_x, count = (int32_t)columns(model);
    const int32_t down = (int32_t)row - shown->cursor_y, right = left + side < count ? left + side : count;
    const bool is_there = shown->cursor_image != 0u && down >= 0 && down < side && right > 0 && left < count;
    *first = is_there && left > 0 ? (uint32_t)left : 0u;
    *end = is_there ? (uint32_t)right : 0u;
}

/* A row as display_pixel has it. Most are the primary plane's words. */
static void draw_row(struct display_model *model, uint32_t row, uint32_t *pixels)
{
    const struct display_plane *primary = &model->shown.primary;
    const uint32_t count = columns(model);
    const bool is_plain =
        primary->format == (uint32_t)FORMAT_XRGB8888 && model->shown.overlay.format == (uint32_t)FORMAT_BYTES;
    const uint8_t *bytes = is_plain ? byte_at(model, primary->address + row * primary->pitch, count * 4u) : NULL;
    uint32_t first = 0, end = count;
    if (bytes != NULL) {
        memcpy(pixels, bytes, (size_t)count * 4u);
        for (uint32_t i = 0; i < count; i++) pixels[i] &= 0xffffffu;
        cursor_columns(model, row, &first, &end);
    }
    for (uint32_t column = first; column < end; column++)
        pixels[column] = display_pixel(&model->shown, column, row, read_pixel, model);
}

/* Draw the rows whose time has passed. */
static void draw_rows(struct display_model *model, uint32_t end)
{
    if (model->on_frame == NULL) return;
    if (model->pixels == NULL) model->pixels = calloc((size_t)DISPLAY_MODEL_PIXELS * DISPLAY_MODEL_PIXELS, 4);
    if (model->pixels == NULL) return;
    for (; model->row < end; model->row++) {
        uint32_t *pixels = model->pixels + (size_t)model->row * columns(model);
        if (model->step == 0u) draw_row(model, model->row, pixels);
        for (uint32_t column = 0; column < columns(model) && model->step != 0u && model->row % model->step == 0u;
             column += model->step)
            pixels[column] = display_pixel(&model->shown, column, model->row, read_pixel, model);
    }
}

/* The chip gives a frame that memory has delayed too much up: the rest of it is black. */
static void lose_pixels(struct display_model *model)
{
    const uint32_t all = columns(model) * rows(model), late = model->late < all ? model->late : all;
    if (model->pixels == NULL) return;
    memset(model->pixels + (all - late), 0, (size_t)late * 4u);
    model->missed += late;
}

/* ------------------------------------------------------------------ the queue */

static void place_overlay(struct display_picture *shown, const struct display_model_written *written)
{
    shown->overlay_x = FIELD_GET(written->overlay_place, DISPLAY_OVERLAY_PLACE_X);
    shown->overlay_y = FIELD_GET(written->overlay_place, DISPLAY_OVERLAY_PLACE_Y);
    shown->overlay_width = FIELD_GET(written->overlay_size, DISPLAY_OVERLAY_SIZE_WIDTH);
    shown->overlay_height = FIELD_GET(written->overlay_size, DISPLAY_OVERLAY_SIZE_HEIGHT);
    shown->key = FIELD_GET(written->overlay_mix, DISPLAY_OVERLAY_MIX_KEY);
    shown->alpha = FIELD_GET(written->overlay_mix, DISPLAY_OVERLAY_MIX_ALPHA);
    shown->is_keyed = FIELD_GET(written->overlay_mode, DISPLAY_OVERLAY_MODE_KEYED);
}

static void take_head(struct display_model *model)
{
    const struct display_model_entry entry = model->queue[0];
    const bool is_overlay = FIELD_GET(entry.push, DISPLAY_FLIP_PUSH_OVERLAY) != 0u;
    struct display_plane *plane = is_overlay ? &model->shown.overlay : &model->shown.primary;
    plane->address = entry.address;
    if (FIELD_GET(entry.push, DISPLAY_FLIP_PUSH_WHEN) != (uint32_t)WHEN_NOW) {
        plane->pitch = FIELD_GET(entry.push, DISPLAY_FLIP_PUSH_PITCH);
        plane->format = FIELD_GET(entry.push, DISPLAY_FLIP_PUSH_FORMAT);
        if (is_overlay) place_overlay(&model->shown, &model->written);
    }
    model->queued--;
    for (uint32_t i = 0; i < model->queued; i++) model->queue[i] = model->queue[i + 1u];
    model->taken++;
    model->irq |= FIELD_PUT(1, DISPLAY_IRQ_FLIP);
}

static uint32_t when_of(const struct display_model_entry *entry)
{
    return FIELD_GET(entry->push, DISPLAY_FLIP_PUSH_WHEN);
}

/* From the head on, one entry of each plane, up to the first that is not due. */
static void take_flips(struct display_model *model)
{
    uint32_t planes = 0;
    while (model->queued != 0u) {
        const struct display_model_entry *head = &model->queue[0];
        const uint32_t when = when_of(head), bit = 1u << FIELD_GET(head->push, DISPLAY_FLIP_PUSH_OVERLAY);
        const bool is_early = when == (uint32_t)WHEN_FRAME && (int32_t)(model->frame - head->frame) < 0;
        if (when != (uint32_t)WHEN_NOW && ((planes & bit) != 0u || is_early)) break;
        if (when != (uint32_t)WHEN_NOW) planes |= bit;
        take_head(model);
    }
    if ((model->hold & 1u) != 0u) return;
    model->shown.cursor_image = model->written.cursor_image;
    model->shown.cursor_x = (int16_t)FIELD_GET(model->written.cursor_place, DISPLAY_CURSOR_PLACE_X);
    model->shown.cursor_y = (int16_t)FIELD_GET(model->written.cursor_place, DISPLAY_CURSOR_PLACE_Y);
}

static void take_now(struct display_model *model)
{
    while (model->queued != 0u && when_of(&model->queue[0]) == (uint32_t)WHEN_NOW) take_head(model);
}

/* ------------------------------------------------------------------ time */

static void begin_blank(struct display_model *model, uint64_t cycle)
{
    model->begin = cycle;
    model->blank_end = cycle + cycles_of(model, blank_clocks(model));
    model->frame++;
    model->is_in_blank = true;
    model->irq |= FIELD_PUT(1, DISPLAY_IRQ_BLANK);
}

static void end_frame(struct display_model *model)
{
    const uint64_t cycle = end_of_frame(model);
    draw_rows(model, rows(model));
    if (model->late != 0u) lose_pixels(model);
    if (model->on_frame != NULL && model->pixels != NULL)
        model->on_frame(model->context, model->pixels, columns(model), rows(model), model->frame, cycle);
    model->row = 0;
    model->is_running = FIELD_GET(model->control, DISPLAY_CONTROL_ENABLE) != 0u;
    if (model->is_running) begin_blank(model, cycle);
}

uint64_t display_model_next(const struct display_model *model)
{
    if (!model->is_running) return UINT64_MAX;
    return model->is_in_blank ? model->blank_end : end_of_frame(model);
}

void display_model_advance(struct display_model *model, uint64_t cycle)
{
    while (display_model_next(model) <= cycle) {
        if (model->is_in_blank) {
            model->is_in_blank = false;
            take_flips(model);
        } else end_frame(model);
    }
}

/* Lines of the picture that are shown by now. */
static uint32_t rows_gone(const struct display_model *model, uint64_t cycle)
{
    const uint32_t lines = lines_gone(model, cycle), blank = frame_lines(model) - rows(model);
    return lines < blank ? 0u : lines - blank;
}

/* ------------------------------------------------------------------ registers */

static uint32_t status(const struct display_model *model)
{
    return FIELD_PUT(model->is_running, DISPLAY_STATUS_RUNNING) |
           FIELD_PUT(model->is_in_blank, DISPLAY_STATUS_IN_BLANK) | FIELD_PUT(model->queued, DISPLAY_STATUS_QUEUED);
}

static uint32_t scan(const struct display_model *model, uint64_t cycle)
{
    return model->is_running ? (lines_gone(model, cycle) + rows(model)) % frame_lines(model) : 0u;
}

/* Of what the core has written; NULL: it is not plain storage. */
static uint32_t *storage(struct display_model *model, uint32_t offset)
{
    switch (offset) {
    case DISPLAY_H_SHOW_OFFSET: return &model->h_show;
    case DISPLAY_H_LINE_OFFSET: return &model->h_line;
    case DISPLAY_V_SHOW_OFFSET: return &model->v_show;
    case DISPLAY_V_LINE_OFFSET: return &model->v_line;
    case DISPLAY_LEAD_OFFSET: return &model->lead;
    case DISPLAY_IRQ_ENABLE_OFFSET: return &model->irq_enable;
    case DISPLAY_FLIP_ADDRESS_OFFSET: return &model->next.address;
    case DISPLAY_FLIP_FRAME_OFFSET: return &model->next.frame;
    case DISPLAY_HOLD_OFFSET: return &model->hold;
    case DISPLAY_OVERLAY_PLACE_OFFSET: return &model->written.overlay_place;
    case DISPLAY_OVERLAY_SIZE_OFFSET: return &model->written.overlay_size;
    case DISPLAY_OVERLAY_MIX_OFFSET: return &model->written.overlay_mix;
    case DISPLAY_OVERLAY_MODE_OFFSET: return &model->written.overlay_mode;
    case DISPLAY_CURSOR_IMAGE_OFFSET: return &model->written.cursor_image;
    case DISPLAY_CURSOR_PLACE_OFFSET: return &model->written.cursor_place;
    default: return NULL;
    }
}

static uint32_t shown_address(const struct display_plane *plane)
{
    return plane->format != (uint32_t)FORMAT_BYTES ? plane->address : 0u;
}

uint32_t display_model_read(const struct display_model *model, uint32_t offset, uint64_t cycle)
{
    if (!model->is_there) return 0;
    switch (offset) {
    case DISPLAY_CONTROL_OFFSET: return model->control;
    case DISPLAY_STATUS_OFFSET: return status(model);
    case DISPLAY_CLOCK_OFFSET: return model->clock;
    case DISPLAY_PROMISE1_OFFSET: return DISPLAY_MODEL_PROMISE1;
    case DISPLAY_PROMISE2_OFFSET: return DISPLAY_MODEL_PROMISE2;
    case DISPLAY_MIX_RATE_OFFSET: return model->mix_rate != 0u ? model->mix_rate : DISPLAY_MODEL_MHZ;
    case DISPLAY_FRAME_OFFSET: return model->frame;
    case DISPLAY_BLANK_LO_OFFSET: return (uint32_t)model->begin;
    case DISPLAY_BLANK_HI_OFFSET: return (uint32_t)(model->begin >> 32);
    case DISPLAY_SCAN_OFFSET: return scan(model, cycle);
    case DISPLAY_IRQ_OFFSET: return model->irq;
    case DISPLAY_IRQ_ENABLE_OFFSET: return model->irq_enable;
    case DISPLAY_HOLD_OFFSET: return model->hold;
    case DISPLAY_TAKEN_OFFSET: return model->taken;
    case DISPLAY_SHOWN_PRIMARY_OFFSET: return shown_address(&model->shown.primary);
    case DISPLAY_SHOWN_OVERLAY_OFFSET: return shown_address(&model->shown.overlay);
    case DISPLAY_MISSED_OFFSET: return model->missed & ~3u;
    default: return 0;
    }
}

static bool is_timing(uint32_t offset)
{
    return offset == DISPLAY_CLOCK_OFFSET || (offset >= DISPLAY_H_SHOW_OFFSET && offset <= DISPLAY_LEAD_OFFSET);
}

static void push(struct display_model *model, uint32_t value, uint64_t cycle)
{
    if (model->queued == (uint32_t)DISPLAY_MODEL_QUEUE) return;
    model->next.push = value;
    model->queue[model->queued++] = model->next;
    if (when_of(&model->queue[0]) != (uint32_t)WHEN_NOW) return;
    if (model->is_running && !model->is_in_blank) draw_rows(model, rows_gone(model, cycle));
    take_now(model);
}

static void control(struct display_model *model, uint32_t value, uint64_t cycle)
{
    model->control = value;
    if (model->is_running || FIELD_GET(value, DISPLAY_CONTROL_ENABLE) == 0u || !can_run(model)) return;
    model->is_running = true;
    model->row = 0;
    begin_blank(model, cycle);
}

void display_model_write(struct display_model *model, uint32_t offset, uint32_t value, uint64_t cycle)
{
    uint32_t *const stored = storage(model, offset);
    if (!model->is_there || (model->is_running && is_timing(offset))) return;
    if (stored != NULL) *stored = value;
    switch (offset) {
    case DISPLAY_CONTROL_OFFSET: control(model, value, cycle); break;
    case DISPLAY_CLOCK_OFFSET:
        if (model->fixed_clock != 0u) model->clock = model->fixed_clock;
        else if (value <= (uint32_t)DISPLAY_MODEL_MHZ * 1000u) model->clock = value;
        break;
    case DISPLAY_IRQ_OFFSET: model->irq &= ~value; break;
    case DISPLAY_FLIP_PUSH_OFFSET: push(model, value, cycle); break;
    case DISPLAY_FLIP_DROP_OFFSET: model->queued = 0; break;
    case DISPLAY_PALETTE_OFFSET:
        model->shown.palette[FIELD_GET(value, DISPLAY_PALETTE_INDEX)] = FIELD_GET(value, DISPLAY_PALETTE_COLOUR);
        break;
    default: break;
    }
}
