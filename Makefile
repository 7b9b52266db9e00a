# SPDX-License-Identifier: Apache-2.0
# Tessera: every verb on one page. `make help` lists them. Rules of a folder live in its own *.mk, which
# adds its test targets to TESTS (every commit), TESTS_FULL (before landing), TESTS_DEEP or TESTS_LONG (by hand).

SHELL     := /bin/bash
BUILD     := build
CC        := gcc
CXX       := g++
RV_PREFIX := riscv64-unknown-elf-
VERILATOR := verilator
IVERILOG  := iverilog
YOSYS     := yosys

# $(call say,WHAT,FILE) begins a command: one short line instead of it, and none while tests run. V=1 shows the
# commands. One that fails is shown whole, behind what it said.
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
VERILATOR_FLAGS := -Wall -fno-const-bit-op-tree --assert --no-timing -Irtl -Irtl/core -Irtl/engine +define+GPU_ASSERT \
                   -MAKEFLAGS OPT_FAST=-O1 -MAKEFLAGS OPT_SLOW=-O0
# Verilator's own sources are compiled once for all designs, copies of the tree (coverage, faults) among them.
export OBJCACHE ?= $(CURDIR)/sim/runtime.sh $(CURDIR)/$(BUILD)/runtime

TESTS       :=
TESTS_FULL  :=
TESTS_DEEP  :=
TESTS_LONG  :=
TESTS_FIRST := test-mutations test-board-scene test-icebreaker-bitstream test-core-formal test-board-wire \
               test-bench-held test-cocotb test-mover test-scene test-report test-live test-play test-record test-system

.PHONY: all help run test test-rest test-full test-long spec deps deps-run deps-web clean lint synth bench
all: spec

help:
	@echo 'make run              install what is missing, build, draw the default scene on the simulated GPU'
	@echo 'make run LOCAL=large  the same with local memory so large that nothing has to leave it'
	@echo 'make gdb              the same, the control core stopped until gdb-multiarch attaches to PORT=3333'
	@echo 'make waves FROM= TO=  a wave form of these cycles of the same run, with a view for GTKWave'
	@echo 'make install          below PREFIX (/usr/local) and DESTDIR: programs, library, headers, manual; make uninstall'
	@echo 'make record           build/tessera-record, which records an SDL program for build/tessera play'
	@echo 'make live             build/tessera-live, which lets the GPU draw an SDL program while it runs'
	@echo 'make play FILE=       draw a recording on the simulated GPU; PLAY_OPTIONS="--model --check" compares with SDL'
	@echo 'make play-games       install, record and play programs of the distribution, compared frame by frame'
	@echo 'make web              the machine in a browser, out/web/ (docs/web.md)'
	@echo 'make web-rtl          the chip itself in a browser, cycle by cycle, out/web/rtl.html'
	@echo 'make lvgl LVGL_DIR=   compile the LVGL draw unit against a checkout of LVGL (docs/lvgl.md)'
	@echo 'make test-lvgl-real LVGL_DIR=  the demos of that checkout, drawn by its renderer and by the unit'
	@echo 'make test             every kind of test in minutes; make test T=name: one; make test-rest: what a landing'
	@echo '                      wants besides; make test-full: both, and larger samples; make test-long: by hand'
	@echo 'make test-tools       those that a new version of a tool breaks first; tests/meta/distribution.sh: elsewhere'
	@echo 'make deps             install everything the tests need from the distribution (Debian, Ubuntu)'
	@echo 'make lint synth bench lint all RTL; map the GPU to ECP5 and count; measure into bench/'
	@echo 'make bench-compare    what this tree moves against the commit BASE=HEAD: figures, time, decisions'
	@echo 'make deps-browser     the browser that test-report opens out/report.html in (optional)'
	@echo 'make picture          draw docs/residency.png and docs/timeline.png anew, with that browser'
	@echo 'make bitstream        of BOARD=ulx3s, i9 or icebreaker; make flash, report, console'
	@echo 'make fuzz MINUTES=10  hostile worlds and files, guided by coverage (clang); make fuzz-coverage: what is reached'
	@echo 'make cbmc             proofs of the firmware where CBMC is installed'
	@echo 'make mutants          what part of COUNT=60 generated faults do the tests notice? AREA=firmware SEED=1'
	@echo 'make decisions        hold what planning decides in random worlds, after a change that is meant'
	@echo 'make counts           hold how many checks each test runs: tests/meta/counts, from what ran last'
	@echo 'make formal           the proofs alone; make tidy-known: house rules, what is still broken'
	@echo 'make profile-placement what misses the core caches, by function and table, PLACED=default or copied, ...'
	@echo 'make sensitivity      what half and twice of each tuned constant of planning costs (half an hour)'
	@echo 'make format           lay out all C as .clang-format says'
	@echo 'make analyse          gcc -fanalyzer, cppcheck and clang-tidy over all C; lint over all RTL'
	@echo 'make coverage         which lines of C and RTL no test reaches: out/coverage.txt, build/coverage/coverage.html'
	@echo 'make conformance      run everything that proves a requirement, write out/conformance.json'
	@echo 'make firmware         the image alone; make simulator: the simulator alone; V=1 shows commands'
	@echo 'make python           the library that the package integration/python/tessera opens (docs/python.md)'
	@echo 'make litex-sim        a LiteX SoC with a processor that draws through the GPU, simulated (docs/litex.md; PyPI)'
	@echo 'make litex-board      a LiteX target with Tessera in it, BOARD=ulx3s or colorlight_i9, to a bit stream (PyPI)'
	@echo 'make litex-lvgl LVGL_DIR=  LVGL on that processor, drawn without and with the GPU (docs/litex.md; PyPI)'
	@echo 'make registers        the register map for other tools: SystemRDL and CMSIS-SVD, in out/'
	@echo 'make spec             reprint the register views after a change of spec/gpu.def'
	@echo 'make clean            remove build/ and out/'

