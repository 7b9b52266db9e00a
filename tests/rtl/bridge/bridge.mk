# SPDX-License-Identifier: Apache-2.0
# The control core's accesses on the fabric, against a memory.

BRIDGE_TEST := $(BUILD)/bridge/test_core_bridge_bus
$(BRIDGE_TEST): tests/rtl/bridge/test_core_bridge_bus.cpp rtl/core_bridge_bus.v
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    --top-module core_bridge_bus -o ../$(@F) -CFLAGS "-std=c++17" rtl/core_bridge_bus.v \
	    $(abspath tests/rtl/bridge/test_core_bridge_bus.cpp) >$@.log || (tail -n 30 $@.log; false)

# The whole bridge, with small memories around it and the firmware's region behind segment 1, or 2.
CORE_BRIDGE_TEST := $(BUILD)/bridge/test_core_bridge
REGION_AT_1 := 268451840 # 16 KB behind the segment's address
REGION_AT_2 := 536887296
$(CORE_BRIDGE_TEST)_%: tests/rtl/bridge/test_core_bridge.cpp tests/rtl/bridge/bridge_world.h \
                       tests/rtl/random_source.h rtl/core_bridge.v rtl/core_bridge_bus.v rtl/gpu_spec.vh
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    -GTCM_BYTES=12288 -GCOMMAND_BYTES=4096 -GFIRMWARE_BYTES=8192 -GFIRMWARE_AT=$(strip $(REGION_AT_$*)) \
	    --top-module core_bridge -o ../$(@F) \
	    -CFLAGS "-std=c++17 -I$(CURDIR)/tests/rtl/bridge -DREGION_SEGMENT=$*" \
	    rtl/core_bridge.v \
	    $(abspath tests/rtl/bridge/test_core_bridge.cpp) >$@.log || (tail -n 30 $@.log; false)

.PHONY: test-bridge
TESTS += test-bridge
test-bridge: $(BRIDGE_TEST) $(CORE_BRIDGE_TEST)_1 $(CORE_BRIDGE_TEST)_2
	@tests/run bridge $< 1 200000
	@tests/run core-bridge tests/rtl/pace.sh core-bridge $(CORE_BRIDGE_TEST)_1 1 400000
	@tests/run core-bridge-segment-2 tests/rtl/pace.sh core-bridge-segment-2 $(CORE_BRIDGE_TEST)_2 2 200000
