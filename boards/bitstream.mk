# SPDX-License-Identifier: Apache-2.0
# Bit streams. What is one board's own is boards/NAME/board.mk, which sets for these targets
#   FAMILY_NAME     ecp5 or ice40: which tools it needs (boards/tools.sh)
#   BITSTREAM_NAME  the file, with a rule
#   LOADER_NAME     what openFPGALoader calls it, if not NAME
#   REPORT_NAME     what boards/report.sh is told, and REPORT_OF_NAME, what it reads
#   PLACED_NAME     what boards/placed.sh is told, if it is
#   make bitstream BOARD=NAME, make flash BOARD=NAME [KEEP=1], make report BOARD=NAME
# What is missing is said first.

BOARD  ?= ulx3s
BOARDS := $(sort $(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk)))

.PHONY: bitstream flash report bitstream-tools flash-tools
# Before everything else, also with -j: what follows is made by another make.
bitstream-tools flash-tools:
	@boards/tools.sh $(@:-tools=) $(BOARD) $(RV_PREFIX) $(TOOLS_BIN)

BITSTREAM = $(or $(BITSTREAM_$(BOARD)),$(error BOARD is one of $(BOARDS), not $(BOARD)))
bitstream: bitstream-tools
	@$(MAKE) --no-print-directory $(BITSTREAM)
	@ls -l $(BITSTREAM)

.PHONY: report-record
report report-record: bitstream-tools
	@$(MAKE) --no-print-directory $(REPORT_OF_$(BOARD))
	@boards/report.sh $(REPORT_$(BOARD)) $(if $(filter report-record,$@),record)
	@$(if $(filter report-record,$@),$(if $(PLACED_$(BOARD)),boards/placed.sh keep $(PLACED_$(BOARD))))

flash: flash-tools
	@$(MAKE) --no-print-directory $(BITSTREAM)
	@openFPGALoader -b $(or $(LOADER_$(BOARD)),$(BOARD)) $(if $(KEEP),--write-flash) $(BITSTREAM) || \
	  { echo "make flash: no board, or no right to open it: see docs/boards.md, 'First light'." >&2; exit 1; }
.PHONY: console
console: $(BUILD)/tessera
	@$(BUILD)/tessera console --device $(or $(DEVICE),tty:/dev/ttyUSB0)

# What is missing is said first; what is there is used.
.PHONY: test-bitstream-tools test-board-placed
TESTS += test-bitstream-tools test-board-placed
test-board-placed:
	@tests/run board-placed tests/chip/board/placed.sh $(BUILD)/board/placed
test-bitstream-tools: | spec
	@tests/run bitstream-tools tests/chip/board/tools.sh $(BUILD)/board/tools
