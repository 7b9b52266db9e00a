#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# host/virtio/linux/linux.sh [--root FOLDER] [--guest WORD] [--seconds N] FOLDER PROGRAM [OPTION...]: boot Debian's
# kernel, which is unpacked and not installed, in QEMU, with PROGRAM (build/tessera-gpu) as its GPU. Pictures,
# report and time line go to FOLDER. Options after PROGRAM are the program's. PROGRAM qemu is QEMU's own virtio-gpu.
#   --root FOLDER  a Debian 13 root whose QEMU is used (chroot, so root's rights); without it this system's
#   --guest WORD   test: the guest tests the driver and ends; modes: it shows modetest's picture in each mode; reboot:
#                  it does that for ever; show, the default: a console, and a shell here; console: the same without a
#                  shell; weston or xorg: a desktop in a Debian root (root.sh), and a shell here; desktops: that and
#                  other programs, one after the other. Where there is no shell, QEMU's monitor is monitor.sock.
#   --igt FOLDER   a build of igt-gpu-tools where QEMU is, for --guest igt; --tests FILE: which, TEST PATTERN a line
#   --add FOLDER   put what is in it into the guest's root; --guest draw runs its draw.sh and ends
#   --no-report    write neither pictures nor report
#   --modes LIST   these modes, 640x480,800x600; without it all of them; --programs LIST: of desktops, weston,kmscube
#   --seconds N    end after so long
# QEMU before 8 takes a vhost-user GPU only with /dev/kvm. Exit status: QEMU's; 3: something is missing, which a line
# says.
set -u
root= guest=show seconds=0 modes= programs= igt= tests= add= report=--report
missing() { echo "make linux: $*" >&2; exit 3; }
while [ $# -gt 0 ]; do
    case $1 in
        --root) root=$2; shift 2 ;;
        --guest) guest=$2; shift 2 ;;
        --seconds) seconds=$2; shift 2 ;;
        --modes) modes=$2; shift 2 ;;
        --programs) programs=$2; shift 2 ;;
        --igt) igt=$2; shift 2 ;;
        --add) add=$2; shift 2 ;;
        --tests) tests=$2; shift 2 ;;
        --no-report) report=; shift ;;
        *) break ;;
    esac
done
[ $# -ge 2 ] || missing "linux.sh needs a folder for its results and a program"
results=$1 program=$2; shift 2
here=$(cd "$(dirname "$0")" && pwd)

# ------------------------------------------------------------------ where QEMU is
if [ -n "$root" ]; then
    [ -x "$root/usr/bin/qemu-system-x86_64" ] ||
        missing "$root has no QEMU. Run: chroot $root apt-get install -y --no-install-recommends qemu-system-x86"
    [ "$(id -u)" -eq 0 ] || missing "chroot needs root's rights. Run: sudo make linux ROOT=$root"
    echo "make linux: QEMU is that of the Debian 13 root $root" >&2
    folder=/var/tmp/tessera-linux work=$root/var/tmp/tessera-linux
    inside() { chroot "$root" /bin/bash -c "cd $folder && $1"; }
else
    command -v qemu-system-x86_64 >/dev/null ||
        missing "there is no QEMU. Run: apt-get install qemu-system-x86. On Debian 12 without /dev/kvm name a" \
            "Debian 13 root with QEMU instead: make linux ROOT=FOLDER (docs/linux.md)"
    version=$(qemu-system-x86_64 --version | sed -n '1s/.*version \([0-9]*\).*/\1/p')
    [ "$version" -ge 8 ] || : 2>/dev/null </dev/kvm ||
        missing "QEMU $version needs /dev/kvm. Name a Debian 13 root with QEMU: make linux ROOT=FOLDER (docs/linux.md)"
    work=$PWD/build/linux folder=$work
    inside() { bash -c "cd $folder && $1"; }
fi
mkdir -p "$work" || exit 3

# ------------------------------------------------------------------ the guest
if [ ! -e "$work/system/busybox" ]; then
    echo "make linux: fetching Debian's kernel and busybox (once, 110 MB)" >&2
    inside 'named() {
            apt-cache depends linux-image-amd64 2>/dev/null | sed -n "s/.*Depends: \(linux-image-[^ ]*\)/\1/p"
        }
        [ -n "$(named)" ] || apt-get -q update >update.log 2>&1
        kernel=$(named | head -n 1)
        ls linux-image-*.deb busybox-static*.deb >/dev/null 2>&1 ||
            apt-get -q -o APT::Sandbox::User=root download "$kernel" busybox-static >download.log 2>&1
        rm -rf system.new && mkdir system.new || exit 1
        for package in linux-image-*.deb busybox-static*.deb; do dpkg-deb -x "$package" system.new || exit 1; done
        cp "$(find system.new -path "*bin/busybox" -type f | head -n 1)" system.new/busybox || exit 1
        chmod +x system.new/busybox
        mv system.new system' ||
        missing "the kernel could not be fetched. See $work/download.log"
fi
# What modetest needs, which a guest without it has no room for.
tools="libdrm-tests libdrm2 libdrm-amdgpu1 libc6"
if [ "$guest" = modes ] && [ ! -e "$work/tools" ]; then
    inside "rm -rf tools.new && mkdir -p tools.new/packages && cd tools.new/packages &&
        apt-get -q -o APT::Sandbox::User=root download $tools >../../tools.log 2>&1 &&
        for package in *.deb; do dpkg-deb -x \$package .. || exit 1; done; cd ../.. && mv tools.new tools" ||
        missing "modetest could not be fetched. See $work/tools.log"
