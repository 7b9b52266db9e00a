# SPDX-License-Identifier: Apache-2.0
# The table's register maps for other tools, and its tests: the generator must refuse a table that contradicts itself,
# and a map says what the table says.
REGISTER_MAPS := out/tessera.rdl out/tessera.svd
.PHONY: registers tools-registers test-spec test-maps test-maps-judged
registers: $(REGISTER_MAPS)
	@echo "$(REGISTER_MAPS): SystemRDL 2.0 and CMSIS-SVD 1.3 of the host's registers"
out/tessera.rdl: $(BUILD)/gen
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BUILD)/gen systemrdl >$@.tmp && mv $@.tmp $@
out/tessera.svd: $(BUILD)/gen
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BUILD)/gen svd >$@.tmp && mv $@.tmp $@

TESTS += test-spec test-maps
TESTS_LONG += test-maps-judged
test-spec:
	@tests/run spec tests/meta/spec/refusals.sh
$(BUILD)/maps/list_registers: tests/meta/spec/list_registers.c spec/gpu.def
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -Ispec -o $@ $<
$(BUILD)/maps/registers.txt: $(BUILD)/maps/list_registers
	@$< >$@.tmp && mv $@.tmp $@
test-maps: $(BUILD)/maps/registers.txt $(REGISTER_MAPS)
	@tests/run maps tests/meta/spec/maps.sh $^

# Read by PyPI's systemrdl-compiler and cmsis-svd, which nothing else needs.
PYPI_REGISTERS := systemrdl-compiler==1.33.0 cmsis-svd==0.6
tools-registers: $(BUILD)/tools-registers/bin/python3
$(BUILD)/tools-registers/bin/python3:
	@tests/meta/pypi $(BUILD)/tools-registers $(PYPI_REGISTERS)
test-maps-judged: $(BUILD)/maps/registers.txt $(REGISTER_MAPS) tools-registers
	@tests/run maps-judged $(BUILD)/tools-registers/bin/python3 tests/meta/spec/maps.py --judges \
	    $(BUILD)/maps/registers.txt $(REGISTER_MAPS)
