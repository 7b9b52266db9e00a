/* SPDX-License-Identifier: Apache-2.0
 *
 * The modes are those of the VESA DMT and CEA-861 tables.
 */
#include "display/modes.h"

static const struct mode modes[MODE_COUNT] = {
    [DISPLAY_MODE_OFF] = {0},
    [DISPLAY_MODE_VGA] = {640, 480, 656, 752, 800, 490, 492, 525, 25175, false},
    [DISPLAY_MODE_SVGA] = {800, 600, 840, 968, 1056, 601, 605, 628, 40000, true},
    [DISPLAY_MODE_XGA] = {1024, 768, 1048, 1184, 1344, 771, 777, 806, 65000, false},
    [DISPLAY_MODE_HD] = {1280, 720, 1390, 1430, 1650, 725, 730, 750, 74250, true},
};

const struct mode *mode_at(uint32_t number)
{
    ASSERT(number < (uint32_t)MODE_COUNT);
    return &modes[number];
}

/* The clock that a wish for this one gives. */
static uint32_t clock_for(uint32_t kilohertz)
{
    hal_register_write(DISPLAY_CLOCK_OFFSET, kilohertz);
    return hal_register_read(DISPLAY_CLOCK_OFFSET);
}

uint32_t modes_offered(void)
{
    uint32_t offered = 1u << DISPLAY_MODE_OFF;
    for (uint32_t i = DISPLAY_MODE_OFF + 1; i < (uint32_t)MODE_COUNT; i++) {
        const uint32_t wish = modes[i].kilohertz, gets = clock_for(wish);
        const uint32_t difference = gets > wish ? gets - wish : wish - gets;
        if (difference <= wish / 100u) offered |= 1u << i;
    }
    return offered;
}

void mode_start(uint32_t number)
{
    const struct mode *mode = mode_at(number);
    uint32_t control = 0;
    if (number != DISPLAY_MODE_OFF) {
        (void)clock_for(mode->kilohertz);
        hal_register_write(DISPLAY_H_SHOW_OFFSET, FIELD_PUT(mode->columns, DISPLAY_H_SHOW_VISIBLE) |
                                                      FIELD_PUT(mode->h_sync, DISPLAY_H_SHOW_SYNC));
        hal_register_write(DISPLAY_H_LINE_OFFSET, FIELD_PUT(mode->h_end, DISPLAY_H_LINE_SYNC_END) |
                                                      FIELD_PUT(mode->h_total, DISPLAY_H_LINE_TOTAL));
        hal_register_write(DISPLAY_V_SHOW_OFFSET, FIELD_PUT(mode->rows, DISPLAY_V_SHOW_VISIBLE) |
                                                      FIELD_PUT(mode->v_sync, DISPLAY_V_SHOW_SYNC));
        hal_register_write(DISPLAY_V_LINE_OFFSET, FIELD_PUT(mode->v_end, DISPLAY_V_LINE_SYNC_END) |
                                                      FIELD_PUT(mode->v_total, DISPLAY_V_LINE_TOTAL));
        hal_register_write(DISPLAY_LEAD_OFFSET, mode->h_total / 2u);
        control = FIELD_PUT(1, DISPLAY_CONTROL_ENABLE) | FIELD_PUT(mode->is_high, DISPLAY_CONTROL_HSYNC_HIGH) |
                  FIELD_PUT(mode->is_high, DISPLAY_CONTROL_VSYNC_HIGH);
    }
    hal_register_write(DISPLAY_CONTROL_OFFSET, control);
}

uint32_t mode_line_ticks(uint32_t number)
{
    const struct mode *mode = mode_at(number);
    if (mode->kilohertz == 0u) return 0;
    return mode->h_total * (uint32_t)MODE_TICKS * 1000u / mode->kilohertz;
}
