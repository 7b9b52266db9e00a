# SPDX-License-Identifier: Apache-2.0
# Random operation sequences over libtessera, on the golden model (many) and on the simulated hardware (some).

SEQUENCE_DIR     := $(BUILD)/sequence
SEQUENCE_C       := tests/chip/sequence/test_sequence.c tests/chip/sequence/sequence.c \
    tests/chip/sequence/sequence_job.c
SEQUENCE_HEADERS := tests/rows.h $(wildcard tests/chip/sequence/*.h) tests/chip/system/paging_oracle.h $(HOST_HEADERS)

$(SEQUENCE_DIR)/model: $(SEQUENCE_C) tests/chip/sequence/machine_model.c $(SEQUENCE_HEADERS) $(HOST_LIBRARY) \
                       $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(HOST_LIBRARY) $(DEVICE_LIBRARY) \
	    $(MODEL_LIBRARY)
$(SEQUENCE_DIR)/hardware: $(SEQUENCE_C) tests/chip/sequence/machine_hardware.c $(SEQUENCE_HEADERS) $(HOST_LIBRARY) \
                          $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $(filter %.c,$^) $(HOST_LIBRARY) $(SIM_LIBS)

# On both: directed cases of splitting; as many allocations as may be, and what each reference costs then; DMA buffers
# and lists as long as may be.
SEQUENCE_BOTH := split many longest
$(SEQUENCE_BOTH:%=$(SEQUENCE_DIR)/%_model): $(SEQUENCE_DIR)/%_model: tests/chip/sequence/test_%.c \
    tests/chip/sequence/machine_model.c $(SEQUENCE_HEADERS) $(HOST_LIBRARY) $(BUILD)/firmware/libdevice.a \
    $(BUILD)/model/libmodel.a | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(HOST_LIBRARY) $(DEVICE_LIBRARY) \
	    $(MODEL_LIBRARY)
$(SEQUENCE_BOTH:%=$(SEQUENCE_DIR)/%_hardware): $(SEQUENCE_DIR)/%_hardware: tests/chip/sequence/test_%.c \
    tests/chip/sequence/machine_hardware.c $(SEQUENCE_HEADERS) $(HOST_LIBRARY) $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $(filter %.c,$^) $(HOST_LIBRARY) $(SIM_LIBS)

.PHONY: test-many test-many-model test-many-rest test-many-deep
TESTS      += test-many-model
TESTS_FULL += test-many test-many-rest
TESTS_LONG += test-many-deep
test-many-model: $(SEQUENCE_DIR)/many_model
	@tests/run many-model $<
test-many: $(SEQUENCE_DIR)/many_hardware $(FIRMWARE_IMAGE)
	@tests/run many $<
test-many-rest: $(SEQUENCE_DIR)/many_hardware $(FIRMWARE_IMAGE)
	@tests/run many-rest $< rest
test-many-deep: $(SEQUENCE_DIR)/many_hardware $(FIRMWARE_IMAGE)
	@tests/run many-deep $< deep

.PHONY: test-longest test-longest-model test-longest-deep
TESTS      += test-longest test-longest-model
TESTS_LONG += test-longest-deep
test-longest-model: $(SEQUENCE_DIR)/longest_model
	@tests/run longest-model $<
test-longest: $(SEQUENCE_DIR)/longest_hardware $(FIRMWARE_IMAGE)
	@tests/run longest $<
test-longest-deep: $(SEQUENCE_DIR)/longest_hardware $(FIRMWARE_IMAGE)
	@tests/run longest-deep $< most

.PHONY: test-split test-split-model
TESTS += test-split test-split-model
test-split-model: $(SEQUENCE_DIR)/split_model
	@tests/run split-model $<
test-split: $(SEQUENCE_DIR)/split_hardware $(FIRMWARE_IMAGE)
	@tests/run split $<

.PHONY: test-sequence-model test-buffers-model test-sequence test-buffers test-sequence-long test-buffers-long
TESTS += test-sequence-model test-buffers-model
TESTS_FULL += test-sequence test-sequence-rest test-buffers
TESTS_LONG += test-sequence-deep test-buffers-deep
.PHONY: test-sequence-rest test-sequence-deep test-buffers-deep
test-sequence-model: $(SEQUENCE_DIR)/model
	@tests/run sequence-model $< --count 250
test-buffers-model: $(SEQUENCE_DIR)/model
	@tests/run buffers-model $< --buffers --steps 16 --count 100
test-sequence: $(SEQUENCE_DIR)/hardware $(FIRMWARE_IMAGE)
	@tests/run sequence $< --count 3
test-sequence-rest: $(SEQUENCE_DIR)/hardware $(FIRMWARE_IMAGE)
	@tests/run sequence-rest $< --seed 4 --count 3
test-sequence-deep: $(SEQUENCE_DIR)/hardware $(FIRMWARE_IMAGE)
	@tests/run sequence-deep $< --seed 7 --count 10
test-buffers: $(SEQUENCE_DIR)/hardware $(FIRMWARE_IMAGE)
	@tests/run buffers $< --buffers --steps 16 --count 3 --seed 1000
test-buffers-deep: $(SEQUENCE_DIR)/hardware $(FIRMWARE_IMAGE)
	@tests/run buffers-deep $< --buffers --steps 16 --count 8 --seed 1003

# 10,000 sequences on the model, 100 in co-simulation, half of them on a slow bus; 20,000 DMA buffers on the model and
# 300 in co-simulation, each split and unsplit.
TESTS_LONG += test-sequence-long test-buffers-long
test-sequence-long: $(SEQUENCE_DIR)/model $(SEQUENCE_DIR)/hardware $(FIRMWARE_IMAGE)
	@tests/run sequence-model-long $(SEQUENCE_DIR)/model --seed 10001 --count 10000
	@tests/run sequence-long $(SEQUENCE_DIR)/hardware --seed 101 --count 50
	@tests/run sequence-stalled-long $(SEQUENCE_DIR)/hardware --seed 151 --count 50 --stall 30 --latency 60
test-buffers-long: $(SEQUENCE_DIR)/model $(SEQUENCE_DIR)/hardware $(FIRMWARE_IMAGE)
	@tests/run buffers-model-long $(SEQUENCE_DIR)/model --buffers --steps 16 --seed 10001 --count 1750
	@tail -n 3 $(BUILD)/tests/buffers-model-long.log
	@tests/run buffers-long $(SEQUENCE_DIR)/hardware --buffers --steps 16 --seed 2001 --count 27
	@tail -n 3 $(BUILD)/tests/buffers-long.log
