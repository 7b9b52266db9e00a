/* SPDX-License-Identifier: Apache-2.0
 *
 * The writer of dumps (tessera_dump.h). A dump is made in two steps: when an answer is taken, everything that the next
 * message could overwrite; at the end of the call that waits, what has to be asked for by messages.
 */
#include "tessera_dump.h"

#include <stdlib.h>
#include <string.h>

#include "lib/tdump/sections.h"
#include "lib/tdump/tdump_write.h"

const char *tdump_program = "of an unknown version";

struct kept_message {
    uint32_t words[JOURNAL_WORDS];
};

struct dumper {
    tessera_dump_sink sink;
    void *context;
    bool has_contents, is_busy, is_pending;
    unsigned count;
    struct bytes pending, last;                  /* at work; delivered before, with its DMA buffers */
    uint32_t lost[LIMIT_BITS_CONTEXTS_MAX / 32]; /* contexts of which a dump was written */
    struct kept_message journal[TDUMP_JOURNAL_MAX];
    uint64_t journal_count;
};

static void add_journal(const struct dumper *dumper, struct bytes *bytes)
{
    const uint64_t kept = dumper->journal_count < TDUMP_JOURNAL_MAX ? dumper->journal_count : TDUMP_JOURNAL_MAX;
    uint32_t *words = kept != 0 ? bytes_begin(bytes, TDUMP_JOURNAL, kept * JOURNAL_WORDS) : NULL;
    for (uint64_t i = 0; words != NULL && i < kept; i++)
        memcpy(words + i * JOURNAL_WORDS, &dumper->journal[(dumper->journal_count - kept + i) % TDUMP_JOURNAL_MAX],
               sizeof dumper->journal[0]);
}

/* ------------------------------------------------------------------ the two steps */

struct why {
    enum tdump_reason reason;
    uint32_t status, value;
    const struct outstanding *slot; /* NULL: no message's */
};

static void add_about(struct tessera *tessera, struct bytes *bytes, const struct why *why)
{
    const uint64_t cycle = transport_cycles(tessera->transport);
    uint32_t *about = bytes_begin(bytes, TDUMP_ABOUT, ABOUT_WORDS);
    if (about == NULL) return;
    about[ABOUT_REASON] = (uint32_t)why->reason;
    about[ABOUT_STATUS] = why->status;
    about[ABOUT_VALUE] = why->value;
    if (why->slot != NULL) {
        about[ABOUT_CLIENT] = message_client(why->slot->message[0]);
        about[ABOUT_CONTEXT] = why->slot->message[MSG_SUBMIT_CONTEXT];
        about[ABOUT_TAG] = why->slot->tag;
    }
    about[ABOUT_CYCLE_LO] = (uint32_t)cycle;
    about[ABOUT_CYCLE_HI] = (uint32_t)(cycle >> 32);
    about[ABOUT_MEMORY_BYTES] = tessera->transport->memory_bytes;
    strncpy((char *)(about + ABOUT_TEXT), tdump_program, TDUMP_TEXT_BYTES - 1);
}

/* What is there now, into dumper->pending. */
static void collect(struct tessera *tessera, struct dumper *dumper, const struct why *why)
{
    struct bytes *bytes = &dumper->pending;
    struct stream_view guilty;
    bytes_start(bytes);
    add_about(tessera, bytes, why);
    sections_registers(tessera, bytes);
    sections_host_rings(tessera, bytes);
    sections_inside(tessera, bytes, TDUMP_INSTRUCTIONS, TRANSPORT_INSTRUCTIONS);
    sections_inside(tessera, bytes, TDUMP_EVENTS, TRANSPORT_EVENTS);
    add_journal(dumper, bytes);
    const bool is_panic = why->reason == TDUMP_PANIC;
    const uint32_t earlier =
        is_panic ? sections_earlier(bytes, &dumper->last, TDUMP_BUFFER, BUFFER_TAG, TDUMP_BUFFERS_MAX / 2) : 0;
    sections_buffers(tessera, bytes, why->slot, earlier);
    uint32_t *copy = bytes->has_failed ? NULL : sections_guilty(bytes, &guilty);
    sections_nodes(tessera, bytes, copy != NULL ? &guilty : NULL, why->slot != NULL ? why->slot->completion.fence : 0);
    sections_allocations(tessera, bytes, dumper->has_contents);
    if (is_panic)
        (void)sections_earlier(bytes, &dumper->last, TDUMP_ALLOCATION, PLACE_HANDLE, TDUMP_ALLOCATIONS_MAX / 2);
    free(copy);
    dumper->is_pending = true;
}

