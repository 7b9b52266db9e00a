/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: the comparison as a page that needs nothing else. Its script gets one assignment, const both = {...}:
 * lists made with json-c, then the pictures.
 */
#include "tools/compare/compare.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "compare_page.h"
#include "tools/view/base64.h"

/* So many pictures, and no more of their bytes; those that differ come first. DECISIONS: listed of each run from the
 * first different one on. */
enum { PICTURES = 96, PICTURE_BYTES = 12 << 20, DECISIONS = 40 };

/* Which frame's picture of which run is where in the page. */
struct chosen {
    uint32_t count;
    uint64_t bytes;
    int32_t index[2][COMPARE_FRAMES]; /* by frame, -1: not in the page */
    struct {
        uint32_t frame;
        unsigned side;
    } picture[PICTURES];
};

static void picture_path(const struct comparison *comparison, uint32_t frame, unsigned side,
                         char path[COMPARE_MESSAGE + 40])
{
    snprintf(path, COMPARE_MESSAGE + 40, "%s/%s", comparison->run[side]->folder, comparison->frames[frame].file[side]);
}

/* Both pictures of a frame, or one that stands for both. */
static void choose(const struct comparison *comparison, uint32_t frame, struct chosen *chosen)
{
    bool is_equal = comparison->frames[frame].outcome == COMPARE_EQUAL;
    for (unsigned side = 0; side < (is_equal ? 1u : 2u); side++) {
        char path[COMPARE_MESSAGE + 40];
        struct stat about;
        picture_path(comparison, frame, side, path);
        if (comparison->frames[frame].file[side][0] == 0 || stat(path, &about) != 0 || chosen->count == PICTURES ||
            chosen->bytes + (uint64_t)about.st_size > PICTURE_BYTES)
            continue;
        chosen->bytes += (uint64_t)about.st_size;
        chosen->picture[chosen->count].frame = frame;
        chosen->picture[chosen->count].side = side;
        chosen->index[side][frame] = (int32_t)chosen->count++;
    }
    if (is_equal) chosen->index[1][frame] = chosen->index[0][frame];
}

static void choose_pictures(const struct comparison *comparison, struct chosen *chosen)
{
    memset(chosen, 0, sizeof *chosen);
    memset(chosen->index, 0xff, sizeof chosen->index);
    for (unsigned turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < comparison->frame_count; i++)
            if ((comparison->frames[i].outcome != COMPARE_EQUAL) == (turn == 0)) choose(comparison, i, chosen);
}

/* ------------------------------------------------------------------ lists */

static json_object *strings(const struct compare_lines *lines)
{
    json_object *list = json_object_new_array();
    for (uint32_t i = 0; i < lines->count; i++) json_object_array_add(list, json_object_new_string(lines->line[i]));
    return list;
}

static json_object *describe_runs(const struct comparison *comparison)
{
    json_object *list = json_object_new_array();
    for (unsigned side = 0; side < 2; side++) {
        const struct compare_run *run = comparison->run[side];
        const char *scene = compare_text(run, "scene");
        char what[200];
        snprintf(what, sizeof what, "%.150s, %.0f frames", scene[0] != 0 ? scene : compare_text(run, "recording"),
                 compare_number(run, "frames", 0));
        const char *const texts[] = {run->path, what, compare_text(run, "device"), compare_text(run, "local"),
                                     compare_policy(run)};
        json_object *cells = json_object_new_array();
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            json_object_array_add(cells, json_object_new_string(texts[i]));
        json_object_array_add(list, cells);
    }
    return list;
}

static json_object *describe_group(const struct comparison *comparison, enum compare_group group)
{
    json_object *pair = json_object_new_array(), *rows = json_object_new_array();
    for (uint32_t i = 0; i < comparison->row_count; i++) {
        const struct compare_row *row = &comparison->rows[i];
        if (row->group != group) continue;
        json_object *cells = json_object_new_array();
        json_object_array_add(cells, json_object_new_string(row->name));
        for (unsigned side = 0; side < 2; side++)
            json_object_array_add(cells, row->is_known[side] ? json_object_new_double(row->value[side]) : NULL);
        json_object_array_add(rows, cells);
    }
    if (json_object_array_length(rows) == 0) {
        json_object_put(rows);
        json_object_put(pair);
        return NULL;
    }
    json_object_array_add(pair, json_object_new_string(compare_group_names[group]));
    json_object_array_add(pair, rows);
    return pair;
}

static json_object *describe_groups(const struct comparison *comparison)
{
    json_object *groups = json_object_new_array();
    for (unsigned group = 0; group < COMPARE_GROUPS; group++) {
        json_object *rows = describe_group(comparison, (enum compare_group)group);
        if (rows != NULL) json_object_array_add(groups, rows);
    }
    return groups;
}

