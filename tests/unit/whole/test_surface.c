/* SPDX-License-Identifier: Apache-2.0
 *
 * What the display refuses. Goal: each wrong word of its messages, each state of an allocation, too much bandwidth, a
 * wrong owner and a wrong mode are refused by name, and nothing changes. Method: the golden model with a display unit;
 * a picture, an overlay and a cursor are shown, and flips wait. One word at a time is wrong in a message that is right
 * otherwise. Afterwards all that the firmware and the unit know of the display is as before.
 */
#include "display.h"

enum { FAR = 1000 /* frames */ };

static struct client_allocation image;

/* Red, a green overlay and a cursor; `waiting` flips of blue for frames that are far away. */
static void show_all(uint32_t waiting)
{
    CHECK_EQUAL(flip(&red).status, STATUS_OK);
    CHECK_EQUAL(overlay(&green, 50 << 16 | 100, 20 << 16 | 30, MIX_OPAQUE, 0).status, STATUS_OK);
    create_cursor(&image);
    CHECK_EQUAL(call(MSG_MOVE_CURSOR, 40 << 16 | 300, 0).status, STATUS_OK);
    CHECK_EQUAL(cursor(&image, 0).status, STATUS_OK);
    struct flip_message message = flip_of(&blue);
    message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    message.words[MSG_FLIP_FRAME] = frame_now() + FAR;
    for (uint32_t i = 0; i < waiting; i++) (void)client_send(&client, message.words);
    show_frame();
    while (waiting != 0 && !is_marked_shown(&blue)) CHECK(device_turn(client.device));
}

/* What the firmware and the unit know. */
struct known {
    struct display display;
    struct display_picture shown;
    struct display_model_written written;
    uint32_t control, hold, queued, taken;
};

static void know(struct known *known)
{
    const struct display_model *model = device_display(client.device);
    memset(known, 0, sizeof *known);
    memcpy(&known->display, device_gpu(client.device)->display, sizeof known->display);
    memcpy(&known->shown, &model->shown, sizeof known->shown);
    memcpy(&known->written, &model->written, sizeof known->written);
    known->control = model->control, known->hold = model->hold;
    known->queued = model->queued, known->taken = model->taken;
}

static void refuse(const uint32_t message[16], uint32_t status, uint32_t detail)
{
    static struct known before, after;
    know(&before);
    const struct answer answer = client_call(&client, message);
    know(&after);
    if (answer.status != status || answer.detail != detail)
        printf("message %02x, words %x %x %x %x %x %x %x: status %u, detail %u; expected %u, %u\n", message[0],
               message[2], message[3], message[4], message[5], message[6], message[7], message[8], answer.status,
               answer.detail, status, detail);
    check_refusal(answer, status, detail);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
}

static void refuse_call(uint32_t code, uint32_t word2, uint32_t word3, uint32_t status, uint32_t detail)
{
    const uint32_t message[16] = {code, 0, word2, word3};
    refuse(message, status, detail);
}

static void refuse_cursor(uint32_t handle, uint32_t offset, uint32_t hot_spot, uint32_t status, uint32_t detail)
{
    const uint32_t message[16] = {MSG_SET_CURSOR, 0, handle, offset, hot_spot};
    refuse(message, status, detail);
}

static void refuse_flip(const struct client_allocation *surface, uint32_t status, uint32_t detail)
{
    const struct flip_message message = flip_of(surface);
    refuse(message.words, status, detail);
}

/* The mode changes: those that wait are answered, DROPPED. */
static void forget_flips(void)
{
    const uint32_t off[16] = {MSG_SET_MODE, 0, DISPLAY_MODE_OFF}, tag = client_send(&client, off);
    struct answer answer;
    do {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, answer.tag == tag ? STATUS_OK : STATUS_DROPPED);
    } while (answer.tag != tag);
}

/* ------------------------------------------------------------------ FLIP */

