# SPDX-License-Identifier: Apache-2.0
# Recording SDL programs (build/tessera-record, build/libtessera-record.so) and playing them (`tessera play`).
# tests/host/play/play.mk has their tests. host/host.mk links PLAY_OBJECTS.

PLAY_FILES   := $(call host_files,clients/sdl/play tools/recording) tools/picture/sdl2 tools/picture/window
PLAY_OBJECTS := $(PLAY_FILES:%=$(BUILD)/host/%.o)
PLAY_LIBS    := -lz -lm

$(BUILD)/tessera: $(PLAY_OBJECTS)

# Preloaded into other people's programs: it exports SDL's names and nothing else.
RECORD_HEADERS := $(wildcard host/clients/sdl/record/*.h) host/tools/recording/recording.h host/tools/picture/sdl_abi.h
LAUNCH_FILES   := $(addprefix clients/sdl/record/,launch program events link surface library) \
                  tools/recording/recording_write
RECORD_SOURCES := $(filter-out %/launcher.c %/launch.c %/program.c,$(wildcard host/clients/sdl/record/*.c)) \
                  host/tools/recording/recording_write.c
RECORD_OBJECTS := $(RECORD_SOURCES:%.c=$(BUILD)/%.o)
$(BUILD)/libtessera-record.so: $(RECORD_OBJECTS)
	$(call say,LINK,$@)$(CC) -shared -o $@ $(RECORD_OBJECTS) -lz -lm -pthread
# $(call spoilt_recorder,FILE): with a changed FILE.c of the folder in the place of that of host/clients/sdl/record.
spoilt_recorder = $(CC) $(HOST_CFLAGS) $(SHARED_FLAGS) -shared -o $@ $(@D)/$(1).c \
    $(filter-out %/$(1).o,$(RECORD_OBJECTS)) -lz -lm -pthread
LAUNCHER_OBJECTS := $(patsubst %,$(BUILD)/host/%.o,clients/sdl/record/launcher $(LAUNCH_FILES))
$(BUILD)/tessera-record: $(LAUNCHER_OBJECTS) $(BUILD)/host/tools/cli/option_table.o
	$(call say,LINK,$@)$(CC) -o $@ $^ -lz

# A program drawn by the GPU while it runs: the same recorder, and what plays its recording at once.
LIVE_OBJECTS := $(patsubst %,$(BUILD)/host/%.o,$(call host_files,clients/sdl/live) $(LAUNCH_FILES))
LIVE_OTHERS   = $(filter-out %/main.o,$(PROGRAM_OBJECTS)) \
                $(filter-out $(PLAY_OBJECTS),$(LIVE_OBJECTS))
$(BUILD)/tessera-live: $(LIVE_OBJECTS) $(PROGRAM_OBJECTS) $(PLAY_OBJECTS) $(HOST_LIBRARY) $(HOST_LINKED)
	$(call say,LINK,$@)$(call link_program,$(LIVE_OTHERS))

.PHONY: live
live: deps-run
	@$(MAKE) --no-print-directory $(LIVE) $(BUILD)/firmware/gpu.elf
all: $(LIVE)

# The recorder, and what plays its files.
.PHONY: record play
record: deps-run
	@$(MAKE) --no-print-directory $(RECORDER) $(PROGRAM) $(BUILD)/firmware/gpu.elf
all: $(RECORDER)

FILE         ?= recording.tsdl
PLAY_OPTIONS ?=
play: deps-run
	@$(MAKE) --no-print-directory $(PROGRAM) $(BUILD)/firmware/gpu.elf
	$(PROGRAM) play '$(FILE)' $(if $(filter 1,$(WINDOW)),--window) $(PLAY_OPTIONS)

# The LVGL draw unit, against the user's LVGL, as an archive. LV_CONF: the folder of lv_conf.h; without it LVGL's
# defaults.
LVGL_DIR ?=
LV_CONF  ?=
.PHONY: lvgl
lvgl: | spec
	@[ -f "$(LVGL_DIR)/lvgl.h" ] || \
	    { echo "make lvgl: LVGL_DIR=$(LVGL_DIR) has no lvgl.h. Name a checkout of LVGL." >&2; exit 2; }
	@mkdir -p $(BUILD)/lvgl
	@rm -f $(BUILD)/lvgl/liblvgl_tessera.a
	@for file in host/clients/lvgl/*.c; do \
	    $(CC) -std=c11 -O2 -g -Wall -Wextra -Werror -Ispec -I$(BUILD) -Ihost -Ihost/include -isystem $(LVGL_DIR) \
	        -isystem $(LVGL_DIR)/src $(if $(LV_CONF),-I$(LV_CONF) -DLV_CONF_INCLUDE_SIMPLE,-DLV_CONF_SKIP) -c \
	        -o $(BUILD)/lvgl/$$(basename $$file .c).o $$file || exit 1; done
	$(call say,AR,$(BUILD)/lvgl/liblvgl_tessera.a)ar rcs $(BUILD)/lvgl/liblvgl_tessera.a $(BUILD)/lvgl/lv_*.o