static json_object *describe_frames(const struct comparison *comparison, const struct chosen *chosen)
{
    json_object *list = json_object_new_array();
    for (uint32_t i = 0; i < comparison->frame_count; i++) {
        const struct compare_frame *frame = &comparison->frames[i];
        const double numbers[] = {frame->number,       frame->outcome,     frame->width,     frame->height,
                                  frame->pixels,       frame->largest,     frame->left,      frame->top,
                                  frame->right,        frame->bottom,      frame->cycles[0], frame->cycles[1],
                                  chosen->index[0][i], chosen->index[1][i]};
        json_object *cells = json_object_new_array();
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            json_object_array_add(cells, json_object_new_int64((int64_t)numbers[k]));
        json_object_array_add(list, cells);
    }
    return list;
}

/* From the first different decision on: how many were the same, those of A, those of B. */
static json_object *describe_decisions(const struct comparison *comparison)
{
    json_object *triple = json_object_new_array();
    uint32_t same = comparison->decisions_same;
    json_object_array_add(triple, json_object_new_int64(same));
    for (unsigned side = 0; side < 2; side++) {
        const struct compare_trace *trace = &comparison->run[side]->trace;
        json_object *list = json_object_new_array();
        for (uint32_t i = same; !comparison->is_decided_alike && i < trace->decision_count && i < same + DECISIONS;
             i++) {
            char text[COMPARE_LINE];
            compare_describe(trace, i, text);
            json_object_array_add(list, json_object_new_string(text));
        }
        json_object_array_add(triple, list);
    }
    return triple;
}

/* ------------------------------------------------------------------ the file */

/* '<' would begin a tag where a script ends; it stands in strings alone. */
static void print_json(FILE *file, json_object *object)
{
    for (const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN); *text != 0; text++) {
        if (*text == '<') fputs("\\u003c", file);
        else fputc(*text, file);
    }
    json_object_put(object);
}

static void print_member(FILE *file, const char *name, json_object *value)
{
    fprintf(file, "\"%s\":", name);
    print_json(file, value);
    fputs(",\n", file);
}

static void print_pictures(FILE *file, const struct comparison *comparison, const struct chosen *chosen)
{
    fputs("\"pictures\":[", file);
    for (uint32_t i = 0; i < chosen->count; i++) {
        char path[COMPARE_MESSAGE + 40];
        struct base64 base64 = {.file = file};
        picture_path(comparison, chosen->picture[i].frame, chosen->picture[i].side, path);
        FILE *picture = fopen(path, "rb");
        fputs(i != 0 ? ",\n\"" : "\"", file);
        for (int byte = picture != NULL ? fgetc(picture) : EOF; byte != EOF; byte = fgetc(picture))
            base64_byte(&base64, (uint32_t)byte);
        base64_end(&base64);
        fputc('"', file);
        if (picture != NULL) fclose(picture);
    }
    fputs("]\n", file);
}

static void verdict(const struct comparison *comparison, char text[200])
{
    if (compare_is_equal(comparison)) snprintf(text, 200, "The runs are equal: frames, figures and decisions.");
    else if (!comparison->is_same_work)
        snprintf(text, 200, "The runs draw different work, so only their figures are compared.");
    else
        snprintf(text, 200, "The runs differ: %" PRIu32 " of %" PRIu32 " pictures are equal; %s.",
                 comparison->frames_equal, comparison->frame_count,
                 comparison->is_decided_alike ? "the firmware decides alike" : "the firmware decides differently");
}

static void print_page(FILE *file, const struct comparison *comparison, const struct chosen *chosen)
{
    char text[200];
    for (size_t i = 0; i < sizeof compare_page_before / sizeof *compare_page_before; i++)
        fputs(compare_page_before[i], file);
    verdict(comparison, text);
    fputs("const both = {\n", file);
    print_member(file, "verdict", json_object_new_string(text));
    print_member(file, "is_equal", json_object_new_boolean(compare_is_equal(comparison)));
    print_member(file, "runs", describe_runs(comparison));
    print_member(file, "settings", strings(&comparison->settings));
    print_member(file, "cannot", strings(&comparison->cannot));
    print_member(file, "moved", strings(&comparison->moved));
    print_member(file, "decided", strings(&comparison->decided));
    print_member(file, "decisions", describe_decisions(comparison));
    print_member(file, "groups", describe_groups(comparison));
    print_member(file, "frames", describe_frames(comparison, chosen));
    print_pictures(file, comparison, chosen);
    fputs("};\n", file);
    for (size_t i = 0; i < sizeof compare_page_after / sizeof *compare_page_after; i++)
        fputs(compare_page_after[i], file);
}

bool compare_page(const char *path, const struct comparison *comparison, char message[COMPARE_MESSAGE])
{
    static struct chosen chosen;
    FILE *file = fopen(path, "w");
    bool is_bad = file == NULL;
    if (file != NULL) {
        choose_pictures(comparison, &chosen);
        print_page(file, comparison, &chosen);
        is_bad = ferror(file) != 0;
        is_bad = fclose(file) != 0 || is_bad;
    }
    if (is_bad)
        snprintf(message, COMPARE_MESSAGE, "cannot write %.300s: %s. Name another file with --page.", path,
                 strerror(errno));
    return !is_bad;
}
