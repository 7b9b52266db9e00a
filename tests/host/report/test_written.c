/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what the programs write and draw of the same input stays what it was, to the byte: nobody but a reader would
 * notice a wrong span, unit or texture. Method: a made-up history in which everything happens, in a fixed random order,
 * goes through the view into a time line and a page; a made-up record into run.json and the table; frames of the scene
 * into lists of draws. Short texts are held in tests/host/report/texts, the CRC-32 of everything else in
 * tests/host/report/written. After a change that is meant, compare the files in build/report/written with the old ones:
 * make report-written.
 *   test_written FOLDER SUMS
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "gpu_spec.h"
#include "tools/cli/option_table.h"
#include "tools/cli/options.h"
#include "tools/scene/scenes.h"
#include "tools/view/report.h"
#include "tools/view/report_html.h"
#include "tools/view/view.h"
#include "held.h"
#include "history.h"

static void test_page(void)
{
    char message[256] = "", path[512];
    static struct profile_row functions[] = {{"gpu_turn", 1, 2, 3, 40}, {"plan <all>", 5, 600, 7, 8}};
    static const bool is_good[FRAMES] = {true, false, true, true, false};
    struct report_row rows[ACCOUNT_ROWS + 1] = {{"made up", "yes & no", "by test_written.c"}};
    view = view_open(folder, message);
    if (view == NULL) printf("%s\n", message), exit(2);
    probe = view_probe(view);
    watch();
    for (uint32_t step = 0; step < STEPS; step++) happen(step);
    clock_now += (uint64_t)PROBE_SAMPLE - clock_now % PROBE_SAMPLE + 5000; /* the last sample is cut short */
    for (unsigned port = 0; port < PROBE_PORTS; port++) counters.beats[port] += 999;
    counters.node[0].busy += 4000;
    probe->counters(probe->context, clock_now, &counters);
    const struct account account = view_account(view);
    uint32_t count = report_account(&account, rows + 1);
    if (view_close(view) != 0) failed++, printf("FAILED: the view cannot be written\n");
    const struct report_page page = {.title = "a made-up run",
                                     .verdict = "nothing was \"judged\"",
                                     .is_good = true,
                                     .rows = rows,
                                     .row_count = count + 1,
                                     .functions = functions,
                                     .function_count = 2,
                                     .directory = folder,
                                     .digits = 2,
                                     .first_frame = 0,
                                     .frame_count = FRAMES,
                                     .is_frame_good = is_good};
    snprintf(path, sizeof path, "%s/frame-03.png", folder); /* a picture, for the page */
    FILE *picture = fopen(path, "wb");
    for (int i = 0; picture != NULL && i < 1001; i++) fputc(i * i % 251, picture);
    if (picture != NULL) fclose(picture);
    snprintf(path, sizeof path, "%s/report.html", folder);
    if (report_html(path, view, &page, message) != 0) failed++, printf("FAILED: %s\n", message);
    hold_file("trace.json", "", "");
    hold_file("report.html", "const run = {", "\n};");
    view_free(view);
}

/* ------------------------------------------------------------------ run.json and the table */

