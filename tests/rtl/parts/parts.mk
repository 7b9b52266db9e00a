# SPDX-License-Identifier: Apache-2.0
# Modules by themselves, in Icarus from unknown start values: test_NAME.v is the bench of the module NAME. (Verilator
# 5.006 loses changes that a bench makes between two edges of the clock, so it does not run them.) -Wno-timescale: the
# RTL has no time scale, a bench has.

PARTS_HERE  := tests/rtl/parts
PARTS_BUILD := $(BUILD)/parts
PARTS       := $(patsubst $(PARTS_HERE)/test_%.v,%,$(wildcard $(PARTS_HERE)/test_*.v))
PARTS_RTL   := $(wildcard rtl/*.v rtl/core/*.v rtl/engine/*.v rtl/display/*.v boards/common/*.v) rtl/gpu_spec.vh \
               rtl/gpu_packets.vh rtl/config.vh rtl/core/core_result.vh

$(PARTS_BUILD)/%.vvp: $(PARTS_HERE)/test_%.v $(PARTS_HERE)/bench.vh $(PARTS_RTL)
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2012 -Wall -Wno-timescale -DGPU_ASSERT -I$(PARTS_HERE) -Irtl -Irtl/core \
	    -yrtl -yrtl/core -yrtl/engine -yrtl/display -yboards/common -s test_$* -o $@ $<
.PHONY: test-parts
TESTS += test-parts
test-parts: $(PARTS:%=$(PARTS_BUILD)/%.vvp)
	@for part in $(PARTS); do \
	    tests/run part-$${part//_/-} tests/rtl/icarus.sh $(PARTS_BUILD)/$$part.vvp || status=1; done; exit $${status:-0}
