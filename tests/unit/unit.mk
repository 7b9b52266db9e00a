# SPDX-License-Identifier: Apache-2.0
# Tests of the firmware: modules on a fake HAL (natively and as RV32 under qemu), the whole firmware on the
# golden model, and mutations of it that these tests must catch.
TESTS      += test-residency-cost test-modules test-modules-rv32 test-system test-soak
TESTS_FULL += test-mutations
TESTS_LONG += test-soak-long
.PHONY: test-residency-cost test-modules test-modules-rv32 test-system test-soak test-mutations test-soak-long

UNIT_HEADERS := $(wildcard tests/unit/*.h) $(DEVICE_HEADERS)

# Modules on arrays instead of hardware.
MODULES        := segment residency share splitter driver tables pace
MODULE_SOURCES := tests/unit/fake_hal.c $(FIRMWARE_SOURCES)
MODULE_TESTS   := $(MODULES:%=$(BUILD)/unit/test_%)
MODULE_IMAGES  := $(MODULES:%=$(BUILD)/unit/rv32/test_%.elf)
$(MODULE_TESTS): $(BUILD)/unit/test_%: tests/unit/test_%.c $(MODULE_SOURCES) $(UNIT_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -O1 $(SANITIZE) -Itests/unit -o $@ $< $(MODULE_SOURCES)
# The same as RV32: qemu's "virt" board, picolibc with semihosting.
UNIT_RV32 := -march=rv32imc -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs --oslib=semihost --crt0=semihost \
             -Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=4M \
             -Wl,--defsym=__ram=0x80400000,--defsym=__ram_size=8M,--defsym=__stack_size=256K
$(MODULE_IMAGES): $(BUILD)/unit/rv32/test_%.elf: tests/unit/test_%.c $(MODULE_SOURCES) $(UNIT_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(UNIT_RV32) $(CFLAGS) -Itests/unit -o $@ $< $(MODULE_SOURCES)
UNIT_QEMU := timeout 60 qemu-system-riscv32 -M virt -bios none -nographic -semihosting-config enable=on,target=native \
             -kernel

# Instructions per planned patch location, counted by qemu.
$(BUILD)/unit/rv32/cost_residency.elf: tests/unit/cost_residency.c $(MODULE_SOURCES) $(UNIT_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(UNIT_RV32) -fno-tree-loop-distribute-patterns $(CFLAGS) -Itests/unit -o $@ \
	    $< $(MODULE_SOURCES)
test-residency-cost: $(BUILD)/unit/rv32/cost_residency.elf
	@tests/run firmware-residency-cost $(UNIT_QEMU) $< -icount shift=0

test-modules: $(MODULE_TESTS)
	@for module in $(MODULES); do tests/run firmware-$$module $(BUILD)/unit/test_$$module; done
test-modules-rv32: $(MODULE_IMAGES)
	@for module in $(MODULES); do tests/run firmware-$$module-rv32 $(UNIT_QEMU) $(BUILD)/unit/rv32/test_$$module.elf; done

# The whole firmware, with sanitizers.
WHOLE_SOURCES := tests/unit/client.c tests/unit/second_driver.c tests/unit/second_model.c $(DEVICE_SOURCES) \
                 $(MODEL_SOURCES)
WHOLE_OBJECTS := $(WHOLE_SOURCES:%.c=$(BUILD)/unit/sanitized/%.o)
$(WHOLE_OBJECTS): $(BUILD)/unit/sanitized/%.o: %.c $(UNIT_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) $(SANITIZE) -Itests/unit -c -o $@ $<
WHOLE_TESTS := $(BUILD)/unit/test_system $(BUILD)/unit/test_commands $(BUILD)/unit/test_soak \
               $(BUILD)/unit/test_segment_description $(BUILD)/unit/test_rows $(BUILD)/unit/test_manager \
               $(BUILD)/unit/test_promises $(BUILD)/unit/test_locks $(BUILD)/unit/test_caller \
               $(BUILD)/unit/test_scheduling $(BUILD)/unit/test_recovery $(BUILD)/unit/test_contexts \
               $(BUILD)/unit/test_stopped $(BUILD)/unit/test_destruction \
               $(BUILD)/unit/test_destruction_repeat $(BUILD)/unit/test_hostile \
               $(BUILD)/unit/test_urgency $(BUILD)/unit/test_recovery_window $(BUILD)/unit/test_clients \
               $(BUILD)/unit/test_deferred
$(WHOLE_TESTS): $(BUILD)/unit/%: tests/unit/%.c $(WHOLE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -Itests/unit -o $@ $< $(WHOLE_OBJECTS)

# The host's registers may change at every read.
$(BUILD)/unit/test_hostile: CFLAGS += -Wl,--wrap=hal_register_read

test-system: $(BUILD)/unit/test_system $(BUILD)/unit/test_commands $(BUILD)/unit/test_segment_description \
             $(BUILD)/unit/test_rows $(BUILD)/unit/test_manager $(BUILD)/unit/test_promises $(BUILD)/unit/test_locks \
             $(BUILD)/unit/test_caller $(BUILD)/unit/test_scheduling $(BUILD)/unit/test_recovery \
             $(BUILD)/unit/test_contexts $(BUILD)/unit/test_stopped $(BUILD)/unit/test_destruction \
             $(BUILD)/unit/test_destruction_repeat $(BUILD)/unit/test_hostile \
             $(BUILD)/unit/test_urgency $(BUILD)/unit/test_recovery_window $(BUILD)/unit/test_clients \
             $(BUILD)/unit/test_deferred
	@tests/run firmware-system $(BUILD)/unit/test_system
	@tests/run firmware-commands $(BUILD)/unit/test_commands
	@tests/run firmware-segment-description $(BUILD)/unit/test_segment_description
	@tests/run firmware-rows $(BUILD)/unit/test_rows
	@tests/run firmware-manager $(BUILD)/unit/test_manager
	@tests/run firmware-promises $(BUILD)/unit/test_promises
	@tests/run firmware-locks $(BUILD)/unit/test_locks
	@tests/run firmware-caller $(BUILD)/unit/test_caller
	@tests/run firmware-scheduling $(BUILD)/unit/test_scheduling
	@tests/run firmware-recovery $(BUILD)/unit/test_recovery
	@tests/run firmware-contexts $(BUILD)/unit/test_contexts
	@tests/run firmware-stopped $(BUILD)/unit/test_stopped
	@tests/run firmware-destruction $(BUILD)/unit/test_destruction
	@tests/run firmware-destruction-repeat $(BUILD)/unit/test_destruction_repeat
	@tests/run firmware-hostile $(BUILD)/unit/test_hostile
	@tests/run firmware-urgency $(BUILD)/unit/test_urgency
	@tests/run firmware-recovery-window $(BUILD)/unit/test_recovery_window
	@tests/run firmware-clients $(BUILD)/unit/test_clients
	@tests/run firmware-deferred $(BUILD)/unit/test_deferred
test-soak: $(BUILD)/unit/test_soak
	@tests/run firmware-soak $<
test-soak-long: $(BUILD)/unit/test_soak
	@tests/run firmware-soak-long $< 1000 10000

# Must fail: one rule of the firmware broken at a time.
# Mutations are run before landing only; that each still changes its file is seen at once.
.PHONY: test-mutations-apply
TESTS += test-mutations-apply
test-mutations-apply:
	@tests/run firmware-mutations-apply tests/unit/mutations.sh --apply
	@tests/run second-mutations-apply tests/system/second_mutations.sh --apply
test-mutations: $(WHOLE_TESTS) tests/unit/mutations.sh
	@tests/run firmware-mutations tests/unit/mutations.sh
