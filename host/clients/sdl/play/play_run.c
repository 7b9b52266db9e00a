/* SPDX-License-Identifier: Apache-2.0
 *
 * Playing: the events of a recording go to the GPU and, with --check, to SDL; every present ends a frame, which is
 * read, judged, written and shown. Frames before the first one wanted are drawn by the golden model, whose surfaces
 * then move to the device.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "tools/picture/image_png.h"
#include "tools/cli/options.h"
#include "pixel_model.h"
#include "interrupt.h"
#include "clients/sdl/play/play.h"
#include "tools/cli/progress.h"
#include "tools/view/lower_bound.h"
#include "tools/view/view.h"
#include "tools/picture/window.h"

enum { PATIENCE_CYCLES = 400000000 };

struct player {
    const struct play_options *options;
    struct play_record *record;
    struct recording *recording;
    struct play_gpu *gpu;
    struct play_check *check; /* NULL: none */
    struct play_origin *origin;
    struct bound *bound;
    struct window *window; /* NULL: none, or not yet */
    struct platform platform;
    struct tessera *tessera; /* NULL: none open */
    struct view *view;       /* NULL: no time line */
    struct transport watched;
    bool is_window_closed;
    uint8_t *shown;     /* a frame of a format that neither window nor PNG takes, as XRGB8888 */
    uint32_t presented; /* frames, of which record->frame_count have been read */
    struct check_picture *pictures[PLAY_IN_FLIGHT]; /* what those not read yet must be */
    struct progress progress;
};

static double now_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t device_cycles(const struct player *player)
{
    return transport_cycles(tessera_transport(player->tessera));
}

/* It could not be played. */
static int give_up(const char *message)
{
    fprintf(stderr, "tessera play: %s\n", message);
    return 2;
}

static int take_frame(struct player *player, int *delivered);

/* A call of the library failed: for the frame that is drawn, or for one that was presented before. */
static int device_failed(struct player *player, int status)
{
    uint32_t frame = recording_frames(player->recording);
    if (player->presented != 0 || frame >= player->options->first)
        frame = player->options->first + play_gpu_failed_frame(player->gpu);
    snprintf(player->record->failure, sizeof player->record->failure, "frame %u: %.40s: %.180s", frame,
             tessera_status_name(status), play_gpu_message(player->gpu));
    fprintf(stderr, "tessera play: %s\n", player->record->failure);
    if (status == TESSERA_TIMED_OUT || status == TESSERA_PANIC) platform_report(&player->platform);
    int delivered = 0; /* the frames before it are good */
    while (delivered == 0 && play_gpu_presented(player->gpu) != 0 &&
           player->options->first + player->record->frame_count < frame && take_frame(player, &delivered) == TESSERA_OK)
        continue;
    return 1;
}

/* ------------------------------------------------------------------ devices */

static int open_device(struct player *player, bool is_model, bool is_shown)
{
    const struct play_options *options = player->options;
    struct platform_options platform_options = options->platform;
    struct tessera_options open_options = {.segment1_pages = options->is_large ? 0 : options->segment1_pages,
                                           .segment2_pages = options->is_large ? 0 : options->segment2_pages,
                                           .force = options->force,
                                           .seed = options->platform.seed,
                                           .allocations = options->limits.allocations,
                                           .contexts = options->limits.contexts,
                                           .patience_cycles = PATIENCE_CYCLES};
    char message[256];
    struct view *view = is_shown ? player->view : NULL;
    platform_options.is_model = is_model;
    if (is_model) platform_options.device = NULL; /* of the frames before the first */
    platform_options.probe = view_probe(view);
    if (platform_open(&player->platform, &platform_options, message) != 0) return give_up(message);
    if (is_shown) player->record->device = player->platform.name;
    open_options.firmware = player->platform.firmware;
    view_watch(view, &player->platform.transport, &player->watched);
    if (tessera_open(&player->tessera, &player->watched, &open_options, message) != TESSERA_OK) {
        player->watched.close(player->watched.context);
        return give_up(message);
    }
    play_gpu_watch(player->gpu, view);
    if (is_shown) view_frame_begin(view, player->options->first, device_cycles(player));
    int status = play_gpu_enter(player->gpu, player->tessera);
    return status == TESSERA_OK ? 0 : device_failed(player, status);
}

