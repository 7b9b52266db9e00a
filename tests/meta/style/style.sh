#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# style.sh PAGE...: the pages pass style.py and firmware/ passes names.py; what breaks one rule is refused by that rule.
python3 -B tests/meta/style/style.py "$@" >build/style.txt
status=$?
grep -v ' passed, ' build/style.txt
counts=$(tail -n 1 build/style.txt)
passed=${counts%% passed*} failed=${counts##*, } failed=${failed%% *}

# The names of firmware/; two files that share a static function, and a word for a place, are refused.
python3 -B tests/meta/style/names.py firmware >build/style-names.txt || status=1
grep -v ' passed, ' build/style-names.txt
counts=$(tail -n 1 build/style-names.txt)
count=${counts##*, } passed=$((passed + ${counts%% passed*})) failed=$((failed + ${count%% *}))
rm -rf build/style-names && mkdir -p build/style-names
printf 'static void evict(void)\n{\n}\n' | tee build/style-names/one.c >build/style-names/two.c
printf 'static bool has_rested;\n' >build/style-names/three.c
python3 -B tests/meta/style/names.py build/style-names >build/style-bad-names.txt

bad=build/style-bad.md
{
    printf 'This sentence is short.\n\n'
    printf 'word %.0s' $(seq 91); printf 'end.\n\n'
    printf 'It is done anew, which is a phrase.\n\nIt takes 123,456 cycles.\n\n'
    printf 'See [a place](#none), `test-nothing-at-all`, `no/such_file.c` and `no_such''_name_at_all`.\n\n'
    printf 'This line '; printf 'x%.0s' $(seq 115); printf ' is too wide.\n'
} >$bad
python3 -B tests/meta/style/style.py $bad >build/style-bad.txt
seq 45001 >build/style-long.md
python3 -B tests/meta/style/style.py build/style-long.md >>build/style-bad.txt
# Pages for readers are known by their path: a tree of its own has one of a word too many, and a README of a line too
# many. Pages that are just short enough say nothing.
tree=build/style-tree
rm -rf $tree && mkdir -p $tree/docs
for name in Makefile tests bench boards; do ln -s "../../$name" $tree/$name; done
seq 2501 >$tree/docs/tour.md
seq 2500 >$tree/docs/memory.md
seq 111 >$tree/README.md
(cd $tree && python3 -B tests/meta/style/style.py docs/tour.md docs/memory.md README.md) >>build/style-bad.txt
for sign in '92 words: ' 'on average, at most' 'columns, at most 120' '"anew": write again' 'is a figure of one day' \
            'has no heading #none' 'no makefile has test-nothing-at-all' \
            'all pages: 45001 words, at most 45000' 'docs/tour.md: 2501 words, at most 2500' \
            'README.md: 111 lines, at most 110' 'no file is named no/such_file.c' \
            'no source has the name no_such''_name_at_all' \
            'static evict has the name of one in' '"has_rested" is a word for a place'; do
    if cat build/style-bad.txt build/style-bad-names.txt | grep -qF "$sign"; then
        passed=$((passed + 1))
    else
        echo "a page with a breach is not refused by: $sign"; failed=$((failed + 1)) status=1
    fi
done
if grep -qF 'docs/memory.md: 2500 words' build/style-bad.txt; then
    echo 'a page of 2500 words is refused'; failed=$((failed + 1)) status=1
else
    passed=$((passed + 1))
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $status
