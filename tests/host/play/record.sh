#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: however a recorded program ends, forks or shows its pictures, there is a whole recording and a line that says
# what it holds, or a line that says why there is none, and a file of the same name is then untouched. Method:
# tests/host/play/ends.c under SDL 1.2 and SDL 2; every recording is played on the golden model and judged by SDL.
#
# record.sh PROGRAM RECORDER FOLDER: build/tessera, build/tessera-record, where ends1 and ends2 are.
tessera=$1 record=$2 folder=$3
out=$folder/record
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
here=$(dirname "$0")
passed=0 failed=0
rm -rf "$out" && mkdir -p "$out"

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
# holds NAME COMMAND...
holds() { label=$1; shift; if "$@"; then good; else bad "$label"; fi; }
# line TEXT: stderr of the recorder is one line, which holds the text
line() { [ "$(grep -c '^tessera-record: ' "$out/err")" -eq "${told:-1}" ] && grep -q -e "$1" "$out/err"; }
# judge NAME STATUS FRAMES: the recorder has ended so, and the recording is whole and has so many frames
judge() {
    holds "$1: exit status $2, not $status" [ "$status" -eq "$2" ]
    holds "$1: the line" line "$out/$1.tsdl: $3 frames" || cat "$out/err"
    "$tessera" play "$out/$1.tsdl" --model --check --no-pictures --out "$out/$1" >"$out/log" 2>&1 && good ||
        { bad "$1: play"; cat "$out/log"; }
    holds "$1: $3 frames" grep -q "\"frames_equal\": $3," "$out/$1/run.json"
    holds "$1: all finished pixels have a reason" "$here/accounted" "$out/$1"
    holds "$1: nothing is left beside it" [ "$(ls "$out" | grep -c "^$1.tsdl")" -eq 1 ]
}
# recorded NAME FRAMES OPTIONS... PROGRAM MODE
recorded() {
    name=$1 frames=$2; shift 2
    timeout -s KILL 20 "$record" -o "$out/$name.tsdl" "$@" 2>"$out/err" >"$out/stdout"
    status=$?
    judge "$name" 0 "$frames"
}
# failed NAME FRAMES TEXT PROGRAM MODE: recorded all the same; a second line has the text, and the status is 1
failed() {
    name=$1 frames=$2 text=$3; shift 3
    timeout -s KILL 20 "$record" -o "$out/$name.tsdl" "$@" 2>"$out/err" >"$out/stdout"
    status=$? told=2
    judge "$name" 1 "$frames"
    told=1
    holds "$name: $text" grep -q "^tessera-record: .* ended $text" "$out/err"
}
# nothing NAME TEXT LINES OPTIONS... PROGRAM: status 2, so many lines, the last with the text; a file is as before
nothing() {
    name=$1 text=$2 lines=$3; shift 3
    echo 'was here' >"$out/$name.tsdl"
    timeout -s KILL 20 "$record" -o "$out/$name.tsdl" "$@" 2>"$out/err" >"$out/stdout"
    status=$?
    holds "$name: exit status 2, not $status" [ $status -eq 2 ]
    holds "$name: $text" sh -c "tail -n 1 '$out/err' | grep -q '$text'" || cat "$out/err"
    counted=$(wc -l <"$out/err")
    holds "$name: $lines lines" [ "$counted" -eq "${lines%-*}" -o "$counted" -eq "${lines#*-}" ]
    holds "$name: the file that was there" [ "$(cat "$out/$name.tsdl")" = 'was here' ]
    holds "$name: nothing is left beside it" [ "$(ls "$out" | grep -c "^$name.tsdl")" -eq 1 ]
}
# stopped NAME WHOM SIGNAL PROGRAM MODE: when it has shown its frames, the signal goes to the recorder or the program
stopped() {
    name=$1 whom=$2 signal=$3; shift 3
    echo 'was here' >"$out/$name.tsdl"
    rm -f "$out/stdout"
    timeout --foreground -s KILL 20 "$record" -o "$out/$name.tsdl" "$@" 2>"$out/err" >"$out/stdout" &
    timeout=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s "$out/stdout" ] && break
        sleep 0.2
    done
    holds "$name: until the end, what was there is there" [ "$(cat "$out/$name.tsdl")" = 'was here' ]
    recorder=$(child_of $timeout)
    if [ "$whom" = recorder ]; then kill -s "$signal" "$recorder"; else kill -s "$signal" "$(child_of "$recorder")"; fi
    wait $timeout
    status=$? told=2
    judge "$name" 1 5
    told=1
    holds "$name: by its signal" grep -q ' ended by signal [0-9]* (' "$out/err"
}
child_of() { cat "/proc/$1/task/$1/children" | cut -d ' ' -f 1; }

