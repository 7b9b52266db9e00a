/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: the pictures of both runs, read by libpng's simplified interface, and the time of each.
 */
#include "tools/compare/compare.h"

#include <inttypes.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE_MAX = 8192 };

struct picture {
    uint8_t *pixels; /* 3 bytes each */
    uint32_t width, height;
};

static bool read_picture(const char *path, struct picture *picture)
{
    png_image image;
    memset(picture, 0, sizeof *picture);
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path)) return false;
    image.format = PNG_FORMAT_RGB;
    if (image.width <= SIDE_MAX && image.height <= SIDE_MAX) picture->pixels = malloc(PNG_IMAGE_SIZE(image));
    /* analyse: analyzer-malloc-leak: the picture is the caller's, which frees it */
    picture->width = image.width;
    picture->height = image.height;
    bool is_read = picture->pixels != NULL && png_image_finish_read(&image, NULL, picture->pixels, 0, NULL);
    png_image_free(&image);
    if (is_read) return true;
    free(picture->pixels);
    picture->pixels = NULL;
    return false;
}

static void take_pixel(struct compare_frame *frame, uint32_t x, uint32_t y, uint32_t difference)
{
    if (difference == 0) return;
    if (frame->pixels++ == 0) {
        frame->left = frame->right = x;
        frame->top = y;
    }
    if (x < frame->left) frame->left = x;
    if (x > frame->right) frame->right = x;
    frame->bottom = y;
    if (difference > frame->largest) frame->largest = difference;
}

static void compare_pixels(struct compare_frame *frame, const struct picture *a, const struct picture *b)
{
    const uint8_t *left = a->pixels, *right = b->pixels;
    frame->width = a->width;
    frame->height = a->height;
    frame->outcome = COMPARE_OTHER_SIZE;
    if (a->width != b->width || a->height != b->height) return;
    for (uint32_t y = 0; y < a->height; y++) {
        for (uint32_t x = 0; x < a->width; x++, left += 3, right += 3) {
            uint32_t largest = 0;
            for (unsigned i = 0; i < 3; i++) {
                uint32_t difference = (uint32_t)abs(left[i] - right[i]);
                largest = difference > largest ? difference : largest;
            }
            take_pixel(frame, x, y, largest);
        }
    }
    frame->outcome = frame->pixels != 0 ? COMPARE_DIFFERENT : COMPARE_EQUAL;
}

/* `run` writes frame-07.png, `play` frame-0007.png. */
static void find_file(const struct compare_run *run, uint32_t number, char file[32], char path[])
{
    for (int digits = 2; digits <= 4; digits += 2) {
        snprintf(file, 32, "frame-%0*" PRIu32 ".png", digits, number);
        snprintf(path, COMPARE_MESSAGE + 40, "%s/%s", run->folder, file);
        if (access(path, R_OK) == 0) return;
    }
    file[0] = 0;
}

static void compare_frame_pictures(const struct comparison *comparison, struct compare_frame *frame)
{
    char path[2][COMPARE_MESSAGE + 40];
    struct picture picture[2] = {{0}, {0}};
    frame->outcome = COMPARE_MISSING;
    for (unsigned side = 0; side < 2; side++) {
        find_file(comparison->run[side], frame->number, frame->file[side], path[side]);
        if (frame->file[side][0] != 0 && !read_picture(path[side], &picture[side])) frame->file[side][0] = 0;
    }
    if (picture[0].pixels != NULL && picture[1].pixels != NULL) compare_pixels(frame, &picture[0], &picture[1]);
    free(picture[0].pixels);
    free(picture[1].pixels);
}

/* From the picture before to its own; of the first, since its first submission. */
static double cycles_of(const struct compare_run *run, uint32_t index)
{
    json_object *frames = compare_member(run->root, "frame");
    json_object *done = compare_member(json_object_array_get_idx(frames, index), "done_cycle");
    double before = compare_number(run, "first_frame_cycle", -1);
    if (done == NULL) return -1; /* a device without a clock */
    if (index > 0)
        before = json_object_get_double(compare_member(json_object_array_get_idx(frames, index - 1u), "done_cycle"));
    return before >= 0 ? json_object_get_double(done) - before : -1;
}

static void count_frames(struct comparison *comparison)
{
    uint32_t missing = 0, resized = 0;
    for (uint32_t i = 0; i < comparison->frame_count; i++) {
        enum compare_outcome outcome = comparison->frames[i].outcome;
        comparison->frames_equal += outcome == COMPARE_EQUAL;
        comparison->frames_different += outcome == COMPARE_DIFFERENT || outcome == COMPARE_OTHER_SIZE;
        missing += outcome == COMPARE_MISSING;
        resized += outcome == COMPARE_OTHER_SIZE;
    }
    if (missing != 0)
        compare_say(&comparison->cannot,
                    "%" PRIu32 " picture%s cannot be compared: not beside both run.json, or not readable.", missing,
                    missing == 1 ? "" : "s");
    if (resized != 0)
        compare_say(&comparison->cannot, "%" PRIu32 " pictures pixel by pixel: their sizes differ.", resized);
}

void compare_frames(struct comparison *comparison)
{
    size_t count[2];
    for (unsigned side = 0; side < 2; side++)
        count[side] = json_object_array_length(compare_member(comparison->run[side]->root, "frame"));
    uint32_t least = (uint32_t)(count[0] < count[1] ? count[0] : count[1]);
    if (!comparison->is_same_work) return;
    if (count[0] != count[1])
        compare_say(&comparison->cannot,
                    "Frames after the first %" PRIu32 ": only %c has them, so the sums count different work.", least,
                    count[0] > count[1] ? 'A' : 'B');
    comparison->frames = calloc(least + 1u, sizeof *comparison->frames);
    comparison->is_out_of_memory = comparison->is_out_of_memory || comparison->frames == NULL;
    if (comparison->frames == NULL) return;
    comparison->frame_count = least;
    for (uint32_t i = 0; i < least; i++) {
        struct compare_frame *frame = &comparison->frames[i];
        frame->number = i + (uint32_t)compare_number(comparison->run[0], "first_frame", 0);
        for (unsigned side = 0; side < 2; side++)
            frame->cycles[side] = comparison->is_timed ? cycles_of(comparison->run[side], i) : -1;
        compare_frame_pictures(comparison, frame);
    }
    count_frames(comparison);
}
