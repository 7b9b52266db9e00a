#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/lists/must_fail.sh FILE...: what lists.py must notice, in a copy of these files; and a unit test that is
# there must be run without being named anywhere.
. tests/meta/must_fail/expect.sh
scratch=$(mktemp -d)
trap 'rm -rf "$log" "$scratch"' EXIT
tar -cf - "$@" | tar -xf - -C "$scratch" || exit 2
cd "$scratch" || exit 2
log=$scratch/log
lost=astray # a name that no file below tests/ has in it: this one is reached, too
unset MAKEFLAGS MAKEOVERRIDES MFLAGS SUITE T

database() { make -pqrR help 2>/dev/null; }
lists() { database | python3 -B tests/meta/lists/lists.py $(find tests -type f); }
must_pass "the tree as it is" lists

: >tests/unit/plan/test_found.c
must_pass "a unit test that is its file" lists
must_pass "... which test-modules builds" sh -c \
    "make -pqrR help 2>/dev/null | grep -q '^test-modules:.* build/unit/plan/test_found'"
must_pass "... and under qemu" sh -c \
    "make -pqrR help 2>/dev/null | grep -q '^test-modules-rv32:.* build/unit/rv32/plan/test_found.elf'"
: >tests/unit/whole/test_found_too.c
must_pass "a test of the whole firmware that is its file" sh -c \
    "make -pqrR help 2>/dev/null | grep -q '^test-system:.* build/unit/whole/test_found_too'"
: >tests/unit/validate/test_found_as_well.c
must_pass "a test of validation that is its file" sh -c \
    "make -pqrR help 2>/dev/null | grep -q '^test-validate:.* build/unit/validate/test_found_as_well'"

mkdir tests/unit/novel
: >tests/unit/novel/test_lost.c
must_fail "a test in a folder that nothing looks into" "tests/unit/novel/test_lost.c: no target of TESTS" lists
rm -r tests/unit/novel
: >tests/rtl/node/test_lost.cpp
must_fail "a bench that no target builds" "tests/rtl/node/test_lost.cpp: no target of TESTS" lists
rm tests/rtl/node/test_lost.cpp
: >"tests/formal/node/$lost.v"
must_fail "a proof that no target runs" "tests/formal/node/$lost.v: no target of TESTS" lists
: >"tests/chip/scene/$lost.sh"
must_fail "a script that nothing runs" "tests/chip/scene/$lost.sh: no target comes to it" lists
rm "tests/formal/node/$lost.v" "tests/chip/scene/$lost.sh"
sed -i.bak '/ test-injection /d' tests/meta/counts
must_fail "a target whose checks nobody has counted" "test-injection: tests/meta/counts has no test of it" lists
mv tests/meta/counts.bak tests/meta/counts
# spoil SCRIPT: change what is said of tests, as sed says it, for one check
spoil() { cp tests/meta/lists/covers covers.bak; sed -i "$1" tests/meta/lists/covers; }
kept() { mv covers.bak tests/meta/lists/covers; }
areas() { cp CONTRIBUTING.md areas.bak; sed -i "$1" CONTRIBUTING.md; }
areas 's/^| `boards.*/&\n| `novel` | `nothing` | 1 s |/'
must_fail "an area whose test is in no list" "table of areas names nothing" lists
mv areas.bak CONTRIBUTING.md
areas '/^| `boards/d'
must_fail "a folder of no area" "table of areas lacks boards/" lists
mv areas.bak CONTRIBUTING.md
spoil '/^test-injection: /d'
must_fail "a target of which nobody says what it covers" "covers: test-injection has no line" lists
kept
spoil '/^    firmware-splitter: /d'
must_fail "a result of which nobody says what it covers" "covers: firmware-splitter of test-modules has no line" lists
kept
spoil 's/^test-injection: .*/&\ntest-lost: nothing/'
must_fail "a line of a target that is gone" "covers: test-lost is in no list" lists
kept
spoil 's/^    firmware-splitter: .*/&\n    firmware-lost: nothing/'
must_fail "a line of a result that is gone" "covers: firmware-lost is not a result of test-modules" lists
kept
spoil "s/^test-injection: .*/test-injection: $(printf '%080d' 0)/"
must_fail "a line that is too long" "covers: test-injection: 80 characters" lists
kept
spoil 's/^test-injection: .*/&\n&/'
must_fail "a target with two lines" "covers: test-injection has more than one line" lists
kept
# shown WORDS TEXT: make tests T=WORDS prints this
shown() { make -s tests T="$1" | grep -q -e "$2"; }
for pair in eviction:test_literal.c 'page mapped:test_driver.c' blend:test_draws.c 'vhost message:test_vhost.c' \
    flip:test_display.c; do
    must_pass "make tests T=\"${pair%:*}\" finds ${pair#*:}" shown "${pair%:*}" "/${pair#*:}"
done
must_fail "a word that no test has" "no test says 'unheard'" make -s tests T=unheard
echo 'lost test-lost 1' >>tests/meta/counts
must_fail "a count of no target" "test-lost, which is in no list" lists
sed -i '/^lost /d' tests/meta/counts
sed -i '/^TESTS += test-injection/d' tests/chip/system/system.mk
must_fail "a target that has left the lists" "tests/chip/system/test_injection.c: no target of TESTS" lists
must_fail "no listing at all" "not a listing of make" sh -c "python3 -B tests/meta/lists/lists.py tests/run </dev/null"
finish
