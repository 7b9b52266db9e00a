# SPDX-License-Identifier: Apache-2.0
# awk -v compiler="gcc VERSION for RV32" -f hold.awk KEPT MEASURED: fails when a figure of MEASURED differs from KEPT
# by more than 2 % in either direction, is not in KEPT, or when KEPT has one of a measured group that was not measured.
# What was measured with another compiler than the one KEPT names is shown beside it, and fails beyond 15 %. The last
# line says how many figures passed and failed.
function wrong(text) { print text; failed++ }
/^# Tools:/ && FILENAME == ARGV[1] { is_same = compiler == "" || index($0, compiler) != 0 }
/^#/ || NF == 0 { next }
NF != 3 || $2 !~ /^-?[0-9]+(\.[0-9]+)?$/ { wrong("not a figure: " $0); next }
FILENAME == ARGV[1] { kept[$1] = $2; next }
{
    measured[$1] = $2
    split($1, part, ".")
    group[part[1]] = 1
}
BEGIN { is_same = 1 }
END {
    for (name in measured) {
        difference = measured[name] - kept[name]
        if (difference < 0) difference = -difference
        size = kept[name] < 0 ? -kept[name] : kept[name]
        told = name ": " measured[name] " instead of " kept[name]
        if (!(name in kept)) wrong(name ": " measured[name] " is new")
        else if (difference > (is_same ? 0.02 : 0.15) * size) wrong(told)
        else {
            passed++
            if (difference > 0.02 * size) print told ", with another compiler"
        }
    }
    for (name in kept) {
        split(name, part, ".")
        if (part[1] in group && !(name in measured)) wrong(name ": not measured any more")
    }
    if (failed != 0) print "If that is meant: run make bench, and commit bench/figures.txt with the reason."
    printf "%d passed, %d failed\n", passed, failed
    exit failed != 0 || passed == 0
}
