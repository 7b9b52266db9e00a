/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rule of segment descriptions and capabilities broken once, by a driver that is sound otherwise: the pure
 * check names the rule, and a firmware booted on that driver stops with BAD_SEGMENT_SET for the same rule. Legal
 * descriptions pass. Memory totals against figures worked out by hand. Commit limits as the map sees them.
 * Proves SEG-06, SEG-10, SEG-12..SEG-17, SEG-20, SEG-22, SEG-24, SEG-26, SEG-27, CAP-01, CAP-02.
 */
#include "second_driver.h"
#include "memory/segment_description.h"
#include "system.h"

enum { SEGMENTS = 3, MOST_BANKS = 127 }; /* of the sound description; of any segment */
static const struct segment_description_limits limits = {SEGMENT_LIMIT, SLOT_LIMIT};
static struct ddi_segment_descriptor segment[SEGMENT_LIMIT];
static struct ddi_query_segment_out out;
static struct ddi_driver_caps caps;

/* ------------------------------------------------------------------ one fault each */

static const uint32_t ends_good[] = {0x1000, 0x3000}, ends_back[] = {0x2000, 0x1000}, ends_past[] = {0x1000, 0x4000};

static void too_many(void) { out.nb_segment = SEGMENT_LIMIT + 1; }
static void none(void) { out.nb_segment = 0; }
static void unknown_flag(void) { segment[0].flags |= 0x1000; } /* ReservedSysMem: not the driver's */
static void agp_and_aperture(void) { segment[2].flags = DDI_SEGMENT_AGP | DDI_SEGMENT_APERTURE; }
static void agp_and_visible(void) { segment[0].flags = DDI_SEGMENT_AGP | DDI_SEGMENT_CPU_VISIBLE; }
static void agp(void) { segment[2].flags = DDI_SEGMENT_AGP; }
static void two_agp(void) { segment[1].flags = segment[2].flags = DDI_SEGMENT_AGP; }
static void coherent_memory(void) { segment[0].flags = DDI_SEGMENT_CACHE_COHERENT; }
static void preserve(uint32_t bits) { segment[1].flags |= bits; }
static void preserve_001(void) { preserve(DDI_SEGMENT_PRESERVED_PARTIALLY); }
static void preserve_010(void) { preserve(DDI_SEGMENT_PRESERVED_HIBERNATE); }
static void preserve_011(void) { preserve(DDI_SEGMENT_PRESERVED_HIBERNATE | DDI_SEGMENT_PRESERVED_PARTIALLY); }
static void preserve_111(void)
{
    preserve(DDI_SEGMENT_PRESERVED_STANDBY | DDI_SEGMENT_PRESERVED_HIBERNATE | DDI_SEGMENT_PRESERVED_PARTIALLY);
}
static void preserve_100(void) { preserve(DDI_SEGMENT_PRESERVED_STANDBY); }
static void preserve_101(void) { preserve(DDI_SEGMENT_PRESERVED_STANDBY | DDI_SEGMENT_PRESERVED_PARTIALLY); }
static void preserve_110(void) { preserve(DDI_SEGMENT_PRESERVED_STANDBY | DDI_SEGMENT_PRESERVED_HIBERNATE); }
static void system_end(void) { segment[0].system_memory_end_address = 4096; }
static void system_end_preserved(void)
{
    segment[0].flags |= DDI_SEGMENT_PRESERVED_STANDBY | DDI_SEGMENT_PRESERVED_PARTIALLY;
    system_end();
}
static void at_zero(void) { segment[0].base_address = 0; }
static void to_the_end(void) { segment[0].base_address = 0xffffc000u; }
static void half_a_page(void) { segment[0].size = segment[0].commit_limit += 2048; }
static void past_the_end(void)
{
    segment[1].base_address = 0xfffff000u;
    segment[1].size = segment[1].commit_limit = 0x2000;
}
static void memory_commits_less(void) { segment[0].commit_limit -= 4096; }
static void memory_commits_more(void) { segment[1].commit_limit += 4096; }
static void aperture_commits_bytes(void) { segment[2].commit_limit -= 1; }
static void cpu_address(void) { segment[0].cpu_translated_address = 0xd0000000u; }
static void banks_of(uint32_t count, const uint32_t *ends)
{
    segment[0].flags |= DDI_SEGMENT_USE_BANKING;
    segment[0].number_of_banks = count;
    segment[0].bank_end = ends;
}
static void good_banks(void) { banks_of(3, ends_good); }
static void one_bank(void) { banks_of(1, NULL); }
static void banks_back(void) { banks_of(3, ends_back); }
static void banks_past(void) { banks_of(3, ends_past); }
static void many_banks(uint32_t count)
{
    static uint32_t ends[MOST_BANKS + 1];
    for (uint32_t i = 0; i <= MOST_BANKS; i++) ends[i] = i + 1;
    banks_of(count, ends);
}
static void most_banks(void) { many_banks(MOST_BANKS); }
static void more_banks(void) { many_banks(MOST_BANKS + 1); }
static void no_bank(void) { banks_of(0, ends_good); }
static void no_bank_table(void) { banks_of(2, NULL); }
static void banks_unasked(void) { segment[0].number_of_banks = 2; }
static void overlap_last_page(void) { segment[1].base_address = segment[0].base_address + segment[0].size - 4096; }
static void overlap_inside(void) { segment[0].base_address = segment[2].base_address + 4096; }
static void overlap_same(void) { segment[1].base_address = segment[0].base_address; }
static void neighbours(void) { segment[1].base_address = segment[0].base_address + segment[0].size; }
static void paging_in_memory(void) { out.paging_buffer_segment_id = 2; }
static void paging_nowhere(void) { out.paging_buffer_segment_id = 4; }
static void paging_empty(void) { out.paging_buffer_size = 0; }
static void slot_past_field(void) { caps.max_allocation_list_slot_id = 1u << 24; }
static void slot_past_table(void) { caps.max_allocation_list_slot_id = SLOT_LIMIT; }
static void preemption_alone(void) { caps.scheduling_caps = DDI_CAP_PREEMPTION_AWARE; }
static void cancel_alone(void) { caps.scheduling_caps = DDI_CAP_CANCEL_COMMAND_AWARE; }
static void no_patching_alone(void) { caps.scheduling_caps = DDI_CAP_NO_DMA_PATCHING | DDI_CAP_MULTI_ENGINE_AWARE; }
static void no_patching_no_engines(void) { caps.scheduling_caps = DDI_CAP_NO_DMA_PATCHING | DDI_CAP_PREEMPTION_AWARE; }
static void all_caps(void)
{
    caps.scheduling_caps =
        DDI_CAP_MULTI_ENGINE_AWARE | DDI_CAP_PREEMPTION_AWARE | DDI_CAP_NO_DMA_PATCHING | DDI_CAP_CANCEL_COMMAND_AWARE;
}
static void paging_node(void) { caps.paging_node = 2; }
static void nothing(void) {}

