/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the list of events is read as events.h says, and what it names is pushed when it is due, as the events of SDL
 * 1.2, 2 and 3. Method: the module alone; SDL_PushEvent and the clock are stand-ins, and each case is a child, as a
 * list is read once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "clients/sdl/record/events.h"
#include "clients/sdl/record/link.h"
#include "clients/sdl/record/surface.h"

/* ------------------------------------------------------------------ stand-ins */

static enum sdl_version version = SDL_2;
static _Atomic uint64_t now_ms = 5000;
static bool is_ours = true, refuses;
static struct {
    _Atomic unsigned count;
    uint8_t bytes[64][128];
} pushed;

enum sdl_version sdl_version(void) { return version; }
const char *link_self(void) { return "tessera-record"; }
bool link_is_ours(void) { return is_ours; }

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    *now = (struct timespec){(time_t)(now_ms / 1000u), (long)(now_ms % 1000u) * 1000000};
    return 0;
}

static int push_event(void *event)
{
    memcpy(pushed.bytes[pushed.count], event, version == SDL_3 ? sizeof(union sdl3_event) : sizeof(union sdl1_event));
    pushed.count++;
    return 1;
}

static int filter(const void *event)
{
    (void)event;
    return !refuses;
}
static int (*get_filter(void))(const void *) { return filter; }

void *sdl_function(const char *name)
{
    if (strcmp(name, "SDL_PushEvent") == 0) return (void *)(uintptr_t)push_event;
    return strcmp(name, "SDL_GetEventFilter") == 0 ? (void *)(uintptr_t)get_filter : NULL;
}

/* ------------------------------------------------------------------ cases */

#define NEED(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%u: %s\n", __FILE__, (unsigned)__LINE__, #condition); \
            _exit(1); \
        } \
    } while (0)

static void in_child(enum sdl_version wanted, const char *list, void (*act)(void))
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        version = wanted;
        if (list != NULL) setenv(LINK_EVENTS_VARIABLE, list, 1);
        act();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static const char *text; /* of a case that only parses */
static void is_good(void) { NEED(events_parse("self", text)); }
static void is_wrong(void)
{
    NEED(freopen("/dev/null", "w", stderr) != NULL);
    if (events_parse("self", text)) _exit(2);
}

static void test_lists(void **context)
{
    static const char *const good[] = {
        "",           "40:return", "0:a:1",       "7:z:4294967295", "1500ms:left",    "1500ms:left:300",
        "idle:space", "idle:9:20", "3:click=0,0", "9ms:click=5,-7", "idle:click=1,2", " 1:up  2:down\n3:0 "};
    static const char *const wrong[] = {
        "x",         "40",     "40:",     ":a",         "40:retur",    "40:ab",         "40:A",
        "40:a:0",    "40:a:x", "40:a:1x", "40:a:",      "40x:a",       "40m:a",         "40mss:a",
        "ms:a",      "idl:a",  "idles:a", "40:click=1", "40:click=,1", "40:click=1,2x", "40:click=1,2:3",
        "1:a 2:b x", "-:a",    "40:`",    "40:{",       "40:/",        "40::"};
    (void)context;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) text = good[i], in_child(SDL_2, NULL, is_good);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text = wrong[i];
        in_child(SDL_2, NULL, is_wrong);
    }
    static char many[256 * 4 + 8];
    for (unsigned i = 0; i < 256; i++) memcpy(many + 4 * i, "1:a ", 5);
    text = many;
    in_child(SDL_2, NULL, is_good);
    memcpy(many + sizeof many - 8, "1:a", 4); /* one more than there may be */
    in_child(SDL_2, NULL, is_wrong);
}

/* Every key by its name: symbol and scan code. */
static void push_key_of(void)
{
    NEED(events_parse("self", text));
    events_push(0);
    events_push(1);
    events_push(2);
    NEED(pushed.count == 2);
}

static struct {
    const char *name;
    int symbol1, symbol2, scancode;
} const keys[] = {{"return", 13, 13, 40},        {"escape", 27, 27, 41},
                  {"space", 32, 32, 44},         {"up", 273, 0x40000052, 82},
                  {"down", 274, 0x40000051, 81}, {"right", 275, 0x4000004f, 79},
                  {"left", 276, 0x40000050, 80}, {"a", 'a', 'a', 4},
                  {"z", 'z', 'z', 29},           {"0", '0', '0', 39},
                  {"1", '1', '1', 30},           {"9", '9', '9', 38}};
static size_t key;

