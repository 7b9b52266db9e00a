# SPDX-License-Identifier: Apache-2.0
# The simulator: sim_top.v through Verilator, the world around it in C, as a library. A program links
# $(SIM_LIBS) with $(CXX) or $(CC) and includes sim/simulator.h.

# Waveforms cost compile time and some speed, so they are a variant: make SIM_TRACE=1 ... builds it beside the
# plain one. Their names end with SIM_SUFFIX (host/host.mk).
SIM_TRACE ?= 0
# So is a chip with 256 KB of core memory, room for all of the firmware (gpu-wide.elf): what the caches cost.
SIM_WIDE  ?= 0
# And a board's chip with that board's memory: make SIM_BOARD=ulx3s (sim/board_side.v, docs/boards.md). What that is, is
# read from its top.
SIM_BOARD ?=
SIM_DIR   := $(BUILD)/sim$(SIM_SUFFIX)
SIM_OBJ   := $(SIM_DIR)/obj
SIM_TOP   := sim/sim_top.v sim/fault_gate.v sim/sleep.v $(if $(SIM_BOARD),sim/board_side.v)
SIM_RTL   := $(wildcard rtl/*.v rtl/core/*.v rtl/engine/*.v rtl/display/*.v) \
             $(wildcard rtl/*.vh rtl/*/*.vh) $(SIM_TOP) sim/public.vlt \
             $(if $(SIM_BOARD),$(wildcard boards/common/*.v) boards/$(SIM_BOARD)/$(SIM_BOARD).v \
             boards/$(SIM_BOARD)/board.mk sim/board_flags.awk)
SIM_C     := simulator simulator_report interrupt world fault symbols profile misses monitor
SIM_HEADERS := $(wildcard sim/*.h) host/include/transport.h host/lib/device/probe.h spec/gpu_spec.h spec/gpu.def
SIM_LIBS  := $(SIM_DIR)/libsimulator.a -lz -lstdc++ -lm -lpthread
SIM_ARCHIVES := $(SIM_DIR)/libsimulator.a

# Speed over build time where the generated code is hot, the other way round where it runs once.
SIM_OPT   := OPT_FAST="-O3 -fno-plt" OPT_SLOW="-O0" OPT_GLOBAL="-O2"
SIM_RUNTIME := verilated.o verilated_threads.o $(if $(filter 1,$(SIM_TRACE)),verilated_fst_c.o)
# -GNAME=VALUE of sim_top's parameters and CLOCK_HZ=VALUE, for a board.
board_flags = $(shell awk -v board=$(1) -v settings="$(BOARD_SETTINGS_$(1))" -f sim/board_flags.awk sim/sim_top.v \
    boards/common/board_core.v boards/$(1)/$(1).v)
# The clock at which the chip is placed: the board's, or the 85F's of the ULX3S.
placed_clock = $(patsubst CLOCK_HZ=%,%,$(filter CLOCK_HZ=%,$(call board_flags,$(or $(SIM_BOARD),ulx3s))))
SIM_PARAMETERS = $(if $(SIM_BOARD),-Iboards/common $(filter -G%,$(call board_flags,$(SIM_BOARD))) \
    $(BOARD_CONFIG_$(SIM_BOARD)))
# The clock of which the display's is made: 100 MHz unless it is a board's, whose pixels have their own.
display_khz = $(if $(SIM_BOARD),$(shell echo $$(($(placed_clock) / 1000))),100000)
# What chip.cpp is told.
SIM_CHIP_DEFINES = -DDISPLAY_CLOCK_KHZ=$(display_khz) -DSEGMENT2_BEAT_CYCLES=$(SIM_BEAT_CYCLES) \
    -DCLOCK_HZ=$(placed_clock) \
    $(if $(SIM_BOARD), \
    -DSIM_BOARD='"$(SIM_BOARD)"' $(patsubst -G%,-D%,$(filter -GSDRAM_HZ=% -GSYSTEM_BYTES=%,$(SIM_PARAMETERS))))
# Assertions of the RTL end in chip.cpp instead of abort().
SIM_DEFINES := -DVL_USER_STOP -DVL_USER_FATAL
# What segment 2 takes for a beat, which the least time of a run depends on (chip_counters).
SIM_BEAT_CYCLES := 2
# The same objects are in the shared library. Hidden names are called as directly as in a program.
SIM_SHARED  := -fPIC -fvisibility=hidden -fno-gnu-unique

.PHONY: simulator
simulator: $(SIM_ARCHIVES)

$(SIM_OBJ)/Vsim_top.mk: $(SIM_RTL) sim/sim.mk | spec
	@mkdir -p $(@D) && rm -f $(@D)/Vsim_top* # a file of an earlier design must not reach the archive
	$(call say,VERILATE,$@)$(VERILATOR) --cc $(VERILATOR_FLAGS) -O3 --x-assign fast --x-initial unique \
	    $(if $(filter 1,$(SIM_TRACE)),--trace-fst) -CFLAGS "$(SIM_DEFINES) $(SIM_SHARED)" --top-module sim_top \
	    -GSEGMENT2_BEAT_CYCLES=$(SIM_BEAT_CYCLES) $(if $(filter 1,$(SIM_WIDE)),-GTCM_BYTES=262144) \
	    $(SIM_PARAMETERS) +define+GPU_CLOCKS -Mdir $(@D) sim/public.vlt $(SIM_TOP)
$(SIM_OBJ)/built: $(SIM_OBJ)/Vsim_top.mk
	$(call say,CXX,$(@D))$(MAKE) --no-print-directory -C $(@D) -f Vsim_top.mk $(SIM_OPT) Vsim_top__ALL.a $(SIM_RUNTIME) \
	    >$(SIM_DIR)/build.log \
	    || { tail -n 30 $(SIM_DIR)/build.log; exit 1; }
	@touch $@

$(SIM_DIR)/chip.o: sim/chip.cpp $(SIM_HEADERS) $(SIM_OBJ)/Vsim_top.mk
	$(call say,CXX,$<)$(CXX) -std=c++17 -O3 -Wall -Wextra $(SIM_DEFINES) $(SIM_SHARED) -Isim -Ihost -Ihost/include \
	    -Ispec -I$(BUILD) -I$(SIM_OBJ) $(SIM_CHIP_DEFINES) \
	    $(if $(filter 1,$(SIM_TRACE)),-DVM_TRACE=1 -DVM_TRACE_FST=1) \
	    -isystem $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include \
	    -isystem $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include/vltstd -c -o $@ $<
$(SIM_DIR)/%.o: sim/%.c $(SIM_HEADERS) sim/sim.mk | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) $(SIM_SHARED) -O3 -D_POSIX_C_SOURCE=200809L -c -o $@ $<
$(SIM_DIR)/libsimulator.a: sim/sim.mk $(SIM_DIR)/chip.o $(SIM_C:%=$(SIM_DIR)/%.o) $(SIM_OBJ)/built
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $(SIM_DIR)/chip.o $(SIM_C:%=$(SIM_DIR)/%.o) $(SIM_OBJ)/Vsim_top*.o \
	    $(SIM_RUNTIME:%=$(SIM_OBJ)/%)