#define R(name) SEGMENT_RULE_##name
static const struct fault_row {
    const char *name;
    void (*spoil)(void);
    enum segment_rule rule; /* R(NONE): legal, and the firmware boots on it */
    uint32_t segment;
} rows[] = {
    {"sound", nothing, R(NONE), 0},
    {"too many", too_many, R(COUNT), 0},
    {"none", none, R(COUNT), 0},
    {"unknown flag", unknown_flag, R(FLAGS_KNOWN), 0},
    {"SEG-12 Agp and Aperture", agp_and_aperture, R(AGP_ALONE), 2},
    {"SEG-12 Agp and CpuVisible", agp_and_visible, R(AGP_ALONE), 0},
    {"SEG-06 AGP without information", agp, R(AGP_INFO), 2},
    {"SEG-24 memory CacheCoherent", coherent_memory, R(CACHE_COHERENT), 0},
    {"SEG-26 001", preserve_001, R(PRESERVE), 1},
    {"SEG-26 010", preserve_010, R(PRESERVE), 1},
    {"SEG-26 011", preserve_011, R(PRESERVE), 1},
    {"SEG-26 111", preserve_111, R(PRESERVE), 1},
    {"SEG-26 100", preserve_100, R(NONE), 0},
    {"SEG-26 101", preserve_101, R(NONE), 0},
    {"SEG-26 110", preserve_110, R(NONE), 0},
    {"system memory end", system_end, R(SYSTEM_END), 0},
    {"system memory end of what is preserved partially", system_end_preserved, R(NONE), 0},
    {"from address 0", at_zero, R(NONE), 0},
    {"to the last byte", to_the_end, R(NONE), 0},
    {"SEG-14 half a page", half_a_page, R(SIZE), 0},
    {"SEG-14 past the end", past_the_end, R(SIZE), 1},
    {"SEG-15 less", memory_commits_less, R(COMMIT_LIMIT), 0},
    {"SEG-15 more", memory_commits_more, R(COMMIT_LIMIT), 1},
    {"commit limit in bytes", aperture_commits_bytes, R(COMMIT_LIMIT), 2},
    {"SEG-25 CPU address of what it cannot see", cpu_address, R(CPU_ADDRESS), 0},
    {"SEG-22 banks", good_banks, R(NONE), 0},
    {"SEG-22 one bank", one_bank, R(NONE), 0},
    {"SEG-22 most banks", most_banks, R(NONE), 0},
    {"SEG-22 more banks", more_banks, R(BANKS), 0},
    {"SEG-22 ends descend", banks_back, R(BANKS), 0},
    {"SEG-22 ends past the segment", banks_past, R(BANKS), 0},
    {"SEG-22 no bank", no_bank, R(BANKS), 0},
    {"SEG-22 no table", no_bank_table, R(BANKS), 0},
    {"SEG-22 banks without UseBanking", banks_unasked, R(BANKS), 0},
    {"SEG-20 last page", overlap_last_page, R(OVERLAP), 1},
    {"SEG-20 inside", overlap_inside, R(OVERLAP), 2},
    {"SEG-20 same", overlap_same, R(OVERLAP), 1},
    {"SEG-10 memory segment", paging_in_memory, R(PAGING_SEGMENT), 0},
    {"SEG-10 no segment", paging_nowhere, R(PAGING_SEGMENT), 0},
    {"paging buffer of no bytes", paging_empty, R(PAGING_SIZE), 0},
    {"CAP-01 24 bits", slot_past_field, R(SLOTS), 0},
    {"CAP-01 table", slot_past_table, R(SLOTS), 0},
    {"CAP-02 PreemptionAware", preemption_alone, R(SCHEDULING_CAPS), 0},
    {"CAP-02 CancelCommandAware", cancel_alone, R(SCHEDULING_CAPS), 0},
    {"CAP-02 NoDmaPatching, no PreemptionAware", no_patching_alone, R(SCHEDULING_CAPS), 0},
    {"CAP-02 NoDmaPatching, no MultiEngineAware", no_patching_no_engines, R(SCHEDULING_CAPS), 0},
    {"CAP-02 all", all_caps, R(NONE), 0},
    {"CAP-05 no such node", paging_node, R(PAGING_NODE), 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ------------------------------------------------------------------ the pure check */

/* What our driver says with 4 + 8 pages of memory and an aperture of 16. */
static void make_sound(void)
{
    segment[0] = (struct ddi_segment_descriptor){.base_address = 0x10000000, .size = 0x4000, .commit_limit = 0x4000};
    segment[1] = (struct ddi_segment_descriptor){.base_address = 0x20000000, .size = 0x8000, .commit_limit = 0x8000};
    segment[2] = (struct ddi_segment_descriptor){.flags = DDI_SEGMENT_APERTURE | DDI_SEGMENT_CACHE_COHERENT,
                                                 .base_address = 0x30000000,
                                                 .size = 0x10000,
                                                 .commit_limit = 0x10000};
    out = (struct ddi_query_segment_out){.nb_segment = 3, .descriptor = segment, .paging_buffer_size = 2048};
    caps = (struct ddi_driver_caps){.wddm_version = DDI_WDDM_1_2,
                                    .highest_acceptable_address = 0x7fffff,
                                    .max_allocation_list_slot_id = SLOT_LIMIT - 1,
                                    .aperture_segment_commit_limit = UINT32_MAX,
                                    .scheduling_caps = DDI_CAP_MULTI_ENGINE_AWARE,
                                    .nodes = 2,
                                    .paging_node = 1};
}

static void check_is(const struct ddi_query_segment_in *in, enum segment_rule rule, uint32_t at)
{
    struct segment_fault fault;
    CHECK_EQUAL(segment_description_check(in, &out, &caps, &limits, &fault), rule == SEGMENT_RULE_NONE);
    CHECK_EQUAL(fault.rule, rule);
    CHECK_EQUAL(fault.segment, at);
}

static void test_rules(void)
{
    const struct ddi_query_segment_in no_agp = {0, 0, 0};
    bool is_broken[SEGMENT_RULE_COUNT_OF] = {false};
    for (uint32_t i = 0; i < ROWS; i++) {
        printf("rule: %s\n", rows[i].name);
        rows_say(rows[i].name, "begun", 0);
        make_sound();
        rows[i].spoil();
        check_is(&no_agp, rows[i].rule, rows[i].segment);
        rows_say(rows[i].name, "pass", 1);
        is_broken[rows[i].rule] = true;
    }
    /* Every rule is broken above, but the one that needs AGP information. */
    for (uint32_t rule = 0; rule < SEGMENT_RULE_COUNT_OF; rule++)
        CHECK(is_broken[rule] || rule == SEGMENT_RULE_AGP_ONCE);
}

/* With a GART driver one AGP segment is legal, base and size whatever they are (SEG-06); two are not (SEG-13). */
static void test_agp(void)
{
    CASE("SEG-06, SEG-13");
    const struct ddi_query_segment_in with_agp = {0x40000000, 1u << 20, 0};
    make_sound();
    agp();
    segment[2].base_address = segment[0].base_address;
    segment[2].size = 77;
    check_is(&with_agp, SEGMENT_RULE_NONE, 0);
    two_agp();
    check_is(&with_agp, SEGMENT_RULE_AGP_ONCE, 2);
    make_sound();
    agp_and_aperture();
    check_is(&with_agp, SEGMENT_RULE_AGP_ALONE, 2);
}

/* Segments that touch do not overlap; an aperture may be the paging buffers' segment (SEG-10). */
static void test_legal(void)
{
    CASE("SEG-10");
    const struct ddi_query_segment_in no_agp = {0, 0, 0};
    make_sound();
    neighbours();
    out.paging_buffer_segment_id = 3;
    segment[2].commit_limit = 0;
    check_is(&no_agp, SEGMENT_RULE_NONE, 0);
    segment[1].base_address = 0u - segment[1].size; /* up to the last byte */
    check_is(&no_agp, SEGMENT_RULE_NONE, 0);
}

/* ------------------------------------------------------------------ the same under the firmware */

static struct second_driver second;
static struct ddi spoiled;
static void (*spoil)(void);

static enum ddi_status spoiled_query(void *adapter, enum ddi_query_type type, const struct ddi_query_segment_in *in,
                                     struct ddi_query_segment_out *result)
{
    enum ddi_status status = second.ddi.query_adapter_info(adapter, type, in, result);
    make_sound(); /* capabilities of no interest here, and a place for the first call's answer */
    out = *result;
    if (result->descriptor == NULL) out.descriptor = segment;
    else memcpy(segment, result->descriptor, SEGMENTS * sizeof segment[0]);
    spoil();
    if (result->descriptor != NULL) memcpy(result->descriptor, segment, SEGMENTS * sizeof segment[0]);
    result->nb_segment = out.nb_segment;
    result->paging_buffer_segment_id = out.paging_buffer_segment_id;
    result->paging_buffer_size = out.paging_buffer_size;
    result->paging_buffer_private_data_size = out.paging_buffer_private_data_size;
    return status;
}

static void spoiled_caps(void *adapter, struct ddi_driver_caps *result)
{
    second.ddi.query_driver_caps(adapter, result);
    caps = *result;
    spoil();
    *result = caps;
}

static void use_spoiled(void (*how)(void))
{
    second_driver_init(&second, 1);
    spoil = how;
    spoiled = second.ddi;
    spoiled.query_adapter_info = spoiled_query;
    spoiled.query_driver_caps = spoiled_caps;
    gpu_options.ddi = &spoiled;
}

/* Boots on what `how` has made of the description, and says how it ended: HOST.BOOT_STATUS. */
static uint32_t boot_on(void (*how)(void), enum segment_rule rule)
{
    char error[256];
    struct transport transport;
    const struct device_options options = {.memory_bytes = 8u << 20,
                                           .segment1_bytes = 4 * CLIENT_PAGE,
                                           .segment2_bytes = 8 * CLIENT_PAGE,
                                           .aperture_pages = 16,
                                           .gpu = &gpu_options};
    use_spoiled(how);
    struct device *device = device_create(&options, error);
    device_transport(device, &transport);
    transport.register_write(device, HOST_ABI_HOST_OFFSET, device_register(device, HOST_ABI_OFFSET));
    transport.register_write(device, HOST_SUBMIT_SIZE_OFFSET, 4);
    transport.register_write(device, HOST_COMPLETE_SIZE_OFFSET, 4);
    transport.register_write(device, HOST_COMPLETE_BASE_OFFSET, 4096);
    transport.register_write(device, HOST_SYSTEM_PAGES_OFFSET, 2048);
    transport.register_write(device, HOST_CONTROL_OFFSET, 1);
    transport.wait(device, 10000);
    CHECK_EQUAL(device_gpu(device)->fault.rule, rule);
    const uint32_t status = device_register(device, HOST_BOOT_STATUS_OFFSET);
    device_destroy(device);
    gpu_options.ddi = NULL;
    return status;
}

static const uint32_t refused_boot = 0x80000000u + (uint32_t)STATUS_BAD_SEGMENT_SET;

static void test_boot(void)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        printf("boot: %s\n", rows[i].name);
        CHECK_EQUAL(boot_on(rows[i].spoil, rows[i].rule), rows[i].rule == SEGMENT_RULE_NONE ? 1u : refused_boot);
    }
}

