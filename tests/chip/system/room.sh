#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: the build says what is free of core memory and fails when that is little, naming what grew.
# Method: linker/room.sh on small images linked by linker/gpu.ld: a sound one, recorded, and one with larger tables.
# Usage: room.sh PREFIX FOLDER IMAGE FLAT: the firmware's image, and that without a region, which has room for the
# tables. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../../.." || exit 2
. tests/meta/must_fail/expect.sh
prefix=$1 folder=$2 image=$3 flat=$4
mkdir -p "$folder"

build() { # NAME WORDS: tables of three sizes, one of them named as link-time optimisation does
    "${prefix}gcc" -march=rv32imc -misa-spec=2.2 -mabi=ilp32 -O1 -nostdlib -nostartfiles -Llinker -T linker/gpu.ld \
        -Wl,--no-warn-rwx-segments -x c -o "$folder/$1" - <<END
static int padded[$2] __asm__("padded_table.lto_priv.0"), a[4 * $2 / 100], b[3 * $2 / 100], c[2 * $2 / 100];
static int d[$2 / 100], e[$2 / 200], same[100];
__attribute__((section(".cold.bss"))) int rare[1000];
__attribute__((section(".cold.text"), noinline, used)) static void seldom(void) { rare[0] = 1; }
void _start(void);
void _start(void)
{
    *(int *volatile *)0x100 = padded, *(int *volatile *)0x100 = a, *(int *volatile *)0x100 = b;
    *(int *volatile *)0x100 = c, *(int *volatile *)0x100 = d, *(int *volatile *)0x100 = e;
    *(int *volatile *)0x100 = same;
}
END
}
room() { linker/room.sh "$prefix" "$folder/$1" "$folder/$2" "${@:3}"; }
said() { # NAME TEXT: in what the last command printed
    must_pass "$1" grep -qxF -e "$2" "$folder/said"
}

must_pass "small image" build small 8000
must_pass "large image" build large 10000
must_pass "record" room small sizes record
must_pass "the name without its end" grep -qx "32000 padded_table" "$folder/sizes"
must_pass "enough is free" room small sizes
cp "$log" "$folder/said"
# 36,992 bytes of tables, those that are sized at boot and have to lie here, and, in 16s: code, stack.
read -r tables hot < <(sed -n 's/.*TABLES_DEFAULT_BYTES = \([0-9]*\), TABLES_CORE_BYTES = \([0-9]*\), .*/\1 \2/p' \
    firmware/memory/tables.h)
must_pass "two lines" awk -v hot="$hot" '
    /^core memory: [0-9]+ of 65536 bytes used, the stack included; [0-9]+ free$/ {
        if ($3 + $(NF - 1) == 65536 && $3 - hot > 36992 && $3 - hot < 39648) right = 1
    }
    END {exit NR != 2 || !right}' "$folder/said"
# The function and the table that are cold, the other tables that are sized at boot, and nothing else.
must_pass "the region" awk -v others=$((tables - hot)) '/^the firmware.s region: [0-9]+ of 262144 bytes used$/ {
    if ($4 - others > 4000 && $4 - others < 4100) right = 1} END {exit !right}' "$folder/said"
must_fail "too little is free" "bytes of core memory, 4096 are needed" room large sizes
cp "$log" "$folder/said"
said "what grew most" "  padded_table 8000 more, 40000 now"
said "the fifth" "  d 80 more, 400 now"
must_pass "five of them" [ "$(grep -c ' more, ' "$folder/said")" = 5 ]
must_pass "no word of the compiler, which is the same" [ "$(grep -c 'recorded with' "$folder/said")" = 0 ]
sed -i '1s/by gcc [^ ]*/by gcc 1.2.3/' "$folder/sizes"
must_fail "with another one" "sizes was recorded with gcc 1.2.3, this is gcc " room large sizes
# gcc 14's image takes 592 bytes more of core memory than gcc 12's: what only this compiler fits into fits none.
least=4096
if grep -q "by gcc $("${prefix}gcc" -dumpfullversion) " linker/sizes.txt; then least=$((4096 + 1024)); fi
must_pass "room for another compiler's image" env LEAST=$least linker/room.sh "$prefix" "$image" linker/sizes.txt
must_pass "tables beside the image without a region" env LEAST=0 linker/room.sh "$prefix" "$flat" "$folder/sizes"
finish
