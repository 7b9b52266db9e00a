/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera console: a board's registers by name, read and written over its wire, beside whatever else it does. Nothing
 * is loaded, started or stopped.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gpu_names.h"
#include "gpu_spec.h"
#include "tools/cli/options.h"
#include "lib/device/transport_wire.h"

enum access { NA, RO, RW, WO, W1C };

static const struct named_register {
    const char *block, *name, *doc;
    uint32_t offset;
    uint32_t count, stride; /* of the block's copies */
    enum access access;
} registers[] = {
#define REG(block, name, offset, host, core, reset, doc) \
    {#block, #name, doc, block##_BASE + (offset), block##_COUNT, block##_STRIDE, host},
#include "gpu.def"
};
enum { REGISTERS = sizeof registers / sizeof registers[0] };

static const struct named_field {
    const char *block, *name, *field;
    unsigned lsb, width;
} fields[] = {
#define FIELD(block, reg, name, lsb, width, doc) {#block, #reg, #name, lsb, width},
#include "gpu.def"
};

/* "NODE1.HEAD", or "HOST.ID" where a block has one copy. */
static void full_name(const struct named_register *reg, uint32_t copy, char name[64])
{
    if (reg->count > 1) snprintf(name, 64, "%s%u.%s", reg->block, copy, reg->name);
    else snprintf(name, 64, "%s.%s", reg->block, reg->name);
}

static const struct named_register *find(const char *name, uint32_t *offset)
{
    for (size_t i = 0; i < REGISTERS; i++)
        for (uint32_t copy = 0; copy < registers[i].count; copy++) {
            char known[64];
            full_name(&registers[i], copy, known);
            if (strcasecmp(known, name) != 0) continue;
            *offset = registers[i].offset + copy * registers[i].stride;
            return &registers[i];
        }
    return NULL;
}

static bool read_register(const struct transport *wire, uint32_t offset, uint32_t *value)
{
    if (wire->register_read(wire->context, offset, value) == TRANSPORT_OK) return true;
    fprintf(stderr, "tessera: %s\n", wire->error);
    return false;
}

static bool show_register(const struct transport *wire, const struct named_register *reg, uint32_t offset)
{
    uint32_t value;
    if (reg->access == WO || reg->access == NA) {
        printf("the host cannot read it: %s\n", reg->doc);
        return true;
    }
    if (!read_register(wire, offset, &value)) return false;
    printf("0x%08" PRIx32 "  %10" PRIu32 "  %s\n", value, value, reg->doc);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].block, reg->block) == 0 && strcmp(fields[i].name, reg->name) == 0)
            printf("  %-16s %" PRIu32 "\n", fields[i].field,
                   value >> fields[i].lsb & (uint32_t)((UINT64_C(1) << fields[i].width) - 1u));
    return true;
}

/* The chip's display, or the scan-out of a board whose chip has none. */
static bool show_display(const struct transport *wire)
{
    uint32_t features, frames, missed;
    if (!read_register(wire, MEMORY_FEATURES_OFFSET, &features)) return false;
    const bool is_unit = FIELD_GET(features, MEMORY_FEATURES_DISPLAY) != 0;
    if (!read_register(wire, is_unit ? DISPLAY_FRAME_OFFSET : BOARD_SCANOUT_FRAMES_OFFSET, &frames) ||
        !read_register(wire, is_unit ? DISPLAY_MISSED_OFFSET : BOARD_SCANOUT_MISSED_OFFSET, &missed))
        return false;
    printf("display   %" PRIu32 " frames, %" PRIu32 " pixels late\n", frames, missed);
    return true;
}

static bool show_state(const struct transport *wire)
{
    uint32_t control, boot, code, place;
    if (!read_register(wire, HOST_CONTROL_OFFSET, &control) || !read_register(wire, HOST_BOOT_STATUS_OFFSET, &boot) ||
        !read_register(wire, HOST_PANIC_CODE_OFFSET, &code) || !read_register(wire, HOST_PANIC_PLACE_OFFSET, &place))
        return false;
    bool is_running = FIELD_GET(control, HOST_CONTROL_CORE_RUN) != 0;
    if (code != 0) printf("firmware  stopped: %s at 0x%" PRIx32 "\n", panic_name(code), place);
    else
        printf("firmware  %s\n", !is_running ? "held"
                                 : boot == 1 ? "ready"
                                 : boot == 0 ? "starting"
                                             : status_name(boot & 0xffffu));
    for (uint32_t node = 0; node < NODE_COUNT; node++) {
        uint32_t base = node * NODE_STRIDE, head, tail, fence, error;
        if (!read_register(wire, NODE_HEAD_OFFSET + base, &head) ||
            !read_register(wire, NODE_TAIL_OFFSET + base, &tail) ||
            !read_register(wire, NODE_FENCE_OFFSET + base, &fence) ||
            !read_register(wire, NODE_ERROR_OFFSET + base, &error))
            return false;
        printf("node %u    head %" PRIu32 ", tail %" PRIu32 ", fence %" PRIu32 ", %s\n", node, head, tail, fence,
               error == 0 ? "no fault" : fault_name(error));
    }
    return show_display(wire);
}

static void list_registers(void)
{
    static const char *const accesses[] = {"-", "r", "rw", "w", "clear"};
    for (size_t i = 0; i < REGISTERS; i++)
        for (uint32_t copy = 0; registers[i].access != NA && copy < registers[i].count; copy++) {
            char name[64];
            full_name(&registers[i], copy, name);
            printf("%-24s %-5s %s\n", name, accesses[registers[i].access], registers[i].doc);
        }
}

/* One line of the user's. False: the wire is gone. */
static bool execute(const struct transport *wire, char *line)
{
    const char *name = strtok(line, " \t\r\n"), *text = strtok(NULL, " \t\r\n");
    uint32_t offset;
    if (name == NULL || strcmp(name, "state") == 0) return show_state(wire);
    if (strcmp(name, "list") == 0) {
        list_registers();
        return true;
    }
    const struct named_register *reg = find(name, &offset);
    if (reg == NULL) {
        printf("%s is not a register. Commands: list, state, NAME, NAME VALUE, quit\n", name);
        return true;
    }
    if (text == NULL) return show_register(wire, reg, offset);
    char *end;
    unsigned long long value = strtoull(text, &end, 0);
    if (*end != 0 || text[0] == '-' || value > UINT32_MAX || strtok(NULL, " \t\r\n") != NULL) {
        printf("%s is not a number from 0 to 0xffffffff\n", text);
        return true;
    }
    if (reg->access == RO || reg->access == NA) {
        printf("the host cannot write it: %s\n", reg->doc);
        return true;
    }
    if (wire->register_write(wire->context, offset, (uint32_t)value) == TRANSPORT_OK) return true;
    fprintf(stderr, "tessera: %s\n", wire->error);
    return false;
}

int command_console(const struct program_options *options)
{
    struct transport wire;
    char message[256], line[256];
    if (options->platform.device == NULL) {
        fprintf(stderr,
                "tessera: name a board with --device: tty:/dev/ttyUSB0, or tcp:HOST:PORT for a simulated one.\n");
        return 2;
    }
    if (wire_open(&wire, options->platform.device, 0, message) != 0) {
        fprintf(stderr, "tessera: %s\n", message);
        return 2;
    }
    bool is_there = show_state(&wire);
    while (is_there && printf("> ") > 0 && fflush(stdout) == 0 && fgets(line, sizeof line, stdin) != NULL &&
           strcmp(line, "quit\n") != 0)
        is_there = execute(&wire, line);
    printf("\n");
    wire.close(wire.context);
    return is_there ? 0 : 1;
}
