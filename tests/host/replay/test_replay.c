/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a replayed workload leaves the right bytes, and what the device did is a legal schedule; and neither
 * judge can be fooled. Method: the six families and random workloads on the golden model, in several modes;
 * every schedule is given to the independent checker. Then devices that spoil a byte and schedules with one
 * entry changed, all of which must be noticed.
 */
#include <unistd.h>

#include <json-c/json.h>

#include "../../rows.h"
#include "families.h"
#include "gpu_spec.h"
#include "replay_rig.h"
#include "lib/tessera_internal.h"

/* ------------------------------------------------------------------ devices */

static int (*true_memory_read)(void *, uint32_t, void *, size_t);
static uint32_t reads_until_spoil;

int __real_replay_open_model(struct transport *transport, const struct replay_machine_options *options,
                             char message[256]);

/* The n-th page that is read back arrives with one bit changed. */
static int spoiled_read(void *context, uint32_t address, void *data, size_t bytes)
{
    int result = true_memory_read(context, address, data, bytes);
    if (bytes == ORACLE_PAGE_BYTES && reads_until_spoil > 0 && --reads_until_spoil == 0)
        ((uint8_t *)data)[address / 4096u % 4096u] ^= 0x10;
    return result;
}

static int open_spoiled(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    int result = __real_replay_open_model(transport, options, message);
    true_memory_read = transport->memory_read;
    transport->memory_read = spoiled_read;
    return result;
}

/* The command wants one; the simulator itself has a test of its own (replay.mk). */
int replay_open_simulator(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    return replay_open_model(transport, options, message);
}

/* The model that the command opens, spoiled if the test has said so. */
static bool is_spoiled;
int __wrap_replay_open_model(struct transport *transport, const struct replay_machine_options *options,
                             char message[256]);
int __wrap_replay_open_model(struct transport *transport, const struct replay_machine_options *options,
                             char message[256])
{
    return is_spoiled ? open_spoiled(transport, options, message)
                      : __real_replay_open_model(transport, options, message);
}

/* ------------------------------------------------------------------ replays */

/* SPL-08 to SPL-13, SPL-17, SPL-22, SPL-23, SPL-24, SPL-26: the families; what firmware and tracker count must agree;
 * nothing clean is copied out. */
static void test_families(void **state)
{
    rows_begin("SPL-08, SPL-09, SPL-10, SPL-11, SPL-12, SPL-13, SPL-17, SPL-22, SPL-23, SPL-24, SPL-26");
    (void)state;
    for (int family = 0; family < FAMILY_COUNT; family++) {
        for (uint32_t seed = 1; seed <= 2; seed++) {
            char *text = family_text((enum family)family, seed, 4);
            struct replay_options options = usual_options();
            options.seed = seed;
            struct replay_result result = replay(text, &options, family_names[family]);
            assert_int_equal(result.failed_steps, 0);
            assert_int_equal(result.unread, 0);
            assert_int_equal(result.paging.clean_out, 0);
            assert_true(result.paging.pages[TRACK_IN] >= result.loads_minimum);
            assert_true(result.paging.pages[TRACK_IN] + result.paging.pages[TRACK_OUT] >= result.traffic_minimum);
            assert_int_equal(result.statistics[STAT_PORTIONS], result.portions);
            assert_int_equal(result.statistics[STAT_PAGES_IN], result.paging.pages[TRACK_IN]);
            assert_int_equal(result.statistics[STAT_PAGES_OUT], result.paging.pages[TRACK_OUT]);
            assert_int_equal(result.statistics[STAT_PAGES_FILLED], result.paging.pages[TRACK_FILL]);
            assert_int_equal(result.statistics[STAT_CLEAN_WRITEBACKS], 0);
            free(text);
        }
    }
    rows_check();
    rows_end(true);
}

/* The same content whatever is forced: every split point taken (SPL-28), everything evicted before each buffer,
 * always patched, binding state clobbered between portions (SPL-18), one buffer at a time, both policies. */
