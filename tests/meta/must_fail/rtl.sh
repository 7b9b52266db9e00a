#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/must_fail/rtl.sh PROGRAM: an assertion in RTL that does not hold fails what Verilator and what Icarus made,
# and a chip whose options contradict each other (rtl/config.vh) is not built.
. tests/meta/must_fail/expect.sh
elaborate() {
    iverilog -g2005 -Irtl -Irtl/core -Irtl/engine -Irtl/display -y rtl -y rtl/core -y rtl/engine \
        -y rtl/display -t null "$@" -s gpu rtl/gpu.v
}
must_pass "a full FIFO" "$1" full
must_fail "a FIFO pushed when full" "sync_fifo.v" "$1" overflow
must_pass "a FIFO for Icarus" \
    iverilog -g2012 -DGPU_ASSERT -y rtl -s overflow -o "$1.vvp" tests/meta/must_fail/overflow.v
must_pass "a full FIFO in Icarus" tests/rtl/icarus.sh "$1.vvp"
must_fail "a FIFO pushed when full in Icarus" "sync_fifo.v" tests/rtl/icarus.sh "$1.vvp" +overflow
must_pass "a chip with everything" elaborate
must_pass "a chip with fewer formats" elaborate -DCONFIG_FORMATS=0
must_pass "a chip with nothing" elaborate -DCONFIG_FORMATS=0 -DCONFIG_MAPS=0 -DCONFIG_EXAMINER=0 -DCONFIG_DEBUG=0
must_fail "masks without formats" "palettes_and_masks_need_formats" elaborate -DCONFIG_FORMATS=0 -DCONFIG_MASKS=1
finish
