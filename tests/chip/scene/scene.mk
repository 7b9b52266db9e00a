# SPDX-License-Identifier: Apache-2.0
# Scenes and malformed input through the whole stack, on the golden model (fast) and on the simulated hardware.

SCENE_PROGRAM := $(BUILD)/tessera $(BUILD)/firmware/gpu.elf
# Other limits than the default ones, of one run each.
SCENE_LIMITS := --allocations 700 --contexts 200

.PHONY: test-scene-model test-bad-input-model test-program test-scene test-bad-input test-scene-long
TESTS += test-scene-model test-bad-input-model test-program test-scene test-bad-input
test-scene-model: $(SCENE_PROGRAM)
	@mkdir -p $(BUILD)/scene
	@tests/run scene-model env LYING="$(SCENE_LIMITS)" tests/chip/scene/scene.sh model 4 1 2 -- 1 8 0x8b
TESTS_FULL += test-scene-model-rest
TESTS_LONG += test-scene-model-deep
.PHONY: test-scene-model-rest test-scene-model-deep
test-scene-model-rest: $(SCENE_PROGRAM)
	@mkdir -p $(BUILD)/scene
	@tests/run scene-model-rest env OUT=$(BUILD)/scene/rest tests/chip/scene/scene.sh model 4 3 4 5 -- 4 0x10000
test-scene-model-deep: $(SCENE_PROGRAM)
	@mkdir -p $(BUILD)/scene
	@tests/run scene-model-deep env OUT=$(BUILD)/scene/deep tests/chip/scene/scene.sh model 4 6 7 8 9 10 11 12 -- 2 0x80
test-bad-input-model: $(SCENE_PROGRAM)
	@tests/run bad-input-model $(BUILD)/tessera bad-input --model
$(BUILD)/scene/check_trace: tests/chip/scene/check_trace.c tests/trace_events.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $< -ljson-c
$(BUILD)/scene/no_fork.so: tests/chip/scene/no_fork.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE -fPIC -shared -o $@ $<
test-program: $(BUILD)/runs/chip/done $(BUILD)/scene/check_trace $(BUILD)/scene/no_fork.so
	@mkdir -p $(BUILD)/scene
	@tests/run program tests/chip/scene/program.sh hardware
test-scene: $(SCENE_PROGRAM)
	@mkdir -p $(BUILD)/scene
	@tests/run scene env LYING="--no-compare $(SCENE_LIMITS)" tests/chip/scene/scene.sh hardware 1 1
TESTS_FULL += test-scene-rest
.PHONY: test-scene-rest
test-scene-rest: $(SCENE_PROGRAM)
	@mkdir -p $(BUILD)/scene
	@tests/run scene-rest env OUT=$(BUILD)/scene/lying tests/chip/scene/scene.sh hardware 1
test-bad-input: $(SCENE_PROGRAM)
	@tests/run bad-input $(BUILD)/tessera bad-input

TESTS_LONG += test-scene-long
test-scene-long: $(SCENE_PROGRAM)
	@mkdir -p $(BUILD)/scene
	@tests/run scene-long tests/chip/scene/scene.sh hardware 8 1 2 3 4 5 -- 1 2 0x80
