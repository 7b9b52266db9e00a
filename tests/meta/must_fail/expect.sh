# SPDX-License-Identifier: Apache-2.0
# Sourced by the must-fail scripts. A check that cannot fail proves nothing, so each comes as a pair: the sound
# thing passes, the broken thing makes the same runner exit with a status that is not 0.
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ulimit -c 0

verdict() { # OK? NAME
    if [ "$1" = yes ]; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL: $2"; tail -n 5 "$log" | sed 's/^/      /'; fi
}

# must_pass NAME COMMAND...
must_pass() {
    name=$1; shift
    if "$@" >"$log" 2>&1; then verdict yes "$name"; else verdict no "$name: exit $?, should have passed"; fi
}

# must_fail NAME TEXT COMMAND...: exit status not 0, and TEXT in the output, so that it failed for the reason
# meant and not because a file was missing.
must_fail() {
    name=$1 text=$2; shift 2
    if "$@" >"$log" 2>&1; then verdict no "$name: passed, should have failed"; return; fi
    if grep -qF -e "$text" "$log"; then verdict yes "$name"; else verdict no "$name: failed without saying '$text'"; fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
