# SPDX-License-Identifier: Apache-2.0
# Unit tests of validation and patching, each test_NAME.c of this folder, on the bench that the fuzzer shares (tests/fuzz): on the host with
# sanitizers, and the same as RV32 under qemu.
TESTS += test-validate test-validate-rv32 test-validate-cost
.PHONY: test-validate test-validate-rv32 test-validate-cost

VALIDATE_C := $(addprefix firmware/validate/,access.c examiner.c lists.c packet_rule.c traffic.c validate.c) \
              firmware/ddi/patch.c firmware/memory/tables.c firmware/memory/index_set.c firmware/platform/turn.c
VALIDATE_BENCH := tests/fuzz/job_bench.c tests/fuzz/bench_door.c tests/fuzz/examiner_door.c \
                  $(addprefix model/,examiner_model.c lists_model.c affine_model.c engine_packets.c pixel_model.c)
VALIDATE_DEPS := $(VALIDATE_C) $(FIRMWARE_HEADERS) tests/rows.h \
                 $(VALIDATE_BENCH) tests/fuzz/job_bench.h model/examiner_model.h model/lists_model.h

VALIDATE_TESTS := $(patsubst tests/unit/validate/test_%.c,%,$(wildcard tests/unit/validate/test_*.c))
VALIDATE_PROGRAMS := $(VALIDATE_TESTS:%=$(BUILD)/unit/validate/test_%)
VALIDATE_IMAGES := $(VALIDATE_TESTS:%=$(BUILD)/unit/rv32/validate/test_%.elf)
# The bench once, with sanitizers, for the fuzzer too; the rest is tests/unit/unit.mk's.
$(BUILD)/fuzz/sanitized/%.o: tests/fuzz/%.c tests/rows.h $(wildcard tests/fuzz/*.h model/*.h) $(FIRMWARE_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) $(SANITIZE) -Itests/fuzz -Itests/unit -c -o $@ $<
VALIDATE_OBJECTS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/sanitized/%.o,$(filter tests/%,$(VALIDATE_BENCH))) \
                    $(patsubst %.c,$(BUILD)/unit/sanitized/%.o,$(VALIDATE_C) $(filter model/%,$(VALIDATE_BENCH)))
$(VALIDATE_PROGRAMS): $(BUILD)/unit/%: tests/unit/%.c tests/unit/check.h tests/rows.h $(VALIDATE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -Itests/fuzz -Itests/unit -o $@ $< $(VALIDATE_OBJECTS)
test-validate: $(VALIDATE_PROGRAMS)
	@for test in $(VALIDATE_TESTS); do tests/run $$test $(BUILD)/unit/validate/test_$$test || status=1; done; \
	    exit $${status:-0}

# RV32: qemu's "virt" board, picolibc with semihosting. Without the last flag gcc turns word loops into calls of
# picolibc's memset and memcpy, which go byte by byte.
VALIDATE_RV32 := -march=rv32imc -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs --oslib=semihost --crt0=semihost \
                 -Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=4M \
                 -Wl,--defsym=__ram=0x80400000,--defsym=__ram_size=4M,--defsym=__stack_size=64K \
                 -fno-tree-loop-distribute-patterns
VALIDATE_QEMU := timeout 60 qemu-system-riscv32 -M virt -bios none -nographic \
                 -semihosting-config enable=on,target=native
VALIDATE_RV32_BENCH := $(VALIDATE_BENCH:%.c=$(BUILD)/unit/rv32/bench/%.o)
VALIDATE_RV32_OBJECTS := $(VALIDATE_RV32_BENCH) $(VALIDATE_C:%.c=$(BUILD)/unit/rv32/objects/%.o)
$(VALIDATE_RV32_BENCH): $(BUILD)/unit/rv32/bench/%.o: %.c $(VALIDATE_DEPS) | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_PREFIX)gcc $(filter-out -Wl% --crt0% --oslib%,$(VALIDATE_RV32)) $(CFLAGS) -Itests/fuzz \
	    -Itests/unit -c -o $@ $<
$(VALIDATE_IMAGES): $(BUILD)/unit/rv32/%.elf: tests/unit/%.c tests/unit/check.h $(VALIDATE_RV32_OBJECTS)
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(VALIDATE_RV32) $(CFLAGS) -Itests/fuzz -Itests/unit -o $@ $< \
	    $(VALIDATE_RV32_OBJECTS)
test-validate-rv32: $(VALIDATE_IMAGES)
	@for test in $(VALIDATE_TESTS); do \
	    tests/run $$test-rv32 $(VALIDATE_QEMU) -kernel $(BUILD)/unit/rv32/validate/test_$$test.elf || status=1; done; \
	    exit $${status:-0}

# Instructions per word and per entry, counted by qemu.
$(BUILD)/unit/cost_validate.elf: tests/unit/validate/cost_validate.c $(VALIDATE_DEPS) | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(VALIDATE_RV32) $(CFLAGS) -flto -Itests/fuzz -Itests/unit -o $@ \
	    $< tests/fuzz/job_bench.c \
	    $(VALIDATE_C)
test-validate-cost: $(BUILD)/unit/cost_validate.elf
	@tests/run validate-cost $(VALIDATE_QEMU) -icount shift=0 -kernel $<
