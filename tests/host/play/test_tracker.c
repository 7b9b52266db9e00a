/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what the recorder makes of surfaces is what it was, whatever their units, and when a call of the system fails
 * the recording ends with a line. Method: host/clients/sdl/record/tracker.c and its conversions on surfaces that are
 * made up, without SDL: of every layout, palettes with keys, changing shape, address and pixels, drawn to and forgotten
 * in a random order. What a reader finds in the file is held in sums (tests/host/report/written). Then each call for
 * memory and each one of the file fails once: the file is whole to where it ends. test_tracker FOLDER SUMS
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "held.h"
#include "clients/sdl/record/tracker.h"

enum { SURFACES = 12, STEPS = 700, SIDE = 40, FEW = 60 };

static struct record_link *shared;
static struct view views[SURFACES];
static struct sdl_palette palettes[SURFACES];
static struct sdl_colour colours[SURFACES][256];
static uint8_t pixels[SURFACES][SIDE * SIDE * 5];
static uint64_t made[SURFACES][4]; /* addresses that surfaces may have */
static uint32_t events_sum, counts_sum;

/* ------------------------------------------------------------------ calls that fail */

static unsigned calls, bad_call;

static bool fails(int error)
{
    if (++calls != bad_call) return false;
    errno = error;
    return true;
}

#define WRAPPED(type, name, error, wrong, parameters, arguments) \
    type __real_##name parameters; \
    type __wrap_##name parameters; \
    type __wrap_##name parameters { return fails(error) ? (wrong) : __real_##name arguments; }
WRAPPED(void *, malloc, ENOMEM, NULL, (size_t bytes), (bytes))
WRAPPED(void *, calloc, ENOMEM, NULL, (size_t count, size_t bytes), (count, bytes))
WRAPPED(void *, realloc, ENOMEM, NULL, (void *old, size_t bytes), (old, bytes))
WRAPPED(size_t, fwrite, ENOSPC, 0, (const void *data, size_t bytes, size_t count, FILE *file),
        (data, bytes, count, file))
WRAPPED(int, fflush, ENOSPC, EOF, (FILE * file), (file))
WRAPPED(FILE *, fdopen, EMFILE, NULL, (int descriptor, const char *mode), (descriptor, mode))
WRAPPED(int, ftruncate, EIO, -1, (int descriptor, off_t bytes), (descriptor, bytes))

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    bool is_bad = fails(ENOSPC);
    int result = __real_fclose(file);
    if (is_bad) errno = ENOSPC;
    return is_bad ? EOF : result;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    static uint64_t milliseconds = 5000;
    (void)clock;
    milliseconds += pick(12) == 0 ? 70000 : pick(100);
    *now = (struct timespec){(time_t)(milliseconds / 1000), (long)(milliseconds % 1000 * 1000000)};
    return 0;
}

/* ------------------------------------------------------------------ surfaces */

static void give_shape(uint32_t i)
{
    static const uint32_t layouts[][5] = {{2, 0xf800, 0x7e0, 0x1f, 0},
                                          {2, 0x7c00, 0x3e0, 0x1f, 0},
                                          {2, 0x7c00, 0x3e0, 0x1f, 0x8000},
                                          {2, 0xf00, 0xf0, 0xf, 0xf000},
                                          {3, 0xff0000, 0xff00, 0xff, 0},
                                          {3, 0xff, 0xff00, 0xff0000, 0},
                                          {4, 0xff0000, 0xff00, 0xff, 0},
                                          {4, 0xff0000, 0xff00, 0xff, 0xff000000},
                                          {4, 0xff, 0xff00, 0xff0000, 0xff000000},
                                          {4, 0xff00, 0xff0000, 0xff000000, 0},
                                          {4, 0x3ff00000, 0xffc00, 0x3ff, 0xc0000000},
                                          {1, 0, 0, 0, 0}};
    const uint32_t *layout = layouts[pick(12)];
    struct view *view = &views[i];
    *view = (struct view){.surface = &made[i][pick(4)],
                          .width = (int32_t)(1 + pick(SIDE - 1)),
                          .height = (int32_t)(1 + pick(SIDE - 1)),
                          .unit_bytes = layout[0],
                          .pixels = pixels[i],
                          .red = layout[1],
                          .green = layout[2],
                          .blue = layout[3],
                          .alpha_mask = layout[4],
                          .has_key = pick(2) != 0,
                          .key = pick(layout[0] == 1 ? 256 : 0x7fffffff)};
    view->pitch = (uint32_t)view->width * layout[0] + pick(3) * 4;
    if (layout[0] != 1) return;
    palettes[i] = (struct sdl_palette){.count = pick(4) == 0 ? (int)pick(200) : 256, .colours = colours[i]};
    for (uint32_t k = 0; k < 256; k++)
        colours[i][k] = (struct sdl_colour){(uint8_t)pick(3), (uint8_t)pick(2), (uint8_t)pick(256), 255};
    view->palette = &palettes[i];
}

