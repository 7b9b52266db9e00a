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
