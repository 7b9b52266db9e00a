/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: no submission, however broken, makes validation crash, hang, read the host's memory twice or write
 * outside the job; and whatever it accepts is safe to execute and to split anywhere (DMA-11, DMA-12, SPL-18).
 * Method: seeded random jobs that know the packets, submitted as they are and again after a few words or
 * bits were spoiled; every accepted one goes before both judges of job_oracle.h. At the end the run must
 * have met acceptances, splits and every refusal that a submission can meet, or it has proved nothing.
 *
 * fuzz_jobs [--seed N] [--jobs N] [--mutations N]; a failure names the seed and the job.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../rows.h"
#include "gpu_names.h"
#include "job_oracle.h"

enum { EXECUTE_BYTES_MAX = 48 * 1024, PACKETS_MAX = 24, GENERATED_SLOTS = 6 };

static struct submission base, spoiled;
static struct verdict verdict;
static uint64_t random_state;
static unsigned long current_seed, current_job;

static uint32_t next_random(void)
{
    random_state += 0x9e3779b97f4a7c15ull; /* splitmix64 */
    uint64_t z = random_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)(z >> 32);
}

static uint32_t below(uint32_t limit) { return limit == 0 ? 0 : next_random() % limit; }
static bool chance(uint32_t percent) { return below(100) < percent; }

static void on_abort(int number)
{
    char text[96];
    int length = snprintf(text, sizeof text, "fuzz_jobs: failed at --seed %lu, job %lu\n", current_seed, current_job);
    if (length > 0 && write(STDERR_FILENO, text, (size_t)length) < 0) _exit(2);
    signal(number, SIG_DFL);
    raise(number);
}

/* ------------------------------------------------------------------ jobs that are nearly always sound */

struct bound {
    uint32_t format, pitch, width, height; /* 0 width: unbound */
    bool is_written;
};

struct generator {
    struct submission *s;
    uint32_t allocation[8]; /* of each list entry; NULL is entry 0 */
    uint32_t last_split;
    uint32_t packet_starts[PACKETS_MAX + 1], packets;
    struct bound bound[GENERATED_SLOTS];
};

static uint32_t bytes_of(const struct generator *g, uint32_t list_index)
{
    return bench_bytes((enum bench_allocation)g->allocation[list_index]);
}

static uint32_t pick_list(const struct generator *g) { return 1 + below(g->s->list_count - 1u); }

/* A list entry that may be written, or any with a small chance. */
static uint32_t pick_target(const struct generator *g)
{
    for (uint32_t tries = 0; tries < 8; tries++) {
        uint32_t index = pick_list(g);
        if (g->s->list[index * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_FLAGS] & LIST_FLAG_WRITE) return index;
    }
    return pick_list(g);
}

/* A split offset for the packet that starts now: mostly here, else an earlier packet that keeps the order. */
static uint32_t pick_split(struct generator *g)
{
    uint32_t here = g->s->dma_words * 4u, split = here;
    if (chance(30) && g->packets > 0) {
        uint32_t earlier = g->packet_starts[below(g->packets)];
        split = earlier >= g->last_split ? earlier : g->last_split;
    } else if (chance(20)) {
        split = g->last_split;
    }
    g->last_split = split;
    return split;
}

static struct reference refer(struct generator *g, uint32_t list_index, uint32_t offset)
{
    uint32_t slot = chance(10) ? below(GENERATED_SLOTS) : GENERATED_SLOTS + below(SLOT_LIMIT - GENERATED_SLOTS);
    return (struct reference){list_index, slot, offset, pick_split(g)};
}

static void generate_copy(struct generator *g)
{
    uint32_t source = pick_list(g), target = pick_target(g);
    uint32_t bytes = 1 + below(2000), flags = below(4) << PKT_COPY_REVERSE_LSB;
    uint32_t source_offset = below(bytes_of(g, source) - bytes + 1u);
    uint32_t target_offset = below(bytes_of(g, target) - bytes + 1u);
    struct reference from = refer(g, source, source_offset), to = refer(g, target, target_offset);
    submission_copy(g->s, flags, from, to, bytes);
}

static void generate_fill(struct generator *g)
{
    uint32_t target = pick_target(g), bytes = 1 + below(2000);
    uint32_t offset = bytes_of(g, target) - bytes - (bytes < 1000 ? below(16) : 0);
    submission_fill(g->s, refer(g, target, offset), bytes, next_random());
}

