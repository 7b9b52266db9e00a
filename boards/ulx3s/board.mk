# SPDX-License-Identifier: Apache-2.0
# The ULX3S, with an ECP5 85F; SIZE=45k: a 45F, which has less of some things (docs/boards.md, 45F).
#   make bitstream BOARD=ulx3s              build/ulx3s-85k/tessera.bit
#   make flash BOARD=ulx3s [KEEP=1]          into the FPGA; KEEP=1: into its flash, for the next power-up
#   make report BOARD=ulx3s                  clocks and cells against boards/ulx3s/baseline-85k.txt

SIZE    := 85k
# Both chips run at 41.7 MHz. The 85F's has everything. Its aperture of 16 MB takes eight block RAMs more than one of
# 4 MB, and makes the default scene six times as fast (make run BOARD=ulx3s). Its caches have 4 KB: with 16 KB, 14 block
# RAMs more, the clock was 27 MHz after placement, not 37. The 45F's 108 block RAMs hold three
# eighths of segment 1, half of command RAM and an examiner of 256 entries, neither debug unit nor formats beside RGB565
# and ARGB8888.
ULX3S_SETTINGS_85k := -set CLOCK_DIVIDER 18 -set APERTURE_PAGES 4096
ULX3S_SETTINGS_45k := -set SEGMENT1_BYTES 49152 -set COMMAND_BYTES 32768 -set EXAMINER_LOG2 8
ULX3S_CONFIG_85k   := -DCONFIG_CACHE_BYTES=4096
ULX3S_CONFIG_45k   := -DCONFIG_FORMATS=0 -DCONFIG_MAPS=0 -DCONFIG_DEBUG=0 -DCONFIG_LISTS=0 -DCONFIG_DISPLAY=0 \
    -DCONFIG_CACHE_BYTES=4096
ULX3S_PLACER_45k   := static
BOARD_SETTINGS_ulx3s = $(ULX3S_SETTINGS_$(SIZE)) # of make run BOARD=ulx3s
BOARD_CONFIG_ulx3s   = $(ULX3S_CONFIG_$(SIZE)) # of rtl/config.vh
BIT_DIR := $(BUILD)/ulx3s-$(SIZE)
$(eval $(call ecp5_board,ulx3s,$(BIT_DIR),$(SIZE),CABGA381,6,16384,core node fabric aperture host_regs debug_regs \
    core_caches memory_hub sdram_controller $(if $(filter 85k,$(SIZE)),display,scanout) \
    wire_bridge,$(ULX3S_SETTINGS_$(SIZE)),\
    $(ULX3S_PLACER_$(SIZE)),$(ULX3S_CONFIG_$(SIZE))))

$(BUILD)/ulx3s-85k/board.config: PNR_SEED := 3

# The simulations of the board with the 85F, build/board-sim, and with the 45F.
$(eval $(call board_sim,board-sim,-GAPERTURE_PAGES=4096 $(ULX3S_CONFIG_85k)))
$(eval $(call board_sim,board-sim-45k,-GSEGMENT1_BYTES=49152 -GEXAMINER_LOG2=8 -GCOMMAND_BYTES=32768 \
    $(ULX3S_CONFIG_45k)))
.PHONY: test-ulx3s-45k-scene
TESTS_LONG += test-ulx3s-45k-scene
test-ulx3s-45k-scene: $(BUILD)/board/check_display $(BUILD)/board-sim-45k $(BUILD)/firmware/gpu.elf $(BUILD)/tessera
	@tests/run ulx3s-45k-scene tests/chip/board/scene.sh board-sim-45k 9 8 112
