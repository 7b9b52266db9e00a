/* SPDX-License-Identifier: Apache-2.0
 *
 * The families: a builder that writes text, and a function per family.
 */
#include "families.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const family_names[FAMILY_COUNT] = {"streaming", "composition", "multipass",
                                                "pingpong",  "mixed",       "pathological"};

enum { LOCAL_PAGES = 256, NOTHING = -1, SLOTS_MAX = 16, ALLOCATIONS_MAX = 512, TEXT_BYTES = 1 << 17 };

struct builder {
    char *allocs, *buffers; /* two texts that grow side by side */
    size_t allocs_length, buffers_length;
    uint32_t random;
    int count;
    uint32_t offset, time_count;
    char *times;
    size_t times_length;
    bool has_patch, has_buffer;
    uint32_t slots;
};

static uint32_t below(struct builder *b, uint32_t limit)
{
    b->random ^= b->random << 13;
    b->random ^= b->random >> 17;
    b->random ^= b->random << 5;
    return (b->random >> 3) % limit;
}

static uint32_t between(struct builder *b, uint32_t low, uint32_t high) { return low + below(b, high - low + 1u); }
static bool chance(struct builder *b, uint32_t percent) { return below(b, 100) < percent; }

static void print(char *text, size_t *length, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void print(char *text, size_t *length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text + *length, TEXT_BYTES - *length, format, arguments);
    va_end(arguments);
    if (written < 0 || (size_t)written >= TEXT_BYTES - *length) abort(); /* a test that asks for too much */
    *length += (size_t)written;
}

static int alloc_with(struct builder *b, uint32_t pages, const char *rest)
{
    print(b->allocs, &b->allocs_length, "%s{\"size\":%u%s}", b->count > 0 ? "," : "", pages * 4096u, rest);
    return b->count++;
}

static int alloc(struct builder *b, uint32_t pages, bool is_undefined)
{
    return alloc_with(b, pages, is_undefined ? ",\"init\":\"undef\"" : "");
}

static void begin(struct builder *b)
{
    print(b->buffers, &b->buffers_length, "%s{\"patches\":[", b->has_buffer ? "," : "");
    b->has_buffer = true;
    b->has_patch = false;
    b->offset = 0;
    b->times_length = 0;
    b->times[0] = 0;
}

static void bind(struct builder *b, int slot, int allocation, bool is_written)
{
    char name[16] = "null";
    if (allocation != NOTHING) snprintf(name, sizeof name, "%d", allocation);
    print(b->buffers, &b->buffers_length, "%s[%d,%s,%u,%d]", b->has_patch ? "," : "", slot, name, b->offset,
          is_written);
    b->has_patch = true;
}

/* End of a group: the step takes `time`. */
static void step(struct builder *b, uint32_t time)
{
    print(b->times, &b->times_length, "%s%u", b->times_length > 0 ? "," : "", time);
    b->offset += 64;
}

static void end(struct builder *b)
{
    print(b->buffers, &b->buffers_length, "],\"len\":%u,\"times\":[%s]}", b->offset + 16u, b->times);
}

static void shuffle(struct builder *b, int *items, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = below(b, i);
        int item = items[i - 1];
        items[i - 1] = items[other];
        items[other] = item;
    }
}

/* ------------------------------------------------------------------ families */

static void streaming(struct builder *b, uint32_t frames)
{
    int target = alloc(b, 38, true), depth = alloc(b, 19, true), atlas = alloc(b, 16, false);
    int textures[60], vertices[60];
    uint32_t position = 0;
    b->slots = 8;
    for (int i = 0; i < 60; i++) {
        textures[i] = alloc(b, 2u << below(b, 5), false);
        vertices[i] = alloc(b, between(b, 1, 2), false);
    }
    for (uint32_t f = 0; f < frames; f++, position += below(b, 4)) {
        int seen[18];
        for (uint32_t i = 0; i < 18; i++) seen[i] = (int)((position + i) % 60u);
        shuffle(b, seen, 18);
        begin(b);
        bind(b, 0, target, true);
        bind(b, 1, depth, true);
        bind(b, 2, atlas, false);
        step(b, 30);
        for (uint32_t i = 0; i < 18; i++) {
            bind(b, 3, textures[seen[i]], false);
            bind(b, 4, vertices[seen[i]], false);
            step(b, between(b, 8, 40));
        }
        for (int slot = 2; slot <= 4; slot++) bind(b, slot, NOTHING, false);
        step(b, 4);
        end(b);
    }
}

