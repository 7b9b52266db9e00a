#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# core_cache.sh OUT [CYCLES]: the proofs of core_cache_formal.v, by the search of tests/core/formal/search.sh: from
# reset, whatever comes in, for CYCLES (22). REACH, with 26 or more, denies that a stored byte went back to memory and
# was loaded again, and must fail; FAIR adds that a memory which lets nothing wait for more than a cycle ends every
# access. Ends with "N passed, N failed".
out=$1 cycles=${2:-22} passed=0 failed=0
mkdir -p "$out"
prove() { # name, define, cycles, wanted answer
    {
        echo "read_verilog -formal -DGPU_ASSERT $2 -Irtl tests/formal/memory/core_cache_formal.v rtl/core_cache.v"
        echo "prep -top core_cache_formal -nordff; flatten; memory_map -formal; opt_clean"
        echo 'techmap t:$shiftx t:$shift t:$shr t:$shl; opt_clean; setundef -zero'
    } >"$out/core_cache_$1.script"
    answer=$(tests/core/formal/search.sh "$out/core_cache_$1.script" "$3" "$out/core_cache_$1" 600)
    echo "$1: $3 cycles: $answer"
    case $answer in "$4 "*) passed=$((passed + 1)) ;; *) failed=$((failed + 1)) ;; esac
}
[ "$cycles" -lt 26 ] || prove reach -DREACH "$cycles" found
prove keeps "" "$cycles" none
prove ends -DFAIR "$cycles" none
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
