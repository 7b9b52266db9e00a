#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/must_fail/harness.sh CHECK TIDY GEN CONFORMANCE: the harness itself. A failing check, a failing firmware
# assertion, a failing test program under tests/run, a failing target of `make test`, a breach of each house
# rule, a stale generated file and a requirement whose test failed must each be noticed.
. tests/meta/must_fail/expect.sh
check=$(realpath "$1") tidy=$(realpath "$2") gen=$(realpath "$3") conformance=$(realpath "$4")

must_pass "sound unit test" "$check" sound
must_fail "failing CHECK" "FAIL two_and_two" "$check" check
must_fail "failing assertion of cmocka" "0x4 != 0x5" "$check" cmocka
must_fail "failing ASSERT" "check.c" "$check" assert

# ------------------------------------------------------------------ tests/run and `make test`, in a copy
project=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$log" "$scratch"' EXIT
mkdir -p "$scratch/tests/x" "$scratch/tests/meta/lists" "$scratch/rtl" "$scratch/docs"
cp Makefile "$scratch/"; cp -r spec "$scratch/"; rm -f "$scratch"/spec/*.mk
cp tests/run tests/suite "$scratch/tests/"
cp tests/meta/lists/named.py "$scratch/tests/meta/lists/"
for list in TESTS:WANTED TESTS_FULL:HEAVY TESTS_LONG:SLOW; do
    printf "%s += \$(%s)\n" "${list%:*}" "${list#*:}"
done >"$scratch/tests/x/x.mk"
{
    printf 'sound:\n\t@tests/run sound true\n'
    printf 'broken:\n\t@tests/run broken false\n'
    printf 'lying:\n\t@tests/run lying sh -c "echo 3 passed, 1 failed"\n'
    printf 'crashing:\n\t@tests/run crashing sh -c "echo 3 passed, 0 failed; kill -SEGV $$$$$$$$"\n'
    printf 'unbuildable:\n\t@exit 2\n'
    printf 'leaving-out:\n\t@tests/run leaving-out echo 4 passed, 0 failed, 2 skipped\n'
    printf 'test-alone:\n\t@tests/run alone true\n'
    printf 'two:\n\t@tests/run first false\n\t@tests/run then true\n'
    printf 'late: late.txt\n\t@tests/run late true\nlate.txt:\n\t@sleep 1; touch $@\n'
    for name in q1 q2 q3; do printf '%s:\n\t@tests/run %s sleep 1\n' $name $name; done
    printf 'beside:\n\t@tests/run sound-one true\n\t@exit 3\n'
} >>"$scratch/tests/x/x.mk"
# count LINE...: these are the copy's tests/meta/counts
count() { printf '# how many\n' >"$scratch/tests/meta/counts"; printf '%s\n' "$@" >>"$scratch/tests/meta/counts"; }
count 'sound sound 1' 'broken broken 1' 'lying lying 4' 'crashing crashing 4' 'leaving-out leaving-out 6' \
    'alone test-alone 1' 'first two 1' 'then two 1' 'sound-one beside 1' \
    'late late 1' 'q1 q1 1' 'q2 q2 1' 'q3 q3 1'
# in_copy COMMAND...: run in the copy, come back
in_copy() { cd "$scratch" && "$@"; status=$?; cd "$project" && return $status; }
plain() { in_copy env -u MAKEFLAGS -u MAKEOVERRIDES -u MFLAGS -u SUITE -u T make "$@"; }
suite() { plain test WANTED="$1"; }
must_pass "make test with a sound test" suite sound
must_fail "make test with a failing program" "1 failed" suite "sound broken"
must_fail "make test with a program that only says it failed" "1 failed" suite "sound lying"
must_fail "make test with a program that crashes after its last line" "1 failed" suite "sound crashing"
must_fail "make test with a test that cannot be built" "1 failed" suite "sound unbuildable"
must_fail "make test without any test" "0 passed, 0 failed" suite ""
must_fail "... which names the target" "unbuildable" suite "sound unbuildable"
must_fail "make test goes on with the next test of a target" "ok    then" suite two
must_fail "make test with a command beside the tests that fails" "a command beside its tests failed" suite beside
begins_first() { plain test TEST_JOBS=2 WANTED='late q1 q2 q3' | grep -m 1 '^  ok' | grep -q '  late '; }
must_pass "a test that needs something built does not begin last" begins_first
must_fail "tests/run ends as its test does, in a suite too" "FAIL" in_copy env SUITE=1 tests/run broken false
must_pass "a sound target by itself" plain sound
must_fail "a failing target by itself" "FAIL" plain broken
must_fail "a target that only says it failed, by itself" "1 failed" plain lying
must_fail "make test-full with a failing heavy test" "1 failed" plain test-full WANTED=sound HEAVY=broken
must_fail "make test-rest after a failure of make test" "1 failed" sh -c \
    "cd '$scratch' && unset MAKEFLAGS SUITE T && { make test WANTED=broken; make test-rest WANTED= HEAVY=sound; }"
must_fail "make test-long with a failing test" "1 failed" plain test-long WANTED= SLOW=broken
must_pass "a test that skips" suite leaving-out
must_pass "... is told of in the sum" sh -c "cd '$scratch' && unset MAKEFLAGS SUITE T && make test WANTED=leaving-out |
    grep -q '^4 passed, 0 failed, 2 skipped$'"
must_pass "one test of many by its name" sh -c "cd '$scratch' && unset MAKEFLAGS SUITE T &&
    make test T=alone WANTED='broken test-alone' | grep -q '^1 passed, 0 failed$'"
count 'sound sound 1' 'alone test-alone 1' 'printed test-alone 1'
must_fail "a name that no test has" "Did you mean alone" plain test T=aloen WANTED=test-alone
must_pass "... which removes no logs" test -f "$scratch/build/tests/alone.log"
must_fail "the name that a result line prints" "printed" plain test T=printed WANTED=test-alone
must_pass "the logs of the run before" test -f "$scratch/build/tests.before/alone.log"
count 'sound sound 1' 'broken broken 1' 'lying lying 4' 'crashing crashing 4' 'leaving-out leaving-out 6' \
    'alone test-alone 1' 'first two 1' 'then two 1' 'sound-one beside 1'

# ------------------------------------------------------------------ how many checks there are
printf 'four:\n\t@tests/run four echo 4 passed, 0 failed\n' >>"$scratch/tests/x/x.mk"
count 'four four 4'
must_pass "as many checks as are expected" suite four
count 'four four 5'
must_fail "a test that has shrunk" "tests/meta/counts expects 5" suite four
must_fail "... by itself" "tests/meta/counts expects 5" plain four
count 'leaving-out leaving-out 9'
must_pass "fewer checks because something is left out" suite leaving-out
sum_is() { sum=$1; shift; suite "$@" | grep -qx "$sum"; }
must_pass "... all of which are told of in the sum" sum_is '4 passed, 0 failed, 5 skipped' leaving-out
count 'four four 4' 'gone four 1'
must_fail "a test of a target that did not run" "did not run. tests/meta/counts names it for four" suite four
count 'four four 3~'
must_pass "more than a bound" suite four
must_fail "a test whose checks nobody has counted" "tests/meta/counts has no number of checks" suite "four sound"
must_fail "... by itself" "tests/meta/counts has no number of checks" plain sound
count 'four four 3'
must_pass "more checks than are expected" sh -c "cd '$scratch' && unset MAKEFLAGS SUITE T && make test WANTED=four |
    grep -q 'More checks than tests/meta/counts says.* four$'"
count 'four four 5'
must_pass "make counts" sh -c "cd '$scratch' && unset MAKEFLAGS SUITE T && make test WANTED='four sound leaving-out'
    make counts && grep -qx 'four four 4' tests/meta/counts && grep -qx 'sound sound 1' tests/meta/counts &&
    ! grep -q leaving-out tests/meta/counts"
count 'four four 3~'
must_pass "... leaves a bound" sh -c "cd '$scratch' && unset MAKEFLAGS SUITE T && make counts &&
    grep -qx 'four four 3~' tests/meta/counts"
rm "$scratch/tests/meta/counts"
must_fail "make test without tests/meta/counts" "is missing: tests/meta/counts" suite sound

# ------------------------------------------------------------------ what a distribution does not have
count 'sound sound 1' 'four four 4'
printf 'ID=debian\nVERSION_ID=12\n' >"$scratch/release"
without() {
    echo "$1" >"$scratch/tests/meta/unavailable"; shift
    in_copy env -u MAKEFLAGS -u SUITE -u T OS_RELEASE="$scratch/release" make test WANTED="$1"
}
told() { without "$@" | grep -qx 'four is not run here: there is none'; }
must_pass "a target whose tool this distribution does not have is named" told \
    'debian12 four no-such-tool there is none' 'four sound'
must_fail "... and not run" "0 passed, 0 failed" without 'debian12 four no-such-tool there is none' four
must_pass "one whose tool is there all the same is run" without 'debian12 four sh there is none' four
printf 'Name: there\nDescription: there\nVersion: 1\n' >"$scratch/there.pc"
known() { PKG_CONFIG_PATH="$scratch" without "$@"; }
must_pass "... or a library that pkg-config knows" known 'debian12 four there there is none' four
must_pass "another distribution's is run" without 'debian13 four no-such-tool there is none' four
must_fail "... and so is every other" "FAIL  broken" without 'debian12 four no-such-tool there is none' "four broken"
rm "$scratch/tests/meta/unavailable"

# ------------------------------------------------------------------ what make says of a command
printf 'kind:\n\t$(call say,CC,x.c)echo made from x.c >kind\n' >>"$scratch/tests/x/x.mk"
printf 'spoiled:\n\t$(call say,CC,x.c)sh -c "echo x.c:1: wrong; exit 3" --every-option\n' >>"$scratch/tests/x/x.mk"
# quiet VARIABLE=VALUE...: what make prints of making the file again
quiet() { rm -f "$scratch/kind"; (cd "$scratch" && env -u MAKEFLAGS -u MAKELEVEL -u SUITE -u V "$@" make kind); }
must_pass "one short line" test "$(quiet)" = '  CC       x.c'
must_pass "... and none in a suite" test "$(quiet SUITE=1)" = ''
must_pass "the command with V=1" test "$(quiet V=1)" = 'echo made from x.c >kind'
must_fail "what a failing command said" "x.c:1: wrong" plain spoiled
must_fail "... the command" "--every-option" plain spoiled
must_fail "... and where" "spoiled] Error 3" plain spoiled

# ------------------------------------------------------------------ proofs that are kept
mkdir -p "$scratch/tests/formal" "$scratch/tests/core" "$scratch/tests/meta"
cp tests/meta/kept "$scratch/tests/meta/"
echo 'module a; endmodule' >"$scratch/rtl/a.v"
# kept WORD COMMAND: it runs and passes (`runs`), or its output is shown again (`shown`)
kept() {
    rm -f "$scratch/ran"
    in_copy env KEPT="$scratch/kept" ${segment:+SEGMENT=$segment} tests/meta/kept sh -c "touch ran; $2" |
        grep -q '2 passed, 0 failed' || return
    case $1 in runs) [ -e "$scratch/ran" ] ;; shown) [ ! -e "$scratch/ran" ] ;; esac
}
two='echo 2 passed, 0 failed' segment=
must_pass "kept: the first time it runs" kept runs "$two"
must_pass "kept: then its output is shown" kept shown "$two"
must_pass "kept: another command runs" kept runs "$two; true"
segment=2
must_pass "kept: another parameter runs" kept runs "$two"
segment=
echo 'module a; wire b; endmodule' >"$scratch/rtl/a.v"
must_pass "kept: with changed RTL it runs" kept runs "$two"
touch "$scratch/tests/formal/new.v"
must_pass "kept: with a new proof it runs" kept runs "$two"
kept runs "$two; exit 1" || true
must_pass "kept: what failed is not kept" kept runs "$two; exit 1"
must_fail "kept: and it ends as its command does" "1 failed" in_copy env KEPT="$scratch/kept" tests/meta/kept \
    sh -c 'echo 0 passed, 1 failed; exit 1'

# ------------------------------------------------------------------ house rules
mkdir -p "$scratch/tests/meta/tidy"
for folder in ddi driver memory novel plan schedule validate; do mkdir -p "$scratch/firmware/$folder"; done
for header in driver/engine schedule/scheduler validate/validate; do : >"$scratch/firmware/$header.h"; done
cp tests/meta/tidy/layers tests/meta/tidy/words "$scratch/tests/meta/tidy/"; : >"$scratch/tests/meta/tidy/known"
licence='/* SPDX-License-Identifier: Apache-2.0 */'
tidy_one() { echo "$1" >"$scratch/names"; in_copy "$tidy" <"$scratch/names"; }
# rule NAME TEXT FILE CONTENT (a printf format)
rule() { printf "$4" >"$scratch/$3"; must_fail "tidy: $1" "$2" tidy_one "$3"; }
printf '%s\nint x;\n' "$licence" >"$scratch/good.c"
must_pass "tidy: a good file" tidy_one good.c
mkdir -p "$scratch/tmp/home/.cache" "$scratch/host/out" "$scratch/notes"
rule "a folder of somebody's" "tmp is not a folder of the project" tmp/home/.cache/README.txt 'A text.\n'
rule "a picture in it" "tmp is not a folder of the project" tmp/picture.png '\211PNG\0'
rule "output below a folder of ours" "out is not a folder of the project" host/out/run.json '{}\n'
rule "a new folder at the top" "notes is not a folder of the project" notes/good.c "$licence\n"
rule "what a compiler made" "that a tool made" host/good.o '\177ELF\0'
rule "what an editor left" "that a tool made" host/good.c.orig "$licence\n"
rule "no licence" SPDX bad.c 'int x;\n'
rule "long line" columns bad.c "$licence\n/*%0120d*/\n"
rule "long file" "more than" bad.c "$licence\n$(yes '\n' | head -n 601 | tr -d '\n')"
rule "trailing space" "white space" bad.c "$licence\nint x; \n"
rule "tab" tab bad.c "$licence\n\tint x;\n"
rule "no last newline" newline bad.c "$licence\nint x;"
rule "unfinished" unfinished bad.c "$licence\n/* TO""DO */\n"
rule "id that does not exist" "no requirement" bad.c "$licence\n/* SPL-""99 */\n"
none='`default_nettype none' wire='`default_nettype wire'
rule "module of another name" "another name" rtl/bad.v "$licence\n$none\nmodule other;\nendmodule\n$wire\n"
rule "implicit nets" "none is missing" rtl/bad.v "$licence\nmodule bad;\nendmodule\n$wire\n"
rule "nets not restored" "wire is missing" rtl/bad.v "$licence\n$none\nmodule bad;\nendmodule\n"
rule "volatile outside the door" volatile firmware/ddi/patch.c "$licence\nstatic volatile int x;\n"
rule "conditional compilation" conditional firmware/ddi/patch.c "$licence\n#ifdef X\n#endif\n"
rule "a document that is not there" "docs/none.md is not in the tree" bad.c "$licence\n/* See docs/""none.md. */\n"
rule "a source that is not there" "rtl/none.v is not in the tree" bad.md "In \`rtl/""none.v\`.\n"
rule "a link to nowhere" "leads nowhere" bad.md "[this](no""where.png)\n"
rule "a private word" "the field says" bad.md "Its fa""te.\n"
rule "a private word in a comment" "the field says" bad.v \
    "$none\nmodule bad; // $licence; its fa""te\nendmodule\n$wire\n"
