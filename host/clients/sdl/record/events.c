/* SPDX-License-Identifier: Apache-2.0
 *
 * See events.h.
 */
#include "clients/sdl/record/events.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clients/sdl/record/link.h"
#include "clients/sdl/record/surface.h"

enum {
    EVENT_LIMIT = 256,
    ITEM_BYTES = 64,
    BUTTON_LEFT = 1,
    HELD_FRAMES = 2,
    HELD_MILLISECONDS = 100,
    IDLE_MILLISECONDS = 250,
    STEP_MILLISECONDS = 5 /* of the thread */
};

struct key {
    const char *name;
    int symbol1, symbol2, scancode2;
};
static const struct key keys[] = {{"return", 13, 13, 40},        {"escape", 27, 27, 41},
                                  {"space", 32, 32, 44},         {"up", 273, 0x40000052, 82},
                                  {"down", 274, 0x40000051, 81}, {"right", 275, 0x4000004f, 79},
                                  {"left", 276, 0x40000050, 80}};

enum when { AT_FRAME, AT_TIME, AT_IDLE };
static struct item {
    enum when when;
    uint32_t begin, held; /* frames, or milliseconds; AT_IDLE: `begin` is set when it is sent */
    bool is_click, has_begun, has_ended;
    _Atomic bool is_held;
    struct key key;
    int x, y;
} items[EVENT_LIMIT];
static unsigned item_count;
static struct {
    _Atomic bool is_moved, is_down;
    _Atomic int x, y;
} mouse;
static struct {
    _Atomic uint32_t calls;         /* that draw, now */
    _Atomic uint64_t last;          /* when the last one ended */
    uint64_t start;                 /* of the screen */
    pthread_mutex_t sends;          /* held while something is sent */
    bool is_paused;                 /* by `sends` */
    bool has_timed, is_good, is_on; /* is_on: the thread runs */
} clock_of = {.sends = PTHREAD_MUTEX_INITIALIZER};

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

/* "40", "1500ms", "idle". */
static bool parse_when(const char *text, struct item *item)
{
    int used = 0;
    char unit[3] = "";
    if (strcmp(text, "idle") == 0) item->when = AT_IDLE;
    else if (sscanf(text, "%u%2s%n", &item->begin, unit, &used) == 2 && text[used] == 0 && strcmp(unit, "ms") == 0)
        item->when = AT_TIME;
    else return sscanf(text, "%u%n", &item->begin, &used) == 1 && text[used] == 0;
    item->held = HELD_MILLISECONDS;
    return true;
}

static bool parse_item(const char *text, struct item *item)
{
    char when[16], name[16];
    int used = 0, at = 0;
    *item = (struct item){.held = HELD_FRAMES};
    if (sscanf(text, "%15[^:]:%n", when, &at) != 1 || at == 0 || !parse_when(when, item)) return false;
    text += at;
    if (sscanf(text, "click=%d,%d%n", &item->x, &item->y, &used) == 2 && text[used] == 0) {
        item->is_click = true;
        return true;
    }
    int fields = sscanf(text, "%15[^:]%n:%u%n", name, &used, &item->held, &used);
    return fields >= 1 && text[used] == 0 && item->held != 0 && find_key(name, &item->key);
}

static bool refuse(const char *self, const char *item)
{
    fprintf(stderr,
            "%s: event '%s': write FRAME:KEY[:FRAMES], 1500ms:KEY[:MS] or idle:KEY[:MS]. KEY is return, escape, "
            "space, up, down, left, right, a letter or a digit; click=X,Y clicks there.\n",
            self, item);
    return false;
}

static bool refuse_more(const char *self, const char *item)
{
    fprintf(stderr, "%s: event '%s': it is one too many. A list has at most %d events.\n", self, item, EVENT_LIMIT);
    return false;
}

