/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a simulation that goes wrong says so and says where. Method: end one in every way (cycle limit,
 * panic with and without the host's interrupt, Ctrl-C, impossible options) and read the report, which goes
 * to stderr, from a file.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../rtl/regs/mailbox.h"
#include "gpu_spec.h"
#include "rig.h"

static const char report_path[] = "build/system/report.txt";

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
    test_exit(&total, argc, argv);
    test_interrupt(&total, argc, argv); /* last: Ctrl-C is meant for the whole program */
    printf("%u passed, %u failed\n", total.passed, total.failed);
    return total.failed != 0;
}
