/* SPDX-License-Identifier: Apache-2.0
 *
 * See world.h. A step: what it does, three small operands a, b, c and a word w, little end first.
 */
#include "world_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKETS_MAX = 40, ROOM_TRIES = 50 };

static const char *input_name = "?";

void world_is_called(const char *name) { input_name = name; }

_Noreturn void world_die(const char *text, uint32_t value)
{
    fprintf(stderr, "world %s: %s (0x%x)\n", input_name, text, (unsigned)value);
    abort();
}

uint32_t world_get(struct fuzz_world *world, uint32_t offset)
{
    uint32_t value = 0;
    world->client.transport.register_read(world->client.transport.context, offset, &value);
    return value;
}

void world_set(struct fuzz_world *world, uint32_t offset, uint32_t value)
{
    world->client.transport.register_write(world->client.transport.context, offset, value);
}

static void poke(struct fuzz_world *world, uint32_t address, uint32_t value)
{
    world->client.transport.memory_write(world->client.transport.context, address, &value, sizeof value);
}

uint32_t world_peek(struct fuzz_world *world, uint32_t address)
{
    uint32_t value = 0;
    world->client.transport.memory_read(world->client.transport.context, address, &value, sizeof value);
    return value;
}

void world_wait(struct fuzz_world *world, uint32_t cycles)
{
    world->client.transport.wait(world->client.transport.context, cycles);
}

/* ------------------------------------------------------------------ answers */

/* What the last completions say that this world can use. */
static void take_answer(struct fuzz_world *world, const struct answer *answer)
{
    const uint32_t tag = answer->tag % WORLD_TAGS, slot = world->slot[tag];
    if (answer->status != STATUS_OK) return;
    if (world->kind[tag] == KIND_ALLOCATION) world->allocation[slot % WORLD_HANDLES].handle = answer->words[0];
    if (world->kind[tag] == KIND_CONTEXT) world->context[slot % WORLD_CONTEXTS] = answer->words[0];
    if (world->kind[tag] == KIND_TIMELINE) world->timeline[slot % WORLD_TIMELINES] = answer->words[0];
}

/* Take every completion that is there; true when that of `tag` was among them. */
bool world_collect(struct fuzz_world *world, uint32_t tag, struct answer *wanted)
{
    struct client *client = &world->client;
    struct answer answer;
    bool is_found = false;
    world_set(world, HOST_IRQ_STATUS_OFFSET, 1);
    uint32_t left = world_get(world, HOST_COMPLETE_TAIL_OFFSET) - client->complete_head;
    if (left > 1u << client->complete_log2) {
        if (!world->moves_head) world_die("answers were overwritten before they were taken", left);
        client->complete_head += left;
        left = 0;
    }
    for (; left > 0u; left--) {
        const uint32_t slot = client->complete_head % (1u << client->complete_log2);
        client->transport.memory_read(client->transport.context, client->complete_base + slot * 32u, &answer, 32);
        client->complete_head++;
        take_answer(world, &answer);
        if (answer.tag != tag || tag == 0u) continue;
        is_found = true;
        *wanted = answer;
    }
    world_set(world, HOST_COMPLETE_HEAD_OFFSET, client->complete_head);
    return is_found;
}

static uint32_t changed(uint32_t word, uint32_t mode, uint32_t value)
{
    static const uint32_t edges[] = {0,          1,          2,          4,         0xfff,    0x1000,
                                     0x7fff,     0x8000,     0xffff,     0x10000,   1u << 24, 1u << 28,
                                     0x7fffffff, 0x80000000, 0xfffffffc, UINT32_MAX};
    switch (mode % 5u) {
    case 0: return word ^ 1u << value % 32u;
    case 1: return value;
    case 2: return word + (value & 0xffu) - 128u;
    case 3: return edges[value % (sizeof edges / sizeof *edges)];
    default: return word ^ value;
    }
}

