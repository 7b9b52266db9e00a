# SPDX-License-Identifier: Apache-2.0
# `make bench` writes the project's figures into bench/figures.txt; test-bench-held measures the fast ones again
# and compares. `make bench BENCH_GROUPS="core scene"` measures only these groups and keeps the other lines.

BENCH_DIR    := $(BUILD)/bench
BENCH_FAST   := core engine fair firmware many node paging replay scene size
BENCH_GROUPS := $(BENCH_FAST) policy time latency area page

# A chip with core memory for all of the firmware, and that image.
BENCH_WIDE   := $(if $(filter scene,$(BENCH_GROUPS)),$(BUILD)/tessera-wide $(BUILD)/firmware/gpu-wide.elf)
ifneq ($(SIM_WIDE),1)
$(BUILD)/tessera-wide: $(BUILD)/tessera
	@$(MAKE) --no-print-directory SIM_WIDE=1 $@
endif

# Names of other folders' *.mk, most of which are read after this one.
BENCH_PROGRAMS := $(BUILD)/tessera $(BUILD)/firmware/gpu.elf $(BENCH_WIDE) $(BUILD)/replay/make_workload \
                  $(BUILD)/replay/check_schedule $(BUILD)/core-run \
                  $(BUILD)/mover/copies/Vdut $(BUILD)/mover/operations/Vmover $(BUILD)/mover/aperture_rate \
                  $(BUILD)/node/test_node $(BUILD)/sequence/many_hardware \
                  $(BUILD)/unit/cost_validate.elf $(BUILD)/unit/rv32/cost_residency.elf \
                  $(BENCH_DIR)/flatten $(BENCH_DIR)/interrupt.elf $(BENCH_DIR)/sizes.o $(BENCH_DIR)/cost_paging.elf \
                  $(BENCH_DIR)/cost_manager.elf $(BUILD)/system/bench_paging $(BUILD)/system/paging_bench.bin

# firmware.mk is read later.
BENCH_FIRMWARE := $(wildcard firmware/*.[ch] firmware/*/*.[ch])

$(BENCH_DIR)/flatten: bench/flatten.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -o $@ $< -ljson-c
$(BENCH_DIR)/interrupt.elf: bench/interrupt.S tests/core/isa/check.h tests/core/program/link.ld
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc -march=rv32im -misa-spec=2.2 -mabi=ilp32 -nostdlib -nostartfiles \
	    -Wl,--no-warn-rwx-segments \
	    -Itests/core/isa -T tests/core/program/link.ld -o $@ $<
$(BENCH_DIR)/sizes.o: bench/sizes.c $(BENCH_FIRMWARE) spec/gpu.def spec/gpu_spec.h | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_PREFIX)gcc -march=rv32imc -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs $(CFLAGS) -c -o \
	    $@ $<
$(BENCH_DIR)/cost_paging.elf $(BENCH_DIR)/cost_manager.elf: $(BENCH_DIR)/%.elf: bench/%.c tests/unit/fake_hal.c \
                            $(BENCH_FIRMWARE) $(wildcard tests/unit/*.h) | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(UNIT_RV32) -fno-tree-loop-distribute-patterns $(CFLAGS) -Itests/unit -o $@ \
	    $< $(MODULE_SOURCES)

# The areas take minutes: mapped only when they are asked for.
.PHONY: bench-area bench-figures test-bench-held test-bench-hold
bench-area:
	@mkdir -p $(BENCH_DIR)
	@$(MAKE) --no-print-directory -s synth synth-core >$(BENCH_DIR)/area.log
	@$(MAKE) --no-print-directory -s area-engine >$(BENCH_DIR)/area-engine.log
bench: bench-figures
	@$(MAKE) --no-print-directory bench-engine
bench-figures: $(BENCH_PROGRAMS) $(if $(filter area,$(BENCH_GROUPS)),bench-area) \
               $(if $(filter page,$(BENCH_GROUPS)),$(BUILD)/runs/play/done)
	@bench/record.sh bench/figures.txt $(BENCH_GROUPS)
	$(if $(filter size,$(BENCH_GROUPS)),@linker/room.sh $(RV_PREFIX) $(FIRMWARE_IMAGE) linker/sizes.txt record)

# The default scene on the ULX3S, simulated: boards/ulx3s/frames-85k.txt.
.PHONY: bench-placed
bench-placed: $(BUILD)/tessera-ulx3s $(BUILD)/firmware/gpu.elf
	@bench/placed.sh

# What this tree moves against the commit BASE: frames, figures, where the time went, the first decision that differs.
.PHONY: bench-compare
BASE   ?= HEAD
SCENES ?= default copied
bench-compare: $(BUILD)/tessera $(BUILD)/firmware/gpu.elf
	@bench/compare.sh $(BASE) $(SCENES)

# What the caches of the firmware's region miss, by function and by table; PLACED is one of bench/scenes.sh.
.PHONY: profile-placement
PLACED ?= default
profile-placement: $(BUILD)/tessera $(BUILD)/firmware/gpu.elf
	@mkdir -p $(BENCH_DIR)/placement
	@. bench/scenes.sh && export TESSERA_MISSES=$(BENCH_DIR)/placement/misses && \
	    draw_scene $(BUILD)/tessera $(PLACED) $(BENCH_DIR)/placement >$(BENCH_DIR)/placement/said
	@linker/placement.sh $(RV_PREFIX) $(BUILD)/firmware/gpu.elf $(BENCH_DIR)/placement/profile.folded \
	    $(BENCH_DIR)/placement/misses
	@grep -E '^  (cycles|cycles per frame) ' $(BENCH_DIR)/placement/said

# How hot each function is, for linker/cold.sh.
.PHONY: profile-record
profile-record: $(BUILD)/tessera $(BUILD)/firmware/region/gpu.elf
	@linker/record.sh $(RV_PREFIX) $(BUILD)/firmware/region/gpu.elf $(BUILD)/tessera $(BENCH_DIR)/region \
	    >$(BENCH_DIR)/profile.new
	@mv $(BENCH_DIR)/profile.new linker/profile.txt && grep -vc '^#' linker/profile.txt

# What half and twice of each tuned constant costs; ONLY="NAME ...": of these.
.PHONY: sensitivity
ONLY ?=
sensitivity:
	@bench/sensitivity.sh $(ONLY)

TESTS += test-bench-hold
TESTS_FULL += test-bench-held
test-bench-held: $(BENCH_PROGRAMS)
	@tests/run bench-held tests/meta/bench/held.sh $(BENCH_FAST)
# The comparison itself must be able to fail.
test-bench-hold:
	@tests/run bench-hold tests/meta/bench/hold.sh
