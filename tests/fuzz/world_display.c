/* SPDX-License-Identifier: Apache-2.0
 *
 * The display's eight messages in a hostile world, nearly always legal ones. A picture is small: an overlay, a cursor.
 */
#include "world_internal.h"

void world_display(struct fuzz_world *world, const struct step *step)
{
    static const uint8_t modes[] = {DISPLAY_MODE_VGA, DISPLAY_MODE_VGA, DISPLAY_MODE_OFF, DISPLAY_MODE_HD};
    const uint32_t code = MSG_QUERY_DISPLAY + (step->a & 7u), w = step->w;
    uint32_t words[16] = {code};
    world->sender = step->client;
    switch (code) {
    case MSG_GIVE_DISPLAY: words[MSG_GIVE_DISPLAY_CLIENT] = step->b & 3u; break;
    case MSG_SET_MODE: words[MSG_SET_MODE_MODE] = modes[step->b & 3u]; break;
    case MSG_SET_PALETTE: words[MSG_SET_PALETTE_ADDRESS] = 4u * CLIENT_PAGE; break;
    case MSG_FLIP:
        words[MSG_FLIP_PLANE] = (w & 15u) == 0u ? PLANE_PRIMARY : PLANE_OVERLAY;
        words[MSG_FLIP_HANDLE] = (w >> 4 & 7u) == 0u ? 0u : world_handle(world, step->b);
        words[MSG_FLIP_WHEN] = step->c & 3u;
        if (words[MSG_FLIP_HANDLE] == 0u) break;
        words[MSG_FLIP_OFFSET] = w >> 7 & 0xfcu;
        words[MSG_FLIP_PITCH] = 64u;
        words[MSG_FLIP_FORMAT] = (w >> 13 & 1u) != 0u ? FORMAT_RGB565 : FORMAT_XRGB8888;
        if (step->c >= 0x80u) words[MSG_FLIP_CONTEXT] = world_context(world, step->c);
        if (step->c >= 0x80u) words[MSG_FLIP_TAG] = world->client.next_tag - 1u - (step->c >> 2 & 7u);
        if ((step->c & 0x60u) == 0x60u) words[MSG_FLIP_POINTS] = world_flip_points(world, w);
        if (words[MSG_FLIP_PLANE] == (uint32_t)PLANE_PRIMARY) break;
        words[MSG_FLIP_POSITION] = (w >> 14 & 0x1ffu) | (w >> 23 & 0xffu) << 16;
        words[MSG_FLIP_SIZE] = (1u + (w >> 8 & 15u)) | (1u + (w >> 18 & 31u)) << 16;
        words[MSG_FLIP_MIX] = (w >> 31) != 0u ? MIX_KEY : MIX_ALPHA;
        words[MSG_FLIP_VALUE] = w & 0xffu;
        break;
    case MSG_SET_CURSOR:
        words[MSG_SET_CURSOR_HANDLE] = (w & 7u) == 0u ? 0u : world_handle(world, step->b);
        if (words[MSG_SET_CURSOR_HANDLE] != 0u) words[MSG_SET_CURSOR_OFFSET] = w & 0x300u;
        break;
    case MSG_MOVE_CURSOR: words[MSG_MOVE_CURSOR_POSITION] = w; break;
    case MSG_WAIT_VBLANK: words[MSG_WAIT_VBLANK_WHEN] = WHEN_NEXT; break;
    default: break;
    }
    world_send(world, words, KIND_OTHER, 0);
}
