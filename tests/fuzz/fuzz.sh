#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/fuzz/fuzz.sh OUT SECONDS: fuzz the worlds and the host's files, guided by coverage, on two processors: worlds on
# both, but for a fifth of the time files on one. OUT holds the programs; what is learnt stays in OUT/learnt, and the
# next run goes on with it. An input that breaks something is left in OUT/found: mend, and add it to tests/fuzz/corpus.
set -u
out=$1 seconds=$2
if [ ! -x "$out/worlds" ]; then
    echo "SKIPPED: no clang with libFuzzer here (Debian: apt-get install clang)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
mkdir -p "$out/learnt/worlds" "$out/learnt/files" "$out/found"
"$out/worlds_replay" --random 400 --write "$out/learnt/worlds" >/dev/null || exit 2
"$out/files_replay" --random 300 --write "$out/learnt/files" >/dev/null || exit 2
# round TARGET NUMBER SECONDS
round() {
    "$out/$1" -max_total_time="$3" -max_len=4000 -len_control=0 -timeout=20 -reload=1 -seed="$((RANDOM + $2))" \
        -artifact_prefix="$out/found/$1-" -print_final_stats=1 "$out/learnt/$1" "tests/fuzz/corpus/$1" \
        >"$out/$1-$2.log" 2>&1
}
fifth=$((seconds / 5))
( round worlds 1 "$seconds" ) & first=$!
( round files 2 "$fifth"; code=$?; round worlds 2 $((seconds - fifth)) && exit $code ) & second=$!
failed=0
wait $first || failed=$((failed + 1))
wait $second || failed=$((failed + 1))
for log in "$out"/worlds-1.log "$out"/worlds-2.log "$out"/files-2.log; do
    printf '%s: %s inputs, %s of them new\n' "$(basename "$log" .log)" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(sed -n 's/^stat::new_units_added: *//p' "$log")"
done
if [ "$failed" -gt 0 ]; then
    grep -h -m 3 -e '^world ' -e '^files ' -e 'assertion failed' -e ' ERROR: ' -e 'runtime error' \
        -e 'Test unit written' "$out"/worlds-1.log "$out"/worlds-2.log "$out"/files-2.log
    ls "$out/found"
fi
echo "$((2 - failed)) passed, $failed failed"
exit $failed
