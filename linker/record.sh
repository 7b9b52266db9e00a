#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# record.sh PREFIX IMAGE PROGRAM FOLDER: draws the scenes of bench/scenes.sh with PROGRAM and IMAGE, in which the region
# holds all functions that cold.sh may choose, and prints linker/profile.txt for it. FOLDER gets the runs. The numbers
# are shares of each scene's cycles, so that a short scene counts as much as a long one. They include what the region
# costs a function: its misses, and its jumps, which are slower there even when they hit.
set -eu -o pipefail
export LC_ALL=C
prefix=$1 image=$2 tessera=$3 work=$4
. bench/scenes.sh
mkdir -p "$work"
for name in $scenes; do
    draw_scene "$tessera" "$name" "$work/$name" --firmware "$image" >"$work/$name.said" ||
        { cat "$work/$name.said" >&2; exit 1; }
    sed -n 's/^  cycles  *\([0-9]*\)  .*/of the scene: \1/p' "$work/$name.said"
    cat "$work/$name/profile.folded"
done >"$work/cycles"
"${prefix}nm" -S -t d "$image" >"$work/symbols"
echo "# Cycles that each function takes of 1,000,000 of a scene, summed over the scenes of bench/scenes.sh, all of"
echo "# these functions in the firmware's region. Made by \`make profile-record\`, not by hand, for linker/cold.sh."
awk '
    FNR == 1 {file++}
    file == 1 {at[$3] = $1 + 0}
    file == 2 && NF == 4 && $3 ~ /^[tTwW]$/ && $1 + 0 >= at["__region_start"] && $1 + 0 < at["__profile_end"] {
        sub(/\..*/, "", $4)
        spent[$4] += 0
    }
    file < 3 {next}
    /^of the scene: / {scene = $NF; next}
    {
        cycles = $NF
        sub(/ [0-9]+$/, "")
        sub(/.*;/, "")
        sub(/\..*/, "")
        if ($0 in spent) spent[$0] += 1e6 * cycles / scene
    }
    END {for (name in spent) printf "%s %.0f\n", name, spent[name]}' \
    "$work/symbols" "$work/symbols" "$work/cycles" | sort