# ---------------------------------------------------------------- packages
# What `make run` needs, and what the tests need besides. Debian 12's and 13's versions are the tested ones.
DEPS_RUN  := make gcc g++ libc6-dev verilator zlib1g-dev libpng-dev libjson-c-dev gcc-riscv64-unknown-elf \
             picolibc-riscv64-unknown-elf freedoom
DEPS_TEST := libcmocka-dev libsdl1.2-dev libsdl2-dev iverilog yosys boolector z3 qemu-system-misc gawk git \
             gdb-multiarch nextpnr-ice40 fpga-icestorm pkg-config groff-base clang-format python3-clang cppcheck \
             clang-tidy python3-venv
# The compiler for WebAssembly.
DEPS_WEB  := clang lld wasi-libc libclang-rt-dev-wasm32
deps:     DEPS := $(DEPS_RUN) $(DEPS_TEST) $(DEPS_WEB)
deps-web: DEPS := make gcc libc6-dev $(DEPS_WEB)
deps-run: DEPS := $(DEPS_RUN)
deps deps-run deps-web:
	@tests/meta/deps $(DEPS)

SPEC_OUT := $(BUILD)/gpu_hash.h $(BUILD)/gpu_names.h $(BUILD)/gpu_policies.h rtl/gpu_spec.vh rtl/gpu_packets.vh \
            docs/registers.md integration/python/tessera/spec.py
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
integration/python/tessera/spec.py: $(BUILD)/gen
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BUILD)/gen python >$@.tmp && mv $@.tmp $@

include $(wildcard */*.mk boards/*/*.mk rtl/*/*.mk tests/*/*.mk tests/*/*/*.mk)

# ---------------------------------------------------------------- tests
# TESTS: every kind of test, within minutes. TESTS_FULL: the heavy ones besides. TESTS_DEEP: what is in make test-full
# alone, more of kinds that these have or what wants more than make deps installs. TESTS_LONG: by hand. TEST_JOBS at a
# time, one more than there are processors, since some wait; the longest begin first. T=name runs one target, test-name.
TEST_JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
T         ?=
export TEST_TARGET = $@
suite = tests/suite '$(MAKE)' $(TEST_JOBS)
# longest-first LIST: those of TESTS_FIRST before the others.
longest-first = $(filter $(1),$(TESTS_FIRST)) $(filter-out $(TESTS_FIRST),$(sort $(1)))
test: spec
	@$(suite) $(if $(T),$(addprefix test-,$(T:test-%=%)),$(call longest-first,$(TESTS)))
test-rest: spec
	@$(suite) --more $(call longest-first,$(TESTS_FULL))
test-full: spec
	@$(suite) $(call longest-first,$(TESTS) $(TESTS_FULL) $(TESTS_DEEP))
test-long: spec
	@$(suite) $(sort $(TESTS_LONG))

# A test's failure does not keep the other tests of its target from running: the suite reads the summary. What is built
# before a recipe begins, and each test by itself (tests/run), ends with a status as ever.
ifdef SUITE
.IGNORE: no-test $(TESTS) $(TESTS_FULL) $(TESTS_DEEP) $(TESTS_LONG)
endif

# How many checks each test is expected to run, taken anew from what ran last, of tests that failed in nothing but their
# number. A number with ~ behind it is a bound for what seeds or files decide, and stays.
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
