# SPDX-License-Identifier: Apache-2.0
# awk -f table.awk -f time.awk: the group `time`, replays on the simulated chip.
BEGIN {
    width = 25
    kinds = "literal alone,literal queued,literal slow,lookahead alone,lookahead queued,lookahead slow"
    heading = "million cycles, time / max(engine, bound), / max(engine, paging), / data path of segment 2, firmware"
}
function cell(name, run) {
    printf "time.%s.cycles %d cycles\n", name, value[run " cycles"]
    printf "time.%s.time_ratio %.3f ratio\n", name, mean(run, "time_ratio")
    printf "time.%s.overlap_ratio %.3f ratio\n", name, mean(run, "overlap_ratio")
    printf "time.%s.path_ratio %.3f ratio\n", name, mean(run, "path_ratio")
    share = value[run " firmware_cycles"] / value[run " cycles"]
    printf "time.%s.firmware_share %.3f ratio\n", name, share
    return sprintf("  %5.2f %4.2f %4.2f %4.2f %4.2f", value[run " cycles"] / 1000000, mean(run, "time_ratio"),
                   mean(run, "overlap_ratio"), mean(run, "path_ratio"), share)
}
function closing() {
    means("time", "time_ratio")
    means("time", "overlap_ratio")
    means("time", "path_ratio")
}
