# SPDX-License-Identifier: Apache-2.0
# Proofs of the memory system's parts: arbiter, queue, aperture lookup, guard, read half of the fabric.

FORMAL_MEMORY := $(BUILD)/formal-memory
.PHONY: test-formal-memory
TESTS += test-formal-memory
test-formal-memory:
	@tests/run formal-arbiter tests/formal/prove.sh $(FORMAL_MEMORY) arbiter_formal induction 6 \
	    tests/formal/arbiter_formal.v rtl/arbiter.v
	@tests/run formal-fifo tests/formal/prove.sh $(FORMAL_MEMORY) fabric_fifo_formal bounded 12 \
	    tests/formal/fabric_fifo_formal.v rtl/fabric_fifo.v
	@tests/run formal-aperture tests/formal/prove.sh $(FORMAL_MEMORY) aperture_formal bounded 9 \
	    tests/formal/aperture_formal.v rtl/aperture_path.v rtl/fabric_fifo.v
	@tests/run formal-guard tests/formal/prove.sh $(FORMAL_MEMORY) guard_formal bounded 10 \
	    tests/formal/guard_formal.v rtl/engine/guard_read.v rtl/engine/guard_table.v
	@tests/run formal-fabric tests/formal/prove.sh $(FORMAL_MEMORY) fabric_formal bounded 6 \
	    tests/formal/fabric_formal.v rtl/fabric_read.v rtl/fabric_decode.v rtl/fabric_fifo.v rtl/arbiter.v
