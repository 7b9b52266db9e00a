#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh LVGL_DIR FOLDER DEPTH: the LVGL in LVGL_DIR with its demos as tests/host/lvgl/lv_conf.h says, as
# FOLDER/liblvgl.a. What is newer than its source stays. Two minutes on two processors.
lvgl=$(cd "$1" && pwd) || exit 2
mkdir -p "$2/objects" || exit 2
folder=$(cd "$2" && pwd) conf=$(cd tests/host/lvgl && pwd)
demos="demos/widgets demos/benchmark demos/music"
(cd "$lvgl" && find src demos/*.c $demos -name '*.c') | xargs -P "$(nproc)" -I{} sh -c '
    object="$2/objects/$(echo "$3" | tr / _).o"
    [ "$object" -nt "$1/$3" ] && [ "$object" -nt "$4/lv_conf.h" ] && exit 0
    cd "$1" && gcc -std=gnu11 -O1 -w -DLV_CONF_INCLUDE_SIMPLE -DLVGL_DEPTH="$5" -I"$4" -I. -Isrc -c "$3" -o "$object"' \
    compile "$lvgl" "$folder" {} "$conf" "$3" || exit 2
ar rcs "$folder/liblvgl.a" "$folder"/objects/*.o
