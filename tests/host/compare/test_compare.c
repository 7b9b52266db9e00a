/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what `tessera compare` says of two runs is so, and of files that are damaged or not ours one line says what to
 * do. Method: runs of three frames are made up, with pictures and a time line; one thing is changed, and the comparison
 * has to find that and nothing else. Then every prefix of a run.json and of a time line, and every byte of a run.json
 * changed, are read. All that the table and the page say of the runs that were made up is held in sums.
 *   test_compare FOLDER SUMS
 */
#include "tools/compare/compare.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "held.h"

static void check(bool is_good, const char *what)
{
    if (!is_good) printf("FAILED: %s\n", what);
    passed += is_good;
    failed += !is_good;
}

/* ------------------------------------------------------------------ made-up runs */

enum { FRAMES = 3, WIDTH = 20, HEIGHT = 10, DECISIONS = 9 };

struct made {
    const char *scene, *device, *local, *version;
    unsigned seed, force, cycles, evictions, frames, first;
    uint8_t pixels[FRAMES][HEIGHT][WIDTH][3];
    unsigned widths[FRAMES];
    const char *decision[DECISIONS]; /* names of spans of the firmware; "portion" and "split" too */
    unsigned planning, profile;      /* cycles */
    bool has_no_trace, has_no_pictures, has_no_profile;
};

static struct made usual(void)
{
    struct made made = {.scene = "\"scene\": \"freedoom\"",
                        .device = "simulated hardware",
                        .local = "small",
                        .version = "0.1.0",
                        .seed = 1,
                        .force = 0x10000,
                        .cycles = 9000,
                        .first = 100,
                        .evictions = 4,
                        .frames = FRAMES,
                        .planning = 700,
                        .profile = 300,
                        .widths = {WIDTH, WIDTH, WIDTH}};
    static const char *const decisions[DECISIONS] = {
        "page in SKY", "portion", "evict SKY", "page in DOOR", "split", "page in SKY", "move DOOR", "portion", NULL};
    memcpy(made.decision, decisions, sizeof decisions);
    for (size_t i = 0; i < sizeof made.pixels; i++) ((uint8_t *)made.pixels)[i] = (uint8_t)(7 * i + i / 13);
    return made;
}

static FILE *create(const char *run, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, run);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, run, name);
    unlink(path);
    FILE *file = fopen(path, "w");
    if (file == NULL) perror(path), exit(2);
    return file;
}

static void write_run(const char *run, const struct made *made)
{
    FILE *file = create(run, "run.json");
    fprintf(file,
            "{\n  \"version\": \"%s\", %s, \"device\": \"%s\",\n  \"local\": \"%s\", \"seed\": %u,\n"
            "  \"force\": %u, \"frames\": %u, \"cycles\": %u, \"first_frame_cycle\": %u, \"evictions\": %u,\n"
            "  \"account\": {\"cycles\": %u, \"render_node\": {\"works\": 10, \"memory\": %u},\n"
            "    \"paging_node\": {\"works\": 20, \"firmware\": 30}},\n  \"frame\": [",
            made->version, made->scene, made->device, made->local, made->seed, made->force, made->frames, made->cycles,
            made->first, made->evictions, made->cycles - made->first, made->cycles - made->first - 10);
    for (unsigned i = 0; i < made->frames; i++)
        fprintf(file, "%s\n    {\"done_cycle\": %u}", i != 0 ? "," : "",
                made->first + (made->cycles - made->first) * (i + 1) / made->frames);
    fprintf(file, "],\n  \"statistics\": {\"EVICTIONS\": %u, \"DECISION_CYCLES\": %u}, \"wall_seconds\": %u.5}\n",
            made->evictions, made->planning, made->planning);
    fclose(file);
}

static void write_pictures(const char *run, const struct made *made)
{
    for (unsigned i = 0; i < FRAMES; i++) {
        char path[600], name[32];
        png_image image;
        memset(&image, 0, sizeof image);
        image.version = PNG_IMAGE_VERSION;
        image.width = made->widths[i];
        image.height = HEIGHT;
        image.format = PNG_FORMAT_RGB;
        snprintf(name, sizeof name, "frame-%02u.png", i);
        fclose(create(run, name));
        snprintf(path, sizeof path, "%s/%s/%s", folder, run, name);
        if (made->has_no_pictures) unlink(path);
        else if (!png_image_write_to_file(&image, path, 0, made->pixels[i], WIDTH * 3, NULL)) exit(2);
    }
}

