/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: boot, doorbell, both nodes, aperture, guard, fences and the interrupt work together on the whole
 * chip. Method: load bringup.c, give it a block of bytes and the doorbell, compare what comes back.
 */
#include <stdio.h>
#include <string.h>

#include "bringup.h"
#include "gpu_hash.h"
#include "gpu_spec.h"
#include "rig.h"

static uint8_t pattern(uint32_t i) { return (uint8_t)(i * 7u + (i >> 8) * 13u + 1u); }

static void fill(struct rig *rig)
{
    uint32_t mail[16] = {BRINGUP_HELLO};
    uint8_t zero[4 * 4096] = {0}, bytes[BRINGUP_BYTES];
    mail[15] = ~BRINGUP_HELLO;
    for (uint32_t i = 0; i < BRINGUP_BYTES; i++) bytes[i] = pattern(i);
    rig->transport.memory_write(rig->transport.context, BRINGUP_MAIL, mail, sizeof mail);
    rig->transport.memory_write(rig->transport.context, BRINGUP_SOURCE, bytes, sizeof bytes);
    rig->transport.memory_write(rig->transport.context, BRINGUP_TARGET, zero, sizeof zero);
}

static void check_target(struct rig *rig)
{
    uint8_t page[4 * 4096];
    uint32_t wrong = 0;
    rig->transport.memory_read(rig->transport.context, BRINGUP_TARGET, page, sizeof page);
    for (uint32_t i = 0; i < sizeof page; i++) {
        bool is_inside = i >= BRINGUP_SHIFT && i < BRINGUP_SHIFT + BRINGUP_BYTES;
        uint8_t expected = is_inside ? pattern(i - BRINGUP_SHIFT) : 0;
        if (page[i] != expected && wrong++ < 5) printf("byte %u is %02x, not %02x\n", i, page[i], expected);
    }
    rig_check(rig, wrong == 0, "%u bytes of the target are wrong", wrong);
}

int main(int argc, char **argv)
{
    struct rig rig;
    void *context;
    uint32_t code = 0, mail[2];
    rig_open(&rig, argc, argv, "build/system/bringup.elf", 5000000);
    context = rig.transport.context;
    fill(&rig);
    rig_load(&rig, "build/system/bringup.bin");
    rig_check(&rig, rig_read(&rig, HOST_ABI_OFFSET) == GPU_ABI_HASH, "the chip is built from another table");
    rig_write(&rig, HOST_ABI_HOST_OFFSET, GPU_ABI_HASH);
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    rig_check(&rig, rig_await(&rig, HOST_BOOT_STATUS_OFFSET, 1, 20000), "the firmware does not start");

    rig_check(&rig, rig.transport.wait(context, 1000) == TRANSPORT_OK, "wait fails: %s", rig.transport.error);
    rig_check(&rig, rig_read(&rig, HOST_IRQ_STATUS_OFFSET) == 0, "an interrupt before its cause");
    rig_write(&rig, HOST_IRQ_ENABLE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION));
    rig_write(&rig, HOST_SUBMIT_TAIL_OFFSET, 1);
    uint64_t start = rig.transport.cycles(context);
    rig.transport.wait(context, 200000);
    uint64_t end = rig.transport.cycles(context);
    rig_check(&rig, rig_read(&rig, HOST_IRQ_STATUS_OFFSET) == FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION),
              "no completion interrupt");
    printf("doorbell to interrupt: %u cycles\n", (unsigned)(end - start));
    rig_write(&rig, HOST_IRQ_STATUS_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION));
    rig_check(&rig, rig_read(&rig, HOST_IRQ_STATUS_OFFSET) == 0, "the interrupt does not clear");
    rig_check(&rig, rig_read(&rig, HOST_COMPLETE_TAIL_OFFSET) == 1, "COMPLETE_TAIL is not the firmware's");
    rig.transport.memory_read(context, BRINGUP_MAIL, mail, sizeof mail);
    rig_check(&rig, mail[1] == BRINGUP_DONE, "the completion word is not in memory when the interrupt comes");
    check_target(&rig);
    rig_check(&rig, rig_read(&rig, APERTURE_LOOKUPS_OFFSET) > 0, "no aperture lookups");
    rig_check(&rig, rig_read(&rig, MEMORY_SYSTEM_BEATS_OFFSET) >= 2 * BRINGUP_BYTES / 8, "too few system beats");

    mail[0] = BRINGUP_BYE;
    rig.transport.memory_write(context, BRINGUP_MAIL, mail, sizeof mail[0]);
    rig_write(&rig, HOST_COMPLETE_HEAD_OFFSET, 1);
    rig_check(&rig, rig.transport.wait(context, 20000) == TRANSPORT_DEAD, "the firmware's end is not noticed");
    bool has_exited = simulator_exited(rig.simulator, &code);
    rig_check(&rig, has_exited && code == BRINGUP_EXIT, "exit code %u", code);
    return rig_close(&rig);
}
