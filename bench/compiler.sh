#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compiler.sh: what compiles the firmware, on which the held figures depend, as bench/figures.txt names it.
echo "gcc $(riscv64-unknown-elf-gcc -dumpfullversion) for RV32"
