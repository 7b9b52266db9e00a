#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: a wrong call of build/tessera ends with one clear line on stderr that says what to do, and exit status 2;
# results are where they are promised and well formed.
passed=0 failed=0
work=build/scene/program
mkdir -p $work/spoilt

# refused TEXT OPTIONS...: exit status 2, exactly one line, with TEXT in it
refused() {
    text=$1; shift
    timeout 60 build/tessera "$@" >$work/stdout 2>$work/stderr
    status=$?
    lines=$(wc -l <$work/stderr)
    if [ $status -eq 2 ] && [ "$lines" -eq 1 ] && grep -q -e "$text" $work/stderr; then
        passed=$((passed + 1)); echo "ok    $*"
    else
        failed=$((failed + 1)); echo "FAIL  $*: exit status $status, $lines lines:"; cat $work/stderr
    fi
}

# ends_with STATUS OPTIONS...
ends_with() {
    expected=$1; shift
    build/tessera "$@"
    [ $? -eq "$expected" ]
}

# holds NAME COMMAND...
holds() {
    name=$1; shift
    if "$@" >$work/stdout 2>&1; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name"; cat $work/stdout; fi
}

refused "unknown command 'draw'" draw
refused "unknown command 'rnu'. Did you mean run?" rnu
refused "unknown command 'compaer'. Did you mean compare?" compaer
refused "unknown option '--fast'" run --fast
refused "unknown option '--frmaes=3'. Did you mean --frames?" run --frmaes=3
refused "unknown option '--segment'" run --segment 3
refused "unknown option '-xy'" run -xy
refused '--frames needs a value: --frames N' run --frames
refused '--model takes no value' run --model=3
refused 'from 1 to 999' run --frames 0
refused 'from 1 to 999' run --frames 8x
refused 'from 1 to 999' run --frames -3
refused 'small or large' run --local tiny
refused 'literal, lookahead' run --policy best
refused "unexpected argument 'one'" run --model one two
refused '--wad' run --model --wad $work/there-is-none.wad
refused 'freedoom' run --model --wad build/tessera
refused '--out' run --model --out /dev/null/x
refused 'make' info --model --claim-abi 0x12345678
# grouped COMMAND: the help has headings, and what is for tests has its own, after all others
grouped() {
    build/tessera "$1" --help >$work/help
    [ "$(grep -c '^[A-Z]' $work/help)" -ge "$2" ] && grep -q '^Device$' $work/help &&
        ! sed '/^For tests$/,$d' $work/help | grep -q -e '--spoil\|--force\|--claim-abi'
}
for command in run gdb play; do holds "the help of $command" grouped $command 5; done
holds 'the help of replay' grouped replay 5
holds 'the help of contend' grouped contend 4
# What would change nothing is a mistake of the caller's, and is not ignored.
for option in '--max-cycles 9' '--until 9' '--latency 9' '--stall 9' '--firmware x' '--fst x'; do
    refused "${option% *} has no effect on the golden model" run --model $option
done
refused 'needs a board. Name it with --device' run --display
refused 'need --fst FILE' run --fst-from 5
refused "unknown option '--frames'" info --frames 3
refused "unknown option '--scene'" bad-input --scene freedoom
if [ "$1" != model ]; then
    refused 'make firmware' info --firmware $work/there-is-none.elf
    refused 'RISC-V' info --firmware build/tessera
    printf 'This text is long enough for the header of an image, which it is not.' >$work/text
    refused 'not an ELF' info --firmware $work/text
    refused 'make' info --claim-abi 0x12345678
    holds 'limit of cycles ends a run' ends_with 2 run --max-cycles 20000 --no-compare --out $work/spoilt
    # limited: with the comparison run beside it there is still one report, of the run that is shown
    limited() {
        build/tessera run --max-cycles 20000 --out $work/spoilt >$work/limited 2>&1
        [ $? -eq 2 ] && [ "$(grep -c '^simulator: cycle' $work/limited)" -eq 1 ]
    }
    holds 'and makes one report' limited
    # ended CYCLE [OPTION...]: a run that ends at the cycle that was asked for ends well, says so in one line after
    # that of its textures, and leaves no picture and no number behind
    ended() {
        cycle=$1; shift
        rm -rf $work/until
        build/tessera run --until "$cycle" "$@" --out $work/until >$work/ended 2>&1 || return 1
        [ "$(wc -l <$work/ended)" -eq 2 ] && grep -qx "  ended at cycle $cycle, as --until says" $work/ended &&
            [ ! -e $work/until/frame-00.png ] && [ ! -e $work/until/run.json ] && [ -s $work/until/trace.json ]
    }
    holds 'a run that is to end in the middle of its work' ended 700000 --no-compare
    holds 'a run that is to end while the firmware starts' ended 2000 --no-compare
    holds 'with the comparison run beside it' ended 400000
    chip=build/runs/chip # tests/host/report/runs.mk
    holds 'a run that is over before' test -e $chip/done
    holds 'and has its results' test -s $chip/frame-00.png -a -s $chip/run.json
    # Where all textures are copied once and stay, the paging node limits; in the default scene the firmware does.
    limits() { # WHAT OPTION...: what is said of the run
        said=$1; shift
        build/tessera run --no-compare --out $work/limits "$@" 2>/dev/null >$work/said &&
            grep -q '^  firmware busy' $work/said && [ "$(grep -c 'The firmware limits' $work/said)" = $said ]
    }
    holds 'the firmware limits the default scene' limits 1 --frames 2
    holds 'but not where all is copied once' limits 0 --frames 1 --copy-only --local large
