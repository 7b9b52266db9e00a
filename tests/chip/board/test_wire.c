/* SPDX-License-Identifier: Apache-2.0
 *
 * The host library over a serial line. Against peers of our own that misbehave in every way a line can (each gives one
 * clear line of text and no hang), and, with the path of board-sim as argument, against the simulated board: registers,
 * memory at any alignment, half a command forgotten, firmware loaded and booted, drawing, and the display's picture.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <png.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_spec.h"
#include "simulator.h"
#include "tessera.h"
#include "tessera_stream.h"
#include "lib/device/transport_wire.h"

enum { PATIENCE_MS = 300 };

/* ------------------------------------------------------------------ peers that misbehave */

/* What a peer does with each command it gets. */
enum manner { SILENT, CLOSES, FOREIGN, DIES_LATER, NEVER_READY, ANSWERS_LATE };

struct peer {
    int listener, port;
    enum manner manner;
    pthread_t thread;
};

static void answer(int client, uint32_t word)
{
    uint8_t bytes[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word};
    if (write(client, bytes, 4) != 4) return;
}

static void *peer_main(void *context)
{
    struct peer *peer = context;
    int client = accept(peer->listener, NULL, NULL);
    uint8_t command[6];
    unsigned commands = 0;
    if (client < 0) return NULL;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); /* a word at a time, and at once */
    while (recv(client, command, sizeof command, MSG_WAITALL) == (ssize_t)sizeof command) {
        uint32_t address = ((uint32_t)command[4] << 8 | command[5]) << 2;
        if (peer->manner == SILENT) continue;
        if (peer->manner == CLOSES) break;
        if (peer->manner == DIES_LATER && ++commands > 2) break;
        if (peer->manner == ANSWERS_LATE && ++commands == 3) usleep(2 * PATIENCE_MS * 1000);
        if (command[0] != 2) continue;
        for (uint32_t i = 0; i < command[1]; i++) {
            uint32_t offset = address + 4u * i;
            answer(client, peer->manner == FOREIGN               ? 0x12345678u
                           : offset == BOARD_ID_OFFSET           ? 0x44425354u
                           : offset == BOARD_STATUS_OFFSET       ? peer->manner != NEVER_READY
                           : offset == BOARD_SYSTEM_BYTES_OFFSET ? 0x1800000u
                                                                 : 0u);
        }
    }
    close(client);
    return NULL;
}

static void peer_start(struct peer *peer, enum manner manner)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer->manner = manner;
    peer->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(peer->listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(peer->listener, 1), 0);
    assert_int_equal(getsockname(peer->listener, (struct sockaddr *)&address, &length), 0);
    peer->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&peer->thread, NULL, peer_main, peer), 0);
}

static void peer_stop(struct peer *peer)
{
    close(peer->listener);
    pthread_join(peer->thread, NULL);
}

/* Opening must fail with a line that holds `words`. */
static void refuse(enum manner manner, const char *words)
{
    struct peer peer;
    struct transport transport;
    char device[64], message[256] = "";
    peer_start(&peer, manner);
    snprintf(device, sizeof device, "tcp:127.0.0.1:%d", peer.port);
    assert_int_equal(wire_open(&transport, device, PATIENCE_MS, message), -1);
    if (strstr(message, words) == NULL) fail_msg("'%s' lacks '%s'", message, words);
    assert_null(strchr(message, '\n'));
    peer_stop(&peer);
}

static void test_peers(void **state)
{
    (void)state;
    refuse(SILENT, "gave no answer for 300 ms");
    refuse(CLOSES, "closed at the other end");
    refuse(FOREIGN, "is not a Tessera board: BOARD.ID is 0x12345678");
    refuse(NEVER_READY, "does not become ready");
}

/* The link breaks in the middle of work: the error is the transport's, with its text. */
static void test_link_breaks(void **state)
{
    (void)state;
    struct peer peer;
    struct transport transport;
    char device[64], message[256];
    uint32_t value;
    uint8_t bytes[64];
    peer_start(&peer, DIES_LATER);
    snprintf(device, sizeof device, "tcp:127.0.0.1:%d", peer.port);
    assert_int_equal(wire_open(&transport, device, PATIENCE_MS, message), 0);
    assert_int_equal(transport.memory_bytes, 0x1800000);
    assert_int_equal(transport.register_read(transport.context, HOST_ID_OFFSET, &value), TRANSPORT_IO);
    assert_non_null(strstr(transport.error, "closed at the other end"));
    assert_int_equal(transport.memory_read(transport.context, 0x17ffff0, bytes, 17), TRANSPORT_IO);
    assert_non_null(strstr(transport.error, "outside system memory"));
    assert_int_equal(transport.memory_write(transport.context, 0xffffffff, bytes, 2), TRANSPORT_IO);
    transport.close(transport.context);
    peer_stop(&peer);
}

