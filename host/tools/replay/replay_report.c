/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a replay as JSON; docs/replay.md says what each number means.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "gpu_spec.h"
#include "tools/replay/replay.h"

static void add(json_object *object, const char *name, uint64_t value)
{
    json_object_object_add(object, name, json_object_new_int64((int64_t)value));
}

static void add_number(json_object *object, const char *name, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.3f", value);
    json_object_object_add(object, name, json_object_new_double_s(value, text));
}

static double ratio(uint64_t value, uint64_t base) { return base != 0 ? (double)value / (double)base : 0; }

static void add_head(json_object *root, const struct replay_options *options, const struct replay_result *result,
                     bool is_good, const char *error)
{
    json_object_object_add(root, "workload", json_object_new_string(options->file));
    json_object_object_add(
        root, "device", json_object_new_string(options->open == replay_open_model ? "golden model" : "co-simulation"));
    json_object_object_add(root, "ok", json_object_new_boolean(is_good));
    if (!is_good) json_object_object_add(root, "error", json_object_new_string(error));
    add(root, "scale", result->scale);
    add(root, "grown_pages", result->grown_pages);
    add(root, "seed", options->seed);
    add(root, "force", options->force);
    add(root, "latency", options->latency);
    add(root, "ahead", options->ahead);
    if (options->split_pages != 0) add(root, "split_pages", options->split_pages);
    add_number(root, "work_bytes_per_time", result->work);
    add(root, "buffers", result->buffers);
    add(root, "submissions", result->jobs);
    add(root, "steps", result->steps);
    add(root, "patches", result->patches);
}

static void add_paging(json_object *root, const struct replay_result *result)
{
    const struct track_counts *paging = &result->paging;
    uint64_t traffic = paging->pages[TRACK_IN] + paging->pages[TRACK_OUT];
    add(root, "portions", result->portions);
    add(root, "portions_minimal", result->portions_minimum);
    add_number(root, "portions_ratio", ratio(result->portions, result->portions_minimum));
    add(root, "failed_steps", result->failed_steps);
    add(root, "skipped_steps", result->skipped_steps);
    add(root, "reordered_buffers", result->reordered_buffers);
    add(root, "unread_bindings", result->unread);
    add(root, "traffic_pages", traffic);
    add(root, "traffic_minimal", result->traffic_minimum);
    add_number(root, "traffic_ratio", ratio(traffic, result->traffic_minimum));
    add(root, "loads_minimal", result->loads_minimum);
    add(root, "pages_in", paging->pages[TRACK_IN]);
    add(root, "pages_out", paging->pages[TRACK_OUT]);
    add(root, "dirty_writebacks", paging->dirty_out);
    add(root, "clean_writebacks", paging->clean_out);
    add(root, "writebacks_clean_by_step", paging->clean_out_by_step);
    add(root, "pages_filled", paging->pages[TRACK_FILL]);
    add(root, "pages_dropped", paging->pages[TRACK_DROP]);
    add(root, "pages_moved", paging->pages[TRACK_MOVE]);
    add(root, "pages_mapped", paging->pages[TRACK_MAP]);
    add(root, "pages_unmapped", paging->pages[TRACK_UNMAP]);
    add(root, "operations", paging->operation_count);
}

static void add_time(json_object *root, const struct replay_result *result)
{
    const uint32_t *statistics = result->statistics;
    json_object *decision = json_object_new_object();
    uint32_t planned = statistics[STAT_PORTIONS];
    add(root, "cycles", result->cycles);
    add(root, "engine_busy_cycles", result->busy_cycles[0]);
    add(root, "engine_wait_cycles", result->wait_cycles[0]);
    add(root, "paging_busy_cycles", result->busy_cycles[1]);
    add(root, "paging_wait_cycles", result->wait_cycles[1]);
    add(root, "both_busy_cycles", result->paging.meter.both_cycles);
    add_number(root, "page_copy_cycles", meter_page_cycles(&result->paging.meter, PAGESIM_PAGE_BYTES));
    add(root, "bound_cycles", replay_bound_cycles(result));
    add_number(root, "time_ratio", replay_time_ratio(result));
    add_number(root, "overlap_ratio", replay_overlap_ratio(result));
    add_number(root, "path_ratio", replay_path_ratio(result));
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"segment1_beats", "segment2_beats", "system_beats"};
        add(root, names[i], result->paging.meter.beats[i]);
    }
    add(root, "firmware_cycles", statistics[STAT_FIRMWARE_CYCLES]);
    add_number(decision, "mean", ratio(statistics[STAT_DECISION_CYCLES], planned));
    add(decision, "max", statistics[STAT_DECISION_MAX]);
    add_number(decision, "per_patch", ratio(statistics[STAT_DECISION_CYCLES], result->patches));
    json_object_object_add(root, "decision_cycles", decision);
    add(root, "drawn_bytes", result->draw_bytes);
    add(root, "checked_pages", result->checked_pages);
}

static void add_firmware(json_object *root, const struct replay_result *result)
{
    static const char *const names[] = {
#define STATISTIC(name, doc) #name,
#include "gpu.def"
    };
    json_object *object = json_object_new_object();
    for (unsigned i = 0; i < STAT_COUNT; i++) add(object, names[i], result->statistics[i]);
    json_object_object_add(root, "firmware", object);
}

static void add_buffers(json_object *root, const struct replay_result *result)
{
    json_object *array = json_object_new_array();
    for (uint32_t b = 0; b < result->buffers && result->buffer != NULL; b++) {
        const struct replay_buffer_result *buffer = &result->buffer[b];
        json_object *object = json_object_new_object();
        add(object, "portions", buffer->portions);
        add(object, "evictions", buffer->evictions);
        add(object, "pages_in", buffer->pages_in);
        add(object, "pages_out", buffer->pages_out);
        add(object, "submissions", buffer->submissions);
        add(object, "done_cycle", buffer->done_cycle);
        json_object_array_add(array, object);
    }
    json_object_object_add(root, "per_buffer", array);
}

bool replay_write_report(const struct replay_options *options, const struct replay_result *result, bool is_good,
                         const char *error, const char *path, char message[PAGESIM_MESSAGE])
{
    json_object *root = json_object_new_object();
    add_head(root, options, result, is_good, error);
    add_paging(root, result);
    add_time(root, result);
    add_firmware(root, result);
    add_buffers(root, result);
    bool is_written =
        json_object_to_file_ext(path, root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE) == 0;
    if (!is_written) snprintf(message, PAGESIM_MESSAGE, "%.200s: cannot be written: %s", path, strerror(errno));
    json_object_put(root);
    return is_written;
}
