#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lvgl_run.sh LVGL_DIR FOLDER LIBRARY...: build the LVGL in LVGL_DIR with its default configuration into FOLDER, link
# tests/host/play/lvgl_real.c and the draw unit with it and with the libraries, and run it. A few minutes.
lvgl=$(cd "$1" && pwd) folder=$2
shift 2
rm -rf "$folder" && mkdir -p "$folder/objects" || exit 2
objects=$(cd "$folder/objects" && pwd)
(cd "$lvgl" && find src -name '*.c') | xargs -P "$(nproc)" -I{} sh -c \
    'cd "$1" && gcc -std=gnu11 -O1 -w -DLV_CONF_SKIP -I. -Isrc -c "$3" -o "$2/$(echo "$3" | tr / _).o"' \
    compile "$lvgl" "$objects" {} || exit 2
ar rcs "$folder/liblvgl.a" "$objects"/*.o || exit 2
gcc -std=c11 -O1 -g -Wall -Wextra -Werror -Ispec -Ibuild -Ihost -Ihost/include -Imodel -Ifirmware -isystem "$lvgl" \
    -DLV_CONF_SKIP -o "$folder/lvgl_real" tests/host/play/lvgl_real.c host/lvgl/lv_draw_tessera.c "$folder/liblvgl.a" \
    "$@" \
    -lm || exit 2
"$folder/lvgl_real"
