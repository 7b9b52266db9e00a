/* SPDX-License-Identifier: Apache-2.0
 *
 * The program `tessera` over a stand-in for the GPU (tests/host/lib/fake_device.h), for test_commands.c: in the place
 * of host/lib/device/platform.c and of replay's machines. Its answers and its clock depend on nothing but what it is
 * asked, so everything that a command says and writes can be held exactly, and one thing at a time can be made to fail:
 *
 *   STAND_IN_REFUSE=N  the N-th message is refused        STAND_IN_LINK=N    the N-th verb of the link fails
 *   STAND_IN_PANIC=N   the firmware stops at it           STAND_IN_CALL=N    at the N-th place of the program that
 * calls the system, the first call fails STAND_IN_COUNT=F   how many of each there were goes into the file F: "messages
 * verbs calls"
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/device/platform.h"
#include "fake_device.h"
#include "gpu_hash.h"
#include "tools/replay/replay.h"

enum { KINDS = 4096 };

static struct fake_device device;
static struct transport inner;
static unsigned verbs, bad_verb;
static unsigned devices, files, blocks; /* that are open, or not yet free */
static uint32_t written;                /* CRC-32 of everything that was written to registers and memory */
static char asked[256];                 /* what the last device was asked for when it was opened */

/* ------------------------------------------------------------------ calls that fail */

static uint64_t kinds[KINDS];
static unsigned kind_count, bad_kind;
static bool is_own = true; /* what the stand-in itself calls, before main too, always works */

/* Is this the first call of its kind, and is it the turn of that kind? */
static bool fails(unsigned function, uint64_t which, int error)
{
    uint64_t kind = (uint64_t)function << 48 | which;
    if (is_own) return false;
    for (unsigned i = 0; i < kind_count; i++)
        if (kinds[i] == kind) return false;
    if (kind_count < KINDS) kinds[kind_count++] = kind;
    if (kind_count != bad_kind) return false;
    errno = error;
    return true;
}

/* The linker's --wrap: `name` calls __wrap_name, and __real_name is the system's. Each size of memory is a kind, each
 * name of a file, and each call of other functions: so no compiler's way to put calls together changes anything. */
#define WRAPPED(type, name, number, which, error, wrong, parameters, arguments) \
    type __real_##name parameters; \
    type __wrap_##name parameters; \
    type __wrap_##name parameters { return fails(number, which, error) ? (wrong) : __real_##name arguments; }

static uint64_t next(void)
{
    static uint64_t calls;
    return ++calls;
}

static uint64_t name_of(const char *path)
{
    uint64_t sum = 0;
    for (; *path != 0; path++) sum = (sum * 31 + (uint8_t)*path) % 1000003;
    return sum;
}

static void *counted(void *block)
{
    blocks += !is_own && block != NULL;
    return block;
}
static FILE *counted_file(FILE *file)
{
    files += !is_own && file != NULL;
    return file;
}
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) { return fails(1, bytes, ENOMEM) ? NULL : counted(__real_malloc(bytes)); }
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails(1, count * bytes, ENOMEM) ? NULL : counted(__real_calloc(count, bytes));
}
void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    if (fails(1, bytes, ENOMEM)) return NULL;
    return old == NULL ? counted(__real_realloc(NULL, bytes)) : __real_realloc(old, bytes);
}
void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    blocks -= !is_own && block != NULL;
    __real_free(block);
}
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return fails(2, name_of(path), EMFILE) ? NULL : counted_file(__real_fopen(path, mode));
}
WRAPPED(int, fseek, 3, next(), EIO, -1, (FILE * file, long offset, int whence), (file, offset, whence))
WRAPPED(long, ftell, 4, next(), EIO, -1, (FILE * file), (file))
WRAPPED(size_t, fread, 5, size *count, EIO, 0, (void *data, size_t size, size_t count, FILE *file),
        (data, size, count, file))
WRAPPED(int, mkdir, 6, next(), EACCES, -1, (const char *path, mode_t mode), (path, mode))
WRAPPED(pid_t, fork, 7, next(), EAGAIN, -1, (void), ())

void *__real_mmap(void *at, size_t bytes, int rights, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int rights, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int rights, int flags, int file, off_t offset)
{
    return fails(8, bytes, ENOMEM) ? MAP_FAILED : __real_mmap(at, bytes, rights, flags, file, offset);
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    bool is_bad = fails(9, next(), ENOSPC);
    int result = __real_fclose(file);
    files -= !is_own;
    if (is_bad) errno = ENOSPC;
    return is_bad ? EOF : result;
}

/* An eighth of a second passes between two looks at the clock. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    static unsigned looks;
    (void)clock;
    *now = (struct timespec){++looks / 8, looks % 8 * 125000000};
    return 0;
}

/* ------------------------------------------------------------------ the device */

static bool verb_fails(void) { return ++verbs == bad_verb; }

static int read_register(void *context, uint32_t offset, uint32_t *value)
{
    int result = verb_fails() ? TRANSPORT_IO : inner.register_read(context, offset, value);
    if (offset == BOARD_SCANOUT_FRAMES_OFFSET) device.registers[offset / 4]++;
    return result;
}

static int write_register(void *context, uint32_t offset, uint32_t value)
{
    const uint32_t told[2] = {offset, value != GPU_ABI_HASH ? value : 1}; /* a table with one word more says the same */
    written = (uint32_t)crc32(written, (const uint8_t *)told, sizeof told);
    return verb_fails() ? TRANSPORT_IO : inner.register_write(context, offset, value);
}