static void refuse_flips(void)
{
    static const struct {
        uint32_t word, value, status, detail;
    } rows[] = {
        {MSG_FLIP_PLANE, 2, STATUS_BAD_ARGUMENT, MSG_FLIP_PLANE},
        {MSG_FLIP_PLANE, UINT32_MAX, STATUS_BAD_ARGUMENT, MSG_FLIP_PLANE},
        {MSG_FLIP_HANDLE, 0x12345, STATUS_BAD_HANDLE, MSG_FLIP_HANDLE},
        {MSG_FLIP_HANDLE, UINT32_MAX, STATUS_BAD_HANDLE, MSG_FLIP_HANDLE},
        {MSG_FLIP_HANDLE, 0, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH}, /* none, and words of a surface */
        {MSG_FLIP_OFFSET, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_OFFSET},
        {MSG_FLIP_OFFSET, 2, STATUS_EXTENT, 0},
        {MSG_FLIP_OFFSET, 0xfffffffe, STATUS_EXTENT, 0},
        {MSG_FLIP_PITCH, 0, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, PITCH - 2, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, PITCH + 1, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, 65536, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, 0xfffffffe, STATUS_BAD_ARGUMENT, MSG_FLIP_PITCH},
        {MSG_FLIP_PITCH, 65534, STATUS_EXTENT, 0},
        {MSG_FLIP_PITCH, PITCH + 2, STATUS_EXTENT, 0},
        {MSG_FLIP_FORMAT, FORMAT_ARGB8888, STATUS_BAD_ARGUMENT, MSG_FLIP_FORMAT},
        {MSG_FLIP_FORMAT, FORMAT_BYTES, STATUS_BAD_ARGUMENT, MSG_FLIP_FORMAT},
        {MSG_FLIP_FORMAT, UINT32_MAX, STATUS_BAD_ARGUMENT, MSG_FLIP_FORMAT},
        {MSG_FLIP_WHEN, 3, STATUS_BAD_ARGUMENT, MSG_FLIP_WHEN},
        {MSG_FLIP_WHEN, 5, STATUS_BAD_ARGUMENT, MSG_FLIP_WHEN},
        {MSG_FLIP_WHEN, UINT32_MAX, STATUS_BAD_ARGUMENT, MSG_FLIP_WHEN},
        {MSG_FLIP_FRAME, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_FRAME},
        {MSG_FLIP_CONTEXT, 99, STATUS_BAD_CONTEXT, 0},
        {MSG_FLIP_CONTEXT, UINT32_MAX, STATUS_BAD_CONTEXT, 0},
        {MSG_FLIP_TAG, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_TAG},
        {MSG_FLIP_POSITION, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_POSITION},
        {MSG_FLIP_SIZE, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_SIZE},
        {MSG_FLIP_MIX, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_MIX},
        {MSG_FLIP_VALUE, 1, STATUS_BAD_ARGUMENT, MSG_FLIP_VALUE},
        {MSG_FLIP_POINTS, 2, STATUS_BAD_ADDRESS, MSG_FLIP_POINTS},
        {MSG_FLIP_POINTS, 0xfffffffc, STATUS_BAD_ADDRESS, MSG_FLIP_POINTS},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct flip_message message = flip_of(&red);
        message.words[rows[i].word] = rows[i].value;
        refuse(message.words, rows[i].status, rows[i].detail);
    }
    struct flip_message message = flip_of(&red);
    message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    message.words[MSG_FLIP_FRAME] = frame_now() + 70000u;
    refuse(message.words, STATUS_BAD_ARGUMENT, MSG_FLIP_FRAME);
    message.words[MSG_FLIP_FRAME] = frame_now() + 0x7ffffff0u;
    refuse(message.words, STATUS_BAD_ARGUMENT, MSG_FLIP_FRAME);
}

/* A plane is turned off by a message without words about a surface. */
static void refuse_words_of_none(void)
{
    static const uint32_t words[] = {MSG_FLIP_OFFSET, MSG_FLIP_PITCH, MSG_FLIP_FORMAT, MSG_FLIP_POSITION,
                                     MSG_FLIP_SIZE,   MSG_FLIP_MIX,   MSG_FLIP_VALUE};
    for (uint32_t plane = PLANE_PRIMARY; plane <= (uint32_t)PLANE_OVERLAY; plane++)
        for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
            struct flip_message message = flip_of(NULL);
            message.words[MSG_FLIP_PLANE] = plane;
            message.words[words[i]] = 4;
            refuse(message.words, STATUS_BAD_ARGUMENT, words[i]);
        }
}

