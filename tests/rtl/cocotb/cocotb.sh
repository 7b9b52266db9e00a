#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_axi.py with two seeds and rates of pauses, and once where the golden model is said to draw something else, which
# has to be noticed.
#   cocotb.sh ENVIRONMENT BUILD FIRMWARE CRC
environment=$(pwd)/$1 build=$(pwd)/$2 firmware=$(pwd)/$3 expected=$4
passed=0 failed=0
run() { # SEED STALL CRC
    (cd "$build" && PATH=$environment/bin:$PATH PYTHONPATH=$OLDPWD/tests/rtl/cocotb PYTHONDONTWRITEBYTECODE=1 \
        LIBPYTHON_LOC=$("$environment/bin/cocotb-config" --libpython) PYGPI_PYTHON_BIN=$environment/bin/python \
        MODULE=test_axi TOPLEVEL=chip_axi TOPLEVEL_LANG=verilog COCOTB_LOG_LEVEL=WARNING \
        CLIENT_LIBRARY=$build/libclient.so FIRMWARE=$firmware SEED=$1 STALL=$2 EXPECT=$3 ./Vtop)
}
count() { # LOG
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$1" | tail -n 1)
    echo "${counts:-0 passed, 1 failed}"
}
for stall in 10 40; do
    run $stall $stall "$expected" >"$build/stall-$stall.log" 2>&1
    cat "$build/stall-$stall.log"
    counts=$(count "$build/stall-$stall.log")
    passed=$((passed + ${counts%% *}))
    counts=${counts#*, }
    failed=$((failed + ${counts%% *}))
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
