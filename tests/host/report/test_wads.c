/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what the scene makes of any game data, and of damaged ones, is what it was. Method: WAD files are made up:
 * pictures of many sizes, opaque and with holes, tall and in several posts; some lack pictures that the scene can do
 * without or cannot, some have bytes changed or end early. The textures, the draws and the pixels of their frames, and
 * what is said of those that are refused, are held in sums (tests/host/report/written).
 *   test_wads FOLDER SUMS
 */
#include <inttypes.h>
#include <stdlib.h>

#include "held.h"
#include "tools/scene/scene.h"
#include "tools/scene/wad.h"

enum { WADS = 40, LUMPS = 400, BYTES = 4 << 20 };

static uint8_t wad[BYTES], directory[LUMPS * 16];
static uint32_t used, lumps, textures, draws, refusals, made;

/* ------------------------------------------------------------------ a WAD */

static void put(uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) wad[used++] = (uint8_t)(value >> 8 * i);
}

static void enter(const char *name, uint32_t from)
{
    uint8_t *entry = directory + 16 * lumps++;
    memset(entry, 0, 16);
    for (uint32_t i = 0; i < 4; i++) {
        entry[i] = (uint8_t)(from >> 8 * i);
        entry[4 + i] = (uint8_t)((used - from) >> 8 * i);
    }
    for (uint32_t i = 0; i < 8 && name[i] != 0; i++) entry[8 + i] = (uint8_t)name[i];
}

/* Columns of posts; with holes between them, or without. */
static void patch(const char *name, uint32_t width, uint32_t height, bool has_holes)
{
    uint32_t from = used, table = used + 8;
    put(width, 2), put(height, 2), put(pick(99), 2), put(pick(99), 2);
    used += 4 * width;
    for (uint32_t x = 0; x < width; x++) {
        uint32_t column = used, top = 0, last = 0;
        bool is_first = true;
        while (top < height) {
            uint32_t length = height - top < 100 ? height - top : 100,
                     gap = has_holes && pick(3) == 0 ? 1 + pick(9) : 0;
            if (has_holes && length > 9) length = 1 + pick(length);
            put(is_first || top <= 254 ? top : top - last, 1), put(length, 1), put(0, 1);
            for (uint32_t i = 0; i < length; i++) put(pick(9) * 7 + x, 1);
            put(0, 1);
            last = top;
            top += length + gap;
            is_first = false;
        }
        put(255, 1);
        uint32_t end = used;
        used = table + 4 * x;
        put(column - from, 4);
        used = end;
    }
    enter(name, from);
}

static void flat(const char *name, uint32_t bytes)
{
    uint32_t from = used;
    for (uint32_t i = 0; i < bytes; i++) put(pick(9) * 20, 1);
    enter(name, from);
}

/* A sprite or a letter that may be missing. */
static void sprite(const char *name, uint32_t rare)
{
    if (rare == 0 || pick(rare) != 0) patch(name, 1 + pick(40), 1 + pick(60), true);
}

