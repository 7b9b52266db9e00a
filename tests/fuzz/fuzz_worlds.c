/* SPDX-License-Identifier: Apache-2.0
 *
 * Hostile worlds on the golden model, as a target (fuzz.h).
 */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "world.h"
#include "world_model.h"

void fuzz_one(const uint8_t *bytes, size_t count) { world_model_run(bytes, count); }
void fuzz_name(const char *name) { world_is_called(name); }

void fuzz_shape(size_t *header, size_t *record)
{
    *header = WORLD_HEADER_BYTES;
    *record = WORLD_STEP_BYTES;
}

static uint32_t next_word(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

enum { TIME, CONTEXT = 2, ALLOCATION = 3, PACKET = 5, SUBMIT = 8, MESSAGE = 10, SPOIL = 13, READ = 14 };

static void put_step(uint8_t *bytes, size_t room, size_t *count, uint32_t what, uint32_t *state)
{
    if (*count + WORLD_STEP_BYTES > room) return;
    const bool has_clients = (bytes[WORLD_HEADER_BYTES - 1u] & 3u) == 3u;
    bytes[*count] = (uint8_t)(what | (has_clients ? next_word(state) >> 8 & 0xf0u : 0u));
    for (size_t i = 1; i < WORLD_STEP_BYTES; i++) bytes[*count + i] = (uint8_t)(next_word(state) >> 11);
    *count += WORLD_STEP_BYTES;
}

/* A message of the display's, mostly its owner's, every other one a FLIP; or the mode that lets it show something. */
static void put_display(uint8_t *bytes, size_t room, size_t *count, bool is_mode, uint32_t *state)
{
    enum { DISPLAY = 0xc0, SET_MODE = 2, FLIP = 4 };
    const uint32_t pick = next_word(state) >> 8;
    if (*count + WORLD_STEP_BYTES > room) return;
    put_step(bytes, room, count, MESSAGE, state);
    uint8_t *step = bytes + *count - WORLD_STEP_BYTES;
    if ((pick & 0x70u) != 0u) step[0] = MESSAGE;
    step[1] = (uint8_t)(DISPLAY | (is_mode ? SET_MODE : (pick & 8u) != 0u ? FLIP : pick & 7u));
    if (is_mode) step[2] = 0;
}

/* Messages of every kind, a word of most of them spoiled. */
static size_t invent_spoiled(uint8_t *bytes, size_t room, size_t count, bool has_display, uint32_t *state)
{
    if (next_word(state) >> 8 & 1u) bytes[13] = 0x0f; /* there is less memory than the host says */
    for (uint32_t rounds = 60; rounds > 0u; rounds--) {
        const uint32_t kind = next_word(state) >> 8 & 7u;
        for (uint32_t i = next_word(state) >> 8 & 3u; kind == 0u && i > 0u; i--)
            put_step(bytes, room, &count, PACKET, state);
        if ((next_word(state) >> 8 & 3u) != 0u) put_step(bytes, room, &count, SPOIL, state);
        if ((next_word(state) >> 8 & 15u) == 0u) put_step(bytes, room, &count, READ, state);
        const uint32_t what = kind == 0u ? SUBMIT : kind < 4u ? ALLOCATION : kind == 4u ? CONTEXT : MESSAGE;
        if (has_display && what == MESSAGE) put_display(bytes, room, &count, false, state);
        else put_step(bytes, room, &count, what, state);
        if ((next_word(state) >> 8 & 3u) == 0u) put_step(bytes, room, &count, TIME, state);
    }
    return count;
}

/* Half of the headers are plain. A world begins with contexts and allocations, or little would be reached; then come
 * streams of some packets, and between them whatever else there is. */
size_t fuzz_invent(uint8_t *bytes, size_t room, uint32_t seed)
{
    uint32_t state = seed | 1u;
    size_t count = WORLD_HEADER_BYTES;
    for (size_t i = 0; i < 8u; i++) next_word(&state);
    for (size_t i = 0; i < WORLD_HEADER_BYTES; i++) bytes[i] = (uint8_t)(next_word(&state) >> 11);
    if (next_word(&state) >> 8 & 1u) memset(bytes + 3, 0, WORLD_HEADER_BYTES - 4u); /* the last says: with clients */
    const uint32_t hostility = next_word(&state) >> 8 & 3u;
    put_step(bytes, room, &count, CONTEXT, &state);
    put_step(bytes, room, &count, CONTEXT, &state);
    for (uint32_t i = 3u + (next_word(&state) >> 8) % 16u; i > 0u; i--) {
        put_step(bytes, room, &count, ALLOCATION, &state);
        bytes[count - WORLD_STEP_BYTES + 1u] = (uint8_t)i;
    }
    const bool has_display = (next_word(&state) >> 8 & 1u) != 0u;
    if (has_display) bytes[5] = (uint8_t)(1u + (next_word(&state) >> 8) % 5u); /* rings of 4 to 64: world_model.c */
    if (has_display) put_display(bytes, room, &count, true, &state);
    put_step(bytes, room, &count, TIME, &state);
    if (next_word(&state) >> 8 & 1u) return invent_spoiled(bytes, room, count, has_display, &state);
    for (uint32_t rounds = (next_word(&state) >> 8) % 24u; rounds > 0u; rounds--) {
        for (uint32_t i = (next_word(&state) >> 8) % 12u; i > 0u; i--) put_step(bytes, room, &count, PACKET, &state);
        if ((next_word(&state) >> 8 & 7u) < hostility)
            put_step(bytes, room, &count, next_word(&state) >> 8 & 15u, &state);
        put_step(bytes, room, &count, SUBMIT, &state);
        bytes[count - WORLD_STEP_BYTES + 3u] &= 0x6fu;
        if (has_display) put_display(bytes, room, &count, false, &state);
        for (uint32_t i = (next_word(&state) >> 8) % (1u + hostility); i > 0u; i--)
            put_step(bytes, room, &count, next_word(&state) >> 8 & 15u, &state);
    }
    return count;
}
