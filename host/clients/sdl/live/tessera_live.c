/* SPDX-License-Identifier: Apache-2.0
 *
 * build/tessera-live: run an SDL 1.2, 2 or 3 program, and let the GPU draw what it shows. docs/live.md has the rest.
 *
 * Three processes: the program, with the recorder in front of its SDL; the GPU (live_gpu.h), which takes the recording
 * out of a pipe and gives pictures back through another; and this one, which watches both and says how it went.
 *
 * Exit status: 0: every frame shown is the GPU's (and with --check SDL's, too); 1: not so, or the program ended by a
 * signal or with an exit status other than 0, which a line says; 2: no frame was shown.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clients/sdl/live/live_gpu.h"
#include "clients/sdl/record/events.h"
#include "clients/sdl/record/launch.h"

/* The GPU may finish what it is at when the program has ended: so many times 10 ms. */
enum { NOTHING_SHOWN = 2, PATIENCE = 200 };
enum { ALLOCATIONS = 256, CONTEXTS }; /* options without a letter */

static const char help[] =
    "tessera-live [options] PROGRAM [ARGUMENT...]: run an SDL 1.2, 2 or 3 program and draw its window with the "
    "GPU\n"
    "(docs/live.md)\n\n"
    "  -d, --device DEVICE  draw with the golden model (model, the default), the simulated chip (simulator), or a\n"
    "                       board (tty:... or tcp:...)\n"
    "  -a, --approximate    let the GPU also draw what it rounds differently from this SDL (by a few levels of 255)\n"
    "  -c, --check          fail if a frame differs from SDL's in any pixel, and name the first of these frames\n"
    "  -n, --frames N       end the program after N frames\n" EVENTS_HELP
    "  -w, --wait SECONDS   say why, when the program has shown nothing for so long; 0: never (1)\n"
    "      --allocations N  " OPTION_ALLOCATIONS_HELP "\n"
    "      --contexts N     " OPTION_CONTEXTS_HELP "\n"
    "  -s, --spoil          for tests: spoil a pixel of the first frame on the GPU, so that --check fails\n"
    "  -h, --help           print this text\n\n"
    "'tessera-record --help' lists the functions of SDL 3 that the GPU draws.\n";

struct live {
    struct launch launch;
    const char *device;
    struct option_limits limits;
    bool is_checked, is_approximate, spoils;
    struct live_gpu *gpu;
    int events[2], pictures[2]; /* pipes: to be read, to be written */
    pid_t process;              /* the GPU's */
    struct live_result *result; /* shared with it */
};

/* ------------------------------------------------------------------ the command line */

/* -1: go on; else an exit status. */
static int parse(struct live *live, int argc, char **argv)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"check", no_argument, NULL, 'c'},
                                            {"frames", required_argument, NULL, 'n'},
                                            {"events", required_argument, NULL, 'e'},
                                            {"wait", required_argument, NULL, 'w'},
                                            {"spoil", no_argument, NULL, 's'},
                                            {"approximate", no_argument, NULL, 'a'},
                                            {"allocations", required_argument, NULL, ALLOCATIONS},
                                            {"contexts", required_argument, NULL, CONTEXTS},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int option;
    bool is_good = true;
    while (is_good && (option = launch_next(&live->launch, argc, argv, "+:d:acn:e:w:sh", options)) != -1) {
        switch (option) {
        case 'd': live->device = optarg; break;
        case 'a': live->is_approximate = true; break;
        case 'c': live->is_checked = true; break;
        case 's': live->spoils = true; break;
        case ALLOCATIONS: is_good = option_allocations(live->launch.self, optarg, &live->limits); break;
        case CONTEXTS: is_good = option_contexts(live->launch.self, optarg, &live->limits); break;
        case 'h': return launch_help(&live->launch, help);
        default: is_good = launch_option(&live->launch, option, optarg);
        }
    }
    return is_good && launch_arguments(&live->launch, argv + optind) ? -1 : NOTHING_SHOWN;
}

/* ------------------------------------------------------------------ the GPU's process */

static bool open_gpu(struct live *live)
{
    char message[256];
    live->gpu = live_gpu_open(live->device, &live->limits, message);
    if (live->gpu == NULL) return launch_refuse(&live->launch, live->device, message);
    if (live->spoils) live_gpu_spoil(live->gpu);
    live->result = mmap(NULL, sizeof *live->result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return (live->result != MAP_FAILED && pipe2(live->events, O_CLOEXEC) == 0 &&
            pipe2(live->pictures, O_CLOEXEC) == 0) ||
           launch_fail(&live->launch, "pipes to the GPU", "End other programs and try again.");
}

static bool link_up(struct live *live)
{
    if (!launch_link(&live->launch, "the GPU", live->events[1])) return false;
    launch_path(live->launch.link->drawn.pictures, live->pictures[0]);
    live->launch.link->drawn.is_exact = !live->is_approximate;
    return true;
}

/* What the terminal sends is for the program; the GPU ends when there is nothing left to draw. */
static _Noreturn void serve(struct live *live)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    (void)close(live->events[1]);
    (void)close(live->pictures[0]);
    _exit(live_gpu_serve(live->gpu, live->events[0], live->pictures[1], live->result) ? 0 : 1);
}

