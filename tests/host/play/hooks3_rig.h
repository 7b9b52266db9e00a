/* SPDX-License-Identifier: Apache-2.0
 *
 * Stand-ins of SDL 3 and of the recorder's parts, for test_hooks3.c: each notes its name and arguments.
 */
#ifndef TESTS_HOOKS3_RIG_H
#define TESTS_HOOKS3_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clients/sdl/record/sdl3.h"

enum { PLACES = 4096, UNITS = 64 * 48 * 4 };

struct fake_surface {
    struct sdl3_surface head;
    uint8_t units[UNITS];
};
struct floats {
    float x, y, width, height;
};

/* What the stand-ins answer. */
extern struct hooks3 {
    bool enters, has_target, has_source, has_palette, agrees, succeeds, is_planned;
    uint32_t unit_bytes, alpha, alpha_mask, access;
    int keys, has_surface, mode;
    const bool *own_keys;
    struct floats place;
    bool is_hidden, has_drawn, has_texture_target, has_screen, has_window, has_source_surface;
    /* of the table */
    bool is_library, has_entry, is_own_entry, has_link, user_has_mark;
    int version, entry_result;
} is;

void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *named(const void *address);
/* A known address by its name. */
void *address_of(const char *name);
/* SDL's function of that place; NULL: there is none. */
void *hooks3_own(uint32_t place);

#endif
