# SPDX-License-Identifier: Apache-2.0
# Contexts that contend for memory (host/tools/contend/contend.c), on the golden model and on the simulated hardware.

.PHONY: test-contend test-contend-cosim
TESTS_FULL += test-contend test-contend-cosim
test-contend: $(BUILD)/tessera
	@mkdir -p $(BUILD)/contend
	@tests/run contend tests/host/contend/contend.sh model
test-contend-cosim: $(BUILD)/tessera $(FIRMWARE_IMAGE)
	@mkdir -p $(BUILD)/contend
	@tests/run contend-cosim tests/host/contend/contend.sh hardware
