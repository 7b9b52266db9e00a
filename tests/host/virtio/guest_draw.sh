#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/host/virtio/guest_draw.sh PROGRAM FOLDER ROOT: programs in a Linux guest draw by the golden model that is its
# GPU. Goal: a program of one's own, docs/example/picture.c and `tessera run` draw what they draw on the host; what a
# program leaves is freed; forged numbers are refused; the kernel logs nothing. Method: the installed library and the
# host's own programs with what they link, in the guest's root; it says on its serial line how each ended. ROOT as for
# guest.sh.
program=$1 folder=$2 root=$3 build=${1%/*}
passed=0 failed=0
check() { # WHAT COMMAND...
    local what=$1; shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL  $what"; fi
}
rm -rf "$folder" && mkdir -p "$folder"/add/bin "$folder"/host || exit 1
cp "$build/virtio/guest_draw" "$build/virtio/picture" "$build/tessera" "$folder/add/bin/" || exit 1
cp tests/host/virtio/draw.sh "$folder/add/" || exit 1
ldd "$folder"/add/bin/* | grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r library; do
    mkdir -p "$folder/add${library%/*}" && cp -L "$library" "$folder/add$library"
done
host/virtio/linux/linux.sh ${root:+--root "$root"} --guest draw --add "$folder/add" --seconds 900 "$folder/report" \
    "$program" >"$folder/log" 2>&1
code=$?
if [ $code -eq 3 ]; then
    tail -n 3 "$folder/log"
    echo "0 passed, 0 failed, 16 skipped"
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
check "nothing was logged" said 'warnings: 0'
check "no command was refused" [ "$(grep -c 'commands (0 refused)' "$folder/log")" -eq \
    "$(grep -c ' commands (' "$folder/log")" ]
for what in resources_at_the_end programs_at_the_end allocations_at_the_end; do
    check "$what" grep -q "\"$what\": 0" "$folder/report/run.json"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
