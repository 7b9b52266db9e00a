/* SPDX-License-Identifier: Apache-2.0
 *
 * See knobs.h. Names and texts of modes and policies are the table's (spec/gpu.def).
 */
#include "knobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_policies.h"
#include "gpu_spec.h"
#include "plan/cost_model.h"
#include "schedule/context.h"

enum { SEGMENT_MOST = 4096 };

/* ------------------------------------------------------------------ what the table says */

static const struct {
    const char *reg, *name, *text;
    uint32_t lsb, width;
} fields[] = {
#define FIELD(block, reg, name, lsb, width, doc) {#block "." #reg, #name, doc, lsb, width},
#include "gpu.def"
};

static const struct {
    const char *group, *name, *text;
    uint32_t value;
} enumerators[] = {
#define ENUMERATOR(group, name, value, doc) {#group, #name, doc, value},
#include "gpu.def"
};

/* The field of a forced mode; one past the last: there is none. */
static size_t force_field(uint32_t number)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].reg, "HOST.FORCE") == 0 && fields[i].width == 1u && number-- == 0) return i;
    return sizeof fields / sizeof *fields;
}

const char *knobs_force_name(uint32_t number)
{
    const size_t i = force_field(number);
    return i < sizeof fields / sizeof *fields ? fields[i].name : NULL;
}

const char *knobs_force_text(uint32_t number)
{
    const size_t i = force_field(number);
    return i < sizeof fields / sizeof *fields ? fields[i].text : "";
}

bool knobs_is_forced(const struct knobs *knobs, uint32_t number)
{
    const size_t i = force_field(number);
    return i < sizeof fields / sizeof *fields && (knobs->force >> fields[i].lsb & 1u) != 0;
}

const char *knobs_policy_name(uint32_t number)
{
#define POLICY_NAME(name, symbol) [POLICY_##name] = #symbol,
    static const char *const names[POLICY_COUNT] = {POLICY_TABLE(POLICY_NAME)};
#undef POLICY_NAME
    return number < POLICY_COUNT ? names[number] : NULL;
}

const char *knobs_policy_text(uint32_t number)
{
    for (size_t i = 0; i < sizeof enumerators / sizeof *enumerators; i++)
        if (strcmp(enumerators[i].group, "POLICY") == 0 && enumerators[i].value == number) return enumerators[i].text;
    return "";
}

uint32_t knobs_policy(const struct knobs *knobs) { return FIELD_GET(knobs->force, HOST_FORCE_POLICY); }

/* ------------------------------------------------------------------ reading */

static bool take_number(const char *name, const char *text, uint32_t low, uint32_t high, uint32_t *value,
                        char message[256])
{
    char *end = NULL;
    errno = 0;
    const unsigned long long parsed = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 || parsed < low || parsed > high) {
        snprintf(message, 256, "%s is %.60s: give a number from %u to %u.", name, text, low, high);
        return false;
    }
    *value = (uint32_t)parsed;
    return true;
}

static bool take_policy(struct knobs *knobs, const char *text, char message[256])
{
    knobs->is_own = strcmp(text, "own") == 0;
    if (knobs->is_own) return true;
    for (uint32_t i = 0; knobs_policy_name(i) != NULL; i++) {
        if (strcmp(text, knobs_policy_name(i)) != 0) continue;
        knobs->force = (knobs->force & ~(field_mask(HOST_FORCE_POLICY_WIDTH) << HOST_FORCE_POLICY_LSB)) |
                       FIELD_PUT(i, HOST_FORCE_POLICY);
        return true;
    }
    snprintf(message, 256, "policy is %.60s: this policy does not exist. Choose one of the list.", text);
    return false;
}

static bool take_force(struct knobs *knobs, const char *text, char message[256])
{
    for (uint32_t i = 0; knobs_force_name(i) != NULL; i++) {
        if (strcmp(text, knobs_force_name(i)) != 0) continue;
        knobs->force |= 1u << fields[force_field(i)].lsb;
        return true;
    }
    snprintf(message, 256, "force is %.60s: this mode does not exist. Choose one of the list.", text);
    return false;
}

static bool take_scene(struct knobs *knobs, const char *text, char message[256])
{
    const struct scene_about *scene = scene_about(text);
    if (scene != NULL && !scene->is_file) {
        knobs->scene = scene;
        return true;
    }
    snprintf(message, 256, "scene is %.60s: this scene does not exist. Choose one of the list.", text);
    return false;
}