fi
# no_comparison: where the comparison run cannot be started, the run says so and closes the window it has opened
no_comparison() {
    LD_PRELOAD=build/scene/no_fork.so SDL_VIDEODRIVER=dummy \
        build/tessera run --model --frames 1 --window --out $work/spoilt >$work/stdout 2>$work/stderr
    [ $? -eq 2 ] && grep -q 'cannot start the comparison run: .* --no-compare' $work/stderr &&
        grep -q '0 frames shown in the window' $work/stderr
}
holds 'no comparison run' no_comparison
# elsewhere: called from another folder the program finds the image that is beside it
program=$PWD/build/tessera
elsewhere() { (cd / && "$program" info "$@" | grep -q '^segment 1'); }
[ "$1" = model ] || holds 'from another folder' elsewhere
# full: a result that does not arrive is a failure, in one line
full() {
    build/tessera "$@" >/dev/full 2>$work/full
    [ $? -eq 2 ] && grep -q '^tessera: cannot write to standard output' $work/full
}
holds 'a full standard output' full info --model
holds 'a full standard output of a run' full run --model --frames 1 --no-compare --out $work/full.d
holds 'a full standard output of the help' full --help
# windowless: without a display there is one line, and what an earlier run left stays
windowless() {
    build/tessera run --model --frames 1 --no-compare --out $work/windowless >/dev/null 2>&1
    env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER build/tessera run --model --frames 1 --window \
        --out $work/windowless >$work/stdout 2>$work/stderr
    [ $? -eq 2 ] && [ "$(wc -l <$work/stderr)" -eq 1 ] && grep -q 'there is no display' $work/stderr &&
        [ -s $work/windowless/run.json ]
}
holds 'a window without a display' windowless
# interrupted COMMAND...: Ctrl-C in the middle of a run: one line, status 130, nothing that looks like its results,
# though a whole run was there before
interrupted() {
    rm -rf $work/cut $work/stderr # or the line of the run before is taken for this one's
    build/tessera run --model --frames 3 --no-compare --out $work/cut >/dev/null 2>&1
    env --default-signal=INT build/tessera run "$@" --no-compare --out $work/cut >$work/stdout 2>$work/stderr &
    child=$!
    for moment in $(seq 300); do # on a machine that is busy it takes a while to begin
        grep -qs 'in every frame' $work/stderr && break
        sleep 0.2
    done
    kill -INT $child
    wait $child
    [ $? -eq 130 ] && grep -q 'interrupted' $work/stderr && [ ! -e $work/cut/run.json ] &&
        [ ! -e $work/cut/frame-00.png ] && [ ! -e $work/cut/report.html ]
}
# in_large POLICY: where nothing has to leave, every policy draws the frames and ends well, whether it splits or not
in_large() {
    build/tessera run --model --frames 2 --local large --policy "$1" --out $work/large &&
        grep -q '"matches_unsplit": true' $work/large/run.json && grep -q '"evictions": 0,' $work/large/run.json
}
holds 'an interrupted run' interrupted --model --copy-only --frames 300
[ "$1" = model ] || holds 'an interrupted run on the chip' interrupted --frames 200
# apart: a second run into a folder that one is writing into is refused, and the first one is not harmed
apart() {
    build/tessera run --model --copy-only --frames 12 --no-compare --out $work/apart >$work/first 2>&1 &
    first=$!
    while [ ! -e $work/apart/trace.json ]; do kill -0 $first || return 1; sleep 0.05; done
    build/tessera run --model --frames 1 --no-compare --out $work/apart >$work/stdout 2>$work/second
    [ $? -eq 2 ] && [ "$(wc -l <$work/second)" -eq 1 ] && grep -q 'another run is writing' $work/second &&
        wait $first && grep -q '"frames": 12' $work/apart/run.json
}
rm -rf $work/apart
holds 'two runs into one folder' apart
# agree: the frames' lines, the table, the report and run.json of one run say the same of what was paged and evicted
agree() {
    rm -rf $work/agree
    build/tessera run --model --frames 4 --no-compare --out $work/agree "$@" >$work/table 2>$work/lines || return 1
    python3 - $work <<'END'
import json, re, sys
work = sys.argv[1]
lines = re.findall(r"(\d+) evictions, +(\d+) pages in, +(\d+) out for room", open(work + "/lines").read())
room, pages_in, pages_out = (sum(int(line[i]) for line in lines) for i in range(3))
table = {row[2:24].strip(): (row[24:].split()[0], row) for row in open(work + "/table") if len(row) > 40}
run = json.load(open(work + "/agree/run.json"))
page = re.search(r'"summary":(\[\[.*?\]\])', open(work + "/agree/report.html").read(), re.S).group(1)
shown = {name: (value, note) for name, value, note in json.loads(page)}
assert room == run["evictions_for_room"] and run["evictions"] == room + run["evictions_for_host"], "evictions"
assert "%d for room, %d for the host's access" % (room, run["evictions_for_host"]) in table["evictions"][1]
assert int(table["evictions"][0]) == run["evictions"]
assert int(table["paged in"][0]) * 1024 == run["paging_bytes_in"], "paged in"
assert int(table["paged out"][0]) * 1024 == run["paging_bytes_out"], "paged out"
assert run["paging_bytes_out"] - run["paging_bytes_for_host"] == pages_out * 4096, "out for room"
assert "%d KB for room" % (pages_out * 4) in table["paged out"][1]
assert int(table["mapped"][0]) * 1024 == run["paging_bytes_mapped"] == run["statistics"]["PAGES_MAPPED"] * 4096
assert pages_in * 4096 <= run["paging_bytes_in"]
for name in "evictions", "paged in", "paged out", "mapped":
    assert shown[name][0] == table[name][0] and shown[name][1] in table[name][1], name
# and the model, which has no clock, says nothing of cycles
assert run["cycles"] is None and run["first_frame_cycle"] is None and run["frame"][0]["done_cycle"] is None
assert "cycle" not in open(work + "/table").read() + open(work + "/lines").read()
assert '"has_clock":false' in open(work + "/agree/report.html").read()
END
}
holds 'log, table, report and run.json agree' agree
holds 'when much has to leave' agree --copy-only
holds 'when the host has its hands in it' agree --scene locks
holds 'the table ends with the name of the report' sh -c "tail -n 1 $work/table | grep -q '$work/agree/report.html\$'"
# shown: make run without words shows evictions and splits
shown() {
    (unset MAKEFLAGS MAKEOVERRIDES SUITE; make -n run; make -n run COPY=0 FRAMES=8) >$work/plan 2>&1
    grep -q 'run --local small --frames 3 --seed 1 --copy-only' $work/plan &&
        grep -q -e ' --flips ' $work/plan &&
        grep -q 'run --local small --frames 8 --seed 1  ' $work/plan &&
        build/tessera run --model --local small --frames 3 --seed 1 --copy-only --no-compare --out $work/shown \
            >/dev/null 2>&1 && grep -q '"evictions": [1-9]' $work/shown/run.json &&
        grep -q '"splits": [1-9][0-9]' $work/shown/run.json
}
holds 'make run shows what leaves and what is split' shown
# flipped SCENE: with --flips each frame is shown once, at a vertical blank of the time line. A frame that is shown
# later than asked for is marked there
flipped() {
    build/tessera run --model --local small --frames 4 --scene "$1" --flips --no-compare --out $work/flips \
        >$work/table 2>&1 && python3 - $work <<'END'
import json
import sys
folder = sys.argv[1] + "/flips/"
run = json.load(open(folder + "run.json"))
events = json.load(open(folder + "trace.json"))
events = events if isinstance(events, list) else events["traceEvents"]
count = lambda name: sum(event.get("name") == name for event in events)
statistics = run["statistics"]
assert run["matches_golden"] and statistics["FLIPS"] == 4 and statistics["MISSED_PIXELS"] == 0, statistics
assert count("flip shown") == 4 and count("flip armed") == 4, (count("flip shown"), count("flip armed"))
assert count("missed deadline") == statistics["FLIPS_LATE"], statistics
assert count("vertical blank") >= 4 and statistics["BLANKS"] >= 4, statistics
assert "  flips shown                         4  " in open(sys.argv[1] + "/table").read()
END
}
holds 'frames by flips' flipped freedoom
holds 'frames of several programs by flips' flipped programs
holds 'large memory, looking ahead' in_large lookahead
holds 'large memory, literal' in_large literal
# computed NAME: a scene without files is drawn as the plain rendition and the run without splitting have it
computed() {
    build/tessera run --model --frames 3 --scene "$1" --out $work/computed &&
        grep -q '"matches_golden": true' $work/computed/run.json &&
        grep -q '"matches_unsplit": true' $work/computed/run.json
}
for scene in collection cards programs locks; do holds "scene $scene" computed $scene; done
refused 'Choose one of freedoom, collection, cards, programs, locks' run --scene quake
refused 'is computed and reads no file' run --scene cards --textures 5
# has_policy NAME FORCE: --policy goes beside the other bits of --force, and wins over what these say of it
has_policy() {
    build/tessera run --model --frames 1 --no-compare --policy "$1" --force 0x10080 --out $work/policy \
        >/dev/null 2>&1 && grep -q "\"force\": $2," $work/policy/run.json
}
holds 'policy literal' has_policy literal 128
holds 'policy lookahead' has_policy lookahead 65664
# One default policy: every command that has the option says so, and what a replay reports that it ran with is that.
printf '{"slots":1,"segments":[{"size":8192}],"allocs":[{"size":4096}],"buffers":[{"len":8,"patches":[[0,0,0,1]]}]}' \
    >$work/workload.json
