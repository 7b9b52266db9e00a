/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator around the chip (sim/simulator.c, simulator_report.c). Goal: accesses, waiting, every kind of end, what
 * a probe is told, wave forms' windows and reports are as simulator.h says, to the cycle and to the letter. Method: a
 * chip that does what is asked of it (fake_chip.c); what is said, its reports included, goes into a text, which has to
 * be tests/chip/system/simulated.
 *   test_simulator FOLDER
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_chip.h"
#include "gpu_spec.h"
#include "simulator.h"

static struct simulator *simulator;
static struct transport transport;
static char message[256];
static unsigned passed, failed;

#define CHECK(condition) \
    ((condition) ? (void)passed++ : (void)(failed++, printf("FAILED: line %d: %s\n", __LINE__, #condition)))
#define SAY(...) fprintf(stderr, __VA_ARGS__)

static void begin(const char *title, const struct simulator_options *options)
{
    SAY("== %s\n", title);
    memset(&fake, 0, sizeof fake);
    fake.strobes = 15;
    fake.can_trace = true;
    simulator = simulator_create(options, message);
    if (simulator == NULL) printf("FAILED: %s\n", message), exit(1);
    simulator_transport(simulator, &transport);
}

static void finish(void)
{
    transport.close(transport.context);
    CHECK(fake.destroyed == 1);
}

/* What every verb answers, and the text after it. */
static void say_verbs(void)
{
    uint32_t value = 1;
    int results[3];
    transport.error[0] = 0;
    results[0] = transport.register_read(transport.context, 0x20, &value);
    results[1] = transport.register_write(transport.context, 0x24, 5);
    results[2] = transport.wait(transport.context, 10);
    SAY("%s\nread %d %u, write %d, wait %d; cycle %" PRIu64 "\n", transport.error, results[0], value, results[1],
        results[2], transport.cycles(transport.context));
}

/* ------------------------------------------------------------------ accesses */

static void test_registers(void)
{
    begin("registers", &(struct simulator_options){.seed = 77});
    CHECK(fake.seed == 77 && fake.reset_cycles == 8 && transport.memory_bytes == 64u << 20);
    CHECK(transport.cycles(transport.context) == 0);
    for (unsigned delay = 0; delay < 6; delay++) {
        uint32_t value = 0;
        fake.delay = delay;
        CHECK(transport.register_write(transport.context, 0x120 + 4 * delay, 0x1234 + delay) == TRANSPORT_OK);
        CHECK(fake.registers[0x120 / 4 + delay] == 0x1234 + delay && fake.writes == delay + 1);
        SAY("written by cycle %" PRIu64, transport.cycles(transport.context));
        fake.registers[0x200 / 4] = 99 + delay;
        CHECK(transport.register_read(transport.context, 0x200, &value) == TRANSPORT_OK && value == 99 + delay);
        CHECK(fake.reads == delay + 1 && fake.read_address == 0x200);
        SAY(", read by %" PRIu64 "\n", transport.cycles(transport.context));
    }
    CHECK(fake.strobes == 15);
    fake.response = 2;
    say_verbs();
    fake.response = 0;
    fake.is_deaf = true;
    uint64_t before = transport.cycles(transport.context);
    uint32_t value = 5;
    CHECK(transport.register_read(transport.context, 0x200, &value) == TRANSPORT_IO && value == 0);
    CHECK(transport.cycles(transport.context) - before == 20000);
    SAY("%s\n", transport.error);
    fake.is_deaf = false;
    say_verbs();
    finish();
}

static void test_memory(void)
{
    uint8_t bytes[16] = "0123456789abcde", read[16];
    begin("memory", &(struct simulator_options){.memory_bytes = 8192});
    CHECK(transport.memory_bytes == 8192);
    CHECK(transport.memory_write(transport.context, 8176, bytes, 16) == TRANSPORT_OK);
    CHECK(transport.memory_read(transport.context, 8176, read, 16) == TRANSPORT_OK && memcmp(read, bytes, 16) == 0);
    CHECK(transport.memory_read(transport.context, 8177, read, 15) == TRANSPORT_OK && memcmp(read, bytes + 1, 15) == 0);
    CHECK(transport.memory_read(transport.context, 8192, read, 0) == TRANSPORT_OK);
    CHECK(transport.memory_write(transport.context, 8177, bytes, 16) == TRANSPORT_IO);
    SAY("%s\n", transport.error);
    transport.error[0] = 0;
    CHECK(transport.memory_read(transport.context, 8193, read, 0) == TRANSPORT_IO);
    CHECK(transport.memory_read(transport.context, 0, read, 8193) == TRANSPORT_IO);
    SAY("%s\n", transport.error);
    CHECK(transport.cycles(transport.context) == 0);
    finish();
}

/* A board's memory: none of the simulator's own, cycles count from when it is initialised, and what the chip has been
 * told is written is waited for before the host looks. */
static void test_board(void)
{
    static uint8_t board[8192];
    uint8_t byte = 7, read = 0;
    SAY("== a board's memory\n");
    memset(&fake, 0, sizeof fake);
    fake.board = board;
    fake.board_bytes = sizeof board;
    fake.ready_at = 500;
    simulator = simulator_create(&(struct simulator_options){.memory_bytes = 65536}, message);
    CHECK(simulator != NULL && fake.cycles == 500 && strcmp(simulator_board(), "fake") == 0);
    if (simulator == NULL) return;
    simulator_transport(simulator, &transport);
    CHECK(transport.memory_bytes == sizeof board && transport.cycles(transport.context) == 0);
    CHECK(simulator_clock_hz() == 12345678);
    CHECK(transport.memory_write(transport.context, 100, &byte, 1) == TRANSPORT_OK && board[100] == 7);
    CHECK(transport.memory_read(transport.context, 100, &read, 1) == TRANSPORT_OK && read == 7);
    CHECK(transport.cycles(transport.context) == 0);
    fake.queued = 3;
    fake.written_at = 540;
    CHECK(transport.memory_read(transport.context, 8191, &read, 1) == TRANSPORT_OK && fake.cycles == 540);
    CHECK(transport.memory_read(transport.context, 8192, &read, 1) == TRANSPORT_IO);
    fake.written_at = UINT32_MAX;
    CHECK(transport.memory_read(transport.context, 0, &read, 1) == TRANSPORT_IO);
    SAY("%s\n", transport.error);
    simulator_report(simulator);
    finish();
    memset(&fake, 0, sizeof fake);
    fake.board = board;
    fake.ready_at = UINT32_MAX;
    CHECK(simulator_create(&(struct simulator_options){0}, message) == NULL && fake.destroyed == 1);
    SAY("%s\n", message);
}

static void test_options(void)
{
    static const struct simulator_options bad[] = {{.memory_bytes = 4097},
                                                   {.stall_percent = 91},
                                                   {.fst_from = 5, .fst_to = 5},
                                                   {.fst_from = 6, .fst_to = 5},
                                                   {.fst_path = "x"}};
    static const struct simulator_options good[] = {
        {.stall_percent = 90}, {.fst_from = 4, .fst_to = 5}, {.fst_from = 9}};
    SAY("== options\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(&fake, 0, sizeof fake);
        CHECK(simulator_create(&bad[i], message) == NULL && fake.cycles == 0);
        SAY("%s\n", message);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        begin("good", &good[i]);
        finish();
    }
    memset(&fake, 0, sizeof fake);
    fake.cannot_create = true;
    CHECK(simulator_create(&good[0], message) == NULL && fake.destroyed == 0);
    SAY("%s\n", message);
    memset(&fake, 0, sizeof fake);
    fake.is_broken = true;
    CHECK(simulator_create(&good[0], message) == NULL && fake.destroyed == 1);
    SAY("%s\n", message);
}

/* ------------------------------------------------------------------ waiting, ends */

static uint32_t strike; /* the cycle of the chip in which something happens */
static void raise_irq(struct pins *pins) { pins->irq = fake.irq = fake.cycles >= strike; }
static void panic(struct pins *pins) { pins->panicked = fake.cycles >= strike; }
static void panic_and_irq(struct pins *pins) { pins->panicked = pins->irq = fake.cycles >= strike; }
static void leave(struct pins *pins)
{
    pins->exit_valid = fake.cycles >= strike;
    pins->exit_code = fake.cycles;
}
static void assertion(struct pins *pins)
{
    (void)pins;
    fake.is_broken = fake.cycles >= strike;
}
static void burst(struct pins *pins)
{
    pins->m_arvalid = fake.cycles >= strike;
    pins->m_arsize = 7;
}
static void interrupt(struct pins *pins)
{
    (void)pins;
    if (fake.cycles == strike) raise(SIGINT);
}

static void test_waits(void)
{
    begin("waiting", &(struct simulator_options){0});
    CHECK(transport.wait(transport.context, 100) == TRANSPORT_OK && transport.cycles(transport.context) == 100);
    CHECK(transport.wait(transport.context, 0) == TRANSPORT_OK && transport.cycles(transport.context) == 100);
    fake.each = raise_irq, strike = fake.cycles + 30;
    CHECK(transport.wait(transport.context, 100) == TRANSPORT_OK && transport.cycles(transport.context) == 130);
    CHECK(transport.wait(transport.context, 100) == TRANSPORT_OK && transport.cycles(transport.context) == 130);
    finish();
}

struct end {
    const char *title;
    void (*each)(struct pins *pins);
    struct simulator_options options;
};

static void say_end(const struct end *end)
{
    uint32_t code = 1;
    begin(end->title, &end->options);
    fake.each = end->each;
    strike = fake.cycles + 70;
    int result = transport.wait(transport.context, 200);
    SAY("-- waited: %d, %s; cycle %" PRIu64 "\n", result, transport.error, transport.cycles(transport.context));
    say_verbs();
    bool has_exited = simulator_exited(simulator, &code);
    SAY("exited %d with %u, end %d\n", has_exited, code, simulator_reached_end(simulator));
    finish();
}

static void test_ends(void)
{
    static const struct end ends[] = {{"a panic", panic, {0}},
                                      {"a panic with its interrupt", panic_and_irq, {0}},
                                      {"the firmware's end", leave, {0}},
                                      {"an assertion", assertion, {0}},
                                      {"a rule of the bus", burst, {0}},
                                      {"the limit", NULL, {.max_cycles = 90}},
                                      {"the end that was asked for", NULL, {.end_cycle = 90}},
                                      {"both", NULL, {.max_cycles = 80, .end_cycle = 80}}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) say_end(&ends[i]);
}

/* ------------------------------------------------------------------ probes */

static uint32_t told;
static void on_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    SAY("%s %" PRIu64 ": node %u begins 0x%x:", (const char *)context, cycle, node, offset);
    for (unsigned i = 0; i < 8; i++) SAY(" %x", words[i]);
    SAY("\n");
}
static void on_end(void *context, uint64_t cycle, unsigned node)
{
    SAY("%s %" PRIu64 ": node %u ends\n", (const char *)context, cycle, node);
}
static void on_counters(void *context, uint64_t cycle, const struct probe_counters *counters)
{
    (void)context;
    told++;
    if (cycle % PROBE_SAMPLE == 0) SAY("sample at %" PRIu64 "\n", cycle);
    if (counters->beats[2] != fake.cycles || counters->node[1].busy != 7) failed++;
}
static void on_firmware(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    SAY("%s %" PRIu64 ": event %u, %u\n", (const char *)context, cycle, event, argument);
}
static void on_console(void *context, char character) { SAY("%s says %c\n", (const char *)context, character); }

/* Node 0 runs a buffer with packets in it at the ring's end, node 1 something else; the core says something. */
static void work(struct pins *pins)
{
    uint32_t at = fake.cycles - strike;
    pins->probe_begin = at == 3 ? 1 : at == 5 ? 3 : at == 9 ? 1 : 0;
    pins->probe_end = at == 8 ? 1 : at == 12 ? 3 : at == 13 ? 1 : 0;
    pins->probe_offset = at == 3 ? 0x11f8 : at == 5 ? 0x200400003000u : 0x3010;
    pins->probe_opcode = at == 3 ? PKT_RUN : at == 5 ? (PKT_COPY << 8 | PKT_BLIT) : PKT_FILL;
    pins->trace_valid = at == 6, pins->trace_event = 12, pins->trace_argument = 34;
    pins->console_valid = at == 7 || at == 8, pins->console_char = at == 7 ? 'x' : 'y';
}

static void test_probe(void)
{
    static const struct probe all = {"probe", on_begin, on_end, on_counters, on_firmware, on_console};
    static const struct probe none = {.context = NULL};
    begin("a probe", &(struct simulator_options){0});
    simulator_probe(simulator, &all);
    fake.ring_base = 0x40001000u, fake.ring_size = 0x60007u; /* node 1: 64 words at 0x4000, node 0: 128 at 0x1000 */
    fake.each = work, strike = fake.cycles;
    told = 0;
    transport.wait(transport.context, 2 * PROBE_SAMPLE + 5);
    SAY("counters told %u times\n", told);
    simulator_probe(simulator, &none);
    strike = fake.cycles;
    transport.wait(transport.context, 40);
    simulator_probe(simulator, &all);
    simulator_probe(simulator, NULL);
    strike = fake.cycles;
    transport.wait(transport.context, 40);
    simulator_probe(simulator, &all);
    finish();
    SAY("counters told %u times\n", told);
}

/* ------------------------------------------------------------------ wave forms, digests */

static void test_waves(void)
{
    static const struct simulator_options windows[] = {{.fst_path = "x", .fst_from = 20, .fst_to = 30},
                                                       {.fst_path = "x", .fst_from = 20},
                                                       {.fst_path = "x"},
                                                       {.fst_path = "x", .fst_from = 20, .end_cycle = 40},
                                                       {.fst_path = "nowhere", .fst_from = 20}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        begin("a wave form", &windows[i]);
        int result = transport.wait(transport.context, 100);
        SAY("waited %d %s; %u begun at %u, %u stopped at %u\n", result, transport.error, fake.traces, fake.trace_from,
            fake.stops, fake.trace_to);
        finish();
    }
}

static void test_digest(void)
{
    setenv("TESSERA_DIGEST", "1", 1);
    for (unsigned i = 0; i < 4; i++) {
        begin("a digest", &(struct simulator_options){.memory_bytes = 4096});
        if (i == 1) fake.irq = 1;
        if (i == 2) transport.memory_write(transport.context, 4095, "x", 1);
        for (unsigned n = 0; n < 3; n++) (void)transport.register_write(transport.context, 0x100, n);
        CHECK(!fake.never_sleeps);
        finish();
    }
    setenv("TESSERA_DIGEST", "plain", 1);
    begin("a digest, nothing sleeping", &(struct simulator_options){.memory_bytes = 4096});
    CHECK(fake.never_sleeps);
    finish();
    unsetenv("TESSERA_DIGEST");
    begin("no digest", &(struct simulator_options){.memory_bytes = 4096});
    finish();
}

/* ------------------------------------------------------------------ reports */

static unsigned retiring;
static void retire(struct pins *pins)
{
    uint32_t at = fake.cycles - strike;
    pins->retire_valid = at < retiring;
    pins->retire_pc = 0x100 + 2 * at;
    pins->console_valid = at < 600;
    pins->console_char = at % 97 == 96 ? '\n' : (uint8_t)('a' + at % 26);
    pins->probe_begin = at == 3 || at == 5 || at == 6 ? 1 : at == 7 ? 2 : 0;
    pins->probe_offset = at == 3 ? 0x11f0 : at == 5 ? 0x3000 : 0x40fc00003010u;
    pins->probe_opcode = at == 3 ? PKT_RUN : at == 5 ? PKT_BLIT : PKT_COPY << 8;
}

static void set_registers(uint32_t state)
{
    for (uint32_t i = 0; i < 1024; i++) fake.registers[i] = 1000 + i;
    for (uint32_t node = 0; node < 2; node++) {
        uint32_t *at = &fake.registers[node * NODE_STRIDE / 4];
        at[NODE_STATUS_OFFSET / 4] = state == 0 ? 0
                                                : FIELD_PUT(1, NODE_STATUS_BUSY) * (state & 1) |
                                                      FIELD_PUT(1, NODE_STATUS_HALTED) * (state >> 1 & 1) |
                                                      FIELD_PUT(1, NODE_STATUS_WAITING) * (state >> 2 & 1) |
                                                      FIELD_PUT(1, NODE_STATUS_PAUSED) * (state >> 3 & 1);
        at[NODE_ERROR_OFFSET / 4] = state % 3 == node ? 0 : 1 + node;
    }
    fake.registers[HOST_PANIC_CODE_OFFSET / 4] = state == 0 ? PANIC_NONE : state == 3 ? PANIC_TRAP : PANIC_ASSERT;
    fake.registers[HOST_PANIC_CAUSE_OFFSET / 4] = 2;
}

static void test_reports(void)
{
    static const unsigned counts[] = {0, 1, 40, 63, 64, 65, 200};
    for (uint32_t i = 0; i < 7; i++) {
        begin("a report", &(struct simulator_options){.memory_bytes = 65536});
        set_registers(i == 6 ? 15 : i);
        fake.ring_base = 0x40001000u, fake.ring_size = 0x60007u;
        retiring = counts[i];
        strike = fake.cycles;
        fake.each = retire;
        fake.is_held = i == 2;
        transport.wait(transport.context, i == 1 ? 20 : 2000);
        if (i == 5) fake.is_deaf = true;
        fake.counts_stalls = i >= 3;
        simulator_report(simulator);
        finish();
    }
}

/* What fails while a report is made does not begin another one. */
static void test_report_once(void)
{
    begin("an assertion in a report", &(struct simulator_options){0});
    fake.each = assertion, strike = fake.cycles + 20;
    simulator_report(simulator);
    say_verbs();
    finish();
}

/* Ctrl-C is taken over once, where it would have ended the program, and nothing else is held up by it. */
static void test_signal(void)
{
    struct sigaction action;
    signal(SIGINT, SIG_IGN);
    begin("Ctrl-C ignored", &(struct simulator_options){0});
    CHECK(sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == SIG_IGN);
    finish();
    signal(SIGINT, SIG_DFL);
    begin("Ctrl-C taken", &(struct simulator_options){0});
    CHECK(sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
    CHECK((action.sa_flags & (int)SA_RESETHAND) != 0);
    for (int number = 1; number < 32; number++) CHECK(sigismember(&action.sa_mask, number) == 0);
    finish();
}

int main(int argc, char **argv)
{
    char path[512];
    if (argc != 2) return printf("usage: test_simulator FOLDER\n"), 2;
    snprintf(path, sizeof path, "%s/simulated", argv[1]);
    unsetenv("TESSERA_DIGEST");
    fflush(stdout);
    if (dup2(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666), 2) < 0) return 2;
    SAY("# SPDX-License-Identifier: Apache-2.0\n# What test_simulator.c hears: make report-written takes it again.\n");
    test_registers();
    test_memory();
    test_board();
    test_options();
    test_waits();
    test_ends();
    test_probe();
    test_waves();
    test_digest();
    test_reports();
    test_report_once();
    test_signal();
    say_end(&(struct end){"Ctrl-C", interrupt, {0}}); /* at last: all that comes after it is interrupted, too */
    snprintf(path, sizeof path, "diff tests/chip/system/simulated %s/simulated", argv[1]);
    CHECK(system(path) == 0);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
