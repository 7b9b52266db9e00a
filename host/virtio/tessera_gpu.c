/* SPDX-License-Identifier: Apache-2.0
 *
 * build/tessera-gpu: the GPU of a virtual machine, as a vhost-user back end. docs/linux.md has the rest.
 *
 * One connection at a time; when it ends, the next is waited for. A second one is turned away meanwhile.
 * Exit status: 0 after a signal, or with --once after the first connection; 1: the GPU could not be opened, or has
 * failed; 2: the command line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "lib/device/dump_file.h"
#include "tools/cli/option_table.h"
#include "tools/picture/window.h"
#include "virtio/backend.h"
#include "virtio/picture_writer.h"

static const char self[] = "tessera-gpu";
enum { MEGABYTE = 1 << 20, FRAME_MILLISECONDS = 500, WINDOW_MILLISECONDS = 40, LINE_MILLISECONDS = 1000 };

struct program {
    struct backend_options options;
    const char *socket, *frames;
    bool has_window, is_once, is_quiet;
    /* running */
    int listener, info, top;
    struct backend *backend;
    struct vhost_user user;
    bool is_connected, has_more, is_owed; /* what is owed: a frame of the display */
    struct window *window;
    struct picture_writer *writer; /* NULL: no folder for frames */
    uint32_t window_width, window_height, frame;
    uint64_t shown, written, told;
    bool is_unwritten;
    struct guest_counts before;
};

static volatile sig_atomic_t is_over;
static void end(int signal)
{
    (void)signal;
    is_over = 1;
}

/* ------------------------------------------------------------------ the command line */

enum { SOCKET, DEVICE, TIMEOUT, SIZE, RESOURCES, LOCAL, FRAMES, REPORT, WINDOW, FAULTS, ONCE, QUIET };
static const struct option_line lines[] = {
    [SOCKET] = {GROUP_DEVICE, "socket", "PATH", "listen on this socket for the machine monitor (required)"},
    [DEVICE] = {GROUP_DEVICE, "device", "DEVICE", "draw with model, simulator, tty:... or tcp:... (model)"},
    [TIMEOUT] = {GROUP_DEVICE, "timeout", "CYCLES",
                 "reset a node after so many without progress, 16 times in all (4000000)"},
    [SIZE] = {GROUP_DRAWN, "size", "WxH", "the size that the display prefers (what it can show, 1024x768 at most)"},
    [RESOURCES] = {GROUP_MEMORY, "resources", "MB", "allow a guest so much for its resources (256)"},
    [LOCAL] = {GROUP_MEMORY, "local-pages", "N", "use so many pages of segment 2 (all)"},
    [FRAMES] = {GROUP_RESULTS, "frames", "FOLDER", "write what the guest shows as PNG files, two a second at most"},
    [REPORT] = {GROUP_RESULTS, "report", "FOLDER", "write report.html, trace.json, run.json and the frames there"},
    [FAULTS] = {GROUP_RESULTS, "faults", "FOLDER", DUMP_FILE_HELP},
    [WINDOW] = {GROUP_RESULTS, "window", NULL, "show it in a window"},
    [ONCE] = {GROUP_TESTS, "once", NULL, "end after the first connection"},
    [QUIET] = {GROUP_RESULTS, "quiet", NULL, "do not say every second what the guest does"},
};

static bool take_size(struct program *program, const char *text)
{
    char *rest = NULL;
    const unsigned long width = strtoul(text, &rest, 10), height = *rest == 'x' ? strtoul(rest + 1, &rest, 10) : 0;
    const bool is_possible = *rest == 0 && width >= 64 && height >= 64 && width <= 4095 && height <= 4095 &&
                             width * height * 4u <= BACKEND_PICTURE_MOST;
    program->options.width = (uint32_t)width;
    program->options.height = (uint32_t)height;
    if (!is_possible)
        fprintf(stderr, "%s: --size %s is not possible: WxH, each 64 to 4095, at most 16 MB together.\n", self, text);
    return is_possible;
}

