/* SPDX-License-Identifier: Apache-2.0
 *
 * What the display shows when most is at stake: a picture, an overlay and a cursor are shown, and four flips wait.
 * Goal: whatever happens to the seven allocations, to a node or to the adapter, each frame is the one that the flips
 * ask for, and never another's bytes; and what is no longer shown is free. Method: the golden model with a display
 * unit; every pixel of every frame is compared, while others write over all memory that is free.
 */
#include "display.h"

enum {
    OTHERS = 6,
    SHOWN = 3, /* of the surfaces below: these are shown, the others wait */
    SURFACES = 7,
    AHEAD = 20, /* frames from the first to the flips */
    LEFT = 100,
    TOP = 50,
    WIDTH = 30,
    HEIGHT = 20,
    AT_X = 110, /* of the cursor: over the overlay's lower edge */
    AT_Y = 60,
    WHITE_SEEN = 0xffffff,
    NOTHING = -1
};

/* Picture, overlay and cursor that are shown; then picture and overlay of one frame, and of the next. */
enum { PICTURE, OVERLAY, CURSOR, PICTURE_2, OVERLAY_2, PICTURE_3, OVERLAY_3 };
static const uint32_t colour[SURFACES] = {RED, GREEN, 0, BLUE, 0xffe0, 0x07ff, 0xf81f};
static const uint32_t colour_seen[SURFACES] = {RED_SEEN, GREEN_SEEN, WHITE_SEEN, BLUE_SEEN,
                                               0xffff00, 0x00ffff,   0xff00ff};
static struct client_allocation surface[SURFACES], other[OTHERS];
static uint32_t tags[SURFACES], context;

/* What frames show: a surface of each plane, or NOTHING. From frame `from` on. */
static struct look {
    uint32_t from;
    int32_t picture, overlay, cursor;
} looks[4];
static uint32_t look_count, frames_compared;

static uint32_t expected(const struct look *look, uint32_t x, uint32_t y)
{
    if (look->cursor != NOTHING && x == AT_X && y - AT_Y < (uint32_t)CURSOR_SIDE) return WHITE_SEEN;
    if (look->overlay != NOTHING && x - LEFT < (uint32_t)WIDTH && y - TOP < (uint32_t)HEIGHT)
        return colour_seen[look->overlay];
    return look->picture != NOTHING ? colour_seen[look->picture] : 0;
}

static void compare(void *unused, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                    uint64_t cycle)
{
    const struct look *look = NULL;
    (void)unused, (void)cycle;
    seen.count++;
    for (uint32_t i = 0; i < look_count; i++)
        if ((int32_t)(frame - looks[i].from) >= 0) look = &looks[i];
    if (look == NULL) return;
    frames_compared++;
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            if (pixels[y * columns + x] == expected(look, x, y)) continue;
            printf("frame %u, from %u: pixel %u, %u is %06x, not %06x\n", frame, looks[0].from, x, y,
                   pixels[y * columns + x], expected(look, x, y));
            CHECK(false);
        }
}

static void add_look(uint32_t from, int32_t picture, int32_t overlay, int32_t cursor_shown)
{
    CHECK(look_count < sizeof looks / sizeof *looks);
    looks[look_count++] = (struct look){from, picture, overlay, cursor_shown};
}

/* ------------------------------------------------------------------ what is shown, and waits */

static struct flip_message flip_message_of(uint32_t index)
{
    struct flip_message message = flip_of(&surface[index]);
    if (index != OVERLAY && index != OVERLAY_2 && index != OVERLAY_3) return message;
    message.words[MSG_FLIP_PLANE] = PLANE_OVERLAY;
    message.words[MSG_FLIP_POSITION] = TOP << 16 | LEFT;
    message.words[MSG_FLIP_SIZE] = HEIGHT << 16 | WIDTH;
    return message;
}

static void send_flip(uint32_t index, uint32_t frame)
{
    struct flip_message message = flip_message_of(index);
    message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    message.words[MSG_FLIP_FRAME] = frame;
    tags[index] = client_send(&client, message.words);
    while (!is_marked_shown(&surface[index])) CHECK(device_turn(client.device));
}