include() { printf '%s\n#include "%s"\n' "$licence" "$1"; }
rule "include of a higher folder" "may not include schedule/scheduler.h" firmware/memory/segment.c \
    "$(include schedule/scheduler.h)\n"
rule "include of a neighbour" "may not include validate/validate.h" firmware/plan/splitter.c \
    "$(include validate/validate.h)\n"
rule "rings above the driver" "may not include driver/engine.h" firmware/schedule/scheduler.c \
    "$(include driver/engine.h)\n"
rule "include by name alone" "is a path below firmware/" firmware/plan/splitter.c "$(include residency.h)\n"
rule "header in no folder of the list" "not in tests/meta/tidy/layers" firmware/novel/novel.h "$licence\n"
include plan/cost_model.h >"$scratch/firmware/plan/exact_fit.h"
include plan/exact_fit.h >"$scratch/firmware/plan/cost_model.h"
printf 'firmware/plan/exact_fit.h\nfirmware/plan/cost_model.h\n' >"$scratch/circle"
must_fail "tidy: a circle that is not named" "firmware/plan/exact_fit and firmware/plan/cost_model include each other" \
    in_copy sh -c "'$tidy' <circle"
for file in scheduler preemption; do echo "$licence" >"$scratch/firmware/schedule/$file.h"; done
printf "firmware/schedule/scheduler.h\nfirmware/schedule/preemption.h\n" >"$scratch/circle"
must_fail "tidy: a circle that is gone" "schedule/scheduler is in no circle" in_copy sh -c "'$tidy' <circle"
sed -i 's,^folder firmware/platform,& firmware/plan,' "$scratch/tests/meta/tidy/layers"
must_fail "tidy: a folder that uses one above it" "not above it" tidy_one good.c
cp tests/meta/tidy/layers "$scratch/tests/meta/tidy/"
echo 'folder host/tools/novel host/clients/lvgl' >>"$scratch/tests/meta/tidy/layers"
must_fail "tidy: a tool that uses a client" "not above it" tidy_one good.c

