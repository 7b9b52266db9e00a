# SPDX-License-Identifier: Apache-2.0
# Flattened run.json, then flattened trace.json of one run of the scene -> figures. The trace says how long the
# firmware was at each kind of work: a span lasts from the event before to the one that it is named after, and its
# first word tells the kind.
FNR == NR { run[$1] = $2; next }
{
    split($1, path, ".")
    if (path[1] != "traceEvents") next
    if (path[2] != event) finish()
    event = path[2]
    span[path[3]] = $2
    if (path[4] == "bytes") argument = $2
}
function finish() {
    if (span["ph"] == "X" && span["pid"] == 1 && span["tid"] == 2) {
        cycles[span["name"]] += span["dur"]
        count[span["name"]]++
        sum[span["name"]] += argument
    }
    delete span
    argument = 0
}
function figure(name, format, value, unit) { printf "scene.%s " format " %s\n", name, value, unit }
function statistic(name) { return run["statistics." name] }
# BUSY counts a wait for the other node's fence too; here it is apart, and so is what waits for the firmware.
function node(name, waiting) {
    waiting = run[name "_node.stall_fence"]
    figure(name "_working_share", "%.4f", (run[name "_busy_cycles"] - waiting) / drawing, "ratio")
    figure(name "_waiting_share", "%.4f", waiting / drawing, "ratio")
    figure(name "_firmware_share", "%.4f", run["account." name "_node.firmware"] / run["account.cycles"], "ratio")
}
END {
    finish()
    if (run["matches_golden"] != "true" || run["faults"] != 0) {
        print "scene: the picture is wrong" >"/dev/stderr"
        exit 1
    }
    frames = run["frames"]
    drawing = run["cycles"] - run["first_frame_cycle"]
    figure("cycles", "%d", run["cycles"], "cycles")
    figure("cycles_per_frame", "%d", drawing / frames, "cycles")
    figure("bound_per_frame", "%d", run["bound.cycles"] / frames, "cycles")
    figure("cycles_per_bound", "%.3f", run["bound.cycles_per_bound"], "ratio")
    # While the last frame is drawn no other is examined.
    figure("cycles_of_steady_frame", "%d", (run["frame.2.done_cycle"] - run["frame.0.done_cycle"]) / 2, "cycles")
    figure("portions_per_frame", "%.1f", run["portions"] / frames, "portions")
    figure("splits_per_frame", "%.1f", run["splits"] / frames, "splits")
    figure("evictions_per_frame", "%.1f", run["evictions"] / frames, "allocations")
    figure("paging_buffers_per_frame", "%.1f", run["paging_buffers"] / frames, "buffers")
    figure("paging_bytes_in_per_frame", "%d", run["paging_bytes_in"] / frames, "bytes")
    figure("paging_bytes_out_per_frame", "%d", run["paging_bytes_out"] / frames, "bytes")
    node("render")
    node("paging")
    figure("firmware_busy_share", "%.4f", statistic("FIRMWARE_CYCLES") / run["cycles"], "ratio")
    figure("firmware_instructions", "%d", run["firmware_instructions"], "instructions")
    figure("firmware_cpi", "%.3f", statistic("FIRMWARE_CYCLES") / run["firmware_instructions"], "cycles/instruction")
    figure("planning_per_reference", "%d", statistic("DECISION_CYCLES") / statistic("REFERENCES"), "cycles")
    figure("planning_of_worst_portion", "%d", statistic("DECISION_MAX"), "cycles")
    figure("longest_turn", "%d", statistic("TURN_MAX"), "cycles")
    operations = 0
    for (name in run)
        if (name ~ /^paging_operations\./) operations += run[name]
    building = cycles["evict"] + cycles["page"] + cycles["submit"]
    figure("building_per_paging_operation", "%d", building / operations, "cycles")
    pages = statistic("PAGES_IN") + statistic("PAGES_OUT") + statistic("PAGES_MAPPED")
    figure("building_per_page", "%d", building / pages, "cycles")
    figure("validating_per_command_word", "%.1f", cycles["validate"] / (sum["validate"] / 4), "cycles")
}
