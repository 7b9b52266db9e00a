# SPDX-License-Identifier: Apache-2.0
# The fabric with segment 1 and the aperture under random masters, and its rates.

FABRIC_TEST     := $(BUILD)/fabric
FABRIC_TEST_RTL := $(wildcard rtl/fabric*.v rtl/aperture*.v) rtl/arbiter.v rtl/segment_ram.v rtl/slow_ram.v \
                   rtl/sync_fifo.v rtl/gpu_spec.vh

$(FABRIC_TEST)/test_fabric: tests/rtl/fabric/test_fabric.cpp tests/rows.h tests/rtl/node/system_world.h \
                            tests/rtl/random_source.h tests/rtl/fabric/fabric_bench.v $(FABRIC_TEST_RTL)
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    --top-module fabric_bench -o ../$(@F) \
	    -CFLAGS "-std=c++17 -I$(CURDIR)/spec -I$(CURDIR)/build -I$(CURDIR)/tests/rtl/node" \
	    tests/rtl/fabric/fabric_bench.v $(abspath tests/rtl/fabric/test_fabric.cpp) >$@.log || (tail -n 30 $@.log; false)

.PHONY: test-fabric
TESTS += test-fabric
test-fabric: $(FABRIC_TEST)/test_fabric
	@tests/run fabric tests/rtl/pace.sh fabric $< 1 30
