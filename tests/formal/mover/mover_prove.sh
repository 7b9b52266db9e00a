#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mover_prove.sh DIRECTORY RTL...: prove sync_fifo_formal.v, mover_cutter_formal.v, mover_buffer_formal.v and
# mover_read_formal.v. All but the last are bit arithmetic, for which the SAT solver inside Yosys is the fastest; the
# last has a large memory, which yosys-smtbmc with z3 keeps as an array.
directory=$1; shift
mkdir -p "$directory"
passed=0 failed=0
verdict() { # NAME CODE
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAILED $1"; tail -n 40 "$directory/$1.log"
    fi
}
prepare="async2sync; chformal -assume -early"
# The read buffer with 4 words instead of 256: the same text, pointers of 2 bits.
sed -e "s/\[0:255\]/[0:3]/; s/8.d\([0-9]\)/2'd\1/; s/\[7:0\]/[1:0]/; s/{7.d0, p/{1'd0, p/" \
    rtl/engine/mover_buffer.v >$directory/mover_buffer.v
for name in sync_fifo_formal mover_cutter_formal mover_buffer_formal; do
    files=$*
    [ $name = mover_buffer_formal ] && files=$directory/mover_buffer.v
    timeout 100 yosys -p "read_verilog -formal -DGPU_ASSERT -Irtl $files tests/formal/mover/$name.v;
        hierarchy -top $name; proc; memory -nomap; memory_map; flatten; $prepare; opt -full;
        sat -prove-asserts -set-assumes -seq 1 -tempinduct -maxsteps 4 -verify" >"$directory/$name.log" 2>&1
    verdict $name $?
done
# Without the bypass the proof must fail.
sed -i 's/use_bypass <= push .*/use_bypass <= 1'"'"'b0;/' $directory/mover_buffer.v
grep -q "use_bypass <= 1'b0" $directory/mover_buffer.v &&
! timeout 100 yosys -p "read_verilog -formal -Irtl $directory/mover_buffer.v tests/formal/mover/mover_buffer_formal.v;
    hierarchy -top mover_buffer_formal; proc; memory -nomap; memory_map; flatten; $prepare; opt -full;
    sat -prove-asserts -set-assumes -seq 1 -tempinduct -maxsteps 4 -verify" >$directory/no_bypass.log 2>&1 &&
grep -q 'proof did fail' $directory/no_bypass.log
verdict no_bypass $?
name=mover_read_formal
yosys -q -p "read_verilog -formal -DGPU_ASSERT -Irtl $* tests/formal/mover/$name.v; prep -flatten -top $name;
    memory_nordff; $prepare; write_smt2 -wires $directory/$name.smt2" >"$directory/$name.log" 2>&1 &&
timeout 100 yosys-smtbmc --noprogress -s z3 -t 6 "$directory/$name.smt2" >>"$directory/$name.log" 2>&1 &&
timeout 100 yosys-smtbmc --noprogress -s z3 -i -t 3 "$directory/$name.smt2" >>"$directory/$name.log" 2>&1
verdict $name $?
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
