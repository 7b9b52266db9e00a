#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the project's figures stay what bench/figures.txt says, within 2 % in both directions, or 15 % with another
# compiler. Method: the groups given as arguments are measured again and compared. Usage: held.sh GROUP...
set -e
bench/measure.sh "$@" >build/bench/held
exec awk -v compiler="$(bench/compiler.sh)" -f bench/hold.awk bench/figures.txt build/bench/held
