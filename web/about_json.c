/* SPDX-License-Identifier: Apache-2.0
 *
 * See state_json.h: what there is, and what has been created.
 */
#include <inttypes.h>

#include "gpu_names.h"
#include "state_json.h"

static const struct {
    const char *name, *text;
} counters[] = {
#define STATISTIC(name, doc) {#name, doc},
#include "gpu.def"
};

static void contexts_json(FILE *file, const struct knobs *knobs, const struct scene_about *scene)
{
    fputs("\"contexts\":[", file);
    for (unsigned i = 0; i < SCENE_PROGRAMS && scene->programs[i] != NULL; i++)
        fprintf(file, "%s{\"priority\":%" PRId32 ",\"budget\":%" PRIu32 "}", i != 0 ? "," : "",
                knobs != NULL ? knobs->contexts[i].priority : 0, knobs != NULL ? knobs->contexts[i].budget : 0);
    fputs("]", file);
}

static void scene_json(FILE *file, const struct scene_about *scene)
{
    fputs("{", file);
    json_text(file, "name", scene->name);
    json_text(file, "title", scene->title);
    json_text(file, "text", scene->text);
    json_number(file, "segment1", scene->segment1_pages);
    json_number(file, "segment2", scene->segment2_pages);
    fprintf(file, "\"copyOnly\":%s,\"programs\":[", scene->is_copied ? "true" : "false");
    for (unsigned i = 0; i < SCENE_PROGRAMS && scene->programs[i] != NULL; i++)
        fprintf(file, "%s\"%s\"", i != 0 ? "," : "", scene->programs[i]);
    fputs("],", file);
    contexts_json(file, NULL, scene);
    fputs("}", file);
}

static void named_json(FILE *file, const char *name, const char *text, bool is_first)
{
    fprintf(file, "%s{", is_first ? "" : ",");
    json_text(file, "name", name);
    fputs("\"text\":\"", file);
    json_print_text(file, text);
    fputs("\"}", file);
}

void about_json(FILE *file)
{
    bool is_first = true;
    fputs("{", file);
    json_text(file, "version", tessera_version());
    fputs("\"scenes\":[", file);
    for (uint32_t i = 0; scene_about_number(i) != NULL; i++) {
        if (scene_about_number(i)->is_file) continue;
        if (!is_first) fputs(",", file);
        scene_json(file, scene_about_number(i));
        is_first = false;
    }
    fputs("],\"policies\":[", file);
    for (uint32_t i = 0; knobs_policy_name(i) != NULL; i++)
        named_json(file, knobs_policy_name(i), knobs_policy_text(i), i == 0);
    fputs("],\"forces\":[", file);
    for (uint32_t i = 0; knobs_force_name(i) != NULL; i++)
        named_json(file, knobs_force_name(i), knobs_force_text(i), i == 0);
    fputs("],\"counters\":[", file);
    for (uint32_t i = 0; i < STAT_COUNT; i++) named_json(file, counters[i].name, counters[i].text, i == 0);
    fputs("]}", file);
}

static void knobs_json(FILE *file, const struct knobs *knobs)
{
    const char *comma = "";
    fputs("\"knobs\":{", file);
    json_text(file, "scene", knobs->scene->name);
    json_number(file, "seed", knobs->seed);
    json_number(file, "frames", knobs->frames);
    json_number(file, "segment1", knobs->segment1);
    json_number(file, "segment2", knobs->segment2);
    json_number(file, "aperture", knobs->aperture);
    json_text(file, "policy", knobs->is_own ? "own" : knobs_policy_name(knobs_policy(knobs)));
    fprintf(file, "\"copyOnly\":%s,", knobs->is_copied ? "true" : "false");
    json_number(file, "queued", knobs->queued);
    json_number(file, "splitCost", knobs->split_cost);
    json_number(file, "display", knobs->display);
    fputs("\"force\":[", file);
    for (uint32_t i = 0; knobs_force_name(i) != NULL; i++) {
        if (!knobs_is_forced(knobs, i)) continue;
        fprintf(file, "%s\"%s\"", comma, knobs_force_name(i));
        comma = ",";
    }
    fputs("],", file);
    contexts_json(file, knobs, knobs->scene);
    fputs("},", file);
}

void created_json(FILE *file, const struct machine *machine)
{
    const struct snapshot *snapshot = &machine->now;
    const char *comma = "";
    fputs("{", file);
    knobs_json(file, &machine->knobs);
    json_text(file, "scene", machine->knobs.file[0] != 0 ? machine->knobs.file : machine->knobs.scene->name);
    json_number(file, "footprint", machine->footprint);
    json_number(file, "width", machine->width);
    json_number(file, "height", machine->height);
    fputs("\"allocations\":[", file);
    for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++) {
        const struct snapshot_allocation *allocation = &snapshot->allocations[i];
        if (allocation->handle == 0) continue;
        fprintf(file, "%s{", comma);
        json_number(file, "number", i);
        json_number(file, "handle", allocation->handle);
        json_text(file, "name", view_known(machine->view, allocation->handle)->name);
        fprintf(file, "\"pages\":%" PRIu32 "}", (uint32_t)allocation->pages);
        comma = ",";
    }
    fputs("]}", file);
}
