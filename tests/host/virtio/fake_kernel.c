/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake_kernel.h.
 */
#define _GNU_SOURCE
#include "fake_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"

enum { PAGE = 4096, MEMORY = 128 << 20, GUEST_BYTES = 64 << 20, GUEST_AT = MEMORY - GUEST_BYTES, RESOURCES = 4096 };
enum { GUEST_PAGES = GUEST_BYTES / PAGE, BUFFER_PAGES = 2048, STRIDE = 5 /* has no factor with GUEST_PAGES */ };

struct fake_machine machine;

static int file;
static bool is_used[GUEST_PAGES];
static uint32_t cursor;
static struct {
    uint32_t count, holders, *pages; /* programs that have it */
} resource[RESOURCES];
static struct {
    uint32_t context, bytes;
    uint8_t *payload;
} late[KERNEL_LATE];
static uint32_t late_count;

static void need(bool condition)
{
    if (!condition) abort();
}

/* ------------------------------------------------------------------ commands */

static uint32_t send(const void *command, uint32_t bytes)
{
    const uint32_t type = fake_command(&machine.gpu, &machine.queue, command, bytes);
    machine.errors += type >= RESPONSE_UNSPECIFIED;
    return type;
}

static uint32_t now(uint32_t context, const void *payload, uint32_t bytes)
{
    static uint8_t command[VIRTIO_GPU_COMMAND_BYTES + 65536];
    const struct virtio_gpu_named head = {{.type = COMMAND_SUBMIT_3D, .context = context}, bytes, 0};
    need(bytes <= sizeof command - sizeof head);
    memcpy(command, &head, sizeof head);
    memcpy(command + sizeof head, payload, bytes);
    return send(command, (uint32_t)sizeof head + bytes);
}

void fake_kernel_flush(void)
{
    for (uint32_t i = 0; i < late_count; i++) {
        need(now(late[i].context, late[i].payload, late[i].bytes) == RESPONSE_OK);
        free(late[i].payload);
    }
    late_count = 0;
}

uint32_t fake_kernel_submit(uint32_t context, const void *payload, uint32_t bytes)
{
    fake_kernel_flush();
    return now(context, payload, bytes);
}

uint32_t fake_kernel_command(uint32_t type, uint32_t context, uint32_t which)
{
    const struct virtio_gpu_named command = {{.type = type, .context = context}, which, 0};
    struct virtio_gpu_context_create create = {.header = command.header};
    fake_kernel_flush();
    return type == COMMAND_CONTEXT_CREATE ? send(&create, sizeof create) : send(&command, sizeof command);
}

/* ------------------------------------------------------------------ resources */

static void give_back(uint32_t id)
{
    for (uint32_t i = 0; i < resource[id].count; i++) is_used[resource[id].pages[i]] = false;
    free(resource[id].pages);
    resource[id].pages = NULL;
    resource[id].count = 0;
}

static bool take(uint32_t id, uint32_t count)
{
    resource[id].pages = malloc(count * sizeof *resource[id].pages);
    need(resource[id].pages != NULL);
    for (uint32_t tries = 0; tries < GUEST_PAGES && resource[id].count < count; tries++) {
        cursor = (cursor + STRIDE) % GUEST_PAGES;
        if (is_used[cursor] || cursor == 0) continue;
        is_used[cursor] = true;
        resource[id].pages[resource[id].count++] = cursor;
        memset(machine.memory + GUEST_AT + (size_t)cursor * PAGE, 0, PAGE);
    }
    if (resource[id].count == count) return true;
    give_back(id);
    return false;
}

uint8_t *fake_kernel_page(uint32_t id, uint32_t page)
{
    return machine.memory + GUEST_AT + (size_t)resource[id].pages[page] * PAGE;
}

static uint32_t attach(uint32_t id)
{
    static struct {
        struct virtio_gpu_attach head;
        struct virtio_gpu_entry entry[BUFFER_PAGES];
    } command;
    command.head = (struct virtio_gpu_attach){{.type = COMMAND_ATTACH_BACKING}, id, resource[id].count};
    for (uint32_t i = 0; i < resource[id].count; i++)
        command.entry[i] = (struct virtio_gpu_entry){(uint64_t)resource[id].pages[i] * PAGE, PAGE, 0};
    return send(&command, (uint32_t)(sizeof command.head + resource[id].count * sizeof command.entry[0]));
}

uint32_t fake_kernel_pass(uint32_t id, uint32_t program)
{
    struct fake_program *of = &machine.program[program];
    uint32_t handle = 0;
    while (handle < KERNEL_HANDLES && of->resource[handle] != 0) handle++;
    need(handle < KERNEL_HANDLES);
    of->resource[handle] = id;
    resource[id].holders++;
    (void)fake_kernel_command(COMMAND_CONTEXT_ATTACH, of->context, id);
    return handle + 1u;
}

/* ------------------------------------------------------------------ what a program calls */

static int capset(void *context, void *data, uint32_t bytes)
{
    const struct virtio_gpu_named command = {{.type = COMMAND_GET_CAPSET}, PAYLOAD_IS_CAPSET, PAYLOAD_IS_VERSION};
    (void)context;
    if (fake_kernel_command(COMMAND_GET_CAPSET_INFO, 0, 0) != RESPONSE_CAPSET_INFO) return -EINVAL;
    if (send(&command, sizeof command) != RESPONSE_CAPSET) return -EINVAL;
    memcpy(data, fake_at(FAKE_ANSWER) + sizeof(struct virtio_gpu_header), bytes);
    return 0;
}

