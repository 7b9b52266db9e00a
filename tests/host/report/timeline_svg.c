/* SPDX-License-Identifier: Apache-2.0
 *
 * The time line of one frame as a picture, for the README: what a trace.json of `tessera run` says of host, firmware
 * and both nodes, with the arrows between them and the bytes per port, as SVG on the standard output.
 *   timeline_svg TRACE.json [whole]: SHOWN cycles of the last frame, from a little before its first paging buffer on;
 *   whole: from the run's first submission to the end of the last frame
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 1280,
    LEFT = 110,
    RIGHT = 14,
    TOP = 58,
    ROW = 22,
    GAP = 20,
    CHART = 40,
    CHARTS = 3,
    LANES = 4,
    DEPTHS = 3,
    FLOW_KINDS = 4,
    KINDS = 12,
    TEXT_WIDTH = 6,
    SHOWN = 1200000,
    BEFORE = 60000
};

static const char *const lane_names[LANES] = {"host", "firmware", "render node", "paging node"};
static const unsigned lane_rows[LANES] = {1, 1, 2, 2};
static const char *const port_names[CHARTS] = {"segment 1", "segment 2", "system memory"};

/* How the arrows look: each kind has its own dashes, so that colour need not tell them apart. */
static const struct flow_kind {
    const char *category, *text, *colour, *dashes;
} flow_kinds[FLOW_KINDS] = {{"submission", "submission: host to firmware", "#16181d", ""},
                            {"portion", "portion: firmware to render node", "#0b57a4", "6 3"},
                            {"paging", "paging buffer: firmware to paging node", "#a4510b", "2 3"},
                            {"wait", "fence waited for, node to node", "#8a1340", "9 3 2 3"}};

static const struct kind {
    const char *prefix, *colour;
} kinds[KINDS] = {{"validate", "#f3d9a6"},      {"plan", "#a9c7ea"},       {"submit paging", "#d8bfe6"},
                  {"page in", "#cfe8c6"},       {"evict", "#f0b9b3"},      {"grant", "#bfe3e6"},
                  {"retire", "#f7e7a0"},        {"WAIT_FENCE", "#e4e6ea"}, {"portion", "#a9c7ea"},
                  {"paging buffer", "#d8bfe6"}, {"COPY", "#cfe8c6"},       {"BLIT", "#bfe3e6"}};

struct span {
    double begin, end;
    const char *name;
    unsigned lane, depth;
};
struct flow {
    double at;
    unsigned lane, kind;
    int64_t id;
    bool is_start;
};
struct list {
    void *items;
    size_t count, room, size;
};

static double from, to;
static unsigned lane_y[LANES], height;

static void *append(struct list *list)
{
    if (list->count == list->room) {
        list->room = list->room != 0 ? 2 * list->room : 1024;
        list->items = realloc(list->items, list->room * list->size);
        if (list->items == NULL) {
            fputs("timeline_svg: out of memory\n", stderr);
            exit(2);
        }
    }
    return (char *)list->items + list->size * list->count++;
}

/* ------------------------------------------------------------------ reading */

static const char *text(struct json_object *event, const char *name)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(event, name, &value) ? json_object_get_string(value) : "";
}

static double number(struct json_object *event, const char *name)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(event, name, &value) ? json_object_get_double(value) : 0;
}

/* Lanes are the threads 1 to LANES of the trace's first process. */
static bool lane_of(struct json_object *event, unsigned *lane)
{
    *lane = (unsigned)number(event, "tid") - 1u;
    return *lane < LANES && number(event, "pid") < 1.5;
}

static void find_frame(struct json_object *events)
{
    double begin = 0;
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        struct json_object *event = json_object_array_get_idx(events, i);
        if (strcmp(text(event, "cat"), "frame") != 0) continue;
        if (text(event, "ph")[0] == 'b') begin = number(event, "ts");
        if (text(event, "ph")[0] == 'e' && number(event, "ts") - begin > 0) {
            from = begin;
            to = number(event, "ts");
        }
    }
}

/* Where the first arrow of this category begins, from `begin` on; `to` when there is none. */
static double first_of(struct json_object *events, const char *category, double begin)
{
    double first = to;
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        struct json_object *event = json_object_array_get_idx(events, i);
        double at = number(event, "ts");
        if (text(event, "ph")[0] == 's' && strcmp(text(event, "cat"), category) == 0 && at >= begin && at < first)
            first = at;
    }
    return first;
}

/* From a little before the first paging buffer of the frame. */
static void narrow(struct json_object *events)
{
    double first = first_of(events, "paging", from);
    if (first - BEFORE > from) from = first - BEFORE;
    if (to - from > SHOWN) to = from + SHOWN;
}

