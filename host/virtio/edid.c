/* SPDX-License-Identifier: Apache-2.0
 *
 * See edid.h.
 */
#include "virtio/edid.h"

#include <string.h>

enum {
    PICTURES = 60, /* a second */
    BLANK_COLUMNS = 160,
    FRONT_COLUMNS = 48,
    SYNC_COLUMNS = 32,
    FRONT_ROWS = 3,
    BACK_ROWS_LEAST = 6,
    BLANK_MICROSECONDS = 460,
    TIMING_AT = 54,
    NAME_AT = 72,
    DESCRIPTOR_BYTES = 18,
};

/* How long a sync is says what shape a picture has. */
static uint32_t sync_rows(uint32_t width, uint32_t height)
{
    static const struct {
        uint32_t width, height, rows;
    } shapes[] = {{4, 3, 4}, {16, 9, 5}, {16, 10, 6}, {5, 4, 7}, {15, 9, 7}};
    for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (width * shapes[i].height == height * shapes[i].width) return shapes[i].rows;
    return 10;
}

static uint32_t blank_rows(uint32_t height, uint32_t sync)
{
    const uint32_t picture = 1000000u / (uint32_t)PICTURES, lit = picture - (uint32_t)BLANK_MICROSECONDS;
    const uint32_t rows = (uint32_t)BLANK_MICROSECONDS * height / lit + 1u;
    const uint32_t least = (uint32_t)FRONT_ROWS + sync + (uint32_t)BACK_ROWS_LEAST;
    return rows > least ? rows : least;
}

static uint8_t low(uint32_t value) { return (uint8_t)(value & 0xffu); }

static void put_timing(uint8_t *timing, uint32_t width, uint32_t height)
{
    const uint32_t sync = sync_rows(width, height), blank = blank_rows(height, sync);
    const uint32_t units = (uint32_t)PICTURES * (width + (uint32_t)BLANK_COLUMNS) * (height + blank);
    const uint32_t clock = units / 250000u * 25u; /* in 10 kHz */
    const uint32_t millimetres_wide = width * 254u / 960u, millimetres_high = height * 254u / 960u;
    const uint8_t bytes[DESCRIPTOR_BYTES] = {
        low(clock),
        low(clock >> 8),
        low(width),
        BLANK_COLUMNS,
        low(width >> 8 << 4),
        low(height),
        low(blank),
        low(height >> 8 << 4 | blank >> 8),
        FRONT_COLUMNS,
        SYNC_COLUMNS,
        low((uint32_t)FRONT_ROWS << 4 | sync),
        0,
        low(millimetres_wide),
        low(millimetres_high),
        low(millimetres_wide >> 8 << 4 | millimetres_high >> 8),
        0,
        0,
        0x1a, /* syncs of their own, of columns positive */
    };
    memcpy(timing, bytes, sizeof bytes);
}

static uint8_t centimetres(uint32_t units)
{
    const uint32_t wanted = units * 254u / 9600u;
    return low(wanted < 255u ? wanted : 255u);
}

void edid_make(uint8_t edid[EDID_BYTES], uint32_t width, uint32_t height)
{
    static const uint8_t head[20] = {0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x52, 0x72, /* "TSR" */
                                     1,    0,    0,    0,    0,    0,    0,    36,   1,    4};   /* 2026, EDID 1.4 */
    static const uint8_t colours[10] = {0xee, 0x91, 0xa3, 0x54, 0x4c, 0x99, 0x26, 0x0f, 0x50, 0x54}; /* sRGB */
    static const uint8_t name[DESCRIPTOR_BYTES] = {0,   0,   0,   0xfc, 0,   'T', 'e', 's', 's',
                                                   'e', 'r', 'a', '\n', ' ', ' ', ' ', ' ', ' '};
    uint8_t sum = 0;
    memset(edid, 0, EDID_BYTES);
    memcpy(edid, head, sizeof head);
    edid[20] = 0xa5; /* digital, 8 bits a colour */
    edid[21] = centimetres(width);
    edid[22] = centimetres(height);
    edid[23] = 120; /* a gamma of 2.2 */
    edid[24] = 6;   /* sRGB; the timing below is the display's own */
    memcpy(edid + 25, colours, sizeof colours);
    if (width >= 640u && height >= 480u) edid[35] |= 0x20;
    if (width >= 800u && height >= 600u) edid[35] |= 1;
    if (width >= 1024u && height >= 768u) edid[36] |= 8;
    memset(edid + 38, 1, 16); /* no standard timings */
    put_timing(edid + TIMING_AT, width, height);
    memcpy(edid + NAME_AT, name, sizeof name);
    edid[NAME_AT + DESCRIPTOR_BYTES + 3] = edid[NAME_AT + 2 * DESCRIPTOR_BYTES + 3] = 0x10; /* unused */
    for (uint32_t i = 0; i < EDID_BYTES - 1u; i++) sum = low((uint32_t)sum + edid[i]);
    edid[EDID_BYTES - 1] = low(256u - sum);
}
