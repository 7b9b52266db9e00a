/* SPDX-License-Identifier: Apache-2.0
 *
 * See examiner_model.h. The rules are those of firmware/validate/access.c, said again for the packets that programs
 * draw with; whatever is not accepted is left to that file. Which blits there are is the engine's.
 */
#include "examiner_model.h"

#include "engine_packets.h"
#include "pixel_model.h"

_Static_assert(1 << EXAMINER_LOG2_MAX == LIMIT_BITS_LIST_ENTRIES_MAX, "any list has room");

enum { SLOTS = LIMIT_BITS_SLOTS, NONE = 0xffff };

struct surface {
    uint32_t entry; /* NONE: nothing is bound */
    uint32_t bytes, pitch, format, split_word;
    bool is_writable;
};

struct walk {
    struct examiner_model *examiner;
    const uint32_t *words; /* of the DMA buffer */
    uint32_t position, begun, matched, split_word, work;
    uint32_t row[SLOTS];
    struct surface bound[SLOTS];
};

struct rectangle {
    uint32_t x, y, width, height;
};

static uint32_t split_of(const struct examiner_entry *entry)
{
    return FIELD_GET(entry->place, EXAMINE_ENTRY_PLACE_SPLIT_WORD);
}

/* Entries take their row where they begin: at a packet's first word, in order. */
static bool begin_entries(struct walk *walk)
{
    const struct examiner_model *examiner = walk->examiner;
    for (; walk->begun < examiner->entries; walk->begun++) {
        const struct examiner_entry *entry = &examiner->entry[walk->begun];
        if (split_of(entry) > walk->position) return true;
        if (split_of(entry) < walk->position) return false;
        walk->row[FIELD_GET(entry->room, EXAMINE_ENTRY_ROOM_SLOT)] = walk->begun;
        walk->split_word = walk->position;
    }
    return true;
}

static bool bind(struct walk *walk, const uint32_t *words)
{
    const uint32_t index = words[PKT_BIND_ADDRESS_WORD], slot = FIELD_GET(words[0], PKT_BIND_SLOT);
    const uint32_t format = FIELD_GET(words[0], PKT_BIND_FORMAT), bytes = words[PKT_BIND_BYTES_WORD];
    if (index >= walk->examiner->entries) return false;
    const struct examiner_entry *entry = &walk->examiner->entry[index];
    if (FIELD_GET(entry->place, EXAMINE_ENTRY_PLACE_PATCH_WORD) != walk->position + PKT_BIND_ADDRESS_WORD ||
        split_of(entry) > walk->position || FIELD_GET(entry->room, EXAMINE_ENTRY_ROOM_SLOT) != slot ||
        format > FORMAT_A8) /* palettes are the firmware's to follow, and units that are parts of bytes */
        return false;
    const bool unbinds = FIELD_GET(entry->place, EXAMINE_ENTRY_PLACE_UNBINDS) != 0u;
    if (!unbinds && bytes > FIELD_GET(entry->room, EXAMINE_ENTRY_ROOM_BYTES)) return false;
    walk->matched++;
    walk->bound[slot] = (struct surface){
        .entry = unbinds ? (uint32_t)NONE : index,
        .bytes = bytes,
        .pitch = FIELD_GET(words[PKT_BIND_PITCH_WORD], PKT_BIND_PITCH),
        .format = format,
        .split_word = split_of(entry),
        .is_writable = FIELD_GET(entry->place, EXAMINE_ENTRY_PLACE_WRITE) != 0u,
    };
    return true;
}

/* Bytes of the rectangle's pixels, and whether it lies in the surface in `slot`, that is still where it was. */
static bool judge(const struct walk *walk, uint32_t slot, struct rectangle r, uint64_t *bytes)
{
    const struct surface *surface = &walk->bound[slot];
    const uint32_t unit = pixel_unit_bytes(surface->format);
    if (surface->entry == NONE) return false;
    if (walk->row[slot] != surface->entry && walk->split_word != surface->split_word) return false;
    *bytes = (uint64_t)r.width * r.height * unit;
    if (*bytes == 0u) return true;
    return (uint64_t)(r.y + r.height - 1u) * surface->pitch + (uint64_t)(r.x + r.width) * unit <= surface->bytes;
}

