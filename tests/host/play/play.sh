#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: what a surface program draws, the GPU draws, as SDL's own blitter judges. Method: record
# tests/host/play/sprites.c under SDL 1.2 (8, 16, 32 bits per pixel) and SDL 2, play every recording with --check on
# the golden model and some frames on the simulated hardware; then everything that must be refused, and a check that
# must fail.
#
# play.sh PROGRAM RECORDER FOLDER: build/tessera, build/tessera-record, where sprites1, sprites2, load and blends are.
tessera=$1 record=$2 folder=$3
out=$folder/out
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
here=$(dirname "$0")
passed=0 failed=0 skipped=0
rm -rf "$out" && mkdir -p "$out"

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
# is NAME COMMAND...: the command succeeds.
is() { label=$1; shift; if "$@" >"$out/log" 2>&1; then good; else bad "$label"; cat "$out/log"; fi; }
# value FILE NAME: a number or word of run.json.
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^,\"}]*\).*/\1/p" "$1/run.json" | head -n 1; }
# has FOLDER NAME TEST NUMBER
has() {
    v=$(value "$1" "$2")
    if [ -n "$v" ] && [ "$v" "$3" "$4" ]; then good; else bad "$1: $2 is '$v', not $3 $4"; fi
}
# refused STATUS TEXT COMMAND...: that exit status, and one line on stderr that holds the text.
refused() {
    status=$1 text=$2; shift 2
    "$@" >/dev/null 2>"$out/err"
    got=$?
    lines=$(wc -l <"$out/err")
    if [ "$got" -eq "$status" ] && [ "$lines" -eq 1 ] && grep -q -- "$text" "$out/err"; then good; else
        bad "exit $got, $lines lines, wanted exit $status and one line with '$text': $*"; cat "$out/err"
    fi
}
crcs() { sed -n 's/.*"number": \([0-9]*\),.*"crc32": "\([0-9a-f]*\)".*/\1 \2/p' "$1/run.json"; }

# ---- recording and playing, on the model, all frames
for kind in "1 8" "1 16" "1 32" "2 32"; do
    set -- $kind
    name=$out/sprites$1-$2
    is "record $kind" "$record" -o "$name.tsdl" "$folder/sprites$1" "$2"
    is "play $kind" "$tessera" play "$name.tsdl" --model --check --out "$name"
    has "$name" frames -eq 24
    has "$name" matches = true
    has "$name" largest_difference -eq 0
    has "$name" faults -eq 0
    is "$name: all finished pixels have a reason" "$here/accounted" "$name"
    for operation in copy key blend keyed_blend fill; do has "$name" $operation -ge 20; done
    has "$name" update -ge 8
    has "$name" blended_pixels -gt 100000
    [ "$(ls "$name" | grep -c '^frame-.*png$')" -eq 24 ] && good || bad "$name: pictures"
    [ "$(crcs "$name" | awk '{print $2}' | sort -u | wc -l)" -eq 24 ] && good || bad "$name: frames that look alike"
    is "$name: trace.json" test -s "$name/trace.json"
    is "$name: report.html" grep -q '24 of 24 frames equal what SDL' "$name/report.html"
done

# ---- the policy: as in every command; whatever it is, the frames are the same
has "$out/sprites2-32" force -eq 65536
is "literal policy" "$tessera" play "$out/sprites2-32.tsdl" --model --check --policy literal --no-pictures \
    --out "$out/literal"
has "$out/literal" force -eq 0
has "$out/literal" matches = true

# ---- the same frames whatever the memory: pages split surfaces otherwise, and evict more
name=$out/sprites2-32
is "small memory" "$tessera" play "$name.tsdl" --model --copy-only --segment1 8 --segment2 24 --seed 5 \
    --no-pictures --out "$out/tiny"
has "$out/tiny" evictions -gt 100
crcs "$name" >"$out/crc" && crcs "$out/tiny" | cmp -s - "$out/crc" && good || bad "frames depend on local memory"

