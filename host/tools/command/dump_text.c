/* SPDX-License-Identifier: Apache-2.0
 *
 * See dump_text.h. A part that the device could not show is said to be missing: a reader need not guess.
 */
#include "tools/command/dump_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/dump_places.h"
#include "gpu_hash.h"
#include "gpu_names.h"
#include "lib/packet_text.h"

enum { LINE = 512, FEW = 8, KILOBYTE = 1024 };

static const char missing[] = "not available from this device";

const char *dump_reason(uint32_t reason, uint32_t value, char *text, size_t size)
{
    switch (reason) {
    case TDUMP_FAULT: snprintf(text, size, "FAULT %s", fault_name(value)); break;
    case TDUMP_TIMEOUT: snprintf(text, size, "TIMEOUT"); break;
    case TDUMP_CONTEXT_LOST: snprintf(text, size, "CONTEXT_LOST"); break;
    case TDUMP_PANIC: snprintf(text, size, "PANIC %s", panic_name(value)); break;
    case TDUMP_NO_ANSWER: snprintf(text, size, "NO_ANSWER"); break;
    default: snprintf(text, size, "nothing"); break;
    }
    return text;
}

static const char *sentence(uint32_t reason)
{
    switch (reason) {
    case TDUMP_FAULT: return "the engine stopped on a packet";
    case TDUMP_TIMEOUT: return "a node made no progress, or took too long, and was reset";
    case TDUMP_CONTEXT_LOST: return "a reset of the GPU took the context along";
    case TDUMP_PANIC: return "the firmware stopped";
    case TDUMP_NO_ANSWER: return "the device sent no answer in time";
    default: return "the dump was asked for";
    }
}

/* ------------------------------------------------------------------ why, and what device */

static void print_about(const char *path, const struct tdump *dump)
{
    char reason[LINE];
    const uint32_t *about = dump->about;
    const uint64_t cycle = (uint64_t)about[ABOUT_CYCLE_HI] << 32 | about[ABOUT_CYCLE_LO];
    printf("%s: a dump of a fault, version %d, written by tessera %.*s\n", path, TDUMP_VERSION, TDUMP_TEXT_BYTES,
           (const char *)(about + ABOUT_TEXT));
    printf("why        %s: %s\n", dump_reason(about[ABOUT_REASON], about[ABOUT_VALUE], reason, sizeof reason),
           sentence(about[ABOUT_REASON]));
    if (about[ABOUT_STATUS] != 0)
        printf("answer     to message %u, of client %u, context %u\n", about[ABOUT_TAG], about[ABOUT_CLIENT],
               about[ABOUT_CONTEXT]);
    if (cycle != 0) printf("when       cycle %" PRIu64 "\n", cycle);
    printf("table      0x%08x%s\n", dump->abi,
           dump->abi != GPU_ABI_HASH ? ": another version's. Names and fields may be wrong, and a replay, too" : "");
}

static void print_panic(const struct tdump *dump)
{
    const uint32_t code = tdump_register(dump, HOST_PANIC_CODE_OFFSET, 0);
    if (code == PANIC_NONE) return;
    printf("panic      %s at 0x%08x", panic_name(code), tdump_register(dump, HOST_PANIC_PLACE_OFFSET, 0));
    if (code == PANIC_TRAP)
        printf(": %s, 0x%08x", trap_name(tdump_register(dump, HOST_PANIC_CAUSE_OFFSET, 0)),
               tdump_register(dump, HOST_PANIC_ADDRESS_OFFSET, 0));
    printf("\n");
}

