/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the recorder finds the surface of a texture in SDL's own structure, knows a surface of the program's whose
 * pixels are a texture's, of SDL 2 and of SDL 3, and gives every surface back that it has owned. Method:
 * host/clients/sdl/record/renderer.c alone, over stand-ins of SDL; each member by which a surface is known differs
 * once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "clients/sdl/record/link.h"
#include "clients/sdl/record/renderer.h"
#include "clients/sdl/record/steps.h"

enum { PROBE_WIDTH = 13, PROBE_HEIGHT = 7, OWN_AT = 5, NATIVE_AT = 9, WORDS = 12 };

/* A surface of either SDL. */
struct any_surface {
    union {
        struct sdl2_surface two;
        struct sdl3_surface three;
    } of;
    struct sdl2_format format;
    uint8_t pixels[PROBE_WIDTH * PROBE_HEIGHT * 4];
};

static enum sdl_version version;
static int renderer, window;
static unsigned made, destroyed, unlocked, released, forgotten;
static bool has_native, has_own; /* SDL's structure of a texture has them where they are looked for */
static const void *last_forgotten;

enum sdl_version sdl_version(void) { return version; }

static void shape(struct any_surface *surface, int width, int height)
{
    memset(surface, 0, sizeof *surface);
    if (version == SDL_3) {
        surface->of.three = (struct sdl3_surface){.format = 5,
                                                  .width = width,
                                                  .height = height,
                                                  .pitch = width * 4,
                                                  .pixels = surface->pixels,
                                                  .references = 1};
        return;
    }
    surface->format = (struct sdl2_format){
        .bits = 32, .bytes = 4, .red = 0xff0000, .green = 0xff00, .blue = 0xff, .alpha_mask = 0xff000000};
    surface->of.two = (struct sdl2_surface){.format = &surface->format,
                                            .width = width,
                                            .height = height,
                                            .pitch = width * 4,
                                            .pixels = surface->pixels,
                                            .references = 1};
}

static int *references(struct any_surface *surface)
{
    return version == SDL_3 ? &surface->of.three.references : &surface->of.two.references;
}

/* ------------------------------------------------------------------ SDL */

static void *CreateTexture(void *of, uint32_t format, int access, int width, int height)
{
    void **words = calloc(WORDS, sizeof *words), **native = calloc(WORDS, sizeof *native);
    struct any_surface *surface = malloc(sizeof *surface);
    assert_true(of == &renderer && words != NULL && native != NULL && surface != NULL);
    assert_true(width == PROBE_WIDTH && height == PROBE_HEIGHT);
    shape(surface, width, height);
    made++;
    words[3] = (void *)(uintptr_t)0x10; /* an address that cannot be read */
    if (access == 1) {
        assert_int_equal(format, SDL2_PIXELFORMAT_ARGB8888);
        if (has_own) words[OWN_AT] = surface;
        words[WORDS - 1] = native; /* to free */
    } else {
        assert_int_equal(format, SDL2_PIXELFORMAT_BGR24);
        native[OWN_AT] = surface;
        if (has_native) words[NATIVE_AT] = native;
    }
    return words;
}
static int LockTexture(void *texture, const void *rect, void **pixels, int *pitch)
{
    void **words = texture;
    struct any_surface *surface = words[OWN_AT];
    assert_null(rect);
    *pixels = surface != NULL ? surface->pixels : NULL;
    *pitch = PROBE_WIDTH * 4;
    return version == SDL_3;
}
static void UnlockTexture(void *texture)
{
    assert_non_null(texture);
    unlocked++;
}
static void DestroyTexture(void *texture)
{
    assert_non_null(texture);
    destroyed++; /* what it has is left: its words are looked at no more */
}
static const char *GetRendererName(void *of) { return of == &renderer ? "software" : "opengl"; }
static int GetRendererInfo(void *of, void *about)
{
    const char *name = GetRendererName(of);
    memcpy(about, &name, sizeof name);
    return 0;
}
static int SetSurfaceRLE(void *surface, int flag)
{
    assert_non_null(surface);
    return flag;
}
static void release(void *surface)
{
    assert_int_equal(*references(surface), 1);
    released++;
}

