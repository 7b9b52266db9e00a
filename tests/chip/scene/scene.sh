#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: textures of four times local memory are drawn right, whatever the seed and whatever is forced, copied in
# portion by portion or read where they lie.
# Method: `tessera run` on the device in $1 (model or hardware) compares every frame with the plain C rendition and
# with a run without splitting. On hardware each seed also has a memory latency and a share of stalled cycles of its
# own. Here its exit status and the numbers in run.json are judged (SPL-01, SPL-13, SPL-28). LYING: options of the run
# whose textures are read where they lie.
#   [OUT=directory] [LYING=--no-compare] scene.sh DEVICE FRAMES SEED... [-- FORCE...]
device=$1 frames=$2; shift 2
out=${OUT:-build/scene/$device}
options="--frames $frames --out $out"
[ "$device" = model ] && options="$options --model"
passed=0 failed=0

# memory SEED: latency and stalls of system memory
memory() {
    [ $device = model ] || echo "--latency $(($1 * 12 + 8)) --stall $((($1 - 1) % 8 * 5))"
}

# judge NAME COUNTS PATTERN...: the last run's run.json has every property of a good run, and these counts are not 0
judge() {
    name=$1 counts=$2; shift 2
    problem=
    for pattern in '"matches_golden": true' '"faults": 0,' "$@"; do
        grep -q "$pattern" "$out/run.json" || problem="$problem [$pattern]"
    done
    for count in $counts; do
        grep -q "^ *.*\"$count\": [1-9]" "$out/run.json" || problem="$problem [$count is 0]"
    done
    if [ -z "$problem" ]; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name: missing$problem"; fi
}

# draws NAME COUNTS OPTIONS...
draws() {
    what=$1 not_0=$2; shift 2
    rm -f "$out/run.json"
    build/tessera run $options "$@" >"$out.log" 2>&1
    code=$?
    case " $* " in *--no-compare*) is_compared= ;; *) is_compared='"matches_unsplit": true' ;; esac
    before=$failed
    if [ $code -eq 0 ]; then judge "$what" "$not_0" ${is_compared:+"$is_compared"}
    else failed=$((failed + 1)); echo "FAIL  $what: exit status $code"; tail -n 20 "$out.log"; fi
    [ $failed -eq $before ] && outcome=pass || outcome=fail
    case "$not_0,$is_compared" in *splits*,?*) for row in SPL-01 SPL-13 SPL-28; do echo "row $row $outcome 1"; done ;; esac
}
paged='splits evictions paging_buffers'
draws "read where they lie" 'paging_buffers PAGES_MAPPED' --seed 1 $LYING
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    draws "seed $1" "$paged" --copy-only --seed "$1" $(memory "$1")
    shift
done
[ "$1" = -- ] && shift
for force; do draws "force $force" "$paged" --copy-only --seed 1 --force "$force" --no-compare; done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
