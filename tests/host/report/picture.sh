#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# picture.sh PAGE WIDTH,HEIGHT PICTURE.png: what a browser without a window shows of a page or an SVG.
work=build/report
. tests/host/report/open.sh
[ -n "$browser" ] && open "$1" --window-size="$2" --screenshot="$3"