static void refuse_overlays(void)
{
    static const uint32_t rows[][5] = {{4096, 1 << 16 | 1, 0, 0, MSG_FLIP_POSITION},
                                       {4096u << 16, 1 << 16 | 1, 0, 0, MSG_FLIP_POSITION},
                                       {0xffff, 1 << 16 | 1, 0, 0, MSG_FLIP_POSITION},
                                       {0, 0, 0, 0, MSG_FLIP_SIZE},
                                       {0, 1, 0, 0, MSG_FLIP_SIZE},
                                       {0, 1 << 16, 0, 0, MSG_FLIP_SIZE},
                                       {0, 1 << 16 | 4096, 0, 0, MSG_FLIP_SIZE},
                                       {0, 4096u << 16 | 1, 0, 0, MSG_FLIP_SIZE},
                                       {0, 1 << 16 | 1, 3, 0, MSG_FLIP_MIX},
                                       {0, 1 << 16 | 1, UINT32_MAX, 0, MSG_FLIP_MIX},
                                       {0, 1 << 16 | 1, MIX_OPAQUE, 1, MSG_FLIP_VALUE},
                                       {0, 1 << 16 | 1, MIX_KEY, 1 << 24, MSG_FLIP_VALUE},
                                       {0, 1 << 16 | 1, MIX_ALPHA, 256, MSG_FLIP_VALUE},
                                       {0, 1 << 16 | 641, 0, 0, MSG_FLIP_PITCH}};
    struct flip_message message = flip_of(&red);
    message.words[MSG_FLIP_PLANE] = PLANE_OVERLAY;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(&message.words[MSG_FLIP_POSITION], rows[i], 4 * sizeof **rows);
        refuse(message.words, STATUS_BAD_ARGUMENT, rows[i][4]);
    }
    message.words[MSG_FLIP_POSITION] = message.words[MSG_FLIP_MIX] = message.words[MSG_FLIP_VALUE] = 0;
    message.words[MSG_FLIP_SIZE] = 481 << 16 | 1;
    refuse(message.words, STATUS_EXTENT, 0);
    message.words[MSG_FLIP_SIZE] = 1 << 16 | 1;
    message.words[MSG_FLIP_FORMAT] = FORMAT_INDEX8;
    refuse(message.words, STATUS_BAD_ARGUMENT, MSG_FLIP_FORMAT);
}
_Static_assert((int)MSG_FLIP_VALUE == (int)MSG_FLIP_POSITION + 3, "four words in a row");

/* Also while four flips wait: what is wrong is said before that. */
static void test_refusals(void)
{
    for (uint32_t waiting = 0; waiting <= 4u; waiting += 4u) {
        begin();
        show_all(waiting);
        refuse_flips();
        refuse_words_of_none();
        refuse_overlays();
        show_frame();
        CHECK_EQUAL(seen_at(320, 200), RED_SEEN);
        CHECK_EQUAL(seen_at(100, 50), GREEN_SEEN);
        CHECK_EQUAL(seen_at(300, 40), 0xffffff);
        if (waiting == 4u) {
            refuse_flip(&red, STATUS_BUSY, 0);
            refuse_flip(NULL, STATUS_BUSY, 0);
            refuse_cursor(image.handle, 0, 0, STATUS_BUSY, 0);
            refuse_cursor(0, 0, 0, STATUS_BUSY, 0);
        }
        forget_flips();
        close_display();
    }
}

/* ------------------------------------------------------------------ the other messages */

static void test_cursors(void)
{
    begin();
    show_all(1);
    refuse_cursor(image.handle, 0, 64, STATUS_BAD_ARGUMENT, MSG_SET_CURSOR_HOT_SPOT);
    refuse_cursor(image.handle, 0, 64 << 16, STATUS_BAD_ARGUMENT, MSG_SET_CURSOR_HOT_SPOT);
    refuse_cursor(image.handle, 4, 0, STATUS_BAD_ARGUMENT, MSG_SET_CURSOR_OFFSET);
    refuse_cursor(image.handle, 128, 0, STATUS_BAD_ARGUMENT, MSG_SET_CURSOR_OFFSET);
    refuse_cursor(image.handle, 256, 0, STATUS_EXTENT, 0);
    refuse_cursor(image.handle, 0xffffff00, 0, STATUS_EXTENT, 0);
    refuse_cursor(0, 256, 0, STATUS_BAD_ARGUMENT, MSG_SET_CURSOR_OFFSET);
    refuse_cursor(0, 0, 1, STATUS_BAD_ARGUMENT, MSG_SET_CURSOR_HOT_SPOT);
    refuse_cursor(0x12345, 0, 0, STATUS_BAD_HANDLE, MSG_SET_CURSOR_HANDLE);
    forget_flips();
    close_display();
}