static bool take(void *context, int index, const char *text)
{
    struct program *program = context;
    uint32_t number = 0;
    switch (index) {
    case SOCKET: program->socket = text; return true;
    case DEVICE: program->options.device = text; return true;
    case TIMEOUT: return option_word(self, "timeout", text, 100000, 0x10000000, &program->options.timeout_cycles);
    case SIZE: return take_size(program, text);
    case RESOURCES:
        if (!option_word(self, "resources", text, 16, 1024, &number)) return false;
        program->options.resource_bytes = number * (uint32_t)MEGABYTE;
        return true;
    case LOCAL: return option_word(self, "local-pages", text, 16, 4096, &program->options.segment2_pages);
    case FRAMES: program->frames = text; return option_folder(self, text);
    case REPORT: program->options.report = text; return option_folder(self, text);
    case FAULTS: return dump_file_option(self, text);
    case WINDOW: program->has_window = true; return true;
    case ONCE: program->is_once = true; return true;
    default: program->is_quiet = true; return true;
    }
}

/* ------------------------------------------------------------------ pictures */

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

static void write_frame(struct program *program, const uint8_t *picture, uint32_t width, uint32_t height)
{
    if (!picture_writer_take(program->writer, program->frame, picture, width, height)) {
        fprintf(stderr, "%s: there is no memory for a picture of %" PRIu32 "x%" PRIu32 ".\n", self, width, height);
        return;
    }
    backend_frame(program->backend, program->frame);
    program->frame++;
}

static void show_window(struct program *program, const uint8_t *picture, uint32_t width, uint32_t height)
{
    char message[256];
    if (program->window != NULL && (width != program->window_width || height != program->window_height)) {
        window_close(program->window);
        program->window = NULL;
    }
    if (program->window == NULL) program->window = window_open("Tessera", width, height, message);
    if (program->window == NULL) {
        fprintf(stderr, "%s: %s\n", self, message);
        program->has_window = false;
        return;
    }
    program->window_width = width;
    program->window_height = height;
    if (!window_show(program->window, RECORDING_XRGB8888, picture)) is_over = 1;
}

/* What has changed, as often as it is wanted; all of it if `is_last`. */
static void show(struct program *program, bool is_last)
{
    uint32_t width = 0, height = 0;
    const uint64_t now = milliseconds();
    struct scanout *scanout = backend_scanout(program->backend);
    while (is_last && scanout_run(scanout)) continue;
    if (scanout_changed(scanout)) program->is_unwritten = true;
    const bool shows = program->has_window && now - program->shown >= WINDOW_MILLISECONDS;
    const bool is_time = is_last || now - program->written >= FRAME_MILLISECONDS;
    const bool writes = program->writer != NULL && program->is_unwritten && is_time &&
                        (is_last || picture_writer_is_idle(program->writer));
    if (!shows && !writes) return;
    const uint8_t *picture = scanout_picture(scanout, &width, &height);
    if (picture == NULL) return;
    if (shows) show_window(program, picture, width, height);
    if (shows) program->shown = now;
    if (!writes) return;
    write_frame(program, picture, width, height);
    program->written = now;
    program->is_unwritten = false;
}

/* ------------------------------------------------------------------ what the guest does */

static uint32_t since(const struct guest_counts *now, const struct guest_counts *before, uint32_t which)
{
    return now->statistics[which] - before->statistics[which];
}

