#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# prove.sh OUT TOP MODE CYCLES FILES...: prove the assertions of TOP with the solver inside Yosys.
# MODE bounded: every input sequence of CYCLES cycles from reset. MODE induction: for ever, by induction of
# at most CYCLES steps. Then the same with REACH defined must fail: its assertions deny the interesting states, so the
# first proof was not about nothing. With SEGMENT=n in the environment, of TOP with this parameter.
out=$1 top=$2 mode=$3 cycles=$4; shift 4
set="${SEGMENT:+chparam -set SEGMENT $SEGMENT $top;}"
name=$top${SEGMENT:+-segment$SEGMENT}
mkdir -p "$out"
case $mode in
    bounded)   how="-seq $cycles" ;;
    induction) how="-tempinduct -seq 1 -maxsteps $cycles" ;;
    *)         echo "mode $mode?"; exit 2 ;;
esac
solve() { # define, -verify or -falsify, how
    yosys -q -l "$out/$name.$2.log" \
        -p "read_verilog -formal -DGPU_ASSERT $1 -Irtl $files; $set prep -top $top -nordff; flatten; \
        tee -q -o $out/$name.check check; async2sync; memory_map; opt -full; dffunmap; opt_clean; \
        sat $2 -prove-asserts -set-assumes $3 $top" \
        >/dev/null 2>&1
}
files=$*
solve "" -verify "$how"
verdict=$?
# A name inside the design that Yosys does not know would be free: everything read has a driver.
if grep 'has no driver' "$out/$name.check"; then exit 1; fi
[ $verdict -eq 0 ] || {
    echo "$name: not proved, see $out/$name.-verify.log"
    tail -n 20 "$out/$name.-verify.log"
    exit 1
}
solve -DREACH -falsify "-seq $cycles" || { echo "$name: the interesting states are not reached"; exit 1; }
echo "$name: $mode, $cycles cycles"
