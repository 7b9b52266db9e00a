/* SPDX-License-Identifier: Apache-2.0
 *
 * The display's messages. Goal: a FLIP is shown at its blank and not before its DMA buffer, what is shown stays in
 * memory and is whole, and each wrong request is refused by name with nothing changed. Method: the golden model with a
 * display unit; frames are looked at pixel by pixel.
 */
#include "display.h"

/* ------------------------------------------------------------------ modes and owners */

static void test_absent(void)
{
    open_with(8, 8, 0, 0);
    CHECK_EQUAL(call(MSG_QUERY_DISPLAY, 0, 0).words[REPLY_QUERY_DISPLAY_MODES - 4], 0);
    for (uint32_t code = MSG_GIVE_DISPLAY; code <= MSG_WAIT_VBLANK; code++)
        check_refusal(call(code, 1, 0), STATUS_UNSUPPORTED, code);
    close_checked();
}

static void test_modes(void)
{
    {
        const struct client_boot plain = {0};
        open_display(&plain, 0);
    }
    struct answer answer = call(MSG_QUERY_DISPLAY, 0, 0);
    CHECK_EQUAL(answer.words[REPLY_QUERY_DISPLAY_MODES - 4], 0x1f);
    CHECK_EQUAL(answer.words[REPLY_QUERY_DISPLAY_SIZE - 4], 0);
    CHECK_EQUAL(answer.words[REPLY_QUERY_DISPLAY_OWNER - 4], 1);
    check_refusal(call(MSG_SET_MODE, 5, 0), STATUS_BAD_ARGUMENT, MSG_SET_MODE_MODE);
    CHECK_EQUAL(flip(NULL).status, STATUS_NO_MODE);
    CHECK_EQUAL(call(MSG_WAIT_VBLANK, WHEN_NEXT, 0).status, STATUS_NO_MODE);
    static const uint32_t sizes[] = {0, 480 << 16 | 640, 600 << 16 | 800, 768 << 16 | 1024, 720 << 16 | 1280};
    for (uint32_t mode = 0; mode < 5; mode++) {
        answer = call(MSG_SET_MODE, mode, 0);
        CHECK_EQUAL(answer.status, STATUS_OK);
        CHECK_EQUAL(answer.words[REPLY_SET_MODE_PROMISE2 - 4], DISPLAY_MODEL_PROMISE2);
        CHECK_EQUAL(call(MSG_QUERY_DISPLAY, 0, 0).words[REPLY_QUERY_DISPLAY_SIZE - 4], sizes[mode]);
        if (mode == 0) continue;
        show_frame();
        CHECK_EQUAL(seen.columns, sizes[mode] & 0xffffu);
        CHECK_EQUAL(seen.rows, sizes[mode] >> 16);
        CHECK_EQUAL(seen_at(3, 3), 0);
    }
    CHECK_EQUAL(set_mode(DISPLAY_MODE_OFF), STATUS_OK);
    close_checked();
}

/* 60 frames a second, to a percent. */
static void test_rate(void)
{
    begin();
    uint64_t cycle[2];
    for (uint32_t i = 0; i < 2; i++) {
        const struct answer answer = call(MSG_WAIT_VBLANK, WHEN_NEXT, 0);
        cycle[i] =
            (uint64_t)answer.words[REPLY_WAIT_VBLANK_TIME_HI - 4] << 32 | answer.words[REPLY_WAIT_VBLANK_TIME_LO - 4];
    }
    const uint64_t frame = cycle[1] - cycle[0], wanted = DISPLAY_MODEL_MHZ * 1000000u / 60u;
    CHECK(frame > wanted - wanted / 100u && frame < wanted + wanted / 100u);
    close_display();
}

