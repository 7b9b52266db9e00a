#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# room.sh PREFIX IMAGE SIZES [record]: what IMAGE, linked by gpu.ld, leaves of core memory and takes of the firmware's
# region, a line each; the tables of the default limits, which the firmware puts there at boot, count as used: of core
# memory those that have to lie there, of the region the others, or of core memory all if there is no region. Less than
# 4 KB of core memory (LEAST bytes) is a failure, which names the five functions and tables that grew most since SIZES
# was recorded; `record` writes SIZES. A name is without the ends that link-time optimisation gives it; what was inlined
# counts where it went.
set -eu -o pipefail
export LC_ALL=C
prefix=$1 image=$2 sizes=$3 least=${LEAST:-4096}
compiler="gcc $("${prefix}gcc" -dumpfullversion)"

measure() { # "bytes name" per function and table, by name
    "${prefix}nm" -S -t d "$image" | awk 'NF == 4 && $3 ~ /[tTrRbBdD]/ {
            sub(/\..*/, "", $4)
            size[$4] += $2
        }
        END {for (name in size) print size[name], name}' | sort -k2
}
if [ "${4-}" = record ]; then
    { echo "# Bytes of the functions and tables in the firmware's image, by $compiler (linker/room.sh record)."
      measure; } >"$sizes"
    exit
fi
read -r tables hot extra < <(sed -n \
    's/.*S_DEFAULT_BYTES = \([0-9]*\), TABLES_CORE_BYTES = \([0-9]*\), TABLES_REGION_BYTES = \([0-9]*\) .*/\1 \2 \3/p' \
    "${0%/*}/../firmware/memory/tables.h")
read -r used free cold region < <("${prefix}nm" -t d "$image" | awk -v tables="$tables" -v hot="$hot" \
    -v extra="$extra" '
    {at[$3] = $1 + 0}
    END {
        size = at["__region_end"] - at["__region_start"]
        if (size == 0) hot = tables = tables - extra
        print at["__bss_end"] + hot, at["__memory_end"] - at["__bss_end"] - hot,
              at["__cold_bss_end"] - at["__region_start"] + tables - hot, size
    }')
echo "core memory: $used of $((used + free)) bytes used, the stack included; $free free"
echo "the firmware's region: $cold of $region bytes used"
[ "$free" -ge $least ] && exit
recorded=$(sed -n '1s/.*, by \(gcc [^ ]*\) .*/\1/p' "$sizes")
echo "The firmware leaves $free bytes of core memory, $least are needed. Shrink what" \
    "grew most since $sizes:" >&2
[ "$recorded" = "$compiler" ] || echo "($sizes was recorded with $recorded, this is $compiler.)" >&2
measure | awk 'NR == FNR {if (!/^#/) before[$2] = $1; next}
    $1 > before[$2] + 0 {print "  " $2, $1 - before[$2], "more,", $1, "now"}' "$sizes" - | sort -k2,2nr -k1,1 |
    sed 5q >&2
exit 1
