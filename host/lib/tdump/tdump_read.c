/* SPDX-License-Identifier: Apache-2.0
 *
 * See tdump.h. Every count is compared with the bytes that are left before anything is taken by it.
 */
#include "lib/tdump/tdump.h"

#include <string.h>

enum { SECTION_WORDS = 2 };

/* ------------------------------------------------------------------ the sum */

uint32_t tdump_check(const void *data, size_t bytes)
{
    const uint8_t *byte = data;
    uint32_t sum = 0xffffffffu;
    for (size_t i = 0; i < bytes; i++) {
        sum ^= i / 4u == TDUMP_HEAD_CHECK ? 0u : byte[i];
        for (unsigned bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (0xedb88320u & (0u - (sum & 1u)));
    }
    return ~sum;
}

/* ------------------------------------------------------------------ sections */

/* A section while it is read. */
struct section {
    const uint32_t *words;
    uint32_t count;
};

static bool is_text(const char *text)
{
    size_t length = 0;
    while (length < TDUMP_TEXT_BYTES && text[length] != 0)
        if (text[length] < ' ' || text[length++] > '~') return false;
    return length > 0 && length < TDUMP_TEXT_BYTES;
}

/* The answer that a reason comes with. */
static uint32_t status_of(uint32_t reason)
{
    switch (reason) {
    case TDUMP_FAULT: return STATUS_FAULT;
    case TDUMP_TIMEOUT: return STATUS_TIMEOUT;
    case TDUMP_CONTEXT_LOST: return STATUS_CONTEXT_LOST;
    default: return STATUS_OK;
    }
}

static enum tdump_status read_about(struct tdump *dump, struct section section)
{
    const uint32_t *words = section.words;
    if (section.count != ABOUT_WORDS) return TDUMP_BAD_SIZE;
    if (words[ABOUT_REASON] == 0 || words[ABOUT_REASON] >= TDUMP_REASONS) return TDUMP_BAD_REASON;
    if (words[ABOUT_STATUS] != status_of(words[ABOUT_REASON])) return TDUMP_BAD_STATUS;
    if (words[ABOUT_MEMORY_BYTES] == 0 || words[ABOUT_MEMORY_BYTES] % GPU_LIMIT(PAGE_BYTES) != 0 ||
        words[ABOUT_MEMORY_BYTES] > GPU_LIMIT(ADDR_SYSTEM))
        return TDUMP_BAD_MEMORY;
    if (!is_text((const char *)(words + ABOUT_TEXT))) return TDUMP_BAD_TEXT;
    dump->about = words;
    return TDUMP_OK;
}

static enum tdump_status read_registers(struct tdump *dump, struct section section)
{
    if (section.count % 2u != 0 || section.count / 2u > TDUMP_REGISTERS_BYTES / 4) return TDUMP_BAD_SIZE;
    for (uint32_t i = 0; i < section.count; i += 2) {
        const uint32_t offset = section.words[i];
        if (offset >= TDUMP_REGISTERS_BYTES || offset % 4u != 0 || (i != 0 && offset <= section.words[i - 2]))
            return TDUMP_BAD_REGISTER;
    }
    dump->registers = section.words;
    dump->register_count = section.count / 2u;
    return TDUMP_OK;
}

static enum tdump_status read_statistics(struct tdump *dump, struct section section)
{
    if (section.count > TDUMP_STATISTICS_MAX) return TDUMP_BAD_SIZE;
    dump->statistics = section.words;
    dump->statistic_count = section.count;
    return TDUMP_OK;
}

static enum tdump_status read_ring(struct tdump *dump, struct section section)
{
    static const struct {
        uint32_t log2_most, entry_words;
    } shapes[TDUMP_RINGS] = {{12, 1}, {12, 1}, {12, LIMIT_BITS_MESSAGE_WORDS}, {12, LIMIT_BITS_COMPLETION_WORDS}};
    if (section.count < RING_WORDS) return TDUMP_BAD_SIZE;
    const uint32_t name = section.words[RING_NAME], log2 = section.words[RING_LOG2];
    if (name >= TDUMP_RINGS || log2 == 0 || log2 > shapes[name].log2_most ||
        section.words[RING_TAIL] - section.words[RING_HEAD] > 1u << log2)
        return TDUMP_BAD_RING;
    struct tdump_ring *ring = &dump->rings[name];
    if (ring->words != NULL) return TDUMP_TWICE;
    if (section.count - RING_WORDS != shapes[name].entry_words << log2) return TDUMP_BAD_SIZE;
    *ring = (struct tdump_ring){log2, section.words[RING_HEAD], section.words[RING_TAIL], section.words + RING_WORDS,
                                section.count - RING_WORDS};
    return TDUMP_OK;
}

static enum tdump_status read_portion(struct tdump *dump, struct section section)
{
    if (section.count < PORTION_WORDS) return TDUMP_BAD_SIZE;
    const uint32_t bytes = section.words[PORTION_BYTES], start = section.words[PORTION_START];
    if (section.words[PORTION_NODE] > 1 || section.words[PORTION_AT] % 4u != 0 || bytes % 4u != 0 || bytes == 0 ||
        bytes > GPU_LIMIT(DMA_BYTES_MAX) ||
        (start != TDUMP_NOWHERE && (start % 4u != 0 || start > GPU_LIMIT(DMA_BYTES_MAX) - bytes)))
        return TDUMP_BAD_PORTION;
    if (section.count - PORTION_WORDS != bytes / 4u) return TDUMP_BAD_SIZE;
    if (dump->portion_count == TDUMP_PORTIONS_MAX) return TDUMP_TOO_MANY;
    dump->portions[dump->portion_count++] = (struct tdump_portion){
        section.words[PORTION_NODE],  section.words[PORTION_AT], section.words[PORTION_FENCE], start, bytes / 4u,
        section.words + PORTION_WORDS};
    return TDUMP_OK;
}

static enum tdump_status read_instructions(struct tdump *dump, struct section section)
{
    if (section.count > TDUMP_INSTRUCTIONS_MAX) return TDUMP_BAD_SIZE;
    dump->instructions = section.words;
    dump->instruction_count = section.count;
    return TDUMP_OK;
}

static enum tdump_status read_events(struct tdump *dump, struct section section)
{
    static const bool is_event[] = {
#define TRACE(name, value, doc) [value] = true,
#include "gpu.def"
    };
    if (section.count % EVENT_WORDS != 0 || section.count / EVENT_WORDS > TDUMP_EVENTS_MAX) return TDUMP_BAD_SIZE;
    for (uint32_t i = 0; i < section.count; i += EVENT_WORDS) {
        const uint32_t name = section.words[i + EVENT_NAME];
        if (name >= sizeof is_event / sizeof *is_event || !is_event[name]) return TDUMP_BAD_EVENT;
    }
    dump->events = section.words;
    dump->event_count = section.count / EVENT_WORDS;
    return TDUMP_OK;
}

static enum tdump_status read_journal(struct tdump *dump, struct section section)
{
    if (section.count % JOURNAL_WORDS != 0 || section.count / JOURNAL_WORDS > TDUMP_JOURNAL_MAX) return TDUMP_BAD_SIZE;
    for (uint32_t i = 0; i < section.count; i += JOURNAL_WORDS)
        if (section.words[i + JOURNAL_STATE] > 1) return TDUMP_BAD_JOURNAL;
    dump->journal = section.words;
    dump->journal_count = section.count / JOURNAL_WORDS;
    return TDUMP_OK;
}

static enum tdump_status read_buffer(struct tdump *dump, struct section section)
{
    if (section.count < BUFFER_WORDS) return TDUMP_BAD_SIZE;
    const uint32_t *words = section.words;
    const uint32_t word_count = words[BUFFER_WORD_COUNT], list_count = words[BUFFER_LIST_COUNT];
    const uint32_t patch_count = words[BUFFER_PATCH_COUNT];
    if (words[BUFFER_IS_GUILTY] > 1 || (words[BUFFER_IS_GUILTY] == 1 && tdump_guilty(dump) != NULL))
        return TDUMP_BAD_GUILT;
    if (word_count > GPU_LIMIT(DMA_BYTES_MAX) / 4u || list_count > GPU_LIMIT(LIST_ENTRIES_MAX) ||
        patch_count > GPU_LIMIT(LIST_ENTRIES_MAX))
        return TDUMP_BAD_COUNTS;
    const uint32_t list_words = list_count * GPU_LIMIT(LIST_ENTRY_WORDS);
    if (section.count - BUFFER_WORDS != word_count + list_words + patch_count * GPU_LIMIT(PATCH_ENTRY_WORDS))
        return TDUMP_BAD_SIZE;
    if (dump->buffer_count == TDUMP_BUFFERS_MAX) return TDUMP_TOO_MANY;
    const uint32_t *data = words + BUFFER_WORDS;
    dump->buffers[dump->buffer_count++] = (struct tdump_buffer){.is_guilty = words[BUFFER_IS_GUILTY] == 1,
                                                                .tag = words[BUFFER_TAG],
                                                                .client = words[BUFFER_CLIENT],
                                                                .context = words[BUFFER_CONTEXT],
                                                                .flags = words[BUFFER_FLAGS],
                                                                .word_count = word_count,
                                                                .list_count = list_count,
                                                                .patch_count = patch_count,
                                                                .words = data,
                                                                .list = data + word_count,
                                                                .patches = data + word_count + list_words};
    return TDUMP_OK;
}

static enum tdump_status read_allocation(struct tdump *dump, struct section section)
{
    if (section.count < PLACE_WORDS) return TDUMP_BAD_SIZE;
    const uint32_t *words = section.words;
    const uint32_t pages = words[PLACE_PAGES], content = words[PLACE_CONTENT_BYTES];
    if (pages == 0 || pages > TDUMP_PAGES_MAX) return TDUMP_BAD_PAGES;
    if (content != 0 && content != pages * GPU_LIMIT(PAGE_BYTES)) return TDUMP_BAD_CONTENT;
    if (words[PLACE_HANDLE] == 0 || tdump_allocation_of(dump, words[PLACE_HANDLE]) != NULL) return TDUMP_BAD_HANDLE;
    if (words[PLACE_SEGMENT] > GPU_LIMIT(SEGMENTS) && words[PLACE_SEGMENT] != TDUMP_NOWHERE) return TDUMP_BAD_SEGMENT;
    if (section.count - PLACE_WORDS != 2u * pages + content / 4u) return TDUMP_BAD_SIZE;
    if (dump->allocation_count == TDUMP_ALLOCATIONS_MAX) return TDUMP_TOO_MANY;
    const uint32_t *given = words + PLACE_WORDS;
    dump->allocations[dump->allocation_count++] =
        (struct tdump_allocation){.handle = words[PLACE_HANDLE],
                                  .client = words[PLACE_CLIENT],
                                  .segment = words[PLACE_SEGMENT],
                                  .offset = words[PLACE_OFFSET],
                                  .page_count = pages,
                                  .created = words + PLACE_CREATED,
                                  .given = given,
                                  .found = given + pages,
                                  .content = content != 0 ? (const uint8_t *)(given + 2u * pages) : NULL};
    return TDUMP_OK;
}

/* ------------------------------------------------------------------ the file */

static const struct {
    bool is_single;
    enum tdump_status (*read)(struct tdump *dump, struct section section);
} kinds[TDUMP_TAGS] = {
    [TDUMP_ABOUT] = {true, read_about},           [TDUMP_REGISTERS] = {true, read_registers},
    [TDUMP_STATISTICS] = {true, read_statistics}, [TDUMP_RING] = {false, read_ring},
    [TDUMP_PORTION] = {false, read_portion},      [TDUMP_INSTRUCTIONS] = {true, read_instructions},
    [TDUMP_EVENTS] = {true, read_events},         [TDUMP_JOURNAL] = {true, read_journal},
    [TDUMP_BUFFER] = {false, read_buffer},        [TDUMP_ALLOCATION] = {false, read_allocation},
};

static enum tdump_status read_head(struct tdump *dump, const uint32_t *words, size_t bytes)
{
    if (bytes > TDUMP_BYTES_MAX) return TDUMP_TOO_LONG;
    if (bytes < TDUMP_HEAD_WORDS * 4u) return TDUMP_TOO_SHORT;
    if (memcmp(words, TDUMP_LETTERS, TDUMP_LETTERS_BYTES) != 0) return TDUMP_NOT_A_DUMP;
    if (words[TDUMP_HEAD_VERSION] != TDUMP_VERSION) return TDUMP_BAD_VERSION;
    if (words[TDUMP_HEAD_BYTES] != bytes || bytes % 4u != 0) return TDUMP_BAD_LENGTH;
    if (words[TDUMP_HEAD_CHECK] != tdump_check(words, bytes)) return TDUMP_BAD_CHECK;
    dump->abi = words[TDUMP_HEAD_ABI];
    return TDUMP_OK;
}

enum tdump_status tdump_read(struct tdump *dump, const void *data, size_t bytes)
{
    const uint32_t *words = data;
    uint32_t seen = 0, sections = 0;
    memset(dump, 0, sizeof *dump);
    enum tdump_status status = read_head(dump, words, bytes);
    const size_t total = bytes / 4u;
    for (size_t at = TDUMP_HEAD_WORDS; status == TDUMP_OK && at < total; sections++) {
        if (total - at < SECTION_WORDS) return TDUMP_BAD_SIZE;
        const uint32_t tag = words[at], size = words[at + 1];
        at += SECTION_WORDS;
        if (tag == 0 || tag >= TDUMP_TAGS) return TDUMP_BAD_TAG;
        if (size % 4u != 0 || size / 4u > total - at) return TDUMP_BAD_SIZE;
        if (kinds[tag].is_single && (seen & 1u << tag) != 0) return TDUMP_TWICE;
        if (sections == 0 && tag != TDUMP_ABOUT) return TDUMP_NO_ABOUT;
        status = kinds[tag].read(dump, (struct section){words + at, size / 4u});
        seen |= 1u << tag;
        at += size / 4u;
    }
    if (status != TDUMP_OK) return status;
    if (sections != words[TDUMP_HEAD_SECTIONS]) return TDUMP_BAD_SECTIONS;
    return dump->about != NULL ? TDUMP_OK : TDUMP_NO_ABOUT;
}

/* ------------------------------------------------------------------ what is asked of it */

uint32_t tdump_register(const struct tdump *dump, uint32_t offset, uint32_t missing)
{
    for (uint32_t i = 0; i < dump->register_count; i++)
        if (dump->registers[2u * i] == offset) return dump->registers[2u * i + 1u];
    return missing;
}

const struct tdump_buffer *tdump_guilty(const struct tdump *dump)
{
    for (uint32_t i = 0; i < dump->buffer_count; i++)
        if (dump->buffers[i].is_guilty) return &dump->buffers[i];
    return NULL;
}

const struct tdump_allocation *tdump_allocation_of(const struct tdump *dump, uint32_t handle)
{
    for (uint32_t i = 0; i < dump->allocation_count; i++)
        if (dump->allocations[i].handle == handle) return &dump->allocations[i];
    return NULL;
}

static const struct {
    const char *name, *text;
} statuses[TDUMP_STATUSES] = {
    [TDUMP_OK] = {"OK", "is a dump"},
    [TDUMP_TOO_SHORT] = {"TOO_SHORT", "is shorter than the head of a dump"},
    [TDUMP_TOO_LONG] = {"TOO_LONG", "is longer than a dump may be, 16 MB"},
    [TDUMP_NOT_A_DUMP] = {"NOT_A_DUMP", "does not begin with " TDUMP_LETTERS},
    [TDUMP_BAD_VERSION] = {"BAD_VERSION", "is of another version of the format"},
    [TDUMP_BAD_LENGTH] = {"BAD_LENGTH", "is not as long as its head says: it was cut, or something was added"},
    [TDUMP_BAD_CHECK] = {"BAD_CHECK", "is damaged: its check sum differs"},
    [TDUMP_BAD_SECTIONS] = {"BAD_SECTIONS", "has not as many sections as its head says"},
    [TDUMP_BAD_TAG] = {"BAD_TAG", "has a section of an unknown kind"},
    [TDUMP_BAD_SIZE] = {"BAD_SIZE", "has a section whose length is not that of its counts"},
    [TDUMP_TWICE] = {"TWICE", "has a section twice"},
    [TDUMP_NO_ABOUT] = {"NO_ABOUT", "does not begin with the section that says why it was written"},
    [TDUMP_BAD_REASON] = {"BAD_REASON", "gives no known reason"},
    [TDUMP_BAD_STATUS] = {"BAD_STATUS", "has a status that is not that of its reason"},
    [TDUMP_BAD_MEMORY] = {"BAD_MEMORY", "has an impossible size of system memory"},
    [TDUMP_BAD_TEXT] = {"BAD_TEXT", "has a version that is not a short line"},
    [TDUMP_BAD_REGISTER] = {"BAD_REGISTER", "has registers at impossible offsets or out of order"},
    [TDUMP_BAD_RING] = {"BAD_RING", "has an impossible ring"},
    [TDUMP_BAD_PORTION] = {"BAD_PORTION", "has an impossible portion"},
    [TDUMP_BAD_EVENT] = {"BAD_EVENT", "has an unknown event of the firmware"},
    [TDUMP_BAD_JOURNAL] = {"BAD_JOURNAL", "has a message that was neither answered nor not"},
    [TDUMP_BAD_GUILT] = {"BAD_GUILT", "has more than one guilty DMA buffer"},
    [TDUMP_BAD_COUNTS] = {"BAD_COUNTS", "has a DMA buffer or a list over its limit"},
    [TDUMP_BAD_PAGES] = {"BAD_PAGES", "has an allocation without pages, or with too many"},
    [TDUMP_BAD_CONTENT] = {"BAD_CONTENT", "has content that is not as long as its allocation"},
    [TDUMP_BAD_HANDLE] = {"BAD_HANDLE", "has two allocations with one handle, or one without"},
    [TDUMP_BAD_SEGMENT] = {"BAD_SEGMENT", "has an allocation in an impossible segment"},
    [TDUMP_TOO_MANY] = {"TOO_MANY", "has too many sections of a kind"},
};

const char *tdump_status_text(enum tdump_status status) { return statuses[status].text; }
const char *tdump_status_name(enum tdump_status status) { return statuses[status].name; }