/* By the GPU: the host has no such bytes. */
static void draw(uint32_t index)
{
    stream_init(&stream);
    stream_fill(&stream, surface[index].handle, 0, PICTURE_PAGES * CLIENT_PAGE, colour[index] << 16 | colour[index], 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
}

/* Of the four that wait, the first two are for this frame, the others for the next one. */
static uint32_t begin_worst(const struct client_boot *boot)
{
    open_display(boot, 0);
    look_count = frames_compared = 0;
    memset(tags, 0, sizeof tags);
    for (uint32_t i = 0; i < SURFACES; i++)
        if (i == CURSOR) create_cursor(&surface[i]);
        else create_picture(&surface[i], SET_2, i % 2u != 0 ? RED ^ BLUE : colour[i]);
    for (uint32_t i = 0; i < OTHERS; i++) CHECK_EQUAL(client_create(&client, &other[i], 100, SET_2, NULL), STATUS_OK);
    context = client_context(&client, 0);
    for (uint32_t i = OVERLAY; i < SURFACES; i += 2u) draw(i);
    CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK);
    for (uint32_t i = PICTURE; i <= (uint32_t)OVERLAY; i++) {
        const struct flip_message message = flip_message_of(i);
        CHECK_EQUAL(client_call(&client, message.words).status, STATUS_OK);
    }
    CHECK_EQUAL(call(MSG_MOVE_CURSOR, AT_Y << 16 | AT_X, 0).status, STATUS_OK);
    const struct answer answer = cursor(&surface[CURSOR], 0);
    CHECK_EQUAL(answer.status, STATUS_OK);
    device_display(client.device)->on_frame = compare;
    const uint32_t begin = answer.words[REPLY_FLIP_FRAME - 4] + 1u, first = begin + AHEAD;
    add_look(begin, PICTURE, OVERLAY, CURSOR);
    for (uint32_t i = SHOWN; i < SURFACES; i++) send_flip(i, first + (i >= (uint32_t)PICTURE_3));
    CHECK_EQUAL(flip(&surface[PICTURE]).status, STATUS_BUSY);
    CHECK((int32_t)(first - frame_now()) > 4);
    return first;
}

/* The flips are shown at their frames. */
static void expect_flips(uint32_t first)
{
    add_look(first, PICTURE_2, OVERLAY_2, CURSOR);
    add_look(first + 1u, PICTURE_3, OVERLAY_3, CURSOR);
}

static void receive_flips(uint32_t status, uint32_t first)
{
    struct answer answer;
    for (uint32_t i = SHOWN; i < SURFACES; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.tag, tags[i]);
        CHECK_EQUAL(answer.status, status);
        if (status == STATUS_OK) CHECK_EQUAL(answer.words[REPLY_FLIP_FRAME - 4], first + (i >= (uint32_t)PICTURE_3));
    }
}

/* Others use what is free, all of it. */
static void write_over(uint32_t status)
{
    for (uint32_t i = 0; i < OTHERS; i++) {
        stream_init(&stream);
        stream_fill(&stream, other[i].handle, 0, 100 * CLIENT_PAGE, 0x5a5a5a5au, 0);
        CHECK_EQUAL(submit(context).status, status);
    }
}

static void show_frames(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) show_frame();
}

static void end_worst(void)
{
    CHECK(frames_compared >= 3u);
    look_count = 0;
    close_display();
}

/* ------------------------------------------------------------------ the tests */

/* Of what is shown and of what waits: nothing moves, and all is shown. */
static void test_stays(void)
{
    const struct client_boot plain = {0};
    const uint32_t first = begin_worst(&plain);
    expect_flips(first);
    for (uint32_t i = 0; i < SURFACES; i++) {
        CHECK_EQUAL(call(MSG_EVICT, surface[i].handle, 0).status, STATUS_SHOWN);
        CHECK_EQUAL(call(MSG_OFFER, surface[i].handle, 1).status, STATUS_SHOWN);
        CHECK_EQUAL(client_lock(&client, &surface[i], 0), STATUS_SHOWN);
    }
    CHECK_EQUAL(call(MSG_EVICT, 0, 0).status, STATUS_OK);
    for (uint32_t i = 0; i < SURFACES; i++) CHECK(is_resident(&surface[i]) && is_marked_shown(&surface[i]));
    write_over(STATUS_OK);
    receive_flips(STATUS_OK, first);
    show_frames(2);
    for (uint32_t i = 0; i < SURFACES; i++)
        CHECK_EQUAL(is_marked_shown(&surface[i]), i == CURSOR || i == PICTURE_3 || i == OVERLAY_3);
    CHECK_EQUAL(statistic(STAT_FLIPS_LATE), 0);
    end_worst();
}

