#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# The first program of the guest of `make linux` (docs/linux.md). It loads the GPU's driver, says on the serial line how
# that went, and does what guest= of the kernel's command line says: show (the default), test, draw, modes, weston,
# xorg, desktops or reboot.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
# The modules need each other: what fails at first loads in a later round. vgem, which igt uses, is the second card.
[ ! -e /modules/vgem.ko ] || mv /modules/vgem.ko /vgem
for round in 1 2 3; do
    for module in /modules/*.ko; do insmod "$module" 2>/dev/null; done
done
[ ! -e /vgem ] || insmod /vgem
say() { echo "guest: $*" >/dev/ttyS0; }
wanted=$(sed -n 's/.*guest=\([a-z]*\).*/\1/p' /proc/cmdline)
driver=/sys/bus/virtio/drivers/virtio_gpu
device=$(basename $driver/virtio*)
connector=/sys/class/drm/card0-Virtual-1

card() { [ -e /dev/dri/card0 ] && [ -e /dev/fb0 ]; }
trouble() { dmesg | grep -E 'WARNING|BUG:|Oops|\*ERROR\*|response 0x12'; }
# Something that is the same in every run.
screen() {
    printf '\033[2J\033[H\033[?25l'
    echo "Linux $(uname -r) on a Tessera"
    echo
    echo "$(cat /sys/class/graphics/fb0/name), $(cat /sys/class/graphics/fb0/virtual_size)," \
        "mode $(head -n 1 $connector/modes)"
    echo
    for colour in 40 41 42 43 44 45 46 47; do printf '\033[%sm          \033[0m' $colour; done
    echo
    echo
    grep -E 'MemTotal|model name' /proc/meminfo /proc/cpuinfo
    ls -l /dev/dri | tail -n +2
}

if card; then say "card0 and fb0 are there, $(cat /sys/class/graphics/fb0/name)"; else say "there is no card"; fi
if [ "$wanted" = test ]; then
    say "edid of $(wc -c <$connector/edid) bytes, first mode $(head -n 1 $connector/modes)"
    times=0
    while [ $times -lt 10 ]; do
        echo "$device" >$driver/unbind && ! card && echo "$device" >$driver/bind && card || break
        times=$((times + 1))
    done
    say "unbound and bound $times times"
    printf '\033[2J\033[H\033[?25l' >/dev/tty0
    sleep 1
    cat /pattern >/dev/fb0
    sleep 3
    say "warnings: $(trouble | wc -l)"
    trouble | head -n 5 >/dev/ttyS0
    say "end"
    reboot -f
fi
if [ "$wanted" = draw ]; then # programs that draw, which linux.sh --add has put here
    . /draw.sh
    say "warnings: $(trouble | wc -l)"
    trouble | head -n 5 >/dev/ttyS0
    say "end"
    reboot -f
fi
if [ "$wanted" = reboot ]; then
    screen >/dev/tty0
    sleep 1
    say "warnings: $(trouble | wc -l)"
    reboot -f
fi
# Each mode with modetest's picture for eight seconds, two of which it is said to be there; then flips and a cursor.
if [ "$wanted" = modes ]; then
    modes=$(sed -n 's/.*modes=\([0-9x,]*\).*/\1/p' /proc/cmdline | tr , ' ')
    draw() { sleep 8 | modetest -M virtio_gpu "$@" >/log 2>&1; }
    connector_id=$(modetest -M virtio_gpu -c 2>/dev/null | awk '$3 == "connected" { print $1; exit }')
    for mode in ${modes:-$(sort -u $connector/modes)}; do
        draw -s "$connector_id:$mode" &
        sleep 4
        say "shown $mode"
        wait
        say "gone $mode"
    done
    draw -s "$connector_id:1024x768" -v
    rate=$(sed -n 's/.*freq: \([0-9.]*\)Hz.*/\1/p' /log | tail -n 1)
    say "flips: $(grep -c freq: /log) lines of rates, the last $rate"
    draw -s "$connector_id:1024x768" -C
    say "cursor: status $?"
    say "warnings: $(trouble | wc -l)"
    trouble | head -n 5 >/dev/ttyS0
    say "end"
    reboot -f
fi
# The root of root.sh or igt_disk.sh is a disk; desktop.sh or igt.sh goes on in it.
case $wanted in weston | xorg | desktops | igt)
    mkdir -p /root && mount -t ext4 /dev/vda /root || say "there is no disk"
    mount -t devtmpfs devtmpfs /root/dev && mount -t proc proc /root/proc && mount -t sysfs sysfs /root/sys
    mkdir -p /root/dev/pts /root/dev/shm && mount -t devpts devpts /root/dev/pts
    for folder in dev/shm run tmp; do mount -t tmpfs tmpfs /root/$folder; done
    cp /desktop.sh /igt.sh /turns.py /root/run/
    say "the root is there"
    if [ "$wanted" = igt ]; then
        mount -t debugfs debugfs /root/sys/kernel/debug
        cp /tests /root/run/ && chroot /root /bin/busybox --install -s /bin
        chroot /root /bin/sh /run/igt.sh </dev/null >/dev/ttyS0 2>&1
        say "warnings: $(trouble | wc -l)"
        trouble | head -n 20 >/dev/ttyS0
        say "end"
        reboot -f
    fi
    desktop() { chroot /root /bin/bash /run/desktop.sh "$@"; }
    if [ "$wanted" = desktops ]; then
        desktop test $(sed -n 's/.*programs=\([a-z,]*\).*/\1/p' /proc/cmdline | tr , ' ') </dev/null >/dev/ttyS0 2>&1
        say "warnings: $(trouble | wc -l)"
        trouble | head -n 5 >/dev/ttyS0
        say "end"
        reboot -f
    fi
    desktop show "$wanted" </dev/null >/dev/ttyS0 2>&1 &
    exec setsid cttyhack chroot /root /bin/bash -l </dev/ttyS0 >/dev/ttyS0 2>&1 ;;
esac
screen >/dev/tty0
say "the console is drawn"
[ "$wanted" != console ] || exec sleep 1000000
say "this shell is on the serial line; what goes to /dev/tty0 is drawn; poweroff -f ends it"
exec setsid cttyhack sh </dev/ttyS0 >/dev/ttyS0 2>&1
