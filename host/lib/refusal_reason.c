/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong inside a DMA buffer: the packet or the entry that the detail names, what it would touch, what to do.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_names.h"
#include "lib/packet_text.h"
#include "lib/refusal.h"
#include "lib/stream_internal.h"

enum { NOTHING = 0xffffffffu };

/* The packet that a byte offset lies in, and what the binding registers hold there. */
struct scene {
    const struct tessera *tessera;
    const struct stream_view *view;
    uint32_t position;         /* the packet's first word */
    uint32_t bind[SLOT_LIMIT]; /* the BIND that loaded a slot, its first word; NOTHING: none */
    char packet[48];           /* "FILL_RECT at byte 16" */
};

static void note_bind(struct scene *scene, uint32_t position)
{
    const uint32_t slot = packet_field(scene->view, position, "SLOT", NOTHING);
    if ((scene->view->words[position] & 0xffu) != PKT_BIND || slot >= SLOT_LIMIT) return;
    const uint32_t entry = packet_patch_of(scene->view, position + PKT_BIND_ADDRESS_WORD);
    scene->bind[slot] = packet_patch_word(scene->view, entry, PATCH_ALLOCATION_INDEX) != 0 ? position : NOTHING;
}

/* false: the buffer has no such byte. */
static bool look(struct scene *scene, uint32_t byte)
{
    const struct stream_view *view = scene->view;
    memset(scene->bind, 0xff, sizeof scene->bind);
    for (uint32_t position = 0; position < view->word_count;) {
        const uint32_t count = packet_words(view->words[position]), words = count != 0 ? count : 1u;
        if (byte / 4u < position + words) {
            scene->position = position;
            snprintf(scene->packet, sizeof scene->packet, "%s at byte %u",
                     count != 0 ? packet_name(view->words[position] & 0xffu) : "the word", position * 4u);
            return true;
        }
        note_bind(scene, position);
        position += words;
    }
    return false;
}

static uint32_t field(const struct scene *scene, const char *name)
{
    return packet_field(scene->view, scene->position, name, NOTHING);
}

static uint32_t handle_of(const struct scene *scene, uint32_t entry)
{
    const uint32_t index = packet_patch_word(scene->view, entry, PATCH_ALLOCATION_INDEX);
    return packet_list_word(scene->view, index, LIST_HANDLE);
}

static uint32_t bytes_of(const struct scene *scene, uint32_t handle)
{
    const struct tessera_allocation *allocation = scene->tessera->all;
    while (allocation != NULL && allocation->handle != handle) allocation = allocation->next;
    return allocation != NULL ? allocation->bytes : 0;
}

/* A draw names slots; other packets have address words. */
static bool is_draw(const struct scene *scene)
{
    const uint32_t opcode = scene->view->words[scene->position] & 0xffu;
    return opcode == PKT_FILL_RECT || opcode == PKT_BLIT || opcode == PKT_BLIT_AFFINE;
}

/* The patch entry of the operand `name`, TARGET or SOURCE. */
static uint32_t entry_of(const struct scene *scene, const char *name)
{
    if (!is_draw(scene)) {
        const uint32_t first = scene->view->words[scene->position];
        return packet_patch_of(scene->view, scene->position + packet_field_word(first, name));
    }
    const uint32_t slot = field(scene, name);
    if (slot >= SLOT_LIMIT || scene->bind[slot] == NOTHING) return scene->view->patch_count;
    return packet_patch_of(scene->view, scene->bind[slot] + PKT_BIND_ADDRESS_WORD);
}

static void say_not_writable(const struct scene *scene, char *text, size_t size)
{
    const uint32_t entry = entry_of(scene, "TARGET");
    const uint32_t index = packet_patch_word(scene->view, entry, PATCH_ALLOCATION_INDEX);
    const bool is_listed = (packet_list_word(scene->view, index, LIST_FLAGS) & LIST_FLAG_WRITE) != 0;
    snprintf(text, size, "%s writes allocation %u (slot %u), which is %s", scene->packet, handle_of(scene, entry),
             packet_patch_word(scene->view, entry, PATCH_SLOT_ID),
             is_listed ? "shared with this client for reading alone: its owner calls tessera_share with RIGHT_WRITE"
                       : "listed without WriteOperation: set is_target");
}

static void say_unbound(const struct scene *scene, char *text, size_t size)
{
    const uint32_t target = field(scene, "TARGET"), source = field(scene, "SOURCE");
    const bool is_target = target < SLOT_LIMIT && scene->bind[target] == NOTHING;
    snprintf(text, size, "%s names slot %u, its %s, to which nothing is bound: bind a surface first", scene->packet,
             is_target || source == NOTHING ? target : source, is_target || source == NOTHING ? "target" : "source");
}

