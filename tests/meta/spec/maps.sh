#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# maps.sh LIST RDL SVD: maps.py accepts the maps, and refuses each kind of spoilt one.
list=$1 rdl=$2 svd=$3 work=build/maps/spoilt
passed=0 failed=0
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
mkdir -p $work
tests/meta/spec/maps.py "$list" "$rdl" "$svd" >$work/said 2>&1
note $? "the maps say what the table says: $(cat $work/said)"
spoilt() { # EDIT: of either map; it must change something, and not pass
    for map in "$rdl" "$svd"; do
        sed "$1" "$map" >$work/map
        cmp -s "$map" $work/map && continue
        if [ "$map" = "$rdl" ]; then ! tests/meta/spec/maps.py "$list" $work/map "$svd" >/dev/null 2>&1
        else ! tests/meta/spec/maps.py "$list" "$rdl" $work/map >/dev/null 2>&1; fi
        note $? "refused: $1 in $map"
    done
}
spoilt 's/onwrite = woclr;//; /oneToClear/d'
spoilt 's/0x41525354/0x41525355/'
spoilt 's/CORE_RUN\[0:0\]/CORE_RUN[1:0]/; /CORE_RUN/,/bitWidth/ s/>1</>2</'
spoilt 's/SCRATCH @0x68/SCRATCH @0xe8/; s/<addressOffset>0x68/<addressOffset>0xe8/'
spoilt 's/NODE\[2\]/NODE[1]/; s/derivedFrom="NODE0"/derivedFrom="HOST"/'
spoilt 's/sw = r;/sw = rw;/; s/read-only/read-write/'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
