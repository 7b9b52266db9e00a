#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/analyse/must_fail.sh OUT: every tool of `make analyse` notices what is planted for it in OUT; and an answer
# that is no answer is a failure. A tool that does not judge here is left out.
. tests/meta/must_fail/expect.sh
out=$1 skipped=0
rm -rf "$out"; mkdir -p "$out"
unset MAKEFLAGS MAKEOVERRIDES MFLAGS
analyse() { python3 -B tests/meta/analyse/analyse.py "$1" 1 "$out/cache" "$2"; }
# plant NAME LINE...: a file of these lines
plant() {
    file=$out/$1; shift
    printf '%s\n' '/* SPDX-License-Identifier: Apache-2.0 */' "$@" >"$file"
}
# noticed TOOL CHECK FILE: this tool, by itself, notices it
noticed() {
    if analyse "$1" "$3" | grep -q skipped; then skipped=$((skipped + 1)); return; fi
    must_fail "$1 and $2" "$2]" analyse "$1" "$3"
}

plant sound.c 'int sound(int value);' 'int sound(int value) { return value + 1; }'
must_pass "a sound file" analyse gcc,cppcheck,clang-tidy "$out/sound.c"
plant leak.c '#include <stdlib.h>' 'int leak(void);' 'int leak(void) {' '    int *held = malloc(sizeof *held);' \
    '    if (held == NULL) return 0;' '    *held = 1;' '    return *held;' '}'
noticed gcc analyzer-malloc-leak "$out/leak.c"
plant beyond.c 'int beyond(void);' 'int beyond(void) {' '    int row[4] = {0};' '    return row[4];' '}'
noticed cppcheck arrayIndexOutOfBounds "$out/beyond.c"
plant sizes.c '#include <string.h>' 'void sizes(char *text);' \
    'void sizes(char *text) { memset(text, 0, sizeof(text)); }' 'int twice(int a);' \
    'int twice(int a) { if (a == 1) return 2; else if (a == 1) return 3; return 4; }' \
    'int same(int a);' 'int same(int a) { return a == a; }'
noticed clang-tidy misc-redundant-expression "$out/sizes.c"

sed 's,^\(    int \*held .*;\)$,\1 /* analyse: analyzer-malloc-leak: planted */,' "$out/leak.c" >"$out/answered.c"
must_pass "an objection that is answered" analyse gcc "$out/answered.c"
sed 's,: planted,,' "$out/answered.c" >"$out/no_reason.c"
must_fail "an answer without a reason" "an answer without a reason" analyse gcc "$out/no_reason.c"
sed 's,analyzer-malloc-leak: planted,another-check: planted,' "$out/answered.c" >"$out/another.c"
noticed gcc analyzer-malloc-leak "$out/another.c"
plant stale.c 'int stale(int value);' '/* analyse: analyzer-malloc-leak: it was once */' \
    'int stale(int value) { return value; }'
if analyse gcc,cppcheck,clang-tidy "$out/stale.c" | grep -q skipped; then skipped=$((skipped + 1)); else
    must_fail "an answer that answers nothing" "nothing objects here any more" \
        analyse gcc,cppcheck,clang-tidy "$out/stale.c"
fi
# Two trees in two places share what is kept; clang-tidy says whole paths.
script=$PWD/tests/meta/analyse/analyse.py
for tree in one other; do
    mkdir "$out/$tree" && cp .clang-tidy "$out/$tree/"
    sed 's,return a == a.*,& /* analyse: misc-redundant-expression: planted */,; /twice/d' "$out/sizes.c" |
        sed 's,sizeof(text),1,' >"$out/$tree/answered.c"
    shared() { (cd "$out/$tree" && python3 -B "$script" gcc,cppcheck,clang-tidy 1 ../shared answered.c); }
    if shared | grep -q skipped; then skipped=$((skipped + 1)); else must_pass "the $tree of two trees" shared; fi
done
plant broken.c 'int broken(void) { return }'
must_fail "a file that does not compile" "1 failed" analyse gcc,cppcheck "$out/broken.c"

# RTL: through the rules of rtl/rtl.mk.
module() { printf '%s\n' "$2" >"$out/$1.v"; }
lint() { make -s "LINT_DIR=$out/lint" "$out/lint/$out/$1.ok"; }
module wide 'module wide(input [3:0] a, output [1:0] b); assign b = a; endmodule'
must_fail "Verilator and a width" "WIDTH" lint wide
module logic2 'module logic2(input a, output b); logic c; assign c = a; assign b = c; endmodule'
must_fail "Icarus and what Verilog 2005 has not" "logic2.v" lint logic2
module gpu 'module gpu(input a, output b); assign b = a; endmodule'
chip() { make -s "LINT_DIR=$out/lint-$1" "YOSYS_READ=read_verilog $out/$1.v" "$out/lint-$1/gpu.ok"; }
must_pass "Yosys and a sound chip" chip gpu
module loop 'module gpu(input a, output b); wire c; assign c = a ^ b; assign b = c; endmodule'
must_fail "Yosys and a loop" "gpu as synthesised" chip loop

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
