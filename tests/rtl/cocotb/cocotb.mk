# SPDX-License-Identifier: Apache-2.0
# The chip's AXI ports before other people's judges: cocotb and cocotbext-axi of PyPI. By hand, as all that needs PyPI.
TESTS_LONG += test-cocotb
.PHONY: test-cocotb tools-cocotb
COCOTB_DIR     := $(BUILD)/rtl/cocotb
COCOTB_PYTHON  := $(BUILD)/tools-cocotb/bin/python
# 1.9 is the last that works with Verilator 5.006.
tools-cocotb: $(COCOTB_PYTHON)
$(COCOTB_PYTHON):
	@tests/meta/pypi $(BUILD)/tools-cocotb cocotb==1.9.2 cocotbext-axi==0.1.26
$(COCOTB_DIR)/libclient.so: $(LITEX_CLIENT)/picture.c $(wildcard host/lib/*.c) $(LITEX_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LITEX_FLAGS) -fPIC -shared -o $@ $(filter %.c,$^)
$(COCOTB_DIR)/Vtop: tests/rtl/cocotb/chip_axi.v $(RTL_CHIP) $(filter %.vh,$(RTL_ALL)) tests/rtl/cocotb/cocotb.mk \
                    $(COCOTB_PYTHON) | spec
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)libs=$$($(BUILD)/tools-cocotb/bin/cocotb-config --lib-dir) \
	    share=$$($(BUILD)/tools-cocotb/bin/cocotb-config --share) && \
	$(VERILATOR) --cc --exe --build -j 2 --vpi $(VERILATOR_FLAGS) -Wno-PINMISSING -Wno-DECLFILENAME -O3 \
	    -CFLAGS -O2 --prefix Vtop --top-module chip_axi -Mdir $(@D) -o Vtop \
	    -LDFLAGS "-Wl,-rpath,$$libs -L$$libs -lcocotbvpi_verilator" \
	    $(filter %.v,$^) $$share/lib/verilator/verilator.cpp >$(@D)/log 2>&1 || { tail $(@D)/log; exit 1; }
test-cocotb: $(COCOTB_DIR)/Vtop $(COCOTB_DIR)/libclient.so $(LITEX_BUILD)/picture_model $(FIRMWARE_IMAGE)
	@tests/run cocotb tests/rtl/cocotb/cocotb.sh $(BUILD)/tools-cocotb $(COCOTB_DIR) $(FIRMWARE_IMAGE) \
	    $$($(LITEX_BUILD)/picture_model $(LITEX_MEMORY) 2>/dev/null)
