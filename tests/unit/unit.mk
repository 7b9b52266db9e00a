# SPDX-License-Identifier: Apache-2.0
# Tests of the firmware: modules on a fake HAL (natively and as RV32 under qemu), the whole firmware on the
# golden model, and mutations of it that these tests must catch.
TESTS      += test-system test-soak test-mutations
TESTS_LONG += test-soak-long
.PHONY: test-system test-soak test-mutations test-soak-long

UNIT_HEADERS := $(wildcard tests/unit/*.h) $(DEVICE_HEADERS)

# The whole firmware, with sanitizers.
WHOLE_SOURCES := tests/unit/client.c $(DEVICE_SOURCES) $(MODEL_SOURCES)
WHOLE_OBJECTS := $(WHOLE_SOURCES:%.c=$(BUILD)/unit/sanitized/%.o)
$(WHOLE_OBJECTS): $(BUILD)/unit/sanitized/%.o: %.c $(UNIT_HEADERS) | spec
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SANITIZE) -Itests/unit -c -o $@ $<
WHOLE_TESTS := $(BUILD)/unit/test_system $(BUILD)/unit/test_soak
$(WHOLE_TESTS): $(BUILD)/unit/%: tests/unit/%.c $(WHOLE_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SANITIZE) -Itests/unit -o $@ $< $(WHOLE_OBJECTS)

test-system: $(BUILD)/unit/test_system
	@tests/run firmware-system $<
test-soak: $(BUILD)/unit/test_soak
	@tests/run firmware-soak $<
test-soak-long: $(BUILD)/unit/test_soak
	@tests/run firmware-soak-long $< 1000 8000

# Must fail: one rule of the firmware broken at a time.
test-mutations: $(WHOLE_TESTS) tests/unit/mutations.sh
	@tests/run firmware-mutations tests/unit/mutations.sh
