#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# grants.sh DIRECTORY [PART...]: no beat of an unprivileged RUN lies outside what is granted. Proves grants_PART.v
# (table, guard, mover, node, data, words; all without PART) by induction of one step, in every build of the node; that
# the interesting states are reached; and that each fails when the RTL it speaks of is broken. With all parts also:
# what one part assumes of another, another asserts. How the parts make one statement: docs/security.md.
set -u
directory=$1; shift
mkdir -p "$directory"
passed=0 failed=0
limit=${FORMAL_TIMEOUT:-300}
engine() { for name in "$@"; do echo "rtl/engine/$name.v"; done; }
mover="$(ls rtl/engine/mover*.v rtl/engine/pixel_*.v | tr '\n' ' ')"
files_of() {
    echo "tests/formal/grants/grants_$1.v tests/formal/grants/grants_contracts.v"
    case $1 in
        table) engine guard_table; echo tests/formal/grants/grants_page.v ;;
        guard) engine guard guard_read guard_write; echo rtl/fabric_fifo.v tests/formal/grants/grants_page.v ;;
        mover) echo tests/formal/grants/grants_queue.v "$mover" ;;
        node)  engine mover guard pixel_size; echo tests/formal/grants/grants_fifo.v rtl/event_counters.v
               ls rtl/engine/node*.v ;;
        data)  engine node_data node_actions node_touch node_list node_share guard guard_read guard_write guard_table
               echo rtl/fabric_fifo.v rtl/sync_fifo.v "$mover" ;;
        words) engine node_fetch node_packet; echo rtl/fabric_fifo.v ;;
    esac
}
# What a part says nothing about: modules whose outputs, wires whose values are anything. What computes the data is
# most of a mover, and its read buffers are 512 words of flip-flops here.
cut_modules_of() { # PART PARAMETERS
    case $1 in
        node) echo '*mover *paramod?guard?DATA* *node_touch* *node_counters* *node_surface* *node_fetch*' \
                   '*node_packet* *node_command*' ;;
        mover) echo '*mover_buffer*'; case $2 in *'PIXELS 0'*) ;; *) echo '*pixel_blend*' ;; esac ;;
        data) echo '*mover *paramod?guard?DATA* *node_actions*' ;;
    esac
}
cut_wires_of() { # PART PARAMETERS DEFINES
    [ "$1" = mover ] || return
    for name in out_valid s_valid s_ready fills_full write.has_source write.has_target write.account_valid \
        write.fill_active write.is_set; do echo "w:mover.$name"; done
    case $2 in
        *'PIXELS 0'*) ;;
        *) echo w:mover.pixels.p_ready w:mover.pixels.active w:mover.params_room ;;
    esac
    case $3 in
        *MAPS=1*) for name in word_valid oldest product; do echo "w:mover.pixels.affine.maps.map.$name"; done ;;
    esac
}
# prepare NAME PART PARAMETERS DEFINES PASSES FILE...: a flat netlist.
prepare() {
    local name=$1 part=$2 parameters=$3 defines=$4 passes=$5 modules wires maps='memory_map'; shift 5
    modules=$(cut_modules_of "$part" "$parameters" | tr '\n' ' ')
    wires=$(cut_wires_of "$part" "$parameters" "$defines" | tr '\n' ' ')
    [ "$part" = table ] && maps= # z3 has arrays
    yosys -q -p "read_verilog -formal -DGPU_PROOF $defines -Irtl $*
        ${parameters:+chparam $parameters grants_$part}
        hierarchy -top grants_$part
        setattr -mod -unset keep_hierarchy
        ${modules:+proc; cutpoint $modules}
        prep -flatten -top grants_$part
        ${wires:+cutpoint $wires; opt_clean}
        memory_nordff; $maps
        async2sync
        chformal -assume -early
        opt -full
        $passes
        dffunmap
        opt_clean
        write_rtlil $directory/$name.il" >"$directory/$name.log" 2>&1 ||
        { echo "$name: cannot be prepared"; tail -n 5 "$directory/$name.log"; exit 2; }
    # A name that Yosys does not know would be free: everything read here has a driver. What is cut exists.
    ! grep -q 'has no driver\|implicitly declared\|did not match any' "$directory/$name.log" ||
        { cat "$directory/$name.log"; exit 2; }
}
# holds NAME PART: 0 shown for ever, 1 not, 2 no answer.
holds() {
    local log=$directory/$1.sat
    if [ "$2" = table ]; then
        yosys -q -p "read_rtlil $directory/$1.il; write_smt2 -wires $directory/$1.smt2" >"$log" 2>&1 || return 2
        timeout "$limit" yosys-smtbmc --noprogress -s z3 -t 2 "$directory/$1.smt2" >>"$log" 2>&1 &&
            timeout "$limit" yosys-smtbmc --noprogress -s z3 -i -t 2 "$directory/$1.smt2" >>"$log" 2>&1 && return 0
        grep -q 'Assert failed' "$log" && return 1
        return 2
    fi
    timeout "$limit" yosys -q -l "$log" -p "read_rtlil $directory/$1.il
        sat -prove-asserts -set-assumes -seq 1 -tempinduct -maxsteps 1 -verify grants_$2" >/dev/null 2>&1
    grep -q 'Induction step proven: SUCCESS' "$log" && return 0
    grep -q 'proof did fail' "$log" && return 1
    return 2
}
expect() { # VERDICT GOT NAME
    if [ "$1" -eq "$2" ]; then passed=$((passed + 1)); echo "$3, $((SECONDS - start)) s"
    else failed=$((failed + 1)); echo "$3: FAILED ($2)"; fi
    start=$SECONDS
}
start=$SECONDS
# The features of a build, after the parameters: `with maps`, `with palette`, `with maps and palette`; else without.
defines_of() {
    echo -n '-DCONFIG_MASKS=0'
    case $1 in *maps*) echo -n ' -DCONFIG_MAPS=1 -DMAPS' ;; *) echo -n ' -DCONFIG_MAPS=0' ;; esac
    case $1 in *palette*) echo -n ' -DCONFIG_PALETTE=1 -DPALETTES' ;; *) echo -n ' -DCONFIG_PALETTE=0' ;; esac
}
parameters_of() { echo -n "${1%%with *}"; }
proves() { # PART [PARAMETERS]
    # shellcheck disable=SC2046
    prepare "$1" "$1" "$(parameters_of "${2:-}")" "$(defines_of "${2:-}")" '' $(files_of "$1")
    holds "$1" "$1"
    expect 0 $? "$1${2:+ $2}"
}
quick=${QUICK:-0} # 1: the proofs alone
reaches() { # PART STEPS: from some state in which all of it holds
    [ "$quick" = 0 ] || return
    # shellcheck disable=SC2046
    prepare "$1-reach" "$1" '' "$(defines_of '') -DREACH" \
        'chformal -assert2assume; setattr -unset init w:* w:seen* %d' $(files_of "$1")
    timeout "$limit" yosys -q -l "$directory/$1-reach.sat" -p "read_rtlil $directory/$1-reach.il
        sat -set-assumes -seq $2 -prove-skip $(($2 - 1)) -prove misses 1'1 grants_$1" >/dev/null 2>&1
    grep -q 'model found: FAIL' "$directory/$1-reach.sat"
    expect 0 $? "reached: $1"
}
breaks() { # NAME PART FILE PATTERN REPLACEMENT [PARAMETERS]: with the RTL changed it no longer holds
    local name=$1 part=$2 file=$3 parameters=${6:-} changed
    [ "$quick" = 0 ] || return
    sed "s/$4/$5/" "rtl/engine/$file" >"$directory/$file"
    cmp -s "$directory/$file" "rtl/engine/$file" && { echo "$name: nothing to break in $file"; exit 2; }
    changed=$(files_of "$part" | tr ' ' '\n' | sed "s:^rtl/engine/$file\$:$directory/$file:")
    # shellcheck disable=SC2086
    prepare broken "$part" "$(parameters_of "$parameters")" "$(defines_of "$parameters")" '' $changed
    holds broken "$part"
    expect 1 $? "must fail: $name"
}

