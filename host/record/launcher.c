/* SPDX-License-Identifier: Apache-2.0
 *
 * build/tessera-record: run an SDL 1.2 or SDL 2 program and record what it draws. docs/record.md has the rest.
 *
 * The recording is made beside the file that was asked for and takes its place when it is whole. The recorder inside
 * the program (hooks.c) fills it; this program, which outlives that one, ends it: after an exit, a signal or a crash
 * alike.
 *
 * Exit status: 0 with a recording; 1 with one that ends before the program did; 2 without, after one line.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/events.h"
#include "record/link.h"
#include "record/program.h"

enum { LINE_ROOM = 1024, NAME_ROOM = 4096, POLL_MILLISECONDS = 100, NO_RECORDING = 2 };

static const char help[] =
    "tessera-record [options] PROGRAM [ARGUMENT...]: run an SDL 1.2 or SDL 2 program and record the surfaces it shows\n"
    "(docs/record.md); tessera play draws the recording\n\n"
    "  -o, --output FILE    the recording, which replaces FILE when it is whole (recording.tsdl)\n"
    "  -n, --frames N       end the program when it has shown N frames\n"
    "  -e, --events LIST    keys and clicks, for instance \"40:return 60:left:30 90:click=320,200\":\n"
    "                       frame, key, frames held\n"
    "  -w, --wait SECONDS   say what the program does when it has shown nothing for so long, 0: never (1)\n"
    "  -h, --help           this text\n";

struct launch {
    const char *file, *events;
    uint32_t frame_limit, wait_seconds;
    char program[NAME_ROOM], copy_folder[NAME_ROOM], library[NAME_ROOM], partial[NAME_ROOM + 8];
    char **arguments;
    int descriptor; /* of the recording */
    struct record_link *link;
    pid_t child;
    int status; /* how the child has ended */
    const char
        *refusal; /* why the program cannot be recorded, as far as its file and what it has loaded say; or NULL */
};

static bool refuse(const char *subject, const char *what)
{
    fprintf(stderr, "tessera-record: %s: %s\n", subject, what);
    return false;
}

/* ------------------------------------------------------------------ the command line */

static bool number(char option, const char *text, uint32_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long parsed = strtoul(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && parsed <= INT_MAX) {
        *value = (uint32_t)parsed;
        return true;
    }
    fprintf(stderr, "tessera-record: -%c %s: give a number. 'tessera-record --help' lists the options.\n", option,
            text);
    return false;
}

/* -1: go on; else an exit status. */
static int parse(struct launch *launch, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"frames", required_argument, NULL, 'n'},
        {"events", required_argument, NULL, 'e'}, {"wait", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    int option;
    bool is_good = true;
    opterr = 0;
    while (is_good && (option = getopt_long(argc, argv, "+o:n:e:w:h", options, NULL)) != -1) {
        switch (option) {
        case 'o': launch->file = optarg; break;
        case 'n': is_good = number('n', optarg, &launch->frame_limit); break;
        case 'e': launch->events = optarg; break;
        case 'w': is_good = number('w', optarg, &launch->wait_seconds); break;
        case 'h': fputs(help, stdout); return 0;
        default:
            is_good = refuse(argv[optind - 1], "is no option, or lacks its value. 'tessera-record --help' lists them.");
        }
    }
    if (!is_good || !events_parse(launch->events)) return NO_RECORDING;
    launch->arguments = argv + optind;
    if (optind < argc) return -1;
    fprintf(stderr, "tessera-record: which program? 'tessera-record --help' has the options.\n");
    return NO_RECORDING;
}

/* ------------------------------------------------------------------ the program */

