#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mover_commands.sh PART DIRECTORY RTL...: prove mover_PART.v (walk, fit, stream, pixel_rows or needs_formal) with the
# SAT solver inside Yosys: `state` at reset and a step later, and `follows`. Then: what must be reached is; and the
# proof fails where the RTL is broken. The RTL is the whole mover, flat; what a part says nothing about is cut off.
set -u
part=$1 directory=$2; shift 2
mkdir -p "$directory"
passed=0 failed=0
. tests/formal/mover/mover_sat.sh
bits=${BITS:-32} # of rows in mover_fit.v
top=mover_$part
without='-DCONFIG_MAPS=0 -DCONFIG_PALETTE=0 -DCONFIG_MASKS=0' # what these proofs say nothing about (rtl/config.vh)
[ "$part" = needs_formal ] && without=
cut_of() {
    case $1 in
        walk)   echo w:mover.source_read.burst_ready w:mover.write.burst_ready w:mover.write.idle w:mover.fills_full ;;
        stream) for side in s t; do
                    for name in valid head tail address beats first last busy; do echo "w:mover.${side}b_$name"; done
                done
                echo w:mover.started w:mover.is_first w:mover.piece_void w:mover.source_end w:mover.target_end
                echo w:mover.source_first w:mover.target_first
                echo w:mover.is_special w:mover.pixels.p_ready w:mover.pixels.active ;;
    esac
}
# prepare NAME DEFINES INIT RTL...: a flat netlist; INIT clear: registers but is_later begin anywhere.
prepare() {
    local name=$1 defines=$2 init=$3 cut fit=; shift 3
    [ $part = fit ] && fit="chparam -set BITS $bits $top"
    [ "$init" = clear ] && init='setattr -unset init w:* w:is_later %d' || init=
    cut=$(cut_of $part | tr '\n' ' ')
    [ -n "$cut" ] && cut="cutpoint $cut"
    yosys -q -p "read_verilog -formal $without $defines -Irtl $* ${top_file:-tests/formal/mover/$top.v}
        $fit
        hierarchy -top $top
        setattr -mod -unset keep_hierarchy
        prep -flatten -top $top
        $cut
        opt_clean
        memory_nordff
        async2sync
        chformal -assume -early
        opt -full
        $init
        dffunmap
        opt_clean -purge
        write_rtlil $directory/$name.il" >"$directory/$name.log" 2>&1 ||
        { echo "$name: cannot be prepared"; tail -n 5 "$directory/$name.log"; exit 2; }
    # A name that Yosys does not know would be free: everything read here has a driver.
    ! grep -q 'has no driver\|implicitly declared' "$directory/$name.log" || { cat "$directory/$name.log"; exit 2; }
}
step="-seq 2 -prove-skip 1 -prove"

