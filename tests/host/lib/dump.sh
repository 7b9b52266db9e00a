#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dump.sh PROGRAM: `tessera dump` prints what a run submitted, and marks what is wrong in a file.
program=$1 passed=0 failed=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
# dumps STATUS FILE LINE...: the exit status, and lines that are there.
dumps() {
    expected=$1 file=$2
    shift 2
    "$program" dump "$file" >"$folder/text" 2>&1
    [ $? -eq "$expected" ]
    note $? "dump of $file: status $expected"
    for line in "$@"; do grep -qF -- "$line" "$folder/text"; note $? "dump of $file: $line: $(cat "$folder/text")"; done
}
mkdir "$folder/saved"
TESSERA_DUMP=$folder/saved "$program" run --model --frames 2 --no-compare --out "$folder/out" >/dev/null 2>&1
note $? 'a run with TESSERA_DUMP'
[ -s "$folder/saved/000002.dma" ]
note $? 'files of two DMA buffers'
dumps 0 "$folder/saved/000001.dma" 'BIND SLOT=' ' FORMAT=RGB565 ADDRESS=allocation ' 'written (WriteOperation)' \
    'MODE='
head -c 100 "$folder/saved/000001.dma" >"$folder/cut.dma"
dumps 2 "$folder/cut.dma" 'is damaged'
# Bare words: NOP, an unknown opcode, FENCE, a NOP with a reserved bit, BLIT that ends early, half a word.
printf '\000\000\000\000\356\000\000\000\001\000\000\000\007\000\000\000' >"$folder/words"
printf '\000\002\000\000\042\001\002\042\005\000\006\000xy' >>"$folder/words"
dumps 1 "$folder/words" '(bare words)' '     0   NOP' '     4   0x000000ee  <- no such opcode' \
    '     8   FENCE VALUE=0x7  <- privileged' '    16   NOP  <- reserved bits' \
    '    20   BLIT TARGET=1 SOURCE=2 MODE=BLEND COLOURED TARGET_X=5 TARGET_Y=6  <- truncated' \
    '    28   2 bytes of a word' '5 bad'
dumps 2 "$folder/none" 'No such file'
: >"$folder/empty"
dumps 2 "$folder/empty" 'is empty'
# Where nothing can be written: said once, with the reason, and the run goes on.
fails() {
    TESSERA_DUMP=$1 "$program" run --model --frames 1 --no-compare --out "$folder/out" >"$folder/text" 2>&1
    note $? "a run that cannot write: $2"
    [ "$(grep -c 'TESSERA_DUMP: cannot write' "$folder/text")" = 1 ] && grep -q ": $2. Name a folder" "$folder/text"
    note $? "it is said once: $2: $(grep TESSERA_DUMP "$folder/text")"
}
mkdir "$folder/full" && ln -s /dev/full "$folder/full/000001.dma"
fails "$folder/full" 'No space left on device'
[ ! -e "$folder/full/000002.dma" ]
note $? 'after one that fails there is no other'
long=$folder/saved # the same folder, by a path that leaves no room for a name
while [ ${#long} -lt 4085 ]; do long=$long/.; done
fails "$long" 'File name too long'
TESSERA_DUMP=$folder/nowhere "$program" run --model --frames 1 --no-compare --out "$folder/out" >"$folder/text" 2>&1
note $? 'a folder that is not there does not end the run'
[ "$(grep -c 'TESSERA_DUMP: cannot write' "$folder/text")" = 1 ]
note $? 'it is said once'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
