/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a replay around which something fails says in one line what, gives back all it took, and never says that all
 * went well. Method: a small replay on the golden model, again and again: each place that asks for memory is refused it
 * once, each verb of the link fails (fewer and fewer of them), files are on a full disk or nowhere, and the device
 * lacks what a workload wants. The sanitizers look for what is lost or used after.
 */
#include "families.h"
#include "gpu_spec.h"
#include "refused.h"
#include "replay_rig.h"

enum { TURNS = 2 };

/* ------------------------------------------------------------------ a link that fails */

static struct transport inner;
static unsigned verbs, bad_verb;
static uint32_t faked, faked_value; /* a register that reads this */

static bool is_lost(void) { return ++verbs == bad_verb; }
static int read_register(void *context, uint32_t offset, uint32_t *value)
{
    int result = is_lost() ? TRANSPORT_IO : inner.register_read(context, offset, value);
    if (offset == faked && result == TRANSPORT_OK) *value = faked_value;
    return result;
}
static int write_register(void *context, uint32_t offset, uint32_t value)
{
    return is_lost() ? TRANSPORT_IO : inner.register_write(context, offset, value);
}
static int read_memory(void *context, uint32_t address, void *data, size_t bytes)
{
    return is_lost() ? TRANSPORT_IO : inner.memory_read(context, address, data, bytes);
}
static int write_memory(void *context, uint32_t address, const void *data, size_t bytes)
{
    return is_lost() ? TRANSPORT_IO : inner.memory_write(context, address, data, bytes);
}
static int wait_for(void *context, uint32_t cycles) { return is_lost() ? TRANSPORT_IO : inner.wait(context, cycles); }

static int open_fragile(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    int result = replay_open_model(transport, options, message);
    inner = *transport;
    transport->register_read = read_register;
    transport->register_write = write_register;
    transport->memory_read = read_memory;
    transport->memory_write = write_memory;
    transport->wait = wait_for;
    return result;
}

/* The command wants one; here nothing asks for it. */
int replay_open_simulator(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    return replay_open_model(transport, options, message);
}

/* ------------------------------------------------------------------ replays */

static struct replay_result good;

/* Temporaries, a resident, two kinds of segments, a split. */
static const char workload[] =
    "{\"slots\":4,\"segments\":[{\"size\":24576},{\"size\":16384},{\"size\":32768,\"kind\":\"aperture\"}],\"allocs\":["
    "{\"size\":8192,\"init\":\"resident\"},{\"size\":8192,\"temp\":true},{\"size\":12288},{\"size\":4096,\"seg\":2},"
    "{\"size\":8192,\"init\":\"undef\",\"temp\":true},{\"size\":8192,\"seg\":1}],\"buffers\":[{\"len\":96,\"patches\":["
    "[0,0,0,0],[1,1,0,1],[0,2,32,1],[2,3,32,0]]},{\"len\":96,\"patches\":[[0,4,0,1],[1,2,0,0],[2,5,0,1],[0,0,32,1],"
    "[1,null,64,0]],\"times\":[3,2,1]},{\"len\":64,\"patches\":[[0,2,0,1],[1,0,32,0]]}]}";

static struct replay_options fragile(void)
{
    struct replay_options options = usual_options();
    options.open = open_fragile;
    verbs = bad_verb = 0;
    faked = UINT32_MAX;
    return options;
}

/* It went wrong and says so in a line; or well, as without. */
static void judge(const struct replay_options *options, const char *what, unsigned number)
{
    struct replay_result result;
    char message[PAGESIM_MESSAGE] = "";
    if (!replay_run(options, &result, message)) {
        if (message[0] == 0 || strchr(message, '\n') != NULL) fail_msg("%s %u: '%s'", what, number, message);
    } else if (message[0] != 0 || result.portions != good.portions || result.checked_pages != good.checked_pages ||
               result.jobs != good.jobs) {
        fail_msg("%s %u: it is said to be good, and is not the same: %s", what, number, message);
    } else { /* a bound that no memory was found for is none: 0, or what else is known */
        assert_true(result.portions_minimum == good.portions_minimum || result.portions_minimum == 0);
        assert_true(result.loads_minimum == good.loads_minimum || result.loads_minimum == 0);
        assert_true(result.traffic_minimum == good.traffic_minimum || result.traffic_minimum == result.loads_minimum ||
                    result.traffic_minimum == good.loads_minimum);
    }
    free(result.buffer);
}

static void test_memory(void **state)
{
    struct replay_options options = fragile();
    unsigned refused = 0;
    (void)state;
    for (unsigned call = 1; call <= TURNS; call++)
        for (unsigned site = 1; site <= refused_site_count; site++) {
            refused_begin(site, call);
            judge(&options, "memory", site);
            refused += refused_calls[site - 1] >= call;
        }
    printf("%u places ask for memory, %u were refused it\n", refused_site_count, refused);
    assert_true(refused > 40);
    refused_begin(0, 0);
}

