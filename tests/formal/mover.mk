# SPDX-License-Identifier: Apache-2.0
# Proofs for the mover's parts, all unbounded: from reset and by induction.

MOVER_PROOF_RTL := rtl/sync_fifo.v rtl/engine/mover_cutter.v rtl/engine/mover_read.v rtl/engine/mover_buffer.v

.PHONY: test-mover-formal
TESTS += test-mover-formal
test-mover-formal: $(MOVER_PROOF_RTL) $(wildcard tests/formal/mover_*)
	@mkdir -p $(BUILD)/formal/mover
	@tests/run mover-formal tests/formal/mover_prove.sh $(BUILD)/formal/mover $(MOVER_PROOF_RTL)
