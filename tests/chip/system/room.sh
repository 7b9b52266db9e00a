#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: the build says what is free of core memory and fails when that is little, naming what grew.
# The list of what lies in the region is made of a profile, and of no other text.
# Method: linker/room.sh on small images linked by linker/gpu.ld: a sound one, recorded, and one with larger tables.
# linker/cold.sh on the profile and on spoiled ones.
# Usage: room.sh PREFIX FOLDER IMAGE FLAT: the firmware's image, and that without a region, which has room for the
# tables. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../../.." || exit 2
. tests/meta/must_fail/expect.sh
prefix=$1 folder=$2 image=$3 flat=$4
mkdir -p "$folder"

build() { # NAME WORDS: tables of three sizes, one of them named as link-time optimisation does
    "${prefix}gcc" -march=rv32imc -misa-spec=2.2 -mabi=ilp32 -O1 -nostdlib -nostartfiles -L"${image%/*}" \
        -T linker/gpu.ld -Wl,--no-warn-rwx-segments -x c -o "$folder/$1" - <<END
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
        if ($3 + $(NF - 1) == 65536 && $3 - hot > 36992 && $3 - hot < 39904) right = 1
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
must_pass "the reserve of linker/cold.sh" env LEAST=5120 linker/room.sh "$prefix" "$image" linker/sizes.txt
must_pass "tables beside the image without a region" env LEAST=0 linker/room.sh "$prefix" "$flat" "$folder/sizes"

cold() { # WHAT SED: the list that a profile changed by SED makes
    sed "$2" linker/profile.txt >"$folder/profile"
    linker/cold.sh "$prefix" "$flat" "$folder/profile" >"$folder/said"
}
lists() { grep -qxF "*(.text.$1 .text.$1.*)" "$folder/said"; }
lacks() { ! lists "$1"; }
must_pass "the list of the build" cold same ""
must_pass "again the same" cmp "$folder/said" "${image%/*}/cold.ld"
must_pass "main is hot" lacks main
must_pass "without cycles" cold idle "s/^main .*/main 0/"
must_pass "is listed" lists main
seldom=$(sed -n '/^[a-z_]* 0$/{s/ 0//p;q}' linker/profile.txt)
must_pass "seldom is listed" lists "$seldom"
must_pass "a new function" cold new "/^$seldom /d"
must_pass "stays" lacks "$seldom"
must_fail "a number that is a word" 'line 3: "main hot" is not a function and a number' cold word "3s/.*/main hot/"
must_fail "a third word" "is not a function and a number" cold third "3s/\$/ 1/"
must_fail "twice" "is there twice" cold twice "\$p"
must_fail "no function" "it names no function" cold none "/^[^#]/d"
must_fail "too much that is new" "those that the profile does not know take" cold few "/^[^m#]/d"
finish