static void test_waits(void)
{
    enum { WAITS = 8 };
    struct answer answer;
    begin();
    show_all(1);
    refuse_call(MSG_WAIT_VBLANK, WHEN_NOW, 0, STATUS_BAD_ARGUMENT, MSG_WAIT_VBLANK_WHEN);
    refuse_call(MSG_WAIT_VBLANK, 3, 0, STATUS_BAD_ARGUMENT, MSG_WAIT_VBLANK_WHEN);
    refuse_call(MSG_WAIT_VBLANK, UINT32_MAX, 0, STATUS_BAD_ARGUMENT, MSG_WAIT_VBLANK_WHEN);
    refuse_call(MSG_WAIT_VBLANK, WHEN_NEXT, 1, STATUS_BAD_ARGUMENT, MSG_WAIT_VBLANK_FRAME);
    refuse_call(MSG_WAIT_VBLANK, WHEN_FRAME, frame_now() + 70000u, STATUS_BAD_ARGUMENT, MSG_WAIT_VBLANK_FRAME);
    const uint32_t wait[16] = {MSG_WAIT_VBLANK, 0, WHEN_FRAME, frame_now() + 3u};
    for (uint32_t i = 0; i < WAITS; i++) (void)client_send(&client, wait);
    (void)frame_now(); /* all are taken */
    refuse(wait, STATUS_BUSY, 0);
    for (uint32_t i = 0; i < WAITS; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    forget_flips();
    close_display();
}

/* A display whose clock is that of one mode. */
static void test_modes(void)
{
    const struct client_boot plain = {0};
    open_display_at(&plain, 0, 25175);
    CHECK_EQUAL(call(MSG_QUERY_DISPLAY, 0, 0).words[REPLY_QUERY_DISPLAY_MODES - 4],
                1u << DISPLAY_MODE_OFF | 1u << DISPLAY_MODE_VGA);
    for (uint32_t i = 0; i < 3u; i++)
        create_picture((struct client_allocation *[]){&red, &green, &blue}[i], SET_2, RED);
    const struct flip_message message = flip_of(&red);
    create_cursor(&image);
    refuse(message.words, STATUS_NO_MODE, 0); /* it is off */
    refuse_cursor(image.handle, 0, 0, STATUS_NO_MODE, 0);
    refuse_call(MSG_MOVE_CURSOR, 0, 0, STATUS_NO_MODE, 0);
    refuse_call(MSG_WAIT_VBLANK, WHEN_NEXT, 0, STATUS_NO_MODE, 0);
    for (uint32_t i = 0; i < 2u; i++) {
        for (uint32_t mode = DISPLAY_MODE_SVGA; mode <= (uint32_t)DISPLAY_MODE_HD; mode++)
            refuse_call(MSG_SET_MODE, mode, 0, STATUS_NO_MODE, mode);
        refuse_call(MSG_SET_MODE, DISPLAY_MODE_HD + 1, 0, STATUS_BAD_ARGUMENT, MSG_SET_MODE_MODE);
        refuse_call(MSG_SET_MODE, UINT32_MAX, 0, STATUS_BAD_ARGUMENT, MSG_SET_MODE_MODE);
        if (i == 0) CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK); /* then beside what is shown */
        if (i == 0) CHECK_EQUAL(flip(&red).status, STATUS_OK);
    }
    show_frame();
    CHECK_EQUAL(seen_at(320, 200), RED_SEEN);
    close_display();
}

