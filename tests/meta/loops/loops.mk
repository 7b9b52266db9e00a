# SPDX-License-Identifier: Apache-2.0
# Every loop of the firmware has a bound: it yields, counts to a constant, or has a line in bounds.
TESTS += test-loops
.PHONY: test-loops
test-loops:
	@tests/run loops python3 -B tests/meta/loops/loops.py tests/meta/loops/bounds firmware