/* A time line as view.c writes it, a frame and its DMA buffer first. */
static void write_trace(const char *run, const struct made *made)
{
    FILE *file = create(run, "trace.json");
    unsigned cycle = 1000, fence = 1;
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_labels\"}", file);
    fputs(",\n{\"ph\":\"b\",\"pid\":1,\"tid\":0,\"ts\":900,\"name\":\"frame 0\",\"cat\":\"frame\",\"id\":0}", file);
    fputs(",\n{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":900,\"name\":\"s\",\"cat\":\"submission\",\"id\":520}", file);
    fprintf(file, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":900,\"name\":\"plan 3 entries\",\"dur\":%u}",
            made->planning);
    for (unsigned i = 0; i < DECISIONS && made->decision[i] != NULL; i++, cycle += 100) {
        const char *name = made->decision[i];
        char portion[64];
        bool is_split = strcmp(name, "split") == 0, is_portion = is_split || strcmp(name, "portion") == 0;
        snprintf(portion, sizeof portion, "grant, patch, submit portion %u", fence);
        if (is_portion)
            fprintf(file,
                    ",\n{\"ph\":\"s\",\"pid\":1,\"tid\":2,\"ts\":%u,\"name\":\"p\",\"cat\":\"portion\",\"id\":%u}"
                    ",\n{\"ph\":\"t\",\"pid\":1,\"tid\":2,\"ts\":%u,\"name\":\"s\",\"cat\":\"submission\",\"id\":520}",
                    cycle, fence++, cycle);
        fprintf(file, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":%u,\"name\":\"%s\",\"dur\":50}", cycle,
                is_portion ? portion : name);
        if (is_split)
            fprintf(file,
                    ",\n{\"ph\":\"i\",\"pid\":1,\"tid\":2,\"ts\":%u,\"name\":\"split at byte\",\"s\":\"t\","
                    "\"args\":{\"value\":%u}}",
                    cycle, 264);
        if (strncmp(name, "page in ", 8) == 0)
            fprintf(file,
                    ",\n{\"ph\":\"X\",\"pid\":12,\"tid\":5,\"ts\":%u,\"name\":\"%s\",\"dur\":9,\"args\":{"
                    "\"page\":%zu,\"pages\":2,\"again\":%s}}",
                    cycle + 50, name + 8, strlen(name), i > 4 ? "true" : "false");
    }
    fputs("\n]}\n", file);
    fclose(file);
}

static void make(const char *run, const struct made *made)
{
    write_run(run, made);
    write_pictures(run, made);
    write_trace(run, made);
    FILE *file = create(run, "profile.folded");
    fprintf(file, "_start;main 40\n_start;main;plan.lto_priv.0 %u\n_start;main;plan.cold 5\n", made->profile);
    fclose(file);
    char path[600];
    snprintf(path, sizeof path, "%s/%s/trace.json", folder, run);
    if (made->has_no_trace) unlink(path);
    snprintf(path, sizeof path, "%s/%s/profile.folded", folder, run);
    if (made->has_no_profile) unlink(path);
}

/* ------------------------------------------------------------------ comparing */

static struct compare_run runs[2];
static struct comparison comparison;

static bool read_both(const char *a, const char *b, char message[COMPARE_MESSAGE])
{
    const char *const names[] = {a, b};
    bool is_good = true;
    for (unsigned side = 0; side < 2; side++) {
        char path[600], why[COMPARE_MESSAGE];
        snprintf(path, sizeof path, "%s/%s/run.json", folder, names[side]);
        is_good = compare_read_run(path, &runs[side], message) && is_good;
        if (is_good) (void)compare_read_trace(runs[side].folder, &runs[side].trace, why);
    }
    return is_good;
}

static void let_go(void)
{
    compare_free(&comparison);
    for (unsigned side = 0; side < 2; side++) compare_free_run(&runs[side]);
}

/* Sums of every table and every page's data. */
static uint32_t tables, pages;

