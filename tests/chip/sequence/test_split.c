/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: DMA buffers that can only run in one way are split in that way, on the simulated hardware as on the golden
 * model. Method: segment 1 has four pages, all allocations live there; small buffers are built so that the rule in
 * question decides whether they run, where they are cut, or how they are refused; portions, their fences and what is
 * paged in are read from the firmware's trace, the content from the host's pages.
 * SPL-02, SPL-03, SPL-04, SPL-05, SPL-07, SPL-14, SPL-15, SPL-16, SPL-19, SPL-20, SPL-21, SPL-25, SPL-27, SPL-29,
 * DMA-05.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../rows.h"
#include "checks.h"
#include "machine.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { PAGE = 4096, MEMORY_BYTES = 4 << 20, SEGMENT_PAGES = 4, ALLOCATIONS = 8, EVENTS = 4096, PITCH = 64, PLACE = 40 };
enum { A, B, C, D, E, F, G, H }; /* allocations by name: A and B have three pages, G and H two, the others one */

struct event {
    uint32_t event, argument;
};

static struct machine machine;
static struct tessera_stream *stream;
static struct tessera_allocation *allocation[ALLOCATIONS];
static uint32_t context[2], event_count, colour = 0x01020304u;
static struct event events[EVENTS];
static uint32_t executed[PKT_COPY_WORDS]; /* the COPY that the render node has begun last */
static struct tessera_completion completion;

static void on_event(void *nothing, uint64_t cycle, uint32_t event, uint32_t argument)
{
    (void)nothing, (void)cycle;
    if (event_count < EVENTS) events[event_count++] = (struct event){event, argument};
}

static void on_packet(void *nothing, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    (void)nothing, (void)cycle, (void)offset;
    if (node == 0 && (words[0] & 0xffu) == PKT_COPY) memcpy(executed, words, sizeof executed);
}

static void check_status(int status, int expected, const char *what)
{
    if (!check(status == expected, what))
        printf("  %s, not %s\n", tessera_status_name(status), tessera_status_name(expected));
}

/* ------------------------------------------------------------------ buffers */

static uint32_t pages_of(uint32_t which) { return which <= B ? 3 : which >= G ? 2 : 1; }

static void begin(void)
{
    tessera_stream_clear(stream);
    event_count = 0;
}

static void bind(uint32_t slot, uint32_t which)
{
    const struct tessera_surface surface = {
        .allocation = allocation[which], .format = FORMAT_ARGB8888, .pitch = PITCH, .is_target = true};
    check_status(tessera_stream_bind(stream, slot, &surface), TESSERA_OK, "bind");
}

static void draw(uint32_t slot)
{
    check_status(tessera_stream_fill_rect(stream, slot, 0, 0, 4, 4, ++colour), TESSERA_OK, "draw");
}

static void fill(uint32_t slot, uint32_t which)
{
    const struct tessera_place place = {allocation[which], 0, slot};
    check_status(tessera_stream_fill(stream, &place, PAGE, ++colour), TESSERA_OK, "fill");
}

static void copy(uint32_t from, uint32_t to)
{
    const struct tessera_place source = {allocation[from], 0, PLACE}, target = {allocation[to], 0, PLACE + 1};
    check_status(tessera_stream_copy(stream, &target, &source, PAGE), TESSERA_OK, "copy");
}

static int run(void)
{
    tessera_ticket ticket;
    memset(&completion, 0, sizeof completion);
    int status = tessera_submit(tessera, context[0], stream, 0, &ticket);
    return status == TESSERA_OK ? tessera_wait(tessera, ticket, &completion) : status;
}

static uint32_t portions(void) { return completion.words[REPLY_SUBMIT_PORTIONS - 4]; }

static uint32_t count_events(uint32_t event)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < event_count; i++) count += events[i].event == event;
    return count;
}

static uint32_t first_word(uint32_t which)
{
    uint32_t word = 0;
    check_status(tessera_read(tessera, allocation[which], 0, &word, sizeof word), TESSERA_OK, "read");
    return word;
}

static void evict_all(void) { check_status(tessera_evict(tessera, NULL), TESSERA_OK, "evict"); }

