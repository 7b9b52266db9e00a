/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the ISA model is right, in the judgement of an implementation that is not ours.
 * Method: tame random programs (random_program.h) run in qemu-system-riscv32, which logs pc, registers and trap CSRs
 * before every single instruction; the model makes the same steps, and all of these must agree each time. A program
 * ends early where a jump leads it to an instruction on which machines may differ.
 *
 *   model_check [--programs N] [--seed N] [--steps N]
 */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "disassemble.h"
#include "isa_model.h"
#include "random_program.h"

enum {
    RAM_BASE = 1u << 31,
    RAM_BYTES = 16 << 20,
    CODE_COPIES = 64,
    HANDLER_OFFSET = CODE_COPIES * RANDOM_CODE_BYTES,
    DATA_OFFSET = 8 << 20,
    BREAKPOINT = 3
};

static uint8_t *ram;

/* Steps over the instruction that trapped, whatever its length. */
static const uint32_t handler[] = {
    0x34102ff3, /* csrr t6, mepc */
    0x000fdf03, /* lhu t5, 0(t6) */
    0x003f7f13, /* andi t5, t5, 3 */
    0xffdf0f13, /* addi t5, t5, -3 */
    0x002f8f93, /* addi t6, t6, 2 */
    0x000f1463, /* bnez t5, over the next */
    0x002f8f93, /* addi t6, t6, 2 */
    0x341f9073, /* csrw mepc, t6 */
    0x30200073, /* mret */
};

static bool ram_read(void *context, uint32_t address, uint32_t *value)
{
    (void)context;
    if (address - RAM_BASE >= RAM_BYTES) return false;
    memcpy(value, ram + (address - RAM_BASE), 4);
    return true;
}

static bool ram_write(void *context, uint32_t address, uint32_t value, unsigned mask)
{
    (void)context;
    if (address - RAM_BASE >= RAM_BYTES) return false;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) ram[address - RAM_BASE + i] = (uint8_t)(value >> 8 * i);
    return true;
}

struct count {
    unsigned steps, traps;
};

/* The state qemu prints before an instruction. */
struct snapshot {
    uint32_t pc, mtvec, mepc, mcause, mtval, mscratch, x[32];
};

/* Reads one snapshot: lines " name value", then eight lines of four registers. False at the end of the log. */
static bool read_snapshot(FILE *log, struct snapshot *now)
{
    char line[256], name[16];
    unsigned value;
    while (fgets(line, sizeof line, log)) {
        if (sscanf(line, " x%*d/%15s", name) == 1) {
            char *at = line;
            for (int i = 0; i < 4; i++) {
                unsigned number;
                int used;
                if (sscanf(at, " x%u/%*s %x%n", &number, &value, &used) != 2 || number > 31) return false;
                now->x[number] = value;
                at += used;
                if (number == 31) return true;
            }
        } else if (sscanf(line, " %15s %x", name, &value) == 2) {
            if (!strcmp(name, "pc")) now->pc = value;
            else if (!strcmp(name, "mtvec")) now->mtvec = value;
            else if (!strcmp(name, "mepc")) now->mepc = value;
            else if (!strcmp(name, "mcause")) now->mcause = value;
            else if (!strcmp(name, "mtval")) now->mtval = value;
            else if (!strcmp(name, "mscratch")) now->mscratch = value;
        }
    }
    return false;
}

/* What qemu-system-riscv32 OPTION prints has this word. */
static bool qemu_knows(const char *option, const char *word)
{
    char command[120];
    snprintf(command, sizeof command, "qemu-system-riscv32 %s 2>/dev/null | grep -qw -e %s", option, word);
    return system(command) == 0;
}

/* A processor of RV32IMC with machine mode and no protection. Versions without the bare one have one of everything, of
 * which the rest is taken away; what newer versions add to that cannot all be named here. */
static const char *qemu_processor(void)
{
    return qemu_knows("-cpu help", "rv32i")
               ? "rv32i,m=true,c=true,zicsr=true,zifencei=true"
               : "rv32,g=false,i=true,m=true,c=true,a=false,f=false,d=false,s=false,u=false,h=false,"
                 "zba=false,zbb=false,zbc=false,zbs=false";
}

