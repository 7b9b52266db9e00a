#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# picture.sh REPORT.html PICTURE.png: the report's picture of the segments as a file, by a browser without a window.
for name in chromium-headless-shell chromium; do
    [ -z "$browser" ] && command -v $name >/dev/null 2>&1 && browser=$name
done
[ -n "$browser" ] || { echo 'No browser here; make deps-browser installs one.' >&2; exit 1; }
$browser --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=20000 --window-size=1280,760 \
    --user-data-dir=build/report/profile --screenshot="$2" "file://$(realpath "$1")#picture" 2>build/report/browser.log
