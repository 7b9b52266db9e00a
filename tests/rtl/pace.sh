#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pace.sh NAME PROGRAM ARGUMENTS...: run a bench. Its last line "N cycles" or "N accesses" has to be that of NAME in
# tests/rtl/pace. A bench draws the same each time, so another number is another timing of the hardware.
name=$1; shift
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
"$@" >"$log" 2>&1
status=$?
cat "$log"
[ $status -eq 0 ] || exit $status
is=$(grep -E '^[0-9]+ (cycles|accesses)$' "$log" | tail -n 1)
expected=$(sed -n "s/^$name //p" tests/rtl/pace)
[ -n "$is" ] && [ "$is" = "$expected" ] && exit 0
echo "$name: ${is:-no number}, tests/rtl/pace has ${expected:-none}."
echo "If the RTL is meant to be faster or slower, write the new number there and say why in the commit."
echo "0 passed, 1 failed"
exit 1
