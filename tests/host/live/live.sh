#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: under tessera-live a program's screen is what the GPU drew, equal to SDL's in every pixel, however the program
# draws and ends, and a line says how much of it was the GPU's; what cannot be drawn is said within a second; a picture
# that is not SDL's is noticed. Method: tests/host/live/shown.c says what its screen is before and after each present;
# the programs that the recorder is tested with (tests/host/play) draw and end in every way, or cannot be drawn.
#
# live.sh LIVE FOLDER PLAY_FOLDER: build/tessera-live, where shown1 and shown2 are, where the recorder's programs are.
live=$1 folder=$2 play=$3
out=$folder/out
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
passed=0 failed=0
rm -rf "$out" && mkdir -p "$out"
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
# holds NAME COMMAND...
holds() { label=$1; shift; if "$@"; then good; else bad "$label"; cat "$out/err"; fi; }
said() { grep -q -e "$1" "$out/err"; }
# run NAME STATUS OPTIONS... PROGRAM: it ends so
run() {
    name=$1 wanted=$2; shift 2
    timeout -s KILL 120 "$live" "$@" 2>"$out/err" >"$out/stdout"
    status=$?
    holds "$name: exit status $wanted, not $status" [ $status -eq "$wanted" ]
}
# The reasons' shares are what SDL or the program drew, each rounded to a tenth.
accounted() {
    sed -n 's/.*or the program drew \([0-9.]*\) %.*/all \1/p; s/^ *\([0-9.]*\) % .*/\1/p' "$out/err" | awk '
        /^all/ { all = $2; next }
        { sum += $1; count++ }
        END { exit all == "" || sum - all > 0.06 * (count + 1) || all - sum > 0.06 * (count + 1) }'
}
share() { sed -n 's/.*The GPU drew \([0-9]*\)\.[0-9] % of the pixels shown.*/\1/p' "$out/err"; }
# exact NAME FRAMES SHARE OPTIONS... PROGRAM: so many frames, all of them equal to SDL's, and so many percent the GPU's
exact() {
    name=$1 frames=$2 least=$3; shift 3
    run "$name" 0 --check "$@"
    holds "$name: $frames frames, all SDL's" said ": $frames frames, $frames of them equal to SDL's in every pixel\."
    holds "$name: $least % drawn" [ "$(share)" -ge "$least" ]
    holds "$name: reasons for all that came finished" accounted
    holds "$name: nothing unlike" sh -c "! grep -q \"differs from SDL's\" '$out/err'"
}
child_of() { cut -d ' ' -f "$2" "/proc/$1/task/$1/children"; }

# ---- help, and wrong calls
for option in --help -h; do
    "$live" $option >"$out/stdout" 2>"$out/err"
    holds "$option: exit status 0" [ $? -eq 0 ]
    for word in --device --approximate --check --frames --events --wait --allocations --contexts docs/live.md; do
        holds "$option: $word" grep -q -e "$word" "$out/stdout"
    done
    "$live" $option >/dev/full 2>"$out/err"
    holds "$option: status 2 if standard output is full" [ $? -eq 2 ]
    holds "$option: a line if standard output is full" grep -q 'cannot write to standard output' "$out/err"
done
# refused TEXT OPTIONS...: status 2 after one line with the text
refused() {
    text=$1; shift
    run "$*" 2 "$@"
    holds "$*: $text" said "$text"
    holds "$*: one line" [ "$(grep -c '^tessera-live: ' "$out/err")" -eq 1 ]
}
refused 'name a program' -n 5
refused "unknown option '--fast'" --fast true
refused "unknown option '--aproximate'. Did you mean --approximate? " --aproximate true
refused "unknown option '--allocation-count'. '" --allocation-count 3 true
refused "option '--check' takes no value. '" --check=yes true
refused "option '-n' needs a value" -n
refused "tessera-live: event '40:shift': write FRAME:KEY" -e 40:shift true
refused 'give a number' -n five true
refused 'contexts' --contexts 257 true
refused 'there is no program' no-such-program
refused "there is no device 'toaster': name model, simulator" -d toaster true
refused 'nothing was drawn: it has called nothing of SDL' -w 0 true

