#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/host/virtio/guest_draw.sh PROGRAM FOLDER "ROOT" [DEMOS]: programs in a Linux guest draw by the golden model that
# is its GPU. Goal: a program of one's own, docs/example/picture.c, `tessera run`, `tessera play`, SDL 2 programs under
# tessera-live and LVGL's demos with the draw unit draw what they draw on the host; what a program leaves is freed;
# forged numbers are refused; the kernel logs nothing. Method: the installed library and the host's own programs with
# what they link, in the guest's root; it says on its serial line how each ended. ROOT as for guest.sh. DEMOS is the
# program of tests/host/lvgl; without it, and without dsda-doom and freedoom, their checks are skipped.
program=$1 folder=$2 root=$3 demos=$4 build=${1%/*}
game=/usr/games/dsda-doom wads="/usr/share/games/doom/freedoom1.wad /usr/share/dsda-doom/dsda-doom.wad"
passed=0 failed=0 skipped=0
check() { # WHAT COMMAND...
    local what=$1; shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL  $what"; fi
}
rm -rf "$folder" && mkdir -p "$folder"/add/bin "$folder"/host || exit 1
cp "$build"/virtio/{guest_draw,guest_kernel,picture} "$build/tessera" "$folder/add/bin/" || exit 1
cp tests/host/virtio/draw.sh "$folder/add/" || exit 1
cp "$build/tessera-live" "$build/libtessera-record.so" "$build/play/sprites2" "$build/live/shown2" "$folder/add/bin/" ||
    exit 1
[ -z "$demos" ] || cp "$demos" "$folder/add/bin/demos" || exit 1
if [ -x $game ] && cp --parents $wads "$folder/add" 2>/dev/null; then cp $game "$folder/add/bin/"; else game=; fi
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
"$build/tessera-record" -n 24 -o "$folder/add/sprites.tsdl" "$build/play/sprites2" >"$folder/record.log" 2>&1 || exit 1
ldd "$folder"/add/bin/* | sed -n 's/.*\(=>\|^\t\) *\(\/[^ ]*\) (.*/\2/p' | sort -u | while read -r library; do
    mkdir -p "$folder/add${library%/*}" && cp -L "$library" "$folder/add$library"
done
host/virtio/linux/linux.sh ${root:+--root "$root"} --guest draw --add "$folder/add" --seconds 900 "$folder/report" \
    "$program" >"$folder/log" 2>&1
code=$?
if [ $code -eq 3 ]; then
    tail -n 3 "$folder/log"
    echo "0 passed, 0 failed, 29 skipped"
    exit 0
fi
serial=${root:+$root/var/tmp/tessera-linux}
serial=${serial:-build/linux}/serial.log
tail -n 20 "$folder/log"
cat "$serial"
said() { tr -d '\r' <"$serial" | grep -q "^guest: $1"; }
same() { said "picture $1 $2 $(md5sum <"$3" | cut -c 1-32)\$"; }
check "QEMU ended with $code" [ $code -eq 0 ]
check "a program draws exactly" said 'exact 0: exact: 3072 of 3072 pixels, 50331648 bytes evicted in turn, 0 wrong'
check "and does so after others" [ "$(tr -d '\r' <"$serial" | grep -c '^guest: exact 0: .* 0 wrong$')" -eq 2 ]
check "a program leaves with work in flight" said 'leave 0: leave: 50 in flight'
check "forged numbers are refused" said 'forge 0: forge: \([1-9][0-9]*\) of \1 refused'
check "a fence passes when all is complete, for other programs, too" said \
    'fence 0: fence: .*, 0 passed early, 0 of another program, 0 wrong'
check "1,000 submissions in flight" said 'flight 0: flight: 1000 queued in .*; 0 stalls, 0 bad'
check "the kernel's syncobjs have the library's fences" said 'syncobj 0: syncobj: .*, 0 passed early, 0 wrong'
check "times were measured" said 'times 0: times: empty buffer'
check "a node that is not there has a sentence" said 'wrong 1: FAILED exact: cannot open /dev/dri/card7'
for seed in 1 2; do
    "$build/tessera" run --model --scene cards --frames 2 --seed $seed --no-compare --out "$folder/host$seed" \
        >"$folder/host$seed.log" 2>&1
    check "tessera run ends well, seed $seed" said "run $seed 0:"
    for picture in "$folder/host$seed"/*.png; do
        check "$(basename "$picture") is the host's, seed $seed" same "$(basename "$picture")" $seed "$picture"
    done
done
"$build/virtio/picture" model "$folder/picture.png"
check "picture.c draws the host's picture" same picture.png 0 "$folder/picture.png"
# Other people's programs.
live() { # NAME FRAMES: all of them the GPU's, and SDL's
    check "$1 under tessera-live" said "live $1 0: .*: $2 frames, $2 of them equal to SDL's in every pixel"
}
live shown2 20
live sprites2 24
"$build/tessera" play "$folder/add/sprites.tsdl" --model --out "$folder/played" >"$folder/play.log" 2>&1
check "tessera play ends well, every frame SDL's" said 'play 0: '
check "every frame is the host's" said "played $(cat "$folder"/played/frame-*.png | md5sum | cut -c 1-32)\$"
if [ -n "$game" ]; then live dsda-doom 30; else skipped=$((skipped + 1)); fi
for demo in widgets benchmark; do
    if [ -n "$demos" ]; then check "LVGL's $demo by the draw unit" said "lvgl $demo 0: LVGL .* 100.0 % through the GPU"
    else skipped=$((skipped + 1)); fi
done
check "nothing was logged" said 'warnings: 0'
check "no command was refused" [ "$(grep -c 'commands (0 refused)' "$folder/log")" -eq \
    "$(grep -c ' commands (' "$folder/log")" ]
for what in resources_at_the_end programs_at_the_end allocations_at_the_end; do
    check "$what" grep -q "\"$what\": 0" "$folder/report/run.json"
done
echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
