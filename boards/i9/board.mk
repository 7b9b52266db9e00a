# SPDX-License-Identifier: Apache-2.0
# The Colorlight i9 v7.2 (ECP5 45F, 32 bits of SDRAM) on its extension board.
#   make bitstream BOARD=i9                  build/i9-45k/tessera.bit
#   make flash BOARD=i9 [KEEP=1]             into the FPGA; KEEP=1: into its flash, for the next power-up
#   make report BOARD=i9                     clocks and cells against boards/i9/baseline-45k.txt

LOADER_i9 := colorlight-i9
# What there is no room for (rtl/config.vh).
BOARD_CONFIG_i9 := -DCONFIG_FORMATS=0 -DCONFIG_MAPS=0 -DCONFIG_DEBUG=0 -DCONFIG_LISTS=0 -DCONFIG_DISPLAY=0 \
    -DCONFIG_CACHE_BYTES=4096
# make run BOARD=i9 draws the scene of all other runs, whose textures alone take 9.5 MB: so its SDRAM is larger.
BOARD_SETTINGS_i9 := -set SYSTEM_BYTES 25165824
$(eval $(call ecp5_board,i9,$(BUILD)/i9-45k,45k,CABGA381,6,16384,core node fabric aperture host_regs debug_regs \
    core_caches memory_hub write_merge sdram_controller scanout wire_bridge,,static,$(BOARD_CONFIG_i9)))

# The board's simulation: boards/sim/board_sim.v with what i9.v tells board_core.v (test-board-pins holds the two
# together), its SDRAM at 80 MHz beside 40. Shorter memories would be another layout.
I9_SIM := -GPERIOD_PS=12500 -GSDRAM_WIDTH=32 -GBYTE_MASKS=0 -GCAS_LATENCY=2 -GSYSTEM_BYTES=5242880 \
          -GSEGMENT2_BYTES=2621440 -GFIRMWARE_BYTES=524288 -GSEGMENT1_BYTES=49152 -GCOMMAND_BYTES=32768 \
          -GEXAMINER_LOG2=8 $(BOARD_CONFIG_i9)
$(eval $(call board_sim,board-sim-i9,$(I9_SIM)))
.PHONY: test-i9-scene
TESTS_LONG += test-i9-scene
test-i9-scene: $(BUILD)/board/check_display $(BUILD)/board-sim-i9 $(BUILD)/firmware/gpu.elf $(BUILD)/tessera
	@tests/run i9-scene tests/chip/board/scene.sh board-sim-i9 9 8 112
