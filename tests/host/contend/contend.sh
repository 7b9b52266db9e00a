#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# contend.sh model|hardware. Goal: contexts whose sets do not fit in memory together do not pay for each other what the
# literal policy makes them pay; a small one beside a hog pays nothing; budgets and priorities shift what is paid.
# Method: `tessera contend` compares every target; its counts are compared with each other. SCH-12.
passed=0 failed=0
work=build/contend
device=$1
[ $device = model ] && option=--model || option=

# holds NAME COMMAND...
holds() {
    name=$1; shift
    if "$@"; then passed=$((passed + 1)) outcome=pass; echo "ok    $name"
    else failed=$((failed + 1)) outcome=fail; echo "FAIL  $name"; fi
    case $name in small*|pair*|budgets*|priorities*) echo "row SCH-12 $outcome 1" ;; esac
}
# run NAME OPTIONS...: its report is $work/DEVICE.NAME.json
run() {
    name=$1; shift
    holds "$name: every target is right" build/tessera contend $option "$@" --report $work/$device.$name.json
}
# field NAME CONTEXT FIELD; pages NAME CONTEXT|all: in and out
field() { sed -n "s/^  {.*\"$3\": \([0-9]*\).*/\1/p" $work/$device.$1.json | sed -n "$(($2 + 1))p"; }
pages() {
    sed -n 's/^  {.*"pages_in": \([0-9]*\), "pages_out": \([0-9]*\).*/\1 \2/p' $work/$device.$1.json |
        awk -v context=$2 'context == "all" || context == NR - 1 {sum += $1 + $2} END {print sum + 0}'
}
# at_most A PERCENT B: A is at most so much of B, and B is something
at_most() { [ -n "$1" ] && [ "$3" -gt 0 ] && [ $((100 * $1)) -le $(($2 * $3)) ]; }
refused() {
    build/tessera contend "$@" >$work/stdout 2>$work/stderr
    [ $? -eq 2 ] && [ "$(wc -l <$work/stderr)" -eq 1 ]
}

if [ $device = hardware ]; then
    run small --set 20 --set 150 --rounds 3 --skip 0
    run small-literal --set 20 --set 150 --rounds 3 --skip 0 --policy literal
    holds 'small: nothing is paged for it' [ "$(pages small 0)" -eq 0 ]
    holds 'small: literal pages for it' [ "$(pages small-literal 0)" -gt 0 ]
    holds 'small: three quarters of the time' at_most "$(field small 0 cycles)" 75 "$(field small-literal 0 cycles)"
    run copied --set 70 --set 70 --rounds 3
    run mapped --set 70 --set 70 --rounds 3 --map
    holds 'mapped: a tenth of the pages' at_most "$(pages mapped all)" 10 "$(pages copied all)"
    holds 'mapped: less time' at_most "$(($(field mapped 0 cycles) + $(field mapped 1 cycles)))" 85 \
        "$(($(field copied 0 cycles) + $(field copied 1 cycles)))"
    echo "$passed passed, $failed failed$skipped"
    [ $failed -eq 0 ]
    exit
fi

for seed in 1 2 3; do
    for way in 1 4; do
        for policy in literal lookahead shares; do
            case $policy in
            literal) set -- --policy literal ;;
            lookahead) set -- --no-shares ;;
            shares) set -- ;;
            esac
            run pair-$policy-$way-$seed --set 70 --set 70 --ahead $way --seed $seed "$@"
            run small-$policy-$way-$seed --set 20 --set 150 --ahead $way --seed $seed "$@"
        done
        holds "pair, $way ahead, seed $seed: fewer pages than literal" \
            at_most "$(pages pair-shares-$way-$seed all)" $([ $way = 1 ] && echo 65 || echo 40) \
            "$(pages pair-literal-$way-$seed all)"
        holds "small, $way ahead, seed $seed: nearly nothing is paged for it" \
            at_most "$(pages small-shares-$way-$seed 0)" 5 "$(pages small-literal-$way-$seed 0)"
        holds "small, $way ahead, seed $seed: without shares much is" \
            at_most 30 100 "$(pages small-lookahead-$way-$seed 0)"
        holds "small, $way ahead, seed $seed: the hog pays less than literal" \
            at_most "$(pages small-shares-$way-$seed 1)" 80 "$(pages small-literal-$way-$seed 1)"
    done
    holds "pair, seed $seed: fewer pages than without shares" \
        at_most "$(pages pair-shares-1-$seed all)" 95 "$(pages pair-lookahead-1-$seed all)"
done
run budgets --set 70:20 --set 70:80
holds 'budgets: who has more pays less' at_most "$(pages budgets 1)" 10 "$(pages budgets 0)"
run priorities --set 70:0:-7 --set 70:0:7
holds 'priorities: who has more pays less' at_most "$(pages priorities 1)" 10 "$(pages priorities 0)"
run shuffled --set 20 --set 70 --set 70 --shuffle --ahead 3
run mapped --set 70 --set 70 --ahead 4 --map
holds 'mapped: a tenth of the pages' at_most "$(pages mapped all)" 10 "$(pages pair-shares-4-1 all)"
run one --set 90 --skip 0
holds 'one: fits, nothing is paged' [ "$(pages one 0)" -eq 0 ]
# A bar on a terminal: all DMA buffers, those not counted included.
bar() {
    script -qec "build/tessera contend --model --set 60 --set 60 --rounds 3" /dev/null >$work/stdout </dev/null
    grep -q '\[########################################\] DMA buffer 8 of 8' $work/stdout
}
skipped=
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then holds 'a bar on a terminal' bar
else skipped=', 1 skipped'; echo 'SKIPPED: a bar on a terminal: there is none to have (no script, or no /dev/pts)'; fi
holds 'no set' refused --model
holds 'a set of nothing' refused --set 0
holds 'a set of more than 32 bits' refused --set 4294967396
holds 'a budget beyond memory' refused --set 10:101
holds 'a priority out of range' refused --set 10:0:8
holds 'nine contexts' refused --set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1 --set 1
holds 'an unknown policy' refused --set 10 --policy best
holds 'an unknown option' refused --set 10 --fast
holds 'a stray word' refused --set 10 model
echo "$passed passed, $failed failed$skipped"
[ $failed -eq 0 ]