static void generate_copy_2d(struct generator *g)
{
    uint32_t source = pick_list(g), target = pick_target(g), row_bytes = 1 + below(60), rows = 1 + below(30);
    uint32_t source_pitch = row_bytes + below(60), target_pitch = row_bytes + below(60);
    struct reference from = refer(g, source, below(100)), to = refer(g, target, below(100));
    submission_copy_2d(g->s, below(4) << PKT_COPY_2D_REVERSE_LSB, from, to, row_bytes, rows, source_pitch,
                       target_pitch);
}

static void generate_tile(struct generator *g)
{
    uint32_t source = pick_list(g), target = pick_target(g), is_untile = below(2);
    uint32_t source_offset = below(4) * (is_untile ? 256 : 8), target_offset = below(4) * (is_untile ? 8 : 256);
    struct reference from = refer(g, source, source_offset), to = refer(g, target, target_offset);
    submission_tile(g->s, FIELD_PUT(is_untile, PKT_TILE_UNTILE), from, to, 32 * (1 + below(3)), 8 * (1 + below(3)),
                    96 + 8 * below(4));
}

static void generate_bind(struct generator *g)
{
    static const uint8_t unit_bytes[] = {1, 2, 4, 4, 3, 2, 1, 1}; /* in the order of the FORMAT group */
    static const uint8_t parts[] = {FORMAT_A4, FORMAT_A2, FORMAT_A1};
    uint32_t list_index = chance(10) ? 0 : pick_target(g), slot = below(GENERATED_SLOTS);
    struct bound *bound = &g->bound[slot];
    struct reference surface = refer(g, list_index, below(8) * 4);
    surface.slot = slot;
    bound->format = chance(40) ? FORMAT_ARGB8888 : below(8), bound->pitch = 64 + below(64);
    uint32_t bytes = list_index == 0 ? 0 : bytes_of(g, list_index) - surface.offset;
    bound->width = list_index == 0 ? 0 : 64u / unit_bytes[bound->format];
    bound->height = bytes / bound->pitch;
    if (chance(20)) { /* units that are parts of bytes; seldom a number that is no format */
        const uint32_t depth = 1u + below(3);
        bound->format = chance(4) ? 8u + below(24) : parts[depth - 1u];
        bound->height = (bytes << depth) / bound->pitch;
        bound->width = bound->width == 0 ? 0 : 64;
    }
    submission_bind(g->s, surface, bound->format, bound->pitch, bytes);
}

/* A slot with something bound, if a few tries find one. */
static uint32_t pick_bound(const struct generator *g)
{
    for (uint32_t tries = 0; tries < 20; tries++) {
        uint32_t slot = below(GENERATED_SLOTS);
        if (g->bound[slot].width != 0) return slot;
    }
    return below(GENERATED_SLOTS);
}

static bool has_bound(const struct generator *g)
{
    for (uint32_t slot = 0; slot < GENERATED_SLOTS; slot++)
        if (g->bound[slot].width != 0) return true;
    return false;
}

static void generate_fill_rect(struct generator *g)
{
    if (!has_bound(g) && chance(95)) {
        generate_bind(g);
        return;
    }
    uint32_t slot = pick_bound(g);
    const struct bound *b = &g->bound[slot];
    uint32_t x = below(b->width), y = below(b->height);
    uint32_t height = below(b->height - y + 1u);
    submission_fill_rect(g->s, slot, x, y, below(b->width - x + 1u), height > 20 ? 20 : height, next_random());
}

/* Nine in ten are aligned. */
static void generate_palette(struct generator *g)
{
    const uint32_t list_index = pick_list(g);
    submission_palette(g->s, refer(g, list_index, below(4) * 256u + (chance(10) ? 4u << below(6) : 0u)));
}

/* A palette for what needs one, nine times in ten. */
static void generate_colours(struct generator *g, const struct bound *from, const struct bound *to)
{
    if (from->format == FORMAT_INDEX8 && to->format != FORMAT_INDEX8 && chance(90)) generate_palette(g);
}

