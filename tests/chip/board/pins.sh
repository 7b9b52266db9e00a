#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pins.sh DIRECTORY
# Goal: a board's top elaborates, and its pins are whole. Method: for every board with an .lpf Yosys elaborates the top,
# the chip itself a black box; each bit of its ports has one site and one IOBUF line, nothing else has, and no site is
# given twice. What a board's simulation is told (-GNAME=VALUE in board.mk) stands in its top, or with what a size of
# it sets. The same of a copy with a pin left out, a site twice and another value must fail.
set -u
directory=$1 passed=0 failed=0
rm -rf "$directory"; mkdir -p "$directory"
verdict() { # OK? NAME
    if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}
ports() { # BOARD: every bit, a line each
    local common
    common=$(ls boards/common/*.v boards/ecp5/*.v | grep -v sdram_model.v | tr '\n' ' ')
    cat >"$directory/$1.ys" <<END
read_verilog -lib -specify +/ecp5/cells_sim.v +/ecp5/cells_bb.v
read_verilog -Irtl $common boards/$1/$1.v rtl/sync_fifo.v
read_verilog -lib -Irtl -Irtl/core -Irtl/engine -Irtl/display rtl/gpu.v
hierarchy -check -top $1
proc
splitnets -ports $1
tee -o $directory/$1.ports select -list $1/i:* $1/o:*
END
    yosys -q "$directory/$1.ys" >"$directory/$1.log" 2>&1 || { tail -n 3 "$directory/$1.log"; return 1; }
    sed -i "s,^$1/,," "$directory/$1.ports"
}
wrong() { # BOARD LPF BOARD.MK: what is wrong
    grep -v '^#' "$2" | sed -n 's/^LOCATE COMP "\([^"]*\)" SITE "\([A-Z]*[0-9]*\)";.*/\1 \2/p' >"$directory/sites"
    sed -n 's/^IOBUF PORT "\([^"]*\)" .*IO_TYPE=LVCMOS33.*/\1/p' "$2" >"$directory/buffers"
    diff <(sort "$directory/$1.ports") <(cut -d' ' -f1 "$directory/sites" | sort)
    diff <(sort "$directory/$1.ports") <(sort "$directory/buffers")
    cut -d' ' -f2 "$directory/sites" | sort | uniq -d
    grep -o -- '-G[A-Z0-9_]*=[0-9]*' "$3" | sed 's/^-G//; s/=/ /' | while read -r name value; do
        [ "$name" = PERIOD_PS ] || grep -qE "\.$name\($value\)|parameter $name *= $value," "boards/$1/$1.v" ||
            grep -q -- "-set $name $value\>" "$3" || echo "$name is not $value"
    done
}
for pins in boards/*/*.lpf; do
    board=$(basename "$pins" .lpf)
    ports "$board"; verdict $? "$board elaborates"
    found=$(wrong "$board" "$pins" "boards/$board/board.mk")
    [ -z "$found" ]; verdict $? "$board: $found"
done
board=i9
must_fail() { # NAME LPF BOARD.MK
    [ -n "$(wrong $board "$2" "$3")" ]; verdict $? "$1 must be found"
}
grep -v 'LOCATE COMP "sdram_d\[7\]"' boards/$board/$board.lpf >"$directory/missing.lpf"
must_fail "a pin left out" "$directory/missing.lpf" boards/$board/board.mk
sed 's/SITE "J19"/SITE "G19"/' boards/$board/$board.lpf >"$directory/twice.lpf"
must_fail "a site given twice" "$directory/twice.lpf" boards/$board/board.mk
sed 's/SDRAM_WIDTH=32/SDRAM_WIDTH=16/' boards/$board/board.mk >"$directory/board.mk"
must_fail "another width" boards/$board/$board.lpf "$directory/board.mk"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