static void test_modes(void **state)
{
    rows_begin("SPL-18, SPL-28");
    const uint32_t forces[] = {FIELD_PUT(1, HOST_FORCE_SPLIT), FIELD_PUT(1, HOST_FORCE_EVICT),
                               FIELD_PUT(1, HOST_FORCE_ALWAYS_REPATCH) | FIELD_PUT(1, HOST_FORCE_CLOBBER),
                               FIELD_PUT(1, HOST_FORCE_SPLIT) | FIELD_PUT(1, HOST_FORCE_EVICT),
                               FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY)};
    (void)state;
    for (uint32_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        enum family family = (enum family)(i % FAMILY_COUNT);
        char *text = family_text(family, 7 + i, 3);
        struct replay_options options = usual_options();
        options.force = forces[i];
        options.ahead = 1 + i;
        options.seed = i; /* 0: firmware and nodes strictly in turns */
        struct replay_result result = replay(text, &options, family_names[family]);
        assert_int_equal(result.failed_steps, 0);
        if (FIELD_GET(forces[i], HOST_FORCE_SPLIT)) assert_int_equal(result.portions, result.steps);
        free(text);
    }
    rows_check();
    rows_end(true);
}

static void test_scale_and_limit(void **state)
{
    char *text = family_text(FAMILY_MIXED, 3, 4);
    struct replay_options options = usual_options();
    (void)state;
    options.scale = 3;
    options.limit = 2;
    struct replay_result result = replay(text, &options, "scaled");
    assert_int_equal(result.buffers, 2);
    assert_int_equal(result.scale, 3);
    free(text);
}

/* Apertures, two memory segments, temporaries, residents, slots sharing an allocation. Segments of a few pages full
 * of sticky allocations sometimes have no placement; the content must be right even then. */
static void test_random(void **state)
{
    const uint32_t split = FIELD_PUT(1, HOST_FORCE_SPLIT),
                   moved = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY) | FIELD_PUT(1, HOST_FORCE_MOVE_BOUND);
    const uint32_t forces[] = {split, 0, moved, moved | split};
    uint32_t failed = 0, mapped = 0, splits = 0, count = 60, rebound = 0;
    (void)state;
    for (uint32_t seed = 1; seed <= count; seed++) {
        char *text = random_text(seed), what[32];
        struct replay_options options = usual_options();
        options.seed = seed;
        options.ahead = 1 + seed % 3u;
        options.force = forces[seed % 4u];
        sprintf(what, "random %u", seed);
        struct replay_result result = replay(text, &options, what);
        rebound += result.statistics[STAT_BOUND_ANEW];
        failed += result.failed_steps != 0;
        mapped += result.paging.pages[TRACK_MAP] != 0;
        splits += result.portions > result.buffers;
        free(text);
    }
    printf("%u of %u random workloads had a step without placement, %u used the aperture, %u were split\n", failed,
           count, mapped, splits);
    assert_true(failed < count / 4u);
    assert_true(mapped > count / 6u && splits > count / 4u && rebound > count / 2u);
}

/* A buffer with more patch locations than the device takes is replayed as several submissions. */
static void test_long_buffer(void **state)
{
    char *text = malloc(1 << 16);
    size_t length;
    (void)state;
    assert_non_null(text);
    length = (size_t)sprintf(text,
                             "{\"slots\":3,\"segments\":[{\"size\":16384}],\"allocs\":[{\"size\":4096},{\"size\":8192},"
                             "{\"size\":8192},{\"size\":4096}],\"buffers\":[{\"len\":100000,\"patches\":[");
    for (unsigned i = 0; i < 1200; i++)
        length += (size_t)sprintf(text + length, "%s[%u,%u,%u,%u]", i > 0 ? "," : "", i % 2u, i / 2u % 2u * 2u + i % 2u,
                                  i * 8u, i % 3u == 0);
    sprintf(text + length, "]}]}");
    struct replay_options options = usual_options();
    struct replay_result result = replay(text, &options, "long");
    assert_true(result.jobs >= 2);
    free(text);
}

/* Buffers whose temporaries, twice what memory holds, each live for two steps: destroyed after their buffer, hardly
 * any is copied out when the firmware looks ahead. In the last one they live on. */
