/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs of a virtual machine submit (host/virtio/gpu_programs.c, submitter.c). Goal: a wrong payload has its
 * named status in its record, changes nothing and leaves the kernel's log quiet; no program reaches what is another's.
 * Method: payloads made by hand with one word changed, against the real device and the golden model.
 */
#include "program_bench.h"

static void test_payload(void **test)
{
    enum { MOST = 400 };
    uint32_t payload[MOST], spoilt[MOST];
    struct raw raw;
    (void)test;
    open_raw(&raw);
    memset(fake_kernel_page(raw.source, 0), 'S', 64);
    const struct parts parts = copy_payload(&raw, payload);
    const uint32_t at_message = PAYLOAD_MESSAGE;
    const struct {
        uint32_t word, value, status, detail;
    } wrong[] = {
        {PAYLOAD_VERSION, 2, STATUS_PAYLOAD_VERSION, PAYLOAD_IS_VERSION},
        {PAYLOAD_VERSION, 0, STATUS_PAYLOAD_VERSION, PAYLOAD_IS_VERSION},
        {PAYLOAD_RESERVED, 1, STATUS_BAD_PAYLOAD, PAYLOAD_RESERVED},
        {PAYLOAD_LIST_COUNT, 4, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_LIST_COUNT, UINT32_MAX, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_PATCH_COUNT, 0, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_PATCH_COUNT, 0x80000000, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_WORD_COUNT, 0, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_WORD_COUNT, UINT32_MAX, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {at_message, MSG_SUBMIT | 1u << 16, STATUS_BAD_PAYLOAD, PAYLOAD_LIST_COUNT}, /* as another client */
        {at_message, MSG_NOP, STATUS_BAD_PAYLOAD, PAYLOAD_LIST_COUNT},
        {at_message + MSG_SUBMIT_CONTEXT, raw.drawing + 1, STATUS_BAD_CONTEXT, 0},
        {at_message + MSG_SUBMIT_CONTEXT, 0, STATUS_BAD_CONTEXT, 0},
        {at_message + MSG_SUBMIT_DMA, 4096, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA},
        {at_message + MSG_SUBMIT_PATCH_COUNT, 1, STATUS_BAD_ADDRESS, MSG_SUBMIT_PATCH_COUNT},
        {at_message + MSG_SUBMIT_FLAGS, 6, STATUS_BAD_FLAGS, 6},
        {at_message + MSG_SUBMIT_FLAGS, SUBMIT_FLAG_POINTS, STATUS_BAD_FLAGS, SUBMIT_FLAG_POINTS},
        {parts.list, raw.target, STATUS_BAD_HANDLE, 0},
        {parts.list + 1, 1, STATUS_BAD_HANDLE, 0},
        {parts.list + 2, 9999, STATUS_BAD_HANDLE, 1}, /* forged */
        {parts.list + 2, 0, STATUS_BAD_HANDLE, 1},
        {parts.list + 2, raw.record, STATUS_BAD_HANDLE, 1},              /* no allocation */
        {parts.list + 4, payload[parts.list + 2], STATUS_BAD_HANDLE, 2}, /* twice */
        {parts.list + 3, 2, STATUS_BAD_FLAGS, 1},
        {parts.patches + PATCH_ALLOCATION_INDEX, 3, STATUS_BAD_ALLOCATION_INDEX, 0},
        {parts.patches + PATCH_PATCH_OFFSET, 4096, STATUS_BAD_PATCH_OFFSET, 0},
        {parts.patches + PATCH_PATCH_OFFSET, UINT32_MAX, STATUS_BAD_PATCH_OFFSET, 0},
        {parts.patches + PATCH_ALLOCATION_OFFSET, 3 * PAGE, STATUS_EXTENT, 0},
        {parts.patches + PATCH_SLOT_ID, 64, STATUS_BAD_SLOT, 0},
        {parts.words, 0xffffffff, STATUS_BAD_OPCODE, 0},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(spoilt, payload, sizeof payload);
        spoilt[wrong[i].word] = wrong[i].value;
        const uint32_t *record = bench_sent(&raw, spoilt, parts.total);
        if (record[COMPLETION_STATUS] != wrong[i].status || record[COMPLETION_DETAIL] != wrong[i].detail)
            fail_msg("row %u: status %u, detail %u", i, record[COMPLETION_STATUS], record[COMPLETION_DETAIL]);
        assert_int_equal(record[COMPLETION_TAG], 1234);
        for (uint32_t at = 0; at < 64; at++) assert_int_equal(bench_content(&raw)[at], 0);
    }
    for (uint32_t words = 0; words < parts.total; words++) { /* cut anywhere: the head has to be there for an answer */
        const uint32_t *record = bench_sent(&raw, payload, words);
        const bool is_answered = words > PAYLOAD_MESSAGE + COMPLETION_TAG;
        assert_int_equal(record[0], is_answered ? 1234 : 0);
        if (is_answered) assert_int_equal(record[COMPLETION_STATUS], STATUS_BAD_PAYLOAD);
    }
    assert_int_equal(bench_content(&raw)[0], 0);
    const uint32_t *record = bench_sent(&raw, payload, parts.total);
    assert_int_equal(record[COMPLETION_STATUS], STATUS_OK);
    assert_memory_equal(bench_content(&raw), fake_kernel_page(raw.source, 0), 64);
    assert_int_equal(machine.errors, 0);
}

/* Where the answer has no place, nothing is done and nothing else is written. */
static void test_record(void **test)
{
    uint32_t payload[400], spoilt[400];
    struct raw raw, other;
    (void)test;
    open_raw(&raw);
    open_raw(&other);
    memset(fake_kernel_page(raw.source, 0), 'S', 64);
    const struct parts parts = copy_payload(&raw, payload);
    const struct {
        uint32_t word, value;
    } wrong[] = {{PAYLOAD_MAGIC, 0},
                 {PAYLOAD_RECORD, 0},
                 {PAYLOAD_RECORD, 4000},
                 {PAYLOAD_RECORD, other.record},
                 {PAYLOAD_RECORD_OFFSET, 4},
                 {PAYLOAD_RECORD_OFFSET, PAGE - 16},
                 {PAYLOAD_RECORD_OFFSET, PAGE},
                 {PAYLOAD_RECORD_OFFSET, 0xffffffe0}};
    memset(fake_kernel_page(other.record, 0), 0x77, PAGE);
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(spoilt, payload, sizeof payload);
        spoilt[wrong[i].word] = wrong[i].value;
        assert_int_equal(bench_sent(&raw, spoilt, parts.total)[0], 0);
        assert_int_equal(machine.gpu.counts.unrecorded, i + 1);
    }
    for (uint32_t i = 0; i < PAGE; i++) assert_int_equal(fake_kernel_page(other.record, 0)[i], 0x77);
    assert_int_equal(bench_content(&raw)[0], 0);
    payload[PAYLOAD_RECORD_OFFSET] = PAGE - 32; /* the last one there is */
    (void)bench_sent(&raw, payload, parts.total);
    assert_int_equal(((const uint32_t *)(const void *)(fake_kernel_page(raw.record, 0) + PAGE - 32))[0], 1234);
    assert_int_equal(machine.errors, 0);
}

