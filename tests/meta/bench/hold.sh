#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: bench/hold.awk refuses what it is there to refuse. Method: small files on both sides of each rule, and
# the kept figures themselves, each of them moved by 3 % in turn.
work=build/bench/hold
mkdir -p $work
passed=0 failed=0 compiler=

# judge EXPECTED-STATUS NAME MEASURED-LINES: against $work/kept
judge() {
    printf '%b' "$3" >$work/measured
    awk -v compiler="$compiler" -f bench/hold.awk $work/kept $work/measured >$work/log 2>&1
    if [ $? -eq "$1" ]; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "FAIL $2, expected status $1:"; cat $work/log; fi
}

printf '# head\na.one 1000 cycles\na.two 0 splits\nb.one 1.500 ratio\n' >$work/kept
judge 0 'the same'           'a.one 1000 cycles\na.two 0 splits\nb.one 1.500 ratio\n'
judge 0 'one group only'     'b.one 1.500 ratio\n'
judge 0 'inside, above'      'a.one 1020 cycles\na.two 0 splits\n'
judge 0 'inside, below'      'a.one 980 cycles\na.two 0 splits\n'
judge 1 'worse'              'a.one 1021 cycles\na.two 0 splits\n'
judge 1 'better'             'a.one 979 cycles\na.two 0 splits\n'
judge 1 'no longer zero'     'a.one 1000 cycles\na.two 1 splits\n'
judge 1 'a ratio'            'b.one 1.531 ratio\n'
judge 1 'missing'            'a.one 1000 cycles\n'
judge 1 'new'                'b.one 1.500 ratio\nb.two 1 ratio\n'
judge 1 'not a number'       'b.one nan ratio\n'
judge 1 'no unit'            'b.one 1.500\n'
judge 1 'nothing'            ''
grep -q 'run make bench' bench/hold.awk && passed=$((passed + 1)) || failed=$((failed + 1))

# Another compiler than the one that the kept figures name.
printf '# Tools: Verilator 5.006, gcc 12.2.0 for RV32, Yosys 0.23.\na.one 1000 cycles\n' >$work/kept
compiler='gcc 12.2.0 for RV32'
judge 1 'worse, same compiler'      'a.one 1021 cycles\n'
compiler='gcc 14.2.0 for RV32'
judge 0 'worse, another compiler'   'a.one 1150 cycles\n'
grep -q 'a.one: 1150 instead of 1000, with another compiler' $work/log && passed=$((passed + 1)) ||
    failed=$((failed + 1))
judge 0 'better, another compiler'  'a.one 850 cycles\n'
judge 1 'much worse, another one'   'a.one 1151 cycles\n'
judge 1 'much better, another one'  'a.one 849 cycles\n'
judge 1 'new, another compiler'     'a.one 1000 cycles\na.two 1 cycles\n'
compiler=

# Every kept figure by itself: 3 % up and down are each seen.
cp bench/figures.txt $work/kept
for factor in 0.97 1.03; do
    awk -v factor=$factor '!/^#/ {printf "%s %.6f %s\n", $1, $2 * factor, $3}' bench/figures.txt >$work/measured
    seen=$(awk -f bench/hold.awk $work/kept $work/measured | grep -c ' instead of ')
    expected=$(awk '!/^#/ && $2 != 0' bench/figures.txt | grep -c .)
    if [ "$seen" -eq "$expected" ] && [ "$seen" -gt 0 ]; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "FAIL $seen of $expected figures are seen when multiplied by $factor"; fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
