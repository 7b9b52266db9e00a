#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# manual.sh PROGRAM VERSION DATADIR: tessera(1) on standard output, made of what PROGRAM's own --help says, command by
# command, so that it has every option that the tables of the program have, and no other.
program=$1 version=$2
datadir=$(printf %s "$3" | sed 's,/,/\\:,g') # a long path may be broken behind each slash

# Text to man(7): the page's own signs taken literally. Options and commands are the tagged lines of a help.
format='
function literal(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.\x27]/ ? "\\&" text : text
}
/^[A-Z][a-z]+( tests)?$/ { print ".PP\n" literal($0) ":"; next } # a heading of options
/^  [^ ]/ {
    tag = substr($0, 3); text = ""
    if (match(tag, /  +/)) { text = substr(tag, RSTART + RLENGTH); tag = substr(tag, 1, RSTART - 1) }
    else { # a tag that fills its column, or a line without text
        words = split(tag, word, " ")
        tag = length(word[1]) >= 20 || words < 2 ? word[1] : word[1] " " word[2]
        text = substr($0, length(tag) + 4)
    }
    print ".TP\n.B " literal(tag)
    if (text != "") print literal(text)
    next
}
/^ +[^ ]/ { sub(/^ +/, ""); print literal($0); next }
NF { print literal($0) }'

cat <<END
.\\" Made by host/manual.sh of the program's own help.
.TH TESSERA 1 "" "Tessera $version" "User Commands"
.SH NAME
tessera \\- draw on the Tessera GPU: its simulated chip, its golden model or a board
.SH SYNOPSIS
.B tessera
.I COMMAND
.RI [ OPTION ...]
.SH DESCRIPTION
One program for what can be done with the GPU. Each command has options of its own, which
.B tessera
.I COMMAND
.B \\-\\-help
prints, too.
.SH COMMANDS
END
"$program" --help | sed 1d | awk "$format" || exit 1
printf '.SH OPTIONS\n'
for command in $("$program" --help | awk '/^  [a-z]/ && $1 != "help" { print $1 }'); do
    printf '.SS tessera %s\n' "$command"
    "$program" "$command" --help | awk "$format" || exit 1
done
cat <<END
.SH EXIT STATUS
0: all is well. 1: a frame differed, the GPU reported a fault, a case failed. 2: it could not be run, with one line on
standard error that says what to do.
.SH FILES
.na
.TP
.I $datadir/gpu.elf
the firmware of the GPU's control core; beside it
.I gpu-tcm.elf
for a chip without the firmware's region
.SH SEE ALSO
.BR tessera\\-record (1);
the documents in
.I $datadir/doc
END
