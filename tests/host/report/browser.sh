#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: out/report.html stands alone, shows what happened, and its controls work. Method: pages of a run on the
# simulated hardware and of 300 frames of a recording (test-report), of a run on the golden model and of a made-up one
# of 300 frames (test-report-rest); each without any reference to another place, and opened in a real browser, where
# report.html#check works every control and judges what it shows.
#   browser.sh WORK PICTURES PAGE...
# WORK is for its files. PICTURES: time line, portion and spoilt page of the first page's run too, or none.
# Without a browser (Debian: chromium-headless-shell or chromium) only the files are judged; the rest counts as skipped.
passed=0 failed=0 skipped=0
work=$1 pictures=$2; shift 2
finish() { echo "$passed passed, $failed failed, $skipped skipped"; [ $failed -eq 0 ]; exit; }
good() { passed=$((passed + 1)); echo "ok    $1"; }
bad() { failed=$((failed + 1)); echo "FAIL  $1"; }

. tests/host/report/open.sh

[ -n "$browser" ] && nothing=$(milliseconds_of_nothing)
for page; do
    if [ ! -s "$page" ]; then bad "$page is not there"; continue; fi
    alone "$page" "$page" run
    # Those that took longest to plan are kept, the longest first; all together took decision_cycles.
    if awk '/"decision_count":/ { split($0, part, /[:,]/); count = part[2]; all = part[4] }
            /"decisions":\[/ { listed = 1; sub(/.*"decisions":/, "") }
            /^"splits":/ { listed = 0 }
            listed && /^\[+-?[0-9]/ {
                gsub(/[][]/, ""); split($0, part, ","); cycles = part[3] - part[2]
                if (rows++ && cycles > last) wrong = 1
                if (rows == 1 && cycles * count < all) wrong = 1
                last = cycles
            }
            END { exit wrong || (count > 0 && rows == 0) }' "$page"
    then good "$page has the slowest decisions"; else bad "$page has not the slowest decisions first"; fi
    size=$(wc -c <"$page")
    if [ "$size" -lt 16777216 ]; then good "$page has $size bytes"; else bad "$page has $size bytes"; fi
    [ -n "$browser" ] || continue
    open "$page#check" --window-size=1280,2400 --dump-dom | sed -n '/<pre id="check"/,/<\/pre>/p' |
        sed 's/<[^>]*>//g' >$work/check.txt
    cat $work/check.txt
    passed=$((passed + $(grep -c '^ok ' $work/check.txt))) failed=$((failed + $(grep -c '^FAIL' $work/check.txt)))
    if [ "$(grep -c '^ok ' $work/check.txt)" -gt 30 ]; then good "$page has judged itself"
    else bad "$page did not finish its own test"; cat $work/browser.log; fi
    # Wall time of start, load, draw and end, less what a browser needs for nothing. The machine may be busy with
    # other things, so the best of five counts.
    best=100000
    for try in 1 2 3 4 5; do
        [ $best -lt 3000 ] && continue
        shown=$(($(milliseconds "$page") - nothing))
        [ $shown -lt $best ] && best=$shown
    done
    if [ $best -lt 3000 ]; then good "$page is loaded and drawn in $best ms"; else bad "$page needs $best ms"; fi
done

[ "$pictures" = pictures ] || finish
# The time line that make picture draws of the same run: every lane has spans, every kind of arrow occurs.
svg=$work/timeline.svg
for part in '>plan' '>paging' 'class="submission"' 'class="portion"' 'class="paging"' 'class="wait"' \
    'fill="#5b8ec4"'; do
    if [ "$(grep -c -e "$part" "$svg")" -gt 0 ]; then good "$svg has $part"; else bad "$svg lacks $part"; fi
done
# The portion that make picture draws: it has pages in and evictions, and every lane has spans.
svg=$work/portion.svg
for part in '>page in' '>evict' '>COPY_LIST' '>plan' '>1: ' '>a: '; do
    if [ "$(grep -c -e "$part" "$svg")" -gt 0 ]; then good "$svg has $part"; else bad "$svg lacks $part"; fi
done
if [ -n "$browser" ]; then
    open "$1" --window-size=1280,2400 --screenshot=$work/screenshot.png
    if [ "$(wc -c <$work/screenshot.png)" -gt 100000 ]; then good "a screenshot, see $work/screenshot.png"
    else bad 'no screenshot'; fi
    # A page whose data lie must not pass: an allocation outside its segment.
    sed 's/^"segments":\[\[1,[0-9]*\]/"segments":[[1,1]/' "$1" >$work/spoilt.html
    if open "$work/spoilt.html#check" --dump-dom | grep -q '^FAIL  every stay lies in its segment'
    then good 'a spoilt page fails its own test'; else bad 'a spoilt page passes its own test'; fi
fi
finish