static void test_owner(void)
{
    begin();
    client.id = 1;
    check_refusal(call(MSG_GIVE_DISPLAY, 1, 0), STATUS_NOT_ALLOWED, MSG_GIVE_DISPLAY);
    for (uint32_t code = MSG_SET_MODE; code < MSG_WAIT_VBLANK; code++)
        CHECK_EQUAL(call(code, 0, 0).status, STATUS_NOT_OWNER);
    CHECK_EQUAL(call(MSG_WAIT_VBLANK, WHEN_NEXT, 0).status, STATUS_OK); /* anybody may */
    client.id = 0;
    check_refusal(call(MSG_GIVE_DISPLAY, 64, 0), STATUS_BAD_ARGUMENT, MSG_GIVE_DISPLAY_CLIENT);
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    CHECK_EQUAL(call(MSG_GIVE_DISPLAY, 1, 0).status, STATUS_OK);
    CHECK_EQUAL(flip(&green).status, STATUS_NOT_OWNER);
    show_frame();
    CHECK_EQUAL(seen_at(5, 5), RED_SEEN); /* until the new owner's first flip */
    client.id = 1;
    CHECK_EQUAL(call(MSG_QUERY_DISPLAY, 0, 0).words[REPLY_QUERY_DISPLAY_OWNER - 4], 1);
    check_refusal(flip(&red), STATUS_BAD_HANDLE, MSG_FLIP_HANDLE); /* another client's */
    client.id = 0;
    const uint32_t share[16] = {MSG_SHARE, 0, green.handle, 1, RIGHT_READ};
    CHECK_EQUAL(client_call(&client, share).status, STATUS_OK);
    client.id = 1;
    CHECK_EQUAL(flip(&green).status, STATUS_OK);
    CHECK(!is_marked_shown(&red));
    close_display();
}

/* ------------------------------------------------------------------ flips */

static void test_flip(void)
{
    begin();
    const uint32_t before = frame_now();
    struct answer answer = flip(&red);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK(answer.words[REPLY_FLIP_FRAME - 4] - before <= 1u);
    show_frame();
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) CHECK_EQUAL(seen.pixels[i], RED_SEEN);
    answer = flip(&green);
    CHECK_EQUAL(answer.status, STATUS_OK);
    const uint32_t shown = answer.words[REPLY_FLIP_FRAME - 4];
    while (seen.frame != shown) show_frame();
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) CHECK_EQUAL(seen.pixels[i], GREEN_SEEN);
    CHECK_EQUAL(flip(NULL).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(0, 0), 0);
    CHECK_EQUAL(statistic(STAT_FLIPS), 3);
    CHECK_EQUAL(statistic(STAT_FLIPS_LATE), 0);
    close_display();
}

/* At frame N, and not before; a frame that is over is the next one, and counts as late only if it was. */
static void test_frame(void)
{
    begin();
    struct flip_message message = flip_of(&red);
    const uint32_t wish = frame_now() + 5u;
    message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    message.words[MSG_FLIP_FRAME] = wish;
    struct answer answer = client_call(&client, message.words);
    CHECK_EQUAL(answer.words[REPLY_FLIP_FRAME - 4], wish);
    message.words[MSG_FLIP_HANDLE] = green.handle;
    message.words[MSG_FLIP_FRAME] = wish - 3u;
    answer = client_call(&client, message.words);
    CHECK(answer.words[REPLY_FLIP_FRAME - 4] - wish <= 2u);
    CHECK_EQUAL(call(MSG_WAIT_VBLANK, WHEN_FRAME, wish).status, STATUS_OK); /* over */
    answer = call(MSG_WAIT_VBLANK, WHEN_FRAME, wish + 4u);
    CHECK_EQUAL(answer.words[REPLY_WAIT_VBLANK_FRAME - 4], wish + 4u);
    close_display();
}

/* Four may wait; each is shown in a frame of its own. */
static void test_queue(void)
{
    const struct client_allocation *order[] = {&red, &green, &blue, &red};
    uint32_t tag[5], frame = 0;
    struct answer answer;
    begin();
    for (uint32_t i = 0; i < 5; i++) {
        const struct flip_message message = flip_of(order[i % 4]);
        tag[i] = client_send(&client, message.words);
    }
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, tag[4]);
    CHECK_EQUAL(answer.status, STATUS_BUSY);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.tag, tag[i]);
        if (i != 0) CHECK_EQUAL(answer.words[REPLY_FLIP_FRAME - 4], frame + 1u);
        frame = answer.words[REPLY_FLIP_FRAME - 4];
    }
    CHECK_EQUAL(statistic(STAT_FLIPS_LATE), 0);
    close_display();
}

