# SPDX-License-Identifier: Apache-2.0
# `tessera compare`: the reading and comparing of made-up runs, then the program on real ones and its page in a browser.

COMPARE_FILES := $(call host_files,tools/compare) tools/cli/option_table
COMPARE_TESTS := $(BUILD)/report/test_compare $(BUILD)/report/test_invented
$(BUILD)/report/test_invented: WRAPPED := malloc calloc realloc
$(BUILD)/host/sanitized/host/tools/compare/compare_page.o: $(BUILD)/compare_page.h
$(COMPARE_TESTS): $(BUILD)/report/%: tests/host/compare/%.c $(COMPARE_FILES:%=$(BUILD)/host/sanitized/host/%.o) \
                              tests/host/report/held.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -Itests/host/report -o $@ $(filter %.c %.o,$^) \
	    $(WRAPPED:%=-Wl,--wrap=%) -ljson-c -lpng -lm -lz

.PHONY: test-compare test-compare-page
TESTS      += test-compare
TESTS_FULL += test-compare-page
test-compare: $(COMPARE_TESTS)
	@mkdir -p $(BUILD)/report/compared
	@tests/run compare $(BUILD)/report/test_compare $(BUILD)/report/compared tests/host/report/written
	@tests/run compare-invented $(BUILD)/report/test_invented $(BUILD)/report/compared tests/host/report/written
test-compare-page: $(PROGRAM) $(BUILD)/firmware/gpu.elf
	@tests/run compare-page tests/host/compare/compare.sh $(PROGRAM) $(BUILD)/report/pages
