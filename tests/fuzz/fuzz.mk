# SPDX-License-Identifier: Apache-2.0
# Fuzzing: validation judged by arithmetic and by the golden engine (fuzz_jobs); hostile worlds around the whole
# firmware, and the files that strangers give the host, guided by coverage where there is clang (docs/testing.md).
# `make fuzz MINUTES=10`; `make fuzz-coverage`; `make fuzz-jobs SEED=7 JOBS=100000` for a longer run of that.
TESTS      += test-fuzz-jobs test-fuzz-worlds test-fuzz-files
TESTS_FULL += test-fuzz-round test-fuzz-chip test-fuzz-coverage test-fuzz-mutations
TESTS_LONG += test-fuzz-round-deep
.PHONY: test-fuzz-jobs fuzz-jobs test-fuzz-worlds test-fuzz-files test-fuzz-round test-fuzz-chip test-fuzz-coverage \
        test-fuzz-mutations test-fuzz-round-deep fuzz fuzz-coverage
SEED    ?= 1
JOBS    ?= 20000
MINUTES ?= 10

FUZZ_C := tests/fuzz/fuzz_jobs.c tests/fuzz/job_bench.c tests/fuzz/bench_door.c tests/fuzz/examiner_door.c \
          tests/fuzz/job_extents.c tests/fuzz/job_execute.c \
          $(addprefix firmware/validate/,access.c examiner.c lists.c packet_rule.c traffic.c validate.c) \
          $(addprefix firmware/,ddi/patch.c memory/tables.c memory/index_set.c platform/turn.c) \
          $(patsubst %,model/%_model.c,affine engine examiner lists pixel) model/engine_packets.c
# tests/unit compiles these.
FUZZ_JOBS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/sanitized/%.o,$(filter tests/%,$(FUZZ_C))) \
             $(patsubst %.c,$(BUILD)/unit/sanitized/%.o,$(filter-out tests/%,$(FUZZ_C)))
$(BUILD)/fuzz/fuzz_jobs: $(FUZZ_JOBS)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $^

test-fuzz-jobs: $(BUILD)/fuzz/fuzz_jobs
	@tests/run fuzz-jobs $< --seed 1 --jobs 4000
fuzz-jobs: $(BUILD)/fuzz/fuzz_jobs
	$< --seed $(SEED) --jobs $(JOBS)

# ------------------------------------------------------------------ worlds and files

FUZZ_WORLD_C   := $(addprefix tests/fuzz/,world.c world_client.c world_display.c world_timeline.c world_judge.c \
                                            world_model.c fuzz_worlds.c)
