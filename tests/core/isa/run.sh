#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh OUTPUT_DIR MARCH RUNNER...: assembles the directed tests named in TESTS (default: all but timing), with
# FLAGS, and runs them through RUNNER. Ends with "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd); output=$1; march=$2; shift 2
mkdir -p "$output"
passed=0 failed=0
for name in ${TESTS:-$(cd "$here" && ls *.S | sed 's/\.S$//' | grep -vx timing)}; do
    elf=$output/$name-$march.elf
    if riscv64-unknown-elf-gcc ${FLAGS:-} -march="$march" -misa-spec=2.2 -mabi=ilp32 -nostdlib -nostartfiles -Wl,--no-warn-rwx-segments \
        -T "$here/../program/link.ld" -o "$elf" "$here/$name.S" && "$@" "$elf" --max-cycles 400000; then
        passed=$((passed + 1))
    else
        echo "FAIL $name"; failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