/* As it is, without what only messages tell. */
static void deliver(struct dumper *dumper)
{
    struct bytes *bytes = &dumper->pending;
    dumper->is_pending = false;
    dumper->count++;
    if (!bytes->has_failed) {
        bytes_finish(bytes);
        dumper->sink(dumper->context, bytes->words, bytes->count * 4u);
    }
    free(dumper->last.words);
    dumper->last = *bytes;
    *bytes = (struct bytes){0};
}

/* Where the allocations are, and the counters. */
static void ask(struct tessera *tessera, struct dumper *dumper)
{
    struct bytes *bytes = &dumper->pending;
    const uint32_t client = tessera->client;
    uint32_t statistics[STAT_COUNT];
    int status = TESSERA_OK;
    for (size_t at = TDUMP_HEAD_WORDS; at < bytes->count && !bytes->has_failed && status >= TESSERA_OK;
         at = bytes_next(bytes, at)) {
        uint32_t *place = bytes->words + at + 2;
        struct tessera_allocation *allocation =
            bytes->words[at] == TDUMP_ALLOCATION ? sections_find_allocation(tessera, place[PLACE_HANDLE]) : NULL;
        struct tessera_residence residence;
        if (allocation == NULL || allocation->is_released) continue;
        tessera->client = allocation->client;
        status = tessera_residence(tessera, allocation, &residence);
        if (status != TESSERA_OK || residence.segment > GPU_LIMIT(SEGMENTS)) continue;
        place[PLACE_SEGMENT] = residence.segment;
        place[PLACE_OFFSET] = residence.offset;
    }
    tessera->client = 0;
    if (status >= TESSERA_OK) status = tessera_statistics(tessera, statistics);
    uint32_t *words = status == TESSERA_OK ? bytes_begin(bytes, TDUMP_STATISTICS, STAT_COUNT) : NULL;
    if (words != NULL) memcpy(words, statistics, sizeof statistics);
    tessera->client = client;
}

/* ------------------------------------------------------------------ hooks */

/* What a dump reads may fail, which does not replace the last error. */
struct kept_text {
    char text[sizeof((struct tessera *)0)->message];
};

static void keep_text(const struct tessera *tessera, struct kept_text *kept)
{
    memcpy(kept->text, tessera->message, sizeof kept->text);
}

static void give_text(struct tessera *tessera, const struct kept_text *kept)
{
    memcpy(tessera->message, kept->text, sizeof kept->text);
}

/* Is it to be written? A context that is lost is lost for all that it sends. */
static bool is_wanted(struct dumper *dumper, const struct outstanding *slot, struct why *why)
{
    const struct tessera_completion *answer = &slot->completion;
    const uint32_t code = message_code(slot->message[0]);
    /* An id's low bits are its place. */
    const uint32_t created = answer->words[REPLY_CREATE_CONTEXT_CONTEXT - 4] % LIMIT_BITS_CONTEXTS_MAX;
    if (code == MSG_CREATE_CONTEXT && answer->status == STATUS_OK)
        dumper->lost[created / 32u] &= ~(1u << created % 32u);
    if (code != MSG_SUBMIT) return false;
    switch (answer->status) {
    case STATUS_FAULT: why->reason = TDUMP_FAULT; break;
    case STATUS_TIMEOUT: why->reason = TDUMP_TIMEOUT; break;
    case STATUS_CONTEXT_LOST: why->reason = TDUMP_CONTEXT_LOST; break;
    default: return false;
    }
    const uint32_t context = slot->message[MSG_SUBMIT_CONTEXT] % LIMIT_BITS_CONTEXTS_MAX;
    const bool is_known = (dumper->lost[context / 32u] >> context % 32u & 1u) != 0;
    dumper->lost[context / 32u] |= 1u << context % 32u;
    why->status = answer->status;
    why->value = answer->detail;
    why->slot = slot;
    return why->reason != TDUMP_CONTEXT_LOST || !is_known;
}

