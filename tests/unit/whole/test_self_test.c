/* SPDX-License-Identifier: Apache-2.0
 *
 * The self tests of the aperture. Goal: they pass on sound hardware and a sound driver, leave the dummy page as it was,
 * and fail on what they are there to notice. Method: the golden model, and packets or calls of the driver spoiled on
 * the way. CNF-01, CNF-02.
 */
#include "record.h"

static struct engine_model *sabotaged;

/* Broken hardware: before a paging packet reads or writes, the unmapped page points somewhere else. */
static void sabotage(void *context, unsigned node, uint32_t offset, const uint32_t *words)
{
    (void)context, (void)offset;
    uint32_t opcode = words[0] & 0xffu;
    if (node != 1 || (opcode != PKT_COPY && opcode != PKT_COPY_LIST && opcode != PKT_TOUCH)) return;
    for (uint32_t i = 0; i < sabotaged->aperture_pages; i++)
        sabotaged->aperture[i] = FIELD_PUT(100, APERTURE_ENTRY_FRAME) | FIELD_PUT(1, APERTURE_ENTRY_VALID);
}

/* Broken hardware: what it has read is no longer there afterwards. */
static void spoil_source(void *context, unsigned node, uint32_t offset, const uint32_t *words)
{
    (void)context, (void)offset;
    if (node == 1 && (words[0] & 0xffu) == PKT_FENCE) sabotaged->system[CLIENT_DUMMY_PAGE * CLIENT_PAGE] ^= 1u;
}

/* CNF-01 in both modes, CNF-02: the tests pass on sound hardware, leave the dummy page as it was, work
 * beside mapped allocations, and fail on an aperture that does not do what it is told. */
static void test_hardware(void)
{
    CASE("CNF-01, CNF-02");
    struct client_allocation a;
    uint8_t page[CLIENT_PAGE], after[CLIENT_PAGE];
    open_with(4, 4, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 3, SET_APERTURE, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    for (uint32_t i = 0; i < sizeof page; i++) page[i] = (uint8_t)(i * 3u + 1u);
    client.transport.memory_write(client.transport.context, CLIENT_DUMMY_PAGE * CLIENT_PAGE, page, sizeof page);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t number = 1; number <= 3; number++) {
            const uint32_t message[16] = {MSG_SELF_TEST, 0, number};
            struct answer answer = client_call(&client, message);
            CHECK_EQUAL(answer.status, STATUS_OK);
            CHECK_EQUAL(answer.words[0] != 0, pass);
            client.transport.memory_read(client.transport.context, CLIENT_DUMMY_PAGE * CLIENT_PAGE, after,
                                         sizeof after);
            CHECK(memcmp(page, after, sizeof page) == 0);
        }
        sabotaged = device_engine(client.device);
        sabotaged->on_packet = sabotage;
    }
    const uint32_t unknown[16] = {MSG_SELF_TEST, 0, 4};
    CHECK_EQUAL(client_call(&client, unknown).status, STATUS_BAD_ARGUMENT);
    CHECK(gpu_check(device_gpu(client.device)));
    client_close(&client);

    open_with(4, 4, 0, 0); /* a full aperture: no page to test with */
    CHECK_EQUAL(client_create(&client, &a, 16, SET_APERTURE, NULL), STATUS_OK);
    context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    const uint32_t message[16] = {MSG_SELF_TEST, 0, 1};
    CHECK_EQUAL(client_call(&client, message).status, STATUS_BUSY);
    close_checked();
}

/* What the copy was made of is looked at, too, and has a result of its own. */
static void test_source(void)
{
    for (uint32_t number = 1; number <= 3; number++) {
        const uint32_t message[16] = {MSG_SELF_TEST, 0, number};
        open_with(4, 4, 0, 0);
        sabotaged = device_engine(client.device);
        sabotaged->on_packet = spoil_source;
        CHECK_EQUAL(client_call(&client, message).words[0], 2);
        client_close(&client);
    }
}
enum { OTHER_PAGE = 90, OTHER_LIST = 6 * CLIENT_PAGE };
static uint32_t spoiled_test;

/* A driver that unmaps to another page than the dummy page, writes past what it was told, or maps another page. */
static enum ddi_status spoil_aperture(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_build_paging_buffer asked = *arguments;
    switch (asked.operation) {
    case DDI_UNMAP_APERTURE_SEGMENT:
        if (spoiled_test == 1) arguments->u.unmap.dummy_page = OTHER_PAGE;
        break;
    case DDI_WRITE_PHYSICAL:
        if (spoiled_test == 2) arguments->u.access_physical.physical_address += 8;
        break;
    case DDI_MAP_APERTURE_SEGMENT:
        if (spoiled_test == 3) arguments->u.map.mdl = OTHER_LIST;
        break;
    default: break;
    }
    enum ddi_status status = second.ddi.build_paging_buffer(adapter, arguments);
    arguments->u = asked.u;
    return status;
}

/* CNF-01 in both modes and CNF-02: each passes on a sound driver, on either description, and fails on a driver that
 * does what the test is there to notice; the dummy page is as it was before. */
static void test_drivers(void)
{
    CASE("CNF-01, CNF-02");
    uint8_t page[CLIENT_PAGE], after[CLIENT_PAGE];
    const uint32_t frame = OTHER_PAGE;
    for (uint32_t spoiled = 0; spoiled <= 3; spoiled++)
        for (uint32_t description = 0; description < 2; description++) {
            boot.options = FIELD_PUT(description, HOST_BOOT_OPTIONS_DESCRIPTION);
            open_recorded(4, 4);
            device_gpu(client.device)->manager.ddi.build_paging_buffer = spoil_aperture;
            spoiled_test = spoiled;
            for (uint32_t i = 0; i < sizeof page; i++) page[i] = (uint8_t)(i * 5u + spoiled);
            client.transport.memory_write(client.transport.context, CLIENT_DUMMY_PAGE * CLIENT_PAGE, page, sizeof page);
            client.transport.memory_write(client.transport.context, OTHER_LIST, &frame, sizeof frame);
            for (uint32_t test = 1; test <= 3; test++) {
                const uint32_t message[16] = {MSG_SELF_TEST, 0, test};
                struct answer answer = client_call(&client, message);
                CHECK_EQUAL(answer.status, STATUS_OK);
                bool is_met = test == spoiled || (spoiled == 1 && test == 2); /* both begin with an Unmap */
                CHECK_EQUAL(answer.words[REPLY_SELF_TEST_RESULT - 4] != 0, is_met);
                client.transport.memory_read(client.transport.context, CLIENT_DUMMY_PAGE * CLIENT_PAGE, after,
                                             sizeof after);
                CHECK(memcmp(page, after, sizeof page) == 0);
            }
            close_checked();
        }
}

int main(void)
{
    CHECK_RUN(test_hardware);
    CHECK_RUN(test_source);
    CHECK_RUN(test_drivers);
    return check_finish();
}
