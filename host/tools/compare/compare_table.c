/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: the comparison on a terminal.
 */
#include "tools/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 12, MOST_FRAMES = 12 };

static void print_run(const struct compare_run *run, char letter)
{
    const char *scene = compare_text(run, "scene");
    if (scene[0] == 0) scene = compare_text(run, "recording");
    printf("  %c  %s: %s, %.0f frames, %s, local memory %s, policy %s\n", letter, run->path, scene,
           compare_number(run, "frames", 0), compare_text(run, "device"), compare_text(run, "local"),
           compare_policy(run));
}

static void print_lines(const char *title, const struct compare_lines *lines)
{
    if (lines->count == 0) return;
    printf("\n  %s\n", title);
    for (uint32_t i = 0; i < lines->count; i++) printf("    %s\n", lines->line[i]);
}

static void print_value(const struct compare_row *row, unsigned side)
{
    double value = row->value[side];
    if (!row->is_known[side]) printf(" %14s", "-");
    else if (value == floor(value)) printf(" %14.0f", value);
    else printf(" %14.3f", value);
}

static void print_row(const struct compare_row *row)
{
    printf("    %-36.60s", row->name);
    print_value(row, 0);
    print_value(row, 1);
    if (row->is_known[0] && row->is_known[1] && compare_differs(row)) {
        double change = compare_change(row);
        if (change == floor(change)) printf(" %+14.0f", change);
        else printf(" %+14.3f", change);
        if (row->value[0] != 0) printf("  %+7.2f %%", 100 * change / fabs(row->value[0]));
    }
    putchar('\n');
}

/* Of those that a long table would be of, the ones that changed most. */
static int by_change(const void *left, const void *right)
{
    const struct compare_row *a = *(const struct compare_row *const *)left,
                             *b = *(const struct compare_row *const *)right;
    double x = fabs(compare_change(a)), y = fabs(compare_change(b));
    return x > y ? -1 : x < y ? 1 : strcmp(a->name, b->name);
}

static void print_group(const struct comparison *comparison, enum compare_group group, bool shows_all)
{
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    const struct compare_row **rows = calloc(comparison->row_count + 1u, sizeof *rows);
    uint32_t count = 0, same = 0;
    if (rows == NULL) {
        printf("\n  %s: out of memory\n", compare_group_names[group]);
        return;
    }
    for (uint32_t i = 0; i < comparison->row_count; i++) {
        const struct compare_row *row = &comparison->rows[i];
        if (row->group != group) continue;
        if (shows_all || compare_differs(row)) rows[count++] = row;
        else same++;
    }
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    if (group == GROUP_FUNCTIONS && !shows_all) qsort(rows, count, sizeof *rows, by_change);
    uint32_t shown = shows_all || count < MOST_ROWS + 3 || group != GROUP_FUNCTIONS ? count : MOST_ROWS;
    if (count != 0) printf("\n  %-38s%15s%15s%15s\n", compare_group_names[group], "A", "B", "change");
    for (uint32_t i = 0; i < shown; i++) print_row(rows[i]);
    if (count > shown) printf("    %" PRIu32 " others differ less (--all)\n", count - shown);
    if (same != 0) printf("    %" PRIu32 " are the same\n", same);
    free(rows);
}

static void print_frames(const struct comparison *comparison)
{
    static const char *const names[] = {[COMPARE_EQUAL] = "equal",
                                        [COMPARE_DIFFERENT] = "different",
                                        [COMPARE_MISSING] = "not there",
                                        [COMPARE_OTHER_SIZE] = "another size"};
    uint32_t shown = 0, worth = 0;
    if (!comparison->is_same_work) return;
    printf("\n  frames: %" PRIu32 " of %" PRIu32 " are equal, pixel for pixel\n", comparison->frames_equal,
           comparison->frame_count);
    for (uint32_t i = 0; i < comparison->frame_count; i++) {
        const struct compare_frame *frame = &comparison->frames[i];
        if (frame->outcome == COMPARE_EQUAL && frame->cycles[0] == frame->cycles[1]) continue;
        worth++;
        if (shown == MOST_FRAMES) continue;
        shown++;
        printf("    frame %4" PRIu32 "  %-12s", frame->number, names[frame->outcome]);
        if (frame->cycles[0] >= 0 && frame->cycles[1] >= 0)
            printf("  %10.0f %10.0f cycles, %+.0f", frame->cycles[0], frame->cycles[1],
                   frame->cycles[1] - frame->cycles[0]);
        if (frame->outcome == COMPARE_DIFFERENT)
            printf("; %" PRIu32 " pixels, up to %" PRIu32 " levels, within %" PRIu32 ",%" PRIu32 " to %" PRIu32
                   ",%" PRIu32,
                   frame->pixels, frame->largest, frame->left, frame->top, frame->right, frame->bottom);
        putchar('\n');
    }
    if (worth > shown) printf("    %" PRIu32 " others differ in picture or time\n", worth - shown);
}

static bool has_differences(const struct comparison *comparison, enum compare_group group)
{
    for (uint32_t i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].group == group && compare_differs(&comparison->rows[i])) return true;
    return false;
}

void compare_table(const struct comparison *comparison, bool shows_all)
{
    putchar('\n');
    print_run(comparison->run[0], 'A');
    print_run(comparison->run[1], 'B');
    print_lines("What was asked for differs", &comparison->settings);
    print_lines("Not compared", &comparison->cannot);
    if (compare_is_equal(comparison)) {
        printf("\n  The runs are equal: %" PRIu32 " frames, %" PRIu32 " figures, %" PRIu32 " decisions%s.\n\n",
               comparison->frames_equal, comparison->row_count, comparison->decisions_same,
               comparison->is_timed ? ", to the cycle" : "");
        if (!shows_all) return;
    }
    print_frames(comparison);
    for (unsigned group = 0; group < COMPARE_GROUPS; group++) {
        bool is_shown = group != GROUP_STATISTICS && has_differences(comparison, (enum compare_group)group);
        if (shows_all || is_shown) print_group(comparison, (enum compare_group)group, shows_all);
    }
    print_lines("Decisions", &comparison->decided);
    print_lines("What moved", &comparison->moved);
    putchar('\n');
}
