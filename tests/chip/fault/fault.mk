# SPDX-License-Identifier: Apache-2.0
# Faults put into the simulated machine while several contexts work on it.

FAULT_C := tests/chip/fault/test_fault.c tests/chip/sequence/sequence.c tests/chip/sequence/sequence_job.c \
           tests/chip/sequence/machine_hardware.c
$(BUILD)/fault/test_fault: $(FAULT_C) $(wildcard tests/chip/sequence/*.h) tests/chip/system/paging_oracle.h \
    tests/rows.h $(HOST_HEADERS) \
                           $(HOST_LIBRARY) $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/chip/sequence -o $@ $(FAULT_C) $(HOST_LIBRARY) $(SIM_LIBS)

PREEMPT_C := tests/chip/fault/test_preempt.c $(filter-out tests/chip/fault/%,$(FAULT_C))
$(BUILD)/fault/test_preempt: $(PREEMPT_C) $(wildcard tests/chip/sequence/*.h) tests/chip/system/paging_oracle.h \
    tests/rows.h $(HOST_HEADERS) \
                             $(HOST_LIBRARY) $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/chip/sequence -o $@ $(PREEMPT_C) $(HOST_LIBRARY) $(SIM_LIBS)

.PHONY: test-fault test-fault-rest test-fault-long test-preempt test-preempt-long
TESTS      += test-fault
TESTS_FULL += test-fault-rest test-preempt
test-fault: $(BUILD)/fault/test_fault $(FIRMWARE_IMAGE)
	@tests/run fault $< --boots 1 --rounds 12
test-fault-rest: $(BUILD)/fault/test_fault $(FIRMWARE_IMAGE)
	@tests/run fault-rest $< --seed 2 --boots 2 --rounds 12 --low-limit 1
test-preempt: $(BUILD)/fault/test_preempt $(FIRMWARE_IMAGE)
	@tests/run preempt $< --seed 13 --boots 1 --rounds 6
TESTS_LONG += test-fault-long test-preempt-long
test-preempt-long: $(BUILD)/fault/test_preempt $(FIRMWARE_IMAGE)
	@tests/run preempt-long $< --seed 21 --boots 8 --rounds 10
# 1,000 faults on two processors, in a bit more than ten minutes on an idle machine; what they did is printed.
test-fault-long: $(BUILD)/fault/test_fault $(FIRMWARE_IMAGE)
	@tests/run fault-long $< --seed 1001 --boots 13 --rounds 40 & \
	    tests/run fault-stalled-long $< --seed 2001 --boots 12 --rounds 40 --stall 25; status=$$?; \
	    wait $$! && exit $$status
	@tail -n 15 $(BUILD)/tests/fault-long.log $(BUILD)/tests/fault-stalled-long.log