/* At once: the frame has lines of both. */
static void test_now(void)
{
    begin();
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    struct flip_message message = flip_of(&green);
    CHECK_EQUAL(flip(&green).status, STATUS_OK); /* so that it is in memory */
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    show_frame();
    CHECK(device_blank(client.device));                             /* the end of a blank */
    for (uint32_t i = 0; i < 2000; i++) device_turn(client.device); /* about the middle of the picture */
    message.words[MSG_FLIP_WHEN] = WHEN_NOW;
    CHECK_EQUAL(client_call(&client, message.words).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(9, 0), RED_SEEN);
    CHECK_EQUAL(seen_at(9, ROWS - 1), GREEN_SEEN);
    close_display();
}

/* ------------------------------------------------------------------ what is shown stays */

static void test_stays(void)
{
    struct answer answer;
    begin();
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    CHECK(is_marked_shown(&red) && is_resident(&red));
    CHECK_EQUAL(call(MSG_EVICT, red.handle, 0).status, STATUS_SHOWN);
    CHECK_EQUAL(call(MSG_OFFER, red.handle, 1).status, STATUS_SHOWN);
    CHECK_EQUAL(client_lock(&client, &red, 0), STATUS_SHOWN);
    CHECK_EQUAL(client_lock(&client, &red, LOCK_READ_ONLY), STATUS_OK);
    CHECK_EQUAL(client_unlock(&client, &red), STATUS_OK);
    CHECK_EQUAL(call(MSG_EVICT, 0, 0).status, STATUS_OK);
    CHECK(is_resident(&red));
    const uint32_t destroy[16] = {MSG_DESTROY_ALLOCATION, 0, red.handle};
    const uint32_t tag = client_send(&client, destroy);
    for (uint32_t i = 0; i < 3; i++) show_frame();
    CHECK_EQUAL(seen_at(7, 7), RED_SEEN);
    CHECK(!client_has_answer(&client));
    const struct flip_message next = flip_of(&green);
    const uint32_t flip_tag = client_send(&client, next.words);
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, flip_tag);
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, tag);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(call(MSG_OFFER, green.handle, 1).status, STATUS_SHOWN);
    close_display();
}

/* A new instance of what is shown is not shown: it can leave, and end. */
static void test_renamed(void)
{
    struct client_allocation pages = {0};
    begin();
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    client_pages(&client, &pages, PICTURE_PAGES);
    const uint32_t lock[16] = {[0] = MSG_LOCK,
                               [MSG_LOCK_HANDLE] = red.handle,
                               [MSG_LOCK_FLAGS] = LOCK_ENTIRE | LOCK_DISCARD,
                               [MSG_LOCK_PAGES] = pages.list};
    const struct answer renamed = client_call(&client, lock);
    CHECK_EQUAL(renamed.status, STATUS_OK);
    CHECK(renamed.words[0] != red.handle);
    CHECK_EQUAL(call(MSG_UNLOCK, renamed.words[0], 0).status, STATUS_OK);
    CHECK_EQUAL(call(MSG_EVICT, renamed.words[0], 0).status, STATUS_OK);
    CHECK_EQUAL(call(MSG_EVICT, red.handle, 0).status, STATUS_SHOWN);
    CHECK_EQUAL(call(MSG_DESTROY_ALLOCATION, renamed.words[0], 0).status, STATUS_OK);
    close_display();
}

/* A surface that still has to come is destroyed: it does not come, and the FLIP is dropped. */
static void test_destroyed_before(void)
{
    struct answer answer;
    begin();
    CHECK_EQUAL(call(MSG_EVICT, red.handle, 0).status, STATUS_OK);
    const struct flip_message message = flip_of(&red);
    const uint32_t destroy[16] = {MSG_DESTROY_ALLOCATION, 0, red.handle};
    const uint32_t flip_tag = client_send(&client, message.words), tag = client_send(&client, destroy);
    for (int answers = 0; answers < 2; answers++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, answer.tag == tag ? STATUS_OK : STATUS_DROPPED);
        CHECK(answer.tag == tag || answer.tag == flip_tag);
    }
    close_display();
}

/* Memory is full of what others use, and of what is mapped: the surface comes by ordinary planning. */
static void test_comes(void)
{
    enum { OTHERS = 7 };
    struct client_allocation other[OTHERS];
    begin();
    const uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < OTHERS; i++) {
        CHECK_EQUAL(client_create(&client, &other[i], 140, SET_2, NULL), STATUS_OK);
        CHECK_EQUAL(use(context, &other[i]), STATUS_OK);
    }
    CHECK(!is_resident(&red));
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    CHECK(is_resident(&red));
    show_frame();
    CHECK_EQUAL(seen_at(1, 1), RED_SEEN);
    for (uint32_t i = 0; i < OTHERS; i++) CHECK_EQUAL(use(context, &other[i]), STATUS_OK); /* beside what is shown */
    CHECK(is_resident(&red));
    show_frame();
    CHECK_EQUAL(seen_at(1, 1), RED_SEEN);
    CHECK(statistic(STAT_EVICTIONS) != 0);
    close_display();
}