/* Of the pipes this process keeps the ends that the program opens by their paths. */
static bool start_gpu(struct live *live)
{
    live->process = fork();
    if (live->process == 0) serve(live);
    (void)close(live->events[0]);
    (void)close(live->pictures[1]);
    return live->process > 0 ||
           launch_fail(&live->launch, "a process for the GPU", "End other programs and try again.");
}

/* The events end, wherever the program has stopped, and nothing takes pictures any more. */
static void end_gpu(struct live *live)
{
    const struct timespec pause = {0, 10000000};
    (void)signal(SIGPIPE, SIG_IGN);
    (void)close(live->pictures[0]);
    struct recording_writer *writer = recording_continue(live->events[1], &live->launch.link->state);
    if (writer != NULL) (void)recording_finish(writer);
    for (int i = 0; i < PATIENCE && waitpid(live->process, NULL, WNOHANG) == 0; i++) nanosleep(&pause, NULL);
    if (waitpid(live->process, NULL, WNOHANG) != 0) return;
    (void)kill(live->process, SIGKILL);
    (void)waitpid(live->process, NULL, 0);
}

/* ------------------------------------------------------------------ the end */

static double share(uint64_t part, uint64_t all) { return all != 0 ? 100.0 * (double)part / (double)all : 0.0; }

static void say_unlike(const struct live *live)
{
    const struct link_drawn *drawn = &live->launch.link->drawn;
    for (uint32_t i = 0; i < drawn->unlike_frames && i < LINK_UNLIKE; i++)
        fprintf(
            stderr,
            "tessera-live: frame %u differs from SDL's: %u pixels, by up to %u levels of 255, the first at %u, %u\n",
            drawn->unlike[i].frame, drawn->unlike[i].pixels, drawn->unlike[i].levels, drawn->unlike[i].x,
            drawn->unlike[i].y);
}

static void say_time(const struct live *live)
{
    const struct live_result *result = live->result;
    if (result->frames == 0) return;
    fprintf(stderr, "tessera-live: %s took %.2f ms a frame", live->device,
            (double)result->microseconds / 1000.0 / result->frames);
    if (result->cycles != 0 && strcmp(live->device, "model") != 0)
        fprintf(stderr, ", %" PRIu64 " cycles", result->cycles / result->frames);
    fputs("\n", stderr);
}

static void say_shown(const struct live *live)
{
    const struct live_result *result = live->result;
    if (result->flipped != 0)
        fprintf(stderr, "tessera-live: %u frames were shown by flips of the display\n", result->flipped);
    if (result->flipped < result->frames)
        fprintf(stderr, "tessera-live: %u frames were read back: %s\n", result->frames - result->flipped,
                result->read_back);
}

static int finish(const struct live *live)
{
    const struct launch *launch = &live->launch;
    const struct link_counts *counts = &launch->link->counts;
    const struct link_drawn *drawn = &launch->link->drawn;
    const struct live_result *result = live->result;
    /* analyse: clang-analyzer-core.NullDereference: mapped before anything is run */
    if (result->has_failed)
        fprintf(stderr, "tessera-live: the GPU has failed: %s. SDL drew the remaining frames.\n", result->failure);
    if (drawn->frames == 0) {
        if (!result->has_failed) launch_say_nothing(launch, "nothing was drawn");
        return launch_has_failed(launch) ? 1 : NOTHING_SHOWN;
    }
    if (live->is_checked) say_unlike(live);
    say_time(live);
    say_shown(live);
    fprintf(stderr,
            "tessera-live: %s: %u frames, %u of them equal to SDL's in every pixel. The GPU drew %.1f %% of the pixels "
            "shown, with %u blits and %u fills. SDL or the program drew %.1f %%%s\n",
            launch->arguments[0], drawn->frames, drawn->frames - drawn->unlike_frames,
            share(result->shown.drawn, result->shown.pixels), counts->blits, counts->fills,
            share(result->shown.host, result->shown.pixels), result->shown.host != 0 ? ":" : ".");
    launch_say_finished(launch, result->shown.finished, (double)result->shown.pixels / 100.0, "%");
    bool is_bad = launch_say_end(launch) || atomic_load(&launch->link->has_failed) ||
                  (live->is_checked && drawn->unlike_frames != 0);
    return is_bad ? 1 : 0;
}

int main(int argc, char **argv)
{
    static struct live live = {.launch = {.self = "tessera-live", .events = "", .wait_seconds = 1}, .device = "model"};
    int status = parse(&live, argc, argv);
    if (status >= 0) return status;
    status = NOTHING_SHOWN;
    if (launch_find(&live.launch) && open_gpu(&live) && link_up(&live) && start_gpu(&live)) {
        bool has_run = launch_run(&live.launch);
        end_gpu(&live);
        if (has_run) status = finish(&live);
    }
    live_gpu_close(live.gpu);
    launch_end(&live.launch);
    return status;
}
