# SPDX-License-Identifier: Apache-2.0
# Generated faults: what part of them do the tests notice? docs/testing.md, Generated faults.
#   make mutants AREA=firmware SEED=1 COUNT=200      AREA: firmware, rtl, host, model, sim
MUTANTS := /usr/bin/python3 -B tests/meta/mutants/mutants.py
AREA    ?= firmware
COUNT   ?= 60
.PHONY: mutants test-mutants test-mutants-known
mutants: spec
	@$(MUTANTS) $(AREA) $(SEED) $(COUNT) $(TEST_JOBS)

# The same sixty faults at every landing: no fewer may be noticed. And, at once, that each equivalent fault that is
# named still is one of the source.
TESTS      += test-mutants-known
TESTS_FULL += test-mutants
test-mutants-known: $(wildcard tests/meta/mutants/*) | spec
	@tests/run mutants-known $(MUTANTS) --known
test-mutants: $(BUILD)/tessera $(wildcard tests/meta/mutants/*) | spec
	@tests/run mutants $(MUTANTS) firmware 1 60 $(TEST_JOBS) 75
