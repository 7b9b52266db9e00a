# SPDX-License-Identifier: Apache-2.0
# What `make install` leaves, used from outside (host/install.mk).
.PHONY: test-install
TESTS_FULL += test-install
test-install: $(INSTALLED) $(BUILD)/play/sprites2
	@tests/run install tests/host/install/install.sh $(BUILD)/install $(BUILD)/play/sprites2
