/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a simulation that goes wrong says so and says where. Method: end one in every way (cycle limit,
 * panic with and without the host's interrupt, failed assertion, Ctrl-C, impossible options) and read the
 * report, which goes to stderr, from a file.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../rtl/regs/mailbox.h"
#include "gpu_spec.h"
#include "rig.h"
#include "world.h"

static const char report_path[] = "build/system/report.txt";

/* The linker puts this before the world's: once, a write answer that nobody waits for. */
static bool is_answering;
void __real_world_drive(struct world *world, struct pins *pins);
void __wrap_world_drive(struct world *world, struct pins *pins);
void __wrap_world_drive(struct world *world, struct pins *pins)
{
    __real_world_drive(world, pins);
    if (is_answering) pins->m_bvalid = 1;
    is_answering = false;
}

static void start_report(void)
{
    if (!freopen(report_path, "w", stderr)) exit(2);
}

static bool report_has(const char *text)
{
    static char report[1 << 16];
    fflush(stderr);
    FILE *file = fopen(report_path, "r");
    size_t bytes = file ? fread(report, 1, sizeof report - 1, file) : 0;
    if (file) fclose(file);
    report[bytes] = 0;
    return strstr(report, text) != NULL;
}

/* What every report must have: the core's last steps by name, what both nodes do, the host's side. */
static void check_report(struct rig *rig, const char *ending)
{
    rig_check(rig, report_has("  last ") && report_has(" instructions:\n"), "%s: no last instructions", ending);
    rig_check(rig, report_has("\n    main "), "%s: the instructions have no names", ending);
    rig_check(rig, report_has("node 0 (render): ") && report_has("node 1 (paging): "), "%s: no nodes", ending);
    rig_check(rig, report_has("  host: boot status"), "%s: no host", ending);
}

/* The mailbox firmware with one request waiting for it: a store to a register. */
static void boot(struct rig *rig, int argc, char **argv, uint64_t max_cycles, uint32_t offset, uint32_t value)
{
    uint32_t mail[32] = {1, MAIL_WRITE, GPU_LIMIT(ADDR_REGISTERS) + offset, value};
    rig_open(rig, argc, argv, "build/system/mailbox.elf", max_cycles);
    rig->transport.memory_write(rig->transport.context, MAILBOX, mail, sizeof mail);
    rig_load(rig, "build/system/mailbox.bin");
}

static void close_part(struct rig *total, struct rig *rig)
{
    rig->transport.close(rig->transport.context);
    total->passed += rig->passed;
    total->failed += rig->failed;
}

static void test_limit(struct rig *total, int argc, char **argv)
{
    struct rig rig;
    uint32_t value;
    boot(&rig, argc, argv, 20000, HOST_SCRATCH_OFFSET, 1);
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    start_report();
    int result = rig.transport.wait(rig.transport.context, 1000000);
    rig_check(&rig, result == TRANSPORT_TIMEOUT, "the cycle limit answers %d", result);
    rig_check(&rig, rig.transport.cycles(rig.transport.context) >= 20000, "the limit comes early");
    rig_check(&rig, strstr(rig.transport.error, "limit") != NULL, "the error says '%s'", rig.transport.error);
    rig_check(&rig, rig.transport.register_read(rig.transport.context, HOST_ID_OFFSET, &value) == TRANSPORT_TIMEOUT,
              "registers answer after the end");
    rig_check(&rig, report_has("main+0x"), "the report does not name the core's function");
    rig_check(&rig, report_has("node 0 (render): idle") && report_has("node 1 (paging): idle"),
              "the report has no nodes");
    rig_check(&rig, report_has("boot status 0x1"), "the report has no host");
    rig_check(&rig, report_has("last 64 instructions:\n"), "a long run has fewer than 64 instructions to tell");
    check_report(&rig, "time-out");
    close_part(total, &rig);
}

static void test_panic(struct rig *total, int argc, char **argv, bool is_enabled)
{
    struct rig rig;
    uint32_t panic = FIELD_PUT(1, HOST_IRQ_STATUS_PANIC);
    boot(&rig, argc, argv, 200000, HOST_IRQ_RAISE_OFFSET, panic);
    rig_write(&rig, HOST_IRQ_ENABLE_OFFSET, is_enabled ? panic : 0);
    start_report();
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    int result = rig.transport.wait(rig.transport.context, 100000);
    rig_check(&rig, result == (is_enabled ? TRANSPORT_OK : TRANSPORT_DEAD), "a panic ends wait with %d", result);
    rig_check(&rig, rig_read(&rig, HOST_IRQ_STATUS_OFFSET) == panic, "the host cannot see the panic");
    rig_check(&rig, report_has("main+0x"), "a panic makes no report");
    check_report(&rig, "trap or failed ASSERT of the firmware");
    close_part(total, &rig);
}

static void test_assertion(struct rig *total, int argc, char **argv)
{
    struct rig rig;
    boot(&rig, argc, argv, 0, HOST_SCRATCH_OFFSET, 1);
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    rig.transport.wait(rig.transport.context, 5000);
    start_report();
    is_answering = true;
    int result = rig.transport.wait(rig.transport.context, 1000);
    rig_check(&rig, result == TRANSPORT_DEAD, "a failed assertion of the hardware ends wait with %d", result);
    rig_check(&rig, strstr(rig.transport.error, "assertion") != NULL, "the error says '%s'", rig.transport.error);
    rig_check(&rig, report_has("assertion failed: ") && report_has("fabric_write.v"), "the report does not say which");
    check_report(&rig, "assertion of the hardware");
    close_part(total, &rig);
}

static void test_exit(struct rig *total, int argc, char **argv)
{
    struct rig rig;
    uint32_t code = 0;
    boot(&rig, argc, argv, 200000, CORE_EXIT_OFFSET, 77);
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    rig_check(&rig, !simulator_exited(rig.simulator, &code), "an exit before its time");
    rig_check(&rig, rig.transport.wait(rig.transport.context, 100000) == TRANSPORT_DEAD, "EXIT does not end wait");
    rig_check(&rig, simulator_exited(rig.simulator, &code) && code == 77, "exit code %u", code);
    close_part(total, &rig);
}

static void test_options(struct rig *total)
{
    static const struct simulator_options impossible[] = {
        {.memory_bytes = 5000},
        {.stall_percent = 91},
        {.fst_from = 10, .fst_to = 10},
        {.fst_from = 10, .fst_to = 3},
    };
    for (unsigned i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        char error[256] = "";
        struct simulator *simulator = simulator_create(&impossible[i], error);
        rig_check(total, simulator == NULL && error[0], "impossible options %u are accepted", i);
    }
}

static void test_interrupt(struct rig *total, int argc, char **argv)
{
    struct rig rig;
    boot(&rig, argc, argv, 0, HOST_SCRATCH_OFFSET, 1);
    start_report();
    raise(SIGINT);
    int result = rig.transport.wait(rig.transport.context, 1000000);
    rig_check(&rig, result == TRANSPORT_DEAD && strcmp(rig.transport.error, "interrupted") == 0, "Ctrl-C answers %d",
              result);
    rig_check(&rig, report_has("held in reset"), "Ctrl-C makes no report");
    close_part(total, &rig);
}

int main(int argc, char **argv)
{
    struct rig total = {0};
    signal(SIGINT, SIG_DFL); /* a shell starts background programs with Ctrl-C ignored */
    test_options(&total);
    test_limit(&total, argc, argv);
    test_panic(&total, argc, argv, true);
    test_panic(&total, argc, argv, false);
    test_assertion(&total, argc, argv);
    test_exit(&total, argc, argv);
    test_interrupt(&total, argc, argv); /* last: Ctrl-C is meant for the whole program */
    printf("%u passed, %u failed\n", total.passed, total.failed);
    return total.failed != 0;
}
