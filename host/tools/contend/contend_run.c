/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts that contend for memory. Each has textures, which its DMA buffers only read, and a target of 64 x 64 units
 * into which they are drawn exclusive-or, so that the last byte depends on every draw; the program does the same to an
 * image of its own.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/contend/contend.h"
#include "tools/cli/progress.h"
#include "tessera.h"
#include "tessera_stream.h"

enum {
    PAGE = LIMIT_BITS_PAGE_BYTES,
    PITCH = 256,
    UNITS = PITCH / 4, /* a row */
    PAGE_ROWS = PAGE / PITCH,
    TARGET_PAGES = 4,
    TARGET_ROWS = TARGET_PAGES * PAGE_ROWS,
    TEXTURES = 192,
    TARGET_SLOT = 0,
    TEXTURE_SLOT = 1,
    ROP_XOR = 0x66,
    SEGMENT1_PAGES = 1, /* nothing of the contexts is in it */
    MEMORY_SET = 2,
    APERTURE_SET = 4,
    OWN_BYTES = 8 << 20
};

struct texture {
    struct tessera_allocation *allocation;
    uint32_t *units;
    uint32_t pages;
};

struct queued {
    tessera_ticket ticket;
    uint64_t begin;
    bool is_counted;
};

struct player {
    const struct contend_context *options;
    struct contend_result *result;
    uint32_t context, random;
    struct texture textures[TEXTURES];
    uint32_t texture_count;
    struct tessera_allocation *target;
    uint32_t image[TARGET_ROWS * UNITS];
    struct queued queue[CONTEND_QUEUE];
    uint32_t first, count;
};

struct contest {
    const struct contend_options *options;
    char *message;
    struct transport transport;
    bool is_transport_open;
    struct tessera *tessera;
    struct tessera_stream *stream;
    struct player players[CONTEND_CONTEXTS];
    struct progress progress;
    uint32_t submitted; /* DMA buffers of all contexts, those not counted included */
};

static bool fail(struct contest *contest, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(contest->message, 256, format, arguments);
    va_end(arguments);
    return false;
}

static bool check(struct contest *contest, int status, const char *what)
{
    return status == TESSERA_OK || fail(contest, "%s: %.200s", what, tessera_message(contest->tessera));
}

static uint32_t pick(struct player *player, uint32_t limit)
{
    player->random ^= player->random << 13;
    player->random ^= player->random >> 17;
    player->random ^= player->random << 5;
    return player->random % limit;
}

static uint64_t now(const struct contest *contest) { return transport_cycles(&contest->transport); }

/* ------------------------------------------------------------------ the device and the sets */

static bool open_device(struct contest *contest)
{
    const struct contend_options *options = contest->options;
    uint64_t percent = 0;
    for (uint32_t i = 0; i < options->context_count; i++) percent += options->contexts[i].set;
    uint64_t pages = options->pages * percent / 100u + (uint64_t)options->context_count * TARGET_PAGES;
    const struct replay_machine_options machine = {.memory_bytes = (uint32_t)(pages * PAGE) + OWN_BYTES,
                                                   .latency = options->latency,
                                                   .seed = options->seed,
                                                   .firmware = options->firmware};
    const struct tessera_options library = {.firmware = options->firmware,
                                            .segment1_pages = SEGMENT1_PAGES,
                                            .segment2_pages = options->pages,
                                            .force = options->force,
                                            .allocations = options->limits.allocations,
                                            .contexts = options->limits.contexts,
                                            .seed = options->seed};
    if (options->open(&contest->transport, &machine, contest->message) != 0) return false;
    contest->is_transport_open = true;
    return tessera_open(&contest->tessera, &contest->transport, &library, contest->message) == TESSERA_OK;
}

/* `also`: segments besides memory that it may be read from. */
static bool create(struct contest *contest, uint32_t pages, uint32_t also, const void *content,
                   struct tessera_allocation **allocation)
{
    const struct tessera_allocation_options options = {
        .bytes = pages * PAGE, .flags = ALLOCATION_CPU_VISIBLE, .read_set = MEMORY_SET | also, .write_set = MEMORY_SET};
    return check(contest, tessera_allocation_create(contest->tessera, &options, allocation), "a set") &&
           check(contest, tessera_write(contest->tessera, *allocation, 0, content, pages * PAGE), "its content");
}