static void print_device(const struct tdump *dump)
{
    static const char *const nodes[] = {"render", "paging"};
    const struct work_limits limits = places_limits(dump);
    if (dump->register_count == 0) {
        printf("device     registers: %s\n", missing);
        return;
    }
    printf("device     system memory %u KB, segment 1 %u KB, segment 2 %u KB, command RAM %u KB\n",
           dump->about[ABOUT_MEMORY_BYTES] / KILOBYTE, tdump_register(dump, MEMORY_SEGMENT1_BYTES_OFFSET, 0) / KILOBYTE,
           tdump_register(dump, MEMORY_SEGMENT2_BYTES_OFFSET, 0) / KILOBYTE,
           tdump_register(dump, MEMORY_COMMAND_BYTES_OFFSET, 0) / KILOBYTE);
    printf("limits     a packet %" PRIu64 " cycles, a portion %" PRIu64 ", until its node is reset\n", limits.packet,
           limits.portion);
    for (uint32_t node = 0; node < NODE_COUNT; node++) {
        const uint32_t bank = node * (uint32_t)NODE_STRIDE;
        const uint32_t status = tdump_register(dump, NODE_STATUS_OFFSET + bank, 0);
        const uint32_t error = tdump_register(dump, NODE_ERROR_OFFSET + bank, 0);
        const uint32_t left =
            tdump_register(dump, NODE_TAIL_OFFSET + bank, 0) - tdump_register(dump, NODE_HEAD_OFFSET + bank, 0);
        printf("%-6s     %s%s%s, fence %u, %u words of its ring left", nodes[node],
               FIELD_GET(status, NODE_STATUS_HALTED) ? "halted"
               : FIELD_GET(status, NODE_STATUS_BUSY) ? "busy"
                                                     : "idle",
               FIELD_GET(status, NODE_STATUS_WAITING) ? ", waits for the other" : "",
               FIELD_GET(status, NODE_STATUS_PAUSED) ? ", paused" : "",
               tdump_register(dump, NODE_FENCE_OFFSET + bank, 0), left);
        if (error != 0)
            printf("; %s at 0x%08x", fault_name(error), tdump_register(dump, NODE_ERROR_ADDRESS_OFFSET + bank, 0));
        printf("\n");
    }
}

static void print_statistics(const struct tdump *dump)
{
    static const char *const names[] = {
#define STATISTIC(name, doc) #name,
#include "gpu.def"
    };
    static const uint8_t wanted[] = {STAT_DMA_BUFFERS, STAT_PORTIONS,   STAT_SPLITS,        STAT_EVICTIONS,
                                     STAT_PREEMPTIONS, STAT_RECOVERIES, STAT_ADAPTER_RESETS};
    printf("counters  ");
    if (dump->statistic_count == 0) printf(" %s", missing);
    for (size_t i = 0; i < sizeof wanted; i++)
        if (wanted[i] < dump->statistic_count) printf(" %s %u", names[wanted[i]], dump->statistics[wanted[i]]);
    printf("\n");
}

/* ------------------------------------------------------------------ DMA buffers */

static struct stream_view view_of(const struct tdump_buffer *buffer)
{
    return (struct stream_view){
        buffer->words,       buffer->list, buffer->patches, buffer->word_count, buffer->list_count,
        buffer->patch_count, NULL};
}

static void print_packets(const struct tdump_buffer *buffer)
{
    const struct stream_view view = view_of(buffer);
    char line[LINE];
    for (uint32_t position = 0; position < view.word_count;) {
        const uint32_t words = packet_words(view.words[position]);
        packet_print(&view, position, line, sizeof line);
        printf("%8u   %s%s\n", position * 4u, line, packet_state(&view, position) != PACKET_GOOD ? "  <- bad" : "");
        position += words != 0 ? words : 1u;
    }
}

static void print_buffers(const struct tdump *dump)
{
    for (uint32_t i = 0; i < dump->buffer_count; i++) {
        const struct tdump_buffer *buffer = &dump->buffers[i];
        printf("buffer     message %u of client %u, context %u: %u bytes, %u list entries, %u patch locations; %s\n",
               buffer->tag, buffer->client, buffer->context, buffer->word_count * 4u, buffer->list_count,
               buffer->patch_count, buffer->is_guilty ? "guilty" : "in flight");
        if (buffer->is_guilty) print_packets(buffer);
    }
    if (dump->buffer_count == 0) printf("buffer     none was in flight\n");
}

