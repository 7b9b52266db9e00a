# SPDX-License-Identifier: Apache-2.0
# Node, guard, fabric and aperture with the real mover against the golden model.

NODE_TEST     := $(BUILD)/node
NODE_TEST_RTL := $(wildcard rtl/engine/*.v rtl/fabric*.v rtl/aperture*.v) rtl/arbiter.v rtl/command_ram.v \
                 rtl/segment_ram.v rtl/slow_ram.v rtl/sync_fifo.v rtl/event_counters.v rtl/gpu_spec.vh rtl/config.vh

NODE_TEST_INCLUDES := $(addprefix -I$(CURDIR)/,spec model build tests/rtl/node)

$(NODE_TEST)/test_node: tests/rtl/node/test_node.cpp tests/rows.h $(wildcard tests/rtl/*.h tests/rtl/node/*.h) \
                        tests/rtl/node/node_bench.v $(NODE_TEST_RTL) $(MODEL_LIBRARY)
	@mkdir -p $(NODE_TEST)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    --top-module node_bench -CFLAGS "-std=c++17 $(NODE_TEST_INCLUDES)" -o ../$(@F) \
	    tests/rtl/node/node_bench.v $(abspath tests/rtl/node/test_node.cpp) $(abspath $(MODEL_LIBRARY)) \
	    >$@.log || (tail -n 30 $@.log; false)

.PHONY: test-node test-node-quick test-node-long
TESTS      += test-node-quick
TESTS_FULL += test-node
test-node-quick: $(NODE_TEST)/test_node
	@tests/run node-quick tests/rtl/pace.sh node-quick $< 1 1
test-node: $(NODE_TEST)/test_node
	@tests/run node $< 1 16
TESTS_LONG += test-node-long
test-node-long: $(NODE_TEST)/test_node
	@tests/run node-long sh -c 'for seed in 11 12 13 14 15; do $< $$seed 40 || exit 1; done'

# A recorded run, repeated by Icarus with unknown initial state.
$(NODE_TEST)/replay: tests/rtl/node/node_replay.v tests/rtl/node/node_bench.v $(NODE_TEST_RTL)
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2005 -Wall -Irtl -yrtl -yrtl/engine -s node_replay -o $@ \
	    tests/rtl/node/node_replay.v \
	    tests/rtl/node/node_bench.v
$(NODE_TEST)/record.txt: $(NODE_TEST)/test_node
	$< record $@ 5

.PHONY: test-node-icarus
TESTS_FULL += test-node-icarus
test-node-icarus: $(NODE_TEST)/replay $(NODE_TEST)/record.txt
	@tests/run node-icarus tests/rtl/icarus.sh $< +record=$(NODE_TEST)/record.txt

# Which draws are legal, every one of them: with all formats, and with few.
$(NODE_TEST)/icarus_node_blit_check-%.vvp: tests/rtl/node/icarus_node_blit_check.v rtl/engine/node_blit_check.v \
                                     rtl/gpu_spec.vh rtl/config.vh
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2012 -Wall -Wno-timescale -Irtl -DCONFIG_FORMATS=$* -s icarus_node_blit_check \
	    -o $@ $< rtl/engine/node_blit_check.v
.PHONY: test-node-blit-check
TESTS += test-node-blit-check
test-node-blit-check: $(NODE_TEST)/icarus_node_blit_check-1.vvp $(NODE_TEST)/icarus_node_blit_check-0.vvp
	@tests/run node-blit-check tests/rtl/icarus.sh $<
	@tests/run node-blit-check-few tests/rtl/icarus.sh $(NODE_TEST)/icarus_node_blit_check-0.vvp

# The walk of a page list alone, the guard, and packets: what the node's bench meets in minutes, in seconds.
$(NODE_TEST)/icarus_node_list.vvp: tests/rtl/node/icarus_node_list.v rtl/engine/node_list.v rtl/gpu_spec.vh \
    rtl/config.vh
$(NODE_TEST)/icarus_guard.vvp: tests/rtl/node/icarus_guard.v $(wildcard rtl/engine/guard*.v) rtl/fabric_fifo.v \
    rtl/gpu_spec.vh rtl/config.vh
$(NODE_TEST)/icarus_node_packet.vvp: tests/rtl/node/icarus_node_packet.v rtl/engine/node_packet.v rtl/gpu_spec.vh \
    rtl/gpu_packets.vh rtl/config.vh
$(addprefix $(NODE_TEST)/icarus_,node_list.vvp guard.vvp node_packet.vvp):
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2012 -Wall -Wno-timescale -DGPU_ASSERT -Irtl -s $(basename $(@F)) -o $@ \
	    $(filter %.v,$^)
.PHONY: test-node-list test-guard test-node-packet
TESTS += test-node-list test-guard test-node-packet
test-node-packet: $(NODE_TEST)/icarus_node_packet.vvp
	@tests/run node-packet tests/rtl/icarus.sh $<
test-node-list: $(NODE_TEST)/icarus_node_list.vvp
	@tests/run node-list tests/rtl/icarus.sh $<
test-guard: $(NODE_TEST)/icarus_guard.vvp
	@tests/run guard tests/rtl/icarus.sh $<

# Each counter alone. 2012 for $$fatal; only the top has a clock with a time, so only it has a timescale.
$(NODE_TEST)/icarus_node_counters.vvp: tests/rtl/node/icarus_node_counters.v rtl/engine/node_counters.v \
    rtl/event_counters.v rtl/gpu_spec.vh rtl/config.vh
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2012 -Wall -Wno-timescale -DGPU_ASSERT -Irtl -s icarus_node_counters -o $@ $< \
	    rtl/engine/node_counters.v rtl/event_counters.v
.PHONY: test-node-counters
TESTS += test-node-counters
test-node-counters: $(NODE_TEST)/icarus_node_counters.vvp
	@tests/run node-counters tests/rtl/icarus.sh $<