# calls NAME...: are these files of a folder in an order?
calls() { in_copy python3 -B "$project/tests/meta/tidy/calls.py" tests/meta/tidy/layers "$@"; }
printf 'calls host\n' >"$scratch/tests/meta/tidy/layers"
printf 'int upper(void) { return lower(); }\n' >"$scratch/host/upper.c"
printf 'int lower(void) { return 1; } /* upper() */\n' >"$scratch/host/lower.c"
must_pass "tidy-calls: one file calls another" calls host/upper.c host/lower.c
printf 'static int x(void) { return upper(); }\nint lower(void) { return x(); }\n' >"$scratch/host/lower.c"
must_fail "tidy-calls: two files call each other" "host/lower.c calls host/upper.c (upper), which comes back" \
    calls host/upper.c host/lower.c
printf 'called host upper lower\n' >>"$scratch/tests/meta/tidy/layers"
must_pass "tidy-calls: a circle that is named" calls host/upper.c host/lower.c
printf 'int lower(void) { return 1; }\n' >"$scratch/host/lower.c"
must_fail "tidy-calls: a named circle that is gone" "host/lower.c is in no circle by calls" \
    calls host/upper.c host/lower.c

# ------------------------------------------------------------------ generated files
fresh() { in_copy "$project/tests/meta/tidy/fresh.sh" "$gen"; }
mkdir -p "$scratch/integration/python/tessera" "$scratch/host/include"
cp host/include/tessera_values.h "$scratch/host/include"
cp integration/python/tessera/spec.py "$scratch/integration/python/tessera"
cp rtl/gpu_spec.vh rtl/gpu_packets.vh "$scratch/rtl/"; cp docs/registers.md "$scratch/docs/"
must_pass "fresh views" fresh
echo >>"$scratch/rtl/gpu_spec.vh"
must_fail "stale rtl/gpu_spec.vh" "gpu_spec.vh is stale" fresh
cp rtl/gpu_spec.vh "$scratch/rtl/"; echo >>"$scratch/docs/registers.md"
must_fail "stale docs/registers.md" "registers.md is stale" fresh
cp docs/registers.md "$scratch/docs/"; echo >>"$scratch/host/include/tessera_values.h"
must_fail "stale host/include/tessera_values.h" "tessera_values.h is stale" fresh

