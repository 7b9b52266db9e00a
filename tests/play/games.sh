#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: programs that nobody here wrote draw through the GPU. Method: install Pingus and LBreakout2 from the
# distribution, record FRAMES (320) frames of each with SDL's dummy drivers and events that make them play, play all of
# them with --check on the golden model and CHIP (3) in the middle on the simulated hardware; both must show the same
# pictures. Nothing of the games stays in the project.
#
# games.sh PROGRAM RECORDER FOLDER
tessera=$1 record=$2 out=$3
frames=${FRAMES:-320} chip=${CHIP:-3}
passed=0 failed=0
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^,\"}]*\).*/\1/p" "$1/run.json" | head -n 1; }
crcs() { sed -n 's/.*"number": \([0-9]*\),.*"crc32": "\([0-9a-f]*\)".*/\1 \2/p' "$1/run.json"; }

tests/deps pingus lbreakout2 libsdl2-2.0-0 || exit 1
rm -rf "$out" && mkdir -p "$out/home"

# play NAME PICTURES EVENTS PROGRAM...: at least so many frames differ from all others.
play() {
    name=$1 pictures=$2 events=$3; shift 3
    HOME=$PWD/$out/home timeout 300 "$record" -n "$frames" -e "$events" -o "$out/$name.tsdl" "$@" >"$out/$name.log" 2>&1
    tail -n 1 "$out/$name.log"
    "$tessera" play "$out/$name.tsdl" --model --check --no-pictures --out "$out/$name-model" &&
        good || bad "$name: model"
    [ "$(value "$out/$name-model" frames)" -ge "$frames" ] && good || bad "$name: fewer than $frames frames"
    different=$(crcs "$out/$name-model" | awk '{print $2}' | sort -u | wc -l)
    echo "$name: $different pictures that differ"
    [ "$different" -ge "$pictures" ] && good || bad "$name: hardly anything moves"
    from=$((frames / 2))
    "$tessera" play "$out/$name.tsdl" --check --frames "$from..$((from + chip - 1))" --out "$out/$name-chip" &&
        good || bad "$name: simulated hardware"
    crcs "$out/$name-model" | awk -v a="$from" -v n="$chip" '$1 >= a && $1 < a + n' >"$out/crc"
    crcs "$out/$name-chip" | cmp -s - "$out/crc" && good || bad "$name: hardware and model show different pictures"
}

# The first level of Pingus, which a click begins. LBreakout2 builds its menu up from black, all of it in every frame.
level=/usr/share/games/pingus/data/levels/tutorial/digger-tutorial2-grumbel.pingus
play pingus $((frames / 2)) "10:click=678,484" /usr/games/pingus "$level"
play lbreakout2 30 "" /usr/games/lbreakout2
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