prove_walk() {
    prepare reset "" keep "$@"
    prepare step -DSTEP clear "$@"
    expect 0 'at reset' reset "-seq 2 -prove state 16'hffff"
    expect 0 'a step later: the walk' step "$step state[7:0] 8'hff"
    expect 0 'a step later: the cutters' step "$step state[9:8] 2'h3"
    expect 0 'a step later: offers stand, ends, chunks, registers' step "$step state[15:10] 6'h3f"
    expect 0 'each step leaves less' step "$step follows[0] 1'1"
    expect 0 'bursts, marks and ends' step "-seq 1 -prove follows[12:1] 12'hfff"
    expect 1 'reached: reverse' reset "-seq 21 -prove-skip 20 -prove misses[0] 1'1"
    expect 1 'reached: fill' reset "-seq 11 -prove-skip 10 -prove misses[1] 1'1"
    expect 1 'reached: tile' reset "-seq 20 -prove-skip 19 -prove misses[2] 1'1"
    expect 1 'reached: untile' reset "-seq 20 -prove-skip 19 -prove misses[3] 1'1"
    expect 1 'reached: rows' reset "-seq 13 -prove-skip 12 -prove misses[4] 1'1"
    breaks 'the last row never found' mover_pieces.v "rows_left == 16'd2;" "rows_left == 16'd1;" \
        "$step state[7:0] 8'hff" "$@"
    breaks 'a chunk over a boundary' mover_pieces.v 'room = target_row\[7:0\] + ' 'room = source_row[7:0] + ' \
        "$step state[14] 1'1" "$@"
    breaks 'half a piece forgotten' mover_pieces.v '!has_source_now \&\& !has_target_now' '!has_target_now' \
        "-seq 1 -prove follows[3] 1'1" "$@"
    breaks 'an end with every row' mover.v 'burst_end        (tb_tail && target_end)' 'burst_end        (tb_tail)' \
        "$step state[7:0] 8'hff" "$@"
    breaks 'a second band without tiles' mover_pieces.v "band_done ? cmd_row_bytes\[15:5\] : tiles_now" "tiles_now" \
        "$step state[7:0] 8'hff" "$@"
}
prove_fit() {
    prepare fit "" keep
    for bit in 0 1 2 3 4 5; do expect 0 "$bits bits, $bit" fit "-prove follows[$bit] 1'1"; done
    prepare anywhere -DANYWHERE keep
    expect 1 'must fail: a place inside a burst' anywhere "-prove follows[0] 1'1"
}
prove_stream() {
    prepare reset "" keep "$@"
    prepare step -DSTEP clear "$@"
    expect 0 'at reset' reset "-seq 2 -prove state 17'h1ffff"
    expect 0 'a step later: queues' step "$step state[3:0] 4'hf"
    expect 0 'a step later: reads' step "$step state[6:4] 3'h7"
    expect 0 'a step later: writes' step "$step state[12:7] 6'h3f"
    expect 0 'a step later: fills, offers' step "$step state[15:13] 3'h7"
    expect 0 'words and beats ahead, of the buffer' step "-seq 1 -prove follows[6:5] 2'h3"
    expect 0 'beats ahead, of bursts' step "-seq 1 -set follows[6] 1'1 -prove follows[7] 1'1"
    expect 0 'beats ahead, sums' step "-seq 1 -prove follows[8] 1'1"
    expect 0 'beats ahead, of reads' step "-seq 1 -set follows[8:6] 3'h7 -prove follows[9] 1'1"
    expect 0 'beats ahead' step "-seq 1 -set follows[6:5] 2'h3 -set follows[9] 1'1 -prove follows[10] 1'1"
    expect 0 'bytes ahead' step "-seq 1 -set follows[10] 1'1 -prove follows[11] 1'1"
    expect 0 'a step later: backing' step "-set-at 1 follows[11] 1'1 $step state[16] 1'1"
    expect 0 'no hang, gates open' step "-seq 1 -prove follows[3:0] 4'hf"
    expect 0 'gates stay open' step "$step follows[4] 1'1"
    expect 1 'reached: fill and copy' reset "-seq 15 -prove-skip 14 -prove misses[0] 1'1"
    expect 1 'reached: reverse' reset "-seq 17 -prove-skip 16 -prove misses[1] 1'1"
    expect 1 'reached: a void command' reset "-seq 15 -prove-skip 14 -prove misses[2] 1'1"
    expect 1 'reached: all full' step "$step misses[3] 1'1"
    breaks 'addresses sent ahead of their reads' mover_write.v 'has_bytes   = ahead >= ' \
        "has_bytes   = 12'd3072 >= " "$step state[10] 1'1" "$@"
    breaks 'room for less than a burst needs' mover_read.v "reserved < 8'd224" "reserved < 8'd16" \
        "-seq 1 -prove follows[0] 1'1" "$@"
    breaks 'room beyond the buffer' mover_read.v "reserved < 8'd224" "reserved < 8'd250" "$step state[4:2] 3'h7" "$@"
    breaks 'a last beat not given out' mover_aligner.v 'flushing    <= in_flush' "flushing    <= 1'b0" \
        "$step state[7] 1'1" "$@"
    breaks 'a pattern that stays' mover_write.v 'fill_active <= !fill_end' "fill_active <= 1'b1" \
        "$step state[13] 1'1" "$@"
    breaks 'chunks not counted' mover_read.v 'chunk_arrived = burst_done' "chunk_arrived = 1'b0 \&\& burst_done" \
        "$step state[11] 1'1" "$@"
    breaks 'an empty command that waits for an answer' mover_write.v '(record_void || bvalid)' 'bvalid' \
        "-seq 1 -prove follows[0] 1'1" "$@"
}
prove_pixel_rows() {
    prepare reset "" keep "$@"
    prepare step -DSTEP clear "$@"
    expect 0 'at reset' reset "-seq 2 -prove state 3'h7"
    expect 0 'a step later' step "$step state 3'h7"
    expect 0 'each step leaves less' step "$step follows[1] 1'1"
    expect 0 'waits for beats only' step "-seq 1 -prove follows[0] 1'1"
    expect 0 'beats of a row' step "-seq 1 -prove follows[3:2] 2'h3"
    expect 1 'reached: a row' reset "-seq 11 -prove-skip 10 -prove misses 1'1"
    breaks 'the last bytes of a row kept' pixel_path.v 'overflows  = is_three' "overflows  = 1'b0 \&\& is_three" \
        "-seq 1 -prove follows[3] 1'1" "$@"
    breaks 'a beat taken that is spent' pixel_unpack.v "2'd2 || (row_end \&\& !single)" "2'd2 || row_end" \
        "-seq 1 -prove follows[2] 1'1" "$@"
}
prove_needs_formal() {
    prepare ahead "" keep "$@"
    expect 0 'enough of the source, of the target, counted' ahead "-prove follows 3'h7"
    expect 1 'reached: a unit over two bursts' ahead "-prove misses 1'1"
    sed 's/AHEAD = 24/AHEAD = 14/' tests/formal/mover/mover_needs_formal.v >"$directory/mover_needs_formal.v"
    top_file=$directory/mover_needs_formal.v prepare less "" keep "$@"
    expect 1 'must fail: 14 bytes ahead' less "-prove follows[0] 1'1"
    breaks 'a unit counted with the burst it ends in' mover_units.v "{8'd0, head \\&\\& bytes\\[0\\]}" "9'd0" \
        "-prove follows[2] 1'1" "$@"
}
"prove_$part" "$@"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
