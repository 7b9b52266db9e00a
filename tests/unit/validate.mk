# SPDX-License-Identifier: Apache-2.0
# Unit tests of validation and patching, on the bench that the fuzzer shares (tests/fuzz).
TESTS += test-validate test-validate-whole test-patch
.PHONY: test-validate test-validate-whole test-patch

VALIDATE_C := firmware/access.c firmware/packet_rule.c firmware/patch.c firmware/validate.c
VALIDATE_DEPS := $(VALIDATE_C) $(wildcard firmware/*.h) spec/gpu.def spec/gpu_spec.h \
                 tests/fuzz/job_bench.c tests/fuzz/job_bench.h

VALIDATE_TESTS := $(BUILD)/unit/test_validate $(BUILD)/unit/test_validate_whole $(BUILD)/unit/test_patch
$(VALIDATE_TESTS): $(BUILD)/unit/%: tests/unit/%.c $(VALIDATE_DEPS) | spec
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SANITIZE) -Itests/fuzz -o $@ $< tests/fuzz/job_bench.c $(VALIDATE_C) -lcmocka

test-validate: $(BUILD)/unit/test_validate
	@tests/run validate $<
test-validate-whole: $(BUILD)/unit/test_validate_whole
	@tests/run validate-whole $<
test-patch: $(BUILD)/unit/test_patch
	@tests/run patch $<