/* What is pinned leaves no room. */
static void test_no_room(void)
{
    enum { WALLS = 7 };
    const uint32_t pinned[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_PINNED};
    struct client_allocation wall[WALLS];
    begin();
    const uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < WALLS; i++) {
        CHECK_EQUAL(client_create(&client, &wall[i], 140, SET_2, pinned), STATUS_OK);
        CHECK_EQUAL(use(context, &wall[i]), STATUS_OK);
    }
    check_refusal(flip(&red), STATUS_NO_PLACEMENT, 0);
    CHECK(!is_marked_shown(&red));
    CHECK_EQUAL(flip(NULL).status, STATUS_OK);
    close_display();
}

/* ------------------------------------------------------------------ after a DMA buffer */

static uint32_t send_fill(uint32_t context, const struct client_allocation *target, uint32_t pattern)
{
    uint32_t message[16];
    stream_init(&stream);
    stream_fill(&stream, target->handle, 0, COLUMNS * ROWS * 2, pattern, 0);
    client_stage(&client, &stream, context, 0, message);
    return client_send(&client, message);
}

static uint32_t send_after(const struct client_allocation *surface, uint32_t context, uint32_t tag)
{
    struct flip_message message = flip_of(surface);
    message.words[MSG_FLIP_CONTEXT] = context;
    message.words[MSG_FLIP_TAG] = tag;
    return client_send(&client, message.words);
}

static void test_after_drawing(void)
{
    struct answer answer;
    begin();
    const uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    device_engine(client.device)->node[0].is_enabled = false;
    const uint32_t drawn = send_fill(context, &green, BLUE << 16 | BLUE), shown = send_after(&green, context, drawn);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t turn = 0; turn < 200; turn++) device_turn(client.device);
        show_frame();
    }
    CHECK_EQUAL(seen_at(0, 0), RED_SEEN);
    CHECK(!client_has_answer(&client));
    device_engine(client.device)->node[0].is_enabled = true;
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, drawn);
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, shown);
    CHECK_EQUAL(answer.status, STATUS_OK);
    show_frame();
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) CHECK_EQUAL(seen.pixels[i], BLUE_SEEN);
    CHECK_EQUAL(statistic(STAT_FLIPS_LATE), 1);
    (void)send_after(&red, context, drawn); /* it is over: shown as if it named none */
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.status, STATUS_OK);
    close_display();
}

/* Its DMA buffer fails: it is dropped, and what was shown stays. So does the picture when a node is reset. */
static void test_failed_drawing(void)
{
    const struct client_boot hasty = {.timeout = 200000};
    struct answer answer;
    open_display(&hasty, 0);
    create_picture(&red, SET_2, RED);
    create_picture(&green, SET_2, GREEN);
    CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK);
    const uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    device_hang(client.device, 0);
    const uint32_t drawn = send_fill(context, &green, 0), shown = send_after(&green, context, drawn);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.tag, i == 0 ? drawn : shown);
        CHECK_EQUAL(answer.status, i == 0 ? STATUS_TIMEOUT : STATUS_DROPPED);
    }
    CHECK_EQUAL(answer.detail, STATUS_TIMEOUT);
    show_frame();
    CHECK_EQUAL(seen_at(0, 0), RED_SEEN);
    CHECK(!is_marked_shown(&green));
    CHECK_EQUAL(statistic(STAT_FLIPS_DROPPED), 1);
    const uint32_t after = send_after(&green, context, 0);
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, after);
    CHECK_EQUAL(answer.status, STATUS_CONTEXT_LOST);
    close_display();
}

