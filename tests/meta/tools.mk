# SPDX-License-Identifier: Apache-2.0
# What depends on the versions of tools: they are said before the tests, and the tests that a new version breaks first
# can be run alone, here or in another distribution:
#   tests/meta/distribution.sh trixie 'make run' 'make deps test-tools'

.PHONY: versions test-tools test-must-fail-distribution
versions:
	@tests/meta/versions $(VERILATOR_FLAGS)
test test-full test-long: versions

# Each for what it asks of a tool that no other here asks; together a few minutes.
#   lint-files            warnings of Verilator, Icarus and Yosys about every file
#   stack                 the image links and has room; the disassembly and the relocations as the proof reads them
#   core-model            qemu: its processors, its log of every instruction
#   validate-rv32         the RV32 compiler with picolibc's start and semihosting, under qemu
#   core-gdb-session      gdb's remote protocol, its output, the whole chip in Verilator as a program
#   mover-formal          Yosys' SAT solver, yosys-smtbmc with z3
#   mover-pixel-rows      netlists that Yosys writes and reads again
#   board-scanout         a board's RTL in Verilator, two clocks
#   board-memory-icarus   the same in Icarus
#   icebreaker            a bench that Verilator builds around a program; the compiler without picolibc
#   must-fail-rtl         Verilator's assertions
#   play                  SDL 1.2 and 2, terminals
#   three                 SDL 3, which Debian 12 has not
#   host-library, world   host code under the sanitizers, cmocka
#   must-fail-harness     the shell's and awk's view of all this
TEST_TOOLS := lint-files stack core-model validate-rv32 core-gdb-session mover-formal mover-pixel-rows board-scanout \
              board-memory-icarus icebreaker must-fail-rtl play three host-library world must-fail-harness
test-tools:
	@$(MAKE) --no-print-directory test T="$(TEST_TOOLS)"

TESTS_FULL += test-must-fail-distribution
test-must-fail-distribution:
	@tests/run must-fail-distribution tests/meta/must_fail/distribution.sh
