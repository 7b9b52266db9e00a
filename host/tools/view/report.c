/* SPDX-License-Identifier: Apache-2.0
 *
 * out/run.json and the closing table: see report.h. The names in the JSON are a contract: tools and tests read
 * them.
 */
#include "tools/view/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tessera.h"
#include "tools/view/lower_bound.h"

static const char *const statistic_names[] = {
#define STATISTIC(name, doc) #name,
#include "gpu.def"
};

uint32_t report_faults(const struct run_record *record)
{
    return record->statistics[STAT_RECOVERIES] + record->failed_buffers;
}

static const char *truth(bool value) { return value ? "true" : "false"; }

static void print_operations(FILE *file, const uint32_t *statistics)
{
    fprintf(file,
            "  \"paging_operations\": {\"transfer\": %u, \"fill\": %u, \"discard\": %u, \"map\": %u, \"unmap\": %u, "
            "\"read_physical\": %u, \"write_physical\": %u},\n",
            statistics[STAT_OP_TRANSFER], statistics[STAT_OP_FILL], statistics[STAT_OP_DISCARD],
            statistics[STAT_OP_MAP], statistics[STAT_OP_UNMAP], statistics[STAT_OP_READ_PHYSICAL],
            statistics[STAT_OP_WRITE_PHYSICAL]);
}

/* A member's value: null where the device does not know it. */
static void print_known(FILE *file, const char *before, bool is_known, uint64_t value)
{
    fputs(before, file);
    if (is_known) fprintf(file, "%" PRIu64, value);
    else fputs("null", file);
}

static void print_node(FILE *file, const char *name, const struct node_counters *node, bool is_timed)
{
    fprintf(file, "  \"%s\": {\"packets\": %u", name, node->packets);
    print_known(file, ", \"busy\": ", is_timed, node->busy);
    print_known(file, ", \"stall_fetch\": ", is_timed, node->stall_fetch);
    print_known(file, ", \"stall_fence\": ", is_timed, node->stall_fence);
    print_known(file, ", \"stall_read\": ", is_timed, node->stall_read);
    print_known(file, ", \"stall_write\": ", is_timed, node->stall_write);
    print_known(file, ", \"stall_drain\": ", is_timed, node->stall_drain);
    fprintf(file, ", \"read_local\": %u, \"read_system\": %u, \"write_local\": %u, \"write_system\": %u},\n",
            node->read_local, node->read_system, node->write_local, node->write_system);
}

/* Those the golden model, which has no clock, leaves 0. */
static bool is_of_time(uint32_t statistic)
{
    return statistic == STAT_DECISION_CYCLES || statistic == STAT_DECISION_MAX || statistic == STAT_TURN_MAX ||
           statistic == STAT_FIRMWARE_CYCLES;
}

static void print_frames(FILE *file, const struct program_options *options, const struct run_record *record)
{
    fprintf(file, "  \"frame\": [\n");
    for (uint32_t i = 0; i < options->frames; i++) {
        const struct frame_record *frame = &record->frames[i];
        print_known(file, "    {\"done_cycle\": ", !options->platform.is_model, frame->done_cycle);
        fprintf(file,
                ", \"dma_buffers\": %u, \"portions\": %u, \"evictions\": %u, "
                "\"pages_in\": %u, \"pages_out\": %u, \"matches_golden\": %s, ",
                frame->result.buffers, frame->result.portions, frame->result.evictions, frame->result.pages_in,
                frame->result.pages_out, truth(frame->is_golden));
        lower_bound_frame_json(file, frame->bound);
        fprintf(file, "}%s\n", i + 1 < options->frames ? "," : "");
    }
    fprintf(file, "  ],\n");
}

