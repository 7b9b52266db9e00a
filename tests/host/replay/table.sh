#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: what the firmware makes of many workloads, as one table, with every schedule judged. Method: the six families
# with seeds 1 to 3, then the pagesim-1 files given, on the golden model, under both policies; content is compared by
# the replay itself, the schedule by the independent checker, which searches at every failed step for a placement that
# the firmware has missed: finding one is a failure, and so is any failed step of a family.
# Usage: table.sh TESSERA TOOLS-DIR [FILE...]
tessera=$1 tools=$2
shift 2
base=$tools/table passed=0 failed=0
row='%-16s %-10s %6s %8s %8s %8s %9s %9s  %s\n'
# shellcheck disable=SC2059
printf "$row" workload policy steps failed portions least traffic bound schedule

# field NAME: of the last report
field() { sed -n "s/^ *\"$1\": *\([0-9.]*\).*/\1/p" "$base.report.json" | head -n 1; }

# one NAME FILE POLICY MUST-PLACE
one() {
    if ! "$tessera" replay "$2" --model --policy "$3" --report "$base.report.json" --schedule "$base.schedule.json" \
        --workload "$base.replayed.json" --submitted "$base.submitted.json" >"$base.log" 2>&1; then
        echo "$1 $3: $(tail -n 1 "$base.log")"
        failed=$((failed + 1))
        return
    fi
    steps=$(field failed_steps) judgement=legal
    if [ "$4" = yes ] && [ "$steps" != 0 ]; then judgement='steps failed'
    elif ! "$tools/check_schedule" "$base.replayed.json" "$base.schedule.json" "$steps" >"$base.check" 2>&1; then
        judgement="illegal: $(tail -n 1 "$base.check")"
    elif ! "$tools/check_schedule" "$base.submitted.json" "$base.submitted.json" >"$base.check" 2>&1; then
        judgement="illegal as submitted: $(tail -n 1 "$base.check")"
    fi
    printf "$row" "$1" "$3" "$(field steps)" "$steps" "$(field portions)" "$(field portions_minimal)" \
        "$(field traffic_pages)" "$(field traffic_minimal)" "$judgement"
    if [ "$judgement" = legal ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

for family in streaming composition multipass pingpong mixed pathological; do
    for seed in 1 2 3; do
        "$tools/make_workload" $family $seed 16 >"$base.json" || exit 1
        for policy in literal lookahead; do one $family-$seed "$base.json" $policy yes; done
    done
done
for file; do
    for policy in literal lookahead; do one "$(basename "$file" .json)" "$file" $policy no; done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