/* All memory is purged: what is shown keeps its pages, so that nothing else is ever seen in its place. */
static void test_adapter_reset(void)
{
    const struct client_boot hasty = {.timeout = 200000};
    struct client_allocation other;
    open_display(&hasty, 0);
    create_picture(&red, SET_2, RED);
    create_picture(&green, SET_2, GREEN);
    CHECK_EQUAL(client_create(&client, &other, 140, SET_2, NULL), STATUS_OK);
    CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK);
    const uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    device_hang(client.device, 1);
    CHECK(use(context, &other) != STATUS_OK);
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 1);
    CHECK(is_marked_shown(&red) && is_resident(&red));
    const uint32_t second = client_context(&client, 0);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQUAL(use(second, &other), STATUS_OK);
        show_frame();
        CHECK_EQUAL(seen_at(639, 479), RED_SEEN);
    }
    CHECK_EQUAL(flip(&green).status, STATUS_OK);
    CHECK(!is_marked_shown(&red));
    close_display();
}

/* What stops the paging node while it brings a surface in is its FLIP's, which ends: no number of them ends the
 * firmware, and none is tried again. The allocations are client 0's and no context uses them. */
static void test_unreadable(void)
{
    enum { TIMES = 12 };
    const struct client_boot hasty = {.timeout = 200000};
    open_display(&hasty, 0);
    struct client_allocation image;
    create_cursor(&image);
    create_picture(&red, SET_2, RED);
    create_picture(&green, SET_2, GREEN);
    CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK);
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    for (uint32_t i = 0; i < TIMES; i++) {
        device_hang(client.device, 1);
        if (i % 2u == 0u) check_refusal(flip(&green), STATUS_DROPPED, STATUS_TIMEOUT);
        else check_refusal(call(MSG_SET_CURSOR, image.handle, 0), STATUS_DROPPED, STATUS_TIMEOUT);
        CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), i + 1u); /* closer together than the window that counts them */
    }
    show_frame();
    CHECK_EQUAL(seen_at(639, 479), RED_SEEN);
    CHECK_EQUAL(statistic(STAT_FLIPS_DROPPED), TIMES);
    CHECK_EQUAL(flip(&green).status, STATUS_OK);
    while (seen_at(0, 0) != GREEN_SEEN) show_frame();
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), TIMES);
    close_display();
}

/* The statistic is in pixels, as those that are black; the register leaves up to three out. */
static void test_missed(void)
{
    enum { LATE = 1003, FRAMES = 3 };
    uint32_t black = 0;
    begin();
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    show_frame();
    device_display(client.device)->late = LATE;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        show_frame();
        for (uint32_t i = 0; i < COLUMNS * ROWS; i++) black += seen.pixels[i] == 0;
    }
    device_display(client.device)->late = 0;
    CHECK_EQUAL(black, FRAMES * LATE);
    CHECK_EQUAL(call(MSG_WAIT_VBLANK, WHEN_NEXT, 0).status, STATUS_OK);
    CHECK_EQUAL(statistic(STAT_MISSED_PIXELS), FRAMES * LATE / 4 * 4);
    close_display();
}

/* ------------------------------------------------------------------ overlay and cursor */

static void test_overlay(void)
{
    begin();
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    CHECK_EQUAL(overlay(&green, 50 << 16 | 100, 20 << 16 | 30, MIX_OPAQUE, 0).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(100, 50), GREEN_SEEN);
    CHECK_EQUAL(seen_at(129, 69), GREEN_SEEN);
    CHECK_EQUAL(seen_at(99, 50), RED_SEEN);
    CHECK_EQUAL(seen_at(130, 69), RED_SEEN);
    CHECK_EQUAL(seen_at(129, 70), RED_SEEN);
    CHECK_EQUAL(overlay(&green, 50 << 16 | 100, 20 << 16 | 30, MIX_KEY, GREEN_SEEN).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(100, 50), RED_SEEN);
    CHECK_EQUAL(overlay(&green, 470 << 16 | 630, 20 << 16 | 30, MIX_ALPHA, 128).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(639, 479), 0x7f8000);
    CHECK_EQUAL(overlay(NULL, 0, 0, 0, 0).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(639, 479), RED_SEEN);
    CHECK(!is_marked_shown(&green));
    close_display();
}

