# SPDX-License-Identifier: Apache-2.0
# The GPU of a virtual machine (build/tessera-gpu). tests/host/virtio/virtio.mk has its tests.

VIRTIO_OBJECTS := $(patsubst %,$(BUILD)/host/%.o,$(call host_files,virtio))
VIRTIO_OTHERS   = $(filter-out %/main.o,$(PROGRAM_OBJECTS)) $(VIRTIO_OBJECTS)
$(BUILD)/tessera-gpu: $(VIRTIO_OBJECTS) $(PROGRAM_OBJECTS) $(PLAY_OBJECTS) $(HOST_LIBRARY) $(HOST_LINKED)
	$(call say,LINK,$@)$(call link_program,$(VIRTIO_OTHERS))
all: $(BUILD)/tessera-gpu

# A Linux guest that draws with the GPU (docs/linux.md). ROOT: a Debian 13 root whose QEMU is used. DESKTOP: 1 for
# weston, xorg for Xorg.
ROOT    ?=
DESKTOP ?=
.PHONY: linux
linux: deps-run
	@$(MAKE) --no-print-directory $(BUILD)/tessera-gpu $(BUILD)/firmware/gpu.elf
	@host/virtio/linux/linux.sh $(if $(ROOT),--root $(ROOT)) \
	    $(if $(filter-out 0,$(DESKTOP)),--guest $(if $(filter xorg,$(DESKTOP)),xorg,weston)) \
	    out/linux $(BUILD)/tessera-gpu $(if $(DEVICE),--device $(DEVICE)) $(if $(filter 1,$(WINDOW)),--window)