/* Legal, but not what this manager can serve: it does not boot either. */
static void cpu_visible(void) { segment[0].flags |= DDI_SEGMENT_CPU_VISIBLE; }
static void pages_of_aperture(uint32_t pages)
{
    segment[2].base_address = 0x40000000u;
    segment[2].size = segment[2].commit_limit = pages * 4096u;
}
static void largest(void) { pages_of_aperture(UINT16_MAX); }
static void too_large(void) { pages_of_aperture(UINT16_MAX + 1); }
static void paging_in_aperture(void) { out.paging_buffer_segment_id = 3; }
static void paging_on_render(void) { caps.paging_node = NODE_RENDER; }
static void fewer_slots(void) { caps.max_allocation_list_slot_id = SLOT_LIMIT - 2; }
static void whole_transfers(void) { caps.max_transfer_bytes = 8192; }
static void odd_transfers(void) { caps.max_transfer_bytes = 8192 + 4; }
static void private_data(uint32_t bytes) { out.paging_buffer_private_data_size = bytes; }
static void most_private(void) { private_data(PAGING_PRIVATE_BYTES); }
static void more_private(void) { private_data(PAGING_PRIVATE_BYTES + 1); }

static void test_unmanageable(void)
{
    static const struct {
        void (*spoil)(void);
        bool boots;
    } legal[] = {{cpu_visible, false},   {largest, true},          {too_large, false},    {paging_in_aperture, false},
                 {fewer_slots, false},   {most_private, true},     {more_private, false}, {whole_transfers, true},
                 {odd_transfers, false}, {paging_on_render, false}};
    for (uint32_t i = 0; i < sizeof legal / sizeof legal[0]; i++) {
        printf("legal %lu\n", (unsigned long)i);
        CHECK_EQUAL(boot_on(legal[i].spoil, SEGMENT_RULE_NONE), legal[i].boots ? 1u : refused_boot);
    }
}

