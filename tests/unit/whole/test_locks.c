/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's CPU and the manager: locks in all their forms, instances made by DISCARD locks, and who owns what. Content
 * is judged by the host's pages.
 * ALC-15..ALC-17.
 */
#include "record.h"

static void boot_with(uint32_t description, uint32_t options, uint32_t commit_limit, uint32_t force)
{
    options |= FIELD_PUT(description, HOST_BOOT_OPTIONS_DESCRIPTION);
    boot = (struct client_boot){.force = force, .options = options, .commit_limit = commit_limit};
}

static uint32_t create_with(struct client_allocation *allocation, uint32_t pages, uint32_t set, uint32_t word,
                            uint32_t value)
{
    uint32_t message[16] = {0};
    message[word] = value;
    return client_create(&client, allocation, pages, set, message);
}

/* ------------------------------------------------------------------ locks */

static uint32_t lock_renamed(const struct client_allocation *allocation, uint32_t flags,
                             const struct client_allocation *pages, struct client_allocation *instance)
{
    const uint32_t message[16] = {MSG_LOCK, 0, allocation->handle, flags | LOCK_ENTIRE, pages->list};
    struct answer answer = client_call(&client, message);
    *instance = *pages;
    instance->handle = answer.words[REPLY_LOCK_HANDLE - 4];
    return answer.status;
}

/* ALC-16, ALC-17: a read-only lock of content that the GPU wrote copies it out and leaves it resident and clean,
 * DONT_EVICT or not, pinned or not; the next one copies nothing; a lock for writing evicts. */
static void test_read_only_lock(void)
{
    CASE("ALC-16, ALC-17");
    struct client_allocation a, pinned;
    boot_with(DESCRIPTION_WHOLE, FIELD_PUT(1, HOST_BOOT_OPTIONS_TRANSFER_PAGES), 0, 0);
    open_recorded(8, 8);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &a, 3, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(create_with(&pinned, 1, SET_1, MSG_CREATE_ALLOCATION_FLAGS, ALLOCATION_CPU_VISIBLE | ALLOCATION_PINNED),
                STATUS_OK);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    CHECK_EQUAL(use(context, &pinned), STATUS_OK);
    forget();
    CHECK_EQUAL(client_lock(&client, &a, LOCK_READ_ONLY | LOCK_DONT_EVICT), STATUS_OK);
    CHECK_EQUAL(word_of(&a, 1), 1);
    CHECK_EQUAL(segment_of(&a), 1);
    CHECK_EQUAL(entry_of(&a)->flags & ALLOCATION_DIRTY, 0);
    CHECK_EQUAL(built_count, 3); /* one page each */
    CHECK_EQUAL(statistic(STAT_WRITEBACKS), 1);
    CHECK_EQUAL(use(context, &a), STATUS_LOCKED);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    forget();
    CHECK_EQUAL(client_lock(&client, &a, LOCK_READ_ONLY), STATUS_OK);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    CHECK_EQUAL(built_count, 0);
    CHECK_EQUAL(evict(&a), STATUS_OK); /* clean: nothing to copy */
    CHECK(only(DDI_DISCARD_CONTENT) != NULL && built_count == 1);
    CHECK_EQUAL(word_of(&a, 1), 1);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    struct allocation_table *table = &device_gpu(client.device)->manager.residency.world.table;
    table->details[entry_of(&a) - table->entry].write_set = SET_APERTURE; /* now it leaves to be read, if it may */
    allocation_tell(table, (uint32_t)(entry_of(&a) - table->entry));
    CHECK_EQUAL(client_lock(&client, &a, LOCK_READ_ONLY | LOCK_DONT_EVICT), STATUS_OK);
    CHECK_EQUAL(segment_of(&a), 1);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &pinned, 0), STATUS_PINNED);
    CHECK_EQUAL(client_lock(&client, &pinned, LOCK_READ_ONLY), STATUS_OK);
    CHECK_EQUAL(word_of(&pinned, 0), 1);
    CHECK_EQUAL(segment_of(&pinned), 1);
    close_checked();
}

/* Messages after a submission that cannot finish: is the lock answered at once? Its status, or 0xffff while it
 * waits. */
