# SPDX-License-Identifier: Apache-2.0
# The control core's image (build/firmware/gpu.elf; gpu-tcm.elf for a chip without the firmware's region) and the
# firmware as a host library for the golden model and the unit tests.

# Which folder a file belongs to: docs/architecture.md. In order of names, so that a move changes no image.
firmware_c       := $(filter-out %/main.c %/hal_mmio.c %/stacks.c %/display_absent.c %/timeline_absent.c %/client_absent.c, \
                      $(wildcard firmware/*.c firmware/*/*.c))
FIRMWARE_SOURCES := $(foreach name,$(sort $(notdir $(firmware_c))),$(filter %/$(name),$(firmware_c)))
FIRMWARE_HEADERS := $(wildcard firmware/*.h firmware/*/*.h) spec/gpu.def spec/gpu_spec.h
FIRMWARE_IMAGE   := $(BUILD)/firmware/gpu.elf
FIRMWARE_TCM     := $(BUILD)/firmware/gpu-tcm.elf
FIRMWARE_WIDE    := $(BUILD)/firmware/gpu-wide.elf
FIRMWARE_COLD    := $(BUILD)/firmware/cold.ld

RV_CC     := $(RV_PREFIX)gcc
# A switch is smaller, and no slower, without a table; and what jumps to a register is a call, as test-stack has it.
RV_CFLAGS := -std=c11 -O2 -g -flto=auto -fno-tree-loop-distribute-patterns \
             -fno-jump-tables -ffunction-sections -fdata-sections -fno-common $(WARNINGS) -Ispec -I$(BUILD) \
             -Ifirmware -DTESSERA_TARGET -march=rv32imc -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs
RV_LDFLAGS  = -nostartfiles -L$(BUILD)/firmware -T linker/gpu.ld -Wl,--gc-sections -Wl,--no-warn-rwx-segments \
              -Wl,-Map=$(@:.elf=.map)

RV_OBJECTS := $(patsubst firmware/%.c,$(BUILD)/firmware/rv/%.o,$(FIRMWARE_SOURCES) firmware/main.c \
                         firmware/platform/hal_mmio.c firmware/platform/stacks.c) \
              $(BUILD)/firmware/rv/platform/start.o

.PHONY: firmware
all: firmware
firmware: $(FIRMWARE_IMAGE) $(FIRMWARE_TCM)

# The table of what is cold: it runs once, at the host's wish, or when something has gone wrong. Compiled for size and one
# by one, so that nothing of it is inlined into what is hot, it goes to the firmware's region (linker/gpu.ld: .cold.*).
RV_COLD := boot display/display display/display_absent display/modes display/panel display/surface \
           frontend/client_absent frontend/client_command frontend/command frontend/query_segment frontend/self_test \
           frontend/share_command memory/client memory/rights memory/segment_description page/paging_reset plan/limits \
           schedule/destruction schedule/job_flips schedule/timeline schedule/timeline_absent validate/packet_rule
# Walked by every word and every patch location: inlined further than the compiler would by itself.
RV_HOT := validate/validate schedule/scheduler_jobs
$(RV_HOT:%=$(BUILD)/firmware/rv/%.o): RV_CFLAGS += --param=max-inline-insns-auto=45
# A loop that begins in the middle of a word takes a cycle more each time: of a search for room every sixth.
RV_LOOPS := memory/segment policy/window
$(RV_LOOPS:%=$(BUILD)/firmware/rv/%.o): RV_CFLAGS += -falign-functions=4 -falign-loops=4 -falign-jumps=4
# Rare, or short, but among what is hot: compiled for size. The image without a region has little room.
RV_RARE := display/flips plan/commit plan/exact_fit plan/fitting memory/bank memory/share memory/tables \
           frontend/deferred policy/literal policy/map_or_copy schedule/context schedule/preemption \
           schedule/recovery schedule/rebinding schedule/survey
$(RV_RARE:%=$(BUILD)/firmware/rv/%.o): RV_CFLAGS += -Os
cold_objects = $(RV_COLD:%=$(BUILD)/$(1)/%.o)
$(call cold_objects,firmware/rv): RV_CFLAGS += -Os -fno-lto
$(call cold_objects,firmware/rv) $(call cold_objects,firmware-debug) $(call cold_objects,system/second/firmware): \
    make_cold = && \
    { $(RV_PREFIX)objcopy --prefix-alloc-sections=.cold $@ || { rm -f $@; false; }; }

$(BUILD)/firmware/rv/%.o: firmware/%.c $(FIRMWARE_HEADERS) firmware/firmware.mk | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_CC) $(RV_CFLAGS) -c -o $@ $< $(make_cold)
$(BUILD)/firmware/rv/platform/start.o: firmware/platform/start.S
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_CC) -march=rv32imc -misa-spec=2.2 -mabi=ilp32 -c -o $@ $<
# Which other functions lie in the region. Link-time optimisation does not see where a function lies, so their sizes are
# those of the image without a region.
$(FIRMWARE_COLD): $(FIRMWARE_TCM) linker/cold.sh linker/profile.txt firmware/memory/tables.h
	@linker/cold.sh $(RV_PREFIX) $< linker/profile.txt >$@ || { rm -f $@; exit 1; }
# The image is removed when it takes too much of core memory.
$(FIRMWARE_IMAGE): $(RV_OBJECTS) linker/gpu.ld $(FIRMWARE_COLD) linker/room.sh
	$(call say,RV-LINK,$@)$(RV_CC) $(RV_CFLAGS) $(RV_LDFLAGS) -o $@ $(RV_OBJECTS)
	@linker/room.sh $(RV_PREFIX) $@ linker/sizes.txt || { rm -f $@; exit 1; }
