#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sim/runtime.sh FOLDER COMPILER ARGUMENT...: what Verilator's make files have compiled (their OBJCACHE). Its own
# sources (verilated.cpp and others) take longer than many a design here and are the same for each of them: what has
# been compiled from them with the same words is kept in FOLDER and copied. So does its header, in every file of a
# design: g++ gets it compiled, from the second file on that has the same words. Anything else is compiled as it stands.
set -u
folder=$1; shift
source='' object='' headers='' key='' was='' optimised='' dialect='' words=()
for word; do
    case $was:$word in
        -o:* | *:*.cpp | *:-[co] | *:-M*) ;;
        *) words+=("$word") ;; # what a header is compiled with
    esac
    case $was:$word in
        -o:*) object=$word ;;
        *:*.cpp) source=$word ;;
        *:-I*) [ ! -f "${word#-I}/verilated.h" ] || headers=${word#-I} ;;
        *:-DV*) key+=" $word" ;;
        *:-O*) optimised=$word ;; # the last one counts
        *:-std=*) dialect=$word ;;
        *:-o | *:-[DMW]*) ;; # where the object lies, and what these sources do not look at
        *) key+=" $word" ;;
    esac
    was=$word
done
if [ -z "$source" ] || [ -z "$object" ] || [ -z "$headers" ]; then exec "$@"; fi
# kept NAME WORDS: the file for these words; another Verilator or compiler, another file
kept() {
    printf '%s/%s-' "$folder" "$1"
    { printf '%s\n' "$2"; "$compiler" --version; cat "$headers"/verilated*.{h,cpp}; } | sha256sum | cut -c 1-24
}
compiler=$1
mkdir -p "$folder"
case $source in
    */include/verilated*.cpp)
        kept=$(kept "$(basename "$source" .cpp)" "$key $optimised").o
        # One compiles it, others that want it meanwhile wait.
        exec 9>"$kept.lock" && flock 9
        if [ -f "$kept" ]; then exec cp "$kept" "$object"; fi
        "$@" || exit
        cp "$object" "$kept.new" && mv "$kept.new" "$kept" # whole, or not there
        ;;
    *)
        case $compiler:$key in *g++:*' -include'*) exec "$@" ;; *g++:*) ;; *) exec "$@" ;; esac
        header=$(kept header "$key $optimised $dialect").h
        exec 9>"$header.lock" && flock 9
        if [ ! -f "$header" ]; then
            echo '#include "verilated.h"' >"$header"
            exec 9>&- "$@"
        fi
        if [ ! -f "$header.gch" ] && "${words[@]}" -x c++-header -o "$header.new" "$header"; then
            mv "$header.new" "$header.gch"
        fi
        exec 9>&- "$@" -include "$header" # which is a file that includes it, too
        ;;
esac
