/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: every refusal of a submission happens with the exact status and detail of the table, and
 * never one unit too early (DMA-11, DMA-12, DMA-15, SPL-03, SPL-04, SPL-05, SPL-14).
 * Method: a table of cases, mostly in pairs on both sides of a limit; each builds one submission, often a
 * sound one with a single word spoiled. The bench (tests/fuzz/job_bench.h) watches that the host's memory is
 * read once and that nothing outside the job is written.
 */

#include "check.h"
#include "gpu_names.h"
#include "job_bench.h"

struct test_case {
    const char *name;
    void (*build)(struct submission *s, const uint32_t *args);
    uint32_t args[6];
    enum gpu_status status; /* STATUS_OK: accepted */
    uint32_t detail;
};

static struct submission submission;
static struct verdict verdict;

/* List of every built case: 0 NULL, 1 A read, 2 B written, 3 C written, 4 D written, 5 A again, written. */
enum { L_NULL, L_A, L_B, L_C, L_D, L_A_WRITTEN };
enum { SLOT_0, SLOT_1, SLOT_2 };

static void begin_with_list(struct submission *s)
{
    submission_begin(s);
    submission_list(s, 0, false);
    submission_list(s, bench_handle(BENCH_A), false);
    submission_list(s, bench_handle(BENCH_B), true);
    submission_list(s, bench_handle(BENCH_C), true);
    submission_list(s, bench_handle(BENCH_D), true);
    submission_list(s, bench_handle(BENCH_A), true);
}

/* A sound job of four packets: NOP at 0, BIND slot 0 := C at 4, FILL_RECT at 20, COPY A to B at 36. Patch
 * entries: 0 at word 2 (split 4), 1 at word 10 (split 36), 2 at word 11 (split 36). 52 bytes. */
enum { SOUND_BYTES = 52 };
static void build_sound(struct submission *s, const uint32_t *args)
{
    (void)args;
    begin_with_list(s);
    submission_nop(s);
    submission_bind(s, at(L_C, SLOT_0, 0), FORMAT_RGB565, 64, 64 * 8);
    submission_fill_rect(s, SLOT_0, 0, 0, 32, 8, 0xf800);
    submission_copy(s, 0, at(L_A, SLOT_1, 0), at(L_B, SLOT_2, 0), 4096);
    submission_end(s);
}

/* ------------------------------------------------------------------ builders; their args in order */

/* message word, value */
static void build_message(struct submission *s, const uint32_t *args)
{
    build_sound(s, NULL);
    s->message[args[0]] = args[1];
}

/* DMA address, bytes; no lists. What lies there is zero: NOPs. */
static void build_nops_at(struct submission *s, const uint32_t *args)
{
    submission_begin(s);
    submission_end(s);
    s->message[MSG_SUBMIT_DMA] = args[0];
    s->message[MSG_SUBMIT_DMA_BYTES] = args[1];
}

/* list index, handle, flags */
static void build_list(struct submission *s, const uint32_t *args)
{
    build_sound(s, NULL);
    s->list[args[0] * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE] = args[1];
    s->list[args[0] * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_FLAGS] = args[2];
}

/* patch entry, word, value */
static void build_patch(struct submission *s, const uint32_t *args)
{
    build_sound(s, NULL);
    *submission_patch(s, args[0], (enum gpu_patch_entry)args[1]) = args[2];
}

/* words to drop from the end, patch entries to drop from the end */
static void build_cut(struct submission *s, const uint32_t *args)
{
    build_sound(s, NULL);
    s->dma_words -= args[0];
    s->patch_count -= args[1];
    submission_end(s);
}

/* word of the DMA buffer, value */
static void build_word(struct submission *s, const uint32_t *args)
{
    build_sound(s, NULL);
    s->dma[args[0]] = args[1];
}

/* source list index, source offset, target list index, target offset, bytes */
static void build_copy(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_nop(s);
    submission_copy(s, 0, at(args[0], SLOT_0, args[1]), at(args[2], SLOT_1, args[3]), args[4]);
    submission_end(s);
}

