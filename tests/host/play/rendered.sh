#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: what a program draws with SDL 2's renderer is recorded and played exactly. Method: record
# tests/host/play/rendered.c, which draws by every call with random arguments, and stretches.c, which scales surfaces;
# they say of each frame the CRC-32 of what it shows, and the frames that are played must have the same, and equal SDL's
# (--check). Then the share that the GPU has drawn, what is left to pixels and why, and two frames on the simulated
# hardware.
#
# rendered.sh PROGRAM RECORDER FOLDER: build/tessera, build/tessera-record, where rendered is.
tessera=$1 record=$2 folder=$3
out=$folder/rendered-out frames=30
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
here=$(dirname "$0")
passed=0 failed=0
rm -rf "$out" && mkdir -p "$out"
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^,\"}]*\).*/\1/p" "$1/run.json" | head -n 1; }
crcs() { sed -n 's/.*"number": \([0-9]*\),.*"crc32": "\([0-9a-f]*\)".*/\1 \2/p' "$1/run.json"; }
# left NAME WORDS: how many operations the recorder has left to pixels for this reason
left() { sed -n "s/.*{\"blits\": \([0-9]*\), \"reason\": \"$2.*/\1/p" "$out/$1/run.json" | head -n 1; }

# draw KIND SEED SHARE: at least so many percent of the pixels shown are the GPU's.
draw() { draw_by "$1-$2" "$3" rendered "$1" $frames "$2"; }
# draw_by NAME SHARE PROGRAM ARGUMENTS...
draw_by() {
    name=$1 share=$2 program=$3; shift 3
    timeout -k 5 120 "$record" -o "$out/$name.tsdl" "$folder/$program" "$@" >"$out/$name.own" \
        2>"$out/err" && good || { bad "$name: recording"; cat "$out/err"; }
    "$tessera" play "$out/$name.tsdl" --model --check --tolerance 0 --no-pictures --out "$out/$name" >"$out/log" 2>&1 \
        && good || { bad "$name: playing"; cat "$out/log"; }
    [ "$(value "$out/$name" frames_equal)" -eq $frames ] && good || bad "$name: not all frames are SDL's"
    crcs "$out/$name" | cmp -s - "$out/$name.own" && good || bad "$name: the frames are not the program's"
    [ "$(sort -k 2 -u "$out/$name.own" | wc -l)" -ge $((frames / 2)) ] && good || bad "$name: frames that look alike"
    shown=$(sed -n 's/.*The GPU drew \([0-9]*\)\.[0-9]* % of the pixels shown.*/\1/p' "$out/log")
    "$here/accounted" "$out/$name" && good || bad "$name: finished pixels without a reason"
    echo "$name: the GPU drew $shown %, and $(sed -n 's/.*"left_to_pixels": {"blits": \([0-9]*\).*/\1/p' \
        "$out/$name/run.json") calls were left to pixels"
    [ "${shown:-0}" -ge "$share" ] && good || bad "$name: the GPU drew $shown %, not $share"
}

for seed in 1 2; do
    draw fills $seed 80
    draw lines $seed 15
    draw copies $seed 50
    draw scaled $seed 50
    draw geometry $seed 25
    draw states $seed 30
    draw turns $seed 40
    draw all $seed 30
    draw filtered $seed 30
    # Where SDL puts what it draws is known: nothing but what has a reason of its own is left.
    for kind in fills lines copies scaled geometry states turns all filtered; do
        [ -z "$(left $kind-$seed 'drawn differently')" ] && good || bad "$kind-$seed: drawn differently than expected"
    done
    [ "$(left copies-$seed 'a copy turned')" -gt 40 ] && good || bad "copies-$seed: no copy was turned"
    [ -z "$(left scaled-$seed 'a copy turned')" ] && good || bad "scaled-$seed: a quarter turn was left"
    [ "$(value "$out/scaled-$seed" mapped)" -gt 150 ] && good || bad "scaled-$seed: nothing was drawn by a map"
    [ "$(value "$out/filtered-$seed" mapped)" -gt 150 ] && good || bad "filtered-$seed: nothing was drawn by a map"
    [ "$(left geometry-$seed 'triangles')" -gt 50 ] && good || bad "geometry-$seed: no triangle is one"
done

# ---- surfaces scaled by SDL 1.2 and SDL 2: their own formulas
for seed in 1 2; do
    draw_by "stretches1-$seed" 15 stretches1 $frames $seed
    draw_by "stretches2-$seed" 60 stretches2 $frames $seed
    for version in 1 2; do
        [ "$(value "$out/stretches$version-$seed" mapped)" -gt 100 ] && good || bad "SDL $version: no map"
        [ -z "$(left stretches$version-$seed 'drawn differently')" ] && good || bad "SDL $version: drawn differently"
    done
done

# ---- the comparison can fail: the same program with another seed
crcs "$out/all-1" | cmp -s - "$out/all-2.own" && bad "two programs draw the same" || good

# ---- a recorder that expects the wrong thing finds that out: the frames are the program's all the same
honest=$record record=$folder/spoilt/tessera-record
draw copies 3 0
record=$honest
[ "$(left copies-3 'drawn differently')" -gt 50 ] && good || bad "a wrong recorder notices nothing"

# ---- on the simulated hardware: the same frames
"$tessera" play "$out/all-1.tsdl" --check --frames 20..21 --no-pictures --out "$out/chip" >"$out/log" 2>&1 && good ||
    { bad "simulated hardware"; cat "$out/log"; }
sed -n 21,22p "$out/all-1.own" >"$out/own"
crcs "$out/chip" | cmp -s - "$out/own" && good || bad "the hardware's frames are not the program's"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