/* The stream that was built, with one word of one patch entry changed. */
static int run_changed(uint32_t entry, uint32_t word, uint32_t value)
{
    const uint32_t *words, *list, *patches;
    uint32_t word_count, list_words, patch_words, index, changed[64 * LIMIT_BITS_PATCH_ENTRY_WORDS];
    static uint32_t copied[1024];
    tessera_stream_parts(stream, &words, &word_count, &list, &list_words, &patches, &patch_words);
    memcpy(copied, words, word_count * sizeof *words);
    memcpy(changed, patches, patch_words * sizeof *patches);
    changed[entry * LIMIT_BITS_PATCH_ENTRY_WORDS + word] = value;
    uint32_t entries = list_words / LIMIT_BITS_LIST_ENTRY_WORDS, handles[ALLOCATIONS + 1];
    for (uint32_t i = 0; i < entries; i++) handles[i] = list[i * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE];
    begin();
    for (uint32_t i = 1; i < entries; i++)
        for (uint32_t k = 0; k < ALLOCATIONS; k++)
            if (tessera_allocation_handle(allocation[k]) == handles[i])
                tessera_stream_list(stream, allocation[k], true, &index);
    tessera_stream_raw(stream, copied, word_count);
    for (uint32_t i = 0; i < patch_words; i += LIMIT_BITS_PATCH_ENTRY_WORDS) tessera_stream_patch(stream, changed + i);
    return run();
}

/* ------------------------------------------------------------------ refusals */

static void test_refusals(void)
{
    begin(); /* the second group's split point lies before the first one's */
    fill(PLACE, C);
    fill(PLACE + 1, D);
    fill(PLACE + 2, E);
    check_status(run_changed(2, PATCH_SPLIT_OFFSET, 0), STATUS_SPLIT_ORDER, "a split offset that decreases");
    check(completion.detail == 2 && count_events(TRACE_PORTION) == 0, "the refusal names the entry, nothing ran");
    begin();
    fill(PLACE, C);
    check_status(run_changed(0, PATCH_SLOT_ID, LIMIT_BITS_SLOTS), STATUS_BAD_SLOT, "the slot after the last");
    begin();
    fill(PLACE, C);
    check_status(run_changed(0, PATCH_SLOT_ID, LIMIT_BITS_SLOTS - 1), STATUS_OK, "the last slot");
    check(first_word(C) == colour, "a fill through the last slot");
}

/* The table starts unbound in every buffer, whatever the one before it left. */
static void test_unbound(void)
{
    const uint32_t one = FIELD_PUT(1, PKT_FILL_RECT_WIDTH) | FIELD_PUT(1, PKT_FILL_RECT_HEIGHT);
    const uint32_t packet[PKT_FILL_RECT_WORDS] = {PKT_FILL_RECT | FIELD_PUT(5, PKT_FILL_RECT_TARGET), 0, one};
    begin();
    bind(5, C);
    draw(5);
    check_status(run(), TESSERA_OK, "a draw into slot 5");
    begin();
    tessera_stream_raw(stream, packet, PKT_FILL_RECT_WORDS);
    check_status(run(), STATUS_UNBOUND_SLOT, "slot 5 in the next buffer");
}

/* ------------------------------------------------------------------ who must stay */

/* Three pages and three pages in four: only if the first may go. */
static void test_exemptions(void)
{
    evict_all();
    begin();
    bind(0, A);
    draw(0);
    bind(1, B);
    draw(1);
    check_status(run(), STATUS_NO_PLACEMENT, "both bound: nobody may go");
    begin();
    bind(0, A);
    draw(0);
    uint32_t drawn = colour;
    check_status(tessera_stream_unbind(stream, 0), TESSERA_OK, "unbind");
    bind(1, B);
    draw(1);
    check_status(run(), TESSERA_OK, "unbound by NULL, the first goes");
    check(portions() == 2 && first_word(A) == drawn && first_word(B) == colour, "two portions, both drawn");
    begin();
    bind(0, A);
    draw(0);
    drawn = colour;
    bind(0, B);
    draw(0);
    check_status(run(), TESSERA_OK, "its slot programmed again at the split, the first goes");
    check(portions() == 2 && first_word(A) == drawn && first_word(B) == colour, "two portions, both drawn");
}

