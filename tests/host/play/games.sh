#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: programs that nobody here wrote draw through the GPU. Method: install Pingus and LBreakout2 from the
# distribution, record FRAMES (320) frames of Pingus and 140 more of LBreakout2, whose menu takes so many, with SDL's
# dummy drivers and events that make them play; play all of them with --check on the golden model and CHIP (3) on the
# simulated hardware. Every frame must equal SDL's bit for bit, and model and hardware each other. Then four programs
# that draw with SDL 2's renderer: RENDERED (150) frames each, two of them on the simulated hardware. Nothing of the
# programs stays in the project.
#
# games.sh PROGRAM RECORDER FOLDER
tessera=$1 record=$2 out=$3
frames=${FRAMES:-320} chip=${CHIP:-3} rendered=${RENDERED:-150}
here=$(dirname "$0")
passed=0 failed=0
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^,\"}]*\).*/\1/p" "$1/run.json" | head -n 1; }
crcs() { sed -n 's/.*"number": \([0-9]*\),.*"crc32": "\([0-9a-f]*\)".*/\1 \2/p' "$1/run.json"; }

tests/meta/deps pingus lbreakout2 libsdl2-2.0-0 chocolate-doom freedoom tuxpaint supertux blockattack || exit 1
rm -rf "$out" && mkdir -p "$out/home"

# play NAME FRAMES FROM PICTURES EVENTS PROGRAM...: at least so many pictures from frame FROM on differ.
play() {
    name=$1 frames=$2 from=$3 pictures=$4 events=$5; shift 5
    HOME=$PWD/$out/home timeout -k 5 300 "$record" -n "$frames" -e "$events" -o "$out/$name.tsdl" "$@" \
        >"$out/$name.log" 2>&1
    grep tessera-record "$out/$name.log"
    "$tessera" play "$out/$name.tsdl" --model --check --no-pictures --out "$out/$name-model" &&
        good || bad "$name: model"
    [ "$(value "$out/$name-model" frames)" -ge "$frames" ] && good || bad "$name: fewer than $frames frames"
    [ "$(value "$out/$name-model" frames_equal)" -eq "$frames" ] && good || bad "$name: not all frames are SDL's"
    [ "$(value "$out/$name-model" largest_difference)" -eq 0 ] && good || bad "$name: a level differs"
    "$here/accounted" "$out/$name-model" && good || bad "$name: finished pixels without a reason"
    different=$(crcs "$out/$name-model" | awk -v a="$from" '$1 >= a {print $2}' | sort -u | wc -l)
    echo "$name: $different pictures that differ, from frame $from on"
    [ "$different" -ge "$pictures" ] && good || bad "$name: hardly anything moves"
    middle=$(((frames + from) / 2))
    "$tessera" play "$out/$name.tsdl" --check --frames "$middle..$((middle + chip - 1))" --out "$out/$name-chip" &&
        good || bad "$name: simulated hardware"
    crcs "$out/$name-model" | awk -v a="$middle" -v n="$chip" '$1 >= a && $1 < a + n' >"$out/crc"
    crcs "$out/$name-chip" | cmp -s - "$out/crc" && good || bad "$name: hardware and model show different pictures"
}

# The first level of Pingus, which a click begins. LBreakout2: Local Game, Start Original Set, and the ball is served.
level=/usr/share/games/pingus/data/levels/tutorial/digger-tutorial2-grumbel.pingus
play pingus "$frames" 10 $((frames / 2)) "10:click=678,484" /usr/games/pingus "$level"
play lbreakout2 $((frames + 140)) 300 40 "150:down 165:return 190:down 205:down 220:return 300:space 330:space
    340:left:20 360:space 370:right:30 400:space 430:space" /usr/games/lbreakout2

# SDL 2's renderer. Chocolate Doom's screen in its own size, by a texture that it writes under a lock, and scaled; Tux
# Paint, whose canvas is drawn by surfaces and clicked into at every frame, as it shows none otherwise; SuperTux;
# Block Attack. The GPU draws at least so many percent of the pixels shown.
# show NAME PERCENT FROM PICTURES EVENTS PROGRAM...
show() {
    name=$1 percent=$2; shift 2
    from=$1 pictures=$2 events=$3; shift 3
    chip=2
    play "$name" "$rendered" "$from" "$pictures" "$events" "$@"
    shown=$(sed -n 's/.*"drawn_by_gpu": \([0-9]*\), .*/\1/p' "$out/$name-model/run.json" | head -n 1)
    pixels=$(sed -n 's/.*"pixels": \([0-9]*\), "drawn_by_gpu.*/\1/p' "$out/$name-model/run.json" | head -n 1)
    echo "$name: the GPU drew $((100 * ${shown:-0} / ${pixels:-1})) % of the pixels shown"
    [ $((100 * ${shown:-0} / ${pixels:-1})) -ge "$percent" ] && good || bad "$name: the GPU drew less than $percent %"
}
clicks=$(awk 'BEGIN { while (++i < 150) printf "%d:click=%d,%d ", i, 150 + i * 37 % 400, 60 + i * 53 % 300 }')
printf 'aspect_ratio_correct 0\nfullscreen 0\n' >"$out/doom.cfg"
show doom 60 20 20 "" /usr/games/chocolate-doom -iwad /usr/share/games/doom/freedoom1.wad -nosound -warp 1 1 \
    -extraconfig "$out/doom.cfg" -geometry 320x200w
show doom-scaled 60 20 20 "" /usr/games/chocolate-doom -iwad /usr/share/games/doom/freedoom1.wad -nosound -warp 1 1 \
    -geometry 640x480w
[ "$(value "$out/doom-scaled-model" mapped)" -ge 100 ] && good || bad "doom-scaled: not drawn by maps"
export SDL_RENDER_SCALE_QUALITY=1
show doom-filtered 60 20 20 "" /usr/games/chocolate-doom -iwad /usr/share/games/doom/freedoom1.wad -nosound -warp 1 1 \
    -geometry 800x600w
unset SDL_RENDER_SCALE_QUALITY
[ "$(value "$out/doom-filtered-model" mapped)" -ge 100 ] && good || bad "doom-filtered: not drawn by maps"
[ -z "$(sed -n 's/.*"reason": "\(a turned[^"]*\)".*/\1/p' "$out/doom-filtered-model/run.json")" ] && good || \
    bad "doom-filtered: a filtered copy was left to pixels"
show tuxpaint 60 10 50 "$clicks" /usr/bin/tuxpaint --windowed --800x600 --nosound --nolockfile
show supertux 20 20 50 "" /usr/games/supertux2 --renderer sdl --window --geometry 640x480 --disable-sound \
    --disable-music
show blockattack 60 0 5 "5:return 15:return 25:return 35:space 40:right:50" /usr/games/blockattack
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
