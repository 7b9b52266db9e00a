#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Break one promise of paging buffers at a time in the firmware of second.elf (second_rules), and prove that
# test_second notices on the chip: the test that the entry names in brackets has to fail. Each is compiled alone, as the
# chip has no environment that could choose one. Usage: second_mutations.sh COMPILE LINK OBJECTS-FOLDER [NAME ...]: the
# commands that make second.elf; all without names, and with "none" only what all are linked from, unbroken.
set -u
compile=$1 link=$2 objects=$3
shift 3
names=" $* "
rules="/usr/bin/python3 -B tests/meta/mutants/rules.py"
list=tests/chip/system/second_rules
out=build/system/mutations
mkdir -p "$out"
passed=0 failed=0

# broken NAME TEST: TEST of test_second has to fail.
broken() {
    local name=$1 test=$2 file others
    if ! file=$($rules --write "$list" "$name" "$out"); then
        echo "FAIL $name: $file"; failed=$((failed + 1)); return
    fi
    others=$(find "$objects" -name '*.o' | grep -v "/${file%.c}.o")
    if ! $compile -w -c -o "$out/mutated.o" "$out/$file" 2>"$out/$name.log" ||
        ! $link -o "$out/second.elf" firmware/platform/start.S $others "$out/mutated.o" 2>>"$out/$name.log"; then
        echo "FAIL $name: does not build, see $out/$name.log"; failed=$((failed + 1)); return
    fi
    if timeout 300 build/system/test_second --only "$test" --first 1 --firmware "$out/second.elf" \
        >"$out/$name.log" 2>&1; then
        echo "FAIL $name: test_second did not notice"; failed=$((failed + 1))
    else
        echo "ok   $name: $(grep -m 1 -E '^FAILED|^[A-Z]{3}-[0-9]' "$out/$name.log" | cut -c 1-90)"
        passed=$((passed + 1))
    fi
}

if $link -o "$out/second.elf" firmware/platform/start.S $(find "$objects" -name '*.o') 2>"$out/unbroken.log"; then
    passed=$((passed + 1))
else
    echo "FAIL unbroken: does not link, see $out/unbroken.log"; failed=$((failed + 1))
fi
while read -r name test <&3; do
    [ "$names" = "  " ] || case $names in *" $name "*) ;; *) continue ;; esac
    broken "$name" "$test"
done 3< <($rules --names "$list")

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
