/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera run: draw a scene, compare every frame with the plain C rendition, draw it again in memory large
 * enough that nothing is split and compare with that, write pictures, run.json and trace.json.
 *
 * Exit status: 0 if everything agreed, 1 if a frame differed or the GPU reported a fault, 2 if it could not
 * be run.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/cli/option_table.h"
#include "tools/cli/options.h"
#include "tools/view/report.h"
#include "tools/command/scene_results.h"
#include "tools/command/scene_run.h"
#include "tools/scene/scenes.h"
#include "tessera.h"
#include "tools/view/view.h"
#include "tools/picture/window.h"
#include "tools/scene/scene_flips.h"
#include "interrupt.h"

enum { PATIENCE_CYCLES = 30000000, INTERRUPTED = 130 /* as shells say of SIGINT */ };

/* One pass over all frames on one device. */
struct pass {
    const struct program_options *options;
    const struct scene *scene;
    const uint8_t *expected; /* all frames, one after the other */
    uint8_t *pixels;
    bool is_large, is_shown; /* is_shown: progress and time line are about this pass */
    struct view *view;       /* NULL: nothing watches */
    struct window *window;   /* NULL: none, or closed by the user */
    struct run_record *record;
    struct profile_row functions[REPORT_FUNCTIONS]; /* of the firmware, filled when the device closes */
    uint32_t function_count;
};

static double now_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ------------------------------------------------------------------ one pass */

static void on_frame(void *context, uint32_t number, const struct frame_record *frame, const uint8_t *pixels)
{
    const struct pass *pass = context;
    if (!pass->options->has_flips) (void)window_show(pass->window, RECORDING_RGB565, pixels);
    char when[40] = "";
    if (!pass->options->platform.is_model)
        snprintf(when, sizeof when, ", cycle %9llu", (unsigned long long)frame->done_cycle);
    fprintf(stderr, "  frame %2u: %3u portions, %4u evictions, %5u pages in, %4u out for room%s  %s\n", number,
            frame->result.portions, frame->result.evictions, frame->result.pages_in, frame->result.pages_out, when,
            frame->is_golden ? "as expected" : "DIFFERS");
}

/* With --flips the window is the display's monitor. */
static void on_display(void *context, const uint32_t *pixels, uint32_t width, uint32_t height)
{
    const struct pass *pass = context;
    if (width == SCENE_DISPLAY_WIDTH && height == SCENE_DISPLAY_HEIGHT)
        (void)window_show(pass->window, RECORDING_XRGB8888, (const uint8_t *)pixels);
}

static void watch_display(struct pass *pass, struct platform *platform)
{
    if (!pass->options->has_flips || pass->window == NULL) return;
    if (!platform_display(platform, on_display, pass))
        fprintf(stderr, "  the window stays empty: this device's frames go to its own monitor\n");
}

static int use_device(struct pass *pass, struct tessera *tessera)
{
    static struct scene_run run; /* 350 KB */
    const struct program_options *options = pass->options;
    bool is_over = false;
    run = (struct scene_run){.scene = pass->scene,
                             .frames = options->frames,
                             .expected = pass->expected,
                             .pixels = pass->pixels,
                             .is_mapped = !pass->is_large && !options->is_copied,
                             .is_bound = pass->is_shown,
                             .asks_why = pass->is_shown && options->asks_why,
                             .spoils = pass->is_shown && options->spoils,
                             .has_display = pass->is_shown && options->has_display,
                             .has_flips = pass->is_shown && options->has_flips,
                             .stall_percent = options->platform.stall_percent,
                             .view = pass->view,
                             .record = pass->record,
                             .on_frame = pass->is_shown ? on_frame : NULL,
                             .context = pass};
    int status = scene_run_begin(&run, tessera);
    while (status == TESSERA_OK && !is_over && !interrupt_asked()) status = scene_run_frame(&run, &is_over);
    if (status == TESSERA_OK && is_over) status = scene_run_measure(&run);
    if (status != TESSERA_OK)
        snprintf(pass->record->failure, sizeof pass->record->failure, "%s", tessera_message(tessera));
    scene_run_end(&run);
    return status;
}

