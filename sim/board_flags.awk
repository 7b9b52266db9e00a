# SPDX-License-Identifier: Apache-2.0
# awk -v board=NAME -v settings="-set NAME VALUE ..." -f sim/board_flags.awk sim/sim_top.v boards/common/board_core.v \
#     boards/NAME/NAME.v
# What Verilator is told of sim_top's parameters so that it is the chip of boards/NAME, with its memory: a line of
# -GNAME=VALUE, then CLOCK_HZ=VALUE, the chip's clock. The values are those with which the top makes board_core, and
# board_core the chip; `settings`, as chparam takes them, go before both.
FNR == 1 { file++ }
{ sub(/\/\/.*/, "") }
match($0, /parameter ([^=]* )?[A-Z][A-Z0-9_]* *=/) {
    words = split(substr($0, RSTART, RLENGTH - 1), word, " ")
    text = substr($0, RSTART + RLENGTH)
    sub(/^ */, "", text); sub(/,? *$/, "", text)
    standard[file, word[words]] = text
    if (file == 1) order[++count] = word[words]
}
file == 2 && /^ *gpu #\(/   { inside = 2 }
file == 3 && /^ *board_core #\(/ { inside = 3 }
inside == file {
    text = $0
    while (match(text, /\.[A-Z][A-Z0-9_]*\([^()]*\)/)) {
        one = substr(text, RSTART + 1, RLENGTH - 2)
        given[file, substr(one, 1, index(one, "(") - 1)] = substr(one, index(one, "(") + 1)
        text = substr(text, RSTART + RLENGTH)
    }
    if ($0 ~ /\) (chip|board) \(/) inside = 0
}
file == 3 && match($0, /FREQUENCY_PIN_CLKOS2 = "[0-9]*"/) && !sdram { # of the SDRAM's clock pin, or of its own
    split(substr($0, RSTART, RLENGTH), word, "\""); sdram = word[2] * 1000000
}
function digits(text, base,    value, i) {
    for (i = 1; i <= length(text); i++)
        value = value * base + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
    return value
}
# A parameter of module `at` (1 sim_top, 2 board_core, 3 the top) by name; "" if it is none.
function of(at, name) {
    if (name in set) return set[name]
    if (at == 2 && (3, name) in given) return value(3, given[3, name])
    return (at, name) in standard ? value(at, standard[at, name]) : ""
}
function value(at, text,    part) {
    gsub(/ /, "", text)
    if (text ~ /^[0-9]+$/) return text + 0
    if (text ~ /^[0-9]+'[dh][0-9a-fA-F]+$/) {
        split(text, part, "'")
        return digits(substr(part[2], 2), substr(part[2], 1, 1) == "h" ? 16 : 10)
    }
    if (text ~ /^[0-9A-Z_]+\/[0-9A-Z_]+$/) {
        split(text, part, "/")
        return int(value(at, part[1]) / value(at, part[2]))
    }
    return text ~ /^[A-Z][A-Z0-9_]*$/ ? of(at, text) : ""
}
END {
    words = split(settings, word, " ")
    for (i = 1; i + 2 <= words; i += 3) set[word[i + 1]] = word[i + 2]
    clock = of(2, "CLOCK_HZ")
    if (!((3, "CLOCK_HZ") in given) || !clock || !sdram || !((2, "SEGMENT2_BYTES") in given)) {
        print "board_flags.awk: the clocks or parameters of " board " are not where they are looked for" >"/dev/stderr"
        exit 1
    }
    printf "-GBOARD=1 -GSDRAM_HZ=%d", sdram
    for (i = 1; i <= count; i++) {
        name = order[i]
        if (name == "BOARD" || name == "SDRAM_HZ") continue
        got = name in set ? set[name] : (2, name) in given ? value(2, given[2, name]) : of(2, name)
        if (got != "") printf " -G%s=%d", name, got
    }
    printf "\nCLOCK_HZ=%d\n", clock
}
