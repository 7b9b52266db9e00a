# SPDX-License-Identifier: Apache-2.0
# Tests of recording and playing SDL programs (host/sdl.mk), and the games.

PLAY_TEST := $(BUILD)/play

# host/host.mk compiles what they have of host/, with sanitizers.
play_sanitized = $(1:%=$(BUILD)/host/sanitized/host/%.o)
$(PLAY_TEST)/test_recording: tests/host/play/test_recording.c tests/host/play/recording_cases.h \
                             $(call play_sanitized,$(call host_files,tools/recording))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka -lz
$(PLAY_TEST)/test_check: tests/host/play/test_check.c host/tools/picture/sdl2.c $(HOST_OWN_HEADERS) \
                         $(call play_sanitized,clients/sdl/play/play_check tools/recording/recording_write)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka -lz
$(PLAY_TEST)/test_frames: WRAPPED := bound_draw
$(PLAY_TEST)/test_frames $(PLAY_TEST)/test_flip: $(PLAY_TEST)/%: tests/host/play/%.c $(HOST_OWN_HEADERS) \
                          $(HOST_LIBRARY) $(call play_sanitized,tools/bound/bound tools/view/places \
                            tools/recording/recording_write \
                            $(addprefix clients/sdl/play/play_,gpu image answers bind read allocation renew surface \
                              palette upload frame flip view)) \
                          $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) $(HOST_LIBRARY) $(DEVICE_LIBRARY) \
	    $(MODEL_LIBRARY) $(WRAPPED:%=-Wl,--wrap=%) -lcmocka -lz -lm
$(PLAY_TEST)/test_tracker: WRAPPED := malloc calloc realloc fwrite fflush fclose fdopen ftruncate clock_gettime
$(PLAY_TEST)/test_tracker: tests/host/play/test_tracker.c tests/host/report/held.h $(RECORD_HEADERS) \
                           $(patsubst %,$(BUILD)/host/clients/sdl/record/%.o,tracker difference surface library link \
                             drawn) $(patsubst %,$(BUILD)/host/%.o,$(call host_files,tools/recording))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/host/report -o $@ $(filter %.c %.o,$^) $(WRAPPED:%=-Wl,--wrap=%) -lz
$(PLAY_TEST)/test_stretch: tests/host/play/test_stretch.c $(HOST_OWN_HEADERS) $(HOST_LIBRARY) \
                           $(BUILD)/model/libmodel.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(HOST_LIBRARY) $(MODEL_LIBRARY) -lSDL2 -lm
$(PLAY_TEST)/test_events: tests/host/play/test_events.c $(RECORD_HEADERS) \
                          $(call play_sanitized,clients/sdl/record/events)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -Wl,--wrap=clock_gettime -lcmocka \
	    -pthread
$(PLAY_TEST)/test_launch: tests/host/play/test_launch.c $(RECORD_HEADERS) \
                          $(call play_sanitized,tools/cli/option_table tools/recording/recording_write \
                            $(addprefix clients/sdl/record/,launch events))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lz -lm -pthread
$(PLAY_TEST)/test_map: tests/host/play/test_map.c $(RECORD_HEADERS) \
                       $(call play_sanitized,tools/recording/recording_write)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka -lz
$(PLAY_TEST)/test_plan: tests/host/play/test_plan.c $(RECORD_HEADERS) \
                        $(call play_sanitized,clients/sdl/record/plan tools/recording/recording_write)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lSDL2 -lm -lz
$(PLAY_TEST)/test_renderer3: tests/host/play/test_renderer3.c $(RECORD_HEADERS) \
                             $(call play_sanitized,clients/sdl/record/renderer3)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka -lm
$(PLAY_TEST)/test_versions: tests/host/play/test_versions.c $(RECORD_HEADERS) \
                            $(call play_sanitized,clients/sdl/record/surface tools/recording/recording_write)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lz
$(PLAY_TEST)/test_textures: tests/host/play/test_textures.c $(RECORD_HEADERS) \
                            $(BUILD)/host/clients/sdl/record/renderer.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $(filter %.c %.o,$^) -lcmocka
