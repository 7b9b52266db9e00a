#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# placed.sh: what the default scene takes on the chip as boards/ulx3s places it, in simulation: a copy of the tree whose
# simulator has the parameters that boards/common/board_core.v gives to the chip, but memories of the scene's size.
# Writes boards/ulx3s/frames-85k.txt, from which the README has its figure. Builds a simulator: minutes.
set -e
export LC_ALL=C
copy=build/bench/placed result=boards/ulx3s/frames-85k.txt
mkdir -p "$copy"
git ls-files -z | grep -zv '^tests/fuzz/corpus/' | xargs -0 cp -u --parents -t "$copy"
names='LOG2_BURSTS EXAMINER AFFINE PALETTE MASKS'
values=$(for name in $names; do grep -o "\.$name([0-9]*)" boards/common/board_core.v | head -n 1; done | paste -sd ,)
sed -i "s/^    gpu #($/    gpu #(.TIMING(\"ecp5\"), $values,/" "$copy/sim/sim_top.v"
grep -q 'TIMING("ecp5")' "$copy/sim/sim_top.v"
make -s -C "$copy" build/tessera build/firmware/gpu.elf >"$copy/log" 2>&1 || { tail -n 20 "$copy/log" >&2; exit 1; }
"$copy/build/tessera" run --frames 4 --seed 1 --no-compare --firmware "$copy/build/firmware/gpu.elf" --out "$copy/out" \
    >>"$copy/log" 2>&1 || { tail -n 20 "$copy/log" >&2; exit 1; }
python3 - "$copy/out/run.json" <<'END' >"$result"
import json
import sys
with open(sys.argv[1], encoding='utf-8') as file:
    run = json.load(file)
assert run['matches_golden']
steady = (run['frame'][2]['done_cycle'] - run['frame'][0]['done_cycle']) // 2
print('# The default scene on the chip as placed, simulated, at the 50 MHz of the board. Made by make bench-placed.')
print(f'cycles_of_steady_frame {steady}')
print(f'frames_a_second {50e6 / steady:.1f}')
END
cat "$result"