static void test_temporaries(void **state)
{
    enum { BUFFERS = 8, CHAIN = 9, PAGES = 4 };
    char *text = malloc(1 << 16);
    uint64_t out[3];
    (void)state;
    assert_non_null(text);
    const unsigned bytes = (4 * PAGES + 1) * 4096u;
    size_t length = (size_t)sprintf(text, "{\"slots\":2,\"segments\":[{\"size\":%u}],\"allocs\":[", bytes);
    for (unsigned i = 0; i < BUFFERS * CHAIN; i++)
        length += (size_t)sprintf(text + length, "%s{\"size\":%u,\"init\":\"undef\",\"temp\":true}", i > 0 ? "," : "",
                                  4096u * PAGES);
    length += (size_t)sprintf(text + length, "],\"buffers\":[");
    for (unsigned b = 0; b < BUFFERS; b++) {
        length += (size_t)sprintf(text + length, "%s{\"len\":%u,\"patches\":[", b > 0 ? "," : "", CHAIN * 64u);
        for (unsigned i = 0; i < CHAIN; i++)
            length +=
                (size_t)sprintf(text + length, "%s[%u,%u,%u,1]", i > 0 ? "," : "", i % 2u, b * CHAIN + i, i * 64u);
        length += (size_t)sprintf(text + length, "]}");
    }
    sprintf(text + length, "]}");
    for (uint32_t ahead = 0; ahead < 3; ahead++) {
        struct replay_options options = usual_options();
        options.force = FIELD_PUT(ahead == 0 ? POLICY_LITERAL : POLICY_LOOKAHEAD, HOST_FORCE_POLICY);
        options.ahead = 1 + ahead;
        struct replay_result result = replay(text, &options, "temporaries");
        assert_int_equal(result.failed_steps, 0);
        assert_int_equal(result.paging.pages[TRACK_IN], 0); /* none is ever needed again */
        out[ahead] = result.paging.pages[TRACK_OUT];
    }
    printf("out: literal %u pages, looking ahead %u, with more queued %u\n", (unsigned)out[0], (unsigned)out[1],
           (unsigned)out[2]);
    assert_true(out[0] >= BUFFERS * (CHAIN - 4) * PAGES);
    /* Those of the last buffer, of which one stays; with more queued two of earlier buffers besides. */
    assert_true(out[1] <= (CHAIN - 2) * PAGES + BUFFERS * PAGES && out[2] <= CHAIN * PAGES);
    free(text);
}