static uint32_t lock_under_use(const struct client_allocation *allocation, uint32_t context, uint32_t flags)
{
    struct answer answer;
    uint32_t message[16], status = 0xffff;
    const uint32_t lock[16] = {MSG_LOCK, 0, allocation->handle, flags | LOCK_ENTIRE};
    stream_init(&stream);
    stream_fill(&stream, allocation->handle, 0, 8, 0x51, 0);
    client_stage(&client, &stream, context, 0, message);
    device_engine(client.device)->node[0].is_paused = true;
    client_send(&client, message);
    uint32_t tag = client_send(&client, lock);
    for (uint32_t i = 0; i < 100; i++) device_turn(client.device);
    bool is_early = device_register(client.device, HOST_COMPLETE_TAIL_OFFSET) != client.complete_head;
    device_engine(client.device)->node[0].is_paused = false;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(client_receive(&client, &answer));
        if (answer.tag == tag) status = answer.status;
        else CHECK_EQUAL(answer.status, STATUS_OK);
    }
    if (status == STATUS_OK) CHECK_EQUAL(client_unlock(&client, allocation), STATUS_OK);
    return is_early ? status : 0xffff;
}

/* ALC-17: IGNORE_SYNC is granted under the GPU's use where content never leaves the pages, and waits where it may
 * have to move; DONT_WAIT fails at once; DISCARD makes both without effect. */
static void test_lock_under_use(void)
{
    CASE("ALC-17");
    struct client_allocation local, mapped;
    boot_with(DESCRIPTION_WHOLE, 0, 0, 0);
    open_recorded(8, 8);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &local, 1, SET_ALL, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &mapped, 1, SET_APERTURE, NULL), STATUS_OK);
    CHECK_EQUAL(lock_under_use(&local, context, 0), 0xffff);
    CHECK_EQUAL(lock_under_use(&local, context, LOCK_IGNORE_SYNC), 0xffff);
    CHECK_EQUAL(lock_under_use(&local, context, LOCK_DONT_WAIT), STATUS_WAS_STILL_DRAWING);
    CHECK_EQUAL(lock_under_use(&local, context, LOCK_DONT_WAIT | LOCK_DISCARD), 0xffff);
    CHECK_EQUAL(lock_under_use(&mapped, context, 0), 0xffff);
    CHECK_EQUAL(lock_under_use(&mapped, context, LOCK_IGNORE_SYNC), STATUS_OK);
    CHECK_EQUAL(lock_under_use(&mapped, context, LOCK_IGNORE_SYNC | LOCK_DONT_WAIT), STATUS_OK);
    CHECK_EQUAL(lock_under_use(&mapped, context, LOCK_IGNORE_SYNC | LOCK_DISCARD), 0xffff);
    CHECK_EQUAL(lock_under_use(&mapped, context, LOCK_DONT_WAIT), STATUS_WAS_STILL_DRAWING);
    close_checked();
}

/* ------------------------------------------------------------------ renaming */

static uint32_t copy_word(uint32_t context, uint32_t from, uint32_t to, uint32_t to_offset)
{
    stream_init(&stream);
    stream_copy(&stream, from, 0, to, to_offset, 4, 0);
    return submit(context).status;
}

/* ALC-15: a DISCARD lock with other pages is granted while the GPU uses the old content; both instances are resident at
 * once, one allocation to the driver; each keeps its bytes; once a list has named the new one, the old one is refused,
 * inside a list and across lists, with the entry, and nothing is changed by the refusal. */