static void generate_blit(struct generator *g)
{
    static const uint8_t legal_for_bytes[] = {BLIT_COPY, BLIT_ROP};
    static const uint8_t legal_for_pairs[] = {BLIT_COPY, BLIT_KEY, BLIT_BLEND, BLIT_ADD, BLIT_MOD};
    if (!has_bound(g) && chance(95)) {
        generate_bind(g);
        return;
    }
    uint32_t source = pick_bound(g), target = pick_bound(g);
    for (uint32_t tries = 0; tries < 4u && g->bound[target].format > FORMAT_INDEX8; tries++) target = pick_bound(g);
    const struct bound *from = &g->bound[source], *to = &g->bound[target];
    const bool is_mask = (from->format & 7u) == FORMAT_A8;
    struct blit blit = {.source = source, .target = target, .value = next_random(), .rop = below(256)};
    const bool is_bytes = from->format == FORMAT_BYTES || from->format == FORMAT_A8 || from->format == FORMAT_INDEX8;
    blit.mode = from->format != to->format      ? legal_for_pairs[below(5)]
                : is_bytes                      ? legal_for_bytes[below(2)]
                : from->format == FORMAT_RGB888 ? legal_for_pairs[below(5)]
                                                : below(6);
    if (is_mask && blit.mode == BLIT_KEY && chance(90)) blit.mode = BLIT_BLEND;
    if (chance(2)) blit.mode = below(8);
    generate_colours(g, from, to);
    blit.flags = below(2) << PKT_BLIT_BARRIER_LSB | below(2) << PKT_BLIT_PREMULTIPLIED_LSB |
                 (blit.mode == BLIT_ROP ? 0 : below(4)) << PKT_BLIT_TRUNCATED_LSB;
    if (blit.mode != BLIT_KEY && blit.mode != BLIT_ROP && from->format != FORMAT_BYTES && to->format != FORMAT_A8 &&
        to->format != FORMAT_INDEX8)
        blit.flags |= below(2) << PKT_BLIT_COLOURED_LSB | (is_mask ? 0 : below(2)) << PKT_BLIT_KEYED_LSB;
    else if (blit.mode == BLIT_COPY && from->format == to->format) blit.flags |= below(2) << PKT_BLIT_REVERSE_LSB;
    blit.width = 1 + below(16), blit.height = 1 + below(12);
    blit.source_x = below(from->width - min_u32(from->width, blit.width) + 1u);
    blit.target_x = below(to->width - min_u32(to->width, blit.width) + 1u);
    blit.source_y = below(from->height - min_u32(from->height, blit.height) + 1u);
    blit.target_y = below(to->height - min_u32(to->height, blit.height) + 1u);
    submission_blit(g->s, blit);
}

/* One in eight has a map from anywhere, which is seldom legal, one in 16 none that has an inverse, one in eight any
 * mode and a key. */
static void generate_affine(struct generator *g)
{
    if (!has_bound(g)) {
        generate_bind(g);
        return;
    }
    const uint32_t source = pick_bound(g), target = pick_bound(g), is_wild = chance(12);
    const struct bound *from = &g->bound[source], *to = &g->bound[target];
    const bool has_colours = from->format != FORMAT_BYTES && to->format != FORMAT_BYTES && to->format != FORMAT_A8 &&
                             to->format != FORMAT_INDEX8;
    if (!has_colours && chance(80)) {
        generate_bind(g);
        return;
    }
    struct affine affine = {.blit = {.source = source, .target = target, .value = next_random()}};
    const bool is_any = chance(12);
    affine.blit.mode = is_any ? below(8) : (uint32_t[]){BLIT_COPY, BLIT_BLEND, BLIT_ADD, BLIT_MOD}[below(4)];
    affine.blit.flags = below(2) << PKT_BLIT_AFFINE_BARRIER_LSB |
                        below(chance(3) ? 4 : 3) << PKT_BLIT_AFFINE_TRANSPARENT_LSB |
                        below(2) << PKT_BLIT_AFFINE_COLOURED_LSB | (is_any ? below(2) : 0) << PKT_BLIT_AFFINE_KEYED_LSB;
    affine.blit.rop = below(2);
    affine.blit.width = below(min_u32(to->width, 16) + 1u), affine.blit.height = below(min_u32(to->height, 12) + 1u);
    affine.blit.target_x = below(to->width - affine.blit.width + 1u);
    affine.blit.target_y = below(to->height - affine.blit.height + 1u);
    affine.columns = 1 + below(min_u32(from->width, 20)), affine.rows = 1 + below(min_u32(from->height, 20));
    affine.blit.source_x = below(from->width - min_u32(from->width, affine.columns) + 1u);
    affine.blit.source_y = below(from->height - min_u32(from->height, affine.rows) + 1u);
    for (uint32_t i = 0; i < 6; i++) affine.map[i] = is_wild ? next_random() : below(0x80000) - 0x40000u;
    if (chance(6)) affine.map[4] = affine.map[2], affine.map[5] = affine.map[3];
    generate_colours(g, from, to);
    submission_affine(g->s, &affine);
}

/* Neighbours in the patch list with one split offset may stand in any order. */
static void shuffle_patches(struct submission *s)
{
    for (uint32_t n = 0; n + 1 < s->patch_count; n++) {
        uint32_t *first = submission_patch(s, n, PATCH_ALLOCATION_INDEX);
        uint32_t *second = submission_patch(s, n + 1u, PATCH_ALLOCATION_INDEX);
        uint32_t keep[LIMIT_BITS_PATCH_ENTRY_WORDS];
        if (first[PATCH_SPLIT_OFFSET] != second[PATCH_SPLIT_OFFSET] || chance(50)) continue;
        memcpy(keep, first, sizeof keep);
        memcpy(first, second, sizeof keep);
        memcpy(second, keep, sizeof keep);
    }
}