HOOKS3_TEST := $(addprefix tests/host/play/,test_hooks3.c hooks3_rig.c)
$(PLAY_TEST)/hooks3_user.so: tests/host/play/hooks3_user.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -shared -fPIC -o $@ $<
$(PLAY_TEST)/test_hooks3: $(HOOKS3_TEST) tests/host/play/hooks3_rig.h tests/host/report/held.h $(RECORD_HEADERS) \
                          $(call play_sanitized,$(addprefix clients/sdl/record/, \
                            hooks_sdl3 hooks_sdl3_renderer sdl3_own)) \
                          $(PLAY_TEST)/hooks3_user.so
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -Itests/host/report -o $@ $(HOOKS3_TEST) $(filter %.o,$^) -lz -lm
$(PLAY_TEST)/blends: tests/host/play/blends.c $(BUILD)/host/tools/recording/recording_write.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $^ -lz
$(PLAY_TEST)/sprites1: tests/host/play/sprites.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=1 -o $@ $< -lSDL
$(PLAY_TEST)/sprites2: tests/host/play/sprites.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=2 -o $@ $< -lSDL2
$(PLAY_TEST)/rendered: tests/host/play/rendered.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< -lSDL2 -lz
$(PLAY_TEST)/stretches1: tests/host/play/stretches.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=1 -o $@ $< -lSDL -lz
$(PLAY_TEST)/stretches2: tests/host/play/stretches.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=2 -o $@ $< -lSDL2 -lz
$(PLAY_TEST)/ends1: tests/host/play/ends.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=1 -o $@ $< -lSDL
$(PLAY_TEST)/test_origin: tests/host/play/test_origin.c $(HOST_OWN_HEADERS) \
                          $(call play_sanitized,clients/sdl/play/play_origin tools/recording/recording_write)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka -lz
$(PLAY_TEST)/software: tests/host/play/software.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< -lSDL2
$(PLAY_TEST)/taken: tests/host/play/taken.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< -lSDL2
$(PLAY_TEST)/owned: tests/host/play/owned.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< -lSDL2
$(PLAY_TEST)/load: tests/host/play/load.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< -lSDL2
$(PLAY_TEST)/waits1: tests/host/play/waits.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=1 -o $@ $< -lSDL
$(PLAY_TEST)/waits2: tests/host/play/waits.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=2 -o $@ $< -lSDL2
# What cannot be recorded.
ALONE := $(addprefix $(PLAY_TEST)/alone-,static within)
$(PLAY_TEST)/alone-static: tests/host/play/alone.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -static -o $@ $<
$(PLAY_TEST)/alone-within: tests/host/play/alone.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DHAS_SDL_WITHIN -o $@ $<
# SDL 2 under another file name and another name for the loader, of the same length.
SDL2_FILE = $(shell $(CC) -print-file-name=libSDL2-2.0.so.0)
$(PLAY_TEST)/lib/libPict-2.0.so.0:
	@mkdir -p $(@D)
	@LC_ALL=C sed 's/libSDL2-2\.0\.so\.0/libPict-2.0.so.0/g' $(SDL2_FILE) >$@.partial
	@! cmp -s $(SDL2_FILE) $@.partial && mv $@.partial $@
LOADS := $(addprefix $(PLAY_TEST)/,loads loads-linked)
$(PLAY_TEST)/loads: tests/host/play/loads.c $(PLAY_TEST)/lib/libPict-2.0.so.0
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $<
$(PLAY_TEST)/loads-linked: tests/host/play/loads.c $(PLAY_TEST)/lib/libPict-2.0.so.0
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DIS_LINKED -o $@ $^ -Wl,-rpath,'$$ORIGIN/lib'
$(PLAY_TEST)/ends2: tests/host/play/ends.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -DSDL_VERSION_WANTED=2 -o $@ $< -lSDL2

# The recorder inside the test itself, for both SDLs. What is held: make report-written takes it again.
RECORDER_TESTS := $(foreach sdl,1 2,$(addsuffix $(sdl),$(addprefix $(PLAY_TEST)/,test_recorder test_recorder_life)))
RECORDER_NEEDS := $(RECORD_OBJECTS) $(BUILD)/host/tools/recording/recording_read.o tests/host/play/recorder_rig.h \
                  tests/host/report/held.h $(RECORD_HEADERS)
link_recorder   = $(CC) $(filter-out -Wconversion -Wsign-conversion,$(HOST_CFLAGS)) -Itests/host/report \
                  -DSDL_VERSION_WANTED=$(1) -o $@ $(filter %.c %.o,$^) $(2) -lz -lm -pthread