/* An answer that comes after the patience is nobody's: it must not be taken for that of a later read. */
static void test_late_answer(void **state)
{
    (void)state;
    struct peer peer;
    struct transport transport;
    char device[64], message[256];
    uint32_t value = 0;
    peer_start(&peer, ANSWERS_LATE);
    snprintf(device, sizeof device, "tcp:127.0.0.1:%d", peer.port);
    assert_int_equal(wire_open(&transport, device, PATIENCE_MS, message), 0);
    assert_int_equal(transport.cycles(transport.context), 0); /* two words, late */
    usleep(3 * PATIENCE_MS * 1000);
    assert_int_equal(transport.register_read(transport.context, BOARD_ID_OFFSET, &value), TRANSPORT_TIMEOUT);
    assert_non_null(strstr(transport.error, "gave no answer for 300 ms"));
    assert_int_equal(transport.register_write(transport.context, HOST_SCRATCH_OFFSET, 1), TRANSPORT_TIMEOUT);
    assert_int_equal(transport.memory_read(transport.context, 0, &value, 4), TRANSPORT_TIMEOUT);
    transport.close(transport.context);
    peer_stop(&peer);
}

static void refuse_name(const char *device, const char *words)
{
    struct transport transport;
    char message[256] = "";
    assert_int_equal(wire_open(&transport, device, PATIENCE_MS, message), -1);
    if (strstr(message, words) == NULL) fail_msg("%s: '%s' lacks '%s'", device, message, words);
}

static void test_names(void **state)
{
    (void)state;
    refuse_name("usb:1", "Write tty:/dev/NAME[@BAUD] or tcp:HOST:PORT");
    refuse_name("tcp:localhost", "give tcp:HOST:PORT");
    refuse_name("tcp:localhost:", "give tcp:HOST:PORT");
    refuse_name("tcp:127.0.0.1:1", "cannot connect to 127.0.0.1:1");
    refuse_name("tty:/dev/no-such-line", "Is the board plugged in?");
    refuse_name("tty:/dev/null", "is not a serial line");
    refuse_name("tty:/dev/ttyS0@12345", "115200");
}

static int skipped;

/* A tty whose other end vanishes is a cable Check the cable. Skipped where the system gives out no terminals (a root
 * without /dev/pts). */
static void test_cable(void **state)
{
    (void)state;
    struct transport transport;
    char name[128], device[160], message[256] = "";
    int master, slave;
    if (openpty(&master, &slave, name, NULL, NULL) != 0) {
        perror("no terminal");
        skipped++;
        skip();
    }
    snprintf(device, sizeof device, "tty:%s@115200", name);
    refuse_name(device, "gave no answer for 300 ms");
    close(slave);
    pid_t child = fork();
    if (child == 0) { /* pulls it out while the library waits */
        usleep(400000);
        _exit(0);
    }
    close(master); /* the child's copy is the last */
    assert_int_equal(wire_open(&transport, device, 3000, message), -1);
    if (strstr(message, "Check the cable") == NULL) fail_msg("'%s'", message);
    waitpid(child, NULL, 0);
}

/* ------------------------------------------------------------------ the simulated board */

static const char *simulator_path;
static const char frames_path[] = "build/tests/board-frames";
enum { WIDTH = 320, HEIGHT = 240, LEFT = 160, TOP = 120 }; /* where the display shows it */

