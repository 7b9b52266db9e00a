# SPDX-License-Identifier: Apache-2.0
# The workload for ever, on any RV32IM core that starts at address 0 with RAM there: no CSR, no device.
    .section .text.start
    .global _start
_start:
    la sp, __stack
    call main
    j _start
    .section .tohost, "aw"
    .global tohost
tohost:
    .word 0
