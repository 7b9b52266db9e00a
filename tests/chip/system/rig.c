/* SPDX-License-Identifier: Apache-2.0
 * See rig.h. */
#include "rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

static void on_console(void *context, char character)
{
    (void)context;
    fputc(character, stdout);
}

void rig_open(struct rig *rig, int argc, char **argv, const char *elf, uint64_t max_cycles)
{
    char error[256];
    memset(rig, 0, sizeof *rig);
    rig->options.memory_bytes = 1u << 20;
    rig->options.max_cycles = max_cycles;
    rig->options.firmware_elf = elf;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint32_t value = (uint32_t)strtoul(argv[i + 1], NULL, 0);
        if (strcmp(argv[i], "--seed") == 0) rig->options.seed = value;
        else if (strcmp(argv[i], "--stall") == 0) rig->options.stall_percent = value;
        else if (strcmp(argv[i], "--latency") == 0) rig->options.read_latency = rig->options.write_latency = value;
        else if (strcmp(argv[i], "--fst") == 0) rig->options.fst_path = argv[i + 1];
    }
    rig->simulator = simulator_create(&rig->options, error);
    if (!rig->simulator) {
        fprintf(stderr, "simulator: %s\n", error);
        exit(2);
    }
    simulator_transport(rig->simulator, &rig->transport);
    simulator_probe(rig->simulator, &(struct probe){.console = on_console});
}

int rig_close(struct rig *rig)
{
    rig->transport.close(rig->transport.context);
    printf("%u passed, %u failed\n", rig->passed, rig->failed);
    return rig->failed != 0;
}

bool rig_check(struct rig *rig, bool is_right, const char *format, ...)
{
    if (is_right) {
        rig->passed++;
        return true;
    }
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    rig->failed++;
    return false;
}

/* After a failed register access nothing more can be learned. */
static _Noreturn void give_up(struct rig *rig, const char *what, uint32_t offset, int result)
{
    rig_check(rig, false, "%s of register 0x%03x: %d %s", what, offset, result, rig->transport.error);
    exit(rig_close(rig));
}

uint32_t rig_read(struct rig *rig, uint32_t offset)
{
    uint32_t value = 0;
    int result = rig->transport.register_read(rig->transport.context, offset, &value);
    if (result != TRANSPORT_OK) give_up(rig, "read", offset, result);
    return value;
}

void rig_write(struct rig *rig, uint32_t offset, uint32_t value)
{
    int result = rig->transport.register_write(rig->transport.context, offset, value);
    if (result != TRANSPORT_OK) give_up(rig, "write", offset, result);
}

void rig_load(struct rig *rig, const char *path)
{
    uint32_t word = 0, wrong = 0;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    rig_write(rig, HOST_CONTROL_OFFSET, 0);
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, 0);
    while (fread(&word, 1, sizeof word, file) > 0) {
        rig_write(rig, HOST_LOAD_DATA_OFFSET, word);
        word = 0;
    }
    rewind(file);
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, 0);
    while (fread(&word, 1, sizeof word, file) > 0) {
        wrong += rig_read(rig, HOST_LOAD_DATA_OFFSET) != word;
        word = 0;
    }
    fclose(file);
    rig_check(rig, wrong == 0, "%u words of %s read back wrong", wrong, path);
}

bool rig_await(struct rig *rig, uint32_t offset, uint32_t value, uint32_t cycles)
{
    uint64_t start = rig->transport.cycles(rig->transport.context);
    while (rig->transport.cycles(rig->transport.context) - start < cycles) {
        if (rig_read(rig, offset) == value) return true;
        for (unsigned i = 0; i < 20; i++) rig->transport.wait(rig->transport.context, 1);
    }
    return false;
}
