/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets in words, from the table (spec/gpu.def).
 */
#include "lib/packet_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gpu_names.h"

enum { KIND_PLAIN, KIND_ADDR, LEVEL_USER = 0, LEVEL_RING = 1, OPCODE_MASK = 0xff };

static const struct shape {
    const char *name;
    uint8_t opcode, words, level;
} shapes[] = {
#define PKT(name, opcode, words, privilege, doc) {#name, (opcode), (words), LEVEL_##privilege},
#include "gpu.def"
};

static const struct field {
    uint8_t opcode, word, lsb, width, kind;
    const char *name;
} fields[] = {
#define PKT_FIELD(pkt, word, name, lsb, width, kind, doc) {PKT_##pkt, (word), (lsb), (width), KIND_##kind, #name},
#include "gpu.def"
};

enum { SHAPES = sizeof shapes / sizeof *shapes, FIELDS = sizeof fields / sizeof *fields };

static const struct shape *find_shape(uint32_t word)
{
    for (unsigned i = 0; i < SHAPES; i++)
        if (shapes[i].opcode == (word & OPCODE_MASK)) return &shapes[i];
    return NULL;
}

static const struct field *find_field(uint32_t word, const char *name)
{
    for (unsigned i = 0; i < FIELDS; i++)
        if (fields[i].opcode == (word & OPCODE_MASK) && strcmp(fields[i].name, name) == 0) return &fields[i];
    return NULL;
}

uint32_t packet_words(uint32_t word)
{
    const struct shape *shape = find_shape(word);
    return shape != NULL ? shape->words : 0;
}

/* Bits of a packet's word that no field owns. */
static uint32_t reserved_bits(uint32_t opcode, uint32_t word)
{
    uint32_t owned = word == 0 ? OPCODE_MASK : 0;
    for (unsigned i = 0; i < FIELDS; i++)
        if (fields[i].opcode == opcode && fields[i].word == word)
            owned |= field_place(0xffffffffu, fields[i].lsb, fields[i].width);
    return ~owned;
}

enum packet_state packet_state(const struct stream_view *view, uint32_t position)
{
    const uint32_t *words = view->words + position;
    const struct shape *shape = find_shape(words[0]);
    if (shape == NULL) return PACKET_UNKNOWN;
    if (shape->words > view->word_count - position) return PACKET_TRUNCATED;
    if (shape->level == LEVEL_RING) return PACKET_PRIVILEGED;
    for (uint32_t i = 0; i < shape->words; i++)
        if ((words[i] & reserved_bits(shape->opcode, i)) != 0) return PACKET_RESERVED;
    return PACKET_GOOD;
}

/* ------------------------------------------------------------------ fields and lists */

uint32_t packet_field_word(uint32_t first_word, const char *name)
{
    const struct field *field = find_field(first_word, name);
    return field != NULL ? field->word : 0;
}

uint32_t packet_field(const struct stream_view *view, uint32_t position, const char *name, uint32_t missing)
{
    const struct field *field = find_field(view->words[position], name);
    if (field == NULL || field->word >= view->word_count - position) return missing;
    return field_extract(view->words[position + field->word], field->lsb, field->width);
}

uint32_t packet_patch_of(const struct stream_view *view, uint32_t position)
{
    uint32_t entry = 0;
    while (entry < view->patch_count && packet_patch_word(view, entry, PATCH_PATCH_OFFSET) != position * 4u) entry++;
    return entry;
}

uint32_t packet_patch_word(const struct stream_view *view, uint32_t entry, uint32_t word)
{
    return entry < view->patch_count ? view->patches[entry * GPU_LIMIT(PATCH_ENTRY_WORDS) + word] : 0;
}

uint32_t packet_list_word(const struct stream_view *view, uint32_t entry, uint32_t word)
{
    return entry < view->list_count ? view->list[entry * GPU_LIMIT(LIST_ENTRY_WORDS) + word] : 0;
}

/* ------------------------------------------------------------------ text */

struct text {
    char *at;
    size_t left;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t moved = written < 0 ? 0 : (size_t)written < text->left ? (size_t)written : text->left - 1u;
    text->at += moved;
    text->left -= moved;
}

/* An address word holds nothing that counts: its patch location says what it is. */
static void add_address(struct text *text, const struct stream_view *view, uint32_t position, uint32_t value)
{
    const uint32_t entry = packet_patch_of(view, position);
    if (entry == view->patch_count) {
        add(text, view->patches != NULL ? "0x%x (no patch location)" : "0x%x", value);
        return;
    }
    const uint32_t index = packet_patch_word(view, entry, PATCH_ALLOCATION_INDEX);
    const uint32_t handle = packet_list_word(view, index, LIST_HANDLE);
    if (index == 0) add(text, "NULL");
    else if (index >= view->list_count) add(text, "list entry %u (there is none)", index);
    else add(text, "allocation %u + %u", handle, packet_patch_word(view, entry, PATCH_ALLOCATION_OFFSET));
}

static bool is_one_of(const char *name, const char *const *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static void add_value(struct text *text, const struct field *field, uint32_t value)
{
    static const char *const in_hex[] = {"COLOUR", "VALUE", "PATTERN", "KEY", "ROP"};
    static const char *const fixed[] = {"U", "V", "U_X", "V_X", "U_Y", "V_Y"};
    enum { TENTHS = 10000 };
    if (strcmp(field->name, "FORMAT") == 0) add(text, "%s", format_name(value));
    else if (strcmp(field->name, "MODE") == 0) add(text, "%s", mode_name(value));
    else if (is_one_of(field->name, in_hex, sizeof in_hex / sizeof *in_hex)) add(text, "0x%x", value);
    else if (is_one_of(field->name, fixed, sizeof fixed / sizeof *fixed)) {
        const uint32_t size = (int32_t)value < 0 ? 0u - value : value;
        add(text, "%s%u.%04u", (int32_t)value < 0 ? "-" : "", size >> 16,
            (uint32_t)((uint64_t)(size & 0xffffu) * TENTHS >> 16));
    } else add(text, "%u", value);
}

void packet_print(const struct stream_view *view, uint32_t position, char *out, size_t size)
{
    const uint32_t *words = view->words + position;
    const struct shape *shape = find_shape(words[0]);
    struct text text = {out, size};
    if (shape == NULL) {
        add(&text, "0x%08x", words[0]);
        return;
    }
    add(&text, "%s", shape->name);
    for (unsigned i = 0; i < FIELDS; i++) {
        const struct field *field = &fields[i];
        if (field->opcode != shape->opcode || field->word >= view->word_count - position) continue;
        const uint32_t value = field_extract(words[field->word], field->lsb, field->width);
        if (field->width == 1 && value == 0) continue;
        add(&text, " %s", field->name);
        if (field->width == 1) continue;
        add(&text, "=");
        if (field->kind == KIND_ADDR) add_address(&text, view, position + field->word, value);
        else add_value(&text, field, value);
    }
}
