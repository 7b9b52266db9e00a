# SPDX-License-Identifier: Apache-2.0
# The forge's workflow and what it runs.
TESTS += test-ci
.PHONY: test-ci
test-ci:
	@tests/run ci tests/meta/ci/ci.sh
