# SPDX-License-Identifier: Apache-2.0
# Proof that the harness can fail: the sound thing passes, the broken thing does not.
# The validator's own list in a moment: test-mutations-apply.
TESTS      += test-must-fail-rtl
TESTS_FULL += test-must-fail-harness test-must-fail-validator test-must-fail-whole
.PHONY: test-must-fail-harness test-must-fail-rtl test-must-fail-whole test-must-fail-validator

MUST_FAIL := $(BUILD)/must_fail

$(MUST_FAIL)/check: tests/meta/must_fail/check.c tests/unit/check.h tests/rows.h firmware/platform/base.h \
    firmware/platform/hal.h | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -Itests/unit -o $@ $< -lcmocka
test-must-fail-harness: $(MUST_FAIL)/check $(BUILD)/tidy/tidy $(BUILD)/gen $(BUILD)/conformance/conformance
	@tests/run must-fail-harness tests/meta/must_fail/harness.sh $^

$(MUST_FAIL)/fifo/Vsync_fifo: tests/meta/must_fail/overflow.cpp rtl/sync_fifo.v
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) --cc --exe --build $(VERILATOR_FLAGS) --top-module sync_fifo -Mdir $(@D) \
	    rtl/sync_fifo.v $(abspath $<) >$(@D)/build.log || { cat $(@D)/build.log; exit 1; }
test-must-fail-rtl: $(MUST_FAIL)/fifo/Vsync_fifo
	@tests/run must-fail-rtl tests/meta/must_fail/rtl.sh $<

# The program and the image of host.mk and firmware.mk, with one object exchanged.
$(MUST_FAIL)/spoiled_reference.o: tests/meta/must_fail/spoiled_reference.c host/tools/scene/scene_reference.c \
                                  $(HOST_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(HOST_CFLAGS) -c -o $@ $<
$(MUST_FAIL)/failing_assert.o: tests/meta/must_fail/failing_assert.c firmware/validate/validate.c $(FIRMWARE_HEADERS) \
    | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_CC) $(RV_CFLAGS) -c -o $@ $<
$(MUST_FAIL)/gpu_assert.elf: $(MUST_FAIL)/failing_assert.o $(FIRMWARE_IMAGE) linker/gpu.ld
	$(call say,RV-LINK,$@)$(RV_CC) $(RV_CFLAGS) $(RV_LDFLAGS) -Wl,-Map=$(MUST_FAIL)/gpu.map -o $@ $< \
	    $(filter-out %/validate.o,$(RV_OBJECTS))
# host.mk's own rule links the spoiled program.
test-must-fail-whole: $(MUST_FAIL)/spoiled_reference.o $(BUILD)/tessera $(MUST_FAIL)/gpu_assert.elf
	@$(MAKE) --no-print-directory PROGRAM=$(MUST_FAIL)/tessera_spoiled \
	    PROGRAM_OBJECTS="$(filter-out %/scene_reference.o,$(PROGRAM_OBJECTS)) $<" $(MUST_FAIL)/tessera_spoiled
	@tests/run must-fail-whole tests/meta/must_fail/whole.sh $(BUILD)

# The validator without one of its checks.
test-must-fail-validator: tests/unit/validate/rules $(wildcard tests/meta/mutants/*) | spec
	@tests/run must-fail-validator $(RULES) --run rules-validate $(TEST_JOBS) test-validate tests/unit/validate/rules
