#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/must_fail/rtl.sh PROGRAM: an assertion in RTL that does not hold stops the simulation, and a chip whose
# timing profile has a name that rtl/timing.vh does not know is not built.
. tests/meta/must_fail/expect.sh
elaborate() {
    iverilog -g2005 -Irtl -Irtl/core -Irtl/engine -y rtl -y rtl/core -y rtl/engine -t null \
        "-Pgpu.TIMING=\"$1\"" -s gpu rtl/gpu.v
}
must_pass "a full FIFO" "$1" full
must_fail "a FIFO pushed when full" "sync_fifo.v" "$1" overflow
for profile in fast ecp5 tiny; do must_pass "the profile $profile" elaborate $profile; done
must_fail "a profile that is not in the table" "TIMING_names_no_profile" elaborate ecp6
finish
