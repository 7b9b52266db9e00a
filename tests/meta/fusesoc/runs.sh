#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: `fusesoc run` takes each target of tessera.core. Method: lint and sim are run; ulx3s and i9 are set
# up, that is, every file is found and the tools' own files are written: what they make of it takes an hour (make
# bitstream: a fifth).
#   runs.sh FUSESOC
work=$(pwd)/build/fusesoc fusesoc=$1
export XDG_CONFIG_HOME="$work/home" XDG_CACHE_HOME="$work/home" XDG_DATA_HOME="$work/home"
passed=0 failed=0
ran() { # TARGET OPTIONS...
    target=$1; shift
    rm -rf "$work/$target"
    if "$fusesoc" --cores-root . run --build-root "$work/$target" --target "$target" "$@" tessera:gpu:tessera \
        >"$work/$target.log" 2>&1
    then passed=$((passed + 1)); else failed=$((failed + 1)); tail -n 5 "$work/$target.log"; fi
}
mkdir -p "$work"
ran lint
ran sim
if grep -qx '7 passed, 0 failed' "$work/sim.log"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
ran ulx3s --setup
ran i9 --setup
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
