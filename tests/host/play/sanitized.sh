#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the recorder and tessera-live touch no memory that is not theirs, whatever SDL frees by itself, however many
# surfaces there are, from whatever thread. Method: programs of tests/host/play, the recorder inside them and the
# drawing side of tessera-live are compiled with the address and undefined-behaviour sanitizers; a program that one of
# them stops ends with another status than 0, which the recorder reports with status 1.
#
# sanitized.sh FOLDER: where tessera-record, tessera-live, the recorder and the programs are.
folder=$1
out=$folder/out
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
# The recorder is loaded before the sanitizer's library; SDL itself leaks.
export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
passed=0 failed=0
rm -rf "$out" && mkdir -p "$out"
# clean NAME COMMAND...: status 0, and the closing line says so many frames
clean() {
    frames=$1; shift
    timeout -s KILL 60 "$@" >"$out/log" 2>&1
    status=$?
    if [ $status -eq 0 ] && grep -q ": $frames frames, " "$out/log"; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    echo "FAILED: $*: status $status, not $frames frames"
    grep -v '^$' "$out/log" | head -n 30
}
both() {
    count=$1; shift
    clean "$count" "$folder/tessera-record" -w 0 -o "$out/recording.tsdl" "$@"
    clean "$count" "$folder/tessera-live" -w 0 --check "$@"
}
for mode in lock resize window quit update screens parts; do both 10 "$folder/owned" $mode; done
both 2 "$folder/load" textures 4500
both 2 "$folder/load" surfaces 4500
both 3 "$folder/load" writes 40
both 3 -e 'idle:a idle:b idle:escape' "$folder/waits1"
both 3 -e 'idle:a idle:b idle:escape' "$folder/waits2"
both 10 "$folder/rendered" all 10 1
both 24 "$folder/sprites1" 8
both 24 "$folder/sprites2"
both 4 "$folder/software" blends

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
