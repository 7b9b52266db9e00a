# SPDX-License-Identifier: Apache-2.0
# The table's own test: the generator must refuse a table that contradicts itself.
TESTS += test-spec
.PHONY: test-spec
test-spec:
	@tests/run spec tests/meta/spec/refusals.sh