/* ------------------------------------------------------------------ totals and limits */

/* SEG-27, the published formulas on figures worked out by hand, MiB. */
static void test_totals(void)
{
    CASE("SEG-27");
    static const struct {
        uint32_t system, populated, committed, cap;
        uint32_t available, dedicated_system, shared, total;
    } figures[] = {
        /* half of 1 GiB; the aperture's limit binds */
        {1024, 0, 256, 4095, 512, 0, 256, 256 + 128},
        /* the documents' example: 1 GiB of aperture under a global limit of 256 MiB */
        {2048, 0, 1024, 256, 1024, 0, 256, 256 + 128},
        /* at least 64 MiB; system memory left over binds */
        {32, 16, 512, 4095, 64, 16, 48, 48 + 16 + 128},
        /* dedicated system memory cannot exceed what is available: nothing left to share */
        {100, 96, 512, 4095, 64, 64, 0, 64 + 128},
        {200, 96, 512, 4095, 100, 96, 4, 4 + 96 + 128},
        {1024, 0, 0, 4095, 512, 0, 0, 128},
    };
    for (uint32_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        make_sound();
        segment[0].size = 128u << 20;
        segment[SEGMENTS].size = 1u << 30; /* after the last */
        segment[1].size = figures[i].populated << 20;
        segment[1].flags = DDI_SEGMENT_POPULATED;
        segment[2].commit_limit = figures[i].committed << 20;
        caps.aperture_segment_commit_limit = figures[i].cap << 20;
        struct memory_totals totals = segment_description_totals(&out, &caps, (uint64_t)figures[i].system << 20);
        CHECK_EQUAL(totals.available_system_memory >> 20, figures[i].available);
        CHECK_EQUAL(totals.dedicated_video_memory >> 20, 128);
        CHECK_EQUAL(totals.dedicated_system_memory >> 20, figures[i].dedicated_system);
        CHECK_EQUAL(totals.shared_system_memory >> 20, figures[i].shared);
        CHECK_EQUAL(totals.total_video_memory >> 20, figures[i].total);
    }
    /* Sums beyond 32 bits, and both apertures counted. */
    make_sound();
    segment[1].flags = segment[2].flags = DDI_SEGMENT_APERTURE;
    segment[0].size = segment[1].commit_limit = segment[2].commit_limit = 0xfffff000u;
    caps.aperture_segment_commit_limit = 0xffffffffu;
    struct memory_totals totals = segment_description_totals(&out, &caps, 1ull << 40);
    CHECK(totals.shared_system_memory == 0xffffffffu);
    CHECK(totals.total_video_memory == 0xfffff000ull + 0xffffffffull);
}