static int by_begin(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

/* A span lies one row below the shortest that holds it. */
static void nest(struct list *spans)
{
    double ends[LANES][DEPTHS] = {{0}};
    struct span *span = spans->items;
    if (spans->count != 0) qsort(span, spans->count, sizeof *span, by_begin);
    for (size_t i = 0; i < spans->count; i++) {
        unsigned depth = 0;
        while (depth + 1u < DEPTHS && ends[span[i].lane][depth] > span[i].begin) depth++;
        span[i].depth = depth;
        ends[span[i].lane][depth] = span[i].end;
        for (unsigned below = depth + 1u; below < DEPTHS; below++) ends[span[i].lane][below] = 0;
    }
}

static void read_events(struct json_object *events, struct list *spans, struct list *flows)
{
    unsigned lane;
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        struct json_object *event = json_object_array_get_idx(events, i);
        char phase = text(event, "ph")[0];
        double at = number(event, "ts");
        if (!lane_of(event, &lane) || at > to) continue;
        if (phase == 'X' && at + number(event, "dur") >= from && strncmp(text(event, "name"), "decide ", 7) != 0)
            *(struct span *)append(spans) = (struct span){at, at + number(event, "dur"), text(event, "name"), lane, 0};
        for (unsigned kind = 0; kind < FLOW_KINDS && (phase == 's' || phase == 't' || phase == 'f'); kind++)
            if (at >= from && strcmp(text(event, "cat"), flow_kinds[kind].category) == 0)
                *(struct flow *)append(flows) =
                    (struct flow){at, lane, kind, (int64_t)number(event, "id"), phase == 's'};
    }
    nest(spans);
}

/* ------------------------------------------------------------------ drawing */

static double x_of(double at)
{
    double shown = at < from ? from : at > to ? to : at;
    return LEFT + (shown - from) / (to - from) * (WIDTH - LEFT - RIGHT);
}

static void print_text(const char *value, size_t most)
{
    for (size_t i = 0; value[i] != 0 && i < most; i++) {
        if (value[i] == '<') fputs("&lt;", stdout);
        else if (value[i] == '&') fputs("&amp;", stdout);
        else putchar(value[i]);
    }
}

static void draw_span(const struct span *span)
{
    double x = x_of(span->begin), width = x_of(span->end) - x;
    double y = lane_y[span->lane] + span->depth * ROW;
    const char *colour = "#e8eaee";
    if (span->depth >= lane_rows[span->lane] || width < 0.4) return;
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (strncmp(span->name, kinds[kind].prefix, strlen(kinds[kind].prefix)) == 0) colour = kinds[kind].colour;
    printf("<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"#5a6270\" "
           "stroke-width=\"%.1f\"><title>",
           x, y, width, ROW - 3, colour, width > 3 ? 0.6 : 0.15);
    print_text(span->name, strlen(span->name)); /* shown at the pointer, and there however narrow the span is */
    puts("</title></rect>");
    if (width < 4 * TEXT_WIDTH) return;
    printf("<text x=\"%.1f\" y=\"%.0f\">", x + 3, y + 14);
    print_text(span->name, (size_t)((width - 6) / TEXT_WIDTH));
    puts("</text>");
}

static void draw_flows(const struct list *flows)
{
    const struct flow *flow = flows->items;
    for (size_t i = 0; i < flows->count; i++) {
        if (!flow[i].is_start) continue;
        const struct flow_kind *kind = &flow_kinds[flow[i].kind];
        for (size_t j = 0; j < flows->count; j++) {
            if (flow[j].is_start || flow[j].at < flow[i].at) continue;
            if (flow[j].kind != flow[i].kind || flow[j].id != flow[i].id) continue;
            bool is_down = flow[j].lane > flow[i].lane;
            double x0 = x_of(flow[i].at), x1 = x_of(flow[j].at);
            double y0 = lane_y[flow[i].lane] + (is_down ? lane_rows[flow[i].lane] * ROW - 3u : 0u);
            double y1 = lane_y[flow[j].lane] + (is_down ? 0u : lane_rows[flow[j].lane] * ROW - 3u);
            double bend = (y1 - y0) / 2;
            printf("<path class=\"%s\" d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"%s\" "
                   "stroke-dasharray=\"%s\" marker-end=\"url(#tip)\"/>\n",
                   kind->category, x0, y0, x0, y0 + bend, x1, y1 - bend, x1, y1, kind->colour, kind->dashes);
            break;
        }
    }
}

