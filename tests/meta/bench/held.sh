#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the project's figures stay what bench/figures.txt says, within 2 % in both directions, or 15 % with another
# compiler. Method: the groups given as arguments are measured again and compared. Usage: held.sh GROUP...
# The scene's runs of the last time that all figures were held are kept; when one is not, they say what moved it.
set -e
. bench/scenes.sh
bench/measure.sh "$@" >build/bench/held
awk -v compiler="$(bench/compiler.sh)" -f bench/hold.awk bench/figures.txt build/bench/held >build/bench/judged ||
    status=$?
if [ -n "$status" ] && grep -q '^scene\.' build/bench/judged; then
    bench/moved.sh build/tessera build/bench/kept build/bench $scenes || :
    echo "The figures scene.* moved. The table above compares with the last good runs, in build/bench/kept."
    echo "To compare with a commit, run make bench-compare BASE=COMMIT."
elif [ -z "$status" ] && [ -d build/bench/scene.default ]; then
    rm -rf build/bench/kept && mkdir build/bench/kept
    for name in $scenes; do cp -r build/bench/scene.$name build/bench/kept; done
fi
cat build/bench/judged
exit ${status:-0}
