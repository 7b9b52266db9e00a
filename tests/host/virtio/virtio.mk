# SPDX-License-Identifier: Apache-2.0
# Tests of the virtio GPU (host/virtio, host/virtio.mk).

VIRTIO_TEST      := $(BUILD)/virtio
VIRTIO_CORE      := $(patsubst %,host/virtio/%.c,queue gpu gpu_commands gpu_programs gpu_resources edid)
VIRTIO_FAKE      := tests/host/virtio/fake.c tests/host/virtio/fake.h $(wildcard host/virtio/*.h)

$(addprefix $(VIRTIO_TEST)/,test_queue test_gpu test_late): $(VIRTIO_TEST)/%: tests/host/virtio/%.c $(VIRTIO_CORE) \
                                                            $(VIRTIO_FAKE)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka

$(VIRTIO_TEST)/test_vhost: tests/host/virtio/test_vhost.c $(patsubst %,host/virtio/%.c,vhost_user vhost_memory queue) \
                           $(wildcard host/virtio/*.h)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka
# A hostile driver: a short run in every test, and libFuzzer's for as long as SECONDS says.
FUZZ_INPUT_H  := tests/host/virtio/fuzz_input.h $(wildcard host/virtio/*.h)
VIRTIO_FUZZED := $(VIRTIO_CORE)
$(VIRTIO_TEST)/fuzz: tests/host/virtio/fuzz.c $(VIRTIO_FUZZED) $(FUZZ_INPUT_H)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -O1 -o $@ $(filter %.c,$^)
$(VIRTIO_TEST)/libfuzzer: tests/host/virtio/fuzz.c $(VIRTIO_FUZZED) $(FUZZ_INPUT_H)
	@mkdir -p $(@D)
	$(call say,LINK,$@)clang $(HOST_CFLAGS) -DLIBFUZZER -O1 -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=all -o $@ $(filter %.c,$^)
# A hostile monitor, in the same two ways.
VIRTIO_TALKED := $(patsubst %,host/virtio/%.c,vhost_user vhost_memory queue)
$(VIRTIO_TEST)/fuzz_vhost: tests/host/virtio/fuzz_vhost.c $(VIRTIO_TALKED) $(FUZZ_INPUT_H)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -O1 -o $@ $(filter %.c,$^)
$(VIRTIO_TEST)/libfuzzer_vhost: tests/host/virtio/fuzz_vhost.c $(VIRTIO_TALKED) $(FUZZ_INPUT_H)
	@mkdir -p $(@D)
	$(call say,LINK,$@)clang $(HOST_CFLAGS) -DLIBFUZZER -O1 -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=all -o $@ $(filter %.c,$^)
SECONDS_FUZZED ?= 600
.PHONY: fuzz-virtio
TESTS_LONG += fuzz-virtio
fuzz-virtio: $(VIRTIO_TEST)/libfuzzer $(VIRTIO_TEST)/libfuzzer_vhost
	@mkdir -p $(VIRTIO_TEST)/corpus $(VIRTIO_TEST)/corpus_vhost
	@tests/run virtio-libfuzzer $(VIRTIO_TEST)/libfuzzer -max_total_time=$(SECONDS_FUZZED) -max_len=8192 \
	    -artifact_prefix=$(VIRTIO_TEST)/ $(VIRTIO_TEST)/corpus tests/host/virtio/corpus
	@tests/run virtio-libfuzzer-vhost $(VIRTIO_TEST)/libfuzzer_vhost -max_total_time=$(SECONDS_FUZZED) -max_len=4096 \
	    -artifact_prefix=$(VIRTIO_TEST)/ $(VIRTIO_TEST)/corpus_vhost tests/host/virtio/corpus_vhost

# On the golden model.
VIRTIO_DRAWN := $(patsubst %,host/virtio/%.c,painter screen)
$(VIRTIO_TEST)/test_scanout: host/virtio/scanout.c
$(VIRTIO_TEST)/test_painter $(VIRTIO_TEST)/test_scanout: $(VIRTIO_TEST)/%: tests/host/virtio/%.c $(VIRTIO_DRAWN) \
    $(wildcard host/virtio/*.h) $(TESSERA_FILES:%=$(BUILD)/host/sanitized/host/%.o) $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o %.a,$^) -lcmocka -lm
# Programs of a virtual machine, their kernel a stand-in.
PROGRAM_BENCH := tests/host/virtio/program_bench.c tests/host/virtio/fake_kernel.c $(VIRTIO_CORE) \
                 host/virtio/submitter.c host/lib/device/transport_drm.c
PROGRAM_TESTS := $(addprefix $(VIRTIO_TEST)/,test_programs test_payloads)
$(PROGRAM_TESTS): $(VIRTIO_TEST)/%: tests/host/virtio/%.c $(PROGRAM_BENCH) $(wildcard tests/host/virtio/*.h) \
    $(VIRTIO_FAKE) host/lib/device/transport_drm.h $(TESSERA_FILES:%=$(BUILD)/host/sanitized/host/%.o) \
    $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o %.a,$^) -lcmocka -lm

.PHONY: test-virtio linux-guest
TESTS += test-virtio
test-virtio: $(addprefix $(VIRTIO_TEST)/,test_queue test_gpu test_late test_vhost test_painter test_scanout fuzz) \
             $(VIRTIO_TEST)/fuzz_vhost $(PROGRAM_TESTS) $(BUILD)/tessera-gpu $(BUILD)/tessera
	@tests/run virtio-queue $(VIRTIO_TEST)/test_queue
	@tests/run virtio-gpu $(VIRTIO_TEST)/test_gpu
	@tests/run virtio-late $(VIRTIO_TEST)/test_late
	@tests/run virtio-vhost $(VIRTIO_TEST)/test_vhost
	@tests/run virtio-painter $(VIRTIO_TEST)/test_painter
	@tests/run virtio-scanout $(VIRTIO_TEST)/test_scanout
	@tests/run virtio-programs $(VIRTIO_TEST)/test_programs
	@tests/run virtio-payloads $(VIRTIO_TEST)/test_payloads
	@tests/run virtio-program python3 -B tests/host/virtio/program.py $(BUILD)/tessera-gpu $(VIRTIO_TEST)/program
	@tests/run virtio-shown python3 -B tests/host/virtio/shown.py $(BUILD)/tessera-gpu $(VIRTIO_TEST)/shown model
	@tests/run virtio-missing tests/host/virtio/missing.sh
	@tests/run virtio-notices python3 -B tests/host/virtio/notices.py $(VIRTIO_TEST)/notices
	@tests/run virtio-fuzz $(VIRTIO_TEST)/fuzz 1 10
	@tests/run virtio-corpus $(VIRTIO_TEST)/fuzz tests/host/virtio/corpus/*
	@tests/run virtio-fuzz-vhost $(VIRTIO_TEST)/fuzz_vhost 1 5
	@tests/run virtio-corpus-vhost $(VIRTIO_TEST)/fuzz_vhost tests/host/virtio/corpus_vhost/*

# What the chip's display unit shows.
.PHONY: test-virtio-chip
TESTS_FULL += test-virtio-chip
test-virtio-chip: $(BUILD)/tessera-gpu $(BUILD)/tessera $(BUILD)/firmware/gpu.elf
	@tests/run virtio-chip python3 -B tests/host/virtio/shown.py $(BUILD)/tessera-gpu $(VIRTIO_TEST)/chip \
	    simulator

# A guest in QEMU 8 or later, or with /dev/kvm. ROOT: a Debian 13 root that has it. One guest at a time: it fills a
# folder of ROOT.
GUEST = flock -o $(or $(wildcard $(ROOT)),$(BUILD)) tests/run
TESTS_LONG += linux-guest
linux-guest: $(BUILD)/tessera-gpu
	@$(GUEST) linux-guest tests/host/virtio/guest.sh $(BUILD)/tessera-gpu $(BUILD)/linux-guest $(ROOT)
# Programs in a guest that draw by the GPU.
$(VIRTIO_TEST)/include/tessera: $(wildcard host/include/*.h)
	@mkdir -p $(@D) && ln -sfn $(abspath host/include) $@
$(VIRTIO_TEST)/guest_draw: tests/host/virtio/guest_draw.c
$(VIRTIO_TEST)/picture: docs/example/picture.c
$(VIRTIO_TEST)/guest_draw $(VIRTIO_TEST)/picture: $(LIBRARY_DIR)/libtessera.a $(VIRTIO_TEST)/include/tessera
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -I$(VIRTIO_TEST)/include -o $@ $(filter %.c,$^) $(LIBRARY_DIR)/libtessera.a \
	    -lz -lpng -lstdc++ -lm -lpthread
# By the kernel's own calls, which the installed library does not have.
$(VIRTIO_TEST)/guest_sessions $(VIRTIO_TEST)/guest_kernel: $(VIRTIO_TEST)/%: tests/host/virtio/%.c \
    host/lib/device/drm_kernel.c $(LIBRARY_DIR)/libtessera.a $(VIRTIO_TEST)/include/tessera
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $(filter %.c,$^) $(LIBRARY_DIR)/libtessera.a -lz -lpng -lstdc++ -lm \
	    -lpthread
TESTS_LONG += linux-draw
.PHONY: linux-draw
# LVGL_DIR: as for test-lvgl-real.
LINUX_LVGL := widgets XRGB8888 60 1 98 travel
linux-draw: $(BUILD)/tessera-gpu $(PROGRAM) $(VIRTIO_TEST)/guest_draw $(VIRTIO_TEST)/guest_kernel \
            $(VIRTIO_TEST)/picture $(LIVE) $(RECORDER) $(BUILD)/play/sprites2 $(BUILD)/live/shown2 \
            $(if $(LVGL_DIR),$(HOST_LIBRARY) $(DEVICE_LIBRARY) $(MODEL_LIBRARY))
	@[ -z "$(LVGL_DIR)" ] || tests/host/lvgl/real.sh "$(LVGL_DIR)" $(BUILD)/lvgl '$(LINUX_LVGL)' $(HOST_LIBRARY) \
	    $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
	@$(GUEST) linux-draw tests/host/virtio/guest_draw.sh $(BUILD)/tessera-gpu $(BUILD)/linux-draw "$(ROOT)" \
	    $(if $(LVGL_DIR),"$$(ls -t $(BUILD)/lvgl/*-32/demos | head -n 1)")
# Programs that end in every way, SESSIONS of them in one boot: 1,000 take two minutes, 10,000 about 18.
SESSIONS ?= 1000
TESTS_LONG += linux-sessions
.PHONY: linux-sessions
linux-sessions: $(BUILD)/tessera-gpu $(PROGRAM) $(VIRTIO_TEST)/guest_sessions
	@$(GUEST) linux-sessions python3 -B tests/host/virtio/sessions.py $(BUILD)/tessera-gpu $(BUILD)/linux-sessions \
	    $(SESSIONS) $(SEED) $(ROOT)
TESTS_LONG += linux-modes
.PHONY: linux-modes
linux-modes: $(BUILD)/tessera-gpu
	@$(GUEST) linux-modes python3 -B tests/host/virtio/modes.py $(BUILD)/tessera-gpu $(BUILD)/linux-modes $(ROOT)
# Programs in a Debian root with a desktop, made once by debootstrap: root's rights and 3 GB of disk.
TESTS_LONG += linux-desktops
.PHONY: linux-desktops
linux-desktops: $(BUILD)/tessera-gpu
	@$(GUEST) linux-desktops python3 -B tests/host/virtio/desktops.py $(BUILD)/tessera-gpu $(BUILD)/linux-desktops $(ROOT)
# From the start to a console, on the golden model and on the simulated chip.
TESTS_LONG += linux-times
.PHONY: linux-times
linux-times: $(BUILD)/tessera-gpu $(BUILD)/firmware/gpu.elf
	@$(GUEST) linux-times python3 -B tests/host/virtio/times.py $(BUILD)/tessera-gpu $(BUILD)/linux-times $(ROOT)
# igt-gpu-tools in a guest, against QEMU's own virtio-gpu. IGT: the folder of its build, made by the system in ROOT. igt
# leaves virtio_gpu out where a test takes any driver. Take DRIVER_VIRTIO out of DRIVER_ANY (lib/drmtest.h) before.
IGT ?=
TESTS_LONG += linux-igt
.PHONY: linux-igt
linux-igt: $(BUILD)/tessera-gpu
	@$(GUEST) linux-igt python3 -B tests/host/virtio/igt.py $(BUILD)/tessera-gpu $(BUILD)/linux-igt "$(IGT)" $(ROOT)
