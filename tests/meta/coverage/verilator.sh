#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/meta/coverage/verilator.sh ARGUMENT...: Verilator, for tests/meta/coverage/rtl.sh. Each design that it builds
# counts which lines run and which bits of signals of up to four bits change, and writes that to a file in the folder
# $RTL_COVERAGE when it is destroyed (rtl_counts.h); the benches know nothing of it. Wider signals would make a design
# six times as large, and which bit of an address changes says little.
set -u
here=$(cd "$(dirname "$0")" && pwd)
case " $* " in *' --cc '*) ;; *) exec verilator "$@" ;; esac
arguments=() folder=obj_dir top= builds=0 was=
for argument; do
    case $was in --Mdir | -Mdir) folder=$argument ;; --top-module) top=$argument ;; esac
    if [ "$argument" = --build ]; then builds=1; else arguments+=("$argument"); fi
    was=$argument
done
verilator --coverage-line --coverage-toggle --coverage-max-width 4 "${arguments[@]}" || exit 1
name=$folder/V$top
# A design runs in one thread, so counting needs no lock.
sed -i 's/vlSymsp->__Vcoverage\[\([0-9]*\)\]\.fetch_add(1, std::memory_order_relaxed)/COUNT(\1)/' "$name"*.cpp
sed -i '/^#define VERILATED_.*guard$/a #include <atomic>\
#define COUNT(n) add_one(vlSymsp->__Vcoverage[n])\
static inline void add_one(std::atomic<uint32_t> \&n)\
{ n.store(n.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }' "${name}__Syms.h"
# It begins with all bits zero, so that none changes only because it began at random.
sed -i -e "s/: VerilatedModel{\*_vcontextp__}/: VerilatedModel{(_vcontextp__->randReset(0), *_vcontextp__)}/" \
    -e "s/^    contextp()->addModel(this);/&\n    take_counts(vlSymsp->__Vcoverage);/" \
    -e "s/^    delete vlSymsp;/    keep_counts(vlSymsp->__Vcoverage, contextp(), \"V$top\");\n&/" \
    -e "/^#include \"V${top}__Syms.h\"/r $here/rtl_counts.h" "$name.cpp"
grep -q randReset "$name.cpp" && grep -q take_counts.vl "$name.cpp" && grep -q keep_counts.vl "$name.cpp" ||
    { echo "$0: this Verilator writes C++ that cannot be changed so"; exit 1; }
[ $builds -eq 1 ] || exit 0
# Verilator's own library is the same for every bench: compiled once.
library=$RTL_COVERAGE.library
cp "$library"/*.o "$folder" 2>/dev/null
env -u MAKEFLAGS -u MFLAGS make -s -C "$folder" -f "V$top.mk" OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 || exit 1
[ ! -d "$library" ] || exit 0
mkdir "$library.$$" && cp "$folder"/verilated*.o "$library.$$" && mv -T "$library.$$" "$library"
