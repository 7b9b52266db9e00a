# SPDX-License-Identifier: Apache-2.0
# Tests of programs that the GPU draws while they run (build/tessera-live, host/sdl.mk).

LIVE_TEST := $(BUILD)/live

$(LIVE_TEST)/%1: tests/host/live/%.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=1 -o $@ $< -lSDL -lz
$(LIVE_TEST)/%2: tests/host/live/%.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=2 -o $@ $< -lSDL2 -lz
$(LIVE_TEST)/test_drawn: tests/host/live/test_drawn.c \
                         $(patsubst %,host/clients/sdl/record/%.c,drawn surface library link) \
                         host/tools/recording/recording_write.c $(RECORD_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka -lz
$(LIVE_TEST)/test_live_gpu: tests/host/live/test_live_gpu.c $(LIVE_OBJECTS) $(PROGRAM_OBJECTS) $(PLAY_OBJECTS) \
                            $(HOST_LIBRARY) $(HOST_LINKED)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -c -o $@.o $<
	$(call say,LINK,$@)$(call link_program,$@.o $(filter-out %/tessera_live.o,$(LIVE_OTHERS))) -Wl,--wrap=write -lcmocka
# A recorder that leaves out every key.
$(LIVE_TEST)/spoilt/libtessera-record.so: $(RECORD_OBJECTS) $(BUILD)/tessera-live
	@mkdir -p $(@D)
	@sed 's/\.mode = how->mode,/.mode = recording_unkeyed(how->mode),/' host/clients/sdl/record/tracker.c >$(@D)/tracker.c
	@! cmp -s host/clients/sdl/record/tracker.c $(@D)/tracker.c
	@cp $(BUILD)/tessera-live $(@D)
	$(call say,LINK,$@)$(call spoilt_recorder,tracker)

.PHONY: test-live live-games
TESTS      += test-live
TESTS_LONG += live-games
LIVE_NEEDS := $(addprefix $(LIVE_TEST)/,shown1 shown2 formats1 formats2 pairs2 spoilt/libtessera-record.so) \
              $(addprefix $(BUILD)/play/,sprites1 sprites2 ends1 ends2 software rendered load taken waits2 \
                alone-static alone-within loads loads-linked)
test-live: $(LIVE) $(FIRMWARE_IMAGE) $(LIVE_NEEDS) $(LIVE_TEST)/test_drawn $(LIVE_TEST)/test_live_gpu
	@tests/run live-drawn $(LIVE_TEST)/test_drawn
	@tests/run live-gpu $(LIVE_TEST)/test_live_gpu
	@tests/run live tests/host/live/live.sh $(BUILD)/tessera-live $(LIVE_TEST) $(BUILD)/play

# Programs of the distribution, installed, drawn while they run. FRAMES=N.
live-games: $(LIVE) $(FIRMWARE_IMAGE)
	@tests/run live-games tests/host/live/games.sh $(BUILD)/tessera-live $(LIVE_TEST)/games
