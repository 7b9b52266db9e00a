# SPDX-License-Identifier: Apache-2.0
# Proofs for the mover's parts, all unbounded: from reset and by induction.

MOVER_PROOF_RTL := rtl/sync_fifo.v rtl/engine/mover_cutter.v rtl/engine/mover_read.v rtl/engine/mover_buffer.v

.PHONY: test-mover-formal
TESTS += test-mover-formal
test-mover-formal: $(MOVER_PROOF_RTL) $(wildcard tests/formal/mover/*)
	@mkdir -p $(BUILD)/formal/mover
	@tests/run mover-formal tests/formal/mover/mover_prove.sh $(BUILD)/formal/mover $(MOVER_PROOF_RTL)

# No read of a map leaves its source rectangle.
MOVER_MAP_RTL := rtl/sync_fifo.v rtl/engine/mover_map.v rtl/engine/mover_fold.v rtl/engine/mover_taps.v \
                 rtl/engine/pixel_bytes.v rtl/engine/pixel_size.v tests/formal/mover/mover_map_formal.v
.PHONY: test-mover-map
TESTS_FULL += test-mover-map
test-mover-map: $(MOVER_MAP_RTL)
	@tests/run mover-map tests/meta/kept tests/formal/prove.sh $(BUILD)/formal/mover mover_map_formal induction 20 \
	    $(MOVER_MAP_RTL)

# The whole mover, small, to 22 cycles from reset: shows what is written and offered. Completion is shown below, without
# bounds.
MOVER_COMPLETE := 8:0:0:30:22
.PHONY: test-mover-complete
TESTS_LONG += test-mover-complete
test-mover-complete: $(MOVER_RTL) tests/formal/mover/mover_complete.v tests/formal/mover/mover_complete.sh
	@tests/run mover-complete tests/formal/mover/mover_complete.sh $(BUILD)/formal/complete $(MOVER_RTL) -- \
	    $(MOVER_COMPLETE)

# Every copy completes and stays inside its ranges: by induction, for any addresses and any length.
MOVER_PROGRESS_RTL := $(addprefix rtl/engine/,mover.v mover_command.v mover_fills.v mover_pieces.v mover_cutter.v \
                        mover_read.v mover_aligner.v mover_turn.v mover_write.v mover_units.v mover_needs.v \
                        pixel_size.v)
.PHONY: test-mover-progress
TESTS_LONG += test-mover-progress
test-mover-progress: $(MOVER_PROGRESS_RTL) $(wildcard tests/formal/mover/mover_progress.*) \
    $(addprefix tests/formal/mover/mover_,queues.v sat.sh)
	@tests/run mover-progress tests/formal/mover/mover_progress.sh $(BUILD)/formal/progress 32 $(MOVER_PROGRESS_RTL)

# Every command of every kind but pixels completes: it is cut into finitely many bursts that fit (walk), bytes tell the
# same as beats (fit), and the bursts given are finished (stream). Unbounded, by induction; fit is combinational.
MOVER_WALK_RTL   := $(MOVER_PROGRESS_RTL) rtl/engine/mover_buffer.v rtl/sync_fifo.v
MOVER_STREAM_RTL := $(MOVER_PROGRESS_RTL) tests/formal/mover/mover_stand_ins.v rtl/engine/mover_pixels.v \
                      $(filter-out %/pixel_size.v,$(wildcard rtl/engine/pixel_*.v))
.PHONY: test-mover-walk test-mover-commands
TESTS_FULL += test-mover-walk
TESTS_LONG += test-mover-commands
test-mover-walk: $(MOVER_WALK_RTL) $(addprefix tests/formal/mover/mover_,walk.v commands.sh sat.sh)
	@tests/run mover-walk tests/meta/kept tests/formal/mover/mover_commands.sh walk $(BUILD)/formal/walk $(MOVER_WALK_RTL)
test-mover-commands: $(MOVER_STREAM_RTL) $(addprefix tests/formal/mover/mover_,fit.v stream.v commands.sh sat.sh)
	@tests/run mover-fit tests/formal/mover/mover_commands.sh fit $(BUILD)/formal/fit
	@tests/run mover-stream tests/formal/mover/mover_commands.sh stream $(BUILD)/formal/stream $(MOVER_STREAM_RTL)

# The pixel path finishes every row it has the beats of; and what the write half waits for holds those beats.
MOVER_PIXEL_ROWS_RTL := tests/formal/mover/mover_stand_ins.v $(addprefix rtl/engine/,mover_aligner.v mover_turn.v \
                          pixel_path.v pixel_unpack.v pixel_expand.v pixel_blend.v pixel_pack.v pixel_size.v)
.PHONY: test-mover-pixel-rows
TESTS_FULL += test-mover-pixel-rows
test-mover-pixel-rows: $(MOVER_PIXEL_ROWS_RTL) $(addprefix tests/formal/mover/mover_,pixel_rows.v needs_formal.v \
                         commands.sh sat.sh)
	@tests/run mover-pixel-rows tests/meta/kept tests/formal/mover/mover_commands.sh pixel_rows \
	    $(BUILD)/formal/pixel_rows $(MOVER_PIXEL_ROWS_RTL)
	@tests/run mover-ahead tests/formal/mover/mover_commands.sh needs_formal $(BUILD)/formal/ahead \
	    rtl/engine/mover_units.v rtl/engine/mover_needs.v
