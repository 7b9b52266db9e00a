#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: ten more programs that nobody here wrote are played exactly, and every finished pixel has a reason. Method:
# install them from the distribution (five draw with SDL 2 or with pygame, five with SDL 1.2), record so many frames
# with SDL's dummy drivers, play them with --check on the golden model. Every frame must equal SDL's bit for bit, the
# reasons must add up (accounted), and the GPU must draw so many percent of the pixels shown.
#
# ten.sh PROGRAM RECORDER FOLDER [NAME...]
tessera=$1 record=$2 out=$3
shift 3
here=$(dirname "$0")
passed=0 failed=0
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
mkdir -p "$out/home"

# Name, frames, least percent of the GPU, arguments. Of all: keys that begin and play where a program waits for them.
list='
toppler        8 25
jumpnbump     60 70
starfighter   20 40
solarwolf     40 80
funnyboat     30 30
vectoroids    40 60
icebreaker    40 95
ltris         30 95
madbomber     40 0
bumprace      40 5
'
keys='5:return 12:space 20:return 28:left:8 36:return 44:space 50:right:6'
tests/meta/deps libsdl2-2.0-0 $(echo "$list" | awk 'NF { print $1 }') || exit 1

play() {
    name=$1 frames=$2 least=$3
    PATH=/usr/bin:$PATH HOME=$PWD/$out/home timeout -k 5 300 "$record" -n "$frames" -e "$keys" \
        -o "$out/$name.tsdl" "/usr/games/$name" >"$out/$name.log" 2>&1
    "$tessera" play "$out/$name.tsdl" --model --check --no-pictures --out "$out/$name" >"$out/$name.log" 2>&1 && good ||
        { bad "$name: playing"; tail -n 3 "$out/$name.log"; }
    grep -q "\"frames_equal\": $frames," "$out/$name/run.json" && good || bad "$name: not $frames frames of SDL's"
    "$here/accounted" "$out/$name" && good || bad "$name: finished pixels without a reason"
    echo "$name: $frames frames"
    sed -n '/The GPU drew/,/^$/p' "$out/$name.log"
    shown=$(sed -n 's/.*The GPU drew \([0-9]*\)\.[0-9]* % of the pixels shown.*/\1/p' "$out/$name.log")
    [ "${shown:-0}" -ge "$least" ] && good || bad "$name: the GPU drew ${shown:-0} %, not $least"
}
echo "$list" | awk 'NF' >"$out/list"
while read -r name frames least; do
    case " ${*:-$name} " in *" $name "*) play "$name" "$frames" "$least" </dev/null ;; esac
done <"$out/list"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
