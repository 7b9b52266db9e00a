# SPDX-License-Identifier: Apache-2.0
# `make conformance`: run every test, then say which requirement is proved. `make conformance-report` does the
# second half with what the last `make test` and `make test-rest` left (larger samples prove no other row).
.PHONY: conformance conformance-report test-conformance
TESTS += test-conformance

CONFORMANCE_C := tests/meta/conformance/conformance.c tests/meta/conformance/conformance_write.c
$(BUILD)/conformance/conformance: $(CONFORMANCE_C) tests/meta/conformance/conformance.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -D_POSIX_C_SOURCE=200809L $(CFLAGS) $(SANITIZE) -o $@ $(CONFORMANCE_C)

conformance:
	-@$(MAKE) --no-print-directory test
	-@$(MAKE) --no-print-directory test-rest
	@$(MAKE) --no-print-directory conformance-report
conformance-report: $(BUILD)/conformance/conformance
	@mkdir -p out
	{ $(PROJECT_FILES); } | grep ^tests/ | xargs $< out/conformance.json docs/conformance.md

test-conformance: $(BUILD)/conformance/conformance
	@tests/run conformance sh -c "{ $(PROJECT_FILES); } | grep ^tests/ | xargs $< --check"
