# SPDX-License-Identifier: Apache-2.0
# In the guest of guest_draw.sh: each program says how it went.
status_of() { # WORD PROGRAM...
    word=$1; shift
    "$@" >/log 2>&1
    code=$?
    say "$word $code: $(tail -n 1 /log)"
}
status_of exact guest_draw exact
status_of leave guest_draw leave
guest_draw times >/first 2>&1 & # one beside it
status_of forge guest_draw forge
wait
status_of fence guest_draw fence
status_of flight guest_kernel flight
status_of syncobj guest_kernel syncobj
status_of exact guest_draw exact
status_of times guest_draw times
for seed in 1 2; do
    mkdir -p /out$seed
    status_of "run $seed" tessera run --device drm:/dev/dri/renderD128 --scene cards --frames 2 --seed $seed \
        --no-compare --out /out$seed
    for picture in /out$seed/*.png; do say "picture $(basename $picture) $seed $(md5sum <$picture | cut -c 1-32)"; done
done
status_of picture picture drm:/dev/dri/renderD128 /picture.png
say "picture picture.png 0 $(md5sum </picture.png | cut -c 1-32)"
status_of wrong guest_draw exact drm:/dev/dri/card7
# Other people's programs.
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
mkdir -p /tmp /played
live() { # NAME FRAMES OPTION...: what tessera-live says of its frames
    name=$1 frames=$2; shift 2
    tessera-live --device drm:/dev/dri/renderD128 --check -n "$frames" "/bin/$name" "$@" >/log 2>&1
    code=$?
    say "live $name $code: $(grep ' frames, .* of them ' /log)"
}
live shown2 100
live sprites2 100
[ ! -e /bin/dsda-doom ] || live dsda-doom 30 -iwad /usr/share/games/doom/freedoom1.wad -nosound -warp 1 1 -vidmode sw \
    -geometry 320x200 -window -nomouse
tessera play /sprites.tsdl --device drm:/dev/dri/renderD128 --check --out /played >/log 2>&1
say "play $?: $(grep "frames as SDL's" /log)"
say "played $(cat /played/frame-*.png | md5sum | cut -c 1-32)"
for demo in widgets benchmark; do
    [ ! -e /bin/demos ] || status_of "lvgl $demo" demos $demo XRGB8888 20 1 98 drm:/dev/dri/renderD128
done
