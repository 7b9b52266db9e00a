# SPDX-License-Identifier: Apache-2.0
# Flattened report of tests/rtl/mover/test_aperture.cpp -> figures: aligned copies of the paging node at 64 cycles of
# system memory's latency.
function finish(name) {
    if (row["align"] == "aligned" && row["latency"] == 64 && row["case"] ~ /^node 1, /) {
        name = substr(row["case"], 9)
        gsub(/ /, "_", name)
        print "node.paging_copies_" row["bytes"] "B." name, row["cycles"], "cycles"
    }
    delete row
}
{
    split($1, path, ".")
    if (path[1] != index_now) finish()
    index_now = path[1]
    value = $0
    sub(/^[^ ]* /, "", value)
    row[path[2]] = value
}
END { finish() }
