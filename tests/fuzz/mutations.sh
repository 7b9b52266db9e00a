#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Must fail: defects put into a copy of the firmware, those that an attack once found among them, and the corpus or an
# invented world has to break a promise on each. tests/fuzz/mutations.sh OUT
set -u
out=$1 passed=0 failed=0
flags="-std=c11 -O1 -w -D_GNU_SOURCE -Ispec -Ibuild -Ihost -Ihost/include -Imodel -Itests/fuzz -Itests/unit"
mkdir -p "$out"
sources="$(find firmware -name '*.c' ! -name main.c ! -name hal_mmio.c) model/device.c model/device_hal.c
    model/engine_model.c model/engine_packets.c model/pixel_model.c tests/unit/client.c tests/fuzz/world.c
    tests/fuzz/world_judge.c tests/fuzz/world_model.c tests/fuzz/fuzz_worlds.c tests/fuzz/replay.c"
for source in $sources; do
    gcc $flags -Ifirmware -c -o "$out/$(basename "$source" .c).o" "$source" || exit 2
done
# replay NAME OBJECT...: these objects in the place of the others of the same name.
replay() {
    local name=$1 objects object
    shift
    for object in "$out"/*.o; do
        [ -e "$out/$name/$(basename "$object")" ] && object=$out/$name/$(basename "$object")
        objects="${objects:-} $object"
    done
    gcc -Wl,--wrap=hal_system_read,--wrap=hal_register_read -o "$out/replay-$name" $objects || exit 2
    # The sound one takes a second; a defect may also show by coming to no end.
    ( timeout 30 "$out/replay-$name" --random 500 tests/fuzz/corpus/worlds ) >"$out/$name.log" 2>&1
}
# mutate NAME FILE PERL [FILE PERL ...]
mutate() {
    local name=$1
    shift
    mkdir -p "$out/$name"
    rm -f "$out/$name"/*
    while [ $# -gt 0 ]; do
        local copy
        copy=$out/$name/$(basename "$1")
        perl -0pe "$2" "$1" >"$copy"
        if cmp -s "$1" "$copy"; then
            echo "FAIL $name: no longer applies to $1"; failed=$((failed + 1)); return
        fi
        gcc $flags -I"$(dirname "$1")" -Ifirmware -c -o "${copy%.c}.o" "$copy" || exit 2
        shift 2
    done
    if replay "$name"; then
        echo "FAIL $name: no world noticed"; failed=$((failed + 1))
    else
        local how
        how=$(grep -h -m 1 -e '^world ' -e '^client' -e 'assertion failed' "$out/$name.log")
        echo "ok $name: ${how:-it comes to no end}"
        passed=$((passed + 1))
    fi
}
mkdir -p "$out/sound"
replay sound || { echo "FAIL the firmware as it is breaks a promise:"; tail -n 3 "$out/sound.log"; failed=1; }

mutate alignment firmware/plan/exact_fit.c 's/narrow_u16\((1u << entry->alignment_pages_log2)\)/(uint16_t)($1)/' \
    firmware/memory/allocation.c 's/ \|\| alignment > GPU_LIMIT\(ALIGNMENT_BYTES\)//'
mutate list-address firmware/memory/allocation.c 's/address % 4u != 0u \|\| address > system_bytes \|\| pages/pages/'
mutate page-bound firmware/driver/driver.c 's/(NODE_PAGE_BOUND_OFFSET[^;]*), [^;]*\);/$1, 0xfffff);/'
mutate completion-room firmware/host_ring/host.c \
    's/unread <= host->complete_entries && host->unanswered < host->complete_entries - unread/true/'
mutate offer-in-use firmware/frontend/command.c \
    's/if \(entry->references != 0u \|\| !may_page\) return false;/if (!may_page) return false;/'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
