# SPDX-License-Identifier: Apache-2.0
# awk -f table.awk -f time.awk: the group `time`, replays on the simulated chip.
BEGIN {heading = "million cycles, time / max(engine, bound), time / max(engine, paging)"}
function cell(name, run) {
    printf "time.%s.cycles %d cycles\n", name, value[run " cycles"]
    printf "time.%s.time_ratio %.3f ratio\n", name, mean(run, "time_ratio")
    printf "time.%s.overlap_ratio %.3f ratio\n", name, mean(run, "overlap_ratio")
    return sprintf("  %7.3f %5.2f %5.2f", value[run " cycles"] / 1000000, mean(run, "time_ratio"),
                   mean(run, "overlap_ratio"))
}
function closing() {
    means("time", "time_ratio")
    means("time", "overlap_ratio")
}