static void print_json(FILE *file, const struct program_options *options, const struct run_record *record)
{
    const uint32_t *statistics = record->statistics;
    bool is_timed = !options->platform.is_model;
    fprintf(file, "{\n  \"version\": \"%s\",\n", tessera_version());
    fprintf(file, "  \"scene\": \"%s\",\n  \"device\": \"%s\",\n  \"local\": \"%s\",\n  \"seed\": %u,\n",
            options->scene, record->device, options->is_large ? "large" : "small", options->platform.seed);
    fprintf(file, "  \"textures\": \"%s\",\n", options->is_large || options->is_copied ? "copied" : "mapped");
    const bool has_latency = is_timed && !account_has_sdram(&record->account);
    print_known(file, "  \"latency\": ", has_latency, options->platform.latency);
    print_known(file, ",\n  \"stall_percent\": ", has_latency, options->platform.stall_percent);
    fprintf(file, ",\n  \"force\": %u,\n  \"frames\": %u,\n", options->force, options->frames);
    fprintf(file, "  \"texture_bytes_per_frame\": %" PRIu64 ",\n  \"local_bytes\": %" PRIu64 ",\n", record->footprint,
            options->is_large ? 0
                              : (uint64_t)(options->segment1_pages + options->segment2_pages) * GPU_LIMIT(PAGE_BYTES));
    print_known(file, "  \"cycles\": ", is_timed, record->cycles);
    print_known(file, ",\n  \"first_frame_cycle\": ", is_timed, record->first_cycle);
    print_known(file, ",\n  \"clock_hz\": ", record->clock_hz != 0, record->clock_hz);
    print_known(file, ",\n  \"firmware_instructions\": ", is_timed, record->firmware_instructions);
    fputs(",\n", file);
    fprintf(file,
            "  \"dma_buffers\": %u,\n  \"portions\": %u,\n  \"splits\": %u,\n  \"evictions\": %u,\n  "
            "\"paging_buffers\": %u,\n",
            statistics[STAT_DMA_BUFFERS], statistics[STAT_PORTIONS], statistics[STAT_SPLITS],
            statistics[STAT_EVICTIONS], statistics[STAT_PAGING_BUFFERS]);
    const struct report_paging paging = report_paging(options->frames, record);
    fprintf(file, "  \"evictions_for_room\": %u,\n  \"evictions_for_host\": %u,\n  \"read_backs\": %u,\n",
            paging.for_room, paging.for_host, paging.read_backs);
    fprintf(file, "  \"paging_bytes_mapped\": %" PRIu64 ",\n  \"paging_bytes_for_host\": %" PRIu64 ",\n",
            paging.mapped * GPU_LIMIT(PAGE_BYTES), paging.out_for_host * GPU_LIMIT(PAGE_BYTES));
    print_operations(file, statistics);
    fprintf(file, "  \"paging_bytes_in\": %" PRIu64 ",\n  \"paging_bytes_out\": %" PRIu64 ",\n",
            (uint64_t)statistics[STAT_PAGES_IN] * GPU_LIMIT(PAGE_BYTES),
            (uint64_t)statistics[STAT_PAGES_OUT] * GPU_LIMIT(PAGE_BYTES));
    print_known(file, "  \"render_busy_cycles\": ", is_timed, record->node[0].busy);
    print_known(file, ",\n  \"paging_busy_cycles\": ", is_timed, record->node[1].busy);
    fputs(",\n", file);
    account_json(file, &record->account);
    lower_bound_json(file, &record->least, record->account.cycles);
    places_json(file, &record->places);
    print_node(file, "render_node", &record->node[0], is_timed);
    print_node(file, "paging_node", &record->node[1], is_timed);
    print_frames(file, options, record);
    fprintf(file, "  \"statistics\": {");
    for (uint32_t i = 0; i < STAT_COUNT; i++) {
        fprintf(file, "%s\"%s\"", i != 0 ? ", " : "", statistic_names[i]);
        print_known(file, ": ", is_timed || !is_of_time(i), statistics[i]);
    }
    fprintf(file, "},\n  \"matches_golden\": %s,\n  \"matches_unsplit\": %s", truth(record->matches_golden),
            record->is_unsplit_known ? truth(record->matches_unsplit) : "null");
    print_known(file, ",\n  \"unsplit_splits\": ", record->is_unsplit_known, record->unsplit_splits);
    fprintf(file, ",\n  \"faults\": %u,\n  \"wall_seconds\": %.2f,\n", report_faults(record), record->wall_seconds);
    if (record->is_unsplit_known) fprintf(file, "  \"unsplit_wall_seconds\": %.2f\n}\n", record->unsplit_wall_seconds);
    else fputs("  \"unsplit_wall_seconds\": null\n}\n", file);
}

int report_json(const char *path, const struct program_options *options, const struct run_record *record,
                char message[256])
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        snprintf(message, 256, "cannot write %.150s: %s. Name another directory with --out.", path, strerror(errno));
        return -1;
    }
    print_json(file, options, record);
    if (fclose(file) != 0) {
        snprintf(message, 256, "cannot write %.150s: %s. Name another directory with --out.", path, strerror(errno));
        return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------ the table */

static uint64_t without(uint64_t all, uint64_t part) { return all > part ? all - part : 0; }

struct report_paging report_paging(uint32_t frames, const struct run_record *record)
{
    const uint32_t *statistics = record->statistics;
    struct report_paging paging = {.in = statistics[STAT_PAGES_IN],
                                   .out = statistics[STAT_PAGES_OUT],
                                   .mapped = statistics[STAT_PAGES_MAPPED],
                                   .read_backs = statistics[STAT_WRITEBACKS]};
    uint64_t out = 0;
    for (uint32_t i = 0; i < frames; i++) {
        paging.for_room += record->frames[i].result.evictions;
        out += record->frames[i].result.pages_out;
    }
    paging.out_for_host = without(paging.out, out);
    paging.for_host = (uint32_t)without(statistics[STAT_EVICTIONS], paging.for_room);
    return paging;
}

struct rows {
    struct report_row *row;
    uint32_t count;
};

static void row(struct rows *rows, const char *name, const char *value, const char *note)
{
    struct report_row *row = &rows->row[rows->count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->value, sizeof row->value, "%s", value);
    snprintf(row->note, sizeof row->note, "%s", note);
}

static void row_count(struct rows *rows, const char *name, uint64_t value, const char *note)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    row(rows, name, text, note);
}