/* Does a rectangle of a draw leave the bytes that its slot has? Then say so. */
static bool says_outside(const struct scene *scene, const char *operand, const char *const fields[4], char *text,
                         size_t size)
{
    const struct stream_view *view = scene->view;
    const uint32_t slot = field(scene, operand), bind = slot < SLOT_LIMIT ? scene->bind[slot] : NOTHING;
    const uint32_t x = field(scene, fields[0]), y = field(scene, fields[1]);
    const uint32_t width = field(scene, fields[2]), height = field(scene, fields[3]);
    if (bind == NOTHING || x == NOTHING || width == 0 || height == 0) return false;
    const uint32_t format = packet_field(view, bind, "FORMAT", 0), pitch = packet_field(view, bind, "PITCH", 0);
    const uint32_t bytes = packet_field(view, bind, "BYTES", 0), bits = stream_unit_bits(format);
    const uint64_t pitch_bits = (uint64_t)pitch * (bits < 8u ? bits : 8u);
    if ((y + height - 1u) * pitch_bits + (uint64_t)(x + width) * bits <= bytes * 8ull) return false;
    snprintf(text, size, "%s: %u x %u at %u, %u leaves the %s in slot %u (%s, pitch %u, %u bytes)", scene->packet,
             width, height, x, y, operand, slot, format_name(format), pitch, bytes);
    return true;
}

static void say_bad_operand(const struct scene *scene, char *text, size_t size)
{
    static const char *const target[] = {"TARGET_X", "TARGET_Y", "WIDTH", "HEIGHT"};
    static const char *const source[] = {"SOURCE_X", "SOURCE_Y", "WIDTH", "HEIGHT"};
    static const char *const mapped[] = {"SOURCE_X", "SOURCE_Y", "SOURCE_WIDTH", "SOURCE_HEIGHT"};
    static const char *const filled[] = {"X", "Y", "WIDTH", "HEIGHT"};
    const bool is_mapped = field(scene, "SOURCE_WIDTH") != NOTHING;
    char packet[128];
    if (is_draw(scene) && (says_outside(scene, "TARGET", field(scene, "X") != NOTHING ? filled : target, text, size) ||
                           says_outside(scene, "SOURCE", is_mapped ? mapped : source, text, size)))
        return;
    packet_print(scene->view, scene->position, packet, sizeof packet);
    snprintf(text, size,
             "%s: this combination of mode, flags, formats and alignment is not possible (docs/pixels.md): %s",
             scene->packet, packet);
}

/* Operands with the size of their allocations. */
static void say_extent(const struct scene *scene, char *text, size_t size)
{
    static const char *const names[] = {"SOURCE", "TARGET", "ADDRESS"};
    int used = snprintf(text, size, "%s leaves an allocation:", scene->packet);
    for (unsigned i = 0; i < 3u && used >= 0 && (size_t)used < size; i++) {
        const uint32_t word = packet_field_word(scene->view->words[scene->position], names[i]);
        const uint32_t entry = packet_patch_of(scene->view, scene->position + word);
        if (word == 0 || entry == scene->view->patch_count) continue;
        used += snprintf(text + used, size - (size_t)used, " %s is byte %u of allocation %u, which has %u;", names[i],
                         packet_patch_word(scene->view, entry, PATCH_ALLOCATION_OFFSET), handle_of(scene, entry),
                         bytes_of(scene, handle_of(scene, entry)));
    }
    if (used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " BYTES is %u",
                 field(scene, "BYTES") == NOTHING ? 0 : field(scene, "BYTES"));
}

static void say_reserved(const struct scene *scene, char *text, size_t size)
{
    char packet[160];
    packet_print(scene->view, scene->position, packet, sizeof packet);
    snprintf(text, size, "%s (0x%08x ...) sets bits that belong to no field: set them to 0: %s", scene->packet,
             scene->view->words[scene->position], packet);
}

