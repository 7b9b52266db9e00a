#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# crossings.sh DIRECTORY [broken]: every flip-flop of a board whose value comes from one of another clock, found in
# the netlist, is named in the list below (docs/boards.md says why each may); nothing lies before it but the flip-flop
# of the other clock, and its own value goes into one flip-flop of its clock and nowhere else. What crosses in the
# memory of async_fifo.v, the words, is not looked at. Boards without the chip's display (DISPLAY 0) and with it. With
# `broken`, four faults must be found instead. Ends with "N passed, N failed".
set -u
directory=$1
mkdir -p "$directory"
passed=0 failed=0
display=0 scan=with_scanout.display
clocks=(clk sdram_clk pixel_clk)
declare -A resets=([clk]=rst [sdram_clk]=sdram_rst [pixel_clk]=pixel_rst)
# FROM TO: the flip-flops of TO that take something of FROM's. The reader's side of how far `reads` has been read is
# asked by nothing, so it is not there.
expected() {
    case $1,$2 in
        clk,pixel_clk|pixel_clk,clk) [ "$display" = 1 ] && return ;;
    esac
    case $1,$2 in
        clk,sdram_clk) echo memory.requests.r_seen0 memory.writes.r_seen0 ;;
        sdram_clk,clk) echo memory.reads.r_seen0 memory.requests.w_seen0 memory.writes.w_seen0 ready_seen ;;
        clk,pixel_clk) echo "$scan.double_seen $scan.line.r_seen0 $scan.running_seen" ;;
        pixel_clk,clk) echo "$scan.frame_seen $scan.line.w_seen0 $scan.miss_seen" ;;
    esac
}
# netlist SOURCE_FOLDER: flip-flops of one bit; the chip itself has one clock and is left out.
netlist() {
    echo "verilog_defines -DCONFIG_DISPLAY=$display"
    echo "read_verilog -Irtl -I$1 $1/board_core.v $1/board_memory.v $1/async_fifo.v $1/memory_hub.v"
    echo "read_verilog -Irtl -I$1 $1/sdram_controller.v $1/scanout.v $1/tmds_encoder.v $1/uart.v $1/wire_bridge.v"
    echo "read_verilog -Irtl rtl/sync_fifo.v"
    echo "read_verilog -lib -Irtl -Irtl/core -Irtl/engine -Irtl/display rtl/gpu.v"
    echo "hierarchy -top board_core; proc; flatten; opt_clean; opt_expr; opt_dff; memory_dff; memory_collect"
    echo "simplemap; splitnets; opt_clean"
    for clock in "${clocks[@]}"; do echo "select -set $clock w:$clock %co1:+[C] c:* %i"; done
    echo "select -set flops @clk @sdram_clk %u @pixel_clk %u"
}
# For each pair: their names; what they have before them that is no flip-flop, or after them.
questions() { # PREFIX
    for from in "${clocks[@]}"; do
        for to in "${clocks[@]}"; do
            [ "$from" = "$to" ] && continue
            echo "select -set hit @$from %co1:+[Q] w:${resets[$from]} %u %coe* %co1 @$to %i"
            echo "tee -o $1.$from.$to.names select -list @hit %co1:+[Q] w:* %i"
            echo "select -set before @hit %ci1:+[D] w:* %i %ci1 c:* %i @hit %d @flops %d"
            echo "select -set behind @hit %co1:+[Q] w:* %i %co1 c:* %i @hit %d @$to %d"
            echo "tee -o $1.$from.$to.between select -list @before @behind %u"
        done
    done
}
look() { # NAME SOURCE_FOLDER: what is wrong
    { netlist "$2"; questions "$directory/$1"; } >"$directory/$1.ys"
    yosys -q "$directory/$1.ys" >"$directory/$1.log" 2>&1 || { echo "$1: yosys failed"; tail -n 5 "$directory/$1.log"; }
    for from in "${clocks[@]}"; do
        for to in "${clocks[@]}"; do
            [ "$from" = "$to" ] && continue
            is=$(sed -n 's/^board_core.//; s/\[[0-9]*\]$//p' "$directory/$1.$from.$to.names" | sort -u | tr '\n' ' ')
            should=$(expected "$from" "$to" | tr ' ' '\n' | sort -u | tr '\n' ' ')
            [ "${is// /}" = "${should// /}" ] || echo "from $from to $to: ${is}instead of $should"
            between=$(head -n 1 "$directory/$1.$from.$to.between")
            [ -z "$between" ] || echo "from $from to $to: logic beside a flip-flop: $between"
        done
    done
}
verdict() { # OK? NAME
    if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}
spoil() { # NAME FILE SED
    mkdir -p "$directory/$1"
    cp boards/common/*.v "$directory/$1/"
    sed -i "$3" "$directory/$1/$2"
    ! cmp -s "boards/common/$2" "$directory/$1/$2" && [ -n "$(look "$1" "$directory/$1")" ]
    verdict $? "$1 must be found"
}
if [ "${2:-}" = broken ]; then
    spoil one_flip_flop async_fifo.v 's/r_seen1 <= r_seen0;/r_seen1 <= w_gray;/'
    spoil logic_between async_fifo.v 's/w_seen0 <= r_gray;/w_seen0 <= r_gray ^ {W{w_push}};/'
    spoil another_crossing scanout.v 's/wire is_double_here = double_seen\[1\];/wire is_double_here = is_double;/'
    display=1
    spoil another_clock board_core.v 's/raster <= {d_vsync,/raster <= {d_vsync \& arrived,/'
else
    for display in 0 1; do
        found=$(look "sound-$display" boards/common)
        echo "$found"
        [ -z "$found" ]; verdict $? "every crossing is named and two flip-flops deep, DISPLAY $display"
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
