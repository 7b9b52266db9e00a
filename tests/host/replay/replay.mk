# SPDX-License-Identifier: Apache-2.0
# `build/tessera replay` (host/tools/replay/) and its tests.

PAGESIM_FILES := $(filter tools/replay/pagesim%,$(call host_files,tools/replay))
# Everything but the simulator.
REPLAY_CORE   := $(filter-out tools/replay/replay_machine_simulator,$(REPLAY_FILES)) tools/cli/progress tools/cli/option_table
REPLAY_LIBS   := -ljson-c

# ------------------------------------------------------------------ tests

REPLAY_TEST_HEADERS := tests/rows.h $(HOST_HEADERS) $(wildcard tests/host/replay/*.h)
# host/host.mk compiles these.
SANITIZED_PAGESIM   := $(PAGESIM_FILES:%=$(BUILD)/host/sanitized/host/%.o)
REPLAY_TEST_SOURCES := $(patsubst %,$(BUILD)/host/sanitized/host/%.o,$(REPLAY_CORE) $(TESSERA_FILES)) \
                       tests/host/replay/families.c tests/host/replay/schedule_check.c

$(BUILD)/replay/test_pagesim: tests/host/replay/test_pagesim.c tests/host/replay/families.c $(SANITIZED_PAGESIM) \
                              $(REPLAY_TEST_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -Itests/host/replay -o $@ $(filter %.c %.o,$^) -lcmocka -ljson-c
$(BUILD)/replay/test_pagesim_held: tests/host/replay/test_pagesim_held.c tests/host/replay/families.c \
                                   $(PAGESIM_FILES:%=$(BUILD)/host/%.o) $(BUILD)/host/tools/replay/replay_stream.o \
                                   tests/host/report/held.h $(REPLAY_TEST_HEADERS) $(HOST_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/host/replay -Itests/host/report -o $@ $(filter %.c %.o,$^) \
	    $(HOST_LIBRARY) -ljson-c -lz
$(BUILD)/replay/test_replay: tests/host/replay/test_replay.c $(REPLAY_TEST_SOURCES) $(REPLAY_TEST_HEADERS) \
                             $(BUILD)/host/lib/device/installation.o $(BUILD)/firmware/libdevice.a \
                             $(BUILD)/model/libmodel.a | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -Itests/host/replay -o $@ $(filter %.c %.o,$^) \
	    -Wl,--wrap=replay_open_model \
	    $(DEVICE_LIBRARY) $(MODEL_LIBRARY) -lcmocka -ljson-c
# The same with calls of memory that can be refused, and files of its own.
$(BUILD)/replay/test_troubles: tests/host/replay/test_troubles.c tests/host/refused.h $(REPLAY_TEST_SOURCES) \
                               $(REPLAY_TEST_HEADERS) \
                               $(BUILD)/host/lib/device/installation.o $(BUILD)/firmware/libdevice.a \
                               $(BUILD)/model/libmodel.a | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -DREPLAY_RIG='"troubles"' -Itests/host -Itests/host/replay -o $@ \
	    $(filter %.c %.o,$^) $(DEVICE_LIBRARY) $(MODEL_LIBRARY) \
	    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -lcmocka -ljson-c
replay_sanitized = $(1:%=$(BUILD)/host/sanitized/host/tools/replay/replay_%.o)
$(BUILD)/replay/test_meter: tests/host/replay/test_meter.c $(call replay_sanitized,meter ratio) $(REPLAY_TEST_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka -ljson-c
$(BUILD)/replay/test_track: tests/host/replay/test_track.c \
                            $(call replay_sanitized,track meter track_paging track_list) $(REPLAY_TEST_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka

.PHONY: test-replay-pagesim test-replay-meter test-replay-track test-replay test-replay-troubles
TESTS      += test-replay-pagesim test-replay-meter test-replay-track test-replay test-replay-troubles
test-replay-pagesim: $(BUILD)/replay/test_pagesim $(BUILD)/replay/test_pagesim_held
	@tests/run replay-pagesim $<
	@tests/run replay-pagesim-held $(BUILD)/replay/test_pagesim_held $(BUILD)/replay tests/host/report/written
test-replay-meter: $(BUILD)/replay/test_meter
	@tests/run replay-meter $<
test-replay-track: $(BUILD)/replay/test_track
	@tests/run replay-track $<
test-replay: $(BUILD)/replay/test_replay
	@tests/run replay $<
test-replay-troubles: $(BUILD)/replay/test_troubles
	@tests/run replay-troubles $<

REPLAY_TOOLS := $(BUILD)/replay/make_workload $(BUILD)/replay/check_schedule
$(REPLAY_TOOLS): $(BUILD)/replay/%: tests/host/replay/%.c tests/host/replay/families.c \
    tests/host/replay/schedule_check.c \
                 $(PAGESIM_FILES:%=host/%.c) $(REPLAY_TEST_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/host/replay -o $@ $(filter %.c,$^) -ljson-c

# The same in co-simulation: two families now, all six in both modes for the long tests.
.PHONY: test-replay-cosim test-replay-cosim-long
TESTS_FULL += test-replay-cosim
TESTS_LONG += test-replay-cosim-long
test-replay-cosim: $(BUILD)/tessera $(FIRMWARE_IMAGE) $(REPLAY_TOOLS)
	@tests/run replay-cosim tests/host/replay/cosim.sh $(BUILD)/tessera $(BUILD)/replay 8 1 --twice mixed multipass
test-replay-cosim-long: $(BUILD)/tessera $(FIRMWARE_IMAGE) $(REPLAY_TOOLS)
	@tests/run replay-cosim-long tests/host/replay/cosim.sh $(BUILD)/tessera $(BUILD)/replay 4 3 --twice streaming \
	    composition \
	    multipass pingpong mixed pathological

# The table of docs/replay.md: the six families under both policies, then the files in WORKLOADS.
WORKLOADS ?=
.PHONY: test-replay-table-long
TESTS_LONG += test-replay-table-long
test-replay-table-long: $(BUILD)/tessera $(REPLAY_TOOLS)
	@tests/run replay-table-long tests/host/replay/table.sh $(BUILD)/tessera $(BUILD)/replay $(WORKLOADS)
	@cat $(BUILD)/tests/replay-table-long.log
