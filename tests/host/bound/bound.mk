# SPDX-License-Identifier: Apache-2.0
# The lower bound of cycles (host/bound/), against all schedules of small worlds.

BOUND_TEST := $(BUILD)/bound/test_bound

$(BOUND_TEST): tests/host/bound/test_bound.c host/bound/bound.c host/bound/bound.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka -lm

.PHONY: test-bound
TESTS += test-bound
test-bound: $(BOUND_TEST)
	@tests/run bound $<
