/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal and method as in test_written.c: what `tessera play` and `tessera replay` report of the same made-up run.
 *   test_reports FOLDER SUMS
 */
#include <png.h>
#include <stdlib.h>

#include "tools/picture/image_png.h"
#include "clients/sdl/play/play.h"
#include "tools/replay/replay.h"
#include "held.h"

/* Nobody is asked to open a device here. */
int replay_open_model(struct transport *transport, const struct replay_machine_options *options,
                      char message[PAGESIM_MESSAGE])
{
    (void)transport, (void)options, (void)message;
    return -1;
}

/* Words of which each is another number. */
static void make_up(void *at, size_t bytes, uint32_t limit)
{
    for (size_t i = 0; i + 4 <= bytes; i += 4) memcpy((uint8_t *)at + i, &(uint32_t){1 + pick(limit)}, 4);
}

static void make_account(struct account *account, uint64_t cycles)
{
    account->cycles = cycles;
    for (unsigned i = 0; i < PROBE_NODES; i++)
        account->node[i] = (struct account_node){{pick(900000), pick(90000), pick(9000)}, pick(99999), pick(999)};
    for (unsigned i = 0; i < PROBE_PORTS; i++) account->port_cycles[i] = pick(2000000);
}

static void test_play(void)
{
    enum { PLAYED = 4 };
    static struct play_record record;
    static struct play_frame frames[PLAYED];
    char message[256], path[512], name[32];
    for (uint32_t kind = 0; kind < 4; kind++) {
        const struct play_options options = {.file = "a \"b\"\\c.tsdl",
                                             .out = "here",
                                             .segment1_pages = 64,
                                             .segment2_pages = 512,
                                             .is_large = kind == 2,
                                             .is_checked = kind != 1,
                                             .tolerance = kind,
                                             .first = 3,
                                             .last = 6,
                                             .force = 7 * kind,
                                             .platform.seed = 11};
        memset(&record, 0, sizeof record);
        make_up(frames, sizeof frames, 90);
        for (uint32_t i = 0; i < PLAYED; i++) {
            frames[i].number = 3 + i;
            frames[i].check.bad = kind == 3 && i == 2 ? 5 : 0;
            frames[i].check.largest = kind == 0 ? 0 : i;
        }
        record.device = "golden model";
        snprintf(record.sdl_version, sizeof record.sdl_version, "2.26.5");
        if (kind == 2) snprintf(record.failure, sizeof record.failure, "it \"failed\"");
        make_up(&record.totals.frames, 8, 900);
        for (unsigned i = 0; i < RECORDING_KINDS; i++) record.totals.records[i] = pick(1000);
        record.totals.pixel_bytes = 3000000 + pick(9);
        record.totals.live_bytes = 5000000 + pick(9);
        record.totals.live_surfaces = 17;
        record.frames = frames;
        record.frame_count = PLAYED;
        record.skipped = 3;
        make_up(record.before.blits, sizeof record.before.blits, 10);
        make_up(record.counts.blits, sizeof record.counts.blits, 900);
        make_up(&record.counts.modulated, 8 * 4, 9000);
        record.counts.pixels = 123456789;
        record.before.pixels = 3456789;
        record.counts.update_bytes = 7654321;
        record.cycles = 5000000;
        record.first_cycle = 400000;
        make_up(record.statistics, sizeof record.statistics, 100000);
        record.render_busy = 1000 + pick(1000);
        record.paging_busy = 2000 + pick(1000);
        if (kind != 1) make_account(&record.account, 3000000);
        record.least = (struct bound_result){1234567, (enum bound_resource)(kind % BOUND_RESOURCES)};
        if (kind == 1) record.places = (struct places){9, {0, 2, 0, 3, 4}, {0, 8192, 0, 65536, 4096}};
        record.local_pages = 576;
        record.windowed = kind;
        snprintf(name, sizeof name, "play-%u.json", kind);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (play_report_json(path, &options, &record, message) != 0) failed++, printf("FAILED: %s\n", message);
        hold_file(name, "\"recording\"", ""); /* what is before it: the version */
    }
}

