/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory behind the mover, see world.h. A burst waits in the queue of its channel from its address to its last
 * beat; write answers wait in a queue of their own.
 */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BEAT_BYTES = 8 };

static void violation(struct world *world, const char *format, ...)
{
    va_list arguments;
    if (world->violations++ != 0) return;
    va_start(arguments, format);
    (void)vsnprintf(world->violation, sizeof world->violation, format, arguments);
    va_end(arguments);
}

uint32_t world_random(struct world *world)
{
    world->random ^= world->random << 13;
    world->random ^= world->random >> 17;
    world->random ^= world->random << 5;
    return world->random;
}

static bool chance(struct world *world, uint32_t percent)
{
    return percent != 0 && world_random(world) % 100u < percent;
}

static uint32_t level(const struct world_fifo *fifo) { return fifo->tail - fifo->head; }

static struct world_burst *front(struct world_fifo *fifo) { return &fifo->burst[fifo->head % WORLD_QUEUE]; }

static struct world_burst *push(struct world_fifo *fifo) { return &fifo->burst[fifo->tail++ % WORLD_QUEUE]; }

static uint32_t offset_of(uint32_t address) { return (address - WORLD_BASE) % WORLD_BYTES & ~7u; }

void world_start(struct world *world, const struct world_options *options)
{
    world->options = *options;
    world->random = options->seed * 2654435761u | 1u;
    memset(world->beats, 0, sizeof world->beats);
    memset(world->bursts, 0, sizeof world->bursts);
    memset(world->most_in_flight, 0, sizeof world->most_in_flight);
    memset(world->allowed, 0, sizeof world->allowed);
    memset(&world->before, 0, sizeof world->before);
    world->error_hit = false;
    world->answered = 0;
    world->violations = 0;
}

void world_allow(struct world *world, enum world_channel channel, uint32_t address, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint32_t beat = offset_of(address + i);
        memset(&world->allowed[beat], world->allowed[beat] | 1 << channel, BEAT_BYTES);
    }
}

bool world_is_quiet(const struct world *world)
{
    return level(&world->reads[0]) == 0 && level(&world->reads[1]) == 0 && level(&world->writes) == 0 &&
           level(&world->answers) == 0;
}

struct world_options world_memory(uint32_t seed)
{
    uint32_t r = seed * 2246822519u ^ 0x9e3779b9u;
    r ^= r >> 15;
    r *= 2654435761u;
    r ^= r >> 13;
    static const uint8_t stalls[] = {0, 0, 10, 50, 90};
    struct world_options options = {
        .latency = 1u + (r % 4u == 0 ? r >> 4 & 63u : r >> 4 & 7u),
        .jitter = r >> 10 & 1 ? r >> 11 & 15u : 0,
        .ar_stall = stalls[(r >> 15) % 5u],
        .r_stall = stalls[(r >> 17) % 5u],
        .aw_stall = stalls[(r >> 19) % 5u],
        .w_stall = stalls[(r >> 21) % 5u],
        .b_stall = stalls[(r >> 23) % 5u],
        .port = (enum world_port)((r >> 25) % 3u),
        .samples_early = r >> 28 & 1,
        .writes_late = r >> 29 & 1,
        .seed = seed,
    };
    return options;
}

/* ------------------------------------------------------------------ inputs of a cycle */

/* In order: the oldest command of all has the port. */
static bool has_turn(struct world *world, uint64_t order)
{
    if (world->options.port != PORT_IN_ORDER) return true;
    for (unsigned i = 0; i < 2; i++)
        if (level(&world->reads[i]) != 0 && front(&world->reads[i])->order < order) return false;
    return level(&world->writes) == 0 || front(&world->writes)->order >= order;
}

