# SPDX-License-Identifier: Apache-2.0
# Prose that docs/style.md judges. STYLE_PAGES only grows.
TESTS += test-style
.PHONY: test-style
STYLE_PAGES := README.md CHANGELOG.md CONTRIBUTING.md $(addprefix docs/,style.md tour.md architecture.md memory.md \
               core.md testing.md engine.md pixels.md boards.md security.md manager.md) $(wildcard docs/lab/*.md)
test-style:
	@tests/run style sh tests/meta/style/style.sh $(STYLE_PAGES)
