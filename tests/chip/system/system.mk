# SPDX-License-Identifier: Apache-2.0
# Whole-chip tests with firmware of their own, over the simulator's transport.

SYSTEM_DIR := $(BUILD)/system
RV_CC      := $(RV_PREFIX)gcc
# Freestanding: start.S is all the runtime there is.
TEST_FIRMWARE_FLAGS := -march=rv32imc -misa-spec=2.2 -mabi=ilp32 -std=c11 -Os -g -ffreestanding -nostdlib -Wall \
                       -Wextra -Werror -Ispec -I$(BUILD) -Itests/chip/system -Wl,--no-warn-rwx-segments

$(SYSTEM_DIR)/%.elf: tests/chip/system/%.c tests/chip/system/start.S tests/chip/system/test.ld \
                     $(wildcard tests/chip/system/*.h) spec/gpu.def | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_CC) $(TEST_FIRMWARE_FLAGS) -T tests/chip/system/test.ld -o $@ tests/chip/system/start.S $<
# The driver on the chip, without a manager above it.
PAGING_C := tests/chip/system/paging.c firmware/driver/driver.c firmware/driver/driver_paging.c \
    firmware/driver/engine.c \
            firmware/ddi/patch.c firmware/memory/segment.c firmware/memory/index_set.c firmware/memory/tables.c \
            firmware/platform/hal_mmio.c
PAGING_FLAGS := $(filter-out -nostdlib,$(TEST_FIRMWARE_FLAGS)) --specs=picolibc.specs -nostartfiles -Wl,-e,_start \
                -Ifirmware -DTESSERA_TARGET -fno-tree-loop-distribute-patterns
$(SYSTEM_DIR)/paging.elf: $(PAGING_C) tests/chip/system/start.S tests/chip/system/test.ld tests/chip/system/paging.h \
                          $(FIRMWARE_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_CC) $(PAGING_FLAGS) -T tests/chip/system/test.ld -o $@ tests/chip/system/start.S $(PAGING_C)
# The same as fast as the firmware is, to be measured.
$(SYSTEM_DIR)/paging_bench.elf: $(PAGING_C) tests/chip/system/start.S tests/chip/system/test.ld \
    tests/chip/system/paging.h \
                                $(FIRMWARE_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_CC) $(PAGING_FLAGS:-Os=-O2) -T tests/chip/system/test.ld -o $@ \
	    tests/chip/system/start.S $(PAGING_C)
# The whole firmware with the second driver under its manager; for size, so that the driver fits beside it.
SECOND_C := tests/chip/system/second.c tests/unit/second_driver.c $(FIRMWARE_SOURCES) \
            firmware/platform/hal_mmio.c firmware/platform/stacks.c
SECOND_OBJECTS := $(SECOND_C:%.c=$(SYSTEM_DIR)/second/%.o)
SECOND_COMPILE := $(RV_CC) $(RV_CFLAGS) -Os -fno-lto -msave-restore -Itests/unit -Itests/chip/system
SECOND_LINK := $(RV_CC) $(RV_CFLAGS) -Os -fno-lto -msave-restore -nostartfiles -L$(BUILD)/firmware -T linker/gpu.ld \
               -Wl,--gc-sections -Wl,--no-warn-rwx-segments
$(SECOND_OBJECTS): $(SYSTEM_DIR)/second/%.o: %.c tests/chip/system/second.h tests/unit/second_driver.h \
                   $(FIRMWARE_HEADERS) tests/chip/system/system.mk | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(SECOND_COMPILE) -c -o $@ $< $(make_cold)
$(SYSTEM_DIR)/second.elf: $(SECOND_OBJECTS) firmware/platform/start.S linker/gpu.ld $(FIRMWARE_COLD)
	$(call say,RV-LINK,$@)$(SECOND_LINK) -o $@ firmware/platform/start.S $(SECOND_OBJECTS)
$(SYSTEM_DIR)/%.bin: $(SYSTEM_DIR)/%.elf
	$(call say,COPY,$@)$(RV_PREFIX)objcopy -O binary $< $@
$(SYSTEM_DIR)/%: tests/chip/system/%.c tests/chip/system/rig.c tests/rows.h $(wildcard tests/chip/system/*.h) \
                 $(SIM_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_POSIX_C_SOURCE=200809L -Itests/chip/system -o $@ $< tests/chip/system/rig.c \
	    $(SIM_LIBS)

# The display: with a board's memory too (SIM_BOARD=ulx3s).
$(SYSTEM_DIR)/test_shows$(SIM_SUFFIX): tests/chip/system/test_shows.c tests/chip/system/rig.c \
                                       tests/chip/system/shows.h model/display_picture.c $(SIM_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_POSIX_C_SOURCE=200809L -Itests/chip/system -Imodel -o $@ $(filter %.c,$^) \
	    $(SIM_LIBS)
.PHONY: test-shows
TESTS += test-shows
test-shows: $(SYSTEM_DIR)/test_shows $(SYSTEM_DIR)/shows.bin
	@tests/run shows $< 160x120 xrgb8888 12 1 1

$(SYSTEM_DIR)/test_endings: CFLAGS += -Wl,--wrap=world_drive

# The world alone, without a chip, under the sanitizers.
$(SYSTEM_DIR)/test_world: tests/chip/system/test_world.c sim/world.c sim/world.h sim/chip.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ tests/chip/system/test_world.c sim/world.c

# The injector of faults alone.
$(SYSTEM_DIR)/test_injection: tests/chip/system/test_injection.c sim/fault.c $(wildcard sim/*.h) \
                              host/include/transport.h | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $< sim/fault.c
TESTS += test-injection
.PHONY: test-injection
test-injection: $(SYSTEM_DIR)/test_injection
	@tests/run injection $<

# The profile, and what misses the caches, each alone; each writes a file of its name.
WATCH_TESTS := $(addprefix $(SYSTEM_DIR)/test_,profile misses)
$(WATCH_TESTS): $(SYSTEM_DIR)/test_%: tests/chip/system/test_%.c sim/%.c sim/%.h sim/symbols.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^)
TESTS += test-profile test-misses
.PHONY: test-profile test-misses
test-profile test-misses: test-%: $(SYSTEM_DIR)/test_%
	@tests/run $* $< $(SYSTEM_DIR)/$*.written

# The simulator around a chip that does what the test says. What it says: make report-written takes it again.
SIMULATOR_FILES := $(addprefix sim/,simulator.c simulator_report.c interrupt.c world.c fault.c symbols.c profile.c \
                     misses.c monitor.c)
$(SYSTEM_DIR)/test_simulator: tests/chip/system/test_simulator.c tests/chip/system/fake_chip.c $(SIMULATOR_FILES) \
                              tests/chip/system/fake_chip.h $(SIM_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE $(SANITIZE) -Itests/chip/system -o $@ $(filter %.c,$^)
.PHONY: test-simulator simulated-written
TESTS += test-simulator
test-simulator: $(SYSTEM_DIR)/test_simulator
	@tests/run simulator $< $(SYSTEM_DIR)
report-written: simulated-written
simulated-written: $(SYSTEM_DIR)/test_simulator
	@$< $(SYSTEM_DIR) >/dev/null; cp $(SYSTEM_DIR)/simulated tests/chip/system/simulated
$(SYSTEM_DIR)/test_symbols: tests/chip/system/test_symbols.c sim/symbols.c sim/symbols.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ tests/chip/system/test_symbols.c sim/symbols.c

# Programs one after another on a chip that is not reset between them.
$(SYSTEM_DIR)/test_reboot: tests/chip/system/test_reboot.c $(HOST_HEADERS) $(HOST_LIBRARY) $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< $(HOST_LIBRARY) $(SIM_LIBS)

# A host that means harm, on the chip.
HOSTILE_C := tests/chip/system/test_hostile.c tests/unit/client.c
HOSTILE_LIBRARIES := $(HOST_LIBRARY) $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
$(SYSTEM_DIR)/test_hostile: $(HOSTILE_C) tests/unit/client.h tests/unit/check.h tests/rows.h $(HOSTILE_LIBRARIES) \
                            $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/unit -o $@ $(HOSTILE_C) $(HOSTILE_LIBRARIES) $(SIM_LIBS)

# Programs of the library: how long one client holds up another; two clients and their timelines; pictures on the
# chip's display.
$(addprefix $(SYSTEM_DIR)/,test_latency test_points test_flips test_missed): $(SYSTEM_DIR)/%: tests/chip/system/%.c \
        tests/chip/system/open_chip.h tests/unit/check.h tests/rows.h $(HOSTILE_LIBRARIES) $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/unit -o $@ $< $(HOSTILE_LIBRARIES) $(SIM_LIBS)
# What the display costs, with a board's memory (SIM_BOARD=ulx3s).
$(SYSTEM_DIR)/test_display_cost$(SIM_SUFFIX): tests/chip/system/test_display_cost.c tests/unit/check.h \
                                              tests/chip/system/open_chip.h $(HOSTILE_LIBRARIES) $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/unit -o $@ $< $(HOSTILE_LIBRARIES) $(SIM_LIBS)
# What it shows after a panic.
$(SYSTEM_DIR)/test_panel: tests/chip/system/test_panel.c tests/chip/system/open_chip.h tests/unit/check.h \
                          tests/rows.h $(HOSTILE_LIBRARIES) $(BUILD)/host/lib/gdb/debug.o $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/unit -o $@ $< $(BUILD)/host/lib/gdb/debug.o $(HOSTILE_LIBRARIES) \
	    $(SIM_LIBS)
TESTS_FULL += test-flips test-missed test-panel
TESTS_LONG += test-flips-long test-shows-ulx3s test-shows-minute test-display-cost
.PHONY: test-panel test-flips test-missed test-flips-long test-shows-ulx3s test-shows-minute test-display-cost \
        shows-ulx3s
test-flips: $(SYSTEM_DIR)/test_flips $(BUILD)/firmware/gpu.elf
	@tests/run flips $< 4
test-missed: $(SYSTEM_DIR)/test_missed $(BUILD)/firmware/gpu.elf
	@tests/run missed $<
test-panel: $(SYSTEM_DIR)/test_panel $(BUILD)/firmware/gpu.elf
	@tests/run panel $<
test-flips-long: $(SYSTEM_DIR)/test_flips $(BUILD)/firmware/gpu.elf
	@tests/run flips-long $< 300 2
# The display beside the worst of the rest on the ULX3S's memory. A minute of frames takes hours of processor time, in
# parts that a later run goes on with (minute.sh): PARTS=N for the first N of them.
PARTS ?= 60
shows-ulx3s: $(SYSTEM_DIR)/shows.bin
	@$(MAKE) --no-print-directory SIM_BOARD=ulx3s $(SYSTEM_DIR)/test_shows-ulx3s
test-shows-ulx3s: shows-ulx3s
	@tests/run shows-ulx3s-vga $(SYSTEM_DIR)/test_shows-ulx3s 640x480 xrgb8888 3 0 1
	@tests/run shows-ulx3s-svga $(SYSTEM_DIR)/test_shows-ulx3s 800x600 rgb565 3 0 1
test-display-cost: tests/chip/system/test_display_cost.c $(BUILD)/firmware/gpu.elf
	@$(MAKE) --no-print-directory SIM_BOARD=ulx3s $(SYSTEM_DIR)/test_display_cost-ulx3s
	@tests/run display-cost $(SYSTEM_DIR)/test_display_cost-ulx3s
test-shows-minute: shows-ulx3s
	@tests/run shows-minute-vga tests/chip/system/minute.sh $(SYSTEM_DIR)/test_shows-ulx3s $(SYSTEM_DIR)/minute \
	    640x480 xrgb8888 $(PARTS)
	@tests/run shows-minute-svga tests/chip/system/minute.sh $(SYSTEM_DIR)/test_shows-ulx3s $(SYSTEM_DIR)/minute \
	    800x600 rgb565 $(PARTS)

SYSTEM_TESTS := test-reboot test-bringup test-bringup-stalled test-endings test-world test-symbols test-paging \
                test-sleep test-points
SYSTEM_REST  := test-hostile test-latency test-paging-stalled

$(SYSTEM_DIR)/test_second: tests/chip/system/test_second.c tests/chip/system/second_log.c \
    tests/chip/system/second_log.h tests/rows.h \
                            tests/chip/system/second.h tests/chip/system/paging_oracle.h $(HOST_LIBRARY) $(SIM_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/chip/system -o $@ $(filter %.c,$^) $(HOST_LIBRARY) $(SIM_LIBS)

.PHONY: $(SYSTEM_TESTS) $(SYSTEM_REST)
TESTS      += $(SYSTEM_TESTS)
TESTS_FULL += $(SYSTEM_REST)
test-reboot: $(SYSTEM_DIR)/test_reboot $(BUILD)/firmware/gpu.elf
	@tests/run reboot $<
test-points: $(SYSTEM_DIR)/test_points $(BUILD)/firmware/gpu.elf
	@tests/run points $<
test-hostile: $(SYSTEM_DIR)/test_hostile $(BUILD)/firmware/gpu.elf
	@tests/run hostile $<
test-latency: $(SYSTEM_DIR)/test_latency $(BUILD)/firmware/gpu.elf
	@tests/run latency $<
test-symbols: $(SYSTEM_DIR)/test_symbols $(SYSTEM_DIR)/mailbox.elf
	@tests/run symbols $^
test-world: $(SYSTEM_DIR)/test_world
	@tests/run world $<
test-endings: $(SYSTEM_DIR)/test_endings $(SYSTEM_DIR)/mailbox.bin
	@tests/run endings $<
test-bringup: $(SYSTEM_DIR)/test_bringup $(SYSTEM_DIR)/bringup.bin
	@tests/run bringup $<
test-bringup-stalled: $(SYSTEM_DIR)/test_bringup $(SYSTEM_DIR)/bringup.bin
	@tests/run bringup-stalled $< --seed 7 --stall 40 --latency 60

test-paging: $(SYSTEM_DIR)/test_paging $(SYSTEM_DIR)/paging.bin
	@tests/run paging $<
test-paging-stalled: $(SYSTEM_DIR)/test_paging $(SYSTEM_DIR)/paging.bin
	@tests/run paging-stalled $< --seed 7 --stall 40 --latency 60

# Parts of the chip that sleep (sim/sleep.v) change nothing: with their clocks always on every pin does the same in
# every cycle. The paging test maps, tiles and moves under stalls; test-sleep-scene is a whole frame.
test-sleep: $(SYSTEM_DIR)/test_bringup $(SYSTEM_DIR)/bringup.bin
	@tests/run sleep-bringup tests/chip/system/sleep.sh $(SYSTEM_DIR)/test_bringup --seed 7 --stall 40 --latency 60
TESTS_FULL += test-sleep-rest test-second
.PHONY: test-sleep-rest test-second
test-sleep-rest: $(SYSTEM_DIR)/test_paging $(SYSTEM_DIR)/paging.bin
	@tests/run sleep-paging tests/chip/system/sleep.sh $(SYSTEM_DIR)/test_paging --seed 7 --stall 40 --latency 60
TESTS_LONG += test-sleep-scene
.PHONY: test-sleep-scene
test-sleep-scene: $(PROGRAM) $(BUILD)/firmware/gpu.elf
	@mkdir -p $(BUILD)/sleep
	@tests/run sleep-scene tests/chip/system/sleep.sh $(PROGRAM) run --frames 1 --no-compare --stall 10 \
	    --out $(BUILD)/sleep

test-second: $(SYSTEM_DIR)/test_second $(SYSTEM_DIR)/second.elf tests/chip/system/second_mutations.sh
	@tests/run second $<
	@tests/run second-mutations-link tests/chip/system/second_mutations.sh "$(SECOND_COMPILE)" "$(SECOND_LINK)" \
	    $(SYSTEM_DIR)/second none
TESTS_LONG += test-second-stalled test-second-mutations
.PHONY: test-second-stalled test-second-mutations
test-second-stalled: $(SYSTEM_DIR)/test_second $(SYSTEM_DIR)/second.elf
	@tests/run second-stalled $< --seed 7 --stall 40 --latency 60
test-second-mutations: $(SYSTEM_DIR)/test_second $(SYSTEM_DIR)/second.elf tests/chip/system/second_mutations.sh \
                       tests/chip/system/second_rules
	@tests/run second-mutations tests/chip/system/second_mutations.sh "$(SECOND_COMPILE)" "$(SECOND_LINK)" \
	    $(SYSTEM_DIR)/second
# What the build says of core memory, and that it fails when little is free.
TESTS += test-room
.PHONY: test-room
test-room: $(FIRMWARE_IMAGE) $(FIRMWARE_TCM)
	@mkdir -p $(SYSTEM_DIR)
	@tests/run room tests/chip/system/room.sh $(RV_PREFIX) $(SYSTEM_DIR)/room $(FIRMWARE_IMAGE) $(FIRMWARE_TCM)
# The stack's room is proved from the image. (The second driver is one around the first: what it may call through a
# register cannot be told from its image.)
TESTS += test-stack
.PHONY: test-stack
test-stack: $(FIRMWARE_IMAGE) $(SYSTEM_DIR)/relocations.elf
	@tests/run stack tests/chip/system/stack.sh $(RV_PREFIX) $^
$(SYSTEM_DIR)/relocations.elf: $(FIRMWARE_IMAGE)
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_CC) $(RV_CFLAGS) $(RV_LDFLAGS) -Wl,--emit-relocs,-Map=$@.map -o $@ $(RV_OBJECTS)

# Kept: reports read symbols from it.
.SECONDARY: $(SYSTEM_DIR)/paging_bench.elf $(SYSTEM_DIR)/bringup.elf $(SYSTEM_DIR)/mailbox.elf $(SYSTEM_DIR)/paging.elf

.PHONY: bench-simulator
bench: bench-simulator
bench-simulator: $(SYSTEM_DIR)/bench_speed $(SYSTEM_DIR)/mailbox.bin
	$<

# The wave form of `make waves`, read with the library that comes with Verilator. Long: it needs a simulator of its own.
FST_LIBRARY := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)/include/gtkwave
$(SYSTEM_DIR)/check_waves: tests/chip/system/check_waves.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -c -w -O2 -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FST_LIBRARY) -o $@.fstapi.o \
	    $(FST_LIBRARY)/fstapi.c
	$(call say,CC,$<)$(CC) -c -w -O2 -I$(FST_LIBRARY) -o $@.fastlz.o $(FST_LIBRARY)/fastlz.c
	$(call say,CC,$<)$(CC) -c -w -O2 -I$(FST_LIBRARY) -o $@.lz4.o $(FST_LIBRARY)/lz4.c
	$(call say,LINK,$@)$(CC) -std=c11 -O2 -g $(WARNINGS) -isystem $(FST_LIBRARY) -o $@ $< $@.fstapi.o $@.fastlz.o \
	    $@.lz4.o -lz -lpthread
TESTS_LONG += test-waves
.PHONY: test-waves
test-waves: $(SYSTEM_DIR)/check_waves
	@$(MAKE) --no-print-directory waves FROM=900000 TO=900200
	@tests/run waves $(SYSTEM_DIR)/check_waves out/waves/waves.fst sim/waves.gtkw 900000 900200
