#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sensitivity.sh [NAME...]: what half and twice of each constant of firmware/plan/tuning.h, or of those named, costs.
# Each variant of the firmware is built again and runs what the constant can change (reach, below)
#   model    the six families on the golden model, only this DMA buffer known: geometric mean of traffic over the bound
#   queued   the same with two more queued
#   chip     the beginnings of three families on the simulated chip, queued: geometric mean of cycles
#   slow     two of them behind a slow bus
#   copied   two frames of the default scene with every texture copied: cycles
# Figures are percent of what the constant as it stands costs: negative is better. Half a minute a figure; the copied
# scene is a feedback loop, in which changes of a few percent mean little.
set -eu -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
table=firmware/plan/tuning.h out=build/sensitivity
b=$out/build
rm -rf $out && mkdir -p $out/work
make -s build/tessera build/firmware/gpu.elf build/replay/make_workload build/bench/flatten >&2
for family in streaming composition multipass pingpong mixed pathological; do
    build/replay/make_workload $family 1 16 >$out/work/$family.json
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
on_model() { for file in $out/work/{streaming,composition,multipass,pingpong,mixed,pathological}.json; do
    replay --model "$@" "$file" traffic_ratio
done | mean; }
on_chip() { # OPTIONS... : families and how many DMA buffers of each
    while read -r family limit; do
        replay --firmware $b/firmware/gpu.elf --ahead 3 --limit "$limit" "$@" $out/work/"$family".json cycles
    done | mean
}
measure() { # FIGURES...: those of the firmware in $b
    for figure; do
        case $figure in
        model) on_model --ahead 1 ;;
        queued) on_model --ahead 3 ;;
        chip) printf '%s\n' "streaming 4" "composition 2" "pathological 3" | on_chip ;;
        slow) printf '%s\n' "streaming 4" "composition 2" | on_chip --stall 82 ;;
        copied)
            $b/tessera run --firmware $b/firmware/gpu.elf --frames 2 --seed 1 --no-compare --copy-only \
                --out $out/work/scene >/dev/null 2>&1
            figure $out/work/scene/run.json cycles
            ;;
        esac
    done | tr "\n" " "
    echo
}
reach() { # NAME: what the constant can change
    case $1 in
    STEP_MOVE_UNTIMED | SPLITS_PER_PORTION) echo model queued ;;
    SHORT_SHARE) echo model queued slow ;;
    STEPS_WAIT) echo slow ;;
    USUAL_SHARE | STEPS_BUSY | STEP_MOVE | COST_SAMPLE_PAGES) echo chip copied ;;
    STARVED_PORTIONS | LOAD_SAMPLE_CYCLES | NEAR_TOGETHER) echo copied ;;
    *) echo model queued chip copied ;;
    esac
}
variant() { # NAME VALUE: build it and measure
    rm -rf $b/firmware $b/plan
    mkdir -p $b/plan
    sed -E "s/^(    $1 = )[^,]*(,? +\/\*)/\1$2\2/; s/^(    $1 = [0-9]+) +\/\*/\1, \/*/" $table >$b/plan/tuning.h
    local targets=($b/firmware/gpu.elf)
    [[ " ${figures[*]} " != *" model "* ]] || targets+=($b/tessera)
    make -s BUILD=$b "${targets[@]}" >$out/work/make.log 2>&1 || { cat $out/work/make.log >&2; exit 1; }
    measure "${figures[@]}"
}
percent() { # of the base
    for figure in "${figures[@]}"; do
        awk -v a="$1" -v b="${base[$figure]}" -v name="$figure" 'BEGIN {printf " %s %+.1f", name, (a / b - 1) * 100}'
        shift
    done
}
declare -A base
echo '| constant | value | half | twice |'
echo '|---|---|---|---|'
while read -r name value; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    read -r -a figures < <(reach "$name")
    whole=$((value)) row="| $name | $whole |"
    for figure in "${figures[@]}"; do
        [ -n "${base[$figure]:-}" ] || base[$figure]=$(b=build && measure "$figure" </dev/null)
    done
    for other in $((whole / 2)) $((whole * 2)); do
        # A step is a logarithm: half and twice the cost are four steps less and more.
        [[ $name != STEP_* ]] || other=$((other < whole ? whole - 4 : whole + 4))
        read -r -a got < <(variant "$name" "$other" </dev/null)
        row+=" $(percent "${got[@]}") |"
    done
    echo "$row"
done < <(sed -nE 's/^    ([A-Z_]+) = ([^,]*[^ ,]),? +\/\*.*/\1 \2/p' $table)
