# SPDX-License-Identifier: Apache-2.0
# The glossary for the page: `const WORDS = [...]`, of docs/glossary.md and web/page/sources, in which a line names a
# word, a file and a text that stands in exactly one line of that file: this is where the word's link leads. A word that
# the glossary does not have, or a text that is not there once, ends the build.
#   awk -f web/page/words.awk docs/glossary.md web/page/sources
function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
function trimmed(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
function complain(text) { print FILENAME ":" FNR ": " text >"/dev/stderr"; failed = 1 }

FNR == NR {
    if ($0 !~ /^\|/ || $0 ~ /^\|-/) next
    split($0, cell, "|")
    if (trimmed(cell[3]) == "") { group = trimmed(cell[2]); next }
    count++
    word[count] = trimmed(cell[2]); text[count] = trimmed(cell[3]); of[count] = group
    gsub(/`/, "", text[count])
    next
}
/^#/ || NF == 0 { next }
{
    split($0, part, " \\| ")
    found = 0
    for (i = 1; i <= count; i++) if (word[i] == part[1]) found = i
    if (!found) { complain("the glossary has no \"" part[1] "\""); next }
    number = 0; hits = 0
    while ((getline line <part[2]) > 0) { number++; if (index(line, part[3])) { hits++; place = number } }
    close(part[2])
    if (hits != 1) { complain("\"" part[3] "\" stands in " hits " lines of " part[2]); next }
    path[found] = part[2]; at[found] = place
}
END {
    if (failed) exit 1
    print "const WORDS = ["
    for (i = 1; i <= count; i++)
        print "  { word: " quoted(word[i]) ", group: " quoted(of[i]) ",\n    text: " quoted(text[i]) \
            (path[i] ? ", path: " quoted(path[i]) ", line: " at[i] : "") " },"
    print "];"
}