static void key_1(void)
{
    uint8_t held[400] = {0};
    NEED(events_parse("self", text));
    events_push(0);
    events_keys(held, keys[key].symbol1 + 1);
    NEED(held[keys[key].symbol1] == 1);
    memset(held, 0, sizeof held);
    events_keys(held, keys[key].symbol1); /* a program's list may be shorter */
    for (size_t i = 0; i < sizeof held; i++) NEED(held[i] == 0);
    events_push(1);
    NEED(pushed.count == 1);
    events_push(2);
    NEED(pushed.count == 2);
    events_keys(held, 400);
    for (size_t i = 0; i < sizeof held; i++) NEED(held[i] == 0);
    for (unsigned up = 0; up < 2; up++) {
        union sdl1_event event;
        memcpy(&event, pushed.bytes[up], sizeof event);
        NEED(event.key.type == (up ? SDL1_KEYUP : SDL1_KEYDOWN) && event.key.state == !up);
        NEED((int)event.key.symbol == keys[key].symbol1);
        NEED(event.key.unicode == (keys[key].symbol1 < 256 ? keys[key].symbol1 : 0));
    }
}

static void key_2(void)
{
    uint8_t held[400] = {0};
    push_key_of();
    events_push(0);
    events_keys(held, 400);
    NEED(held[keys[key].scancode] == 1);
    for (unsigned up = 0; up < 2; up++) {
        union sdl2_event event;
        memcpy(&event, pushed.bytes[up], sizeof event);
        NEED(event.key.type == (up ? SDL2_KEYUP : SDL2_KEYDOWN) && event.key.state == !up && event.key.window == 1);
        NEED(event.key.symbol == keys[key].symbol2 && event.key.scancode == keys[key].scancode);
        NEED(event.key.repeat == 0 && event.key.modifiers == 0);
    }
}

static void key_3(void)
{
    push_key_of();
    for (unsigned up = 0; up < 2; up++) {
        union sdl3_event event;
        memcpy(&event, pushed.bytes[up], sizeof event);
        NEED(event.key.type == (up ? SDL2_KEYUP : SDL2_KEYDOWN) && event.key.is_down == !up && event.key.window == 1);
        NEED((int)event.key.symbol == keys[key].symbol2 && event.key.scancode == keys[key].scancode);
        NEED(event.key.is_repeated == 0 && event.key.modifiers == 0);
    }
}

static void test_keys(void **context)
{
    char list[64];
    (void)context;
    for (key = 0; key < sizeof keys / sizeof *keys; key++) {
        snprintf(list, sizeof list, "0:%s", keys[key].name);
        text = list;
        in_child(SDL_1_2, NULL, key_1);
        in_child(SDL_2, NULL, key_2);
        in_child(SDL_3, NULL, key_3);
    }
}

static void clicks(void)
{
    int at[2] = {-1, -1};
    uint32_t buttons = 9;
    NEED(events_parse("self", "3:click=20,7"));
    NEED(!events_mouse(at, &buttons) && at[0] == -1 && buttons == 9);
    for (uint32_t frame = 0; frame < 5; frame++) {
        events_push(frame);
        NEED(pushed.count == (frame < 3 ? 0u : 2u));
    }
    NEED(events_mouse(at, &buttons) && at[0] == 20 && at[1] == 7 && buttons == 1);
    events_push(5);
    NEED(pushed.count == 3 && events_mouse(at, &buttons) && at[0] == 20 && at[1] == 7 && buttons == 0);
    for (unsigned i = 0; i < 3; i++) {
        union sdl1_event one;
        union sdl2_event two;
        union sdl3_event three;
        memcpy(&one, pushed.bytes[i], sizeof one);
        memcpy(&two, pushed.bytes[i], sizeof two);
        memcpy(&three, pushed.bytes[i], sizeof three);
        const bool is_down = i == 1;
        if (version == SDL_1_2 && i == 0)
            NEED(one.motion.type == SDL1_MOUSEMOTION && one.motion.x == 20 && one.motion.y == 7);
        else if (version == SDL_1_2)
            NEED(one.button.type == (is_down ? SDL1_MOUSEBUTTONDOWN : SDL1_MOUSEBUTTONUP) && one.button.button == 1 &&
                 one.button.state == is_down && one.button.x == 20 && one.button.y == 7);
        else if (version == SDL_2 && i == 0)
            NEED(two.motion.type == SDL2_MOUSEMOTION && two.motion.window == 1 && two.motion.x == 20 &&
                 two.motion.y == 7 && two.motion.state == 0);
        else if (version == SDL_2)
            NEED(two.button.type == (is_down ? SDL2_MOUSEBUTTONDOWN : SDL2_MOUSEBUTTONUP) && two.button.button == 1 &&
                 two.button.state == is_down && two.button.clicks == 1 && two.button.x == 20 && two.button.y == 7 &&
                 two.button.window == 1);
        else if (i == 0)
            NEED(three.motion.type == SDL2_MOUSEMOTION && three.motion.window == 1 && three.motion.x == 20.0f &&
                 three.motion.y == 7.0f);
        else
            NEED(three.button.type == (is_down ? SDL2_MOUSEBUTTONDOWN : SDL2_MOUSEBUTTONUP) &&
                 three.button.button == 1 && three.button.is_down == is_down && three.button.clicks == 1 &&
                 three.button.x == 20.0f && three.button.y == 7.0f && three.button.window == 1);
    }
}

