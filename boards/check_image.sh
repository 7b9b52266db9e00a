#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# boards/check_image.sh BEFORE.config AFTER.config RAMS: did zeros take the seed's place in all RAMS block RAMs of
# core memory? ecpbram says nothing when it finds fewer; the bit stream would then start with random words.
changed=$(awk 'FNR == 1 {file++}
    /^\.bram_init/ {block = ++count[file]; next}
    /^\./ {block = 0}
    block && file == 1 {before[block] = before[block] $0}
    block && file == 2 {after[block] = after[block] $0}
    END {for (i in after) changed += before[i] != after[i]; print changed + 0}' "$1" "$2")
[ "$changed" -eq "$3" ] || { echo "$changed block RAMs of $3 start with zeros: make clean, then again"; exit 1; }
echo "  zeros    in $changed block RAMs"
