# SPDX-License-Identifier: Apache-2.0
# The ULX3S (ECP5 85F).
#   make bitstream BOARD=ulx3s              build/ulx3s-85k/tessera.bit
#   make flash BOARD=ulx3s [KEEP=1]          into the FPGA; KEEP=1: into its flash, for the next power-up
#   make report BOARD=ulx3s                  clocks and cells against boards/ulx3s/baseline-85k.txt

SIZE    := 85k
BIT_DIR := $(BUILD)/ulx3s-$(SIZE)
$(eval $(call ecp5_board,ulx3s,$(BIT_DIR),$(SIZE),CABGA381,6,40960,core node fabric aperture host_regs debug_regs \
    memory_hub sdram_controller scanout wire_bridge))