static void row_percent(struct rows *rows, const char *name, uint64_t part, uint64_t whole, const char *note)
{
    char text[24];
    snprintf(text, sizeof text, "%.1f %%", whole != 0 ? 100.0 * (double)part / (double)whole : 0.0);
    row(rows, name, text, note);
}

uint32_t report_account(const struct account *account, struct report_row table[ACCOUNT_ROWS])
{
    static const char *const names[PROBE_NODES] = {"render node works", "paging node works"};
    struct rows rows = {table, 0};
    const char *port;
    const uint64_t bound = account_bound(account, &port);
    char text[24], note[128];
    if (bound == 0) return 0;
    snprintf(text, sizeof text, "%.2f", (double)account->cycles / (double)bound);
    snprintf(note, sizeof note, "the bound: %" PRIu64 " cycles of the port of %s for what was moved and drawn", bound,
             port);
    row(&rows, "cycles / bound", text, note);
    for (unsigned node = 0; node < PROBE_NODES; node++) {
        account_waits(account, node, note, sizeof note);
        row_percent(&rows, names[node], account->node[node].busy.works, account->cycles, note);
    }
    return rows.count;
}

/* Nothing of a run that shows no frames. */
static void row_flips(struct rows *rows, const uint32_t *statistics)
{
    char note[128];
    if (statistics[STAT_FLIPS] == 0) return;
    snprintf(note, sizeof note, "%u later than asked for; %u vertical blanks, %u pixels too late",
             statistics[STAT_FLIPS_LATE], statistics[STAT_BLANKS], statistics[STAT_MISSED_PIXELS]);
    row_count(rows, "flips shown", statistics[STAT_FLIPS], note);
}

static void row_evictions(struct rows *rows, const struct report_paging *paging, uint64_t all)
{
    char note[128];
    snprintf(note, sizeof note, "%u for room, %u for the host's access; %u read-backs, which evict nothing",
             paging->for_room, paging->for_host, paging->read_backs);
    row_count(rows, "evictions", all, note);
}

static void row_paging(struct rows *rows, const struct report_paging *paging)
{
    char note[128];
    row_count(rows, "mapped", paging->mapped * 4u, "KB, drawn in place");
    row_count(rows, "paged in", paging->in * 4u, "KB, copied into local memory");
    snprintf(note, sizeof note, "KB, copied out of it: %" PRIu64 " KB for room, %" PRIu64 " KB for the host's access",
             (paging->out - paging->out_for_host) * 4u, paging->out_for_host * 4u);
    row_count(rows, "paged out", paging->out * 4u, note);
}

/* What the cycles of a frame take at the clock at which the chip is placed. */
static void row_rate(struct rows *rows, uint32_t clock_hz, double frame_cycles)
{
    char text[24], note[128];
    if (clock_hz == 0 || frame_cycles <= 0) return;
    snprintf(text, sizeof text, "%.1f", clock_hz / frame_cycles);
    snprintf(note, sizeof note, "at %.4g MHz, %.2f ms a frame", clock_hz * 1e-6, frame_cycles / clock_hz * 1e3);
    row(rows, "frames a second", text, note);
}

static void row_sdram(struct rows *rows, const struct sdram_cycles *sdram)
{
    char note[128];
    if (sdram->passed == 0) return;
    snprintf(note, sizeof note, "of its cycles; its pins carry data in %.1f %%",
             100.0 * (double)sdram->moves / (double)sdram->passed);
    row_percent(rows, "SDRAM busy", sdram->busy, sdram->passed, note);
}