# The same with those functions all in the region, for `make profile-record`.
FIRMWARE_REGION := $(BUILD)/firmware/region/gpu.elf
$(FIRMWARE_REGION): $(RV_OBJECTS) linker/gpu.ld
	@mkdir -p $(@D) && printf '*(.text .text.*)\n__profile_end = .;\n' >$(@D)/cold.ld
	$(call say,RV-LINK,$@)$(RV_CC) $(RV_CFLAGS) -L$(@D) $(RV_LDFLAGS) -o $@ $(RV_OBJECTS)
# Without a region core memory holds everything, and a chip has 176 KB of it (rtl/gpu.v); gpu-wide.elf is for the
# simulated one that has 256 KB (sim/sim.mk).
CORE_MEMORY_tcm  := 176K
CORE_MEMORY_wide := 256K
$(BUILD)/firmware/gpu-%.ld: linker/gpu.ld
	@mkdir -p $(@D)
	sed -e '/INCLUDE cold.ld/d; s/REGION_ALIAS("COLD", region)/REGION_ALIAS("COLD", tcm)/' \
	    -e 's/LENGTH = 64K/LENGTH = $(CORE_MEMORY_$*)/; s/:cold$$/:image/; s/:cold_data$$/:data/' $< >$@
# The former has no room for the display, for timelines and for accounts of clients.
RV_DISPLAY := $(BUILD)/firmware/rv/display
RV_TIMELINE := $(BUILD)/firmware/rv/schedule/timeline
RV_CLIENTS := $(patsubst %,$(BUILD)/firmware/rv/%.o,memory/client plan/limits schedule/charge frontend/client_command)
RV_OBJECTS_tcm  := $(filter-out $(RV_DISPLAY)/% $(RV_TIMELINE).o $(RV_CLIENTS),$(RV_OBJECTS)) \
                   $(RV_DISPLAY)/display_absent.o $(RV_TIMELINE)_absent.o \
                   $(BUILD)/firmware/rv/frontend/client_absent.o
RV_OBJECTS_wide := $(RV_OBJECTS)
$(FIRMWARE_TCM): $(RV_OBJECTS_tcm)
$(FIRMWARE_WIDE): $(RV_OBJECTS_wide)
$(FIRMWARE_TCM) $(FIRMWARE_WIDE): $(BUILD)/firmware/gpu-%.elf: $(BUILD)/firmware/gpu-%.ld
	$(call say,RV-LINK,$@)$(RV_CC) $(RV_CFLAGS) $(RV_LDFLAGS:linker/gpu.ld=$(BUILD)/firmware/gpu-$*.ld) -o $@ \
	    $(RV_OBJECTS_$*)

# ------------------------------------------------------------------ for gdb
# Every function as the source has it: no link-time optimisation. For size: -Og does not fit.
# Its stack is not proved, so it gets most of what is left, and what overflows it traps all the
# same. docs/core.md, Debug, says what it costs.
DEBUG_IMAGE    := $(BUILD)/firmware-debug/gpu.elf
DEBUG_OPTIMISE := -Os
DEBUG_CFLAGS   := $(filter-out -O2 -flto%,$(RV_CFLAGS)) $(DEBUG_OPTIMISE)
DEBUG_OBJECTS  := $(RV_OBJECTS:$(BUILD)/firmware/rv/%=$(BUILD)/firmware-debug/%)
$(BUILD)/firmware-debug/%.o: firmware/%.c $(FIRMWARE_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_CC) $(DEBUG_CFLAGS) -c -o $@ $< $(make_cold)
$(BUILD)/firmware-debug/platform/start.o: $(BUILD)/firmware/rv/platform/start.o
	@mkdir -p $(@D)
	cp $< $@
$(BUILD)/firmware-debug/gpu.ld: linker/gpu.ld
	@mkdir -p $(@D)
	sed -E 's/^(__[a-z_]*stack_bytes) = [0-9]*;/\1 = 4096;/' $< >$@
$(DEBUG_IMAGE): $(DEBUG_OBJECTS) $(BUILD)/firmware-debug/gpu.ld $(FIRMWARE_COLD)
	$(call say,RV-LINK,$@)$(RV_CC) $(DEBUG_CFLAGS) $(RV_LDFLAGS:linker/%=$(BUILD)/firmware-debug/%) \
	    -o $@ $(DEBUG_OBJECTS)
	@$(RV_PREFIX)size $@

# ------------------------------------------------------------------ on the host

DEVICE_SOURCES := $(FIRMWARE_SOURCES) model/device.c model/device_hal.c model/stack.c model/unwind.c
DEVICE_HEADERS := $(FIRMWARE_HEADERS) model/device.h model/device_internal.h model/stack.h model/unwind.h \
                  model/display_model.h model/display_picture.h model/engine_model.h model/engine_port.h \
                  host/include/transport.h host/lib/device/probe.h
DEVICE_OBJECTS := $(DEVICE_SOURCES:%.c=$(BUILD)/firmware/host/%.o)
DEVICE_LIBRARY := $(BUILD)/firmware/libdevice.a

$(DEVICE_OBJECTS): $(BUILD)/firmware/host/%.o: %.c $(DEVICE_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -c -o $@ $<
# Link with $(MODEL_LIBRARY) after it.
$(DEVICE_LIBRARY): $(DEVICE_OBJECTS)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^
