#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rtl/lint.sh VERILATOR ARGUMENT...: lint with this Verilator and print what it objects to; its exit status. Newer
# versions print lines about themselves too ("- Verilator: Walltime 0.050 s"), which are not about the design and are
# left out; everything else is kept, so that silence is success.
output=$("$@" --lint-only 2>&1)
code=$?
printf '%s\n' "$output" | sed -e '/^- V/d' -e '/^$/d'
exit $code
