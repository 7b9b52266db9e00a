# SPDX-License-Identifier: Apache-2.0
# tessera.core, the description for FuseSoC: what it lists, and FuseSoC's own opinion (PyPI's, optional).
TESTS += test-fusesoc
TESTS_LONG += test-fusesoc-runs
.PHONY: test-fusesoc test-fusesoc-runs tools-fusesoc
test-fusesoc: spec
	@tests/run fusesoc tests/meta/fusesoc/listed.sh $(IVERILOG) vvp
tools-fusesoc: $(BUILD)/tools-fusesoc/bin/fusesoc
$(BUILD)/tools-fusesoc/bin/fusesoc:
	@tests/meta/pypi $(BUILD)/tools-fusesoc fusesoc==2.4.7
test-fusesoc-runs: spec tools-fusesoc
	@tests/run fusesoc-runs tests/meta/fusesoc/runs.sh $(BUILD)/tools-fusesoc/bin/fusesoc