static void close_device(struct player *player)
{
    char path[512];
    if (player->tessera != NULL && player->record->device != NULL && !player->options->platform.is_model) {
        snprintf(path, sizeof path, "%s/profile.folded", player->options->out);
        if (!platform_write_profile(&player->platform, path))
            (void)give_up("cannot write all of profile.folded. Is the disk full?");
        player->record->function_count = platform_profile(&player->platform, player->record->functions, PLAY_FUNCTIONS);
    }
    if (player->tessera != NULL) tessera_close(player->tessera);
    player->tessera = NULL;
}

/* From the golden model to the device itself. */
static int change_device(struct player *player)
{
    int status = play_gpu_leave(player->gpu);
    if (status != TESSERA_OK) return device_failed(player, status);
    close_device(player);
    player->record->skipped = player->options->first;
    return open_device(player, false, true);
}

/* Of the run and of its frames; without memory for these they are not known. */
static int solve_bound(struct player *player, struct play_record *record)
{
    uint64_t *frames = calloc(record->frame_count + 1u, sizeof *frames);
    int status = lower_bound_solve(player->bound, player->tessera, player->options->platform.stall_percent,
                                   &record->least, frames, frames != NULL ? record->frame_count : 0);
    for (uint32_t i = 0; frames != NULL && i < record->frame_count; i++) record->frames[i].bound = frames[i];
    free(frames);
    return status;
}

static int read_counters(struct player *player)
{
    struct play_record *record = player->record;
    const struct account now = view_account(player->view);
    record->account = account_since(&now, &record->account_before);
    int status = tessera_statistics(player->tessera, record->statistics);
    if (status == TESSERA_OK) status = solve_bound(player, record);
    if (status == TESSERA_OK && player->options->asks_why) status = play_gpu_places(player->gpu, &record->places);
    if (status == TESSERA_OK)
        status = tessera_register_read(player->tessera, NODE_BUSY_CYCLES_OFFSET, &record->render_busy);
    if (status == TESSERA_OK)
        status = tessera_register_read(player->tessera, NODE_BUSY_CYCLES_OFFSET + NODE_STRIDE, &record->paging_busy);
    return status == TESSERA_OK ? 0 : device_failed(player, status);
}

/* ------------------------------------------------------------------ frames */

static void show_progress(struct player *player, const struct play_frame *frame)
{
    uint32_t done = player->record->frame_count;
    if (frame->check.bad != 0) {
        progress_break(&player->progress);
        fprintf(stderr, "  frame %4u DIFFERS from SDL: %u pixels, the first at %u, %u, by up to %u levels of 255\n",
                frame->number, frame->check.bad, frame->check.x, frame->check.y, frame->check.largest);
    }
    progress_show(&player->progress, done);
}

/* A frame for pictures and windows: RGB565 or 32 bits as it is, others as XRGB8888. NULL: out of memory. */
static const uint8_t *showable(struct player *player, const struct play_frame *frame, enum recording_format *format,
                               const uint8_t *pixels)
{
    uint32_t unit_bytes = recording_unit_bytes((uint32_t)*format);
    size_t count = (size_t)frame->width * frame->height;
    if (*format == RECORDING_RGB565 || unit_bytes == 4) return pixels;
    free(player->shown);
    player->shown = malloc(4u * count);
    for (size_t i = 0; player->shown != NULL && i < count; i++) {
        uint32_t unit = 0;
        memcpy(&unit, pixels + i * unit_bytes, unit_bytes);
        unit = pixel_expand(unit_bytes == 3 ? FORMAT_RGB888 : FORMAT_ARGB1555, unit);
        memcpy(player->shown + 4u * i, &unit, 4);
    }
    *format = RECORDING_XRGB8888;
    return player->shown;
}

static int write_picture(const struct player *player, const struct play_frame *frame, enum recording_format format,
                         const uint8_t *pixels)
{
    char path[512], message[256];
    if (player->options->without_pictures) return 0;
    snprintf(path, sizeof path, "%s/frame-%04u.png", player->options->out, frame->number);
    int status = format == RECORDING_RGB565
                     ? image_png_write(path, pixels, frame->width, frame->height, message)
                     : image_png_write_rgb888(path, pixels, frame->width, frame->height, message);
    return status == 0 ? 0 : give_up(message);
}

static int show_window(struct player *player, const struct play_frame *frame, enum recording_format format,
                       const uint8_t *pixels)
{
    char message[256];
    if (!player->options->has_window || player->is_window_closed) return 0;
    if (player->window == NULL)
        player->window = window_open(player->options->file, frame->width, frame->height, message);
    if (player->window == NULL) return give_up(message);
    player->is_window_closed = !window_show(player->window, format, pixels);
    player->record->windowed = window_frames(player->window);
    return 0;
}