/* Send, unless the ring stays full. */
void world_send(struct fuzz_world *world, const uint32_t message[16], enum kind kind, uint32_t slot)
{
    struct client *client = &world->client;
    struct answer answer;
    uint32_t words[16];
    memcpy(words, message, sizeof words);
    for (uint32_t i = 0; i < world->spoil_count; i++)
        words[world->spoil[i].word] = changed(words[world->spoil[i].word], world->spoil[i].mode, world->spoil[i].value);
    world->spoil_count = 0;
    words[0] |= world->sender << 16;
    uint32_t tries = 0;
    if (client->submit_tail - world_get(world, HOST_SUBMIT_HEAD_OFFSET) > 1u << client->submit_log2)
        client->submit_tail = world_get(world, HOST_SUBMIT_HEAD_OFFSET); /* a tail of SUBMIT_TAIL's was believed */
    for (; tries < ROOM_TRIES; tries++) {
        if (client->submit_tail - world_get(world, HOST_SUBMIT_HEAD_OFFSET) < 1u << client->submit_log2) break;
        world_wait(world, 20000);
        world_collect(world, 0, &answer);
    }
    if (tries == ROOM_TRIES) return;
    world->kind[client->next_tag % WORLD_TAGS] = (uint8_t)kind;
    world->slot[client->next_tag % WORLD_TAGS] = (uint8_t)slot;
    client_send(client, words);
}

/* ------------------------------------------------------------------ names */

/* The allocation of this number, or the next one that exists. */
static struct client_allocation *allocation_of(struct fuzz_world *world, uint32_t number)
{
    for (uint32_t i = 0; i < WORLD_HANDLES; i++)
        if (world->allocation[(number + i) % WORLD_HANDLES].handle != 0u)
            return &world->allocation[(number + i) % WORLD_HANDLES];
    return &world->allocation[number % WORLD_HANDLES];
}

uint32_t world_handle(struct fuzz_world *world, uint32_t number)
{
    const uint32_t handle = allocation_of(world, number)->handle;
    return number < 0xf0u ? handle : handle ^ 1u << (number & 0xfu) * 2u;
}

uint32_t world_context(struct fuzz_world *world, uint32_t number)
{
    uint32_t context = 0;
    for (uint32_t i = 0; i < WORLD_CONTEXTS && context == 0u; i++) {
        context = world->context[(number + i) % WORLD_CONTEXTS];
        world->sender = world->context_owner[(number + i) % WORLD_CONTEXTS];
    }
    return number < 0xf0u ? context : context ^ 1u << (number & 0xfu) * 2u;
}

static uint32_t bytes_of(struct fuzz_world *world, uint32_t number)
{
    const uint32_t pages = allocation_of(world, number)->pages;
    return pages != 0u ? pages * CLIENT_PAGE : CLIENT_PAGE;
}

/* ------------------------------------------------------------------ messages */

static void keep_pages(struct client *client)
{
    if (client->next_page + 2u * WORLD_PAGES_MAX + 8u > client->transport.memory_bytes / CLIENT_PAGE - 272u)
        client->next_page = CLIENT_FIRST_PAGE;
}

