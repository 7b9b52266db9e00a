#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# boards/report.sh PNR.log BLOCKS.log BASELINE [record]: clocks and cells of a placed board, then cells of each of its
# blocks (Yosys' `stat` in BLOCKS.log, of the same board mapped block by block), beside the recorded ones. Fails when a
# figure moved by more than 5 % or a clock misses what it needs.
set -eu
now=$(mktemp) && trap 'rm -f "$now"' EXIT
awk '/Info: Max frequency for clock/ {
         name = $6; gsub(/[^a-zA-Z0-9_]|glbnet/, "", name); reached[name] = $7; needed[name] = $(NF - 1)}
     /Info: +(TRELLIS_COMB|TRELLIS_FF|DP16KD|MULT18X18D):/ {
         name = $2; sub(/:/, "", name); used[name] = $3; sub(/\/.*/, "", used[name])}
     END {for (name in reached) printf "clock %s %s %s\n", name, reached[name], needed[name]
          printf "cells all %d %d %d %d\n", used["TRELLIS_COMB"], used["TRELLIS_FF"], used["DP16KD"],
                 used["MULT18X18D"]}' "$1" | sort >"$now"
awk '# Cells of one kind in a module and all below it.
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
     /^=== design hierarchy/ {module = ""; next}
     /^=== / {module = $2; parts[module] = 0; next}
     module != "" && NF == 2 && $2 ~ /^[0-9]+$/ {
         count[module, $1] = $2; name[module, ++parts[module]] = $1; times[module, parts[module]] = $2}
     END {
         blocks = " core node fabric aperture host_regs debug_regs memory_hub sdram_controller scanout wire_bridge "
         for (module in parts) {
             block = plain(module)
             if (!index(blocks, " " block " ")) continue
             if (block == "node") block = block (sum(module, "MULT18X18D") > 1 ? "_render" : "_paging")
             printf "cells %s %d %d %d %d\n", block, sum(module, "LUT4"), sum(module, "TRELLIS_FF"),
                    sum(module, "DP16KD"), sum(module, "MULT18X18D")
         }
     }' "$2" | sort >>"$now"
[ "${4:-}" != record ] || cp "$now" "$3"
[ -f "$3" ] || { echo "nothing recorded in $3 yet: make report-record"; cat "$now"; exit 1; }
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
     END {if (failed) {print failed " figures to look at; make report-record records them anew: say why"; exit 1}}' \
    "$3" "$now"
