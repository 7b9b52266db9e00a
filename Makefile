# SPDX-License-Identifier: Apache-2.0
# Tessera: every verb on one page. `make help` lists the most used ones (help.txt). Rules of a folder live in its own
# *.mk, which adds its test targets to TESTS (quick: every commit), TESTS_FULL (before merging) or TESTS_LONG (by hand).

# make takes a space in a name for the end of the name: such a path is refused before anything is built.
$(foreach name,CURDIR BUILD PREFIX DESTDIR BINDIR LIBDIR INCLUDEDIR MANDIR LVGL_DIR,$(if $(word 2,$($(name))),\
    $(error The path '$($(name))' of $(name) has a space in it. Name a path without one)))

SHELL     := /bin/bash
BUILD     := build
CC        := gcc
CXX       := g++
RV_PREFIX := riscv64-unknown-elf-
VERILATOR := verilator
IVERILOG  := iverilog
YOSYS     := yosys

# $(call say,WHAT,FILE) begins a command: one short line instead of it, and none while tests run. V=1 shows the
# commands. One that fails is shown whole, after what it said.
V         ?=
say_line   = $(if $(SUITE),,printf '  %-8s %s\n' '$(1)' '$(2)'; )
say        = $(if $(V),,@$(say_line)trap '[ $$? = 0 ] || echo "$$BASH_COMMAND" >&2' EXIT; )

INCLUDES  := -Ispec -I$(BUILD) -Ihost -Ihost/include -Imodel -Isim -Ifirmware
WARNINGS  := -Wall -Wextra -Werror -Wconversion -Wsign-conversion -Wshadow -Wundef -Wmissing-prototypes -Wcast-align
CFLAGS    := -std=c11 -O2 -g $(WARNINGS) $(INCLUDES)
# -Og: most of these programs run for less time than -O2 takes to compile them. -g1 has the lines that reports need.
SANITIZE  := -Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all

# Verilator 5.006 computes wrong results without -fno-const-bit-op-tree and ignores assertions without --assert.
# Without words of its own it compiles what runs once with -O2 and what runs always with -Os: a third slower in both.
VERILATOR_FLAGS := -Wall -fno-const-bit-op-tree --assert --no-timing -Irtl -Irtl/core -Irtl/engine -Irtl/display \
                   +define+GPU_ASSERT -MAKEFLAGS OPT_FAST=-O1 -MAKEFLAGS OPT_SLOW=-O0
# Verilator's own sources are compiled once for all designs, copies of the tree (coverage, faults) among them.
export OBJCACHE ?= $(CURDIR)/sim/runtime.sh $(CURDIR)/$(BUILD)/runtime

TESTS       :=
TESTS_FULL  :=
TESTS_LONG  :=
TESTS_FIRST := test-icebreaker-bitstream test-grants-formal-rest test-analyse-all test-board-scene test-bench-held \
               test-mutations test-mutants-sim test-many-rest test-core-formal test-web-page-rest test-fuzz-chip \
               test-board-wire test-examiner-formal test-node test-web-rest test-program test-cocotb test-play \
               test-record test-live test-mover test-scene test-report test-system

.PHONY: all help help-all run test test-rest test-full test-long tests spec deps deps-run deps-web clean lint synth bench
all: spec

# The groups of verbs, in help.txt: up to the line of dashes for `make help`, all of it for `make help-all`.
help:
	@sed '/^---/,$$d' help.txt
help-all:
	@sed '/^---/d; /^make help-all/d' help.txt

# ---------------------------------------------------------------- packages
# What `make run` needs, and what the tests need besides. Debian 12's and 13's versions are the tested ones.
DEPS_RUN  := make gcc g++ libc6-dev verilator zlib1g-dev libpng-dev libjson-c-dev gcc-riscv64-unknown-elf \
             picolibc-riscv64-unknown-elf freedoom
DEPS_TEST := libcmocka-dev libsdl1.2-dev libsdl2-dev iverilog yosys boolector z3 qemu-system-misc gawk git \
             gdb-multiarch nextpnr-ice40 fpga-icestorm pkg-config groff-base clang-format python3-clang cppcheck \
             clang-tidy python3-venv python3-numpy python3-setuptools python3-wheel
DEPS_TEST += $(shell apt-cache show libsdl3-dev libsdl2-compat >/dev/null 2>&1 && echo libsdl3-dev libsdl2-compat)
# The compiler for WebAssembly.
DEPS_WEB  := clang lld wasi-libc libclang-rt-dev-wasm32
deps:     DEPS := $(DEPS_RUN) $(DEPS_TEST) $(DEPS_WEB)
deps-web: DEPS := make gcc libc6-dev $(DEPS_WEB)
deps-run: DEPS := $(DEPS_RUN)
deps deps-run deps-web:
	@tests/meta/deps $(DEPS)

