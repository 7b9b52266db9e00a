# SPDX-License-Identifier: Apache-2.0
# The package `tessera` of integration/python: on the golden model in `make test`, by Debian's Python alone; installed
# by pip, with numpy and pytest of PyPI and the simulated chip besides, by hand.
TESTS += test-python
TESTS_LONG += test-python-installed
.PHONY: python test-python test-python-installed tools-python
python: $(LIBRARY_DIR)/libtessera.so firmware
	@echo "integration/python: PYTHONPATH=$(CURDIR)/integration/python, or pip install -e integration/python"
$(BUILD)/python/layouts: tests/host/python/layouts.c $(PUBLIC_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $<
$(BUILD)/python/layouts.txt: $(BUILD)/python/layouts
	@$< >$@.tmp && mv $@.tmp $@
test-python: $(LIBRARY_DIR)/libtessera.so $(BUILD)/python/layouts.txt
	@LAYOUTS=$(BUILD)/python/layouts.txt tests/run python tests/host/python/test_tessera.py
tools-python: $(BUILD)/tools-python/bin/pytest
$(BUILD)/tools-python/bin/pytest:
	@tests/meta/pypi $(BUILD)/tools-python numpy pytest setuptools wheel
test-python-installed: $(LIBRARY_DIR)/libtessera.so $(BUILD)/python/layouts.txt $(FIRMWARE_IMAGE) tools-python
	@tests/run python-installed tests/host/python/installed.sh $(BUILD)/tools-python $(BUILD)/python/layouts.txt
