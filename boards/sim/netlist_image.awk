# SPDX-License-Identifier: Apache-2.0
# awk -f netlist_image.awk SEED.hex IMAGE.hex NETLIST.json: the netlist with the image's words in place of the seed's,
# as ecpbram does it in a finished configuration. Core memory is block RAMs of 8192 words of two bits, or, where
# it is a multiple of so many, of 16384 of one; which bits a block RAM holds is told by its first words, which occur
# once among random ones.
BEGIN {
    for (i = 0; i < 16; i++) binary[sprintf("%x", i)] = int(i / 8) int(i / 4) % 2 int(i / 2) % 2 i % 2
}
# A word as 32 digits, highest bit first.
function bits(word,    i, all) {
    for (i = 1; i <= 8; i++) all = all binary[tolower(substr(word, i, 1))]
    return all
}
# INITVAL number `line` of the RAM with the bits from width * part on of the words from `bank` on: sixteen times twenty
# digits, the first words last: 00, then two bytes of nine digits, eight bits of four or eight words in the lower eight.
function initval(file, bank, part, line,    i, j, at, all, byte) {
    for (i = 31; i >= 0; i--) {
        byte = "0"
        at = bank * depth + (line * 32 + i) * (8 / width)
        for (j = 8 / width - 1; j >= 0; j--) byte = byte substr(word[file, at + j], 33 - width * (part + 1), width)
        all = all (i % 2 ? "00" : "") byte
    }
    return all
}
FILENAME == ARGV[1] {word[1, FNR - 1] = bits($1); words = FNR; next}
FILENAME == ARGV[2] {word[2, FNR - 1] = bits($1); next}
FNR == 1 {
    width = words % 16384 ? 2 : 1
    depth = 16384 / width
    for (bank = 0; bank < words / depth; bank++)
        for (i = 0; i < 32 / width; i++) place[initval(1, bank, i, 0)] = bank " " i
}
/"INITVAL_00": / {
    split($2, part, "\"")
    is_ours = part[2] in place
    if (is_ours) {split(place[part[2]], ours, " "); found++; line = 0}
}
/"INITVAL_/ && is_ours {
    split($2, part, "\"")
    if (part[2] != initval(1, ours[1], ours[2], line)) {print "a block RAM is not as the seed" >"/dev/stderr"; exit 1}
    sub(/"[01]+"/, "\"" initval(2, ours[1], ours[2], line++) "\"")
}
{print}
END {
    if (found != words / 512) {print found + 0, "block RAMs of", words / 512, "found" >"/dev/stderr"; exit 1}
}
