# SPDX-License-Identifier: Apache-2.0
# Every Verilog file as its own top through Verilator and Icarus without a warning, the chip through Yosys;
# and what the chip costs on an ECP5.

RTL_FOLDERS := rtl rtl/core rtl/engine rtl/display
RTL_FILES   := $(foreach folder,$(RTL_FOLDERS),$(wildcard $(folder)/*.v))
RTL_ALL     := $(RTL_FILES) $(foreach folder,$(RTL_FOLDERS),$(wildcard $(folder)/*.vh))
# slow_ram models a board's RAM; everything else is the chip.
RTL_CHIP    := $(filter-out rtl/slow_ram.v,$(RTL_FILES))
LINT_DIR    := $(BUILD)/lint
LINT_STAMPS := $(RTL_FILES:%.v=$(LINT_DIR)/%.ok)
YOSYS_READ  := read_verilog $(RTL_FOLDERS:%=-I%) $(RTL_CHIP)

# Silence is success: a tool that prints anything has something to say.
$(LINT_DIR)/%.ok: %.v $(RTL_ALL) | spec
	@mkdir -p $(@D)
	@rtl/lint.sh $(VERILATOR) $(VERILATOR_FLAGS) --top-module $(notdir $*) $< >$@.log 2>&1 && \
	  $(IVERILOG) -g2005 -Wall $(RTL_FOLDERS:%=-I%) $(RTL_FOLDERS:%=-y %) -t null $< >>$@.log 2>&1 && \
	  test ! -s $@.log || \
	  { echo "lint: $<"; cat $@.log; exit 1; }
	@mv $@.log $@

# Without the assertions (as synthesised) nothing may be left over, and every module must elaborate in Yosys.
$(LINT_DIR)/gpu.ok: $(RTL_ALL) | spec
	@mkdir -p $(@D)
	@rtl/lint.sh $(VERILATOR) $(VERILATOR_FLAGS) -UGPU_ASSERT --top-module gpu rtl/gpu.v >$@.log 2>&1 && \
	  $(YOSYS) -q -p "$(YOSYS_READ); hierarchy -check -top gpu; proc; check -assert" >>$@.log 2>&1 && test ! -s $@.log || \
	  { echo "lint: gpu as synthesised"; cat $@.log; exit 1; }
	@mv $@.log $@

.PHONY: test-lint test-lint-files lint-files
lint: lint-files
lint-files: $(LINT_STAMPS) $(LINT_DIR)/gpu.ok
	@echo "lint: $(words $(RTL_FILES)) files, no warnings"

# The chip with all that is in it; before landing without assertions, too, and each file as its own top, with its own
# parameters.
TESTS      += test-lint
TESTS_FULL += test-lint-files
test-lint:
	@tests/run lint $(MAKE) --no-print-directory -k $(LINT_DIR)/rtl/gpu.ok
test-lint-files:
	@tests/run lint-files $(MAKE) --no-print-directory -k lint-files

# Counts after mapping. synth_ecp5's last step would begin with AUTONAME, which takes most of an hour on a design
# of this size and changes nothing but names; so it stops before and counts itself.
SYNTH_LOG := $(BUILD)/synth/gpu.log
$(SYNTH_LOG): $(RTL_ALL) | spec
	@mkdir -p $(@D)
	$(YOSYS) -p "$(YOSYS_READ); synth_ecp5 -top gpu -run begin:check; stat; check -noinit" >$@.tmp 2>&1 \
	    || { tail -n 20 $@.tmp; exit 1; }
	@mv $@.tmp $@
synth: $(SYNTH_LOG)
	@grep -E '^Warning' $< | sort | uniq -c || true
	@awk '/Printing statistics/ {delete count; top = ""} /^=== / {top = $$2} \
	      /^ +(LUT4|TRELLIS_FF|DP16KD|PDPW16KD|MULT18X18D|CCU2C|TRELLIS_DPR16X4) +[0-9]+/ {count[$$1] = $$2} \
	      END {printf "gpu on ECP5: %d LUT4, %d carry, %d flip-flops, %d block RAMs, %d LUT RAMs, %d multipliers\n", \
	           count["LUT4"], count["CCU2C"], count["TRELLIS_FF"], count["DP16KD"] + count["PDPW16KD"], \
	           count["TRELLIS_DPR16X4"], count["MULT18X18D"]}' $<
