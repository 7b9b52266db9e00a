/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the whole chip works together before there is a real firmware. Method: on the host's doorbell, copy
 * a block system memory -> segment 2 on the paging node, and segment 2 -> segment 1 -> aperture on the
 * render node after the paging fence, in an unprivileged RUN with granted pages; then check fences,
 * store a completion word and raise the host's interrupt. test_bringup.c is the host and the judge.
 */
enum { RING_LOG2 = 6 };

#include "rings.h"
#include "bringup.h"

enum { BUFFER = 0x1000, FENCE_PAGING = 100, FENCE_RENDER = 200 };

static void guard(uint32_t first_page, uint32_t pages, int is_write)
{
    put(0, PKT_GUARD | FIELD_PUT(!is_write, PKT_GUARD_READ) | FIELD_PUT(is_write, PKT_GUARD_WRITE));
    put(0, first_page);
    put(0, pages);
}

static uint32_t buffer_words;

static void emit(uint32_t word) { *word_at(GPU_LIMIT(ADDR_COMMAND) + BUFFER + 4 * buffer_words++) = word; }

static void emit_copy(uint32_t source, uint32_t target, uint32_t bytes, int barrier)
{
    emit(PKT_COPY | FIELD_PUT(barrier, PKT_COPY_BARRIER));
    emit(source);
    emit(target);
    emit(bytes);
}

static void submit_paging(void)
{
    put(1, PKT_MAP);
    put(1, 0);
    put(1, BRINGUP_PAGES);
    put(1, BRINGUP_TARGET / GPU_LIMIT(PAGE_BYTES));
    put(1, PKT_COPY);
    put(1, GPU_LIMIT(ADDR_SYSTEM) + BRINGUP_SOURCE);
    put(1, GPU_LIMIT(ADDR_SEGMENT2) + BRINGUP_SEGMENT2);
    put(1, BRINGUP_BYTES);
    put(1, PKT_FENCE | FIELD_PUT(1, PKT_FENCE_INTERRUPT));
    put(1, FENCE_PAGING);
    kick(1);
}

static void submit_render(void)
{
    uint32_t space = GPU_LIMIT(GUARD_SPACE_PAGES);
    buffer_words = 0;
    emit_copy(GPU_LIMIT(ADDR_SEGMENT2) + BRINGUP_SEGMENT2, GPU_LIMIT(ADDR_SEGMENT1), BRINGUP_BYTES, 0);
    emit_copy(GPU_LIMIT(ADDR_SEGMENT1), GPU_LIMIT(ADDR_APERTURE) + BRINGUP_SHIFT, BRINGUP_BYTES, 1);
    put(0, PKT_WAIT_FENCE);
    put(0, FENCE_PAGING);
    guard(1 * space + BRINGUP_SEGMENT2 / GPU_LIMIT(PAGE_BYTES), BRINGUP_PAGES, 0);
    put(0, PKT_GUARD | FIELD_PUT(1, PKT_GUARD_READ) | FIELD_PUT(1, PKT_GUARD_WRITE));
    put(0, 0);
    put(0, BRINGUP_PAGES);
    guard(2 * space, BRINGUP_PAGES, 1);
    put(0, PKT_RUN);
    put(0, BUFFER);
    put(0, 4 * buffer_words);
    put(0, PKT_FENCE | FIELD_PUT(1, PKT_FENCE_INTERRUPT));
    put(0, FENCE_RENDER);
    kick(0);
}

/* The step that failed, or 0. */
static int bring_up(void)
{
    if (reg_read(HOST_ID_OFFSET) != 0x41525354u) return 1;
    if (reg_read(HOST_ABI_OFFSET) != reg_read(HOST_ABI_HOST_OFFSET)) return 2;
    start_node(0);
    start_node(1);
    reg_write(HOST_BOOT_STATUS_OFFSET, 1);

    wait_lines(FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL));
    reg_write(CORE_IRQ_PENDING_OFFSET, FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL));
    if (reg_read(HOST_SUBMIT_TAIL_OFFSET) != 1) return 3;
    /* System memory as the host left it, through the line buffer; then what the host wrote since. */
    volatile uint32_t *first = word_at(GPU_LIMIT(ADDR_SYSTEM) + BRINGUP_MAIL);
    if (first[0] != BRINGUP_HELLO || first[15] != ~BRINGUP_HELLO) return 4;

    submit_render(); /* waits at the fence until the paging node has run */
    submit_paging();
    wait_lines(FIELD_PUT(1, CORE_IRQ_PENDING_NODE0));
    if (reg_read(NODE_IRQ_OFFSET) != FIELD_PUT(1, NODE_IRQ_FENCE)) return 5;
    if (reg_read(NODE_FENCE_OFFSET) != FENCE_RENDER) return 6;
    if (reg_read(NODE_FENCE_OFFSET + NODE_STRIDE) != FENCE_PAGING) return 7;
    reg_write(NODE_IRQ_OFFSET, FIELD_PUT(1, NODE_IRQ_FENCE));
    reg_write(NODE_IRQ_OFFSET + NODE_STRIDE, FIELD_PUT(1, NODE_IRQ_FENCE));
    if (reg_read(CORE_IRQ_PENDING_OFFSET) != 0) return 8;

    first[1] = BRINGUP_DONE;
    reg_write(HOST_COMPLETE_TAIL_OFFSET, 1);
    reg_write(HOST_IRQ_RAISE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION));
    return 0;
}

int main(void)
{
    print("bringup\n");
    int step = bring_up();
    if (step) return step;
    /* Run on until the host rings again. */
    wait_lines(FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL));
    /* The host has changed a word of the line that the buffer holds: old until invalidated. */
    volatile uint32_t *mail = word_at(GPU_LIMIT(ADDR_SYSTEM) + BRINGUP_MAIL);
    reg_write(CORE_INVALIDATE_OFFSET, 1);
    return mail[0] == BRINGUP_BYE ? BRINGUP_EXIT : 20;
}
