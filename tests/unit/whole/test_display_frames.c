/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames under everything at once. Goal: each frame is whole, and shows what the answers of FLIPs say, whatever
 * happens: flips for the next or a later frame, after drawing or not, a cursor that moves, changes of mode, evictions,
 * resets of a node and of the adapter. The cursor is clear all over. Method: every picture has one colour, so a frame
 * of two colours, or of one that no FLIP has asked for, is found. The golden model with a display unit, in random
 * order.
 *
 * usage: test_display_frames [steps [seed]]
 */
#include <stdlib.h>

#include "display.h"

enum { PICTURES = 4, OTHERS = 6, FRAMES = 1 << 16, STEP = 37, BLACK = 0, UNKNOWN = 0xffffffff, WAITING = 8 };

static struct client_allocation picture[PICTURES], other[OTHERS], pointer;
static uint32_t colour[PICTURES]; /* RGB565 */
static uint32_t shown[FRAMES];    /* the colour of each frame, or UNKNOWN */
static uint32_t random_state, context, next_colour, frames_seen, resets, moves, modes;

/* A FLIP that is sent, and what its answer says. */
static struct sent_flip {
    uint32_t tag, colour, status, frame;
    uint32_t drawn, drawn_status; /* the DMA buffer before it; 0 = none */
    bool is_answered;
} flips[WAITING];
static uint32_t flip_count;

static uint32_t pick(uint32_t limit) { return check_pick(&random_state, limit); }

static uint32_t widened(uint32_t value)
{
    const uint32_t red_part = value >> 11, green_part = value >> 5 & 63u, blue_part = value & 31u;
    return (red_part << 3 | red_part >> 2) << 16 | (green_part << 2 | green_part >> 4) << 8 |
           (blue_part << 3 | blue_part >> 2);
}

/* The sampled pixels of a frame are all of one colour. */
static void look(void *unused, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame, uint64_t cycle)
{
    (void)unused, (void)cycle;
    for (uint32_t row = 0; row < rows; row += STEP)
        for (uint32_t column = 0; column < columns; column += STEP) {
            if (pixels[row * columns + column] == pixels[0]) continue;
            printf("frame %u is torn at %u, %u: %06x, not %06x\n", frame, column, row, pixels[row * columns + column],
                   pixels[0]);
            exit(1);
        }
    shown[frame % FRAMES] = pixels[0];
    frames_seen++;
}

static void draw_by_hand(uint32_t i)
{
    static uint16_t pixels[PICTURE_PAGES * CLIENT_PAGE / 2];
    colour[i] = next_colour++ & 0xffffu;
    for (uint32_t k = 0; k < sizeof pixels / 2u; k++) pixels[k] = (uint16_t)colour[i];
    client_write(&client, &picture[i], (const uint8_t *)pixels);
}

static void note_answer(const struct answer *answer)
{
    for (uint32_t i = 0; i < flip_count; i++) {
        if (flips[i].drawn == answer->tag) flips[i].drawn_status = answer->status;
        if (flips[i].tag != answer->tag) continue;
        flips[i].is_answered = true;
        flips[i].status = answer->status;
        flips[i].frame = answer->words[REPLY_FLIP_FRAME - 4];
    }
}

/* Wait for the answer to this message; FLIPs may be answered before. */
static struct answer wait_for(uint32_t tag)
{
    struct answer answer;
    do {
        CHECK(client_receive(&client, &answer));
        note_answer(&answer);
    } while (answer.tag != tag);
    return answer;
}

static struct answer ask(uint32_t code, uint32_t word2, uint32_t word3)
{
    const uint32_t message[16] = {code, 0, word2, word3};
    return wait_for(client_send(&client, message));
}

