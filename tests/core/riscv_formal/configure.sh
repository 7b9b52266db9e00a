#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# configure.sh: prints the configuration that riscv-formal's genchecks.py reads: checks.cfg, and after it the list of
# files, which is the wrapper and every Verilog file of the core, whatever they are. Paths begin with @basedir@/project.
set -eu
cd "$(dirname "$0")/../../.."
cat tests/core/riscv_formal/checks.cfg
printf '\n[verilog-files]\n'
for file in tests/core/riscv_formal/wrapper.sv rtl/core/*.v; do echo "@basedir@/project/$file"; done
