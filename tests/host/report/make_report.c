/* SPDX-License-Identifier: Apache-2.0
 *
 * A report of a long run without the run: a made-up device tells a view what a real one would, frame after frame,
 * with as many events as the default scene has. For judging how the page bears it.
 *   make_report FRAMES DIRECTORY: DIRECTORY/report.html; frame-NN.png there are shown if they exist
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "made_up.h"
#include "tools/view/report_html.h"
#include "tools/view/view.h"

enum {
    TEXTURES = 512,
    SEGMENT_PAGES = 512,
    TEXTURE_PAGES = 4,
    PLACES = SEGMENT_PAGES / TEXTURE_PAGES,
    BUFFERS = 4,
    ARRIVALS = 110 /* per DMA buffer */
};

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    (void)context;
    (void)offset;
    (void)value;
    clock_now += 20;
    return TRANSPORT_OK;
}

struct maker {
    struct view *view;
    const struct probe *probe;
    struct transport device, watched;
    uint32_t sent, completed, tag, fence;
    uint32_t tenant[PLACES]; /* handle, 0 = free */
    uint32_t next_texture, next_place;
    struct probe_counters counters;
};

static void firmware(struct maker *maker, uint32_t event, uint32_t argument, uint32_t after)
{
    clock_now += after;
    maker->probe->firmware(maker->probe->context, clock_now, event, argument);
}

static void send(struct maker *maker, const uint32_t message[16])
{
    memcpy(memory + SUBMIT_RING + maker->sent % (1u << RING_LOG2) * 64u, message, 64);
    maker->watched.register_write(maker->watched.context, HOST_SUBMIT_TAIL_OFFSET, ++maker->sent);
}

static void complete(struct maker *maker, const uint32_t words[8])
{
    memcpy(memory + COMPLETE_RING + maker->completed % (1u << RING_LOG2) * 32u, words, 32);
    maker->watched.register_write(maker->watched.context, HOST_COMPLETE_HEAD_OFFSET, ++maker->completed);
}

static void create_texture(struct maker *maker, uint32_t handle)
{
    const uint32_t message[16] = {MSG_CREATE_ALLOCATION, ++maker->tag, TEXTURE_PAGES * 4096};
    const uint32_t reply[8] = {[COMPLETION_TAG] = maker->tag, [REPLY_CREATE_ALLOCATION_HANDLE] = handle};
    char name[24];
    send(maker, message);
    complete(maker, reply);
    /* Names are the program's: some that a page must not stumble over. */
    snprintf(name, sizeof name, handle % 16u == 0 ? "</script>\"\\%u" : "TEX%03u", handle);
    view_name(maker->view, handle, name);
}

static void page_in(struct maker *maker)
{
    uint32_t place = maker->next_place++ % PLACES, handle = 1u + maker->next_texture++ % TEXTURES;
    const uint32_t copy[8] = {PKT_COPY, GPU_LIMIT(ADDR_SYSTEM) + handle * 16384u,
                              GPU_LIMIT(ADDR_SEGMENT2) + place * 16384u, TEXTURE_PAGES * 4096};
    if (maker->tenant[place] != 0) {
        firmware(maker, TRACE_NEXT_USE, handle % 3u == 0u ? 0u : handle | (handle % 2u) << 31, 5);
        firmware(maker, TRACE_EVICT, maker->tenant[place], 800);
    }
    maker->tenant[place] = handle;
    firmware(maker, TRACE_PLACE, 2u << 28 | place * TEXTURE_PAGES, 800);
    firmware(maker, TRACE_PAGE_IN, handle, 5);
    maker->probe->packet_begin(maker->probe->context, clock_now, 1, 0, copy);
    clock_now += 4000;
    maker->counters.node[1].busy += 4000;
    maker->counters.beats[1] += 2048;
    maker->counters.beats[2] += 2048;
    maker->probe->counters(maker->probe->context, clock_now, &maker->counters);
    maker->probe->packet_end(maker->probe->context, clock_now, 1);
}

static void buffer(struct maker *maker)
{
    const uint32_t message[16] = {MSG_SUBMIT, ++maker->tag, 1, 0, 4096};
    const uint32_t reply[8] = {[COMPLETION_TAG] = maker->tag,
                               [REPLY_SUBMIT_PORTIONS] = 2,
                               [REPLY_SUBMIT_EVICTIONS] = ARRIVALS,
                               [REPLY_SUBMIT_PAGED_IN] = ARRIVALS * TEXTURE_PAGES};
    send(maker, message);
    firmware(maker, TRACE_VALIDATE, 4096, 100);
    firmware(maker, TRACE_ACCEPT, maker->tag, 60000);
    for (uint32_t portion = 0; portion < 2; portion++) {
        firmware(maker, TRACE_PLAN, portion * ARRIVALS / 2, 100);
        firmware(maker, TRACE_PLANNED, ARRIVALS / 2, 30000 + maker->tag % 7u * 9000u);
        for (uint32_t i = 0; i < ARRIVALS / 2; i++) page_in(maker);
        firmware(maker, TRACE_JOB, maker->tag, 1000);
        firmware(maker, TRACE_PORTION, ++maker->fence, 5);
        if (portion == 0) firmware(maker, TRACE_SPLIT, 2048, 5);
    }
    firmware(maker, TRACE_COMPLETE, maker->tag, 9000);
    clock_now += (uint64_t)PROBE_SAMPLE - clock_now % PROBE_SAMPLE;
    maker->probe->counters(maker->probe->context, clock_now, &maker->counters);
    complete(maker, reply);
}

int main(int argc, char **argv)
{
    static struct maker maker;
    char message[256] = "usage: make_report FRAMES DIRECTORY", path[512];
    uint32_t frames = argc == 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    if (frames > 0) maker.view = view_open(argv[2], message);
    if (maker.view == NULL) {
        fprintf(stderr, "%s\n", message);
        return 2;
    }
    maker.probe = view_probe(maker.view);
    maker.device = (struct transport){.register_read = register_read,
                                      .register_write = register_write,
                                      .memory_read = memory_read,
                                      .cycles = cycles,
                                      .close = close_device};
    view_watch(maker.view, &maker.device, &maker.watched);
    struct transport *watched = &maker.watched;
    watched->register_write(watched->context, HOST_SUBMIT_BASE_OFFSET, SUBMIT_RING);
    watched->register_write(watched->context, HOST_SUBMIT_SIZE_OFFSET, RING_LOG2);
    watched->register_write(watched->context, HOST_COMPLETE_BASE_OFFSET, COMPLETE_RING);
    watched->register_write(watched->context, HOST_COMPLETE_SIZE_OFFSET, RING_LOG2);
    for (uint32_t i = 0; i < TEXTURES; i++) create_texture(&maker, i + 1u);
    for (uint32_t frame = 0; frame < frames; frame++) {
        view_frame_begin(maker.view, frame, clock_now);
        for (uint32_t i = 0; i < BUFFERS; i++) buffer(&maker);
        view_frame_end(maker.view, frame, clock_now);
    }
    int status = view_close(maker.view);
    const struct report_row row = {"made up", "yes", "by tests/host/report/make_report.c"};
    const struct report_page page = {.title = "a made-up run",
                                     .verdict = "nothing was judged",
                                     .is_good = true,
                                     .rows = &row,
                                     .row_count = 1,
                                     .directory = argv[2],
                                     .digits = 2,
                                     .frame_count = frames};
    snprintf(path, sizeof path, "%s/report.html", argv[2]);
    if (status != 0 || report_html(path, maker.view, &page, message) != 0) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    view_free(maker.view);
    return 0;
}
