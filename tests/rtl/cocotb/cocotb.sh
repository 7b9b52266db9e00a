#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_axi.py in what main.cpp runs, twice: with short pauses and answers that are errors; and with long pauses and a
# rule broken at a time, each of which has to be noticed. Where there is no PyPI: one line, and skipped.
#   cocotb.sh ENVIRONMENT BUILD FIRMWARE "SEGMENT1 SEGMENT2"
environment=$(pwd)/$1 build=$(pwd)/$2 firmware=$(pwd)/$3 memory=$4
passed=0 failed=0
if [ ! -x "$environment/bin/python" ]; then
    grep 'need\|could not be installed' "$build/absent"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
run() { # SEED STALL SPOIL
    PATH=$environment/bin:$PATH PYTHONPATH=tests/rtl/cocotb PYTHONDONTWRITEBYTECODE=1 \
        LIBPYTHON_LOC=$("$environment/bin/cocotb-config" --libpython) PYGPI_PYTHON_BIN=$environment/bin/python \
        COCOTB_RESULTS_FILE=$build/results.xml MODULE=test_axi TOPLEVEL=chip_axi TOPLEVEL_LANG=verilog \
        COCOTB_LOG_LEVEL=WARNING CLIENT_LIBRARY=$build/libclient.so FIRMWARE=$firmware SEED=$1 STALL=$2 SPOIL=$3 \
        EXPECT=$build/golden "$build/obj/Vtop"
}
# shellcheck disable=SC2086
"$build/scene_model" $memory >"$build/golden" || exit 1
for words in '1 10' '2 40 1'; do
    # A simulation that ends before its counts has failed.
    run $words >"$build/log" 2>&1 || failed=$((failed + 1))
    cat "$build/log"
    counts=$(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$build/log")
    counts=${counts:-0 1}
    passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