static void add_result(struct walk *walk, uint32_t slot, uint64_t bytes, bool is_written)
{
    enum { TRAFFIC_UNIT = 256 };
    struct examiner_entry *entry = &walk->examiner->entry[walk->bound[slot].entry];
    const uint64_t sum = FIELD_GET(entry->result, EXAMINE_RESULT_TRAFFIC) + (bytes + TRAFFIC_UNIT - 1u) / TRAFFIC_UNIT;
    is_written = is_written || FIELD_GET(entry->result, EXAMINE_RESULT_WRITTEN) != 0u;
    entry->result = FIELD_PUT(sum < UINT16_MAX ? (uint32_t)sum : UINT16_MAX, EXAMINE_RESULT_TRAFFIC) |
                    FIELD_PUT(is_written, EXAMINE_RESULT_WRITTEN);
}

static bool write_target(struct walk *walk, uint32_t slot, struct rectangle r, bool is_read_too)
{
    uint64_t bytes;
    if (!judge(walk, slot, r, &bytes) || !walk->bound[slot].is_writable) return false;
    if (bytes > (uint64_t)walk->bound[slot].bytes * LIMIT_BITS_PACKET_REUSE ||
        walk->work + bytes > LIMIT_BITS_DMA_WORK_BYTES)
        return false;
    walk->work += (uint32_t)bytes;
    add_result(walk, slot, is_read_too ? 2u * bytes : bytes, true);
    return true;
}

static bool fill_rect(struct walk *walk, const uint32_t *words)
{
    const struct rectangle r = {.x = FIELD_GET(words[PKT_FILL_RECT_X_WORD], PKT_FILL_RECT_X),
                                .y = FIELD_GET(words[PKT_FILL_RECT_Y_WORD], PKT_FILL_RECT_Y),
                                .width = FIELD_GET(words[PKT_FILL_RECT_WIDTH_WORD], PKT_FILL_RECT_WIDTH),
                                .height = FIELD_GET(words[PKT_FILL_RECT_HEIGHT_WORD], PKT_FILL_RECT_HEIGHT)};
    return write_target(walk, FIELD_GET(words[0], PKT_FILL_RECT_TARGET), r, false);
}

static bool blit(struct walk *walk, const uint32_t *words)
{
    const uint32_t source = FIELD_GET(words[0], PKT_BLIT_SOURCE), target = FIELD_GET(words[0], PKT_BLIT_TARGET);
    struct rectangle from = {.x = FIELD_GET(words[PKT_BLIT_SOURCE_X_WORD], PKT_BLIT_SOURCE_X),
                             .y = FIELD_GET(words[PKT_BLIT_SOURCE_Y_WORD], PKT_BLIT_SOURCE_Y),
                             .width = FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH),
                             .height = FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT)};
    struct rectangle to = {.x = FIELD_GET(words[PKT_BLIT_TARGET_X_WORD], PKT_BLIT_TARGET_X),
                           .y = FIELD_GET(words[PKT_BLIT_TARGET_Y_WORD], PKT_BLIT_TARGET_Y),
                           .width = from.width,
                           .height = from.height};
    uint64_t bytes;
    if (!judge(walk, source, from, &bytes)) return false;
    if (!pixel_blit_is_legal(words[0], walk->bound[source].format, walk->bound[target].format)) return false;
    add_result(walk, source, bytes, false);
    return write_target(walk, target, to, FIELD_GET(words[0], PKT_BLIT_MODE) != BLIT_COPY);
}