static void composition(struct builder *b, uint32_t frames)
{
    int tiles[24], windows[12], glyphs[3];
    b->slots = 6;
    for (int i = 0; i < 24; i++) tiles[i] = alloc(b, 4, true);
    for (int i = 0; i < 12; i++) windows[i] = alloc(b, between(b, 4, 44), false);
    for (int i = 0; i < 3; i++) glyphs[i] = alloc(b, 8, false);
    for (uint32_t f = 0; f < frames; f++) {
        bool is_full = f % 4u == 3u;
        int first = (int)below(b, 10);
        begin(b);
        for (int w = is_full ? 0 : first; w < (is_full ? 12 : first + 3); w++) {
            bind(b, 1, windows[w], true);
            bind(b, 2, glyphs[below(b, 3)], false);
            step(b, between(b, 4, 16));
        }
        bind(b, 1, NOTHING, false);
        bind(b, 2, NOTHING, false);
        step(b, 1);
        for (int t = 0; t < 24; t++) {
            if (!is_full && chance(b, 60)) continue;
            uint32_t depth = between(b, 1, 3);
            bind(b, 0, tiles[t], true);
            for (uint32_t k = 0; k < 3; k++)
                bind(b, 3 + (int)k, k < depth ? windows[((uint32_t)t + 5u * k) % 12u] : NOTHING, false);
            step(b, between(b, 3, 9));
        }
        end(b);
    }
}

static void multipass(struct builder *b, uint32_t frames)
{
    int shadow = alloc(b, 32, true), gbuffer[3], depth = alloc(b, 16, true), light = alloc(b, 62, true);
    int chain[3], back = alloc(b, 16, true), materials[16], meshes[16];
    b->slots = 10;
    for (int i = 0; i < 3; i++) gbuffer[i] = alloc(b, 31, true);
    for (uint32_t i = 0; i < 3; i++) chain[i] = alloc(b, 16u >> i, true);
    for (int i = 0; i < 16; i++) {
        materials[i] = alloc(b, 4u << below(b, 3), false);
        meshes[i] = alloc(b, between(b, 1, 3), false);
    }
    for (uint32_t f = 0; f < frames; f++) {
        int order[16];
        for (int i = 0; i < 16; i++) order[i] = i;
        shuffle(b, order, 16);
        begin(b);
        bind(b, 0, shadow, true);
        step(b, 5);
        for (int i = 0; i < 9; i++) {
            bind(b, 4, meshes[order[i]], false);
            step(b, between(b, 3, 12));
        }
        for (int i = 0; i < 3; i++) bind(b, i, gbuffer[i], true);
        bind(b, 3, depth, true);
        bind(b, 4, NOTHING, false);
        step(b, 10);
        for (int i = 0; i < 16; i++) {
            bind(b, 4, meshes[order[i]], false);
            bind(b, 5, materials[order[i]], false);
            step(b, between(b, 8, 40));
        }
        end(b);
        begin(b);
        bind(b, 0, light, true);
        for (int i = 0; i < 3; i++) bind(b, 5 + i, gbuffer[i], false);
        bind(b, 8, depth, false);
        bind(b, 9, shadow, false);
        step(b, 120);
        for (int i = 5; i <= 9; i++) bind(b, i, NOTHING, false);
        step(b, 1);
        int source = light;
        for (int i = 0; i < 3; i++) {
            bind(b, 0, chain[i], true);
            bind(b, 5, source, false);
            step(b, 20);
            source = chain[i];
        }
        bind(b, 0, back, true);
        bind(b, 5, source, false);
        bind(b, 6, light, false);
        step(b, 60);
        end(b);
    }
}

