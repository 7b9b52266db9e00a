# SPDX-License-Identifier: Apache-2.0
# `tessera compare`: the reading and comparing of made-up runs, then the program on real ones and its page in a browser.

COMPARE_FILES := $(call host_files,compare) cli/option_table
$(BUILD)/report/test_compare: tests/host/compare/test_compare.c $(COMPARE_FILES:%=host/%.c) $(BUILD)/compare_page.h \
                              $(HOST_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -ljson-c -lpng -lm

.PHONY: test-compare test-compare-page
TESTS += test-compare test-compare-page
test-compare: $(BUILD)/report/test_compare
	@mkdir -p $(BUILD)/report/compared
	@tests/run compare $(BUILD)/report/test_compare $(BUILD)/report/compared
test-compare-page: $(PROGRAM) $(BUILD)/firmware/gpu.elf
	@tests/run compare-page tests/host/compare/compare.sh $(PROGRAM) $(BUILD)/report/pages