/* The end of memory is where its second half is read. */
static void test_palettes(void)
{
    enum { INSTALLED = 16 << 20 };
    const struct client_boot hole = {.system_pages = 2 * INSTALLED / CLIENT_PAGE};
    uint32_t colours[128];
    begin_with(&hole);
    show_all(1);
    memset(colours, 0x77, sizeof colours);
    client.transport.memory_write(client.transport.context, INSTALLED - sizeof colours, colours, sizeof colours);
    static const uint32_t bad[] = {2, 2 * INSTALLED - 1020, 2 * INSTALLED, 0xfffffffc};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_call(MSG_SET_PALETTE, bad[i], 0, STATUS_BAD_ADDRESS, MSG_SET_PALETTE_ADDRESS);
    const uint32_t last = INSTALLED + 60; /* of 16 words that are read together */
    refuse_call(MSG_SET_PALETTE, INSTALLED - sizeof colours, 0, STATUS_BUS_ERROR, last);
    refuse_call(MSG_SET_PALETTE, INSTALLED, 0, STATUS_BUS_ERROR, last);
    forget_flips();
    close_display();
}

/* Each message of a client that does not own the display; and the owner is a client. */
static void test_owners(void)
{
    begin();
    show_all(1);
    refuse_call(MSG_GIVE_DISPLAY, 64, 0, STATUS_BAD_ARGUMENT, MSG_GIVE_DISPLAY_CLIENT);
    refuse_call(MSG_GIVE_DISPLAY, UINT32_MAX, 0, STATUS_BAD_ARGUMENT, MSG_GIVE_DISPLAY_CLIENT);
    client.id = 1;
    refuse_call(MSG_GIVE_DISPLAY, 1, 0, STATUS_NOT_ALLOWED, MSG_GIVE_DISPLAY);
    refuse_call(MSG_SET_MODE, DISPLAY_MODE_OFF, 0, STATUS_NOT_OWNER, 0);
    refuse_call(MSG_SET_PALETTE, blue.list, 0, STATUS_NOT_OWNER, 0);
    refuse_flip(&red, STATUS_NOT_OWNER, 0);
    refuse_flip(NULL, STATUS_NOT_OWNER, 0);
    refuse_cursor(image.handle, 0, 0, STATUS_NOT_OWNER, 0);
    refuse_call(MSG_MOVE_CURSOR, 0, 0, STATUS_NOT_OWNER, 0);
    client.id = 0;
    show_frame();
    CHECK_EQUAL(seen_at(320, 200), RED_SEEN);
    CHECK_EQUAL(seen_at(300, 40), 0xffffff);
    forget_flips();
    close_display();
}

/* ------------------------------------------------------------------ the allocation */

/* By FLIP and by SET_CURSOR, whose surface it could be. */
static void refuse_both(const struct client_allocation *allocation, uint32_t status, bool names_word)
{
    refuse_flip(allocation, status, names_word ? MSG_FLIP_HANDLE : 0);
    refuse_cursor(allocation->handle, 0, 0, status, names_word ? MSG_SET_CURSOR_HANDLE : 0);
}

