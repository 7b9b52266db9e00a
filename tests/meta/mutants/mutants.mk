# SPDX-License-Identifier: Apache-2.0
# Generated faults: what part of them do the tests notice? docs/testing.md, Generated faults.
#   make mutants AREA=firmware SEED=1 COUNT=200      AREA: firmware, rtl, host, model, sim, web, python
#   make mutants AREA=rtl SEED=1 COUNT=100 PIECE=300 about 300 seconds of it; the same again goes on
#   make mutants AREA=rtl SEED=1 JUDGES=rtl-quick    by the quick benches
#   make mutants AREA=host SEED=1 COUNT=200 UNDER=host/tools/compare JUDGES=test-compare   one folder, by one target
MUTANTS := /usr/bin/python3 -B tests/meta/mutants/mutants.py
RULES   := /usr/bin/python3 -B tests/meta/mutants/rules.py
AREA    ?= firmware
COUNT   ?= 60
.PHONY: mutants test-mutants-known
mutants: spec
	@PIECE=$(PIECE) JUDGES="$(JUDGES)" UNDER="$(UNDER)" $(MUTANTS) $(AREA) $(SEED) $(COUNT) $(TEST_JOBS)

# The same sixty faults of an area each time, those of sim at every landing, those that take ten minutes and more in
# make test-long: no fewer may be noticed, but for those that an edit moves in or out of the sample. And, at once, that
# all faults of all areas can be generated, and each equivalent fault that is named still is one of the source.
TESTS_FULL += test-mutants-known test-mutants-sim
TESTS_LONG += test-mutants-firmware test-mutants-host test-mutants-rtl test-mutants-model test-mutants-python \
              test-mutants-web
.PHONY: test-mutants-firmware test-mutants-host test-mutants-rtl test-mutants-model test-mutants-sim \
        test-mutants-python test-mutants-web
test-mutants-known: $(wildcard tests/meta/mutants/*) | spec
	@tests/run mutants-known $(MUTANTS) --known
test-mutants-firmware test-mutants-host test-mutants-rtl test-mutants-model test-mutants-sim \
    test-mutants-python: $(BUILD)/tessera $(wildcard tests/meta/mutants/*) | spec
test-mutants-firmware:
	@tests/run mutants-firmware $(MUTANTS) firmware 1 60 $(TEST_JOBS) 91
test-mutants-host:
	@tests/run mutants-host $(MUTANTS) host 11 60 $(TEST_JOBS) 80
test-mutants-rtl:
	@tests/run mutants-rtl $(MUTANTS) rtl 31 60 $(TEST_JOBS) 86
test-mutants-model:
	@tests/run mutants-model $(MUTANTS) model 11 60 $(TEST_JOBS) 85
test-mutants-sim:
	@tests/run mutants-sim $(MUTANTS) sim 6 60 $(TEST_JOBS) 84
test-mutants-python:
	@tests/run mutants-python $(MUTANTS) python 1 60 $(TEST_JOBS) 85
# Of the page what is C and has a test of its own.
test-mutants-web: $(wildcard tests/meta/mutants/*) | spec
	@UNDER='$(addprefix web/,deflate knobs tape machine snapshot state_json json)' JUDGES=test-web-parts \
	    tests/run mutants-web $(MUTANTS) web 511 50 $(TEST_JOBS) 78

# Lists of our own, one rule broken by each entry; what runs them stands beside them. Here, at once, that each entry
# still finds its place, and that an entry that finds none or that nothing notices is a failure.
.PHONY: test-mutations-apply test-must-fail-mutations
TESTS      += test-mutations-apply
TESTS_FULL += test-must-fail-mutations
test-mutations-apply: tests/meta/mutants/must_fail.sh
	@tests/run firmware-mutations-apply $(RULES) --apply tests/unit/rules/*
	@tests/run validator-mutations-apply $(RULES) --apply tests/unit/validate/rules
	@tests/run second-mutations-apply $(RULES) --apply tests/chip/system/second_rules
	@tests/run fuzz-mutations-apply $(RULES) --apply tests/fuzz/rules
	@tests/run must-fail-mutations-apply tests/meta/mutants/must_fail.sh $(BUILD)/must_fail/rules
test-must-fail-mutations: tests/meta/mutants/must_fail.sh | spec
	@tests/run must-fail-mutations tests/meta/mutants/must_fail.sh $(BUILD)/must_fail/rules built
