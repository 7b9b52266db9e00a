/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: what was asked for, and every number of both runs.
 */
#include "tools/compare/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_policies.h"
#include "gpu_spec.h"

enum { ROWS = 8192 }; /* a run has some 300: no more of a strange one */

const char *const compare_group_names[COMPARE_GROUPS] = {
    [GROUP_FIGURES] = "figures",
    [GROUP_STATISTICS] = "counters",
    [GROUP_RENDER] = "cycles of the render node",
    [GROUP_PAGING] = "cycles of the paging node",
    [GROUP_STAGES] = "cycles of the firmware by what it did",
    [GROUP_FUNCTIONS] = "cycles of the firmware by function",
};

void compare_say(struct compare_lines *lines, const char *format, ...)
{
    va_list arguments;
    if (lines->count == COMPARE_LINES) return;
    va_start(arguments, format);
    vsnprintf(lines->line[lines->count++], COMPARE_LINE, format, arguments);
    va_end(arguments);
}

/* ------------------------------------------------------------------ what was asked for */

const char *compare_policy(const struct compare_run *run)
{
#define POLICY_NAME(name, symbol) [POLICY_##name] = #symbol,
    static const char *const names[POLICY_COUNT] = {POLICY_TABLE(POLICY_NAME)};
#undef POLICY_NAME
    double force = compare_number(run, "force", -1);
    if (force < 0 || force > UINT32_MAX) return "";
    uint32_t policy = FIELD_GET((uint32_t)force, HOST_FORCE_POLICY);
    return policy < POLICY_COUNT ? names[policy] : "";
}