/* Half of the jobs hold only what the examiner knows. */
static void generate(struct submission *s)
{
    enum { DIRECT = 5, PACKETS = 11 };
    static void (*const packets[PACKETS])(struct generator *) = {
        generate_affine, generate_copy, generate_fill,      generate_copy_2d, generate_tile, generate_bind,
        generate_bind,   generate_bind, generate_fill_rect, generate_blit,    generate_blit};
    const uint32_t first = chance(50) ? DIRECT : 0;
    struct generator g = {.s = s};
    submission_begin(s);
    submission_list(s, 0, false);
    for (uint32_t count = 2 + below(4); count > 0; count--) {
        uint32_t allocation = below(BENCH_D + 1);
        g.allocation[submission_list(s, bench_handle((enum bench_allocation)allocation), chance(80))] = allocation;
    }
    for (uint32_t count = below(PACKETS_MAX); count > 0; count--) {
        g.packet_starts[g.packets] = s->dma_words * 4u;
        if (chance(10)) submission_nop(s);
        else packets[first + below(PACKETS - first)](&g);
        g.packets++;
    }
    shuffle_patches(s);
    submission_end(s);
}

/* ------------------------------------------------------------------ spoiling */

static uint32_t spoil_word(uint32_t word)
{
    static const uint32_t interesting[] = {0,      1,      4,       63,         64,         1024,       0x7fff,
                                           0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
    switch (below(4)) {
    case 0: return word ^ 1u << below(32);
    case 1: return word + below(17) - 8u;
    case 2: return interesting[below(sizeof interesting / sizeof interesting[0])];
    default: return word ^ 1u << below(32) ^ 1u << below(32);
    }
}

static void spoil(struct submission *s)
{
    uint32_t *a, *b;
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        if (s->dma_words > 0) {
            a = &s->dma[below(s->dma_words)];
            *a = spoil_word(*a);
        }
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        if (s->patch_count > 0) {
            a = submission_patch(s, below(s->patch_count), (enum gpu_patch_entry)below(LIMIT_BITS_PATCH_ENTRY_WORDS));
            *a = chance(30) ? below(s->dma_words + 1u) * 4u : spoil_word(*a);
        }
        break;
    case 8:
        a = &s->list[below(s->list_count * LIMIT_BITS_LIST_ENTRY_WORDS)];
        *a = chance(50) ? bench_handle((enum bench_allocation)below(BENCH_HUGE)) : spoil_word(*a);
        break;
    case 9: /* two words of the stream change places */
        if (s->dma_words > 0) {
            a = &s->dma[below(s->dma_words)], b = &s->dma[below(s->dma_words)];
            uint32_t keep = *a;
            *a = *b, *b = keep;
        }
        break;
    case 10: /* a length that lies */
        a = &s->message[chance(50)   ? MSG_SUBMIT_DMA_BYTES
                        : chance(50) ? MSG_SUBMIT_LIST_COUNT
                                     : MSG_SUBMIT_PATCH_COUNT];
        *a = chance(70) ? below(*a + 2u) & (a == &s->message[MSG_SUBMIT_DMA_BYTES] ? ~3u : ~0u) : spoil_word(*a);
        break;
    default:
        a = &s->message[MSG_SUBMIT_DMA + below(7)];
        *a = spoil_word(*a);
        break;
    }
}

/* ------------------------------------------------------------------ the run */

struct tally {
    unsigned long accepted, spoiled_accepted, executed, portions, refused[STATUS_COUNT];
};

/* Do the oracles see the words that the device saw? Not when an address was spoiled. */
static bool lies_where_written(const struct submission *s)
{
    return s->message[MSG_SUBMIT_DMA] == BENCH_DMA_ADDRESS && s->message[MSG_SUBMIT_LIST] == BENCH_LIST_ADDRESS &&
           s->message[MSG_SUBMIT_PATCHES] == BENCH_PATCH_ADDRESS;
}

static bool names_huge(const struct job *job)
{
    for (uint32_t i = 0; i < job->patch_count; i++)
        if (job->patches[i].allocation != PATCH_NULL && job->patches[i].allocation > BENCH_D) return true;
    return false;
}

