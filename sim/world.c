/* SPDX-License-Identifier: Apache-2.0
 *
 * See world.h. Two queues of bursts, one per direction, in arrival order. A burst is due when its latency
 * is over; the head of the read queue then sends a beat per cycle, the head of the write queue collects its
 * data as it comes and sends its response when due. What is shown (a valid) stays until it is taken.
 */
#include "world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE = 16, BEAT_BYTES = 8, BEATS_MAX = 256, RESP_OKAY = 0, RESP_DECERR = 3, BURST_INCR = 1 };

struct burst {
    uint32_t address;
    uint32_t beats, size; /* size: log2 of bytes per beat */
    uint64_t due;         /* cycle from which the answer may be sent; writes: set by the last beat */
    uint8_t response;
    uint32_t beats_taken;     /* writes */
    uint64_t data[BEATS_MAX]; /* writes, kept until the response */
    uint8_t strobes[BEATS_MAX];
};

struct queue {
    struct burst burst[QUEUE];
    uint32_t first, count;
    uint32_t with_data; /* writes: how many from `first` on have all their data */
};

/* The payload of a channel that was offered and not taken must be the same in the next cycle. */
struct offer {
    bool waits;
    uint64_t payload[3];
};

struct world {
    struct world_options options;
    uint8_t *memory;
    uint64_t cycle, random;
    struct queue reads, writes;
    uint32_t read_beat; /* next beat of the first read */
    bool r_shown, b_shown;
    struct offer ar, aw, w;
    char broken[160];
};

/* ------------------------------------------------------------------ chance */

static uint64_t next_random(struct world *world)
{
    world->random ^= world->random << 13;
    world->random ^= world->random >> 7;
    world->random ^= world->random << 17;
    return world->random >> 11;
}

static bool stalls(struct world *world)
{
    uint32_t percent = world->options.stall_percent;
    return percent != 0 && next_random(world) % 100u < percent;
}

static uint64_t due_after(struct world *world, uint32_t latency)
{
    uint64_t jitter = world->options.seed ? next_random(world) % (latency / 2u + 1u) : 0u;
    return world->cycle + latency + jitter;
}

/* ------------------------------------------------------------------ life */

struct world *world_create(const struct world_options *options)
{
    struct world *world = calloc(1, sizeof *world);
    if (!world) return NULL;
    world->options = *options;
    world->random = 0x9e3779b97f4a7c15u ^ ((uint64_t)options->seed << 16);
    world->memory = options->memory ? options->memory : malloc(options->memory_bytes);
    if (!world->memory) {
        free(world);
        return NULL;
    }
    if (!options->memory) memset(world->memory, 0xa5 ^ (int)(options->seed & 0xffu), options->memory_bytes);
    return world;
}

void world_destroy(struct world *world)
{
    if (!world->options.memory) free(world->memory);
    free(world);
}

uint8_t *world_memory(struct world *world) { return world->memory; }

/* ------------------------------------------------------------------ bursts */

static struct burst *at(struct queue *queue, uint32_t index) { return &queue->burst[(queue->first + index) % QUEUE]; }

static void push(struct queue *queue, uint32_t address, uint32_t beats, uint32_t size, uint64_t due, uint8_t response)
{
    struct burst *burst = at(queue, queue->count++);
    burst->address = address;
    burst->beats = beats;
    burst->size = size;
    burst->due = due;
    burst->response = response;
    burst->beats_taken = 0;
}

static void pop(struct queue *queue)
{
    queue->first = (queue->first + 1) % QUEUE;
    queue->count--;
}

/* Address of the bus word (8 bytes) that beat `beat` moves; only the first beat may be unaligned to the size. */
static uint32_t beat_address(const struct burst *burst, uint32_t beat)
{
    uint32_t aligned = burst->address & ~((1u << burst->size) - 1u);
    return (aligned + (beat << burst->size)) & ~(uint32_t)(BEAT_BYTES - 1);
}

/* Byte lanes that beat `beat` may carry. */
static uint8_t beat_lanes(const struct burst *burst, uint32_t beat)
{
    uint32_t bytes = 1u << burst->size;
    uint32_t aligned = (burst->address & ~(bytes - 1u)) + (beat << burst->size);
    uint32_t from = beat == 0 ? burst->address % BEAT_BYTES : aligned % BEAT_BYTES;
    uint32_t to = aligned % BEAT_BYTES + bytes;
    return (uint8_t)(((1u << to) - 1u) & ~((1u << from) - 1u));
}