/* One that changes which pictures are drawn, one that changes how. */
static const struct {
    const char *name, *words;
    bool is_work, is_text;
} settings[] = {
    {"scene", "scene", true, true},
    {"recording", "recording", true, true},
    {"seed", "seed", true, false},
    {"texture_bytes_per_frame", "bytes of textures per frame", true, false},
    {"first_frame", "first frame", true, false},
    {"frames", "frames", false, false},
    {"version", "version", false, true},
    {"device", "device", false, true},
    {"local", "local memory", false, true},
    {"local_bytes", "bytes of local memory", false, false},
    {"textures", "textures", false, true},
    {"latency", "latency", false, false},
    {"stall_percent", "stalls in percent", false, false},
    {"in_flight", "frames in flight", false, false},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* The recording may lie elsewhere: what counts is its name. */
static const char *told(const struct compare_run *run, size_t setting, char text[160])
{
    json_object *value = compare_member(run->root, settings[setting].name);
    if (!settings[setting].is_text) {
        if (value == NULL) snprintf(text, 160, "none");
        else snprintf(text, 160, "%.17g", compare_number(run, settings[setting].name, 0));
        return text;
    }
    const char *name = compare_text(run, settings[setting].name), *slash = strrchr(name, '/');
    if (strcmp(settings[setting].name, "recording") == 0 && slash != NULL) name = slash + 1;
    snprintf(text, 160, "%s", name[0] != 0 ? name : "none");
    return text;
}

static bool is_model(const struct compare_run *run) { return strcmp(compare_text(run, "device"), "golden model") == 0; }

void compare_settings(struct comparison *comparison)
{
    const struct compare_run *a = comparison->run[0], *b = comparison->run[1];
    char left[160], right[160];
    comparison->is_same_work = true;
    for (size_t i = 0; i < SETTINGS; i++) {
        if (strcmp(told(a, i, left), told(b, i, right)) == 0) continue;
        compare_say(&comparison->settings, "%s: %s, %s", settings[i].words, left, right);
        if (settings[i].is_work) comparison->is_same_work = false;
    }
    double force[2] = {compare_number(a, "force", -1), compare_number(b, "force", -1)};
    if (strcmp(compare_policy(a), compare_policy(b)) != 0)
        compare_say(&comparison->settings, "policy: %s, %s", compare_policy(a), compare_policy(b));
    else if (force[0] != force[1])
        compare_say(&comparison->settings, "bits of HOST.FORCE: 0x%x, 0x%x", (unsigned)force[0], (unsigned)force[1]);
    if (!comparison->is_same_work)
        compare_say(&comparison->cannot, "Pictures and decisions: the runs draw different work. Compare runs of one "
                                         "scene or recording, with the same seed and first frame.");
    comparison->is_timed = !is_model(a) && !is_model(b);
    if (is_model(a) != is_model(b))
        compare_say(&comparison->cannot, "Cycles: one of the runs is of the golden model, which has no clock.");
    else if (is_model(a))
        compare_say(&comparison->cannot, "Cycles: both runs are of the golden model, which has no clock.");
}

/* ------------------------------------------------------------------ rows */

struct compare_row *compare_row(struct comparison *comparison, enum compare_group group, const char *name)
{
    for (uint32_t i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].group == group && strcmp(comparison->rows[i].name, name) == 0)
            return &comparison->rows[i];
    if (comparison->row_count == ROWS) return NULL;
    if (comparison->row_count == comparison->row_room) {
        uint32_t room = comparison->row_room != 0 ? 2u * comparison->row_room : 256u;
        struct compare_row *rows = realloc(comparison->rows, room * sizeof *rows);
        comparison->is_out_of_memory = comparison->is_out_of_memory || rows == NULL;
        if (rows == NULL) return NULL;
        comparison->rows = rows;
        comparison->row_room = room;
    }
    struct compare_row *row = &comparison->rows[comparison->row_count++];
    *row = (struct compare_row){.group = group};
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

double compare_change(const struct compare_row *row) { return row->value[1] - row->value[0]; }

bool compare_differs(const struct compare_row *row)
{
    return row->is_known[0] != row->is_known[1] || row->value[0] != row->value[1];
}

static void put(struct comparison *comparison, unsigned side, enum compare_group group, const char *name, double value)
{
    struct compare_row *row = compare_row(comparison, group, name);
    if (row == NULL) return;
    row->value[side] = value;
    row->is_known[side] = true;
}

/* ------------------------------------------------------------------ run.json */

/* How fast the machine was that ran it, what was asked for, and what has a table of its own. */
static bool is_left_out(const char *path)
{
    static const char *const names[] = {"wall_seconds", "unsplit_wall_seconds", "frames_in_window", "force"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(path, names[i]) == 0) return true;
    for (size_t i = 0; i < SETTINGS; i++)
        if (strcmp(path, settings[i].name) == 0) return true;
    return strncmp(path, "frame.", 6) == 0 || strncmp(path, "account.", 8) == 0;
}

static enum compare_group group_of(const char *path)
{
    static const char *const begins[] = {"statistics.",        "render_node.", "paging_node.",
                                         "paging_operations.", "check.",       "operations."};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(path, begins[i], strlen(begins[i])) == 0) return GROUP_STATISTICS;
    return GROUP_FIGURES;
}

/* Cycles are compared where both have a clock; all that is not named after cycles counts the same without. */
static bool is_of_time(const char *path)
{
    static const char *const parts[] = {"cycle", "CYCLES", "DECISION_MAX", "TURN_MAX", "busy", "stall_"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(path, parts[i]) != NULL) return true;
    return false;
}

/* Every number below an object, by its path with points; truths count as 0 and 1. */
static void flatten(struct comparison *comparison, unsigned side, json_object *object, const char *prefix)
{
    json_object_object_foreach (object, key, value) {
        char path[COMPARE_NAME];
        snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != 0 ? "." : "", key);
        if (json_object_is_type(value, json_type_object)) flatten(comparison, side, value, path);
        bool is_number = json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double) ||
                         json_object_is_type(value, json_type_boolean);
        double number = json_object_get_double(value);
        if (!is_number || !isfinite(number) || is_left_out(path)) continue;
        if (is_of_time(path) && !comparison->is_timed) continue;
        put(comparison, side, group_of(path), path, number);
    }
}

