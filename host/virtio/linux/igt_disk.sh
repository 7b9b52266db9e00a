#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# host/virtio/linux/igt_disk.sh IGT: make the folder igt here, the disk of a guest that runs igt-gpu-tools: the tests of
# the build folder IGT and the libraries that they need. It runs where the tests were built. Exit status: 3 where
# something is missing, which a line says.
set -u
igt=$1
missing() { echo "make linux-igt: $*" >&2; exit 3; }
[ -n "$igt" ] || missing "no build of igt-gpu-tools is named. Give the folder that meson and ninja made: IGT=FOLDER"
[ -x "$igt/tests/core_auth" ] ||
    missing "$igt has no build of igt-gpu-tools. Give the folder that meson and ninja made: IGT=FOLDER"
rm -rf igt igt.new
mkdir -p igt.new/igt/{tests,lib} igt.new/{bin,proc,sys,dev,run,tmp} || exit 3
for test in "$igt"/tests/{core_,kms_,prime_,dumb_,drm_read}*; do
    [ ! -f "$test" ] || [ ! -x "$test" ] || cp "$test" igt.new/igt/tests/ || exit 3
done
strip igt.new/igt/tests/* 2>/dev/null
cp -L "$igt"/lib/libigt.so.0 igt.new/igt/lib/ || exit 3
# Programs that are built find libigt beside them.
ldd "$igt"/tests/{core_auth,kms_flip} | sed -n 's/.*\(=>\|^\t\) *\(\/[^ ]*\) (.*/\2/p' | grep -v libigt | sort -u |
    xargs cp -L --parents -t igt.new || missing "the libraries of $igt could not be copied"
cp system/busybox igt.new/bin/ && mv igt.new igt || missing "the folder igt could not be made"