/* A group that does not fit even alone fails its buffer alone. */
static void test_too_large(void)
{
    tessera_ticket large, other;
    struct tessera_completion answer;
    uint32_t old = first_word(B);
    begin();
    copy(A, B);
    check_status(tessera_submit(tessera, context[0], stream, 0, &large), TESSERA_OK, "submit");
    begin();
    fill(PLACE, C);
    check_status(tessera_submit(tessera, context[1], stream, 0, &other), TESSERA_OK, "submit");
    check_status(tessera_wait(tessera, large, &answer), STATUS_NO_PLACEMENT, "six pages of four");
    check(answer.detail == 0, "the refusal names the split offset");
    check_status(tessera_wait(tessera, other, NULL), TESSERA_OK, "the other context's buffer");
    check(first_word(C) == colour && first_word(B) == old, "one ran, the other changed nothing");
}

/* ------------------------------------------------------------------ where it is cut */

/* Entries of the group that fails belong to the next portion, those before the one that failed as well: the copy's
 * source would fit beside A, its target does not. */
static void test_group(void)
{
    evict_all();
    begin();
    bind(0, A);
    draw(0);
    check_status(tessera_stream_unbind(stream, 0), TESSERA_OK, "unbind");
    uint32_t at = tessera_stream_bytes(stream), source = first_word(C);
    copy(C, B);
    check_status(run(), TESSERA_OK, "a draw and a copy");
    uint32_t split = 0, first_portion = event_count, source_in = event_count;
    for (uint32_t i = 0; i < event_count; i++) {
        if (events[i].event == TRACE_SPLIT) split = events[i].argument;
        if (events[i].event == TRACE_PORTION && first_portion == event_count) first_portion = i;
        bool is_source =
            events[i].event == TRACE_PAGE_IN && events[i].argument == tessera_allocation_handle(allocation[C]);
        if (is_source && source_in == event_count) source_in = i;
    }
    check(portions() == 2 && split == at, "cut at the copy's split offset");
    check(source_in > first_portion && source_in < event_count, "the copy's source comes with the second portion");
    check(first_word(B) == source, "the copy");
}

/* In the order of the patch list. */
static void test_order(void)
{
    static const uint32_t order[] = {E, C, F, D};
    uint32_t next = 0;
    evict_all();
    begin();
    for (uint32_t i = 0; i < 4; i++) fill(PLACE + i, order[i]);
    check_status(run(), TESSERA_OK, "four fills");
    for (uint32_t i = 0; i < event_count && next < 4; i++)
        if (events[i].event == TRACE_PAGE_IN)
            check(events[i].argument == tessera_allocation_handle(allocation[order[next++]]), "paged in in order");
    check(next == 4 && portions() == 1, "each once, one portion");
}

/* Every bind and unbind is a split point; taken all, each portion has a fence of its own. */
static void test_every_split(void)
{
    uint32_t last = 0, fences = 0, split_points = 0;
    bool is_rising = true;
    const uint32_t every = FIELD_PUT(1, HOST_FORCE_SPLIT);
    check_status(tessera_register_write(tessera, HOST_FORCE_OFFSET, every), TESSERA_OK, "force");
    begin();
    for (uint32_t i = 0; i < 3; i++) {
        split_points++;
        bind(i, C + i);
        draw(i);
    }
    split_points++;
    check_status(tessera_stream_unbind(stream, 1), TESSERA_OK, "unbind");
    split_points++;
    fill(PLACE, F);
    check_status(run(), TESSERA_OK, "every split point taken");
    /* The first split point is the buffer's beginning. */
    check(portions() == split_points && count_events(TRACE_PORTION) == split_points, "a portion per split point");
    for (uint32_t i = 0; i < event_count; i++) {
        if (events[i].event != TRACE_PORTION) continue;
        is_rising = is_rising && (fences == 0 || events[i].argument == last + 1);
        last = events[i].argument;
        fences++;
    }
    check(is_rising && completion.fence == last, "fences one by one, the last is the completion's");
    check(first_word(F) == colour, "the last fill");
    check_status(tessera_register_write(tessera, HOST_FORCE_OFFSET, 0), TESSERA_OK, "force");
}

