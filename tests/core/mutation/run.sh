#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: the core's tests notice faults.
# Method: each line of faults.txt is put into a copy of the core; lockstep, then the directed tests, then the timing
# test must fail (or the bench must not end). A fault that all of them let pass survives and is printed.
#
#   mutation/run.sh OUTPUT_DIR [FIRST [COUNT]]    from the project's root; objects of the benches are built already
set -u
output=$1 first=${2:-1} count=${3:-1000}
here=tests/core/mutation; objects=$PWD/build/core
mkdir -p "$output"
killed=0 survived=0 number=0
verilate() { # TOP FLAGS... -- SOURCES...
    local top=$1; shift
    verilator -fno-const-bit-op-tree --assert --no-timing -Wno-fatal -Wno-lint -Wno-style -I"$output/rtl" \
        +define+GPU_ASSERT --x-initial unique --cc --exe --build -j 1 --Mdir "$output/$top.d" \
        -CFLAGS "-O1 -DPMP_POWERS=1 -I$PWD/tests/core" "$@" >"$output/build.log" 2>&1
}
lives() { # whether the core in $output/rtl passes everything; `killer` says what it failed
    killer="does not build"
    verilate lockstep --top-module core -GPMP_REGIONS=8 +define+RVFI -o "$PWD/$output/lockstep" "$output/rtl/core.v" \
        "$PWD/tests/core/lockstep.cpp" "$objects"/{isa_model,isa_expand,disassemble,random_program}.o || return 1
    killer=lockstep
    for stall in 0 40; do timeout 300 "$output/lockstep" --programs 1500 --stall $stall >/dev/null 2>&1 || return 1; done
    killer="does not build"
    verilate run --top-module core -GPMP_REGIONS=8 "-GRESET_VECTOR=32'hffff0000" -o "$PWD/$output/core-run" "$output/rtl/core.v" \
        "$PWD/tests/core/core_run.cpp" "$objects"/{elf_image,bench_memory,disassemble,isa_expand}.o || return 1
    killer="directed tests"
    for stall in 0 40; do
        tests/core/isa/run.sh "$output/isa" rv32imc timeout 100 "$output/core-run" --stall $stall >/dev/null 2>&1 ||
            return 1
    done
    killer=timing
    TESTS=timing tests/core/isa/run.sh "$output/isa" rv32im timeout 100 "$output/core-run" >/dev/null 2>&1 ||
        return 1
}
while IFS= read -r line; do
    case $line in '#'* | '') continue ;; esac
    number=$((number + 1))
    if [ $number -lt "$first" ] || [ $number -ge $((first + count)) ]; then continue; fi
    rm -rf "$output/rtl" && cp -r rtl/core "$output/rtl"
    file=${line%% @ *} rest=${line#* @ }
    find=${rest%% @ *} replace=${rest#* @ }
    content=$(cat "$output/rtl/$file"; printf .)
    printf '%s' "${content/"$find"/"$replace"}" | sed '$ s/\.$//' >"$output/rtl/$file"
    if cmp -s "$output/rtl/$file" "rtl/core/$file"; then
        echo "fault $number: text not found: $file: $find"; survived=$((survived + 1)); continue
    fi
    if lives; then survived=$((survived + 1)); echo "SURVIVES $number: $file: $find -> $replace"
    elif [ "$killer" = "does not build" ]; then
        survived=$((survived + 1))
        echo "NO FAULT $number, $killer: $file: $find"
    else killed=$((killed + 1)); echo "killed $number by $killer: $file: $find"; fi
done <"$here/faults.txt"
echo "$killed killed, $survived survived"
# 95 % of the faults must be noticed.
[ $((killed * 100)) -ge $(((killed + survived) * 95)) ]
