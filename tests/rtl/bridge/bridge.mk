# SPDX-License-Identifier: Apache-2.0
# The control core's accesses on the fabric, against a memory.

BRIDGE_TEST := $(BUILD)/bridge/test_bridge
$(BRIDGE_TEST): tests/rtl/bridge/test_bridge.cpp rtl/core_bridge_bus.v
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    --top-module core_bridge_bus -o ../$(@F) -CFLAGS "-O2 -std=c++17" rtl/core_bridge_bus.v \
	    $(abspath tests/rtl/bridge/test_bridge.cpp) >$@.log || (tail -n 30 $@.log; false)

.PHONY: test-bridge
TESTS += test-bridge
test-bridge: $(BRIDGE_TEST)
	@tests/run bridge $< 1 200000