/* Each is destroyed when it is no longer shown, and not before. */
static void test_destroyed(void)
{
    static const int32_t until[SURFACES] = {0, 0, NOTHING, 1, 1, NOTHING, NOTHING}; /* frames from `first` */
    const struct client_boot plain = {0};
    const uint32_t first = begin_worst(&plain);
    uint32_t destroyed[SURFACES], flips = 0, ended = 0;
    expect_flips(first);
    for (uint32_t i = 0; i < SURFACES; i++)
        destroyed[i] = client_send(&client, (uint32_t[16]){MSG_DESTROY_ALLOCATION, 0, surface[i].handle});
    for (uint32_t frames = 0; frames < AHEAD + 4u; frames++) {
        struct answer answer;
        show_frame();
        for (uint32_t turn = 0; turn < 400u; turn++) device_turn(client.device);
        while (client_has_answer(&client)) {
            CHECK(client_receive(&client, &answer));
            const uint32_t now = device_display(client.device)->frame;
            CHECK_EQUAL(answer.status, STATUS_OK);
            for (uint32_t i = 0; i < SURFACES; i++) {
                flips += answer.tag == tags[i];
                if (answer.tag != destroyed[i]) continue;
                CHECK(until[i] != NOTHING && (int32_t)(now - first) >= until[i]);
                ended++;
            }
        }
    }
    CHECK_EQUAL(flips, SURFACES - SHOWN);
    CHECK_EQUAL(ended, 4);
    write_over(STATUS_OK); /* where they were */
    show_frames(2);
    look_count = 0;
    (void)client_send(&client, (uint32_t[16]){MSG_SET_MODE, 0, DISPLAY_MODE_VGA});
    for (uint32_t i = 0; i < 4u; i++) { /* with the three that were shown */
        struct answer answer;
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    end_worst();
}

/* What draws hangs: the picture stands, and the flips are shown. */
static void test_node_reset(void)
{
    const struct client_boot hasty = {.timeout = 200000};
    const uint32_t first = begin_worst(&hasty);
    expect_flips(first);
    device_hang(client.device, 0);
    CHECK_EQUAL(use(context, &other[0]), STATUS_TIMEOUT);
    context = client_context(&client, 0);
    write_over(STATUS_OK);
    receive_flips(STATUS_OK, first);
    show_frames(2);
    CHECK_EQUAL(statistic(STAT_FLIPS_LATE), 0);
    end_worst();
}

/* All memory is purged and written again by others: what is shown and what waits keeps its bytes. */
static void test_adapter_reset(void)
{
    const struct client_boot hasty = {.timeout = 200000};
    const uint32_t first = begin_worst(&hasty);
    expect_flips(first);
    device_hang(client.device, 1);
    CHECK(use(context, &other[0]) != STATUS_OK);
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 1);
    for (uint32_t i = 0; i < SURFACES; i++) CHECK(is_resident(&surface[i]) && is_marked_shown(&surface[i]));
    context = client_context(&client, 0);
    for (uint32_t i = 0; i < OTHERS; i++) { /* what they held is lost */
        CHECK_EQUAL(client_destroy(&client, &other[i]), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &other[i], 100, SET_2, NULL), STATUS_OK);
    }
    write_over(STATUS_OK);
    show_frame();
    write_over(STATUS_OK);
    receive_flips(STATUS_OK, first);
    write_over(STATUS_OK);
    show_frames(2);
    CHECK_EQUAL(statistic(STAT_FLIPS_DROPPED), 0);
    end_worst();
}

/* The owner changes: the flips end, overlay and cursor go at the next blank, and the picture is kept. */
static void test_owner(void)
{
    struct answer answer;
    const struct client_boot plain = {0};
    (void)begin_worst(&plain);
    look_count = 0;
    const uint32_t tag = client_send(&client, (uint32_t[16]){MSG_GIVE_DISPLAY, 0, 1});
    receive_flips(STATUS_DROPPED, 0);
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, tag);
    CHECK_EQUAL(answer.status, STATUS_OK);
    add_look(frame_now() + 1u, PICTURE, NOTHING, NOTHING);
    write_over(STATUS_OK);
    show_frames(4);
    write_over(STATUS_OK);
    show_frames(2);
    for (uint32_t i = 0; i < SURFACES; i++) CHECK_EQUAL(is_marked_shown(&surface[i]), i == PICTURE);
    end_worst();
}

/* The mode changes: black from then on, and all is free. */
static void test_mode(void)
{
    struct answer answer;
    const struct client_boot plain = {0};
    (void)begin_worst(&plain);
    const uint32_t tag = client_send(&client, (uint32_t[16]){MSG_SET_MODE, 0, DISPLAY_MODE_VGA});
    receive_flips(STATUS_DROPPED, 0);
    look_count = 0;
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.tag, tag);
    CHECK_EQUAL(answer.status, STATUS_OK);
    add_look(frame_now(), NOTHING, NOTHING, NOTHING);
    write_over(STATUS_OK);
    show_frames(4);
    for (uint32_t i = 0; i < SURFACES; i++) {
        CHECK(!is_marked_shown(&surface[i]));
        CHECK_EQUAL(call(MSG_EVICT, surface[i].handle, 0).status, STATUS_OK);
    }
    end_worst();
}

int main(void)
{
    CHECK_RUN(test_stays);
    CHECK_RUN(test_destroyed);
    CHECK_RUN(test_node_reset);
    CHECK_RUN(test_adapter_reset);
    CHECK_RUN(test_owner);
    CHECK_RUN(test_mode);
    return check_finish();
}
