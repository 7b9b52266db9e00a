#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: what a program draws with SDL 3, or with SDL 2 on sdl2-compat, is recorded and played exactly; a GPU draws it
# while it runs (tessera-live); and the program draws the same without the recorder. Method: record three.c and
# rendered.c of tests/host/play, which draw by random arguments and say of each frame the CRC-32 of what it shows; the
# frames that are played must have the same. Then programs that show pictures by OpenGL or a GPU device, and a library
# of the user's own (three_user.c) in SDL3_DYNAMIC_API. Where there is no SDL 3, a line says so.
#
# three.sh PROGRAM RECORDER FOLDER LIVE [COMPAT]: the player, build/tessera-record, where three and rendered are,
# build/tessera-live, the folder of sdl2-compat's library.
tessera=$1 record=$2 folder=$3 live=$4 compat=${5:-}
out=$folder/three-out frames=30
export SDL_VIDEO_DRIVER=dummy SDL_AUDIO_DRIVER=dummy SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
passed=0 failed=0 skipped=0
rm -rf "$out" && mkdir -p "$out"
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
crcs() { sed -n 's/.*"number": \([0-9]*\),.*"crc32": "\([0-9a-f]*\)".*/\1 \2/p' "$1/run.json"; }

# draw KIND SEED BLITS: at least so many blits and fills are recorded. draw_by PROGRAM ...: by another program.
draw() { draw_by three "$@"; }
draw_by() {
    program=$folder/$1 kind=$2 seed=$3 least=$4 name=$1-$2-$3
    "$program" "$kind" $frames "$seed" >"$out/$name.alone"
    timeout -k 5 120 "$record" -o "$out/$name.tsdl" "$program" "$kind" $frames "$seed" >"$out/$name.own" 2>"$out/err" &&
        good || { bad "$name: recording"; cat "$out/err"; }
    cmp -s "$out/$name.alone" "$out/$name.own" && good || bad "$name: the recorder has changed the frames"
    "$tessera" play "$out/$name.tsdl" --model --no-pictures --out "$out/$name" >"$out/log" 2>&1 && good ||
        { bad "$name: playing"; cat "$out/log"; }
    crcs "$out/$name" | cmp -s - "$out/$name.own" && good || bad "$name: the frames are not the program's"
    drawn=$(sed -n 's/.* surfaces, \([0-9]*\) blits, \([0-9]*\) fills.*/\1 + \2/p' "$out/err" | head -n 1)
    [ $((${drawn:-0})) -ge "$least" ] && good || bad "$name: ${drawn:-nothing} recorded, not $least"
}

# live PROGRAM KIND SHARE [SEED]: all frames are SDL's in every pixel, and the GPU draws so many percent of them.
live() {
    name=live-$1-$2 seed=${4:-1}
    "$folder/$1" "$2" $frames "$seed" >"$out/$name.alone"
    timeout -k 5 120 "$live" --check "$folder/$1" "$2" $frames "$seed" >"$out/$name.own" 2>"$out/err" && good ||
        { bad "$name: not SDL's in every pixel"; cat "$out/err"; }
    cmp -s "$out/$name.alone" "$out/$name.own" && good || bad "$name: the program shows something else"
    grep -q ": $frames frames, $frames of them equal to SDL's in every pixel" "$out/err" && good ||
        bad "$name: not all frames"
    share=$(sed -n 's/.*The GPU drew \([0-9]*\)\.[0-9]* % of the pixels.*/\1/p' "$out/err")
    [ "${share:-0}" -ge "$3" ] && good || bad "$name: the GPU drew ${share:-nothing} %, not $3"
}

# undisturbed KIND WORDS: the program says the same as without the recorder, and the recorder says these words of it.
undisturbed() {
    "$folder/three" "$1" >"$out/$1.alone" 2>/dev/null
    timeout -k 5 60 "$record" -o "$out/$1.tsdl" "$folder/three" "$1" >"$out/$1.own" 2>"$out/err"
    [ $? -eq 2 ] && good || bad "$1: exit status, not 2"
    cmp -s "$out/$1.alone" "$out/$1.own" && good || bad "$1: it says something else"
    grep -q "nothing was recorded: $2" "$out/err" && good || { bad "$1: no word of it"; cat "$out/err"; }
}

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
        draw all $seed 100
    done
    live three surfaces 80
    live three fills 80
    live three copies 50
    live three all 5
    live three states 98 3

    undisturbed gpu 'it has initialised SDL, and has opened no screen'
    undisturbed opengl 'it shows its pictures with OpenGL'
    # A library of the user's makes the table, and the recorder is in front of it.
    export SDL3_DYNAMIC_API="$out/missing.so,$folder/three_user.so"
    undisturbed gpu "it shows its pictures with Vulkan or SDL 3's GPU functions"
    grep -q 'good' "$out/gpu.own" && grep -q "the user's library has made the table" "$out/err" && good ||
        bad "the user's library was not taken"
    draw fills 4 800
    # None that can be loaded: a line says so, and SDL's own is used.
    export SDL3_DYNAMIC_API="$out/missing.so"
    draw fills 5 800
    grep -q 'SDL3_DYNAMIC_API: .*missing.so: none of it is a library that SDL 3 can use' "$out/err" && good ||
        { bad 'no word of a library that cannot be loaded'; cat "$out/err"; }
    unset SDL3_DYNAMIC_API
else
    echo "SDL 3 is not installed here: its programs are not tried"
    skipped=1
fi
if [ -x "$folder/three" ] && [ -n "$compat" ]; then
    export LD_LIBRARY_PATH="$compat"
    for seed in 1 2; do
        draw_by rendered fills $seed 800
        draw_by rendered lines $seed 800
        draw_by rendered copies $seed 300
        draw_by rendered scaled $seed 300
        draw_by rendered geometry $seed 0
        draw_by rendered states $seed 100
        draw_by rendered turns $seed 60
        draw_by rendered all $seed 300
        draw_by rendered filtered $seed 150
    done
    live rendered fills 80
    live rendered copies 50
    live rendered all 20
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