static void fill_frame(struct player *player, struct play_frame *frame, const uint8_t *pixels)
{
    size_t bytes = (size_t)frame->width * frame->height * recording_unit_bytes((uint32_t)frame->format);
    frame->crc = (uint32_t)crc32_z(0, pixels, bytes);
    frame->done_cycle = device_cycles(player);
}

static int deliver(struct player *player, const struct play_frame *frame, const uint8_t *pixels)
{
    enum recording_format format = frame->format;
    if (player->record->frame_count == PLAY_TIMELINE_FRAMES && !player->options->has_timeline &&
        view_end_timeline(player->view) != 0)
        return give_up("cannot write all of trace.json. Is the disk full?");
    pixels = showable(player, frame, &format, pixels);
    if (pixels == NULL) return give_up("out of memory. Draw fewer frames with --frames A..B");
    int status = write_picture(player, frame, format, pixels);
    return status == 0 ? show_window(player, frame, format, pixels) : status;
}

/* Wait for the oldest frame that has been presented; it is read, judged, written and shown. Returns the device's
 * status; *delivered is the program's, if that was good. */
static int take_frame(struct player *player, int *delivered)
{
    struct play_frame *frame = &player->record->frames[player->record->frame_count];
    struct check_picture **picture = &player->pictures[player->record->frame_count % PLAY_IN_FLIGHT];
    const uint8_t *pixels = NULL;
    uint64_t begin = device_cycles(player);
    int status = play_gpu_take(player->gpu, &pixels, &frame->work);
    if (status != TESSERA_OK) return status;
    fill_frame(player, frame, pixels);
    view_span(player->view, begin, frame->done_cycle, "wait for the frame, lock, read, unlock");
    player->record->frame_count++;
    if (*picture != NULL) play_check_kept(player->check, *picture, pixels, &frame->check);
    view_frame_picture(player->view, frame->number, frame->surface, pixels,
                       frame->check.bad != 0 ? play_check_units(*picture) : NULL);
    view_frame_end(player->view, frame->number, frame->done_cycle);
    play_check_forget(*picture);
    *picture = NULL;
    show_progress(player, frame);
    *delivered = deliver(player, frame, pixels);
    return TESSERA_OK;
}

static int finish_frames(struct player *player, uint32_t left)
{
    int delivered = 0, status = TESSERA_OK;
    while (status == TESSERA_OK && delivered == 0 && play_gpu_presented(player->gpu) > left)
        status = take_frame(player, &delivered);
    return status == TESSERA_OK ? delivered : device_failed(player, status);
}

/* The frame has been drawn, as far as the recording goes: what it shows is to be read when the device has come so far.
 */
static int present(struct player *player, const struct recording_event *event)
{
    const struct recording_surface *surface = recording_surface(player->recording, event->surface);
    struct play_frame *frame = &player->record->frames[player->presented];
    struct check_picture *picture = player->check != NULL ? play_check_keep(player->check, event->surface) : NULL;
    int status = TESSERA_OK;
    player->pictures[player->presented % PLAY_IN_FLIGHT] = picture;
    if (player->check != NULL && picture == NULL) return give_up("out of memory. Draw fewer frames with --frames A..B");
    *frame = (struct play_frame){.number = recording_frames(player->recording) - 1u,
                                 .milliseconds = event->milliseconds,
                                 .surface = event->surface,
                                 .width = surface->width,
                                 .height = surface->height,
                                 .format = surface->format};
    if (player->options->spoils && player->presented == 0) status = play_gpu_spoil(player->gpu, event->surface);
    if (status == TESSERA_OK) status = play_gpu_present(player->gpu, event->surface);
    if (status != TESSERA_OK) return device_failed(player, status);
    player->presented++;
    status = finish_frames(player, player->options->in_flight - 1u);
    if (frame->number < player->options->last)
        view_frame_begin(player->view, frame->number + 1u, device_cycles(player));
    return status;
}

static int play_event(struct player *player, const struct recording_event *event)
{
    char message[256];
    if (event->kind == RECORDING_LEFT) return 0;
    if (!play_origin_event(player->origin, event, recording_frames(player->recording) > player->options->first))
        return give_up("out of memory. Draw fewer frames with --frames A..B");
    if (player->check != NULL && play_check_event(player->check, event, message) != 0) return give_up(message);
    if (event->kind == RECORDING_PRESENT)
        return recording_frames(player->recording) > player->options->first ? present(player, event) : 0;
    int status = play_gpu_event(player->gpu, event);
    return status == TESSERA_OK ? 0 : device_failed(player, status);
}