# ---- help, and wrong calls
for option in --help -h; do
    "$record" $option >"$out/stdout" 2>"$out/err"
    holds "$option: exit status 0" [ $? -eq 0 ]
    holds "$option: nothing on stderr" [ ! -s "$out/err" ]
    for word in --output --frames --events --wait docs/record.md; do
        holds "$option: $word" grep -q -e "$word" "$out/stdout"
    done
    "$record" $option >/dev/full 2>"$out/err"
    holds "$option: status 2 if standard output is full" [ $? -eq 2 ]
    holds "$option: a line if standard output is full" grep -q 'cannot write to standard output' "$out/err"
done
refused() {
    text=$1; shift
    "$record" "$@" >"$out/stdout" 2>"$out/err"
    holds "$*: exit status 2" [ $? -eq 2 ]
    holds "$*: $text" line "$text" || cat "$out/err"
}
refused 'name a program' -n 5
refused "unknown option '--fast'" --fast true
refused "unknown option '--frame-count=3'. '" --frame-count=3 true
refused "unknown option '--outptu'. Did you mean --output? " --outptu x true
refused "unknown option '--evnets=a'. Did you mean --events? " --evnets=a true
refused "unknown option '--hlep'. Did you mean --help? " --hlep
refused "unknown option '-xz'. '" -xz true
refused "option '--help' takes no value. '" --help=3
refused "option '-n' needs a value" -n
refused "option '--output' needs a value" --output
refused 'tessera-record: --wait 4294967296: give a number from 0 to 2147483647\. ' --wait 4294967296 true
refused 'give a number' -n five true
for event in 40 40:shift ms:a 5s:a 5ms:a:0 idle idle:click=3 idle:a:5x :a; do
    refused 'tessera-record: event .*: write FRAME:KEY\[:FRAMES\], 1500ms:KEY\[:MS\] or idle:KEY' -e "$event" true
done
refused "event '300:a': it is one too many. A list has at most 256 events" -e "$(seq -s ":a " 44 300):a" true
refused 'give a number' -n -5 true
mkfifo "$out/pipe"
refused 'is not a regular file' -o "$out/pipe" true
refused 'No such file' -o "$out/no/folder.tsdl" true
holds 'the pipe is still one' [ -p "$out/pipe" ]

# ---- every end
for sdl in 1 2; do
    program=$folder/ends$sdl
    failed crash$sdl 5 'by signal 6 (Aborted)' "$program" crash
    failed fails$sdl 5 'with exit status 3\.' "$program" fails
    failed orphan$sdl 5 'by signal 6 (Aborted)' -w 0 "$program" orphan
    recorded hidden$sdl 5 "$program" hidden
    "$record" -w 0 -o "$out/early$sdl.tsdl" "$program" early 2>"$out/err"
    holds "early$sdl: exit status 1" [ $? -eq 1 ]
    holds "early$sdl: its signal" line '(signal 6) showed no SDL surface. So nothing was recorded'
    recorded handler$sdl 5 "$program" handler
    recorded child-exits$sdl 5 "$program" child-exits
    recorded child-draws$sdl 5 "$program" child-draws
    recorded child-first$sdl 5 "$program" child-first
    recorded far$sdl 5 "$program" far
    recorded limit$sdl 3 -n 3 "$program" crash
    for signal in TERM INT HUP; do stopped recorder-$signal$sdl recorder $signal "$program" default; done
    for signal in TERM INT KILL; do stopped program-$signal$sdl program $signal "$program" default; done
    # ---- no picture: said while it runs if it runs long, and at the end
    nothing opengl$sdl 'with OpenGL, which is not recorded' 1-2 "$program" opengl
    nothing empty$sdl 'opened a screen, and has shown nothing' 1-2 "$program" empty
    nothing nothing$sdl 'initialised SDL, and has opened no screen' 2 -w 1 "$program" nothing
    holds "nothing$sdl: said early" grep -q 'has shown no surface so far: it has initialised SDL' "$out/err"
    nothing never$sdl 'initialised SDL, and has opened no screen' 1 -w 0 "$program" nothing
