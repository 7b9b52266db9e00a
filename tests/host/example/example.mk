# SPDX-License-Identifier: Apache-2.0
# The programs of docs/example, built as a user builds them: with the headers as they are installed, and the shared
# library. And the headers say what spec/gpu.def says.
.PHONY: test-example
TESTS += test-example
EXAMPLE_DIR := $(BUILD)/example
EXAMPLE_LIBRARY := $(BUILD)/python/libtessera.so
$(EXAMPLE_DIR)/include/done: $(wildcard host/include/*.h) $(LIBRARY_DIR)/gpu_spec.h
	@rm -rf $(@D) && mkdir -p $(@D)/tessera && cp $^ $(@D)/tessera && touch $@
$(EXAMPLE_DIR)/%: docs/example/%.c $(EXAMPLE_DIR)/include/done $(EXAMPLE_LIBRARY)
	$(call say,LINK,$@)$(CC) -std=c11 -Wall -Wextra -Wpedantic -Werror -I$(EXAMPLE_DIR)/include -o $@ $< \
	    $(abspath $(EXAMPLE_LIBRARY)) -lpng
$(EXAMPLE_DIR)/numbers: tests/host/example/numbers.c spec/gpu_spec.h spec/gpu.def
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -std=c11 -Wall -Wextra -Werror -Ispec -o $@ $<
test-example: $(EXAMPLE_DIR)/picture $(EXAMPLE_DIR)/sprite $(EXAMPLE_DIR)/numbers $(FIRMWARE_IMAGE)
	@tests/run example $(PYTHON) tests/host/example/test_example.py $(EXAMPLE_DIR)
