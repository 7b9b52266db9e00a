/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call of the stream builder is given, checked before anything changes: no number is cut to the width of its
 * field. The device checks the rest, what a packet touches above all (docs/host.md).
 */
#include <stdarg.h>
#include <stdio.h>

#include "gpu_names.h"
#include "lib/packet_text.h"
#include "lib/stream_internal.h"

int stream_fail(struct tessera_stream *stream, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(stream->message, sizeof stream->message, format, arguments);
    va_end(arguments);
    return status;
}

int stream_is_full(struct tessera_stream *stream)
{
    return stream_fail(
        stream, TESSERA_STREAM_FULL,
        "the stream is full (%u bytes, %u list entries, %u patch locations): submit it, clear it and continue.",
        stream->word_count * 4u, stream->list_count, stream->patch_count);
}

uint32_t stream_unit_bits(uint32_t format)
{
    switch (format) {
    case FORMAT_BYTES:
    case FORMAT_A8:
    case FORMAT_INDEX8: return 8;
    case FORMAT_RGB565:
    case FORMAT_ARGB1555: return 16;
    case FORMAT_RGB888: return 24;
    case FORMAT_ARGB8888:
    case FORMAT_XRGB8888: return 32;
    case FORMAT_A4: return 4;
    case FORMAT_A2: return 2;
    case FORMAT_A1: return 1;
    default: return 0;
    }
}

/* A number for a field of so many bits. */
static int check_field(struct tessera_stream *stream, const char *call, const char *name, uint32_t value, unsigned bits)
{
    if (value <= field_mask(bits)) return TESSERA_OK;
    return stream_fail(stream, TESSERA_MISUSE, "%s: %s %u is out of range, 0 to %u is possible.", call, name, value,
                       field_mask(bits));
}

int stream_check_slot(struct tessera_stream *stream, const char *call, uint32_t slot)
{
    if (slot < SLOT_LIMIT) return TESSERA_OK;
    return stream_fail(stream, TESSERA_MISUSE, "%s: slot %u is out of range, 0 to %u is possible.", call, slot,
                       (unsigned)SLOT_LIMIT - 1u);
}

/* Width and height, where both are said, lie in the bytes. */
static int check_size(struct tessera_stream *stream, const struct tessera_surface *surface, uint64_t bytes)
{
    const uint32_t bits = stream_unit_bits(surface->format);
    const uint64_t pitch_bits = (uint64_t)surface->pitch * (bits < 8u ? bits : 8u);
    if (surface->width == 0 || surface->height == 0) return TESSERA_OK;
    if ((surface->height - 1u) * pitch_bits + (uint64_t)surface->width * bits <= bytes * 8u) return TESSERA_OK;
    return stream_fail(stream, TESSERA_MISUSE, "bind: %u x %u of %s with pitch %u need more than the %llu bytes there.",
                       surface->width, surface->height, format_name(surface->format), surface->pitch,
                       (unsigned long long)bytes);
}

int stream_check_surface(struct tessera_stream *stream, uint32_t slot, const struct tessera_surface *surface)
{
    int status = stream_check_slot(stream, "bind", slot);
    if (status != TESSERA_OK) return status;
    if (surface->allocation == NULL)
        return stream_fail(stream, TESSERA_MISUSE,
                           "bind: slot %u is given no allocation. tessera_stream_unbind empties "
                           "a slot.",
                           slot);
    const uint32_t bytes = surface->allocation->bytes;
    if (stream_unit_bits(surface->format) == 0)
        return stream_fail(stream, TESSERA_MISUSE, "bind: format %u is not a format. docs/pixels.md has the table.",
                           surface->format);
    if (surface->offset > bytes || surface->bytes > bytes - surface->offset)
        return stream_fail(stream, TESSERA_MISUSE, "bind: offset %u and bytes %u leave the allocation of %u bytes.",
                           surface->offset, surface->bytes, bytes);
    status = check_field(stream, "bind", "pitch", surface->pitch, PKT_BIND_PITCH_WIDTH);
    if (status != TESSERA_OK) return status;
    return check_size(stream, surface, surface->bytes != 0 ? surface->bytes : bytes - surface->offset);
}

/* Something is bound to the slot. */
static int check_bound(struct tessera_stream *stream, const char *call, const char *what, uint32_t slot)
{
    int status = stream_check_slot(stream, call, slot);
    if (status != TESSERA_OK || stream->bound[slot] != 0) return status;
    return stream_fail(stream, TESSERA_MISUSE, "%s: no surface is bound to slot %u, the %s. Call tessera_stream_bind.",
                       call, slot, what);
}

struct rectangle {
    uint32_t x, y, width, height;
};