/* "NUMBER PRIORITY BUDGET" */
static bool take_context(struct knobs *knobs, const char *text, char message[256])
{
    unsigned number, budget;
    int priority, used = 0;
    if (sscanf(text, "%u %d %u%n", &number, &priority, &budget, &used) < 3 || text[used] != 0 ||
        number >= SCENE_PROGRAMS || priority < CONTEXT_PRIORITY_MIN || priority > CONTEXT_PRIORITY_MAX ||
        budget > 2 * SEGMENT_MOST) {
        snprintf(message, 256, "contexts: give a priority from %d to %d, and a budget from 0 to %d pages.",
                 CONTEXT_PRIORITY_MIN, CONTEXT_PRIORITY_MAX, 2 * SEGMENT_MOST);
        return false;
    }
    knobs->contexts[number].priority = priority;
    knobs->contexts[number].budget = budget;
    return true;
}

static bool take(struct knobs *knobs, const char *name, const char *text, uint32_t *copied, char message[256])
{
    const struct {
        const char *name;
        uint32_t low, high;
        uint32_t *value;
    } numbers[] = {
        {"seed", 0, UINT32_MAX, &knobs->seed},
        {"frames", 1, KNOBS_FRAMES_MOST, &knobs->frames},
        {"segment1", 1, SEGMENT_MOST, &knobs->segment1},
        {"segment2", 1, SEGMENT_MOST, &knobs->segment2},
        {"aperture", KNOBS_APERTURE_LEAST, SEGMENT_MOST, &knobs->aperture},
        {"queued", 0, KNOBS_QUEUED_MOST, &knobs->queued},
        {"splitCost", 0, COST_SPLIT_PAGES_MAX, &knobs->split_cost},
        {"copyOnly", 0, 1, copied},
        {"display", KNOBS_DARK, KNOBS_AT_ONCE, &knobs->display},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return take_number(name, text, numbers[i].low, numbers[i].high, numbers[i].value, message);
    if (strcmp(name, "scene") == 0) return take_scene(knobs, text, message);
    if (strcmp(name, "policy") == 0) return take_policy(knobs, text, message);
    if (strcmp(name, "force") == 0) return take_force(knobs, text, message);
    if (strcmp(name, "context") == 0) return take_context(knobs, text, message);
    if (strcmp(name, "file") == 0) {
        snprintf(knobs->file, sizeof knobs->file, "%s", text);
        return true;
    }
    snprintf(message, 256, "%.60s: this setting does not exist.", name);
    return false;
}

static bool are_consistent(const struct knobs *knobs, char message[256])
{
    static const char *const opposites[][2] = {{"KEEP_OFFERED", "DROP_OFFERED"}};
    uint32_t both = 0, budgets = 0;
    for (uint32_t i = 0; knobs_force_name(i) != NULL; i++)
        for (unsigned side = 0; side < 2; side++)
            both += knobs_is_forced(knobs, i) && strcmp(knobs_force_name(i), opposites[0][side]) == 0;
    if (both == 2) {
        snprintf(message, 256, "force has KEEP_OFFERED and DROP_OFFERED, which contradict each other. Choose one.");
        return false;
    }
    for (unsigned i = 0; i < SCENE_PROGRAMS; i++) budgets += knobs->contexts[i].budget;
    if (budgets > knobs->segment1 + knobs->segment2) {
        snprintf(message, 256,
                 "contexts: the budgets add up to %u pages, but segments 1 and 2 have only %u. Lower one.", budgets,
                 knobs->segment1 + knobs->segment2);
        return false;
    }
    return true;
}

bool knobs_parse(struct knobs *knobs, const char *text, char message[256])
{
    uint32_t copied = UINT32_MAX;
    char line[128], *value;
    *knobs = (struct knobs){.seed = 1, .frames = 8, .aperture = SEGMENT_MOST};
    if (!take_policy(knobs, "lookahead", message)) return false;
    while (*text != 0) {
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        text += length + (text[length] != 0);
        value = strchr(line, ' ');
        if (value != NULL) *value++ = 0;
        if (line[0] != 0 && !take(knobs, line, value != NULL ? value : "", &copied, message)) return false;
    }
    for (uint32_t i = 0; knobs->scene == NULL && scene_about_number(i) != NULL; i++)
        if (!scene_about_number(i)->is_file) knobs->scene = scene_about_number(i);
    if (knobs->segment1 == 0) knobs->segment1 = knobs->scene->segment1_pages;
    if (knobs->segment2 == 0) knobs->segment2 = knobs->scene->segment2_pages;
    knobs->is_copied = copied == UINT32_MAX ? knobs->scene->is_copied && knobs->file[0] == 0 : copied != 0;
    return are_consistent(knobs, message);
}