/* Nearly always a legal one; step MESSAGE spoils it. */
static void create_allocation(struct fuzz_world *world, const struct step *step)
{
    static const uint8_t sets[] = {3, 7, 1, 2, 4, 6, 5, 3};
    static const uint16_t flags[] = {ALLOCATION_CPU_VISIBLE,
                                     ALLOCATION_CPU_VISIBLE,
                                     0,
                                     ALLOCATION_CPU_VISIBLE | ALLOCATION_FROM_END,
                                     ALLOCATION_CPU_VISIBLE | ALLOCATION_UNDEFINED,
                                     ALLOCATION_CPU_VISIBLE | ALLOCATION_CACHED,
                                     ALLOCATION_CPU_VISIBLE | ALLOCATION_SYNCHRONOUS_PAGING,
                                     ALLOCATION_SWIZZLED,
                                     ALLOCATION_CPU_VISIBLE | ALLOCATION_PERMANENT_SYSMEM,
                                     ALLOCATION_CPU_VISIBLE | ALLOCATION_PINNED};
    const uint32_t flag = step->w % 37u < 10u ? flags[step->w % 37u] : flags[0];
    const uint32_t pages = 1u + step->b % WORLD_PAGES_MAX;
    const uint32_t set_of = (flag & ALLOCATION_SWIZZLED) != 0u ? 3u : sets[step->c & 7u];
    struct client_allocation *allocation = &world->allocation[step->a % WORLD_HANDLES];
    keep_pages(&world->client);
    allocation->handle = 0;
    client_pages(&world->client, allocation, pages);
    world->sender = world->owner[step->a % WORLD_HANDLES] = narrow_u8(step->client);
    const uint32_t words[16] = {
        [0] = MSG_CREATE_ALLOCATION,
        [MSG_CREATE_ALLOCATION_BYTES] = pages * CLIENT_PAGE - (step->w >> 20 & 3u) * 1000u,
        [MSG_CREATE_ALLOCATION_ALIGNMENT] = (step->c >> 3 & 7u) == 7u ? 1u << (step->w >> 7) % 17u : 0u,
        [MSG_CREATE_ALLOCATION_FLAGS] = flag,
        [MSG_CREATE_ALLOCATION_PREFERRED] = (step->w >> 12 & 3u) == 0u ? lowest_bit(set_of) + 1u : 0u,
        [MSG_CREATE_ALLOCATION_READ_SET] = set_of,
        [MSG_CREATE_ALLOCATION_WRITE_SET] = set_of,
        [MSG_CREATE_ALLOCATION_EVICTION_SET] = (step->c >> 6) == 1u ? 4u : 0u,
        [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u + ((step->w >> 22) << 16),
        [MSG_CREATE_ALLOCATION_PAGES] = allocation->list,
        [MSG_CREATE_ALLOCATION_PITCH] = 32u * (1u + step->b % 8u),
        [MSG_CREATE_ALLOCATION_HEIGHT] = 8u | 1u << 16,
        [MSG_CREATE_ALLOCATION_PATTERN] = step->w,
        [MSG_CREATE_ALLOCATION_BANKS] = (step->c >> 6) == 2u ? step->w & 0x3ffu : 0u,
    };
    for (uint32_t count = step->b == 0xffu ? ALLOCATION_DEFAULT : 1u; count > 0u; count--)
        world_send(world, words, KIND_ALLOCATION, step->a);
}

static void create_context(struct fuzz_world *world, const struct step *step)
{
    const uint32_t words[16] = {MSG_CREATE_CONTEXT, 0, 0, step->b % 15u - 7u};
    world->sender = world->context_owner[step->a % WORLD_CONTEXTS] = narrow_u8(step->client);
    for (uint32_t count = step->c == 0xffu ? CONTEXT_DEFAULT : 1u; count > 0u; count--)
        world_send(world, words, KIND_CONTEXT, step->a);
}

/* Messages about an allocation or a context: word 2 names it, the others come from w. */
static void simple_message(struct fuzz_world *world, const struct step *step)
{
    static const uint8_t codes[] = {MSG_LOCK,
                                    MSG_UNLOCK,
                                    MSG_EVICT,
                                    MSG_OFFER,
                                    MSG_RECLAIM,
                                    MSG_SET_PRIORITY,
                                    MSG_DESTROY_ALLOCATION,
                                    MSG_QUERY_ALLOCATION,
                                    MSG_DESTROY_CONTEXT,
                                    MSG_SET_CONTEXT,
                                    MSG_QUERY_CONTEXT,
                                    MSG_PREEMPT,
                                    MSG_SELF_TEST,
                                    MSG_NOP,
                                    MSG_QUERY_STATISTICS,
                                    MSG_QUERY_SEGMENT};
    static const uint16_t locks[16] = {0,
                                       LOCK_READ_ONLY,
                                       LOCK_DISCARD,
                                       LOCK_WRITE_ONLY,
                                       LOCK_IGNORE_SYNC,
                                       LOCK_DONT_WAIT,
                                       LOCK_READ_ONLY | LOCK_DONT_WAIT,
                                       LOCK_DISCARD | LOCK_DONT_WAIT,
                                       LOCK_DONT_EVICT,
                                       LOCK_READ_ONLY | LOCK_WRITE_ONLY,
                                       LOCK_ACQUIRE_APERTURE,
                                       LOCK_ENTIRE,
                                       LOCK_DISCARD,
                                       LOCK_ACQUIRE_APERTURE | LOCK_IGNORE_SYNC,
                                       LOCK_READ_ONLY,
                                       LOCK_ALTERNATE_VA};
    uint32_t words[16] = {codes[step->a % sizeof codes], 0, world_handle(world, step->b), step->w & 0xffffu};
    if (step->a >= 0xe0u) words[0] = step->a < 0xf8u ? MSG_SHARE : MSG_ADMIT_CLIENT;
    if (step->a >= 0xfau) return world_client(world, step);
    /* The owner says it, or who is named by the step. */
    world->sender = step->client == 3u ? 3u : world->owner[allocation_of(world, step->b) - world->allocation];
    switch (words[0]) {
    case MSG_SHARE:
        words[MSG_SHARE_CLIENT] = step->c & 3u;
        words[MSG_SHARE_RIGHTS] = step->w & 3u;
        break;
    case MSG_ADMIT_CLIENT:
        world->sender = step->client;
        words[MSG_ADMIT_CLIENT_CLIENT] = step->c & 3u;
        break;
    case MSG_LOCK:
        words[MSG_LOCK_FLAGS] = (uint32_t)LOCK_ENTIRE ^ locks[step->w % 16u];
        if ((step->w & 0xe00u) == 0u) words[MSG_LOCK_FLAGS] ^= step->w >> 12;
        if (step->c >= 0x80u) words[MSG_LOCK_PAGES] = allocation_of(world, step->c)->list;
        world_send(world, words, step->c >= 0x80u ? KIND_ALLOCATION : KIND_OTHER,
                   (uint32_t)(allocation_of(world, step->b) - world->allocation));
        return;
    case MSG_EVICT: words[2] = step->c >= 0xc0u ? 0u : words[2]; break;
    case MSG_OFFER: words[MSG_OFFER_PRIORITY] = step->c & 3u; break;
    case MSG_DESTROY_CONTEXT:
    case MSG_QUERY_CONTEXT: words[2] = world_context(world, step->b); break;
    case MSG_SET_CONTEXT:
        words[2] = world_context(world, step->b);
        words[MSG_SET_CONTEXT_CHANGES] = step->c & 3u;
        words[MSG_SET_CONTEXT_PRIORITY] = step->c >> 2 & 7u;
        words[MSG_SET_CONTEXT_BUDGET] = step->w & 0xffu;
        break;
    case MSG_PREEMPT:
    case MSG_SELF_TEST:
        world->sender = step->client;
        words[2] = step->b & 3u;
        break;
    case MSG_QUERY_STATISTICS:
        world->sender = step->client;
        words[2] = 4u * CLIENT_PAGE + (step->w & 0xffcu);
        words[MSG_QUERY_STATISTICS_WORDS] = step->c;
        break;
    case MSG_QUERY_SEGMENT:
        words[2] = (step->b & 1u) != 0u ? DDI_QUERY_SEGMENT3 : DDI_QUERY_SEGMENT;
        words[MSG_QUERY_SEGMENT_ADDRESS] = (step->b & 2u) != 0u ? 4u * CLIENT_PAGE : 0u;
        words[MSG_QUERY_SEGMENT_COUNT] = step->c & 15u;
        break;
    default: break;
    }
    world_send(world, words, KIND_OTHER, 0);
}

static void raw_message(struct fuzz_world *world, const struct step *step)
{
    uint32_t words[16] = {step->a, 0, step->w};
    world->sender = step->client;
    for (uint32_t i = 3; i < 16u; i++) words[i] = changed(step->w, i, step->b * i + step->c);
    world_send(world, words, KIND_OTHER, 0);
}

/* ------------------------------------------------------------------ streams */

static void reference(struct fuzz_world *world, uint32_t number, uint32_t slot, uint32_t offset, bool is_written)
{
    stream_patch(&world->stream, stream_list(&world->stream, world_handle(world, number), is_written), slot, offset);
    stream_push(&world->stream, 0xdeadbeefu);
}

/* The packet's kind in the low bits of a, its slots in the high ones; b and c name allocations. */
static void add_packet(struct fuzz_world *world, const struct step *step)
{
    struct stream *stream = &world->stream;
    const uint32_t slot = step->a >> 4, other = slot + 16u, w = step->w;
    const uint32_t bytes = 1u + w % bytes_of(world, step->c), offset = (w >> 24 & 7u) * 64u;
    if (world->packets++ == PACKETS_MAX) stream_init(stream), world->packets = 0;
    if ((w >> 27 & 3u) != 3u) stream->split = stream->used * 4u;
    static const uint8_t kinds[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 4, 7, 7, 8};
    const uint32_t kind = step->c < 0xf8u ? kinds[step->a & 15u] : step->a & 15u; /* others are no user's */
    switch (kind) {
    case 0: stream_fill(stream, world_handle(world, step->c), offset, bytes, w, slot); return;
    case 1:
        stream_copy(stream, world_handle(world, step->b), offset, world_handle(world, step->c), 0, bytes, slot);
        return;
    case 2: stream_push(stream, PKT_COPY_2D | (w & 3u) << 30); break;
    case 3: stream_push(stream, PKT_TILE | (w & 1u) << PKT_TILE_UNTILE_LSB); break;
    case 4:
    case 5:
        stream_push(stream, PKT_BIND | FIELD_PUT(slot & 7u, PKT_BIND_SLOT) |
                                (w >> 29 | ((w >> 29) == FORMAT_A8 ? (w & 6u) << 2 : 0u)) << PKT_BIND_FORMAT_LSB);
        reference(world, step->c, slot & 7u, 0, (w & 1u) == 0u);
        stream_push(stream, 64u + (w >> 1 & 63u) * 4u);
        stream_push(stream, bytes_of(world, step->c));
        return;
    case 6: stream_unbind(stream, slot & 7u); return;
    case 7: stream_fill_rect(stream, slot & 7u, w & 7u, w >> 3 & 7u, w >> 6 & 15u, w >> 10 & 15u, w); return;
    case 8:
        stream_push(stream, PKT_BLIT | FIELD_PUT(slot & 7u, PKT_BLIT_TARGET) |
                                FIELD_PUT(step->b & 7u, PKT_BLIT_SOURCE) | (w & 7u) << PKT_BLIT_MODE_LSB |
                                (step->c & 31u) << PKT_BLIT_PREMULTIPLIED_LSB |
                                (step->c >> 5 & 1u) << PKT_BLIT_TRUNCATED_LSB);
        stream_push(stream, (w >> 3 & 7u) | (w >> 6 & 7u) << 16);
        stream_push(stream, (w >> 9 & 7u) | (w >> 12 & 7u) << 16);
        stream_push(stream, (w >> 15 & 15u) | (w >> 19 & 15u) << 16);
        stream_push(stream, w);
        stream_push(stream, w >> 24);
        return;
    case 9:
        if ((w & 1u) == 0u) {
            stream_push(stream, PKT_NOP);
            return;
        }
        stream_push(stream, PKT_PALETTE);
        reference(world, step->c, slot, offset & ~255u, false);
        return;
    case 10: stream_push(stream, w); return;
    case 11:
        stream_push(stream, PKT_TOUCH | (w & 0x1f00u));
        reference(world, step->c, slot, 0, true);
        return;
    case 12: /* from 8 x 8 units, enlarged, turned or as wild as w is */
        stream_push(stream, PKT_BLIT_AFFINE | FIELD_PUT(slot & 7u, PKT_BLIT_AFFINE_TARGET) |
                                FIELD_PUT(step->b & 7u, PKT_BLIT_AFFINE_SOURCE) | (w & 7u) << PKT_BLIT_AFFINE_MODE_LSB |
                                (w >> 3 & 3u) << PKT_BLIT_AFFINE_TRANSPARENT_LSB);
        stream_push(stream, (w >> 4 & 7u) | (w >> 7 & 7u) << 16);
        stream_push(stream, 0);
        stream_push(stream, (w >> 10 & 15u) | (w >> 14 & 15u) << 16);
        stream_push(stream, w);
        stream_push(stream, FIELD_PUT(w >> 5, PKT_BLIT_AFFINE_BILINEAR));
        stream_push(stream, 8u | 8u << 16);
        for (uint32_t i = 0; i < 6u; i++) stream_push(stream, (w << (5u * i) | w >> (31u - 5u * i)) >> (w >> 18 & 15u));
        return;
    default: /* a packet of the ring's, or an opcode that there is not */
        stream_push(stream, step->b);
        stream_push(stream, w);
        stream_push(stream, w >> 8);
        return;
    }
    reference(world, step->b, slot, offset & ~255u, false);
    reference(world, step->c, other, 0, true);
    const uint32_t row_bytes = kind == 3u ? 32u * (1u + (w >> 2 & 3u)) : w >> 2 & 0xffu;
    const uint32_t rows = kind == 3u ? 8u * (1u + (w >> 4 & 1u)) : w >> 10 & 0x3fu;
    stream_push(stream, row_bytes | rows << 16);
    stream_push(stream, kind == 3u ? 128u : (w >> 16 & 0xffu) | (w >> 8 & 0xffu) << 16);
}

static void submit(struct fuzz_world *world, const struct step *step)
{
    uint32_t words[16];
    world->stage = step->b % 16u;
    client_stage(&world->client, &world->stream, world_context(world, step->a), world->stage, words);
    words[MSG_SUBMIT_FLAGS] = (step->c & 0xfu) == 0xfu;
    if (step->client == 3u) world->sender = 3;
    if ((step->c & 0x10u) != 0u) {
        words[MSG_SUBMIT_FLAGS] |= (uint32_t)SUBMIT_FLAG_POINTS;
        world_points(world, step->w, &words[MSG_SUBMIT_WAIT_TIMELINE]);
    }
    for (uint32_t count = 1u + (step->c >> 6); count > 0u; count--) world_send(world, words, KIND_OTHER, 0);
    if ((step->c & 0x20u) != 0u) return; /* the same stream again */
    stream_init(&world->stream);
    world->packets = 0;
}

/* ------------------------------------------------------------------ spoiling */

/* A place that the firmware reads, or has read. */
static uint32_t place_of(const struct fuzz_world *world, uint32_t where, uint32_t offset)
{
    const struct client *client = &world->client;
    const uint32_t stage = client->transport.memory_bytes - (world->stage + 1u) * 65536u;
    const uint32_t list = stage + STREAM_WORDS * 4u, patches = list + STREAM_LIST * 8u;
    switch (where % 8u) {
    case 0: return client->submit_base + offset * 4u % (64u << client->submit_log2);
    case 1: return client->complete_base + offset * 4u % (32u << client->complete_log2);
    case 2: return stage + offset * 4u % (STREAM_WORDS * 4u);
    case 3: return list + offset * 4u % (STREAM_LIST * 8u);
    case 4: return patches + offset * 4u % 0x6000u;
    case 5: return world->allocation[where >> 4].list + offset % WORLD_PAGES_MAX * 4u;
    case 6: return CLIENT_DUMMY_PAGE * (uint32_t)CLIENT_PAGE + offset * 4u % (uint32_t)CLIENT_PAGE;
    default: return offset * 4096u % client->transport.memory_bytes;
    }
}

static void spoil_memory(struct fuzz_world *world, const struct step *step)
{
    const uint32_t place = place_of(world, step->a, step->b | (step->c & 0x1fu) << 8);
    const uint32_t behind = world->client.transport.memory_bytes / CLIENT_PAGE; /* the first page that is nobody's */
    poke(world, place, step->c >= 0xc0u ? behind : changed(world_peek(world, place), step->c >> 5, step->w));
}

static void spoil_register(struct fuzz_world *world, const struct step *step)
{
    static const uint16_t offsets[] = {
        HOST_SUBMIT_TAIL_OFFSET,     HOST_COMPLETE_HEAD_OFFSET, HOST_FORCE_OFFSET,          HOST_FORCE_OFFSET,
        HOST_IRQ_ENABLE_OFFSET,      HOST_IRQ_STATUS_OFFSET,    HOST_SUBMIT_BASE_OFFSET,    HOST_SUBMIT_SIZE_OFFSET,
        HOST_COMPLETE_BASE_OFFSET,   HOST_COMPLETE_SIZE_OFFSET, HOST_SYSTEM_PAGES_OFFSET,   HOST_DUMMY_PAGE_OFFSET,
        HOST_TIMEOUT_OFFSET,         HOST_PREEMPT_DELAY_OFFSET, HOST_PORTION_LIMIT_OFFSET,  HOST_RECOVERY_LIMIT_OFFSET,
        HOST_RECOVERY_WINDOW_OFFSET, HOST_COMMIT_LIMIT_OFFSET,  HOST_SEGMENT1_LIMIT_OFFSET, HOST_SEGMENT2_LIMIT_OFFSET,
        HOST_BOOT_OPTIONS_OFFSET,    HOST_ABI_HOST_OFFSET,      HOST_LOAD_ADDRESS_OFFSET,   HOST_LOAD_DATA_OFFSET};
    const uint32_t offset = offsets[step->a % (sizeof offsets / sizeof *offsets)];
    if (offset == HOST_SUBMIT_TAIL_OFFSET) world->moves_tail = true;
    if (offset == HOST_COMPLETE_HEAD_OFFSET) world->moves_head = true;
    world_set(world, offset, changed(world_get(world, offset), step->b, step->w));
    world_wait(world, step->c * 64u);
}

static void spoil_message(struct fuzz_world *world, const struct step *step)
{
    if (world->spoil_count == WORLD_SPOILS) return;
    world->spoil[world->spoil_count].word = step->a % 16u;
    world->spoil[world->spoil_count].mode = step->b;
    world->spoil[world->spoil_count++].value = step->w;
}

static void pass_time(struct fuzz_world *world, const struct step *step)
{
    struct answer answer;
    for (uint32_t i = 0; i <= step->a % 8u; i++) {
        world_wait(world, 1u + step->b * 256u);
        if ((step->c & 3u) != 3u) world_collect(world, 0, &answer);
    }
}

static void do_step(struct fuzz_world *world, const struct step *step)
{
    switch (step->what) {
    case 0:
    case 1: pass_time(world, step); break;
    case 2: create_context(world, step); break;
    case 3:
    case 4: create_allocation(world, step); break;
    case 5:
    case 6:
    case 7: add_packet(world, step); break;
    case 8:
    case 9: submit(world, step); break;
    case 10:
        if (world->has_display && step->a >= 0xc0u && step->a < 0xe0u) world_display(world, step);
        else if (step->a >= 0xa0u && step->a < 0xc0u) world_timeline(world, step);
        else simple_message(world, step);
        break;
    case 11: spoil_memory(world, step); break;
    case 12: spoil_register(world, step); break;
    case 13: spoil_message(world, step); break;
    case 14:
        if (world->hooks != NULL) world->hooks->spoil_read(world, step->a | (step->b & 0xfu) << 8, step->c, step->w);
        break;
    default:
        if (step->a < 0x80u) raw_message(world, step);
        else if (world->hooks != NULL) world->hooks->disturb(world, step->a, step->w);
        break;
    }
}

/* ------------------------------------------------------------------ a world */

struct world_boot world_read_header(const uint8_t *bytes, size_t count)
{
    static const uint16_t allocations[] = {0, 32, 1500, 4096}, contexts[] = {0, 1, 100, CONTEXT_MAXIMUM};
    static const uint16_t entries[] = {0, 64, 2048, LIST_MAXIMUM};
    static const uint32_t dma_bytes[] = {0, 4096, 40000, DMA_BYTES_MAXIMUM};
    uint8_t h[WORLD_HEADER_BYTES] = {0};
    if (count != 0u) memcpy(h, bytes, count < sizeof h ? count : sizeof h);
    return (struct world_boot){
        .segment1_pages = 2u + h[0] % 24u,
        .segment2_pages = 2u + h[1] % 40u,
        .aperture_pages = 4u + h[2] % 64u,
        .client = {.options = FIELD_PUT(h[3] & 1u, HOST_BOOT_OPTIONS_DESCRIPTION) |
                              FIELD_PUT(h[3] >> 1 & 1u, HOST_BOOT_OPTIONS_PLAIN_QUERY) |
                              FIELD_PUT(h[3] >> 2 & 7u, HOST_BOOT_OPTIONS_TRANSFER_PAGES) |
                              FIELD_PUT(h[4] == 0u ? 0u : 4u + h[4], HOST_BOOT_OPTIONS_PAGING_WORDS),
                   .ring_log2 = 1u + h[5] % 6u,
                   .force = (h[6] & 0xffu) | (uint32_t)(h[7] & 1u) << HOST_FORCE_POLICY_LSB |
                            (uint32_t)(h[7] >> 1 & 1u) << HOST_FORCE_NO_SHARES_LSB |
                            (uint32_t)(h[7] >> 2 & 1u) << HOST_FORCE_MOVE_BOUND_LSB |
                            (uint32_t)(h[7] >> 3 & 1u) << HOST_FORCE_STEP_PLAN_LSB |
                            (uint32_t)(h[7] >> 4 & 1u) << HOST_FORCE_NO_LISTS_LSB,
                   .commit_limit = h[8],
                   .allocations = allocations[h[18] & 3u],
                   .contexts = contexts[h[18] >> 2 & 3u],
                   .list_entries = entries[h[18] >> 4 & 3u],
                   .dma_bytes = dma_bytes[h[18] >> 6],
                   .timeout = h[9] * 2000u,
                   .recovery_limit = h[10] & 15u,
                   .system_pages = (h[13] & 0xfu) == 0xfu ? 0x10000u << (h[13] >> 4 & 3u) : 0u},
        .seed = h[11],
        .look_cycles = h[12] * 16u,
        .first_fence = h[19] == 0u ? 0u : 0xffffff00u + h[19],
        .register_offset = (h[14] & 63u) * 4u,
        .register_value = ((uint32_t)h[15] | (uint32_t)h[16] << 8) << h[17] % 32u,
        .spoils_register = (h[14] & 0xc0u) == 0xc0u,
    };
}

/* Has the firmware been told of rings that are not where this host writes? Then no answer can be expected. */
static bool has_moved_ring(const struct world_boot *boot)
{
    const uint32_t offset = boot->register_offset;
    return boot->spoils_register && (offset == HOST_SUBMIT_BASE_OFFSET || offset == HOST_SUBMIT_SIZE_OFFSET ||
                                     offset == HOST_COMPLETE_BASE_OFFSET || offset == HOST_COMPLETE_SIZE_OFFSET);
}

bool world_run(struct fuzz_world *world, const struct world_boot *boot, const uint8_t *bytes, size_t count)
{
    static const uint8_t clients[16] = {[11] = 1, [12] = 1, [13] = 2, [14] = 2, [15] = 3};
    struct client_boot client = boot->client;
    world->may_recover = client.timeout != 0u || client.recovery_limit != 0u || boot->spoils_register;
    world->reads_beyond = client.system_pages != 0u || boot->spoils_register;
    if (client.system_pages == 0u) client.system_pages = world->client.transport.memory_bytes / CLIENT_PAGE;
    stream_init(&world->stream);
    world_guard(world, false);
    const bool is_booted = client_start(&world->client, &client);
    if (!is_booted && world_get(world, HOST_BOOT_STATUS_OFFSET) < 0x80000000u)
        world_die("neither booted nor refused", 0);
    const bool is_heard = is_booted && !has_moved_ring(boot); /* calm() puts that right */
    world->first_head = world_get(world, HOST_SUBMIT_HEAD_OFFSET);
    world->first_tail = world_get(world, HOST_COMPLETE_TAIL_OFFSET);
    size_t at = WORLD_HEADER_BYTES;
    for (uint32_t i = 0; is_booted && i < WORLD_STEPS_MAX && count >= at + WORLD_STEP_BYTES; i++) {
        const uint8_t *b = bytes + at;
        const struct step step = {
            b[0] & 15u, clients[b[0] >> 4],
            b[1],       b[2],
            b[3],       (uint32_t)b[4] | (uint32_t)b[5] << 8 | (uint32_t)b[6] << 16 | (uint32_t)b[7] << 24};
        do_step(world, &step);
        at += WORLD_STEP_BYTES;
        if (world_has_stopped(world)) break;
    }
    if (world->hooks != NULL) world->hooks->calm(world);
    const bool has_stopped = is_booted && world_has_stopped(world);
    if (is_heard && !has_stopped) world_settle(world);
    if (is_heard && !world_has_stopped(world)) world_serve(world);
    world_guard(world, true);
    return is_heard;
}
