# SPDX-License-Identifier: Apache-2.0
# Boards: the simulation of one (build/board-sim), bit streams, and their tests.

BOARD_RTL     := $(wildcard boards/common/*.v)
# Those with board_core.v: make run BOARD=.
RUN_BOARDS    := $(notdir $(basename $(wildcard boards/*/*.lpf)))
# Names of other folders' *.mk are read after this one.
BOARD_CHIP    := $(wildcard rtl/*.v rtl/*/*.v rtl/*.vh rtl/*/*.vh)
BOARD_SIM_DIR := $(BUILD)/board-sim.d
BOARD_SIM_C   := board_sim display
BOARD_FLAGS   := $(VERILATOR_FLAGS) -Iboards/common

$(BOARD_SIM_DIR)/%.o: boards/sim/%.c $(wildcard boards/sim/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE -c -o $@ $<
# $(call board_sim,PROGRAM,SETTINGS): the rules of build/PROGRAM, board_sim.v with SETTINGS (-GNAME=VALUE) of its
# parameters, in build/PROGRAM.d.
define board_sim
$(BUILD)/$(1).d/obj/Vboard_sim.mk: $$(BOARD_CHIP) $$(BOARD_RTL) boards/sim/board_sim.v | spec
	@mkdir -p $$(@D) && rm -f $$(@D)/Vboard_sim*
	$$(call say,VERILATE,$$@)$$(VERILATOR) --cc $$(BOARD_FLAGS) -O3 --x-assign fast --x-initial unique -CFLAGS \
	    "$$(SIM_DEFINES)" $(2) --top-module board_sim -Mdir $$(@D) boards/sim/board_sim.v
$(BUILD)/$(1).d/obj/built: $(BUILD)/$(1).d/obj/Vboard_sim.mk
	$$(call say,CXX,$$(@D))$$(MAKE) --no-print-directory -C $$(@D) -f Vboard_sim.mk $$(SIM_OPT) Vboard_sim__ALL.a \
	    verilated.o verilated_threads.o >$(BUILD)/$(1).d/build.log || { tail -n 30 $(BUILD)/$(1).d/build.log; exit 1; }
	@touch $$@
$(BUILD)/$(1).d/board_pins.o: boards/sim/board_pins.cpp $$(wildcard boards/sim/*.h) $(BUILD)/$(1).d/obj/Vboard_sim.mk
	$$(call say,CXX,$$<)$$(CXX) -std=c++17 -O3 -Wall -Wextra $$(SIM_DEFINES) -Iboards/sim -I$(BUILD)/$(1).d/obj \
	    -isystem $$(shell $$(VERILATOR) --getenv VERILATOR_ROOT)/include \
	    -isystem $$(shell $$(VERILATOR) --getenv VERILATOR_ROOT)/include/vltstd -c -o $$@ $$<
$(BUILD)/$(1): $(BUILD)/$(1).d/board_pins.o $$(BOARD_SIM_C:%=$$(BOARD_SIM_DIR)/%.o) $(BUILD)/$(1).d/obj/built
	$$(call say,LINK,$$@)$$(CXX) -o $$@ $(BUILD)/$(1).d/board_pins.o $$(BOARD_SIM_C:%=$$(BOARD_SIM_DIR)/%.o) \
	    $(BUILD)/$(1).d/obj/Vboard_sim*.o $(BUILD)/$(1).d/obj/verilated.o \
	    $(BUILD)/$(1).d/obj/verilated_threads.o -lpng -lz -lpthread
endef
BOARD_SIM := $(BUILD)/board-sim

.PHONY: board-sim
board-sim: $(BOARD_SIM)
	$(BOARD_SIM) --port $(or $(PORT),1234)

# ------------------------------------------------------------------ tests

# Every file as its own top through Verilator and Icarus, as rtl/rtl.mk does for the chip.
BOARD_LINT := $(BOARD_RTL:%.v=$(BUILD)/lint/%.ok)
$(BUILD)/lint/boards/%.ok: boards/%.v $(BOARD_CHIP) $(BOARD_RTL) | spec
	@mkdir -p $(@D)
	@rtl/lint.sh $(VERILATOR) $(BOARD_FLAGS) --top-module $(notdir $*) $< >$@.log 2>&1 && \
	  $(IVERILOG) -g2012 -DGPU_ASSERT -Wall -Irtl -Irtl/core -Irtl/engine -Irtl/display -y boards/common -y rtl \
	    -y rtl/core -y rtl/engine -y rtl/display -t null $< >>$@.log 2>&1 && test ! -s $@.log || \
	  { echo "lint: $<"; cat $@.log; exit 1; }
	@mv $@.log $@
lint-files: $(BOARD_LINT)


# The memory alone: two clocks that drift against each other, the memory's at 100, 75 and 50 MHz, and with data after
# two cycles as on the ULX3S, 75 beside 50 MHz; 32 bits wide without byte masks, 80 beside 40 MHz, as on the i9; the
# same bench on Icarus. Built for PERIOD-LATENCY-WIDTH-MASKS. With every change the boards'.
BOARD_BENCH := $(BUILD)/board/memory
BOARD_RIG := tests/chip/board/memory_rig.v tests/chip/board/clocks.h $(BOARD_RTL) rtl/sync_fifo.v
BOARD_RIG_FLAGS = $(BOARD_FLAGS) -Itests/chip/board -CFLAGS "-I$(CURDIR)/tests/chip/board"
BOARD_BENCH_RTL := tests/chip/board/memory_bench.v tests/chip/board/memory_client.v $(BOARD_RIG)
$(BOARD_BENCH)/%/Vmemory_bench: $(BOARD_BENCH_RTL) tests/chip/board/memory_bench.cpp
	@mkdir -p $(@D)
	@$(VERILATOR) --cc --exe --build -O3 $(BOARD_RIG_FLAGS) -GPERIOD_PS=$(word 1,$(subst -, ,$*)) \
	    -GCAS_LATENCY=$(word 2,$(subst -, ,$*)) -GWIDTH=$(word 3,$(subst -, ,$*)) \
	    -GBYTE_MASKS=$(word 4,$(subst -, ,$*)) --top-module memory_bench \
	    -Mdir $(@D) tests/chip/board/memory_bench.v $(CURDIR)/tests/chip/board/memory_bench.cpp >$(@D)/build.log 2>&1 \
	    || { cat $(@D)/build.log; exit 1; }
$(BOARD_BENCH)/icarus: $(BOARD_BENCH_RTL) tests/chip/board/icarus_memory.v
	@mkdir -p $(@D)
	@$(IVERILOG) -g2012 -DGPU_ASSERT -y boards/common -y rtl -y tests/chip/board -s icarus_memory -o $@ \
	    tests/chip/board/icarus_memory.v

.PHONY: test-board-memory test-board-memory-rest test-board-memory-icarus
TESTS      += test-board-memory
TESTS_FULL += test-board-memory-rest test-board-memory-icarus
test-board-memory: $(foreach built,13333-2-16-1 12500-2-32-0,$(BOARD_BENCH)/$(built)/Vmemory_bench)
	@tests/run board-memory-latency-2 $(BOARD_BENCH)/13333-2-16-1/Vmemory_bench 13333
	@tests/run board-memory-i9 $(BOARD_BENCH)/12500-2-32-0/Vmemory_bench 12500 25013 32
BOARD_MEMORY_REST := 10000-3-16-1 13333-3-16-1 20000-3-16-1 10000-3-32-1 20000-3-32-0
test-board-memory-rest: $(foreach built,$(BOARD_MEMORY_REST),$(BOARD_BENCH)/$(built)/Vmemory_bench)
	@tests/run board-memory-100MHz $(BOARD_BENCH)/10000-3-16-1/Vmemory_bench 10000
	@tests/run board-memory-75MHz $(BOARD_BENCH)/13333-3-16-1/Vmemory_bench 13333
	@tests/run board-memory-50MHz $(BOARD_BENCH)/20000-3-16-1/Vmemory_bench 20000
	@tests/run board-memory-wide-100MHz $(BOARD_BENCH)/10000-3-32-1/Vmemory_bench 10000 20011 32
	@tests/run board-memory-wide-50MHz $(BOARD_BENCH)/20000-3-32-0/Vmemory_bench 20000 20011 32
test-board-memory-icarus: $(BOARD_BENCH)/icarus
	@tests/run board-memory-icarus tests/rtl/icarus.sh $(BOARD_BENCH)/icarus

# What crosses from clock to clock: every flip-flop that does, in the netlist; and of Gray pointers one bit at a time.
.PHONY: test-board-crossings test-must-fail-crossings
TESTS      += test-board-crossings
TESTS_FULL += test-must-fail-crossings
test-board-crossings: tests/chip/board/crossings.sh $(BOARD_RTL) | spec
	@tests/run board-crossings tests/chip/board/crossings.sh $(BUILD)/board/crossings
	@tests/run formal-async-fifo tests/formal/prove.sh $(BUILD)/board/crossings async_fifo_formal induction 10 \
	    tests/formal/memory/async_fifo_formal.v boards/common/async_fifo.v
test-must-fail-crossings: tests/chip/board/crossings.sh $(BOARD_RTL) | spec
	@tests/run must-fail-crossings tests/chip/board/crossings.sh $(BUILD)/board/crossings broken

# Every ECP5 board's top elaborates, and each of its pins has a place.
.PHONY: test-board-pins
TESTS += test-board-pins
test-board-pins: tests/chip/board/pins.sh $(BOARD_RTL) $(wildcard boards/ecp5/*.v) | spec
	@tests/run board-pins tests/chip/board/pins.sh $(BUILD)/board/pins

# Scan-out beside masters that never rest: the memory at 75 MHz beside 50, and at 50 beside 15. Built for PERIOD.
BOARD_SCANOUT := $(BUILD)/board/scanout
BOARD_SCANOUT_RTL := tests/chip/board/scanout_bench.v tests/chip/board/scanout_bench.cpp $(BOARD_RIG)
$(BOARD_SCANOUT)/%/Vscanout_bench: $(BOARD_SCANOUT_RTL)
	@mkdir -p $(@D)
	@$(VERILATOR) --cc --exe --build -O3 $(BOARD_RIG_FLAGS) -GPERIOD_PS=$* --top-module scanout_bench \
	    -Mdir $(@D) tests/chip/board/scanout_bench.v $(CURDIR)/tests/chip/board/scanout_bench.cpp >$(@D)/build.log 2>&1 \
	    || { cat $(@D)/build.log; exit 1; }
.PHONY: test-board-scanout test-board-scanout-rest
TESTS      += test-board-scanout
TESTS_FULL += test-board-scanout-rest
test-board-scanout: $(BOARD_SCANOUT)/13333/Vscanout_bench
	@tests/run board-scanout-75MHz $(BOARD_SCANOUT)/13333/Vscanout_bench 13333 20000
test-board-scanout-rest: $(BOARD_SCANOUT)/20000/Vscanout_bench
	@tests/run board-scanout-50MHz $(BOARD_SCANOUT)/20000/Vscanout_bench 20000 66670

# The host library over the wire: peers that misbehave, then the simulated board, its memory and its display.
WIRE_TEST_PARTS := tests/chip/board/simulator.c $(BUILD)/host/sanitized/host/lib/device/transport_wire.o
TEST_WIRE := $(BUILD)/board/test_wire
$(TEST_WIRE): tests/chip/board/test_wire.c $(WIRE_TEST_PARTS) tests/chip/board/simulator.h $(BUILD)/host/libtessera.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE $(SANITIZE) -o $@ $< $(WIRE_TEST_PARTS) \
	    $(BUILD)/host/libtessera.a -lcmocka -lpng -lpthread -lutil
.PHONY: test-board-wire test-board-peers
TESTS      += test-board-peers
TESTS_FULL += test-board-wire
test-board-peers: $(TEST_WIRE)
	@tests/run board-peers $(TEST_WIRE)
test-board-wire: $(TEST_WIRE) $(BOARD_SIM) $(BUILD)/firmware/gpu.elf $(BUILD)/tessera
	@tests/run board-wire $(TEST_WIRE) $(BOARD_SIM)

# The scene of `make run` at reduced size, over the wire, exact, and seen on the display; the long one is larger.
$(BUILD)/board/check_display: tests/chip/board/check_display.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $< -lpng
.PHONY: test-board-scene test-board-scene-long
TESTS_FULL += test-board-scene
TESTS_LONG += test-board-scene-long
test-board-scene: $(BUILD)/board/check_display $(BOARD_SIM) $(BUILD)/firmware/gpu.elf $(BUILD)/tessera
	@tests/run board-scene tests/chip/board/scene.sh board-sim 9 8 112
test-board-scene-long: $(BUILD)/board/check_display $(BOARD_SIM) $(BUILD)/firmware/gpu.elf $(BUILD)/tessera
	@tests/run board-scene-long tests/chip/board/scene.sh board-sim 12 8 128

# ------------------------------------------------------------------ make run BOARD=

# build/tessera-BOARD is made by a make of its own, after what it shares with build/tessera.
ifeq ($(SIM_BOARD),)
$(RUN_BOARDS:%=$(BUILD)/tessera-%): $(BUILD)/tessera $(BOARD_RTL) sim/board_side.v sim/board_flags.awk \
    $(RUN_BOARDS:%=boards/%/board.mk)
	@$(MAKE) --no-print-directory SIM_BOARD=$(@:$(BUILD)/tessera-%=%) SIZE=85k $@
endif

# With every change the parameters and a small scene; then the default scene, with 24 MB of system memory on both, and
# a run in which nothing sleeps.
RUN_SMALL := --frames 1 --textures 12 --segment1 8 --segment2 128
.PHONY: test-board-flags test-board-run test-board-run-rest
TESTS      += test-board-flags test-board-run
TESTS_FULL += test-board-run-rest
test-board-flags: | spec
	@SETTINGS_ulx3s="$(BOARD_SETTINGS_ulx3s)" SETTINGS_i9="$(BOARD_SETTINGS_i9)" \
	    CONFIG_ulx3s="$(BOARD_CONFIG_ulx3s)" CONFIG_i9="$(BOARD_CONFIG_i9)" \
	    tests/run board-flags tests/chip/board/flags.sh $(BUILD)/board/flags $(VERILATOR) $(BOARD_FLAGS)
test-board-run: $(BUILD)/tessera $(BUILD)/tessera-ulx3s $(BUILD)/firmware/gpu.elf
	@tests/run board-run tests/chip/board/run.sh ulx3s 41.666666 75 $(RUN_SMALL)
test-board-run-rest: $(BUILD)/tessera $(RUN_BOARDS:%=$(BUILD)/tessera-%) $(BUILD)/firmware/gpu.elf
	@tests/run board-run-i9 tests/chip/board/run.sh i9 40 80 --frames 2
	@tests/run board-run-ulx3s tests/chip/board/run.sh ulx3s 41.666666 75 --frames 2
	@tests/run board-run-sleep tests/chip/system/sleep.sh $(BUILD)/tessera-i9 run $(RUN_SMALL) --no-compare \
	    --out $(BUILD)/board/sleep