/* What ran is what was submitted, but for addresses; else something between submission and engine is wrong. */
static void print_portion(const struct tdump_portion *portion, const struct tdump_buffer *guilty,
                          const struct places *places)
{
    uint32_t differ = 0;
    printf("executed   %s: %u bytes at 0x%05x of command RAM", portion->node == 0 ? "render" : "paging",
           portion->word_count * 4u, portion->at);
    if (guilty == NULL || portion->start == TDUMP_NOWHERE) {
        printf(", fence %u\n", portion->fence);
        return;
    }
    printf(", from byte %u of the guilty buffer on, fence %u\n", portion->start, portion->fence);
    for (uint32_t i = 0; i < portion->word_count && portion->start / 4u + i < guilty->word_count; i++) {
        uint32_t expected = 0;
        if (!places_expected(places, guilty, portion->start / 4u + i, &expected) || expected == portion->words[i])
            continue;
        if (differ++ < FEW)
            printf("%8u   0x%08x was executed, 0x%08x submitted and patched  <- differs\n", portion->start + i * 4u,
                   portion->words[i], expected);
    }
    if (differ > FEW) printf("           and %u more words differ\n", differ - FEW);
    printf("           %s\n", differ != 0 ? "the engine ran other words than were submitted: memory, firmware or "
                                            "chip spoiled them, not the program"
                                          : "the words that ran are those that were submitted");
}

static void print_portions(const struct tdump *dump)
{
    const struct tdump_buffer *guilty = tdump_guilty(dump);
    struct places places = {0};
    if (dump->portion_count == 0) printf("executed   %s\n", missing);
    if (guilty != NULL && !places_find(&places, dump, guilty)) return;
    for (uint32_t i = 0; i < dump->portion_count; i++) print_portion(&dump->portions[i], guilty, &places);
    places_free(&places);
}

static void print_allocations(const struct tdump *dump)
{
    for (uint32_t i = 0; i < dump->allocation_count; i++) {
        const struct tdump_allocation *allocation = &dump->allocations[i];
        uint32_t spoiled = 0;
        printf("allocation %u of client %u: %u pages, flags 0x%x, ", allocation->handle, allocation->client,
               allocation->page_count, allocation->created[MSG_CREATE_ALLOCATION_FLAGS]);
        if (allocation->segment == TDUMP_NOWHERE) printf("place unknown");
        else if (allocation->segment == 0) printf("in its pages");
        else printf("in segment %u at 0x%x", allocation->segment, allocation->offset);
        printf("%s\n", allocation->content != NULL ? "; with content" : "");
        for (uint32_t page = 0; page < allocation->page_count; page++) {
            if (allocation->given[page] == allocation->found[page]) continue;
            if (spoiled++ < FEW)
                printf("           page %u of its list is 0x%x and was 0x%x  <- the list was changed\n", page,
                       allocation->found[page], allocation->given[page]);
        }
        if (spoiled > FEW) printf("           and %u more pages of its list\n", spoiled - FEW);
    }
}

/* ------------------------------------------------------------------ what came before */

static void print_events(const struct tdump *dump)
{
    printf("decisions  %s\n", dump->event_count == 0 ? missing : "of the firmware, the newest last");
    for (uint32_t i = 0; i < dump->event_count; i++) {
        const uint32_t *event = dump->events + (size_t)i * EVENT_WORDS;
        printf("%12" PRIu64 "   %s %u\n", (uint64_t)event[EVENT_CYCLE_HI] << 32 | event[EVENT_CYCLE_LO],
               trace_name(event[EVENT_NAME]), event[EVENT_ARGUMENT]);
    }
}

static void print_instructions(const struct tdump *dump)
{
    enum { A_LINE = 8 };
    printf("core       %s", dump->instruction_count == 0 ? missing : "the last instructions, the newest last");
    for (uint32_t i = 0; i < dump->instruction_count; i++)
        printf("%s 0x%08x", i % A_LINE == 0 ? "\n          " : "", dump->instructions[i]);
    printf("\n");
}

static void print_journal(const struct tdump *dump)
{
    printf("messages   %u that were answered last, the newest last\n", dump->journal_count);
    for (uint32_t i = 0; i < dump->journal_count; i++) {
        const uint32_t *entry = dump->journal + (size_t)i * JOURNAL_WORDS;
        printf("%12u   %s of client %u: %s", entry[1], message_name(message_code(entry[0])), message_client(entry[0]),
               status_name(entry[JOURNAL_STATUS]));
        if (entry[JOURNAL_STATUS] != STATUS_OK) printf(", detail %u", entry[JOURNAL_DETAIL]);
        printf("\n");
    }
}

void dump_print(const char *path, const struct tdump *dump)
{
    print_about(path, dump);
    print_panic(dump);
    print_device(dump);
    print_statistics(dump);
    print_buffers(dump);
    print_portions(dump);
    print_allocations(dump);
    print_events(dump);
    print_instructions(dump);
    print_journal(dump);
}