static bool find_program(struct launch *launch)
{
    const char *name = launch->arguments[0], *folders = getenv("PATH");
    bool is_path = strchr(name, '/') != NULL;
    for (const char *at = is_path ? "" : folders != NULL ? folders : "/usr/bin:/bin"; at != NULL;) {
        size_t length = strcspn(at, ":");
        int used = is_path ? snprintf(launch->program, NAME_ROOM, "%s", name)
                           : snprintf(launch->program, NAME_ROOM, "%.*s/%s", (int)length, at, name);
        struct stat status;
        if (used < NAME_ROOM && stat(launch->program, &status) == 0 && S_ISREG(status.st_mode) &&
            access(launch->program, X_OK) == 0)
            return true;
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
    fprintf(stderr, "tessera-record: there is no program %s.\n", name);
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
    char copy[NAME_ROOM];
    if (stat(launch->program, &status) != 0 || (status.st_mode & (S_ISUID | S_ISGID)) == 0) return true;
    snprintf(launch->copy_folder, NAME_ROOM, "/tmp/tessera-record-XXXXXX");
    if (mkdtemp(launch->copy_folder) == NULL) {
        launch->copy_folder[0] = 0;
        return refuse("/tmp", strerror(errno));
    }
    int used = snprintf(copy, NAME_ROOM, "%s/%s", launch->copy_folder, basename(launch->program));
    bool is_copied = used < NAME_ROOM && copy_bytes(launch->program, copy);
    memcpy(launch->program, copy, NAME_ROOM);
    return is_copied || refuse(copy, "cannot be written");
}

static void remove_copy(const struct launch *launch)
{
    if (launch->copy_folder[0] == 0) return;
    (void)unlink(launch->program);
    (void)rmdir(launch->copy_folder);
}

static bool find_library(struct launch *launch)
{
    static const char name[] = "/libtessera-record.so";
    ssize_t length = readlink("/proc/self/exe", launch->library, NAME_ROOM - sizeof name);
    if (length < 0) return refuse("/proc/self/exe", strerror(errno));
    launch->library[length] = 0;
    strcpy(strrchr(launch->library, '/'), name);
    return access(launch->library, R_OK) == 0 || refuse(launch->library, "is missing. make record builds it.");
}

/* ------------------------------------------------------------------ the file and the link */

static bool open_file(struct launch *launch)
{
    struct stat status;
    if (stat(launch->file, &status) == 0 && !S_ISREG(status.st_mode))
        return refuse(launch->file, "is no regular file. Name another with -o.");
    if (snprintf(launch->partial, NAME_ROOM, "%s.XXXXXX", launch->file) >= NAME_ROOM)
        return refuse(launch->file, "is too long a name.");
    launch->descriptor = mkostemp(launch->partial, O_CLOEXEC);
    if (launch->descriptor < 0) return refuse(launch->file, strerror(errno));
    mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(launch->descriptor, 0666 & ~mask);
    return true;
}

static bool open_link(struct launch *launch)
{
    char path[32], preload[2 * NAME_ROOM];
    const char *others = getenv("LD_PRELOAD");
    int descriptor = memfd_create("tessera-record", MFD_CLOEXEC);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)sizeof *launch->link) != 0)
        return refuse("shared memory", strerror(errno));
    void *memory = mmap(NULL, sizeof *launch->link, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) return refuse("shared memory", strerror(errno));
    launch->link = memory;
    launch->link->frame_limit = launch->frame_limit;
    snprintf(launch->link->name, sizeof launch->link->name, "%s", launch->file);
    snprintf(launch->link->file, sizeof launch->link->file, "/proc/%d/fd/%d", (int)getpid(), launch->descriptor);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), descriptor);
    snprintf(preload, sizeof preload, "%s%s%s", launch->library, others != NULL ? ":" : "",
             others != NULL ? others : "");
    return (setenv(LINK_VARIABLE, path, 1) == 0 && setenv("LD_PRELOAD", preload, 1) == 0 &&
            setenv(LINK_EVENTS_VARIABLE, launch->events, 1) == 0) ||
           refuse("the environment", strerror(errno));
}

/* ------------------------------------------------------------------ while it runs */

/* Of these nothing else comes: it is said as soon as it is seen. */
enum { SEEN_OTHER_WAYS = SEEN_UNSEEABLE | SEEN_RENDERER | SEEN_OPENGL | SEEN_OVERLAY };

static const char *what_was_seen(const struct launch *launch)
{
    uint32_t seen = atomic_load(&launch->link->seen);
    if ((seen & ~(uint32_t)SEEN_SDL) == 0 && launch->refusal != NULL) return launch->refusal;
    if ((seen & SEEN_UNSEEABLE) != 0) return "the pixels of what it shows cannot be looked at";
    if ((seen & SEEN_RENDERER) != 0) return "it shows its pictures with a renderer of SDL's that cannot be looked at";
    if ((seen & SEEN_OPENGL) != 0) return "it shows its pictures with OpenGL, which is not recorded";
    if ((seen & SEEN_OVERLAY) != 0) return "it shows its pictures as video overlays, which are not recorded";
    if ((seen & SEEN_SCREEN) != 0) return "it has opened a screen and shown nothing on it";
    if ((seen & SEEN_SDL) != 0) return "it has initialised SDL and opened no screen for surfaces";
    return "it has called nothing of SDL 1.2 or SDL 2 that the recorder knows";
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
    if (launch->refusal == NULL) launch->refusal = program_loaded(launch->child);
    fprintf(stderr, "tessera-record: %s has shown no surface so far: %s. Ctrl-C ends it.\n", launch->arguments[0],
            what_was_seen(launch));
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
        siginfo_t info;
        int number = sigtimedwait(signals, &info, &poll);
        if (number > 0 && number != SIGCHLD && info.si_code <= 0) pass_on(launch, has_ended, number);
        has_ended = has_ended || waitpid(launch->child, &launch->status, WNOHANG) == launch->child;
        if (!has_said && !has_ended) has_said = complain(launch, now_milliseconds() >= late);
    }
}

