#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# style.sh PAGE...: the pages pass style.py, and a page with one breach of each rule is refused by each.
python3 -B tests/meta/style/style.py "$@" >build/style.txt
status=$?
grep -v ' passed, ' build/style.txt
counts=$(tail -n 1 build/style.txt)
passed=${counts%% passed*} failed=${counts##*, } failed=${failed%% *}

bad=build/style-bad.md
{
    printf 'This sentence is short.\n\n'
    printf 'word %.0s' $(seq 91); printf 'end.\n\n'
    printf 'It is done anew, which is a phrase.\n\nIt takes 123,456 cycles.\n\n'
    printf 'See [a place](#none) and `test-nothing-at-all`.\n\n'
    printf 'This line '; printf 'x%.0s' $(seq 115); printf ' is too wide.\n'
} >$bad
python3 -B tests/meta/style/style.py $bad >build/style-bad.txt
for sign in '92 words: ' 'on average, at most' 'columns, at most 120' '"anew": write again' 'is a figure of one day' \
            'has no heading #none' 'no makefile has test-nothing-at-all'; do
    if grep -qF "$sign" build/style-bad.txt; then
        passed=$((passed + 1))
    else
        echo "a page with a breach is not refused by: $sign"; failed=$((failed + 1)) status=1
    fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $status