void world_drive(struct world *world, struct mover_pins *pins)
{
    const struct world_options *options = &world->options;
    for (unsigned i = 0; i < 2; i++) {
        struct read_pins *read = &pins->read[i];
        struct world_burst *burst = front(&world->reads[i]);
        read->arready = level(&world->reads[i]) < WORLD_QUEUE && !chance(world, options->ar_stall);
        read->rvalid = level(&world->reads[i]) != 0 && burst->ready <= world->cycle &&
                       !chance(world, options->r_stall) && has_turn(world, burst->order);
        read->rdata = (uint64_t)world_random(world) << 32 | world_random(world);
        read->rlast = burst->left == 1u;
        read->rresp = 0;
        if (!read->rvalid) continue;
        if (options->samples_early)
            memcpy(&read->rdata, &burst->sample[burst->address - (burst->first & ~7u)], BEAT_BYTES);
        else memcpy(&read->rdata, &world->memory[offset_of(burst->address)], BEAT_BYTES);
        if (options->has_error && options->error_channel == (enum world_channel)i &&
            options->error_index == world->beats[i]) {
            read->rresp = options->error_response;
            read->rdata = ~read->rdata;
        }
    }
    struct write_pins *write = &pins->write;
    write->awready = level(&world->writes) + level(&world->answers) < WORLD_QUEUE && !chance(world, options->aw_stall);
    write->wready = !chance(world, options->w_stall) && world->orphan_count < WORLD_QUEUE &&
                    (world->orphan_count == 0 || !world->orphans[world->orphan_count - 1u].is_last);
    if (options->port == PORT_IN_ORDER)
        write->wready = write->wready && level(&world->writes) != 0 && has_turn(world, front(&world->writes)->order);
    write->bvalid = level(&world->answers) != 0 && front(&world->answers)->ready <= world->cycle &&
                    (world->before.write.bvalid || !chance(world, options->b_stall));
    write->bresp = 0;
    if (write->bvalid && options->has_error && options->error_channel == CHANNEL_WRITE &&
        options->error_index == world->answered)
        write->bresp = options->error_response;
}

bool world_arbitrate(struct world *world, struct mover_pins *pins)
{
    if (world->options.port == PORT_APART) return false;
    bool reads = pins->read[0].rvalid, reads_too = pins->read[1].rvalid;
    bool writes = pins->write.wvalid && pins->write.wready;
    if (reads + reads_too + writes < 2) return false;
    if (writes && world->prefers_write) {
        pins->read[0].rvalid = pins->read[1].rvalid = 0;
    } else {
        pins->write.wready = 0;
        if (reads) pins->read[1].rvalid = 0;
    }
    world->prefers_write = !world->prefers_write;
    return true;
}

/* ------------------------------------------------------------------ outputs of a cycle */

static void check_burst(struct world *world, enum world_channel channel, uint32_t address, uint32_t beats,
                        uint32_t size, uint32_t type, uint32_t user)
{
    static const char *const names[CHANNELS] = {"source read", "target read", "write"};
    uint32_t first = address & ~7u, last = first + beats * BEAT_BYTES - 1u;
    if (first / 4096u != last / 4096u)
        violation(world, "%s crosses 4 KiB: %08x, %u beats", names[channel], address, beats);
    if (size != 3u || type != 1u) violation(world, "%s: size %u, burst %u", names[channel], size, type);
    if (user != world->expected_user) violation(world, "%s at %08x: user bit %u", names[channel], address, user);
    for (uint32_t beat = first; beat < last; beat += BEAT_BYTES)
        if (!(world->allowed[offset_of(beat)] >> channel & 1))
            violation(world, "%s leaves its command's range: beat %08x", names[channel], beat);
}

static void check_stability(struct world *world, const struct mover_pins *pins)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct read_pins *was = &world->before.read[i], *is = &pins->read[i];
        if (!is->rready) violation(world, "RREADY low on channel %u", i);
        if (was->arvalid && !was->arready &&
            (!is->arvalid || is->araddr != was->araddr || is->arlen != was->arlen || is->aruser != was->aruser))
            violation(world, "AR of channel %u changed while waiting", i);
    }
    const struct write_pins *was = &world->before.write, *is = &pins->write;
    if (was->awvalid && !was->awready &&
        (!is->awvalid || is->awaddr != was->awaddr || is->awlen != was->awlen || is->awuser != was->awuser))
        violation(world, "AW changed while waiting");
    if (was->wvalid && !was->wready &&
        (!is->wvalid || is->wdata != was->wdata || is->wstrb != was->wstrb || is->wlast != was->wlast))
        violation(world, "W changed while waiting");
}

static void store(struct world *world, uint32_t address, uint64_t data, uint8_t strobe)
{
    for (unsigned lane = 0; lane < BEAT_BYTES; lane++)
        if (strobe >> lane & 1) world->memory[offset_of(address) + lane] = (uint8_t)(data >> 8u * lane);
}