static bool add_texture(struct contest *contest, struct player *player, uint32_t pages)
{
    struct texture *texture = &player->textures[player->texture_count++];
    texture->pages = pages;
    texture->units = malloc((size_t)pages * PAGE);
    if (texture->units == NULL) return fail(contest, "out of memory");
    for (uint32_t i = 0; i < pages * PAGE / 4u; i++) texture->units[i] = pick(player, UINT32_MAX);
    player->result->pages += pages;
    player->result->textures++;
    const uint32_t also = contest->options->may_map ? APERTURE_SET : 0;
    return create(contest, pages, also, texture->units, &texture->allocation);
}

static bool open_player(struct contest *contest, struct player *player)
{
    const struct contend_options *options = contest->options;
    const uint32_t pages = options->pages * player->options->set / 100u;
    const uint32_t budget = options->pages * player->options->budget / 100u;
    if (!check(contest, tessera_context_create(contest->tessera, 0, 0, &player->context), "a context")) return false;
    if (!check(contest, tessera_context_set_priority(contest->tessera, player->context, player->options->priority),
               "its priority") ||
        !check(contest, tessera_context_set_budget(contest->tessera, player->context, budget), "its budget"))
        return false;
    player->result->pages = TARGET_PAGES;
    while (player->result->pages < pages) {
        uint32_t left = pages - player->result->pages, size = 1u + pick(player, options->texture);
        if (player->texture_count == TEXTURES)
            return fail(contest, "a set has more than %d textures: ask for larger ones with --texture", TEXTURES);
        if (!add_texture(contest, player, size < left ? size : left)) return false;
    }
    return create(contest, TARGET_PAGES, 0, player->image, &player->target);
}

/* ------------------------------------------------------------------ DMA buffers */

static void draw(struct player *player, const struct texture *texture, struct tessera_blit *blit)
{
    *blit = (struct tessera_blit){.target = TARGET_SLOT,
                                  .source = TEXTURE_SLOT,
                                  .mode = BLIT_ROP,
                                  .rop = ROP_XOR,
                                  .source_y = pick(player, texture->pages) * PAGE_ROWS,
                                  .target_y = pick(player, TARGET_PAGES) * PAGE_ROWS,
                                  .width = UNITS,
                                  .height = PAGE_ROWS};
    for (uint32_t i = 0; i < PAGE_ROWS * UNITS; i++)
        player->image[blit->target_y * UNITS + i] ^= texture->units[blit->source_y * UNITS + i];
}

static bool use_texture(struct contest *contest, struct player *player, const struct texture *texture)
{
    const struct tessera_surface source = {
        .allocation = texture->allocation, .format = FORMAT_ARGB8888, .pitch = PITCH};
    struct tessera_stream *stream = contest->stream;
    struct tessera_blit blit;
    int status = tessera_stream_bind(stream, TEXTURE_SLOT, &source);
    for (uint32_t i = 0; status == TESSERA_OK && i < contest->options->draws; i++) {
        draw(player, texture, &blit);
        status = tessera_stream_blit(stream, &blit);
    }
    return status == TESSERA_OK ||
           fail(contest, "a DMA buffer is too long: ask for fewer or larger textures, or fewer draws");
}

static bool build(struct contest *contest, struct player *player)
{
    const struct tessera_surface target = {
        .allocation = player->target, .format = FORMAT_ARGB8888, .pitch = PITCH, .is_target = true};
    uint32_t order[TEXTURES] = {0};
    for (uint32_t i = 0; i < player->texture_count; i++) {
        uint32_t k = contest->options->is_shuffled ? pick(player, i + 1u) : i;
        order[i] = order[k];
        order[k] = i;
    }
    tessera_stream_clear(contest->stream);
    if (tessera_stream_bind(contest->stream, TARGET_SLOT, &target) != TESSERA_OK) return fail(contest, "no target");
    for (uint32_t i = 0; i < player->texture_count; i++)
        if (pick(player, 100) >= contest->options->skipped &&
            !use_texture(contest, player, &player->textures[order[i]]))
            return false;
    return true;
}

static bool finish(struct contest *contest, struct player *player)
{
    const struct queued queued = player->queue[player->first];
    struct tessera_completion completion;
    if (!check(contest, tessera_wait(contest->tessera, queued.ticket, &completion), "a DMA buffer")) return false;
    player->first = (player->first + 1u) % (uint32_t)CONTEND_QUEUE;
    player->count--;
    if (!queued.is_counted) return true;
    player->result->jobs++;
    player->result->portions += completion.words[REPLY_SUBMIT_PORTIONS - 4];
    player->result->pages_in += completion.words[REPLY_SUBMIT_PAGED_IN - 4];
    player->result->pages_out += completion.words[REPLY_SUBMIT_PAGED_OUT - 4];
    player->result->cycles += now(contest) - queued.begin;
    return true;
}

