#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sim/runtime.sh FOLDER COMPILER ARGUMENT...: what Verilator's make files have compiled (their OBJCACHE). Its own
# sources (verilated.cpp and others) take longer than many a design here and are the same for each of them: what has
# been compiled from them with the same words is kept in FOLDER and copied. Anything else is compiled as it stands.
set -u
folder=$1; shift
source='' object='' key='' was='' optimised=''
for word; do
    case $word in */include/verilated*.cpp) source=$word ;; esac
    case $was:$word in
        -o:*) object=$word ;;
        *:-DV*) key+=" $word" ;;
        *:-O*) optimised=$word ;; # the last one counts
        *:-o | *:-[DIMW]* | *:-std=*) ;; # where the object lies, and what these sources do not look at
        *) key+=" $word" ;;
    esac
    was=$word
done
if [ -z "$source" ] || [ -z "$object" ]; then exec "$@"; fi
# Another Verilator or compiler, another object.
key+=" $optimised"
key=$({ printf '%s\n' "$key"; "$1" --version; cat "$source" "${source%/*}"/verilated*.h; } | sha256sum | cut -c 1-24)
kept=$folder/$(basename "$source" .cpp)-$key.o
# One compiles it, others that want it meanwhile wait.
mkdir -p "$folder" && exec 9>"$kept.lock" && flock 9
if [ -f "$kept" ]; then exec cp "$kept" "$object"; fi
"$@" || exit
cp "$object" "$kept.new" && mv "$kept.new" "$kept" # whole, or not there