/* Bytes per port, of 8 per cycle; a counter's value counts since the one before. */
static void draw_charts(struct json_object *events, unsigned y)
{
    for (unsigned port = 0; port < CHARTS; port++) {
        double last = 0, sum = 0, base = y + port * (CHART + 8u) + CHART;
        printf("<text x=\"6\" y=\"%.0f\">%s</text>\n<rect x=\"%d\" y=\"%.0f\" width=\"%d\" height=\"1\" "
               "fill=\"#5a6270\"/>\n",
               base - CHART + 12.0, port_names[port], LEFT, base, WIDTH - LEFT - RIGHT);
        for (size_t i = 0; i < json_object_array_length(events); i++) {
            struct json_object *event = json_object_array_get_idx(events, i), *values = NULL;
            if (text(event, "ph")[0] != 'C' || strcmp(text(event, "name"), "bytes per port") != 0) continue;
            double at = number(event, "ts");
            if (json_object_object_get_ex(event, "args", &values) && at > from && last < to && at > last) {
                double bytes = number(values, port_names[port]);
                double share = bytes / (at - last) / 8, tall = (share < 1 ? share : 1) * (CHART - 4);
                if (last >= from && at <= to) sum += bytes;
                printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#5b8ec4\"/>\n", x_of(last),
                       base - tall, x_of(at) - x_of(last) + 0.3, tall);
            }
            last = at;
        }
        printf("<text x=\"6\" y=\"%.0f\" fill=\"#4c5564\">%.0f %%</text>\n", base - CHART + 27.0,
               100 * sum / (to - from) / 8);
    }
}

static void draw_frame(const char *title)
{
    double step = 1;
    while ((to - from) / step > 12) step *= (to - from) / step > 60 ? 10 : (to - from) / step > 30 ? 5 : 2;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
           "font-family=\"DejaVu Sans, sans-serif\" font-size=\"11\">\n"
           "<defs><marker id=\"tip\" markerWidth=\"7\" markerHeight=\"7\" refX=\"6\" refY=\"3\" orient=\"auto\">"
           "<path d=\"M0 0L6 3L0 6z\" fill=\"#16181d\"/></marker></defs>\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
           "<text x=\"6\" y=\"18\" font-size=\"14\">%s</text>\n",
           WIDTH, height, title);
    for (double at = 0; at < to - from - step / 2; at += step)
        printf("<text x=\"%.1f\" y=\"36\" fill=\"#4c5564\">%.0f</text>\n<rect x=\"%.1f\" y=\"40\" width=\"1\" "
               "height=\"%u\" fill=\"#d9dce2\"/>\n",
               x_of(from + at) + 2, at, x_of(from + at), height - 70u);
    for (unsigned lane = 0; lane < LANES; lane++)
        printf("<text x=\"6\" y=\"%u\">%s</text>\n", lane_y[lane] + 14u, lane_names[lane]);
    for (unsigned kind = 0; kind < FLOW_KINDS; kind++)
        printf("<path d=\"M%u %u h44\" stroke=\"%s\" stroke-dasharray=\"%s\" marker-end=\"url(#tip)\"/>\n"
               "<text x=\"%u\" y=\"%u\">%s</text>\n",
               10 + kind * 320, height - 14u, flow_kinds[kind].colour, flow_kinds[kind].dashes, 62 + kind * 320,
               height - 10u, flow_kinds[kind].text);
}

int main(int argc, char **argv)
{
    struct list spans = {.size = sizeof(struct span)}, flows = {.size = sizeof(struct flow)};
    bool is_whole = argc == 3 && strcmp(argv[2], "whole") == 0;
    struct json_object *trace = argc == 2 || is_whole ? json_object_from_file(argv[1]) : NULL, *events = NULL;
    char title[160];
    if (trace == NULL || !json_object_object_get_ex(trace, "traceEvents", &events)) {
        fputs("timeline_svg: write timeline_svg TRACE.json [whole]; the file must be a trace of tessera\n", stderr);
        return 2;
    }
    find_frame(events);
    if (is_whole) from = first_of(events, "submission", 0);
    else narrow(events);
    if (to <= from) {
        fputs("timeline_svg: the trace has no whole frame\n", stderr);
        return 2;
    }
    unsigned y = TOP;
    for (unsigned lane = 0; lane < LANES; lane++) {
        lane_y[lane] = y;
        y += lane_rows[lane] * ROW + 2u * GAP;
    }
    unsigned charts = y - GAP;
    height = charts + CHARTS * (CHART + 8u) + 40u;
    read_events(events, &spans, &flows);
    snprintf(title, sizeof title,
             "%.2f million cycles of a frame: what host, firmware and both nodes do. Below: bytes per port, of 8 per "
             "cycle.",
             (to - from) * 1e-6);
    draw_frame(title);
    draw_charts(events, charts);
    for (size_t i = 0; i < spans.count; i++) draw_span(&((const struct span *)spans.items)[i]);
    draw_flows(&flows);
    puts("</svg>");
    json_object_put(trace);
    free(spans.items);
    free(flows.items);
    return 0;
}