done
# ---- SDL under another name: linked, or taken by the program itself
recorded renamed-linked 5 "$folder/loads-linked"
recorded renamed-loaded 5 "$folder/loads" "$folder/lib/libPict-2.0.so.0"
holds 'renamed-loaded: its fills' grep -q ' 5 fills' "$out/err"
recorded taken 5 "$folder/loads" libSDL2-2.0.so.0
nothing none 'called nothing of SDL' 2 -w 0 "$folder/loads" none
holds 'none: it went on' grep -q undisturbed "$out/stdout"
holds 'none: one line for the missing function' \
    [ "$(grep -c 'SDL_FillRect: no loaded library has this function: the call does nothing' "$out/err")" -eq 1 ]

recorded renderer 75 "$folder/ends2" renderer
nothing behind "with a renderer of SDL.s that cannot be recorded" 2 --wait 1 "$folder/ends2" renderer-behind
holds 'behind: said early' grep -q "so far: it shows its pictures with a renderer of SDL's" "$out/err"
# ---- what SDL frees by itself
for mode in logical blended mirrored locked own; do recorded taken-$mode 8 "$folder/taken" $mode; done
for mode in lock resize window quit update screens parts; do
    recorded owned-$mode 10 "$folder/owned" $mode
    holds "owned-$mode: what SDL freed is given up" grep -q '"surfaces_at_once": [1-3],' "$out/owned-$mode/run.json"
done
# ---- what the program writes far apart is written apart: the first screen, and twelve units a frame
recorded dots 20 "$folder/load" dots 20
updated=$(sed -n 's/.*"bytes_updated": \([0-9]*\),.*/\1/p' "$out/dots/run.json")
holds 'dots: bytes' [ "$updated" -le $((640 * 480 * 4 + 20 * 12 * 4)) ]
# ---- events by time, and when the program waits: it would show one frame, or none, and hang
for sdl in 1 2; do
    recorded waits-idle$sdl 4 -w 0 -e 'idle:a idle:b:60 idle:click=9,8 idle:escape' "$folder/waits$sdl"
    recorded waits-time$sdl 3 -w 0 -e '400ms:a 800ms:b:50 1200ms:escape' "$folder/waits$sdl"
    recorded waits-late$sdl 2 -w 0 -e 'idle:a 1:b:1 idle:escape' "$folder/waits$sdl" late
done
# ---- more surfaces than a recording has at a time
recorded many-textures 2 -w 0 "$folder/load" textures 20000
holds 'many-textures: those that came again' grep -q ' 442 calls  of a surface that was dropped' "$out/err"
recorded many-surfaces 2 -w 0 "$folder/load" surfaces 6000
holds 'many-surfaces: those that came again' grep -q ' 6053 calls  of a surface that was dropped' "$out/err"
# early NAME TEXT PROGRAM...: said while it runs, within a second; twice that is given to a machine that is busy
early() {
    name=$1 text=$2; shift 2
    rm -f "$out/err"
    timeout -s KILL 20 "$record" -o "$out/$name.tsdl" "$@" 2>"$out/err" >"$out/stdout" &
    recording=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q "so far: $text" "$out/err" 2>/dev/null && break
        sleep 0.1
    done
    holds "$name: said within a second" grep -q "so far: $text" "$out/err" || cat "$out/err"
    holds "$name: while it runs" [ "$(grep -c . "$out/err")" -eq 1 ]
    wait $recording
    holds "$name: exit status 2" [ $? -eq 2 ]
    holds "$name: said at the end" sh -c "tail -n 1 '$out/err' | grep -q 'nothing was recorded: $text'" ||
        cat "$out/err"
}
# Where there is SDL 3, it asks the recorder for its functions by this name (three.sh).
holds 'an entry for SDL 3' grep -q SDL_DYNAPI_entry "$(dirname "$record")/libtessera-record.so"
early static 'it is linked statically' "$folder/alone-static"
early within 'it has SDL linked in' "$folder/alone-within"
early plain 'it has loaded none of SDL 1.2, 2 and 3' sleep 3
early script 'it has loaded none of SDL 1.2, 2 and 3' sh -c 'sleep 3; true'

