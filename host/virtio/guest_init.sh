#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# The first program of the guest of `make linux` (docs/linux.md). It loads the GPU's driver, says on the serial line how
# that went, and does what the word `guest=` of the kernel's command line says: show (the default) or test.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
# The modules need each other: what fails at first loads in a later round.
for round in 1 2 3; do
    for module in /modules/*.ko; do insmod "$module" 2>/dev/null; done
done
say() { echo "guest: $*" >/dev/ttyS0; }
wanted=$(sed -n 's/.*guest=\([a-z]*\).*/\1/p' /proc/cmdline)
device=$(basename "$(readlink /sys/class/drm/card0/device)" 2>/dev/null)
driver=/sys/bus/virtio/drivers/virtio_gpu

card() { [ -e /dev/dri/card0 ] && [ -e /dev/fb0 ]; }
warnings() { dmesg | grep -cE 'WARNING|BUG:|\*ERROR\*|Oops|response 0x12'; }
# Something that is the same in every run.
screen() {
    printf '\033[2J\033[H\033[?25l'
    echo "Linux $(uname -r) on a Tessera"
    echo
    echo "$(cat /sys/class/graphics/fb0/name), $(cat /sys/class/graphics/fb0/virtual_size), \
mode $(head -n 1 /sys/class/drm/card0-Virtual-1/modes)"
    echo
    for colour in 40 41 42 43 44 45 46 47; do printf '\033[%sm          \033[0m' $colour; done
    echo
    echo
    grep -E 'MemTotal|MemFree' /proc/meminfo
    ls -l /dev/dri | tail -n +2
}

card && say "card0 and fb0 are there, $(cat /sys/class/graphics/fb0/name)" || say "there is no card"
if [ "$wanted" = test ]; then
    edid=$(wc -c </sys/class/drm/card0-Virtual-1/edid)
    say "edid of $edid bytes, first mode $(head -n 1 /sys/class/drm/card0-Virtual-1/modes)"
    times=0
    while [ $times -lt 10 ]; do
        echo "$device" >$driver/unbind && ! card && echo "$device" >$driver/bind && card || break
        times=$((times + 1))
    done
    say "unbound and bound $times times"
    # A picture of known bytes: 256 rows of each colour's ramp.
    echo 0 >/sys/class/graphics/fbcon/cursor_blink 2>/dev/null
    screen >/dev/tty0
    sleep 1
    head -c 1048576 /pattern >/dev/fb0
    sleep 2
    say "warnings: $(warnings)"
    dmesg | grep -E 'WARNING|BUG:|\*ERROR\*|response 0x12' | head -n 5 >/dev/ttyS0
    say "end"
    reboot -f
fi
screen >/dev/tty0
say "the console is drawn"
exec setsid sh -c 'exec sh </dev/tty0 >/dev/tty0 2>&1'
