#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/must_fail/whole.sh BUILD: the whole machine. A frame that differs from the expected one, and a firmware
# assertion on the simulated core, must each end the host program with a status that is not 0.
. tests/meta/must_fail/expect.sh
build=$1
run="run --model --no-compare --frames 1 --out $build/must_fail/out"
must_pass "a scene on the golden model" "$build/tessera" $run
must_fail "one wrong bit in the expected frame" "DIFFERS" "$build/must_fail/tessera_spoiled" $run
must_pass "the firmware starts" "$build/tessera" info
must_fail "a failing assertion in the firmware image" "panic" \
    "$build/tessera" info --firmware "$build/must_fail/gpu_assert.elf"
finish
