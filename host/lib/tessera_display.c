/* SPDX-License-Identifier: Apache-2.0
 *
 * The display's messages.
 */
#include <string.h>

#include "lib/tessera_internal.h"

int tessera_query_display(struct tessera *tessera, struct tessera_display *display)
{
    uint32_t message[16] = {MSG_QUERY_DISPLAY};
    struct tessera_completion completion;
    int status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) return status;
    const uint32_t size = completion.words[REPLY_QUERY_DISPLAY_SIZE - 4];
    *display = (struct tessera_display){.modes = completion.words[REPLY_QUERY_DISPLAY_MODES - 4],
                                        .columns = size & 0xffffu,
                                        .rows = size >> 16,
                                        .frame = completion.words[REPLY_QUERY_DISPLAY_FRAME - 4],
                                        .is_owner = completion.words[REPLY_QUERY_DISPLAY_OWNER - 4] != 0};
    return TESSERA_OK;
}

int tessera_give_display(struct tessera *tessera, uint32_t client)
{
    uint32_t message[16] = {MSG_GIVE_DISPLAY, 0, client}, before = tessera->client;
    int status = argument_check_client(tessera, "give_display", client);
    if (status != TESSERA_OK) return status;
    tessera->client = 0;
    status = tessera_call(tessera, message, NULL);
    tessera->client = before;
    return status;
}

int tessera_set_mode(struct tessera *tessera, uint32_t mode)
{
    uint32_t message[16] = {MSG_SET_MODE, 0, mode};
    return tessera_call(tessera, message, NULL);
}

uint32_t tessera_mode_of(uint32_t columns, uint32_t rows)
{
    static const struct {
        uint32_t mode, columns, rows;
    } modes[] = {{TESSERA_DISPLAY_VGA, 640, 480},
                 {TESSERA_DISPLAY_SVGA, 800, 600},
                 {TESSERA_DISPLAY_XGA, 1024, 768},
                 {TESSERA_DISPLAY_HD, 1280, 720}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].columns == columns && modes[i].rows == rows) return modes[i].mode;
    return TESSERA_DISPLAY_OFF;
}

int tessera_set_palette(struct tessera *tessera, const uint32_t colours[256])
{
    uint32_t message[16] = {MSG_SET_PALETTE}, address;
    int status = tessera_staging_take(tessera, &address);
    if (status != TESSERA_OK) return status;
    status = link_write(tessera, address, colours, 256u * 4u);
    message[MSG_SET_PALETTE_ADDRESS] = address;
    if (status == TESSERA_OK) status = tessera_call(tessera, message, NULL);
    tessera_staging_free(tessera, address);
    return status;
}

/* Two numbers in one word; false: one does not fit. */
static bool pack(uint32_t low, uint32_t high, uint32_t *word)
{
    *word = (low & 0xffffu) | high << 16;
    return low <= 0xffffu && high <= 0xffffu;
}

/* The device will look for its content in memory. */
static uint32_t handle_of(struct tessera_allocation *allocation)
{
    if (allocation == NULL) return 0;
    allocation->is_known_to_gpu = true;
    return allocation->handle;
}

int display_flip_message(struct tessera *tessera, const struct tessera_flip *flip, uint32_t message[16])
{
    memset(message, 0, 16 * sizeof *message);
    message[0] = MSG_FLIP;
    if (flip->allocation != NULL && flip->allocation->is_locked)
        return tessera_fail(tessera, TESSERA_MISUSE, "flip: the allocation is locked. Unlock it first.");
    if (!pack(flip->x, flip->y, &message[MSG_FLIP_POSITION]) ||
        !pack(flip->width, flip->height, &message[MSG_FLIP_SIZE]))
        return tessera_fail(tessera, TESSERA_MISUSE, "flip: %u x %u at %u, %u: each is at most 4095.", flip->width,
                            flip->height, flip->x, flip->y);
    message[MSG_FLIP_PLANE] = flip->plane;
    message[MSG_FLIP_HANDLE] = handle_of(flip->allocation);
    message[MSG_FLIP_OFFSET] = flip->offset;
    message[MSG_FLIP_PITCH] = flip->pitch;
    message[MSG_FLIP_FORMAT] = flip->format;
    message[MSG_FLIP_WHEN] = flip->when;
    message[MSG_FLIP_FRAME] = flip->frame;
    message[MSG_FLIP_CONTEXT] = flip->context;
    message[MSG_FLIP_TAG] = flip->context != 0u ? flip->after : 0u;
    message[MSG_FLIP_MIX] = flip->mix;
    message[MSG_FLIP_VALUE] = flip->value;
    return TESSERA_OK;
}

int tessera_flip(struct tessera *tessera, const struct tessera_flip *flip, tessera_ticket *ticket)
{
    uint32_t message[16];
    int status = display_flip_message(tessera, flip, message);
    return status == TESSERA_OK ? tessera_send(tessera, message, ticket) : status;
}

int tessera_cursor(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t offset, uint32_t hot_x,
                   uint32_t hot_y, tessera_ticket *ticket)
{
    uint32_t message[16] = {MSG_SET_CURSOR};
    if (hot_x >= GPU_LIMIT(CURSOR_SIZE) || hot_y >= GPU_LIMIT(CURSOR_SIZE))
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "cursor: hot spot %u, %u is outside the cursor. Each is at most 63.", hot_x, hot_y);
    message[MSG_SET_CURSOR_HANDLE] = handle_of(allocation);
    message[MSG_SET_CURSOR_OFFSET] = offset;
    message[MSG_SET_CURSOR_HOT_SPOT] = hot_x | hot_y << 16;
    return tessera_send(tessera, message, ticket);
}

int tessera_move_cursor(struct tessera *tessera, int32_t x, int32_t y)
{
    uint32_t message[16] = {MSG_MOVE_CURSOR};
    if (x != (int16_t)x || y != (int16_t)y)
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "move_cursor: %d, %d is out of range, -32768 to 32767 is possible.", (int)x, (int)y);
    message[MSG_MOVE_CURSOR_POSITION] = ((uint32_t)x & 0xffffu) | (uint32_t)y << 16;
    return tessera_call(tessera, message, NULL);
}

int tessera_wait_vblank(struct tessera *tessera, uint32_t when, uint32_t frame, struct tessera_blank *blank)
{
    uint32_t message[16] = {MSG_WAIT_VBLANK, 0, when, frame};
    struct tessera_completion completion;
    int status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK || blank == NULL) return status;
    *blank = (struct tessera_blank){.frame = completion.words[REPLY_WAIT_VBLANK_FRAME - 4],
                                    .cycle = (uint64_t)completion.words[REPLY_WAIT_VBLANK_TIME_HI - 4] << 32 |
                                             completion.words[REPLY_WAIT_VBLANK_TIME_LO - 4]};
    return TESSERA_OK;
}
