#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/meta/coverage/rtl.sh OUT MAKE JOBS: which lines of RTL do the tests reach, and which bits change? In a copy of
# the tree, OUT/rtl, every design of the tests of tests/meta/coverage/rtl_targets is built with Verilator's counters
# (verilator.sh), benches of modules and the whole chip alike; what they count lies in OUT/counts.
set -u
out=$1 make=$2 jobs=$3 root=$PWD
tree=$root/$out/rtl
rm -rf "$tree" "$out/counts" "$out/counts.library" && mkdir -p "$tree/build/sim" "$out/counts" || exit 2
{ git ls-files 2>/dev/null || find . -type f | sed 's,^\./,,' | grep -vE '^(build|out|\.git)/'; } |
    tar -cf - -T - | tar -xf - -C "$tree" || exit 2
# What is built and has no design in it is not built again.
for kept in gen firmware host model; do [ ! -d build/$kept ] || cp -a build/$kept "$tree/build/"; done
cp -a build/*.h "$tree/build/" 2>/dev/null
for kept in build/sim/*.o; do [ "$kept" = build/sim/chip.o ] || cp -a "$kept" "$tree/build/sim/"; done 2>/dev/null
rm -f "$tree/tests/meta/counts" # a program of its own counts nothing here
targets=$(sed 's/#.*//' tests/meta/coverage/rtl_targets)
export RTL_COVERAGE=$root/$out/counts
env -u MAKEFLAGS -u MAKEOVERRIDES -u MFLAGS "$make" -C "$tree" -k -s -j "$jobs" --no-print-directory SUITE=1 \
    VERILATOR="$root/tests/meta/coverage/verilator.sh" SIM_OPT='OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1' \
    SIM_RUNTIME='verilated.o verilated_threads.o verilated_cov.o' $targets >"$out/rtl.log" 2>&1 ||
    { tail -n 20 "$out/rtl.log"; exit 1; }
# What a test comes to before it fails counts: whether tests pass is for `make test` to say.
grep -A 3 '^  FAIL' "$out/rtl.log"
[ -n "$(ls "$out/counts")" ] || { echo "no design counted anything"; exit 1; }