uint32_t report_rows(const struct program_options *options, const struct run_record *record,
                     struct report_row table[REPORT_ROWS])
{
    struct rows rows = {table, 0};
    const uint32_t *statistics = record->statistics;
    uint64_t local = (uint64_t)(options->segment1_pages + options->segment2_pages) * GPU_LIMIT(PAGE_BYTES);
    uint64_t frame_cycles = record->cycles - record->first_cycle;
    const struct report_paging paging = report_paging(options->frames, record);
    char note[96], text[24];
    if (!options->is_large)
        snprintf(note, sizeof note, "KB, %.1f times the %" PRIu64 " KB of local memory",
                 (double)record->footprint / (double)local, local / 1024u);
    else snprintf(note, sizeof note, "KB, all of it fits into local memory");
    row_count(&rows, "textures per frame", record->footprint / 1024u, note);
    if (!options->platform.is_model) {
        row_count(&rows, "cycles", record->cycles, "from reset to the last frame");
        row_count(&rows, "cycles per frame", frame_cycles / options->frames, "");
        row_rate(&rows, record->clock_hz, (double)frame_cycles / options->frames);
    }
    row_count(&rows, "DMA buffers", statistics[STAT_DMA_BUFFERS], "");
    row_count(&rows, "portions", statistics[STAT_PORTIONS], "");
    row_count(&rows, "splits", statistics[STAT_SPLITS], "");
    row_evictions(&rows, &paging, statistics[STAT_EVICTIONS]);
    row_count(&rows, "paging buffers", statistics[STAT_PAGING_BUFFERS], "");
    row_paging(&rows, &paging);
    if (record->places.count != 0) {
        char why[128];
        places_words(&record->places, why, sizeof why);
        row_count(&rows, "allocations at the end", record->places.count, why);
    }
    if (frame_cycles != 0 && !options->platform.is_model) {
        if (record->account.cycles != 0) {
            char lower[128];
            lower_bound_row(&record->least, record->account.cycles, text, lower);
            row(&rows, "cycles / lower bound", text, lower);
        }
        const uint32_t account_rows = report_account(&record->account, &table[rows.count]);
        rows.count += account_rows;
        if (account_rows == 0) {
            row_percent(&rows, "render node busy", record->node[0].busy, frame_cycles, "of the frames' cycles");
            row_percent(&rows, "paging node busy", record->node[1].busy, frame_cycles, "");
        }
        row_percent(&rows, "firmware busy", statistics[STAT_FIRMWARE_CYCLES], record->cycles, "of all cycles");
        row_sdram(&rows, &record->account.sdram);
    }
    row(&rows, "as the golden model", record->matches_golden ? "yes" : "NO", "every frame, byte for byte");
    if (record->is_unsplit_known) {
        snprintf(note, sizeof note, "the same run in large memory, %u splits", record->unsplit_splits);
        row(&rows, "as without splitting", record->matches_unsplit ? "yes" : "NO", note);
    }
    row_flips(&rows, record->statistics);
    row_count(&rows, "faults", report_faults(record), "");
    snprintf(text, sizeof text, "%.1f", record->wall_seconds);
    row(&rows, "wall time", text, record->is_unsplit_known ? "s, both runs side by side" : "s");
    return rows.count;
}

/* What limits a run: where the most of its cycles are. With the simulator's own memories only the firmware is worth a
 * word, where both nodes wait for it in a quarter of the cycles or more. */
static void print_limit(const struct account *account)
{
    const struct account_node *render = &account->node[0], *paging = &account->node[1];
    const bool is_board = account_has_sdram(account);
    const struct {
        const char *text;
        uint64_t cycles;
    } limits[] = {{"The firmware limits this run: both nodes wait for it in at least",
                   render->firmware < paging->firmware ? render->firmware : paging->firmware},
                  {"The SDRAM limits this run: the render node waits for memory in", render->busy.memory},
                  {"The render node limits this run: it works in", render->busy.works}};
    unsigned most = 0;
    for (unsigned i = 1; is_board && i < sizeof limits / sizeof *limits; i++)
        if (limits[i].cycles > limits[most].cycles) most = i;
    if (limits[most].cycles == 0 || (!is_board && limits[most].cycles * 4u < account->cycles)) return;
    printf("  %s %.0f %% of the cycles.\n", limits[most].text,
           100.0 * (double)limits[most].cycles / (double)account->cycles);
    if (is_board) puts("  The host's wire and the display take no time here.");
}

void report_table(const struct program_options *options, const struct run_record *record)
{
    struct report_row rows[REPORT_ROWS];
    uint32_t count = report_rows(options, record, rows);
    printf("\n  %s, %u frames of %ux%u on the %s\n\n", options->scene, options->frames, (unsigned)SCENE_WIDTH,
           (unsigned)SCENE_HEIGHT, record->device);
    for (uint32_t i = 0; i < count; i++) printf("  %-22s %14s  %s\n", rows[i].name, rows[i].value, rows[i].note);
    printf("\n");
    print_limit(&record->account);
}
