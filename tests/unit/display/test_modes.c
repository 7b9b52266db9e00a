/* SPDX-License-Identifier: Apache-2.0
 *
 * The display's modes. Goal: each is 60 frames a second by its own numbers, is offered exactly when the clock comes
 * within a percent, and is what the registers then hold. Method: the registers on an array, with clocks of several
 * units.
 */
#include "check.h"
#include "display/modes.h"
#include "fake_hal.h"

static uint32_t held(uint32_t offset) { return fake_hal.registers[offset / 4]; }

/* The order of a line and of a frame: visible, then the pulse, inside the whole; the rate is 60, to 0.7 percent. */
static void test_timing(void)
{
    static const uint32_t sizes[MODE_COUNT][2] = {{0, 0}, {640, 480}, {800, 600}, {1024, 768}, {1280, 720}};
    for (uint32_t i = DISPLAY_MODE_OFF + 1; i < (uint32_t)MODE_COUNT; i++) {
        const struct mode *mode = mode_at(i);
        CHECK(mode->columns == sizes[i][0] && mode->rows == sizes[i][1]);
        CHECK(mode->columns < mode->h_sync && mode->h_sync < mode->h_end && mode->h_end < mode->h_total);
        CHECK(mode->rows < mode->v_sync && mode->v_sync < mode->v_end && mode->v_end < mode->v_total);
        const uint64_t rate = (uint64_t)mode->kilohertz * 1000000u / (mode->h_total * (uint64_t)mode->v_total);
        CHECK(rate > 59900u && rate < 60400u);
        const uint64_t ticks = (uint64_t)mode->h_total * MODE_TICKS * 1000u;
        CHECK_EQUAL(mode_line_ticks(i), ticks / mode->kilohertz);
    }
    CHECK_EQUAL(mode_line_ticks(DISPLAY_MODE_OFF), 0);
    CHECK_EQUAL(mode_at(DISPLAY_MODE_OFF)->columns, 0);
    CHECK(FAKE_STOPS(mode_at(MODE_COUNT)));
}

/* Both sides of a percent for each mode: a clock that gives `less` than it is asked for. */
static void test_offered(void)
{
    fake_hal_reset();
    CHECK_EQUAL(modes_offered(), (1u << MODE_COUNT) - 1u);
    for (uint32_t i = DISPLAY_MODE_OFF + 1; i < (uint32_t)MODE_COUNT; i++) {
        const uint32_t wish = mode_at(i)->kilohertz, allowed = wish / 100u;
        for (uint32_t is_less = 0; is_less < 2; is_less++) {
            fake_hal.clock_unit = wish - allowed - is_less; /* the only multiple of it that is near */
            CHECK_EQUAL(modes_offered() >> i & 1u, !is_less);
            CHECK_EQUAL(modes_offered() & 1u, 1);
        }
    }
}

static void test_start(void)
{
    fake_hal_reset();
    for (uint32_t i = DISPLAY_MODE_OFF + 1; i < (uint32_t)MODE_COUNT; i++) {
        const struct mode *mode = mode_at(i);
        const bool is_high = i == DISPLAY_MODE_SVGA || i == DISPLAY_MODE_HD;
        mode_start(i);
        CHECK_EQUAL(held(DISPLAY_CLOCK_OFFSET), mode->kilohertz);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_H_SHOW_OFFSET), DISPLAY_H_SHOW_VISIBLE), mode->columns);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_H_SHOW_OFFSET), DISPLAY_H_SHOW_SYNC), mode->h_sync);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_H_LINE_OFFSET), DISPLAY_H_LINE_SYNC_END), mode->h_end);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_H_LINE_OFFSET), DISPLAY_H_LINE_TOTAL), mode->h_total);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_V_SHOW_OFFSET), DISPLAY_V_SHOW_VISIBLE), mode->rows);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_V_SHOW_OFFSET), DISPLAY_V_SHOW_SYNC), mode->v_sync);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_V_LINE_OFFSET), DISPLAY_V_LINE_SYNC_END), mode->v_end);
        CHECK_EQUAL(FIELD_GET(held(DISPLAY_V_LINE_OFFSET), DISPLAY_V_LINE_TOTAL), mode->v_total);
        CHECK(held(DISPLAY_LEAD_OFFSET) > 0u && held(DISPLAY_LEAD_OFFSET) < mode->h_total);
        const uint32_t control = held(DISPLAY_CONTROL_OFFSET);
        CHECK_EQUAL(FIELD_GET(control, DISPLAY_CONTROL_ENABLE), 1);
        CHECK_EQUAL(FIELD_GET(control, DISPLAY_CONTROL_HSYNC_HIGH), is_high);
        CHECK_EQUAL(FIELD_GET(control, DISPLAY_CONTROL_VSYNC_HIGH), is_high);
    }
    mode_start(DISPLAY_MODE_OFF);
    CHECK_EQUAL(held(DISPLAY_CONTROL_OFFSET), 0);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_timing);
    CHECK_RUN(test_offered);
    CHECK_RUN(test_start);
    return check_finish();
}
