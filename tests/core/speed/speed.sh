#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# speed.sh BUILD: cycles per second of processor time, the better of two turns, and as parts of PicoRV32's. The turns
# alternate, so that a machine that is busy with other things is so for all.
build=$1; TIMEFORMAT=%U
test -x "$build/picorv32" || { echo "speed.sh: no $build/picorv32, see make bench-speed"; exit 2; }
mkdir -p "$build/out"
for turn in 1 2; do
    echo picorv32 "$("$build/picorv32")"
    echo core "$("$build/core")"
    echo chip-nodes-idle "$(build/system/bench_speed | grep million)"
    seconds=$( { time build/tessera run --frames 2 --no-compare --out "$build/out" >"$build/run.log" 2>&1; } 2>&1 )
    awk -v s="$seconds" '$1 == "cycles" && $2 + 0 > 0 {printf "chip-scene %.3f\n", $2 / s / 1e6; exit}' "$build/run.log"
done | awk '$2 > best[$1] {best[$1] = $2} !($1 in order) {order[$1] = ++n; name[n] = $1}
    END {for (i = 1; i <= n; i++) printf "%-16s %6.2f million cycles per second, %.3f of PicoRV32 alone\n",
             name[i], best[name[i]], best[name[i]] / best["picorv32"]}'