# ---- what is shown is what the GPU drew: it is SDL's, and where the GPU is spoilt it is not
for sdl in 1 2; do
    exact shown$sdl 20 90 "$folder/shown$sdl"
    cp "$out/stdout" "$out/own$sdl"
    holds "shown$sdl: 20 frames" [ "$(wc -l <"$out/stdout")" -eq 20 ]
    holds "shown$sdl: they move" [ "$(cut -d ' ' -f 2 "$out/stdout" | sort -u | wc -l)" -eq 20 ]
    holds "shown$sdl: the same before and behind" [ "$(awk '$2 != $3' "$out/stdout" | wc -l)" -eq 0 ]
    holds "shown$sdl: one closing line" [ "$(grep -c 'of the pixels shown' "$out/err")" -eq 1 ]
    holds "shown$sdl: its operations" said 'with 60 blits and 41 fills\. '
    holds "shown$sdl: no call left to SDL" [ "$(grep -c ' calls ' "$out/err")" -eq 0 ]
    holds "shown$sdl: its time" said 'model took [0-9]*\.[0-9]* ms a frame$'
    "$folder/shown$sdl" >"$out/alone"
    holds "shown$sdl: as without the GPU" cmp -s "$out/alone" "$out/own$sdl"
    run "spoil$sdl" 1 --check --spoil "$folder/shown$sdl"
    holds "spoil$sdl: said" said "frame 0 differs from SDL's: 1 pixels, by up to [0-9]* levels of 255, the first at 0"
    holds "spoil$sdl: it is what is shown" [ "$(awk '$2 != $3 {print $1}' "$out/stdout")" = 0 ]
    run "unchecked$sdl" 0 --spoil "$folder/shown$sdl"
    holds "unchecked$sdl: counted" said ' 20 frames, 19 of them equal to SDL'
    holds "unchecked$sdl: no mode" said '20 frames were read back: the display has no mode of 200 x 120 in '
    # ---- what has a mode's size is what the display shows, after a flip
    exact flips$sdl 20 99 "$folder/shown$sdl" 0 640 480
    holds "flips$sdl: said" said '20 frames were shown by flips of the display$'
    holds "flips$sdl: nothing else" sh -c "! grep -q 'read back' '$out/err'"
    holds "flips$sdl: they move" [ "$(cut -d ' ' -f 2 "$out/stdout" | sort -u | wc -l)" -eq 20 ]
    holds "flips$sdl: the same before and after" [ "$(awk '$2 != $3' "$out/stdout" | wc -l)" -eq 0 ]
    run "spoil-flips$sdl" 1 --check --spoil "$folder/shown$sdl" 0 800 600
    holds "spoil-flips$sdl: said" said "frame 0 differs from SDL's: 1 pixels, by up to [0-9]* levels of 255, "
    holds "spoil-flips$sdl: it is what is shown" [ "$(awk '$2 != $3 {print $1}' "$out/stdout")" = 0 ]
done

# ---- every way to draw
exact sprites-8 24 0 "$play/sprites1" 8
holds 'sprites-8: why' said ' % *192 calls  onto 8 bits with another palette$'
exact sprites-16 24 65 "$play/sprites1" 16
holds 'sprites-16: why' said ' % *72 calls  rounded differently by SDL 1.2 or SDL 3$'
exact sprites-32 24 65 "$play/sprites1" 32
exact sprites 24 80 "$play/sprites2"
holds 'sprites: why' said ' % *48 calls  a blend of bytes in another order than ARGB$'
for kind in fills lines copies scaled geometry states turns; do exact $kind 12 1 "$play/rendered" $kind 12 5; done
exact rendered 30 40 "$play/rendered" all 30 1
holds 'rendered: why' said ' % *[0-9]* calls  a copy turned by another angle than a quarter (SDL.s renderer)$'
holds 'rendered: why' said ' % *[0-9]* calls  triangles'
exact software 4 0 "$play/software" pixels
holds 'software: said' said 'SDL or the program drew 100.0 %:'
holds 'software: why' said 'The program draws its frames by itself'

# ---- more surfaces than a recording has at a time
exact many-textures 2 70 "$play/load" textures 20000
holds 'many-textures: said' said ' % *442 calls  of a surface that was dropped'
exact many-surfaces 2 45 "$play/load" surfaces 20000

# ---- keys when the program waits
exact waits 3 100 -w 0 -e 'idle:a idle:b idle:escape' "$play/waits2"

# ---- small writes by the program between blits
exact writes 3 95 "$play/load" writes 300

# ---- what no call says alone: clears of all the target, updates from surfaces, mirrored rectangles, the program's own
# fills and copies. What the GPU does not draw is the first picture of a surface.
taken() { share=$1; shift; exact "taken $*" 8 "$share" "$play/taken" "$@"; }
for mode in logical viewport clip blended; do taken 100 $mode; done
for kinds in 'xrgb xrgb' 'argb argb' 'xrgb argb' 'argb xrgb' 'rgb rgb'; do
    taken 100 update $kinds all
    taken 100 update $kinds older
    taken 92 update $kinds part
done
taken 98 mirrored
taken 87 locked
taken 80 own

# ---- SDL under another name
exact renamed-linked 5 100 "$play/loads-linked"
exact renamed-loaded 5 100 "$play/loads" "$play/lib/libPict-2.0.so.0"