static void test_record(void)
{
    char message[256] = "", path[512], name[32];
    struct report_row rows[REPORT_ROWS];
    struct frame_record frames[3];
    for (uint32_t kind = 0; kind < 4; kind++) {
        struct program_options options = {.scene = "made-up",
                                          .frames = 3,
                                          .is_large = kind == 1,
                                          .is_copied = kind == 2,
                                          .force = kind * 5,
                                          .segment1_pages = 64,
                                          .segment2_pages = 512};
        struct run_record record = {.device = "simulated hardware", .frames = frames, .buffers = 77};
        record.failed_buffers = kind % 2;
        options.platform.is_model = kind == 3;
        options.platform.seed = 9;
        options.platform.latency = 11;
        options.platform.stall_percent = kind;
        record.footprint = 123456789;
        record.cycles = 4000000 + kind;
        record.first_cycle = 900000;
        record.firmware_instructions = 777777;
        record.clock_hz = kind == 3 ? 0 : 50000000;
        for (unsigned i = 0; i < STAT_COUNT; i++) record.statistics[i] = pick(100000);
        memcpy(record.node, counters.node, sizeof record.node);
        if (kind != 3) {
            record.account.cycles = 3000000;
            record.least = (struct bound_result){1234567, BOUND_SYSTEM_READ};
            for (unsigned i = 0; i < PROBE_NODES; i++)
                record.account.node[i] =
                    (struct account_node){{pick(900000), pick(90000), pick(9000)}, pick(99999), pick(999)};
            for (unsigned i = 0; i < PROBE_PORTS; i++) record.account.port_cycles[i] = pick(2000000);
            if (kind == 2) record.account.sdram = (struct sdram_cycles){4500000, 1234567, 2345678};
        }
        for (uint32_t i = 0; i < 3; i++) {
            frames[i] = (struct frame_record){.done_cycle = 1000000 + i * 900000, .is_golden = i != kind};
            frames[i].is_unsplit = i == 0;
            frames[i].result = (struct scene_result){pick(9), pick(2), pick(90), pick(900), pick(9000), pick(90000)};
        }
        record.matches_golden = kind != 0;
        record.matches_unsplit = kind == 1;
        record.is_unsplit_known = kind != 2;
        record.unsplit_splits = kind;
        record.is_cut = kind == 2;
        if (kind == 1) snprintf(record.failure, sizeof record.failure, "it \"stopped\"");
        snprintf(name, sizeof name, "run-%u.json", kind);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (report_json(path, &options, &record, message) != 0) failed++, printf("FAILED: %s\n", message);
        hold_file(name, "\"scene\"", ""); /* what is before it: the version */
        memset(rows, 0, sizeof rows);
        const uint32_t count = report_rows(&options, &record, rows);
        char table[8192] = "";
        size_t used = 0;
        for (uint32_t i = 0; i < count && used < sizeof table; i++)
            used += (size_t)snprintf(table + used, sizeof table - used, "%s | %s | %s\n", rows[i].name, rows[i].value,
                                     rows[i].note);
        if (used >= sizeof table) printf("FAILED: the table is too long\n"), exit(2);
        snprintf(name, sizeof name, "table-%u", kind);
        hold_text(name, table, used);
    }
}

/* ------------------------------------------------------------------ command lines */

