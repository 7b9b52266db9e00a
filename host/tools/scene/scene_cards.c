/* SPDX-License-Identifier: Apache-2.0
 *
 * A deck of cards larger than memory: 52 textures of four pages each, dealt in four rows of thirteen, every frame all
 * of them. A row is a DMA buffer. Which card comes where changes by one place each frame, as if the deck were cut.
 */
#include "tools/scene/scene_paint.h"
#include "tools/scene/scenes.h"

#include <stdio.h>
#include <string.h>

enum { SUITS = 4, RANKS = 13, CARDS = SUITS * RANKS, WIDTH = 64, HEIGHT = 112, STEP_X = 21, STEP_Y = 42 };

static const uint32_t suit_colours[SUITS] = {0xc02020, 0x202028, 0xc06000, 0x104080};

/* A suit's sign, 12 by 12 units. */
static bool is_sign(uint32_t suit, uint32_t x, uint32_t y)
{
    const uint32_t dx = x > 6u ? x - 6u : 6u - x, dy = y > 6u ? y - 6u : 6u - y;
    switch (suit) {
    case 0: return dx + dy < 6u;                                               /* diamond */
    case 1: return (dx * dx + dy * dy < 22u && y < 9u) || (dx < 2u && y > 6u); /* club */
    case 2: return y > 2u ? dx + y < 12u : dx > 0u && dx < 6u && y + dx > 1u;  /* heart */
    default: return (y < 9u && dx < y) || (dx < 2u && y > 6u);                 /* spade */
    }
}

/* seed: the card's number. White, a frame, rank and sign in two corners, its rank as signs in the middle. */
static uint32_t card(uint32_t seed, uint32_t x, uint32_t y)
{
    const uint32_t suit = seed / RANKS, rank = seed % RANKS + 1u, ink = suit_colours[suit];
    if (x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1) return 0x808080;
    if (x >= 4u && y >= 4u && y < 14u && paint_is_digit(rank, (x - 4u) / 2u, (y - 4u) / 2u)) return ink;
    if (x >= 4u && x < 16u && y >= 17u && y < 29u && is_sign(suit, x - 4u, y - 17u)) return ink;
    for (uint32_t i = 0; i < rank; i++) {
        const uint32_t left = 20u + i % 3u * 14u, top = 20u + i / 3u * 16u;
        if (x >= left && x < left + 12u && y >= top && y < top + 12u && is_sign(suit, x - left, y - top)) return ink;
    }
    return 0xf8f4e8 - (x * y >> 9) * 0x010101u;
}

static void cards_frame(const struct scene *scene, uint32_t number, struct scene_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    for (uint32_t row = 0; row < SUITS; row++) {
        paint_buffer(frame, 0);
        if (row == 0) paint_rectangle(frame, 0, 0, SCENE_WIDTH, SCENE_HEIGHT, 0x0c5030);
        for (uint32_t place = 0; place < RANKS; place++)
            paint_draw(scene, frame, (row * RANKS + place + number) % CARDS, (int)(2u + place * STEP_X),
                       (int)(2u + row * STEP_Y), false);
    }
}

bool scene_cards(struct scene *scene, uint32_t seed)
{
    static const char *const suits[SUITS] = {"diamonds", "clubs", "hearts", "spades"};
    static const char *const ranks[RANKS] = {"ace", "2", "3",  "4",    "5",     "6",   "7",
                                             "8",   "9", "10", "jack", "queen", "king"};
    char name[16];
    (void)seed;
    scene->frame = cards_frame;
    scene->destroy = paint_destroy;
    scene->unbinds = true;
    if (!paint_begin(scene, CARDS)) return false;
    for (uint32_t i = 0; i < CARDS; i++) {
        snprintf(name, sizeof name, "%s %s", suits[i / RANKS], ranks[i % RANKS]);
        if (paint_texture(scene, name, WIDTH, HEIGHT, card, i) == SCENE_FILL) return false;
    }
    return true;
}
