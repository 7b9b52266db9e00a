# SPDX-License-Identifier: Apache-2.0
# Prose that docs/style.md judges: every page but the generated ones. STYLE_COMMENTS only grows.
TESTS += test-style
.PHONY: test-style
STYLE_PAGES := README.md CHANGELOG.md CONTRIBUTING.md web/protocol.md $(wildcard docs/lab/*.md */README.md) \
               $(filter-out docs/registers.md docs/conformance.md,$(wildcard docs/*.md))
test-style:
	@tests/run style sh tests/meta/style/style.sh $(STYLE_PAGES)

# Every header of firmware/, all its comments, and the head of every RTL file (comments.py).
TESTS += test-style-comments
.PHONY: test-style-comments
STYLE_COMMENTS := $(wildcard firmware/*.h firmware/*/*.h rtl/*.v rtl/*/*.v)
test-style-comments:
	@tests/run style-comments sh tests/meta/style/comments.sh $(STYLE_COMMENTS)
