# SPDX-License-Identifier: Apache-2.0
# The package `tessera` of integration/python: on the golden model in `make test`, by Debian's Python alone; installed
# by pip, with numpy and pytest of PyPI and the simulated chip besides, by hand.
TESTS += test-python
TESTS_LONG += test-python-installed
.PHONY: python test-python test-python-installed tools-python
# The library as it is installed (host/install.mk), for a life in this tree.
PYTHON_LIBRARY := $(BUILD)/python/libtessera.so
$(BUILD)/python/installation.o: host/device/installation.c $(HOST_HEADERS) VERSION | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(LIBRARY_FLAGS) -DTESSERA_FIRMWARE_PATH=$(CURDIR)/$(FIRMWARE_IMAGE) \
	    -DTESSERA_VERSION=$(VERSION_TEXT) -c -o $@ $<
$(PYTHON_LIBRARY): $(filter-out %/installation.o,$(LIBRARY_OBJECTS)) $(BUILD)/python/installation.o \
                   $(BUILD)/sim/libsimulator.a
	@echo '{ global: tessera_*; local: *; };' >$@.map
	$(call say,LINK,$@)$(CXX) -shared -Wl,--version-script=$@.map -Wl,-z,defs -o $@ $(filter %.o,$^) \
	    -Wl,--whole-archive $(BUILD)/sim/libsimulator.a -Wl,--no-whole-archive -lz -lm -lpthread
python: $(PYTHON_LIBRARY) $(FIRMWARE_IMAGE)
	@echo "integration/python: PYTHONPATH=$(CURDIR)/integration/python, or pip install -e integration/python"
$(BUILD)/python/layouts: tests/host/python/layouts.c $(PUBLIC_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $<
$(BUILD)/python/layouts.txt: $(BUILD)/python/layouts
	@$< >$@.tmp && mv $@.tmp $@
# What the tests read: the layout of the headers' structures, and the trace of a run.
PYTHON_READ := LAYOUTS=$(BUILD)/python/layouts.txt TRACE=$(BUILD)/runs/chip/trace.json
test-python: $(PYTHON_LIBRARY) $(BUILD)/python/layouts.txt $(BUILD)/runs/chip/done
	@$(PYTHON_READ) tests/run python tests/host/python/test_tessera.py
	@DEVICE=simulator tests/run python-chip tests/host/python/test_tessera.py test_map
tools-python: $(BUILD)/tools-python/bin/pytest
$(BUILD)/tools-python/bin/pytest:
	@tests/meta/pypi $(BUILD)/tools-python numpy pytest setuptools wheel
test-python-installed: $(PYTHON_LIBRARY) $(BUILD)/python/layouts.txt $(BUILD)/runs/chip/done $(FIRMWARE_IMAGE) \
                       tools-python
	@$(PYTHON_READ) tests/run python-installed tests/host/python/installed.sh $(BUILD)/tools-python
