#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/must_fail/rtl.sh PROGRAM: an assertion in RTL that does not hold fails what Verilator and what Icarus made,
# and a chip whose timing profile has a name that rtl/timing.vh does not know is not built.
. tests/meta/must_fail/expect.sh
elaborate() {
    iverilog -g2005 -Irtl -Irtl/core -Irtl/engine -y rtl -y rtl/core -y rtl/engine -t null \
        "-Pgpu.TIMING=\"$1\"" -s gpu rtl/gpu.v
}
must_pass "a full FIFO" "$1" full
must_fail "a FIFO pushed when full" "sync_fifo.v" "$1" overflow
must_pass "a FIFO for Icarus" \
    iverilog -g2012 -DGPU_ASSERT -y rtl -s overflow -o "$1.vvp" tests/meta/must_fail/overflow.v
must_pass "a full FIFO in Icarus" tests/rtl/icarus.sh "$1.vvp"
must_fail "a FIFO pushed when full in Icarus" "sync_fifo.v" tests/rtl/icarus.sh "$1.vvp" +overflow
for profile in fast ecp5 tiny; do must_pass "the profile $profile" elaborate $profile; done
must_fail "a profile that is not in the table" "TIMING_names_no_profile" elaborate ecp6
finish