static void test_renaming(void)
{
    CASE("ALC-15");
    struct client_allocation a, spare, spare2, target, second_instance, third;
    struct answer answer;
    uint32_t message[16];
    boot_with(DESCRIPTION_WHOLE, 0, 0, 0);
    open_recorded(8, 8);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(create_with(&a, 1, SET_1, MSG_CREATE_ALLOCATION_PRIORITY, 0x80000000u), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &spare, 1, SET_1, NULL), STATUS_OK); /* for their pages */
    CHECK_EQUAL(client_create(&client, &spare2, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &target, 1, SET_2, NULL), STATUS_OK);
    fill_pattern(&a, 1);
    stream_init(&stream); /* the GPU is busy with `a`: target[0] = a[0] */
    stream_copy(&stream, a.handle, 0, target.handle, 0, 4, 0);
    client_stage(&client, &stream, context, 0, message);
    device_engine(client.device)->node[0].is_paused = true;
    client_send(&client, message);
    for (uint32_t i = 0; i < 50; i++) device_turn(client.device);
    CHECK_EQUAL(lock_renamed(&a, 0, &spare, &second_instance), STATUS_BAD_ARGUMENT);
    spare2.list += 2;
    CHECK_EQUAL(lock_renamed(&a, LOCK_DISCARD, &spare2, &third), STATUS_BAD_ADDRESS);
    spare2.list -= 2;
    CHECK_EQUAL(lock_renamed(&a, LOCK_DISCARD | LOCK_WRITE_ONLY, &spare, &second_instance), STATUS_OK);
    CHECK(second_instance.handle != a.handle && second_instance.handle != 0);
    CHECK_EQUAL(details_of(&second_instance)->priority, 0x80000000u);
    fill_pattern(&second_instance, 100);
    CHECK_EQUAL(client_unlock(&client, &second_instance), STATUS_OK);
    device_engine(client.device)->node[0].is_paused = false;
    CHECK(client_receive(&client, &answer));
    CHECK_EQUAL(answer.status, STATUS_OK);
    /* Old before new, in one list: target[1] = old, target[2] = new. */
    forget();
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, target.handle, 4, 4, 0);
    stream_copy(&stream, second_instance.handle, 0, target.handle, 8, 4, 2);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    CHECK_EQUAL(segment_of(&a), 1);
    CHECK_EQUAL(segment_of(&second_instance), 1);
    CHECK(entry_of(&a)->first_page != entry_of(&second_instance)->first_page);
    CHECK_EQUAL(only(DDI_TRANSFER)->allocation.handle, a.handle); /* hAllocation is the one the driver knows */
    CHECK_EQUAL(copy_word(context, a.handle, target.handle, 4), STATUS_OLD_INSTANCE);
    /* A list that names the third and then the second is refused, and counts for nothing. */
    CHECK_EQUAL(lock_renamed(&second_instance, LOCK_DISCARD, &spare2, &third), STATUS_OK);
    fill_pattern(&third, 200);
    CHECK_EQUAL(client_unlock(&client, &third), STATUS_OK);
    stream_init(&stream);
    stream_copy(&stream, third.handle, 0, target.handle, 12, 4, 0);
    stream_copy(&stream, second_instance.handle, 0, target.handle, 12, 4, 2);
    answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OLD_INSTANCE);
    CHECK_EQUAL(answer.detail, 2);
    CHECK_EQUAL(copy_word(context, second_instance.handle, target.handle, 12), STATUS_OK);
    CHECK_EQUAL(copy_word(context, third.handle, target.handle, 16), STATUS_OK);
    CHECK_EQUAL(statistic(STAT_RENAMES), 2);
    CHECK_EQUAL(client_lock(&client, &target, 0), STATUS_OK);
    const uint8_t firsts[] = {1, 1, 100, 100, 200};
    for (uint32_t i = 0; i < 5; i++) CHECK_EQUAL(word_of(&target, i) & 0xff, firsts[i]);
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK); /* the others live on */
    CHECK_EQUAL(copy_word(context, third.handle, spare.handle, 0), STATUS_OK);
    close_checked();
}

/* ------------------------------------------------------------------ ownership */

/* Allocations belong to the adapter: they outlive the context that created them (model, 2.1). */
static void test_orphans(void)
{
    struct client_allocation a;
    boot_with(DESCRIPTION_WHOLE, 0, 0, 0);
    open_recorded(4, 4);
    uint32_t context = client_context(&client, 0), other = client_context(&client, 0);
    CHECK_EQUAL(create_with(&a, 1, SET_1, MSG_CREATE_ALLOCATION_CONTEXT, 12345), STATUS_BAD_CONTEXT);
    CHECK_EQUAL(create_with(&a, 1, SET_1, MSG_CREATE_ALLOCATION_CONTEXT, context), STATUS_OK);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, context};
    CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
    CHECK_EQUAL(use(other, &a), STATUS_OK);
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_read_only_lock);
    CHECK_RUN(test_lock_under_use);
    CHECK_RUN(test_renaming);
    CHECK_RUN(test_orphans);
    return check_finish();
}
