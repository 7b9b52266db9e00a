#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/host/virtio/missing.sh: what `make linux` says where something is missing. Goal: one line that tells what to do,
# status 3, and nothing is started. Method: linux.sh and root.sh with a PATH of a few programs, and as a user with no
# rights.
passed=0 failed=0 skipped=0
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && mkdir -p "$folder/bin" # where a user without rights comes, too
for program in bash dirname sed id mkdir; do ln -s "$(command -v $program)" "$folder/bin/"; done
# With these rights, if there are others: whoever runs the tests may be root.
nobody() { if [ "$(id -u)" -eq 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; else "$@"; fi; }
expect() { # WORDS COMMAND...
    local words=$1 said status
    shift
    said=$("$@" 2>&1); status=$?
    if [ $status -eq 3 ] && [ "$(wc -l <<<"$said")" -eq 1 ] && [[ $said == "make linux: "*"$words"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)); echo "FAIL  status $status: $said"
    fi
}
linux() { env PATH="$folder/bin" /bin/bash -s -- "$@" <host/virtio/linux/linux.sh; }
expect "name a Debian 13 root with QEMU instead" linux out program
expect "needs a folder for its results and a program" linux out
expect "$folder has no QEMU. Run: chroot $folder" linux --root "$folder" out program
mkdir -p "$folder/usr/bin"
printf '#!/bin/sh\necho "QEMU emulator version 7.2.22 (Debian)"\n' >"$folder/usr/bin/qemu-system-x86_64"
chmod 755 "$folder/usr/bin/qemu-system-x86_64" "$folder" "$folder/usr" "$folder/usr/bin"
expect "chroot needs root's rights. Run: sudo make linux ROOT=$folder" nobody \
    env PATH="$folder/bin" /bin/bash -s -- --root "$folder" out program <host/virtio/linux/linux.sh
ln -s ../usr/bin/qemu-system-x86_64 "$folder/bin/"
if nobody /bin/bash -c ': </dev/kvm' 2>/dev/null; then skipped=1; else
    expect "QEMU 7 needs /dev/kvm. Name a Debian 13 root with QEMU" nobody \
        env PATH="$folder/bin" /bin/bash -s -- out program <host/virtio/linux/linux.sh
fi
expect "needs root's rights" nobody /bin/bash -s -- "$folder" <host/virtio/linux/root.sh
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
