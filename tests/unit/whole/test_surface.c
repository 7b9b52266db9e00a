/* SPDX-License-Identifier: Apache-2.0
 *
 * What the display refuses. Goal: each wrong word of a FLIP, each state of its allocation, and too much bandwidth are
 * refused by name, and the picture stays as it is. Method: the golden model with a display unit; one word at a time is
 * wrong in a message that is right otherwise.
 */
#include "display.h"

static void test_refusals(void)
{
    static const struct {
        uint32_t word, value, status, detail;
    } rows[] = {
        {MSG_FLIP_PLANE, 2, STATUS_BAD_ARGUMENT, MSG_FLIP_PLANE},
        {MSG_FLIP_HANDLE, 0x12345, STATUS_BAD_HANDLE, MSG_FLIP_HANDLE},
        {MSG_FLIP_HANDLE, 0, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH}, /* none, and words of a surface */
        {MSG_FLIP_OFFSET, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_OFFSET},
        {MSG_FLIP_OFFSET, 2, STATUS_EXTENT, 0},
        {MSG_FLIP_OFFSET, 0xfffffffe, STATUS_EXTENT, 0},
        {MSG_FLIP_PITCH, PITCH - 2, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, PITCH + 1, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, 65536, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, PITCH + 2, STATUS_EXTENT, 0},
        {MSG_FLIP_FORMAT, FORMAT_ARGB8888, STATUS_BAD_ARGUMENT, MSG_FLIP_FORMAT},
        {MSG_FLIP_FORMAT, FORMAT_BYTES, STATUS_BAD_ARGUMENT, MSG_FLIP_FORMAT},
        {MSG_FLIP_WHEN, 3, STATUS_BAD_ARGUMENT, MSG_FLIP_WHEN},
        {MSG_FLIP_WHEN, 5, STATUS_BAD_ARGUMENT, MSG_FLIP_WHEN},
        {MSG_FLIP_FRAME, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_FRAME},
        {MSG_FLIP_CONTEXT, 99, STATUS_BAD_CONTEXT, 0},
        {MSG_FLIP_TAG, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_TAG},
        {MSG_FLIP_POSITION, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_POSITION},
        {MSG_FLIP_SIZE, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_SIZE},
        {MSG_FLIP_MIX, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_MIX},
        {MSG_FLIP_VALUE, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_VALUE},
    };
    begin();
    CHECK_EQUAL(flip(&blue).status, STATUS_OK);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct flip_message message = flip_of(&red);
        message.words[rows[i].word] = rows[i].value;
        check_refusal(client_call(&client, message.words), rows[i].status, rows[i].detail);
    }
    struct flip_message message = flip_of(&red);
    message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    message.words[MSG_FLIP_FRAME] = frame_now() + 70000u;
    check_refusal(client_call(&client, message.words), STATUS_BAD_ARGUMENT, MSG_FLIP_FRAME);
    static const uint32_t overlays[][5] = {{4096, 1 << 16 | 1, 0, 0, MSG_FLIP_POSITION},
                                           {4096u << 16, 1 << 16 | 1, 0, 0, MSG_FLIP_POSITION},
                                           {0, 1, 0, 0, MSG_FLIP_SIZE},
                                           {0, 1 << 16, 0, 0, MSG_FLIP_SIZE},
                                           {0, 1 << 16 | 4096, 0, 0, MSG_FLIP_SIZE},
                                           {0, 1 << 16 | 1, 3, 0, MSG_FLIP_MIX},
                                           {0, 1 << 16 | 1, MIX_OPAQUE, 1, MSG_FLIP_VALUE},
                                           {0, 1 << 16 | 1, MIX_KEY, 1 << 24, MSG_FLIP_VALUE},
                                           {0, 1 << 16 | 1, MIX_ALPHA, 256, MSG_FLIP_VALUE}};
    for (uint32_t i = 0; i < sizeof overlays / sizeof *overlays; i++)
        check_refusal(overlay(&red, overlays[i][0], overlays[i][1], overlays[i][2], overlays[i][3]),
                      STATUS_BAD_ARGUMENT, overlays[i][4]);
    check_refusal(call(MSG_WAIT_VBLANK, WHEN_NOW, 0), STATUS_BAD_ARGUMENT, MSG_WAIT_VBLANK_WHEN);
    check_refusal(call(MSG_WAIT_VBLANK, WHEN_NEXT, 1), STATUS_BAD_ARGUMENT, MSG_WAIT_VBLANK_FRAME);
    show_frame();
    CHECK_EQUAL(seen_at(320, 200), BLUE_SEEN);
    CHECK(!is_marked_shown(&red));
    close_display();
}

/* The allocation's state speaks against it. */
static void test_states(void)
{
    struct client_allocation mapped, tiled;
    const uint32_t swizzled[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_SWIZZLED,
                                   [MSG_CREATE_ALLOCATION_PITCH] = PITCH,
                                   [MSG_CREATE_ALLOCATION_HEIGHT] = 1 << 16 | ROWS};
    begin();
    CHECK_EQUAL(client_lock(&client, &red, 0), STATUS_OK);
    CHECK_EQUAL(flip(&red).status, STATUS_LOCKED);
    CHECK_EQUAL(client_unlock(&client, &red), STATUS_OK);
    CHECK_EQUAL(call(MSG_OFFER, red.handle, 1).status, STATUS_OK);
    CHECK_EQUAL(flip(&red).status, STATUS_OFFERED);
    CHECK_EQUAL(call(MSG_RECLAIM, red.handle, 0).status, STATUS_OK);
    create_picture(&mapped, SET_APERTURE, RED);
    check_refusal(flip(&mapped), STATUS_NO_SEGMENT, MSG_FLIP_HANDLE);
    CHECK_EQUAL(client_create(&client, &tiled, PICTURE_PAGES, SET_2, swizzled), STATUS_OK);
    check_refusal(flip(&tiled), STATUS_UNSUPPORTED, 0);
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    close_display();
}

/* 720 rows of a line's time: two planes of 16 bits fit, a wide one of 32 beside another does not. */
static void test_bandwidth(void)
{
    struct client_allocation wide;
    const uint32_t whole[16] = {0};
    begin();
    CHECK_EQUAL(client_create(&client, &wide, CLIENT_PAGES, SET_2, whole), STATUS_OK);
    struct flip_message message = flip_of(&wide);
    message.words[MSG_FLIP_PLANE] = PLANE_OVERLAY;
    message.words[MSG_FLIP_FORMAT] = FORMAT_XRGB8888;
    message.words[MSG_FLIP_PITCH] = 4095 * 4;
    message.words[MSG_FLIP_SIZE] = 1 << 16 | 2400;
    CHECK_EQUAL(flip(&red).status, STATUS_OK); /* 256 + 1,280 of 12,711 bytes */
    CHECK_EQUAL(client_call(&client, message.words).status, STATUS_OK);
    message.words[MSG_FLIP_SIZE] = 1 << 16 | 2800;
    const struct answer answer = client_call(&client, message.words);
    check_refusal(answer, STATUS_NO_BANDWIDTH, (256 + 1280 + 11200) * 1024 / 32540);
    close_display();
}

int main(void)
{
    CHECK_RUN(test_refusals);
    CHECK_RUN(test_states);
    CHECK_RUN(test_bandwidth);
    return check_finish();
}
