#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# record.sh FIGURES GROUP...: measures the groups and replaces their lines in the file FIGURES; the lines of other
# groups stay. Nothing is written when a measurement fails.
set -e
export LC_ALL=C
figures=$1 new=build/bench/figures.new measured=build/bench/measured
yosys=$(yosys -V | cut -d' ' -f1,2)
shift
bench/measure.sh "$@" >$measured
{
    cat <<END
# The project's figures: "name value unit", sorted. Made by \`make bench\` (bench/measure.sh), not by hand.
# \`make test-bench-held\` measures all but area.*, latency.*, page.*, policy.* and time.* again and fails when one
# differs by more than 2 %, or with another compiler by more than 15 %.
# Tools: $(verilator --version | cut -d' ' -f1,2), $(bench/compiler.sh), $yosys.
#   area      ECP5 cells after mapping by synth_ecp5 as it is: the chip, the core, the engine's mover with its parts
#   core      the control core on single-cycle memory
#   engine    the mover alone, copies: latency is that of a memory without stalls; others: cycles / lower bound
#   fair      contexts that contend for memory, golden model: pages per DMA buffer, of all and of the first context
#   firmware  instructions of single modules as RV32 under qemu
#   latency   a small context beside a hog on the simulated chip: cycles and pages in per DMA buffer
#   many      200 drawn of 600 allocations on the simulated chip, with the default limit and the largest; copied: 1,000
#             pages drawn in turn, in memory for 576
#   node      the engine's front end on single-cycle memories; copies at 64 cycles of system memory's latency
#   page      the report of 300 frames of a recording in a browser: bytes; loading, in units of an empty page's
#   paging    writing paging operations and searching the segment map on the chip's core: cycles
#   policy    both paging policies over six families of workloads on the golden model: ratios to the bounds
#   replay    recorded kinds of use on the golden model; ratios to what an omniscient planner needs
#   scene     two frames of the default scene on the simulated chip, seed 1
#   time      both paging policies on the simulated chip: cycles, ratios to the bounds; slow: whole families
#   size      bytes of the firmware's image and structures
END
    { if [ -f "$figures" ]; then
          awk -v groups="$*" 'BEGIN {split(groups, list, " "); for (i in list) again[list[i]] = 1}
              !/^#/ {split($1, part, "."); if (!(part[1] in again)) print}' "$figures"
      fi; cat $measured; } | sort
} >$new
mv $new "$figures"
echo "$figures: $(grep -vc '^#' "$figures") figures, $(grep -c . $measured) of them new or measured again"
