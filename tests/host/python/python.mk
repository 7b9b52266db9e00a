# SPDX-License-Identifier: Apache-2.0
# The package `tessera` of integration/python: on the golden model in `make test`, with Debian's numpy and without; its
# wheel, installed without a network; installed by pip, with numpy and pytest of PyPI and the simulated chip, by hand.
TESTS += test-python test-python-chip test-python-wheel
TESTS_LONG += test-python-installed
.PHONY: python python-wheel test-python test-python-chip test-python-wheel test-python-installed tools-python
# Debian's, which has Debian's numpy.
PYTHON := /usr/bin/python3 -B
# The library as it is installed (host/install.mk), for a life in this tree.
PYTHON_LIBRARY := $(BUILD)/python/libtessera.so
$(BUILD)/python/installation.o: host/lib/device/installation.c $(HOST_HEADERS) VERSION | spec
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

# The wheel: the package, libtessera with the golden model and the simulated chip, and the firmware. It needs nothing of
# this tree and no compiler; Debian's python3-setuptools and python3-wheel build it.
PYTHON_PACKAGE := integration/python/pyproject.toml integration/python/setup.py \
                  $(wildcard integration/python/tessera/*.py) integration/python/tessera/py.typed
PYTHON_STAGE   := $(BUILD)/python/stage
$(BUILD)/python/wheel/done: $(PYTHON_PACKAGE) $(PYTHON_LIBRARY) $(FIRMWARE_IMAGE) | spec
	@rm -rf $(PYTHON_STAGE) $(@D) && mkdir -p $(PYTHON_STAGE)/tessera $(@D)
	@cp integration/python/pyproject.toml integration/python/setup.py $(PYTHON_STAGE)
	@cp $(filter integration/python/tessera/%,$(PYTHON_PACKAGE)) $(FIRMWARE_IMAGE) $(PYTHON_STAGE)/tessera
	@strip -o $(PYTHON_STAGE)/tessera/libtessera.so $(PYTHON_LIBRARY)
	$(call say,WHEEL,$(@D))cd $(PYTHON_STAGE) && $(PYTHON) setup.py -q bdist_wheel -d $(abspath $(@D)) >wheel.log 2>&1 || \
	    { cat wheel.log; echo "Debian's python3-setuptools and python3-wheel build the wheel: make deps"; exit 1; }
	@touch $@
python-wheel: $(BUILD)/python/wheel/done
	@echo "pip install $$(ls $(BUILD)/python/wheel/*.whl)"

$(BUILD)/python/layouts: tests/host/python/layouts.c $(PUBLIC_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $<
$(BUILD)/python/layouts.txt: $(BUILD)/python/layouts
	@$< >$@.tmp && mv $@.tmp $@
# What the tests read: the layout of the headers' structures, and the trace of a run.
PYTHON_LAYOUTS := LAYOUTS=$(BUILD)/python/layouts.txt
PYTHON_READ    := $(PYTHON_LAYOUTS) TRACE=$(BUILD)/runs/chip/trace.json
test-python: $(PYTHON_LIBRARY) $(BUILD)/python/layouts.txt tests/host/python/bench.py
	@tests/run python-draws env $(PYTHON_LAYOUTS) $(PYTHON) tests/host/python/test_tessera.py
	@tests/run python-pixels $(PYTHON) tests/host/python/test_pixels.py
	@tests/run python-pixels-plain env PLAIN=1 $(PYTHON) tests/host/python/test_pixels.py
	@tests/run python-interface $(PYTHON) tests/host/python/test_interface.py
	@tests/run python-slots $(PYTHON) tests/host/python/test_slots.py
test-python-chip: $(PYTHON_LIBRARY) $(BUILD)/runs/chip/done
	@tests/run python-chip env DEVICE=simulator $(PYTHON) tests/host/python/test_tessera.py test_map
	@tests/run python-trace env $(PYTHON_READ) PLAIN=1 $(PYTHON) tests/host/python/test_tessera.py
test-python-wheel: $(BUILD)/python/wheel/done
	@tests/run python-wheel sh tests/host/python/wheel.sh $(BUILD)/python/wheel
tools-python: $(BUILD)/tools-python/bin/pytest
$(BUILD)/tools-python/bin/pytest:
	@tests/meta/pypi $(BUILD)/tools-python numpy pytest setuptools wheel mypy
test-python-installed: $(PYTHON_LIBRARY) $(BUILD)/python/layouts.txt $(BUILD)/runs/chip/done $(FIRMWARE_IMAGE) \
                       tools-python
	@$(PYTHON_READ) tests/run python-installed tests/host/python/installed.sh $(BUILD)/tools-python