static void make_wad(uint32_t number)
{
    static const char *const actors[] = {"POSS", "TROO", "SPOS", "SARG", "BOSS", "PLAY", "TRED", "TGRN", "TBLU"};
    const uint32_t rare = number % 4 == 0 ? 0 : 2 + pick(9), walls = 30 + pick(60);
    char name[20];
    used = 12, lumps = 0;
    if (number % 7 == 2) patch("TITLEPIC", 320, 200, false); /* the very first */
    if (number % 13 != 5) flat("PLAYPAL", number % 13 == 6 ? 767 : 768);
    if (number % 13 != 7 && number % 7 != 2)
        patch("TITLEPIC", pick(2) != 0 ? 320 : 200 + pick(200), 100 + pick(120), false);
    if (number % 13 != 8) patch("STBAR", 320, 32, false);
    sprite("M_DOOM", rare);
    for (uint32_t i = 0; i < 36; i++) {
        snprintf(name, sizeof name, "%s%c%c%s", actors[i / 4], (int)('A' + i % 4), i < 24 ? '3' : '0',
                 pick(2) != 0 ? "C7" : "");
        sprite(name, rare);
    }
    for (uint32_t i = 0; i < 63 + 10; i++) {
        snprintf(name, sizeof name, i < 63 ? "STCFN%03" PRIu32 : "STTNUM%" PRIu32, i < 63 ? 33 + i : i - 63);
        sprite(name, rare);
    }
    enter("F_START", used);
    for (uint32_t i = 0; i < 12; i++) flat("FLAT", pick(5) != 0 ? 4096 : 4095 + pick(3));
    enter("F_END", used);
    enter("P_START", used);
    for (uint32_t i = 0; i < walls; i++) {
        static const uint32_t sides[] = {31, 32, 64, 64, 128, 128, 256};
        snprintf(name, sizeof name, "WALL%" PRIu32, i);
        patch(name, sides[pick(7)], pick(20) == 0 ? 300 : sides[pick(6)], pick(12) == 0);
    }
    enter("P_END", used);
    uint32_t at = used;
    memcpy(wad + used, directory, 16 * lumps);
    used += 16 * lumps;
    memcpy(wad, number % 2 != 0 ? "IWAD" : "PWAD", 4);
    for (uint32_t i = 0; i < 4; i++) wad[4 + i] = (uint8_t)(lumps >> 8 * i), wad[8 + i] = (uint8_t)(at >> 8 * i);
    if (number % 10 == 9)
        for (uint32_t i = 0; i < 60; i++) wad[12 + pick(used - 12)] ^= (uint8_t)(1u << pick(8));
    if (number % 20 == 3) used -= 1 + pick(40);
    if (number % 20 == 13) wad[1] = 'X';
}

/* ------------------------------------------------------------------ what becomes of it */

static void add(uint32_t *sum, const void *data, size_t bytes) { *sum = (uint32_t)crc32(*sum, data, (uInt)bytes); }

static void take_frame(const struct scene *scene, uint32_t number)
{
    static struct scene_frame frame;
    static uint8_t pixels[SCENE_FRAME_BYTES];
    scene->frame(scene, number, &frame);
    const uint32_t words[] = {frame.buffer_count, (uint32_t)scene_frame_footprint(scene, number)};
    add(&draws, words, sizeof words);
    for (uint32_t i = 0; i < frame.buffer_count; i++) {
        add(&draws, &frame.buffer[i].count, sizeof frame.buffer[i].count);
        for (uint32_t k = 0; k < frame.buffer[i].count; k++) {
            const struct scene_draw *draw = &frame.buffer[i].draws[k];
            const uint32_t numbers[] = {
                draw->texture,  draw->mode,  draw->target_x, draw->target_y, draw->source_x,
                draw->source_y, draw->width, draw->height,   draw->value,    draw->is_premultiplied};
            add(&draws, numbers, sizeof numbers);
        }
    }
    memset(pixels, 0, sizeof pixels);
    scene_reference(scene, &frame, pixels);
    add(&draws, pixels, sizeof pixels);
}

static void take(uint32_t number)
{
    struct scene scene;
    char path[600], message[256] = "";
    const uint32_t variety = number % 9 == 0 ? 60 + pick(30) : 1 + pick(40), footprint = pick(3) * 60000;
    snprintf(path, sizeof path, "%s/made.wad", folder);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(wad, 1, used, file) != used || fclose(file) != 0) exit(2);
    int status = scene_freedoom(&scene, path, number, footprint, variety, message);
    if (status != 0) {
        const char *said = strstr(message, "made.wad");
        add(&refusals, said != NULL ? said : message, strlen(said != NULL ? said : message));
        return;
    }
    made++;
    for (uint32_t i = 0; i < scene.texture_count; i++) {
        const struct scene_texture *texture = &scene.textures[i];
        const uint32_t words[] = {texture->format, texture->width, texture->height, texture->pitch};
        add(&textures, texture->name, strlen(texture->name));
        add(&textures, words, sizeof words);
        add(&textures, texture->data, texture->pitch * texture->height);
    }
    for (uint32_t i = 0; i < 3; i++) take_frame(&scene, i == 2 ? 900 + pick(300) : pick(90));
    scene.destroy(&scene);
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_wads FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    for (uint32_t number = 0; number < WADS; number++) {
        make_wad(number);
        take(number);
    }
    hold("wads-textures", textures);
    hold("wads-draws", draws);
    hold("wads-refusals", refusals);
    if (made > WADS / 3 && made < WADS - 4) passed++;
    else failed++, printf("FAILED: %" PRIu32 " of %d WAD files make a scene\n", made, WADS);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
