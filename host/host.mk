# SPDX-License-Identifier: Apache-2.0
# The host library (build/host/libtessera.a), the program build/tessera with scene, model and simulator,
# `make run`, and their tests.

HOST_CFLAGS   := $(CFLAGS) -D_DEFAULT_SOURCE
HOST_LIBRARY  := $(BUILD)/host/libtessera.a
# The files of folders of host/, as paths below it without .c.
host_files     = $(patsubst host/%.c,%,$(sort $(wildcard $(1:%=host/%/*.c))))
TESSERA_FILES := $(call host_files,lib lib/gdb lib/tdump)
SCENE_FILES   := $(call host_files,tools/scene tools/bound) tools/picture/image_png
PROGRAM_FILES := main $(call host_files,lib/device $(addprefix tools/,cli command compare contend view))
HOST_OWN_HEADERS := $(wildcard host/*/*.h host/*/*/*.h host/*/*/*/*.h)
HOST_HEADERS  := $(HOST_OWN_HEADERS) $(wildcard model/*.h sim/*.h) $(FIRMWARE_HEADERS)
# SIM_TRACE=1 makes build/tessera-fst, which can write wave forms, beside the faster build/tessera; SIM_WIDE=1
# build/tessera-wide, whose chip has core memory for all of the firmware (sim/sim.mk).
SIM_SUFFIX    := $(if $(filter 1,$(SIM_TRACE)),-fst)$(if $(filter 1,$(SIM_WIDE)),-wide)$(if \
    $(SIM_BOARD),-$(SIM_BOARD)$(if $(filter 45k,$(SIZE)),-45k))
PROGRAM       := $(BUILD)/tessera$(SIM_SUFFIX)
# Made by sdl.mk; install.mk, which is read before that, names them.
RECORDER      := $(BUILD)/libtessera-record.so $(BUILD)/tessera-record
LIVE          := $(BUILD)/tessera-live $(BUILD)/libtessera-record.so
# Names of other folders' *.mk that are read after this one.
REPLAY_FILES  := $(call host_files,tools/replay)
REPLAY_OBJECTS := $(REPLAY_FILES:%=$(BUILD)/host/%.o)
# What link_program links besides the objects that it is given and $(PLAY_OBJECTS).
HOST_LINKED   := $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a $(BUILD)/sim$(SIM_SUFFIX)/libsimulator.a \
                 $(REPLAY_OBJECTS)

all: $(PROGRAM)

# A page as strings: what is before and after its line DATA. A line SCRIPT stands for the scripts, STYLE for the style
# of the report. 1: folder; 2: page; 3: scripts; 4: name of the strings.
page_strings = (cd host/tools/$(1) && awk -v scripts="$(3)" \
	        '$$0 == "SCRIPT" { count = split(scripts, part); \
	         for (i = 1; i <= count; i++) while ((getline line <(part[i] ".js")) > 0) print line; next } \
	         $$0 == "STYLE" { while ((getline line <"../view/report.html") > 0) { \
	             if (line == "<style>") inside = 1; if (inside) print line; if (line == "</style>") inside = 0 } next } \
	         { print }' $(2)) | \
	awk 'BEGIN { print "static const char *const $(4)_before[] = {" } \
	     $$0 == "DATA" { print "};\nstatic const char *const $(4)_after[] = {"; next } \
	     { gsub(/\\/, "\\\\\\\\"); gsub(/"/, "\\\""); print "\"" $$0 "\\n\"," } END { print "};" }' >$@.tmp && \
	mv $@.tmp $@
REPORT_SCRIPTS  := page report_data report_frames report_pacing report_draws report_step report_why report \
                   report_step_check report_why_check report_check
COMPARE_SCRIPTS := ../view/page compare compare_check
$(BUILD)/report_page.h: host/tools/view/report.html $(REPORT_SCRIPTS:%=host/tools/view/%.js) host/host.mk
	@mkdir -p $(@D)
	$(call say,PAGE,$@)$(call page_strings,view,report.html,$(REPORT_SCRIPTS),report_page)
$(BUILD)/compare_page.h: host/tools/compare/compare.html host/tools/view/report.html \
                         $(COMPARE_SCRIPTS:%=host/tools/compare/%.js) host/host.mk
	@mkdir -p $(@D)
	$(call say,PAGE,$@)$(call page_strings,compare,compare.html,$(COMPARE_SCRIPTS),compare_page)
$(BUILD)/host/tools/compare/compare_page.o: $(BUILD)/compare_page.h
$(BUILD)/host/tools/view/report_html.o: $(BUILD)/report_page.h
INSTALLATION := $(BUILD)/host/lib/device/installation.o $(BUILD)/host/sanitized/host/lib/device/installation.o
$(INSTALLATION): HOST_CFLAGS += -DTESSERA_FIRMWARE_PATH=$(BUILD)/firmware/gpu.elf -DTESSERA_VERSION=$(shell cat VERSION)
$(INSTALLATION): VERSION
$(BUILD)/host/%.o: host/%.c $(HOST_HEADERS) host/install.mk | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(HOST_CFLAGS) $(SHARED_FLAGS) -c -o $@ $<
$(HOST_LIBRARY): $(TESSERA_FILES:%=$(BUILD)/host/%.o)
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

PROGRAM_OBJECTS := $(PROGRAM_FILES:%=$(BUILD)/host/%.o) $(SCENE_FILES:%=$(BUILD)/host/%.o)
# 1: objects in the place of PROGRAM_OBJECTS.
link_program = $(CXX) -o $@ $(1) $(REPLAY_OBJECTS) $(PLAY_OBJECTS) $(HOST_LIBRARY) $(DEVICE_LIBRARY) $(MODEL_LIBRARY) \
    $(SIM_LIBS) -lpng $(REPLAY_LIBS) $(PLAY_LIBS)
$(PROGRAM): $(PROGRAM_OBJECTS) $(HOST_LIBRARY) $(HOST_LINKED)
	$(call say,LINK,$@)$(call link_program,$(PROGRAM_OBJECTS))

# ------------------------------------------------------------------ make run

LOCAL  ?= small
FRAMES ?= 8
SEED   ?= 1
RUN_OPTIONS ?=
# COPY=1, for make run in small memory: every texture is copied in, so some have to leave and DMA buffers are split.
# COPY=0 FRAMES=8 is what `tessera run` draws: textures are read from where they lie, and nothing has to leave.
COPY       ?= 1
RUN_FRAMES  = $(if $(filter file,$(origin FRAMES)),$(if $(RUN_COPIED),3,$(if $(RUN_BOARD),4,$(FRAMES))),$(FRAMES))
# Frames are shown by flips of the display, which not every board's chip has.
RUN_FLIPS   = $(if $(RUN_BOARD),,--flips)
RUN_COPIED  = $(if $(filter small,$(LOCAL)),$(if $(filter 1,$(RUN_COPY)),--copy-only))
RUN_COPY    = $(if $(RUN_BOARD),$(if $(filter file,$(origin COPY)),0,$(COPY)),$(COPY))
# $(alone) TARGETS: make them; two makes in one tree do so one after the other.
alone = @mkdir -p $(BUILD) && flock $(BUILD)/lock $(MAKE) --no-print-directory
run: run-known deps-run
	$(alone) SIM_BOARD=$(RUN_BOARD) $(RUN_PROGRAM) $(BUILD)/firmware/gpu.elf
	$(RUN_PROGRAM) run --local $(LOCAL) --frames $(RUN_FRAMES) --seed $(SEED) $(RUN_COPIED) \
	    $(RUN_FLIPS) $(if $(filter 1,$(WINDOW)),--window) $(if $(RUN_BOARD),--no-compare) $(RUN_OPTIONS)

# make run BOARD=ulx3s, or i9: on that board's chip, clocks and SDRAM (docs/boards.md), four frames, COPY=1 to copy. The
# host reaches the memory by a back door. Large memory without splits would have to be larger than the board's.
RUN_BOARD    = $(if $(filter file undefined,$(origin BOARD)),,$(BOARD))
RUN_PROGRAM  = $(PROGRAM)$(if $(RUN_BOARD),-$(RUN_BOARD)$(if $(filter 45k,$(SIZE)),-45k))
.PHONY: run-known
run-known:
	@[ -z '$(RUN_BOARD)' ] || [ '$(filter $(RUN_BOARD),$(RUN_BOARDS))' = '$(RUN_BOARD)' -a \
	    $(words $(RUN_BOARD)) -eq 1 ] || { echo 'make run: unknown BOARD=$(RUN_BOARD). Choose one of:' \
	    '$(RUN_BOARDS). Without BOARD the simulator has its own memories.' >&2; exit 2; }
	@$(if $(RUN_BOARD),[ -e $(RUN_PROGRAM) ] || echo '  build the simulated $(RUN_BOARD) (two minutes, once)')

# The same run with the control core stopped at its first instruction until gdb attaches to PORT.
PORT ?= 3333
.PHONY: gdb
gdb: deps-run
	@$(MAKE) --no-print-directory $(PROGRAM) $(DEBUG_IMAGE)
	$(PROGRAM) gdb --firmware $(DEBUG_IMAGE) --port $(PORT) --local $(LOCAL) --frames $(FRAMES) --seed $(SEED) \
	    $(RUN_OPTIONS)

# A wave form of some cycles, with a ready view. The run ends with the window. Its folder is its own: what `make run`
# left in out/ stays.
SCENE ?= freedoom
FROM  ?= 2000000
TO    ?= 2001000
WAVES := out/waves
.PHONY: waves
waves:
	@[ 0 -le '$(FROM)' ] 2>/dev/null && [ '$(FROM)' -lt '$(TO)' ] 2>/dev/null || \
	    { echo 'make waves: FROM=$(FROM) TO=$(TO): give two cycles, FROM less than TO.' >&2; exit 2; }
	@[ -e $(BUILD)/tessera-fst ] || echo '  build a simulator that writes wave forms (two minutes, once)'
	@$(MAKE) --no-print-directory deps-run
	@$(MAKE) --no-print-directory SIM_TRACE=1 $(BUILD)/tessera-fst $(BUILD)/firmware/gpu.elf
	@mkdir -p $(WAVES) && rm -f $(WAVES)/waves.fst
	@$(BUILD)/tessera-fst run --scene $(SCENE) --frames $(FRAMES) --seed $(SEED) --no-compare --out $(WAVES) \
	    --fst $(WAVES)/waves.fst --fst-from $(FROM) --fst-to $(TO) --until $(TO) $(RUN_OPTIONS) || \
	    echo 'make waves: this run failed. The wave form shows that failure.' >&2
	@test -s $(WAVES)/waves.fst || { echo 'make waves: the run ended before cycle FROM. Give a smaller one.' >&2; exit 1; }
	@echo 'cycles $(FROM) to $(TO): gtkwave $(WAVES)/waves.fst sim/waves.gtkw'

# ------------------------------------------------------------------ tests

# What several tests have in them, compiled once with sanitizers.
$(BUILD)/host/sanitized/%.o: %.c $(HOST_HEADERS) $(wildcard tests/host/lib/*.h) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(HOST_CFLAGS) $(SANITIZE) -c -o $@ $<
TEST_HOST_SOURCES := tests/host/lib/fake_device.c $(TESSERA_FILES:%=host/%.c) \
                     $(SCENE_FILES:%=host/%.c)
# tests/unit compiles the model.
TEST_HOST_OBJECTS := $(TEST_HOST_SOURCES:%.c=$(BUILD)/host/sanitized/%.o) \
                     $(patsubst %,$(BUILD)/unit/sanitized/model/%_model.o,affine engine pixel) \
                     $(BUILD)/unit/sanitized/model/engine_packets.o
LIBRARY_TESTS := $(addprefix $(BUILD)/host/test_,tessera link calls stream fields lengths image verbs)
$(LIBRARY_TESTS): $(BUILD)/host/%: tests/host/lib/%.c $(TEST_HOST_OBJECTS) tests/rows.h tests/host/report/held.h
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -Itests/host/report -o $@ $< $(TEST_HOST_OBJECTS) \
	    -lcmocka -lpng -lm -lz

WIRE_TESTS := $(BUILD)/host/test_wire $(BUILD)/host/test_wire_trouble
$(WIRE_TESTS): $(BUILD)/host/%: tests/host/lib/%.c $(BUILD)/host/sanitized/host/lib/device/transport_wire.o \
               tests/host/lib/wire_board.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka -lpthread

# What is above them and below them are stand-ins.
$(BUILD)/host/test_platform: host/lib/device/platform.c
$(BUILD)/host/test_open: host/lib/device/tessera_device.c
$(BUILD)/host/test_platform $(BUILD)/host/test_open: $(BUILD)/host/%: tests/host/lib/%.c tests/host/lib/noted.h \
                                                     $(HOST_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka

# On the golden model.
MODEL_TESTS := $(addprefix $(BUILD)/host/test_,own clients arguments display)
$(MODEL_TESTS): $(BUILD)/host/%: tests/host/lib/%.c $(TESSERA_FILES:%=$(BUILD)/host/sanitized/host/%.o) \
                        $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $^ -lcmocka -lm

# Dumps of faults: explained and run on the golden engine, too; and of the simulated chip.
TDUMP_TESTS := $(BUILD)/host/test_tdump $(BUILD)/host/test_tdump_read
$(TDUMP_TESTS): $(BUILD)/host/%: tests/host/lib/%.c $(TESSERA_FILES:%=$(BUILD)/host/sanitized/host/%.o) \
                $(BUILD)/host/sanitized/host/lib/device/dump_file.o \
                $(patsubst %,$(BUILD)/host/sanitized/host/tools/command/dump_%.o,engine places text) \
                $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $^ -lcmocka -lm
TDUMP_CHIP := $(BUILD)/host/test_tdump_chip
$(TDUMP_CHIP): tests/host/lib/test_tdump_chip.c $(HOST_LIBRARY) $(HOST_LINKED) $(HOST_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< $(HOST_LIBRARY) $(SIM_LIBS) -lcmocka

# Each place that asks for memory is refused it.
REFUSED_PARTS := tools/bound/bound tools/view/places tools/recording/recording_write \
                 $(addprefix virtio/,painter scanout screen) \
                 $(SCENE_FILES) $(TESSERA_FILES) \
                 $(addprefix clients/sdl/play/play_,gpu image answers bind read allocation renew surface \
                   palette upload frame flip view origin)
$(BUILD)/host/test_refused: tests/host/lib/test_refused.c tests/host/refused.h \
                            $(sort $(REFUSED_PARTS:%=$(BUILD)/host/sanitized/host/%.o)) \
                            $(BUILD)/firmware/libdevice.a $(BUILD)/model/libmodel.a
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -Itests/host -o $@ $(filter %.c %.o %.a,$^) \
	    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -lcmocka -lpng -lz -lm

.PHONY: test-host-library test-dump test-top test-tdump test-tdump-chip
TESTS += test-tdump
test-tdump: $(TDUMP_TESTS) $(PROGRAM)
	@tests/run tdump $< $(BUILD)/host/tdump
	@tests/run tdump-read $(BUILD)/host/test_tdump_read $(BUILD)/host/tdump/text.tdump
	@tests/run tdump-replay tests/host/lib/tdump.sh $(PROGRAM) $(BUILD)/host/tdump --model
TESTS_FULL += test-tdump-chip
test-tdump-chip: $(BUILD)/host/test_tdump $(PROGRAM) $(TDUMP_CHIP) $(FIRMWARE_IMAGE)
	@tests/run tdump-chip $(TDUMP_CHIP) $(BUILD)/host/tdump-chip
	@tests/run tdump-replay-chip tests/host/lib/tdump_chip.sh $(PROGRAM) $< $(BUILD)/host/tdump-chip
TESTS += test-dump
test-dump: $(PROGRAM)
	@tests/run dump tests/host/lib/dump.sh $(PROGRAM)
TESTS += test-top
test-top: $(PROGRAM)
	@tests/run top tests/host/lib/top.sh $(PROGRAM)
TESTS += test-host-library
test-host-library: $(LIBRARY_TESTS) $(WIRE_TESTS) $(addprefix $(BUILD)/host/test_,platform open refused) $(MODEL_TESTS)
	@tests/run host-library $(BUILD)/host/test_tessera
	@tests/run host-link $(BUILD)/host/test_link
	@tests/run host-wire $(BUILD)/host/test_wire
	@tests/run host-wire-trouble $(BUILD)/host/test_wire_trouble
	@tests/run host-platform $(BUILD)/host/test_platform
	@tests/run host-open $(BUILD)/host/test_open
	@tests/run host-refused $(BUILD)/host/test_refused
	@tests/run host-own $(BUILD)/host/test_own
	@tests/run host-clients $(BUILD)/host/test_clients
	@tests/run host-display $(BUILD)/host/test_display
	@tests/run host-fields $(BUILD)/host/test_fields
	@tests/run host-arguments $(BUILD)/host/test_arguments
	@tests/run host-calls $(BUILD)/host/test_calls
	@tests/run host-verbs $(BUILD)/host/test_verbs $(BUILD)/host tests/host/report/written
	@tests/run host-stream $(BUILD)/host/test_stream
	@tests/run host-lengths $(BUILD)/host/test_lengths
	@tests/run host-image $(BUILD)/host/test_image
