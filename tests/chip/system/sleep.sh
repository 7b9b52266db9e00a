#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sleep.sh PROGRAM [OPTION...]: runs a program over the simulator twice, as always and with no part of the chip ever
# asleep, and compares the digests (sim/simulator.h): every pin in every cycle, counters and memory at the end.
log=$(mktemp) && trap 'rm -f "$log"' EXIT
digest() { # TESSERA_DIGEST's value, program, options
    TESSERA_DIGEST=$1; export TESSERA_DIGEST; shift
    "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
    grep '^digest of' "$log"
}
asleep=$(digest sleep "$@") && awake=$(digest plain "$@") || { echo "FAILED: $* did not pass"; exit 1; }
if [ -n "$asleep" ] && [ "$asleep" = "$awake" ]; then
    echo "$asleep, asleep or not"
    echo "1 passed, 0 failed"
else
    printf 'FAILED: %s\nas always:    %s\nnever asleep: %s\n' "$*" "$asleep" "$awake"
    exit 1
fi
