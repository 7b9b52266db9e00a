# SPDX-License-Identifier: Apache-2.0
# Flattened report of the engine's bench (tests/rtl/mover/bench.c) -> figures. Copies at 64 bytes and 4 KB, on a memory
# that never stalls: cycles. Other operations: cycles divided by the bound that the bench states for them. A
# case with wrong data fails.
function finish(name) {
    if (!("case" in row)) return
    if (row["correct"] != "true") { print "engine: wrong data in " row["case"] >"/dev/stderr"; failed = 1 }
    name = row["case"] "." (row["align"] == "aligned" ? "aligned" : "offset")
    gsub(/ /, "_", name)
    if (row["memory_mode"] == "ideal") {
        if (row["case"] ~ /^(isolated|stream|2d)$/) {
            if (row["bytes"] == 64 || row["bytes"] == 4096)
                print "engine." name "." row["bytes"] "B.latency_" row["latency"], row["cycles"], "cycles"
        } else if (row["latency"] == 64)
            printf "engine.%s.of_bound %.4f ratio\n", name, row["cycles"] / row["bound"]
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
END { finish(); exit failed }
