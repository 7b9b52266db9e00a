/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "clients/sdl/record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/cli/option_table.h"
#include "clients/sdl/record/events.h"
#include "clients/sdl/record/program.h"

enum { POLL_MILLISECONDS = 100 };

bool launch_refuse(const struct launch *launch, const char *subject, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", launch->self, subject, what);
    return false;
}

bool launch_fail(const struct launch *launch, const char *subject, const char *next)
{
    fprintf(stderr, "%s: %s: %s. %s\n", launch->self, subject, strerror(errno), next);
    return false;
}

static const char retry[] = "End other programs and try again.";

/* ------------------------------------------------------------------ the command line */

static bool number(const struct launch *launch, const char *option, const char *text, uint32_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long parsed = strtoul(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && parsed <= INT_MAX) {
        *value = (uint32_t)parsed;
        return true;
    }
    fprintf(stderr, "%s: --%s %s: give a number from 0 to %d. '%s --help' lists the options.\n", launch->self, option,
            text, INT_MAX, launch->self);
    return false;
}

bool launch_option(struct launch *launch, int option, const char *text)
{
    switch (option) {
    case 'n': return number(launch, "frames", text, &launch->frame_limit);
    case 'w': return number(launch, "wait", text, &launch->wait_seconds);
    case 'e': launch->events = text; return events_parse(launch->self, text);
    default: return false;
    }
}

static void say_unknown(const struct launch *launch, const struct option *options, const char *word)
{
    const char *names[LAUNCH_OPTIONS], *near = NULL;
    char text[64];
    size_t count = 0;
    for (; count < LAUNCH_OPTIONS && options[count].name != NULL; count++) names[count] = options[count].name;
    snprintf(text, sizeof text, "%s", word);
    text[strcspn(text, "=")] = 0;
    if (strncmp(text, "--", 2) == 0) near = option_nearest(text + 2, names, count);
    fprintf(stderr, "%s: unknown option '%s'. ", launch->self, word);
    if (near != NULL) fprintf(stderr, "Did you mean --%s? ", near);
}

int launch_next(const struct launch *launch, int argc, char **argv, const char *letters, const struct option *options)
{
    const int at = optind;
    opterr = 0;
    const int option = getopt_long(argc, argv, letters, options, NULL);
    if (option != '?' && option != ':') return option;
    /* Of letters in one word getopt stays at the word until the last of them is read. */
    const char *word = argv[optind > at ? optind - 1 : at];
    if (option == ':') fprintf(stderr, "%s: option '%s' needs a value. ", launch->self, word);
    else if (strncmp(word, "--", 2) == 0 && optopt != 0)
        fprintf(stderr, "%s: option '%.*s' takes no value. ", launch->self, (int)strcspn(word, "="), word);
    else say_unknown(launch, options, word);
    fprintf(stderr, "'%s --help' lists the options.\n", launch->self);
    return LAUNCH_REFUSED;
}

int launch_help(const struct launch *launch, const char *help)
{
    errno = 0;
    if (fputs(help, stdout) >= 0 && fflush(stdout) == 0) return 0;
    fprintf(stderr, "%s: cannot write to standard output: %s. Give it a file or a pipe that takes all of it.\n",
            launch->self, strerror(errno));
    return 2;
}

bool launch_arguments(struct launch *launch, char **arguments)
{
    launch->arguments = arguments;
    if (*arguments == NULL)
        fprintf(stderr, "%s: name a program. '%s --help' lists the options.\n", launch->self, launch->self);
    return *arguments != NULL;
}

/* ------------------------------------------------------------------ the program */

