#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: a frame of the report can be stepped through, and what it says of a pixel is what the golden model did. Method:
# the page's own test, at two widths; what it answers about pixels beside what make_steps.c has seen in
# the device's memory; the same run on the simulated hardware, whose picture is what the copy's draws leave; a spoilt
# texture is found; 300 frames of a recording stay below 25 MB; wrong ranges are refused in a line.
#   steps.sh PROGRAM FOLDER MAKE_STEPS RUNS (tests/host/report/runs.mk)
# Without a browser the pages are not opened; the rest counts as skipped.
program=$1 work=$2 chip=$4/chip/report.html long=$4/play/report.html recording=$4/play/blends.tsdl
passed=0 failed=0 skipped=0
good() { passed=$((passed + 1)); echo "ok    $1"; }
bad() { failed=$((failed + 1)); echo "FAIL  $1"; }
. tests/host/report/open.sh

# made NAME STATUS COMMAND...: the page of a run, which ends so
made() {
    name=$1 expected=$2; shift 2
    mkdir -p "$work/$name"
    "$@" "$work/$name" >"$work/$name/log" 2>&1
    status=$?
    rm -f "$work/$name/trace.json"
    if [ $status -eq "$expected" ]; then good "made: $name"; else bad "$name: $status"; tail -n 3 "$work/$name/log"; fi
}
rm -rf "$work" && mkdir -p "$work"
made random 0 "$3" 16
made random32 0 "$3" 32
made spoilt 1 "$program" run --frames 2 --model --spoil --no-compare --out

# said PAGE#FRAGMENT OPTIONS...: the lines at the end of the page
said() {
    open "$@" --dump-dom | sed -n '/<pre id="check"/,/<\/pre>/p' | sed 's/<[^>]*>//g; s/&gt;/>/g; s/&lt;/</g'
}
# frames PAGE: of each, number, draws, begin, surface, what was changed otherwise, what is wrong
frames() { sed -n '/^"textures":/,$ s/^["a-z:[]*\[\([0-9]*,[0-9]*,[0-9]*,-*[0-9]*,[0-9]*,[0-9]*\),".*/\1/p' "$1"; }

# Wrong ranges, of each command.
refused() { # LINE WORDS...: the arguments are refused with status 2 and this one line
    expected=$1; shift
    got=$("$program" "$@" 2>&1 >/dev/null); status=$?
    if [ $status -eq 2 ] && [ "$got" = "$expected" ]; then good "refused: $*"; else bad "'$*': $status, $got"; fi
}
shape='not a range. Write A..B, for instance 0..99.'
for range in 20..10 x 3.. ..3 -1..2 1..2x 1...2 ''; do
    refused "tessera run: --report-frames $range: $shape" run --model --report-frames "$range"
    refused "tessera play: --report-frames $range: $shape" play "$recording" --model --report-frames "$range"
done
refused 'tessera run: --report-frames 6..8: only frames 0 to 7 are drawn. Name some of these.' \
    run --model --report-frames 6..8
refused 'tessera play: --report-frames 0..5: only frames 3 to 9 are drawn. Name some of these.' \
    play "$recording" --model --frames 3..9 --report-frames 0..5

# What is kept follows the range.
"$program" run --model --no-compare --frames 6 --report-frames 2..4 --out "$work/range" >/dev/null 2>&1
if [ "$(frames "$work/range/report.html" | cut -d, -f1 | tr '\n' ' ')" = '2 3 4 ' ]; then good 'frames 2 to 4'
else bad "$(frames "$work/range/report.html")"; fi

# The hardware's picture is what the draws leave on the golden model's copy of the machine.
if frames "$chip" |
    awk -F, '$2 < 400 || $4 < 0 || $5 != 0 || $6 != 0 { wrong = 1 } END { exit wrong || NR != 3 }'
then good 'the picture of the hardware'; else bad "$(frames "$chip")"; fi

# 300 frames of a recording.
size=$(wc -c <"$long")
if [ "$size" -le 25000000 ]; then good "300 frames in $size bytes"; else bad "300 frames in $size bytes"; fi
if [ "$(frames "$long" | wc -l)" -eq 300 ]; then good 'all of them'; else bad 'not all of them'; fi

if [ -n "$browser" ]; then
    for made in random random32; do
        history=$work/$made/history
        said "$work/$made/report.html#history=$(cat "$work/$made/points")" >"$work/answers"
        if [ "$(wc -c <"$history")" -gt 1000 ] && cmp -s "$work/answers" "$history"
        then good "$made: which draws wrote a pixel, and its colours"; else bad "$made: which draws wrote a pixel"
            diff "$work/answers" "$history" | head -n 8; fi
    done
    # test-report has the others, with the time that 300 frames take.
    for page in random,1280 spoilt,412; do
        said "$work/${page%,*}/report.html#check" --window-size="${page#*,},1600" >"$work/check.txt"
        count=$(grep -c '^ok ' "$work/check.txt")
        if [ "$count" -gt 55 ] && ! grep '^FAIL' "$work/check.txt"; then good "$page: its own test"
        else bad "$page: $count passed"; tail -n 3 "$work/check.txt"; fi
    done
    if grep -q '^ok .*the draw that wrote it last is chosen' "$work/check.txt"
    then good 'a spoilt texture is found'; else bad 'a spoilt texture is not found'; fi
    # Nor may one whose maps count in half units, nor one that takes the map's columns for rows.
    sed '/stepX) + Math.imul/s/65536/32768/' "$work/random/report.html" >"$work/lying.html"
    if said "$work/lying.html#check" | grep -q "^FAIL  what a copy left is its texture's"
    then good 'a page with lying maps fails its own test'; else bad 'a page with lying maps passes its own test'; fi
    sed 's/\["U_X",9,/["U_X",11,/' "$work/random/report.html" >"$work/lying.html"
    said "$work/lying.html#history=$(cat "$work/random/points")" >"$work/answers"
    if ! cmp -s "$work/answers" "$work/random/history"; then good 'and with other columns says other colours'
    else bad 'other columns are not noticed'; fi
    # A page that reads textures one pixel off must not pass: the picture is no longer what the draws leave.
    sed 's/\["SOURCE_X",2,0,16\]/["SOURCE_X",2,1,15]/' "$chip" >"$work/lying.html"
    if said "$work/lying.html#check" | grep -q '^FAIL  after its last draw a frame is the picture'
    then good 'a lying page fails its own test'; else bad 'a lying page passes its own test'; fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
