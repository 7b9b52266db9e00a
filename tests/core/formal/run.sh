#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh OUTPUT_DIR CHECK:DEPTH[:MACRO...]...: bounded proofs of core_formal.v, one after the other: no
# assertion of the group CHECK, and none of the core's own, fails within DEPTH cycles of reset, whatever memory and
# interrupt lines do. With the macro MUST_FAIL the outcome has to be the other one; with ALONE the core's own assertions
# are left out. FORMAL_TIMEOUT (600), and what is printed, are processor seconds. Ends with "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd); rtl=$here/../../../rtl/core; output=$1; shift
mkdir -p "$output"
passed=0 failed=0
for job in "$@"; do
    IFS=: read -r -a part <<<"$job"
    check=${part[0]} depth=${part[1]}; name=$(printf '%s-' "${part[@]}"); name=${name%-}
    defines="-DRVFI -DCORE_ALTOPS -DCHECK_$check"
    case $job in *ALONE*) ;; *) defines="$defines -DGPU_ASSERT" ;; esac
    for macro in "${part[@]:2}"; do defines="$defines -D$macro"; done
    wanted=none
    case $job in *MUST_FAIL*) wanted=found ;; esac
    cat >"$output/$name.script" <<END
read_verilog -sv -formal -I$rtl -I$rtl/.. $defines $rtl/*.v $here/reference.v $here/core_formal.v
prep -top core_formal -flatten -nordff
END
    read -r answer seconds < <(
        "$here/search.sh" "$output/$name.script" "$depth" "$output/$name" "${FORMAL_TIMEOUT:-600}")
    if [ "$answer" = "$wanted" ]; then
        passed=$((passed + 1)); word="as it should be"
    else
        failed=$((failed + 1)); word="FAILED ($answer)"
    fi
    echo "$name: $word to cycle $depth in $seconds s"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