/* Portions of one buffer follow each other; the other context's buffer comes before or after, never between. */
static void test_back_to_back(void)
{
    tessera_ticket ticket[2];
    uint32_t last = 0, changes = 0;
    evict_all();
    event_count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        tessera_stream_clear(stream);
        for (uint32_t k = 0; k < 3; k++) {
            fill(PLACE, A);
            fill(PLACE, B);
        }
        check_status(tessera_submit(tessera, context[i], stream, 0, &ticket[i]), TESSERA_OK, "submit");
    }
    for (uint32_t i = 0; i < 2; i++) {
        check_status(tessera_wait(tessera, ticket[i], &completion), TESSERA_OK, "a buffer of six portions");
        check(portions() == 6, "six portions");
    }
    for (uint32_t i = 0; i < event_count; i++) {
        if (events[i].event != TRACE_JOB) continue;
        changes += events[i].argument != last;
        last = events[i].argument;
    }
    check(changes == 2 && count_events(TRACE_PORTION) == 12, "twelve portions, two buffers, no turn between");
}

/* In verify mode a split that carries an allocation nobody lets go is an error. */
static void test_leak(void)
{
    check_status(tessera_register_write(tessera, HOST_FORCE_OFFSET, FIELD_PUT(1, HOST_FORCE_LEAK_CHECK)), TESSERA_OK,
                 "force");
    for (uint32_t is_clean = 0; is_clean < 2; is_clean++) {
        evict_all();
        begin();
        bind(0, C);
        draw(0);
        if (is_clean) check_status(tessera_stream_unbind(stream, 0), TESSERA_OK, "unbind");
        fill(PLACE, A);
        fill(PLACE, B);
        check_status(run(), is_clean ? TESSERA_OK : STATUS_LEAK, is_clean ? "nothing carried" : "C carried");
    }
    check_status(tessera_register_write(tessera, HOST_FORCE_OFFSET, 0), TESSERA_OK, "force");
}

/* A large allocation that is bound again at each split point may be moved there, and one that a fill has used may leave
 * after it, though nobody has said so. */
static void test_large(void)
{
    for (uint32_t is_large = 0; is_large < 2; is_large++) {
        evict_all();
        tessera_stream_large(stream, is_large ? 2 * PAGE : 0);
        begin();
        for (uint32_t slot = 0; slot < 3; slot++) { /* C, G and D fill the segment, G in the middle */
            bind(slot, slot == 0 ? C : slot == 1 ? G : D);
            draw(slot);
        }
        check_status(tessera_stream_unbind(stream, 0), TESSERA_OK, "unbind");
        check_status(tessera_stream_unbind(stream, 2), TESSERA_OK, "unbind");
        uint32_t at = tessera_stream_bytes(stream);
        bind(3, H);
        draw(3);
        uint32_t drawn = colour;
        draw(1);
        check_status(run(), is_large ? TESSERA_OK : STATUS_NO_PLACEMENT, "two pages of two single ones");
        if (!is_large) check(completion.detail == at, "the refusal names the split offset");
        if (is_large) check(portions() == 2 && first_word(H) == drawn && first_word(G) == colour, "both drawn");
        evict_all();
        begin();
        fill(PLACE, A);
        drawn = colour;
        fill(PLACE + 1, B);
        check_status(run(), is_large ? TESSERA_OK : STATUS_NO_PLACEMENT, "two fills of three pages each");
        if (is_large) check(first_word(A) == drawn && first_word(B) == colour, "both filled");
    }
    tessera_stream_large(stream, 0);
}

/* ------------------------------------------------------------------ addresses */

/* Where the firmware has said that the allocation was placed last. */
static uint32_t placed_at(uint32_t which)
{
    uint32_t place = 0, address = 0;
    for (uint32_t i = 0; i < event_count; i++) {
        if (events[i].event == TRACE_PLACE) place = events[i].argument;
        bool is_its =
            events[i].event == TRACE_PAGE_IN && events[i].argument == tessera_allocation_handle(allocation[which]);
        if (is_its && place >> 28 == 1) address = GPU_LIMIT(ADDR_SEGMENT1) + (place & 0xfffffffu) * PAGE;
    }
    return address;
}

/* A buffer is accepted and pre-patched while C lies behind E; the buffer before it needs the whole
 * segment, so C comes back, beside D, to another one: that is what the copy's word says when it is executed. */
