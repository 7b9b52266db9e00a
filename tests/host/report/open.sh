# SPDX-License-Identifier: Apache-2.0
# A page in a real browser, for scripts that count what is `good` and `bad` and keep files in $work. Debian:
# chromium-headless-shell or chromium; without one $browser is empty, and `skipped` is 1.
for name in chromium-headless-shell chromium; do
    [ -z "$browser" ] && command -v $name >/dev/null 2>&1 && browser=$name
done
[ -n "$browser" ] || { skipped=1; echo "No browser here (make deps-browser): the pages are not opened."; }

# open PAGE#FRAGMENT OPTIONS...: what the browser prints; it takes 20 s of the page's time at most
open() {
    opened=$1; shift
    timeout 300 $browser --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=20000 \
        --user-data-dir="$work/profile" "$@" "file://$(pwd)/$opened" 2>"$work/browser.log"
}

# milliseconds PAGE: from the start of a browser to its end, with a picture of the page
milliseconds() {
    begin=$(date +%s%N)
    open "$1" --screenshot="$work/loaded.png" >/dev/null
    echo $((($(date +%s%N) - begin) / 1000000))
}
# What a browser needs for nothing: the shorter of two.
milliseconds_of_nothing() {
    first=$(milliseconds tests/host/report/empty.html) again=$(milliseconds tests/host/report/empty.html)
    if [ "$again" -lt "$first" ]; then echo "$again"; else echo "$first"; fi
}

# alone NAME PAGE VARIABLE: the page refers to no other place. The data of the run, in `const VARIABLE`, are no
# references; what is left must not name a protocol or load a file.
alone() {
    awk -v first="^const $3 = {" '$0 ~ first { data = 1 } !data { print } /^};$/ { data = 0 }' "$2" >"$work/page.txt"
    if grep -Eq '(https?:|//[a-z]|<script[^>]+src|<link[^>]+href="[^d]|@import|url\()' "$work/page.txt"
    then bad "$1 refers to another place"; else good "$1 refers to nothing else"; fi
}