fi
disk=
case $guest in
    weston | xorg | desktops) disk=desktop.ext4; "$here/root.sh" "$work" || exit 3 ;;
    igt)
        disk=igt.ext4 PATH=$PATH:/usr/sbin:/sbin
        command -v mkfs.ext4 >/dev/null || missing "there is no mkfs.ext4. Run: apt-get install e2fsprogs"
        inside "bash -s -- '${igt#"$root"}'" <"$here/igt_disk.sh" || exit 3
        rm -f "$work/$disk" && mkfs.ext4 -q -d "$work/igt" "$work/$disk" 200M || exit 3 ;;
esac
tree=$work/tree
rm -rf "$tree" && mkdir -p "$tree"/{bin,modules,proc,sys,dev} || exit 3
cp "$work/system/busybox" "$tree/bin/" && cp "$here/init.sh" "$tree/init" && chmod +x "$tree/init" || exit 3
modules="drm drm_kms_helper drm_shmem_helper drm_client_lib virtio_dma_buf virtio-gpu"
if [ -n "$disk" ]; then
    modules+=" virtio_blk crc16 crc32c_generic libcrc32c mbcache jbd2 ext4 evdev virtio_input"
    cp "$here"/{desktop.sh,igt.sh,turns.py} "$tree/" || exit 3
fi
[ "$guest" != igt ] || { modules+=" vgem" && cp "$tests" "$tree/tests"; } || exit 3
for module in $modules; do
    found=$(find "$work/system" -name "$module.ko*" | head -n 1)
    case $found in
        *.xz) "$work/system/busybox" unxz -c "$found" >"$tree/modules/$module.ko" ;;
        *.ko) cp "$found" "$tree/modules/" ;;
    esac
done
# 1 MB of known bytes: 256 rows of 1024 pixels.
[ "$guest" != test ] || awk 'BEGIN {
    for (i = 0; i < 262144; i++) printf "%c%c%c%c", 33 + i % 89, 35 + int(i / 1024) % 83, 40 + i % 7, 65
}' >"$tree/pattern"
if [ "$guest" = modes ]; then
    mkdir -p "$tree/usr/lib" && cp -a "$work/tools/usr/lib/x86_64-linux-gnu" "$tree/usr/lib/" || exit 3
    cp -a "$work/tools/usr/lib64" "$tree/usr/" && ln -s usr/lib64 "$tree/lib64" && ln -s usr/lib "$tree/lib" || exit 3
    rm -rf "$tree"/usr/lib/x86_64-linux-gnu/{gconv,audit} && cp "$work/tools/usr/bin/modetest" "$tree/bin/" || exit 3
fi
[ -z "$add" ] || cp -a "$add/." "$tree/" || exit 3
(cd "$tree" && find . | "$work/system/busybox" cpio -o -H newc 2>/dev/null | gzip -1 >"$work/initrd.gz") || exit 3

# ------------------------------------------------------------------ the machine
rm -f "$work/gpu.sock" "$work/serial.log"
if [ "$program" = qemu ]; then
    display="-device virtio-gpu-pci,xres=1024,yres=768"
else
    display="-chardev socket,id=gpu,path=$folder/gpu.sock -device vhost-user-gpu-pci,chardev=gpu"
    "$program" --socket "$work/gpu.sock" ${report:+"$report" "$results"} "$@" &
    gpu=$!
    trap 'kill $gpu 2>/dev/null; wait $gpu' EXIT
    for _ in $(seq 1 600); do
        [ -S "$work/gpu.sock" ] && break
        kill -0 $gpu 2>/dev/null || { trap - EXIT; wait $gpu; exit 3; }
        sleep 0.1
    done
fi
acceleration=tcg
! inside ': </dev/kvm' 2>/dev/null || acceleration=kvm
serial="-serial mon:stdio"
case $guest in
    show | weston | xorg) ;;
    *) serial="-serial file:serial.log -monitor unix:monitor.sock,server,nowait" ;;
esac
case $guest in test | draw | modes | desktops | igt) serial+=" -no-reboot" ;; esac
megabytes=256 drive=
[ "$guest" != draw ] || megabytes=512 # its root has programs with all that they link
[ -z "$disk" ] || megabytes=1024 drive="-drive file=$disk,format=raw,if=virtio,snapshot=on"
# A pointer would be another picture on the screen.
case $guest in weston | xorg) drive+=" -device virtio-keyboard-pci -device virtio-tablet-pci" ;; esac
[ "$seconds" = 0 ] && limit= || limit="timeout $seconds"
inside "$limit qemu-system-x86_64 -accel $acceleration -M q35,memory-backend=mem -m $megabytes \
    -object memory-backend-memfd,id=mem,size=${megabytes}M,share=on -display none -vga none $serial \
    -kernel \$(ls system/boot/vmlinuz-* | head -n 1) -initrd initrd.gz \
    -append 'console=ttyS0 panic=1 quiet no_timer_check guest=$guest modes=$modes programs=$programs' $drive $display"
