#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: the control core is accepted without a warning by Verilator, Icarus and Yosys.
# Method: every file as its own top, and the core in every configuration the project keeps; any output of a tool
# is a failure.
# Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../../rtl/core" || exit 2
passed=0 failed=0
check() { # NAME COMMAND...
    local name=$1 output; shift
    if output=$("$@" 2>&1) && [ -z "$output" ]; then passed=$((passed + 1))
    else failed=$((failed + 1)); printf 'FAIL %s\n%s\n' "$name" "$output"; fi
}
configurations=(
    "" "COMPRESSED=0" "PMP_REGIONS=0" "PMP_REGIONS=1" "PMP_REGIONS=8 PMP_POWERS=0" "PREDICT=0" "DEBUG=1"
    "PMP_REGIONS=8 DEBUG=1" "COMPRESSED=0 PMP_REGIONS=0" "MULTIPLY=0 COUNTERS=0 TRAP_VALUES=0"
    "COMPRESSED=0 MULTIPLY=0 PREDICT=0 PMP_REGIONS=0 COUNTERS=0 TRAP_VALUES=0"
)
for defines in "" "+define+GPU_ASSERT" "+define+GPU_ASSERT +define+RVFI"; do
    for file in *.v; do
        check "verilator $file $defines" ../lint.sh verilator -Wall -fno-const-bit-op-tree --no-timing -I. \
            $defines --top-module "${file%.v}" "$file"
    done
    for configuration in "${configurations[@]}"; do
        check "verilator core $configuration $defines" ../lint.sh verilator -Wall -fno-const-bit-op-tree \
            --no-timing -I. $defines --top-module core ${configuration:+$(printf -- '-G%s ' $configuration)} core.v
    done
done
for file in *.v; do
    check "icarus $file" iverilog -g2005 -Wall -y. -s "${file%.v}" -t null "$file"
done
for configuration in "${configurations[@]}"; do
    check "icarus core $configuration" iverilog -g2005 -Wall -y. -s core \
        ${configuration:+$(printf -- '-Pcore.%s ' $configuration)} -t null core.v
    check "yosys core $configuration" yosys -q -p "read_verilog *.v; \
        $(for p in $configuration; do printf 'chparam -set %s %s core; ' "${p%=*}" "${p#*=}"; done) \
        hierarchy -check -top core; proc; check -assert"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
