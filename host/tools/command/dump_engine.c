/* SPDX-License-Identifier: Apache-2.0
 *
 * A portion on the golden engine, without firmware. The model knows no cycles, but the least that its bytes take: a
 * node moves at most 8 in a cycle. If that is over a limit, the portion times out on any chip. Units that no grant
 * bounds (a rectangle over itself) are counted too, and end the run.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/dump_again.h"
#include "engine_model.h"
#include "gpu_names.h"
#include "lib/packet_text.h"

enum { PAGE = LIMIT_BITS_PAGE_BYTES, BYTES_A_CYCLE = 8, COMMAND_BYTES = LIMIT_BITS_DMA_BYTES_MAX, LINE = 120 };

/* ------------------------------------------------------------------ what is run */

bool again_is_possible(const struct tdump *dump, struct again *again)
{
    const struct tdump_buffer *guilty = tdump_guilty(dump);
    *again = (struct again){.reason = TDUMP_ASKED};
    if (guilty == NULL) snprintf(again->text, sizeof again->text, "no DMA buffer is to blame");
    else if (guilty->word_count == 0) snprintf(again->text, sizeof again->text, "the guilty DMA buffer is empty");
    else return true;
    return false;
}

const char again_to_its_end[] = "the engine runs it to its end";
const char again_no_places[] =
    "it is not known where the allocations were: a reset has moved them, or nothing was asked";

/* Is it known where all of these words' allocations were? */
static bool has_places(const struct places *places, const struct tdump_buffer *buffer, const struct again_part *part)
{
    for (uint32_t i = 0; i < buffer->patch_count; i++) {
        const uint32_t word = buffer->patches[i * LIMIT_BITS_PATCH_ENTRY_WORDS + PATCH_PATCH_OFFSET] / 4u;
        uint32_t expected = 0;
        if (word >= part->start / 4u && word - part->start / 4u < part->count && word < buffer->word_count &&
            !places_expected(places, buffer, word, &expected))
            return false;
    }
    return true;
}

/* Of the portions, those of the guilty DMA buffer, the first first. */
bool again_part(const struct tdump *dump, const struct places *places, uint32_t index, uint32_t *patched,
                struct again_part *part)
{
    const struct tdump_buffer *guilty = tdump_guilty(dump);
    uint32_t found = 0;
    for (uint32_t i = dump->portion_count; i-- > 0;) {
        const struct tdump_portion *portion = &dump->portions[i];
        if (portion->node != 0 || portion->start == TDUMP_NOWHERE || found++ != index) continue;
        *part = (struct again_part){portion->words, portion->word_count, portion->start, false};
        part->has_places = has_places(places, guilty, part);
        return true;
    }
    if (found != 0 || index != 0) return false;
    for (uint32_t i = 0; i < guilty->word_count; i++) (void)places_expected(places, guilty, i, &patched[i]);
    *part = (struct again_part){patched, guilty->word_count, 0, false};
    part->has_places = has_places(places, guilty, part);
    return true;
}

/* ------------------------------------------------------------------ the engine */

/* The work of a run, and where it ends. */
struct work {
    struct engine_model engine;
    struct work_limits limits;
    uint64_t units, before; /* bytes moved before the packet at hand */
    uint32_t packet;        /* its place in command RAM */
    uint64_t least;         /* cycles that it takes at least */
    bool is_too_long;
    jmp_buf end;
};

static uint64_t moved(const struct engine_model *engine)
{
    const struct engine_node *node = &engine->node[0];
    const uint64_t read = node->bytes_read_local + node->bytes_read_system;
    const uint64_t written = node->bytes_written_local + node->bytes_written_system;
    return (read > written ? read : written) / BYTES_A_CYCLE;
}

/* The packet that was at work is done. */
static void judge(struct work *work)
{
    const uint64_t now = moved(&work->engine), cycles = now - work->before;
    if (cycles <= work->limits.packet && now <= work->limits.portion) return;
    work->is_too_long = true;
    work->least = now <= work->limits.portion ? cycles : now;
    longjmp(work->end, 1);
}

static void on_packet(void *context, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct work *work = context;
    (void)node, (void)words;
    judge(work);
    work->before = moved(&work->engine);
    work->packet = offset;
}

static void on_unit(void *context, uint32_t address)
{
    enum { LOOK = 4096 };
    struct work *work = context;
    (void)address;
    if (++work->units % LOOK == 0) judge(work);
}

