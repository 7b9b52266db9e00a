#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cold.sh PREFIX IMAGE PROFILE: prints cold.ld, the list of functions that lie in the firmware's region. IMAGE has all
# in core memory (gpu-tcm.elf): their sizes. PROFILE is linker/profile.txt, from `make profile-record`: their cycles.
# Functions stay in core memory by cycles for each byte, most first, while `reserve` bytes of its 64 KB remain free
# beside data, stacks and the tables that have to lie there: the 4 KB that room.sh wants, 1 KB for another compiler's
# image, and 768 for calls to the region, which are longer. A function without cycles goes to the region, and so does
# one that IMAGE lacks. One that PROFILE does not name stays, before all others. What firmware.mk names cold is not
# listed: gpu.ld puts it there. A name stands for the copies that link-time optimisation makes, too: no two static
# functions of firmware/ share one (tests/meta/style/names.py). What is inlined everywhere matches nothing.
set -eu -o pipefail
export LC_ALL=C
prefix=$1 image=$2 profile=$3 full=65536 reserve=$((4096 + 1024 + 768))
tables=$(sed -n 's/.*TABLES_CORE_BYTES = \([0-9]*\), .*/\1/p' "${0%/*}/../firmware/memory/tables.h")
[ -n "$tables" ] || { echo "firmware/memory/tables.h: no TABLES_CORE_BYTES" >&2; exit 1; }

# What is in core memory beside functions that have a name and a size.
fixed() {
    "${prefix}size" -A "$image" | awk -v tables="$tables" \
        '$1 ~ /^\.(start|text|rodata|stack|data|bss)$/ {used += $2} END {print used + tables}'
}
# "bytes name" of each function that firmware.mk does not name cold.
functions() {
    "${prefix}nm" -S -t d "$image" | awk '
        $3 == "__cold_text_end" {from = $1 + 0}
        NF == 4 && $3 ~ /^[tTwW]$/ {sub(/\..*/, "", $4); at[++count] = $1 + 0; size[count] = $2; name[count] = $4}
        END {for (i = 1; i <= count; i++) if (at[i] >= from) bytes[name[i]] += size[i]
             for (each in bytes) print bytes[each], each}'
}
awk -v profile="$profile" '
    function fail(text) {print profile ": " text ". Run make profile-record" >"/dev/stderr"; bad = 1; exit 1}
    FILENAME == profile {
        if (/^#/) next
        if (NF != 2 || $1 !~ /^[A-Za-z_][A-Za-z_0-9]*$/ || $2 !~ /^[0-9]+$/)
            fail("line " FNR ": \"" $0 "\" is not a function and a number")
        if ($1 in cycles) fail("line " FNR ": " $1 " is there twice")
        cycles[$1] = $2
        count++
        next
    }
    {
        seen[$2] = 1
        if ($2 in cycles) printf "0 %.9f %d %s\n", cycles[$2] / $1, $1, $2
        else print 1, 0, $1, $2
    }
    END {
        if (bad) exit 1
        if (!count) fail("it names no function")
        for (name in cycles) if (!(name in seen)) print 0, 0, 0, name
    }' "$profile" <(functions) | sort -k1,1nr -k2,2nr -k4 | awk -v fixed="$(fixed)" -v reserve="$reserve" \
    -v full="$full" '
    {new[NR] = $1; dense[NR] = $2; bytes[NR] = $3; name[NR] = $4; all += $3; if ($1) unknown += $3}
    END {
        if (!NR) exit 1
        room = full - reserve - (fixed - all)
        if (unknown > room) {
            printf "core memory has %d bytes for functions, and those that the profile does not know take %d. " \
                   "Run make profile-record\n", room, unknown >"/dev/stderr"
            exit 1
        }
        print "/* Made by linker/cold.sh. */"
        for (i = 1; i <= NR; i++) {
            if (new[i] || (dense[i] > 0 && bytes[i] <= room)) room -= bytes[i]
            else print "*(.text." name[i] " .text." name[i] ".*)"
        }
    }'
