#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# minute.sh PROGRAM RESULTS MODE FORMAT SECONDS: so many seconds of frames at 60 Hz beside the worst of the rest, in
# parts of one second. Each part is a run of test_shows with a seed of its own, and a line of RESULTS when it has
# passed. What is there is not run again, so a run that was stopped is continued by the next one, and several may work
# at once. A part counts only for the chip and the test it was made with.
set -u
program=$1 results=$2 mode=$3 format=$4 seconds=$5 passed=0 failed=0
key=$(cat "$program" build/system/shows.bin | sha256sum | cut -c 1-16)
touch "$results"
for seed in $(seq "$seconds"); do
    part="$key $mode $format seed $seed:"
    exec 9>"$results.$mode-$seed.lock"
    flock -n 9 || continue # another run is at it
    if ! grep -q "^$part" "$results"; then
        said=$("$program" "$mode" "$format" 60 0 1 "$seed") && flock "$results" sh -c 'echo "$1" >>"$2"' - \
            "$part $(printf '%s\n' "$said" | grep ' frames, ')" "$results" || printf '%s\n' "$part" "$said"
    fi
    exec 9>&-
    rm -f "$results.$mode-$seed.lock"
done
for seed in $(seq "$seconds"); do
    if grep "^$key $mode $format seed $seed:" "$results"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
