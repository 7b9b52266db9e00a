/* SPDX-License-Identifier: Apache-2.0
 *
 * Every command of build/tessera over the stand-in (stand_in.c). Goal: what a command says, writes and ends with is
 * what it was, whatever it is asked and whatever fails around it; nothing that fails is taken for success. Method:
 * command lines are run. Exit status, standard output, standard error and files are a text; the short ones are in
 * tests/host/stand_in/texts, of the others tests/host/stand_in/said has the CRC-32. Then each runs again with every
 * message refused, verbs of the link failing, the firmware stopped, every kind of call of the system failing once, and
 * files that cannot be written whole: the exit status is not 0 and a line says why, or all is as it was; what is said
 * is held, too.
 *
 *   test_commands PROGRAM FOLDER SUMS info|run|contend|play|console
 *
 * FOLDER/said-NAME has what was said. A text that differs is printed as a diff. After a change that is meant: make
 * report-written.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "held.h"
#include "lib/wire_board.h"
#include "stand_in/recordings.h"
#include "stand_in/replays.h"

enum { TEXT = 8 << 20, WORDS = 40 };

static const char *program, *input = "/dev/null";
static char said[TEXT]; /* of one command: what is held */
static size_t said_bytes;

/* ------------------------------------------------------------------ what differs from machine to machine */

/* After each `begin` nothing until one of `ends`. */
static void forget(char *text, const char *begin, const char *ends)
{
    for (char *at = strstr(text, begin); at != NULL; at = strstr(at, begin)) {
        at += strlen(begin);
        size_t gone = strcspn(at, ends);
        memmove(at, at + gone, strlen(at + gone) + 1);
    }
}

static void add_text(const char *title, const char *text)
{
    int used = snprintf(said + said_bytes, TEXT - said_bytes, "-- %s\n%s", title, text);
    said_bytes += (size_t)used;
    if (said_bytes >= TEXT) printf("FAILED: too much is said\n"), exit(2);
}

static void add_file(const char *path)
{
    size_t bytes;
    char *content = (char *)load(path, &bytes), *page = strstr(content, "const run = {");
    if (page != NULL) content = page; /* of report.html: what is after it is of every report */
    if (page != NULL && strstr(page, "\n};") != NULL) *strstr(page, "\n};") = 0;
    forget(content, "base64,", "\""); /* pictures, as this libpng packs them */
    forget(content, "table 0x", "\n");
    forget(content, "\"version\": \"", "\"");
    forget(content, "\"sdl_version\": \"", "\"");
    forget(content, "SDL 2", " \"\n,");
    add_text(path, content);
}

/* ------------------------------------------------------------------ running */

/* Runs the program with these words in FOLDER/run; its exit status, -1 for a signal. */
static int run(const char *line, const char *variable, unsigned number)
{
    char text[512], *word[WORDS] = {(char *)program}, *rest = NULL, path[512], value[16];
    int count = 1, status = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *at = strtok_r(text, " ", &rest); at != NULL; at = strtok_r(NULL, " ", &rest)) word[count++] = at;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        snprintf(path, sizeof path, "%s/out", folder);
        int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        snprintf(path, sizeof path, "%s/err", folder);
        int err = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666), none = open(input, O_RDONLY);
        dup2(none, 0), dup2(out, 1), dup2(err, 2);
        snprintf(value, sizeof value, "%u", number);
        if (variable != NULL) setenv(variable, value, 1);
        snprintf(path, sizeof path, "%s/count", folder);
        setenv("STAND_IN_COUNT", path, 1);
        setenv("SDL_VIDEODRIVER", "dummy", 1);
        execv(program, word);
        _exit(127);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *in_folder(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* What the last run has said, into `said`. */
static void add_run(const char *line, int status)
{
    char title[700];
    snprintf(title, sizeof title, "%.600s: %d", line, status);
    add_text(title, "");
    add_file(in_folder("out"));
    add_file(in_folder("err"));
    if (status >= 0) add_file(in_folder("count"));
}

static void add_files(const char *files)
{
    char text[256], *rest = NULL;
    snprintf(text, sizeof text, "%s", files);
    for (char *at = strtok_r(text, " ", &rest); at != NULL; at = strtok_r(NULL, " ", &rest)) add_file(in_folder(at));
}

static void hold_said(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "said-%s", name);
    FILE *file = fopen(in_folder(path), "w");
    if (file == NULL || fwrite(said, 1, said_bytes, file) != said_bytes || fclose(file) != 0) exit(2);
    hold_text(name, said, said_bytes);
    said_bytes = 0;
}

