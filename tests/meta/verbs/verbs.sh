#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: a verb of make that is given something wrong, or for which something is missing, says so in one line before
# anything is built. Method: make itself, with a build folder of its own that has to stay empty.
#   verbs.sh OUTPUT_DIR
set -u
output=$1 passed=0 failed=0
rm -rf "$output"; mkdir -p "$output/a b" "$output/bin"
check() { # NAME, then a command
    local name=$1; shift
    if "$@" >/dev/null 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $name"; fi
}
# refused PATTERN ARGUMENT...: the first line has the pattern, the status is not 0, nothing was made
refused() {
    local pattern=$1 answer status; shift
    answer=$( (unset MAKEFLAGS MAKEOVERRIDES BOARD; make --no-print-directory BUILD="$output/build" "$@") 2>&1)
    status=$?
    check "$*: not '$pattern' but: $answer" grep -q -e "$pattern" <<<"$(head -n 1 <<<"$answer")"
    check "$*: status $status" test $status -eq 2
    check "$*: nothing was made" test -z "$(find "$output/build" -type f ! -name 'gen*' ! -name 'gpu_*' 2>/dev/null)"
}
for range in '9 9' '10 9' 'x 9' '9 x' '-5 x' '-5 5' '0x10 40'; do
    refused 'make waves: FROM=.* give two cycles, FROM less than TO' waves "FROM=${range% *}" "TO=${range#* }"
done
for board in '' BOARD= BOARD=nexys BOARD=i9; do
    refused 'BOARD= one of: ulx3s colorlight_i9' litex-board $board
done
for board in nexys icebreaker 'ulx3s i9'; do
    refused "make run: unknown BOARD=$board. Choose one of: i9 ulx3s\. " run "BOARD=$board"
done
for name in PREFIX DESTDIR LIBDIR BINDIR INCLUDEDIR MANDIR; do
    refused "The path '/tmp/a b' of $name has a space" install "$name=/tmp/a b"
done
refused "The path '/tmp/a b' of LVGL_DIR has a space" lvgl "LVGL_DIR=/tmp/a b"
# A tree whose folder's name has a space.
cp Makefile "$output/a b"
sim=integration/litex/tessera_litex/sim.py
spaced=$(unset MAKEFLAGS MAKEOVERRIDES; make --no-print-directory -C "$output/a b" run 2>&1)
check "a tree in a folder with a space: $spaced" grep -q "of CURDIR has a space in it. Name a path" <<<"$spaced"
# The boards that make names are those of the package.
listed=$(sed -n 's/^LITEX_BOARDS *:= //p' tests/host/litex/litex.mk)
known=$(PYTHONPATH=integration/litex python3 -B -c 'from tessera_litex.boards import BOARDS; print(*BOARDS)')
check "the boards: $listed, not $known" test "$listed" = "$known"
# litex-sim with a PATH that has make and Python, and no tool: all packages in one line, in a moment, nothing installed.
for program in make bash sh awk grep mkdir sed cat uname nproc ls tr basename dirname; do
    ln -s "$(command -v $program)" "$output/bin/$program" 2>/dev/null
done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$output/bin/python3"
begin=$SECONDS
answer=$(unset MAKEFLAGS MAKEOVERRIDES; PATH=$output/bin make --no-print-directory BUILD="$output/build" litex-sim 2>&1)
for package in gcc verilator ninja-build gcc-riscv64-unknown-elf; do
    check "litex-sim names $package: $answer" \
        grep -q "^litex-sim: packages are missing: apt-get install .*\<$package\>" <<<"$answer"
done
check 'litex-sim says it in a moment' test $((SECONDS - begin)) -le 5
check 'litex-sim installs nothing' test ! -e "$output/build/tools-litex"
check 'litex-sim begins no stage' test "$(grep -c '^1 of 3' <<<"$answer")" -eq 0
# With everything there, the first stage is said, with its time.
stage=$(unset MAKEFLAGS MAKEOVERRIDES; make -n --no-print-directory BUILD="$output/build" litex-sim 2>&1)
check 'litex-sim: a line per stage, with its time' grep -q '1 of 3: .* about 2 minutes' <<<"$stage"
check 'the others' sh -c "grep -q '2 of 3: .*about 6 minutes' $sim && grep -q '3 of 3: .*minutes' $sim"
check 'make waves says how long it builds' grep -q 'two minutes' <<<"$(make -n BUILD="$output/build" waves 2>&1)"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
