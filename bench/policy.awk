# SPDX-License-Identifier: Apache-2.0
# awk -f policy.awk: lines "family policy ahead field value" of single replays to the figures of the group `policy`, and
# to a table on the standard error: traffic and portions as geometric means over the seeds, moves as a share of the
# traffic, failures and copies of clean pages as sums.
{
    run = $1 " " $2 " " $3
    if (!($1 in seen)) {seen[$1] = 1; family[++families] = $1}
    value[run " " $4] += $4 ~ /_ratio$/ ? log($5) : $5
    count[run " " $4]++
}
function mean(run, field) { return exp(value[run " " field] / count[run " " field]) }
function figures(name, run,    traffic, portions) {
    traffic = mean(run, "traffic_ratio")
    portions = mean(run, "portions_ratio")
    moved = value[run " traffic_pages"] > 0 ? value[run " pages_moved"] / value[run " traffic_pages"] : 0
    printf "%s.traffic_ratio %.3f ratio\n", name, traffic
    printf "%s.portions_ratio %.3f ratio\n", name, portions
    printf "%s.moved_share %.3f ratio\n", name, moved
    printf "%s.failed_steps %d steps\n", name, value[run " failed_steps"]
    printf "%s.clean_writebacks %d pages\n", name, value[run " clean_writebacks"]
    row = row sprintf("  %6.3f %6.2f %5.2f", traffic, portions, moved)
}
END {
    split("literal lookahead", policy)
    split("1 3", ahead)
    word["1"] = "alone"
    word["3"] = "queued"
    print "traffic / bound, portions / minimum, pages moved / traffic" >"/dev/stderr"
    print "               literal, alone        literal, queued       lookahead, alone      lookahead, queued" \
        >"/dev/stderr"
    for (i = 1; i <= families; i++) {
        row = sprintf("%-13s", family[i])
        for (p = 1; p <= 2; p++)
            for (a = 1; a <= 2; a++) {
                run = family[i] " " policy[p] " " ahead[a]
                figures("policy." family[i] "." policy[p] "." word[ahead[a]], run)
                sum[p, a] += log(mean(run, "traffic_ratio"))
            }
        print row >"/dev/stderr"
    }
    row = sprintf("%-13s", "mean")
    for (p = 1; p <= 2; p++)
        for (a = 1; a <= 2; a++) {
            printf "policy.mean.%s.%s.traffic_ratio %.3f ratio\n", policy[p], word[ahead[a]], exp(sum[p, a] / families)
            row = row sprintf("  %6.3f             ", exp(sum[p, a] / families))
        }
    print row >"/dev/stderr"
}