/* A rectangle whose numbers fit their fields, in the surface of a slot if its width and height are known. */
static int check_rectangle(struct tessera_stream *stream, const char *call, const char *what, uint32_t slot,
                           struct rectangle rectangle)
{
    const struct {
        const char *name;
        uint32_t value;
    } fields[] = {{"x", rectangle.x}, {"y", rectangle.y}, {"width", rectangle.width}, {"height", rectangle.height}};
    const struct binding *binding = &stream->binding[slot];
    char name[32];
    for (unsigned i = 0; i < 4u; i++) {
        snprintf(name, sizeof name, "%s %s", what, fields[i].name);
        int status = check_field(stream, call, name, fields[i].value, PKT_FILL_RECT_X_WIDTH);
        if (status != TESSERA_OK) return status;
    }
    if ((binding->width == 0 || rectangle.x + rectangle.width <= binding->width) &&
        (binding->height == 0 || rectangle.y + rectangle.height <= binding->height))
        return TESSERA_OK;
    return stream_fail(stream, TESSERA_MISUSE, "%s: %u x %u at %u, %u leaves the %s in slot %u, %u x %u.", call,
                       rectangle.width, rectangle.height, rectangle.x, rectangle.y, what, slot, binding->width,
                       binding->height);
}

int stream_check_fill_rect(struct tessera_stream *stream, uint32_t target, uint32_t x, uint32_t y, uint32_t width,
                           uint32_t height)
{
    int status = check_bound(stream, "fill_rect", "target", target);
    if (status != TESSERA_OK) return status;
    return check_rectangle(stream, "fill_rect", "target", target, (struct rectangle){x, y, width, height});
}

/* What only a map can get wrong. */
static int check_map(struct tessera_stream *stream, const struct tessera_affine *affine)
{
    const struct tessera_blit *blit = &affine->blit;
    const char *wrong = NULL;
    if (affine->source_width == 0 || affine->source_height == 0) wrong = "source_width and source_height must not be 0";
    else if (blit->mode == BLIT_ROP) wrong = "mode ROP is not possible with a map";
    else if (blit->is_reverse) wrong = "is_reverse is not possible with a map";
    else if (affine->is_transparent && affine->is_repeated) wrong = "is_transparent and is_repeated exclude each other";
    else if (affine->is_filtered && (blit->mode == BLIT_KEY || blit->is_keyed))
        wrong = "is_filtered and a key exclude each other";
    if (wrong == NULL) return TESSERA_OK;
    return stream_fail(stream, TESSERA_MISUSE, "blit_affine: %s.", wrong);
}

/* Mode, and the numbers that depend on it. */
static int check_mode(struct tessera_stream *stream, const char *call, const struct tessera_blit *blit)
{
    const bool has_alpha = blit->mode == BLIT_BLEND || blit->mode == BLIT_ADD;
    if (blit->mode > BLIT_MOD)
        return stream_fail(stream, TESSERA_MISUSE,
                           "%s: mode %u is not a mode, 0 to %u is possible. docs/pixels.md has the table.", call,
                           blit->mode, (unsigned)BLIT_MOD);
    if (has_alpha && blit->value == 0 && !blit->is_alpha_zero)
        return stream_fail(stream, TESSERA_MISUSE,
                           "%s: mode %s with value 0 has a constant alpha of 0 and draws nothing. Set value to 255 for "
                           "the source's own alpha, or is_alpha_zero if 0 is meant.",
                           call, mode_name(blit->mode));
    int status = check_field(stream, call, "rop", blit->rop, PKT_BLIT_ROP_WIDTH);
    return status != TESSERA_OK ? status : check_field(stream, call, "key", blit->key, PKT_BLIT_KEY_WIDTH);
}

int stream_check_blit(struct tessera_stream *stream, const struct tessera_blit *blit,
                      const struct tessera_affine *affine)
{
    const char *call = affine != NULL ? "blit_affine" : "blit";
    const struct rectangle target = {blit->target_x, blit->target_y, blit->width, blit->height};
    const struct rectangle source = {blit->source_x, blit->source_y, affine ? affine->source_width : blit->width,
                                     affine ? affine->source_height : blit->height};
    int status = check_bound(stream, call, "target", blit->target);
    if (status == TESSERA_OK) status = check_bound(stream, call, "source", blit->source);
    if (status == TESSERA_OK) status = check_mode(stream, call, blit);
    if (status == TESSERA_OK && affine != NULL) status = check_map(stream, affine);
    if (status == TESSERA_OK) status = check_rectangle(stream, call, "target", blit->target, target);
    if (status == TESSERA_OK) status = check_rectangle(stream, call, "source", blit->source, source);
    return status;
}

int stream_check_place(struct tessera_stream *stream, const char *call, const char *what,
                       const struct tessera_place *place, uint64_t bytes)
{
    int status = stream_check_slot(stream, call, place->slot);
    if (status != TESSERA_OK) return status;
    if (place->allocation == NULL)
        return stream_fail(stream, TESSERA_MISUSE, "%s: the %s has no allocation.", call, what);
    if (place->offset + bytes <= place->allocation->bytes) return TESSERA_OK;
    return stream_fail(stream, TESSERA_MISUSE, "%s: %llu bytes from offset %u on leave the %s, an allocation of %u.",
                       call, (unsigned long long)bytes, place->offset, what, place->allocation->bytes);
}
