#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: textures of four times local memory are drawn right, whatever the seed and whatever is forced.
# Method: `tessera run` on the device in $1 (model or hardware) compares every frame with the plain C rendition and
# with a run without splitting. On hardware each seed also has a memory latency and a share of stalled cycles of its
# own. Here its exit status and the numbers in run.json are judged (SPL-01, SPL-13, SPL-28).
#   scene.sh DEVICE FRAMES SEED... [-- FORCE...]
device=$1 frames=$2; shift 2
out=build/scene/$device
options="--frames $frames --out $out"
[ "$device" = model ] && options="$options --model"
passed=0 failed=0

# memory SEED: latency and stalls of system memory
memory() {
    [ $device = model ] || echo "--latency $(($1 * 12 + 8)) --stall $((($1 - 1) % 8 * 5))"
}

# judge NAME: the last run's run.json has every property of a good run
judge() {
    name=$1; shift
    problem=
    for pattern in '"matches_golden": true' '"faults": 0,' "$@"; do
        grep -q "$pattern" "$out/run.json" || problem="$problem [$pattern]"
    done
    for count in splits evictions paging_buffers; do
        grep -q "^  \"$count\": [1-9]" "$out/run.json" || problem="$problem [$count is 0]"
    done
    if [ -z "$problem" ]; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name: missing$problem"; fi
}

while [ $# -gt 0 ] && [ "$1" != -- ]; do
    rm -f "$out/run.json"
    if build/tessera run $options --seed "$1" $(memory "$1") >"$out.log" 2>&1; then
        judge "seed $1" '"matches_unsplit": true'
    else failed=$((failed + 1)); echo "FAIL  seed $1: exit status $?"; tail -n 20 "$out.log"; fi
    shift
done
[ "$1" = -- ] && shift
for force; do
    rm -f "$out/run.json"
    if build/tessera run $options --seed 1 --force "$force" --no-compare >"$out.log" 2>&1; then judge "force $force"
    else failed=$((failed + 1)); echo "FAIL  force $force: exit status $?"; tail -n 20 "$out.log"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
