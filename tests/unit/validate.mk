# SPDX-License-Identifier: Apache-2.0
# Unit tests of validation and patching, on the bench that the fuzzer shares (tests/fuzz).
TESTS += test-validate test-validate-whole test-patch test-validate-cost
.PHONY: test-validate test-validate-whole test-patch test-validate-cost

VALIDATE_C := firmware/access.c firmware/packet_rule.c firmware/patch.c firmware/validate.c
VALIDATE_DEPS := $(VALIDATE_C) $(wildcard firmware/*.h) spec/gpu.def spec/gpu_spec.h \
                 tests/fuzz/job_bench.c tests/fuzz/bench_door.c tests/fuzz/job_bench.h

VALIDATE_TESTS := $(BUILD)/unit/test_validate $(BUILD)/unit/test_validate_whole $(BUILD)/unit/test_patch
$(VALIDATE_TESTS): $(BUILD)/unit/%: tests/unit/%.c $(VALIDATE_DEPS) | spec
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SANITIZE) -Itests/fuzz -o $@ $< tests/fuzz/job_bench.c tests/fuzz/bench_door.c $(VALIDATE_C) -lcmocka

test-validate: $(BUILD)/unit/test_validate
	@tests/run validate $<
test-validate-whole: $(BUILD)/unit/test_validate_whole
	@tests/run validate-whole $<
test-patch: $(BUILD)/unit/test_patch
	@tests/run patch $<

# The same code as RV32 under qemu, counting instructions. The memory map is qemu's "virt" board. Without the
# last flag gcc turns word loops into calls of picolibc's memset and memcpy, which go byte by byte.
VALIDATE_RV32 := -march=rv32imc -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs --oslib=semihost --crt0=semihost \
                 -fno-tree-loop-distribute-patterns \
                 -Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=4M \
                 -Wl,--defsym=__ram=0x80400000,--defsym=__ram_size=4M,--defsym=__stack_size=64K
$(BUILD)/unit/cost_validate.elf: tests/unit/cost_validate.c $(VALIDATE_DEPS) | spec
	@mkdir -p $(@D)
	$(RV_PREFIX)gcc $(VALIDATE_RV32) $(CFLAGS) -Itests/fuzz -o $@ $< tests/fuzz/job_bench.c $(VALIDATE_C)
test-validate-cost: $(BUILD)/unit/cost_validate.elf
	@tests/run validate-cost timeout 60 qemu-system-riscv32 -M virt -bios none -nographic -icount shift=0 \
	    -semihosting-config enable=on,target=native -kernel $<