static void scribble(uint32_t i, uint32_t count)
{
    for (; count > 0; count--) pixels[i][pick((uint32_t)views[i].height * views[i].pitch)] = (uint8_t)pick(256);
}

static struct area part_of(const struct view *view)
{
    struct area area = {(int32_t)pick((uint32_t)view->width), (int32_t)pick((uint32_t)view->height), 0, 0};
    area.width = (int32_t)(1 + pick((uint32_t)(view->width - area.x)));
    area.height = (int32_t)(1 + pick((uint32_t)(view->height - area.y)));
    return area;
}

static void step(void)
{
    uint32_t i = pick(SURFACES), other = pick(SURFACES), kind = pick(12);
    struct view *view = &views[i];
    struct area area = part_of(view);
    if (pick(3) == 0) scribble(i, pick(9));
    if (kind == 0) give_shape(i);
    else if (kind == 1) tracker_forget(view->surface);
    else if (kind <= 4) (void)tracker_sync(view, &area);
    else if (kind <= 6) {
        uint32_t raw = pick(0x7fffffff);
        (void)tracker_sync(view, &area);
        for (int32_t y = area.y; y < area.y + area.height; y++)
            for (int32_t x = area.x; x < area.x + area.width; x++)
                memcpy(view->pixels + (uint32_t)y * view->pitch + (uint32_t)x * view->unit_bytes, &raw,
                       view->unit_bytes);
        tracker_fill(view, &area, raw);
    } else if (kind <= 8) {
        struct view from = views[other], *const source = &from;
        from.is_indexed = from.palette != NULL && tracker_is_read_alone(from.surface);
        const struct recording_event how = {.source = 1,
                                            .mode = (enum recording_mode)(pick(4) * 2 + (source->has_key ? 1 : 0)),
                                            .alpha = pick(2) != 0 ? 255 : pick(256),
                                            .colour = pick(2) != 0 ? RECORDING_WHITE : pick(RECORDING_WHITE)};
        if (other == i || recording_blit_refusal(&how, view_format(source), view_format(view)) != NULL) return;
        if (!tracker_sync(source, &(struct area){0, 0, source->width, source->height})) return;
        area.width = area.width < source->width ? area.width : source->width;
        area.height = area.height < source->height ? area.height : source->height;
        scribble(i, 5);
        tracker_blit(view, &area, source, (int32_t)pick((uint32_t)(source->width - area.width + 1)),
                     (int32_t)pick((uint32_t)(source->height - area.height + 1)), &how);
    } else if (kind == 9) tracker_count_pixels((enum recording_reason)pick(RECORDING_REASONS));
    else if (kind == 10 && view->palette != NULL) colours[i][pick(256)].green ^= 1;
    else if (pick(2) == 0) (void)tracker_present(view);
}

/* ------------------------------------------------------------------ recording and reading */

static void add(uint32_t *sum, const void *data, size_t bytes) { *sum = (uint32_t)crc32(*sum, data, (uInt)bytes); }

static void take_event(const struct recording_event *event)
{
    const uint32_t numbers[] = {
        event->kind,       event->surface,     event->source,   event->format,       event->rect.x, event->rect.y,
        event->rect.width, event->rect.height, event->source_x, event->source_y,     event->mode,   event->alpha,
        event->key,        event->colour,      event->unit,     event->milliseconds, event->reason, event->blits};
    add(&events_sum, numbers, sizeof numbers);
    if (event->kind == RECORDING_PALETTE) add(&events_sum, event->colours, RECORDING_COLOURS * sizeof *event->colours);
    if (event->kind == RECORDING_PIXELS)
        add(&events_sum, event->pixels, event->rect.width * event->rect.height * recording_unit_bytes(event->format));
}