# ---- every format onto every screen: what the GPU draws otherwise than this very SDL is known
for bits in 15 16 24 32; do exact formats-$bits 30 2 "$folder/formats1" $bits; done
exact formats 30 35 "$folder/formats2" 32
exact pairs 832 50 "$folder/pairs2"
for sdl in 1 2; do
    run approximate-formats$sdl 1 --approximate --check "$folder/formats$sdl" 32
    holds "approximate-formats$sdl: seen" said "frame [0-9]* differs from SDL's: [0-9]* pixels, by up to [1-9] levels"
done

# ---- what SDL rounds otherwise, drawn by the GPU all the same: more of it, and a little unlike
run approximate 0 --approximate "$play/sprites1" 32
holds 'approximate: 90 % drawn' [ "$(share)" -ge 90 ]
holds 'approximate: nothing left' [ "$(grep -c ' calls ' "$out/err")" -eq 0 ]
run approximate-check 1 -a -c "$play/sprites1" 32
holds 'approximate-check: by few levels' said "frame 2 differs from SDL's: [0-9]* pixels, by up to [1-4] levels"

# ---- a recorder that drops keys: the GPU draws what it is told, and that is noticed
honest=$live live=$folder/spoilt/tessera-live
run dropped 1 --check "$folder/shown2"
holds 'dropped: noticed' said "frame 0 differs from SDL's: [0-9]* pixels"
live=$honest

# ---- the simulated chip: the same
exact chip 2 90 --device simulator --frames 2 "$folder/shown2"
holds 'chip: its cycles' said 'simulator took .* ms a frame, [0-9]* cycles$'
head -n 1 "$out/own2" >"$out/first"
holds 'chip: the same picture' cmp -s "$out/first" "$out/stdout"

# ---- every end
for sdl in 1 2; do
    for mode in crash fails orphan; do
        run $mode$sdl 1 --check "$play/ends$sdl" $mode
        holds "$mode$sdl: 5 frames" said ': 5 frames, 5 of them equal to SDL'
        [ $mode = fails ] && text='with exit status 3\.' || text='by signal 6 (Aborted)'
        holds "$mode$sdl: said" said "^tessera-live: .* ended $text"
    done
    for mode in hidden handler child-exits child-draws child-first far; do
        exact $mode$sdl 5 50 "$play/ends$sdl" $mode
    done
    exact limit$sdl 3 50 -n 3 "$play/ends$sdl" crash
    for signal in TERM INT KILL; do
        rm -f "$out/stdout"
        timeout --foreground -s KILL 60 "$live" -c "$play/ends$sdl" default 2>"$out/err" >"$out/stdout" &
        timeout=$!
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s "$out/stdout" ] && break; sleep 0.2; done
        launcher=$(child_of $timeout 1)
        if [ $signal = KILL ]; then kill -s KILL "$(child_of "$launcher" 2)"; else kill -s $signal "$launcher"; fi
        wait $timeout
        status=$?
        holds "$signal$sdl: exit status 1, not $status" [ $status -eq 1 ]
        holds "$signal$sdl: said" said '^tessera-live: .* ended by signal [0-9]* ('
        holds "$signal$sdl: 5 frames" said ': 5 frames, 5 of them equal to SDL'
    done
    run opengl$sdl 2 "$play/ends$sdl" opengl
    holds "opengl$sdl: said" said 'nothing was drawn: it shows its pictures with OpenGL'
done

# ---- the GPU dies: a line says so, and the program goes on
timeout --foreground -s KILL 60 "$live" "$folder/shown2" 100 2>"$out/err" >"$out/stdout" &
timeout=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s "$out/stdout" ] && break; sleep 0.1; done
kill -s KILL "$(child_of "$(child_of $timeout 1)" 1)"
wait $timeout
holds 'the GPU is gone: exit status 1' [ $? -eq 1 ]
holds 'the GPU is gone: said' said "^tessera-live: the GPU: has exited. SDL draws the remaining frames.$"
holds 'the GPU is gone: the program is not' [ "$(wc -l <"$out/stdout")" -eq 20 ]
holds 'the GPU is gone: its screen is SDL.s' [ "$(awk '$2 != $3' "$out/stdout" | wc -l)" -eq 0 ]

# ---- what cannot be drawn is said within a second, while it runs; twice that is given to a machine that is busy
early() {
    name=$1 text=$2; shift 2
    rm -f "$out/err"
    timeout -s KILL 20 "$live" "$@" 2>"$out/err" >"$out/stdout" &
    running=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q "so far: $text" "$out/err" 2>/dev/null && break
        sleep 0.1
    done
    holds "$name: said within a second" said "so far: $text"
    wait $running
    holds "$name: exit status 2" [ $? -eq 2 ]
    holds "$name: said at the end" said "nothing was drawn: $text"
}
early static 'it is linked statically' "$play/alone-static"
early within 'it has SDL linked in' "$play/alone-within"
early plain 'it has loaded none of SDL 1.2, 2 and 3' sleep 3
early behind "it shows its pictures with a renderer of SDL's" "$play/ends2" renderer-behind

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
