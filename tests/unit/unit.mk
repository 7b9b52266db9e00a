# SPDX-License-Identifier: Apache-2.0
# Tests of the firmware. One is its file, tests/unit/FOLDER/test_NAME.c, and no list has its name: the folder says what
# it is linked with and where it runs, and tests/run knows it as firmware-NAME.
#   memory, plan, driver,   all of the firmware on arrays instead of hardware (fake_hal.c): test-modules, and as RV32
#   display, platform       under qemu: test-modules-rv32
#   schedule, whole         the firmware as it runs, its host a client, on the golden model: test-system
#   validate                see validate/validate.mk
# Those that have a target of their own are taken out of these below. rules/ breaks the firmware one rule at a time.
TESTS      += test-residency-cost test-modules test-modules-rv32 test-system test-soak
TESTS_FULL += test-mutations test-modules-rv32-rest test-repeated test-soak-rest
TESTS_LONG += test-soak-long
.PHONY: test-residency-cost test-modules test-modules-rv32 test-modules-rv32-rest test-system test-repeated test-soak \
        test-soak-rest test-soak-long test-mutations

UNIT_HEADERS := tests/rows.h $(wildcard tests/unit/*.h tests/unit/*/*.h) $(DEVICE_HEADERS)
# $(call unit-programs,BELOW,ENDING,FOLDER...): the programs of all tests in these folders.
unit-programs = $(patsubst tests/unit/%.c,$(BUILD)/unit/$(1)%$(2),$(wildcard $(3:%=tests/unit/%/test_*.c)))
# $(call run-unit,PROGRAMS,ENDING,COMMAND): each as firmware-NAMEending.
run-unit = @for program in $(1); do name=$$(basename $$program .elf | sed 's/^test_//; s/_/-/g'); \
               tests/run firmware-$$name$(2) $(3) $$program || status=1; done; exit $${status:-0}

# Everything but the tests, once, with sanitizers.
UNIT_SOURCES := tests/unit/fake_hal.c tests/unit/client.c tests/unit/second_driver.c tests/unit/second_model.c \
                $(DEVICE_SOURCES) $(MODEL_SOURCES)
UNIT_OBJECTS := $(UNIT_SOURCES:%.c=$(BUILD)/unit/sanitized/%.o)
$(UNIT_OBJECTS): $(BUILD)/unit/sanitized/%.o: %.c $(UNIT_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) $(SANITIZE) -Itests/unit -c -o $@ $<

