#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: what a program draws with SDL 3 is recorded and played exactly, and the program draws the same without the
# recorder. Method: record tests/host/play/three.c, which draws by random arguments and says of each frame the CRC-32 of
# what it shows; the frames that are played must have the same. Where there is no SDL 3, a line says so, and the
# recorder's entry for it is looked at alone.
#
# three.sh PROGRAM RECORDER FOLDER: the player, build/tessera-record, where three is.
tessera=$1 record=$2 folder=$3
out=$folder/three-out frames=30
export SDL_VIDEO_DRIVER=dummy SDL_AUDIO_DRIVER=dummy
passed=0 failed=0
rm -rf "$out" && mkdir -p "$out"
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
crcs() { sed -n 's/.*"number": \([0-9]*\),.*"crc32": "\([0-9a-f]*\)".*/\1 \2/p' "$1/run.json"; }

# draw KIND SEED BLITS: at least so many blits and fills are recorded.
draw() {
    name=$1-$2
    "$folder/three" "$1" $frames "$2" >"$out/$name.alone"
    timeout -k 5 120 "$record" -o "$out/$name.tsdl" "$folder/three" "$1" $frames "$2" >"$out/$name.own" 2>"$out/err" &&
        good || { bad "$name: recording"; cat "$out/err"; }
    grep -v '^[0-9]* [0-9a-f]*$' "$out/$name.own" >>"$out/err"
    sed -i -n '/^[0-9]* [0-9a-f]*$/p' "$out/$name.own"
    cmp -s "$out/$name.alone" "$out/$name.own" && good || bad "$name: the recorder has changed the frames"
    "$tessera" play "$out/$name.tsdl" --model --no-pictures --out "$out/$name" >"$out/log" 2>&1 && good ||
        { bad "$name: playing"; cat "$out/log"; }
    crcs "$out/$name" | cmp -s - "$out/$name.own" && good || bad "$name: the frames are not the program's"
    drawn=$(sed -n 's/.* surfaces, \([0-9]*\) blits, \([0-9]*\) fills.*/\1 + \2/p' "$out/err" | head -n 1)
    [ $((${drawn:-0})) -ge "$3" ] && good || bad "$name: ${drawn:-nothing} recorded, not $3"
}

grep -q SDL_DYNAPI_entry "${record%-record}-record" "$(dirname "$record")/libtessera-record.so" && good ||
    bad "the recorder has no entry for SDL 3"
if [ -x "$folder/three" ]; then
    for seed in 1 2 3; do
        draw surfaces $seed 100
        draw stretches $seed 80
        draw fills $seed 800
        draw lines $seed 800
        draw copies $seed 200
        draw scaled $seed 150
        draw turned $seed 60
        draw geometry $seed 0
        draw states $seed 40
        draw all $seed 200
    done
else
    echo "SDL 3 is not installed here: its programs are not tried"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
