#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/host/virtio/guest.sh PROGRAM FOLDER ROOT: a Linux guest whose GPU is the golden model. Goal: Debian's own driver
# finds the GPU, is unbound and bound ten times, draws known bytes exactly, reboots, and nothing is logged. Method: the
# guest's init says on its serial line what it did; the last picture is held against the bytes. Without a root of
# Debian 13 with QEMU (ROOT) this system's QEMU has to do; where neither does, everything is skipped.
program=$1 folder=$2 root=$3
passed=0 failed=0
check() { # WHAT COMMAND...
    local what=$1; shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL  $what"; fi
}
rm -rf "$folder" && mkdir -p "$folder"
host/virtio/linux/linux.sh ${root:+--root "$root"} --guest test --seconds 900 "$folder" "$program" >"$folder/log" 2>&1
code=$?
if [ $code -eq 3 ]; then
    tail -n 3 "$folder/log"
    echo "0 passed, 0 failed, 20 skipped"
    exit 0
fi
serial=${root:+$root/var/tmp/tessera-linux}
serial=${serial:-build/linux}/serial.log
cat "$folder/log"
cat "$serial"
said() { tr -d '\r' <"$serial" | grep -qxF "guest: $1"; }
check "QEMU ended with $code" [ $code -eq 0 ]
check "the driver found the GPU" said 'card0 and fb0 are there, virtio_gpudrmfb'
check "the guest has the display's EDID" said 'edid of 128 bytes, first mode 1024x768'
check "the driver was unbound and bound ten times" said 'unbound and bound 10 times'
check "nothing was logged" said 'warnings: 0'
check "no command was refused" [ "$(grep -c 'commands (0 refused)' "$folder/log")" -eq \
    "$(grep -c ' commands (' "$folder/log")" ]
check "the picture is what the guest wrote" python3 tests/host/virtio/picture.py "$folder/latest.png"
# What is left of the run: the guest's commands in the time line, its resources in the report by their names.
for command in RESOURCE_CREATE_2D ATTACH_BACKING SET_SCANOUT TRANSFER_TO_HOST_2D RESOURCE_FLUSH; do
    check "the time line has $command" grep -q "\"$command resource [1-9]" "$folder/trace.json"
done
check "the report names resources" grep -q '"resource [1-9]' "$folder/report.html"
check "and their pages" grep -q '"pages of resource [1-9]' "$folder/report.html"
check "and has pictures" grep -qF '"pictures":[[0,"iVBOR' "$folder/report.html"
check "the display showed it" grep -q '"flips": [1-9]' "$folder/run.json"
check "nothing was read back" grep -q '"read_back": 0' "$folder/run.json"
check "objects are back at zero" grep -q '"resources_at_the_end": 0' "$folder/run.json"
# A guest that reboots: the back end goes on, and the driver finds a GPU like the first.
python3 -B tests/host/virtio/reboots.py "$program" "$folder" ${root:+"$root"}
boots=$(tr -d '\r' <"$serial" | grep -cxF 'guest: card0 and fb0 are there, virtio_gpudrmfb')
quiet=$(tr -d '\r' <"$serial" | grep -cxF 'guest: warnings: 0')
check "$boots boots, after $quiet of which nothing was logged" [ "$boots" -ge 2 -a "$quiet" -ge $((boots - 1)) ]
check "no command was refused after a reboot" [ "$(grep -c 'commands (0 refused)' "$folder/log")" -eq \
    "$(grep -c ' commands (' "$folder/log")" ]
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
