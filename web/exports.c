/* SPDX-License-Identifier: Apache-2.0
 *
 * What the worker calls (worker.js): one machine at a time, texts as C strings, answers as JSON in memory of this side
 * that stays valid until the next call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "machine.h"
#include "pixel_model.h"
#include "state_json.h"
#include "tools/view/report_html.h"
#include "zlib.h"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name), used))
#else
#define EXPORT(name)
#endif

static struct machine *machine;
static char message[256];
static char *answer;
static size_t answer_bytes;
static uint8_t *rgba;

/* ------------------------------------------------------------------ memory for what comes in and goes out */

void *web_room(uint32_t bytes);
EXPORT(web_room) void *web_room(uint32_t bytes) { return malloc(bytes); }
void web_free(void *room);
EXPORT(web_free) void web_free(void *room) { free(room); }
const char *web_message(void);
EXPORT(web_message) const char *web_message(void) { return message; }

static const char *say(void (*write)(FILE *file, void *context), void *context)
{
    free(answer);
    answer = NULL;
    FILE *file = open_memstream(&answer, &answer_bytes);
    if (file == NULL) return "null";
    write(file, context);
    fclose(file);
    return answer != NULL ? answer : "null";
}

/* ------------------------------------------------------------------ what there is */

static void write_about(FILE *file, void *context)
{
    (void)context;
    about_json(file);
}

const char *web_about(void);
EXPORT(web_about) const char *web_about(void) { return say(write_about, NULL); }

/* ------------------------------------------------------------------ the machine */

static void write_created(FILE *file, void *context)
{
    (void)context;
    created_json(file, machine);
}

/* Another machine in the place of the one that there is; NULL: it stays, and web_message says why. */
const char *web_create(const char *text);
EXPORT(web_create) const char *web_create(const char *text)
{
    struct knobs knobs;
    message[0] = 0;
    if (!knobs_parse(&knobs, text, message)) return NULL;
    struct machine *made = machine_create(&knobs, message);
    if (made == NULL) return NULL;
    machine_destroy(machine);
    machine = made;
    return say(write_created, NULL);
}

int web_is_over(void);
EXPORT(web_is_over) int web_is_over(void) { return machine == NULL || machine->is_over; }

/* Run the next frame. 0: there is more; 1: nothing is left; -1: it has failed. */
int web_run(void);
EXPORT(web_run) int web_run(void)
{
    if (machine == NULL) return 1;
    if (!machine_run(machine)) return -1;
    return machine->is_over ? 1 : 0;
}

/* Results of all frames that have been run, 1 at least, into files (export.h). 0, or -1: web_message says why. */
int web_export(void);
EXPORT(web_export) int web_export(void)
{
    message[0] = 0;
    if (machine == NULL) return -1;
    if (machine->knobs.file[0] != 0) return 0; /* they were written when it was run */
    const uint32_t frames = machine->run.finished != 0 ? machine->run.finished : 1u;
    return export_scene(&machine->knobs, frames, message) ? 0 : -1;
}

uint32_t web_known(uint32_t unit);
EXPORT(web_known) uint32_t web_known(uint32_t unit)
{
    return machine != NULL ? machine_ended(machine, (enum machine_unit)(unit % MACHINE_UNITS), machine->count) : 0;
}

uint32_t web_ended(uint32_t unit, uint32_t at);
EXPORT(web_ended) uint32_t web_ended(uint32_t unit, uint32_t at)
{
    return machine != NULL ? machine_ended(machine, (enum machine_unit)(unit % MACHINE_UNITS), at) : 0;
}

uint32_t web_end_of(uint32_t unit, uint32_t number);
EXPORT(web_end_of) uint32_t web_end_of(uint32_t unit, uint32_t number)
{
    return machine != NULL ? machine_end_of(machine, (enum machine_unit)(unit % MACHINE_UNITS), number) : 0;
}

/* The next operation after (direction 1) or before (-1) `at` that is this event of the firmware's; UINT32_MAX: there
 * is none. */
uint32_t web_find(const char *kind, uint32_t at, int direction);
EXPORT(web_find) uint32_t web_find(const char *kind, uint32_t at, int direction)
{
    if (machine == NULL) return UINT32_MAX;
    for (uint32_t i = at + (uint32_t)direction; i - 1u < machine->count; i += (uint32_t)direction) {
        const struct operation *operation = &machine->operations[i - 1u];
        if (operation->by == BY_FIRMWARE && strcmp(machine_kind(operation), kind) == 0) return i;
    }
    return UINT32_MAX;
}