/* ------------------------------------------------------------------ isolation */

static void test_others(void **test)
{
    struct raw first, second;
    (void)test;
    open_raw(&first);
    open_raw(&second);
    memset(fake_kernel_page(first.source, 0), 'F', 64);
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_BAD_HANDLE);
    assert_int_equal(copy_of(&second, first.target, second.source), STATUS_BAD_HANDLE);
    static const uint32_t codes[] = {MSG_LOCK,
                                     MSG_UNLOCK,
                                     MSG_OFFER,
                                     MSG_RECLAIM,
                                     MSG_EVICT,
                                     MSG_SET_PRIORITY,
                                     MSG_QUERY_ALLOCATION,
                                     MSG_DESTROY_ALLOCATION};
    for (uint32_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(bench_call(&second, codes[i], first.source, 1), STATUS_BAD_HANDLE);
    assert_int_equal(bench_call(&second, MSG_DESTROY_CONTEXT, first.drawing, 0), STATUS_BAD_CONTEXT);
    assert_int_equal(bench_call(&second, MSG_QUERY_CONTEXT, first.drawing, 0), STATUS_BAD_CONTEXT);
    assert_int_equal(bench_make(&second, first.source, PAGE, 0), STATUS_BAD_HANDLE);
    /* Passed on, it may be named; its maker alone rules it. */
    const uint32_t shares = bench_shares();
    const uint32_t handle = fake_kernel_pass(first.source, fake_kernel_next() - 1);
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_OK);
    assert_memory_equal(bench_content(&second), fake_kernel_page(first.source, 0), 64);
    for (uint32_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(bench_call(&second, codes[i], first.source, 1), STATUS_BAD_HANDLE);
    assert_int_equal(bench_make(&second, first.source, PAGE, 0), STATUS_BAD_ARGUMENT);
    assert_int_equal(bench_shares(), shares - 1);
    second.kernel.destroy(second.kernel.context, handle);
    assert_int_equal(bench_shares(), shares); /* the right is taken back */
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_BAD_HANDLE);
    (void)fake_kernel_pass(first.source, fake_kernel_next() - 1);
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_OK);
    first.kernel.close(first.kernel.context); /* it went with the program that made it */
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_BAD_HANDLE);
    assert_int_equal(copy_of(&second, second.target, second.source), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* Messages that are not for programs. */
static void test_allowed(void **test)
{
    struct raw raw;
    (void)test;
    open_raw(&raw);
    static const uint32_t codes[] = {
        MSG_QUERY_STATISTICS, MSG_SELF_TEST,     MSG_PREEMPT, MSG_SHARE,         MSG_ADMIT_CLIENT,
        MSG_QUERY_SEGMENT,    MSG_GIVE_DISPLAY,  MSG_FLIP,    MSG_SET_MODE,      MSG_QUERY_DISPLAY,
        MSG_CREATE_TIMELINE,  MSG_WAIT_TIMELINE, 0x7f,        MSG_NOP | 3u << 16};
    for (uint32_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(bench_call(&raw, codes[i], raw.target, 0), STATUS_NOT_ALLOWED);
    assert_int_equal(bench_make(&raw, raw.record, PAGE, ALLOCATION_PINNED), STATUS_NOT_ALLOWED);
    assert_int_equal(bench_make(&raw, raw.record, 2 * PAGE, 0), STATUS_BAD_ARGUMENT); /* more than it has */
    assert_int_equal(bench_make(&raw, raw.record, 0, 0), STATUS_BAD_ARGUMENT);
    assert_int_equal(bench_make(&raw, raw.record, PAGE, ALLOCATION_CACHED), STATUS_BAD_ARGUMENT);
    assert_int_equal(bench_call(&raw, MSG_EVICT, 0, 0), STATUS_BAD_HANDLE); /* not everything */
    for (uint32_t i = 1; i < SUBMITTER_CONTEXTS_MOST; i++)
        assert_int_equal(bench_call(&raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    assert_int_equal(bench_call(&raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OUT_OF_HANDLES);
    assert_int_equal(bench_call(&raw, MSG_CREATE_CONTEXT, 3, 0), STATUS_OUT_OF_HANDLES);
    assert_int_equal(bench_call(&raw, MSG_DESTROY_CONTEXT, raw.drawing, 0), STATUS_OK);
    assert_int_equal(bench_call(&raw, MSG_CREATE_CONTEXT, 3, 0), STATUS_BAD_ARGUMENT);
    assert_int_equal(bench_call(&raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* More programs than the GPU has clients: the last are told, and served when others end. */
static void test_programs(void **test)
{
    static struct drm_kernel kernels[KERNEL_PROGRAMS];
    struct raw raw = {0};
    uint32_t handle, status = STATUS_OK, count = 0;
    (void)test;
    for (; count < KERNEL_PROGRAMS && status == STATUS_OK; count++) {
        const uint32_t program = fake_kernel_next();
        kernels[count] = fake_kernel_open();
        raw.context = machine.program[program].context;
        assert_int_equal(kernels[count].create(kernels[count].context, PAGE, &handle, &raw.record), 0);
        status = bench_call(&raw, MSG_NOP, 0, 0);
    }
    assert_int_equal(status, STATUS_OUT_OF_HANDLES);
    assert_int_equal(count, LIMIT_BITS_CLIENTS);
    kernels[5].close(kernels[5].context);
    assert_int_equal(bench_call(&raw, MSG_NOP, 0, 0), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* Resources that went, locks that are held, and a program that ends with work in flight. */
static void test_gone(void **test)
{
    struct raw raw;
    struct guest guest;
    tessera_ticket ticket;
    (void)test;
    open_raw(&raw);
    assert_int_equal(bench_call(&raw, MSG_LOCK, raw.source, LOCK_ENTIRE), STATUS_OK);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_LOCKED);
    assert_int_equal(bench_call(&raw, MSG_DESTROY_ALLOCATION, raw.source, 0), STATUS_LOCKED);
    raw.kernel.destroy(raw.kernel.context, raw.handles[2]);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_BAD_HANDLE);
    assert_int_equal(fake_kernel_command(COMMAND_DETACH_BACKING, 0, raw.target), RESPONSE_OK);
    assert_int_equal(bench_call(&raw, MSG_LOCK, raw.target, LOCK_ENTIRE), STATUS_BAD_HANDLE);
    assert_int_equal(copy_of(&raw, raw.target, raw.record), STATUS_BAD_HANDLE);
    assert_int_equal(fake_kernel_command(COMMAND_DETACH_BACKING, 0, raw.record), RESPONSE_OK);
    machine.is_late = true;
    open_guest(&guest);
    struct tessera_allocation *target = bench_create(guest.gpu, BYTES);
    const struct tessera_place place = {target, 0, 0};
    assert_int_equal(tessera_lock(guest.gpu, target, 0), TESSERA_OK);
    assert_int_equal(tessera_unlock(guest.gpu, target), TESSERA_OK);
    for (uint32_t i = 0; i < 20; i++) {
        tessera_stream_clear(guest.stream);
        assert_int_equal(tessera_stream_fill(guest.stream, &place, BYTES, i), TESSERA_OK);
        assert_int_equal(tessera_submit(guest.gpu, guest.context, guest.stream, 0, &ticket), TESSERA_OK);
    }
    close_guest(&guest);
    assert_int_equal(machine.errors, 0);
}

/* A context that the engine stops on is lost, and it alone. */
static void test_hang(void **test)
{
    struct raw first, second;
    uint32_t status;
    (void)test;
    open_raw(&first);
    open_raw(&second);
    device_hang(machine.device, RENDER);
    status = copy_of(&first, first.target, first.source);
    assert_int_equal(status, STATUS_TIMEOUT);
    assert_int_equal(copy_of(&first, first.target, first.source), STATUS_CONTEXT_LOST);
    assert_int_equal(copy_of(&second, second.target, second.source), STATUS_OK);
    assert_int_equal(bench_call(&first, MSG_DESTROY_CONTEXT, first.drawing, 0), STATUS_OK);
    assert_int_equal(bench_call(&first, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* TRANSFER: what a program wrote is the content, and the other way round. */
static void test_transfer(void **test)
{
    struct raw raw;
    (void)test;
    open_raw(&raw);
    memset(fake_kernel_page(raw.source, 0), 1, 64);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_OK);
    memset(fake_kernel_page(raw.source, 0), 2, 64);
    struct virtio_gpu_transfer_3d command = {.header = {.type = COMMAND_TRANSFER_TO_HOST_3D, .context = raw.context},
                                             .width = 3 * PAGE,
                                             .height = 1,
                                             .depth = 1,
                                             .resource = raw.source};
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_OK);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_OK);
    command.header.type = COMMAND_TRANSFER_FROM_HOST_3D;
    command.resource = raw.target;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_OK);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(fake_kernel_page(raw.target, 0)[i], 2);
    assert_int_equal(bench_call(&raw, MSG_DESTROY_ALLOCATION, raw.source, 0),
                     STATUS_OK); /* its pages are as they were */
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(fake_kernel_page(raw.source, 0)[i], 2);
    command.width--;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_BAD_PARAMETER);
    command.width++;
    command.header.context = 999;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_BAD_CONTEXT);
    command.header.context = raw.context;
    command.resource = 999;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_BAD_RESOURCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_payload),  TEST(test_record), TEST(test_others), TEST(test_allowed),
                                       TEST(test_programs), TEST(test_gone),   TEST(test_hang),   TEST(test_transfer)};
    return bench_ended(cmocka_run_group_tests(tests, NULL, NULL), (int)(sizeof tests / sizeof *tests));
}
