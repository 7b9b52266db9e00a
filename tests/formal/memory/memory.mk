# SPDX-License-Identifier: Apache-2.0
# Proofs of the memory system's parts: arbiter, queue, aperture lookup, guard, both halves of the fabric; of the
# register bus; and of the node's fetch, completion queue and walk of page lists.

FORMAL_MEMORY := $(BUILD)/formal-memory
FORMAL_FABRIC := $(addprefix rtl/,fabric_address.v fabric_decode.v fabric_fifo.v sync_fifo.v arbiter.v)
.PHONY: test-formal-memory
TESTS += test-formal-memory
test-formal-memory:
	@tests/run formal-arbiter tests/formal/prove.sh $(FORMAL_MEMORY) arbiter_formal induction 6 \
	    tests/formal/memory/arbiter_formal.v rtl/arbiter.v
	@tests/run formal-reg-bus tests/formal/prove.sh $(FORMAL_MEMORY) reg_bus_formal induction 6 \
	    tests/formal/memory/reg_bus_formal.v rtl/reg_bus.v
	@tests/run formal-fifo tests/formal/prove.sh $(FORMAL_MEMORY) fabric_fifo_formal bounded 12 \
	    tests/formal/memory/fabric_fifo_formal.v rtl/fabric_fifo.v
	@tests/run formal-node-share tests/formal/prove.sh $(FORMAL_MEMORY) node_share_formal bounded 11 \
	    tests/formal/node/node_share_formal.v rtl/engine/node_share.v

# The aperture, the fabric's halves, the guard, and the node's fetch, completion queue and walk of page lists.
.PHONY: test-formal-memory-rest
TESTS_FULL += test-formal-memory-rest
test-formal-memory-rest:
	@tests/run formal-aperture tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY) aperture_path_formal bounded 9 \
	    tests/formal/memory/aperture_path_formal.v rtl/aperture_path.v rtl/fabric_fifo.v
	@tests/run formal-fabric tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY) fabric_read_formal bounded 8 \
	    tests/formal/memory/fabric_read_formal.v $(FORMAL_FABRIC) rtl/fabric_read.v
	@tests/run formal-fabric-write tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY) fabric_write_formal bounded 8 \
	    tests/formal/memory/fabric_write_formal.v $(FORMAL_FABRIC) rtl/fabric_write.v
	@tests/run formal-guard tests/formal/prove.sh $(FORMAL_MEMORY) guard_read_formal bounded 10 \
	    tests/formal/memory/guard_read_formal.v rtl/engine/guard_read.v rtl/engine/guard_table.v
	@tests/run formal-node-retire tests/formal/prove.sh $(FORMAL_MEMORY) node_retire_formal bounded 9 \
	    tests/formal/node/node_retire_formal.v rtl/engine/node_retire.v rtl/fabric_fifo.v
	@tests/run formal-guard-write tests/formal/prove.sh $(FORMAL_MEMORY) guard_write_formal bounded 9 \
	    tests/formal/memory/guard_write_formal.v rtl/engine/guard_write.v rtl/engine/guard_table.v rtl/fabric_fifo.v
	@tests/run formal-node-fetch tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY) node_fetch_formal bounded 11 \
	    tests/formal/node/node_fetch_formal.v rtl/engine/node_fetch.v rtl/fabric_fifo.v
	@tests/run formal-node-list tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY) node_list_formal bounded 12 \
	    tests/formal/node/node_list_formal.v rtl/engine/node_list.v

# As far as a list of two bursts goes.
.PHONY: test-formal-node-list
TESTS_FULL += test-formal-node-list
test-formal-node-list:
	@tests/run formal-node-list-deep tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY)/deep \
	    node_list_formal bounded 16 tests/formal/node/node_list_formal.v rtl/engine/node_list.v

# Who reaches the firmware's region.
.PHONY: test-formal-memory-region
TESTS_FULL += test-formal-memory-region
test-formal-memory-region:
	@tests/run formal-fabric-region tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY) fabric_region_formal bounded 6 \
	    tests/formal/memory/fabric_region_formal.v $(FORMAL_FABRIC) rtl/fabric_read.v rtl/fabric_write.v
	@SEGMENT=2 tests/run formal-fabric-region-2 tests/meta/kept tests/formal/prove.sh $(FORMAL_MEMORY) \
	    fabric_region_formal bounded 6 tests/formal/memory/fabric_region_formal.v $(FORMAL_FABRIC) \
	    rtl/fabric_read.v rtl/fabric_write.v

# No beat of an unprivileged RUN lies outside what is granted, on the bus ports of a node: docs/security.md. In
# `make test` the guard alone, its table included.
GRANTS_RTL := $(wildcard rtl/engine/*.v tests/formal/grants/*) rtl/fabric_fifo.v rtl/sync_fifo.v \
              rtl/event_counters.v
.PHONY: test-grants-formal test-grants-formal-rest
TESTS += test-grants-formal
TESTS_FULL += test-grants-formal-rest
test-grants-formal: $(GRANTS_RTL)
	@QUICK=1 tests/run grants-formal tests/formal/grants/grants.sh $(BUILD)/formal/grants-quick table guard
test-grants-formal-rest: $(GRANTS_RTL)
	@tests/run grants-formal-rest tests/meta/kept tests/formal/grants/grants.sh $(BUILD)/formal/grants
formal: test-grants-formal-rest

# The examiner: docs/security.md.
.PHONY: test-examiner-formal
TESTS_FULL += test-examiner-formal
test-examiner-formal:
	@tests/run examiner-formal tests/meta/kept tests/formal/memory/examiner.sh $(FORMAL_MEMORY)/examiner
