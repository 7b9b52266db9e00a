/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what tessera-record and tessera-live say of options, of how a program ended and of what it has shown is so.
 * Method: launch.c alone; its lines are read back from a file: numbers at both ends of their range, every word that is
 * no option, every end, every way to show something else. Programs that run are in record.sh and live.sh.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clients/sdl/record/launch.h"
#include "clients/sdl/record/program.h"
#include "clients/sdl/record/surface.h"

static char said[8192];
static unsigned passed, failed;
static struct record_link shared;

/* ------------------------------------------------------------------ stand-ins */

enum sdl_version sdl_version(void) { return SDL_NONE; }
void *sdl_function(const char *name) { return name == NULL ? said : NULL; }
const char *link_self(void) { return "self"; }
bool link_is_ours(void) { return true; }
const char *program_refusal(const char *path) { return path == NULL ? "no path" : NULL; }
const char *program_loaded(pid_t process) { return process == 0 ? "no process" : NULL; }

static struct launch usual(void)
{
    static char *arguments[] = {"the-program", NULL};
    return (struct launch){.self = "self", .events = "", .arguments = arguments, .link = &shared};
}

/* ------------------------------------------------------------------ what is said on stderr */

static int saved;
static void listen(void)
{
    fflush(stderr);
    saved = dup(2);
    const int file = memfd_create("said", 0);
    if (saved < 0 || file < 0 || dup2(file, 2) < 0) exit(2);
    close(file);
}
static void hear(void)
{
    fflush(stderr);
    const ssize_t used = pread(2, said, sizeof said - 1u, 0);
    said[used > 0 ? used : 0] = 0;
    dup2(saved, 2);
    close(saved);
}

static void check(bool is_good, const char *what)
{
    if (!is_good) printf("FAILED: %s: %s\n", what, said);
    passed += is_good;
    failed += !is_good;
}

/* One line, with these words; NULL: nothing. */
static void says(const char *words)
{
    const char *end = strchr(said, '\n');
    check(words == NULL ? said[0] == 0 : end != NULL && end[1] == 0 && strstr(said, words) != NULL,
          words != NULL ? words : "nothing is said");
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        bool is_good;
        uint32_t value;
    } numbers[] = {
        {"0", true, 0},           {"9", true, 9},           {"0012", true, 12}, {"2147483647", true, INT_MAX},
        {"2147483648", false, 0}, {"4294967296", false, 0}, {"-0", false, 0},   {"-1", false, 0},
        {"+1", false, 0},         {" 1", false, 0},         {"1 ", false, 0},   {"1x", false, 0},
        {"", false, 0},           {"/1", false, 0},         {":1", false, 0},   {"99999999999999999999999", false, 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (unsigned option = 0; option < 2; option++) {
            struct launch launch = usual();
            launch.frame_limit = launch.wait_seconds = 77;
            listen();
            const bool is_good = launch_option(&launch, option == 0 ? 'n' : 'w', numbers[i].text);
            hear();
            check(is_good == numbers[i].is_good, numbers[i].text);
            says(is_good ? NULL : "give a number from 0 to 2147483647. 'self --help' lists the options.");
            if (!is_good) check(strstr(said, option == 0 ? "--frames" : "--wait") != NULL, "the option is named");
            const uint32_t is[2] = {launch.frame_limit, launch.wait_seconds}, wanted = is_good ? numbers[i].value : 77u;
            check(is[option] == wanted && is[1u - option] == 77u, "its number and no other");
        }
    }
    struct launch launch = usual();
    check(launch_option(&launch, 'e', "3:a") && strcmp(launch.events, "3:a") == 0, "events");
    listen();
    check(!launch_option(&launch, 'e', "3:b c"), "events that are none");
    check(!launch_option(&launch, 'x', "1"), "no option");
    hear();
    says("self: event 'c'");
}

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"frames", required_argument, NULL, 'n'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static int next_of(char *first, char *second)
{
    struct launch launch = usual();
    char *arguments[] = {"self", first, second, NULL};
    optind = 0;
    listen();
    const int option = launch_next(&launch, second != NULL ? 3 : 2, arguments, "+:o:n:h", options);
    hear();
    return option;
}

