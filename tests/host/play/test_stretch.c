/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a picture scaled by a bilinear BLIT_AFFINE with the map of tessera_affine_fit is what SDL's linear stretch
 * makes of it, bit for bit. Method: random pictures and sizes, larger and smaller on either axis, drawn by the golden
 * model and by SDL_SoftStretchLinear.
 */
#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_model.h"
#include "gpu_spec.h"
#include "lib/tessera_internal.h"
#include "tessera_stream.h"

enum { SIDE = 64, PITCH = 4 * SIDE, BYTES = SIDE * PITCH, PICTURES = 400 };

static uint8_t from[BYTES], to[BYTES], expected[BYTES];

static uint32_t pick(uint32_t limit)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static uint32_t bind(uint32_t *words, uint32_t slot, uint32_t address)
{
    words[0] = PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT);
    words[PKT_BIND_ADDRESS_WORD] = address;
    words[PKT_BIND_PITCH_WORD] = PITCH;
    words[PKT_BIND_BYTES_WORD] = BYTES;
    return PKT_BIND_WORDS;
}

static uint32_t draw(const struct tessera_affine *affine)
{
    static struct engine_model engine;
    static uint32_t command[64];
    engine = (struct engine_model){.segment1 = from, .segment2 = to, .segment1_bytes = BYTES, .segment2_bytes = BYTES};
    engine.command = command, engine.command_bytes = sizeof command;
    uint32_t count = bind(command, 0, GPU_LIMIT(ADDR_SEGMENT1));
    count += bind(command + count, 1, GPU_LIMIT(ADDR_SEGMENT2));
    struct tessera_allocation place = {.bytes = BYTES};
    struct tessera_stream *stream = tessera_stream_create();
    (void)tessera_stream_bind(stream, 0, &(struct tessera_surface){.allocation = &place});
    (void)tessera_stream_bind(stream, 1, &(struct tessera_surface){.allocation = &place, .is_target = true});
    const uint32_t before = tessera_stream_bytes(stream) / 4u;
    if (tessera_stream_blit_affine(stream, affine) != TESSERA_OK) abort();
    memcpy(command + count, stream_view(stream).words + before, 4u * PKT_BLIT_AFFINE_WORDS);
    tessera_stream_destroy(stream);
    return engine_model_run(&engine, 0, 0, 4u * (count + PKT_BLIT_AFFINE_WORDS), true);
}

int main(void)
{
    unsigned passed = 0, differ = 0;
    for (unsigned n = 0; n < PICTURES; n++) {
        struct tessera_affine affine = {.blit = {.source = 0, .target = 1, .mode = BLIT_COPY}, .is_filtered = true};
        affine.source_width = 2u + pick(SIDE - 1u), affine.source_height = 2u + pick(SIDE - 1u);
        affine.blit.width = 1u + pick(SIDE), affine.blit.height = 1u + pick(SIDE);
        for (uint32_t i = 0; i < BYTES; i++) from[i] = (uint8_t)pick(256), to[i] = expected[i] = 0x55;
        tessera_affine_fit(&affine, 0, false);
        SDL_Surface *source =
            SDL_CreateRGBSurfaceFrom(from, SIDE, SIDE, 32, PITCH, 0xff0000, 0xff00, 0xff, 0xff000000u);
        SDL_Surface *target =
            SDL_CreateRGBSurfaceFrom(expected, SIDE, SIDE, 32, PITCH, 0xff0000, 0xff00, 0xff, 0xff000000u);
        const SDL_Rect part = {0, 0, (int)affine.source_width, (int)affine.source_height};
        const SDL_Rect whole = {0, 0, (int)affine.blit.width, (int)affine.blit.height};
        const bool is_stretched = SDL_SoftStretchLinear(source, &part, target, &whole) == 0;
        SDL_FreeSurface(source);
        SDL_FreeSurface(target);
        if (is_stretched && draw(&affine) == FAULT_NONE && memcmp(to, expected, BYTES) == 0) passed++;
        else
            printf("%u x %u to %u x %u differ\n", affine.source_width, affine.source_height, affine.blit.width,
                   affine.blit.height);
        differ += memcmp(to, from, BYTES) != 0;
    }
    printf("%u passed, %u failed\n", passed, PICTURES - passed);
    return passed != PICTURES || differ == 0;
}
