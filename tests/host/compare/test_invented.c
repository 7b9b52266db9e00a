/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: no word and no number that `tessera compare` says of any two runs changes unseen. Method: pairs of runs are
 * invented, the second mostly like the first: settings, counters, nodes, profiles, pictures of several sizes, time
 * lines with hundreds of DMA buffers, names and stays; tables, pages and decisions of all are held in sums.
 *   test_invented FOLDER SUMS
 */
#include "tools/compare/compare.h"

#include <getopt.h>
#include <inttypes.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "held.h"

enum { PAIRS = 28, NAMES = 60 };

static uint32_t changes; /* in a hundred thousand things of the second run */
static unsigned side;
static bool has_many;
static uint32_t kept[1 << 16], asked;

/* The second run asks in the same order, and mostly gets the same. */
static uint32_t choose(uint32_t limit)
{
    uint32_t at = asked++ % (sizeof kept / sizeof *kept);
    if (side == 0 || pick(100000) < changes) kept[at] = pick(1u << 24);
    return kept[at] % limit;
}

static FILE *create(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%c", folder, 'p' + (int)side);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%c/%s", folder, 'p' + (int)side, name);
    unlink(path);
    FILE *file = fopen(path, "w");
    if (file == NULL) perror(path), exit(2);
    return file;
}

/* ------------------------------------------------------------------ run.json */

static void invent_setting(FILE *file)
{
    uint32_t before = changes;
    if (before != 0 && before % 3 != 1) changes = 12000; /* other settings are rarer than what follows from them */
    static const char *const scenes[] = {"\"scene\": \"freedoom\"", "\"recording\": \"/games/pingus.tsdl\"",
                                         "\"recording\": \"elsewhere/pingus.tsdl\"", "\"scene\": \"sprites\""};
    static const char *const devices[] = {"simulated hardware", "simulated hardware", "golden model", "board"};
    static const char *const locals[] = {"small", "small", "small", "large"};
    fprintf(file, "{ %s, \"device\": \"%s\", \"local\": \"%s\", \"version\": \"0.%" PRIu32 "\"", scenes[choose(4)],
            devices[choose(4)], locals[choose(4)], 1 + choose(20) / 18);
    static const char *const numbers[] = {"seed",    "texture_bytes_per_frame", "first_frame", "local_bytes",
                                          "latency", "stall_percent",           "in_flight",   "force"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (choose(3) != 0) fprintf(file, ",\n\"%s\": %" PRIu32, numbers[i], choose(4) << (i == 7 ? 15 : 0));
    if (choose(2) != 0) fprintf(file, ", \"textures\": \"%s\"", choose(2) != 0 ? "copied" : "in place");
    changes = before;
}

static void invent_members(FILE *file, const char *title, uint32_t count, const char *const words[])
{
    fprintf(file, ",\n \"%s\": {", title);
    bool is_next = false;
    for (uint32_t i = 0; i < count; i++) {
        if (choose(9) == 0) continue;
        fprintf(file, "%s\"%s\": ", is_next ? ", " : "", words[i]);
        is_next = true;
        uint32_t kind = choose(9);
        if (kind == 0) fprintf(file, "%s", choose(2) != 0 ? "true" : "false");
        else if (kind == 1) fprintf(file, "%" PRIu32 ".%03" PRIu32, choose(50), choose(1000));
        else if (kind == 2) fprintf(file, "\"%" PRIu32 "\"", choose(50));
        else fprintf(file, "%" PRIu32, choose(100000));
    }
    fputs("}", file);
}

static void invent_run(uint32_t frames)
{
    static const char *const counters[] = {"EVICTIONS", "DECISION_CYCLES", "DECISION_MAX", "PAGES_MOVED", "JOBS"};
    static const char *const nodes[] = {"works", "memory", "other_node", "firmware", "nothing_queued", "strange"};
    static const char *const others[] = {"busy", "stall_read", "packets", "pixels"};
    FILE *file = create("run.json");
    invent_setting(file);
    fprintf(file, ", \"frames\": %" PRIu32 ", \"cycles\": %" PRIu32, frames, 10000 + choose(90000));
    if (choose(4) != 0) fprintf(file, ", \"first_frame_cycle\": %" PRIu32, choose(9000));
    fprintf(file, ", \"wall_seconds\": 3.5, \"unsplit_wall_seconds\": 1, \"frames_in_window\": %" PRIu32, choose(9));
    fprintf(file, ", \"decision_cycles\": %" PRIu32 ", \"faults\": %" PRIu32, choose(999), choose(2));
    invent_members(file, "statistics", 5, counters);
    invent_members(file, "render_node", 4, others);
    invent_members(file, "check", 2, counters);
    fprintf(file, ", \"account\": {\"cycles\": %" PRIu32, choose(99999));
    invent_members(file, "render_node", 6, nodes);
    invent_members(file, "paging_node", 6, nodes);
    fputs("},\n \"frame\": [", file);
    uint32_t cycle = 9000;
    for (uint32_t i = 0; i < frames; i++)
        fprintf(file, "%s{\"done_cycle\": %" PRIu32 "}", i != 0 ? "," : "", cycle += choose(3000));
    fputs("]\n}\n", file);
    fclose(file);
}

static void invent_profile(void)
{
    static const char *const functions[] = {"main",       "plan",   "evict",  "page_in.isra.0",
                                            "patch.cold", "submit", "retire", "f7",
                                            "f8",         "f9",     "f10",    "f11",
                                            "f12",        "f13",    "f14",    "f15",
                                            "f16",        "f17",    "f18",    "f19"};
    FILE *file = create("profile.folded");
    uint32_t lines = choose(60);
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t function = choose(20);
        if (choose(12) == 0) fputs(choose(2) != 0 ? "no cycles\n" : "word\n", file);
        else if (function == 0) fprintf(file, "main %" PRIu32 "\n", choose(9999));
        else fprintf(file, "_start;main;%s %" PRIu32 "\n", functions[function], choose(9999));
    }
    fclose(file);
    char path[600];
    snprintf(path, sizeof path, "%s/%c/profile.folded", folder, 'p' + (int)side);
    if (choose(6) == 0) unlink(path);
}

