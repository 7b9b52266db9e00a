#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# icarus.sh PROGRAM ARGUMENTS...: what Icarus made, run. vvp reports an assertion that fails, goes on and ends with 0;
# here that is a failure, said in the last line.
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
vvp -N "$@" >"$log" 2>&1
status=$?
cat "$log"
errors=$(grep -c '^ERROR: ' "$log")
[ "$errors" -eq 0 ] && exit $status
echo "0 passed, $errors failed"
exit 1
