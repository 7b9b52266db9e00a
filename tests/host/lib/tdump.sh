#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tdump.sh PROGRAM FOLDER [--model]: the dumps that test_tdump wrote are explained, and twelve kinds of fault happen
# again when they are replayed; a hang that the DMA buffer did not cause, and a panic, do not, and the exit status says
# so. On the golden model, or without --model on the simulated chip, too.
program=$1 dumps=$2 model=$3 passed=0 failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
# replays STATUS KIND LINE...: the exit status of a replay, and what it prints.
replays() {
    expected=$1 kind=$2
    shift 2
    "$program" dump "$dumps/$kind.tdump" --replay $model >"$folder/text" 2>&1
    [ $? -eq "$expected" ]
    note $? "replay of $kind: status $expected: $(grep '^replay' "$folder/text")"
    for line in "$@"; do grep -qF -- "$line" "$folder/text"; note $? "dump of $kind: $line: $(cat "$folder/text")"; done
}
spoiled='the engine ran other words than were submitted'
replays 0 bad-opcode 'FAULT BAD_OPCODE' "$spoiled" 'byte 56' '<- differs' 'SUBMIT of client 0: FAULT, detail 1'
replays 0 privilege 'FAULT PRIVILEGE' "$spoiled"
replays 0 truncated 'FAULT TRUNCATED' "$spoiled"
replays 0 bad-operand 'FAULT BAD_OPERAND' "$spoiled"
replays 0 unbound 'FAULT UNBOUND' "$spoiled" 'FILL_RECT TARGET=33'
replays 0 read-guard 'FAULT READ_GUARD' "$spoiled" 'READ_GUARD at address 0x10110000'
replays 0 write-guard 'FAULT WRITE_GUARD' "$spoiled" 'WRITE_GUARD at address 0x10100000'
replays 0 read-bus 'FAULT READ_BUS' 'the words that ran are those that were submitted' '<- the list was changed'
replays 0 write-bus 'FAULT WRITE_BUS' 'the words that ran are those that were submitted' '<- the list was changed'
replays 0 bad-page 'FAULT BAD_PAGE' 'page 2 of its list is 0xfffff' 'as submitted, AGAIN'
replays 0 timeout 'why        TIMEOUT' 'TIMEOUT: 131072 cycles at least' 'RECOVERIES 1'
replays 0 context-lost 'why        CONTEXT_LOST' 'guilty' 'in flight' 'as submitted, AGAIN: CONTEXT_LOST'
# Not the DMA buffer's fault: it runs to its end.
replays 1 hang 'why        TIMEOUT' 'golden model: it does not happen again' 'the engine runs it to its end'
replays 1 panic 'why        PANIC FENCE' 'panic      FENCE at 0x' 'counters   not available from this device'
replays 1 asked 'the dump was asked for' 'none was in flight'
# The chip's own, if they are there: with its instructions, and as a board's.
if [ -e "$dumps/chip.tdump" ]; then
    replays 0 chip 'the last instructions, the newest last' "$spoiled" 'simulated chip, as executed, AGAIN'
    replays 0 board 'core       not available from this device' "$spoiled" 'simulated chip, as executed, AGAIN'
fi
# Without --replay it is explained alone.
"$program" dump "$dumps/hang.tdump" >"$folder/text" 2>&1 && ! grep -q '^replay' "$folder/text"
note $? 'a dump is explained without a replay'
# A file that is not one: its named status.
refuses() {
    "$program" dump "$folder/$2" --replay --model >"$folder/text" 2>&1
    [ $? -eq 2 ] && grep -qF "$1" "$folder/text"
    note $? "$2: $1: $(cat "$folder/text")"
}
head -c 100 "$dumps/hang.tdump" >"$folder/cut.tdump"
refuses BAD_LENGTH cut.tdump
{ head -c 300 "$dumps/hang.tdump"; printf 'X'; tail -c +302 "$dumps/hang.tdump"; } >"$folder/spoiled.tdump"
refuses BAD_CHECK spoiled.tdump
echo 'no dump, but a line of text that is long enough' >"$folder/text.tdump"
refuses NOT_A_DUMP text.tdump
printf 'TSRADMP1' >"$folder/short.tdump"
refuses TOO_SHORT short.tdump
{ printf 'TSRADMP1'; head -c 17000000 /dev/zero; } >"$folder/long.tdump"
refuses TOO_LONG long.tdump
printf '\000\000\000\000' >"$folder/words"
refuses 'only these can be replayed' words
# --faults: a folder that is there, and nothing in it after a run in which nothing went wrong.
"$program" run --model --frames 1 --no-compare --faults "$folder/none" --out "$folder/out" >"$folder/text" 2>&1
[ $? -eq 2 ] && grep -q -- '--faults .*: No such file or directory. Name a folder that exists' "$folder/text"
note $? "--faults without a folder: $(cat "$folder/text")"
mkdir "$folder/faults"
"$program" run --model --frames 1 --no-compare --faults "$folder/faults" --out "$folder/out" >"$folder/text" 2>&1 &&
    [ -z "$(ls "$folder/faults")" ]
note $? 'a run in which nothing goes wrong writes no dump'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