for command in run gdb play replay contend; do
    holds "$command: --policy is lookahead unless given" sh -c \
        "build/tessera $command --help | grep -q -e '--policy NAME .*literal or lookahead (lookahead)'"
done
# replay_force NUMBER OPTIONS...
replay_force() {
    force=$1; shift
    build/tessera replay $work/workload.json --model --report $work/replay.json "$@" &&
        grep -q "\"force\": *$force," $work/replay.json
}
holds 'replay looks ahead' replay_force 65536
holds 'replay --policy literal' replay_force 0 --policy literal
# What cannot be run ends with 2 in every command.
refused 'No such file' replay --model $work/there-is-none.json
refused 'literal' replay --model $work/workload.json --policy best
printf '{"slots": 1, ' >$work/broken.json
refused 'broken.json' replay --model $work/broken.json
refused '--report' replay --model $work/workload.json --report $work/no/folder.json
refused 'folder.json' replay --model $work/workload.json --schedule $work/no/folder.json
refused 'folder.json' replay --model $work/workload.json --submitted $work/no/folder.json
refused 'folder.json' replay --model $work/workload.json --workload $work/no/folder.json
refused '--report' contend --model --set 10 --rounds 1 --report $work/no/folder.json
refused 'No such file' play --model $work/there-is-none.tsdl
refused '/dev/there-is-none' info --device tty:/dev/there-is-none
refused '/dev/there-is-none' console --device tty:/dev/there-is-none
if [ "$1" != model ]; then
    for command in "replay $work/workload.json" 'contend --set 10' bad-input; do
        refused 'make firmware' $command --firmware $work/there-is-none.elf
    done
