#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# moved.sh PROGRAM BEFORE AFTER NAME...: what differs between the runs BEFORE/scene.NAME and AFTER/scene.NAME, each as a
# table and as a page AFTER/scene.NAME.html. Exit status 0: all are equal; 1: something moved; 2: not to be compared.
program=$1 before=$2 after=$3 worst=0
shift 3
for name; do
    echo "scene.$name, A $before, B $after:"
    $program compare "$before/scene.$name/run.json" "$after/scene.$name/run.json" --page "$after/scene.$name.html" 2>&1
    status=$?
    [ $status -le $worst ] || worst=$status
done
exit $worst