/* What is counted counts from here. */
static int begin_frames(struct player *player)
{
    int status = play_gpu_begin(player->gpu);
    player->record->before = *play_gpu_counts(player->gpu);
    view_frames_begin(player->view);
    player->record->first_cycle = device_cycles(player);
    player->record->account_before = view_account(player->view);
    return status == TESSERA_OK ? 0 : device_failed(player, status);
}

static int play_events(struct player *player)
{
    const struct play_options *options = player->options;
    bool is_ahead = options->first > 0 && !options->platform.is_model;
    struct recording_event event;
    struct progress ahead;
    char message[256];
    progress_begin(&ahead, "frame before, on the golden model,", is_ahead ? options->first : 0);
    progress_begin(&player->progress, "frame", options->last - options->first + 1u);
    int status = open_device(player, options->platform.is_model || is_ahead, !is_ahead);
    if (is_ahead && status == 0) fprintf(stderr, "  the golden model draws the frames before %u ...\n", options->first);
    if (status == 0 && options->first == 0) status = begin_frames(player);
    while (status == 0 && !interrupt_asked() && recording_frames(player->recording) <= options->last) {
        int next = recording_next(player->recording, &event, message);
        if (next < 0) return give_up(message);
        if (next == 0) break;
        status = play_event(player, &event);
        if (event.kind == RECORDING_PRESENT) progress_show(&ahead, recording_frames(player->recording));
        if (status == 0 && event.kind == RECORDING_PRESENT && recording_frames(player->recording) == options->first) {
            if (is_ahead) status = change_device(player);
            if (status == 0) status = begin_frames(player);
        }
    }
    if (status == 0) status = finish_frames(player, 0);
    if (player->tessera == NULL) return status;
    player->record->cycles = device_cycles(player);
    player->record->counts = *play_gpu_counts(player->gpu);
    return status == 0 ? read_counters(player) : status;
}

int play_run(const struct play_options *options, struct play_record *record)
{
    struct player player = {.options = options, .record = record};
    char message[256];
    double begin = now_seconds();
    record->local_pages =
        options->is_large ? SMALL_SEGMENT1_PAGES + 4096u : options->segment1_pages + options->segment2_pages;
    player.gpu = play_gpu_create(record->local_pages, player.options->is_copied);
    player.origin = play_origin_create();
    if (player.gpu == NULL || player.origin == NULL) {
        play_gpu_destroy(player.gpu);
        play_origin_destroy(player.origin);
        return give_up("out of memory. Draw fewer frames with --frames A..B");
    }
    player.bound = bound_create();
    play_gpu_tell(player.gpu, player.bound);
    int status = recording_open(&player.recording, options->file, message) == 0 ? 0 : give_up(message);
    if (status == 0 && options->is_checked) {
        player.check = play_check_create(options->tolerance, message);
        if (player.check == NULL) status = give_up(message);
        else snprintf(record->sdl_version, sizeof record->sdl_version, "%s", play_check_version(player.check));
    }
    if (status == 0) {
        player.view = view_open(options->out, message);
        view_report_frames(player.view, options->report_first, options->report_last);
        if (options->has_page_tracks) view_show_pages(player.view);
        if (player.view == NULL) status = give_up(message);
    }
    if (status == 0) status = play_events(&player);
    close_device(&player);
    record->shown = play_origin_shown(player.origin);
    play_origin_destroy(player.origin);
    record->wall_seconds = now_seconds() - begin;
    if (view_close(player.view) != 0 && status == 0)
        status = give_up("cannot write all of trace.json. Is the disk full?");
    if (player.view != NULL && status != 2 && !interrupt_asked() &&
        play_report_page(player.view, options, record, message) != 0)
        status = give_up(message);
    view_free(player.view);
    window_close(player.window);
    play_check_destroy(player.check);
    play_gpu_destroy(player.gpu);
    bound_destroy(player.bound);
    recording_close(player.recording);
    for (uint32_t i = 0; i < PLAY_IN_FLIGHT; i++) play_check_forget(player.pictures[i]);
    free(player.shown);
    return status;
}

bool play_is_good(const struct play_record *record)
{
    bool is_good = true;
    for (uint32_t i = 0; i < record->frame_count; i++) is_good = is_good && record->frames[i].check.bad == 0;
    return is_good;
}