static void test_replay(void)
{
    enum { BUFFERS = 3 };
    char message[PAGESIM_MESSAGE], path[512], name[32];
    for (uint32_t kind = 0; kind < 3; kind++) {
        struct replay_buffer_result buffers[BUFFERS];
        struct replay_result result = {.has_run = true, .buffers = BUFFERS, .work = 12.5 + kind};
        struct replay_options options = {.file = "some/workload.json",
                                         .open = kind == 0 ? replay_open_model : NULL,
                                         .scale = 4,
                                         .ahead = 2 + kind,
                                         .force = 9,
                                         .latency = 21,
                                         .seed = 5,
                                         .split_pages = kind == 1 ? 8 : 0};
        memset(buffers, 0, sizeof buffers);
        make_up(&result.steps, (size_t)((uint8_t *)&result.grown_pages - (uint8_t *)&result.steps) + 4, 9000);
        result.loads_minimum = 100 + pick(100);
        result.traffic_minimum = 200 + pick(100);
        result.cycles = 9000000;
        for (unsigned i = 0; i < 2; i++) result.busy_cycles[i] = pick(900000), result.wait_cycles[i] = pick(90000);
        result.draw_bytes = 77777777;
        result.checked_pages = 4321;
        make_up(result.statistics, sizeof result.statistics, 100000);
        for (unsigned i = 0; i < TRACK_KINDS; i++) result.paging.pages[i] = 1000 + pick(1000);
        result.paging.dirty_out = 50 + pick(9);
        result.paging.clean_out = 40 + pick(9);
        result.paging.clean_out_by_step = 30 + pick(9);
        result.paging.operation_count = 888;
        result.paging.run_count = 999;
        if (kind != 2) {
            result.paging.meter.both_cycles = 300000;
            result.paging.meter.copy_cycles = 250000;
            result.paging.meter.copy_bytes = 1900000;
            for (unsigned i = 0; i < 3; i++) result.paging.meter.beats[i] = 10000 + pick(1000);
        }
        for (unsigned i = 0; i < BUFFERS; i++) {
            make_up(&buffers[i].portions, 5 * 4, 90);
            buffers[i].done_cycle = 1000000 * (i + 1);
        }
        result.buffer = kind == 2 ? NULL : buffers;
        snprintf(name, sizeof name, "replay-%u.json", kind);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (!replay_write_report(&options, &result, kind != 1, "what went wrong", path, message))
            failed++, printf("FAILED: %s\n", message);
        hold_file(name, "", "");
    }
}

/* A picture is what its units say, and one that cannot be written says so. */
static void test_picture(void)
{
    enum { WIDTH = 33, HEIGHT = 7 };
    static uint8_t units[WIDTH * HEIGHT * 4], pixels[WIDTH * HEIGHT * 3];
    char message[256] = "", path[512];
    for (size_t i = 0; i < sizeof units; i++) units[i] = (uint8_t)pick(256);
    snprintf(path, sizeof path, "%s/picture.png", folder);
    for (uint32_t kind = 0; kind < 2; kind++) {
        png_image image = {.version = PNG_IMAGE_VERSION};
        int status = kind == 0 ? image_png_write(path, units, WIDTH, HEIGHT, message)
                               : image_png_write_rgb888(path, units, WIDTH, HEIGHT, message);
        bool is_read = status == 0 && png_image_begin_read_from_file(&image, path);
        image.format = PNG_FORMAT_RGB;
        is_read = is_read && image.width == WIDTH && image.height == HEIGHT &&
                  png_image_finish_read(&image, NULL, pixels, 0, NULL);
        if (!is_read) failed++, printf("FAILED: %s\n", message);
        hold(kind == 0 ? "picture-565" : "picture-888", (uint32_t)crc32(0, pixels, sizeof pixels));
    }
    int status = image_png_write("no/such/folder/x.png", units, WIDTH, HEIGHT, message);
    if (status == -1 && strncmp(message, "cannot write no/such/folder/x.png: ", 35) == 0 && strlen(message) > 40 &&
        strstr(message, "out of memory") == NULL && strstr(message, "with --out.") != NULL)
        passed++;
    else failed++, printf("FAILED: a picture that cannot be written: %s\n", message);
}

static uint64_t sum_of_parts(const struct account_node *node)
{
    return node->busy.works + node->busy.memory + node->busy.other_node + node->firmware + node->nothing;
}

/* Whatever the counters do, of the run, of each frame and of all frames together every cycle of a node is one part. */
static void test_account(void)
{
    enum { STEPS = 200, FRAME = 20 };
    struct account whole = {0}, before = {0}, sum = {0};
    struct probe_counters counters = {0};
    uint64_t cycle = 0;
    bool is_whole = true;
    for (unsigned step = 1; step <= STEPS; step++) {
        const uint64_t passed_cycles = 1000 + pick(5000);
        cycle += passed_cycles;
        for (unsigned n = 0; n < PROBE_NODES; n++) {
            counters.cycles[n].works += pick((uint32_t)passed_cycles / 3);
            counters.cycles[n].memory += pick((uint32_t)passed_cycles / 4);
            counters.cycles[n].other_node += pick((uint32_t)passed_cycles / 5);
        }
        account_until(&whole, cycle, &counters, step % 3 == 0);
        if (step % FRAME != 0) continue;
        const struct account frame = account_since(&whole, &before);
        for (unsigned n = 0; n < PROBE_NODES; n++) {
            is_whole &= sum_of_parts(&frame.node[n]) == frame.cycles && frame.node[n].firmware != 0;
            is_whole &= frame.node[n].nothing != 0 && frame.node[n].nothing < frame.cycles;
            is_whole &= sum_of_parts(&whole.node[n]) == whole.cycles;
            sum.node[n].firmware += frame.node[n].firmware;
            sum.node[n].nothing += frame.node[n].nothing;
            sum.node[n].busy.works += frame.node[n].busy.works;
        }
        sum.cycles += frame.cycles;
        before = whole;
    }
    for (unsigned n = 0; n < PROBE_NODES; n++)
        is_whole &= sum.node[n].firmware == whole.node[n].firmware && sum.node[n].nothing == whole.node[n].nothing &&
                    sum.node[n].busy.works == whole.node[n].busy.works;
    if (is_whole && sum.cycles == cycle && whole.cycles == cycle) passed++;
    else failed++, printf("FAILED: the parts of an account do not sum to the whole\n");
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_reports FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    begin_texts("reports");
    test_play();
    test_replay();
    test_picture();
    test_account();
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
