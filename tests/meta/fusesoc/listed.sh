#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: a core that depends on tessera.core gets the chip, whole. Method: its lists name every file of rtl/, of
# boards/common and boards/ecp5 that is no model, and nothing else; the files of its `sim` target, and no others, are
# compiled by Icarus and the bench passes. FuseSoC itself is not needed.
#   listed.sh IVERILOG VVP
work=build/fusesoc
passed=0 failed=0
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
mkdir -p $work
# files FILESET
files() {
    awk -v set="  $1:" '/^  [a-z]/ { inside = $0 == set } /^targets:/ { inside = 0 }
                        inside && /^      - / { sub(/:.*/, "", $2); print $2 }' tessera.core | sort
}
ls rtl/*.v rtl/*.vh rtl/*/*.v rtl/*/*.vh | grep -vx rtl/slow_ram.v | sort >$work/chip
files rtl | diff - $work/chip; note $? 'rtl: the chip'
ls boards/common/*.v | grep -vx boards/common/sdram_model.v | sort >$work/board
files board | diff - $work/board; note $? 'board: what boards share'
ls boards/ecp5/*.v | sort >$work/board
files ecp5 | diff - $work/board; note $? 'ecp5: what boards with an ECP5 share'
for board in ulx3s i9; do
    ls boards/$board/$board.v boards/$board/$board.lpf | sort >$work/board
    files $board | diff - $work/board; note $? "$board: its top and its pins"
done
grep -qx "name: tessera:gpu:tessera:$(cat VERSION)" tessera.core; note $? 'the version is that of VERSION'
"$1" -g2012 -Wall -Irtl -Irtl/core -s gpu_bench -o $work/gpu_bench.vvp $(files rtl | grep '\.v$') \
    $(files bench) >$work/log 2>&1 && [ ! -s $work/log ]; note $? "the bench compiles: $(head -n 3 $work/log)"
"$2" -n $work/gpu_bench.vvp >$work/log 2>&1 && tail -n 1 $work/log | grep -qx '7 passed, 0 failed'
note $? "the bench: $(tail -n 2 $work/log)"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
