/* SPDX-License-Identifier: Apache-2.0
 *
 * See panel.h. Whatever has failed may be in any state, so nothing here asserts, and each wait has an end.
 */
#include "display/panel.h"

#include "display/modes.h"

enum {
    SCALE = 2, /* pixels of a dot, each way */
    PIXEL = 2, /* bytes, RGB565 */
    DOT = SCALE * PIXEL,
    DOTS = 5,    /* of a letter, across */
    ROWS = 7,    /* down */
    ADVANCE = 6, /* dots from letter to letter */
    TITLE = 6,   /* letters before the code */
    LETTERS = TITLE + 2 + 1 + 8,
    MARGIN = 16,
    WIDTH = LETTERS * ADVANCE * SCALE + 2 * MARGIN,
    HEIGHT = ROWS * SCALE + 2 * MARGIN,
    PITCH = WIDTH * PIXEL,
    PAGING_NODE = 1,
    POLLS = 100000,
    BLANK = 19 /* a letter */
};

static const uint32_t background = 0x00100010u, ink = 0xffffffffu; /* two pixels each: blue, white */

/* Hexadecimal digits, then P, N and I: rows of five dots, the left one in bit 4. */
static const uint8_t letters[BLANK][ROWS] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},      {14, 17, 1, 2, 4, 8, 31},
    {31, 2, 4, 2, 1, 17, 14},     {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},
    {6, 8, 16, 30, 17, 17, 14},   {31, 1, 2, 4, 8, 8, 8},       {14, 17, 17, 14, 17, 17, 14},
    {14, 17, 17, 15, 1, 2, 12},   {14, 17, 17, 31, 17, 17, 17}, {30, 17, 17, 30, 17, 17, 30},
    {14, 17, 16, 16, 16, 17, 14}, {30, 17, 17, 17, 17, 17, 30}, {31, 16, 16, 30, 16, 16, 31},
    {31, 16, 16, 30, 16, 16, 16}, {30, 17, 17, 30, 16, 16, 16}, {17, 25, 21, 19, 17, 17, 17},
    {14, 4, 4, 4, 4, 4, 14},
};

static uint32_t node(uint32_t offset) { return offset + (uint32_t)PAGING_NODE * (uint32_t)NODE_STRIDE; }

/* ------------------------------------------------------------------ the node */

static bool end_node(uint32_t number)
{
    const uint32_t control = NODE_CONTROL_OFFSET + number * (uint32_t)NODE_STRIDE;
    hal_register_write(control, FIELD_PUT(1, NODE_CONTROL_RESET));
    for (uint32_t polls = 0; polls < (uint32_t)POLLS; polls++)
        if (FIELD_GET(hal_register_read(control), NODE_CONTROL_RESET) == 0u) return true;
    return false;
}

/* Both stop, since the render node may draw; the paging node begins again with an empty ring. */
static bool take_node(void)
{
    const bool is_render_stopped = end_node(0);
    if (!end_node(PAGING_NODE) || !is_render_stopped) return false;
    hal_register_write(node(NODE_TAIL_OFFSET), hal_register_read(node(NODE_HEAD_OFFSET)));
    hal_register_write(node(NODE_CONTROL_OFFSET), FIELD_PUT(1, NODE_CONTROL_ENABLE));
    return true;
}

/* False: it was not carried out. */
static bool execute(const uint32_t *words, uint32_t count)
{
    const uint32_t ring = hal_register_read(node(NODE_RING_BASE_OFFSET));
    const uint32_t mask = (1u << (hal_register_read(node(NODE_RING_SIZE_OFFSET)) & 31u)) - 1u;
    uint32_t tail = hal_register_read(node(NODE_TAIL_OFFSET));
    for (uint32_t i = 0; i < count; i++) hal_command_write(ring + (tail++ & mask) * 4u, words[i]);
    hal_barrier();
    hal_register_write(node(NODE_TAIL_OFFSET), tail);
    for (uint32_t polls = 0; polls < (uint32_t)POLLS; polls++)
        if (hal_register_read(node(NODE_HEAD_OFFSET)) == tail) return true;
    return false;
}

static bool fill(uint32_t from, uint32_t bytes, uint32_t pattern)
{
    const uint32_t words[PKT_FILL_WORDS] = {PKT_FILL | FIELD_PUT(1, PKT_FILL_BARRIER), GPU_LIMIT(ADDR_SEGMENT1) + from,
                                            bytes, pattern};
    return execute(words, PKT_FILL_WORDS);
}

/* ------------------------------------------------------------------ the panel */