fi
# aligned: the numbers of all counters end in one column
aligned() {
    build/tessera info --model >$work/info && [ "$(grep -c '^[A-Z]' $work/info)" -gt 20 ] &&
        [ "$(grep '^[A-Z]' $work/info | awk '{print length}' | sort -u | wc -l)" -eq 1 ]
}
holds 'info: numbers below one another' aligned
# listed: every verb that a *.mk or the README promises to users is in the help of make
listed() {
    make help-all >$work/help
    for verb in run gdb waves record play play-games lvgl test deps lint synth bench picture bitstream conformance \
                firmware simulator spec clean; do
        grep -q "^  make \(.* \)*$verb\( \|$\)" $work/help || { echo "make help lacks $verb"; return 1; }
    done
}
holds 'make help-all has every verb' listed
# brief: make help fits a terminal, and leads to the rest
brief() { make help >$work/help && [ "$(wc -l <$work/help)" -le 30 ] && grep -q '^  make help-all ' $work/help; }
holds 'make help has at most 30 lines' brief
# helps COMMAND...: its help comes on stdout, status 0, and names a command or option of its own, but not --frames
helps() {
    build/tessera "$@" --help >$work/stdout 2>$work/stderr && [ ! -s $work/stderr ] &&
        grep -q -e '--model' $work/stdout && ! grep -q -e '--frames' $work/stdout
}
# mute: without a command the help is a complaint: on stderr, nothing on stdout, status 2
mute() {
    build/tessera >$work/stdout 2>$work/stderr
    [ $? -eq 2 ] && [ ! -s $work/stdout ] && grep -q 'bad-input' $work/stderr
}
holds 'help' build/tessera --help
holds 'help of info is its own' helps info
holds 'help of bad-input is its own' helps bad-input
holds 'no command: help on stderr, status 2' mute
holds 'one frame' build/tessera run --model --copy-only --frames 1 --no-compare --out $work
holds 'a spoilt texture is noticed' ends_with 1 run --model --frames 1 --no-compare --spoil --out $work/spoilt
holds 'and reported' grep -q '"matches_golden": false' $work/spoilt/run.json
holds 'picture' sh -c "head -c 8 $work/frame-00.png | od -An -tx1 | grep -q '89 50 4e 47 0d 0a 1a 0a'"
for key in scene frames cycles firmware_instructions dma_buffers portions splits evictions paging_buffers \
           paging_operations transfer fill discard map unmap paging_bytes_in paging_bytes_out render_busy_cycles \
           paging_busy_cycles matches_golden matches_unsplit faults wall_seconds; do
    holds "run.json has $key" grep -q "\"$key\": " $work/run.json
