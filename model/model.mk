# SPDX-License-Identifier: Apache-2.0
# The golden model: build/model/libmodel.a, and its unit tests with hand-computed values.

MODEL_NAMES   := affine_model display_model display_picture engine_model engine_packets examiner_model lists_model \
                 pixel_model
MODEL_SOURCES := $(MODEL_NAMES:%=model/%.c)
MODEL_HEADERS := $(MODEL_NAMES:%=model/%.h) model/engine_port.h spec/gpu.def spec/gpu_spec.h
MODEL_OBJECTS := $(MODEL_SOURCES:model/%.c=$(BUILD)/model/%.o)
MODEL_LIBRARY := $(BUILD)/model/libmodel.a

# -O3: bytes go through one function, and where that is inlined a frame takes two thirds of the time.
$(MODEL_OBJECTS): $(BUILD)/model/%.o: model/%.c $(MODEL_HEADERS) host/install.mk | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) $(SHARED_FLAGS) -O3 -c -o $@ $<
$(MODEL_LIBRARY): $(MODEL_OBJECTS)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

MODEL_TESTS := $(addprefix $(BUILD)/model/test_,engine_model draws)
MODEL_SANITIZED := $(MODEL_SOURCES:%.c=$(BUILD)/unit/sanitized/%.o) # tests/unit compiles these
$(MODEL_TESTS): $(BUILD)/model/%: tests/model/%.c $(MODEL_SANITIZED)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $< $(MODEL_SANITIZED) -lcmocka -lm

# The device, without a turn of its firmware.
$(BUILD)/model/test_device: tests/model/test_device.c $(BUILD)/firmware/libdevice.a $(MODEL_LIBRARY) \
                            model/device_internal.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -o $@ $< $(BUILD)/firmware/libdevice.a $(MODEL_LIBRARY) -lcmocka
.PHONY: test-device
TESTS += test-device
test-device: $(BUILD)/model/test_device
	@tests/run device $<

.PHONY: test-engine-model
TESTS += test-engine-model
test-engine-model: $(MODEL_TESTS)
	@tests/run engine-model $<
	@tests/run engine-draws $(BUILD)/model/test_draws
