# SPDX-License-Identifier: Apache-2.0
# Prose that docs/style.md judges: every page but the generated ones. STYLE_COMMENTS only grows.
TESTS += test-style
.PHONY: test-style
STYLE_PAGES := README.md CHANGELOG.md CONTRIBUTING.md web/protocol.md $(wildcard docs/lab/*.md) \
               $(filter-out docs/registers.md docs/conformance.md,$(wildcard docs/*.md))
test-style:
	@tests/run style sh tests/meta/style/style.sh $(STYLE_PAGES)

# Headers, all their comments, and RTL files, their heads (comments.py).
TESTS += test-style-comments
.PHONY: test-style-comments
STYLE_COMMENTS := $(wildcard rtl/*.v rtl/*/*.v) \
                  $(patsubst %,firmware/%.h,gpu frontend/command memory/allocation memory/segment page/paging \
                    plan/fitting plan/policy plan/residency plan/splitter policy/eviction_cost policy/window \
                    schedule/context schedule/scheduler validate/validate)
test-style-comments:
	@tests/run style-comments sh tests/meta/style/comments.sh $(STYLE_COMMENTS)
