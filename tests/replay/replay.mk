# SPDX-License-Identifier: Apache-2.0
# `build/tessera replay` (host/replay*.c, host/pagesim*.c) and its tests.

PAGESIM_FILES := pagesim pagesim_read pagesim_write pagesim_bound
REPLAY_CORE   := replay_run replay_setup replay_stream replay_oracle replay_track replay_track_paging replay_schedule \
                 replay_report replay_machine_model
REPLAY_FILES  := $(PAGESIM_FILES) $(REPLAY_CORE) replay replay_machine_simulator
REPLAY_OBJECTS := $(REPLAY_FILES:%=$(BUILD)/host/%.o)
REPLAY_LIBS   := -ljson-c

# host/host.mk links them.
$(BUILD)/tessera: $(REPLAY_OBJECTS)
