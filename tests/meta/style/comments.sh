#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# comments.sh FILE...: the headers and heads pass comments.py, no file of the tree has the word that docs/style.md
# replaces by "again", and a header and a head with one breach of each rule are refused by each.
python3 -B tests/meta/style/comments.py "$@" >build/style-comments.txt
status=$?
grep -v ' passed, ' build/style-comments.txt
counts=$(tail -n 1 build/style-comments.txt)
passed=${counts%% passed*} failed=${counts##*, } failed=${failed%% *}

check() { # what is checked, then a command that succeeds if it holds
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else echo "$what"; failed=$((failed + 1)) status=1; fi
}
files() { git ls-files 2>/dev/null || find . -type f | sed 's,^\./,,' | grep -vE '^(build|out|\.git)/'; }
not_anew() { # what names or quotes the word: the rules, and a statistic of the interface
    ! files | grep -vE '^(tests/meta/style/|docs/style.md$|tests/fuzz/corpus/)' | xargs -d '\n' grep -nwIis anew
}
check 'the lines above say "anew": write "again"' not_anew

bad=build/style-bad
{
    printf '/* The first one is short. */\n/* '; printf 'word %.0s' $(seq 91); printf 'end. */\n'
    printf '/* It is done anew. */\n'
} >$bad.h
{ for line in $(seq 15); do echo "// This is line $line."; done; echo 'module bad; endmodule'; } >$bad.v
python3 -B tests/meta/style/comments.py $bad.h $bad.v >$bad-comments.txt
for sign in '92 words: ' 'on average, at most' '"anew": write again' 'a head of 15 lines'; do
    check "a comment with a breach is not refused by: $sign" grep -qF "$sign" $bad-comments.txt
done
printf '%d passed, %d failed\n' "$passed" "$failed"
exit $status
