#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the page of the machine in a browser works every control, says one line about what is wrong, stands alone and
# fits a narrow window. Method: its own test (#check, web/page/page_check.js) in headless Chromium at two widths; a
# browser without WebAssembly; a dark system and one that wants no motion; a page that lies has to fail.
#   page.sh PAGE quick|whole
# Without a browser (Debian: chromium-headless-shell or chromium) only the file is judged; the rest counts as skipped.
passed=0 failed=0 skipped=0
page=$1 kind=$2
work=build/web/page-$kind
mkdir -p $work
good() { passed=$((passed + 1)); echo "ok    $1"; }
bad() { failed=$((failed + 1)); echo "FAIL  $1"; }
browse() { tests/web/browse.py "$@" 2>$work/browser.log; }
ready='window.shownAfter > 0'
text() { echo "document.getElementById('$1').textContent"; }

[ -s "$page" ] || {
    echo 'no clang for WebAssembly here (make deps-web)'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
}
# Scripts name no other place; the machine inside, a line of base64, is no text.
if grep -v '^[A-Za-z0-9+/=]\{1000,\}$' "$page" |
    grep -Eq '(https?://|<script[^>]+src|<link[^>]+href="[^d]|@import|url\()'
then bad "$page refers to another place"; else good "$page refers to nothing else"; fi
size=$(wc -c <"$page")
if [ "$size" -lt 10000000 ]; then good "$page is below 10 MB"; else bad "$page has $size bytes"; fi

judge() { # WIDTH,HEIGHT OPTIONS...: the page's own test
    window=$1; shift
    browse "$page#check$fragment" --size "$window" --seconds 560 --until 'document.title == "checked"' \
        --print "$(text check)" "$@" >$work/check.txt
    status=$?
    cat $work/check.txt
    passed=$((passed + $(grep -c '^ok ' $work/check.txt))) failed=$((failed + $(grep -c '^FAIL' $work/check.txt)))
    if [ $status = 0 ] && [ "$(grep -c '^ok ' $work/check.txt)" -gt 50 ]; then good "it has judged itself at $window"
    else bad "it did not finish its own test at $window"; cat $work/browser.log; fi
}

command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || {
    echo 'No browser here (make deps-browser): the page is not opened.'
    echo "$passed passed, $failed failed, 1 skipped"
    [ $failed -eq 0 ]; exit
}
fragment= ; [ "$kind" = quick ] && fragment='=quick'
judge 1280,900
[ "$kind" = quick ] && judge 390,844 --dark
[ "$kind" = whole ] && { fragment='=quick'; judge 390,844 --dark; }

said=$(browse "$page" --before 'delete window.WebAssembly' --until '!document.getElementById("trouble").hidden' \
    --print "$(text trouble)")
case $said in
*'no WebAssembly'*) good "without WebAssembly: $said" ;;
*) bad "without WebAssembly: $said" ;;
esac
said=$(browse "$page" --still --until "$ready" --print 'isPlaying')
if [ "$said" = False ]; then good 'a system that wants no motion gets a page that stands'
else bad "it moves: $said"; fi
said=$(browse "$page" --until "$ready && M.state.position.operation > 5" --print 'isPlaying')
if [ "$said" = True ]; then good 'what is seen first is a running machine'; else bad "it stands: $said"; fi
said=$(browse "$page" --dark --until "$ready" --print 'document.documentElement.dataset.theme')
if [ "$said" = dark ]; then good 'a dark system gets a dark page'; else bad "a dark system gets: $said"; fi

# A machine that lies must not pass: an allocation that the map shows elsewhere than the machine has it.
browse "$page#check=quick" --seconds 120 --before 'window.lies = true' --until 'document.title == "checked"' \
    --print "$(text check)" >$work/lying.txt
if grep -q '^FAIL  segment 2: what lies under the pointer' $work/lying.txt
then good 'a page that shows something else fails'; else bad 'a page that lies passes'; fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