static void test_clicks(void **context)
{
    (void)context;
    in_child(SDL_1_2, NULL, clicks);
    in_child(SDL_2, NULL, clicks);
    in_child(SDL_3, NULL, clicks);
}

/* SDL 1.2's SDL_PushEvent passes the program's filter by: it is asked. */
static void filtered(void)
{
    NEED(events_parse("self", "0:a"));
    refuses = true;
    events_push(0);
    NEED(pushed.count == (version == SDL_1_2 ? 0u : 1u));
    refuses = false;
    events_push(2);
    NEED(pushed.count == (version == SDL_1_2 ? 1u : 2u));
}

static void test_filter(void **context)
{
    (void)context;
    in_child(SDL_1_2, NULL, filtered);
    in_child(SDL_2, NULL, filtered);
}

/* The thread looks every 5 ms: until there are so many, and then that no more come. */
static void becomes(unsigned count)
{
    for (unsigned i = 0; i < 400 && pushed.count < count; i++) usleep(5000);
    usleep(15000);
    if (pushed.count != count) fprintf(stderr, "%u events instead of %u\n", pushed.count, count);
    NEED(pushed.count == count);
}

static void by_time(void)
{
    uint8_t held[100] = {0};
    NEED(events_start() && events_start());
    now_ms += 299;
    becomes(0);
    now_ms += 1;
    becomes(1);
    events_keys(held, 100);
    NEED(held[4] == 1);
    now_ms += 99;
    becomes(1);
    now_ms += 1; /* held for 100 ms */
    becomes(2);
    now_ms += 100; /* 500: the second, held for 30 */
    becomes(3);
    now_ms += 29;
    becomes(3);
    now_ms += 1;
    becomes(4);
    now_ms += 5000;
    becomes(4);
}

static void when_idle(void)
{
    NEED(events_start());
    events_enter();
    now_ms += 1000; /* it draws */
    becomes(0);
    events_leave();
    now_ms += 249;
    becomes(0);
    events_leave(); /* no call was open */
    now_ms += 1;
    becomes(1);
    now_ms += 100;
    becomes(2);
    now_ms += 149;
    becomes(2);
    now_ms += 1; /* 250 ms after the first was sent: the next in turn */
    becomes(3);
    now_ms += 20;
    becomes(4);
}

static void paused(void)
{
    NEED(events_start());
    events_pause(true);
    now_ms += 1000;
    becomes(0);
    events_pause(false);
    becomes(1);
}

static void of_another(void)
{
    NEED(events_start());
    is_ours = false;
    usleep(20000); /* the thread ends */
    now_ms += 1000;
    becomes(0);
}

static void of_frames_alone(void)
{
    NEED(events_start());
    now_ms += 9000;
    events_push(2);
    becomes(1);
    events_push(4);
    becomes(2);
}

static void wrong_list(void)
{
    NEED(freopen("/dev/null", "w", stderr) != NULL);
    if (events_start() || events_start()) _exit(1);
}

static void test_times(void **context)
{
    (void)context;
    in_child(SDL_2, "300ms:a 500ms:b:30", by_time);
    in_child(SDL_2, "idle:a idle:b:20", when_idle);
    in_child(SDL_2, "300ms:a:5000", paused);
    in_child(SDL_2, "300ms:a", of_another);
    in_child(SDL_2, "2:a", of_frames_alone);
    in_child(SDL_2, "300ms", wrong_list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_clicks), cmocka_unit_test(test_filter),
                                       cmocka_unit_test(test_times)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
