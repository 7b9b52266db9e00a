/* SPDX-License-Identifier: Apache-2.0
 *
 * See picture.h. The target is pinned in segment 2, where a display can read it; the textures may live in both memory
 * segments and not in the aperture, so each has to be copied in before it is drawn.
 */
#include "picture.h"

#include <stdio.h>
#include <string.h>

#include "tessera_stream.h"

enum {
    COLUMNS = 4,
    ROWS = 4,
    TEXTURES = COLUMNS * ROWS,
    ROUNDS = 2,
    TEXTURE_WIDTH = 96,
    TEXTURE_HEIGHT = 64,
    TEXTURE_PITCH = TEXTURE_WIDTH * 4,
    TEXTURE_BYTES = TEXTURE_PITCH * TEXTURE_HEIGHT,
    TARGET_SLOT = 0,
    TEXTURE_SLOT = 1,
    LOCAL_SEGMENTS = 3,
    SEGMENTS = 3
};

/* What is in use while a picture is drawn. */
struct painter {
    struct tessera *gpu;
    struct tessera_stream *stream;
    struct tessera_allocation *target, *textures[TEXTURES];
    uint32_t context;
    void (*say)(const char *line);
};

/* By half bytes: a table of 64 bytes stays in a small cache. */
uint32_t picture_crc(const uint8_t *bytes, uint32_t count)
{
    uint32_t table[16], crc = 0xffffffffu;
    for (uint32_t i = 0; i < 16; i++) {
        table[i] = i;
        for (unsigned bit = 0; bit < 4; bit++) table[i] = table[i] >> 1 ^ (0xedb88320u & (0u - (table[i] & 1u)));
    }
    for (uint32_t i = 0; i < count; i++) {
        crc = crc >> 4 ^ table[(crc ^ bytes[i]) & 15u];
        crc = crc >> 4 ^ table[(crc ^ (uint32_t)bytes[i] >> 4) & 15u];
    }
    return ~crc;
}

/* ------------------------------------------------------------------ what is there */

static int look_at_segments(struct painter *painter, struct picture *picture)
{
    struct tessera_segment segments[SEGMENTS];
    uint32_t count = SEGMENTS;
    char line[80];
    int status = tessera_query_segments(painter->gpu, segments, &count);
    for (uint32_t i = 0; i < count && status == TESSERA_OK; i++) {
        bool is_aperture = (segments[i].flags & TESSERA_SEGMENT_APERTURE) != 0;
        snprintf(line, sizeof line, "segment %u: %u KB%s", (unsigned)i + 1, (unsigned)(segments[i].bytes >> 10),
                 is_aperture ? " of aperture" : "");
        painter->say(line);
        if (!is_aperture) picture->local_bytes += (uint32_t)segments[i].bytes;
    }
    return status;
}

/* ------------------------------------------------------------------ textures and target */

/* Rings around a corner of each texture's own, in its own colours; alpha falls towards its edge. */
static uint32_t texel(uint32_t texture, uint32_t x, uint32_t y)
{
    const uint32_t dx = x - (texture & 3u) * 24u, dy = y - (texture >> 2) * 16u, ring = (dx * dx + dy * dy) >> 5;
    const uint32_t alpha = 255u - (x * 2u > 191u ? (x * 2u - 191u) : 0u);
    return alpha << 24 | ((ring * 5u + texture * 40u) & 255u) << 16 | ((ring * 3u + y * 2u) & 255u) << 8 |
           ((x * 2u + texture * 16u) & 255u);
}

static int create_texture(struct painter *painter, uint32_t index)
{
    const struct tessera_allocation_options wish = {.bytes = TEXTURE_BYTES,
                                                    .flags = ALLOCATION_CPU_VISIBLE,
                                                    .read_set = LOCAL_SEGMENTS,
                                                    .write_set = LOCAL_SEGMENTS};
    int status = tessera_allocation_create(painter->gpu, &wish, &painter->textures[index]);
    for (uint32_t y = 0; y < TEXTURE_HEIGHT && status == TESSERA_OK; y++) {
        uint32_t row[TEXTURE_WIDTH];
        for (uint32_t x = 0; x < TEXTURE_WIDTH; x++) row[x] = texel(index, x, y);
        status = tessera_write(painter->gpu, painter->textures[index], y * TEXTURE_PITCH, row, sizeof row);
    }
    return status;
}

static int create(struct painter *painter)
{
    const struct tessera_allocation_options wish = {.bytes = PICTURE_BYTES,
                                                    .flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_PINNED,
                                                    .preferred = tessera_prefer(2, 0, 0),
                                                    .read_set = 2,
                                                    .write_set = 2};
    int status = tessera_context_create(painter->gpu, 0, 0, &painter->context);
    if (status == TESSERA_OK) status = tessera_allocation_create(painter->gpu, &wish, &painter->target);
    for (uint32_t i = 0; i < TEXTURES && status == TESSERA_OK; i++) status = create_texture(painter, i);
    painter->stream = tessera_stream_create();
    return status == TESSERA_OK && painter->stream == NULL ? TESSERA_NO_MEMORY : status;
}