/* ------------------------------------------------------------------ pictures */

static void invent_picture(uint32_t number, bool is_long, uint32_t kind)
{
    static uint8_t pixels[3 * 40 * 30];
    char name[40], path[600];
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = kind == 1 ? 17 + side : 17;
    image.height = kind == 2 ? 9 + side : 9;
    image.format = PNG_FORMAT_RGB;
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(i * number + i / 5);
    uint32_t spoiled = kind == 3 ? 1 + choose(5) : 0;
    for (uint32_t i = 0; i < spoiled; i++)
        if (side == 1) pixels[pick(3 * 17 * 9)] ^= (uint8_t)(1u << pick(8));
    snprintf(name, sizeof name, is_long ? "frame-%04" PRIu32 ".png" : "frame-%02" PRIu32 ".png", number);
    snprintf(path, sizeof path, "%s/%c/%s", folder, 'p' + (int)side, name);
    fclose(create(name));
    if (kind == 4 && side == 1) unlink(path);
    else if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL)) exit(2);
}

static void remove_pictures(void)
{
    char path[600];
    for (unsigned i = 0; i < 120; i++)
        for (int is_long = 0; is_long <= 1; is_long++) {
            snprintf(path, sizeof path, is_long ? "%s/%c/frame-%04u.png" : "%s/%c/frame-%02u.png", folder,
                     'p' + (int)side, i);
            (void)unlink(path);
        }
}

/* ------------------------------------------------------------------ trace.json */