/* ------------------------------------------------------------------ what fails */

static unsigned counted[3]; /* messages, verbs, places, of the last run */

static void read_counts(void)
{
    FILE *file = fopen(in_folder("count"), "r");
    if (file == NULL || fscanf(file, "%u %u %u", &counted[0], &counted[1], &counted[2]) != 3) exit(2);
    fclose(file);
}

/* A run in which something failed must not have ended with a signal, and if it says that all went well, it has said
 * nothing else than without. */
static void judge_failure(const char *line, const char *what, unsigned number, int status, const char *good)
{
    size_t bytes;
    char *err = (char *)load(in_folder("err"), &bytes);
    bool is_told = (status == 1 || status == 2) && bytes != 0 && err[bytes - 1] == '\n';
    if (status == 0) {
        char *out = (char *)load(in_folder("out"), &bytes);
        is_told = strcmp(out, good) == 0;
    }
    if (is_told) passed++;
    else
        failed++, printf("FAILED: %s, %s %u: exit status %d, and this:\n%s", line, what, number, status,
                         load(in_folder("err"), &bytes));
}

/* Each of the first `dense`, then fewer and fewer. */
static void fail_each(const char *line, const char *variable, unsigned count, unsigned dense, const char *good)
{
    char title[64];
    for (unsigned n = 1; n <= count; n += n >= dense ? 1 + n / 3 : 1) {
        int status = run(line, variable, n);
        judge_failure(line, variable, n, status, good);
        snprintf(title, sizeof title, "%s=%u", variable, n);
        add_run(title, status);
    }
}

/* The same command, which ends well, with everything that can fail, failing. */
static void fail_all(const char *name, const char *line, unsigned dense)
{
    static char good[TEXT];
    size_t bytes;
    if (run(line, NULL, 0) != 0) failed++, printf("FAILED: %s\n", line);
    snprintf(good, sizeof good, "%s", (char *)load(in_folder("out"), &bytes));
    read_counts();
    const unsigned messages = counted[0], verbs = counted[1], calls = counted[2];
    fail_each(line, "STAND_IN_REFUSE", messages, dense, good);
    fail_each(line, "STAND_IN_PANIC", messages, dense, good);
    fail_each(line, "STAND_IN_LINK", verbs, dense, good);
    fail_each(line, "STAND_IN_CALL", calls, calls, good);
    hold_said(name);
}

/* A file of the command is a full disk: that is said, and the status is 2. */
static void fill_disk(const char *line, const char *file)
{
    char name[64];
    unlink(in_folder(file));
    if (symlink("/dev/full", in_folder(file)) != 0) failed++, printf("FAILED: no link %s\n", in_folder(file));
    int status = run(line, NULL, 0);
    size_t bytes;
    char *err = (char *)load(in_folder("err"), &bytes);
    snprintf(name, sizeof name, "%s", strrchr(file, '/') + 1);
    if (status == 2 && strstr(err, name) != NULL) passed++;
    else failed++, printf("FAILED: %s onto a full disk: %d, %s", file, status, err);
    add_run(file, status);
    unlink(in_folder(file));
}

/* ------------------------------------------------------------------ the commands */

struct command {
    const char *name, *line, *files;
};

static void hold_commands(const struct command *commands, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_run(commands[i].line, run(commands[i].line, NULL, 0));
        add_files(commands[i].files);
        hold_said(commands[i].name);
    }
}
#define HOLD(commands) hold_commands(commands, sizeof(commands) / sizeof *(commands))

#define OUT "build/stand_in"
static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) exit(2);
}