/* A child records, with a call that fails; its parent ends the recording as the launcher does, and reads. */
static uint32_t record(uint32_t number, uint32_t steps, unsigned failing)
{
    char message[256] = "", error[600];
    memset(shared, 0, sizeof *shared);
    snprintf(shared->file, sizeof shared->file, "build/play/tracker.tsdl");
    snprintf(shared->name, sizeof shared->name, "made up");
    snprintf(error, sizeof error, "%s/tracker-error", folder);
    FILE *file = fopen(shared->file, "w");
    if (file == NULL || fclose(file) != 0) perror(shared->file), exit(2);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen(error, "w", stderr) == NULL || setvbuf(stderr, NULL, _IONBF, 0) != 0) _exit(9);
        seed = number;
        for (uint32_t i = 0; i < SURFACES; i++) give_shape(i), scribble(i, 900);
        calls = 0, bad_call = failing;
        bool is_open = tracker_open(shared);
        for (uint32_t i = 0; i < steps && is_open; i++) step();
        shared->frame_limit = calls;
        _exit(is_open ? 0 : 1);
    }
    int status = 0;
    (void)waitpid(child, &status, 0);
    uint32_t count = shared->frame_limit;
    size_t bytes;
    const char *said = (const char *)load(error, &bytes);
    add(&counts_sum, &status, sizeof status);
    add(&counts_sum, said, bytes);
    add(&counts_sum, &shared->counts, sizeof shared->counts);
    bool is_good = WIFEXITED(status) && (shared->has_failed ? bytes > 0 : bytes == 0 && WEXITSTATUS(status) == 0);
    FILE *again = fopen(shared->file, "r+");
    struct recording_writer *writer = again != NULL ? recording_continue(dup(fileno(again)), &shared->state) : NULL;
    if (again != NULL) (void)fclose(again);
    is_good = is_good && writer != NULL && recording_finish(writer) == 0;
    struct recording *recording = NULL;
    int more = is_good && recording_open(&recording, shared->file, message) == 0 ? 1 : -1;
    for (struct recording_event event; more > 0 && (more = recording_next(recording, &event, message)) > 0;)
        take_event(&event);
    if (recording != NULL) recording_close(recording);
    if (is_good && more == 0) passed++;
    else
        failed++, printf("FAILED: recording %" PRIu32 ", call %u: %d, %d, %d, %s%s\n", number, failing, status, is_good,
                         writer != NULL, said, message);
    return count;
}

/* One more surface than a recording has, then a blit from the one used longest ago onto another new one, and the first
 * again: no recording fails, the source stays, and what came again is counted. */
static void draw_with_many(void)
{
    enum { MANY = RECORDING_SURFACES };
    static uint8_t units[4];
    static uint64_t addresses[MANY + 2];
    const struct area all = {0, 0, 1, 1};
    const struct recording_event how = {.mode = RECORDING_COPY, .alpha = 255, .colour = RECORDING_WHITE};
    struct view view = {.width = 1,
                        .height = 1,
                        .pitch = 4,
                        .unit_bytes = 4,
                        .pixels = units,
                        .red = 0xff0000,
                        .green = 0xff00,
                        .blue = 0xff};
    if (!tracker_open(shared)) _exit(1);
    for (uint32_t i = 0; i <= MANY; i++) {
        view.surface = &addresses[i];
        (void)tracker_sync(&view, &all);
    }
    struct view source = view;
    source.surface = &addresses[1];
    view.surface = &addresses[MANY + 1];
    tracker_blit(&view, &all, &source, 0, 0, &how);
    view.surface = &addresses[0];
    (void)tracker_sync(&view, &all);
    _exit(shared->has_failed || shared->counts.left[REASON_GAVE_WAY] != 1);
}

