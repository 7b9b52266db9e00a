/* SPDX-License-Identifier: Apache-2.0
 *
 * Test firmware: does loads and stores that the host asks for through mailbox.h, anywhere in the core's
 * address space. A load or store that traps answers with mcause + 1 in MAIL_CAUSE.
 */
#include "device.h"
#include "../../rtl/regs/mailbox.h"

static uint32_t at(uint32_t bus) { return GPU_LIMIT(ADDR_SYSTEM) + bus; }

/* Does the access with mtvec at a label after it: *cause becomes mcause + 1 on a trap, else stays 0. */
#define GUARDED(instruction, value, address, cause) \
    __asm__ volatile(".option push\n.option arch, +zicsr\n.option norvc\n" \
                     "la t0, 1f\ncsrw mtvec, t0\n" instruction " %0, 0(%2)\nj 2f\n" \
                     ".balign 4\n1: csrr %1, mcause\naddi %1, %1, 1\n2:\n.option pop" \
                     : "+r"(value), "+r"(cause) \
                     : "r"(address) \
                     : "t0", "memory")

static uint32_t lines(void)
{
    uint32_t pending;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, mip\n.option pop" : "=r"(pending));
    return pending;
}

int main(void)
{
    uint32_t done = 0;
    *word_at(at(MAIL_ANSWER) + 4 * MAIL_DONE) = done;
    reg_write(HOST_BOOT_STATUS_OFFSET, 1);
    for (;;) {
        volatile uint32_t *mail = word_at(at(MAILBOX)), *answer = word_at(at(MAIL_ANSWER));
        reg_write(CORE_INVALIDATE_OFFSET, 1);
        uint32_t sequence = mail[MAIL_SEQUENCE];
        if (sequence == done) continue;
        uint32_t address = mail[MAIL_ADDRESS], value = mail[MAIL_VALUE], cause = 0;
        switch (mail[MAIL_OPERATION]) {
        case MAIL_READ: GUARDED("lw", value, address, cause); break;
        case MAIL_WRITE: GUARDED("sw", value, address, cause); break;
        case MAIL_READ_BYTE: GUARDED("lbu", value, address, cause); break;
        case MAIL_WRITE_BYTE: GUARDED("sb", value, address, cause); break;
        case MAIL_LINES: value = lines(); break;
        default: return 1;
        }
        answer[MAIL_RESULT] = value;
        answer[MAIL_CAUSE] = cause;
        answer[MAIL_DONE] = done = sequence;
    }
}
