# SPDX-License-Identifier: Apache-2.0
# awk -f table.awk -f GROUP.awk: lines "family policy known field value" of single replays, `known` being alone (only
# the DMA buffer at hand), queued (more after it) or slow (so behind a slow bus),
# to the figures of GROUP, and to a table on the standard error, a line per family. GROUP.awk has its heading; the kinds
# of runs; cell(name, run), which prints the figures of a run and returns what the table shows; closing(), whatever
# follows.
# Fields named _ratio are gathered as logarithms: mean().
{
    run = $1 " " $2 " " $3
    if (!($1 in seen)) {seen[$1] = 1; family[++families] = $1}
    value[run " " $4] += $4 ~ /_ratio$/ ? log($5) : $5
    count[run " " $4]++
}
function mean(run, field) { return exp(value[run " " field] / count[run " " field]) }
# A field over the families, for each column: figures group.mean.POLICY.KNOWN.FIELD and a line of the table.
function means(group, field,    c, i, sum, name, row) {
    row = sprintf("%-13s", "mean")
    for (c = 1; c <= columns; c++) {
        sum = 0
        for (i = 1; i <= families; i++) sum += log(mean(family[i] " " column[c], field))
        name = column[c]
        sub(/ /, ".", name)
        printf "%s.mean.%s.%s %.3f ratio\n", group, name, field, exp(sum / families)
        row = row sprintf("  %-" width "s", sprintf("%6.3f", exp(sum / families)))
    }
    print row ", " field >"/dev/stderr"
}
END {
    if (width == "") width = 20 # of a cell, without the two spaces before it
    columns = split(kinds, column, ",")
    print heading >"/dev/stderr"
    row = sprintf("%13s", "")
    for (c = 1; c <= columns; c++) {
        name = column[c]
        sub(/ /, ", ", name)
        row = row sprintf("  %-" width "s", name)
    }
    print row >"/dev/stderr"
    for (i = 1; i <= families; i++) {
        row = sprintf("%-13s", family[i])
        for (c = 1; c <= columns; c++) {
            name = column[c]
            sub(/ /, ".", name)
            row = row cell(family[i] "." name, family[i] " " column[c])
        }
        print row >"/dev/stderr"
    }
    closing()
}