static int create(void *context, uint32_t bytes, uint32_t *handle, uint32_t *id)
{
    const struct fake_program *program = context;
    const uint32_t pages = (bytes + PAGE - 1) / PAGE;
    fake_kernel_flush();
    if (machine.refuses != 0) {
        machine.refuses--;
        return -ENOMEM;
    }
    for (*id = 1; *id < RESOURCES && resource[*id].pages != NULL;) (*id)++;
    if (pages > BUFFER_PAGES || *id == RESOURCES || !take(*id, pages)) return -ENOMEM;
    const struct virtio_gpu_create_3d command = {.header.type = COMMAND_CREATE_3D,
                                                 .resource = *id,
                                                 .format = 64,
                                                 .width = bytes,
                                                 .height = 1,
                                                 .depth = 1,
                                                 .layers = 1};
    (void)send(&command, sizeof command);
    (void)attach(*id);
    *handle = fake_kernel_pass(*id, (uint32_t)(program - machine.program));
    return 0;
}

static int map(void *context, uint32_t handle, void *at, size_t bytes)
{
    const struct fake_program *program = context;
    const uint32_t id = program->resource[handle - 1];
    for (uint32_t i = 0; i < bytes / PAGE; i++) {
        const off_t from = GUEST_AT + (off_t)resource[id].pages[i] * PAGE;
        void *place = (uint8_t *)at + (size_t)i * PAGE;
        if (mmap(place, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, from) != place) return -errno;
    }
    return 0;
}

static void destroy(void *context, uint32_t handle)
{
    struct fake_program *program = context;
    const uint32_t id = program->resource[handle - 1];
    program->resource[handle - 1] = 0;
    (void)fake_kernel_command(COMMAND_CONTEXT_DETACH, program->context, id);
    if (--resource[id].holders != 0) return;
    (void)fake_kernel_command(COMMAND_UNREF, 0, id);
    give_back(id);
}

/* Its fences have passed. */
static int submit(void *context, const void *payload, uint32_t bytes, const uint32_t *handles, uint32_t count,
                  struct drm_fences *fences)
{
    const struct fake_program *program = context;
    machine.fences_in += fences->in >= 0;
    if (fences->in >= 0 && fcntl(fences->in, F_GETFD) < 0) return -EBADF;
    if (fences->gives_out) fences->out = eventfd(1, EFD_CLOEXEC);
    for (uint32_t i = 0; i < count; i++)
        if (handles[i] == 0 || handles[i] > KERNEL_HANDLES || program->resource[handles[i] - 1] == 0) return -ENOENT;
    if (!machine.is_late) return now(program->context, payload, bytes) == RESPONSE_OK ? 0 : -EINVAL;
    need(late_count < KERNEL_LATE);
    late[late_count].payload = malloc(bytes);
    need(late[late_count].payload != NULL);
    memcpy(late[late_count].payload, payload, bytes);
    late[late_count].bytes = bytes;
    late[late_count++].context = program->context;
    return 0;
}

static int wait_for(void *context, uint32_t handle)
{
    const struct fake_program *program = context;
    if (handle == 0 || program->resource[handle - 1] == 0) return -ENOENT;
    fake_kernel_flush();
    return 0;
}

static void end(void *context)
{
    struct fake_program *program = context;
    if (program->context == 0) return;
    for (uint32_t i = 0; i < KERNEL_HANDLES; i++)
        if (program->resource[i] != 0) destroy(context, i + 1);
    (void)fake_kernel_command(COMMAND_CONTEXT_DESTROY, program->context, 0);
    program->context = 0;
}

/* ------------------------------------------------------------------ life */

uint32_t fake_kernel_next(void)
{
    uint32_t i = 0;
    while (i < KERNEL_PROGRAMS && machine.program[i].context != 0) i++;
    return i;
}

struct drm_kernel fake_kernel_of(uint32_t program)
{
    return (struct drm_kernel){&machine.program[program], capset, create, map, destroy, submit, wait_for, end};
}

struct drm_kernel fake_kernel_open(void)
{
    static uint32_t contexts;
    const uint32_t i = fake_kernel_next();
    if (i == KERNEL_PROGRAMS) return (struct drm_kernel){0};
    machine.program[i] = (struct fake_program){.context = ++contexts};
    (void)fake_kernel_command(COMMAND_CONTEXT_CREATE, machine.program[i].context, 0);
    return fake_kernel_of(i);
}

void fake_machine_begin(void)
{
    static struct transport transport;
    char message[256];
    file = memfd_create("machine", 0);
    need(file >= 0 && ftruncate(file, MEMORY) == 0);
    memset(&machine, 0, sizeof machine);
    memset(is_used, 0, sizeof is_used);
    cursor = 0;
    machine.memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    need(machine.memory != MAP_FAILED);
    const struct device_options options = {
        .memory_bytes = MEMORY, .memory = machine.memory, .seed = 1, .segment2_bytes = KERNEL_LOCAL};
    const struct tessera_options library = {.seed = 3, .own_bytes = GUEST_BYTES};
    const struct submitter_options programs = {machine.memory, GUEST_AT, GUEST_BYTES};
    machine.device = device_create(&options, message);
    need(machine.device != NULL);
    device_transport(machine.device, &transport);
    need(tessera_open(&machine.tessera, &transport, &library, message) == TESSERA_OK);
    machine.submitter = submitter_create(machine.tessera, &programs, message);
    need(machine.submitter != NULL);
    submitter_table(machine.submitter, &machine.gpu.programs);
    fake_begin(&machine.gpu, &machine.queue);
}

void fake_machine_end(void)
{
    for (uint32_t i = 0; i < KERNEL_PROGRAMS; i++) end(&machine.program[i]);
    submitter_destroy(machine.submitter);
    tessera_close(machine.tessera);
    for (uint32_t i = 0; i < RESOURCES; i++)
        if (resource[i].pages != NULL) give_back(i);
    (void)munmap(machine.memory, MEMORY);
    (void)close(file);
}