static void test_stale_address(void)
{
    tessera_ticket first, second;
    evict_all();
    begin();
    fill(PLACE, E);
    fill(PLACE + 1, C);
    check_status(run(), TESSERA_OK, "two fills");
    uint32_t old = placed_at(C);
    begin();
    for (uint32_t i = 0; i < 200; i++) fill(PLACE, D); /* long enough for the next message to be there in time */
    copy(D, B);
    check_status(tessera_submit(tessera, context[0], stream, 0, &first), TESSERA_OK, "submit");
    uint32_t filled = colour;
    tessera_stream_clear(stream);
    copy(D, C);
    check_status(tessera_submit(tessera, context[0], stream, 0, &second), TESSERA_OK, "submit");
    check_status(tessera_wait(tessera, first, &completion), TESSERA_OK, "the buffer that takes the segment");
    check_status(tessera_wait(tessera, second, &completion), TESSERA_OK, "the buffer accepted before");
    uint32_t accepted = event_count, left = 0;
    for (uint32_t i = 0, count = 0; i < event_count; i++) {
        count += events[i].event == TRACE_ACCEPT;
        if (count == 2 && accepted == event_count) accepted = i;
        bool is_its = events[i].event == TRACE_EVICT && events[i].argument == tessera_allocation_handle(allocation[C]);
        if (is_its && left == 0) left = i;
    }
    check(accepted < left, "accepted while C was at its old place");
    check(old != 0 && placed_at(C) != 0 && placed_at(C) != old, "C has another place");
    check(executed[PKT_COPY_TARGET_WORD] == placed_at(C), "the copy's target is where C is");
    check(executed[PKT_COPY_SOURCE_WORD] == placed_at(D), "its source is where D is");
    check(first_word(C) == filled, "the copy");
}

/* ------------------------------------------------------------------ the run */

static void prove(const char *ids, void (*test)(void)) { rows_case(ids, test, &passed, &failed); }

static bool open_all(void)
{
    char message[256];
    const struct probe probe = {.firmware = on_event, .packet_begin = on_packet};
    const struct machine_options machine_options = {.memory_bytes = MEMORY_BYTES, .seed = 3, .probe = &probe};
    const struct tessera_options options = {
        .firmware = machine_firmware(), .segment1_pages = SEGMENT_PAGES, .seed = 3, .patience_cycles = 20000000};
    if (!machine_open(&machine, &machine_options, message)) return check(false, message);
    if (tessera_open(&tessera, &machine.transport, &options, message) != TESSERA_OK) return check(false, message);
    stream = tessera_stream_create();
    for (uint32_t i = 0; i < 2; i++) check_status(tessera_context_create(tessera, 0, 0, &context[i]), 0, "context");
    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        static uint8_t bytes[3 * PAGE];
        const struct tessera_allocation_options one = {
            .bytes = pages_of(i) * PAGE, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 1, .write_set = 1};
        check_status(tessera_allocation_create(tessera, &one, &allocation[i]), TESSERA_OK, "create");
        memset(bytes, (int)(0x10 + i), sizeof bytes);
        check_status(tessera_write(tessera, allocation[i], 0, bytes, one.bytes), TESSERA_OK, "write");
    }
    return failed == 0;
}

int main(void)
{
    if (open_all()) {
        prove("SPL-03, SPL-05", test_refusals);
        prove("SPL-04", test_unbound);
        prove("SPL-07, SPL-14, SPL-15", test_exemptions);
        prove("SPL-27", test_too_large);
        prove("SPL-21", test_group);
        prove("SPL-02", test_order);
        prove("SPL-19, SPL-25", test_every_split);
        prove("SPL-16", test_back_to_back);
        prove("SPL-29", test_leak);
        prove("SPL-20", test_large);
        prove("DMA-05", test_stale_address);
        for (uint32_t i = 0; i < ALLOCATIONS; i++)
            check_status(tessera_allocation_destroy(tessera, allocation[i]), TESSERA_OK, "destroy");
        check(machine_is_consistent(&machine), "the manager's validator");
    }
    tessera_stream_destroy(stream);
    tessera_close(tessera);
    printf("%s: %u passed, %u failed\n", machine_name, passed, failed);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