/* Its state speaks against it. */
static void test_states(void)
{
    struct client_allocation mapped, tiled, free;
    const uint32_t swizzled[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_SWIZZLED,
                                   [MSG_CREATE_ALLOCATION_PITCH] = PITCH,
                                   [MSG_CREATE_ALLOCATION_HEIGHT] = 1 << 16 | ROWS};
    begin();
    create_picture(&free, SET_2, BLUE);
    show_all(1);
    CHECK_EQUAL(client_lock(&client, &free, 0), STATUS_OK);
    refuse_both(&free, STATUS_LOCKED, false);
    CHECK_EQUAL(client_unlock(&client, &free), STATUS_OK);
    CHECK_EQUAL(call(MSG_OFFER, free.handle, 1).status, STATUS_OK);
    refuse_both(&free, STATUS_OFFERED, false);
    CHECK_EQUAL(call(MSG_RECLAIM, free.handle, 0).status, STATUS_OK);
    create_picture(&mapped, SET_APERTURE, RED);
    refuse_both(&mapped, STATUS_NO_SEGMENT, true);
    CHECK_EQUAL(client_create(&client, &tiled, PICTURE_PAGES, SET_2, swizzled), STATUS_OK);
    refuse_both(&tiled, STATUS_UNSUPPORTED, false);
    forget_flips();
    CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK);
    CHECK_EQUAL(call(MSG_GIVE_DISPLAY, 1, 0).status, STATUS_OK);
    client.id = 1;
    refuse_both(&free, STATUS_BAD_HANDLE, true); /* another client's, not shared */
    client.id = 0;
    CHECK_EQUAL(call(MSG_GIVE_DISPLAY, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(flip(&free).status, STATUS_OK);
    (void)client_send(&client, (uint32_t[16]){MSG_DESTROY_ALLOCATION, 0, free.handle});
    refuse_both(&free, STATUS_BAD_HANDLE, true); /* its destruction waits until it is no longer shown */
    const struct flip_message next = flip_of(&red);
    (void)client_send(&client, next.words);
    for (uint32_t i = 0; i < 2u; i++) {
        struct answer answer;
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    refuse_both(&free, STATUS_BAD_HANDLE, true); /* gone */
    close_display();
}

/* A reset has lost the content, or the context. */
static void test_lost(void)
{
    const struct client_boot hasty = {.timeout = 200000};
    struct client_allocation drawn;
    begin_with(&hasty);
    show_all(1);
    create_picture(&drawn, SET_2, RED);
    const uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_fill(&stream, drawn.handle, 0, 8, 1, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK); /* its newest content is in memory alone */
    device_hang(client.device, 1);
    struct client_allocation other;
    CHECK_EQUAL(client_create(&client, &other, 140, SET_2, NULL), STATUS_OK);
    CHECK(use(context, &other) != STATUS_OK);
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 1);
    refuse_both(&drawn, STATUS_CONTENT_LOST, false);
    struct flip_message message = flip_of(&red);
    message.words[MSG_FLIP_CONTEXT] = context;
    refuse(message.words, STATUS_CONTEXT_LOST, 0);
    client.id = 1;
    const uint32_t others = client_context(&client, 0);
    client.id = 0;
    message.words[MSG_FLIP_CONTEXT] = others;
    refuse(message.words, STATUS_BAD_CONTEXT, 0); /* another client's */
    forget_flips();
    client.id = 1;
    CHECK_EQUAL(call(MSG_DESTROY_CONTEXT, others, 0).status, STATUS_OK);
    client.id = 0;
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
    refuse(message.words, STATUS_NO_BANDWIDTH, (256 + 1280 + 11200) * 1024 / 32540);
    message.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    message.words[MSG_FLIP_FRAME] = frame_now() + FAR; /* nor later */
    refuse(message.words, STATUS_NO_BANDWIDTH, (256 + 1280 + 11200) * 1024 / 32540);
    close_display();
}

/* The unit mixes a pixel at a time, black ones of a primary plane that is off, too: 2,222 in a line of HD. */
static void test_mixing(void)
{
    struct client_allocation wide;
    begin();
    CHECK_EQUAL(set_mode(DISPLAY_MODE_HD), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &wide, 1, SET_2, NULL), STATUS_OK);
    struct flip_message message = flip_of(&wide);
    message.words[MSG_FLIP_PLANE] = PLANE_OVERLAY;
    message.words[MSG_FLIP_PITCH] = 4096;
    message.words[MSG_FLIP_SIZE] = 1 << 16 | 920; /* with 64 of the cursor and 1,280 */
    refuse(message.words, STATUS_NO_BANDWIDTH, (256 + 1840) * 1024 / 22755);
    message.words[MSG_FLIP_SIZE] = 1 << 16 | 850;
    CHECK_EQUAL(client_call(&client, message.words).status, STATUS_OK);
    /* 640 and the cursor's 64 in 31.8 microseconds. */
    device_display(client.device)->mix_rate = 22;
    refuse_call(MSG_SET_MODE, DISPLAY_MODE_VGA, 0, STATUS_NO_BANDWIDTH, 256 * 1024 / 32540);
    device_display(client.device)->mix_rate = 23;
    CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK);
    close_display();
}

int main(void)
{
    CHECK_RUN(test_refusals);
    CHECK_RUN(test_cursors);
    CHECK_RUN(test_waits);
    CHECK_RUN(test_modes);
    CHECK_RUN(test_palettes);
    CHECK_RUN(test_owners);
    CHECK_RUN(test_states);
    CHECK_RUN(test_lost);
    CHECK_RUN(test_bandwidth);
    CHECK_RUN(test_mixing);
    return check_finish();
}
