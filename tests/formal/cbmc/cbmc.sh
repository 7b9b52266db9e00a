#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/formal/cbmc/cbmc.sh OUT [NAME...]: every proof here, or those named, by CBMC, each as often as it has lines
# "cbmc:" (options; a line "all:" has those of every run); then spoiled copies of the firmware, on each of which its
# proof must fail. Where there is no cbmc it says so and counts as skipped.
set -u
out=$1; shift
if ! command -v cbmc >/dev/null; then
    echo "SKIPPED: no cbmc here (Debian 13: apt-get install cbmc)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
mkdir -p "$out"
checks="--bounds-check --pointer-check --div-by-zero-check --signed-overflow-check --undefined-shift-check"
passed=0 failed=0
# prove NAME FIRMWARE OPTION...: 0 proved, 10 refuted
prove() {
    local name=$1 firmware=$2
    shift 2
    timeout 300 cbmc $checks --unwinding-assertions "$@" $(sed -n 's/^ \* all: //p' "tests/formal/cbmc/$name.c") \
        -Itests/formal/cbmc -Ispec -Ibuild -I"$firmware" "tests/formal/cbmc/$name.c" >"$out/$name.log" 2>&1
}
[ $# -gt 0 ] || set -- $(cd tests/formal/cbmc && ls *.c | sed 's/\.c$//')
for name in "$@"; do
    sed -n 's/^ \* cbmc: //p' "tests/formal/cbmc/$name.c" >"$out/runs"
    while read -r options; do
        began=$SECONDS
        if prove "$name" firmware $options; then
            passed=$((passed + 1)); echo "ok $name $options: $((SECONDS - began)) s"
        else
            failed=$((failed + 1)); echo "FAIL $name $options"
            grep -e FAILURE -e rror "$out/$name.log" | head -n 5
        fi
    done <"$out/runs"
done

# refute NAME FILE PERL: with the file so spoiled the first proof of NAME fails.
refute() {
    case " $proved " in *" $1 "*) ;; *) return ;; esac
    rm -rf "$out/firmware" && cp -r firmware "$out/firmware" && perl -0pi -e "$3" "$out/$2"
    if cmp -s "$2" "$out/$2"; then
        echo "FAIL $1: the spoiling no longer applies to $2"; failed=$((failed + 1)); return
    fi
    prove "$1" "$out/firmware" $(sed -n 's/^ \* cbmc: //p' "tests/formal/cbmc/$1.c" | head -n 1)
    if [ $? -eq 10 ]; then passed=$((passed + 1)); echo "ok spoiled $2 is found by $1"
    else failed=$((failed + 1)); echo "FAIL spoiled $2 is not found by $1"; fi
}
proved=$*
# Finding 1: an alignment that does not fit what later counts in it.
refute create firmware/memory/allocation.c 's/ \|\| alignment > GPU_LIMIT\(ALIGNMENT_BYTES\)//'
refute numbers firmware/platform/base.h \
    's/return \(uint16_t\)narrow\(value, 16\);/return (uint16_t)(narrow(value, 16) << 1);/'
refute regions firmware/validate/validate.c 's/address > system_bytes \|\| //'
refute access firmware/validate/access.c 's/patch->offset <= limit && //'
refute ring firmware/host_ring/host.c 's/ \|\| log2_entries > \(uint32_t\)RING_LOG2_LIMIT//'
refute exact_fit firmware/plan/exact_fit.c \
    's/first \+ member->pages > here->high/first + member->pages > here->high + 1u/'
refute segment firmware/memory/segment.c 's/request->pages > high - lowest/request->pages > high - low/'
refute shape firmware/memory/allocation.c 's/pitch == 0u \|\| pitch > 0xffffu \|\| //'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
