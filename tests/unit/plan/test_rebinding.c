/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that a portion inherits of what its plan has moved (schedule/rebinding.h). Goal: each is put right once, by the
 * patch location that carries it, in the ring when its packet comes before the portion and in the buffer otherwise.
 * Method: a driver that only keeps what it was asked; carried entries whose number is not their slot's.
 */
#include <string.h>

#include "check.h"
#include "fake_hal.h"
#include "schedule/rebinding.h"

enum { LOCATIONS = 6, START = 40, CALLS = 2 * SLOT_LIMIT };

static struct manager manager;
static struct splitter splitter;
static struct patch patches[LOCATIONS];
static struct ddi_rebinding bound[CALLS];
static struct ddi_patch patched[CALLS];
static uint32_t bound_count, patched_count, room; /* room: rows that the ring still takes */
static enum ddi_status patch_status;

static bool fake_rebind(void *adapter, const struct ddi_rebinding *rebinding)
{
    CHECK(adapter == &manager);
    if (room == 0) return false;
    room--;
    CHECK(bound_count < CALLS);
    bound[bound_count++] = *rebinding;
    return true;
}

static enum ddi_status fake_patch(void *adapter, struct ddi_patch *arguments)
{
    CHECK(adapter == &manager && patched_count < CALLS);
    patched[patched_count++] = *arguments;
    return patch_status;
}

static uint32_t fake_address(const void *context, uint32_t allocation)
{
    CHECK(context == &manager);
    return 0x1000u * allocation;
}

static const struct job job = {.dma_offset = 512, .dma_words = 100, .patches = patches, .patch_count = LOCATIONS};

/* Entry i patches word `words[i]` with the address of allocation 10 + i. */
static void begin(const uint32_t words[LOCATIONS])
{
    fake_hal_reset();
    memset(&manager.statistics, 0, sizeof manager.statistics);
    manager.ddi = (struct ddi){.adapter = &manager, .rebind = fake_rebind, .patch = fake_patch};
    memset(&splitter, 0xff, sizeof splitter); /* rows that nobody carries must not be looked at */
    memset(bound, 0, sizeof bound);
    memset(patched, 0, sizeof patched);
    bound_count = patched_count = 0;
    room = CALLS;
    patch_status = DDI_SUCCESS;
    for (uint32_t i = 0; i < LOCATIONS; i++)
        patches[i] = (struct patch){.patch_word = words[i] & 0x7fffu, .allocation = (uint16_t)(10u + i)};
}

static void carry(struct portion *portion, uint32_t slot, uint32_t entry)
{
    splitter.carried[slot] = (uint16_t)entry;
    portion->moved_slots |= (uint64_t)1 << slot;
}

/* The first word of the portion is its own: only what comes before it has been executed. */
static void test_before_and_behind(void)
{
    static const uint32_t words[LOCATIONS] = {START - 1, START, START + 1, 3, 0, START - 2};
    struct portion portion = {.start_word = START, .end_word = 90};
    begin(words);
    for (uint32_t slot = 0; slot < 3; slot++) carry(&portion, 5u - slot, slot);
    carry(&portion, 0, 3);
    carry(&portion, SLOT_LIMIT - 1u, 4);
    CHECK(rebinding_bind(&manager, &job, &splitter, &portion, fake_address));
    static const uint32_t expected[] = {3, 0, 4}; /* by slot: 0, 5, the last */
    CHECK_EQUAL(bound_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQUAL(bound[i].patch_location, expected[i]);
        CHECK_EQUAL(bound[i].address, 0x1000u * (10u + expected[i]));
        CHECK_EQUAL(bound[i].dma_buffer, 512);
        CHECK(bound[i].patch_location_list == patches);
        CHECK_EQUAL(bound[i].patch_location_list_size, LOCATIONS);
    }
    CHECK(portion.moved_slots == ((uint64_t)1 << 4 | (uint64_t)1 << 3));
    CHECK_EQUAL(manager.statistics[STAT_BOUND_ANEW], 3);
    CHECK(rebinding_bind(&manager, &job, &splitter, &portion, fake_address)); /* nothing is done twice */
    CHECK_EQUAL(bound_count, 3);
}

/* A full ring: what was done stays done, the same call goes on where it stood. */
static void test_full_ring(void)
{
    static const uint32_t words[LOCATIONS] = {1, 2, 3, 4, 5, 6};
    struct portion portion = {.start_word = START, .end_word = 90};
    begin(words);
    for (uint32_t slot = 0; slot < LOCATIONS; slot++) carry(&portion, 10u * slot, LOCATIONS - 1u - slot);
    room = 2;
    CHECK(!rebinding_bind(&manager, &job, &splitter, &portion, fake_address));
    CHECK_EQUAL(bound_count, 2);
    CHECK_EQUAL(manager.statistics[STAT_BOUND_ANEW], 2);
    room = LOCATIONS - 2;
    CHECK(rebinding_bind(&manager, &job, &splitter, &portion, fake_address));
    CHECK(portion.moved_slots == 0);
    CHECK_EQUAL(bound_count, LOCATIONS);
    for (uint32_t i = 0; i < LOCATIONS; i++) CHECK_EQUAL(bound[i].patch_location, LOCATIONS - 1u - i);
}

/* What is left is patched by the entry that carries the row, one location each; the rest as the portion says. */
static void test_words(void)
{
    static const uint32_t words[LOCATIONS] = {50, 51, 52, 53, 54, 55};
    static const uint32_t slots[] = {0, 7, SLOT_LIMIT - 1u}, entries[] = {4, 0, 5};
    struct portion portion = {.start_word = START, .end_word = 45};
    const struct ddi_patch whole = {.dma_buffer = 512,
                                    .dma_buffer_size = 400,
                                    .submission_start_offset = 4u * START,
                                    .submission_end_offset = 180,
                                    .patch_location_list = patches,
                                    .patch_location_list_size = LOCATIONS,
                                    .patch_location_list_submission_start = 1,
                                    .patch_location_list_submission_length = 2,
                                    .submission_fence_id = 77,
                                    .address = fake_address,
                                    .context = &manager,
                                    .must_rewrite = true};
    begin(words);
    rebinding_patch(&manager, &splitter, &portion, &whole);
    CHECK_EQUAL(patched_count, 0);
    for (uint32_t i = 0; i < 3; i++) carry(&portion, slots[i], entries[i]);
    rebinding_patch(&manager, &splitter, &portion, &whole);
    CHECK_EQUAL(patched_count, 3);
    CHECK_EQUAL(manager.statistics[STAT_BOUND_ANEW], 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQUAL(patched[i].patch_location_list_submission_start, entries[i]);
        CHECK_EQUAL(patched[i].patch_location_list_submission_length, 1);
        CHECK_EQUAL(patched[i].submission_fence_id, 77);
        CHECK_EQUAL(patched[i].submission_start_offset, 4u * START);
        CHECK_EQUAL(patched[i].patch_location_list_size, LOCATIONS);
        CHECK(patched[i].address == fake_address && patched[i].must_rewrite);
    }
    patch_status = DDI_INVALID_PARAMETER; /* a driver that cannot: the portion must not run */
    CHECK(FAKE_STOPS(rebinding_patch(&manager, &splitter, &portion, &whole)));
    CHECK_EQUAL(fake_hal.stop_code, PANIC_SUBMIT);
    CHECK_EQUAL(patched_count, 4);
}

int main(void)
{
    CHECK_RUN(test_before_and_behind);
    CHECK_RUN(test_full_ring);
    CHECK_RUN(test_words);
    return check_finish();
}