/* Over new pages, or those that it had. */
static void create(struct client_allocation *allocation)
{
    if (allocation->pages == 0) client_pages(&client, allocation, PICTURE_PAGES);
    const uint32_t message[16] = {[0] = MSG_CREATE_ALLOCATION,
                                  [MSG_CREATE_ALLOCATION_BYTES] = PICTURE_PAGES * CLIENT_PAGE,
                                  [MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE,
                                  [MSG_CREATE_ALLOCATION_READ_SET] = SET_2,
                                  [MSG_CREATE_ALLOCATION_WRITE_SET] = SET_2,
                                  [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u,
                                  [MSG_CREATE_ALLOCATION_PAGES] = allocation->list};
    const struct answer answer = wait_for(client_send(&client, message));
    CHECK_EQUAL(answer.status, STATUS_OK);
    allocation->handle = answer.words[REPLY_CREATE_ALLOCATION_HANDLE - 4];
}

static void create_drawn(uint32_t i)
{
    create(&picture[i]);
    draw_by_hand(i);
}

/* ------------------------------------------------------------------ what happens */

static uint32_t send_drawing(const struct client_allocation *target, uint32_t value)
{
    uint32_t message[16];
    stream_init(&stream);
    stream_fill(&stream, target->handle, 0, PICTURE_PAGES * CLIENT_PAGE, value << 16 | value, 0);
    client_stage(&client, &stream, context, flip_count, message);
    return client_send(&client, message);
}

/* Show a picture that is not shown: as it is, drawn again by the host, or by the GPU just before. */
static void flip_one(void)
{
    const uint32_t i = pick(PICTURES), way = pick(3);
    uint32_t drawn = 0;
    if (is_marked_shown(&picture[i]) || flip_count == 3u) return;
    for (uint32_t k = 0; k < flip_count; k++)
        if (flips[k].colour == widened(colour[i])) return; /* it waits */
    struct flip_message message = flip_of(&picture[i]);
    if (pick(3) == 0) {
        message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
        message.words[MSG_FLIP_FRAME] = ask(MSG_QUERY_DISPLAY, 0, 0).words[REPLY_QUERY_DISPLAY_FRAME - 4] + pick(5);
    }
    if (way == 0 && ask(MSG_LOCK, picture[i].handle, LOCK_ENTIRE).status == STATUS_OK) {
        draw_by_hand(i);
        CHECK_EQUAL(ask(MSG_UNLOCK, picture[i].handle, 0).status, STATUS_OK);
    } else if (way == 1) {
        colour[i] = next_colour++ & 0xffffu;
        message.words[MSG_FLIP_CONTEXT] = context;
        message.words[MSG_FLIP_TAG] = drawn = send_drawing(&picture[i], colour[i]);
    }
    flips[flip_count++] =
        (struct sent_flip){.tag = client_send(&client, message.words), .colour = widened(colour[i]), .drawn = drawn};
}

static void create_pointer(void)
{
    static const uint8_t clear[PICTURE_PAGES * CLIENT_PAGE];
    create(&pointer);
    client_write(&client, &pointer, clear);
}

static void move_cursor(void)
{
    CHECK_EQUAL(ask(MSG_MOVE_CURSOR, pick(700) | pick(520) << 16, 0).status, STATUS_OK);
    moves++;
    if (pick(4) == 0) (void)ask(MSG_SET_CURSOR, pick(3) == 0 ? 0 : pointer.handle, 0);
}

static void use_others(void)
{
    uint32_t message[16];
    stream_init(&stream);
    for (uint32_t n = 0; n < 3; n++)
        stream_fill(&stream, other[pick(OTHERS)].handle, 0, PICTURE_PAGES * CLIENT_PAGE, 0x55555555u, 0);
    client_stage(&client, &stream, context, 3, message);
    (void)wait_for(client_send(&client, message));
}

/* What the resets have destroyed is made again. */
static void repair(void)
{
    const uint32_t create_context[16] = {MSG_CREATE_CONTEXT};
    if (context != 0) (void)ask(MSG_DESTROY_CONTEXT, context, 0);
    context = wait_for(client_send(&client, create_context)).words[REPLY_CREATE_CONTEXT_CONTEXT - 4];
    for (uint32_t i = 0; i < PICTURES; i++) {
        if (is_marked_shown(&picture[i])) continue;
        CHECK_EQUAL(ask(MSG_DESTROY_ALLOCATION, picture[i].handle, 0).status, STATUS_OK);
        create_drawn(i);
    }
    for (uint32_t i = 0; i < OTHERS; i++) {
        CHECK_EQUAL(ask(MSG_DESTROY_ALLOCATION, other[i].handle, 0).status, STATUS_OK);
        create(&other[i]);
    }
    if (is_marked_shown(&pointer)) return;
    CHECK_EQUAL(ask(MSG_DESTROY_ALLOCATION, pointer.handle, 0).status, STATUS_OK);
    create_pointer();
}

static void receive_flips(void)
{
    for (uint32_t i = 0; i < flip_count; i++)
        while (!flips[i].is_answered) (void)ask(MSG_WAIT_VBLANK, WHEN_NEXT, 0);
}

/* From its frame on a FLIP's colour is shown, until the frame of the next one. Before the first it was `before`. */
static void check_frames(uint32_t from, uint32_t until, uint32_t before)
{
    uint32_t expected = before;
    for (uint32_t frame = from; frame != until; frame++) {
        for (uint32_t i = 0; i < flip_count; i++)
            if (flips[i].status == STATUS_OK && flips[i].frame == frame) expected = flips[i].colour;
        if (shown[frame % FRAMES] == expected) continue;
        for (uint32_t i = 0; i < flip_count; i++)
            printf("flip of %06x: status %u, frame %u, drawing %u\n", flips[i].colour, flips[i].status, flips[i].frame,
                   flips[i].drawn_status);
        printf("frame %u shows %06x, not %06x\n", frame, shown[frame % FRAMES], expected);
        CHECK(false);
    }
}

static uint32_t newest_colour(uint32_t before)
{
    uint32_t newest = before, frame = 0;
    for (uint32_t i = 0; i < flip_count; i++)
        if (flips[i].status == STATUS_OK && flips[i].frame >= frame) {
            frame = flips[i].frame;
            newest = flips[i].colour;
        }
    return newest;
}

/* A few FLIPs among other things; then the frames are compared with the answers. */
static void round_of_flips(void)
{
    const uint32_t from = ask(MSG_WAIT_VBLANK, WHEN_NEXT, 0).words[REPLY_WAIT_VBLANK_FRAME - 4];
    static uint32_t before;
    if (pick(8) == 0) {
        CHECK_EQUAL(ask(MSG_SET_MODE, pick(3) == 0 ? DISPLAY_MODE_OFF : DISPLAY_MODE_VGA, 0).status, STATUS_OK);
        CHECK_EQUAL(ask(MSG_SET_MODE, DISPLAY_MODE_VGA, 0).status, STATUS_OK);
        before = BLACK;
        modes++;
    } else check_frames(from - 1u, from, before);
    const uint32_t begin_frame = ask(MSG_WAIT_VBLANK, WHEN_NEXT, 0).words[REPLY_WAIT_VBLANK_FRAME - 4];
    flip_count = 0;
    for (uint32_t i = 0; i < 6; i++) switch (pick(7)) {
        case 0: use_others(); break;
        case 1: (void)ask(MSG_EVICT, 0, 0); break;
        case 2:
            if (pick(6) != 0) break;
            device_hang(client.device, pick(2));
            resets++;
            break;
        case 3: move_cursor(); break;
        default: flip_one(); break;
        }
    use_others(); /* whatever hangs is found */
    receive_flips();
    for (uint32_t node = 0; node < 2; node++) device_release(client.device, node);
    (void)ask(MSG_WAIT_VBLANK, WHEN_NEXT, 0);
    const uint32_t end = ask(MSG_WAIT_VBLANK, WHEN_NEXT, 0).words[REPLY_WAIT_VBLANK_FRAME - 4];
    check_frames(begin_frame, end, before);
    before = newest_colour(before);
    repair();
}

static uint32_t steps = 100;

static void test_frames(void)
{
    const struct client_boot hasty = {.timeout = 300000, .recovery_limit = 16};
    next_colour = 1;
    open_display(&hasty, random_state);
    device_display(client.device)->on_frame = look;
    device_display(client.device)->step = STEP;
    const uint32_t create_context[16] = {MSG_CREATE_CONTEXT};
    context = wait_for(client_send(&client, create_context)).words[REPLY_CREATE_CONTEXT_CONTEXT - 4];
    for (uint32_t i = 0; i < PICTURES; i++) create_drawn(i);
    for (uint32_t i = 0; i < OTHERS; i++) create(&other[i]);
    create_pointer();
    CHECK_EQUAL(ask(MSG_SET_MODE, DISPLAY_MODE_VGA, 0).status, STATUS_OK);
    for (uint32_t done = 0; done < steps; done++) round_of_flips();
    const uint32_t flips_shown = statistic(STAT_FLIPS), dropped = statistic(STAT_FLIPS_DROPPED);
    close_display();
    printf("%u frames whole; %u flips shown, %u dropped, %u moves of the cursor, %u changes of mode, %u resets\n",
           frames_seen, flips_shown, dropped, moves, modes, resets);
    CHECK(resets != 0 && moves != 0 && flips_shown >= steps && dropped != 0);
}

int main(int count, char **arguments)
{
    if (count > 1) steps = (uint32_t)atoi(arguments[1]);
    random_state = count > 2 ? (uint32_t)atoi(arguments[2]) : 6u;
    CHECK_RUN(test_frames);
    return check_finish();
}