static int read_memory(void *context, uint32_t address, void *data, size_t bytes)
{
    return verb_fails() ? TRANSPORT_IO : inner.memory_read(context, address, data, bytes);
}

static int write_memory(void *context, uint32_t address, const void *data, size_t bytes)
{
    written = (uint32_t)crc32(crc32(written, (const uint8_t *)&address, 4), data, (uInt)bytes);
    return verb_fails() ? TRANSPORT_IO : inner.memory_write(context, address, data, bytes);
}

static int wait(void *context, uint32_t cycles) { return verb_fails() ? TRANSPORT_IO : inner.wait(context, cycles); }

static void close_device(void *context)
{
    devices--;
    is_own = true;
    fake_device_free(context);
    is_own = false;
}

static unsigned number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? (unsigned)atoi(text) : 0;
}

static void say_counts(void)
{
    const char *path = getenv("STAND_IN_COUNT");
    is_own = true;
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL) return;
    fprintf(file, "%u %u %u\nleft: %u devices, %u files, %u blocks; written: %08x\n%s", device.messages, verbs,
            kind_count, devices, files, blocks, (unsigned)written, asked);
    fclose(file);
}

__attribute__((constructor)) static void begin(void)
{
    bad_kind = number("STAND_IN_CALL");
    bad_verb = number("STAND_IN_LINK");
    (void)atexit(say_counts);
    is_own = false;
}

static void open_device(struct transport *transport)
{
    is_own = true;
    fake_device_init(&device, &inner);
    is_own = false;
    devices++;
    device.has_numbers = true;
    device.refuse_at = number("STAND_IN_REFUSE");
    device.panic_after = number("STAND_IN_PANIC");
    for (uint32_t i = NODE_BASE / 4; i < (NODE_BASE + NODE_COUNT * NODE_STRIDE) / 4; i++)
        device.registers[i] = 17 * i + 3;
    device.registers[CORE_INSTRET_LO_OFFSET / 4] = 987654321;
    device.registers[CORE_INSTRET_HI_OFFSET / 4] = 3;
    device.registers[BOARD_LOCAL_BASE_OFFSET / 4] = 0x400000;
    *transport = inner;
    transport->register_read = read_register;
    transport->register_write = write_register;
    transport->memory_read = read_memory;
    transport->memory_write = write_memory;
    transport->wait = wait;
    transport->close = close_device;
    snprintf(transport->error, sizeof transport->error, "the link is gone");
}

/* ------------------------------------------------------------------ platform.h, and replay's machines */

int platform_open(struct platform *platform, const struct platform_options *options, char message[256])
{
    memset(platform, 0, sizeof *platform);
    snprintf(asked, sizeof asked,
             "opened: %d %s seed %u latency %u stall %u cycles %llu end %llu fst %s %llu %llu %d\n", options->is_model,
             options->device != NULL ? options->device : "-", options->seed, options->latency, options->stall_percent,
             (unsigned long long)options->max_cycles, (unsigned long long)options->end_cycle,
             options->fst_path != NULL ? options->fst_path : "-", (unsigned long long)options->fst_from,
             (unsigned long long)options->fst_to, options->keeps_firmware);
    if (options->seed == 404) { /* of which the stand-in says that it is not there */
        snprintf(message, 256, "no device of number %u", options->seed);
        return -1;
    }
    open_device(&platform->transport);
    platform->name = options->device != NULL ? "board" : options->is_model ? "golden model" : "simulated hardware";
    return 0;
}

bool platform_display(struct platform *platform, platform_frame *frame, void *context)
{
    (void)frame, (void)context;
    return strcmp(platform->name, "board") != 0;
}

bool platform_write_profile(const struct platform *platform, const char *path)
{
    if (strcmp(platform->name, "simulated hardware") != 0) return true;
    is_own = true;
    FILE *file = fopen(path, "w");
    bool is_written = file != NULL && fputs("main;gpu_turn 1234\n", file) >= 0;
    if (file != NULL) is_written = fclose(file) == 0 && is_written;
    is_own = false;
    return is_written;
}

uint32_t platform_profile(const struct platform *platform, struct profile_row *rows, uint32_t limit)
{
    if (strcmp(platform->name, "simulated hardware") != 0 || limit < 2) return 0;
    rows[0] = (struct profile_row){"gpu_turn", 5, 600, 7000, 80000};
    rows[1] = (struct profile_row){"plan_portion", 9, 8000, 70, 6};
    return 2;
}

bool platform_reached_end(const struct platform *platform)
{
    return platform->name != NULL && number("STAND_IN_END") != 0;
}

void platform_report(const struct platform *platform) { fprintf(stderr, "  what the %s does\n", platform->name); }

static int open_machine(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    struct platform platform;
    const struct platform_options platform_options = {.seed = options->seed,
                                                      .latency = options->latency,
                                                      .stall_percent = options->stall_percent,
                                                      .max_cycles = options->max_cycles,
                                                      .end_cycle = options->split_pages,
                                                      .fst_from = options->memory_bytes};
    int result = platform_open(&platform, &platform_options, message);
    *transport = platform.transport;
    device.registers[MEMORY_SEGMENT1_BYTES_OFFSET / 4] = 96 << 12;
    device.registers[MEMORY_SEGMENT2_BYTES_OFFSET / 4] = 32 << 20; /* more than addresses can name */
    device.registers[APERTURE_PAGES_OFFSET / 4] = 200;
    return result;
}

int replay_open_model(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    return open_machine(transport, options, message);
}

int replay_open_simulator(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    return open_machine(transport, options, message);
}
