#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# search.sh SCRIPT CYCLES OUTPUT [SECONDS]: does an assertion fail within CYCLES of the start? SCRIPT is a yosys script
# that leaves the design flattened; registers without an initial value are free, assumptions hold from the start.
# yosys makes an and-inverter graph of it, ABC's bmc3 searches that for at most SECONDS of processor time (900). Prints
# the answer and the processor seconds of both: "none 12.3" (within CYCLES none fails), "found 12.3",
# "undecided-18 12.3" (the last cycle searched), "error 12.3". Leaves OUTPUT.aig, .map, .yosys.log and .log.
set -u
script=$1 cycles=$2 output=$3 seconds=${4:-900}
abc=$(command -v yosys-abc || command -v berkeley-abc) || { echo 'search: berkeley-abc is missing' >&2; exit 2; }
rm -f "$output.aig" "$output.log"
{ cat "$script"; cat <<END; } >"$output.ys"

memory_map -formal
async2sync
chformal -assume -early
chformal -live -fair -cover -remove
formalff -setundef -clk2ff -ff2anyinit
setundef -undriven -anyseq
dffunmap
opt_clean
techmap
aigmap
write_aiger -I -B -zinit -map $output.map $output.aig
END
search() {
    yosys -q -l "$output.yosys.log" "$output.ys" >/dev/null 2>&1 || return
    (ulimit -t "$seconds"
     exec "$abc" -c "read_aiger $output.aig; fold; strash; bmc3 -F $cycles -v") >"$output.log" 2>&1
}
answer() {
    if [ ! -f "$output.log" ]; then echo error
    elif grep -q "No output asserted in $cycles frames" "$output.log"; then echo none
    elif grep -q 'was asserted in frame' "$output.log"; then echo found
    else awk '$2 == "+" { frame = $1 } END { print "undecided-" frame + 0 }' "$output.log"; fi
}
TIMEFORMAT=%U
spent=$({ time search; } 2>&1 | tail -n 1)
echo "$(answer) $spent"
