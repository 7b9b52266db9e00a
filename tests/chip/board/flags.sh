#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# flags.sh FOLDER VERILATOR-COMMAND; the environment has SETTINGS_NAME and CONFIG_NAME of every board, as its board.mk
# gives them
# Goal: `make run BOARD=` simulates the chip that is placed. Method: sim/board_flags.awk reads the parameters from each
# board's top. Its clock has to be the one that nextpnr was asked for (baseline-*.txt). sim_top elaborates with them. A
# copy of a top with another value gives that value, and one in which nothing is found is refused.
folder=$1; shift
passed=0 failed=0
rm -rf "$folder" && mkdir -p "$folder"
holds() { # NAME COMMAND...
    name=$1; shift
    if "$@" >>"$folder/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $name"; fi
}
flags() { # BOARD [TOP]
    eval "settings=\$SETTINGS_$1"
    awk -v board="$1" -v settings="$settings" -f sim/board_flags.awk sim/sim_top.v boards/common/board_core.v \
        "${2:-boards/$1/$1.v}"
}
placed() { # BOARD SIZE
    asked=$(awk '$1 == "clock" && $2 == "clk" { print $4 }' "boards/$1/baseline-$2.txt")
    [ -n "$asked" ] && flags "$1" | awk -F= -v asked="$asked" \
        '$1 == "CLOCK_HZ" && sprintf("%.2f", $2 / 1000000) == sprintf("%.2f", asked) { found = 1 } END { exit !found }'
}
elaborates() { # BOARD VERILATOR...
    board=$1; shift
    eval "config=\$CONFIG_$board"
    "$@" $config --lint-only --top-module sim_top +define+GPU_CLOCKS $(flags "$board" | grep -v CLOCK_HZ) \
        sim/public.vlt sim/sim_top.v sim/board_side.v sim/fault_gate.v sim/sleep.v
}
changed() { # BOARD FROM TO FLAG: in a copy of the top
    sed "s/$2/$3/" "boards/$1/$1.v" >"$folder/$1.v"
    ! cmp -s "$folder/$1.v" "boards/$1/$1.v" && flags "$1" "$folder/$1.v" | grep -q -- "$4" &&
        ! flags "$1" | grep -q -- "$4"
}
refused() { # BOARD FROM TO
    sed "s/$2/$3/g" "boards/$1/$1.v" >"$folder/$1.v"
    ! flags "$1" "$folder/$1.v"
}
holds 'the 85F is placed at the clock that is simulated' placed ulx3s 85k
holds 'so is the i9' placed i9 45k
for board in ulx3s i9; do holds "sim_top is the chip of $board" elaborates $board "$@"; done
holds 'another width' changed i9 'SDRAM_WIDTH(32)' 'SDRAM_WIDTH(16)' '-GSDRAM_WIDTH=16'
holds 'another clock' changed i9 'CLOCK_DIVIDER  = 20' 'CLOCK_DIVIDER  = 25' 'CLOCK_HZ=32000000'
holds 'another clock of the SDRAM' changed ulx3s 'CLKOS2 = "75"' 'CLKOS2 = "60"' '-GSDRAM_HZ=60000000'
holds 'another size' changed ulx3s 'SEGMENT1_BYTES = 131072' 'SEGMENT1_BYTES = 65536' '-GSEGMENT1_BYTES=65536 '
holds 'a top without its clock' refused i9 'CLOCK_HZ(' 'CLOCK_HERTZ('
holds 'a top without its SDRAM' refused i9 'FREQUENCY_PIN' 'PIN'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] || { cat "$folder/log"; false; }
