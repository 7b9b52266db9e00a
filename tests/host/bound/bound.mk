# SPDX-License-Identifier: Apache-2.0
# The lower bound of cycles (host/tools/bound/), against all schedules of small worlds.

BOUND_TEST := $(BUILD)/bound/test_bound

$(BOUND_TEST): tests/host/bound/test_bound.c $(BUILD)/host/sanitized/host/tools/bound/bound.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $^ -lcmocka -lm

.PHONY: test-bound
TESTS += test-bound
test-bound: $(BOUND_TEST) $(BUILD)/bound/test_told
	@tests/run bound $<
	@tests/run bound-told $(BUILD)/bound/test_told

# What a scene tells the bound, on the golden model.
BOUND_WRAPPED := allocation use draw host_read host_write frame
$(BUILD)/bound/test_told: tests/host/bound/test_told.c $(HOST_OWN_HEADERS) $(HOST_LIBRARY) $(DEVICE_LIBRARY) \
                          $(patsubst %,$(BUILD)/host/sanitized/host/tools/scene/%.o,scene_gpu scene_reference) \
                          $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) $(HOST_LIBRARY) $(DEVICE_LIBRARY) \
	    $(MODEL_LIBRARY) $(BOUND_WRAPPED:%=-Wl,--wrap=bound_%) -lcmocka -lm