static bool judge(const struct submission *s, struct tally *tally)
{
    uint64_t bytes = 0;
    bench_submit(s, PATCH_LIMIT, &verdict);
    if (!verdict.is_accepted) {
        tally->refused[verdict.why.status]++;
        return false;
    }
    if (!lies_where_written(s)) return true;
    oracle_check_extents(s, &bytes);
    if (bytes <= EXECUTE_BYTES_MAX && !names_huge(&verdict.job)) {
        tally->portions += oracle_execute(&verdict.job, next_random());
        tally->executed++;
    }
    return true;
}

static int report(const struct tally *tally, unsigned long jobs, unsigned long mutations)
{
    /* Every refusal the mutations can reach; BUSY needs a smaller room (test_validate_whole.c). */
    static const enum gpu_status expected[] = {STATUS_BAD_ADDRESS,
                                               STATUS_BAD_HANDLE,
                                               STATUS_BAD_FLAGS,
                                               STATUS_LIST_LENGTH,
                                               STATUS_BAD_OPCODE,
                                               STATUS_PRIVILEGED,
                                               STATUS_TRUNCATED,
                                               STATUS_RESERVED_BITS,
                                               STATUS_UNPATCHED_ADDRESS,
                                               STATUS_BAD_PATCH_OFFSET,
                                               STATUS_BAD_ALLOCATION_INDEX,
                                               STATUS_BAD_SLOT,
                                               STATUS_SPLIT_ORDER,
                                               STATUS_EXTENT,
                                               STATUS_NOT_WRITABLE,
                                               STATUS_UNBOUND_SLOT,
                                               STATUS_BAD_OPERAND,
                                               STATUS_NULL_ALLOCATION,
                                               STATUS_LOCKED,
                                               STATUS_OFFERED,
                                               STATUS_CONTENT_LOST,
                                               STATUS_STALE_REFERENCE,
                                               STATUS_WORK_LIMIT};
    unsigned missing = 0;
    printf("%lu jobs, %lu accepted; %lu spoiled, %lu of them accepted; %lu executed whole and in %lu portions\n", jobs,
           tally->accepted, jobs * mutations, tally->spoiled_accepted, tally->executed, tally->portions);
    printf("%lu accepted by the examiner, %lu by the firmware alone\n", (unsigned long)bench_examined[1],
           (unsigned long)bench_examined[0]);
    for (uint32_t status = 0; status < STATUS_COUNT; status++)
        if (tally->refused[status] != 0) printf("  %-22s %8lu\n", status_name(status), tally->refused[status]);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (tally->refused[expected[i]] == 0) {
            printf("never refused with %s\n", status_name((uint32_t)expected[i]));
            missing++;
        }
    if (tally->accepted < jobs / 4u) missing++, printf("too few generated jobs were accepted\n");
    if (tally->executed < jobs / 4u) missing++, printf("too few jobs were executed\n");
    if (bench_examined[1] < jobs / 4u) missing++, printf("too few jobs were accepted by the examiner\n");
    if (bench_examined[0] < jobs / 4u) missing++, printf("too few jobs were accepted by the firmware alone\n");
    if (tally->portions < tally->executed * 2u) missing++, printf("too few splits\n");
    rows_say("DMA-11", missing == 0 ? "pass" : "fail", (unsigned)jobs);
    rows_say("DMA-12", missing == 0 ? "pass" : "fail", (unsigned)tally->refused[STATUS_NOT_WRITABLE]);
    rows_say("SPL-10, SPL-11, SPL-15, SPL-18", missing == 0 ? "pass" : "fail", (unsigned)tally->portions);
    return missing == 0 ? 0 : 1;
}

static unsigned long number(int argc, char **argv, const char *name, unsigned long value)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0) value = strtoul(argv[i + 1], NULL, 0);
    return value;
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    unsigned long jobs = number(argc, argv, "--jobs", 1000), mutations = number(argc, argv, "--mutations", 20);
    current_seed = number(argc, argv, "--seed", 1);
    signal(SIGABRT, on_abort);
    bench_reset();
    rows_say("DMA-11, DMA-12, SPL-10, SPL-11, SPL-15, SPL-18", "begun", 0);
    for (current_job = 0; current_job < jobs; current_job++) {
        random_state = current_seed * 1000003ull + current_job;
        generate(&base);
        bench_leave_out(chance(10) ? below(FEATURES_ALL + 1u) : 0);
        tally.accepted += judge(&base, &tally);
        for (unsigned long m = 0; m < mutations; m++) {
            spoiled = base;
            for (uint32_t count = 1 + below(3); count > 0; count--) spoil(&spoiled);
            tally.spoiled_accepted += judge(&spoiled, &tally);
        }
    }
    return report(&tally, jobs, mutations);
}
