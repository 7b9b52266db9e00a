#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# host/virtio/linux/root.sh FOLDER: make FOLDER/desktop.ext4, the disk of a guest with a desktop: Debian 13 with weston,
# Xorg, xterm, kmscube and SDL 2, by debootstrap. It is made once, and takes 1.6 GB while that goes on. desktop.sh runs
# in it. Exit status: 3 where something is missing, which a line says.
set -u
folder=$1
missing() { echo "make linux: $*" >&2; exit 3; }
[ ! -e "$folder/desktop.ext4" ] || exit 0
[ "$(id -u)" -eq 0 ] || missing "the first DESKTOP=1 makes a Debian root, which needs root's rights. Use sudo once"
PATH=$PATH:/usr/sbin:/sbin
for program in debootstrap mkfs.ext4; do
    command -v $program >/dev/null || missing "there is no $program. Run: apt-get install debootstrap e2fsprogs"
done
echo "make linux: making a Debian root with a desktop (once, 800 MB, some minutes)" >&2
root=$folder/desktop.new log=$folder/desktop.log
packages="weston seatd udev xserver-xorg-core xserver-xorg-input-libinput xterm xkb-data fonts-dejavu-core kmscube
    libgl1-mesa-dri libegl1 python3-minimal libpython3-stdlib libsdl2-2.0-0 strace"
rm -rf "$root"
debootstrap --variant=minbase trixie "$root" >"$log" 2>&1 &&
    cp /etc/resolv.conf "$root/etc/" &&
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get -q install -y --no-install-recommends $packages \
        </dev/null >>"$log" 2>&1 &&
    chroot "$root" apt-get clean && rm -rf "$root"/var/lib/apt/lists/* &&
    mkfs.ext4 -q -d "$root" "$folder/desktop.ext4.new" 1500M >>"$log" 2>&1 ||
    missing "the root could not be made. See $log"
rm -rf "$root"
mv "$folder/desktop.ext4.new" "$folder/desktop.ext4"
