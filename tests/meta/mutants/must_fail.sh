#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Must fail: lists of rules (rules.py) with an entry whose place is gone, is not the only one, or that nothing notices.
# must_fail.sh FOLDER [built]: with the second word also what takes a build.
here=$PWD
. tests/meta/must_fail/expect.sh
rules="/usr/bin/python3 -B $here/tests/meta/mutants/rules.py"
mkdir -p "$1"
cd "$1" || exit 2
cat >judged.c <<'END'
static int low(int value) { return value < 3; }
int judge(int a, int b)
{
    int sum = a + b; /* both */
    if (low(a) &&
        low(b)) sum++;
    if (low(sum)) sum++;
    return sum;
}
END
# entry NAME REMOVED PUT [FUNCTION]
entry() { printf '%s: a rule\n    judged.c %s\n    - %s\n    + %s\n' "$1" "${4:-judge}" "$2" "$3" >list; }
apply() { $rules --apply list; }
entry laid-out 'if (low(a) && /* either */ low(b)) sum++;' 'if (low(a)) sum++;'
must_pass "another layout and other comments" apply
entry whole 'int sum = a + b;' 'int sum = a - b;'
must_pass "a place that stands once" apply
entry gone 'sum--;' 'sum++;'
must_fail "a place that is gone" "gone: judged.c judge: stands there 0 times" apply
entry twice 'sum++;' 'sum--;'
must_fail "a place that stands twice" "twice: judged.c judge: stands there 2 times" apply
entry elsewhere 'sum++;' ';' low
must_fail "a place in another function" "elsewhere: judged.c low: stands there 0 times" apply
entry lost 'sum++;' ';' judges
must_fail "a function that is gone" "lost: judged.c has 0 functions judges" apply
entry same 'int sum = a + b;' 'int sum=a+b;'
must_fail "an entry that changes nothing" "same: judged.c judge: nothing is replaced" apply
{ entry twin 'int sum = a + b;' 'int sum = a;'; cat list; cat list; } >twins && mv twins list
must_fail "two entries of one name" "twin: two entries have this name" apply
printf 'no-place: a rule\n' >list
must_fail "an entry without a place" "no-place: a place" apply
printf 'no-rule:\n    judged.c low\n    - 3\n    + 4\n' >list
must_fail "an entry without its rule" "neither a name with its rule" apply
: >list
must_fail "an empty list" "0 passed" apply
if [ -n "$2" ]; then
    cat >list <<'END'
noticed [nobody]: the last byte of an operand is inside its allocation
    firmware/validate/access.c fits_allocation
    - bytes <= limit - patch->offset
    + bytes <= limit + 1 - patch->offset
not-noticed: the same in other words
    firmware/validate/access.c fits_allocation
    - bytes <= limit - patch->offset
    + limit - patch->offset >= bytes
not-compiled: a name that is none
    firmware/validate/access.c fits_allocation
    - bytes <= limit - patch->offset
    + bytes <= limits
END
    cd "$here" || exit 2
    run() { $rules --run must-fail 1 test-validate "$1/list"; } # from the tree
    must_fail "a rule that no test notices" "FAIL not-noticed: survived" run "$1"
    for word in 'ok   noticed: ' 'FAIL noticed: [nobody] is no program' \
        'FAIL not-compiled: does not compile' '1 passed, 3 failed'; do
        if grep -qF "$word" "$log"; then verdict yes "$word"; else verdict no "the same run says '$word'"; fi
    done
fi
finish