static void hold_many(void)
{
    char message[256] = "";
    uint32_t kinds[RECORDING_KINDS] = {0}, source = RECORDING_SURFACES, freed = RECORDING_SURFACES;
    memset(shared, 0, sizeof *shared);
    snprintf(shared->file, sizeof shared->file, "build/play/many.tsdl");
    snprintf(shared->name, sizeof shared->name, "many");
    FILE *file = fopen(shared->file, "w");
    if (file == NULL || fclose(file) != 0) perror(shared->file), exit(2);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) draw_with_many();
    int status = 0, more = -1;
    (void)waitpid(child, &status, 0);
    FILE *again = fopen(shared->file, "r+");
    struct recording_writer *writer = again != NULL ? recording_continue(dup(fileno(again)), &shared->state) : NULL;
    if (again != NULL) (void)fclose(again);
    struct recording *recording = NULL;
    if (writer != NULL && recording_finish(writer) == 0 && recording_open(&recording, shared->file, message) == 0)
        more = 1;
    for (struct recording_event event; more > 0 && (more = recording_next(recording, &event, message)) > 0;) {
        kinds[event.kind]++;
        if (event.kind == RECORDING_BLIT) source = event.source;
        if (event.kind == RECORDING_FREE) freed = event.surface;
    }
    if (recording != NULL) recording_close(recording);
    if (status == 0 && more == 0 && kinds[RECORDING_BLIT] == 1 && kinds[RECORDING_FREE] == 3 && source == 1 &&
        freed == 3)
        passed++;
    else
        failed++, printf("FAILED: many surfaces: status %d, %d %s, %" PRIu32 " blits, %" PRIu32 " frees, from %" PRIu32
                         ", at last %" PRIu32 "\n",
                         status, more, message, kinds[RECORDING_BLIT], kinds[RECORDING_FREE], source, freed);
}

/* A recording by hand, whose n-th call fails: one of the functions says so, with the reason, and what follows too. */
static void write_by_hand(unsigned failing)
{
    static uint8_t units[SIDE * SIDE * 4];
    const struct recording_event events[] = {
        {.kind = RECORDING_SURFACE, .format = RECORDING_XRGB8888, .rect = {0, 0, SIDE, SIDE}},
        {.kind = RECORDING_PIXELS, .format = RECORDING_XRGB8888, .rect = {0, 0, SIDE, SIDE}, .pixels = units},
        {.kind = RECORDING_FILL, .rect = {1, 2, 3, 4}, .unit = 0xff123456},
        {.kind = RECORDING_PRESENT, .milliseconds = 9}};
    int results[8] = {0}, count = 0;
    (void)unlink("build/play/by-hand.tsdl");
    calls = 0, bad_call = failing;
    errno = 0;
    struct recording_writer *writer = recording_create("build/play/by-hand.tsdl");
    results[count++] = writer != NULL ? 0 : errno;
    for (size_t i = 0; i < 4 && writer != NULL; i++)
        results[count++] = recording_add(writer, &events[i]) != 0 ? errno : 0;
    if (writer != NULL) results[count++] = recording_flush(writer) != 0 ? errno : 0;
    if (writer != NULL) results[count++] = recording_finish(writer) != 0 ? errno : 0;
    bool has_failed = failing != 0 && calls >= failing;
    bad_call = 0;
    add(&counts_sum, results, sizeof results);
    if ((results[count - 1] != 0) == has_failed) passed++;
    else failed++, printf("FAILED: by hand, call %u: %d\n", failing, results[count - 1]);
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_tracker FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return perror("mmap"), 2;
    for (uint32_t number = 1; number < 6; number++) (void)record(number, STEPS, 0);
    hold("tracker-events", events_sum);
    uint32_t count = record(7, FEW, 0);
    for (unsigned n = 1; n <= count; n++) (void)record(7, FEW, n);
    hold("tracker-failing", events_sum);
    write_by_hand(0);
    unsigned all = calls;
    for (unsigned n = 1; n <= all; n++) write_by_hand(n);
    hold("tracker-counts", counts_sum);
    bad_call = 0;
    hold_many();
    if (count > 20) passed++;
    else failed++, printf("FAILED: only %" PRIu32 " calls can fail\n", count);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