static void test_cursor(void)
{
    struct client_allocation image;
    begin();
    create_cursor(&image);
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    CHECK_EQUAL(call(MSG_MOVE_CURSOR, 40 << 16 | 300, 0).status, STATUS_OK);
    CHECK_EQUAL(cursor(&image, 10 << 16 | 20).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(280, 30), 0xffffff);
    CHECK_EQUAL(seen_at(280, 93), 0xffffff);
    CHECK_EQUAL(seen_at(280, 29), RED_SEEN);
    CHECK_EQUAL(seen_at(280, 94), RED_SEEN);
    CHECK_EQUAL(seen_at(281, 30), RED_SEEN);
    CHECK_EQUAL(call(MSG_MOVE_CURSOR, 0xfff0u << 16 | 20, 0).status, STATUS_OK); /* 16 rows above the picture */
    show_frame();
    show_frame();
    CHECK_EQUAL(seen_at(0, 0), 0xffffff);
    CHECK_EQUAL(seen_at(0, 37), 0xffffff);
    CHECK_EQUAL(seen_at(0, 38), RED_SEEN);
    CHECK_EQUAL(call(MSG_EVICT, image.handle, 0).status, STATUS_SHOWN);
    CHECK_EQUAL(cursor(NULL, 0).status, STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(0, 0), RED_SEEN);
    CHECK_EQUAL(call(MSG_EVICT, image.handle, 0).status, STATUS_OK);
    close_display();
}

/* INDEX8, and a palette from the host's memory. */
static void test_palette(void)
{
    struct client_allocation picture;
    static uint8_t indices[PICTURE_PAGES * CLIENT_PAGE];
    uint32_t colours[256];
    begin();
    CHECK_EQUAL(client_create(&client, &picture, 75, SET_2, NULL), STATUS_OK);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) indices[i] = (uint8_t)(i % COLUMNS);
    client_write(&client, &picture, indices);
    for (uint32_t i = 0; i < 256; i++) colours[i] = 0xff000000u | i * 0x010203u % 0x1000000u;
    client.transport.memory_write(client.transport.context, blue.list, colours, sizeof colours);
    check_refusal(call(MSG_SET_PALETTE, 2, 0), STATUS_BAD_ADDRESS, MSG_SET_PALETTE_ADDRESS);
    CHECK_EQUAL(call(MSG_SET_PALETTE, blue.list, 0).status, STATUS_OK);
    struct flip_message message = flip_of(&picture);
    message.words[MSG_FLIP_FORMAT] = FORMAT_INDEX8;
    message.words[MSG_FLIP_PITCH] = COLUMNS;
    CHECK_EQUAL(client_call(&client, message.words).status, STATUS_OK);
    show_frame();
    for (uint32_t i = 0; i < COLUMNS; i++) CHECK_EQUAL(seen_at(i, 99), colours[i % 256u] & 0xffffffu);
    close_display();
}

/* ------------------------------------------------------------------ ends */

/* A wait for a frame that never comes, and a FLIP for one far away. */
static void test_mode_ends_waits(void)
{
    struct answer answer;
    begin();
    const uint32_t wait[16] = {MSG_WAIT_VBLANK, 0, WHEN_FRAME, frame_now() + 1000u};
    struct flip_message message = flip_of(&red);
    message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    message.words[MSG_FLIP_FRAME] = frame_now() + 1000u;
    const uint32_t off[16] = {MSG_SET_MODE, 0, DISPLAY_MODE_OFF};
    const uint32_t tags[] = {client_send(&client, message.words), client_send(&client, wait),
                             client_send(&client, off)};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.tag, tags[i]);
        CHECK_EQUAL(answer.status, i < 2 ? STATUS_DROPPED : STATUS_OK);
    }
    CHECK(!is_marked_shown(&red));
    CHECK(!device_blank(client.device));
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_absent);
    CHECK_RUN(test_modes);
    CHECK_RUN(test_rate);
    CHECK_RUN(test_owner);
    CHECK_RUN(test_flip);
    CHECK_RUN(test_frame);
    CHECK_RUN(test_queue);
    CHECK_RUN(test_now);
    CHECK_RUN(test_stays);
    CHECK_RUN(test_renamed);
    CHECK_RUN(test_destroyed_before);
    CHECK_RUN(test_comes);
    CHECK_RUN(test_no_room);
    CHECK_RUN(test_after_drawing);
    CHECK_RUN(test_failed_drawing);
    CHECK_RUN(test_adapter_reset);
    CHECK_RUN(test_unreadable);
    CHECK_RUN(test_missed);
    CHECK_RUN(test_overlay);
    CHECK_RUN(test_cursor);
    CHECK_RUN(test_palette);
    CHECK_RUN(test_mode_ends_waits);
    return check_finish();
}
