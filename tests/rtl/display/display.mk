# SPDX-License-Identifier: Apache-2.0
# The display unit against the golden model, with a memory and a monitor around it.

DISPLAY_TEST     := $(BUILD)/display
DISPLAY_TEST_RTL := $(wildcard rtl/display/*.v) rtl/sync_fifo.v rtl/gpu_spec.vh

$(DISPLAY_TEST)/display_picture.o: model/display_picture.c model/display_picture.h | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -Imodel -Ispec -c -o $@ $<
$(DISPLAY_TEST)/test_display: $(wildcard tests/rtl/display/*.cpp tests/rtl/display/*.h) tests/rtl/random_source.h \
                              $(DISPLAY_TEST)/display_picture.o $(DISPLAY_TEST_RTL)
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    --top-module display -o ../$(@F) -CFLAGS "-std=c++17 -O2 -I$(CURDIR)/spec -I$(CURDIR)/build -I$(CURDIR)/model" \
	    rtl/display/display.v $(abspath $(filter %.cpp,$^)) $(abspath $(DISPLAY_TEST)/display_picture.o) >$@.log || \
	    (tail -n 30 $@.log; false)

.PHONY: test-display-unit
TESTS += test-display-unit
test-display-unit: $(DISPLAY_TEST)/test_display
	@tests/run display-unit $< 1 40
