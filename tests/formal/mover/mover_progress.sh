#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mover_progress.sh DIRECTORY BITS RTL...: prove mover_progress.v for addresses and lengths of BITS bits with the SAT
# solver inside Yosys: its `state` at reset, each bit of it a step later, and each bit of `follows` in the same
# cycle. Then: a completion is reached from reset; and the proof fails where the RTL is broken.
set -u
directory=$1 bits=$2 top=mover_progress; shift 2
mkdir -p "$directory"
passed=0 failed=0
. tests/formal/mover/mover_sat.sh
without='-DCONFIG_MAPS=0 -DCONFIG_PALETTE=0 -DCONFIG_MASKS=0' # what this proof says nothing about (rtl/config.vh)

# prepare NAME DEFINES INIT RTL...: a flat netlist; INIT clear: registers but is_later begin anywhere.
prepare() {
    local name=$1 defines=$2 init=$3; shift 3
    [ "$init" = clear ] && init='setattr -unset init w:* w:is_later %d' || init=
    yosys -q -p "read_verilog -formal $without $defines -Irtl $* tests/formal/mover/mover_queues.v \
    tests/formal/mover/$top.v
        chparam -set BITS $bits $top
        hierarchy -top $top
        setattr -mod -unset keep_hierarchy
        prep -flatten -top $top
        memory_nordff
        async2sync
        chformal -assume -early
        opt -full
        $init
        dffunmap
        opt_clean
        write_rtlil $directory/$name.il" >"$directory/$name.log" 2>&1 ||
        { echo "$name: cannot be prepared"; tail -n 5 "$directory/$name.log"; exit 2; }
}

prepare reset "" keep "$@"
prepare step -DSTEP clear "$@"
expect 0 'at reset' reset "-seq 2 -prove state 20'hfffff"
for bit in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 19; do
    expect 0 "state $bit a step later" step "-seq 2 -prove-skip 1 -prove state[$bit] 1'1"
done
# Bit 17 follows from the others of the same cycle, which are shown by now.
expect 0 'state 17 a step later' step "-seq 2 -prove-skip 1 -set-at 2 state[16:0] 17'h1ffff -prove state[17] 1'1"
for bit in 0 1 2 3 4; do expect 0 "follows $bit" step "-seq 1 -prove follows[$bit] 1'1"; done

expect 1 'must fail: no copy ever completes' reset "-seq 14 -prove-skip 13 -prove misses_completion 1'1"

breaks 'addresses sent ahead of their reads' mover_write.v 'has_bytes   = ahead >= ' 'has_bytes   = 12'"'"'d3072 >= ' \
    "-seq 2 -prove-skip 1 -prove state[14] 1'1" "$@"
breaks 'room for less than a burst needs' mover_read.v "reserved < 8'd224" "reserved < 8'd16" \
    "-seq 1 -prove follows[0] 1'1" "$@"
breaks 'room beyond the buffer' mover_read.v "reserved < 8'd224" "reserved < 8'd250" \
    "-seq 2 -prove-skip 1 -prove state[8] 1'1" "$@"
breaks 'a last beat not given out' mover_aligner.v 'flushing    <= in_flush' "flushing    <= 1'b0" \
    "-seq 2 -prove-skip 1 -prove state[11] 1'1" "$@"
breaks 'completion before the last answer' mover_write.v 'done_valid   = record_pop \&\& record_end' \
    'done_valid   = record_pop' "-seq 1 -prove follows[4] 1'1" "$@"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
