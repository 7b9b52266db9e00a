/* SPDX-License-Identifier: Apache-2.0
 *
 * See events.h.
 */
#include "record/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/surface.h"

enum { EVENT_LIMIT = 256, ITEM_BYTES = 64, BUTTON_LEFT = 1 };

struct key {
    const char *name;
    int symbol1, symbol2, scancode2;
};
static const struct key keys[] = {{"return", 13, 13, 40},        {"escape", 27, 27, 41},
                                  {"space", 32, 32, 44},         {"up", 273, 0x40000052, 82},
                                  {"down", 274, 0x40000051, 81}, {"right", 275, 0x4000004f, 79},
                                  {"left", 276, 0x40000050, 80}};

static struct item {
    uint32_t frame, held;
    bool is_click, is_held;
    struct key key;
    int x, y;
} items[EVENT_LIMIT];
static unsigned item_count;
static struct {
    bool is_moved, is_down;
    int x, y;
} mouse;

/* ------------------------------------------------------------------ reading the list */

static bool find_key(const char *name, struct key *key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(name, keys[i].name) == 0) {
            *key = keys[i];
            return true;
        }
    }
    bool is_letter = name[0] >= 'a' && name[0] <= 'z', is_digit = name[0] >= '0' && name[0] <= '9';
    if ((!is_letter && !is_digit) || name[1] != 0) return false;
    *key = (struct key){name, name[0], name[0],
                        is_letter        ? name[0] - 'a' + 4
                        : name[0] == '0' ? 39
                                         : name[0] - '1' + 30};
    return true;
}

static bool parse_item(const char *text, struct item *item)
{
    char name[16];
    int used = 0;
    memset(item, 0, sizeof *item);
    item->held = 2;
    if (sscanf(text, "%u:click=%d,%d%n", &item->frame, &item->x, &item->y, &used) == 3 && text[used] == 0) {
        item->is_click = true;
        return true;
    }
    int fields = sscanf(text, "%u:%15[^:]%n:%u%n", &item->frame, name, &used, &item->held, &used);
    return fields >= 2 && text[used] == 0 && item->held != 0 && find_key(name, &item->key);
}

bool events_parse(const char *text)
{
    char item[ITEM_BYTES];
    int used = 0;
    for (; text != NULL && sscanf(text, " %63s%n", item, &used) == 1; text += used) {
        if (item_count == EVENT_LIMIT || !parse_item(item, &items[item_count++])) {
            fprintf(stderr, "tessera-record: event '%s': write FRAME:KEY[:FRAMES] or FRAME:click=X,Y, at most 256.\n",
                    item);
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ sending */

static void push(void *event)
{
    static int (*push_event)(void *);
    static int (*(*get_filter)(void))(const void *); /* of SDL 1.2, whose SDL_PushEvent passes its filter by */
    if (push_event == NULL) {
        *(void **)&push_event = sdl_function("SDL_PushEvent");
        *(void **)&get_filter = sdl_version() == SDL_1_2 ? sdl_function("SDL_GetEventFilter") : NULL;
    }
    int (*filter)(const void *) = get_filter != NULL ? get_filter() : NULL;
    if (push_event != NULL && (filter == NULL || filter(event) != 0)) (void)push_event(event);
}

static void push_key(const struct key *key, bool is_down)
{
    if (sdl_version() == SDL_3) {
        union sdl3_event event = {.key = {.type = is_down ? SDL2_KEYDOWN : SDL2_KEYUP,
                                          .window = 1,
                                          .scancode = key->scancode2,
                                          .symbol = (uint32_t)key->symbol2,
                                          .is_down = is_down}};
        push(&event);
        return;
    }
    if (sdl_version() == SDL_2) {
        union sdl2_event event = {.key = {.type = is_down ? SDL2_KEYDOWN : SDL2_KEYUP,
                                          .window = 1,
                                          .state = is_down,
                                          .scancode = key->scancode2,
                                          .symbol = key->symbol2}};
        push(&event);
        return;
    }
    union sdl1_event event = {.key = {.type = is_down ? SDL1_KEYDOWN : SDL1_KEYUP,
                                      .state = is_down,
                                      .symbol = key->symbol1,
                                      .unicode = (uint16_t)(key->symbol1 < 256 ? key->symbol1 : 0)}};
    push(&event);
}

static void push_motion(const struct item *item)
{
    if (sdl_version() == SDL_3) {
        union sdl3_event event = {
            .motion = {.type = SDL2_MOUSEMOTION, .window = 1, .x = (float)item->x, .y = (float)item->y}};
        push(&event);
        return;
    }
    if (sdl_version() == SDL_2) {
        union sdl2_event event = {.motion = {.type = SDL2_MOUSEMOTION, .window = 1, .x = item->x, .y = item->y}};
        push(&event);
        return;
    }
    union sdl1_event event = {.motion = {.type = SDL1_MOUSEMOTION, .x = (uint16_t)item->x, .y = (uint16_t)item->y}};
    push(&event);
}

static void push_button(const struct item *item, bool is_down)
{
    if (sdl_version() == SDL_3) {
        union sdl3_event event = {.button = {.type = is_down ? SDL2_MOUSEBUTTONDOWN : SDL2_MOUSEBUTTONUP,
                                             .window = 1,
                                             .button = BUTTON_LEFT,
                                             .is_down = is_down,
                                             .clicks = 1,
                                             .x = (float)item->x,
                                             .y = (float)item->y}};
        push(&event);
        return;
    }
    if (sdl_version() == SDL_2) {
        union sdl2_event event = {.button = {.type = is_down ? SDL2_MOUSEBUTTONDOWN : SDL2_MOUSEBUTTONUP,
                                             .window = 1,
                                             .button = BUTTON_LEFT,
                                             .state = is_down,
                                             .clicks = 1,
                                             .x = item->x,
                                             .y = item->y}};
        push(&event);
        return;
    }
    union sdl1_event event = {.button = {.type = is_down ? SDL1_MOUSEBUTTONDOWN : SDL1_MOUSEBUTTONUP,
                                         .button = BUTTON_LEFT,
                                         .state = is_down,
                                         .x = (uint16_t)item->x,
                                         .y = (uint16_t)item->y}};
    push(&event);
}

void events_push(uint32_t number)
{
    for (unsigned i = 0; i < item_count; i++) {
        struct item *item = &items[i];
        bool begins = item->frame == number, ends = item->frame + item->held == number;
        if (begins || ends) item->is_held = begins && !item->is_click;
        if ((begins || ends) && item->is_click) {
            mouse.is_moved = true;
            mouse.is_down = begins;
            mouse.x = item->x;
            mouse.y = item->y;
        }
        if (begins && item->is_click) push_motion(item);
        if (item->is_click && (begins || ends)) push_button(item, begins);
        if (!item->is_click && (begins || ends)) push_key(&item->key, begins);
    }
}

/* ------------------------------------------------------------------ state */

bool events_mouse(int position[2], uint32_t *buttons)
{
    if (!mouse.is_moved) return false;
    position[0] = mouse.x;
    position[1] = mouse.y;
    *buttons = mouse.is_down ? 1u << (BUTTON_LEFT - 1) : 0;
    return true;
}

void events_keys(uint8_t *keys_held, int count)
{
    for (unsigned i = 0; i < item_count; i++) {
        int index = sdl_version() != SDL_1_2 ? items[i].key.scancode2 : items[i].key.symbol1;
        if (items[i].is_held && index < count) keys_held[index] = 1;
    }
}