static bool submit(struct contest *contest, struct player *player, bool is_counted)
{
    if (player->count == contest->options->ahead && !finish(contest, player)) return false;
    if (!build(contest, player)) return false;
    struct queued *queued = &player->queue[(player->first + player->count++) % (uint32_t)CONTEND_QUEUE];
    *queued = (struct queued){.begin = now(contest), .is_counted = is_counted};
    return check(contest, tessera_submit(contest->tessera, player->context, contest->stream, 0, &queued->ticket),
                 "a DMA buffer");
}

/* With one buffer under way at a time, the next context waits until it is done. */
static bool play(struct contest *contest, bool is_counted)
{
    for (uint32_t i = 0; i < contest->options->context_count; i++) {
        if (!submit(contest, &contest->players[i], is_counted)) return false;
        if (contest->options->ahead == 1u && !finish(contest, &contest->players[i])) return false;
        progress_show(&contest->progress, ++contest->submitted);
    }
    return true;
}

/* ------------------------------------------------------------------ the end */

static bool compare(struct contest *contest, struct player *player)
{
    static uint32_t bytes[TARGET_ROWS * UNITS];
    struct tessera_share share;
    while (player->count != 0u)
        if (!finish(contest, player)) return false;
    if (!check(contest, tessera_context_query(contest->tessera, player->context, &share), "a context")) return false;
    player->result->share = share.share;
    player->result->resident = share.resident;
    player->result->lost = share.lost;
    player->result->taken = share.taken;
    if (!check(contest, tessera_read(contest->tessera, player->target, 0, bytes, sizeof bytes), "a target"))
        return false;
    for (uint32_t i = 0; i < TARGET_ROWS * UNITS; i++)
        if (bytes[i] != player->image[i])
            return fail(contest, "context %u: unit %u of its target is wrong", (uint32_t)(player - contest->players),
                        i);
    return true;
}

static bool prepare(struct contest *contest, struct contend_result *result)
{
    const struct contend_options *options = contest->options;
    if (!open_device(contest)) return false;
    contest->stream = tessera_stream_create();
    if (contest->stream == NULL) return fail(contest, "out of memory");
    for (uint32_t i = 0; i < options->context_count; i++) {
        struct player *player = &contest->players[i];
        *player = (struct player){.options = &options->contexts[i],
                                  .result = &result[i],
                                  .random = (options->seed * 64u + i + 1u) * 2654435761u | 1u};
        if (!open_player(contest, player)) return false;
    }
    return true;
}

static bool contend(struct contest *contest, uint64_t *cycles)
{
    const struct contend_options *options = contest->options;
    if (!play(contest, false)) return false;
    uint64_t begin = now(contest);
    for (uint32_t round = 0; round < options->rounds; round++)
        if (!play(contest, true)) return false;
    for (uint32_t i = 0; i < options->context_count; i++)
        if (!compare(contest, &contest->players[i])) return false;
    *cycles = now(contest) - begin;
    return true;
}

enum contend_outcome contend_run(const struct contend_options *options, struct contend_result result[CONTEND_CONTEXTS],
                                 uint64_t *cycles, char message[256])
{
    static struct contest contest;
    enum contend_outcome outcome = CONTEND_NOT_RUN;
    contest = (struct contest){.options = options, .message = message};
    memset(result, 0, sizeof *result * CONTEND_CONTEXTS);
    progress_begin(&contest.progress, "DMA buffer", (options->rounds + 1u) * options->context_count);
    if (prepare(&contest, result)) outcome = contend(&contest, cycles) ? CONTEND_GOOD : CONTEND_WRONG;
    progress_break(&contest.progress);
    for (uint32_t i = 0; i < options->context_count; i++)
        for (uint32_t k = 0; k < contest.players[i].texture_count; k++) free(contest.players[i].textures[k].units);
    tessera_stream_destroy(contest.stream);
    if (contest.tessera != NULL) tessera_close(contest.tessera);
    else if (contest.is_transport_open) contest.transport.close(contest.transport.context);
    return outcome;
}
