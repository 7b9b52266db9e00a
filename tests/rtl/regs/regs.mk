# SPDX-License-Identifier: Apache-2.0
# Registers against the table, AXI4-Lite at the pins, on the whole chip.

REGS_DIR   := $(BUILD)/regs
REGS_FLAGS := -Itests/chip/system -Itests/rtl/regs

$(REGS_DIR)/%: tests/rtl/regs/%.c tests/rtl/regs/mailbox.h tests/chip/system/rig.c tests/chip/system/rig.h \
    $(SIM_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(REGS_FLAGS) -o $@ $< tests/chip/system/rig.c $(SIM_LIBS)

.PHONY: test-regs test-axi
TESTS += test-regs test-axi
test-regs: $(REGS_DIR)/test_regs $(BUILD)/system/mailbox.bin
	@tests/run regs $<
test-axi: $(REGS_DIR)/test_reg_bus_axi
	@tests/run axi $<