/* The upper pixels of each row of dots. */
static bool write_letter(uint32_t letter, uint32_t column)
{
    bool is_good = letter <= (uint32_t)BLANK;
    for (uint32_t row = 0; letter < (uint32_t)BLANK && row < (uint32_t)ROWS; row++)
        for (uint32_t dot = 0; dot < (uint32_t)DOTS; dot++) {
            const uint32_t line = MARGIN + row * SCALE, place = MARGIN * PIXEL + (column * ADVANCE + dot) * DOT;
            if ((letters[letter][row] >> (DOTS - 1 - dot) & 1u) == 0u) continue;
            is_good = is_good && fill(line * (uint32_t)PITCH + place, DOT, ink);
        }
    return is_good;
}

/* The lower pixels are copies of the upper ones, SCALE is 2; then all of it is in memory. */
static bool end_panel(void)
{
    const uint32_t from = GPU_LIMIT(ADDR_SEGMENT1) + (uint32_t)MARGIN * PITCH;
    const uint32_t copy[PKT_COPY_2D_WORDS] = {
        PKT_COPY_2D | FIELD_PUT(1, PKT_COPY_2D_BARRIER), from, from + (uint32_t)PITCH,
        FIELD_PUT(PITCH, PKT_COPY_2D_ROW_BYTES) | FIELD_PUT(ROWS, PKT_COPY_2D_ROWS),
        FIELD_PUT(SCALE * PITCH, PKT_COPY_2D_SOURCE_PITCH) | FIELD_PUT(SCALE * PITCH, PKT_COPY_2D_TARGET_PITCH)};
    const uint32_t fence[PKT_FENCE_WORDS] = {PKT_FENCE, hal_register_read(node(NODE_FENCE_OFFSET)) + 1u};
    return execute(copy, PKT_COPY_2D_WORDS) && execute(fence, PKT_FENCE_WORDS);
}

static bool write_panel(uint32_t code, uint32_t place)
{
    static const uint8_t panic[TITLE] = {16, 10, 17, 18, 12, BLANK};
    bool is_good = take_node() && fill(0, PITCH * HEIGHT, background);
    for (uint32_t i = 0; i < (uint32_t)TITLE; i++) is_good = is_good && write_letter(panic[i], i);
    for (uint32_t i = 0; i < 2u; i++) is_good = is_good && write_letter(code >> (4u - 4u * i) & 15u, TITLE + i);
    for (uint32_t i = 0; i < 8u; i++) is_good = is_good && write_letter(place >> (28u - 4u * i) & 15u, TITLE + 3u + i);
    return is_good && end_panel();
}

void panel_show(uint32_t mode, uint32_t code, uint32_t place)
{
    const uint32_t none =
        FIELD_PUT(FORMAT_BYTES, DISPLAY_FLIP_PUSH_FORMAT) | FIELD_PUT(WHEN_NEXT, DISPLAY_FLIP_PUSH_WHEN);
    if (mode == (uint32_t)DISPLAY_MODE_OFF || mode >= (uint32_t)MODE_COUNT) return;
    const struct mode *shown = mode_at(mode);
    hal_register_write(DISPLAY_FLIP_DROP_OFFSET, 1);
    hal_register_write(DISPLAY_CURSOR_IMAGE_OFFSET, 0);
    hal_register_write(DISPLAY_HOLD_OFFSET, 0);
    const bool is_good = write_panel(code, place);
    hal_register_write(DISPLAY_OVERLAY_PLACE_OFFSET,
                       FIELD_PUT((shown->columns - WIDTH) / 2u, DISPLAY_OVERLAY_PLACE_X) |
                           FIELD_PUT((shown->rows - HEIGHT) / 2u, DISPLAY_OVERLAY_PLACE_Y));
    hal_register_write(DISPLAY_OVERLAY_SIZE_OFFSET,
                       FIELD_PUT(WIDTH, DISPLAY_OVERLAY_SIZE_WIDTH) | FIELD_PUT(HEIGHT, DISPLAY_OVERLAY_SIZE_HEIGHT));
    hal_register_write(DISPLAY_OVERLAY_MIX_OFFSET, FIELD_PUT(255, DISPLAY_OVERLAY_MIX_ALPHA));
    hal_register_write(DISPLAY_OVERLAY_MODE_OFFSET, 0);
    hal_register_write(DISPLAY_FLIP_ADDRESS_OFFSET, is_good ? GPU_LIMIT(ADDR_SEGMENT1) : 0u);
    hal_register_write(DISPLAY_FLIP_PUSH_OFFSET,
                       FIELD_PUT(1, DISPLAY_FLIP_PUSH_OVERLAY) | FIELD_PUT(WHEN_NEXT, DISPLAY_FLIP_PUSH_WHEN) |
                           FIELD_PUT(is_good ? FORMAT_RGB565 : FORMAT_BYTES, DISPLAY_FLIP_PUSH_FORMAT) |
                           FIELD_PUT(PITCH, DISPLAY_FLIP_PUSH_PITCH));
    hal_register_write(DISPLAY_FLIP_ADDRESS_OFFSET, 0);
    hal_register_write(DISPLAY_FLIP_PUSH_OFFSET, none);
}