static void sample_reads(struct world *world, const struct mover_pins *pins, unsigned channel)
{
    const struct read_pins *read = &pins->read[channel];
    struct world_fifo *fifo = &world->reads[channel];
    if (read->rvalid) {
        struct world_burst *burst = front(fifo);
        if (read->rresp != 0 && !world->error_hit) {
            world->error_hit = true;
            world->error_address = burst->first & ~7u;
        }
        world->beats[channel]++;
        burst->address = (burst->address & ~7u) + BEAT_BYTES;
        if (--burst->left == 0) fifo->head++;
    }
    if (read->arvalid && read->arready) {
        struct world_burst *burst = push(fifo);
        uint32_t bytes = (read->arlen + 1u) * BEAT_BYTES;
        check_burst(world, (enum world_channel)channel, read->araddr, read->arlen + 1u, read->arsize, read->arburst,
                    read->aruser);
        burst->ready = world->cycle + world->options.latency +
                       (world->options.jitter != 0 ? world_random(world) % (world->options.jitter + 1u) : 0u);
        burst->order = world->order++;
        burst->first = burst->address = read->araddr;
        burst->left = read->arlen + 1u;
        for (uint32_t i = 0; i < bytes && i < sizeof burst->sample; i += BEAT_BYTES)
            memcpy(&burst->sample[i], &world->memory[offset_of(read->araddr + i)], BEAT_BYTES);
        world->bursts[channel]++;
        if (level(fifo) > world->most_in_flight[channel]) world->most_in_flight[channel] = level(fifo);
    }
}

static void finish_write(struct world *world, struct world_burst *burst)
{
    struct world_burst *answer = push(&world->answers);
    *answer = *burst;
    answer->ready = world->cycle + world->options.latency +
                    (world->options.jitter != 0 ? world_random(world) % (world->options.jitter + 1u) : 0u);
    answer->log = world->late_tail;
    world->writes.head++;
    world->bursts[CHANNEL_WRITE]++;
}

/* One beat of data for the oldest write. */
static void take_beat(struct world *world, struct world_beat beat)
{
    struct world_burst *burst = front(&world->writes);
    if (beat.is_last != (burst->left == 1u))
        violation(world, "WLAST %u with %u beats left at %08x", beat.is_last, burst->left, burst->address);
    beat.address = burst->address;
    if (world->options.writes_late) world->late[world->late_tail++ % 4096u] = beat;
    else store(world, beat.address, beat.data, beat.strobe);
    world->beats[CHANNEL_WRITE]++;
    burst->address = (burst->address & ~7u) + BEAT_BYTES;
    if (--burst->left == 0) finish_write(world, burst);
}

static void sample_write(struct world *world, const struct mover_pins *pins)
{
    const struct write_pins *write = &pins->write;
    if (write->bvalid && write->bready) {
        struct world_burst *answer = front(&world->answers);
        for (; world->late_head != answer->log; world->late_head++) {
            uint32_t slot = world->late_head % 4096u;
            store(world, world->late[slot].address, world->late[slot].data, world->late[slot].strobe);
        }
        if (write->bresp != 0 && !world->error_hit) {
            world->error_hit = true;
            world->error_address = answer->first & ~7u;
        }
        world->answers.head++;
        world->answered++;
    }
    if (write->awvalid && write->awready) {
        struct world_burst *burst = push(&world->writes);
        check_burst(world, CHANNEL_WRITE, write->awaddr, write->awlen + 1u, write->awsize, write->awburst,
                    write->awuser);
        burst->order = world->order++;
        burst->first = burst->address = write->awaddr;
        burst->left = write->awlen + 1u;
        if (level(&world->writes) + level(&world->answers) > world->most_in_flight[CHANNEL_WRITE])
            world->most_in_flight[CHANNEL_WRITE] = level(&world->writes) + level(&world->answers);
    }
    if (write->wvalid && write->wready) {
        struct world_beat *beat = &world->orphans[world->orphan_count++];
        beat->strobe = write->wstrb;
        beat->is_last = write->wlast;
        beat->data = write->wdata;
    }
    /* Data waits only while no address is known, and never past the end of its burst. */
    if (level(&world->writes) != 0) {
        for (uint32_t i = 0; i < world->orphan_count; i++) take_beat(world, world->orphans[i]);
        world->orphan_count = 0;
    }
}

void world_sample(struct world *world, const struct mover_pins *pins)
{
    check_stability(world, pins);
    sample_write(world, pins);
    sample_reads(world, pins, 0);
    sample_reads(world, pins, 1);
    world->before = *pins;
    world->cycle++;
}
