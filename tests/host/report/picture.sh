#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# picture.sh PAGE WIDTH,HEIGHT PICTURE.png: what a browser without a window shows of a page or an SVG.
for name in chromium-headless-shell chromium; do
    [ -z "$browser" ] && command -v $name >/dev/null 2>&1 && browser=$name
done
[ -n "$browser" ] || { echo 'No browser here; make deps-browser installs one.' >&2; exit 1; }
$browser --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=20000 --window-size="$2" \
    --user-data-dir=build/report/profile --screenshot="$3" "file://$(pwd)/$1" 2>build/report/browser.log
