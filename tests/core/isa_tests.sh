#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# isa_tests.sh RISCV_TESTS_DIR OUTPUT_DIR MARCH RUNNER...: builds the official riscv-tests of four groups (environment
# `p`) from the user's own checkout and runs each through RUNNER (core-run and its options). The checkout needs its
# sub-module env (riscv-test-env). MARCH rv32i leaves out what the small configuration has not. Ends with "N passed, N failed".
set -u
tests=$1; output=$2; march=$3; shift 3
if [ ! -f "$tests/isa/rv32ui/Makefrag" ] || [ ! -f "$tests/env/p/link.ld" ]; then
    echo "isa_tests: '$tests' is no checkout of riscv-tests with its env sub-module." \
         "Give one: make isa-tests RISCV_TESTS=directory" >&2
    exit 2
fi
compile() { # SOURCE ELF
    riscv64-unknown-elf-gcc -march=$march -misa-spec=2.2 -mabi=ilp32 -static -mcmodel=medany \
        -fvisibility=hidden -nostdlib -nostartfiles -I"$tests/env/p" -I"$tests/isa/macros/scalar" \
        -T"$tests/env/p/link.ld" "$1" -o "$2"
}
mkdir -p "$output"
passed=0 failed=0
groups=(rv32ui rv32um rv32uc rv32mi)
if [ "$march" = rv32i ]; then groups=(rv32ui rv32mi); fi
for group in "${groups[@]}"; do
    for source in "$tests/isa/$group"/*.S; do
        name=$group-p-$(basename "$source" .S)
        # Demands misaligned loads and stores without a trap; this core traps, as the specification allows.
        if [ "$name" = rv32ui-p-ma_data ]; then echo "left out: $name"; continue; fi
        # No counters and mtval reads zero: these test just that.
        if [ "$march" = rv32i ]; then
            case $name in *-zicntr | *-instret_overflow | *-ma_addr | *-pmpaddr | *-misaligned | *-ma_fetch)
                echo "left out: $name"; continue ;; esac
        fi
        if ! compile "$source" "$output/$name" 2>"$output/$name.log"; then
            echo "FAIL $name: does not compile"; head -n 3 "$output/$name.log"; failed=$((failed + 1))
        elif ! "$@" "$output/$name" --max-cycles 1000000 >"$output/$name.log" 2>&1; then
            echo "FAIL $name: $(tail -n 1 "$output/$name.log")"; failed=$((failed + 1))
        else
            passed=$((passed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