static uint8_t response_of(const struct world *world, uint32_t address, uint32_t beats, uint32_t size)
{
    uint32_t aligned = address & ~((1u << size) - 1u);
    uint64_t end = (uint64_t)aligned + ((uint64_t)beats << size);
    return end <= world->options.memory_bytes ? RESP_OKAY : RESP_DECERR;
}

static void commit_write(struct world *world, const struct burst *burst)
{
    if (burst->response != RESP_OKAY) return;
    for (uint32_t beat = 0; beat < burst->beats; beat++) {
        uint8_t *target = world->memory + beat_address(burst, beat);
        if (burst->strobes[beat] == 0xff) {
            memcpy(target, &burst->data[beat], BEAT_BYTES);
        } else {
            for (uint32_t lane = 0; lane < BEAT_BYTES; lane++)
                if (burst->strobes[beat] >> lane & 1) target[lane] = (uint8_t)(burst->data[beat] >> 8 * lane);
        }
    }
}

/* ------------------------------------------------------------------ inputs of the chip for this cycle */

static void drive_read(struct world *world, struct pins *pins)
{
    pins->m_arready = world->reads.count < QUEUE && !stalls(world);
    pins->m_rvalid = 0;
    if (world->reads.count == 0) return;
    const struct burst *burst = at(&world->reads, 0);
    if (!world->r_shown && (world->cycle < burst->due || stalls(world))) return;
    world->r_shown = true;
    pins->m_rvalid = 1;
    pins->m_rlast = world->read_beat == burst->beats - 1;
    pins->m_rresp = burst->response;
    pins->m_rdata = 0;
    if (burst->response == RESP_OKAY)
        memcpy(&pins->m_rdata, world->memory + beat_address(burst, world->read_beat), BEAT_BYTES);
}

static void drive_write(struct world *world, struct pins *pins)
{
    pins->m_awready = world->writes.count < QUEUE && !stalls(world);
    pins->m_wready = world->writes.with_data < world->writes.count && !stalls(world);
    pins->m_bvalid = 0;
    if (world->writes.with_data == 0) return;
    const struct burst *burst = at(&world->writes, 0);
    if (!world->b_shown) {
        if (world->cycle < burst->due || stalls(world)) return;
        commit_write(world, burst);
    }
    world->b_shown = true;
    pins->m_bvalid = 1;
    pins->m_bresp = burst->response;
}

void world_drive(struct world *world, struct pins *pins)
{
    world->cycle++;
    drive_read(world, pins);
    drive_write(world, pins);
}

/* ------------------------------------------------------------------ rules of the bus */