/* list index, offset, bytes */
static void build_fill(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_fill(s, at(args[0], SLOT_0, args[1]), args[2], 0xffffffffu);
    submission_end(s);
}

/* A to C: row bytes, rows, source pitch, target pitch, target offset */
static void build_copy_2d(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_copy_2d(s, 0, at(L_A, SLOT_0, 0), at(L_C, SLOT_1, args[4]), args[0], args[1], args[2], args[3]);
    submission_end(s);
}

/* flags, source offset in B, target offset in C, row bytes, rows, pitch */
static void build_tile(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_tile(s, args[0], at(L_B, SLOT_0, args[1]), at(L_C, SLOT_1, args[2]), args[3], args[4], args[5]);
    submission_end(s);
}

/* list index, offset, format, pitch, bytes, slot of the patch entry (the packet says slot 0) */
static void build_bind(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_bind(s, at(args[0], SLOT_0, args[1]), args[2], args[3], args[4]);
    *submission_patch(s, 0, PATCH_SLOT_ID) = args[5];
    submission_end(s);
}

/* The same by the last slot, of packet and entry. */
static void build_bind_last(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_bind(s, at(args[0], SLOT_LIMIT - 1, args[1]), args[2], args[3], args[4]);
    submission_end(s);
}

/* On B, RGB565, pitch 128, 8192 bytes bound: x, y, width, height */
static void build_fill_rect(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_bind(s, at(L_B, SLOT_0, 0), FORMAT_RGB565, 128, 8192);
    submission_fill_rect(s, SLOT_0, args[0], args[1], args[2], args[3], 0);
    submission_end(s);
}

/* On B, BYTES, pitch 16: bytes bound; then 16 x 4 units are filled */
static void build_fill_bytes(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_bind(s, at(L_B, SLOT_0, 0), FORMAT_BYTES, 16, args[0]);
    submission_fill_rect(s, SLOT_0, 0, 0, 16, 4, 0);
    submission_end(s);
}

/* A (ARGB8888, pitch 64, 4096 bytes) to B (RGB565, pitch 128, 8192 bytes):
 * source x, source y, target x, target y, width, height */
static void build_blit(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_bind(s, at(L_A, SLOT_1, 0), FORMAT_ARGB8888, 64, 4096);
    submission_bind(s, at(L_B, SLOT_0, 0), FORMAT_RGB565, 128, 8192);
    submission_blit(s, (struct blit){.mode = BLIT_COPY,
                                     .target = SLOT_0,
                                     .source = SLOT_1,
                                     .source_x = args[0],
                                     .source_y = args[1],
                                     .target_x = args[2],
                                     .target_y = args[3],
                                     .width = args[4],
                                     .height = args[5]});
    submission_end(s);
}

/* Draw with slots: bind target 0 to list index args[0], source 1 to args[1]; a row is not bound when its
 * argument is 99; then BLIT of target args[2], source args[3]. */
static void build_slots(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    if (args[0] != 99) submission_bind(s, at(args[0], SLOT_0, 0), FORMAT_BYTES, 16, 64);
    if (args[1] != 99) submission_bind(s, at(args[1], SLOT_1, 0), FORMAT_BYTES, 16, 64);
    submission_blit(s, (struct blit){.mode = BLIT_COPY, .target = args[2], .source = args[3], .width = 4, .height = 4});
    submission_end(s);
}

/* Bind slot 0, draw at 16, unbind it at 32 (SPL-14), draw at 48 unless args[0] is 0. */
static void build_unbind(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_bind(s, at(L_B, SLOT_0, 0), FORMAT_BYTES, 16, 64);
    submission_fill_rect(s, SLOT_0, 0, 0, 4, 4, 0);
    submission_bind(s, at(L_NULL, SLOT_0, 0xffffffffu), FORMAT_BYTES, 0, 0xffffffffu);
    if (args[0]) submission_fill_rect(s, SLOT_0, 0, 0, 4, 4, 0);
    submission_end(s);
}

