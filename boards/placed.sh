#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# boards/placed.sh known|keep LIST NETLIST.json PINS 'COMMAND': has this netlist been placed, routed and timed? LIST has
# the sum of the last one that was: of the netlist without the lines of its sources, of the pins, of COMMAND, which
# places it, and of what the placer says of its version. `known` ends with 0 if it is the same, `keep` writes it.
set -eu
verb=$1 list=$2 netlist=$3 pins=$4 command=$5
sum=$({ grep -v '^ *"src": ' "$netlist"; cat "$pins"; echo "$command"; ${command%% *} --version 2>&1; } | sha256sum)
case $verb in
    known) grep -q "^${sum%% *}\$" "$list" ;;
    keep)  { sed '/^#/!d' "$list"; echo "${sum%% *}"; } >"$list.new" && mv "$list.new" "$list" ;;
    *)     echo "boards/placed.sh: unknown verb '$verb'. Choose known or keep." >&2; exit 2 ;;
esac
