# SPDX-License-Identifier: Apache-2.0
# Prose that docs/style.md judges. STYLE_PAGES only grows.
TESTS += test-style
.PHONY: test-style
STYLE_PAGES := README.md CHANGELOG.md CONTRIBUTING.md web/protocol.md $(wildcard docs/lab/*.md) \
               $(patsubst %,docs/%.md,style tour architecture memory core testing engine pixels boards security \
                 manager replay web checks litex lvgl python host views)
test-style:
	@tests/run style sh tests/meta/style/style.sh $(STYLE_PAGES)