prove_table() {
    proves table
    breaks 'another page answers' table guard_table.v 'page        <= address\[16:12\]' 'page        <= address[17:13]'
}
prove_guard() {
    proves guard
    reaches guard 12
    breaks 'reads pass unlooked' guard guard_read.v 'may_pass = !guarded' "may_pass = 1'b1 || !guarded"
    breaks 'writes pass unlooked' guard guard_write.v 'may_pass = !guarded' "may_pass = 1'b1 || !guarded"
    breaks 'the range grown by a page' guard guard.v "set_first + set_count - 14'd1" 'set_first + set_count'
    breaks 'set while bursts are under way' guard guard.v 'busy \&\& is_empty' 'busy'
    breaks 'grants that outlive rst' guard guard.v "sweeping <= 1'b1" "sweeping <= 1'b0"
    breaks 'write data before its address' guard guard_write.v 'in_wvalid \&\& open_valid' 'in_wvalid'
}
prove_mover() {
    for parameters in '-set PIXELS 1' '-set PIXELS 0' 'with maps and palette'; do
        proves mover "$parameters"
    done
    reaches mover 5
    breaks 'a read without its user bit' mover mover_read.v 'aruser         = burst\[0\]' "aruser         = 1'b0"
    breaks 'a palette that the guard does not look at' mover mover.v '(reads_palette || cmd_user)' '(cmd_user)' \
        'with palette'
    breaks 'a write without its user bit' mover mover_write.v 'awuser <= queue_user' "awuser <= 1'b0"
    breaks 'a command taken before its last burst' mover mover_pieces.v '!has_source_now \&\& !has_target_now' \
        '!has_target_now'
    breaks 'a burst over a boundary' mover mover_pieces.v \
        '{source_first\[7:0\], source_in} <= ~{source_reach, short_rest}' "1'b1"
    breaks 'less data than the address said' mover mover_write.v 'wlast       = beat == wait_beats' \
        "wlast       = beat == (wait_beats >> 1)"
    breaks 'a map walked without its command' mover mover_affine.v 'offer_end ? finished : has_begun' 'has_begun' \
        'with maps'
    breaks 'a fine burst over its end' mover mover_cutter.v 'at_quarter == piece_last\[7:6\]' \
        "at_quarter == 2'd3" 'with maps'
}
prove_node() {
    for parameters in '-set NODE 0' '-set NODE 1' '-set NODE 0 with maps and palette'; do
        proves node "$parameters"
    done
    reaches node 16
    breaks 'the RUN before counts' node node_execute.v 'run_privileged <= word0' \
        'run_privileged <= run_privileged || word0'
    breaks 'GUARD in an unprivileged RUN' node node_check.v 'is_ring \&\& !privileged' "is_ring \&\& 1'b0"
    breaks 'GUARD during a RUN' node node_execute.v 'S_HEAD \&\& execute_at_head \&\& !acting' 'S_HEAD \&\& !acting'
    breaks 'a TOUCH that begins again' node node_actions.v 'touch_start   = start' "touch_start   = 1'b1"
    breaks 'a palette that begins again' node node_actions.v 'palette_start = start' "palette_start = 1'b1" \
        'with palette'
    breaks 'RESET that does not wait' node node_execute.v 'S_RESET \&\& mover_idle \&\& settle\[1\]' 'S_RESET'
}
prove_data() {
    for parameters in '-set NODE 0' '-set NODE 1' '-set NODE 0 with maps and palette'; do
        proves data "$parameters"
    done
    reaches data 6
    breaks 'a user bit dropped on the way' data node_data.v '!is_list \&\& source_aruser' "1'b0 \&\& source_aruser"
    breaks 'a command changed while it waits' data node_data.v 'if (!posted) post <=' 'post <='
    breaks 'a palette whose place does not stand' data node_data.v 'load_source       (packet\[63:40\])' \
        'load_source       (packet[63:40] \& {24{act_start}})' 'with palette'
    breaks 'TOUCH a word too far' data node_touch.v "LANE_BITS\] + 1'b1" "LANE_BITS] + 2'd2"
}
prove_words() {
    proves words ''
    proves words 'with maps'
    reaches words 8
    breaks 'the last of a range is taken for the ring' words node_fetch.v 'out_left != NO_WORDS' 'out_left > ONE_WORD'
    breaks 'a packet that outlives a restart' words node_packet.v "(rst || restart) packet_valid" '(rst) packet_valid'
}
# Whatever is assumed somewhere is asserted elsewhere.
check_contracts() {
    for contract in $(sed -n 's/^module \(grants_[a-z_]*\).*/\1/p' tests/formal/grants/grants_contracts.v); do
        given=$(grep -l "$contract #(.GIVEN(0)" tests/formal/grants/grants_*.v | tr '\n' ' ')
        taken=$(grep -l "$contract #(.GIVEN(1)" tests/formal/grants/grants_*.v | tr '\n' ' ')
        [ -n "$given" ] && [ -n "$taken" ] && [ "$given" != "$taken" ]
        expect 0 $? "$contract: given by $given, taken by $taken"
    done
}
if [ $# -gt 0 ]; then for part in "$@"; do "prove_$part"; done
else
    for part in table guard words data node mover; do "prove_$part"; done
    check_contracts
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
