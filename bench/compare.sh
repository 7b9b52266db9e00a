#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh COMMIT NAME...: what this tree moves against COMMIT. The commit is built in build/bench/base, and both draw
# the runs NAME of bench/scenes.sh; moved.sh says what differs. The pages stay in build/bench/moved.
set -e
. bench/scenes.sh
commit=$(git rev-parse --verify --quiet "$1^{commit}") ||
    { echo "make bench-compare: BASE=$1 is not a commit here. Name one, such as HEAD or main." >&2; exit 2; }
base=build/bench/base new=build/bench/moved
shift
for name; do scene_options "$name" >/dev/null; done
mkdir -p $base $new
if [ "$(cat $base/commit 2>/dev/null)" != "$commit" ]; then
    rm -rf $base/tree
    mkdir -p $base/tree
    git archive "$commit" | tar -x -C $base/tree
    echo "building $commit in $base/tree ..."
    make -s -C $base/tree build/tessera build/firmware/gpu.elf >$base/log 2>&1 || { tail -n 20 $base/log >&2; exit 2; }
    echo "$commit" >$base/commit
fi
for name; do
    (cd $base/tree && draw_scene build/tessera "$name" "../scene.$name") >$base/log 2>&1 &&
        draw_scene build/tessera "$name" "$new/scene.$name" >$new/log 2>&1 ||
        { tail -n 5 $base/log $new/log >&2; exit 2; }
done
bench/moved.sh build/tessera $base $new "$@" || [ $? -eq 1 ]