static void take_table(bool shows_all)
{
    char path[600];
    size_t bytes;
    snprintf(path, sizeof path, "%s/table", folder);
    int kept = dup(STDOUT_FILENO);
    FILE *file = fopen(path, "w");
    if (kept < 0 || file == NULL || fflush(stdout) != 0 || dup2(fileno(file), STDOUT_FILENO) < 0) perror(path), exit(2);
    compare_table(&comparison, shows_all);
    fflush(stdout);
    (void)dup2(kept, STDOUT_FILENO);
    (void)close(kept);
    (void)fclose(file);
    const uint8_t *text = load(path, &bytes);
    tables = (uint32_t)crc32(tables, text, (uInt)bytes);
}

static void take_page(void)
{
    char path[600], message[COMPARE_MESSAGE] = "";
    size_t bytes;
    snprintf(path, sizeof path, "%s/page.html", folder);
    check(compare_page(path, &comparison, message), "the page is written");
    const char *page = (const char *)load(path, &bytes), *data = strstr(page, "const both = {");
    const char *end = data != NULL ? strstr(data, "\n};\n") : NULL;
    check(end != NULL, "with its data");
    if (end != NULL) pages = (uint32_t)crc32(pages, (const uint8_t *)data, (uInt)(end - data));
}

static void compare_with(const struct made *b)
{
    const struct made a = usual();
    char message[COMPARE_MESSAGE] = "";
    let_go();
    make("a", &a);
    make("b", b);
    if (!read_both("a", "b", message)) printf("FAILED: %s\n", message), failed++;
    else compare_runs(&runs[0], &runs[1], &comparison);
}

static void with(const struct made *b)
{
    compare_with(b);
    take_table(false);
    take_table(true);
    take_page();
}

static bool says(const struct compare_lines *lines, const char *text)
{
    for (uint32_t i = 0; i < lines->count; i++)
        if (strstr(lines->line[i], text) != NULL) return true;
    return false;
}

static const struct compare_row *row_of(enum compare_group group, const char *name)
{
    for (uint32_t i = 0; i < comparison.row_count; i++)
        if (comparison.rows[i].group == group && strcmp(comparison.rows[i].name, name) == 0) return &comparison.rows[i];
    return NULL;
}

static bool is_changed(enum compare_group group, const char *name, double by)
{
    const struct compare_row *row = row_of(group, name);
    return row != NULL && row->is_known[0] && row->is_known[1] && compare_change(row) == by;
}

static unsigned differing(void)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < comparison.row_count; i++) count += compare_differs(&comparison.rows[i]);
    return count;
}

static void test_equal(void)
{
    struct made b = usual();
    with(&b);
    check(compare_is_equal(&comparison), "the same twice is equal");
    check(comparison.frames_equal == FRAMES && comparison.frame_count == FRAMES, "with all its frames");
    check(comparison.decisions_same == 8 && says(&comparison.decided, "All 8 decisions"), "and decisions");
    check(comparison.settings.count == 0 && comparison.cannot.count == 0, "and nothing left out");
    check(row_of(GROUP_FIGURES, "cycles") != NULL && row_of(GROUP_FIGURES, "wall_seconds") == NULL,
          "the wall's time is no figure");
    check(row_of(GROUP_FIGURES, "seed") == NULL && row_of(GROUP_FIGURES, "force") == NULL, "settings are none");
    check(is_changed(GROUP_FUNCTIONS, "plan", 0) && row_of(GROUP_FUNCTIONS, "plan")->value[0] == 305,
          "parts of a function are one");
    check(comparison.frames[1].cycles[0] == (8900 * 2 / 3) - (8900 / 3), "a frame's time");
    check(comparison.frames[0].cycles[0] == 8900 / 3, "the first one's since the first submission");
    b.first = 0;
    compare_with(&b);
    check(comparison.frames[0].cycles[1] == 3000, "which may be at cycle 0");
}

