# SPDX-License-Identifier: Apache-2.0
# Structure-aware fuzzing of validation, judged by arithmetic and by the golden engine.
# `make fuzz-jobs SEED=7 JOBS=100000` for a longer run.
TESTS += test-fuzz-jobs
.PHONY: test-fuzz-jobs fuzz-jobs
SEED ?= 1
JOBS ?= 20000

FUZZ_C := tests/fuzz/fuzz_jobs.c tests/fuzz/job_bench.c tests/fuzz/bench_door.c \
          tests/fuzz/job_extents.c tests/fuzz/job_execute.c \
          firmware/validate/access.c firmware/validate/packet_rule.c firmware/ddi/patch.c firmware/validate/validate.c \
          model/engine_model.c model/engine_packets.c model/pixel_model.c

$(BUILD)/fuzz/fuzz_jobs: $(FUZZ_C) $(wildcard tests/fuzz/*.h model/*.h) $(FIRMWARE_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -Itests/fuzz -o $@ $(FUZZ_C)

test-fuzz-jobs: $(BUILD)/fuzz/fuzz_jobs
	@tests/run fuzz-jobs $< --seed 1 --jobs 8000
fuzz-jobs: $(BUILD)/fuzz/fuzz_jobs
	$< --seed $(SEED) --jobs $(JOBS)
