# SPDX-License-Identifier: Apache-2.0
# The iCEBreaker (iCE40 UP5K), all from Debian's packages: its simulation, its bit stream, their tests.
#   make bitstream BOARD=icebreaker          build/icebreaker/tessera.bin, with the program in it
#   make flash BOARD=icebreaker [KEEP=1]     into the FPGA; KEEP=1: into its flash, for the next power-up
#   make report BOARD=icebreaker             clock and cells against boards/icebreaker/baseline.txt

ICE_DIR  := $(BUILD)/icebreaker
FAMILY_icebreaker    := ice40
BITSTREAM_icebreaker := $(ICE_DIR)/tessera.bin
REPORT_icebreaker    := $(ICE_DIR)/board.pnr.log $(ICE_DIR)/blocks.log boards/icebreaker/baseline.txt \
    "core mover small_memory small_registers wire_bridge uart"
REPORT_OF_icebreaker := $(ICE_DIR)/board.asc $(ICE_DIR)/blocks.log
ICE_HERE := boards/icebreaker
# Two modules of the chip need distributed RAM, which an iCE40 has not; their other forms come first on the path.
ICE_RTL  := $(wildcard $(ICE_HERE)/*.v) boards/common/uart.v boards/common/wire_bridge.v boards/common/reset_bridge.v \
            $(filter-out %/core_registers.v,$(wildcard rtl/core/*.v)) \
            $(filter-out %/mover_pixels.v,$(wildcard rtl/engine/mover*.v)) rtl/engine/pixel_size.v
ICE_PATH := -y $(ICE_HERE) -y $(ICE_HERE)/model -Iboards/common
ICE_TCM_WORDS := 1024

# ------------------------------------------------------------------ the program on its core
ICE_PROGRAM := $(ICE_HERE)/program
$(ICE_DIR)/program.elf: $(wildcard $(ICE_PROGRAM)/*) spec/gpu.def | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc -march=rv32i -misa-spec=2.2 -mabi=ilp32 -std=c11 -Os -g -ffreestanding \
	    -nostdlib -Wall -Wextra \
	    -Werror -Ispec -I$(BUILD) -I$(ICE_PROGRAM) -Wl,--no-warn-rwx-segments -T $(ICE_PROGRAM)/link.ld -o $@ \
	    $(ICE_PROGRAM)/start.S $(ICE_PROGRAM)/main.c
$(ICE_DIR)/image.hex: $(ICE_DIR)/program.elf
	$(call say,COPY,$@)$(RV_PREFIX)objcopy -O binary $< $(@:.hex=.bin)
	@{ od -An -v -tx4 -w4 $(@:.hex=.bin) | tr -d ' '; yes 00000000; } | head -n $(ICE_TCM_WORDS) >$@

# ------------------------------------------------------------------ simulation
ICE_SIM := $(BUILD)/icebreaker-sim
ICE_OBJ := $(ICE_DIR)/obj
$(ICE_OBJ)/Vicebreaker.mk: $(ICE_RTL) $(ICE_HERE)/model/SB_SPRAM256KA.v $(ICE_DIR)/image.hex | spec
	@mkdir -p $(@D) && rm -f $(@D)/Vicebreaker*
	$(call say,VERILATE,$@)$(VERILATOR) --cc $(ICE_PATH) $(VERILATOR_FLAGS) -O3 --x-assign unique --x-initial unique \
	    -CFLAGS "$(SIM_DEFINES)" -GTCM_INIT='"$(ICE_DIR)/image.hex"' -GWIRE_IDLE=20000 -GBAUD_STEP="32'h40000000" \
	    --top-module icebreaker -Mdir $(@D) $(ICE_HERE)/icebreaker.v
$(ICE_SIM): $(ICE_OBJ)/Vicebreaker.mk $(ICE_HERE)/icebreaker_pins.cpp $(wildcard boards/sim/*.h) \
            $(BOARD_SIM_C:%=$(BOARD_SIM_DIR)/%.o)
	$(call say,CXX,$(@D))$(MAKE) --no-print-directory -C $(ICE_OBJ) -f Vicebreaker.mk $(SIM_OPT) Vicebreaker__ALL.a \
	    verilated.o \
	    verilated_threads.o >$(ICE_OBJ)/build.log || { tail -n 30 $(ICE_OBJ)/build.log; exit 1; }
	$(call say,LINK,$@)$(CXX) -std=c++17 -O2 -Wall -Wextra $(SIM_DEFINES) -Iboards/sim -I$(ICE_OBJ) \
	    -isystem $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include \
	    -isystem $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include/vltstd -o $@ $(ICE_HERE)/icebreaker_pins.cpp \
	    $(BOARD_SIM_C:%=$(BOARD_SIM_DIR)/%.o) $(ICE_OBJ)/Vicebreaker__ALL.a $(ICE_OBJ)/verilated.o \
	    $(ICE_OBJ)/verilated_threads.o -lpng -lz -lpthread

# ------------------------------------------------------------------ bit stream
# Mapping and routing need the program's place only: random words mark it, and the program takes their place after
# (icebram fails when it does not find all of them).
# -defer: only the configurations that are used are elaborated; chparam wants the top elaborated.
ICE_PNR_SEED := 1
ICE_MAP = read_verilog -defer -Irtl -Irtl/core -Irtl/engine $(filter-out %/icebreaker.v,$(ICE_RTL)); \
    read_verilog $(ICE_HERE)/icebreaker.v
ICE_SYNTH := synth_ice40 -dsp -dff -abc9 -device u -top icebreaker
$(ICE_DIR)/seed.hex:
	@mkdir -p $(@D)
	icebram -g -s 1 32 $(ICE_TCM_WORDS) >$@
$(ICE_DIR)/board.json: $(ICE_RTL) $(ICE_DIR)/seed.hex | spec
	@echo "  map      icebreaker ($(@:.json=.map.log))"
	@$(YOSYS) -p '$(ICE_MAP); chparam -set TCM_INIT "$(ICE_DIR)/seed.hex" icebreaker; $(ICE_SYNTH) -json $@' \
	    >$(@:.json=.map.log) 2>&1 || { tail -n 20 $(@:.json=.map.log); rm -f $@; exit 1; }
# The clock that nextpnr is told is the system's; the pin's, twice as fast, drives one flip-flop.
ICE_PLACE  := nextpnr-ice40 --up5k --package sg48 --freq 6 --seed $(ICE_PNR_SEED)
ICE_PLACED := $(ICE_HERE)/placed $(ICE_DIR)/board.json $(ICE_HERE)/icebreaker.pcf '$(ICE_PLACE)'
$(ICE_DIR)/board.asc: $(ICE_DIR)/board.json $(ICE_HERE)/icebreaker.pcf
	@echo "  place    icebreaker ($(@:.asc=.pnr.log))"
	@$(ICE_PLACE) --json $< --pcf $(ICE_HERE)/icebreaker.pcf --asc $@.tmp >$(@:.asc=.pnr.log) 2>&1 || \
	    { tail -n 8 $(@:.asc=.pnr.log); exit 1; }
	@mv $@.tmp $@
$(ICE_DIR)/tessera.bin: $(ICE_DIR)/board.asc $(ICE_DIR)/image.hex $(ICE_DIR)/seed.hex
	icebram $(ICE_DIR)/seed.hex $(ICE_DIR)/image.hex <$< >$(@:.bin=.asc)
	icepack $(@:.bin=.asc) $@
$(ICE_DIR)/blocks.log: $(ICE_RTL) | spec
	@mkdir -p $(@D)
	@echo "  map      icebreaker, block by block"
	@$(YOSYS) -p '$(ICE_MAP); $(ICE_SYNTH) -noflatten -run begin:check; stat' >$@.tmp 2>&1 \
	    || { tail -n 20 $@.tmp; exit 1; }
	@mv $@.tmp $@

# ------------------------------------------------------------------ tests
ICE_LINT := $(patsubst %.v,$(BUILD)/lint/%.ok,$(wildcard $(ICE_HERE)/*.v $(ICE_HERE)/model/*.v))
$(ICE_LINT): $(BUILD)/lint/%.ok: %.v $(ICE_RTL) | spec
	@mkdir -p $(@D)
	@rtl/lint.sh $(VERILATOR) $(ICE_PATH) $(VERILATOR_FLAGS) --top-module $(notdir $*) $< >$@.log 2>&1 && \
	  $(IVERILOG) -g2012 -DGPU_ASSERT -Wall -Irtl -Irtl/core -Irtl/engine -y $(ICE_HERE) -y $(ICE_HERE)/model \
	    -y boards/common -y rtl -y rtl/core -y rtl/engine -t null $< >>$@.log 2>&1 && test ! -s $@.log || \
	  { echo "lint: $<"; cat $@.log; exit 1; }
	@mv $@.log $@
lint-files: $(ICE_LINT)

# Random packets over the simulated board's wire, against the golden model.
ICE_TEST := $(ICE_DIR)/test_icebreaker
$(ICE_TEST): tests/chip/board/test_icebreaker.c $(ICE_PROGRAM)/small.h $(WIRE_TEST_PARTS) tests/chip/board/simulator.h \
             $(BUILD)/host/libtessera.a $(BUILD)/model/libmodel.a | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE -I$(ICE_PROGRAM) $(SANITIZE) -o $@ $< $(WIRE_TEST_PARTS) \
	    $(BUILD)/host/libtessera.a $(BUILD)/model/libmodel.a -lcmocka -lpthread
.PHONY: test-icebreaker
TESTS_FULL += test-icebreaker
test-icebreaker: $(ICE_TEST) $(ICE_SIM) $(ICE_DIR)/image.hex
	@tests/run icebreaker $(ICE_TEST) $(ICE_SIM) $(ICE_DIR)/image.hex

# From RTL to a packed bit stream that meets its clock (nextpnr fails if not). It is placed unless it is the netlist
# that $(ICE_HERE)/placed has: placing that once more would give the same. How far the clock moved is for the long
# tests, because every change of the core or the mover moves it, and they place always.
.PHONY: test-icebreaker-bitstream test-icebreaker-report
TESTS_FULL += test-icebreaker-bitstream
test-icebreaker-bitstream: $(ICE_DIR)/image.hex $(ICE_DIR)/seed.hex
	@tests/run icebreaker-bitstream $(MAKE) --no-print-directory icebreaker-placed
.PHONY: icebreaker-placed
icebreaker-placed: $(ICE_DIR)/board.json
	@if boards/placed.sh known $(ICE_PLACED); then \
	    echo 'the netlist is the one that was placed and timed last'; else \
	    echo 'the netlist has changed: it is placed. make report-record BOARD=icebreaker keeps the result'; \
	    $(MAKE) --no-print-directory bitstream BOARD=icebreaker; fi
PLACED_icebreaker := $(ICE_PLACED)
TESTS_LONG += test-icebreaker-report
test-icebreaker-report:
	@tests/run icebreaker-report $(MAKE) --no-print-directory report BOARD=icebreaker