/* The packet at walk->position, of which `left` words are there. Its words, or 0 where the walk stops. */
static uint32_t examine(struct walk *walk, uint32_t left)
{
    const uint32_t *words = walk->words + walk->position;
    uint32_t length = 0, owned[PKT_BLIT_AFFINE_WORDS] = {0}; /* of the longest packet */
    const uint32_t opcode = words[0] & field_mask(8);
#define PKT(name, code, count, privilege, doc) \
    if (opcode == (code)) length = (count);
#define PKT_FIELD(pkt, word, name, lsb, width, kind, doc) \
    if (opcode == PKT_##pkt) owned[word] |= field_mask(width) << (lsb);
#include "gpu.def"
    if (length == 0u || length > left || !begin_entries(walk)) return 0;
    owned[0] |= field_mask(8);
    for (uint32_t i = 0; i < length; i++)
        if ((words[i] & ~owned[i]) != 0u) return 0;
    switch (opcode) {
    case PKT_NOP: return length;
    case PKT_BIND: return bind(walk, words) ? length : 0;
    case PKT_FILL_RECT: return fill_rect(walk, words) ? length : 0;
    case PKT_BLIT: return blit(walk, words) ? length : 0;
    default: return 0;
    }
}

static uint32_t idle_status(const struct examiner_model *examiner)
{
    return FIELD_PUT(1, EXAMINE_STATUS_PRESENT) | FIELD_PUT(examiner->log2, EXAMINE_STATUS_TABLE);
}

static void start(struct examiner_model *examiner, uint32_t start, const uint32_t *command, uint32_t command_words)
{
    const uint32_t base = FIELD_GET(start, EXAMINE_START_BASE), count = FIELD_GET(start, EXAMINE_START_WORDS);
    struct walk walk = {.examiner = examiner, .words = command + base};
    uint32_t length = 1;
    for (uint32_t slot = 0; slot < SLOTS; slot++) walk.row[slot] = walk.bound[slot].entry = NONE;
    while (walk.position < count && length != 0u && base + count <= command_words) {
        length = examine(&walk, count - walk.position);
        walk.position += length;
    }
    const bool is_accepted =
        walk.position == count && walk.begun == examiner->entries && walk.matched == examiner->entries;
    examiner->status = idle_status(examiner) | FIELD_PUT(is_accepted, EXAMINE_STATUS_ACCEPTED) |
                       FIELD_PUT(walk.position, EXAMINE_STATUS_POSITION);
}

void examiner_model_reset(struct examiner_model *examiner, uint32_t log2)
{
    examiner->index = 0;
    examiner->log2 = log2;
    examiner->status = idle_status(examiner);
}

uint32_t examiner_model_read(struct examiner_model *examiner, uint32_t offset)
{
    if (offset == EXAMINE_STATUS_OFFSET) return examiner->status;
    if (offset != EXAMINE_RESULT_OFFSET) return 0;
    const uint32_t result = examiner->entry[examiner->index].result;
    examiner->index = (examiner->index + 1u) & field_mask(examiner->log2);
    return result;
}

void examiner_model_write(struct examiner_model *examiner, uint32_t offset, uint32_t value, const uint32_t *command,
                          uint32_t command_words)
{
    switch (offset) {
    case EXAMINE_INDEX_OFFSET: examiner->index = value & field_mask(examiner->log2); break;
    case EXAMINE_ENTRY_PLACE_OFFSET: examiner->place = value; break;
    case EXAMINE_ENTRY_ROOM_OFFSET:
        examiner->entry[examiner->index] = (struct examiner_entry){.place = examiner->place, .room = value};
        examiner->index = (examiner->index + 1u) & field_mask(examiner->log2);
        break;
    case EXAMINE_ENTRIES_OFFSET: examiner->entries = value & field_mask(examiner->log2 + 1u); break;
    case EXAMINE_START_OFFSET: start(examiner, value, command, command_words); break;
    default: break;
    }
}