/* Files that are legal and odd. */
static void test_corners(void **state)
{
    static const struct {
        const char *what, *text;
        uint32_t portions;
    } cases[] = {
        {"no buffers", "{\"slots\":1,\"segments\":[{\"size\":4096}],\"allocs\":[{\"size\":1}],\"buffers\":[]}", 0},
        {"nothing at all",
         "{\"slots\":1,\"segments\":[{\"size\":4096}],\"allocs\":[],\"buffers\":[{\"len\":0,\"patches\":[]}]}", 0},
        {"only unbinds",
         "{\"slots\":1,\"segments\":[{\"size\":4096}],\"allocs\":[],\"buffers\":[{\"len\":8,\"patches\":["
         "[0,null,0,0],[0,null,4,0]]}]}",
         1},
        {"all slots, so no collector",
         "{\"slots\":64,\"segments\":[{\"size\":12288}],\"allocs\":[{\"size\":4096},{\"size\":8192},"
         "{\"size\":4096}],\"buffers\":[{\"len\":64,\"patches\":[[63,0,0,0],[0,1,8,1],[63,2,16,0]]}]}",
         2},
        {"only an aperture",
         "{\"slots\":2,\"segments\":[{\"size\":12288,\"kind\":\"aperture\"}],\"allocs\":[{\"size\":4096},"
         "{\"size\":8192,\"init\":\"undef\"},{\"size\":8192}],\"buffers\":[{\"len\":64,\"patches\":[[0,0,0,1],[1,1,8,1]"
         ","
         "[1,2,16,0]]}]}",
         2},
        {"alignment",
         "{\"slots\":2,\"segments\":[{\"size\":262144}],\"allocs\":[{\"size\":4096},{\"size\":4096,\"align\":131072},"
         "{\"size\":131072,\"align\":131072}],\"buffers\":[{\"len\":64,\"patches\":[[0,1,0,1],[1,0,0,0],[0,2,8,1],[1,1,"
         "16,1]]}]}",
         1},
        {"one buffer after the other",
         "{\"slots\":1,\"segments\":[{\"size\":4096}],\"allocs\":[{\"size\":1,\"temp\":true},"
         "{\"size\":1,\"temp\":true,\"init\":\"undef\"},{\"size\":1,\"init\":\"resident\",\"temp\":true}],\"buffers\":["
         "{\"len\":8,\"patches\":[[0,2,0,1]]},{\"len\":8,\"patches\":[[0,0,4,0]]},{\"len\":0,\"patches\":[]},"
         "{\"len\":8,\"patches\":[[0,1,0,1]]}]}",
         3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct replay_options options = usual_options();
        struct replay_result result = replay(cases[i].text, &options, cases[i].what);
        if (result.failed_steps != 0 || result.portions < cases[i].portions)
            fail_msg("%s: %u portions, %u failed steps", cases[i].what, result.portions, result.failed_steps);
    }
}

/* Two allocations that fit by their bytes, but whose alignments leave no room for both: the step is counted, left
 * out, and what follows is right. */
static void test_impossible_step(void **state)
{
    static const char text[] =
        "{\"slots\":2,\"segments\":[{\"size\":262144}],\"allocs\":[{\"size\":4096,\"align\":131072},{\"size\":135168,"
        "\"align\":131072},{\"size\":8192}],\"buffers\":[{\"len\":64,\"patches\":[[0,0,0,1],[1,1,8,1],[0,2,16,1]]},"
        "{\"len\":64,\"patches\":[[0,0,0,0],[1,2,0,1]]}]}";
    struct replay_options options = usual_options();
    (void)state;
    struct replay_result result = replay(text, &options, "impossible");
    assert_int_equal(result.failed_steps, 1);
    assert_true(result.skipped_steps == 1 && result.reordered_buffers == 1); /* the second was under way */
    assert_true(result.checked_pages >= 36);
}

/* ------------------------------------------------------------------ judges that cannot be fooled */

/* One bit of one page read back, or of one page paged: the replay must not succeed. */
static void test_spoiled_content(void **state)
{
    char *text = family_text(FAMILY_PINGPONG, 1, 2), message[PAGESIM_MESSAGE];
    (void)state;
    write_file(workload_path, text);
    for (uint32_t n = 1; n <= 400; n += 133) {
        struct replay_options options = usual_options();
        struct replay_result result;
        options.open = open_spoiled;
        reads_until_spoil = n;
        assert_false(replay_run(&options, &result, message));
        assert_non_null(strstr(message, ", and not 0x"));
        free(result.buffer);
    }
    free(text);
}

static int64_t get(json_object *object, const char *field)
{
    json_object *value;
    assert_true(json_object_object_get_ex(object, field, &value));
    return json_object_get_int64(value);
}

static void set(json_object *object, const char *field, int64_t value)
{
    json_object_object_add(object, field, json_object_new_int64(value));
}

enum change {
    CHANGE_NO_WAIT_RUN,
    CHANGE_NO_WAIT_OP,
    CHANGE_PLACE,
    CHANGE_NO_OP,
    CHANGE_NO_RUN,
    CHANGE_BYTES,
    CHANGE_COUNT
};

/* Change one entry of a schedule so that it is not legal any more; false if the entry does not allow it. */
static bool change_schedule(json_object *root, enum change change, uint32_t pick)
{
    json_object *operations, *runs;
    assert_true(json_object_object_get_ex(root, "ops", &operations) && json_object_object_get_ex(root, "runs", &runs));
    size_t i = pick % json_object_array_length(operations), k = pick % json_object_array_length(runs);
    json_object *operation = json_object_array_get_idx(operations, i), *run = json_object_array_get_idx(runs, k), *kind;
    assert_true(json_object_object_get_ex(operation, "op", &kind));
    const char *name = json_object_get_string(kind);
    switch (change) {
    case CHANGE_NO_WAIT_RUN: /* no operation waits for anything: something is taken away under a run */
        for (size_t n = 0; n < json_object_array_length(operations); n++)
            set(json_object_array_get_idx(operations, n), "wait_run", -1);
        return true;
    case CHANGE_NO_WAIT_OP: /* no run waits: it would not find what it needs */
        for (size_t n = 0; n < json_object_array_length(runs); n++)
            set(json_object_array_get_idx(runs, n), "wait_op", -1);
        return true;
    case CHANGE_PLACE:
        if (strcmp(name, "in") != 0 && strcmp(name, "fill") != 0) return false;
        set(operation, "at", 100000);
        return true;
    case CHANGE_NO_OP: /* an arrival is missing: what needed it is not there, or what leaves later was not there */
        if (strcmp(name, "in") != 0 && strcmp(name, "fill") != 0) return false;
        json_object_array_del_idx(operations, i, 1);
        return true;
    case CHANGE_NO_RUN: json_object_array_del_idx(runs, k, 1); return true;
    case CHANGE_BYTES: set(run, "hi", get(run, "hi") + 8); return true;
    case CHANGE_COUNT:
    default: return false;
    }
}

static void test_changed_schedules(void **state)
{
    char *text = family_text(FAMILY_MIXED, 5, 3), message[PAGESIM_MESSAGE];
    struct replay_options options = usual_options();
    struct schedule_counts counts;
    uint32_t tried = 0;
    (void)state;
    (void)replay(text, &options, "to be changed");
    struct pagesim *workload = pagesim_read(replayed_path, message);
    char *schedule = read_file(schedule_path);
    for (uint32_t pick = 0; pick < 90; pick++) {
        json_object *root = json_tokener_parse(schedule);
        enum change change = (enum change)(pick % CHANGE_COUNT);
        if (change_schedule(root, change, pick * 7u)) {
            tried++;
            if (schedule_check(workload, json_object_to_json_string(root), 0, &counts, message))
                fail_msg("change %d at %u was accepted", (int)change, pick * 7u);
        }
        json_object_put(root);
    }
    assert_true(tried > 60);
    free(schedule);
    free(text);
    pagesim_free(workload);
}

/* Dirty content dropped, a sticky allocation moved, overlap, a load of nothing: small schedules by hand. */
static void test_illegal_schedules(void **state)
{
    static const char text[] =
        "{\"slots\":2,\"segments\":[{\"size\":12288}],\"allocs\":[{\"size\":4096},{\"size\":8192},"
        "{\"size\":4096,\"init\":\"undef\"}],\"buffers\":[{\"len\":64,\"patches\":[[0,0,0,1],[1,1,16,0],"
        "[1,2,32,1]]}]}";
#define RUNS(a, b, c) \
    "\"runs\":[{\"buffer\":0,\"lo\":0,\"hi\":16,\"wait_op\":" a "},{\"buffer\":0,\"lo\":16,\"hi\":32,\"wait_op\":" b \
    "}," \
    "{\"buffer\":0,\"lo\":32,\"hi\":64,\"wait_op\":" c "}]"
#define OP(op, a, at, wait) "{\"op\":\"" op "\",\"a\":" a ",\"at\":" at ",\"wait_run\":" wait "}"
    static const struct {
        const char *schedule, *message;
    } cases[] = {
        {"{\"ops\":[" OP("in", "0", "0", "-1") "," OP("in", "1", "1", "-1") "," OP("drop", "1", "0", "1") "," OP(
             "fill", "2", "1", "1") "]," RUNS("0", "1", "3") "}",
         NULL},
        {"{\"ops\":[" OP("in", "0", "0", "-1") "," OP("in", "1", "0", "-1") "]," RUNS("0", "1", "1") "}", "overlap"},
        {"{\"ops\":[" OP("in", "0", "0", "-1") "," OP("in", "1", "1", "-1") "," OP("drop", "1", "0", "1") "," OP(
             "in", "2", "1", "1") "]," RUNS("0", "1", "3") "}",
         "no valid content"},
        {"{\"ops\":[" OP("in", "0", "0", "-1") "," OP("drop", "0", "0", "0") "," OP("in", "1", "0", "0") "," OP(
             "in", "0", "2", "0") "]," RUNS("0", "3", "3") "}",
         "dirty"},
        {"{\"ops\":[" OP("in", "0", "0", "-1") "," OP("move", "0", "2", "0") "," OP("in", "1", "0",
                                                                                    "0") "]," RUNS("0", "2", "2") "}",
         "still bound and has moved"},
        {"{\"ops\":[" OP("in", "0", "0", "-1") "," OP("in", "1", "1", "-1") "," OP("drop", "1", "0", "0") "," OP(
             "fill", "2", "1", "0") "]," RUNS("0", "1", "3") "}",
         "races with run 1"},
        {"{\"ops\":[" OP("in", "0", "0", "-1") "," OP("fill", "1", "1", "-1") "]," RUNS("0", "1", "1") "}",
         "loses its content"},
        {"{\"ops\":[" OP("in", "0", "0", "2") "]," RUNS("0", "0", "0") "}", "wait for each other"},
    };
    /* A step that failed: beside what is bound there was no place, or there was; or more or fewer than are said. */
    static const struct {
        const char *schedule, *message;
        uint32_t failed_steps;
    } moved[] = {
#define MOVED(from, to, at) \
    "{\"ops\":[" OP("in", "0", from, "-1") "," OP("move", "0", to, "0") "," OP("in", "1", at, "0") "," OP( \
        "drop", "1", "0", "1") "," OP("fill", "2", at, "1") "]," RUNS("0", "2", "4") "}"
        {MOVED("1", "0", "1"), NULL, 1},
        {MOVED("1", "0", "1"), "still bound and has moved", 0},
        {MOVED("1", "0", "1"), "moved in 1 steps, not in 2", 2},
        {MOVED("0", "2", "0"), "there was a place", 1},
    };
    char message[PAGESIM_MESSAGE] = "";
    struct pagesim *workload = pagesim_parse(text, strlen(text), "text", message);
    (void)state;
    assert_non_null(workload);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct schedule_counts counts;
        bool is_legal = schedule_check(workload, cases[i].schedule, 0, &counts, message);
        if (is_legal != (cases[i].message == NULL) || (!is_legal && strstr(message, cases[i].message) == NULL))
            fail_msg("case %zu: %s", i, is_legal ? "accepted" : message);
    }
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        struct schedule_counts counts;
        bool is_legal = schedule_check(workload, moved[i].schedule, moved[i].failed_steps, &counts, message);
        if (is_legal != (moved[i].message == NULL) || (!is_legal && strstr(message, moved[i].message) == NULL))
            fail_msg("a failed step, case %zu: %s", i, is_legal ? "accepted" : message);
    }
    pagesim_free(workload);
}

