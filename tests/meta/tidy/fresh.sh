#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/tidy/fresh.sh GENERATOR: what spec/gen.c prints today is what is checked in.
failed=0 passed=0
same() {
    if "$1" "$2" | cmp -s - "$3"; then passed=$((passed + 1)); else
        echo "$3 is stale: run make spec and commit it"; failed=$((failed + 1)); fi
}
same "$1" verilog rtl/gpu_spec.vh
same "$1" packets rtl/gpu_packets.vh
same "$1" markdown docs/registers.md
same "$1" python integration/python/tessera/spec.py
same "$1" values host/include/tessera_values.h
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
