# SPDX-License-Identifier: Apache-2.0
# The ULX3S's mapped netlist, simulated: what nextpnr places, not the RTL. docs/boards.md, "The mapped netlist".

NETLIST_DIR := $(BUILD)/netlist.d
NETLIST_SIM := $(BUILD)/netlist-sim

# The very netlist that is placed, with the firmware in core memory and, in region.bin, what lies in the SDRAM: it would
# take the wire 30 million cycles.
$(NETLIST_DIR)/image.hex: $(FIRMWARE_IMAGE) $(BIT_DIR)/seed.hex
	@mkdir -p $(@D)
	@$(RV_PREFIX)objcopy -O binary -R '.cold.*' $< $(@:.hex=.bin)
	@od -An -v -tx4 -w4 $(@:.hex=.bin) | tr -d ' ' >$@.tmp
	@yes 00000000 | head -n $$(($$(wc -l <$(BIT_DIR)/seed.hex) - $$(wc -l <$@.tmp))) >>$@.tmp && mv $@.tmp $@
$(NETLIST_DIR)/region.bin: $(FIRMWARE_IMAGE)
	@mkdir -p $(@D)
	@$(RV_PREFIX)objcopy -O binary -j .cold.text -j .cold.rodata $< $@
$(NETLIST_DIR)/board.json: $(BIT_DIR)/board.json $(NETLIST_DIR)/image.hex $(NETLIST_DIR)/region.bin \
                           boards/sim/netlist_image.awk
	@mkdir -p $(@D)
	@awk -f boards/sim/netlist_image.awk $(BIT_DIR)/seed.hex $(NETLIST_DIR)/image.hex $(BIT_DIR)/board.json >$@.tmp
	@mv $@.tmp $@

# The model divides by whole nanoseconds: 195,000 / 13 are the 15,000 cycles of 200 us. Memory starts as zeros.
$(NETLIST_DIR)/obj/Vsdram_model.mk: boards/common/sdram_model.v
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) --cc $(BOARD_FLAGS) -O3 --x-assign fast --x-initial 0 -CFLAGS "$(SIM_DEFINES)" \
	    -GPERIOD_PS=13333 \
	    -GINIT_NS=195000 -GCAS_LATENCY=2 --top-module sdram_model -Mdir $(@D) $<
NETLIST_O := $(NETLIST_DIR)/netlist.o $(NETLIST_DIR)/netlist_read.o
$(NETLIST_DIR)/%.o: boards/sim/%.c boards/sim/netlist.h boards/sim/netlist_internal.h
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE -c -o $@ $<
$(NETLIST_SIM): $(NETLIST_DIR)/obj/Vsdram_model.mk boards/ulx3s/netlist_pins.cpp $(NETLIST_O) \
                $(wildcard boards/sim/*.h) $(BOARD_SIM_C:%=$(BOARD_SIM_DIR)/%.o)
	$(call say,CXX,$(@D))$(MAKE) --no-print-directory -C $(NETLIST_DIR)/obj -f Vsdram_model.mk $(SIM_OPT) \
	    Vsdram_model__ALL.a verilated.o \
	    verilated_threads.o >$(NETLIST_DIR)/build.log || { tail -n 30 $(NETLIST_DIR)/build.log; exit 1; }
	$(call say,LINK,$@)$(CXX) -std=c++17 -O2 -Wall -Wextra $(SIM_DEFINES) -Iboards/sim -I$(NETLIST_DIR)/obj \
	    -isystem $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include \
	    -isystem $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include/vltstd -o $@ boards/ulx3s/netlist_pins.cpp \
	    $(NETLIST_O) $(BOARD_SIM_C:%=$(BOARD_SIM_DIR)/%.o) $(NETLIST_DIR)/obj/Vsdram_model__ALL.a \
	    $(NETLIST_DIR)/obj/verilated.o $(NETLIST_DIR)/obj/verilated_threads.o -lpng -lz -lpthread -ljson-c

NETLIST_TEST := $(BUILD)/board/test_netlist
$(NETLIST_TEST): tests/chip/board/test_netlist.c $(WIRE_TEST_PARTS) tests/chip/board/simulator.h \
                 $(BUILD)/host/libtessera.a $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE $(SANITIZE) -o $@ $< $(WIRE_TEST_PARTS) \
	    $(BUILD)/host/libtessera.a $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a -lcmocka -lpthread
# One input of the LUT before this register is turned round for the second run, which must see it.
NETLIST_DAMAGED := board.chip.render_node.data.moves.pixels.path.path.first_source[40]
.PHONY: test-ulx3s-netlist
TESTS_LONG += test-ulx3s-netlist
test-ulx3s-netlist: $(NETLIST_TEST) $(NETLIST_SIM) $(NETLIST_DIR)/board.json
	@NETLIST=$(NETLIST_DIR)/board.json NETLIST_REGION=$(NETLIST_DIR)/region.bin \
	    tests/run ulx3s-netlist $(NETLIST_TEST) $(NETLIST_SIM)
	@NETLIST=$(NETLIST_DIR)/board.json NETLIST_REGION=$(NETLIST_DIR)/region.bin NETLIST_DAMAGE='$(NETLIST_DAMAGED)' \
	    tests/run ulx3s-netlist-must-fail $(NETLIST_TEST) $(NETLIST_SIM)