done
for key in firmware_instructions render_busy_cycles latency busy stall_read FIRMWARE_CYCLES unsplit_splits bound \
           account; do
    holds "run.json of the model does not know $key" grep -q "\"$key\": null" $work/run.json
done
for track in host firmware 'render node' 'paging node'; do
    holds "trace.json has the track $track" grep -q "\"name\":\"$track\"" $work/trace.json
done
holds 'trace.json is sound' build/scene/check_trace $work/trace.json $work/run.json
if [ "$1" != model ]; then
    # profile CYCLES: nearly all of a run's cycles are in the profile, and main leads to paging
    profile() {
        awk -v total="$1" '{ sum += $NF } /^_start;main;.*driver_build_paging_buffer/ { found = 1 }
            END { exit !(found && sum <= total && sum > 0.9 * total) }' $chip/profile.folded
    }
    holds 'frames on the hardware' test -s $chip/frame-01.png
    holds 'its trace.json is sound' build/scene/check_trace $chip/trace.json $chip/run.json
    # account: what both nodes' cycles were spent with is all cycles of the frame, but for a hundred at its ends
    account() {
        awk '
            function member(line, name) { sub(".*\"" name "\": ", "", line); return line + 0 }
            function is_near(a, b) { return a - b < 100 && b - a < 100 }
            /^  "cycles": / { last = member($0, "cycles") }
            /^  "first_frame_cycle": / { first = member($0, "first_frame_cycle") }
            /^  "bound": / { bound = member($0, "cycles"); ratio = member($0, "cycles_per_bound") }
            /^  "account": / { all = member($0, "cycles") }
            /^    "(render|paging)_node": / {
                sum = member($0, "works") + member($0, "memory") + member($0, "other_node")
                sum += member($0, "firmware") + member($0, "nothing_queued")
                nodes += is_near(sum, all) && member($0, "works") > 0 && member($0, "firmware") > 0
            }
            END { exit !(nodes == 2 && is_near(all, last - first) && bound > all / 20 && bound < all &&
                         ratio > all / bound * 0.999 && ratio < all / bound * 1.001) }' "$chip/run.json"
    }
    holds 'its account has all cycles' account
    # the lower bound, whatever is mapped or copied: below what was moved and drawn, and no small part of it
    lower_bound() {
        awk '
            function member(line, name) { sub(".*\"" name "\": ", "", line); return line + 0 }
            /^  "bound": / { moved = member($0, "cycles") }
            /^  "account": / { all = member($0, "cycles") }
            /^  "lower_bound": / { bound = member($0, "cycles"); ratio = member($0, "cycles_per_bound") }
            END { exit !(bound > moved / 20 && bound <= moved && ratio > all / bound * 0.999 &&
                         ratio < all / bound * 1.001) }' "$chip/run.json"
    }
    holds 'its lower bound is below what it moved' lower_bound
    holds 'its timeline shows waits for the firmware' \
        grep -q '"name":"waits for the firmware"' $chip/trace.json
    holds 'its profile.folded has its cycles' \
        profile "$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' $chip/run.json)"
fi
holds 'trace.json has splits' grep -q '"name":"split at byte"' $work/trace.json
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
