/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole firmware on the chip, with the second driver of tests/unit between its manager and the hardware: that one
 * checks the manager's promises in every call, on the core, and stops it when one is broken. Around it the calls are
 * written to the trace, and at most one may be active at a time (PGB-48). test_second.c is the host and the judge.
 */
#include "second.h"

#include <stddef.h>

#include "gpu.h"
#include "second_driver.h"

static struct gpu gpu;
static struct second_driver second;
static struct ddi ddi;
static uint32_t active; /* calls */

_Static_assert(offsetof(struct ddi_build_paging_buffer, u) == 4 * BUILD_UNION, "second.h has its members");
_Static_assert(sizeof(struct ddi_build_paging_buffer) == 4 * BUILD_AFTER_BUFFER, "and all of its union");
_Static_assert(offsetof(struct ddi_transfer, mdl_offset) == 4 * TRANSFER_MDL_OFFSET, "and a Transfer's");

/* ------------------------------------------------------------------ the world of second_driver.c */

struct gpu *second_gpu(void) { return &gpu; }

void second_kept(const char *promise) { (void)promise; } /* test_second.c judges the record of the calls */

_Noreturn void second_broken(const char *promise)
{
    while (*promise != 0) hal_register_write(CORE_CONSOLE_OFFSET, (uint8_t)*promise++);
    hal_register_write(CORE_CONSOLE_OFFSET, '\n');
    hal_panic(PANIC_DRIVER, 0);
}

/* ------------------------------------------------------------------ the record */

static void tell(enum second_event event, uint32_t argument)
{
    hal_register_write(CORE_TRACE_ARG_OFFSET, argument);
    hal_register_write(CORE_TRACE_OFFSET, (uint32_t)event);
}

static void tell_words(const void *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) tell(SECOND_WORD, ((const uint32_t *)words)[i]);
}

static void enter(enum second_call call)
{
    if (active != 0u) second_broken("PGB-48: one call at a time");
    active++;
    tell(SECOND_CALL, (uint32_t)call);
}

static enum ddi_status leave(enum ddi_status status)
{
    tell(SECOND_RETURN, (uint32_t)status);
    active--;
    return status;
}

/* ------------------------------------------------------------------ calls */

static uint32_t take_mode(void)
{
    uint32_t mode = hal_register_read(HOST_SCRATCH_OFFSET);
    bool is_directed = (mode & SECOND_DIRECTED) != 0u;
    second.is_stubborn = is_directed;
    second.is_slow = !is_directed;
    second.says_busy = !is_directed || (mode & SECOND_BUSY) != 0u;
    second.is_one_packet = is_directed ? (mode & SECOND_ONE_PACKET) != 0u : (second.calls & 16u) != 0u;
    second.busy_from = is_directed && (mode & SECOND_BUSY_LATER) != 0u ? 1u : 0u;
    return is_directed ? mode : 0u;
}

static uint32_t flags_of(const struct ddi_build_paging_buffer *arguments)
{
    if (arguments->operation == DDI_TRANSFER) return arguments->u.transfer.flags;
    return arguments->operation == DDI_DISCARD_CONTENT ? arguments->u.discard_content.flags : 0u;
}

static enum ddi_status build(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    uint32_t mode = take_mode(), start = arguments->dma_buffer;
    bool is_idle = (flags_of(arguments) & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u;
    enum ddi_status status;
    enter(CALL_BUILD);
    tell_words(arguments, BUILD_AFTER_BUFFER);
    if (is_idle && (mode & SECOND_LINGERS) != 0u)
        for (uint32_t begin = hal_cycles(); hal_cycles() - begin < SECOND_LINGER_CYCLES;) {}
    if ((mode & SECOND_BAD) != 0u && (mode >> SECOND_BAD_OPERATION_LSB & SECOND_BAD_BITS) == arguments->operation)
        status = (mode & SECOND_BAD_IDLE) != 0u && !is_idle ? DDI_ALLOCATION_BUSY
                                                            : (mode >> SECOND_BAD_STATUS_LSB & SECOND_BAD_BITS);
    else status = second.ddi.build_paging_buffer(adapter, arguments);
    for (; start < arguments->dma_buffer; start += 4u) tell(SECOND_BUILT, hal_command_read(start));
    const uint32_t after[] = {arguments->dma_buffer, (uint32_t)(uintptr_t)arguments->private_data,
                              arguments->multipass_offset};
    tell_words(after, sizeof after / sizeof after[0]);
    return leave(status);
}

static enum ddi_status patch(void *adapter, struct ddi_patch *arguments)
{
    const uint32_t words[] = {arguments->dma_buffer, arguments->dma_buffer_size, arguments->submission_start_offset,
                              arguments->submission_end_offset, arguments->patch_location_list_size};
    enter(CALL_PATCH);
    tell_words(words, sizeof words / sizeof words[0]);
    return leave(second.ddi.patch(adapter, arguments));
}

static enum ddi_status submit_command(void *adapter, const struct ddi_submit_command *arguments)
{
    const uint32_t words[] = {arguments->dma_buffer,
                              arguments->dma_buffer_size,
                              arguments->submission_start_offset,
                              arguments->submission_end_offset,
                              arguments->node_ordinal,
                              arguments->submission_fence_id,
                              arguments->is_paging};
    enter(CALL_SUBMIT);
    tell_words(words, sizeof words / sizeof words[0]);
    return leave(second.ddi.submit_command(adapter, arguments));
}

static enum ddi_status preempt_command(void *adapter, const struct ddi_preempt_command *arguments)
{
    enter(CALL_PREEMPT);
    return leave(second.ddi.preempt_command(adapter, arguments));
}

static struct ddi_engine_status query_engine_status(void *adapter, uint32_t node)
{
    enter(CALL_QUERY_STATUS);
    struct ddi_engine_status status = second.ddi.query_engine_status(adapter, node);
    (void)leave(DDI_SUCCESS);
    return status;
}

static void reset_engine(void *adapter, struct ddi_reset_engine *arguments)
{
    enter(CALL_RESET);
    second.ddi.reset_engine(adapter, arguments);
    (void)leave(DDI_SUCCESS);
}

/* Every validator of the manager, for the host that asks. */
static void validate(void)
{
    uint32_t mode = hal_register_read(HOST_SCRATCH_OFFSET);
    if ((mode & SECOND_VALIDATE) == 0u) return;
    if (!gpu_check(&gpu)) second_broken("a validator of the manager does not hold");
    hal_register_write(HOST_SCRATCH_OFFSET, mode & ~(uint32_t)SECOND_VALIDATE);
}

/* main.c's, with the other driver. */
int main(void)
{
    second_driver_init(&second, 1);
    ddi = second.ddi;
    ddi.build_paging_buffer = build;
    ddi.patch = patch;
    ddi.submit_command = submit_command;
    ddi.preempt_command = preempt_command;
    ddi.query_engine_status = query_engine_status;
    ddi.reset_engine = reset_engine;
    const struct gpu_options options = {.ddi = &ddi};
    bool is_ready = gpu_init_with(&gpu, &options);
    for (;;) {
        hal_register_write(CORE_IRQ_PENDING_OFFSET, FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL));
        bool has_worked = is_ready && gpu_turn(&gpu);
        if (has_worked) continue;
        validate();
        hal_idle(is_ready ? gpu_patience(&gpu) : 1000000u);
    }
}
