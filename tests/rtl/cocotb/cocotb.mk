# SPDX-License-Identifier: Apache-2.0
# The chip's AXI ports before other people's judges, cocotb and cocotbext-axi of PyPI (TESTS_LONG; skipped with a line
# where PyPI is absent), and what can be said of the bench without them (TESTS).
TESTS      += test-cocotb-ready
TESTS_LONG += test-cocotb
.PHONY: test-cocotb test-cocotb-ready tools-cocotb
COCOTB_DIR    := $(BUILD)/rtl/cocotb
COCOTB_TOOLS  := $(BUILD)/tools-cocotb
COCOTB_RTL    := $(wildcard tests/rtl/cocotb/*.v) $(RTL_CHIP)
COCOTB_FLAGS  := $(HOST_CFLAGS) -Itests/rtl/cocotb
COCOTB_HEADS  := tests/rtl/cocotb/scene.h $(HOST_HEADERS)
# The chip of chip_axi.v; user bits and a simulator's ports (probes, trace, console) are left open: PINMISSING.
COCOTB_MEMORY := 0x10000 0x40000
COCOTB_WARN   := $(VERILATOR_FLAGS) -Wno-PINMISSING --top-module chip_axi

# 1.9 is the last that works with Verilator 5.006.
tools-cocotb: $(COCOTB_TOOLS)/bin/python
$(COCOTB_TOOLS)/bin/python:
	@tests/meta/pypi $(COCOTB_TOOLS) cocotb==1.9.2 cocotbext-axi==0.1.26 cocotb-bus==0.3.0 find_libpython==0.5.1
$(COCOTB_DIR)/libclient.so: tests/rtl/cocotb/scene.c $(TESSERA_FILES:%=host/%.c) $(COCOTB_HEADS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COCOTB_FLAGS) -fPIC -shared -o $@ $(filter %.c,$^)
$(COCOTB_DIR)/scene_model: tests/rtl/cocotb/scene_model.c tests/rtl/cocotb/scene.c $(COCOTB_HEADS) $(HOST_LIBRARY) \
                           $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COCOTB_FLAGS) -o $@ $(filter %.c %.a,$^)
$(COCOTB_DIR)/obj/Vtop: $(COCOTB_RTL) $(filter %.vh,$(RTL_ALL)) tests/rtl/cocotb/main.cpp tests/rtl/cocotb/cocotb.mk \
                        $(COCOTB_TOOLS)/bin/python | spec
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)libs=$$($(COCOTB_TOOLS)/bin/cocotb-config --lib-dir) && \
	$(VERILATOR) --cc --exe --build --vpi $(COCOTB_WARN) -O3 --prefix Vtop -Mdir $(@D) -o Vtop \
	    -LDFLAGS "-Wl,-rpath,$$libs -L$$libs -lcocotbvpi_verilator" $(COCOTB_RTL) \
	    $(abspath tests/rtl/cocotb/main.cpp) >$(@D).log 2>&1 || { tail -n 30 $(@D).log; exit 1; }

test-cocotb-ready: $(COCOTB_DIR)/scene_model
	@tests/run cocotb-ready tests/rtl/cocotb/ready.sh $(COCOTB_DIR)/scene_model "$(COCOTB_MEMORY)" \
	    "$(IVERILOG) -g2012 -DGPU_ASSERT $(RTL_FOLDERS:%=-I%) -s chip_axi -t null $(COCOTB_RTL)"
# The environment and what is built with it are made here, since to have neither is no failure.
test-cocotb: $(COCOTB_DIR)/scene_model $(COCOTB_DIR)/libclient.so $(FIRMWARE_IMAGE)
	@$(MAKE) -s tools-cocotb >$(COCOTB_DIR)/absent 2>&1 && $(MAKE) -s $(COCOTB_DIR)/obj/Vtop || true
	@tests/run cocotb tests/rtl/cocotb/cocotb.sh $(COCOTB_TOOLS) $(COCOTB_DIR) $(FIRMWARE_IMAGE) "$(COCOTB_MEMORY)"
