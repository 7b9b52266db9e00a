#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the chip's Verilog draws a frame in a browser as the golden model does. Method: the page of `make web-rtl` in
# headless Chromium runs a frame, looked at on the way; a firmware that is none gets one line; a run can be ended.
#   rtl.sh PAGE
# Without a browser or the C++ library for WebAssembly it counts as skipped.
passed=0 failed=0
page=$1
good() { passed=$((passed + 1)); echo "ok    $1"; }
bad() { failed=$((failed + 1)); echo "FAIL  $1"; }
skip() { echo "$1"; echo '0 passed, 0 failed, 1 skipped'; exit 0; }
text() { echo "document.getElementById('$1').textContent"; }
ready='document.getElementById("run") && !document.getElementById("run").disabled'
browse() { tests/web/browse.py "$page" --seconds 200 --until "$ready" "$@" 2>&1; }
[ -s "$page" ] || skip 'no C++ library for WebAssembly here (make deps-web-rtl)'
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || skip 'no browser here'

press='document.getElementById("run").click()'
# Waits for the sentence at the end of a run.
ended='(async () => { for (let i = 0; i < 1800 && !document.getElementById("said").textContent; i++)
    await new Promise(done => setTimeout(done, 100)) })()'
said=$(browse --do 'window.cycles = new Set(); worker = null;
    new MutationObserver(() => window.cycles.add(document.getElementById("facts").textContent))
        .observe(document.getElementById("facts"), { childList: true })' --do "$press" --do "$ended" \
    --print "window.cycles.size + ' looks; ' + $(text said)")
case $said in
*'1 frame in '*'All equals what the golden model draws, to the byte.'*) good "$said" ;;
*) bad "$said" ;;
esac
if [ "${said%% looks*}" -gt 3 ] 2>/dev/null; then good 'it shows itself on the way'; else bad "no looks: $said"; fi
said=$(browse --do 'document.getElementById("firmware-base64").textContent = btoa("no image")' --do "$press" \
    --do "$ended" --print "$(text said)")
case $said in
*'gpu.elf'*) good "no firmware: $said" ;;
*) bad "no firmware: $said" ;;
esac
said=$(browse --do "$press" --do 'new Promise(done => setTimeout(done, 300))' --do "$press" --print "$(text said)")
if [ "$said" = Ended. ]; then good 'it can be ended'; else bad "ended: $said"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
