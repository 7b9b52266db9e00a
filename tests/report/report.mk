# SPDX-License-Identifier: Apache-2.0
# out/report.html in a real browser. The browser is optional: make deps-browser installs it (80 MB to load).

VIEW_OBJECTS := $(patsubst %,$(BUILD)/host/%.o,timeline view view_host view_node view_firmware report_html)
$(BUILD)/report/make_report: tests/report/make_report.c $(VIEW_OBJECTS) $(HOST_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -o $@ $< $(VIEW_OBJECTS)

deps-browser: DEPS := chromium-headless-shell
.PHONY: test-report deps-browser
deps-browser:
	@tests/deps $(DEPS)
TESTS += test-report
test-report: $(PROGRAM) $(BUILD)/firmware/gpu.elf $(BUILD)/report/make_report
	@mkdir -p $(BUILD)/report/run $(BUILD)/report/model $(BUILD)/report/long
	@$(PROGRAM) run --frames 1 --no-compare --out $(BUILD)/report/run >/dev/null 2>&1
	@$(PROGRAM) run --frames 60 --model --no-compare --out $(BUILD)/report/model >/dev/null 2>&1
	@cp $(BUILD)/report/model/frame-*.png $(BUILD)/report/long
	@$(BUILD)/report/make_report 300 $(BUILD)/report/long && rm -f $(BUILD)/report/*/trace.json
	@tests/run report tests/report/browser.sh $(patsubst %,$(BUILD)/report/%/report.html,run model long)

# The picture in the README.
.PHONY: picture
picture: $(PROGRAM) $(BUILD)/firmware/gpu.elf
	$(PROGRAM) run --frames 2 --no-compare --out $(BUILD)/report/picture
	tests/report/picture.sh $(BUILD)/report/picture/report.html docs/residency.png