/* ------------------------------------------------------------------ the command */

static void test_command(void **state)
{
    char *text = family_text(FAMILY_STREAMING, 1, 2);
    char file[64], report[64], *good[] = {"replay", file, "--model", "--limit", "1", "--report", report, NULL};
    char *unknown[] = {"replay", file, "--modle", NULL}, *many[] = {"replay", file, file, NULL},
         *none[] = {"replay", NULL};
    char *hardware[] = {"replay", file, "--split-pages", "9", NULL};
    char *number[] = {"replay", file, "--scale", "0", NULL}, *policy[] = {"replay", file, "--policy", "best", NULL};
    static const char *const fields[] = {"portions",         "portions_minimal", "traffic_pages",
                                         "dirty_writebacks", "clean_writebacks", "failed_steps",
                                         "cycles",           "decision_cycles",  "firmware_cycles"};
    (void)state;
    strcpy(file, workload_path);
    strcpy(report, report_path);
    write_file(workload_path, text);
    optind = 0;
    assert_int_equal(replay_command(7, good), 0);
    json_object *root = json_object_from_file(report_path), *value;
    assert_non_null(root);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!json_object_object_get_ex(root, fields[i], &value)) fail_msg("the report has no %s", fields[i]);
    assert_int_equal(get(root, "buffers"), 1);
    assert_int_equal(FIELD_GET(get(root, "force"), HOST_FORCE_POLICY), POLICY_LOOKAHEAD); /* as `tessera run` */
    json_object_put(root);
    optind = 0;
    assert_int_equal(replay_command(3, unknown), 2);
    optind = 0;
    assert_int_equal(replay_command(3, many), 2);
    optind = 0;
    assert_int_equal(replay_command(1, none), 2);
    optind = 0;
    assert_int_equal(replay_command(4, number), 2);
    optind = 0;
    assert_int_equal(replay_command(4, policy), 2);
    optind = 0;
    assert_int_equal(replay_command(4, hardware), 2);
    is_spoiled = true; /* one that went wrong: 1, and a report */
    reads_until_spoil = 1;
    optind = 0;
    assert_int_equal(replay_command(7, good), 1);
    is_spoiled = false;
    root = json_object_from_file(report_path);
    assert_non_null(root);
    json_object_put(root);
    write_file(workload_path, "{\"slots\": 1, ");
    optind = 0;
    assert_int_equal(replay_command(7, good), 2);
    assert_int_equal(unlink(workload_path), 0);
    optind = 0;
    assert_int_equal(replay_command(7, good), 2);
    write_file(workload_path, text);
    strcpy(report, "build/replay/no-such-folder/x");
    optind = 0;
    assert_int_equal(replay_command(7, good), 2);
    free(text);
}