static void test_info(void)
{
    static const struct command list[] = {
        {"info", "info --model", ""},
        {"info-large", "info --local large --seed 7", ""},
        {"info-none", "info --seed 404", ""},
        {"bad-input-none", "bad-input --seed 404", ""},
        {"no-command", "", ""},
        {"help", "--help", ""},
        {"help-word", "help", ""},
        {"unknown", "infos", ""},
        {"run-help", "run --help", ""},
        {"info-help", "info --help", ""},
        {"info-wrong", "info --nothing", ""},
        {"info-abi", "info --model --claim-abi 5", ""},
        {"console-none", "console", ""},
        {"console-nowhere", "console --device tty:" OUT "/no-such", ""},
        {"contend-help", "contend --help", ""},
        {"play-help", "play --help", ""},
        {"replay-help", "replay --help", ""},
        {"replay-none", "replay", ""},
        {"replay-two", "replay a b", ""},
        {"replay-no-file", "replay --model " OUT "/no.json", ""},
        {"replay-split", "replay --split-pages 4 a", ""},
        {"replay-small",
         "replay " OUT
         "/small.json --model --seed 5 --latency 7 --stall 9 --max-cycles 11 --split-pages 13 --report " OUT
         "/replay.json",
         "replay.json"},
        {"replay-smaller",
         "replay " OUT "/small.json --model --scale 3 --limit 1 --ahead 3 --work 77 --report " OUT
         "/replay.json --workload " OUT "/scaled.json",
         "replay.json scaled.json"},
        {"info-slow", "info --latency 7 --stall 9 --max-cycles 11", ""},
        {"bad-input", "bad-input --model", ""},
    };
    for (size_t i = 0; i < sizeof replay_segments / sizeof *replay_segments; i++) {
        char name[32], text[1200], line[160];
        snprintf(name, sizeof name, "segments-%zu.json", i);
        snprintf(text, sizeof text,
                 "{\"name\":\"s\",\"slots\":%s,\"allocs\":[{\"size\":9000,\"init\":\"resident\"},{\"size\":4096},{"
                 "\"size\":20000,"
                 "\"init\":\"undef\",\"seg\":%d}],\"buffers\":[{\"len\":300,\"times\":[1,2],\"patches\":[[0,0,8,0],[0,"
                 "1,16,1]]},"
                 "{\"len\":64,\"patches\":[[0,2,0,1]]}]}",
                 replay_segments[i], strchr(replay_segments[i], '}')[1] == ',');
        write_text(name, text);
        snprintf(line, sizeof line, "replay " OUT "/%s --model --report " OUT "/replay.json", name);
        add_run(line, run(line, NULL, 0));
    }
    hold_said("replay-segments");
    write_text("small.json", workload);
    HOLD(list);
    for (size_t i = 0; i < sizeof replay_bounds / sizeof *replay_bounds; i++) {
        char line[256];
        snprintf(line, sizeof line, "replay " OUT "/no.json %s", replay_bounds[i]);
        add_run(line, run(line, NULL, 0));
    }
    hold_said("replay-bounds");
    fail_all("info-fails", "info --model", 100);
}

static void test_run(void)
{
    static const struct command list[] = {
        {"run", "run --model --frames 3 --no-compare --out " OUT "/run", "run/run.json run/report.html run/trace.json"},
        {"run-compared",
         "run --frames 2 --textures 12 --segment1 8 --segment2 40 --wad " OUT "/few.wad --out " OUT "/run",
         "run/run.json run/report.html"},
        {"run-large",
         "run --local large --frames 1 --textures 12 --segment1 8 --segment2 40 --wad " OUT
         "/few.wad --no-compare --policy literal "
         "--out " OUT "/run",
         "run/run.json run/profile.folded"},
        {"run-copied",
         "run --copy-only --frames 1 --textures 12 --no-compare --segment1 8 --segment2 40 --wad " OUT
         "/few.wad --out " OUT "/run",
         "run/run.json"},
        {"run-spoilt",
         "run --model --spoil --frames 2 --textures 12 --segment1 8 --segment2 40 --wad " OUT
         "/few.wad --no-compare --out " OUT "/run",
         "run/run.json run/report.html"},
        {"run-display",
         "run --device tcp:x:1 --display --keep-firmware --frames 2 --textures 12 --segment1 8 --segment2 40 --wad " OUT
         "/few.wad --out " OUT "/run",
         "run/run.json"},
        {"run-window",
         "run --model --frames 2 --textures 12 --segment1 8 --segment2 40 --wad " OUT
         "/few.wad --no-compare --window --out " OUT "/run",
         ""},
        {"run-nowhere", "run --model --frames 1 --wad " OUT "/few.wad --out " OUT "/few.wad/such", ""},
        {"run-no-wad", "run --model --frames 1 --wad " OUT "/no.wad --out " OUT "/run", ""},
        {"run-none",
         "run --model --frames 1 --textures 12 --segment1 8 --segment2 40 --wad " OUT
         "/few.wad --no-compare --seed 404 --out " OUT "/run",
         ""},
    };
    static const char few[] = "run --model --frames 1 --textures 4 --segment1 8 --segment2 24 --wad " OUT
                              "/few.wad --no-compare --out " OUT "/run";
    static const char *const files[] = {"run/run.json", "run/report.html", "run/trace.json"};
    size_t bytes;
    (void)load("/usr/share/games/doom/freedoom1.wad", &bytes);
    if (bytes != 27284992u) { /* of Debian 12; the scene of another one is not known */
        skipped = 10;
        return;
    }
    write_wad(folder, "/usr/share/games/doom/freedoom1.wad");
    HOLD(list);
    for (size_t i = 0; i < 3; i++) fill_disk(few, files[i]);
    hold_said("run-disk");
    fail_all("run-fails", few, 4);
}

