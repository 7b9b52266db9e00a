#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sensitivity.sh [NAME...]: what half and twice of each constant of firmware/plan/tuning.h, or of those named, costs.
# Each variant of the firmware is built anew and runs
#   model    the six families, seeds 1 and 2, on the golden model, only this DMA buffer known and two more queued:
#            geometric mean of traffic over the bound
#   chip     the beginnings of five families on the simulated chip, queued: geometric mean of cycles
#   scene    four frames of the default scene, and copied: of the one with every texture copied: cycles
# Figures are percent of what the constant as it stands costs: negative is better. Three minutes a constant; the
# copied scene is a feedback loop, in which changes of a few percent mean little.
set -eu -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
table=firmware/plan/tuning.h out=build/sensitivity
b=$out/build
rm -rf $out && mkdir -p $out/work
make -s build/tessera build/firmware/gpu.elf build/replay/make_workload build/bench/flatten >&2
for family in streaming composition multipass pingpong mixed pathological; do
    for seed in 1 2; do build/replay/make_workload $family $seed 16 >$out/work/$family.$seed.json; done
done
mkdir $b && cp -a build/[!s]* build/s[!e]* $b

figure() { build/bench/flatten "$1" | awk -v name="$2" '$1 == name {print $2}'; }
mean() { awk '{sum += log($1); n++} END {printf "%.6f ", exp(sum / n)}'; }
# replay OPTIONS... FILE FIGURE
replay() {
    local of=${*: -1} file=${*: -2:1}
    $b/tessera replay "$file" --policy lookahead "${@:1:$#-2}" --report $out/work/report.json >/dev/null
    figure $out/work/report.json "$of"
}
measure() { # the five figures of the firmware in $b
    for ahead in 1 3; do
        for file in $out/work/*.[12].json; do replay --model --ahead $ahead "$file" traffic_ratio; done | mean
    done
    while read -r family limit; do
        replay --firmware $b/firmware/gpu.elf --ahead 3 --limit "$limit" $out/work/"$family".1.json cycles
    done <<END | mean
streaming 8
composition 3
multipass 4
mixed 6
pathological 6
END
    for how in "" --copy-only; do
        $b/tessera run --firmware $b/firmware/gpu.elf --frames 4 --seed 1 --no-compare $how --out $out/work/scene \
            >/dev/null 2>&1
        figure $out/work/scene/run.json cycles
    done | tr "\n" " "
    echo
}
variant() { # NAME VALUE: build it and measure
    rm -rf $b/firmware $b/tessera $b/plan
    mkdir -p $b/plan
    sed -E "s/^(    $1 = )[^,]*(,? +\/\*)/\1$2\2/; s/^(    $1 = [0-9]+) +\/\*/\1, \/*/" $table >$b/plan/tuning.h
    make -s BUILD=$b $b/tessera $b/firmware/gpu.elf >$out/work/make.log 2>&1 || { cat $out/work/make.log >&2; exit 1; }
    measure
}
read -r -a base < <(measure)
percent() { # of the base
    local i=0
    for value; do awk -v a="$value" -v b="${base[$i]}" 'BEGIN {printf " %+.1f", (a / b - 1) * 100}'; i=$((i + 1)); done
}
echo "base: model ${base[0]} ${base[1]}, chip ${base[2]}, scene ${base[3]}, copied ${base[4]}"
echo '| constant | value | half: model, queued, chip, scene, copied | twice: the same |'
echo '|---|---|---|---|'
sed -nE 's/^    ([A-Z_]+) = ([^,]*[^ ,]),? +\/\*.*/\1 \2/p' $table | while read -r name value; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    whole=$((value)) row="| $name | $whole |"
    for other in $((whole / 2)) $((whole * 2)); do
        # A step is a logarithm: half and twice the cost are four steps less and more.
        [[ $name != STEP_* ]] || other=$((other < whole ? whole - 4 : whole + 4))
        read -r -a got < <(variant "$name" "$other" </dev/null)
        row+=" $(percent "${got[@]}") |"
    done
    echo "$row"
done
