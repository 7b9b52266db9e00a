# SPDX-License-Identifier: Apache-2.0
# awk -f table.awk -f policy.awk: the group `policy`. Traffic and portions are geometric means over the seeds, moves a
# share of the traffic, failures and copies of clean pages sums.
BEGIN {
    kinds = "literal alone,literal queued,lookahead alone,lookahead queued"
    heading = "traffic / bound, portions / minimum, pages moved / traffic"
}
function cell(name, run,    moved) {
    moved = value[run " traffic_pages"] > 0 ? value[run " pages_moved"] / value[run " traffic_pages"] : 0
    printf "policy.%s.traffic_ratio %.3f ratio\n", name, mean(run, "traffic_ratio")
    printf "policy.%s.portions_ratio %.3f ratio\n", name, mean(run, "portions_ratio")
    printf "policy.%s.moved_share %.3f ratio\n", name, moved
    printf "policy.%s.failed_steps %d steps\n", name, value[run " failed_steps"]
    printf "policy.%s.clean_writebacks %d pages\n", name, value[run " clean_writebacks"]
    return sprintf("  %6.3f %6.2f %5.2f", mean(run, "traffic_ratio"), mean(run, "portions_ratio"), moved)
}
function closing() {
    means("policy", "traffic_ratio")
    means("policy", "portions_ratio")
}
