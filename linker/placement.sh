#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# placement.sh PREFIX IMAGE FOLDED MISSES: functions and tables of one run of IMAGE, and where each lies: what to move
# between core memory and the firmware's region (firmware.mk's lists, the order of tables_take). FOLDED is the
# run's profile.folded, MISSES what TESSERA_MISSES made beside it (sim/misses.h).
#   functions: cycles for each byte of theirs, hottest first; cycles of their own, and how many of them the core waited
#     for a cache; misses of their code, and of data while they ran
#   tables sized at boot: misses for each kilobyte, most first. What lies in core memory has none: to measure a table it
#     is asked for after the others
set -eu -o pipefail
export LC_ALL=C
prefix=$1 image=$2 folded=$3 misses=$4

echo "cycles/byte  bytes   cycles  waited  code misses  data misses  where   function"
awk -v folded="$folded" -v misses="$misses" '
    FILENAME == folded {
        cycles = $NF
        sub(/ [0-9]+$/, "")
        sub(/.*;/, "")
        spent[$0] += cycles
        next
    }
    FILENAME == misses {
        if ($1 == "function") { code[$2] += $4; data[$2] += $5; waited[$2] += $6 }
        next
    }
    NF == 4 && $3 ~ /[tT]/ {
        printf "%11.2f %6d %8d %7d %12d %12d  %-7s %s\n", spent[$4] / $2, $2, spent[$4], waited[$4], code[$4], data[$4],
               $1 + 0 >= 134217728 ? "region" : "core", $4
    }' "$folded" "$misses" <("${prefix}nm" -S -t d "$image") | sort -k1,1nr -k2,2n -k8

echo
echo "misses/KB  bytes  misses  where   table"
place() { # of a table: the line of the sources that asked for it
    local at
    at=$("${prefix}addr2line" -e "$image" "$(printf %x $(($1 - 2)))") && at=${at#"$PWD"/} && at=${at%% (*}
    if [[ $at =~ :[0-9]+$ ]]; then echo "$at $(sed -n "${at##*:}{s/^ *//;p}" "${at%:*}")"; else echo "$at"; fi
}
while read -r kind caller start bytes count; do
    case $kind in
    table)
        dense=$(awk "BEGIN {print 1024 * $count / ($bytes ? $bytes : 1024)}") # a table of unknown size: its misses
        where=$([ $((start)) -ge $((0x08000000)) ] && echo region || echo core)
        printf "%9.1f %6d %7d  %-7s %s\n" "$dense" "$bytes" "$count" "$where" "$(place "$caller")"
        ;;
    data) printf "%9s %6s %7d  %-7s %s\n" - - "$count" region "what is in no table" ;;
    esac
done <"$misses" | sort -k1,1nr