/* False: the GPU has failed. */
static bool say(struct program *program)
{
    struct guest_counts now;
    const struct guest_counts *before = &program->before;
    memset(&now, 0, sizeof now);
    if (!backend_counts(program->backend, &now)) {
        fprintf(stderr, "%s: the GPU has failed.\n", self);
        return false;
    }
    if (now.painter.failures != before->painter.failures || now.painter.too_large != before->painter.too_large)
        fprintf(stderr, "%s: %s\n", self, now.message);
    if (now.gpu.commands != before->gpu.commands && !program->is_quiet)
        fprintf(stderr,
                "%s: %" PRIu64 " commands (%" PRIu64 " refused), %" PRIu64 " transfers of %.2f Mpixel (%" PRIu64
                " copied by the host), %" PRIu64 " flushes, %" PRIu64 " of the cursor; %" PRIu32
                " resources of %.1f MB; %" PRIu32 " evictions, %" PRIu32 " pages in, %" PRIu32 " out\n",
                self, now.gpu.commands - before->gpu.commands, now.gpu.refused - before->gpu.refused,
                now.gpu.transfers - before->gpu.transfers, (double)(now.gpu.pixels - before->gpu.pixels) / 1e6,
                now.painter.copied - before->painter.copied, now.gpu.flushes - before->gpu.flushes,
                now.gpu.cursors - before->gpu.cursors, now.resources, (double)now.bytes / MEGABYTE,
                since(&now, before, TESSERA_STATISTIC_EVICTIONS), since(&now, before, TESSERA_STATISTIC_PAGES_IN),
                since(&now, before, TESSERA_STATISTIC_PAGES_OUT));
    program->before = now;
    return true;
}

/* ------------------------------------------------------------------ the socket */

/* -1 after a line. */
static int listen_at(const char *path, const char *suffix)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat status;
    const size_t bytes = strlen(path), more = strlen(suffix) + 1u;
    if (bytes + more > sizeof address.sun_path) {
        fprintf(stderr, "%s: --socket %s is too long. Name a shorter path.\n", self, path);
        return -1;
    }
    memcpy(address.sun_path, path, bytes);
    memcpy(address.sun_path + bytes, suffix, more);
    if (lstat(address.sun_path, &status) == 0 && S_ISSOCK(status.st_mode)) (void)unlink(address.sun_path);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener >= 0 && bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4) == 0)
        return listener;
    fprintf(stderr, "%s: cannot listen on %s: %s. Name another path with --socket.\n", self, address.sun_path,
            strerror(errno));
    if (listener >= 0) (void)close(listener);
    return -1;
}

static void forget_socket(const char *path, const char *suffix)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%.200s%s", path, suffix);
    (void)unlink(whole);
}