static bool find_program(struct launch *launch)
{
    const char *name = launch->arguments[0], *folders = getenv("PATH");
    bool is_path = strchr(name, '/') != NULL;
    for (const char *at = is_path ? "" : folders != NULL ? folders : "/usr/bin:/bin"; at != NULL;) {
        size_t length = strcspn(at, ":");
        int used = is_path ? snprintf(launch->program, LAUNCH_NAME, "%s", name)
                           : snprintf(launch->program, LAUNCH_NAME, "%.*s/%s", (int)length, at, name);
        struct stat status;
        if (used < LAUNCH_NAME && stat(launch->program, &status) == 0 && S_ISREG(status.st_mode) &&
            access(launch->program, X_OK) == 0)
            return true;
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
    fprintf(stderr, "%s: there is no program %s. Check the name, or give its path.\n", launch->self, name);
    return false;
}

static bool copy_bytes(const char *from, const char *to)
{
    char bytes[1 << 16];
    ssize_t count = -1;
    int source = open(from, O_RDONLY | O_CLOEXEC), target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (source >= 0 && target >= 0)
        while ((count = read(source, bytes, sizeof bytes)) > 0 && write(target, bytes, (size_t)count) == count) {}
    if (source >= 0) (void)close(source);
    return target >= 0 && close(target) == 0 && count == 0;
}

/* The loader ignores LD_PRELOAD where a program changes its user or group; for a copy it does not. */
static bool copy_privileged(struct launch *launch)
{
    struct stat status;
    char copy[LAUNCH_NAME];
    if (stat(launch->program, &status) != 0 || (status.st_mode & (S_ISUID | S_ISGID)) == 0) return true;
    snprintf(launch->copy_folder, LAUNCH_NAME, "/tmp/tessera-record-XXXXXX");
    if (mkdtemp(launch->copy_folder) == NULL) {
        launch->copy_folder[0] = 0;
        return launch_fail(launch, "/tmp", "A program with set user or group is copied there: make room for it.");
    }
    int used = snprintf(copy, LAUNCH_NAME, "%s/%s", launch->copy_folder, basename(launch->program));
    bool is_copied = used < LAUNCH_NAME && copy_bytes(launch->program, copy);
    memcpy(launch->program, copy, LAUNCH_NAME);
    return is_copied || launch_refuse(launch, copy,
                                      "this copy of the program cannot be made. Check that you can read the program, "
                                      "and that /tmp has room.");
}

void launch_end(const struct launch *launch)
{
    if (launch->copy_folder[0] == 0) return;
    (void)unlink(launch->program);
    (void)rmdir(launch->copy_folder);
}

static bool find_library(struct launch *launch)
{
    static const char name[] = "/libtessera-record.so";
    ssize_t length = readlink("/proc/self/exe", launch->library, LAUNCH_NAME - sizeof name);
    if (length < 0) return launch_fail(launch, "/proc/self/exe", "Mount /proc.");
    launch->library[length] = 0;
    strcpy(strrchr(launch->library, '/'), name);
    return access(launch->library, R_OK) == 0 ||
           launch_refuse(launch, launch->library, "is missing or cannot be read. Run 'make record' to build it.");
}

bool launch_find(struct launch *launch)
{
    return find_program(launch) && find_library(launch) && copy_privileged(launch);
}

void launch_path(char path[LINK_PATH], int descriptor)
{
    snprintf(path, LINK_PATH, "/proc/%d/fd/%d", (int)getpid(), descriptor);
}

bool launch_link(struct launch *launch, const char *called, int descriptor)
{
    char path[LINK_PATH], preload[2 * LAUNCH_NAME];
    const char *others = getenv("LD_PRELOAD"), *user = getenv(LINK_SDL3_VARIABLE);
    int shared = memfd_create("tessera-record", MFD_CLOEXEC);
    if (shared < 0 || ftruncate(shared, (off_t)sizeof *launch->link) != 0)
        return launch_fail(launch, "shared memory", retry);
    void *memory = mmap(NULL, sizeof *launch->link, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (memory == MAP_FAILED) return launch_fail(launch, "shared memory", retry);
    launch->link = memory;
    launch->link->frame_limit = launch->frame_limit;
    snprintf(launch->link->name, sizeof launch->link->name, "%s", called);
    launch_path(launch->link->file, descriptor);
    launch_path(path, shared);
    snprintf(preload, sizeof preload, "%s%s%s", launch->library, others != NULL ? ":" : "",
             others != NULL ? others : "");
    return (setenv(LINK_SDL3_USER_VARIABLE, user != NULL ? user : "", 1) == 0 && setenv(LINK_VARIABLE, path, 1) == 0 &&
            setenv(LINK_SDL3_VARIABLE, launch->library, 1) == 0 && setenv("LD_PRELOAD", preload, 1) == 0 &&
            setenv(LINK_EVENTS_VARIABLE, launch->events, 1) == 0) ||
           launch_fail(launch, "the environment of the program", retry);
}

/* ------------------------------------------------------------------ while it runs */

/* Of these nothing else comes: it is said as soon as it is seen. */
enum { SEEN_OTHER_WAYS = SEEN_UNSEEABLE | SEEN_RENDERER | SEEN_OPENGL | SEEN_OVERLAY | SEEN_GPU };

static const char *what_was_seen(const struct launch *launch)
{
    uint32_t seen = atomic_load(&launch->link->seen);
    if ((seen & ~(uint32_t)SEEN_SDL) == 0 && launch->refusal != NULL) return launch->refusal;
    if ((seen & SEEN_UNSEEABLE) != 0) return "the pixels of what it shows cannot be read";
    if ((seen & SEEN_RENDERER) != 0) return "it shows its pictures with a renderer of SDL's that cannot be recorded";
    if ((seen & SEEN_OPENGL) != 0) return "it shows its pictures with OpenGL, which is not recorded";
    if ((seen & SEEN_GPU) != 0)
        return "it shows its pictures with Vulkan or SDL 3's GPU functions, which are not recorded";
    if ((seen & SEEN_OVERLAY) != 0) return "it shows its pictures as video overlays, which are not recorded";
    if ((seen & SEEN_SCREEN) != 0) return "it has opened a screen, and has shown nothing on it";
    if ((seen & SEEN_SDL) != 0) return "it has initialised SDL, and has opened no screen for surfaces";
    return "it has called nothing of SDL 1.2, 2 or 3 that the recorder knows";
}

static bool is_alive(pid_t process) { return process > 0 && (kill(process, 0) == 0 || errno == EPERM); }

static uint64_t now_milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000u + (uint64_t)time.tv_nsec / 1000000u;
}

static void pass_on(const struct launch *launch, bool has_ended, int signal_number)
{
    pid_t owner = atomic_load(&launch->link->owner);
    if (!has_ended) (void)kill(launch->child, signal_number);
    if (owner > 0 && (owner != launch->child)) (void)kill(owner, signal_number);
}

/* Has it shown nothing although it is late, or shown something that is not recorded? A line says so, once. */
static bool complain(struct launch *launch, bool is_late)
{
    uint32_t seen = atomic_load(&launch->link->seen);
    bool is_other = (seen & (uint32_t)SEEN_OTHER_WAYS) != 0 || launch->refusal != NULL;
    if (!is_late && !is_other) return false;
    if (recording_progress(&launch->link->state).frames != 0) return true;
    if (launch->refusal == NULL && (seen & (uint32_t)SEEN_SDL) == 0) launch->refusal = program_loaded(launch->child);
    fprintf(stderr, "%s: %s has shown no surface so far: %s. Press Ctrl-C to end it.\n", launch->self,
            launch->arguments[0], what_was_seen(launch));
    return true;
}

/* Until the program has ended, and the process that records, if that is another one. Signals of others are passed on to
 * them; those of the terminal they get themselves. */
static void watch(struct launch *launch, const sigset_t *signals)
{
    const struct timespec poll = {0, POLL_MILLISECONDS * 1000000};
    uint64_t late = now_milliseconds() + launch->wait_seconds * 1000ull;
    bool has_ended = false, has_said = launch->wait_seconds == 0;
    while (!has_ended || is_alive(atomic_load(&launch->link->owner))) {
        pid_t owner = atomic_load(&launch->link->owner);
        siginfo_t info;
        int number = sigtimedwait(signals, &info, &poll);
        if (number > 0 && number != SIGCHLD && info.si_code <= 0) pass_on(launch, has_ended, number);
        has_ended = has_ended || waitpid(launch->child, &launch->status, WNOHANG) == launch->child;
        /* What its parent has left behind is this process's child (PR_SET_CHILD_SUBREAPER). */
        if (has_ended && owner > 0 && owner != launch->child) (void)waitpid(owner, &launch->status, WNOHANG);
        if (!has_said && !has_ended) has_said = complain(launch, now_milliseconds() >= late);
    }
}

bool launch_run(struct launch *launch)
{
    static const int list[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    enum { SIGNALS = sizeof list / sizeof *list };
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    struct sigaction actions[SIGNALS];
    sigset_t signals, before;
    sigemptyset(&signals);
    for (size_t i = 0; i < SIGNALS; i++) sigaddset(&signals, list[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    for (size_t i = 0; i < SIGNALS; i++) /* what is ignored could not be waited for */
        sigaction(list[i], &by_default, &actions[i]);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    launch->child = fork();
    if (launch->child < 0) return launch_fail(launch, "a new process", retry);
    launch->refusal = program_refusal(launch->program);
    if (launch->child == 0) {
        for (size_t i = 0; i < SIGNALS; i++) sigaction(list[i], &actions[i], NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execv(launch->program, launch->arguments);
        (void)launch_fail(launch, launch->program, "Check that this machine can run it.");
        _exit(127);
    }
    watch(launch, &signals);
    return true;
}

void launch_say_finished(const struct launch *launch, const uint64_t finished[RECORDING_REASONS], double unit,
                         const char *called)
{
    const struct link_counts *counts = &launch->link->counts;
    char calls[32];
    for (uint32_t i = 0; i < RECORDING_REASONS; i++) {
        if (finished[i] == 0 && counts->left[i] == 0) continue;
        snprintf(calls, sizeof calls, "%u call%s", counts->left[i], counts->left[i] != 1 ? "s" : "");
        fprintf(stderr, "  %12.1f %s %14s  %s\n", (double)finished[i] / unit, called, counts->left[i] != 0 ? calls : "",
                recording_reason_words((enum recording_reason)i));
    }
    if (counts->blits + counts->fills == 0)
        fputs("  The program draws its frames by itself: the GPU has nothing to draw.\n", stderr);
}

bool launch_has_failed(const struct launch *launch)
{
    return WIFSIGNALED(launch->status) || WEXITSTATUS(launch->status) != 0;
}

bool launch_say_end(const struct launch *launch)
{
    if (WIFSIGNALED(launch->status))
        fprintf(stderr, "%s: %s ended by signal %d (%s).\n", launch->self, launch->arguments[0],
                WTERMSIG(launch->status), strsignal(WTERMSIG(launch->status)));
    else if (launch_has_failed(launch))
        fprintf(stderr, "%s: %s ended with exit status %d.\n", launch->self, launch->arguments[0],
                WEXITSTATUS(launch->status));
    return launch_has_failed(launch);
}

void launch_say_nothing(const struct launch *launch, const char *consequence)
{
    fprintf(stderr, "%s: %s (%s %d) showed no SDL surface. So %s: %s. See docs/record.md.\n", launch->self,
            launch->arguments[0], WIFSIGNALED(launch->status) ? "signal" : "exit status",
            WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : WEXITSTATUS(launch->status), consequence,
            what_was_seen(launch));
}