/* The target stays, to be shown. */
static void destroy(struct painter *painter)
{
    for (uint32_t i = 0; i < TEXTURES; i++) (void)tessera_allocation_destroy(painter->gpu, painter->textures[i]);
    tessera_stream_destroy(painter->stream);
}

/* ------------------------------------------------------------------ drawing */

static int draw_texture(struct painter *painter, uint32_t index, uint32_t round)
{
    const struct tessera_surface surface = {
        .allocation = painter->textures[index], .format = FORMAT_ARGB8888, .pitch = TEXTURE_PITCH};
    const uint32_t place = (index * 5u + round * 7u) % TEXTURES;
    const struct tessera_blit blit = {.target = TARGET_SLOT,
                                      .source = TEXTURE_SLOT,
                                      .mode = round == 0 ? BLIT_COPY : BLIT_BLEND,
                                      .target_x = place % COLUMNS * 75u,
                                      .target_y = place / COLUMNS * 45u,
                                      .width = PICTURE_WIDTH - place % COLUMNS * 75u < TEXTURE_WIDTH
                                                   ? PICTURE_WIDTH - place % COLUMNS * 75u
                                                   : TEXTURE_WIDTH,
                                      .height = TEXTURE_HEIGHT,
                                      .value = 224};
    int status = tessera_stream_bind(painter->stream, TEXTURE_SLOT, &surface);
    if (status == TESSERA_OK) status = tessera_stream_blit(painter->stream, &blit);
    return status == TESSERA_OK ? tessera_stream_unbind(painter->stream, TEXTURE_SLOT) : status;
}

static int draw(struct painter *painter)
{
    const struct tessera_surface surface = {.allocation = painter->target,
                                            .format = FORMAT_RGB565,
                                            .pitch = PICTURE_WIDTH * 2,
                                            .bytes = PICTURE_BYTES,
                                            .is_target = true};
    tessera_ticket ticket = 0;
    int status = tessera_stream_bind(painter->stream, TARGET_SLOT, &surface);
    if (status == TESSERA_OK)
        status = tessera_stream_fill_rect(painter->stream, TARGET_SLOT, 0, 0, PICTURE_WIDTH, PICTURE_HEIGHT, 0x18e3);
    for (uint32_t i = 0; i < ROUNDS * TEXTURES && status == TESSERA_OK; i++)
        status = draw_texture(painter, i % TEXTURES, i / TEXTURES);
    if (status == TESSERA_OK) status = tessera_submit(painter->gpu, painter->context, painter->stream, 0, &ticket);
    return status == TESSERA_OK ? tessera_wait(painter->gpu, ticket, NULL) : status;
}

static int read_back(struct painter *painter, struct picture *picture)
{
    uint32_t statistics[STAT_COUNT], segment = 0;
    int status = tessera_where(painter->gpu, painter->target, &segment, &picture->segment2_offset);
    if (status == TESSERA_OK) status = tessera_read(painter->gpu, painter->target, 0, picture->pixels, PICTURE_BYTES);
    if (status == TESSERA_OK) status = tessera_statistics(painter->gpu, statistics);
    if (status != TESSERA_OK) return status;
    picture->evictions = statistics[STAT_EVICTIONS];
    picture->crc = picture_crc(picture->pixels, PICTURE_BYTES);
    return TESSERA_OK;
}

static void tell(const struct painter *painter, const struct picture *picture)
{
    char line[80];
    snprintf(line, sizeof line, "textures: %u KB in %u KB of local memory, %u evictions",
             (unsigned)(picture->texture_bytes >> 10), (unsigned)(picture->local_bytes >> 10),
             (unsigned)picture->evictions);
    painter->say(line);
    snprintf(line, sizeof line, "picture: %d x %d, CRC %08x", PICTURE_WIDTH, PICTURE_HEIGHT, (unsigned)picture->crc);
    painter->say(line);
}

int picture_draw(struct tessera *gpu, struct picture *picture, void (*say)(const char *line))
{
    struct painter painter = {.gpu = gpu, .say = say};
    picture->texture_bytes = TEXTURES * TEXTURE_BYTES;
    picture->local_bytes = 0;
    int status = look_at_segments(&painter, picture);
    if (status == TESSERA_OK && picture->texture_bytes <= picture->local_bytes) {
        say("all textures fit into local memory: give the GPU less of it");
        status = TESSERA_MISUSE;
    }
    if (status == TESSERA_OK) status = create(&painter);
    if (status == TESSERA_OK) status = draw(&painter);
    if (status == TESSERA_OK) status = read_back(&painter, picture);
    destroy(&painter);
    picture->target = painter.target;
    if (status == TESSERA_OK) tell(&painter, picture);
    return status;
}

