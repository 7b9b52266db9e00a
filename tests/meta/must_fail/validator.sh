#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/must_fail/validator.sh OUT: take one check out of the validator at a time, in a copy, and prove that its
# unit tests notice. A change that no longer applies is a failure too: the source has moved on, the list has not.
. tests/meta/must_fail/expect.sh
out=$1
sources="access packet_rule patch validate"
flags="-std=c11 -O1 -w -Ispec -Ibuild -Ifirmware -Itests/fuzz -Itests/unit"
flags="$flags -fsanitize=address,undefined -fno-sanitize-recover=all"
mkdir -p "$out"
path() { case $1 in patch) echo firmware/ddi/patch.c ;; *) echo "firmware/validate/$1.c" ;; esac }
object() { gcc $flags -c -o "$out/$2.o" "$1" || exit 2; }
object tests/fuzz/job_bench.c job_bench
object tests/fuzz/bench_door.c bench_door
object tests/unit/validate/test_validate.c cases
object tests/unit/validate/test_validate_whole.c whole
for source in $sources; do object "$(path "$source")" "$source"; done

# tests OBJECT-THAT-REPLACES OBJECT-REPLACED
tests() {
    objects=
    for source in $sources; do
        if [ "$source" = "$2" ]; then objects="$objects $out/$1.o"; else objects="$objects $out/$source.o"; fi
    done
    for program in cases whole; do
        gcc $flags -o "$out/$program" "$out/$program.o" "$out/job_bench.o" "$out/bench_door.o" $objects \
            || exit 2
        "$out/$program" || return 1
    done
}

# without FILE WHAT SED-EXPRESSION
without() {
    sed -E "$3" "$(path "$1")" >"$out/changed.c"
    if cmp -s "$(path "$1")" "$out/changed.c"; then
        verdict no "$2: the change no longer applies to $1.c"
        return
    fi
    object "$out/changed.c" changed
    must_fail "$2" "" tests changed "$1"
}

must_pass "the validator as it is" tests validate validate
without access   "start of an operand inside its allocation" 's/patch->offset <= limit \&\& //'
without access   "end of an operand counted from its start" 's/bytes <= limit - patch->offset/bytes <= limit/'
without access   "last byte of an operand"           's/bytes <= limit - (patch->offset)/bytes <= limit+1 - \1/'
without access   "rectangles in 64 bits"             's/\(uint64_t\)\(bottom - 1u\)/(bottom - 1u)/'
without access   "last byte of a rectangle"          's/> binding->bytes/> binding->bytes + 1/'
without access   "WriteOperation of an operand"      's/direction == WRITES \&\& !\(patch->flags \& PATCH_WRITE\)/0/'
without access   "WriteOperation of a surface"       's/direction == WRITES \&\& !\(binding/0 \&\& !(binding/'
without access   "rows taken over at a split"        's/state->row\[slot\] == entry/1/'
without access   "split points inside packets"       's/if \(state->next_split_word != state->position\)/if (0)/'
without access   "split points after the packet"     's/split_word > state->position/split_word > 0xffffu/'
without access   "slot of BIND and entry"            's/if \(patch->slot != slot\)/if (0)/'
without access   "NULL operands"                     's/if \(patch->allocation == PATCH_NULL\) return refuse.*//'
without access   "alignment of TILE"                 's/patch->offset % alignment != 0/0/'
without access   "formats of a BLIT"                 's~if \(source_format == FORMAT_BYTES .*~~'
without access   "bindings end with the buffer"      's/= state->binding\[slot\]\.entry = /= /'
without validate "address words must be claimed"     's/claimed != rule->address_words \|\| //'
without validate "a word is patched once"            's/ \|\| bit_is_set\(scratch->claimed, patch_offset . 4u\)//'
without validate "reserved bits"                     's/ \|\| packet_rule_reserved\(rule, words\) != 0\)$/)/'
without validate "privilege"                         's/if \(rule->is_privileged\)/if (0)/'
without validate "buffers end at a packet's end"     's/rule->words > total - position/0/'
without validate "AllocationIndex" 's/list_index >= scratch->list_count/list_index > scratch->list_count/'
without validate "SlotId"                            's/entry\[PATCH_SLOT_ID\] >= SLOT_LIMIT/0/'
without validate "end of system memory"              's/bytes > system_bytes - address/0/'
without validate "alignment of regions"              's/address % 4u != 0 \|\| //'
without validate "lengths of lists"                  's/list_count > LIST_LIMIT/0/'
without validate "unknown handles"                   's/if \(rights == 0\) return refuse.*//'
without validate "each word is copied"               's/first = scratch->words_copied/first = 0/'
finish