static void test_figures(void)
{
    struct made b = usual();
    b.cycles += 300, b.planning += 40, b.profile += 40;
    with(&b);
    check(!compare_is_equal(&comparison) && is_changed(GROUP_FIGURES, "cycles", 300), "cycles that moved");
    check(is_changed(GROUP_RENDER, "waits for memory", 300) && is_changed(GROUP_RENDER, "works", 0), "where they went");
    check(is_changed(GROUP_STAGES, "plan portions", 40) && is_changed(GROUP_FUNCTIONS, "plan", 40), "the firmware's");
    check(is_changed(GROUP_STATISTICS, "statistics.DECISION_CYCLES", 40), "a counter");
    check(differing() == 5, "nothing else differs");
    check(says(&comparison.moved, "+300, +3.37 %") && says(&comparison.moved, "waits for memory +300"), "in words");
    check(comparison.is_decided_alike && comparison.frames_equal == FRAMES, "frames and decisions are the same");
    b = usual();
    b.evictions++;
    with(&b);
    check(differing() == 2 && says(&comparison.moved, "both take 8900"), "a count");
    b = usual();
    b.has_no_profile = true;
    with(&b);
    check(says(&comparison.cannot, "there is no profile.folded beside") && !is_changed(GROUP_FUNCTIONS, "plan", -305),
          "a profile that is missing is no change");
}

static void test_pictures(void)
{
    struct made b = usual();
    b.pixels[1][3][5][1] += 9, b.pixels[1][7][2][0] -= 4;
    with(&b);
    const struct compare_frame *frame = &comparison.frames[1];
    check(comparison.frames_different == 1 && frame->outcome == COMPARE_DIFFERENT, "a different picture");
    check(frame->pixels == 2 && frame->largest == 9, "how different");
    check(frame->left == 2 && frame->right == 5 && frame->top == 3 && frame->bottom == 7, "and where");
    check(!compare_is_equal(&comparison) && differing() == 0, "alone makes the runs differ");
    b = usual();
    b.widths[2] = WIDTH - 1;
    with(&b);
    check(comparison.frames[2].outcome == COMPARE_OTHER_SIZE && says(&comparison.cannot, "sizes differ"),
          "another size");
    b = usual();
    b.has_no_pictures = true;
    with(&b);
    check(comparison.frames_equal == 0 && says(&comparison.cannot, "3 pictures cannot be compared: not beside both"),
          "no pictures");
    b.has_no_pictures = false;
    with(&b);
    fputs("no picture", create("b", "frame-01.png"));
    fflush(NULL);
    compare_free(&comparison);
    compare_runs(&runs[0], &runs[1], &comparison);
    check(comparison.frames_equal == 2 && says(&comparison.cannot, "1 picture cannot be compared: not beside both"),
          "a damaged picture");
}

