#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# boards/report.sh PNR.log BLOCKS.log BASELINE 'NAMES' [record]: clocks and cells of a placed board, then cells of each
# of its blocks NAMES (Yosys' `stat` in BLOCKS.log, of the same board mapped block by block), beside the recorded ones.
# Fails when a figure moved by more than 5 % or a clock misses what it needs. The columns are the FPGA's own: on an
# iCE40, "all" of LUT4 are logic cells, with and without a flip-flop.
set -eu
now=$(mktemp) && trap 'rm -f "$now"' EXIT
awk '/Max frequency for clock/ {
         name = $6; gsub(/[^a-zA-Z0-9_]|glbnet/, "", name); reached[name] = $7; needed[name] = $(NF - 1)}
     /Info:[ \t]+(TRELLIS_COMB|TRELLIS_FF|DP16KD|MULT18X18D|ICESTORM_LC|ICESTORM_RAM|ICESTORM_DSP):/ {
         name = $2; sub(/:/, "", name); used[name] = $3; sub(/\/.*/, "", used[name])}
     /LCs used as LUT4 and DFF|LCs used as DFF only/ {used["DFF"] += $2}
     END {for (name in reached) printf "clock %s %s %s\n", name, reached[name], needed[name]
          printf "cells all %d %d %d %d\n", used["TRELLIS_COMB"] + used["ICESTORM_LC"],
                 used["TRELLIS_FF"] + used["DFF"], used["DP16KD"] + used["ICESTORM_RAM"],
                 used["MULT18X18D"] + used["ICESTORM_DSP"]}' "$1" | sort -r >"$now"
awk -v blocks="$4" '# Cells of one kind in a module and all below it.
     function sum(module, kind,    total, part) {
         total = count[module, kind]
         for (part = 1; part <= parts[module]; part++)
             if (name[module, part] in parts) total += times[module, part] * sum(name[module, part], kind)
         return total + 0
     }
     function plain(module) {
         if (sub(/^\$paramod\\/, "", module)) sub(/\\.*/, "", module); else sub(/.*\\/, "", module)
         return module
     }
     /Printing statistics/ {split("", count)}
     /^=== design hierarchy/ {module = ""; next}
     /^=== / {module = $2; parts[module] = 0; next}
     module != "" && NF == 2 && $2 ~ /^[0-9]+$/ {
         kind = $1
         sub(/^SB_LUT4$/, "LUT4", kind); sub(/^SB_DFF.*/, "TRELLIS_FF", kind)
         sub(/^SB_RAM40_4K.*/, "DP16KD", kind); sub(/^SB_MAC16$/, "MULT18X18D", kind)
         count[module, kind] += $2; name[module, ++parts[module]] = $1; times[module, parts[module]] = $2}
     END {
         for (module in parts) {
             block = plain(module)
             if (!index(" " blocks " ", " " block " ")) continue
             if (block == "node") block = block (sum(module, "MULT18X18D") > 1 ? "_render" : "_paging")
             printf "cells %s %d %d %d %d\n", block, sum(module, "LUT4"), sum(module, "TRELLIS_FF"),
                    sum(module, "DP16KD"), sum(module, "MULT18X18D")
         }
     }' "$2" | sort >>"$now"
[ "${5:-}" != record ] || cp "$now" "$3"
[ -f "$3" ] || { echo "Nothing is recorded in $3 yet. Run: make report-record"; cat "$now"; exit 1; }
awk 'function far(now, before) {return now > before * 1.05 || now < before * 0.95}
     FNR == NR {for (i = 3; i <= NF; i++) base[$1, $2, i] = $i; known[$1, $2] = 1; next}
     {moved = !(($1, $2) in known)
      for (i = 3; i <= NF; i++) moved += far($i, base[$1, $2, i])}
     FNR == 1 {printf "  %-24s %9s %9s\n", "clock", "MHz", "needed"}
     $1 == "clock" {
         slow = $3 + 0 < $4 + 0
         printf "  %-24s %9s %9s%s%s\n", $2, $3, $4, slow ? "  TOO SLOW" : "", moved ? "  MOVED" : ""
         failed += slow}
     $1 == "cells" && !said++ {printf "  %-24s %9s %9s %9s %9s\n", "block", "LUT4", "FF", "RAM", "MULT"}
     $1 == "cells" {printf "  %-24s %9s %9s %9s %9s%s\n", $2, $3, $4, $5, $6, moved ? "  MOVED" : ""}
     {failed += moved > 0}
     END {if (failed) {print failed " figures are too slow or moved. If meant, make report-record."; exit 1}}' \
    "$3" "$now"
