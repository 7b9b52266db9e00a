# SPDX-License-Identifier: Apache-2.0
# Proofs for the mover's parts, all unbounded: from reset and by induction.

MOVER_PROOF_RTL := rtl/sync_fifo.v rtl/engine/mover_cutter.v rtl/engine/mover_read.v rtl/engine/mover_buffer.v

.PHONY: test-mover-formal
TESTS += test-mover-formal
test-mover-formal: $(MOVER_PROOF_RTL) $(wildcard tests/formal/mover_*)
	@mkdir -p $(BUILD)/formal/mover
	@tests/run mover-formal tests/formal/mover_prove.sh $(BUILD)/formal/mover $(MOVER_PROOF_RTL)

# The whole mover, small, to 18 cycles of reset: shows what is written and offered. The bound of 30 cycles on
# completion lies behind that depth: not shown yet (docs/engine.md).
MOVER_COMPLETE := 8:0:0:30:18
.PHONY: test-mover-complete
TESTS_LONG += test-mover-complete
test-mover-complete: $(MOVER_RTL) tests/formal/mover_complete.v tests/formal/mover_complete.sh
	@tests/run mover-complete tests/formal/mover_complete.sh $(BUILD)/formal/complete $(MOVER_RTL) -- \
	    $(MOVER_COMPLETE)

# Every copy completes and stays inside its ranges: by induction, for any addresses and any length.
MOVER_PROGRESS_RTL := $(addprefix rtl/engine/,mover.v mover_pieces.v mover_cutter.v mover_read.v mover_aligner.v \
                        mover_turn.v mover_write.v mover_units.v pixel_size.v)
.PHONY: test-mover-progress
TESTS_LONG += test-mover-progress
test-mover-progress: $(MOVER_PROGRESS_RTL) $(wildcard tests/formal/mover_progress.* tests/formal/mover_queues.v)
	@tests/run mover-progress tests/formal/mover_progress.sh $(BUILD)/formal/progress 32 $(MOVER_PROGRESS_RTL)
