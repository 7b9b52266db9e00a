# SPDX-License-Identifier: Apache-2.0
# The mover's benches: make test-mover (Verilator), bench-engine (figures), area-engine.

MOVER_RTL   := rtl/sync_fifo.v $(wildcard rtl/engine/mover*.v rtl/engine/pixel*.v)
MOVER_BUILD := $(BUILD)/mover
MOVER_C     := tests/rtl/mover/test_mover.c tests/rtl/mover/world.c tests/rtl/mover/judge.c
MOVER_H     := $(wildcard tests/rtl/mover/*.h) model/engine_model.h model/pixel_model.h

$(MOVER_BUILD)/%.o: tests/rtl/mover/%.c $(MOVER_H) | spec
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Itests/rtl/mover -c -o $@ $<

$(MOVER_BUILD)/verilated/Vmover: $(MOVER_RTL) rtl/gpu_spec.vh tests/rtl/mover/harness.cpp $(MOVER_C:tests/rtl/mover/%.c=$(MOVER_BUILD)/%.o) $(BUILD)/model/libmodel.a
	@mkdir -p $(@D)
	$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --top-module mover --Mdir $(@D) \
	    -CFLAGS "-O2 -I$(CURDIR)/tests/rtl/mover" rtl/engine/mover.v \
	    $(abspath tests/rtl/mover/harness.cpp $(filter %.o,$^) $(BUILD)/model/libmodel.a) >$(@D)/build.log || (cat $(@D)/build.log; exit 1)

.PHONY: test-mover
TESTS += test-mover
test-mover: $(MOVER_BUILD)/verilated/Vmover
	@tests/run mover $<
