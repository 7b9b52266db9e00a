#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tdump_chip.sh PROGRAM TEST FOLDER: tdump.sh on the golden model and on the simulated chip, with the golden model's
# dumps and then with one of the chip's own.
program=$1 test=$2 folder=$3
mkdir -p "$folder" && "$test" "$folder" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
exec "$(dirname "$0")/tdump.sh" "$program" "$folder"