static void write_state(FILE *file, void *context) { state_json(file, machine, *(const uint32_t *)context); }

const char *web_state(uint32_t at);
EXPORT(web_state) const char *web_state(uint32_t at)
{
    if (machine == NULL) return NULL;
    return say(write_state, &at);
}

static void write_list(FILE *file, void *context)
{
    const uint32_t *const arguments = context;
    list_json(file, machine, arguments[0], arguments[1]);
}

/* The patch list of a DMA buffer that may still wait at `from`. */
const char *web_list(uint32_t tag, uint32_t from);
EXPORT(web_list) const char *web_list(uint32_t tag, uint32_t from)
{
    uint32_t arguments[] = {tag, from};
    if (machine == NULL) return NULL;
    return say(write_list, arguments);
}

/* So many units of this format as RGBA. NULL: out of memory. */
static const uint8_t *to_rgba(const uint8_t *units, uint32_t count, uint32_t format)
{
    const uint32_t bytes = format == FORMAT_RGB565 ? 2u : 4u;
    uint8_t *larger = realloc(rgba, (size_t)count * 4u);
    if (larger == NULL) return NULL;
    rgba = larger;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t unit = 0;
        memcpy(&unit, units + i * bytes, bytes);
        const uint32_t colour = pixel_expand(format, unit);
        rgba[4 * i] = (uint8_t)(colour >> 16);
        rgba[4 * i + 1] = (uint8_t)(colour >> 8);
        rgba[4 * i + 2] = (uint8_t)colour;
        rgba[4 * i + 3] = 255;
    }
    return rgba;
}

/* The picture after `at` as RGBA, width * height units: of the surface that was drawn last. */
const uint8_t *web_picture(uint32_t at);
EXPORT(web_picture) const uint8_t *web_picture(uint32_t at)
{
    if (machine == NULL || machine->width == 0) return NULL;
    const uint32_t target = machine_state(machine, at)->target % machine->surface_count;
    return to_rgba(machine_surfaces(machine, at) + (size_t)target * machine->surface_bytes,
                   machine->width * machine->height, machine->format);
}

/* The same of what the display shows; NULL: nothing yet. */
const uint8_t *web_shown(uint32_t at);
EXPORT(web_shown) const uint8_t *web_shown(uint32_t at)
{
    const uint32_t count = machine != NULL ? machine_shown_at(machine, at) : 0;
    if (count == 0) return NULL;
    return to_rgba(machine->shown[count - 1u].units, SCENE_WIDTH * SCENE_HEIGHT, FORMAT_RGB565);
}

/* CRC-32 of every fourth state's text, every sixteenth picture and what explains the decisions: for tests, that
 * it is the same wherever it runs. */
const char *web_history(void);
uint32_t web_digest(void);
EXPORT(web_digest) uint32_t web_digest(void)
{
    uLong sum = 0;
    for (uint32_t at = 0; machine != NULL && at <= machine->count; at++) {
        const bool is_last = at == machine->count;
        const char *text = at % 4u == 0 || is_last ? web_state(at) : "";
        sum = crc32_z(sum, (const uint8_t *)text, strlen(text));
        const uint8_t *picture = at % 16u == 0 || is_last ? web_picture(at) : NULL;
        if (picture != NULL) sum = crc32_z(sum, picture, (size_t)machine->width * machine->height * 4u);
        picture = at % 16u == 0 || is_last ? web_shown(at) : NULL;
        if (picture != NULL) sum = crc32_z(sum, picture, SCENE_WIDTH * SCENE_HEIGHT * 4u);
    }
    const char *history = web_history();
    return (uint32_t)crc32_z(sum, (const uint8_t *)history, history != NULL ? strlen(history) : 0);
}

/* ------------------------------------------------------------------ for host/tools/view/report_why.js */

static void write_history(FILE *file, void *context)
{
    (void)context;
    fputs("{", file);
    report_history(file, machine->view);
    fputs("\"has_counters\":false}", file);
}

EXPORT(web_history) const char *web_history(void) { return machine != NULL ? say(write_history, NULL) : NULL; }

/* The allocation of that handle in the history, UINT32_MAX: unknown. */
uint32_t web_history_number(uint32_t handle);
EXPORT(web_history_number) uint32_t web_history_number(uint32_t handle)
{
    const struct known *known = machine != NULL && handle != 0 ? view_known(machine->view, handle) : NULL;
    return known != NULL ? (uint32_t)(known - machine->view->known) : UINT32_MAX;
}
