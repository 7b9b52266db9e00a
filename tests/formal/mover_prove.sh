#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mover_prove.sh DIRECTORY RTL...: prove mover_fifo.v, mover_cut.v and mover_reserve.v. The first two are bit
# arithmetic, for which the SAT solver inside Yosys is the fastest; the third has a large memory, which
# yosys-smtbmc with z3 keeps as an array.
directory=$1; shift
passed=0 failed=0
verdict() { # NAME CODE
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAILED $1"; tail -n 40 "$directory/$1.log"
    fi
}
prepare="async2sync; chformal -assume -early"
for name in mover_fifo mover_cut; do
    timeout 100 yosys -p "read_verilog -formal -DGPU_ASSERT -Irtl $* tests/formal/$name.v; hierarchy -top $name; proc;
        memory -nomap; memory_map; flatten; $prepare; opt -full;
        sat -prove-asserts -set-assumes -seq 1 -tempinduct -maxsteps 4 -verify" >"$directory/$name.log" 2>&1
    verdict $name $?
done
name=mover_reserve
yosys -q -p "read_verilog -formal -DGPU_ASSERT -Irtl $* tests/formal/$name.v; prep -flatten -top $name; memory_nordff;
    $prepare; write_smt2 -wires $directory/$name.smt2" >"$directory/$name.log" 2>&1 &&
timeout 100 yosys-smtbmc --noprogress -s z3 -t 6 "$directory/$name.smt2" >>"$directory/$name.log" 2>&1 &&
timeout 100 yosys-smtbmc --noprogress -s z3 -i -t 3 "$directory/$name.smt2" >>"$directory/$name.log" 2>&1
verdict $name $?
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
