#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/chip/board/placed.sh FOLDER. Goal: boards/placed.sh takes a netlist for the one that was placed only if placing
# it would give the same. Method: one is kept, then each thing that the sum is of is changed.
set -u
folder=$1; mkdir -p "$folder"
passed=0 failed=0
known() { # EXPECTED NAME COMMAND
    boards/placed.sh known "$folder/list" "$folder/netlist.json" "$folder/pins" "$3"
    local status=$?
    if [ "$(( status == 0 ))" -eq "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2"; fi
}
netlist() { printf '{\n  "cells": "%s",\n  "src": "%s"\n}\n' "$1" "$2" >"$folder/netlist.json"; }
printf '# kept\n' >"$folder/list"
echo 'set_io clk 35' >"$folder/pins"
netlist SB_LUT4 rtl/a.v:1
known 0 'nothing has been placed yet' 'echo --seed 1'
boards/placed.sh keep "$folder/list" "$folder/netlist.json" "$folder/pins" 'echo --seed 1'
known 1 'what was placed is known' 'echo --seed 1'
netlist SB_LUT4 rtl/a.v:2
known 1 'its sources have moved' 'echo --seed 1'
netlist SB_DFF rtl/a.v:2
known 0 'another cell' 'echo --seed 1'
netlist SB_LUT4 rtl/a.v:2
known 0 'another seed' 'echo --seed 2'
known 0 'another placer' 'printf --seed 1'
echo 'set_io clk 36' >"$folder/pins"
known 0 'another pin' 'echo --seed 1'
boards/placed.sh keep "$folder/list" "$folder/netlist.json" "$folder/pins" 'echo --seed 1'
known 1 'the last one counts' 'echo --seed 1'
lines=$(wc -l <"$folder/list")
if [ "$lines" -eq 2 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo 'FAIL more than one is kept'; fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