# ---- small writes by the host between blits cost what they move, on the model and on the simulated hardware
for mode in blits writes; do
    is "load $mode" "$record" -o "$out/load-$mode.tsdl" "$folder/load" $mode 200
    is "load $mode, model" "$tessera" play "$out/load-$mode.tsdl" --model --check --no-pictures --out "$out/load-$mode"
    has "$out/load-$mode" matches = true
    has "$out/load-$mode" evictions -eq 0
    is "load $mode, hardware" "$tessera" play "$out/load-$mode.tsdl" --check --no-pictures --frames 1..1 \
        --out "$out/chip-$mode"
    has "$out/chip-$mode" matches = true
done
has "$out/load-writes" PAGES_IN -le "$(value "$out/load-blits" PAGES_IN)"
has "$out/chip-writes" cycles -le $(($(value "$out/chip-blits" cycles) * 5 / 4))

# ---- on the simulated hardware: the same frames as on the model; those before are drawn by the model
is "hardware" "$tessera" play "$name.tsdl" --check --frames 11..13 --segment1 16 --segment2 48 \
    --no-pictures --out "$out/chip"
has "$out/chip" matches = true
is "the firmware by function" grep -q "_start;main;" "$out/chip/profile.folded"
is "frames count from the first one played" grep -q '"first":11,' "$out/chip/report.html"
has "$out/chip" frames_drawn_by_model_before -eq 11
has "$out/chip" evictions -gt 0
sed -n 12,14p "$out/crc" >"$out/crc3"
crcs "$out/chip" | cmp -s - "$out/crc3" && good || bad "hardware and model differ"

# ---- frames in flight: the next one is begun while one is drawn, or not, and shows the same
has "$out/chip" in_flight -eq 2
has "$out/chip" frames_overlapped -ge 1
is "one frame at a time" "$tessera" play "$name.tsdl" --check --frames 11..13 --segment1 16 --segment2 48 \
    --in-flight 1 --no-pictures --out "$out/single"
has "$out/single" frames_overlapped -eq 0
has "$out/single" matches = true
crcs "$out/single" | cmp -s - "$out/crc3" && good || bad "a frame at a time is another"
is "four frames" "$tessera" play "$name.tsdl" --model --check --in-flight 4 --no-pictures --out "$out/four"
has "$out/four" matches = true
crcs "$out/four" | cmp -s - "$out/crc" && good || bad "four frames in flight are others"

# ---- every alpha, level and level; then six layers on one another of every format, mode and modulation: as SDL's
is "blends" "$folder/blends" "$out/blends.tsdl"
is "play blends" "$tessera" play "$out/blends.tsdl" --model --check --no-pictures --out "$out/blends"
has "$out/blends" matches = true
has "$out/blends" frames -eq 966
has "$out/blends" frames_equal -eq 966
has "$out/blends" largest_difference -eq 0
has "$out/blends" deepest_blend -ge 5
for operation in copy key blend keyed_blend add keyed_add mod keyed_mod modulated; do
    has "$out/blends" $operation -ge 50
done

# ---- a window, of SDL's dummy driver
is "window" "$tessera" play "$name.tsdl" --model --window --frames 0..4 --no-pictures --out "$out/window"
has "$out/window" frames_in_window -eq 5

is "why, in words" "$tessera" play "$name.tsdl" --model --frames 0..4 --why --no-pictures --out "$out/why"
grep -q "allocations at the end .*the host.s order" "$out/log" && good || bad "no reasons in the table"
grep -q "\"places\": {.*\"allocations\": " "$out/why/run.json" && good || bad "no reasons"

is "window of a scene" "$tessera" run --model --no-compare --frames 2 --window --out "$out/scene"
grep -q "2 frames shown in the window" "$out/log" && good || bad "a scene shows no frames in its window"

# The display's own frames, one after each vertical blank.
is "window of a display" "$tessera" run --model --no-compare --frames 2 --flips --window --out "$out/scene"
shown=$(sed -n 's/^ *\([0-9]*\) frames shown in the window$/\1/p' "$out/log")
blanks=$(sed -n 's/.*"BLANKS": \([0-9]*\),.*/\1/p' "$out/scene/run.json")
[ "${shown:-0}" -ge 2 ] && [ "$shown" -le "$blanks" ] && good ||
    bad "the window shows $shown frames, the display $blanks"