/* Slot 0 bound at 0 (entry 0). At 16 another packet whose entry names slot args[0] and split args[1].
 * At 32 (after a COPY, 16 bytes) a draw through slot 0. */
static void build_taken_row(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_bind(s, at(L_B, SLOT_0, 0), FORMAT_BYTES, 16, 64);
    submission_fill(s, (struct reference){L_C, args[0], 0, args[1]}, 16, 0);
    submission_fill_rect(s, SLOT_0, 0, 0, 4, 4, 0);
    submission_end(s);
}

/* A COPY at 4 whose source entry (slot 0) was needed from 0; target entry: slot args[0], split args[1]. */
static void build_taken_operand(struct submission *s, const uint32_t *args)
{
    begin_with_list(s);
    submission_nop(s);
    submission_copy(s, 0, (struct reference){L_A, SLOT_0, 0, 0}, (struct reference){L_C, args[0], 0, args[1]}, 16);
    submission_end(s);
}

/* Both entries of a COPY claim the same word. */
static void build_patched_twice(struct submission *s, const uint32_t *args)
{
    (void)args;
    build_sound(s, NULL);
    *submission_patch(s, 2, PATCH_PATCH_OFFSET) = *submission_patch(s, 1, PATCH_PATCH_OFFSET);
}

/* Nothing at all. */
static void build_empty(struct submission *s, const uint32_t *args)
{
    (void)args;
    submission_begin(s);
    submission_end(s);
}

/* A list and patches, but not one command word. */
static void build_patches_without_commands(struct submission *s, const uint32_t *args)
{
    build_sound(s, args);
    s->message[MSG_SUBMIT_DMA_BYTES] = 0;
}

/* ------------------------------------------------------------------ the cases */

#define MESSAGE(name, word, value, status, detail) \
    { \
        name, build_message, {word, value}, status, detail \
    }
#define PATCH(name, entry, word, value, status, detail) \
    { \
        name, build_patch, {entry, word, value}, status, detail \
    }

enum { MEMORY = BENCH_SYSTEM_BYTES };

