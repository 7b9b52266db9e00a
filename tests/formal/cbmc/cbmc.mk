# SPDX-License-Identifier: Apache-2.0
# Proofs of the firmware's C by CBMC, where it is installed (Debian 13 has it): docs/security.md says of what.
TESTS_FULL += test-cbmc
.PHONY: cbmc test-cbmc
cbmc: | spec
	@tests/formal/cbmc/cbmc.sh $(BUILD)/cbmc
test-cbmc: $(wildcard tests/formal/cbmc/*.[ch]) | spec
	@tests/run cbmc tests/formal/cbmc/cbmc.sh $(BUILD)/cbmc
