#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the bench of test-cocotb has not rotted where PyPI is absent and it cannot run. Method: its Verilog elaborates,
# its Python compiles, its struct is the compiler's, the model draws its scene with evictions, and everything that its
# Verilog spoils is expected by its Python. Two spoiled copies have to be noticed.
#   ready.sh SCENE_MODEL "SEGMENT1 SEGMENT2" "LINT COMMAND"
model=$1 memory=$2 lint=$3
folder=tests/rtl/cocotb
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
same_numbers() { # VERILOG
    grep -oE "8'd[0-9]+" "$1" | cut -c 4- | sort -nu >"$work/spoiled"
    python3 -B $folder/spoils.py | sort -n | diff "$work/spoiled" -
}
$lint; note $? 'the Verilog elaborates'
for file in "$folder"/*.py; do
    python3 -B -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$file"; note $? "$file compiles"
done
"$model" >"$work/layout"; note $? 'the layout is told'
python3 -B $folder/client.py "$work/layout"; note $? 'the struct is the same'
"$model" $memory >"$work/pixels" && [ -s "$work/pixels" ]; note $? 'the model draws the scene with evictions'
same_numbers $folder/chip_axi.v; note $? 'all that is spoiled is expected, and the other way'

sed 's/^wait .*/wait 4/' "$work/layout" >"$work/other"
! python3 -B $folder/client.py "$work/other" >/dev/null; note $? 'another layout is noticed'
sed "s/8'd23/8'd22/" $folder/chip_axi.v >"$work/other.v"
! same_numbers "$work/other.v" >/dev/null; note $? 'a number that nothing spoils is noticed'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
