#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# measure.sh GROUP...: measures the project's figures and prints each as "name value unit"; a name's first part
# is its group. Only what a machine's speed cannot change: cycles, instructions, bytes, counts, ratios.
# The programs are built before (bench.mk). Any program that fails, and a group without a figure, is a failure.
set -e
export LC_ALL=C
here=bench work=build/bench
. bench/scenes.sh

# logged FILE COMMAND...: output into the file; shown when the command fails
logged() {
    log=$work/$1
    shift
    "$@" >"$log" 2>&1 || { echo "bench: $* failed:" >&2; tail -n 20 "$log" >&2; return 1; }
}
qemu="timeout 60 qemu-system-riscv32 -M virt -bios none -nographic -semihosting-config enable=on,target=native \
    -icount shift=0 -kernel"

# From the engine's bench: the cycles of copies (bound by memory), and of pixel work the ratio to its bound.
engine() {
    { echo '[' && build/mover/copies/Vdut copies && echo ',' && build/mover/operations/Vmover operations &&
        echo ']'; } \
        >"$work/engine.json" 2>"$work/engine.log" || { cat "$work/engine.log" >&2; return 1; }
    $work/flatten "$work/engine.json" | awk -f $here/engine.awk
}

# The node's front end: doorbell to first read, streams of short work; then copies between segment 1 and system memory,
# with and without the aperture.
node() {
    logged node.log build/node/test_node 1 1
    awk '/^doorbell to first AR/ {print "node.doorbell_to_first_read", $5, "cycles"}
          /^64 copies/ {split($0, part, /: /)
                        split(part[2], a, " ")
                        split(part[3], b, " ")
                        print "node.copies_64_of_64_bytes", a[1], "cycles"
                        print "node.blits_64_of_8x8", b[1], "cycles"
                        print "node.blits_64_of_1x1", part[4], "cycles"}' \
        "$work/node.log"
    { echo '[' && build/mover/aperture_rate json && echo ']'; } >"$work/aperture.json"
    $work/flatten "$work/aperture.json" | awk -f $here/node.awk
}

# What a reference costs with few entries in the table of allocations and with all there may be; and where 1,000 pages
# are copied into 576 in turn.
many() {
    for limit in 1024 16384; do
        logged many.log build/sequence/many_hardware $limit 600 200
        awk -v limit=$limit '/cycles per reference/ {print "many.limit_" limit ".per_reference", $7, "cycles"}' \
            "$work/many.log"
    done
    for policy in literal lookahead; do
        logged many.log build/sequence/many_hardware 1024 1023 1000 1 copy $policy
        awk -v policy=$policy '/cycles per reference/ {print "many.copied." policy ".per_reference", $8, "cycles"}' \
            "$work/many.log"
    done
}

core() {
    logged workload.log tests/core/workload.sh "$work" 4000 build/core-run
    awk '/CPI/ {print "core.workload_cycles", $1, "cycles"; print "core.workload_instructions", $3, "instructions"
                 printf "core.workload_cpi %.3f cycles/instruction\n", $1 / $3}' "$work/workload.log"
    logged interrupt.log build/core-run $work/interrupt.elf
    awk 'NR == 1 {print "core.interrupt_to_handler", $1 + 0, "cycles"}' "$work/interrupt.log"
}

# Costs of the firmware's modules alone, as RV32 under qemu.
firmware() {
    logged validate.log $qemu build/unit/cost_validate.elf
    awk '{value = $0; sub(/ *\(at most.*/, "", value); sub(/.* /, "", value)}
          /shortest job/ {print "validate.shortest_job", value, "instructions"}
          /per command word/ {print "validate.per_command_word", value, "instructions"}
          /per patch location/ {print "validate.per_patch_location", value, "instructions"}
          /per address written/ {print "patch.per_address_written", value, "instructions"}' "$work/validate.log" |
        sed 's/^/firmware./'
    logged residency.log $qemu build/unit/rv32/cost_residency.elf
    awk '/residents of/ {policy = $1; sub(/,/, "", policy)
              pages = $5; sub(/^1\.\.1$/, "1", pages); sub(/\.\./, "_to_", pages)
              place = "firmware.plan." policy ".residents_" $2 "_pages_" pages
              print place ".per_patch_location", $7, "instructions"
              print place ".looked_at_per_patch_location", $(NF - 10), "residents"
              print place ".worst_portion", $(NF - 7), "instructions"
              print place ".worst_portion_of_bound", $(NF - 4), "percent"}' "$work/residency.log"
    logged paging.log $qemu $work/cost_paging.elf
    awk '/^paging\./ {print "firmware." $0}' "$work/paging.log"
    logged manager.log $qemu $work/cost_manager.elf
    awk '/^manager\./ {print "firmware." $0}' "$work/manager.log"
}