static void test_decisions(void)
{
    static const struct {
        unsigned at;
        const char *instead, *a, *b;
    } changes[] = {
        {0, "page in DOOR", "A: pages in SKY at page 11 of segment 2", "B: pages in DOOR at page 12"},
        {2, "evict DOOR", "A: evicts SKY, which comes back 1 portion later", "B: evicts DOOR, which comes"},
        {4, "portion", "A: ends the portion and cuts the DMA buffer at byte 264", "B: ends the DMA buffer's"},
        {6, "move SKY", "A: moves DOOR", "B: moves SKY"},
        {7, NULL, "A: ends the DMA buffer's last", "B: decides nothing any more"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct made b = usual();
        b.decision[changes[i].at] = changes[i].instead;
        with(&b);
        check(comparison.decisions_same == changes[i].at && !comparison.is_decided_alike, "the first that differs");
        check(says(&comparison.decided, changes[i].a) && says(&comparison.decided, changes[i].b), changes[i].a);
        check(says(&comparison.decided, "DMA buffer 0, frame 0") || changes[i].at == 7, "and for what");
        check(says(&comparison.decided, "plans differently"), "the firmware is another");
    }
    struct made b = usual();
    b.decision[2] = "evict HALL", b.decision[5] = "page in HALL";
    with(&b);
    check(says(&comparison.decided, "B: evicts HALL, which comes back 1 portion later"), "back in the next portion");
    b.decision[5] = "page in SKY";
    with(&b);
    check(says(&comparison.decided, "B: evicts HALL, which is never used again"), "never back");
    b.force = 0;
    with(&b);
    check(says(&comparison.decided, "the policies differ") && says(&comparison.settings, "policy: "), "another policy");
    b.force = 0x10000, b.local = "large";
    with(&b);
    check(says(&comparison.decided, "Why: local memory differs"), "another memory");
    b.local = "small", b.has_no_trace = true;
    with(&b);
    check(comparison.is_decided_alike && comparison.decided.count == 0, "without a time line nothing is said");
}

static void test_others(void)
{
    struct made b = usual();
    b.scene = "\"recording\": \"/far/away/game.tsdl\"";
    with(&b);
    check(!comparison.is_same_work && says(&comparison.cannot, "the runs draw different work"), "another scene");
    check(comparison.frame_count == 0 && comparison.decided.count == 0 && !compare_is_equal(&comparison),
          "frames and decisions are left out");
    b = usual(), b.seed = 2;
    with(&b);
    check(!comparison.is_same_work && says(&comparison.settings, "seed: 1, 2"), "another seed");
    check(!says(&comparison.settings, "HOST.FORCE") && !says(&comparison.settings, "policy"),
          "the same bits are not said");
    const uint32_t before[2] = {tables, pages}; /* what is held of tables and pages leaves this one out */
    b = usual(), b.force = 0x10001;
    with(&b);
    tables = before[0], pages = before[1];
    check(says(&comparison.settings, "bits of HOST.FORCE: 0x10000, 0x10001"), "other bits of one policy");
    b = usual(), b.version = "0.2.0";
    with(&b);
    check(comparison.is_same_work && says(&comparison.settings, "version: 0.1.0, 0.2.0"), "another version");
    check(!compare_is_equal(&comparison) && comparison.frames_equal == FRAMES, "is told, and compared");
    b = usual(), b.device = "golden model", b.cycles = 77777;
    with(&b);
    check(!comparison.is_timed && says(&comparison.cannot, "no clock"), "the model has no clock");
    check(row_of(GROUP_FIGURES, "cycles") == NULL && comparison.moved.count == 0, "so no cycles are compared");
    check(row_of(GROUP_FIGURES, "evictions") != NULL && comparison.frames_equal == FRAMES, "and all else is");
    b = usual(), b.frames = 2;
    with(&b);
    check(comparison.frame_count == 2 && says(&comparison.cannot, "only A has them"), "fewer frames");
    check(!compare_is_equal(&comparison) && says(&comparison.moved, "per frame 2967 and 4450"), "per frame");
}

/* ------------------------------------------------------------------ files of strangers */

static char *contents(const char *run, const char *name, size_t *bytes)
{
    static char text[1 << 20];
    char path[600];
    snprintf(path, sizeof path, "%s/%s/%s", folder, run, name);
    FILE *file = fopen(path, "r");
    *bytes = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[*bytes] = 0;
    if (file != NULL) fclose(file);
    return text;
}

static bool reads(const char *text, size_t bytes, char message[COMPARE_MESSAGE])
{
    char path[600];
    FILE *file = create("c", "run.json");
    fwrite(text, 1, bytes, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/c/run.json", folder);
    message[0] = 0;
    let_go();
    return compare_read_run(path, &runs[0], message);
}

static void refused(const char *text, const char *why)
{
    char message[COMPARE_MESSAGE];
    bool is_read = reads(text, strlen(text), message);
    check(!is_read && strstr(message, why) != NULL && strchr(message, '\n') == NULL, why);
    if (!is_read && strstr(message, why) == NULL) printf("    %s\n", message);
}

static void test_foreign(void)
{
    char message[COMPARE_MESSAGE] = "", path[600];
    refused("", "ends in the middle");
    refused("null\n", "is empty");
    refused("[1]", "lacks an object");
    refused("{\"a\": 1,\n \"b\" 2}", "damaged at line 2");
    refused("{}\n{}", "damaged at line 2");
    refused("{\"scene\": \"x\", \"portions\": 4}", "lacks a member \"device\"");
    refused("{\"pages\": 4, \"contexts\": []}", "lacks a member \"scene\" or \"recording\"");
    refused("{\"scene\": \"x\", \"device\": \"y\", \"cycles\": \"many\"}", "lacks a member \"cycles\"");
    refused("{\"scene\": \"x\", \"device\": \"y\", \"cycles\": 1, \"statistics\": {}}", "lacks a list \"frame\"");
    refused("{\"scene\":\"x\",\"device\":\"y\",\"cycles\":1,\"statistics\":{},\"frame\":[{}]}", "in every frame");
    let_go();
    snprintf(path, sizeof path, "%s/none/run.json", folder);
    check(!compare_read_run(path, &runs[0], message) && strstr(message, strerror(ENOENT)) != NULL, "no file");
    let_go();
    snprintf(path, sizeof path, "%s/a", folder);
    check(compare_read_run(path, &runs[0], message) && strstr(runs[0].path, "a/run.json") != NULL,
          "a folder is its run");
    let_go();
    check(!compare_read_run("/dev/zero", &runs[0], message) && strstr(message, "it is not a file") != NULL,
          "no regular file");
}

/* Each prefix is refused; each byte changed is refused, or read and compared without harm. */
static void test_damage(void)
{
    static char text[1 << 16];
    size_t bytes, wrong = 0, refusals = 0;
    char message[COMPARE_MESSAGE];
    const struct made a = usual();
    make("a", &a);
    snprintf(text, sizeof text, "%s", contents("a", "run.json", &bytes));
    for (size_t cut = 0; cut + 2 < bytes; cut += 3) wrong += reads(text, cut, message) || message[0] == 0;
    check(wrong == 0, "every prefix of a run.json is refused, with a line");
    for (size_t i = 0; i < bytes; i += 2) {
        char kept = text[i];
        text[i] = (char)(kept ^ (i % 7 == 0 ? 0x80 : 1 + (int)(i % 31)));
        bool is_read = reads(text, bytes, message);
        refusals += !is_read && message[0] != 0;
        wrong += !is_read && message[0] == 0;
        if (is_read) {
            runs[1] = runs[0]; /* the trees are given back once */
            compare_runs(&runs[0], &runs[1], &comparison);
            runs[1] = (struct compare_run){.root = NULL};
        }
        text[i] = kept;
    }
    check(wrong == 0 && refusals > bytes / 8, "a changed byte is refused with a line, or compared");
    let_go();
}

static void test_trace_damage(void)
{
    static char text[1 << 16];
    char path[600], message[COMPARE_MESSAGE];
    struct compare_trace trace;
    size_t bytes, wrong = 0;
    snprintf(text, sizeof text, "%s", contents("a", "trace.json", &bytes));
    snprintf(path, sizeof path, "%s/c", folder);
    for (size_t cut = 0; cut + 4 < bytes; cut += 5) {
        FILE *file = create("c", "trace.json");
        fwrite(text, 1, cut, file);
        fclose(file);
        message[0] = 0;
        wrong += compare_read_trace(path, &trace, message) || message[0] == 0 || trace.is_read;
        compare_free_trace(&trace);
    }
    check(wrong == 0, "a time line without its end is refused, with a line");
    for (size_t i = 0; i < bytes; i += 3) {
        char kept = text[i];
        text[i] = (char)(kept ^ (1 + (int)(i % 31)));
        FILE *file = create("c", "trace.json");
        fwrite(text, 1, bytes, file);
        fclose(file);
        message[0] = 0;
        wrong += !compare_read_trace(path, &trace, message) && message[0] == 0;
        for (uint32_t at = 0; at < trace.decision_count; at++) {
            char told[COMPARE_LINE];
            compare_describe(&trace, at, told);
        }
        compare_free_trace(&trace);
        text[i] = kept;
    }
    check(wrong == 0, "a changed byte of a time line is refused, or told of");
}

/* ------------------------------------------------------------------ the page */

static void test_page(void)
{
    char path[600], message[COMPARE_MESSAGE] = "";
    struct made b = usual();
    size_t bytes;
    b.pixels[1][3][5][1] += 9;
    b.decision[2] = "evict <\\/script>";
    with(&b);
    snprintf(path, sizeof path, "%s/c/page.html", folder);
    check(compare_page(path, &comparison, message), "a page is written");
    const char *page = contents("c", "page.html", &bytes), *data = strstr(page, "const both = {");
    check(data != NULL && strstr(page, "\n};\n") != NULL, "with its data");
    check(data != NULL && strstr(data, "evicts \\u003c") != NULL, "no name ends its script");
    check(data != NULL && strstr(data, "[1,1,20,10,1,9,5,3,5,3,") != NULL, "a frame's difference is in it");
    check(!compare_page("/dev/full", &comparison, message) && strstr(message, "--page") != NULL, "a full disk is told");
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_compare FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    test_equal();
    test_figures();
    test_pictures();
    test_decisions();
    test_others();
    test_foreign();
    test_damage();
    test_trace_damage();
    test_page();
    let_go();
    hold("compare-tables", tables);
    hold("compare-pages", pages);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