static void show(FILE *file, const struct program_options *options)
{
    const struct platform_options *p = &options->platform;
    const char *const texts[] = {options->scene, options->wad, options->out, p->device, p->fst_path};
    const uint32_t words[] = {
        options->frames, options->textures, options->segment1_pages, options->force,       options->segment2_pages,
        options->abi,    options->port,     options->report_first,   options->report_last, p->seed,
        p->latency,      p->stall_percent};
    const bool truths[] = {
        options->is_large,    options->is_copied, options->only_this_run, options->spoils,   options->has_window,
        options->has_display, p->is_model,        p->keeps_firmware,      options->asks_why, options->has_page_tracks};
    const uint64_t numbers[] = {p->max_cycles, p->end_cycle, p->fst_from, p->fst_to};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) fprintf(file, " %s", texts[i] != NULL ? texts[i] : "-");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) fprintf(file, " %u", (unsigned)words[i]);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) fprintf(file, " %d", truths[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(file, " %llx", (unsigned long long)numbers[i]);
    fputc('\n', file);
}

/* What each line sets, and what is said of it. */
static void test_options(void)
{
    static const char *const lines[] = {
        "run",
        "info",
        "bad-input",
        "gdb",
        "console",
        "run --help",
        "gdb --help",
        "info --help",
        "console --help",
        "run --scene cards",
        "run --scene programs --segment1 3 --segment2 9",
        "run --scene quake",
        "run --scene locks --textures 3",
        "run --scene freedoom --frames 1 --seed 0 --local large --copy-only --textures 400",
        "run --frames 999 --textures 1 --no-compare --window --out here --wad x.wad --spoil",
        "run --segment1 1 --segment2 4096 --force 0x8b --policy literal",
        "run --segment1 4096 --segment2 1",
        "run --policy literal --force 7",
        "run --policy lookahead --force 010",
        "gdb --policy lookahead --port 0",
        "run --latency 1 --stall 90 --max-cycles 0xffffffffffffffff --until 0",
        "run --latency 10000 --stall 0",
        "run --fst f --fst-from 5 --fst-to 18446744073709551615",
        "gdb --port 65535 --frames 2",
        "run --model --seed 4294967295",
        "run --device tcp:a:1 --display --keep-firmware",
        "info --device tty:/dev/x --claim-abi 4294967295",
        "console --device tcp:a:1",
        "info --local small --claim-abi 1",
        "bad-input --model --segment1 3",
        "run --frames 0",
        "run --frames 1000",
        "run --frames 2x",
        "run --frames",
        "run --frames -1",
        "run --seed 4294967296",
        "run --local huge",
        "run --scene doom",
        "run --textures 401",
        "run --textures 0",
        "run --segment1 0",
        "run --segment2 4097",
        "run --latency 0",
        "run --latency 10001",
        "run --stall 91",
        "run --force 0x100000000",
        "run --policy best",
        "run --claim-abi 0",
        "gdb --port 65536",
        "run --fst-from 1",
        "run --fst-to 1",
        "run --max-cycles 0x10000000000000000",
        "run --model --latency 3",
        "run --model --stall 3",
        "run --model --firmware x",
        "run --model --fst f",
        "run --model --until 4",
        "run --device tcp:a:1 --model",
        "run --device tcp:a:1 --stall 1",
        "run --device tcp:a:1 --fst f",
        "run --keep-firmware",
        "run --device tcp:a:1 --keep-firmware --firmware x",
        "run --display",
        "run --no-such",
        "run stray",
        "info --frames 3",
        "console --seed 3",
        "bad-input --out x",
        "run --no-compare=3",
        "run -x",
        "nonsense",
        "run --fst f --fst-from 0 --fst-to 0",
        "run --fst f --fst-from x",
        "run --fst f --fst-to x",
        "run --max-cycles 0 --until 18446744073709551615",
        "run --max-cycles x",
        "run --until x",
        "run --seed x",
        "run --force x",
        "run --latency x",
        "run --stall x",
        "run --claim-abi x",
        "gdb --port x",
        "run --claim-abi 1 --why --page-tracks",
        "run --report-frames 2..7",
        "run --report-frames 2..8",
        "run --report-frames 7 --frames 100",
        "run --report-frames 3..2",
        "run --report-frames 1..2..",
        "run --report-frames ..2",
        "run --report-frames 0x3",
        "run --report-frames 4294967296",
        "run --frames 9",
        "run --frames 16",
        "run --frames 17",
        "run --device tcp:a:1 --latency 3",
        "run --device tcp:a:1 --max-cycles 3",
        "run --device tcp:a:1 --until 3",
        "run --device tcp:a:1 --firmware x",
        "run --model --max-cycles 0",
        "run --model --fst-from 4"};
    char path[512];
    snprintf(path, sizeof path, "%s/options.txt", folder);
    FILE *file = fopen(path, "w");
    int out = dup(1), error = dup(2);
    fflush(stdout);
    if (file == NULL || dup2(fileno(file), 1) < 0 || dup2(fileno(file), 2) < 0) exit(2);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct program_options options;
        char text[256], *word[32] = {NULL}, *rest = NULL;
        int count = 0;
        snprintf(text, sizeof text, "%s", lines[i]);
        for (char *at = strtok_r(text, " ", &rest); at != NULL; at = strtok_r(NULL, " ", &rest)) word[count++] = at;
        optind = 0; /* from the beginning, in glibc */
        fprintf(file, "== %s\n", lines[i]);
        fflush(file);
        int status = options_parse(&options, count, word);
        fflush(stdout);
        fprintf(file, "%d", status);
        if (status == 0) show(file, &options);
        else fputc('\n', file);
        fflush(file);
    }
    options_help(file);
    fclose(file);
    dup2(out, 1), dup2(error, 2);
    hold_file("options.txt", "", "");
}

/* ------------------------------------------------------------------ the scene */

static uint32_t sum_of_draw(uint32_t sum, const struct scene_draw *draw)
{
    const uint32_t words[] = {draw->texture,  draw->mode,  draw->target_x, draw->target_y, draw->source_x,
                              draw->source_y, draw->width, draw->height,   draw->value,    draw->is_premultiplied};
    return (uint32_t)crc32(sum, (const uint8_t *)words, sizeof words);
}

/* Its textures, and three of its frames. */
static void hold_scene(const struct scene *scene, const char *of)
{
    static struct scene_frame frame;
    static uint8_t pixels[SCENE_FRAME_BYTES];
    char name[40];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        const struct scene_texture *texture = &scene->textures[i];
        const uint32_t words[] = {texture->format, texture->width, texture->height, texture->pitch};
        sum = (uint32_t)crc32(sum, (const uint8_t *)texture->name, (uInt)strlen(texture->name));
        sum = (uint32_t)crc32(sum, (const uint8_t *)words, sizeof words);
        sum = (uint32_t)crc32(sum, texture->data, texture->pitch * texture->height);
    }
    snprintf(name, sizeof name, "textures-%s", of);
    hold(name, sum);
    for (uint32_t number = 0; number < 300; number += 149) {
        memset(&frame, 0, sizeof frame);
        scene->frame(scene, number, &frame);
        sum = frame.buffer_count + (uint32_t)scene_frame_footprint(scene, number);
        for (uint32_t i = 0; i < frame.buffer_count; i++)
            for (uint32_t k = 0; k < frame.buffer[i].count; k++) sum = sum_of_draw(sum, &frame.buffer[i].draws[k]);
        memset(pixels, 0, sizeof pixels);
        scene_reference(scene, &frame, pixels);
        sum = (uint32_t)crc32(sum, pixels, sizeof pixels);
        snprintf(name, sizeof name, "frame-%s-%u", of, number);
        hold(name, sum);
    }
}