void *sdl_function(const char *name)
{
#define KNOWN(function) \
    if (strcmp(name, "SDL_" #function) == 0) return (void *)(uintptr_t)function;
    KNOWN(CreateTexture)
    KNOWN(LockTexture)
    KNOWN(UnlockTexture)
    KNOWN(DestroyTexture)
    KNOWN(GetRendererName)
    KNOWN(GetRendererInfo)
    KNOWN(SetSurfaceRLE)
#undef KNOWN
    if (strcmp(name, version == SDL_3 ? "SDL_DestroySurface" : "SDL_FreeSurface") == 0)
        return (void *)(uintptr_t)release;
    fail_msg("SDL has no %s", name);
    return NULL;
}

/* ------------------------------------------------------------------ the recorder's parts */

bool view_make(struct view *view, void *surface)
{
    const struct any_surface *any = surface;
    memset(view, 0, sizeof *view);
    view->surface = surface;
    if (version == SDL_3) return true;
    view->pixels = any->of.two.pixels;
    view->pitch = (uint32_t)any->of.two.pitch;
    view->width = any->of.two.width;
    view->height = any->of.two.height;
    view->red = any->of.two.format->red;
    view->green = any->of.two.format->green;
    view->blue = any->of.two.format->blue;
    view->alpha_mask = any->of.two.format->alpha_mask;
    return true;
}
void view_attributes(struct view *view, int mode, uint32_t alpha, uint32_t colour)
{
    (void)view, (void)mode, (void)alpha, (void)colour;
}
void steps_forget(const void *surface)
{
    forgotten++;
    last_forgotten = surface;
}
void renderer3_look(struct renderer_state *state, void *of) { (void)state, (void)of; }
struct record_link *link_attach(void) { return NULL; }

/* ------------------------------------------------------------------ the test */

/* Every way in which a surface can be unlike a texture's but for one member. */
static void differ(struct any_surface *surface, unsigned member)
{
    static uint8_t elsewhere[1];
    if (version == SDL_3) {
        struct sdl3_surface *three = &surface->of.three;
        if (member == 1) three->pixels = elsewhere;
        if (member == 2) three->pitch++;
        if (member == 3) three->width++;
        if (member == 4) three->height++;
        if (member == 5) three->format++;
        return;
    }
    struct sdl2_surface *two = &surface->of.two;
    if (member == 1) two->pixels = elsewhere;
    if (member == 2) two->pitch++;
    if (member == 3) two->width++;
    if (member == 4) two->height++;
    if (member == 5) two->format->red++;
    if (member == 6) two->format->green++;
    if (member == 7) two->format->blue++;
    if (member == 8) two->format->alpha_mask = 0;
}

static void test_claims(void **state)
{
    static struct any_surface own[3], claiming[10];
    struct view view;
    (void)state;
    void **textures[3];
    has_native = has_own = true;
    renderer_add(&window, &window, NULL); /* not SDL's software: nothing is looked for */
    assert_false(renderer_is_seen(&window));
    assert_int_equal(made, 0);
    renderer_add(&renderer, &window, NULL);
    assert_true(renderer_is_seen(&renderer));
    assert_true(made == 2 && destroyed == 2 && unlocked == 1);
    for (int i = 0; i < 3; i++) {
        textures[i] = calloc(WORDS, sizeof *textures[i]);
        assert_non_null(textures[i]);
        shape(&own[i], 10 + i, 5);
        if (i < 2) textures[i][OWN_AT] = &own[i];
        else textures[i][NATIVE_AT] = textures[0]; /* of another format: drawn by way of that one */
        texture_add(&renderer, textures[i]);
    }
    assert_ptr_equal(texture_surface(textures[1]), &own[1]);
    assert_ptr_equal(texture_surface(textures[2]), &own[0]);
    assert_null(texture_surface(&window));
    const unsigned members = version == SDL_3 ? 6 : 9;
    for (unsigned member = 0; member < members; member++) {
        struct any_surface *one = &claiming[member];
        *one = own[1];
        if (version == SDL_2) one->of.two.format = &one->format;
        if (version == SDL_3) one->of.three.pixels = own[1].pixels;
        else one->of.two.pixels = own[1].pixels;
        differ(one, member);
        assert_true(texture_target(&view, one));
        if (view.surface != (member == 0 ? (void *)&own[1] : (void *)one)) fail_msg("member %u", member);
        assert_int_equal(*references(one), 2); /* the recorder is an owner of what was drawn last, and of it alone */
        if (member != 0) assert_int_equal(*references(one - 1), 1);
        assert_true(texture_target(&view, one)); /* once */
        assert_int_equal(*references(one), 2);
    }
    struct any_surface *last = &claiming[members - 1];
    *references(last) = 1; /* its other owners are gone: the next one frees it */
    assert_true(texture_target(&view, &own[0]));
    assert_true(released == 1 && forgotten == 1 && last_forgotten == last);
    texture_forget(&own[1]); /* another */
    assert_int_equal(*references(&own[0]), 2);
    texture_forget(&own[0]);
    assert_int_equal(*references(&own[0]), 1);
    texture_remove(textures[1]);
    assert_ptr_equal(last_forgotten, &own[1]);
    assert_null(texture_surface(textures[1]));
    assert_ptr_equal(texture_surface(textures[2]), &own[0]);
    renderer_remove(&renderer);
    assert_null(texture_surface(textures[0]));
    assert_null(texture_surface(textures[2]));
    assert_false(renderer_is_seen(&renderer));
}

int main(int argc, char **argv)
{
    version = argc > 1 && argv[1][0] == '3' ? SDL_3 : SDL_2;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", 1 - failed, failed);
    return failed != 0;
}