/* Starts qemu on the image; its log arrives in the returned stream. */
static FILE *start_qemu(const char *image, pid_t *child)
{
    int ends[2];
    /* Stop before every instruction, not every block: an option that became a property of the accelerator. */
    bool is_property = qemu_knows("-help", "one-insn-per-tb");
    const char *processor = qemu_processor();
    if (pipe(ends) != 0) return NULL;
    *child = fork();
    if (*child < 0) return NULL;
    if (*child == 0) {
        char device[300], log[32];
        snprintf(device, sizeof device, "loader,file=%s,addr=0x80000000", image);
        snprintf(log, sizeof log, "/dev/fd/%d", ends[1]);
        close(ends[0]);
        execlp("qemu-system-riscv32", "qemu-system-riscv32", "-M", "virt", "-m", "16M", "-nographic", "-serial", "none",
               "-monitor", "none", "-bios", "none", "-cpu", processor, "-device", device, "-d", "cpu,nochain", "-D",
               log, is_property ? "-accel" : "-singlestep", is_property ? "tcg,one-insn-per-tb=on" : (char *)NULL,
               (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    return fdopen(ends[0], "r");
}

/* The specification leaves to the machine whether mtval holds an ebreak's address or 0: the core and qemu 7 say 0,
 * qemu 10 the address. The model goes on with qemu's answer if that is either. */
static void take_mtval(struct isa_model *model, const struct snapshot *qemu)
{
    if (model->mcause == BREAKPOINT && model->mtval == 0 && qemu->mtval == qemu->mepc) model->mtval = qemu->mtval;
}

static bool agree(const struct isa_model *model, const struct snapshot *qemu, const char **what)
{
    *what = model->pc != qemu->pc                             ? "pc"
            : memcmp(model->x, qemu->x, sizeof model->x) != 0 ? "a register"
            : model->mtvec != qemu->mtvec                     ? "mtvec"
            : model->mepc != qemu->mepc                       ? "mepc"
            : model->mcause != qemu->mcause                   ? "mcause"
            : model->mtval != qemu->mtval                     ? "mtval"
            : model->mscratch != qemu->mscratch               ? "mscratch"
                                                              : NULL;
    return *what == NULL;
}

static bool is_comparable(const struct isa_model *model)
{
    uint32_t offset = model->pc - RAM_BASE, word;
    if (offset >= HANDLER_OFFSET + sizeof handler) return false;
    memcpy(&word, ram + offset, sizeof word);
    bool is_prologue = offset % RANDOM_CODE_BYTES < RANDOM_TAME_PROLOGUE && offset % 4 == 0;
    return offset >= HANDLER_OFFSET || is_prologue || random_is_tame((word & 3) == 3 ? word : word & 0xffff);
}

static bool compare(FILE *log, unsigned steps, uint64_t seed, struct count *count)
{
    struct isa_model model = {.fetch = ram_read, .read = ram_read, .write = ram_write};
    struct isa_record record = {0};
    struct snapshot qemu;
    const char *what;
    do {
        if (!read_snapshot(log, &qemu)) {
            printf("seed %llu: no log from qemu-system-riscv32 (is it installed?)\n", (unsigned long long)seed);
            return false;
        }
    } while (qemu.pc != RAM_BASE);
    isa_model_reset(&model, RAM_BASE);
    memcpy(model.x, qemu.x, sizeof model.x);
    for (unsigned step = 0; step < steps && is_comparable(&model); step++) {
        isa_model_step(&model, &record);
        count->traps += record.trapped;
        count->steps++;
        if (!read_snapshot(log, &qemu)) {
            printf("seed %llu: the log ends after %u steps\n", (unsigned long long)seed, step);
            return false;
        }
        if (record.trapped) take_mtval(&model, &qemu);
        if (!agree(&model, &qemu, &what)) {
            char text[64];
            disassemble(record.instruction, record.pc, text, sizeof text);
            printf("seed %llu, step %u: %s differs after %08x %s\n", (unsigned long long)seed, step, what, record.pc,
                   text);
            printf("  model pc %08x mepc %08x mcause %08x mtval %08x\n", model.pc, model.mepc, model.mcause,
                   model.mtval);
            printf("  qemu  pc %08x mepc %08x mcause %08x mtval %08x\n", qemu.pc, qemu.mepc, qemu.mcause, qemu.mtval);
            for (int i = 0; i < 32; i++)
                if (model.x[i] != qemu.x[i]) printf("  x%d model %08x qemu %08x\n", i, model.x[i], qemu.x[i]);
            return false;
        }
    }
    return true;
}

static bool run(uint64_t seed, unsigned steps, const char *image, struct count *count)
{
    struct random_source source = {seed * 0x9e3779b97f4a7c15u + 7};
    struct random_options options = {true, RAM_BASE + HANDLER_OFFSET, RAM_BASE + DATA_OFFSET};
    uint32_t code[RANDOM_CODE_BYTES / 4];
    random_program(&source, &options, code);
    memset(ram, 0, RAM_BYTES);
    for (unsigned i = 0; i < CODE_COPIES; i++) memcpy(ram + i * sizeof code, code, sizeof code);
    memcpy(ram + HANDLER_OFFSET, handler, sizeof handler);
    /* qemu starts at the first word; jump into the middle, so that jumps back stay in memory. */
    uint32_t jump = 0x0002006f; /* jal x0, +0x20000 */
    memcpy(ram, &jump, sizeof jump);
    FILE *file = fopen(image, "wb");
    if (!file) return false;
    bool is_written = fwrite(ram, HANDLER_OFFSET + sizeof handler, 1, file) == 1;
    if (fclose(file) != 0 || !is_written) return false;
    pid_t child = -1;
    FILE *log = start_qemu(image, &child);
    if (!log) return false;
    bool result = compare(log, steps, seed, count);
    kill(child, SIGKILL);
    fclose(log);
    waitpid(child, NULL, 0);
    return result;
}

int main(int argc, char **argv)
{
    unsigned programs = 20, steps = 2000, passed = 0, failed = 0;
    struct count count = {0, 0};
    uint64_t seed = 1;
    const char *image = "build/core/model_check.bin";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--programs")) programs = (unsigned)strtoul(argv[i + 1], NULL, 0);
        else if (!strcmp(argv[i], "--steps")) steps = (unsigned)strtoul(argv[i + 1], NULL, 0);
        else if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 0);
        else return fprintf(stderr, "usage: model_check [--programs N] [--seed N] [--steps N]\n"), 2;
    }
    ram = malloc(RAM_BYTES);
    if (!ram) return 2;
    for (unsigned i = 0; i < programs; i++) run(seed + i, steps, image, &count) ? passed++ : failed++;
    free(ram);
    if (count.steps < programs * 300 || count.traps < programs) failed++; /* programs that do nothing prove nothing */
    printf("%u steps, %u traps\n%u passed, %u failed\n", count.steps, count.traps, passed, failed);
    return failed != 0 || passed == 0;
}
