# SPDX-License-Identifier: Apache-2.0
# Proofs of the display: its fetch, and that no pixel is late if the memory keeps what it promises.
.PHONY: test-formal-display
TESTS += test-formal-display
test-formal-display:
	@tests/run formal-display-fetch tests/formal/prove.sh $(BUILD)/formal-display display_fetch_formal bounded 9 \
	    tests/formal/display/display_fetch_formal.v rtl/display/display_fetch.v rtl/sync_fifo.v
	@tests/run formal-display-level tests/formal/prove.sh $(BUILD)/formal-display display_level_formal induction 12 \
	    tests/formal/display/display_level_formal.v