/* Of Debian 12's Freedoom; another one has other pictures. */
static void test_scene(void)
{
    static const char wad[] = "/usr/share/games/doom/freedoom1.wad";
    struct scene scene;
    char message[256];
    size_t bytes;
    (void)load(wad, &bytes);
    if (bytes != 27284992u) {
        printf("SKIPPED: %s has %zu bytes: not the one whose scene is known\n", wad, bytes);
        skipped += 8;
        return;
    }
    for (uint32_t variety = 0; variety <= 40; variety += 40) {
        if (scene_freedoom(&scene, wad, 3 + variety, variety != 0 ? 900000 : 9437184, variety, message) != 0) {
            failed++, printf("FAILED: %s\n", message);
            continue;
        }
        hold_scene(&scene, variety != 0 ? "40" : "0");
        scene.destroy(&scene);
    }
}

static bool is_inside(const struct scene *scene, const struct scene_draw *draw)
{
    if (draw->width == 0 || draw->height == 0 || draw->target_x + draw->width > SCENE_WIDTH ||
        draw->target_y + draw->height > SCENE_HEIGHT)
        return false;
    if (draw->texture == SCENE_FILL) return true;
    if (draw->texture >= scene->texture_count) return false;
    const struct scene_texture *texture = &scene->textures[draw->texture];
    return draw->source_x + draw->width <= texture->width && draw->source_y + draw->height <= texture->height;
}

/* Draws lie inside frame and texture, and those of different programs do not overlap; what a program touches it touches
 * in every frame. */
static bool is_sound(const struct scene *scene, uint32_t number)
{
    static struct scene_frame frame, first;
    static uint8_t owner[SCENE_HEIGHT][SCENE_WIDTH];
    memset(owner, 0, sizeof owner);
    scene->frame(scene, 0, &first);
    scene->frame(scene, number, &frame);
    bool is_good = frame.touch_count == first.touch_count;
    for (uint32_t i = 0; i < frame.touch_count && is_good; i++)
        is_good = frame.touches[i].texture == first.touches[i].texture;
    for (uint32_t i = 0; i < frame.buffer_count && is_good; i++) {
        const uint32_t program = frame.buffer[i].program;
        is_good = program == 0 || program < scene->program_count;
        for (uint32_t k = 0; k < frame.buffer[i].count && is_good; k++) {
            const struct scene_draw *draw = &frame.buffer[i].draws[k];
            is_good = is_inside(scene, draw);
            for (uint32_t at = 0; is_good && at < (uint32_t)draw->width * draw->height; at++) {
                uint8_t *of = &owner[draw->target_y + at / draw->width][draw->target_x + at % draw->width];
                is_good = *of == 0 || *of == program + 1u;
                *of = (uint8_t)(program + 1u);
            }
        }
    }
    return is_good;
}

static void check_that(bool is_good, const char *what)
{
    if (is_good) passed++;
    else failed++, printf("FAILED: %s\n", what);
}

static void test_computed_scenes(void)
{
    struct scene scene;
    char message[256];
    for (uint32_t i = 0; scene_about_number(i) != NULL; i++) {
        const struct scene_about *about = scene_about_number(i);
        const int made = scene_computed(&scene, about->name, 1, message);
        check_that((made == 0) == !about->is_file, about->name);
        if (made != 0) continue;
        hold_scene(&scene, about->name);
        bool is_good = true;
        for (uint32_t number = 0; number < 60 && is_good; number++) is_good = is_sound(&scene, number);
        check_that(is_good, "its draws lie where they may");
        scene.destroy(&scene);
    }
    check_that(scene_computed(&scene, "quake", 1, message) == -1 && strstr(message, "quake") != NULL, "no such scene");
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_written FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    begin_texts("written");
    test_page();
    test_record();
    test_options();
    test_scene();
    test_computed_scenes();
    printf("%u passed, %u failed%s", passed, failed, skipped == 0 ? "\n" : "");
    if (skipped != 0) printf(", %u skipped\n", skipped);
    return failed != 0;
}
