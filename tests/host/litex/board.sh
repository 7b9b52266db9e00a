#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: a LiteX target with Tessera in it becomes a bit stream, or it is said what of it is too much for the FPGA.
# Method: `make litex-board` from nothing, as far as the tools of PyPI and Debian go.
#   board.sh BOARD fits|too-many COMMAND...
board=$1 wanted=$2
shift 2
passed=0 failed=0
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
said=$("$@" "$board" 2>&1)
status=$?
echo "$said"
if [ "$wanted" = fits ]; then
    note $status 'it ends well'
    echo "$said" | grep -q '^  .*: [0-9.]* MHz, asked [0-9.]*$'; note $? 'clocks are told'
    [ -s "$(echo "$said" | tail -n 1)" ]; note $? 'the last line names a bit stream'
    ! echo "$said" | grep -q 'too many'; note $? 'nothing is too many'
else
    [ $status = 1 ]; note $? 'it ends badly'
    echo "$said" | grep -Eq '^  DP16KD +[0-9]+ of +[0-9]+   too many$'; note $? 'which cells are too many is told'
    echo "$said" | tail -n 1 | \
        grep -q "^litex-board: $board: the design does not fit into the FPGA (see 'too many' above). Choose "
    note $? 'the last line says that it does not fit'
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
