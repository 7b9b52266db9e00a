# SPDX-License-Identifier: Apache-2.0
# No test is outside every list; and the must-fail of this, in a copy of the tree.
TESTS += test-lists
.PHONY: test-lists
test-lists: $(wildcard tests/meta/lists/*)
	@set -- $$($(PROJECT_FILES)); \
	tests/run lists sh -c 'env -u MAKEFLAGS make -pqrR help | python3 -B tests/meta/lists/lists.py "$$@"' - "$$@" || \
	    status=1; \
	tests/run must-fail-lists tests/meta/lists/must_fail.sh "$$@" && exit $${status:-0}
