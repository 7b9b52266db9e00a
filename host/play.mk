# SPDX-License-Identifier: Apache-2.0
# Recording SDL programs (build/tessera-record, build/libtessera-record.so) and playing them (`tessera play`).
# tests/play/play.mk has their tests. host/host.mk links PLAY_OBJECTS.

PLAY_FILES   := play play_run play_report play_gpu play_view play_check sdl2 window recording_read recording_write
PLAY_OBJECTS := $(PLAY_FILES:%=$(BUILD)/host/%.o)
PLAY_LIBS    := -lz

$(BUILD)/tessera: $(PLAY_OBJECTS)
$(PLAY_OBJECTS): $(wildcard host/record/*.h)

# Preloaded into other people's programs: it exports SDL's names and nothing else.
RECORD_SOURCES := $(wildcard host/record/*.c) host/recording_write.c
$(BUILD)/libtessera-record.so: $(RECORD_SOURCES) $(wildcard host/record/*.h) host/recording.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -D_DEFAULT_SOURCE -Ihost/record -fPIC -fvisibility=hidden -shared -o $@ $(RECORD_SOURCES) -lz -pthread
$(BUILD)/tessera-record: host/record/tessera-record.sh
	@mkdir -p $(@D)
	install -m 755 $< $@

.PHONY: record
record: $(BUILD)/libtessera-record.so $(BUILD)/tessera-record
all: record