# ------------------------------------------------------------------ conformance
mkdir -p "$scratch/tests/meta/conformance" "$scratch/tests/unit" "$scratch/build/tests"
echo "SPL-""01 | S | something | yes" >"$scratch/spec/requirements.txt"
echo "rtl alpha" >"$scratch/tests/meta/conformance/levels"
: >"$scratch/tests/meta/conformance/exempt"
echo "/* SPL-""01 */" >"$scratch/tests/unit/alpha.c"
rm -f "$scratch/tests/meta/counts"
# rows COMMAND: the test alpha is this command of the shell; what it says of rows is collected and judged
rows() {
    rm -f "$scratch/build/tests/summary"
    echo "$1" >"$scratch/alpha.sh"
    in_copy env -u SUITE tests/run alpha sh alpha.sh
    in_copy sh -c "'$conformance' rows.json rows.md tests/unit/*.c"
}
says() { grep -q "\"status\": \"$1\".*\"level\": \"$2\"" "$scratch/rows.json"; }
row="echo row SPL-""01"
must_pass "a requirement whose case passed" rows "$row begun 0; $row pass 34"
must_pass "... is a pass, where it ran" says pass rtl
must_fail "one of two cases failed" "1 fail" rows "$row pass 34; $row fail 2; exit 1"
must_pass "... is a fail" says fail rtl
must_fail "a case that began and was left" "1 fail" rows "$row begun 0; exit 1"
must_fail "a program that crashed after its cases" "1 fail" rows "$row begun 0; $row pass 34; kill -SEGV \$\$"
must_pass "a case that did not run, though a file names the row" rows true
must_pass "... is untested" says untested ''
must_pass "a case without a check" rows "$row begun 0; $row pass 0"
must_pass "... is untested too" says untested rtl
must_fail "a row that does not exist" "does not exist" rows "echo row SPL-""07 pass 1"
echo "/* SPL-""07 */" >"$scratch/tests/unit/beta.c"
must_fail "a test that names an unknown requirement" "does not exist" rows true
echo "SPL-""02 | S | something else | yes" >>"$scratch/spec/requirements.txt"
rm "$scratch/tests/unit/beta.c"
must_fail "a row that no test names" "is named by no test" rows true
echo "SPL-""01 no reason at all" >"$scratch/tests/meta/conformance/exempt"
must_fail "an exemption of an unconditional row" "no condition" rows true

# ... and a test's own cases say so: check.h
case_of() { "$check" "$1" | grep -qx "row SPL-""01 $2"; }
must_pass "a case that passes says its rows and how many checks it made" case_of sound 'pass 1'
must_pass "a case that fails says so" case_of check 'fail 1'
must_pass "... and that it began" case_of check 'begun 0'
finish
