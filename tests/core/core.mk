# SPDX-License-Identifier: Apache-2.0
# The control core's tests: see docs/core.md.

CORE_BUILD := $(BUILD)/core
CORE_RTL   := $(wildcard rtl/core/*.v)
CORE_OBJ   := $(addprefix $(CORE_BUILD)/,elf_image.o bench_memory.o disassemble.o)

$(CORE_BUILD)/%.o: tests/core/%.c $(wildcard tests/core/*.h)
	@mkdir -p $(CORE_BUILD)
	$(CC) $(CFLAGS) -c -o $@ $<

# core-run: the bare core as a program runner. Its boot words are at 0xffff0000 (tests/core/bench_memory.h).
$(BUILD)/core-run: $(CORE_RTL) tests/core/core_run.cpp $(CORE_OBJ)
	$(VERILATOR) $(VERILATOR_FLAGS) -O3 --x-initial unique --cc --exe --build -j 1 --top-module core \
	    --Mdir $(CORE_BUILD)/core-run.d -GRESET_VECTOR="32'hffff0000" \
	    -CFLAGS "-O2 -Wall -Wextra -I$(CURDIR)/tests/core" -o $(CURDIR)/$@ \
	    rtl/core/core.v $(CURDIR)/tests/core/core_run.cpp $(addprefix $(CURDIR)/,$(CORE_OBJ)) >$(CORE_BUILD)/core-run.log || \
	    (cat $(CORE_BUILD)/core-run.log; false)

# Official suites from the user's own checkout.
.PHONY: isa-tests
isa-tests: $(BUILD)/core-run
	tests/core/isa_tests.sh "$(RISCV_TESTS)" $(CORE_BUILD)/isa-tests $(BUILD)/core-run
	tests/core/isa_tests.sh "$(RISCV_TESTS)" $(CORE_BUILD)/isa-tests $(BUILD)/core-run --stall 40

# Every file as its own top, and the core in every configuration kept, in three tools, without a warning.
.PHONY: lint-core
lint: lint-core
lint-core:
	tests/core/lint.sh
TESTS += test-core-lint
.PHONY: test-core-lint
test-core-lint:
	@tests/run core-lint tests/core/lint.sh
