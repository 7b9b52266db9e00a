# SPDX-License-Identifier: Apache-2.0
# The examiner and the reader of lists against their models and the firmware's own examination, by the jobs of
# tests/fuzz/fuzz_jobs.c; and a record of that in Icarus.

EXAMINER_TEST     := $(BUILD)/examiner
EXAMINER_TEST_RTL := $(addprefix rtl/,examination.v examiner.v lists.v lists_host.v gpu_spec.vh) \
                     $(addprefix rtl/engine/,node_blit_check.v pixel_size.v pixel_bytes.v)
EXAMINER_TEST_C   := $(filter-out tests/fuzz/examiner_door.c,$(FUZZ_C))
EXAMINER_OWN_O    := $(patsubst %.c,$(EXAMINER_TEST)/%.o,$(filter tests/%,$(EXAMINER_TEST_C)))
EXAMINER_TEST_O   := $(EXAMINER_OWN_O) \
                     $(patsubst %.c,$(BUILD)/firmware/host/%.o,$(filter firmware/%,$(EXAMINER_TEST_C))) \
                     $(patsubst %.c,$(BUILD)/%.o,$(filter model/%,$(EXAMINER_TEST_C)))

$(EXAMINER_OWN_O): $(EXAMINER_TEST)/%.o: %.c tests/rows.h $(wildcard tests/fuzz/*.h model/*.h) $(FIRMWARE_HEADERS) \
                    | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -Itests/fuzz -Itests/unit -c -o $@ $<
$(EXAMINER_TEST)/jobs.a: $(EXAMINER_TEST_O)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^
$(EXAMINER_TEST)/test_examiner: tests/rtl/examiner/examiner_door.cpp tests/fuzz/examiner_door.h \
                                tests/rtl/random_source.h $(EXAMINER_TEST)/jobs.a $(EXAMINER_TEST_RTL)
	@rm -f $@ # Verilator does not know the archive
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    --top-module examination -GENTRIES_LOG2=12 -GCOMMAND_WIDTH=18 -GROWS_LOG2=6 \
	    -CFLAGS "-std=c++17 $(addprefix -I$(CURDIR)/,spec model build tests/fuzz tests/rtl)" \
	    -o ../$(@F) rtl/examination.v $(abspath $<) $(abspath $(EXAMINER_TEST)/jobs.a) >$@.log || \
	    (tail -n 30 $@.log; false)
$(EXAMINER_TEST)/record.txt: $(EXAMINER_TEST)/test_examiner
	EXAMINER_RECORD=$@ $< --seed 3 --jobs 4 >$(EXAMINER_TEST)/record.log; test -s $@
# 2012 for $$fatal; only the top has a clock with a time, so only it has a timescale.
$(EXAMINER_TEST)/icarus_examination.vvp: tests/rtl/examiner/icarus_examination.v $(EXAMINER_TEST_RTL)
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2012 -DGPU_ASSERT -Wall -Wno-timescale -Irtl -yrtl -yrtl/engine \
	    -s icarus_examination -o $@ $< rtl/examination.v

.PHONY: test-examiner test-examiner-rest
TESTS      += test-examiner
TESTS_FULL += test-examiner-rest
test-examiner: $(EXAMINER_TEST)/test_examiner $(EXAMINER_TEST)/record.txt $(EXAMINER_TEST)/icarus_examination.vvp
	@tests/run examiner $< --seed 2 --jobs 1500
	@tests/run examiner-icarus tests/rtl/icarus.sh $(EXAMINER_TEST)/icarus_examination.vvp \
	    +record=$(EXAMINER_TEST)/record.txt
test-examiner-rest: $(EXAMINER_TEST)/test_examiner
	@tests/run examiner-rest $< --seed 5 --jobs 8000
