#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# placed.sh: what a ULX3S with the 85F takes for the default scene: its chip, clocks and SDRAM, simulated (make run
# BOARD=ulx3s). Writes boards/ulx3s/frames-85k.txt, from which the README has its figure.
set -e
export LC_ALL=C
out=build/bench/placed result=boards/ulx3s/frames-85k.txt
mkdir -p "$out"
build/tessera-ulx3s run --frames 4 --seed 1 --no-compare --out "$out" >"$out/log" 2>&1 ||
    { tail -n 20 "$out/log" >&2; exit 1; }
python3 - "$out/run.json" <<'END' >"$out/frames"
import json
import sys
with open(sys.argv[1], encoding='utf-8') as file:
    run = json.load(file)
assert run['matches_golden']
steady = (run['frame'][3]['done_cycle'] - run['frame'][1]['done_cycle']) // 2
print('# The default scene on the board, simulated, at its clock. Made by make bench-placed.')
print(f'cycles_of_steady_frame {steady}')
print(f'frames_a_second {run["clock_hz"] / steady:.1f}')
END
mv "$out/frames" "$result"
cat "$result"
