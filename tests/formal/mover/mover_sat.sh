#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# For mover_progress.sh and mover_commands.sh, which read it: what the SAT solver inside Yosys says of a netlist. They
# set top, directory, passed and failed, and have prepare(NAME DEFINES INIT RTL...).
limit=${FORMAL_TIMEOUT:-600}
# solve NETLIST HOW...: 0 when shown, 1 when not, 2 when the time is over.
solve() {
    local netlist=$1 log; shift
    log=$directory/$netlist-$(echo "$*" | tr -dc 'a-z0-9').log
    timeout "$limit" yosys -q -l "$log" -p "read_rtlil $directory/$netlist.il; sat -set-assumes $* $top" >/dev/null 2>&1
    [ $? -lt 124 ] || return 2
    grep -q 'no model found: SUCCESS' "$log" && return 0
    grep -q 'model found: FAIL' "$log" && return 1
    return 2
}
expect() { # VERDICT NAME NETLIST HOW...
    local verdict=$1 name=$2 start=$SECONDS; shift 2
    solve "$@"
    local got=$?
    if [ $got -eq "$verdict" ]; then passed=$((passed + 1))
    else failed=$((failed + 1)); name="$name: FAILED ($got)"; fi
    echo "$name, $((SECONDS - start)) s"
}
# breaks NAME FILE PATTERN REPLACEMENT HOW RTL...: with the RTL changed, this no longer holds.
breaks() {
    local name=$1 file=$2 pattern=$3 replacement=$4 how=$5 changed; shift 5
    sed "s/$pattern/$replacement/" "rtl/engine/$file" >"$directory/$file"
    cmp -s "$directory/$file" "rtl/engine/$file" && { echo "$name: nothing to break in $file"; exit 2; }
    changed=$(for each in "$@"; do [ "$each" = "rtl/engine/$file" ] && echo "$directory/$file" || echo "$each"; done)
    # shellcheck disable=SC2086
    prepare broken -DSTEP clear $changed
    # shellcheck disable=SC2086
    expect 1 "must fail: $name" broken $how
}