SPEC_OUT := $(BUILD)/gpu_hash.h $(BUILD)/gpu_names.h $(BUILD)/gpu_policies.h rtl/gpu_spec.vh rtl/gpu_packets.vh \
            docs/registers.md integration/python/tessera/spec.py host/include/tessera_values.h
spec: $(SPEC_OUT)

$(BUILD)/gen: $(wildcard spec/gen*.[ch]) spec/gpu.def
	@mkdir -p $(BUILD)
	$(call say,LINK,$@)$(CC) -std=c11 -O1 -Wall -Wextra -Werror -o $@ $(filter %.c,$^)
$(BUILD)/gpu_hash.h: $(BUILD)/gen
	$(call say,GEN,$@)$(BUILD)/gen hash >$@.tmp && mv $@.tmp $@
$(BUILD)/gpu_names.h: $(BUILD)/gen
	$(call say,GEN,$@)$(BUILD)/gen names >$@.tmp && mv $@.tmp $@
$(BUILD)/gpu_policies.h: $(BUILD)/gen
	$(call say,GEN,$@)$(BUILD)/gen policies >$@.tmp && mv $@.tmp $@
rtl/gpu_spec.vh: $(BUILD)/gen
	$(call say,GEN,$@)$(BUILD)/gen verilog >$@.tmp && mv $@.tmp $@
rtl/gpu_packets.vh: $(BUILD)/gen
	$(call say,GEN,$@)$(BUILD)/gen packets >$@.tmp && mv $@.tmp $@
docs/registers.md: $(BUILD)/gen
	$(call say,GEN,$@)$(BUILD)/gen markdown >$@.tmp && mv $@.tmp $@
host/include/tessera_values.h: $(BUILD)/gen
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BUILD)/gen values >$@.tmp && mv $@.tmp $@
integration/python/tessera/spec.py: $(BUILD)/gen
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BUILD)/gen python >$@.tmp && mv $@.tmp $@

include $(wildcard */*.mk boards/*/*.mk rtl/*/*.mk tests/*/*.mk tests/*/*/*.mk)

# ---------------------------------------------------------------- tests
# Three tiers. TESTS, quick: every kind of test, within minutes. TESTS_FULL: the slower ones, also required before
# merging. TESTS_LONG, by hand: larger samples, longer proofs, other tools. `make tests` says what each covers.
# TEST_JOBS at a time, one more than there are processors, since some wait; the longest begin first. T="name name" runs
# some: a target, with or without test-, or a test as its result line prints it.
TEST_JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
T         ?=
export TEST_TARGET = $@
named = TEST_TARGETS='$(sort $(TESTS) $(TESTS_FULL) $(TESTS_LONG))' python3 -B tests/meta/lists/named.py
suite = tests/suite '$(MAKE)' $(TEST_JOBS)
# longest-first LIST: those of TESTS_FIRST before the others.
longest-first = $(filter $(1),$(TESTS_FIRST)) $(filter-out $(TESTS_FIRST),$(sort $(1)))
test: spec
	@wanted='$(call longest-first,$(TESTS))'; $(if $(T),wanted=$$($(named) $(T)) || exit;) $(suite) $$wanted
test-rest: spec
	@$(suite) --more $(call longest-first,$(TESTS_FULL))
test-full: spec
	@$(suite) $(call longest-first,$(TESTS) $(TESTS_FULL))
test-long: spec
	@$(suite) $(sort $(TESTS_LONG))
# T="word word": only those of which all these words are said.
tests:
	@QUICK='$(TESTS)' FULL='$(TESTS_FULL)' LONG='$(TESTS_LONG)' python3 -B tests/meta/lists/covers.py $(T)

# A test's failure does not keep the other tests of its target from running: the suite reads the summary. What is built
# before a recipe begins, and each test by itself (tests/run), ends with a status as ever.
ifdef SUITE
.IGNORE: no-test $(TESTS) $(TESTS_FULL) $(TESTS_LONG)
endif

# How many checks each test is expected to run, as in the last run of tests that failed in nothing but their number.
# A number with ~ after it is a bound for what seeds or files decide, and stays.
.PHONY: counts
counts:
	@awk '/^#/ { print; next } FNR == NR { if ($$3 ~ /~$$/) kept[$$1] = 1; line[$$1] = $$0; next } \
	    !($$1 in kept) && $$2 > 0 && $$5 == 0 && \
	    ($$8 == "more" && $$3 == 0 || ($$8 == "few" || $$8 == "uncounted") && $$3 == 1) \
	        { line[$$1] = $$1 " " $$7 " " $$2 } \
	    END { for (name in line) print line[name] | "sort" }' tests/meta/counts build/tests/summary >build/counts
	@mv build/counts tests/meta/counts

clean:
	rm -rf $(BUILD) out