static bool say_packet(const struct scene *scene, uint32_t status, uint32_t detail, char *text, size_t size)
{
    const char *what = scene->packet;
    const uint32_t word = scene->view->words[scene->position];
    switch (status) {
    case STATUS_BAD_OPCODE:
        snprintf(text, size, "%s, 0x%08x, is not a packet: opcode 0x%02x does not exist", what, word, word & 0xffu);
        return true;
    case STATUS_PRIVILEGED:
        snprintf(text, size, "%s is a packet of rings and paging buffers: a program must not use it", what);
        return true;
    case STATUS_TRUNCATED:
        snprintf(text, size, "the buffer of %u bytes ends inside %s, which has %u words", scene->view->word_count * 4u,
                 what, packet_words(word));
        return true;
    case STATUS_RESERVED_BITS: say_reserved(scene, text, size); return true;
    case STATUS_UNPATCHED_ADDRESS:
        snprintf(text, size, "%s: its address word at byte %u has no patch location: add one", what, detail);
        return true;
    case STATUS_EXTENT: say_extent(scene, text, size); return true;
    case STATUS_NOT_WRITABLE: say_not_writable(scene, text, size); return true;
    case STATUS_UNBOUND_SLOT: say_unbound(scene, text, size); return true;
    case STATUS_BAD_OPERAND: say_bad_operand(scene, text, size); return true;
    case STATUS_STALE_REFERENCE:
        snprintf(text, size,
                 "%s uses an address after a split point at which another patch location took its slot: bind it again",
                 what);
        return true;
    case STATUS_WORK_LIMIT:
        snprintf(
            text, size,
            "%s writes its target more than %u times over, or the buffer writes more than %u bytes in all: split it",
            what, GPU_LIMIT(PACKET_REUSE), GPU_LIMIT(DMA_WORK_BYTES));
        return true;
    case STATUS_BAD_MAP:
        snprintf(text, size, "%s: its map has no inverse or leaves signed 16.16 in the target rectangle (byte %u)",
                 what, detail);
        return true;
    case STATUS_NO_PALETTE:
        snprintf(text, size,
                 "%s draws from INDEX8 in slot %u, and no PALETTE came after the last split point: call "
                 "tessera_stream_palette",
                 what, field(scene, "SOURCE"));
        return true;
    case STATUS_UNSUPPORTED:
        snprintf(text, size, "%s needs what this hardware leaves out: tessera_features says what it has", what);
        return true;
    case STATUS_NO_PLACEMENT:
        snprintf(text, size,
                 "what %s needs does not fit into memory beside what stays bound, not even alone: unbind what is not "
                 "needed, or make it smaller",
                 what);
        return true;
    case STATUS_OVER_LIMIT:
        snprintf(text, size,
                 "what %s needs does not fit into memory within this client's maximum and beside other clients' "
                 "minimums: make it smaller, or client 0 calls tessera_client_limit",
                 what);
        return true;
    case STATUS_LEAK:
        snprintf(text, size, "an allocation is carried over the split before %s: unbind it", what);
        return true;
    default: return false;
    }
}

/* What is wrong with patch location `entry`. */
static const char *patch_reason(uint32_t status)
{
    switch (status) {
    case STATUS_BAD_PATCH_OFFSET: return "does not name an address word, or names one a second time";
    case STATUS_BAD_ALLOCATION_INDEX: return "names an allocation that is not in the list";
    case STATUS_BAD_SLOT: return "has a slot that is out of range or not the packet's";
    case STATUS_SPLIT_ORDER:
        return "has a SplitOffset that decreases, is not a packet boundary or lies after its packet";
    case STATUS_NULL_ALLOCATION: return "names no allocation (NULL), which only BIND allows";
    default: return NULL;
    }
}

static const char *list_reason(uint32_t status)
{
    switch (status) {
    case STATUS_BAD_HANDLE:
        return "does not exist for this client: it is destroyed, or another client's and not shared";
    case STATUS_LOCKED: return "is locked: unlock it before submitting";
    case STATUS_OFFERED: return "is offered: call tessera_reclaim first";
    case STATUS_CONTENT_LOST: return "has lost its content in a reset: destroy it and create it again";
    case STATUS_OLD_INSTANCE: return "is an older instance of a renamed allocation, and a later one is in use already";
    default: return NULL;
    }
}

bool refusal_reason(const struct tessera *tessera, const struct stream_view *view, uint32_t status, uint32_t detail,
                    char *text, size_t size)
{
    struct scene scene = {.tessera = tessera, .view = view};
    const char *patch = patch_reason(status), *list = list_reason(status);
    if (patch != NULL)
        snprintf(text, size, "patch location %u (byte %u, allocation index %u, slot %u, split at byte %u) %s", detail,
                 packet_patch_word(view, detail, PATCH_PATCH_OFFSET),
                 packet_patch_word(view, detail, PATCH_ALLOCATION_INDEX),
                 packet_patch_word(view, detail, PATCH_SLOT_ID), packet_patch_word(view, detail, PATCH_SPLIT_OFFSET),
                 patch);
    else if (list != NULL)
        snprintf(text, size, "allocation %u, entry %u of the allocation list, %s",
                 packet_list_word(view, detail, LIST_HANDLE), detail, list);
    else return look(&scene, detail) && say_packet(&scene, status, detail, text, size);
    return true;
}
