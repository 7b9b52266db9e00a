/* SPDX-License-Identifier: Apache-2.0
 *
 * See world_model.h. What is to be spoiled waits in a queue: each entry counts words read (or packets begun) from the
 * one before it.
 */
#include "world_model.h"

#include <string.h>

#include "world.h"

/* Waits for a blank and FLIPs keep their places in the completion ring until their frames come. The destruction of what
 * is shown keeps its place until the host ends that: of a ring of four, three surfaces leave one to the message that
 * does, of a ring of two none. */
enum { DISPLAY_RING_LOG2 = 2 };
enum { MEMORY_BYTES = 3 << 20, QUEUE = 16, READS_OF_WORDS = 0, READS_OF_PACKETS = 0x80, KEEPS = 0x40 };

struct spoil {
    uint32_t after, mode, value;
};

static struct fuzz_world world;
static struct world_boot boot;
static struct spoil queue[2][QUEUE]; /* of words, of packets */
static uint32_t queued[2];

void __real_hal_system_read(uint32_t address, uint32_t *words, uint32_t count);
void __wrap_hal_system_read(uint32_t address, uint32_t *words, uint32_t count);
uint32_t __real_hal_register_read(uint32_t offset);
uint32_t __wrap_hal_register_read(uint32_t offset);

/* ------------------------------------------------------------------ what is read */

/* Is something due now? */
static bool take_due(uint32_t which, struct spoil *spoil)
{
    if (queued[which] == 0u || queue[which][0].after-- != 0u) return false;
    *spoil = queue[which][0];
    memmove(&queue[which][0], &queue[which][1], --queued[which] * sizeof *spoil);
    return true;
}

static uint32_t spoiled(const struct spoil *spoil, uint32_t word)
{
    switch (spoil->mode % 4u) {
    case 0: return word ^ 1u << spoil->value % 32u;
    case 1: return spoil->value;
    case 2: return word + (spoil->value & 0xffu) - 128u;
    default: return spoil->value % 2u != 0u ? UINT32_MAX >> spoil->value % 32u : 1u << spoil->value % 32u;
    }
}

void __wrap_hal_system_read(uint32_t address, uint32_t *words, uint32_t count)
{
    struct spoil spoil;
    for (uint32_t i = 0; i < count; i++) {
        __real_hal_system_read(address + i * 4u, &words[i], 1);
        if (!take_due(0, &spoil)) continue;
        words[i] = spoiled(&spoil, words[i]);
        if ((spoil.mode & (uint32_t)KEEPS) != 0u)
            world.client.transport.memory_write(world.client.transport.context, address + i * 4u, &words[i], 4);
    }
}

/* Before a node's packet an entry of some page list changes. */
static void on_packet(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct spoil spoil;
    (void)context, (void)cycle, (void)node, (void)offset, (void)words;
    if (!take_due(1, &spoil)) return;
    const struct client_allocation *allocation = &world.allocation[spoil.value % WORLD_HANDLES];
    const uint32_t at = allocation->list + spoil.value / WORLD_HANDLES % WORLD_PAGES_MAX * 4u;
    uint32_t word = 0;
    world.client.transport.memory_read(world.client.transport.context, at, &word, sizeof word);
    word = spoiled(&spoil, word);
    world.client.transport.memory_write(world.client.transport.context, at, &word, sizeof word);
}

/* Only what the host writes; the rest is the hardware's. */
uint32_t __wrap_hal_register_read(uint32_t offset)
{
    const uint32_t value = __real_hal_register_read(offset);
    const bool is_hosts = offset >= HOST_IRQ_ENABLE_OFFSET && offset <= HOST_RECOVERY_WINDOW_OFFSET &&
                          offset != HOST_SUBMIT_HEAD_OFFSET && offset != HOST_COMPLETE_TAIL_OFFSET;
    return boot.spoils_register && is_hosts && offset == boot.register_offset ? boot.register_value : value;
}

/* ------------------------------------------------------------------ hooks */

static void spoil_read(struct fuzz_world *of, uint32_t after, uint32_t mode, uint32_t value)
{
    const uint32_t which = (mode & (uint32_t)READS_OF_PACKETS) != 0u;
    (void)of;
    if (queued[which] < (uint32_t)QUEUE) queue[which][queued[which]++] = (struct spoil){after, mode, value};
}

static void disturb(struct fuzz_world *of, uint32_t what, uint32_t value)
{
    struct device *device = of->client.device;
    const unsigned node = what & 1u;
    of->may_recover = true;
    switch (what >> 1 & 7u) {
    case 0: device_hang(device, node); break;
    case 1: device_release(device, node); break;
    case 2: device_slow(device, node, value & 0xffu, value >> 8 & 0xffu); break;
    case 3: device_crawl(device, node, value & 0x3ffu); break;
    case 4: device_look_cycles(device, value & 0xffffu); break;
    case 5: device_drop_interrupts(device, (value & 1u) != 0u); break;
    case 6: device_sleep(device, (value & 1u) != 0u); break;
    default: device_set_cycle(device, (uint64_t)value << 1); break;
    }
}

static void pass_frames(struct fuzz_world *of)
{
    enum { FRAMES = 1024, TURNS = 16 };
    for (uint32_t i = 0; i < FRAMES && device_blank(of->client.device); i++)
        for (uint32_t turns = 0; turns < TURNS && device_turn(of->client.device); turns++) continue;
}

static void calm(struct fuzz_world *of)
{
    struct device *device = of->client.device;
    queued[0] = queued[1] = 0;
    boot.spoils_register = false;
    for (unsigned node = 0; node < 2u; node++) {
        device_release(device, node);
        device_slow(device, node, 0, 0);
        device_crawl(device, node, 0);
    }
    device_look_cycles(device, 0);
    device_drop_interrupts(device, false);
    device_sleep(device, false);
}

/* ------------------------------------------------------------------ a world */

void world_model_run(const uint8_t *bytes, size_t count)
{
    static const struct world_hooks hooks = {spoil_read, disturb, pass_frames, calm};
    const struct probe probe = {.packet_begin = on_packet};
    char error[256];
    memset(&world, 0, sizeof world);
    queued[0] = queued[1] = 0;
    boot = world_read_header(bytes, count);
    const struct gpu_options gpu = {.first_fence = boot.first_fence};
    const struct device_options options = {
        .memory_bytes = MEMORY_BYTES + WORLD_GUARD_BYTES,
        .segment1_bytes = boot.segment1_pages * CLIENT_PAGE,
        .segment2_bytes = boot.segment2_pages * CLIENT_PAGE,
        .aperture_pages = boot.aperture_pages,
        .seed = boot.seed,
        .probe = &probe,
        .gpu = &gpu,
        .has_display = boot.client.ring_log2 >= (uint32_t)DISPLAY_RING_LOG2,
    };
    world.client.device = device_create(&options, error);
    if (world.client.device == NULL) world_die(error, 0);
    device_transport(world.client.device, &world.client.transport);
    world.client.transport.memory_bytes = MEMORY_BYTES;
    world.hooks = &hooks;
    world.has_display = options.has_display;
    device_look_cycles(world.client.device, boot.look_cycles);
    if (world_run(&world, &boot, bytes, count)) client_close(&world.client);
    else device_destroy(world.client.device);
}