static void test_link(void **state)
{
    struct replay_options options = fragile();
    struct replay_result result;
    char message[PAGESIM_MESSAGE];
    (void)state;
    assert_true(replay_run(&options, &result, message));
    free(result.buffer);
    const unsigned all = verbs;
    for (unsigned n = 1; n <= all; n += 1 + n / 3) {
        options = fragile();
        bad_verb = n;
        assert_false(replay_run(&options, &result, message));
        assert_true(message[0] != 0 && strchr(message, '\n') == NULL);
        free(result.buffer);
    }
    printf("%u verbs\n", all);
}

static void test_files(void **state)
{
    static const char *const nowhere[] = {"/dev/full", "build/replay/no-such-folder/x"};
    (void)state;
    for (unsigned file = 0; file < 3; file++)
        for (unsigned i = 0; i < 2; i++) {
            struct replay_options options = fragile();
            struct replay_result result;
            char message[PAGESIM_MESSAGE];
            const char **path = file == 0 ? &options.schedule : file == 1 ? &options.workload : &options.submitted;
            *path = nowhere[i];
            assert_false(replay_run(&options, &result, message));
            assert_false(result.has_run); /* exit status 2 */
            assert_non_null(strstr(message, nowhere[i]));
            assert_null(strchr(message, '\n'));
            free(result.buffer);
        }
    struct replay_options options = fragile();
    char message[PAGESIM_MESSAGE] = "";
    for (unsigned i = 0; i < 2; i++) assert_false(replay_write_report(&options, &good, true, "", nowhere[i], message));
}

/* Segments that the device has not, or not so large: which one is said, and the --scale that fits, if any does. */
static void test_absent(void **state)
{
    static const struct {
        uint32_t absent;
        const char *message;
    } cases[] = {{MEMORY_SEGMENT1_BYTES_OFFSET, "segments[1].size: 4 pages, segment 1 of this device has 0"},
                 {MEMORY_SEGMENT2_BYTES_OFFSET, "segments[0].size: 6 pages, segment 2 of this device has 0"},
                 {APERTURE_PAGES_OFFSET, "segments[2].size: 8 pages, segment 3 of this device has 0"}};
    struct replay_result result;
    char message[PAGESIM_MESSAGE], text[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct replay_options options = fragile();
        faked = cases[i].absent, faked_value = 0;
        assert_false(replay_run(&options, &result, message));
        if (strstr(message, cases[i].message) == NULL || strstr(message, "--scale") != NULL) fail_msg("%s", message);
        free(result.buffer);
    }
    /* However large a device says that its segments are: no more than the guard's table has places for is used. */
    static const uint32_t registers[] = {MEMORY_SEGMENT1_BYTES_OFFSET, MEMORY_SEGMENT2_BYTES_OFFSET,
                                         APERTURE_PAGES_OFFSET};
    for (uint32_t i = 0; i < 3; i++) {
        struct replay_options options = fragile();
        const uint32_t bytes = (LIMIT_BITS_GUARD_SPACE_PAGES + 1) * 4096;
        faked = registers[i], faked_value = 0x7fff0000;
        snprintf(text, sizeof text, "{\"slots\":1,\"segments\":[{\"size\":%u%s}%s],\"allocs\":[],\"buffers\":[]}",
                 bytes, i == 2 ? ",\"kind\":\"aperture\"" : "", i == 0 ? ",{\"size\":999999999}" : "");
        write_file(workload_path, text);
        assert_false(replay_run(&options, &result, message));
        snprintf(text, sizeof text, "segment %u of this device has %d", i + 1, LIMIT_BITS_GUARD_SPACE_PAGES);
        if (strstr(message, text) == NULL) fail_msg("%s", message);
        free(result.buffer);
    }
    struct replay_options options = fragile();
    for (uint32_t pages = 64; pages <= 129; pages += pages == 65 ? 63 : 1) { /* segment 1 has 64 */
        snprintf(text, sizeof text,
                 "{\"slots\":1,\"segments\":[{\"size\":%u},{\"size\":4194304}],\"allocs\":[],\"buffers\":[]}",
                 pages * 4096);
        write_file(workload_path, text);
        bool is_good = replay_run(&options, &result, message);
        snprintf(text, sizeof text, "use --scale %u or more", (pages + 63) / 64);
        if (is_good != (pages == 64) || (!is_good && strstr(message, text) == NULL)) fail_msg("%u: %s", pages, message);
        free(result.buffer);
    }
    write_file(workload_path, workload);
}

static int setup(void **state)
{
    struct replay_options options = fragile();
    char message[PAGESIM_MESSAGE];
    (void)state;
    write_file(workload_path, workload);
    if (!replay_run(&options, &good, message)) fail_msg("%s", message);
    free(good.buffer);
    good.buffer = NULL;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_absent),
    };
    int failed = cmocka_run_group_tests(tests, setup, NULL), count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
