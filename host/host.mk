# SPDX-License-Identifier: Apache-2.0
# The host library (build/host/libtessera.a), the scene, and their tests.

HOST_CFLAGS   := $(CFLAGS) -D_POSIX_C_SOURCE=200809L
HOST_LIBRARY  := $(BUILD)/host/libtessera.a
TESSERA_FILES := tessera tessera_boot tessera_memory tessera_queue tessera_stream
SCENE_FILES   := wad scene_texture scene_freedoom scene_reference scene_gpu image_png
HOST_HEADERS  := $(wildcard host/*.h model/*.h sim/*.h) spec/gpu.def spec/gpu_spec.h

$(BUILD)/host/%.o: host/%.c $(HOST_HEADERS) | spec
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -c -o $@ $<
$(HOST_LIBRARY): $(TESSERA_FILES:%=$(BUILD)/host/%.o)
	rm -f $@ && ar rcs $@ $^

TEST_TESSERA_SOURCES := tests/host/test_tessera.c tests/host/fake_device.c $(TESSERA_FILES:%=host/%.c) \
                        $(SCENE_FILES:%=host/%.c) model/engine_model.c model/engine_packets.c model/pixel_model.c
$(BUILD)/host/test_tessera: $(TEST_TESSERA_SOURCES) tests/host/fake_device.h $(HOST_HEADERS) | spec
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(TEST_TESSERA_SOURCES) -lcmocka -lpng

.PHONY: test-host-library
TESTS += test-host-library
test-host-library: $(BUILD)/host/test_tessera
	@tests/run host-library $<