static void invent_span(FILE *file, uint32_t kind, uint32_t cycle, uint32_t name, uint32_t number)
{
    static const char *const words[] = {
        "evict ",    "page in ",      "move ",     "plan ",   "submit paging buffer ", "retire portion ",
        "complete ", "look for work", "validate ", "accept ", "decide portion ",       "nap "};
    char what[60] = "";
    uint32_t duration = 1 + choose(90);
    if (kind < 3) snprintf(what, sizeof what, "NAME%" PRIu32, name);
    else if (kind != 7) snprintf(what, sizeof what, "%" PRIu32, number);
    fprintf(file, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":%" PRIu32 ",\"name\":\"%s%s\",\"dur\":%" PRIu32 "}",
            cycle, words[kind], what, duration);
    if (kind != 1 && kind != 2) return;
    uint32_t page = choose(4000);
    fprintf(file,
            ",\n{\"ph\":\"X\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu32
            ",\"name\":\"%s%s\",\"dur\":9,\"args\":{\"page\":%" PRIu32 ",\"pages\":2,\"again\":%s}}",
            11 + choose(4), choose(9), cycle + duration, choose(2) != 0 ? "in " : "", what, page,
            choose(2) != 0 ? "true" : "false");
    if (choose(5) == 0)
        fprintf(file,
                ",\n{\"ph\":\"X\",\"pid\":12,\"tid\":5,\"ts\":%" PRIu32 ",\"name\":\"%s%s\",\"dur\":9,\"args\":{"
                "\"page\":%" PRIu32 ",\"since\":%" PRIu32 "}}",
                cycle + duration + 1, choose(2) != 0 ? "out " : "", what, page, cycle);
}

static void invent_portion(FILE *file, uint32_t cycle, uint32_t number, uint32_t buffer)
{
    fprintf(file,
            ",\n{\"ph\":\"s\",\"pid\":1,\"tid\":2,\"ts\":%" PRIu32 ",\"name\":\"p\",\"cat\":\"portion\",\"id\":%" PRIu32
            "}",
            cycle, number);
    if (choose(8) != 0)
        fprintf(file,
                ",\n{\"ph\":\"t\",\"pid\":1,\"tid\":2,\"ts\":%" PRIu32
                ",\"name\":\"s\",\"cat\":\"submission\",\"id\":%" PRIu32 "}",
                cycle, buffer);
    fprintf(file,
            ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":%" PRIu32 ",\"name\":\"grant, patch, submit portion %" PRIu32
            "\",\"dur\":%" PRIu32 "}",
            cycle, number, choose(70));
    if (choose(3) == 0)
        fprintf(file,
                ",\n{\"ph\":\"i\",\"pid\":1,\"tid\":2,\"ts\":%" PRIu32
                ",\"name\":\"split at byte\",\"s\":\"t\",\"args\":{\"value\":%" PRIu32 "}}",
                cycle, 8 * choose(100));
}

static void invent_trace(void)
{
    FILE *file = create("trace.json");
    uint32_t cycle = 1000, portions = 0, events = choose(1200), names = choose(3) != 0 ? NAMES : 3 * NAMES;
    if (has_many) events = 9000, names = 6000; /* more than the first table of names holds */
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_labels\"}", file);
    for (uint32_t i = 0; i < events; i++) {
        uint32_t kind = choose(20);
        cycle += 100 + choose(120); /* longer than a span: no two arrivals are of one cycle */
        if (kind == 0)
            fprintf(file,
                    ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":0,\"ts\":%" PRIu32
                    ",\"name\":\"frame\",\"cat\":\"frame\",\"id\":%" PRIu32 "}",
                    choose(3) != 0 ? 'b' : 'e', cycle, choose(9));
        else if (kind <= 3)
            fprintf(file,
                    ",\n{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":%" PRIu32
                    ",\"name\":\"s\",\"cat\":\"submission\",\"id\":%" PRIu32 "}",
                    cycle, choose(600));
        else if (kind <= 6) invent_portion(file, cycle, portions++, choose(600));
        else if (kind == 7)
            fprintf(file,
                    ",\n{\"ph\":\"X\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu32
                    ",\"name\":\"evict NAME1\",\"dur\":%" PRIu32 "}",
                    choose(3), choose(5), cycle, choose(9));
        else invent_span(file, kind - 8, cycle, choose(names), choose(99));
    }
    fputs("\n]}\n", file);
    fclose(file);
    char path[600];
    snprintf(path, sizeof path, "%s/%c/trace.json", folder, 'p' + (int)side);
    if (choose(8) == 0) unlink(path);
}

/* ------------------------------------------------------------------ what is said */