static const struct test_case cases[] = {
    {"a sound job", build_sound, {0}, STATUS_OK, 0},
    {"an empty job", build_empty, {0}, STATUS_OK, 0},

    /* regions */
    MESSAGE("NullRendering", MSG_SUBMIT_FLAGS, 1, STATUS_OK, 0),
    MESSAGE("unknown flags", MSG_SUBMIT_FLAGS, 0x81, STATUS_BAD_FLAGS, 0x80),
    MESSAGE("DMA buffer over the limit", MSG_SUBMIT_DMA_BYTES, 32772, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES),
    MESSAGE("DMA length of half a word", MSG_SUBMIT_DMA_BYTES, 50, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES),
    MESSAGE("DMA length that wraps", MSG_SUBMIT_DMA_BYTES, 0xfffffffc, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES),
    MESSAGE("list over the limit", MSG_SUBMIT_LIST_COUNT, 1025, STATUS_LIST_LENGTH, MSG_SUBMIT_LIST_COUNT),
    MESSAGE("list at the limit", MSG_SUBMIT_LIST_COUNT, 1024, STATUS_OK, 0),
    MESSAGE("list count that wraps", MSG_SUBMIT_LIST_COUNT, 0x20000001, STATUS_LIST_LENGTH, MSG_SUBMIT_LIST_COUNT),
    MESSAGE("patches over the limit", MSG_SUBMIT_PATCH_COUNT, 1025, STATUS_LIST_LENGTH, MSG_SUBMIT_PATCH_COUNT),
    MESSAGE("patch count that wraps", MSG_SUBMIT_PATCH_COUNT, 0xaaaaaaab, STATUS_LIST_LENGTH, MSG_SUBMIT_PATCH_COUNT),
    MESSAGE("DMA buffer misaligned", MSG_SUBMIT_DMA, BENCH_DMA_ADDRESS + 2, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA),
    MESSAGE("DMA buffer outside", MSG_SUBMIT_DMA, MEMORY, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA),
    MESSAGE("DMA buffer far outside", MSG_SUBMIT_DMA, 0xfffffffc, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA),
    MESSAGE("list misaligned", MSG_SUBMIT_LIST, BENCH_LIST_ADDRESS + 1, STATUS_BAD_ADDRESS, MSG_SUBMIT_LIST),
    MESSAGE("list one word outside", MSG_SUBMIT_LIST, MEMORY - 44, STATUS_BAD_ADDRESS, MSG_SUBMIT_LIST),
    MESSAGE("patches misaligned", MSG_SUBMIT_PATCHES, BENCH_PATCH_ADDRESS + 3, STATUS_BAD_ADDRESS, MSG_SUBMIT_PATCHES),
    MESSAGE("patches one word outside", MSG_SUBMIT_PATCHES, MEMORY - 68, STATUS_BAD_ADDRESS, MSG_SUBMIT_PATCHES),
    {"commands to the last word of memory", build_nops_at, {MEMORY - 16, 16}, STATUS_OK, 0},
    {"commands one word past memory", build_nops_at, {MEMORY - 12, 16}, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA},
    {"no commands, so any address", build_nops_at, {0xffffffff, 0}, STATUS_OK, 0},
    {"the longest DMA buffer", build_nops_at, {MEMORY - 32768, 32768}, STATUS_OK, 0},

    /* allocation list */
    {"unknown handle, used", build_list, {2, 0x999, 0}, STATUS_BAD_HANDLE, 2},
    {"unknown handle, not used", build_list, {5, 0xffffffff, 0}, STATUS_BAD_HANDLE, 5},
    {"list flag that does not exist", build_list, {5, BENCH_HANDLE, 2}, STATUS_BAD_FLAGS, 2},
    {"handle behind the table", build_list, {5, BENCH_HANDLE + BENCH_ALLOCATIONS, 0}, STATUS_BAD_HANDLE, 5},
    {"handle of a later generation", build_list, {5, BENCH_HANDLE + (1 << HANDLE_INDEX_BITS), 0}, STATUS_BAD_HANDLE, 5},
    {"locked allocation", build_list, {4, BENCH_HANDLE + BENCH_LOCKED, 0}, STATUS_LOCKED, 4},
    {"offered allocation", build_list, {4, BENCH_HANDLE + BENCH_OFFERED, 0}, STATUS_OFFERED, 4},
    {"allocation whose content was lost", build_list, {4, BENCH_HANDLE + BENCH_LOST, 0}, STATUS_CONTENT_LOST, 4},

    /* patch list */
    PATCH("DMA-11 AllocationIndex = length", 1, PATCH_ALLOCATION_INDEX, 6, STATUS_BAD_ALLOCATION_INDEX, 1),
    PATCH("DMA-11 AllocationIndex = last", 1, PATCH_ALLOCATION_INDEX, 5, STATUS_OK, 0),
    PATCH("DMA-11 AllocationIndex huge", 2, PATCH_ALLOCATION_INDEX, 0x80000000, STATUS_BAD_ALLOCATION_INDEX, 2),
    PATCH("SPL-05 SlotId 63", 1, PATCH_SLOT_ID, 63, STATUS_OK, 0),
    PATCH("SPL-05 SlotId 64", 1, PATCH_SLOT_ID, 64, STATUS_BAD_SLOT, 1),
    PATCH("SlotId with reserved bits", 2, PATCH_SLOT_ID, 0x01000002, STATUS_BAD_SLOT, 2),
    PATCH("DriverId is opaque", 1, PATCH_DRIVER_ID, 0xffffffff, STATUS_OK, 0),
    PATCH("DMA-11 PatchOffset misaligned", 0, PATCH_PATCH_OFFSET, 9, STATUS_BAD_PATCH_OFFSET, 0),
    PATCH("DMA-11 PatchOffset at the end", 1, PATCH_PATCH_OFFSET, SOUND_BYTES, STATUS_BAD_PATCH_OFFSET, 1),
    PATCH("DMA-11 PatchOffset far outside", 1, PATCH_PATCH_OFFSET, 0xfffffffc, STATUS_BAD_PATCH_OFFSET, 1),
    PATCH("DMA-11 PatchOffset on an opcode", 1, PATCH_PATCH_OFFSET, 36, STATUS_BAD_PATCH_OFFSET, 1),
    PATCH("DMA-11 PatchOffset on a length", 2, PATCH_PATCH_OFFSET, 48, STATUS_BAD_PATCH_OFFSET, 2),
    {"a word patched twice", build_patched_twice, {0}, STATUS_BAD_PATCH_OFFSET, 2},
    PATCH("SplitOffset misaligned", 1, PATCH_SPLIT_OFFSET, 21, STATUS_SPLIT_ORDER, 1),
    PATCH("SplitOffset outside", 2, PATCH_SPLIT_OFFSET, SOUND_BYTES, STATUS_SPLIT_ORDER, 2),
    PATCH("SplitOffset far outside", 2, PATCH_SPLIT_OFFSET, 0xfffffffc, STATUS_SPLIT_ORDER, 2),
    PATCH("SplitOffset that 16 bits would wrap", 2, PATCH_SPLIT_OFFSET, 0x40000 + 36, STATUS_SPLIT_ORDER, 2),
    PATCH("DMA-11 PatchOffset that 16 bits would wrap", 2, PATCH_PATCH_OFFSET, 0x40000 + 44, STATUS_BAD_PATCH_OFFSET,
          2),
    PATCH("SPL-03 SplitOffset decreases", 2, PATCH_SPLIT_OFFSET, 20, STATUS_SPLIT_ORDER, 2),
    PATCH("SPL-03 SplitOffset may stay", 1, PATCH_SPLIT_OFFSET, 4, STATUS_OK, 0),
    PATCH("SplitOffset inside a packet", 1, PATCH_SPLIT_OFFSET, 24, STATUS_SPLIT_ORDER, 1),
    PATCH("SplitOffset at an earlier packet", 1, PATCH_SPLIT_OFFSET, 20, STATUS_OK, 0),
    PATCH("SplitOffset after the packet", 0, PATCH_SPLIT_OFFSET, 20, STATUS_SPLIT_ORDER, 0),
    {"patches without commands", build_patches_without_commands, {0}, STATUS_BAD_PATCH_OFFSET, 0},

    /* structure */
    {"buffer ends inside a packet", build_cut, {1, 0}, STATUS_TRUNCATED, 36},
    {"opcode 9 does not exist", build_word, {0, 0x09}, STATUS_BAD_OPCODE, 0},
    {"opcode 0xff does not exist", build_word, {5, 0xff}, STATUS_BAD_OPCODE, 20},
    {"an address word without its entry", build_cut, {0, 1}, STATUS_UNPATCHED_ADDRESS, 44},
    {"address words without entries: the first", build_cut, {0, 3}, STATUS_UNPATCHED_ADDRESS, 8},
    {"reserved bit of a NOP", build_word, {0, 0x100}, STATUS_RESERVED_BITS, 0},
    {"reserved bits of a BIND's pitch word", build_word, {3, 0x10040}, STATUS_RESERVED_BITS, 12},

    /* COPY and FILL: A has 4096 bytes, B 8192 */
    {"COPY of all of the source", build_copy, {L_A, 0, L_B, 0, 4096}, STATUS_OK, 0},
    {"COPY one byte past the source", build_copy, {L_A, 0, L_B, 0, 4097}, STATUS_EXTENT, 4},
    {"COPY to the last byte of the target", build_copy, {L_A, 0, L_B, 8192 - 4096, 4096}, STATUS_OK, 0},
    {"COPY one byte past the target", build_copy, {L_A, 0, L_B, 8192 - 4095, 4096}, STATUS_EXTENT, 4},
    {"COPY of nothing at the very end", build_copy, {L_A, 4096, L_B, 8192, 0}, STATUS_OK, 0},
    {"COPY of nothing from outside", build_copy, {L_A, 4097, L_B, 0, 0}, STATUS_EXTENT, 4},
    {"COPY whose sum wraps", build_copy, {L_A, 0xfffffff0, L_B, 0, 32}, STATUS_EXTENT, 4},
    {"COPY of 4 GiB - 1", build_copy, {L_A, 1, L_B, 0, 0xffffffff}, STATUS_EXTENT, 4},
    {"DMA-12 COPY to an allocation not marked written", build_copy, {L_B, 0, L_A, 0, 4}, STATUS_NOT_WRITABLE, 4},
    {"COPY to the entry marked written", build_copy, {L_B, 0, L_A_WRITTEN, 0, 4}, STATUS_OK, 0},
    {"COPY from NULL", build_copy, {L_NULL, 0, L_B, 0, 4}, STATUS_NULL_ALLOCATION, 0},
    {"COPY to NULL", build_copy, {L_A, 0, L_NULL, 0, 4}, STATUS_NULL_ALLOCATION, 1},
    {"FILL to the last byte", build_fill, {L_B, 8191, 1}, STATUS_OK, 0},
    {"FILL past the last byte", build_fill, {L_B, 8191, 2}, STATUS_EXTENT, 0},
    {"DMA-12 FILL of what is not marked written", build_fill, {L_A, 0, 4}, STATUS_NOT_WRITABLE, 0},
    {"FILL of NULL", build_fill, {L_NULL, 0, 4}, STATUS_NULL_ALLOCATION, 0},

    /* COPY_2D from A (4096) to C (16384): the last row counts with its bytes, not with its pitch */
    {"COPY_2D of the whole source", build_copy_2d, {64, 64, 64, 256, 0}, STATUS_OK, 0},
    {"COPY_2D one row past the source", build_copy_2d, {64, 65, 64, 64, 0}, STATUS_EXTENT, 0},
    {"COPY_2D pitch larger than rows", build_copy_2d, {1, 64, 65, 1, 0}, STATUS_OK, 0},
    {"COPY_2D pitch one too large", build_copy_2d, {2, 64, 65, 1, 0}, STATUS_EXTENT, 0},
    {"COPY_2D to the target's last byte", build_copy_2d, {16, 64, 16, 256, 240}, STATUS_OK, 0},
    {"COPY_2D one byte past the target", build_copy_2d, {16, 64, 16, 256, 241}, STATUS_EXTENT, 0},
    {"COPY_2D of no rows", build_copy_2d, {65535, 0, 65535, 65535, 0}, STATUS_OK, 0},
    {"COPY_2D of no columns", build_copy_2d, {0, 65535, 65535, 65535, 0}, STATUS_OK, 0},
    {"COPY_2D largest", build_copy_2d, {65535, 65535, 65535, 65535, 0}, STATUS_EXTENT, 0},
    {"COPY_2D source row over and over", build_copy_2d, {16, 1024, 0, 16, 0}, STATUS_OK, 0},

    /* TILE, linear B (8192) to tiled C (16384), or the other way round with UNTILE */
    {"TILE", build_tile, {0, 0, 0, 64, 64, 128}, STATUS_OK, 0},
    {"TILE to the tiled end", build_tile, {0, 8, 16384 - 4096, 64, 64, 64}, STATUS_OK, 0},
    {"TILE past the tiled end", build_tile, {0, 0, 16384 - 3840, 64, 64, 64}, STATUS_EXTENT, 0},
    {"TILE past the linear end", build_tile, {0, 72, 0, 64, 64, 128}, STATUS_EXTENT, 0},
    {"TILE to the linear end", build_tile, {0, 64, 0, 64, 64, 128}, STATUS_OK, 0},
    {"TILE row bytes not of 32", build_tile, {0, 0, 0, 48, 64, 64}, STATUS_BAD_OPERAND, 0},
    {"TILE rows not of 8", build_tile, {0, 0, 0, 64, 60, 64}, STATUS_BAD_OPERAND, 0},
    {"TILE pitch not of 8", build_tile, {0, 0, 0, 64, 8, 68}, STATUS_BAD_OPERAND, 0},
    {"TILE linear side misaligned", build_tile, {0, 4, 0, 64, 8, 64}, STATUS_BAD_OPERAND, 0},
    {"TILE tiled side misaligned", build_tile, {0, 0, 128, 64, 8, 64}, STATUS_BAD_OPERAND, 0},
    {"UNTILE", build_tile, {1u << PKT_TILE_UNTILE_LSB, 256, 8, 64, 64, 128}, STATUS_OK, 0},
    {"UNTILE tiled side misaligned", build_tile, {1u << PKT_TILE_UNTILE_LSB, 8, 0, 64, 8, 64}, STATUS_BAD_OPERAND, 0},
    {"UNTILE past the linear end", build_tile, {1u << PKT_TILE_UNTILE_LSB, 0, 16384, 64, 8, 64}, STATUS_EXTENT, 0},
    {"TILE of nothing", build_tile, {0, 0, 0, 0, 65528, 65528}, STATUS_OK, 0},

    /* BIND */
    {"BIND of the whole allocation", build_bind, {L_B, 0, FORMAT_BYTES, 0, 8192, 0}, STATUS_OK, 0},
    {"BIND one byte too long", build_bind, {L_B, 0, FORMAT_BYTES, 0, 8193, 0}, STATUS_EXTENT, 0},
    {"BIND one byte too late", build_bind, {L_B, 1, FORMAT_BYTES, 0, 8192, 0}, STATUS_EXTENT, 0},
    {"BIND that wraps", build_bind, {L_B, 0xffffffff, FORMAT_BYTES, 0, 2, 0}, STATUS_EXTENT, 0},
    {"BIND that wraps, by the last slot", build_bind_last, {L_B, 0xffffffff, FORMAT_BYTES, 0, 2}, STATUS_EXTENT, 0},
    {"BIND a byte after the end, by the last slot", build_bind_last, {L_B, 8193, FORMAT_BYTES, 0, 2}, STATUS_EXTENT, 0},
    {"BIND of units of three bytes", build_bind, {L_B, 0, FORMAT_RGB888, 0, 64, 0}, STATUS_OK, 0},
    {"BIND of indices", build_bind, {L_B, 0, FORMAT_INDEX8, 0, 8192, 0}, STATUS_OK, 0},
    {"BIND slot differs from its entry", build_bind, {L_B, 0, FORMAT_BYTES, 0, 64, 1}, STATUS_BAD_SLOT, 0},
    {"BIND NULL", build_bind, {L_NULL, 12, FORMAT_BYTES, 0, 64, 0}, STATUS_OK, 0},
    {"BIND to read what is not marked written", build_bind, {L_A, 0, FORMAT_BYTES, 0, 64, 0}, STATUS_OK, 0},

    /* FILL_RECT on 64 x 64 units of RGB565; BIND is 16 bytes, so the draw is at 16 */
    {"FILL_RECT of the whole surface", build_fill_rect, {0, 0, 64, 64}, STATUS_OK, 0},
    {"FILL_RECT one unit right", build_fill_rect, {1, 0, 64, 64}, STATUS_BAD_OPERAND, 16},
    {"FILL_RECT one row down", build_fill_rect, {0, 1, 64, 64}, STATUS_BAD_OPERAND, 16},
    {"FILL_RECT the last unit", build_fill_rect, {63, 63, 1, 1}, STATUS_OK, 0},
    {"FILL_RECT at the far corner", build_fill_rect, {65535, 65535, 65535, 65535}, STATUS_BAD_OPERAND, 16},
    {"FILL_RECT to the last byte bound", build_fill_bytes, {64}, STATUS_OK, 0},
    {"FILL_RECT one byte past what is bound", build_fill_bytes, {63}, STATUS_BAD_OPERAND, 16},
    {"FILL_RECT of no width anywhere", build_fill_rect, {65535, 65535, 0, 65535}, STATUS_OK, 0},
    {"FILL_RECT of no height anywhere", build_fill_rect, {65535, 65535, 65535, 0}, STATUS_OK, 0},

    /* BLIT from 16 x 64 units of ARGB8888 to 64 x 64 of RGB565; the draw is at 32 */
    {"BLIT of the whole source", build_blit, {0, 0, 48, 0, 16, 64}, STATUS_OK, 0},
    {"BLIT source one unit right", build_blit, {1, 0, 0, 0, 16, 64}, STATUS_BAD_OPERAND, 32},
    {"BLIT source one row down", build_blit, {0, 1, 0, 0, 16, 64}, STATUS_BAD_OPERAND, 32},
    {"BLIT target one unit right", build_blit, {0, 0, 49, 0, 16, 64}, STATUS_BAD_OPERAND, 32},
    {"BLIT target one row down", build_blit, {0, 0, 48, 1, 16, 64}, STATUS_BAD_OPERAND, 32},
    {"BLIT of nothing anywhere", build_blit, {65535, 65535, 65535, 65535, 0, 9}, STATUS_OK, 0},

    /* slots */
    {"BLIT between bound slots", build_slots, {L_B, L_A, 0, 1}, STATUS_OK, 0},
    {"BLIT inside one slot", build_slots, {L_B, 99, 0, 0}, STATUS_OK, 0},
    {"SPL-04 BLIT from a slot never bound", build_slots, {L_B, 99, 0, 1}, STATUS_UNBOUND_SLOT, 16},
    {"SPL-04 BLIT to a slot never bound", build_slots, {99, L_A, 0, 1}, STATUS_UNBOUND_SLOT, 16},
    {"BLIT from slot 63, never bound", build_slots, {L_B, L_A, 0, 63}, STATUS_UNBOUND_SLOT, 32},
    {"DMA-12 BLIT to what is not marked written", build_slots, {L_A, L_B, 0, 1}, STATUS_NOT_WRITABLE, 32},
    {"SPL-14 unbind after use", build_unbind, {0}, STATUS_OK, 0},
    {"SPL-14 draw through a slot unbound again", build_unbind, {1}, STATUS_UNBOUND_SLOT, 48},

    /* references that a split would leave stale */
    {"another row is taken in between", build_taken_row, {SLOT_1, SPLIT_HERE}, STATUS_OK, 0},
    {"the row is taken at the same split point", build_taken_row, {SLOT_0, 0}, STATUS_OK, 0},
    {"the row is taken before a draw", build_taken_row, {SLOT_0, SPLIT_HERE}, STATUS_STALE_REFERENCE, 32},
    {"an operand's row stays", build_taken_operand, {SLOT_1, 4}, STATUS_OK, 0},
    {"an operand's row is taken, no split in between", build_taken_operand, {SLOT_0, 0}, STATUS_OK, 0},
    {"an operand's row is taken at a split", build_taken_operand, {SLOT_0, 4}, STATUS_STALE_REFERENCE, 4},
};

static const struct test_case *current;

static void run_case(void)
{
    CASE(current->name);
    current->build(&submission, current->args);
    bench_submit(&submission, PATCH_LIMIT, &verdict);
    enum gpu_status status = verdict.is_accepted ? STATUS_OK : verdict.why.status;
    if (status != current->status)
        printf("%s, not %s\n", status_name((uint32_t)status), status_name((uint32_t)current->status));
    CHECK_EQUAL(status, current->status);
    CHECK_EQUAL(verdict.why.detail, current->detail);
}

int main(void)
{
    bench_reset();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        current = &cases[i];
        check_run(current->name, run_case);
    }
    return check_finish();
}
