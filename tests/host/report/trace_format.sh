#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: trace.json keeps the rules of the Trace Event format, its tracks stand in the order of use, and the queries of
# docs/views.md answer. Method: trace_format.c over runs of scene and recording, on the golden model and the simulated
# chip, by segment and by page; then over traces in which one rule is broken, each of which it has to refuse.
#   trace_format.sh PROGRAM TRACE_FORMAT RUNS FOLDER (tests/host/report/runs.mk)
program=$1 judge=$2 runs=$3 work=$4
passed=0 failed=0
good() { passed=$((passed + 1)); echo "ok    $1"; }
bad() { failed=$((failed + 1)); echo "FAIL  $1"; }
rm -rf "$work" && mkdir -p "$work"

# judged NAME segments|pages: the trace of a run
judged() {
    name=$1 kind=$2
    $judge "$kind" "$work/$name/trace.json" >"$work/$name.judged"
    if [ $? -eq 0 ]; then good "the trace of $name"; else bad "the trace of $name"; cat "$work/$name.judged"; fi
    passed=$((passed + $(grep -c '^ok ' "$work/$name.judged")))
}
# sound NAME segments|pages COMMAND...: a run of the program, its trace judged
sound() {
    name=$1 kind=$2; shift 2
    "$program" "$@" --out "$work/$name" >"$work/$name.log" 2>&1 || bad "$name: $*"
    judged "$name" "$kind"
}
sound model segments run --model --copy-only --frames 2 --no-compare
sound pages pages run --model --copy-only --frames 2 --no-compare --page-tracks
sound mapped segments run --model --frames 2 --no-compare
cp -r "$runs/chip" "$work"
judged chip segments
sound play segments play "$runs/play/blends.tsdl" --model --frames 0..9
sound play-pages pages play "$runs/play/blends.tsdl" --model --frames 0..9 --page-tracks

# By default a segment is one track; by page they are hundreds.
tracks() { grep -c '"thread_name"' "$work/$1/trace.json"; }
if [ "$(tracks model)" -lt 10 ] && [ "$(tracks pages)" -gt 100 ]; then good 'few tracks, or many'
else bad "few tracks, or many: $(tracks model), $(tracks pages)"; fi

# broken RULE SED: the trace of the chip with a rule broken
broken() {
    sed "$2" "$work/chip/trace.json" >"$work/broken.json"
    if cmp -s "$work/chip/trace.json" "$work/broken.json"; then bad "$1: nothing is broken"
    elif $judge segments "$work/broken.json" >"$work/broken.judged"; then bad "$1 is not noticed"
    else good "$1 is noticed"; fi
}
broken 'a phase that is not known' '0,/"ph":"i"/s//"ph":"Q"/'
broken 'a span without length'     '0,/,"dur":[0-9]*/s///'
broken 'a negative time'           '0,/"ts":/s//"ts":-/'
broken 'a time that is a text'     '0,/"ts":\([0-9]*\)/s//"ts":"\1"/'
broken 'a track without a name'    '/"thread_name","args":{"name":"firmware"/d'
broken 'a track named twice'       '/"thread_name","args":{"name":"firmware"/{p}'
broken 'a track without a place'   '/"tid":2,"name":"thread_sort_index"/d'
broken 'a place that is taken'     's/\("thread_sort_index","args":{"sort_index":\)2}/\11}/'
broken 'a group without a name'    '/"process_name","args":{"name":"residency of segment 2"/d'
broken 'another order'             's/"args":{"name":"host"}/"args":{"name":"guest"}/'
broken 'a track that is empty'     's/"tid":1,\("name":"thread_name","args":{"name":"segment 2"}\)/"tid":9,\1/'
broken 'an end that is missing'    '/"ph":"e"/{/"name":"frame 0"/d}'
broken 'a begin that is missing'   '/"ph":"b"/{/"name":"frame 0"/d}'
broken 'a counter of texts'        '0,/"busy":\([0-9]*\)/s//"busy":"\1"/'
broken 'a counter without lines'   '0,/\("ph":"C".*\),"args":{.*}}/s//\1}/'
broken 'an arrow without a number' '0,/\("ph":"s".*\),"id":[0-9]*/s//\1/'
broken 'an arrow to the next span' '0,/,"bp":"e"/s///'
broken 'an instant of no track'    '0,/"s":"t"/s//"s":"x"/'
broken 'spans that cross'          '/"name":"grant, patch, submit portion 3"/s/"dur":/&9/'
broken 'decisions around nothing'  '/"name":"decide portion/d'
other='{"ph":"M","pid":12,"tid":2,"name":"thread_name","args":{"name":"x"}},'
other="$other"'\n{"ph":"M","pid":12,"tid":2,"name":"thread_sort_index","args":{"sort_index":2}},'
broken 'two tracks of a segment'   '0,/\("pid":12,"tid":\)1\(,.*\)$/s//\12\2\n'"$other/"
broken 'a list without an end'     '$d'

for name in model chip; do
    tests/host/report/queries.py docs/views.md "$work/$name" >"$work/$name.queries" 2>&1
    if [ $? -eq 0 ]; then good "the queries of docs/views.md over the run $name"
    else bad "the queries of docs/views.md over the run $name"; fi
    cat "$work/$name.queries"
    passed=$((passed + $(grep -c '^ok ' "$work/$name.queries")))
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