/* Half a command, then silence: the board forgets it. */
static void leave_half_a_command(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const uint8_t half[] = {1, 200, 0x20, 0, 0};
    int line = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(line, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(write(line, half, sizeof half), sizeof half);
    usleep(2000000); /* 20,000 cycles at the slowest */
    close(line);
}

static void check_memory(struct transport *transport)
{
    enum { BYTES = 3000, BASE = 0x123000 };
    static uint8_t shadow[BYTES], seen[BYTES];
    uint32_t random = 1;
    assert_int_equal(transport->memory_write(transport->context, BASE, shadow, BYTES), TRANSPORT_OK);
    for (unsigned round = 0; round < 24; round++) {
        random = random * 1664525u + 1013904223u;
        uint32_t at = (random >> 8) % BYTES, bytes = (random >> 20) % 40u;
        if (bytes > BYTES - at) bytes = BYTES - at;
        for (uint32_t i = 0; i < bytes; i++) shadow[at + i] = (uint8_t)(random + 7u * i);
        assert_int_equal(transport->memory_write(transport->context, BASE + at, shadow + at, bytes), TRANSPORT_OK);
    }
    assert_int_equal(transport->memory_read(transport->context, BASE + 1, seen + 1, BYTES - 3), TRANSPORT_OK);
    assert_memory_equal(seen + 1, shadow + 1, BYTES - 3);
}

static uint16_t colour_at(unsigned x, unsigned y)
{
    return (uint16_t)((x / 40u) << 12 | (y / 30u) << 7 | (x / 40u ^ y / 30u));
}

/* Eight by eight coloured fields, and a texture of system memory over one of them. */
static void draw(struct tessera *gpu, struct tessera_allocation *frame, struct tessera_allocation *texture)
{
    struct tessera_stream *stream = tessera_stream_create();
    const struct tessera_surface target = {
        .allocation = frame, .format = FORMAT_RGB565, .pitch = 2 * WIDTH, .is_target = true};
    const struct tessera_surface source = {.allocation = texture, .format = FORMAT_RGB565, .pitch = 80};
    const struct tessera_blit blit = {
        .target = 0, .source = 1, .mode = BLIT_COPY, .target_x = 120, .target_y = 90, .width = 40, .height = 30};
    uint32_t context;
    tessera_ticket ticket;
    struct tessera_completion completion;
    assert_int_equal(tessera_context_create(gpu, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(stream, 0, &target), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(stream, 1, &source), TESSERA_OK);
    for (unsigned y = 0; y < HEIGHT; y += 30)
        for (unsigned x = 0; x < WIDTH; x += 40)
            assert_int_equal(tessera_stream_fill_rect(stream, 0, x, y, 40, 30, colour_at(x, y)), TESSERA_OK);
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_OK);
    assert_int_equal(tessera_submit(gpu, context, stream, 0, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(gpu, ticket, &completion), TESSERA_OK);
    assert_int_equal(completion.status, STATUS_OK);
    tessera_stream_destroy(stream);
}

/* Written while the render node keeps the memory busy: a word's turn comes later than the next byte of the wire. */
static void check_write_beside_work(struct tessera *gpu, struct tessera_allocation *frame)
{
    enum { BYTES = 8192, FILLS = 60 };
    static uint8_t sent[BYTES], seen[BYTES];
    struct tessera_stream *stream = tessera_stream_create();
    const struct tessera_surface target = {
        .allocation = frame, .format = FORMAT_RGB565, .pitch = 2 * WIDTH, .is_target = true};
    const struct tessera_allocation_options options = {.bytes = BYTES};
    struct tessera_allocation *other;
    uint32_t context;
    tessera_ticket ticket;
    for (unsigned i = 0; i < BYTES; i++) sent[i] = (uint8_t)(i * i >> 3);
    assert_int_equal(tessera_allocation_create(gpu, &options, &other), TESSERA_OK);
    assert_int_equal(tessera_context_create(gpu, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(stream, 0, &target), TESSERA_OK);
    for (unsigned i = 0; i < FILLS; i++)
        assert_int_equal(tessera_stream_fill_rect(stream, 0, 0, 0, WIDTH, HEIGHT, i), TESSERA_OK);
    assert_int_equal(tessera_submit(gpu, context, stream, 0, &ticket), TESSERA_OK);
    assert_int_equal(tessera_write(gpu, other, 0, sent, BYTES), TESSERA_OK);
    assert_false(tessera_is_done(gpu, ticket)); /* it was beside the work */
    assert_int_equal(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    assert_int_equal(tessera_read(gpu, other, 0, seen, BYTES), TESSERA_OK);
    assert_memory_equal(seen, sent, BYTES);
    assert_int_equal(tessera_allocation_destroy(gpu, other), TESSERA_OK);
    tessera_stream_destroy(stream);
}

static uint16_t expected_at(const uint16_t *texture, unsigned x, unsigned y)
{
    bool is_texture = x >= 120 && x < 160 && y >= 90 && y < 120;
    return is_texture ? texture[(y - 90) * 40 + x - 120] : colour_at(x - x % 40, y - y % 30);
}

/* Is this the picture, at LEFT, TOP in black? */
static bool is_shown(const char *path, const uint16_t *texture)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path)) return false;
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    bool is_right = image.width == 640 && image.height == 480 && png_image_finish_read(&image, NULL, pixels, 0, NULL);
    for (unsigned i = 0; is_right && i < 640 * 480; i++) {
        const unsigned x = i % 640 - LEFT, y = i / 640 - TOP; /* beyond it also left and above */
        const uint16_t unit = x < WIDTH && y < HEIGHT ? expected_at(texture, x, y) : 0;
        uint32_t red = unit >> 11, green = unit >> 5 & 63u, blue = unit & 31u;
        is_right = pixels[3 * i] == (red << 3 | red >> 2) && pixels[3 * i + 1] == (green << 2 | green >> 4) &&
                   pixels[3 * i + 2] == (blue << 3 | blue >> 2);
    }
    free(pixels);
    return is_right;
}

static void check_display(struct tessera *gpu, struct tessera_allocation *frame, const uint16_t *texture)
{
    uint32_t missed;
    tessera_ticket shown;
    const struct tessera_flip flip = {.plane = TESSERA_PLANE_OVERLAY,
                                      .allocation = frame,
                                      .pitch = 2 * WIDTH,
                                      .format = FORMAT_RGB565,
                                      .when = TESSERA_WHEN_NEXT,
                                      .x = LEFT,
                                      .y = TOP,
                                      .width = WIDTH,
                                      .height = HEIGHT,
                                      .mix = TESSERA_MIX_OPAQUE};
    assert_int_equal(tessera_set_mode(gpu, TESSERA_DISPLAY_SVGA), STATUS_NO_MODE); /* the board has one pixel clock */
    assert_int_equal(tessera_set_mode(gpu, TESSERA_DISPLAY_VGA), TESSERA_OK);
    assert_int_equal(tessera_flip(gpu, &flip, &shown), TESSERA_OK);
    assert_int_equal(tessera_wait(gpu, shown, NULL), TESSERA_OK);
    assert_int_equal(tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, NULL), TESSERA_OK);
    assert_int_equal(tessera_register_read(gpu, DISPLAY_MISSED_OFFSET, &missed), TESSERA_OK);
    assert_int_equal(missed, 0);
    struct transport *transport = tessera_transport(gpu);
    /* The decoder writes a picture when it has ended, some lines after the next one has begun. */
    char path[128];
    bool is_found = false;
    for (unsigned tries = 0; tries < 20 && !is_found; tries++) {
        for (unsigned i = 0; i < 200 && !is_found; i++) {
            snprintf(path, sizeof path, "%s/display-%03u.png", frames_path, i);
            is_found = access(path, R_OK) == 0 && is_shown(path, texture);
        }
        if (!is_found) transport->wait(transport->context, 100000);
    }
    assert_true(is_found);
    assert_int_equal(tessera_set_mode(gpu, TESSERA_DISPLAY_OFF), TESSERA_OK); /* or its destruction would wait */
}

