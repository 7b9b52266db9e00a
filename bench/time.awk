# SPDX-License-Identifier: Apache-2.0
# awk -f time.awk: lines "family policy ahead field value" of single replays on the simulated chip to the figures of the
# group `time`, and to a table on the standard error.
{
    run = $1 " " $2 " " $3
    if (!($1 in seen)) {seen[$1] = 1; family[++families] = $1}
    value[run " " $4] = $5
}
END {
    split("literal lookahead", policy)
    split("1 2", ahead)
    word["1"] = "alone"
    word["2"] = "queued"
    print "million cycles, time / max(engine, bound), time / max(engine, paging)" >"/dev/stderr"
    print "               literal, alone        literal, queued       lookahead, alone      lookahead, queued" \
        >"/dev/stderr"
    for (i = 1; i <= families; i++) {
        row = sprintf("%-13s", family[i])
        for (p = 1; p <= 2; p++)
            for (a = 1; a <= 2; a++) {
                run = family[i] " " policy[p] " " ahead[a]
                name = "time." family[i] "." policy[p] "." word[ahead[a]]
                printf "%s.cycles %d cycles\n", name, value[run " cycles"]
                printf "%s.time_ratio %.3f ratio\n", name, value[run " time_ratio"]
                printf "%s.overlap_ratio %.3f ratio\n", name, value[run " overlap_ratio"]
                row = row sprintf("  %7.3f %5.2f %5.2f", value[run " cycles"] / 1000000, value[run " time_ratio"],
                                  value[run " overlap_ratio"])
            }
        print row >"/dev/stderr"
    }
}