static void take_account(struct comparison *comparison, unsigned side)
{
    static const char *const nodes[] = {"render_node", "paging_node"};
    json_object *account = compare_member(comparison->run[side]->root, "account");
    for (unsigned node = 0; node < 2 && comparison->is_timed; node++) {
        json_object *parts = compare_member(account, nodes[node]);
        if (!json_object_is_type(parts, json_type_object)) continue;
        json_object_object_foreach (parts, key, value) {
            static const char *const words[][2] = {{"works", "works"},
                                                   {"memory", "waits for memory"},
                                                   {"other_node", "waits for the other node"},
                                                   {"firmware", "waits for the firmware"},
                                                   {"nothing_queued", "nothing queued"}};
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                if (strcmp(key, words[i][0]) == 0)
                    put(comparison, side, (enum compare_group)(GROUP_RENDER + node), words[i][1],
                        json_object_get_double(value));
        }
    }
}

/* ------------------------------------------------------------------ the firmware's cycles */

/* profile.folded: "caller;callee cycles" a line; the last of a chain is the function. False: it is not there. */
static bool take_profile(struct comparison *comparison, unsigned side)
{
    char path[COMPARE_MESSAGE + 20], asleep[] = "main (and asleep)", *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/profile.folded", comparison->run[side]->folder);
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    while (getline(&line, &room, file) > 0) {
        char *space = strrchr(line, ' '), *end = NULL;
        if (space == NULL) continue;
        double cycles = strtod(space + 1, &end);
        *space = 0;
        if (end == space + 1 || !isfinite(cycles)) continue;
        char *function = strrchr(line, ';');
        function = function != NULL ? function + 1 : line;
        if (strcmp(function, "main") == 0) function = asleep;
        function[strcspn(function, ".")] = 0; /* what the compiler made of it: .constprop.0 */
        struct compare_row *row = compare_row(comparison, GROUP_FUNCTIONS, function);
        if (row == NULL) break;
        row->value[side] += cycles;
        row->is_known[side] = true;
    }
    free(line);
    fclose(file);
    return true;
}

void compare_figures(struct comparison *comparison)
{
    bool has_profile[2];
    for (unsigned side = 0; side < 2; side++) {
        const struct compare_run *run = comparison->run[side];
        flatten(comparison, side, run->root, "");
        take_account(comparison, side);
        for (uint32_t i = 0; run->trace.is_read && comparison->is_timed && i < COMPARE_STAGES; i++)
            put(comparison, side, GROUP_STAGES, compare_stage_names[i], (double)run->trace.stage[i]);
        has_profile[side] = comparison->is_timed && take_profile(comparison, side);
    }
    if (comparison->is_timed && has_profile[0] != has_profile[1])
        compare_say(&comparison->cannot, "Functions of the firmware: there is no profile.folded beside %s.",
                    comparison->run[has_profile[0]]->path);
    for (uint32_t i = 0; i < comparison->row_count; i++) { /* a function that never ran took no cycles */
        struct compare_row *row = &comparison->rows[i];
        bool is_sum = row->group == GROUP_FUNCTIONS && has_profile[0] && has_profile[1];
        row->is_known[0] = row->is_known[0] || is_sum;
        row->is_known[1] = row->is_known[1] || is_sum;
    }
}

bool compare_is_equal(const struct comparison *comparison)
{
    bool is_equal = comparison->is_same_work && comparison->settings.count == 0 && comparison->frames_different == 0 &&
                    comparison->is_decided_alike;
    for (uint32_t i = 0; i < comparison->row_count; i++) is_equal = is_equal && !compare_differs(&comparison->rows[i]);
    return is_equal && json_object_array_length(compare_member(comparison->run[0]->root, "frame")) ==
                           json_object_array_length(compare_member(comparison->run[1]->root, "frame"));
}
