# SPDX-License-Identifier: Apache-2.0
# awk -f hold.awk KEPT MEASURED: fails when a figure of MEASURED differs from KEPT by more than 2 % in either
# direction, is not in KEPT, or when KEPT has one of a measured group that was not measured. The last line says how
# many figures passed and failed.
function wrong(text) { print text; failed++ }
/^#/ || NF == 0 { next }
NF != 3 || $2 !~ /^-?[0-9]+(\.[0-9]+)?$/ { wrong("not a figure: " $0); next }
FILENAME == ARGV[1] { kept[$1] = $2; next }
{
    measured[$1] = $2
    split($1, part, ".")
    group[part[1]] = 1
}
END {
    for (name in measured) {
        difference = measured[name] - kept[name]
        limit = 0.02 * (kept[name] < 0 ? -kept[name] : kept[name])
        if (!(name in kept)) wrong(name ": " measured[name] " is new")
        else if (difference > limit || difference < -limit)
            wrong(name ": " measured[name] " instead of " kept[name])
        else passed++
    }
    for (name in kept) {
        split(name, part, ".")
        if (part[1] in group && !(name in measured)) wrong(name ": not measured any more")
    }
    if (failed != 0) print "If that is meant: run make bench, and commit bench/figures.txt with the reason."
    printf "%d passed, %d failed\n", passed, failed
    exit failed != 0 || passed == 0
}
