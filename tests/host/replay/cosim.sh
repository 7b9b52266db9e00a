#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the real firmware on the simulated hardware replays workloads exactly, and what both did is a legal
# schedule. Method: small instances of the families given as arguments; content is compared by the replay
# itself, the schedule by an independent checker: SPL-08, SPL-09, SPL-10, SPL-11, SPL-12, SPL-13, SPL-17, SPL-22,
# SPL-23, SPL-24, SPL-26. With --twice each one also with every split point taken: SPL-28.
# Usage: cosim.sh TESSERA TOOLS-DIR SCALE FRAMES [--twice] FAMILY...
tessera=$1 tools=$2 scale=$3 frames=$4
shift 4
modes=plain
if [ "$1" = --twice ]; then modes="plain split"; shift; fi
passed=0 failed=0 seed=0
for family in "$@"; do
    for mode in $modes; do
        seed=$((seed + 1))
        base=$tools/cosim-$family-$mode
        option='--policy literal'
        split=
        if [ $mode = split ]; then option="$option --force-split" split=SPL-28; fi
        if "$tools/make_workload" "$family" $seed "$frames" >"$base.json" &&
           "$tessera" replay "$base.json" --scale "$scale" --seed $seed --stall $((seed % 3 * 10)) $option \
               --report "$base.report.json" --schedule "$base.schedule.json" --workload "$base.replayed.json" &&
           "$tools/check_schedule" "$base.replayed.json" "$base.schedule.json"; then
            passed=$((passed + 1)) outcome=pass
        else
            echo "$family, $mode: failed"
            failed=$((failed + 1)) outcome=fail
        fi
        for row in SPL-08 SPL-09 SPL-10 SPL-11 SPL-12 SPL-13 SPL-17 SPL-22 SPL-23 SPL-24 SPL-26 $split; do
            echo "row $row $outcome 1"
        done
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