bool events_parse(const char *self, const char *text)
{
    char item[ITEM_BYTES];
    int used = 0;
    for (; text != NULL && sscanf(text, " %63s%n", item, &used) == 1; text += used) {
        if (item_count == EVENT_LIMIT) return refuse_more(self, item);
        if (!parse_item(item, &items[item_count++])) return refuse(self, item);
        clock_of.has_timed = clock_of.has_timed || items[item_count - 1].when != AT_FRAME;
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

static void send(struct item *item, bool is_begun)
{
    item->has_begun = true;
    item->has_ended = !is_begun;
    item->is_held = is_begun && !item->is_click;
    if (item->is_click) {
        mouse.is_moved = true;
        mouse.is_down = is_begun;
        mouse.x = item->x;
        mouse.y = item->y;
        if (is_begun) push_motion(item);
        push_button(item, is_begun);
    } else {
        push_key(&item->key, is_begun);
    }
}

void events_push(uint32_t number)
{
    for (unsigned i = 0; i < item_count; i++) {
        struct item *item = &items[i];
        if (item->when != AT_FRAME) continue;
        if (item->begin == number) send(item, true);
        if (item->begin + item->held == number) send(item, false);
    }
}

/* ------------------------------------------------------------------ by time */

static uint64_t now_milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000u + (uint64_t)time.tv_nsec / 1000000u;
}

void events_enter(void)
{
    if (clock_of.is_on) clock_of.calls++;
}

void events_leave(void)
{
    if (!clock_of.is_on || clock_of.calls == 0) return;
    clock_of.last = now_milliseconds();
    clock_of.calls--;
}

void events_pause(bool is_paused)
{
    if (!clock_of.is_on || !link_is_ours()) return;
    pthread_mutex_lock(&clock_of.sends);
    clock_of.is_paused = is_paused;
    pthread_mutex_unlock(&clock_of.sends);
}

/* One look at the list. False: all has been sent. Of those that wait for an idle program only the first is due. */
static bool send_due(void)
{
    const uint64_t now = now_milliseconds(), passed = now - clock_of.start;
    bool is_idle = clock_of.calls == 0 && now - clock_of.last >= IDLE_MILLISECONDS, is_more = false;
    for (unsigned i = 0; i < item_count; i++) {
        struct item *item = &items[i];
        if (item->when == AT_FRAME || item->has_ended) continue;
        is_more = true;
        if (!item->has_begun && item->when == AT_IDLE && is_idle) {
            item->begin = (uint32_t)passed;
            clock_of.last = now;
            send(item, true);
        } else if (!item->has_begun && item->when == AT_TIME && passed >= item->begin) {
            send(item, true);
        } else if (item->has_begun && passed >= (uint64_t)item->begin + item->held) {
            send(item, false);
        }
        is_idle = is_idle && item->when != AT_IDLE;
    }
    return is_more;
}

static void *send_by_time(void *unused)
{
    const struct timespec step = {0, STEP_MILLISECONDS * 1000000};
    for (bool is_more = true; is_more && link_is_ours();) {
        (void)nanosleep(&step, NULL);
        pthread_mutex_lock(&clock_of.sends);
        if (!clock_of.is_paused) is_more = send_due();
        pthread_mutex_unlock(&clock_of.sends);
    }
    return unused;
}

/* The thread gets none of the program's signals. */
static void start(void)
{
    sigset_t all, before;
    pthread_t thread;
    clock_of.is_good = events_parse(link_self(), getenv(LINK_EVENTS_VARIABLE));
    if (!clock_of.is_good || !clock_of.has_timed) return;
    const uint64_t now = now_milliseconds();
    clock_of.start = now;
    clock_of.last = now;
    clock_of.is_on = true;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, send_by_time, NULL) == 0) (void)pthread_detach(thread);
    else
        fprintf(stderr,
                "%s: events that wait for a time or for idle are not sent: the system gives no thread. "
                "End other programs and try again.\n",
                link_self());
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool events_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, start);
    return clock_of.is_good;
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