# The driver and the segment map on the chip's own core.
paging() {
    logged bench_paging.log build/system/bench_paging
    grep "^paging\." "$work/bench_paging.log"
}

# Memory of the firmware's image and of its structures.
size() {
    riscv64-unknown-elf-size -A build/firmware/gpu.elf | awk '$1 ~ /^\.start$|^(\.cold)?\.(text|rodata)$/ {code += $2}
        $1 == ".data" || $1 ~ /^(\.cold)?\.bss$/ {state += $2} $1 == ".stack" {stack = $2}
        END {print "size.text", code, "bytes"; print "size.state", state, "bytes"; print "size.stack", stack, "bytes"}'
    riscv64-unknown-elf-nm -t d build/firmware/gpu.elf |
        awk '{at[$3] = $1 + 0} END {print "size.free", at["__memory_end"] - at["__bss_end"], "bytes"}'
    riscv64-unknown-elf-nm -S -t d $work/sizes.o | awk '{size[$4] = $2 + 0}
        END {print "size.allocation_entry", size["figure_allocation_entry"], "bytes"
             printf "size.residency_per_allocation %.1f bytes\n", size["figure_residency"] / size["figure_allocations"]
             print "size.patch_location", size["figure_patch"], "bytes"
             print "size.gpu_structure", size["figure_gpu"], "bytes"
             print "size.paging_512", size["figure_paging_512"], "bytes"
             print "size.paging_512_described", size["figure_paging_512_described"], "bytes"}'
}

# scene_run NAME [-wide]: four frames of the scene on the simulated chip, as figures in $work/scene.NAME.figures; with
# -wide on the one that has core memory for all of the firmware.
scene_run() {
    name=$1${2-}
    logged scene.$name.log draw_scene build/tessera${2-} $1 $work/scene.$name ${2:+--firmware build/firmware/gpu$2.elf}
    $work/flatten "$work/scene.$name/run.json" >"$work/scene.flat"
    $work/flatten "$work/scene.$name/trace.json" | awk -f $here/scene.awk "$work/scene.flat" - \
        >"$work/scene.$name.figures"
}

# core_memory NAME: cycles of a frame with 64 KB of core memory and caches, over those with 256 KB. At most 1.07.
core_memory() {
    scene_run $1 -wide
    awk -v name=$1 '$1 == "scene.cycles_per_frame" {cycles[FNR == NR ? "wide" : "small"] = $2}
        END {
            ratio = cycles["small"] / cycles["wide"]
            printf "scene.core_memory.%s %.4f ratio\n", name, ratio
            if (ratio > 1.07) {print "scene: core memory of 64 KB costs " name " more than 7 %" >"/dev/stderr"; exit 1}
        }' $work/scene.$1-wide.figures $work/scene.$1.figures
}

# The scene as `make run` draws it, textures read where they lie; then everything resident, everything copied in, and
# that by the documents' policy, by fewer figures.
scene() {
    for name in $scenes; do scene_run $name; done
    cat $work/scene.default.figures
    held='cycles|cycles_per_frame|cycles_of_steady_frame|evictions_per_frame|firmware_busy_share'
    held="$held|paging_bytes_in_per_frame|paging_working_share|planning_per_reference|planning_of_worst_portion"
    held="$held|longest_turn|building_per_page|portions_per_frame"
    for name in resident copied literal; do
        sed -n -E "s/^scene\.(($held) )/scene.$name.\1/p" $work/scene.$name.figures
    done
    for name in default resident; do core_memory $name; done
}

