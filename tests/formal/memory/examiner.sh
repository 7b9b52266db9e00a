#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examiner.sh OUT: the proof of examiner_formal.v by induction, with every table of the examiner replaced by anything.
# Then REACH, bounded, must fail: a walk is accepted. Ends with "N passed, N failed".
out=$1 passed=0 failed=0
mkdir -p "$out"
solve() { # name, define, sat's options
    yosys -q -l "$out/examiner_$1.log" \
        -p "read_verilog -formal -DGPU_ASSERT $2 -Irtl tests/formal/memory/examiner_formal.v rtl/examiner.v \
            rtl/engine/node_blit_check.v rtl/engine/pixel_size.v rtl/engine/pixel_bytes.v; \
            prep -top examiner_formal -nordff; flatten; memory_collect; cutpoint t:\$mem_v2; async2sync; opt -full; \
            dffunmap; opt_clean; sat $3 -prove-asserts -set-assumes examiner_formal" >/dev/null 2>&1
}
check() { # what is claimed; then as solve
    if solve "$2" "$3" "$4"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $1"; fi
}
check "a walk stays in its DMA buffer and ends" ends "" "-verify -tempinduct -seq 1 -maxsteps 4"
check "a walk can be accepted" reach -DREACH "-falsify -seq 82"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
