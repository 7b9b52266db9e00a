/* SPDX-License-Identifier: Apache-2.0
 *
 * See scene.h. Textures may live in both memory segments and not in the aperture, so each is copied in before it is
 * drawn; each is drawn into, too, so it is copied out when it leaves.
 */
#include "scene.h"

#include <string.h>

#include "tessera_stream.h"

enum {
    TEXTURES = 8,
    TEXTURE_SIDE = 32,
    TEXTURE_PITCH = TEXTURE_SIDE * 4,
    TEXTURE_BYTES = TEXTURE_PITCH * TEXTURE_SIDE,
    LOCAL_SEGMENTS = 3,
    TARGET_SLOT = 0,
    SOURCE_SLOT = 1
};

struct scene {
    struct tessera *gpu;
    struct tessera_stream *stream;
    struct tessera_allocation *target, *textures[TEXTURES];
    uint32_t context;
};

int scene_open(struct tessera **gpu, struct transport *transport, const char *firmware, uint32_t seed,
               char message[256])
{
    const struct tessera_options options = {.firmware = firmware,
                                            .seed = seed,
                                            .segment1_pages = SCENE_SEGMENT1_PAGES,
                                            .segment2_pages = SCENE_SEGMENT2_PAGES,
                                            .patience_cycles = 2000000};
    return tessera_open(gpu, transport, &options, message);
}

static int evictions_until_now(struct tessera *gpu, uint32_t *evictions)
{
    uint32_t statistics[STAT_COUNT];
    int status = tessera_statistics(gpu, statistics);
    *evictions = statistics[STAT_EVICTIONS];
    return status;
}

/* ------------------------------------------------------------------ textures and target */

static int create_texture(struct scene *scene, uint32_t index)
{
    const struct tessera_allocation_options wish = {.bytes = TEXTURE_BYTES,
                                                    .flags = ALLOCATION_CPU_VISIBLE,
                                                    .read_set = LOCAL_SEGMENTS,
                                                    .write_set = LOCAL_SEGMENTS};
    uint32_t texels[TEXTURE_SIDE * TEXTURE_SIDE];
    for (uint32_t i = 0; i < TEXTURE_SIDE * TEXTURE_SIDE; i++)
        texels[i] = (i * 2654435761u ^ index * 0x01030507u) | 0x40000000u;
    int status = tessera_allocation_create(scene->gpu, &wish, &scene->textures[index]);
    if (status == TESSERA_OK) status = tessera_write(scene->gpu, scene->textures[index], 0, texels, TEXTURE_BYTES);
    return status;
}

static int create(struct scene *scene)
{
    const struct tessera_allocation_options wish = {
        .bytes = SCENE_BYTES, .flags = ALLOCATION_CPU_VISIBLE, .read_set = LOCAL_SEGMENTS, .write_set = LOCAL_SEGMENTS};
    int status = tessera_context_create(scene->gpu, 0, 0, &scene->context);
    if (status == TESSERA_OK) status = tessera_allocation_create(scene->gpu, &wish, &scene->target);
    for (uint32_t i = 0; i < TEXTURES && status == TESSERA_OK; i++) status = create_texture(scene, i);
    scene->stream = tessera_stream_create();
    return status == TESSERA_OK && scene->stream == NULL ? TESSERA_NO_MEMORY : status;
}

static void destroy(struct scene *scene)
{
    for (uint32_t i = 0; i < TEXTURES; i++) (void)tessera_allocation_destroy(scene->gpu, scene->textures[i]);
    (void)tessera_allocation_destroy(scene->gpu, scene->target);
    tessera_stream_destroy(scene->stream);
}

/* ------------------------------------------------------------------ drawing */

static int bind_texture(struct scene *scene, uint32_t slot, uint32_t index)
{
    const struct tessera_surface surface = {.allocation = scene->textures[index % TEXTURES],
                                            .format = FORMAT_ARGB8888,
                                            .pitch = TEXTURE_PITCH,
                                            .bytes = TEXTURE_BYTES,
                                            .is_target = slot == TARGET_SLOT};
    return tessera_stream_bind(scene->stream, slot, &surface);
}

static int bind_target(struct scene *scene)
{
    const struct tessera_surface surface = {.allocation = scene->target,
                                            .format = FORMAT_RGB565,
                                            .pitch = SCENE_WIDTH * 2,
                                            .bytes = SCENE_BYTES,
                                            .is_target = true};
    return tessera_stream_bind(scene->stream, TARGET_SLOT, &surface);
}

/* A corner of a texture into another one, then this into the picture. */
static int draw_texture(struct scene *scene, uint32_t index)
{
    const struct tessera_blit corner = {.target = TARGET_SLOT,
                                        .source = SOURCE_SLOT,
                                        .mode = BLIT_BLEND,
                                        .target_x = index,
                                        .target_y = 3,
                                        .width = 21,
                                        .height = 11,
                                        .value = 200};
    const struct tessera_blit whole = {.target = TARGET_SLOT,
                                       .source = SOURCE_SLOT,
                                       .mode = index % 2u == 0 ? BLIT_COPY : BLIT_BLEND,
                                       .target_x = index * 7u % (SCENE_WIDTH - TEXTURE_SIDE),
                                       .target_y = index * 11u % (SCENE_HEIGHT - TEXTURE_SIDE),
                                       .width = TEXTURE_SIDE,
                                       .height = TEXTURE_SIDE,
                                       .value = 224};
    int status = bind_texture(scene, TARGET_SLOT, index);
    if (status == TESSERA_OK) status = bind_texture(scene, SOURCE_SLOT, index + 3u);
    if (status == TESSERA_OK) status = tessera_stream_blit(scene->stream, &corner);
    if (status == TESSERA_OK) status = bind_target(scene);
    if (status == TESSERA_OK) status = bind_texture(scene, SOURCE_SLOT, index);
    return status == TESSERA_OK ? tessera_stream_blit(scene->stream, &whole) : status;
}

static int draw(struct scene *scene)
{
    tessera_ticket ticket = 0;
    int status = bind_target(scene);
    if (status == TESSERA_OK)
        status = tessera_stream_fill_rect(scene->stream, TARGET_SLOT, 0, 0, SCENE_WIDTH, SCENE_HEIGHT, 0x18e3);
    for (uint32_t i = 0; i < TEXTURES && status == TESSERA_OK; i++) status = draw_texture(scene, i);
    if (status == TESSERA_OK) status = tessera_submit(scene->gpu, scene->context, scene->stream, 0, &ticket);
    return status == TESSERA_OK ? tessera_wait(scene->gpu, ticket, NULL) : status;
}

int scene_draw(struct tessera *gpu, uint8_t pixels[SCENE_BYTES], uint32_t *evictions)
{
    struct scene scene = {.gpu = gpu};
    uint32_t before = 0, after = 0;
    memset(pixels, 0, SCENE_BYTES);
    int status = evictions_until_now(gpu, &before);
    if (status == TESSERA_OK) status = create(&scene);
    if (status == TESSERA_OK) status = draw(&scene);
    if (status == TESSERA_OK) status = tessera_read(gpu, scene.target, 0, pixels, SCENE_BYTES);
    if (status == TESSERA_OK) status = evictions_until_now(gpu, &after);
    destroy(&scene);
    *evictions = after - before;
    return status;
}