# Two families of the replay on the golden model.
replay() {
    for family in composition mixed; do
        build/replay/make_workload $family 1 3 >"$work/$family.json"
        logged $family.log build/tessera replay $work/$family.json --model --scale 4 --seed 1 \
            --policy literal --report $work/$family.report.json
        $work/flatten "$work/$family.report.json" | awk -v family=$family '
            BEGIN {unit["portions"] = "portions"; unit["portions_ratio"] = "ratio"; unit["traffic_pages"] = "pages"
                   unit["traffic_ratio"] = "ratio"; unit["operations"] = "operations"
                   unit["firmware.EVICTIONS"] = "allocations"; unit["firmware.PAGING_BUFFERS"] = "buffers"}
            $1 in unit {name = tolower($1); sub(/firmware\./, "", name); print "replay." family "." name, $2, unit[$1]}'
    done
}

# The options of `tessera replay` for what is known of the future: `alone`, or `queued` with three DMA buffers under
# way: while one is planned, the one before may still run, and the next one is known. `slow` is the same behind a bus
# so slow that a split takes as long as two pages.
ahead() {
    case $1 in
    alone) echo "--ahead 1" ;;
    queued) echo "--ahead 3" ;;
    slow) echo "--ahead 3 --stall 82" ;;
    esac
}

# Both paging policies over the six families, seeds 1 to 3, on the golden model, each schedule checked: how far above
# the bounds, as geometric means over the seeds. "alone": only the DMA buffer at hand is known; "queued": more are.
policy() {
    for family in streaming composition multipass pingpong mixed pathological; do
        for seed in 1 2 3; do
            build/replay/make_workload $family $seed 16 >"$work/policy.json"
            for policy in literal lookahead; do
                for known in alone queued; do
                    logged policy.log build/tessera replay $work/policy.json --model --policy $policy \
                        $(ahead $known) --report $work/policy.report.json --schedule $work/policy.schedule.json \
                        --workload $work/policy.replayed.json
                    logged policy.check build/replay/check_schedule $work/policy.replayed.json \
                        $work/policy.schedule.json
                    $work/flatten "$work/policy.report.json" | awk -v run="$family $policy $known" '
                        $1 ~ /^(traffic_ratio|portions_ratio|traffic_pages|pages_moved)$/ ||
                        $1 ~ /^(failed_steps|clean_writebacks)$/ \
                            {print run, $1, $2}'
                done
            done
        done
    done | awk -f $here/table.awk -f $here/policy.awk
}

# The three ways to choose evictions when contexts contend, as options of `tessera contend`.
chosen() {
    case $1 in
    literal) echo "--policy literal" ;;
    lookahead) echo "--no-shares" ;;
    shares) ;;
    esac
}

# Contexts whose sets (percents of memory) do not fit together, seeds 1 to 3, on the golden model: pages in and out per
# DMA buffer, of all and of the first context. "waiting": one DMA buffer at a time; "queued": four of each context.
fair() {
    while read -r name sets; do
        for policy in literal lookahead shares; do
            for known in waiting queued; do
                for seed in 1 2 3; do
                    logged fair.log build/tessera contend --model $sets $(chosen $policy) --seed $seed \
                        --ahead $([ $known = waiting ] && echo 1 || echo 4) --report $work/fair.json
                    $work/flatten $work/fair.json
                done | awk -v name="fair.$name.$policy.$known" '
                    {split($1, part, ".")}
                    part[3] ~ /^pages_/ {pages[part[2]] += $2}
                    part[3] == "jobs" {jobs[part[2]] += $2}
                    END {for (i in jobs) {sum += pages[i]; buffers += jobs[i]}
                         printf "%s.pages_per_buffer %.1f pages\n", name, sum / buffers
                         printf "%s.first_pages_per_buffer %.1f pages\n", name, pages[0] / jobs[0]}'
            done
        done
    done <<END
pair --set 70 --set 70
small_and_hog --set 20 --set 150
small_and_pair --set 20 --set 70 --set 70
END
}