static bool run(struct launch *launch)
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
    launch->child = fork();
    if (launch->child < 0) return refuse("fork", strerror(errno));
    launch->refusal = program_refusal(launch->program);
    if (launch->child == 0) {
        for (size_t i = 0; i < SIGNALS; i++) sigaction(list[i], &actions[i], NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execv(launch->program, launch->arguments);
        (void)refuse(launch->program, strerror(errno));
        _exit(127);
    }
    watch(launch, &signals);
    return true;
}

/* ------------------------------------------------------------------ the end */

/* Why blits were left to pixels, and a word where nothing was drawn. */
static const char *reasons(const struct link_counts *counts, char text[LINE_ROOM])
{
    int used = 0;
    text[0] = 0;
    for (uint32_t i = REASON_NONE + 1u; i < RECORDING_REASONS && used < LINE_ROOM; i++)
        if (counts->left[i] != 0)
            used += snprintf(text + used, (size_t)(LINE_ROOM - used), "%s%u %s", used == 0 ? ": " : ", ",
                             counts->left[i], recording_reason_words((enum recording_reason)i));
    if (counts->blits + counts->fills == 0 && used < LINE_ROOM)
        snprintf(text + used, (size_t)(LINE_ROOM - used),
                 ". It draws its frames by itself: the GPU will have nothing to draw");
    return text;
}

static int finish(struct launch *launch)
{
    char text[LINE_ROOM];
    struct record_link *link = launch->link;
    const struct link_counts *counts = &link->counts;
    atomic_store(&link->is_closed, true);
    uint32_t frames = recording_progress(&link->state).frames;
    if (frames == 0) {
        fprintf(stderr, "tessera-record: %s (%s %d) showed no SDL surface, nothing was recorded: %s.\n",
                /* analyse: clang-analyzer-core.NullDereference: a launch has arguments and a link */
                launch->arguments[0], WIFSIGNALED(launch->status) ? "signal" : "exit status",
                WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : WEXITSTATUS(launch->status),
                what_was_seen(launch));
        return NO_RECORDING;
    }
    struct recording_writer *writer = recording_continue(launch->descriptor, &link->state);
    launch->descriptor = -1;
    for (uint32_t i = REASON_NONE + 1u; writer != NULL && i < RECORDING_REASONS; i++) {
        /* analyse: clang-analyzer-core.NullDereference: a launch has a link */
        const uint32_t blits = counts->left[i];
        const struct recording_event left = {
            .kind = RECORDING_LEFT, .reason = (enum recording_reason)i, .blits = blits};
        if (left.blits != 0) (void)recording_add(writer, &left);
    }
    if (writer == NULL || recording_finish(writer) != 0 || rename(launch->partial, launch->file) != 0) {
        (void)refuse(launch->file, strerror(errno));
        return NO_RECORDING;
    }
    launch->partial[0] = 0;
    fprintf(stderr,
            "tessera-record: %s: %u frames, %u surfaces, %u blits, %u fills, %llu KB of pixels; %u blits that only "
            "pixels express%s\n",
            launch->file, frames, counts->surfaces, counts->blits, counts->fills,
            (unsigned long long)counts->pixel_bytes / 1024u, counts->blits_as_pixels, reasons(counts, text));
    return atomic_load(&link->has_failed) ? 1 : 0;
}

int main(int argc, char **argv)
{
    static struct launch launch = {.file = "recording.tsdl", .events = "", .wait_seconds = 1, .descriptor = -1};
    int status = parse(&launch, argc, argv);
    if (status >= 0) return status;
    status = NO_RECORDING;
    if (find_program(&launch) && find_library(&launch) && copy_privileged(&launch) && open_file(&launch) &&
        open_link(&launch) && run(&launch))
        status = finish(&launch);
    if (launch.partial[0] != 0) (void)unlink(launch.partial);
    remove_copy(&launch);
    return status;
}
