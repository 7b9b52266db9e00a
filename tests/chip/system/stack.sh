#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: none of the firmware's stacks ever needs more than linker/gpu.ld gives it: the main loop's, that of messages and
# scheduling, and that of examinations.
# Method: stack.awk over the image's disassembly, and the relocations of the same one that was linked to keep them; and
# what it must refuse: one byte less than is needed, a frame of no constant size, a function that calls itself, by way
# of another or through a register. Usage: stack.sh PREFIX IMAGE RELOCATIONS. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../../.." || exit 2
. tests/meta/must_fail/expect.sh
bytes() { sed -n "s/^__$1 = \([0-9]*\);.*/\1/p" linker/gpu.ld; }
main=$(bytes stack_bytes) work=$(bytes work_stack_bytes) examine=$(bytes examine_stack_bytes)
[ -n "$main" ] && [ -n "$work" ] && [ -n "$examine" ] || { echo "linker/gpu.ld: no __stack_bytes in bytes"; exit 1; }
# What begins each stack, and its room.
rooms() { echo "main=$1 gpu_messages=$2 gpu_scheduling=$3 gpu_examination=$4 hal_last_words=$5"; }
room=$(rooms $main $work $work $examine $main)
image=$(mktemp) changed=$(mktemp)
trap 'rm -f "$image" "$changed" "$log"' EXIT
sections=$(printf -- '-j %s ' .start .text .rodata .cold.text .cold.rodata)
"$1objdump" -d "$2" >"$image" && "$1objdump" -r $sections "$3" >>"$image" || exit 1
for part in "" .cold; do # the binary of both together would span all between
    for elf in "$2" "$3"; do
        "$1objcopy" -O binary -j .start$part -j $part.text -j $part.rodata "$elf" "$elf.stack" || exit 1
    done
    must_pass "the same code${part:+ in the region}" cmp "$2.stack" "$3.stack"
    rm -f "$2.stack" "$3.stack"
done
measure() { gawk -v room="$1" -f tests/chip/system/stack.awk "$2"; }
within() { # FUNCTION INSTRUCTION...: with these at its start (link-time optimisation may have given the name an end)
    local function=$1 text=; shift
    for instruction in "$@"; do text+="\n 0:\t0\t$instruction"; done
    sed -E "s/^[0-9a-f]+ <$function(\.lto_priv\.[0-9]+)?>:\$/&$text/" "$image" >"$changed"
}

must_pass "fits" measure "$room" "$image"
cat "$log"
read -r -a need < <(measure "$room" "$image" | awk '/ bytes$/ { printf "%d ", $1 } END { print "" }')
[ ${#need[@]} -eq 5 ] || { echo "the stacks' needs are not known"; exit 1; }
must_pass "to the byte" measure "$(rooms "${need[@]}")" "$image"
for i in 0 1 2 3 4; do
    less=("${need[@]}"); less[$i]=$((need[i] - 1))
    must_fail "a byte less of stack $i" "does not fit" measure "$(rooms "${less[@]}")" "$image"
done
within main 'add\tsp,sp,-16'
must_fail "a larger frame" "does not fit" measure "$(rooms "${need[@]}")" "$changed"
within gpu_examination 'add\tsp,sp,-16'
must_fail "a larger frame of long work" "does not fit" measure "$(rooms "${need[@]}")" "$changed"
within main 'sub\tsp,sp,t0'
must_fail "a frame of no constant size" "of no constant size" measure "$room" "$changed"
within main 'mv\tsp,t0'
must_fail "another stack" "of no constant size" measure "$room" "$changed"
within main 'jal\t0 <main>'
must_fail "by itself" "can call itself" measure "$room" "$changed"
within submit_command 'jal\t0 <main>'
must_fail "by way of another" "can call itself" measure "$room" "$changed"
within submit_command 'jalr\ta5'
must_fail "through a register" "can call itself" measure "$room" "$changed"
finish