static void test_contend(void)
{
    static const struct command list[] = {
        {"contend", "contend --model --set 20 --set 150:30:-2 --pages 64 --rounds 3 --report " OUT "/contend.json",
         "contend.json"},
        {"contend-ahead",
         "contend --model --set 50:0:7 --set 9 --set 30:100 --rounds 5 --ahead 3 --shuffle --seed 9 --pages 40", ""},
        {"contend-skip", "contend --model --set 90 --skip 50 --draws 5 --texture 3 --rounds 20 --pages 32", ""},
        {"contend-all", "contend --model --set 90 --skip 0 --no-shares --rounds 1 --ahead 8", ""},
        {"contend-textures", "contend --model --set 1000 --texture 1", ""},
        {"contend-long", "contend --model --set 1000 --draws 64", ""},
        {"contend-none", "contend --set 5 --seed 404", ""},
        {"contend-nothing", "contend --model", ""},
        {"contend-no-image", "contend --set 5 --firmware " OUT "/no.elf", ""},
        {"contend-no-elf", "contend --set 5 --firmware " OUT "/text.elf", ""},
        {"contend-short-elf", "contend --set 5 --firmware " OUT "/short.elf", ""},
        {"contend-zero", "contend --set 0", ""},
        {"contend-tail", "contend --set 10:20:3x", ""},
        {"contend-words", "contend --set 10 model", ""},
    };
    static const char *const bounds[] = {"--set 1000",
                                         "--set 1001",
                                         "--set 10:100",
                                         "--set 10:101",
                                         "--set 10:0:-7",
                                         "--set 10:0:-8",
                                         "--set 10:0:7",
                                         "--set 10:0:8",
                                         "--set 10:",
                                         "--set :5",
                                         "--set 10:5:",
                                         "--set 10:5:3:",
                                         "--set 12345",
                                         "--set 10x",
                                         "--set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1",
                                         "--set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1",
                                         "--pages 31 --set 1",
                                         "--pages 32 --set 1",
                                         "--pages 512 --set 1",
                                         "--pages 513 --set 1",
                                         "--rounds 0 --set 1",
                                         "--ahead 0 --set 1",
                                         "--ahead 8 --set 1",
                                         "--ahead 9 --set 1",
                                         "--texture 0 --set 1",
                                         "--texture 64 --set 1",
                                         "--texture 65 --set 1",
                                         "--draws 0 --set 1",
                                         "--draws 64 --set 1",
                                         "--draws 65 --set 1",
                                         "--skip 99 --set 1",
                                         "--skip 100 --set 1",
                                         "--seed 1048576 --set 1",
                                         "--seed 1048577 --set 1",
                                         "--latency 0 --set 1",
                                         "--latency 10000 --set 1",
                                         "--latency 10001 --set 1",
                                         "--rounds 100001 --set 1",
                                         "--policy best --set 1",
                                         "--allocations 16384 --contexts 256 --set 1",
                                         "--allocations 0 --set 1",
                                         "--allocations 16385 --set 1",
                                         "--contexts 0 --set 1",
                                         "--contexts 257 --set 1",
                                         "--fast"};
    char line[256];
    write_text("text.elf", "This is no image. It is longer than the header of one, so that its first bytes tell. ....");
    write_text("short.elf", "\177ELF");
    HOLD(list);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        snprintf(line, sizeof line, "contend --model --rounds 1 %s", bounds[i]);
        add_run(line, run(line, NULL, 0));
    }
    hold_said("contend-bounds");
    fill_disk("contend --model --set 20 --rounds 1 --report " OUT "/full/x.json", "full/x.json");
    hold_said("contend-disk");
    fail_all("contend-fails", "contend --model --set 20 --set 30:20:1 --pages 32 --rounds 2 --ahead 2", 40);
}