static void answered(struct tessera *tessera, const struct outstanding *slot)
{
    struct dumper *dumper = tessera->dumper;
    struct why why = {0};
    struct kept_text kept;
    if (dumper->is_busy) return; /* our own question */
    struct kept_message *entry = &dumper->journal[dumper->journal_count++ % TDUMP_JOURNAL_MAX];
    memcpy(entry->words, slot->message, sizeof slot->message);
    entry->words[JOURNAL_STATE] = 1;
    entry->words[JOURNAL_STATUS] = slot->completion.status;
    entry->words[JOURNAL_DETAIL] = slot->completion.detail;
    if (!is_wanted(dumper, slot, &why) || dumper->count + dumper->is_pending >= TESSERA_DUMPS_MOST) return;
    keep_text(tessera, &kept);
    if (dumper->is_pending) deliver(dumper);
    collect(tessera, dumper, &why);
    give_text(tessera, &kept);
}

static void rest(struct tessera *tessera)
{
    struct dumper *dumper = tessera->dumper;
    struct kept_text kept;
    if (!dumper->is_pending || dumper->is_busy) return;
    keep_text(tessera, &kept);
    dumper->is_busy = true;
    ask(tessera, dumper);
    dumper->is_busy = false;
    give_text(tessera, &kept);
    deliver(dumper);
}

static void stopped(struct tessera *tessera, int status)
{
    struct dumper *dumper = tessera->dumper;
    struct why why = {.reason = status == TESSERA_PANIC ? TDUMP_PANIC : TDUMP_NO_ANSWER};
    struct kept_text kept;
    if (dumper->is_busy || dumper->count + dumper->is_pending >= TESSERA_DUMPS_MOST) return;
    dumper->count = TESSERA_DUMPS_MOST - 1u; /* nothing comes after it */
    keep_text(tessera, &kept);
    if (why.reason == TDUMP_PANIC) (void)sections_register(tessera, HOST_PANIC_CODE_OFFSET, &why.value);
    if (dumper->is_pending) deliver(dumper);
    collect(tessera, dumper, &why);
    give_text(tessera, &kept);
    deliver(dumper);
}

static void closed(struct tessera *tessera)
{
    struct dumper *dumper = tessera->dumper;
    if (dumper->is_pending) deliver(dumper);
    free(dumper->last.words);
    free(dumper);
    tessera->dumper = NULL;
    tessera->fault_hooks = NULL;
}

static const struct fault_hooks hooks = {answered, stopped, rest, closed};

/* ------------------------------------------------------------------ calls */

int tessera_dump_faults(struct tessera *tessera, tessera_dump_sink sink, void *context, bool has_contents)
{
    if (sink == NULL) {
        if (tessera->dumper != NULL) closed(tessera);
        return TESSERA_OK;
    }
    struct dumper *dumper = tessera->dumper;
    if (dumper == NULL) dumper = calloc(1, sizeof *dumper);
    if (dumper == NULL) return tessera_fail(tessera, TESSERA_NO_MEMORY, "out of memory");
    dumper->sink = sink;
    dumper->context = context;
    dumper->has_contents = has_contents;
    tessera->dumper = dumper;
    tessera->fault_hooks = &hooks;
    return TESSERA_OK;
}

int tessera_dump(struct tessera *tessera, tessera_dump_sink sink, void *context, bool has_contents)
{
    struct dumper none = {0}, *dumper = &none;
    const struct dumper *own = tessera->dumper;
    const struct why why = {.reason = TDUMP_ASKED};
    uint32_t code = 0;
    if (own != NULL) {
        memcpy(dumper->journal, own->journal, sizeof own->journal);
        dumper->journal_count = own->journal_count;
    }
    dumper->sink = sink;
    dumper->context = context;
    dumper->has_contents = has_contents;
    int status = tessera_register_read(tessera, HOST_PANIC_CODE_OFFSET, &code);
    if (status != TESSERA_OK) return status;
    collect(tessera, dumper, &why);
    if (dumper->pending.has_failed) {
        free(dumper->pending.words);
        return tessera_fail(tessera, TESSERA_NO_MEMORY, "out of memory for a dump");
    }
    if (code == PANIC_NONE) ask(tessera, dumper);
    deliver(dumper);
    free(dumper->last.words);
    return TESSERA_OK;
}