# The small context beside the hog on the simulated chip: cycles from submission to completion.
latency() {
    for policy in literal lookahead shares; do
        logged latency.log build/tessera contend --set 20 --set 150 $(chosen $policy) --rounds 6 \
            --report $work/latency.json
        $work/flatten $work/latency.json | awk -v policy=$policy '
            $1 ~ /^contexts\.[01]\.(jobs|cycles|pages_in)$/ {split($1, part, "."); value[part[2] part[3]] = $2}
            END {split("small hog", who)
                 for (i = 0; i < 2; i++) {
                     printf "latency.%s.%s.cycles %d cycles\n", who[i + 1], policy, value[i "cycles"] / value[i "jobs"]
                     printf "latency.%s.%s.pages_in %.1f pages\n", who[i + 1], policy,
                            value[i "pages_in"] / value[i "jobs"]
                 }}'
    done
}

# Both paging policies on the simulated chip, each schedule checked: time in units of what neither node can do without,
# and of what the busier one did; the share of it in which the firmware was at work. The beginnings of the six families,
# and behind the slow bus all of them.
time() {
    while read -r family limit; do
        build/replay/make_workload $family 1 16 >"$work/time.json"
        for policy in literal lookahead; do
            for known in alone queued slow; do
                logged time.log build/tessera replay $work/time.json --policy $policy $(ahead $known) \
                    $([ $known = slow ] || echo "--limit $limit") --report $work/time.report.json \
                    --schedule $work/time.schedule.json --workload $work/time.replayed.json
                logged time.check build/replay/check_schedule $work/time.replayed.json $work/time.schedule.json
                $work/flatten "$work/time.report.json" | awk -v run="$family $policy $known" '
                    $1 ~ /^(cycles|firmware_cycles|(time|overlap|path)_ratio)$/ {print run, $1, $2}'
            done
        done
    done <<END | awk -f $here/table.awk -f $here/time.awk
streaming 8
composition 3
multipass 4
pingpong 2
mixed 6
pathological 6
END
}

# The report's page of 300 frames of a recording: its bytes, and what a browser takes to load and draw it, in units of
# what it takes for an empty page; the shortest of five.
page() {
    long=build/runs/play/report.html
    echo "page.frames_300.bytes $(wc -c <$long) bytes"
    . tests/host/report/open.sh >&2 # which says so where there is no browser
    [ -n "$browser" ] || return 1
    nothing=$(milliseconds_of_nothing) best=100000
    for try in 1 2 3 4 5; do
        shown=$(milliseconds $long)
        [ "$shown" -lt $best ] && best=$shown
    done
    echo "$best $nothing" | awk '{printf "page.frames_300.load %.2f empty-pages\n", $1 / $2}'
}

# Areas on an ECP5, from what `make synth`, `make synth-core` and `make area-engine` printed.
area() {
    awk '/^gpu on ECP5:/ {gsub(/,/, "")
              print "area.gpu_lut4", $4, "LUT4"
              print "area.gpu_flip_flops", $8, "flip-flops"
              print "area.gpu_block_rams", $10, "RAMs"
              print "area.gpu_multipliers", $16, "multipliers"}
          /^core, / {core = / -abc9/ ? "" : /everything/ ? "core_everything" : /MULTIPLY=0/ ? "core_small" : "core_im"}
          core != "" && $1 == "LUT4" {print "area." core "_lut4", $2, "LUT4"}
          core != "" && $1 == "TRELLIS_FF" {print "area." core "_flip_flops", $2, "flip-flops"}' "$work/area.log"
    awk '{gsub(/[+]/, "_"); for (i = 2; i < NF; i++)
              if ($i == "LUT4") print "area.mover_" $1 "_lut4", $(i + 1), "LUT4"}' out/area-engine.txt
}

# Every line is a figure, and no name comes twice.
check() {
    grep -q . "$2" || { echo "bench: $1 gave no figures. Run it alone to see why." >&2; return 1; }
    if grep -Ev "^$1\.[A-Za-z0-9_.-]+ [0-9]+(\.[0-9]+)? [A-Za-z0-9/-]+$" "$2" >&2; then
        echo "bench: the line above is not a figure: NAME NUMBER UNIT" >&2
        return 1
    fi
    if cut -d' ' -f1 "$2" | sort | uniq -d | grep . >&2; then
        echo "bench: the name above comes twice. Name one of them differently." >&2
        return 1
    fi
}

for group; do
    $group >"$work/$group.figures"
    check "$group" "$work/$group.figures"
    cat "$work/$group.figures"
done
