#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh OUTPUT_DIR CHECK:DEPTH[:MACRO...]...: bounded proofs of core_formal.v, one after the other: no
# assertion of the group CHECK, and none of the core's own, fails within DEPTH cycles of reset, whatever memory and
# interrupt lines do. With the macro MUST_FAIL the outcome has to be the other one; with ALONE the core's own assertions
# are left out. FORMAL_TIMEOUT (600), and what is printed, are processor seconds. Ends with "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd); rtl=$here/../../../rtl/core; output=$1; shift
mkdir -p "$output"
abc=$(command -v yosys-abc || command -v berkeley-abc) || { echo 'formal: berkeley-abc is missing' >&2; exit 2; }
passed=0 failed=0
for job in "$@"; do
    IFS=: read -r -a part <<<"$job"
    check=${part[0]} depth=${part[1]}; name=$(printf '%s-' "${part[@]}"); name=${name%-}
    defines="-DRVFI -DCORE_ALTOPS -DCHECK_$check"
    case $job in *ALONE*) ;; *) defines="$defines -DGPU_ASSERT" ;; esac
    for macro in "${part[@]:2}"; do defines="$defines -D$macro"; done
    wanted="No output asserted in $depth frames"
    case $job in *MUST_FAIL*) wanted="was asserted in frame" ;; esac
    TIMEFORMAT=%U
    prove() {
        yosys -q -l "$output/$name.yosys.log" -p "
            read_verilog -sv -formal -I$rtl $defines $rtl/*.v $here/reference.v $here/core_formal.v
            prep -top core_formal -flatten -nordff
            memory_map -formal
            async2sync
            chformal -assume -early
            chformal -live -fair -cover -remove
            formalff -setundef -clk2ff -ff2anyinit
            setundef -undriven -anyseq
            opt -fast
            dffunmap
            opt_clean
            techmap
            opt -fast
            abc -g AND -fast
            opt_clean
            write_aiger -I -B -zinit -map $output/$name.map $output/$name.aig" >/dev/null 2>&1 &&
        (ulimit -t "${FORMAL_TIMEOUT:-600}"
         exec "$abc" -c "read_aiger $output/$name.aig; fold; strash; bmc3 -F $depth -v") >"$output/$name.log" 2>&1 &&
        grep -q "$wanted" "$output/$name.log"
    }
    if { time prove; } 2>"$output/seconds"; then
        passed=$((passed + 1)); word="as it should be"
    else
        failed=$((failed + 1)); word=FAILED
    fi
    echo "$name: $word to cycle $depth in $(tail -n 1 "$output/seconds") s"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