# Modules on arrays instead of hardware.
MODULE_FOLDERS := memory plan driver display platform
MODULE_SOURCES := tests/unit/fake_hal.c $(FIRMWARE_SOURCES)
MODULE_OBJECTS := $(MODULE_SOURCES:%.c=$(BUILD)/unit/sanitized/%.o)
MODULE_TESTS   := $(call unit-programs,,,$(MODULE_FOLDERS))
MODULE_IMAGES  := $(call unit-programs,rv32/,.elf,$(MODULE_FOLDERS))
$(MODULE_TESTS): $(BUILD)/unit/%: tests/unit/%.c $(MODULE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -Itests/unit -o $@ $< $(MODULE_OBJECTS)
# The same as RV32: qemu's "virt" board, picolibc with semihosting. Compiled once for all, as the firmware is, because
# some of it counts instructions.
UNIT_RV32 := -march=rv32imc -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs --oslib=semihost --crt0=semihost \
             -Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=4M \
             -Wl,--defsym=__ram=0x80400000,--defsym=__ram_size=8M,--defsym=__stack_size=256K
UNIT_RV32_OBJECTS := $(MODULE_SOURCES:%.c=$(BUILD)/unit/rv32/objects/%.o)
$(UNIT_RV32_OBJECTS): $(BUILD)/unit/rv32/objects/%.o: %.c $(UNIT_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_PREFIX)gcc $(filter-out -Wl% --crt0% --oslib%,$(UNIT_RV32)) \
	    -fno-tree-loop-distribute-patterns $(CFLAGS) -Itests/unit -c -o $@ $<
$(MODULE_IMAGES): $(BUILD)/unit/rv32/%.elf: tests/unit/%.c $(UNIT_RV32_OBJECTS)
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(UNIT_RV32) $(CFLAGS) -Itests/unit -o $@ $< $(UNIT_RV32_OBJECTS)
UNIT_QEMU := timeout 60 qemu-system-riscv32 -M virt -bios none -nographic -semihosting-config enable=on,target=native \
             -kernel

# Instructions per planned patch location, counted by qemu.
$(BUILD)/unit/rv32/cost_residency.elf: tests/unit/plan/cost_residency.c $(UNIT_RV32_OBJECTS)
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(UNIT_RV32) -fno-tree-loop-distribute-patterns $(CFLAGS) -Itests/unit -o $@ \
	    $< $(UNIT_RV32_OBJECTS)
test-residency-cost: $(BUILD)/unit/rv32/cost_residency.elf
	@tests/run firmware-residency-cost $(UNIT_QEMU) $< -icount shift=0

# After a change of planning that is meant: what it decides now. $(call hold,FILE,ROWS)
hold = @{ sed '/clang-format off/q' $(1); $(2); sed -n '/clang-format on/,$$p' $(1); } >$(BUILD)/held && \
       cp $(BUILD)/held $(1) && git diff --stat -- $(1)
.PHONY: decisions
decisions: $(BUILD)/unit/plan/test_decisions $(BUILD)/unit/whole/test_soak
	$(call hold,tests/unit/plan/decisions.h,$(BUILD)/unit/plan/test_decisions print | grep '^    ')
	$(call hold,tests/unit/whole/soak_expected.h,$(BUILD)/unit/whole/test_soak 1 200 print | grep '^    ')

test-modules: $(MODULE_TESTS)
	$(call run-unit,$(MODULE_TESTS))
# Those whose searches take qemu seconds only before landing.
MODULE_SLOW := %/test_literal.elf %/test_window.elf %/test_segment.elf %/test_share.elf
test-modules-rv32: $(filter-out $(MODULE_SLOW),$(MODULE_IMAGES))
	$(call run-unit,$^,-rv32,$(UNIT_QEMU))
test-modules-rv32-rest: $(filter $(MODULE_SLOW),$(MODULE_IMAGES))
	$(call run-unit,$^,-rv32,$(UNIT_QEMU))

# The firmware as it runs.
WHOLE_TESTS   := $(call unit-programs,,,schedule whole)
WHOLE_OBJECTS := $(filter-out %/fake_hal.o,$(UNIT_OBJECTS))
$(WHOLE_TESTS): $(BUILD)/unit/%: tests/unit/%.c $(WHOLE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -Itests/unit -o $@ $< $(WHOLE_OBJECTS)
# The host's registers may change at every read, and its messages be unreadable.
$(BUILD)/unit/whole/test_hostile: CFLAGS += -Wl,--wrap=hal_register_read,--wrap=host_peek

UNIT_SOAK     := $(BUILD)/unit/whole/test_soak
UNIT_REPEATED := destruction_repeat stopped
test-system: $(filter-out $(UNIT_SOAK),$(WHOLE_TESTS))
	$(call run-unit,$^)
# Ten thousand flips, moves of the cursor, changes of mode and resets.
TESTS_LONG += test-display-frames-long
.PHONY: test-display-frames-long
test-display-frames-long: $(BUILD)/unit/whole/test_display_frames
	@tests/run display-frames-long $< 3500 7
# More of the ways in which three contexts wait for each other than test-system has; and all of them.
TESTS_FULL += test-timeline-orders-rest
TESTS_LONG += test-timeline-orders-long
.PHONY: test-timeline-orders-rest test-timeline-orders-long
test-timeline-orders-rest: $(BUILD)/unit/whole/test_timeline_orders
	@tests/run firmware-timeline-orders-rest $< 29
test-timeline-orders-long: $(BUILD)/unit/whole/test_timeline_orders
	@tests/run firmware-timeline-orders-long $< 1
# More random worlds than test-system has of destruction and of stops.
test-repeated: $(UNIT_REPEATED:%=$(BUILD)/unit/schedule/test_%)
	@for name in $(UNIT_REPEATED); do tests/run firmware-$${name//_/-}-rest $(BUILD)/unit/schedule/test_$$name 121 280 || \
	    status=1; done; exit $${status:-0}
test-soak: $(UNIT_SOAK)
	@tests/run firmware-soak $< 1 100
test-soak-rest: $(UNIT_SOAK)
	@tests/run firmware-soak-rest $< 1 200
test-soak-long: $(UNIT_SOAK)
	@tests/run firmware-soak-long $< 1000 10000

# Must fail: one rule of the firmware broken at a time (tests/meta/mutants/rules.py).
test-mutations: $(wildcard tests/unit/rules/* tests/meta/mutants/*) | spec
	@tests/run firmware-mutations $(RULES) --run rules $(TEST_JOBS) "test-modules test-system test-soak" \
	    tests/unit/rules/*