/* Without the pictures, whose bytes are zlib's. */
static uint32_t sum_of(const char *name, const char *begin)
{
    char path[600];
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const char *text = (const char *)load(path, &bytes), *from = strstr(text, begin);
    const char *end = from != NULL && *begin != 0 ? strstr(from, "\"pictures\":[") : text + bytes;
    if (end == NULL) failed++, printf("FAILED: no %s in %s\n", begin, path);
    return end == NULL ? 0 : (uint32_t)crc32(0, (const uint8_t *)from, (uInt)(end - from));
}

/* What is said on both outputs, into a file from here on; or no longer. */
static void divert(const char *name)
{
    static int outputs[2] = {-1, -1};
    char path[600];
    fflush(stdout);
    if (name == NULL) {
        for (int i = 0; i < 2; i++) (void)dup2(outputs[i], 1 + i), (void)close(outputs[i]);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 2; i++) outputs[i] = dup(1 + i);
    if (file == NULL || dup2(fileno(file), 1) < 0 || dup2(fileno(file), 2) < 0) perror(path), exit(2);
    fclose(file);
}

static uint32_t take_table(const struct comparison *comparison, uint32_t pair, bool shows_all)
{
    char name[40];
    snprintf(name, sizeof name, "invented-%" PRIu32 "%s", pair, shows_all ? "-all" : "");
    divert(name);
    compare_table(comparison, shows_all);
    divert(NULL);
    return sum_of(name, "");
}

static uint32_t take_decisions(const struct compare_trace *trace, uint32_t sum)
{
    sum = (uint32_t)crc32(sum, (const uint8_t *)trace->stage, sizeof trace->stage);
    for (uint32_t i = 0; i < trace->decision_count; i++) {
        const struct compare_decision *decision = &trace->decisions[i];
        char text[COMPARE_LINE + 80], told[COMPARE_LINE];
        compare_describe(trace, i, told);
        int length = snprintf(text, sizeof text, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64, told,
                              decision->frame, decision->buffer, decision->portion, decision->cycle);
        sum = (uint32_t)crc32(sum, (const uint8_t *)text, (uInt)length);
    }
    return sum;
}

static void invent(uint32_t frames, uint32_t kinds)
{
    asked = 0;
    invent_run(frames);
    invent_profile();
    invent_trace();
    remove_pictures();
    uint32_t first = choose(3), is_long = choose(2);
    for (uint32_t i = 0; i < frames + first; i++) invent_picture(i, is_long != 0, (kinds >> i % 8 * 4) % 12);
}

/* ------------------------------------------------------------------ the command */

static unsigned allocations, bad_allocation;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) { return ++allocations == bad_allocation ? NULL : __real_malloc(bytes); }
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return ++allocations == bad_allocation ? NULL : __real_calloc(count, bytes);
}
void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return ++allocations == bad_allocation ? NULL : __real_realloc(old, bytes);
}

/* Its exit status; what it says is in FOLDER/command. */
static int command(const char *line)
{
    char text[600], *word[12] = {NULL}, *rest = NULL;
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *at = strtok_r(text, " ", &rest); at != NULL; at = strtok_r(NULL, " ", &rest)) word[count++] = at;
    optind = 0; /* from the beginning, in glibc */
    divert("command");
    int status = compare_command(count, word);
    divert(NULL);
    return status;
}

/* Of two runs that differ, a run and itself, files that are none. */
static void test_command(void)
{
    static const char *const lines[] = {"compare p q --no-page",
                                        "compare p/run.json q/run.json --no-page --all",
                                        "compare p p --no-page",
                                        "compare p p --no-page --all",
                                        "compare q p --page here.html",
                                        "compare p q --page /dev/full",
                                        "compare p q --page none/here.html",
                                        "compare p q",
                                        "compare p p",
                                        "compare --help",
                                        "compare",
                                        "compare p",
                                        "compare p q p",
                                        "compare p none",
                                        "compare none q",
                                        "compare p q --quick",
                                        "compare p q --page",
                                        "compare p lone --no-page",
                                        "compare lone lone --no-page"};
    uint32_t sum = 0;
    size_t bytes;
    (void)remove("out/compare.html"), (void)rmdir("out");
    mkdir("lone", 0777);
    FILE *file = fopen("lone/run.json", "w");
    fputs((const char *)load("p/run.json", &bytes), file);
    fclose(file);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int status = command(lines[i]);
        char text[700];
        snprintf(text, sizeof text, "%s: %d", lines[i], status);
        sum = (uint32_t)crc32(sum, (const uint8_t *)text, (uInt)strlen(text));
        sum = 31 * sum + sum_of("command", "");
        if (status == (strstr(lines[i], "p p --no") != NULL ? 0 : status)) passed++;
        else failed++, printf("FAILED: %s\n", text);
    }
    if (access("out/compare.html", R_OK) == 0 && access("here.html", R_OK) == 0) passed++;
    else failed++, printf("FAILED: no page\n");
    hold("invented-command", sum);
}