/* Both passes fail to open for the same reason; one of them says so. */
static int cannot_open(const struct pass *pass, const char *message)
{
    if (pass->is_shown) fprintf(stderr, "tessera: %s\n", message);
    return 2;
}

/* The device has ended at the cycle that was asked for: nothing went wrong, and nothing is complete. */
static int reached_end(struct pass *pass)
{
    fprintf(stderr, "  ended at cycle %llu, as --until says\n", (unsigned long long)pass->options->platform.end_cycle);
    pass->record->is_cut = true;
    return 0;
}

/* Of the firmware, before the device closes. */
static void keep_profile(struct pass *pass, const struct platform *platform)
{
    char path[512];
    snprintf(path, sizeof path, "%s/profile.folded", pass->options->out);
    if (!platform_write_profile(platform, path))
        fprintf(stderr, "tessera: cannot write all of %s. Is the disk full?\n", path);
    pass->function_count = platform_profile(platform, pass->functions, REPORT_FUNCTIONS);
}

/* Open a device, draw everything, close it. 0, or an exit status after a line on stderr. */
static int run_pass(struct pass *pass)
{
    const struct program_options *options = pass->options;
    struct tessera_options open_options = {.segment1_pages = pass->is_large ? 0 : options->segment1_pages,
                                           .segment2_pages = pass->is_large ? 0 : options->segment2_pages,
                                           .force = pass->is_shown ? options->force : 0,
                                           .seed = options->platform.seed,
                                           .allocations = options->limits.allocations,
                                           .contexts = options->limits.contexts,
                                           .list_entries = options->limits.list_entries,
                                           .dma_bytes = options->limits.dma_bytes,
                                           .patience_cycles = PATIENCE_CYCLES,
                                           .abi = options->abi};
    struct platform_options platform_options = options->platform;
    struct platform platform;
    struct tessera *tessera = NULL;
    char message[256];
    double begin = now_seconds();
    struct transport watched;
    if (!pass->is_shown) { /* limits and wave forms are about the run that is shown */
        platform_options.fst_path = NULL;
        platform_options.max_cycles = platform_options.end_cycle = 0;
    }
    platform_options.probe = view_probe(pass->view);
    if (platform_open(&platform, &platform_options, message) != 0) return cannot_open(pass, message);
    watch_display(pass, &platform);
    pass->record->device = platform.name;
    pass->record->clock_hz = platform.clock_hz;
    open_options.firmware = platform.firmware;
    view_watch(pass->view, &platform.transport, &watched);
    int status = tessera_open(&tessera, &watched, &open_options, message);
    if (status != TESSERA_OK) {
        bool is_end = platform_reached_end(&platform);
        platform.transport.close(platform.transport.context);
        return is_end ? reached_end(pass) : cannot_open(pass, message);
    }
    status = use_device(pass, tessera);
    if (status != TESSERA_OK && platform_reached_end(&platform)) status = reached_end(pass);
    else if (interrupt_asked()) pass->record->is_cut = true; /* judge() says so */
    else if (status != TESSERA_OK)
        fprintf(stderr, "tessera: %s%s: %s\n", pass->is_shown ? "" : "comparison run: ", tessera_status_name(status),
                pass->record->failure);
    if (!interrupt_asked() && (status == TESSERA_TIMED_OUT || status == TESSERA_PANIC)) platform_report(&platform);
    if (pass->is_shown) keep_profile(pass, &platform);
    tessera_close(tessera);
    pass->record->wall_seconds = now_seconds() - begin;
    return status == TESSERA_OK ? 0 : 1;
}

/* ------------------------------------------------------------------ the comparison run
 * It needs nothing of the first run, so it works beside it on another core: a child process that leaves record,
 * frames and pictures in shared memory. */

struct comparison {
    pid_t child;
    size_t bytes;              /* of the shared memory */
    struct run_record *record; /* first in it, then frames, then pixels */
    uint8_t *pixels;
};