static void break_rule(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void break_rule(struct world *world, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(world->broken, sizeof world->broken, format, arguments);
    va_end(arguments);
}

static void check_offer(struct world *world, struct offer *offer, const char *channel, bool valid, bool ready,
                        uint64_t first, uint64_t second, uint64_t third)
{
    if (offer->waits && !valid) break_rule(world, "%s: valid fell before ready", channel);
    if (offer->waits && valid &&
        (offer->payload[0] != first || offer->payload[1] != second || offer->payload[2] != third))
        break_rule(world, "%s: the payload changed before ready", channel);
    offer->waits = valid && !ready;
    offer->payload[0] = first;
    offer->payload[1] = second;
    offer->payload[2] = third;
}

static void check_address(struct world *world, const char *channel, uint32_t address, uint32_t beats, uint32_t size,
                          uint8_t kind)
{
    uint32_t aligned = address & ~((1u << size) - 1u);
    if (kind != BURST_INCR) break_rule(world, "%s: burst type %u is not INCR", channel, kind);
    if (size > 3) break_rule(world, "%s: size %" PRIu32 " is wider than the bus", channel, size);
    if (aligned % 4096u + (beats << size) > 4096u)
        break_rule(world, "%s: %" PRIu32 " beats of %u bytes at 0x%08" PRIx32 " cross a 4 KiB boundary", channel, beats,
                   1u << size, address);
}

/* ------------------------------------------------------------------ what happened in this cycle */

static void observe_read(struct world *world, const struct pins *pins)
{
    check_offer(world, &world->ar, "AR", pins->m_arvalid, pins->m_arready, pins->m_araddr, pins->m_arlen,
                pins->m_arsize);
    if (pins->m_arvalid)
        check_address(world, "AR", pins->m_araddr, pins->m_arlen + 1u, pins->m_arsize, pins->m_arburst);
    if (!pins->m_rready) break_rule(world, "R: rready is promised to be constant 1");
    if (pins->m_rvalid && pins->m_rready && !pins->m_rheld) {
        world->r_shown = false;
        world->read_beat++;
        if (pins->m_rlast) {
            world->read_beat = 0;
            pop(&world->reads);
        }
    }
    if (pins->m_arvalid && pins->m_arready)
        push(&world->reads, pins->m_araddr, pins->m_arlen + 1u, pins->m_arsize,
             due_after(world, world->options.read_latency),
             response_of(world, pins->m_araddr, pins->m_arlen + 1u, pins->m_arsize));
}

static void observe_write_beat(struct world *world, const struct pins *pins)
{
    struct burst *burst = at(&world->writes, world->writes.with_data);
    uint32_t beat = burst->beats_taken++;
    if (pins->m_wlast != (burst->beats_taken == burst->beats))
        break_rule(world, "W: wlast %u at beat %" PRIu32 " of %" PRIu32, pins->m_wlast, beat + 1, burst->beats);
    if (pins->m_wstrb & ~beat_lanes(burst, beat))
        break_rule(world, "W: strobes %02x outside lanes %02x, burst at 0x%08" PRIx32, pins->m_wstrb,
                   beat_lanes(burst, beat), burst->address);
    burst->data[beat] = pins->m_wdata;
    burst->strobes[beat] = pins->m_wstrb;
    if (burst->beats_taken == burst->beats) {
        burst->due = due_after(world, world->options.write_latency);
        world->writes.with_data++;
    }
}

static void observe_write(struct world *world, const struct pins *pins)
{
    check_offer(world, &world->aw, "AW", pins->m_awvalid, pins->m_awready, pins->m_awaddr, pins->m_awlen,
                pins->m_awsize);
    check_offer(world, &world->w, "W", pins->m_wvalid, pins->m_wready, pins->m_wdata, pins->m_wstrb, pins->m_wlast);
    if (pins->m_awvalid)
        check_address(world, "AW", pins->m_awaddr, pins->m_awlen + 1u, pins->m_awsize, pins->m_awburst);
    if (pins->m_wvalid && pins->m_wready) observe_write_beat(world, pins);
    if (pins->m_bvalid && pins->m_bready && !pins->m_bheld) {
        world->b_shown = false;
        world->writes.with_data--;
        pop(&world->writes);
    }
    if (pins->m_awvalid && pins->m_awready)
        push(&world->writes, pins->m_awaddr, pins->m_awlen + 1u, pins->m_awsize, 0,
             response_of(world, pins->m_awaddr, pins->m_awlen + 1u, pins->m_awsize));
}

const char *world_observe(struct world *world, const struct pins *pins)
{
    world->broken[0] = 0;
    if (pins->rst) {
        world->ar.waits = world->aw.waits = world->w.waits = false;
        return NULL;
    }
    observe_read(world, pins);
    observe_write(world, pins);
    return world->broken[0] ? world->broken : NULL;
}

void world_describe(const struct world *world, char *text, unsigned text_bytes)
{
    const struct queue *reads = &world->reads, *writes = &world->writes;
    int length = snprintf(text, text_bytes, "%" PRIu32 " read bursts, %" PRIu32 " write bursts under way", reads->count,
                          writes->count);
    if (reads->count && length > 0 && (unsigned)length < text_bytes)
        length += snprintf(text + length, text_bytes - (unsigned)length, "; oldest read 0x%08" PRIx32,
                           reads->burst[reads->first].address);
    if (writes->count && length > 0 && (unsigned)length < text_bytes)
        snprintf(text + length, text_bytes - (unsigned)length, "; oldest write 0x%08" PRIx32,
                 writes->burst[writes->first].address);
}
