# SPDX-License-Identifier: Apache-2.0
# The lower bound of cycles (host/bound/), against all schedules of small worlds.

BOUND_TEST := $(BUILD)/bound/test_bound

$(BOUND_TEST): tests/host/bound/test_bound.c $(BUILD)/host/sanitized/host/bound/bound.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $^ -lcmocka -lm

.PHONY: test-bound
TESTS += test-bound
test-bound: $(BOUND_TEST)
	@tests/run bound $<