static void test_memory(void)
{
    static const char line[] = "compare p q --page here.html --all";
    unsigned told = 0, count, same = 0;
    size_t bytes;
    allocations = 0;
    int status = command(line);
    uint32_t good = sum_of("command", "");
    count = allocations;
    for (unsigned n = 1; n <= count; n++) {
        allocations = 0;
        bad_allocation = n;
        int now = command(line);
        bad_allocation = 0;
        const char *text = (const char *)load("command", &bytes);
        bool is_told = strstr(text, "out of memory") != NULL || strstr(text, "not readable") != NULL;
        bool is_same = now == status && sum_of("command", "") == good;
        told += is_told && !is_same, same += is_same;
        if (is_told || is_same) passed++;
        else failed++, printf("FAILED: allocation %u of %u fails: %d, and nothing is said\n", n, count, now);
    }
    if (told > count / 2 && same < count / 4) passed++;
    else failed++, printf("FAILED: %u of %u failures are told, %u change nothing\n", told, count, same);
}

int main(int argc, char **argv)
{
    static char path_of_sums[4096];
    static struct compare_run runs[2];
    static struct comparison comparison;
    uint32_t tables = 0, pages = 0, decisions = 0, equal = 0;
    if (argc != 3) return printf("usage: test_invented FOLDER SUMS\n"), 2;
    if (realpath(argv[2], path_of_sums) == NULL || chdir(argv[1]) != 0) return perror("test_invented"), 2;
    folder = ".";
    sums = path_of_sums;
    bool is_rich = false; /* what the command is tried with differs in all that it may */
    for (uint32_t pair = 0; pair < PAIRS || (!is_rich && pair < 3 * PAIRS); pair++) {
        char path[2][600], message[COMPARE_MESSAGE] = "";
        uint32_t frames = pair == 7 ? 60 : 1 + pick(20), kinds = pair % 4 == 0 ? 0 : pick(1u << 24) << 8 | pick(256);
        has_many = pair == 9;
        changes = pair % 5 == 0 ? 0 : 8u << pick(9);
        for (side = 0; side < 2; side++) {
            invent(side == 0 || pick(5) != 0 ? frames : frames + 1, kinds);
            snprintf(path[side], sizeof path[side], "%s/%c", folder, 'p' + (int)side);
            if (compare_read_run(path[side], &runs[side], message)) passed++;
            else failed++, printf("FAILED: %s\n", message);
            (void)compare_read_trace(path[side], &runs[side].trace, message);
            decisions = take_decisions(&runs[side].trace, decisions);
        }
        compare_runs(&runs[0], &runs[1], &comparison);
        equal += compare_is_equal(&comparison);
        is_rich = comparison.is_timed && !comparison.is_decided_alike && comparison.frames_different != 0;
        tables = 31 * tables + take_table(&comparison, pair, false);
        tables = 31 * tables + take_table(&comparison, pair, true);
        snprintf(path[0], sizeof path[0], "%s/invented.html", folder);
        passed += compare_page(path[0], &comparison, message);
        pages = 31 * pages + sum_of("invented.html", "const both = {");
        compare_free(&comparison);
        for (unsigned i = 0; i < 2; i++) compare_free_run(&runs[i]);
    }
    if (equal >= 3 && equal < PAIRS / 2) passed++;
    else failed++, printf("FAILED: %" PRIu32 " pairs are equal\n", equal);
    test_command();
    test_memory();
    hold("invented-tables", tables);
    hold("invented-pages", pages);
    hold("invented-decisions", decisions);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