static void pingpong(struct builder *b, uint32_t frames)
{
    enum { BLOCKS = 20 };
    int side[2][BLOCKS], coefficients = alloc(b, 8, false);
    b->slots = 6;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < BLOCKS; i++) side[s][i] = alloc(b, 12, false);
    for (uint32_t f = 0; f < frames; f++) {
        const int *source = side[f % 2u], *target = side[1u - f % 2u];
        begin(b);
        bind(b, 0, coefficients, false);
        step(b, 2);
        for (int i = 0; i < BLOCKS; i++) {
            bind(b, 1, i > 0 ? source[i - 1] : NOTHING, false);
            bind(b, 2, source[i], false);
            bind(b, 3, i + 1 < BLOCKS ? source[i + 1] : NOTHING, false);
            bind(b, 4, target[i], true);
            step(b, between(b, 80, 160));
        }
        end(b);
    }
}

static void mixed(struct builder *b, uint32_t frames)
{
    int pool[80], big[3], target = alloc(b, 31, true);
    b->slots = 12;
    for (int i = 0; i < 80; i++) pool[i] = alloc(b, 1u + below(b, 1u << between(b, 0, 5)), false);
    for (int i = 0; i < 3; i++) big[i] = alloc(b, between(b, 28, 60), false);
    for (uint32_t f = 0; f < frames; f++) {
        begin(b);
        bind(b, 0, target, true);
        step(b, 6);
        uint32_t draws = between(b, 12, 24);
        for (uint32_t d = 0; d < draws; d++) {
            bind(b, 2, pool[below(b, 80)], chance(b, 12));
            for (int slot = 3; slot <= 5; slot++)
                if (chance(b, 40)) bind(b, slot, pool[below(b, 80)], chance(b, 12));
            if (chance(b, 12)) bind(b, 8, big[below(b, 3)], false);
            else if (chance(b, 40)) bind(b, 8, NOTHING, false);
            step(b, between(b, 4, 60));
        }
        end(b);
    }
}

static void pathological(struct builder *b, uint32_t rounds)
{
    int ring[36], whale = alloc(b, 72, false), other[8], scratch = alloc(b, 24, true);
    b->slots = 4;
    for (int i = 0; i < 36; i++) ring[i] = alloc(b, 8, false);
    for (int i = 0; i < 8; i++) other[i] = alloc(b, 16, false);
    for (uint32_t k = 0; k < rounds; k++) {
        begin(b);
        for (int i = 0; i < 36; i++) {
            bind(b, 0, ring[i], false);
            if (i % 9 == 0) bind(b, 1, scratch, true);
            step(b, between(b, 10, 20));
        }
        bind(b, 0, NOTHING, false);
        step(b, 1);
        if (k % 4u == 3u) {
            bind(b, 2, whale, false);
            step(b, 60);
        }
        end(b);
        begin(b);
        for (int i = 0; i < 8; i++) {
            bind(b, 0, other[i], chance(b, 50));
            step(b, between(b, 10, 30));
        }
        end(b);
    }
}

/* ------------------------------------------------------------------ random ones */

struct invention {
    uint32_t segment_pages[3], segment_count, resident[3];
    uint32_t pages[ALLOCATIONS_MAX], segment[ALLOCATIONS_MAX];
    int table[SLOTS_MAX];
};

/* Would slot := allocation leave a step that fits? */
static bool fits(const struct invention *one, uint32_t slot, int allocation)
{
    uint32_t used[3] = {0};
    for (uint32_t s = 0; s < SLOTS_MAX; s++) {
        int bound = s == slot ? allocation : one->table[s];
        bool is_counted = bound == NOTHING;
        for (uint32_t before = 0; before < s; before++)
            is_counted |= (before == slot ? allocation : one->table[before]) == bound;
        if (!is_counted) used[one->segment[bound]] += one->pages[bound];
    }
    for (uint32_t s = 0; s < one->segment_count; s++)
        if (used[s] > one->segment_pages[s]) return false;
    return true;
}

static void invent_allocation(struct builder *b, struct invention *one)
{
    char rest[96];
    uint32_t s = below(b, one->segment_count), pages = between(b, 1, one->segment_pages[s] / 2u + 1u);
    static const char *const inits[] = {"backing", "undef", "backing", "resident"};
    const char *init = inits[below(b, 4)];
    if (init[0] == 'r' && one->resident[s] + pages > one->segment_pages[s]) init = "backing";
    if (init[0] == 'r') one->resident[s] += pages;
    snprintf(rest, sizeof rest, ",\"seg\":%u,\"init\":\"%s\",\"align\":%u%s", s, init, 4096u,
             chance(b, 20) ? ",\"temp\":true" : "");
    one->pages[b->count] = pages;
    one->segment[b->count] = s;
    (void)alloc_with(b, pages, rest);
}