static bool comparison_start(struct comparison *comparison, const struct pass *main_pass)
{
    uint32_t frames = main_pass->options->frames;
    size_t frame_bytes = frames * sizeof(struct frame_record), pixel_bytes = (size_t)frames * SCENE_FRAME_BYTES;
    comparison->bytes = sizeof(struct run_record) + frame_bytes + pixel_bytes;
    void *shared = mmap(NULL, comparison->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return false;
    comparison->record = shared;
    comparison->record->frames = (struct frame_record *)(comparison->record + 1);
    comparison->pixels = (uint8_t *)(comparison->record->frames + frames);
    fflush(NULL);
    comparison->child = fork();
    if (comparison->child == 0) {
        signal(SIGINT, SIG_IGN); /* Ctrl-C ends the shown run, which then ends this one */
        struct pass pass = *main_pass;
        pass.pixels = comparison->pixels;
        pass.record = comparison->record;
        pass.is_large = true;
        pass.is_shown = false;
        pass.window = NULL;
        pass.view = NULL;
        _exit(run_pass(&pass));
    }
    return comparison->child > 0;
}

/* Wait for it and fill in what the report says about it. */
static void comparison_finish(struct comparison *comparison, const struct pass *main_pass, bool is_wanted)
{
    struct run_record *record = main_pass->record;
    const struct run_record *other = comparison->record;
    int status = 0;
    if (!is_wanted) kill(comparison->child, SIGKILL);
    else fprintf(stderr, "  drawing the same frames in large memory, without splits ...\n");
    bool is_done =
        waitpid(comparison->child, &status, 0) == comparison->child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    record->is_unsplit_known = is_wanted;
    record->unsplit_splits = other->statistics[STAT_SPLITS];
    record->unsplit_wall_seconds = other->wall_seconds;
    record->matches_unsplit =
        is_done && record->unsplit_splits == 0 &&
        memcmp(comparison->pixels, main_pass->pixels, (size_t)main_pass->options->frames * SCENE_FRAME_BYTES) == 0;
    munmap(comparison->record, comparison->bytes);
}

/* What watches a pass. False after a line on stderr, with nothing open. */
static bool open_watchers(struct pass *pass)
{
    char message[256];
    pass->view = view_open(pass->options->out, message);
    view_report_frames(pass->view, pass->options->report_first, pass->options->report_last);
    if (pass->options->has_page_tracks) view_show_pages(pass->view);
    if (pass->view != NULL && pass->options->has_window) {
        const bool has_flips = pass->options->has_flips;
        pass->window = window_open("Tessera", has_flips ? SCENE_DISPLAY_WIDTH : SCENE_WIDTH,
                                   has_flips ? SCENE_DISPLAY_HEIGHT : SCENE_HEIGHT, message);
        if (pass->window == NULL) {
            (void)view_close(pass->view);
            view_free(pass->view);
            pass->view = NULL;
        }
    }
    if (pass->view == NULL) fprintf(stderr, "tessera: %s\n", message);
    return pass->view != NULL;
}

static void close_watchers(struct pass *pass)
{
    if (pass->options->has_window) fprintf(stderr, "  %u frames shown in the window\n", window_frames(pass->window));
    window_close(pass->window);
    view_free(pass->view);
}

static bool draw_expected(const struct pass *pass, uint8_t *expected)
{
    struct scene_frame *frame = malloc(sizeof *frame);
    if (frame == NULL) {
        fprintf(stderr, "tessera: out of memory\n");
        return false;
    }
    for (uint32_t i = 0; i < pass->options->frames; i++) {
        pass->scene->frame(pass->scene, i, frame);
        scene_reference(pass->scene, frame, expected + (size_t)i * SCENE_FRAME_BYTES);
    }
    free(frame);
    return true;
}

/* The pass that is shown, and beside it the comparison run if there is to be one. */
static int run_passes(struct pass *pass)
{
    const struct program_options *options = pass->options;
    struct run_record *record = pass->record;
    struct comparison comparison = {0};
    double begin = now_seconds();
    bool is_compared = !options->only_this_run && options->platform.device == NULL;
    if (is_compared && !comparison_start(&comparison, pass)) {
        fprintf(stderr, "tessera: cannot start the comparison run: %s. Skip it with --no-compare.\n", strerror(errno));
        return 2;
    }
    int status = run_pass(pass);
    if (is_compared) comparison_finish(&comparison, pass, status == 0 && !record->is_cut);
    record->wall_seconds = now_seconds() - begin;
    if (view_close(pass->view) != 0 && status == 0) {
        fprintf(stderr, "tessera: cannot write all of %s/trace.json. Is the disk full?\n", options->out);
        status = 2;
    }
    return status;
}

/* The verdict about a finished run, and its files. */
static int judge(const struct pass *pass, int status)
{
    const struct program_options *options = pass->options;
    struct run_record *record = pass->record;
    if (interrupt_asked()) {
        scene_results_clear(options); /* of a run before: it would look like this one's */
        fprintf(stderr, "tessera run: interrupted: %s has no pictures and no report of this run.\n", options->out);
        return INTERRUPTED;
    }
    record->matches_golden = status == 0;
    for (uint32_t i = 0; i < options->frames; i++)
        record->matches_golden = record->matches_golden && record->frames[i].is_golden;
    bool is_good = status == 0 && record->matches_golden && (record->matches_unsplit || !record->is_unsplit_known) &&
                   report_faults(record) == 0;
    if (status == 2 || record->is_cut) return status;
    const struct scene_results results = {options,      record,          pass->view,
                                          pass->pixels, pass->functions, pass->function_count};
    int written = scene_results_write(&results, is_good);
    if (written == 0 && record->failure[0] == 0) report_table(options, record); /* else there is no sum to give */
    if (written == 0) printf("  The report, for a browser: %s/report.html\n", options->out);
    return written != 0 ? 2 : is_good ? 0 : 1;
}

static int run_scene(const struct program_options *options, const struct scene *scene, uint8_t *expected,
                     uint8_t *pixels, struct run_record *record)
{
    struct pass pass = {.options = options,
                        .scene = scene,
                        .expected = expected,
                        .pixels = pixels,
                        .is_large = options->is_large,
                        .is_shown = true,
                        .record = record};
    record->footprint = scene_frame_footprint(scene, 0);
    if (record->footprint == 0) {
        fprintf(stderr, "tessera: out of memory\n");
        return 2;
    }
    if (!draw_expected(&pass, expected) || !open_watchers(&pass)) return 2;
    fprintf(stderr, "  %u textures, %llu KB of them in every frame\n", scene->texture_count,
            (unsigned long long)record->footprint / 1024u);
    int status = judge(&pass, run_passes(&pass));
    close_watchers(&pass);
    return status;
}

int command_run(const struct program_options *options)
{
    struct scene scene;
    char message[256];
    size_t bytes = (size_t)options->frames * SCENE_FRAME_BYTES;
    /* Four times what memory holds, or twice with few textures. */
    uint64_t footprint = (options->textures != 0 ? 2u : 4u) * GPU_LIMIT(PAGE_BYTES) *
                         (uint64_t)(options->segment1_pages + options->segment2_pages);
    if (!option_folder("tessera", options->out)) return 2;
    interrupt_watch();
    const bool is_file = scene_about(options->scene)->is_file;
    if ((is_file ? scene_freedoom(&scene, options->wad, options->platform.seed, footprint, options->textures, message)
                 : scene_computed(&scene, options->scene, options->platform.seed, message)) != 0) {
        fprintf(stderr, "tessera: %s\n", message);
        return 2;
    }
    struct run_record record = {0};
    uint8_t *expected = calloc(1, bytes), *pixels = calloc(1, bytes);
    record.frames = calloc(options->frames, sizeof *record.frames);
    int status = 2;
    if (expected != NULL && pixels != NULL && record.frames != NULL)
        status = run_scene(options, &scene, expected, pixels, &record);
    else fprintf(stderr, "tessera: out of memory\n");
    free(expected);
    free(pixels);
    free(record.frames);
    scene.destroy(&scene);
    return status;
}