/* tessera console, beside a board that nobody else talks to. */
static void check_console(const char *device)
{
    char command[512], answer[4096];
    snprintf(command, sizeof command,
             "printf 'host.scratch 0x1234\\nHOST.SCRATCH\\nBOARD.ID 3\\nBOARD.ID\\nNODE1.NOISE\\n"
             "HOST.FORCE 4294967296\\n' | build/tessera console --device %s",
             device);
    FILE *console = popen(command, "r");
    assert_non_null(console);
    answer[fread(answer, 1, sizeof answer - 1, console)] = 0;
    assert_int_equal(pclose(console), 0);
    assert_non_null(strstr(answer, "firmware  ready"));
    assert_non_null(strstr(answer, "node 1    head "));
    assert_non_null(strstr(answer, "0x00001234"));
    assert_non_null(strstr(answer, "the host cannot write it"));
    assert_non_null(strstr(answer, "0x44425354"));
    assert_non_null(strstr(answer, "NODE1.NOISE is not a register"));
    assert_non_null(strstr(answer, "4294967296 is not a number"));
}

static void test_board(void **state)
{
    (void)state;
    if (simulator_path == NULL) skip();
    unsigned port;
    char device[64], message[256] = "";
    struct transport transport;
    struct tessera *gpu;
    uint32_t value;
    mkdir("build/tests", 0777);
    mkdir(frames_path, 0777);
    if (system("rm -f build/tests/board-frames/display-*.png") != 0) fail();
    pid_t simulator = simulator_start(simulator_path, frames_path, &port);
    assert_int_not_equal(simulator, -1);
    leave_half_a_command(port);
    snprintf(device, sizeof device, "tcp:127.0.0.1:%u", port);
    if (wire_open(&transport, device, 0, message) != 0) fail_msg("%s", message);
    assert_int_equal(transport.register_write(transport.context, HOST_SCRATCH_OFFSET, 0xc0ffee11), TRANSPORT_OK);
    assert_int_equal(transport.register_read(transport.context, HOST_SCRATCH_OFFSET, &value), TRANSPORT_OK);
    assert_int_equal(value, 0xc0ffee11);
    check_memory(&transport);

    /* A firmware, or a program, built from another table is refused by name. */
    struct tessera_options options = {.firmware = "build/firmware/gpu.elf", .seed = 5, .abi = 0x1badab1e};
    assert_int_equal(tessera_open(&gpu, &transport, &options, message), TESSERA_ABI);
    assert_non_null(strstr(message, "0x1badab1e"));
    options.abi = 0;
    if (tessera_open(&gpu, &transport, &options, message) != TESSERA_OK) fail_msg("%s", message);
    const struct tessera_allocation_options frame_options = {.bytes = 2 * WIDTH * HEIGHT,
                                                             .read_set = 2,
                                                             .write_set = 2,
                                                             .flags = ALLOCATION_PINNED | ALLOCATION_UNDEFINED |
                                                                      ALLOCATION_CPU_VISIBLE};
    const struct tessera_allocation_options texture_options = {.bytes = 4096};
    struct tessera_allocation *frame, *texture;
    uint16_t units[40 * 30], read_back[40 * 30];
    for (unsigned i = 0; i < 40 * 30; i++) units[i] = (uint16_t)(i * 0x9e37u);
    assert_int_equal(tessera_allocation_create(gpu, &frame_options, &frame), TESSERA_OK);
    assert_int_equal(tessera_allocation_create(gpu, &texture_options, &texture), TESSERA_OK);
    assert_int_equal(tessera_write(gpu, texture, 0, units, sizeof units), TESSERA_OK);
    draw(gpu, frame, texture);
    check_display(gpu, frame, units);
    check_write_beside_work(gpu, frame);
    assert_int_equal(tessera_allocation_destroy(gpu, texture), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(gpu, frame), TESSERA_OK);
    tessera_close(gpu);

    /* The image is still in core memory: a second start loads nothing, as with one that came in a bit stream. */
    options.firmware = NULL;
    if (wire_open(&transport, device, 0, message) != 0) fail_msg("%s", message);
    if (tessera_open(&gpu, &transport, &options, message) != TESSERA_OK) fail_msg("%s", message);
    assert_int_equal(tessera_allocation_create(gpu, &texture_options, &texture), TESSERA_OK);
    assert_int_equal(tessera_write(gpu, texture, 0, units, sizeof units), TESSERA_OK);
    assert_int_equal(tessera_read(gpu, texture, 0, read_back, sizeof read_back), TESSERA_OK);
    assert_memory_equal(read_back, units, sizeof units);
    assert_int_equal(tessera_allocation_destroy(gpu, texture), TESSERA_OK);
    tessera_close(gpu);
    check_console(device);
    assert_true(simulator_stop(simulator));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_peers),       cmocka_unit_test(test_link_breaks),
                                       cmocka_unit_test(test_late_answer), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_cable),       cmocka_unit_test(test_board)};
    signal(SIGPIPE, SIG_IGN);
    if (argc > 1) simulator_path = argv[1];
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count =
        (int)(sizeof tests / sizeof *tests) - (simulator_path == NULL); /* the board's, which leaves itself out */
    printf("%d passed, %d failed, %d skipped\n", count - failed - skipped, failed, skipped);
    return failed != 0;
}