$(PLAY_TEST)/%1: tests/host/play/%.c $(RECORDER_NEEDS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(call link_recorder,1,-lSDL)
$(PLAY_TEST)/%2: tests/host/play/%.c $(RECORDER_NEEDS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(call link_recorder,2,-lSDL2)
.PHONY: test-recorder recorded-written
TESTS += test-recorder
test-recorder: $(RECORDER_TESTS)
	@for test in $^; do tests/run $$(echo $${test##*test_} | tr _ -) $$test $(PLAY_TEST) tests/host/play/recorded || \
	    status=1; done; exit $${status:-0}
report-written: recorded-written
recorded-written: $(RECORDER_TESTS)
	@{ sed -n '/^#/p' tests/host/play/recorded; \
	    for test in $^; do $$test $(PLAY_TEST) tests/host/play/recorded | sed -n 's/^sum //p'; done; } >$(PLAY_TEST)/sums
	@mv $(PLAY_TEST)/sums tests/host/play/recorded

# SDL 3, where there is one (Debian 13), and SDL 2 made of it.
SDL2_COMPAT = $(firstword $(patsubst %/,%,$(dir $(wildcard /usr/lib/*/sdl2-compat/libSDL2-2.0.so.0))))
THREE       = $(shell pkg-config --exists sdl3 2>/dev/null && \
                echo $(addprefix $(PLAY_TEST)/,three three_user.so rendered))
$(PLAY_TEST)/three: tests/host/play/three.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $$(pkg-config --cflags sdl3) -o $@ $< $$(pkg-config --libs sdl3)
$(PLAY_TEST)/three_user.so: tests/host/play/three_user.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -shared -fPIC -o $@ $<
.PHONY: test-three
TESTS += test-three
test-three: $(BUILD)/stand_in/tessera $(RECORDER) $(LIVE) $(FIRMWARE_IMAGE) $(THREE)
	@tests/run three tests/host/play/three.sh $(BUILD)/stand_in/tessera $(BUILD)/tessera-record $(PLAY_TEST) \
	    $(BUILD)/tessera-live $(SDL2_COMPAT)

.PHONY: test-recording test-record test-play test-rendered play-games play-ten play-wheels
TESTS      += test-recording test-record test-play
TESTS_FULL += test-rendered
TESTS_LONG += play-games play-ten play-wheels
test-recording: $(addprefix $(PLAY_TEST)/test_,recording check frames flip origin tracker stretch events launch map \
                  plan renderer3 hooks3 versions textures)
	@tests/run recording $<
	@tests/run play-frames $(PLAY_TEST)/test_frames
	@tests/run play-flip $(PLAY_TEST)/test_flip
	@tests/run play-judge $(PLAY_TEST)/test_check
	@tests/run play-origin $(PLAY_TEST)/test_origin
	@tests/run play-stretch $(PLAY_TEST)/test_stretch
	@tests/run record-events $(PLAY_TEST)/test_events
	@tests/run record-launch $(PLAY_TEST)/test_launch
	@tests/run record-map $(PLAY_TEST)/test_map
	@tests/run record-plan $(PLAY_TEST)/test_plan
	@tests/run record-renderer3 $(PLAY_TEST)/test_renderer3
	@tests/run record-textures2 $(PLAY_TEST)/test_textures 2
	@tests/run record-textures3 $(PLAY_TEST)/test_textures 3
	@tests/run record-versions $(PLAY_TEST)/test_versions
	@tests/run record-hooks3 $(PLAY_TEST)/test_hooks3 $(PLAY_TEST) tests/host/report/written
	@tests/run play-tracker $(PLAY_TEST)/test_tracker $(PLAY_TEST) tests/host/report/written
# Played by the stand-in (tests/host/stand_in), which draws with the golden model and needs no simulator.
test-record: $(BUILD)/stand_in/tessera $(RECORDER) $(PLAY_TEST)/ends1 $(PLAY_TEST)/ends2 $(ALONE) $(LOADS) \
             $(addprefix $(PLAY_TEST)/,software owned load taken waits1 waits2)
	@tests/run record tests/host/play/record.sh $(BUILD)/stand_in/tessera $(BUILD)/tessera-record $(PLAY_TEST)
test-play: $(BUILD)/tessera $(FIRMWARE_IMAGE) $(RECORDER) $(addprefix $(PLAY_TEST)/,blends sprites1 sprites2 load) \
           $(BUILD)/live/pairs2
	@tests/run play tests/host/play/play.sh $(BUILD)/tessera $(BUILD)/tessera-record $(PLAY_TEST)

# The recorder, tessera-live and programs, with sanitizers. These call dlsym themselves, which library_hook.c passes on
# by a jump, so it has none.
SANITIZED         := $(PLAY_TEST)/sanitized
SANITIZED_RECORD  := $(patsubst $(BUILD)/host/%,$(SANITIZED)/%, \
                       $(filter-out %/library_hook.o,$(RECORD_OBJECTS)))
SANITIZED_PLAY    := $(patsubst $(BUILD)/%,$(BUILD)/host/sanitized/%,$(PLAY_OBJECTS))
SANITIZED_LIVE    := $(patsubst $(BUILD)/%,$(BUILD)/host/sanitized/%,$(filter-out $(PLAY_OBJECTS),$(LIVE_OBJECTS)))
SANITIZED_PROGRAM := $(addprefix $(SANITIZED)/,owned load waits1 waits2 rendered sprites1 sprites2 software)
$(SANITIZED_RECORD): $(SANITIZED)/%.o: host/%.c $(RECORD_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(HOST_CFLAGS) $(SHARED_FLAGS) $(SANITIZE) -c -o $@ $<
$(SANITIZED)/libtessera-record.so: $(SANITIZED_RECORD) $(RECORDER)
	@cp $(BUILD)/tessera-record $(@D)
	$(call say,LINK,$@)$(CC) -shared $(SANITIZE) -o $@ $(SANITIZED_RECORD) \
	    $(BUILD)/host/clients/sdl/record/library_hook.o -lz -lm -pthread
$(SANITIZED)/tessera-live: private PLAY_OBJECTS := $(SANITIZED_PLAY)
$(SANITIZED)/tessera-live: $(SANITIZED_LIVE) $(SANITIZED_PLAY) $(PROGRAM_OBJECTS) $(HOST_LIBRARY) $(HOST_LINKED)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(call link_program,$(SANITIZE) $(SANITIZED_LIVE) \
	    $(filter-out %/main.o,$(PROGRAM_OBJECTS)))
$(SANITIZED_PROGRAM): $(SANITIZED)/%: $(wildcard tests/host/play/*.c)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -DSDL_VERSION_WANTED=$(if $(findstring 1,$*),1,2) -o $@ \
	    tests/host/play/$(patsubst %1,%,$(patsubst %2,%,$*)).c $(if $(findstring 1,$*),-lSDL,-lSDL2) -lz
.PHONY: test-sanitized
TESTS_FULL += test-sanitized
test-sanitized: $(SANITIZED)/libtessera-record.so $(SANITIZED)/tessera-live $(SANITIZED_PROGRAM) $(FIRMWARE_IMAGE)
	@tests/run sanitized tests/host/play/sanitized.sh $(SANITIZED)

# A recorder that expects every copy of a texture one pixel too far right: what it then finds to differ is all it has.
$(PLAY_TEST)/spoilt/libtessera-record.so: $(RECORD_OBJECTS) $(RECORDER)
	@mkdir -p $(@D)
	@sed 's/(int)to\.x + state->viewport\.x,/(int)to.x + state->viewport.x + 1,/' \
	    host/clients/sdl/record/plan.c >$(@D)/plan.c
	@! cmp -s host/clients/sdl/record/plan.c $(@D)/plan.c
	@cp $(BUILD)/tessera-record $(@D)
	$(call say,LINK,$@)$(call spoilt_recorder,plan)
test-rendered: $(BUILD)/tessera $(FIRMWARE_IMAGE) $(RECORDER) \
               $(addprefix $(PLAY_TEST)/,rendered stretches1 stretches2) $(PLAY_TEST)/spoilt/libtessera-record.so
	@tests/run rendered tests/host/play/rendered.sh $(BUILD)/tessera $(BUILD)/tessera-record $(PLAY_TEST)

# Programs of the distribution, installed, recorded, played with --check. FRAMES=N, CHIP=N, RENDERED=N.
play-games: $(BUILD)/tessera $(FIRMWARE_IMAGE) $(RECORDER)
	@tests/run play-games tests/host/play/games.sh $(BUILD)/tessera $(BUILD)/tessera-record $(PLAY_TEST)/games

# TEN: names of its list, all if not given.
play-ten: $(BUILD)/tessera $(FIRMWARE_IMAGE) $(RECORDER)
	@tests/run play-ten tests/host/play/ten.sh $(BUILD)/tessera $(BUILD)/tessera-record $(PLAY_TEST)/ten $(TEN)

# pygame, pygame-ce and PySDL2 as pip installs them; of those that it cannot, a line says so.
play-wheels: $(BUILD)/tessera $(FIRMWARE_IMAGE) $(RECORDER)
	@tests/run play-wheels tests/host/play/wheels.sh $(BUILD)/tessera $(BUILD)/tessera-record $(PLAY_TEST)/wheels

# The LVGL draw unit against a stand-in of each version of LVGL 9 that it is for, and of the one to come.
LVGL_UNIT  := $(wildcard host/clients/lvgl/*.c)
lvgl_tests = $(foreach minor,$(1),$(addsuffix _9.$(minor),$(addprefix $(PLAY_TEST)/test_lvgl,_shapes _images _display) \
               $(PLAY_TEST)/test_lvgl))
LVGL_USED  := $(patsubst %.c,%.o,$(LVGL_UNIT) \
                $(addprefix tests/host/play/,lvgl_bench.c lvgl/stand_in.c lvgl/stand_in_draw.c))
LVGL_USED  := $(addprefix $(PLAY_TEST)/lvgl_9.%/,$(LVGL_USED)) $(wildcard host/clients/lvgl/*.h tests/host/play/*.h \
                tests/host/play/lvgl/*.h tests/host/play/lvgl/*/*.h) $(HOST_HEADERS)
LVGL_BELOW := $(HOST_LIBRARY) $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a
LVGL_FLAGS := $(HOST_CFLAGS) $(SANITIZE) -Itests/host/play -Itests/host/play/lvgl
link_lvgl   = $(call say,LINK,$@)$(CC) $(LVGL_FLAGS) -DSTAND_IN_MINOR=$* -o $@ $(filter %.c %.o,$^) $(HOST_LIBRARY) \
              $(DEVICE_LIBRARY) $(MODEL_LIBRARY) -lcmocka
# What the three tests of a version share. 1: its number
define lvgl_objects
$(subst 9.%,9.$(1),$(filter %.o,$(LVGL_USED))): $(PLAY_TEST)/lvgl_9.$(1)/%.o: %.c $(filter %.h,$(LVGL_USED)) | spec
	@mkdir -p $$(@D)
	$$(call say,CC,$$<)$$(CC) $$(LVGL_FLAGS) -DSTAND_IN_MINOR=$(1) -c -o $$@ $$<
endef
$(foreach minor,4 5 6,$(eval $(call lvgl_objects,$(minor))))
$(PLAY_TEST)/test_lvgl_9.%: tests/host/play/test_lvgl.c $(LVGL_USED) $(LVGL_BELOW)
	@mkdir -p $(@D)
	$(link_lvgl)
$(PLAY_TEST)/test_lvgl_shapes_9.%: tests/host/play/test_lvgl_shapes.c $(LVGL_USED) $(LVGL_BELOW)
	@mkdir -p $(@D)
	$(link_lvgl)
$(PLAY_TEST)/test_lvgl_images_9.%: tests/host/play/test_lvgl_images.c $(LVGL_USED) $(LVGL_BELOW)
	@mkdir -p $(@D)
	$(link_lvgl)
$(PLAY_TEST)/test_lvgl_display_9.%: tests/host/play/test_lvgl_display.c $(LVGL_USED) $(LVGL_BELOW)
	@mkdir -p $(@D)
	$(link_lvgl)

.PHONY: test-lvgl test-lvgl-rest
TESTS      += test-lvgl
TESTS_FULL += test-lvgl-rest
test-lvgl: $(call lvgl_tests,5)
test-lvgl-rest: $(call lvgl_tests,4 6)
test-lvgl test-lvgl-rest:
	@for test in $^; do \
	    name=$${test##*test_lvgl_}; tests/run lvgl-$$(echo $$name | tr _ -) $$test || status=1; done; \
	    exit $${status:-0}

# LVGL's own demos in a real LVGL, built from LVGL_DIR, drawn by its renderer and by the unit; the list has what must
# come out. LVGL_ROWS: rows of the list, all if not given.
LVGL_ROWS ?= .
.PHONY: test-lvgl-real
test-lvgl-real: $(HOST_LIBRARY) $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a
	@[ -f "$(LVGL_DIR)/lvgl.h" ] || \
	    { echo "make test-lvgl-real: LVGL_DIR=$(LVGL_DIR) has no lvgl.h. Name a checkout of LVGL." >&2; exit 2; }
	@tests/host/lvgl/real.sh $(LVGL_DIR) $(BUILD)/lvgl $(LVGL_ROWS) $(HOST_LIBRARY) $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
