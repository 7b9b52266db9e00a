#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: in a LiteX SoC the GPU draws for the processor beside it, exactly, and what docs/litex.md says of caches is so.
# Method: `make litex-sim` from nothing, with LiteX's framebuffer and with the chip's display; each compares client,
# display and golden model.
#   sim.sh PYTHON PICTURE_MODEL SEGMENT1 SEGMENT2
python=$1 model=$2
passed=0 failed=0
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
export PYTHONPATH=integration/litex
expected=$("$model" "$3" "$4" 2>/dev/null)
[ -n "$expected" ]; note $? 'the golden model draws the picture'
"$python" -m tessera_litex.sim --build build/litex-litedram --picture build/litex-litedram.png --expect "$expected"
note $? 'the picture on a video framebuffer'
"$python" -m tessera_litex.sim --display chip --build build/litex-chip --picture build/litex-chip.png \
    --seconds 1800 --expect "$expected"
note $? 'the picture on the display of the chip, through its video stream'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