/* Between two allocations that leave one stays bound, so what comes then fits by its bytes only. */
static const char fragmented[] =
    "{\"slots\":4,\"segments\":[{\"size\":24576}],\"allocs\":[{\"size\":8192},{\"size\":8192},{\"size\":8192},"
    "{\"size\":16384}],\"buffers\":[{\"len\":96,\"patches\":[[0,0,8,1],[1,1,8,1],[2,2,8,1],[0,null,40,0],"
    "[2,null,40,0],[3,3,40,0]],\"times\":[3,5]}]}";

/* Where what is bound stays, the step fails, is submitted again and runs. Against the workload that is a failed step
 * and no less; as submitted it is two buffers. */
static void test_fragmented(void **state)
{
    struct replay_options options = usual_options(); /* literal */
    struct schedule_counts counts;
    char message[PAGESIM_MESSAGE] = "";
    (void)state;
    struct replay_result result = replay(fragmented, &options, "fragmented");
    assert_int_equal(result.failed_steps, 1);
    assert_int_equal(result.skipped_steps, 0);
    struct pagesim *workload = pagesim_read(replayed_path, message), *submitted = pagesim_read(submitted_path, message);
    assert_non_null(workload);
    assert_non_null(submitted);
    char *schedule = read_file(schedule_path);
    assert_false(schedule_check(workload, schedule, 0, &counts, message));
    assert_true(schedule_check(workload, schedule, 1, &counts, message));
    assert_int_equal(submitted->buffer_count, 2);
    assert_int_equal(submitted->buffers[0].bytes, 40);
    assert_int_equal(submitted->buffers[1].bytes, 56);
    assert_int_equal(submitted->buffers[1].patch_count, 6); /* the table, then the group */
    assert_true(submitted->steps[1].time > 4.5 && submitted->steps[1].time < 5.5);
    free(schedule);
    pagesim_free(workload);
    pagesim_free(submitted);
}

