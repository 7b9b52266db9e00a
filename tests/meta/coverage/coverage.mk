# SPDX-License-Identifier: Apache-2.0
# Which lines of C and RTL does no test reach? By gcov and Verilator: out/coverage.txt, build/coverage/coverage.html. A
# line of firmware or RTL that none reaches has its reason in `unreached`; make test holds only that each reason still
# is one of a line, and that what is not reached would be seen.
TESTS      += test-coverage-known
TESTS_LONG += test-coverage
.PHONY: coverage test-coverage test-coverage-known
COVERAGE       := tests/meta/coverage
COVERAGE_NEEDS := $(wildcard tests/meta/coverage/*) | spec
# The simulator that the C is measured on has no counters: it is taken as it is built.
coverage test-coverage: $(SIM_ARCHIVES)
coverage: $(COVERAGE_NEEDS)
	@$(COVERAGE)/coverage.sh $(BUILD)/coverage make $(TEST_JOBS)
test-coverage-known: $(COVERAGE_NEEDS)
	@tests/run coverage-known python3 -B $(COVERAGE)/coverage.py --known $(COVERAGE)/unreached
	@tests/run must-fail-coverage $(COVERAGE)/must_fail.sh $(BUILD)/coverage-planted
test-coverage: $(COVERAGE_NEEDS)
	@tests/run coverage $(COVERAGE)/coverage.sh $(BUILD)/coverage make $(TEST_JOBS)
