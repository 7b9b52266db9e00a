#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: `tessera compare` says of real runs what differs, ends with 0, 1 or 2 as it should, and its page works by mouse
# and key at any width. Method: runs of the golden model, the same twice, with another policy, another memory, a
# spoilt picture, of another scene; files that are none; then compare.html#check in a browser at 1280 and 412 pixels.
#   compare.sh PROGRAM FOLDER
# Without a browser (Debian: chromium-headless-shell or chromium) the pages are not opened; that counts as skipped.
program=$1 work=$2
passed=0 failed=0 skipped=0
good() { passed=$((passed + 1)); echo "ok    $1"; }
bad() { failed=$((failed + 1)); echo "FAIL  $1"; }
rm -rf "$work" && mkdir -p "$work"

# a_run NAME OPTIONS...
a_run() {
    name=$1; shift
    $program run --model --frames 3 --copy-only --no-compare "$@" --out "$work/$name" >"$work/$name.log" 2>&1 ||
        bad "run $name"
}
a_run first
a_run again
a_run literal --policy literal
a_run large --local large
a_run shorter --frames 2
a_run seed --seed 2
a_run spoilt
cp "$work/seed/frame-01.png" "$work/spoilt/frame-01.png"
a_run bare
rm "$work/bare/trace.json"

# compared STATUS NAME TEXT A B OPTIONS...: the exit status, and a text that is said
compared() {
    wanted=$1 name=$2 text=$3; shift 3
    $program compare "$@" >"$work/said" 2>"$work/wrong"
    status=$?
    if [ $status -eq "$wanted" ] && grep -q -e "$text" "$work/said" "$work/wrong"; then good "$name"
    else bad "$name: $status, not $wanted, or without '$text'"; cat "$work/said" "$work/wrong"; fi
    if [ "$wanted" -eq 2 ] && [ "$(wc -l <"$work/wrong")" -ne 1 ]; then bad "$name: one line says what to do"; fi
}
page() { echo "$work/$1.html"; }
compared 0 'the same twice'     'are equal: 3 frames'  "$work/first/run.json" "$work/again" --page "$(page same)"
compared 1 'another policy'     'Why: the policies differ'      "$work/first" "$work/literal" --page "$(page policy)"
compared 1 'another memory'     'Why: local memory differs'     "$work/first" "$work/large" --page "$(page large)"
compared 1 'a spoilt picture'   'frame    1  different'         "$work/first" "$work/spoilt" --page "$(page spoilt)"
compared 1 'fewer frames'       'only A has them'               "$work/first" "$work/shorter" --page "$(page shorter)"
compared 1 'another seed'       'draw different work'          "$work/first" "$work/seed" --page "$(page seed)"
compared 0 'not a time line'       'Decisions: .*/bare/trace.json' "$work/first" "$work/bare" --no-page
compared 1 'all figures'        'statistics.PAGES_IN'           "$work/first" "$work/literal" --no-page --all
printf '{"pages": 4}\n' >"$work/foreign.json"
head -c 700 "$work/first/run.json" >"$work/damaged.json"
compared 2 'damaged JSON'       'is damaged at line .*Write it again' "$work/first" "$work/damaged.json" --no-page
compared 2 'a foreign file'     'was not written by .tessera run' "$work/foreign.json" "$work/first" --no-page
compared 2 'no JSON at all'     'is damaged at line 1'              "$work/first" "$work/first/frame-00.png" --no-page
compared 2 'no such file'       'cannot read .*Name a run.json'   "$work/first" "$work/none/run.json" --no-page
compared 2 'one run only'       'name two run.json files'                 "$work/first"
compared 2 'no place for it'    'another file with --page'          "$work/first" "$work/again" --page "$work/no/p.html"
compared 2 'an unknown option'  "unknown option '--nothing'"                    "$work/first" "$work/again" --nothing
compared 0 'its help'           '--no-page'                         --help

# What the bench says of a figure that moved.
mkdir -p "$work/before" "$work/after"
for name in copied literal; do cp -r "$work/first" "$work/before/scene.$name"; done
cp -r "$work/again" "$work/after/scene.copied"
cp -r "$work/literal" "$work/after/scene.literal"
if bench/moved.sh $program "$work/before" "$work/after" copied >"$work/said" && grep -q 'runs are equal' "$work/said"
then good 'the bench: nothing moved'; else bad 'the bench: nothing moved'; cat "$work/said"; fi
bench/moved.sh $program "$work/before" "$work/after" copied literal >"$work/said"
if [ $? -eq 1 ] && grep -q 'portions .* -' "$work/said" && [ -s "$work/after/scene.literal.html" ]
then good 'the bench: what moved'; else bad 'the bench: what moved'; cat "$work/said"; fi
bench/moved.sh $program "$work/before" "$work/after" default >"$work/said"
if [ $? -eq 2 ] && grep -q 'cannot read' "$work/said"
then good 'the bench: no runs'; else bad 'the bench: no runs'; cat "$work/said"; fi

. tests/host/report/open.sh
judged() {
    open "$(page "$1")#check" --window-size="$2" --dump-dom | sed -n '/<pre id="check"/,/<\/pre>/p' |
        sed 's/<[^>]*>//g' >"$work/check.txt"
    cat "$work/check.txt"
    passed=$((passed + $(grep -c '^ok ' "$work/check.txt"))) failed=$((failed + $(grep -c '^FAIL' "$work/check.txt")))
    if grep -q ' passed, 0 failed' "$work/check.txt"; then good "page $1 at $2 has judged itself"
    else bad "page $1 at $2 did not finish its own test"; cat "$work/browser.log"; fi
}
for name in same policy large spoilt shorter seed; do
    alone "page $name" "$(page $name)" both
    [ -z "$browser" ] || judged $name 1280,2400
done
if [ -n "$browser" ]; then
    judged spoilt 412,2400
    judged policy 412,2400
    # A page whose data lie must not pass.
    sed -E 's/^("frames":.*)\[1,1,320,240,[0-9]+,/\1[1,1,320,240,3,/' "$(page spoilt)" >"$(page lie)"
    if open "$(page lie)#check" --dump-dom | grep -q '^FAIL  the browser sees'
    then good 'a page that lies fails its own test'; else bad 'a page that lies passes its own test'; fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