# What of a recording the GPU draws is said by the recorder, and by play: in its first line, its last ones and run.json.
software() {
    mode=$1 said=$2 share=$3; shift 3
    "$record" -o "$out/software-$mode.tsdl" "$folder/software" "$mode" 2>"$out/err"
    holds "software $mode: the recorder's line" line "$said" || cat "$out/err"
    "$tessera" play "$out/software-$mode.tsdl" --model --check --no-pictures --out "$out/software" >"$out/log" \
        2>"$out/err"
    holds "software $mode: played" [ $? -eq 0 ]
    holds "software $mode: $share" grep -q "The GPU drew $share % of the pixels shown" "$out/log" || cat "$out/log"
    holds "software $mode: all finished pixels have a reason" "$here/accounted" "$out/software"
    for text; do holds "software $mode: $text" grep -q -e "$text" "$out/log" "$out/software/run.json"; done
}
software pixels 'the GPU has nothing to draw' 0.00 '"finished_by_host": 12288' '"frames_without_drawing": 4'
holds 'software pixels: the first line' sh -c "head -n 1 '$out/err' | grep -q 'So the GPU draws nothing: the host'"
software copy '4 blits, 0 fills' 0.00 '"finished_by_host": 12288' '"frames_without_drawing": 0'
holds 'software copy: another first line' sh -c "! grep -q 'the GPU draws nothing' '$out/err'"
software half '0 blits, 4 fills' 50.00 '"drawn_by_gpu": 6144, "finished_by_host": 6144, "never_written": 0'
software blends ' KB       12 calls  a blend by the source.s alpha' 90.62 \
    ' %        8 calls  another blend mode' '{"blits": 8, "reason": "another blend mode' \
    '"why": "another blend mode' '"why": "a blend by the source'
software twice '40 blits, ' 100.00 '"finished_by_host": 0' '"finished": \[\]'
nothing none 'called nothing of SDL' 1 true

# ---- play makes the folder of its results, and those that it lies in; where a file is none, a line says so
"$tessera" play "$out/crash2.tsdl" --model --no-pictures --out "$out/far/away/deep" >"$out/log" 2>"$out/err"
holds 'a folder in a folder: exit status 0' [ $? -eq 0 ]
holds 'a folder in a folder: it is there' test -s "$out/far/away/deep/run.json"
"$tessera" play "$out/crash2.tsdl" --model --out "$out/crash2.tsdl/deep" >"$out/log" 2>"$out/err"
holds 'a folder in a file: exit status 2' [ $? -eq 2 ]
holds 'a folder in a file: the line' grep -q 'cannot make the directory .*: Not a directory' "$out/err"

# ---- found by its name, in the second folder of PATH; in none
path=$PATH
PATH=/no/such:$(cd "$folder" && pwd):$path
failed by-name 5 'by signal 6 (Aborted)' ends2 crash
PATH=$path
nothing no-such 'there is no program' 1 no-such-program
# What lies behind PATH in the environment is none of its folders.
env -i PATH=/no/such "BEHIND=:$(cd "$folder" && pwd)" "$record" -o "$out/behind.tsdl" ends2 crash 2>"$out/err"
holds 'behind PATH: exit status 2' [ $? -eq 2 ]
holds 'behind PATH: the line' line 'there is no program ends2' || cat "$out/err"

# ---- the program that draws outlives the one that was started: it is waited for, and gets the signal
timeout --foreground -s KILL 20 "$record" -o "$out/outlives.tsdl" sh -c "'$folder/ends2' default & sleep 0.5" \
    2>"$out/err" >"$out/stdout" &
timeout=$!
sleep 1.5
holds 'outlives: it goes on' kill -0 $timeout
kill -s TERM "$(child_of $timeout)"
wait $timeout
status=$? told=2
judge outlives 1 5
told=1

# ---- from another folder, with a name that is relative to this one
mkdir -p "$out/elsewhere"
here=$(pwd)
cd "$out" || exit 1
case $record in /*) ;; *) record=$here/$record ;; esac
"$record" -o relative.tsdl sh -c "cd elsewhere && exec $here/$folder/ends2 crash" 2>err >stdout
cd "$here" || exit 1
holds 'relative name' test -s "$out/relative.tsdl"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
