#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/fuzz/coverage.sh OUT PERCENT WORLDS JOBS: how many branches of the code that reads the host's numbers the
# corpus, invented worlds and fuzz_jobs take, by gcov. A branch that cannot be taken unless the firmware is wrong
# about itself (ASSERT, a checked narrowing, validators that only tests call) does not count. Fails below PERCENT.
# Lines with a branch not taken are named in tests/fuzz/untaken with the reason; what differs from that is said.
# WORLDS, JOBS: the C files of either program (fuzz.mk), each list a word.
set -u
out=$1 percent=$2 worlds=$3 jobs=$4
flags="-std=c11 -O0 --coverage -fprofile-update=single -w -D_GNU_SOURCE -Ispec -Ibuild -Ihost -Ihost/include -Imodel"
flags="$flags -Ifirmware -Itests/fuzz -Itests/unit"
judged=$(echo firmware/validate/*.c firmware/frontend/{command,share_command,client_command}.c \
    firmware/memory/allocation.c firmware/host_ring/host.c)
rm -rf "$out" && mkdir -p "$out" || exit 2
# Compiled once for both, by a name that is its path.
for source in $(printf '%s\n' $worlds $jobs | sort -u); do
    gcc $flags -c -o "$out/${source//\//-}.o" "$source" || exit 2
done
named() { for source in "$@"; do echo "$out/${source//\//-}.o"; done; }
gcc --coverage -Wl,--wrap=hal_system_read,--wrap=hal_register_read -o "$out/worlds" $(named $worlds) || exit 2
gcc --coverage -o "$out/jobs" $(named $jobs) || exit 2
"$out/worlds" --random 12000 tests/fuzz/corpus/worlds >"$out/worlds.log" 2>&1 || { cat "$out/worlds.log"; exit 1; }
"$out/jobs" --seed 1 --jobs 8000 >"$out/jobs.log" 2>&1 || { tail "$out/jobs.log"; exit 1; }
for source in $judged; do
    gcov -b -c -t -o "$out/${source//\//-}.o" "$source" 2>/dev/null |
        awk -v source="$source" '
            # The block of the source itself; its includes come after it.
            /:Source:/ { sub(/.*:Source:/, ""); is_here = $0 == source }
            !is_here { next }
            /^function / { function_name = $2; next }
            /^ *[^:]+: *[0-9]+:/ { split($0, part, ":"); number = part[2] + 0; text = $0
                                   sub(/^[^:]*: *[0-9]+:[ ]*/, "", text); next }
            /^branch / {
                if (text ~ /ASSERT\(|narrow/ || function_name ~ /(^check_entry|^is_consistent|_check)$/) next
                print source "\t" number "\t" ($3 == "executed" || $4 + 0 == 0 ? 0 : 1) "\t" text
            }'
done >"$out/branches"
awk -F'\t' -v percent="$percent" '
    FILENAME ~ /untaken$/ {
        if ($0 ~ /^#/) next
        split($0, part, " \\| ")
        name[++names] = part[1]; begin[names] = part[2]
        next
    }
    { all[$1]++; taken[$1] += $3; if (!$3) { key = $1 "\t" $4; if (!(key in seen)) order[++n] = key; seen[key]++ } }
    END {
        for (file in all) {
            printf "%-32s %4d of %4d branches, %5.1f %%\n", file, taken[file], all[file], 100 * taken[file] / all[file]
            a += all[file]; t += taken[file]
        }
        printf "%-32s %4d of %4d branches, %5.1f %%\n", "all", t, a, 100 * t / a
        for (i = 1; i <= n; i++) {
            split(order[i], part, "\t"); file = part[1]; sub(/.*\//, "", file); is_named = 0
            for (k = 1; k <= names; k++)
                if (name[k] == file && index(part[2], begin[k]) == 1) { is_named = 1; used[k] = 1 }
            if (!is_named) printf "not taken, and not named in tests/fuzz/untaken: %s\n", order[i]
        }
        for (k = 1; k <= names; k++)
            if (!(k in used)) printf "named in tests/fuzz/untaken, and taken: %s %s\n", name[k], begin[k]
        bad = 100 * t < percent * a
        if (bad) printf "fewer than %d %%\n", percent
        printf "%d passed, %d failed\n", 1 - bad, bad
        exit bad
    }' tests/fuzz/untaken "$out/branches"
