#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: spec/gen.c refuses every kind of contradiction. Method: add one bad row to a copy of the table,
# build the generator on it, expect exit status 1 and the row's name; also: the good table is accepted,
# a changed number changes the hash, a changed comment does not.
dir=build/spec; rm -rf $dir; mkdir -p $dir
passed=0; failed=0
build() { gcc -std=c11 -O0 -I$dir -o $dir/gen $dir/gen*.c; }
fresh() { cp spec/gpu.def $dir/gpu.def; cp spec/gen*.[ch] $dir; }
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
refused() { # row, word of the message
    fresh; printf '%s\n' "$1" | cat - spec/gpu.def >$dir/rows
    # rows go before the first LIMIT so that the default macros exist
    awk -v row="$1" '/^LIMIT\(PAGE_BYTES/ {print row} {print}' spec/gpu.def >$dir/gpu.def
    build && $dir/gen hash >/dev/null 2>$dir/message; code=$?
    [ $code -eq 1 ] && grep -q "$2" $dir/message; note $? "refuses $1 ($(cat $dir/message))"
}
fresh; build && $dir/gen hash >$dir/good; note $? "the table is accepted"
refused 'REG(HOST, TWICE, 0x04, RW, RO, 0, "x")' 'offset used twice'
refused 'REG(HOST, ODD, 0x82, RW, RO, 0, "x")' 'multiple of 4'
refused 'REG(NOWHERE, A, 0x00, RW, RO, 0, "x")' 'unknown block'
refused 'REG(NODE, FAR, 0x100, RW, RO, 0, "x")' 'stride'
refused 'FIELD(HOST, CONTROL, WIDE, 30, 4, "x")' 'leaves its word'
refused 'FIELD(HOST, CONTROL, SAME, 0, 2, "x")' 'overlap'
refused 'FIELD(HOST, NONE, A, 0, 2, "x")' 'unknown register'
refused 'PKT(AGAIN, 0x10, 2, USER, "x")' 'opcode used twice'
refused 'PKT(LONG, 0x7f, 16, USER, "x")' 'length outside'
refused 'PKT(LONG, 0x7f, 9, USER, "x")' 'spare bits'
refused 'PKT_FIELD(COPY, 4, A, 0, 8, PLAIN, "x")' 'word outside'
refused 'PKT_FIELD(COPY, 0, A, 4, 8, PLAIN, "x")' 'overlaps the opcode'
refused 'PKT_FIELD(FENCE, 0, A, 16, 8, ADDR, "x")' 'whole word'
refused 'MSG(DOUBLE, 0x01, "x")' 'value used twice'
refused 'MSG_FIELD(LOCK, 16, A, "x")' 'word outside'
refused 'ENUMERATOR(POLICY, LATER, 7, "x")' 'numbered from 0'
refused 'STATUS(DOUBLE, 3, "x")' 'value used twice'
refused 'BLOCK(CLASH, 0x180, 1, 0, "x")' 'blocks overlap'
refused 'LIMIT(SLOTS, 65, "x")' 'named twice'
fresh; sed -i 's/LIMIT(SLOTS,  *64/LIMIT(SLOTS, 65/' $dir/gpu.def; build && $dir/gen hash >$dir/other
! cmp -s $dir/good $dir/other; note $? "a changed limit changes the hash"
fresh; sed -i 's/Host page; every/Host page: every/' $dir/gpu.def; build && $dir/gen hash >$dir/other
cmp -s $dir/good $dir/other; note $? "a changed comment keeps the hash"
echo "$passed passed, $failed failed"; [ $failed -eq 0 ]
