# SPDX-License-Identifier: Apache-2.0
# No test is outside every list; and the must-fail of this, in a copy of the tree.
TESTS      += test-lists
TESTS_FULL += test-must-fail-lists
.PHONY: test-lists test-must-fail-lists
test-lists: $(wildcard tests/meta/lists/*)
	@set -- $$($(PROJECT_FILES)); \
	tests/run lists sh -c 'env -u MAKEFLAGS make -pqrR help | python3 -B tests/meta/lists/lists.py "$$@"' - "$$@"
test-must-fail-lists: $(wildcard tests/meta/lists/*)
	@set -- $$($(PROJECT_FILES)); tests/run must-fail-lists tests/meta/lists/must_fail.sh "$$@"
