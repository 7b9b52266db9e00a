/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: firmware that goes wrong is stopped before it does harm, and the host is told what, where and with which
 * address: a store to code or constants, to a segment or the aperture behind the manager's back, past core memory or
 * the firmware's region, to nowhere; a jump into data; a stack that overflows; no instruction. After it the next boot
 * works.
 * Method: the firmware with one file exchanged (wild.c) on the simulated chip; it boots, serves, goes wrong on request.
 * test_protection WILD_ELF
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_names.h"
#include "gpu_spec.h"
#include "simulator.h"
#include "symbols.h"
#include "tessera.h"
#include "wild.h"

/* Where the trap's address is: what wild.c said, or something else. */
enum at { AT_TARGET, AT_STACK_END, AT_BITS, AT_ZERO };

static const struct expectation {
    enum wild kind;
    enum gpu_enumerator cause;
    enum at at;
    const char *place; /* function of mepc; NULL: mepc is the address */
    const char *what;
} expectations[] = {
    {WILD_STORE_NULL, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store through NULL"},
    {WILD_STORE_CODE, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store to code"},
    {WILD_STORE_CONSTANT, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store to a constant"},
    {WILD_STORE_COLD, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store to code in the region"},
    {WILD_STORE_SEGMENT1, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store to segment 1"},
    {WILD_LOAD_SEGMENT2, TRAP_LOAD_DENIED, AT_TARGET, "wild", "a load from segment 2"},
    {WILD_STORE_APERTURE, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store to the aperture"},
    {WILD_STORE_BEYOND, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store behind core memory"},
    {WILD_STORE_PAST, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store behind the region"},
    {WILD_STORE_HOLE, TRAP_STORE_DENIED, AT_TARGET, "wild", "a store to nowhere"},
    {WILD_LOAD_HOLE, TRAP_LOAD_DENIED, AT_TARGET, "wild", "a load from nowhere"},
    {WILD_LOAD_ODD, TRAP_MISALIGNED_LOAD, AT_TARGET, "wild", "a misaligned load"},
    {WILD_JUMP_CONSTANT, TRAP_FETCH_DENIED, AT_TARGET, NULL, "a jump to a constant"},
    {WILD_JUMP_DATA, TRAP_FETCH_DENIED, AT_TARGET, NULL, "a jump into data"},
    {WILD_JUMP_STACK, TRAP_FETCH_DENIED, AT_TARGET, NULL, "a jump into the stack"},
    {WILD_JUMP_REGION, TRAP_FETCH_DENIED, AT_TARGET, NULL, "a jump into the region's data"},
    {WILD_JUMP_COMMAND, TRAP_FETCH_DENIED, AT_TARGET, NULL, "a jump into command RAM"},
    {WILD_OVERFLOW, TRAP_STORE_DENIED, AT_STACK_END, "overflow", "a stack that overflows"},
    {WILD_ILLEGAL, TRAP_ILLEGAL, AT_BITS, "wild", "no instruction"},
    {WILD_EBREAK, TRAP_EBREAK, AT_ZERO, "wild", "ebreak"},
};

static struct transport chip;
static struct symbols *symbols;
static uint32_t code_address, code_bytes; /* in core memory */
static unsigned passed, failed;

static bool check(bool is_right, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool check(bool is_right, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (is_right) {
        passed++;
    } else {
        failed++;
        printf("FAILED: ");
        vprintf(format, arguments);
        printf("\n");
    }
    va_end(arguments);
    return is_right;
}

static uint32_t read_register(uint32_t offset)
{
    uint32_t value = 0;
    if (chip.register_read(chip.context, offset, &value) != TRANSPORT_OK) check(false, "%s", chip.error);
    return value;
}

static void write_register(uint32_t offset, uint32_t value)
{
    if (chip.register_write(chip.context, offset, value) != TRANSPORT_OK) check(false, "%s", chip.error);
}

static void keep_open(void *context) { (void)context; } /* the chip outlives every boot */

/* The image in core memory and in the region is still what was loaded. Holds the core. */
static void check_image(const char *what)
{
    unsigned changed = 0, parts = 0;
    uint32_t address, bytes;
    const uint8_t *part;
    write_register(HOST_CONTROL_OFFSET, 0);
    for (; (part = symbols_code(symbols, parts, &address, &bytes)) != NULL; parts++) {
        write_register(HOST_LOAD_ADDRESS_OFFSET, address);
        for (uint32_t at = 0; at + 4 <= bytes; at += 4) {
            uint32_t word;
            memcpy(&word, part + at, 4);
            changed += read_register(HOST_LOAD_DATA_OFFSET) != word;
        }
    }
    check(parts == 2, "%s: the image has %u parts of code, not 2", what, parts);
    check(changed == 0, "%s: %u words of the image are changed", what, changed);
}

static void check_trap(const struct expectation *expected, uint32_t target, const char *message)
{
    uint32_t place = read_register(HOST_PANIC_PLACE_OFFSET), cause = read_register(HOST_PANIC_CAUSE_OFFSET);
    uint32_t address = read_register(HOST_PANIC_ADDRESS_OFFSET), offset;
    const char *what = expected->what;
    check(read_register(HOST_PANIC_CODE_OFFSET) == PANIC_TRAP, "%s: no trap", what);
    check(cause == (uint32_t)expected->cause, "%s: cause %u, %s", what, cause, trap_name(cause));
    switch (expected->at) {
    case AT_TARGET: check(address == target, "%s: at 0x%08x, not 0x%08x", what, address, target); break;
    case AT_STACK_END:
        check(address >= code_address && address < code_address + code_bytes, "%s: at 0x%08x", what, address);
        break;
    case AT_BITS: check(address == 0xffffffffu, "%s: bits 0x%08x", what, address); break;
    case AT_ZERO: check(address == 0, "%s: 0x%08x", what, address); break;
    }
    const char *function = symbols_find(symbols, place, &offset);
    if (expected->place == NULL) check(place == target, "%s: mepc 0x%08x, not 0x%08x", what, place, target);
    else check(function != NULL && strcmp(function, expected->place) == 0, "%s: in %s", what, function);
    char line[128];
    snprintf(line, sizeof line, "panic %u (TRAP) at 0x%x: %s, 0x%08x.", PANIC_TRAP, place, trap_name(cause), address);
    check(strstr(message, line) != NULL, "%s: '%s' is not '%s'", what, message, line);
}

static void run(const struct expectation *expected, const char *image)
{
    struct transport transport = chip;
    struct tessera_options options = {.firmware = image};
    struct tessera *tessera;
    char message[256];
    uint32_t statistics[STAT_COUNT];
    transport.close = keep_open;
    write_register(HOST_SCRATCH_OFFSET, WILD_NOTHING);
    if (!check(tessera_open(&tessera, &transport, &options, message) == TESSERA_OK, "%s: %s", expected->what, message))
        return;
    check(tessera_statistics(tessera, statistics) == TESSERA_OK, "before %s: %s", expected->what,
          tessera_message(tessera));
    write_register(HOST_SCRATCH_OFFSET, expected->kind);
    int status = tessera_statistics(tessera, statistics); /* wakes it up */
    if (status == TESSERA_OK) {
        (void)chip.wait(chip.context, 20000); /* until it is idle again */
        status = tessera_statistics(tessera, statistics);
    }
    if (check(status == TESSERA_PANIC, "%s: the firmware goes on: %s", expected->what, tessera_status_name(status)))
        check_trap(expected, read_register(HOST_SCRATCH_OFFSET), tessera_message(tessera));
    tessera_close(tessera);
    if (expected->kind <= WILD_STORE_COLD || expected->kind == WILD_OVERFLOW) check_image(expected->what);
}

int main(int argc, char **argv)
{
    char message[256];
    if (argc != 2) return 2;
    struct simulator *simulator = simulator_create(&(struct simulator_options){.firmware_elf = argv[1]}, message);
    symbols = symbols_read(argv[1]);
    if (simulator == NULL || symbols == NULL) {
        fprintf(stderr, "%s\n", simulator == NULL ? message : argv[1]);
        return 2;
    }
    simulator_transport(simulator, &chip);
    (void)symbols_code(symbols, 0, &code_address, &code_bytes);
    if (!freopen("/dev/null", "w", stderr)) return 2; /* each panic makes a report */
    for (unsigned i = 0; i < sizeof expectations / sizeof *expectations; i++) run(&expectations[i], argv[1]);
    chip.close(chip.context);
    symbols_free(symbols);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
