#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: Python programs whose SDL comes from pip are recorded and played exactly. Method: install pygame, pygame-ce and
# PySDL2 by pip, each into an environment of its own; record wheels.py, play it with --check on the golden model. A
# package that pip cannot install is absent: a line says so, and nothing is judged.
#
# wheels.sh PROGRAM RECORDER FOLDER
tessera=$1 record=$2 out=$3
here=$(dirname "$0")
passed=0 failed=0 skipped=0
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
mkdir -p "$out"

# installed PACKAGE: in an environment of its own
installed() {
    python=$out/$1/bin/python
    "$python" -m pip show -q "$1" >/dev/null 2>&1 && return 0
    python3 -m venv "$out/$1" >/dev/null 2>&1 && "$python" -m pip install -q "$1" >"$out/$1.log" 2>&1
}
# draw PACKAGE SHARE MODE: at least so many percent of the pixels shown are the GPU's
draw() {
    name=$1-$3
    timeout -k 5 60 "$record" -o "$out/$name.tsdl" "$python" "$here/wheels.py" "$3" >"$out/$name.log" 2>&1 && good ||
        { bad "$name: recording"; cat "$out/$name.log"; }
    timeout -k 5 120 "$tessera" play "$out/$name.tsdl" --model --check --no-pictures --out "$out/$name-played" \
        >"$out/$name.log" 2>&1 && good || { bad "$name: playing"; cat "$out/$name.log"; }
    grep -q '"frames_equal": 1[23],' "$out/$name-played/run.json" && good || bad "$name: not all frames are SDL's"
    "$here/accounted" "$out/$name-played" && good || bad "$name: finished pixels without a reason"
    shown=$(sed -n 's/.*The GPU drew \([0-9]*\)\.[0-9]* % of the pixels shown.*/\1/p' "$out/$name.log")
    echo "$name: the GPU drew ${shown:-0} % of the pixels shown"
    [ "${shown:-0}" -ge "$2" ] && good || bad "$name: the GPU drew less than $2 %"
}
for package in pygame pygame-ce PySDL2; do
    if ! installed $package; then
        echo "$package is absent: pip cannot install it here"
        skipped=$((skipped + 1))
        continue
    fi
    case $package in
    PySDL2) modes='surfaces renderer' ;;
    *) modes='plain scaled' ;;
    esac
    for mode in $modes; do draw $package 90 $mode; done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