FUZZ_FILES_C   := tests/fuzz/fuzz_files.c \
                  $(wildcard host/lib/*.c host/lib/gdb/*.c host/tools/recording/*.c) host/tools/scene/wad.c \
                  host/lib/tdump/tdump_read.c host/tools/command/dump_places.c \
                  $(addprefix host/tools/replay/,pagesim.c pagesim_read.c pagesim_bound.c pagesim_traffic.c)
FUZZ_FIRMWARE  := tests/unit/client.c $(DEVICE_SOURCES) $(MODEL_SOURCES)
FUZZ_HEADERS   := $(wildcard tests/fuzz/*.h) tests/unit/client.h $(DEVICE_HEADERS) $(HOST_HEADERS)
FUZZ_FLAGS     := $(CFLAGS) -D_GNU_SOURCE -Itests/fuzz -Itests/unit
FUZZ_WRAP      := -Wl,--wrap=hal_system_read,--wrap=hal_register_read
FUZZ_FILES_END := -Wl,--wrap=nanosleep -ljson-c -lz
# tests/unit/unit.mk compiles these.
FUZZ_OBJECTS   := $(FUZZ_FIRMWARE:%.c=$(BUILD)/unit/sanitized/%.o)
# host/host.mk these.
FUZZ_FILES_OBJECTS := $(patsubst %.c,$(BUILD)/host/sanitized/%.o,$(filter host/%,$(FUZZ_FILES_C)))

# Replayed without libFuzzer, by any compiler.
$(BUILD)/fuzz/worlds_replay: tests/fuzz/replay.c $(FUZZ_WORLD_C) $(FUZZ_OBJECTS) $(FUZZ_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(FUZZ_FLAGS) $(SANITIZE) $(FUZZ_WRAP) -o $@ $(filter %.c %.o,$^)
$(BUILD)/fuzz/files_replay: host/lib/device/transport_wire.c $(FUZZ_HEADERS) # the former is included
$(BUILD)/fuzz/files_replay: tests/fuzz/replay.c tests/fuzz/fuzz_files.c $(FUZZ_FILES_OBJECTS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(FUZZ_FLAGS) $(SANITIZE) -o $@ $(filter %/replay.c %/fuzz_files.c %.o,$^) $(FUZZ_FILES_END)
test-fuzz-worlds: $(BUILD)/fuzz/worlds_replay
	@tests/run fuzz-worlds $< --random 1000 tests/fuzz/corpus/worlds
test-fuzz-files: $(BUILD)/fuzz/files_replay
	@tests/run fuzz-files $< --random 2000 tests/fuzz/corpus/files

# What libFuzzer takes of Debian 12; where it is missing, test-fuzz-round cannot link.
.PHONY: deps-fuzz
deps-fuzz: DEPS := clang-14 libclang-rt-14-dev
deps-fuzz:
	@tests/meta/deps $(DEPS)

# Guided by coverage. A change of a header compiles all of it again: it is one command.
CLANG := $(firstword $(foreach name,clang clang-19 clang-18 clang-16 clang-14,$(shell command -v $(name) 2>/dev/null)))
LIBFUZZER := -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
$(BUILD)/fuzz/worlds: tests/fuzz/libfuzzer.c $(FUZZ_WORLD_C) $(FUZZ_FIRMWARE) $(FUZZ_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CLANG) -std=c11 $(INCLUDES) -D_GNU_SOURCE -Itests/fuzz -Itests/unit $(LIBFUZZER) $(FUZZ_WRAP) \
	    -o $@ $(filter %.c,$^)
$(BUILD)/fuzz/files: tests/fuzz/libfuzzer.c $(FUZZ_FILES_C) host/lib/device/transport_wire.c $(FUZZ_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CLANG) -std=c11 $(INCLUDES) -D_GNU_SOURCE -Itests/fuzz -Itests/unit $(LIBFUZZER) \
	    -o $@ tests/fuzz/libfuzzer.c $(FUZZ_FILES_C) $(FUZZ_FILES_END)
FUZZ_GUIDED := $(if $(CLANG),$(BUILD)/fuzz/worlds $(BUILD)/fuzz/files $(BUILD)/fuzz/worlds_replay \
               $(BUILD)/fuzz/files_replay)
fuzz: $(FUZZ_GUIDED)
	@tests/fuzz/fuzz.sh $(BUILD)/fuzz $$(( $(MINUTES) * 60 ))
test-fuzz-round: $(FUZZ_GUIDED)
	@tests/run fuzz-round tests/fuzz/fuzz.sh $(BUILD)/fuzz 20
test-fuzz-round-deep: $(FUZZ_GUIDED) # what it learns and logs apart: the other may run beside it
	@mkdir -p $(BUILD)/fuzz/deep
	@$(if $(FUZZ_GUIDED),ln -sf $(FUZZ_GUIDED:$(BUILD)/fuzz/%=../%) $(BUILD)/fuzz/deep)
	@tests/run fuzz-round-deep tests/fuzz/fuzz.sh $(BUILD)/fuzz/deep 120

# Fewer of the same worlds on the chip.
FUZZ_CHIP_C := $(addprefix tests/fuzz/,world_chip.c world.c world_client.c world_display.c world_timeline.c \
                                         world_judge.c fuzz_worlds.c) tests/unit/client.c
$(BUILD)/fuzz/world_chip: $(FUZZ_CHIP_C) $(FUZZ_HEADERS) $(BUILD)/host/libtessera.a $(BUILD)/firmware/libdevice.a \
                          $(BUILD)/model/libmodel.a $(BUILD)/sim/libsimulator.a | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(FUZZ_FLAGS) -o $@ $(FUZZ_CHIP_C) $(filter %.a,$^) $(SIM_LIBS)
test-fuzz-chip: $(BUILD)/fuzz/world_chip $(BUILD)/firmware/gpu.elf
	@tests/run fuzz-chip $< --random 20

# Branches of what reads the host's numbers; what is not taken, and why, is named in tests/fuzz/untaken.
fuzz_coverage = tests/fuzz/coverage.sh $(BUILD)/fuzz/coverage 94 \
                "tests/fuzz/replay.c $(FUZZ_WORLD_C) $(FUZZ_FIRMWARE)" "$(FUZZ_C)"
fuzz-coverage: | spec
	@$(fuzz_coverage)
test-fuzz-coverage: | spec
	@tests/run fuzz-coverage $(fuzz_coverage)
# Must fail: what an attack once found, put back.
test-fuzz-mutations: tests/fuzz/rules $(wildcard tests/meta/mutants/*) | spec
	@tests/run fuzz-mutations $(RULES) --run rules-fuzz $(TEST_JOBS) test-fuzz-worlds tests/fuzz/rules