/* False: no memory. */
static bool build(struct work *work, const struct tdump *dump, const struct places *places)
{
    struct engine_model *engine = &work->engine;
    engine->segment1_bytes = places->space_pages[0] * PAGE;
    engine->segment2_bytes = places->space_pages[1] * PAGE;
    engine->aperture_pages = places->space_pages[2];
    engine->system_bytes = (PLACES_FIRST_FRAME + places->frames) * PAGE;
    engine->command_bytes = COMMAND_BYTES;
    engine->segment1 = calloc(1, engine->segment1_bytes + PAGE);
    engine->segment2 = calloc(1, engine->segment2_bytes + PAGE);
    engine->system = calloc(1, engine->system_bytes);
    engine->command = calloc(1, COMMAND_BYTES);
    engine->aperture = calloc(PLACES_SPACE_PAGES, sizeof *engine->aperture);
    engine->on_packet = on_packet;
    engine->on_unit = on_unit;
    engine->context = work;
    if (!engine->segment1 || !engine->segment2 || !engine->system || !engine->command || !engine->aperture)
        return false;
    for (uint32_t i = 0; i < places->count; i++) {
        const struct place *place = &places->place[i];
        for (uint32_t page = 0; page < place->pages; page++) {
            engine->node[0].guard[place->space * PLACES_SPACE_PAGES + place->first_page + page] =
                place->may_write ? 3 : 1;
            if (place->space != 2) continue;
            const bool is_outside = places_is_outside(dump, place->allocation, page);
            const uint32_t frame = is_outside ? field_mask(APERTURE_ENTRY_FRAME_WIDTH) : place->frame + page;
            engine->aperture[place->first_page + page] = FIELD_PUT(frame, APERTURE_ENTRY_FRAME) |
                                                         FIELD_PUT(1, APERTURE_ENTRY_VALID) |
                                                         FIELD_PUT(1, APERTURE_ENTRY_MAPPED);
        }
    }
    return true;
}

static void take_down(struct work *work)
{
    free(work->engine.segment1);
    free(work->engine.segment2);
    free(work->engine.system);
    free(work->engine.command);
    free(work->engine.aperture);
    free(work);
}

/* "byte 24, FILL_RECT ...": of the DMA buffer, which the portion is a part of. */
static void name_packet(const struct again_part *part, uint32_t offset, char *text, size_t size)
{
    const struct stream_view view = {part->words, NULL, NULL, part->count, 0, 0, NULL};
    char line[LINE];
    packet_print(&view, offset / 4u, line, sizeof line);
    snprintf(text, size, "byte %u, %s", part->start + offset, line);
}

/* True: the portion did not end well, and *again says how. */
static bool run(struct work *work, const struct again_part *part, struct again *again)
{
    char packet[LINE + 24];
    const struct engine_node *node = &work->engine.node[0];
    memcpy(work->engine.command, part->words, part->count * 4u);
    if (setjmp(work->end) == 0) {
        const uint32_t fault = engine_model_run(&work->engine, 0, 0, part->count * 4u, false);
        if (fault != FAULT_NONE) {
            again->reason = TDUMP_FAULT;
            again->value = fault;
            name_packet(part, node->error_packet, packet, sizeof packet);
            if (node->error_address != 0)
                snprintf(again->text, sizeof again->text, "%s at address 0x%08x: %s", fault_name(fault),
                         node->error_address, packet);
            else snprintf(again->text, sizeof again->text, "%s: %s", fault_name(fault), packet);
            return true;
        }
        judge(work);
        return false;
    }
    again->reason = TDUMP_TIMEOUT;
    name_packet(part, work->packet, packet, sizeof packet);
    snprintf(again->text, sizeof again->text, "TIMEOUT: %llu cycles at least, at %s", (unsigned long long)work->least,
             packet);
    return true;
}

void again_engine(const struct tdump *dump, struct again *again)
{
    struct places places;
    struct again_part part;
    if (!again_is_possible(dump, again)) return;
    const struct tdump_buffer *guilty = tdump_guilty(dump);
    uint32_t *patched = calloc(guilty->word_count, sizeof *patched);
    struct work *work = calloc(1, sizeof *work);
    const bool has_places = places_find(&places, dump, guilty);
    if (patched == NULL || work == NULL || !has_places || !build(work, dump, &places)) {
        snprintf(again->text, sizeof again->text, "out of memory");
    } else {
        work->limits = places_limits(dump);
        snprintf(again->text, sizeof again->text, "%s", again_no_places);
        for (uint32_t i = 0; again_part(dump, &places, i, patched, &part); i++) {
            if (!part.has_places) continue;
            again->has_run = true;
            if (run(work, &part, again)) break;
            snprintf(again->text, sizeof again->text, "%s", again_to_its_end);
        }
    }
    if (work != NULL) take_down(work);
    free(patched);
    places_free(&places);
}
