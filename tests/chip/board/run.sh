#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BOARD CLOCK SDRAM OPTION...: the clocks in MHz; the options are those of the run
# Goal: what `make run BOARD=` draws is what every device draws, at that board's clock, in its SDRAM.
# Method: build/tessera-BOARD draws a scene; each picture is compared with the golden model's, byte for byte. The table
# has to say clock, frames a second, the SDRAM's share and what limits, and run.json the cycles that it follows from.
# The model of the SDRAM asserts the rules of its data sheet, which ends the run with an error.
board=$1 clock=$2 sdram=$3; shift 3
out=build/board/run-$board
program=build/tessera-$board
passed=0 failed=0
rm -rf "$out" && mkdir -p "$out"
# holds NAME COMMAND...
holds() {
    name=$1; shift
    if "$@" >>"$out/log" 2>&1; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name"; tail -n 5 "$out/log"; fi
}
holds 'the golden model draws' build/tessera run --model "$@" --no-compare --out "$out/model"
holds 'the chip draws' sh -c 'program=$1 sum=$2; shift 2; "$program" run "$@" >"$sum"' - "$program" "$out/sum" \
    "$@" --no-compare --out "$out/chip"
same() {
    ls "$out"/model/frame-*.png >/dev/null || return 1
    for picture in "$out"/model/frame-*.png; do cmp "$picture" "$out/chip/$(basename "$picture")" || return 1; done
}
holds 'the same pictures' same
holds 'no fault' grep -q '"faults": 0,' "$out/chip/run.json"
holds 'on the board' grep -q "\"device\": \"simulated $board\"" "$out/chip/run.json"
# The frames a second are those of the cycles, at the clock that the board's top has.
rate() {
    awk -F'[:,]' -v clock="$clock" -v row="$(grep '^  frames a second' "$out/sum")" '
        /^  "clock_hz"/ { hz = $2 } /^  "cycles"/ { all = $2 } /^  "first_frame_cycle"/ { first = $2 }
        /^  "frames"/ { frames = $2 }
        END { each = (all - first) / frames
              want = sprintf(" frames a second %.1f at %.4g MHz, %.2f ms a frame", hz / each, clock, each / hz * 1000)
              gsub(/ +/, " ", row); print want "; " row
              exit !(hz == clock * 1000000 && want == row) }' "$out/chip/run.json"
}
holds 'frames a second follow from cycles and clock' rate
holds 'the share of the SDRAM' \
    grep -q '^  SDRAM busy  *[1-9][0-9.]* %  of its cycles; its pins carry data in [1-9]' "$out/sum"
# So many more cycles has the SDRAM.
clocks() {
    awk -F'[:,]' -v sdram="$sdram" -v clock="$clock" '
        /^  "account"/ { chip = $3 } /^  "sdram"/ { gsub(/[^0-9,:]/, ""); memory = $3 }
        END { off = memory * clock - chip * sdram; print memory, chip
              exit !(chip > 0 && off <= sdram && -off <= sdram) }' "$out/chip/run.json"
}
holds 'both clocks' clocks
# The bytes that the nodes read and wrote in system memory took their cycles on the pins, at least.
moved() {
    awk -v bytes="$([ "$board" = i9 ] && echo 4 || echo 2)" '
        /"sdram"/ { gsub(/[^0-9 ]/, ""); cycles = $1; moves = $2; busy = $3 }
        /"(render|paging)_node": \{"packets"/ {
            gsub(/[",}]/, "")
            for (i = 1; i < NF; i++) if ($i ~ /^(read|write)_system:$/) nodes += $(i + 1)
        }
        END { print cycles, moves, busy, nodes
              exit !(nodes > 0 && moves * bytes >= nodes && moves <= busy + 64 && busy <= cycles) }' \
        "$out/chip/run.json"
}
holds 'its cycles carry what was moved' moved
holds 'what limits' grep -qE '^  The (firmware|SDRAM|render node) limits this run: ' "$out/sum"
refused() {
    "$program" run --latency 9 --out "$out/refused" 2>"$out/refusal"
    [ $? -eq 2 ] &&
        grep -q "^tessera: --latency and --stall have no effect on the SDRAM of the simulated $board" "$out/refusal"
}
holds 'the latency of another memory is refused' refused
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