static void test_play(void)
{
    static const struct command list[] = {
        {"play", "play " OUT "/mixed.tsdl --model --check --out " OUT "/play",
         "play/run.json play/report.html play/trace.json"},
        {"play-tiny", "play " OUT "/mixed.tsdl --check --copy-only --segment1 4 --segment2 4 --out " OUT "/play",
         "play/run.json play/profile.folded"},
        {"play-middle", "play " OUT "/mixed.tsdl --check --frames 2..3 --segment1 8 --segment2 4 --out " OUT "/play",
         "play/run.json play/report.html"},
        {"play-varied", "play " OUT "/varied.tsdl --model --check --out " OUT "/play",
         "play/run.json play/report.html"},
        {"play-varied-tiny",
         "play " OUT "/varied.tsdl --check --in-flight 4 --segment1 4 --segment2 6 --no-pictures --why --out " OUT
         "/play",
         "play/run.json"},
        {"play-varied-copied",
         "play " OUT
         "/varied.tsdl --check --in-flight 1 --copy-only --segment1 30 --segment2 64 --no-pictures --out " OUT "/play",
         "play/run.json"},
        {"play-varied-middle",
         "play " OUT
         "/varied.tsdl --frames 6..11 --local large --tolerance 0 --check --page-tracks --report-frames 7..8 "
         "--out " OUT "/play",
         "play/run.json play/report.html play/trace.json"},
        {"play-one", "play " OUT "/mixed.tsdl --model --frames 1 --local large --policy literal --out " OUT "/play",
         "play/run.json"},
        {"play-window", "play " OUT "/mixed.tsdl --model --window --no-pictures --out " OUT "/play", "play/run.json"},
        {"play-spoilt", "play " OUT "/mixed.tsdl --model --check --spoil --out " OUT "/play",
         "play/run.json play/report.html"},
        {"play-strict", "play " OUT "/mixed.tsdl --model --check --tolerance 0 --no-pictures --out " OUT "/play",
         "play/run.json"},
        {"play-long", "play " OUT "/long.tsdl --model --no-pictures --out " OUT "/play", "play/trace.json"},
        {"play-timeline", "play " OUT "/long.tsdl --model --no-pictures --timeline --out " OUT "/play",
         "play/trace.json"},
        {"play-empty", "play " OUT "/empty.tsdl --model --out " OUT "/play", ""},
        {"play-cut", "play " OUT "/cut.tsdl --model --out " OUT "/play", ""},
        {"play-cut-front", "play " OUT "/cut.tsdl --model --frames 0..1 --out " OUT "/play", "play/run.json"},
        {"play-beyond", "play " OUT "/mixed.tsdl --model --frames 3..600 --out " OUT "/play", ""},
        {"play-nowhere", "play " OUT "/mixed.tsdl --model --out " OUT "/mixed.tsdl/such", ""},
        {"play-no-file", "play " OUT "/no.tsdl --model --out " OUT "/play", ""},
        {"play-none", "play " OUT "/mixed.tsdl --seed 404 --out " OUT "/play", ""},
    };
    static const char *const lines[] = {
        "",
        "a b",
        "a --frames 3..2",
        "a --frames -1",
        "a --frames 1..",
        "a --frames x",
        "a --frames 1..2x",
        "a --tolerance 256",
        "a --segment1 3",
        "a --segment2 3",
        "a --segment1 4097",
        "a --segment2 4097",
        "a --local huge",
        "a --latency 0",
        "a --latency 10001",
        "a --stall 91",
        "a --seed -1",
        "a --policy best",
        "a --max-cycles -1",
        "a --quick",
        "a --tolerance 255 --segment1 4 --segment2 4096 --latency 1 --stall 90 --seed 0",
        "a --tolerance 0 --segment1 4096 --segment2 4 --latency 10000 --stall 0",
        "a --in-flight 1 --max-cycles 0 --seed 4294967295",
        "a --in-flight 4 --max-cycles 18446744073709551615",
        "a --in-flight 0",
        "a --allocations 1 --contexts 1",
        "a --allocations 16385",
        "a --contexts 257",
        "a --in-flight x",
        "a --tolerance x",
        "a --segment1 x",
        "a --segment2 x",
        "a --latency x",
        "a --stall x",
        "a --seed x",
        "a --max-cycles x",
        "a --local",
        "a --frames 0..4294967295",
        "a --frames 5 --report-frames 4",
        "a --frames 5 --report-frames 5..6",
        "a --frames 5..9 --report-frames 5..9",
        "a --report-frames x"};
    static const char few[] = "play " OUT "/few.tsdl --model --check --segment1 4 --segment2 4 --out " OUT "/play";
    static const char *const files[] = {"play/run.json", "play/report.html", "play/trace.json"};
    char line[256];
    write_recordings(folder);
    HOLD(list);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "play %s", lines[i]);
        add_run(line, run(line, NULL, 0));
    }
    hold_said("play-bounds");
    for (size_t i = 0; i < 3; i++) fill_disk(few, files[i]);
    hold_said("play-disk");
    fail_all("play-fails", few, 30);
    fail_all("play-fails-between", "play " OUT "/few.tsdl --frames 1 --no-pictures --out " OUT "/play", 8);
}