/* ------------------------------------------------------------------ the display */

/* Two blanks: a whole frame lies between them. */
static int await_frame(struct tessera *gpu)
{
    int status = TESSERA_OK;
    for (unsigned i = 0; i < 2 && status == TESSERA_OK; i++)
        status = tessera_wait_vblank(gpu, TESSERA_WHEN_NEXT, 0, NULL);
    return status;
}

static int flip(struct tessera *gpu, const struct picture *picture)
{
    const struct tessera_flip flip = {.plane = TESSERA_PLANE_OVERLAY,
                                      .allocation = picture->target,
                                      .pitch = PICTURE_WIDTH * 2,
                                      .format = FORMAT_RGB565,
                                      .when = TESSERA_WHEN_NEXT,
                                      .x = PICTURE_X,
                                      .y = PICTURE_Y,
                                      .width = PICTURE_WIDTH,
                                      .height = PICTURE_HEIGHT,
                                      .mix = TESSERA_MIX_OPAQUE};
    tessera_ticket ticket = 0;
    const int status = tessera_flip(gpu, &flip, &ticket);
    return status == TESSERA_OK ? tessera_wait(gpu, ticket, NULL) : status;
}

int picture_show(struct tessera *gpu, const struct picture *picture, bool *is_shown, void (*say)(const char *line))
{
    struct tessera_display display = {0};
    uint32_t missed = 0;
    char line[80];
    int status = tessera_query_display(gpu, &display);
    *is_shown = status == TESSERA_OK && (display.modes >> TESSERA_DISPLAY_VGA & 1u) != 0;
    if (!*is_shown) return status;
    status = tessera_set_mode(gpu, TESSERA_DISPLAY_VGA);
    if (status == TESSERA_OK) status = flip(gpu, picture);
    if (status == TESSERA_OK) status = await_frame(gpu);
    if (status == TESSERA_OK) status = tessera_register_read(gpu, DISPLAY_MISSED_OFFSET, &missed);
    if (status != TESSERA_OK) return status;
    snprintf(line, sizeof line, "the chip's display shows it: %u pixels late", (unsigned)missed);
    say(line);
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ caches */

enum { AGREE_ROUNDS = 8, AGREE_BYTES = 512 };

static int copy_once(struct painter *painter, uint32_t round, uint32_t *old)
{
    const struct tessera_place from = {.allocation = painter->textures[0], .slot = 1};
    const struct tessera_place to = {.allocation = painter->target, .slot = 0};
    uint8_t written[AGREE_BYTES], read[AGREE_BYTES];
    tessera_ticket ticket = 0;
    for (uint32_t i = 0; i < AGREE_BYTES; i++) written[i] = (uint8_t)(i * 3u + round * 29u);
    tessera_stream_clear(painter->stream);
    int status = tessera_write(painter->gpu, painter->textures[0], 0, written, AGREE_BYTES);
    if (status == TESSERA_OK) status = tessera_stream_copy(painter->stream, &to, &from, AGREE_BYTES);
    if (status == TESSERA_OK) status = tessera_submit(painter->gpu, painter->context, painter->stream, 0, &ticket);
    if (status == TESSERA_OK) status = tessera_wait(painter->gpu, ticket, NULL);
    if (status == TESSERA_OK) status = tessera_read(painter->gpu, painter->target, 0, read, AGREE_BYTES);
    for (uint32_t i = 0; i < AGREE_BYTES && status == TESSERA_OK; i++) *old += read[i] != written[i];
    return status;
}

int picture_agree(struct tessera *gpu, uint32_t *old, void (*say)(const char *line))
{
    const struct tessera_allocation_options wish = {.bytes = AGREE_BYTES, .flags = ALLOCATION_CPU_VISIBLE};
    struct painter painter = {.gpu = gpu, .say = say};
    char line[80];
    *old = 0;
    int status = tessera_context_create(gpu, 0, 0, &painter.context);
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu, &wish, &painter.target);
    if (status == TESSERA_OK) status = tessera_allocation_create(gpu, &wish, &painter.textures[0]);
    painter.stream = tessera_stream_create();
    if (status == TESSERA_OK && painter.stream == NULL) status = TESSERA_NO_MEMORY;
    for (uint32_t round = 0; round < AGREE_ROUNDS && status == TESSERA_OK; round++)
        status = copy_once(&painter, round, old);
    (void)tessera_allocation_destroy(gpu, painter.target);
    destroy(&painter);
    snprintf(line, sizeof line, "caches: %u of %d bytes are old", (unsigned)*old, AGREE_ROUNDS * AGREE_BYTES);
    if (status == TESSERA_OK) say(line);
    return status;
}