/* As much of the text as the socket takes at once: a reader that does not read holds up nothing. */
static void tell(struct program *program, int listener, bool (*print)(struct backend *backend, FILE *file))
{
    char *text = NULL;
    size_t bytes = 0;
    const int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) return;
    FILE *file = open_memstream(&text, &bytes);
    if (file != NULL) {
        (void)print(program->backend, file); /* if it fails, say() ends the program */
        if (fclose(file) == 0) (void)send(connection, text, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    free(text);
    (void)close(connection);
}

static void accept_one(struct program *program)
{
    const int connection = accept4(program->listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) return;
    if (program->is_connected) {
        fprintf(stderr, "%s: a second machine was turned away: this GPU has one.\n", self);
        (void)close(connection);
        return;
    }
    vhost_user_open(&program->user, connection, backend_device(program->backend), backend_memory(program->backend));
    program->is_connected = true;
}

static void disconnect(struct program *program)
{
    if (program->user.message[0] != 0) fprintf(stderr, "%s: the connection ends: %s\n", self, program->user.message);
    show(program, true);
    backend_reset(program->backend); /* before the memory goes that backings are in */
    vhost_user_close(&program->user);
    program->is_connected = false;
    (void)say(program);
    if (program->is_once) is_over = 1;
}

/* ------------------------------------------------------------------ the loop */

static int patience(const struct program *program)
{
    return program->has_window ? WINDOW_MILLISECONDS : program->is_connected ? FRAME_MILLISECONDS : LINE_MILLISECONDS;
}

static void turn(struct program *program)
{
    enum { LISTENER, INFO, TOP, CONNECTION, KICK, COUNT = KICK + VHOST_QUEUES };
    struct pollfd ready[COUNT] = {{.fd = program->listener, .events = POLLIN},
                                  {.fd = program->info, .events = POLLIN},
                                  {.fd = program->top, .events = POLLIN},
                                  {.fd = -1},
                                  {.fd = -1},
                                  {.fd = -1}};
    if (program->is_connected) {
        ready[CONNECTION] = (struct pollfd){.fd = program->user.connection, .events = POLLIN};
        for (uint32_t i = 0; i < VHOST_QUEUES; i++)
            ready[KICK + i] = (struct pollfd){.fd = program->user.queue[i].kick, .events = POLLIN};
    }
    const int count = poll(ready, COUNT, program->has_more || program->is_owed ? 0 : patience(program));
    if (count < 0) return;
    const bool is_wanted = program->writer != NULL || program->has_window;
    program->is_owed = is_wanted && (count != 0 || program->has_more || scanout_run(backend_scanout(program->backend)));
    program->has_more = program->is_connected && vhost_user_continue(&program->user);
    for (uint32_t i = 0; i < VHOST_QUEUES; i++)
        if (ready[KICK + i].revents != 0) vhost_user_kicked(&program->user, i);
    for (uint32_t i = 0; i < VHOST_QUEUES; i++) program->has_more |= program->user.queue[i].has_more;
    if (ready[CONNECTION].revents != 0 && !vhost_user_serve(&program->user)) disconnect(program);
    if (ready[LISTENER].revents != 0) accept_one(program);
    if (ready[INFO].revents != 0) tell(program, program->info, backend_info);
    if (ready[TOP].revents != 0) tell(program, program->top, backend_top);
}

static int run(struct program *program)
{
    bool is_good = true;
    while (is_over == 0 && is_good) {
        turn(program);
        show(program, false);
        if (milliseconds() - program->told < LINE_MILLISECONDS) continue;
        program->told = milliseconds();
        is_good = say(program);
    }
    if (program->is_connected) disconnect(program);
    return is_good ? 0 : 1;
}

/* False after a line on the error output. */
static bool open_parts(struct program *program)
{
    char message[256] = "no memory for a thread that writes pictures";
    if (program->frames != NULL) program->writer = picture_writer_create(program->frames);
    if (program->frames == NULL || program->writer != NULL)
        program->backend = backend_create(&program->options, message);
    if (program->backend == NULL) fprintf(stderr, "%s: %s\n", self, message);
    return program->backend != NULL;
}

static int close_parts(struct program *program, int status)
{
    char message[256];
    window_close(program->window);
    picture_writer_destroy(program->writer); /* before the report, which has the pictures */
    if (backend_destroy(program->backend, message)) return status;
    fprintf(stderr, "%s: %s\n", self, message);
    return 1;
}

static int listen_and_run(struct program *program)
{
    int status = 1;
    program->listener = listen_at(program->socket, "");
    if (program->listener < 0) return status;
    program->info = listen_at(program->socket, GUEST_INFO_SUFFIX);
    program->top = program->info >= 0 ? listen_at(program->socket, GUEST_TOP_SUFFIX) : -1;
    if (program->top >= 0) status = run(program);
    if (program->top >= 0) (void)close(program->top);
    if (program->info >= 0) (void)close(program->info);
    (void)close(program->listener);
    forget_socket(program->socket, GUEST_INFO_SUFFIX);
    forget_socket(program->socket, "");
    return status;
}

int main(int argc, char **argv)
{
    static struct program program = {.options = {.device = "model", .resource_bytes = 256u << 20}};
    static const struct option_table table = {
        "tessera-gpu",
        " --socket PATH [options]: be the GPU of a virtual machine, by vhost-user "
        "(docs/linux.md)",
        lines, sizeof lines / sizeof *lines, take};
    const enum option_outcome outcome = option_parse(&table, &program, argc, argv);
    if (outcome != OPTION_GOOD) return outcome == OPTION_HELPED ? 0 : 2;
    if (program.socket == NULL) {
        fprintf(stderr, "%s: --socket is missing. Name a path for the socket.\n", self);
        return 2;
    }
    if (program.options.report != NULL && program.frames != NULL) {
        fprintf(stderr, "%s: --report writes the frames, too. Leave --frames out.\n", self);
        return 2;
    }
    if (program.options.report != NULL) program.frames = program.options.report;
    if (!open_parts(&program)) return 1;
    const struct sigaction ending = {.sa_handler = end};
    (void)sigaction(SIGINT, &ending, NULL);
    (void)sigaction(SIGTERM, &ending, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    return close_parts(&program, listen_and_run(&program));
}