static void small_segment_limit(void) { segment[2].commit_limit = 5 * CLIENT_PAGE; }
static void small_global_limit(void) { caps.aperture_segment_commit_limit = 3 * CLIENT_PAGE + 100; }
static void both_limits(void)
{
    small_segment_limit();
    small_global_limit();
}
static void large_limit(void) { segment[2].commit_limit = 64 * CLIENT_PAGE; } /* more than the range */

/* SEG-16, SEG-17: more than the limit may be allocated; never more is mapped, counted in the engine's own table. */
static void test_commit_limits(void)
{
    CASE("SEG-16, SEG-17");
    static const struct {
        void (*spoil)(void);
        uint32_t pages;
    } figures[] = {
        {nothing, 16}, {small_segment_limit, 5}, {small_global_limit, 3}, {both_limits, 3}, {large_limit, 16},
    };
    struct client_allocation a[24];
    for (uint32_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        uint32_t most = 0;
        printf("commit limit %u\n", figures[i].pages);
        use_spoiled(figures[i].spoil);
        open_with(4, 4, 0, 0);
        gpu_options.ddi = NULL;
        struct engine_model *engine = device_engine(client.device);
        for (uint32_t k = 0; k < 24; k++) CHECK_EQUAL(client_create(&client, &a[k], 1, SET_APERTURE, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        for (uint32_t k = 0; k < 48; k++) {
            CHECK_EQUAL(use(context, &a[k % 24]), STATUS_OK);
            uint32_t mapped = 0;
            for (uint32_t page = 0; page < 16; page++)
                mapped += FIELD_GET(engine->aperture[page], APERTURE_ENTRY_MAPPED);
            CHECK(mapped <= figures[i].pages);
            if (mapped > most) most = mapped;
        }
        CHECK_EQUAL(most, figures[i].pages); /* and the limit is used */
        struct client_allocation large;
        CHECK_EQUAL(client_create(&client, &large, figures[i].pages + 1, SET_APERTURE, NULL), STATUS_NO_SEGMENT);
        close_checked();
    }
}

int main(void)
{
    CHECK_RUN(test_rules);
    CHECK_RUN(test_agp);
    CHECK_RUN(test_legal);
    CHECK_RUN(test_boot);
    CHECK_RUN(test_unmanageable);
    CHECK_RUN(test_totals);
    CHECK_RUN(test_commit_limits);
    return check_finish();
}
