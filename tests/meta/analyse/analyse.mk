# SPDX-License-Identifier: Apache-2.0
# Static analysis: gcc -fanalyzer, cppcheck and clang-tidy (.clang-tidy) of all C but the tests', and of RTL what
# rtl/rtl.mk does with Verilator, Icarus and Yosys. What has not changed since is not looked at again. Before landing
# clang-tidy follows fewer states of a function, which takes a third of the time; in make test-long all it can.
TESTS_FULL += test-analyse-all test-must-fail-analyse
TESTS_LONG += test-analyse-deep
.PHONY: analyse test-analyse-all test-analyse-deep test-must-fail-analyse
ANALYSE   := python3 -B tests/meta/analyse/analyse.py
ANALYSE_C := $(sort $(wildcard $(foreach folder,firmware host model sim,$(foreach below,*.c */*.c */*/*.c */*/*/*.c, \
               $(folder)/$(below)))))
ANALYSED  := $(or $(KEPT),$(BUILD))/analyse
ANALYSE_NEEDS := tests/meta/analyse/analyse.py .clang-tidy | spec $(BUILD)/report_page.h $(BUILD)/compare_page.h

analyse: lint $(ANALYSE_NEEDS)
	@$(ANALYSE) gcc,cppcheck,clang-tidy $(TEST_JOBS) $(ANALYSED) $(ANALYSE_C)
test-analyse-deep: $(ANALYSE_NEEDS)
	@tests/run analyse-deep $(ANALYSE) clang-tidy $(TEST_JOBS) $(ANALYSED) $(ANALYSE_C)
test-analyse-all: $(ANALYSE_NEEDS)
	@ANALYSE_NODES=60000 tests/run analyse-all $(ANALYSE) gcc,cppcheck,clang-tidy $(TEST_JOBS) $(ANALYSED) $(ANALYSE_C)
test-must-fail-analyse: tests/meta/analyse/must_fail.sh $(ANALYSE_NEEDS)
	@tests/run must-fail-analyse $< $(BUILD)/planted