static void invent_buffer(struct builder *b, struct invention *one, uint32_t allocations)
{
    uint32_t steps = between(b, 1, 9);
    for (uint32_t s = 0; s < SLOTS_MAX; s++) one->table[s] = NOTHING;
    begin(b);
    b->offset = chance(b, 30) ? 32 : 0;
    for (uint32_t t = 0; t < steps; t++) {
        uint32_t entries = between(b, 1, 4);
        for (uint32_t i = 0; i < entries; i++) {
            uint32_t slot = below(b, b->slots);
            int allocation = chance(b, 20) ? NOTHING : (int)below(b, allocations);
            if (!fits(one, slot, allocation)) allocation = NOTHING;
            one->table[slot] = allocation;
            bind(b, (int)slot, allocation, chance(b, 35));
        }
        step(b, between(b, 0, 9));
    }
    end(b);
}

/* ------------------------------------------------------------------ public */

static struct builder builder(uint32_t seed)
{
    struct builder b = {.random = seed * 2654435761u | 1u};
    b.allocs = malloc(TEXT_BYTES);
    b.buffers = malloc(TEXT_BYTES);
    b.times = malloc(TEXT_BYTES);
    if (b.allocs == NULL || b.buffers == NULL || b.times == NULL) abort();
    b.allocs[0] = b.buffers[0] = b.times[0] = 0;
    for (int i = 0; i < 8; i++) (void)below(&b, 2);
    return b;
}

static char *finish(struct builder *b, const char *name, uint32_t seed, const char *segments)
{
    size_t length = 0;
    char *text = malloc(2 * TEXT_BYTES + 1024);
    if (text != NULL) {
        length = (size_t)snprintf(text, 1024,
                                  "{\"format\":\"pagesim-1\",\"name\":\"%s-%u\",\"page\":4096,\"slots\":%u,"
                                  "\"segments\":[%s],\"allocs\":[",
                                  name, seed, b->slots, segments);
        memcpy(text + length, b->allocs, b->allocs_length);
        length += b->allocs_length;
        length += (size_t)sprintf(text + length, "],\"buffers\":[");
        memcpy(text + length, b->buffers, b->buffers_length);
        length += b->buffers_length;
        (void)sprintf(text + length, "]}\n");
    }
    free(b->allocs);
    free(b->buffers);
    free(b->times);
    return text;
}

char *family_text(enum family family, uint32_t seed, uint32_t frames)
{
    static void (*const makers[FAMILY_COUNT])(struct builder *, uint32_t) = {streaming, composition, multipass,
                                                                             pingpong,  mixed,       pathological};
    struct builder b = builder(seed * 16u + (uint32_t)family);
    char segments[64];
    makers[family](&b, frames);
    snprintf(segments, sizeof segments, "{\"kind\":\"local\",\"size\":%u}", LOCAL_PAGES * 4096u);
    return finish(&b, family_names[family], seed, segments);
}

char *random_text(uint32_t seed)
{
    struct builder b = builder(seed ^ 0x5eed0000u);
    struct invention one = {.segment_count = 0};
    char segments[256];
    size_t length = 0;
    uint32_t memories = between(&b, 1, 2);
    bool has_aperture = chance(&b, 40);
    for (uint32_t i = 0; i < memories + (has_aperture ? 1u : 0u); i++) {
        one.segment_pages[i] = between(&b, 4, 12);
        length +=
            (size_t)snprintf(segments + length, sizeof segments - length, "%s{\"kind\":\"%s\",\"size\":%u}",
                             i > 0 ? "," : "", i == memories ? "aperture" : "local", one.segment_pages[i] * 4096u);
        one.segment_count++;
    }
    uint32_t allocations = between(&b, 3, 9), buffers = between(&b, 1, 4);
    b.slots = between(&b, 2, 6);
    for (uint32_t i = 0; i < allocations; i++) invent_allocation(&b, &one);
    for (uint32_t i = 0; i < buffers; i++) invent_buffer(&b, &one, allocations);
    return finish(&b, "random", seed, segments);
}