/* Where it may move, it moves aside and is bound again, and the schedule says in which slot or is illegal. */
static void test_rebound(void **state)
{
    struct replay_options options = usual_options();
    struct schedule_counts counts;
    char message[PAGESIM_MESSAGE] = "";
    (void)state;
    options.force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY);
    struct replay_result result = replay(fragmented, &options, "fragmented, bound again");
    struct pagesim *workload = pagesim_read(replayed_path, message);
    char *schedule = read_file(schedule_path), *says = strstr(schedule, "\"bound\":[1]");
    assert_true(result.failed_steps == 0 && result.statistics[STAT_BOUND_ANEW] == 1 && workload != NULL &&
                says != NULL);
    assert_true(schedule_check(workload, schedule, 0, &counts, message) && counts.move == 2);
    says[strlen("\"bound\":[")] = '2';
    assert_false(schedule_check(workload, schedule, 0, &counts, message));
    free(schedule);
    pagesim_free(workload);
}

/* What this device cannot hold is one line with the way out, not a crash. */
static void test_too_large(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"slots\":1,\"segments\":[{\"size\":20000000}],\"allocs\":[],\"buffers\":[]}", "use --scale 2 or more"},
        {"{\"slots\":1,\"segments\":[{\"size\":4096},{\"size\":4096},{\"size\":4096}],\"allocs\":[],\"buffers\":[]}",
         "segments[2]: the device has two memory segments"},
        {"{\"slots\":1,\"segments\":[{\"size\":4096,\"kind\":\"aperture\"},{\"size\":4096,\"kind\":\"aperture\"}],"
         "\"allocs\":[],\"buffers\":[]}",
         "segments[1]: the device has one aperture"},
    };
    struct replay_options options = usual_options();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct replay_result result;
        char message[PAGESIM_MESSAGE] = "";
        write_file(workload_path, cases[i].text);
        bool is_good = replay_run(&options, &result, message);
        if (is_good || strstr(message, cases[i].message) == NULL) fail_msg("case %zu: %s", i, message);
        free(result.buffer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),          cmocka_unit_test(test_modes),
        cmocka_unit_test(test_scale_and_limit),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_long_buffer),       cmocka_unit_test(test_temporaries),
        cmocka_unit_test(test_corners),           cmocka_unit_test(test_impossible_step),
        cmocka_unit_test(test_spoiled_content),   cmocka_unit_test(test_changed_schedules),
        cmocka_unit_test(test_illegal_schedules), cmocka_unit_test(test_command),
        cmocka_unit_test(test_too_large),         cmocka_unit_test(test_fragmented),
        cmocka_unit_test(test_rebound),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL), count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
