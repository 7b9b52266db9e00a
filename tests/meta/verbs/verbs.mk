# SPDX-License-Identifier: Apache-2.0
# What make's own verbs say of something wrong.
TESTS += test-verbs
.PHONY: test-verbs
test-verbs: | spec
	@tests/run verbs tests/meta/verbs/verbs.sh $(BUILD)/verbs