# ---- progress: a bar on a terminal, nothing elsewhere where it is short
"$tessera" play "$name.tsdl" --model --frames 0..3 --no-pictures --out "$out/quiet" 2>"$out/err" >"$out/log"
[ ! -s "$out/err" ] && good || { bad "short work speaks on stderr"; cat "$out/err"; }
if script -qec true /dev/null </dev/null >"$out/log" 2>&1; then
    script -qec "'$tessera' play '$name.tsdl' --model --frames 0..3 --no-pictures --out '$out/quiet'" /dev/null \
        >"$out/log" </dev/null
    grep -q '\[########################################\] frame 4 of 4' "$out/log" && good || bad "no bar on a terminal"
else # a root without /dev/pts, or without script
    skipped=1; echo "SKIPPED: no bar on a terminal, as there is none to have: $(tr -d '\r' <"$out/log")"
fi

# ---- SDL 2's formats, all onto all, in every mode, with an alpha, a key and bits of a key that mean nothing
is "record pairs" "$record" -o "$out/pairs.tsdl" "$folder/../live/pairs2"
is "play pairs" "$tessera" play "$out/pairs.tsdl" --model --check --no-pictures --out "$out/pairs"
has "$out/pairs" frames -eq 832
has "$out/pairs" frames_equal -eq 832

# ---- the check can fail, and recorder and player say what is wrong
if "$tessera" play "$name.tsdl" --model --check --spoil --frames 0..1 --no-pictures --out "$out/spoilt" >/dev/null 2>&1
then bad "a spoilt pixel was not seen"; else good; fi
has "$out/spoilt" frames_bad -ge 1
head -c 20000 "$name.tsdl" >"$out/cut.tsdl"
refused 2 "is cut off" "$tessera" play "$out/cut.tsdl" --model --out "$out/refused"
refused 2 "is not a recording" "$tessera" play "$0" --model --out "$out/refused"
refused 2 "No such file" "$tessera" play "$out/nothing.tsdl" --model --out "$out/refused"
refused 2 "has frames 0 to 23" "$tessera" play "$name.tsdl" --frames 3..24 --model --out "$out/refused"
refused 2 "in-flight" "$tessera" play "$name.tsdl" --in-flight 5 --model --out "$out/refused"
refused 2 "Write A..B" "$tessera" play "$name.tsdl" --frames 4..3 --model --out "$out/refused"
refused 2 "name one recording" "$tessera" play --model --out "$out/refused"
refused 2 "showed no SDL surface" "$record" -o "$out/none.tsdl" true
refused 2 "there is no program" "$record" -o "$out/none.tsdl" /no/such/program
refused 2 "write FRAME:KEY" "$record" -e 12:shift -o "$out/none.tsdl" "$folder/sprites2"
[ ! -e "$out/refused" ] && good || bad "a refused recording left files"

# ---- a name that is not UTF-8 is valid JSON: of the text, of the timeline, and of the page
strange=$out/$(printf 'a\351<"b\303\251\342\202.tsdl')
cp "$name.tsdl" "$strange"
is "play a strange name" "$tessera" play "$strange" --model --frames 0..1 --no-pictures --out "$out/strange"
is "strange name: valid JSON" python3 -c "
import json, sys
text = [open(name, 'rb').read().decode('utf-8') for name in sys.argv[1:]]
assert json.loads(text[0])['recording'].endswith('a\ufffd<\"b\u00e9\ufffd\ufffd.tsdl'), text[0][:200]
json.loads(text[1])" "$out/strange/run.json" "$out/strange/trace.json" "$out/strange/report.html"

# ---- the first frames of a longer program
is "six frames" "$record" -n 6 -o "$out/six.tsdl" "$folder/sprites1" 16
is "play six" "$tessera" play "$out/six.tsdl" --model --check --no-pictures --out "$out/six"
has "$out/six" frames -eq 6

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
