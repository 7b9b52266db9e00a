#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# top.sh PROGRAM: a run with TESSERA_TOP writes a snapshot, and `tessera top` shows it; what cannot be read is refused.
program=$1 passed=0 failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
# shows STATUS FILE LINE...: the exit status, and lines that are there, spaces as one.
shows() {
    expected=$1 file=$2
    shift 2
    "$program" top --once "$file" >"$folder/said" 2>&1
    [ $? -eq "$expected" ]
    note $? "top of $file: status $expected: $(cat "$folder/said")"
    tr -s ' ' <"$folder/said" >"$folder/text"
    for line in "$@"; do grep -qF -- "$line" "$folder/text"; note $? "top of $file: $line: $(cat "$folder/text")"; done
}
TESSERA_TOP=$folder/run "$program" run --model --frames 2 --no-compare --out "$folder/out" >/dev/null 2>&1
note $? 'a run with TESSERA_TOP'
grep -qE '^tessera-top 1 [1-9][0-9]* 3$' "$folder/run"
note $? "its head: $(head -n 1 "$folder/run")"
shows 0 "$folder/run" 'client render paging' 'seg 3 pages'
[ "$(wc -l <"$folder/text")" -eq 2 ]
note $? "one client: $(cat "$folder/text")"
# Two clients: shares are of 1,000,000 cycles, written bytes in units of 256, the limits of one segment shown.
printf 'tessera-top 1 1000000 1\n0 1000 0 0 0 7 2 0 0 0 0 3 1 5 0 64 64\n' >"$folder/two"
printf '9 2000 500 8000 0 40 0 11 12 13 14 15 2 6 4 32 64\n' >>"$folder/two"
shows 0 "$folder/two" ' 0 25.6% 0.0% 0.0 7 2 0 0 0 0 3 1 5' ' 9 51.2% 12.8% 2.0 40 0 11 12 13 14 15 2 6 (4..32)'
# Every refusal.
printf 'tessera-top 1 1000000 0\n' >"$folder/none"
shows 0 "$folder/none" 'This device has no figures of clients'
head -c 60 "$folder/two" >"$folder/cut"
shows 2 "$folder/cut" 'is damaged, or of another version'
sed 's/^tessera-top 1/tessera-top 2/' "$folder/two" >"$folder/newer"
shows 2 "$folder/newer" 'is damaged, or of another version'
sed 's/^9 /64 /' "$folder/two" >"$folder/client"
shows 2 "$folder/client" 'is damaged, or of another version'
shows 2 "$folder/absent" 'Start the program with TESSERA_TOP='
"$program" top >"$folder/said" 2>&1
[ $? -eq 2 ] && grep -qF 'name one file' "$folder/said"
note $? "no file: $(cat "$folder/said")"
# A program that cannot write it says so once, and goes on.
TESSERA_TOP=$folder/no/run "$program" run --model --frames 1 --no-compare --out "$folder/out" >"$folder/said" 2>&1
note $? 'a run that cannot write it'
[ "$(grep -c '^TESSERA_TOP: cannot write' "$folder/said")" -eq 1 ]
note $? "said once: $(cat "$folder/said")"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
