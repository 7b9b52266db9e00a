#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# real.sh LVGL_DIR FOLDER ROWS LIBRARY...: each row of tests/host/lvgl/list that the pattern ROWS is in, with the LVGL
# in LVGL_DIR, which is compiled into FOLDER. Its demos run for some minutes.
lvgl=$1 folder=$2 rows=$3 failed=0
shift 3
minor=$(cat "$lvgl/lv_version.h" "$lvgl"/include/lvgl/lv_version.h 2>/dev/null |
    sed -n 's/.*LVGL_VERSION_MINOR *\([0-9]*\).*/\1/p' | head -n 1) # 9.6 has it in include/
mkdir -p "$folder"
grep -v '^#' tests/host/lvgl/list | grep -e "$rows" > "$folder/rows" ||
    { echo "no row of the list has $rows in it" >&2; exit 2; }
while read -r least demo format frames levels share way; do
    [ "$minor" -ge "$least" ] || continue
    depth=32
    [ "$format" = RGB565 ] && depth=16
    [ "$format" = RGB888 ] && depth=24
    built=$folder/9.$minor-$depth
    # 9.6 calls deprecated what these demos need for 9.4 and 9.5: no error of ours.
    if [ ! -x "$built/demos" ] || [ -n "$(find host/clients/lvgl tests/host/lvgl "$@" -newer "$built/demos")" ]; then
        tests/host/lvgl/build.sh "$lvgl" "$built" $depth || exit 2
        gcc -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wno-deprecated-declarations -Ispec -Ibuild \
            -Ihost -Ihost/include -Imodel -Ifirmware -isystem "$lvgl" \
            -isystem "$lvgl/src" -Itests/host/lvgl -DLV_CONF_INCLUDE_SIMPLE -DLVGL_DEPTH=$depth \
            -o "$built/demos" tests/host/lvgl/demos.c tests/host/lvgl/pictures.c tests/host/lvgl/whole.c \
            host/clients/lvgl/*.c host/lib/device/drm_kernel.c host/lib/device/transport_drm.c "$built/liblvgl.a" \
            "$@" -lm || exit 2
    fi
    "$built/demos" "$demo" "$format" "$frames" "$levels" "$share" ${way:+"$way"} ||
        { echo "failed: $demo $format, at most $levels levels, at least $share %"; failed=1; }
done < "$folder/rows"
exit $failed