static void test_words(void)
{
    static const struct {
        const char *words[2];
        int option;
        const char *line;
    } cases[] = {{{"-o", "a"}, 'o', NULL},
                 {{"--output", "a"}, 'o', NULL},
                 {{"--frames=3", NULL}, 'n', NULL},
                 {{"-h", NULL}, 'h', NULL},
                 {{"program", "-h"}, -1, NULL},
                 {{"--", "-h"}, -1, NULL},
                 {{"-o", NULL}, LAUNCH_REFUSED, "option '-o' needs a value. 'self --help' lists"},
                 {{"--output", NULL}, LAUNCH_REFUSED, "option '--output' needs a value. "},
                 {{"--help=3", NULL}, LAUNCH_REFUSED, "option '--help' takes no value. "},
                 {{"--outptu", "a"}, LAUNCH_REFUSED, "unknown option '--outptu'. Did you mean --output? 'self --help'"},
                 {{"--frmes=3", NULL}, LAUNCH_REFUSED, "unknown option '--frmes=3'. Did you mean --frames? "},
                 {{"--colour", NULL}, LAUNCH_REFUSED, "unknown option '--colour'. 'self --help' lists"},
                 {{"-x", NULL}, LAUNCH_REFUSED, "unknown option '-x'. 'self --help' lists"},
                 {{"-hx", NULL}, 'h', NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[2][32];
        for (unsigned k = 0; k < 2; k++)
            snprintf(words[k], sizeof words[k], "%s", cases[i].words[k] != NULL ? cases[i].words[k] : "");
        const int option = next_of(words[0], cases[i].words[1] != NULL ? words[1] : NULL);
        check(option == cases[i].option, cases[i].words[0]);
        says(cases[i].line);
    }
    struct launch launch = usual();
    char *none[] = {NULL}, *some[] = {"a", NULL};
    listen();
    check(!launch_arguments(&launch, none), "no program");
    hear();
    says("self: name a program. 'self --help' lists the options.");
    check(launch_arguments(&launch, some) && launch.arguments == some, "a program");
}

/* How it ended: an exit status, a signal, neither. */
static void test_ends(void)
{
    static const struct {
        int status;
        const char *line, *nothing;
    } ends[] = {{0, NULL, "(exit status 0)"},
                {1 << 8, "the-program ended with exit status 1.", "(exit status 1)"},
                {255 << 8, "the-program ended with exit status 255.", "(exit status 255)"},
                {SIGSEGV, "the-program ended by signal 11 (Segmentation fault).", "(signal 11)"},
                {SIGTERM, "the-program ended by signal 15 (Terminated).", "(signal 15)"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct launch launch = usual();
        launch.status = ends[i].status;
        check(launch_has_failed(&launch) == (ends[i].line != NULL), "whether it failed");
        listen();
        check(launch_say_end(&launch) == (ends[i].line != NULL), "and says so");
        hear();
        says(ends[i].line);
        listen();
        launch_say_nothing(&launch, "nothing was drawn");
        hear();
        says(ends[i].nothing);
        says("showed no SDL surface. So nothing was drawn: it has called nothing of SDL");
    }
}

/* What is said of what was seen: the most telling of it. */
static void test_seen(void)
{
    static const struct {
        uint32_t seen;
        const char *refusal, *words;
    } cases[] = {{0, NULL, "it has called nothing of SDL 1.2, 2 or 3"},
                 {0, "it is static", "it is static"},
                 {SEEN_SDL, "it is static", "it is static"},
                 {SEEN_SDL, NULL, "it has initialised SDL, and has opened no screen"},
                 {SEEN_SDL | SEEN_SCREEN, "it is static", "it has opened a screen, and has shown nothing"},
                 {SEEN_SCREEN, NULL, "it has opened a screen"},
                 {SEEN_SCREEN | SEEN_OVERLAY, NULL, "video overlays"},
                 {SEEN_SCREEN | SEEN_OVERLAY | SEEN_GPU, NULL, "Vulkan or SDL 3's GPU functions"},
                 {SEEN_SCREEN | SEEN_OPENGL | SEEN_GPU, NULL, "OpenGL"},
                 {SEEN_RENDERER | SEEN_OPENGL, NULL, "a renderer of SDL's that cannot be recorded"},
                 {SEEN_RENDERER | SEEN_UNSEEABLE, NULL, "the pixels of what it shows cannot be read"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct launch launch = usual();
        shared.seen = cases[i].seen;
        launch.refusal = cases[i].refusal;
        listen();
        launch_say_nothing(&launch, "x");
        hear();
        says(cases[i].words);
    }
    shared.seen = 0;
}

static void test_finished(void)
{
    struct launch launch = usual();
    uint64_t finished[RECORDING_REASONS] = {0};
    finished[REASON_PROGRAM] = 2048;
    shared.counts.left[REASON_TURNED] = 1;
    finished[REASON_TURNED] = 512;
    shared.counts.left[REASON_LINE] = 3;
    listen();
    launch_say_finished(&launch, finished, 1024.0, "KB");
    hear();
    check(strstr(said, "           2.0 KB                 drawn by the program itself\n") != NULL, "no calls");
    check(strstr(said, "           0.5 KB         1 call  a copy turned by another angle") != NULL, "one call");
    check(strstr(said, "           0.0 KB        3 calls  a slanted or scaled line") != NULL, "calls without pixels");
    check(strstr(said, "The program draws its frames by itself") != NULL, "nothing was drawn");
    shared.counts.fills = 1;
    listen();
    launch_say_finished(&launch, finished, 512.0, "lines");
    hear();
    check(strstr(said, "           4.0 lines") != NULL, "another unit");
    check(strstr(said, "by itself:") == NULL, "a fill is drawn");
    memset(&shared.counts, 0, sizeof shared.counts);
    shared.counts.blits = 1;
    memset(finished, 0, sizeof finished);
    listen();
    launch_say_finished(&launch, finished, 1, "KB");
    hear();
    check(said[0] == 0, "nothing was finished, and a blit drawn");
}

int main(void)
{
    test_numbers();
    test_words();
    test_ends();
    test_seen();
    test_finished();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
