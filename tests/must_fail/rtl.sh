#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/must_fail/rtl.sh PROGRAM: an assertion in RTL that does not hold stops the simulation.
. tests/must_fail/expect.sh
must_pass "a full FIFO" "$1" full
must_fail "a FIFO pushed when full" "sync_fifo.v" "$1" overflow
finish