/* The console of a board whose registers hold numbers, with these lines from the keyboard; the board falls silent or
 * closes after so many commands. */
static void hold_console(const char *name, const char *keys, uint32_t ends_after, uint32_t state)
{
    char line[64];
    write_text("keys", keys);
    memset(&board, 0, sizeof board);
    board.end = ends_after != 0 ? END_CLOSED : END_NEVER;
    board.ends_after = ends_after;
    for (uint32_t i = 0; i < REGISTERS; i++) board.registers[i] = i * 2654435761u;
    board.registers[HOST_CONTROL_OFFSET / 4] = state != 0 ? FIELD_PUT(1, HOST_CONTROL_CORE_RUN) : 0;
    board.registers[HOST_BOOT_STATUS_OFFSET / 4] = state == 2 ? 1 : state == 3 ? 0x80000000u + STATUS_NO_SEGMENT : 0;
    board.registers[HOST_PANIC_CODE_OFFSET / 4] = state == 4 ? PANIC_ASSERT : 0;
    board.registers[NODE_ERROR_OFFSET / 4] = state == 4 ? 2 : 0;
    board.registers[(NODE_ERROR_OFFSET + NODE_STRIDE) / 4] = 0;
    board.registers[BOARD_STATUS_OFFSET / 4] = FIELD_PUT(1, BOARD_STATUS_MEMORY_READY);
    snprintf(line, sizeof line, "console --device tcp:127.0.0.1:%d", board_listen());
    static char path[512];
    snprintf(path, sizeof path, "%s/keys", folder);
    input = path;
    int status = run(line, NULL, 0);
    board_join();
    add_run("console", status);
    uint32_t sum = (uint32_t)crc32(0, (const uint8_t *)board.registers, sizeof board.registers);
    snprintf(line, sizeof line, "%08x, %u written\n", (unsigned)sum, board.writes);
    add_text("registers", line);
    forget(said, "tcp:127.0.0.1:", " ");
    said_bytes = strlen(said);
    hold_said(name);
}

static void test_console(void)
{
    static const char keys[] = "host.id\nnode1.head\nNODE0.HEAD\nnode2.head\nhost.control\nstate\nnothing\n"
                               "host.irq_enable 0xabcde\nnode1.nothing\nhost.irq_enable 7\nhost.irq_enable -1\n"
                               "host.irq_enable 4294967295\nhost.irq_enable 4294967296\nhost.irq_enable 1 2\n"
                               "host.irq_enable 5x\nhost.id 5\n\nhost.load_data\nhost.load_address 7\n  host.id  \n"
                               "core.cycle_lo\ncore.cycle_lo 7\nquit\nhost.id\n";
    char name[32];
    for (uint32_t state = 0; state < 5; state++) {
        snprintf(name, sizeof name, "console-%u", state);
        hold_console(name, state == 2 ? keys : "", 0, state);
    }
    hold_console("console-list", "list", 0, 2);
    for (uint32_t after = 1; after < 21; after++) {
        if (after == 18) continue; /* a write, which has no answer: what the next one meets, the machine decides */
        snprintf(name, sizeof name, "console-ends-%u", after);
        hold_console(name, "host.id\nhost.irq_enable 7\nhost.id\n", after, 2);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(void);
    } tests[] = {{"info", test_info},
                 {"run", test_run},
                 {"contend", test_contend},
                 {"play", test_play},
                 {"console", test_console}};
    if (argc != 5) return printf("usage: test_commands PROGRAM FOLDER SUMS GROUP\n"), 2;
    program = argv[1], folder = argv[2], sums = argv[3];
    begin_texts(argv[4]);
    mkdir(in_folder("full"), 0777), mkdir(in_folder("run"), 0777), mkdir(in_folder("play"), 0777);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i].name, argv[4]) == 0) tests[i].test();
    printf("%u passed, %u failed%s", passed, failed, skipped == 0 ? "\n" : "");
    if (skipped != 0) printf(", %u skipped\n", skipped);
    return failed != 0 || passed == 0;
}
