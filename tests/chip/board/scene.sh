#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scene.sh PROGRAM TEXTURES SEGMENT1 SEGMENT2 (pages); PROGRAM of build/ is the simulated board
# Goal: the scene of `make run`, at reduced size, is drawn right on a board and seen on its display.
# Method: `tessera run` over the simulated board's serial line, with the limits of docs/boards.md. The frame is compared
# with the plain C rendition, and a picture that the display has decoded with the frame. The simulated board ends with
# an error when a rule of the SDRAM, an assertion or the display's signal was broken.
program=$1; shift
out=build/board/scene-$program
passed=0 failed=0
rm -rf $out && mkdir -p $out
"build/$program" --port 0 --once --frames $out >$out/board.log 2>&1 &
board=$!
trap 'kill $board 2>/dev/null' EXIT
for tenth in $(seq 600); do
    port=$(sed -n 's/^listening on port //p' $out/board.log)
    [ -n "$port" ] && break
    sleep 0.1
done

# holds NAME COMMAND...
holds() {
    name=$1; shift
    if "$@" >>$out/log 2>&1; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name"; tail -n 5 $out/log; fi
}
counted() { grep -q "^  \"$1\": [1-9]" $out/run.json; }

holds 'draws the frame' build/tessera run --device "tcp:127.0.0.1:$port" --display --frames 1 --textures "$1" \
    --copy-only --segment1 "$2" --segment2 "$3" --no-compare --out $out
holds 'equals the golden model' grep -q '"matches_golden": true' $out/run.json
holds 'without a fault' grep -q '"faults": 0,' $out/run.json
for count in splits evictions paging_buffers; do holds "with $count" counted $count; done
holds 'seen on the display' build/board/check_display $out/frame-00.png $out/display-*.png
wait $board
holds 'no rule of memory or display broken' [ $? -eq 0 ]
cat $out/board.log
trap - EXIT
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
