#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: programs that nobody here wrote are drawn by the GPU while they run, equal to SDL's in every pixel. Method:
# install them from the distribution, run each for FRAMES (150) frames under tessera-live --check on the golden model,
# with SDL's dummy drivers and events that make them play. The GPU draws at least so many percent of the pixels shown.
#
# games.sh LIVE FOLDER
live=$1 out=$2 frames=${FRAMES:-150}
passed=0 failed=0
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
tests/meta/deps pingus lbreakout2 ltris libsdl2-2.0-0 chocolate-doom freedoom tuxpaint supertux blockattack || exit 1
rm -rf "$out" && mkdir -p "$out/home"

# draw NAME PERCENT EVENTS PROGRAM...
draw() {
    name=$1 percent=$2 events=$3; shift 3
    HOME=$PWD/$out/home timeout -k 5 600 "$live" --check -n "$frames" -e "$events" "$@" >"$out/$name.log" 2>&1 &&
        good || bad "$name: not exact"
    grep '^tessera-live' "$out/$name.log" | tail -n 2
    grep -q ": $frames frames, $frames of them equal to SDL's in every pixel\." "$out/$name.log" && good ||
        bad "$name: not $frames frames"
    shown=$(sed -n 's/.*The GPU drew \([0-9]*\)\.[0-9] % of the pixels shown.*/\1/p' "$out/$name.log")
    [ "${shown:-0}" -ge "$percent" ] && good || bad "$name: the GPU drew $shown %, not $percent"
}

# SDL 1.2's dummy screen has 8 bits, and Pingus' pictures have 32: what it finds for these is SDL's.
draw pingus 0 "10:click=678,484" /usr/games/pingus \
    /usr/share/games/pingus/data/levels/tutorial/digger-tutorial2-grumbel.pingus
draw lbreakout2 80 "40:down 55:return 80:down 95:down 110:return" /usr/games/lbreakout2
draw ltris 80 "" /usr/games/ltris
printf 'aspect_ratio_correct 0\nfullscreen 0\n' >"$out/doom.cfg"
draw doom 60 "" /usr/games/chocolate-doom -iwad /usr/share/games/doom/freedoom1.wad -nosound -warp 1 1 \
    -extraconfig "$out/doom.cfg" -geometry 320x200w
clicks=$(awk 'BEGIN { while (++i < 150) printf "%d:click=%d,%d ", i, 150 + i * 37 % 400, 60 + i * 53 % 300 }')
draw tuxpaint 75 "$clicks" /usr/bin/tuxpaint --windowed --800x600 --nosound --nolockfile
draw supertux 40 "" /usr/games/supertux2 --renderer sdl --window --geometry 640x480 --disable-sound --disable-music
draw blockattack 60 "5:return 15:return 25:return 35:space 40:right:50" /usr/games/blockattack
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
