#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tessera-record [-o FILE] [-n FRAMES] [-e EVENTS] PROGRAM [ARGUMENT...]: run an SDL 1.2 or SDL 2 surface program and
# record what it draws. docs/record.md has the rest. Exit status: 0 with a recording, 2 without, after one line.
file=recording.tsdl frames= events=
usage="usage: tessera-record [-o FILE] [-n FRAMES] [-e EVENTS] PROGRAM [ARGUMENT...]"
while getopts o:n:e:h option; do
    case $option in
    o) file=$OPTARG ;;
    n) frames=$OPTARG ;;
    e) events=$OPTARG ;;
    h) echo "$usage"; exit 0 ;;
    *) echo "$usage" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
case $frames in *[!0-9]*) echo "tessera-record: -n $frames: give a number of frames." >&2; exit 2 ;; esac
library=$(cd "$(dirname "$0")" && pwd)/libtessera-record.so
[ -f "$library" ] || { echo "tessera-record: $library is missing. make record builds it." >&2; exit 2; }
program=$(command -v "$1") || { echo "tessera-record: there is no program $1." >&2; exit 2; }
shift
copy=
if [ -u "$program" ] || [ -g "$program" ]; then
    # The loader ignores LD_PRELOAD where a program changes its user or group; a copy does not.
    copy=$(mktemp -d) && cp "$program" "$copy/" && chmod ug-s "$copy/${program##*/}" || exit 2
    program=$copy/${program##*/}
fi
rm -f -- "$file"
LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD} TESSERA_RECORD_FILE=$file TESSERA_RECORD_FRAMES=$frames \
    TESSERA_RECORD_EVENTS=$events "$program" "$@"
status=$?
[ -z "$copy" ] || rm -rf "$copy"
[ $status -ne 125 ] || exit 2
if [ ! -f "$file" ]; then
    echo "tessera-record: ${program##*/} (exit status $status) showed no SDL surface: nothing was recorded." >&2
    exit 2
fi
