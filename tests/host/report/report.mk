# SPDX-License-Identifier: Apache-2.0
# out/report.html in a real browser. The browser is optional: make deps-browser installs it (80 MB to load).

VIEW_OBJECTS := $(patsubst %,$(BUILD)/host/tools/view/%.o,timeline view view_host view_node view_firmware \
                  view_history view_residency account report_html report_why report_draws draws \
                  draws_memory draws_surface draws_encode draws_frame)
$(BUILD)/report/make_report: tests/host/report/make_report.c $(VIEW_OBJECTS) $(HOST_HEADERS) $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< $(VIEW_OBJECTS) $(MODEL_LIBRARY) -lz

deps-browser: DEPS := chromium-headless-shell
.PHONY: test-report test-report-rest deps-browser
deps-browser:
	@tests/meta/deps $(DEPS)
TESTS      += test-report
TESTS_FULL += test-report-rest
test-report: $(BUILD)/runs/chip/done $(BUILD)/runs/play/done $(BUILD)/report/timeline_svg
	@$(BUILD)/report/timeline_svg $(BUILD)/runs/chip/trace.json whole >$(BUILD)/report/timeline.svg
	@tests/host/report/portion.py $(BUILD)/runs/chip/trace.json >$(BUILD)/report/portion.svg
	@tests/run report tests/host/report/browser.sh $(BUILD)/report pictures \
	    $(patsubst %,$(BUILD)/runs/%/report.html,chip play)
$(BUILD)/report/long/done: $(PROGRAM) $(FIRMWARE_IMAGE) $(BUILD)/report/make_report
	@mkdir -p $(BUILD)/report/model $(BUILD)/report/long
	@$(PROGRAM) run --frames 60 --copy-only --model --no-compare --out $(BUILD)/report/model >/dev/null 2>&1
	@cp $(BUILD)/report/model/frame-*.png $(BUILD)/report/long
	@$(BUILD)/report/make_report 300 $(BUILD)/report/long && rm -f $(BUILD)/report/*/trace.json
	@touch $@
test-report-rest: $(BUILD)/report/long/done
	@tests/run report-rest tests/host/report/browser.sh $(BUILD)/report/long none \
	    $(patsubst %,$(BUILD)/report/%/report.html,model long)

# Such pages stepped through: what they say of pixels is what the model did.
$(BUILD)/report/make_steps: tests/host/report/make_steps.c $(VIEW_OBJECTS) $(HOST_HEADERS) $(HOST_LIBRARY) \
                            $(BUILD)/firmware/libdevice.a $(MODEL_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< $(VIEW_OBJECTS) $(HOST_LIBRARY) $(DEVICE_LIBRARY) \
	    $(MODEL_LIBRARY) -lz -lm
STEPS := $(BUILD)/steps
.PHONY: test-steps
TESTS_FULL += test-steps
test-steps: $(BUILD)/runs/chip/done $(BUILD)/runs/play/done $(BUILD)/report/make_steps
	@tests/run steps tests/host/report/steps.sh $(PROGRAM) $(STEPS) $(BUILD)/report/make_steps $(BUILD)/runs

# What is written and drawn of a fixed input is what it was: quick. After a change that is meant: make report-written.
WRITTEN_OBJECTS := $(VIEW_OBJECTS) $(patsubst %,$(BUILD)/host/%.o,tools/bound/bound) \
                   $(patsubst %,$(BUILD)/host/tools/view/%.o,report lower_bound places) \
                   $(patsubst %,$(BUILD)/host/tools/cli/%.o,options option_table) \
                   $(patsubst %,$(BUILD)/host/lib/device/%.o,dump_file installation) \
                   $(patsubst %,$(BUILD)/host/%.o,$(filter-out tools/scene/scene_flips tools/scene/scene_gpu, \
                     $(call host_files,tools/scene)))
REPORTS_OBJECTS := $(VIEW_OBJECTS) $(patsubst %,$(BUILD)/host/%.o,tools/bound/bound) \
                   $(patsubst %,$(BUILD)/host/tools/view/%.o,report lower_bound places) \
                   $(patsubst %,$(BUILD)/host/%.o,clients/sdl/play/play_report tools/replay/replay_report) \
                   $(patsubst %,$(BUILD)/host/tools/replay/%.o,replay_ratio replay_meter) \
                   $(BUILD)/host/tools/picture/image_png.o $(BUILD)/host/lib/device/installation.o \
                   $(BUILD)/host/tools/recording/recording_write.o
HISTORY_TESTS   := $(patsubst %,$(BUILD)/report/test_%,written histories drawn wads)
WRITTEN_TESTS   := $(HISTORY_TESTS) $(BUILD)/report/test_reports
$(HISTORY_TESTS): tests/host/report/history.h $(WRITTEN_OBJECTS)
$(BUILD)/report/test_reports: $(REPORTS_OBJECTS)
$(WRITTEN_TESTS): $(BUILD)/report/%: tests/host/report/%.c tests/host/report/held.h $(MODEL_LIBRARY) $(HOST_LIBRARY) \
                  $(HOST_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/host/report -o $@ $< $(filter %.o,$^) $(HOST_LIBRARY) \
	    $(MODEL_LIBRARY) -lz -lpng -ljson-c -lm
.PHONY: test-written report-written
TESTS += test-written
$(BUILD)/report/test_traffic: tests/host/report/test_traffic.c $(WRITTEN_OBJECTS) $(MODEL_LIBRARY) $(HOST_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $(filter %.c %.o,$^) $(HOST_LIBRARY) $(MODEL_LIBRARY) -lz -lpng \
	    -ljson-c -lm
test-written: $(WRITTEN_TESTS) $(BUILD)/report/test_traffic
	@mkdir -p $(BUILD)/report/written
	@tests/run written $(BUILD)/report/test_written $(BUILD)/report/written tests/host/report/written
	@for test in histories drawn wads; do \
	    tests/run $$test $(BUILD)/report/test_$$test $(BUILD)/report/written tests/host/report/written || status=1; \
	done; exit $${status:-0}
	@tests/run report-traffic $(BUILD)/report/test_traffic $(BUILD)/report/written
	@tests/run reports $(BUILD)/report/test_reports $(BUILD)/report/written tests/host/report/written
HELD_ELSEWHERE := $(BUILD)/replay/test_pagesim_held $(BUILD)/host/test_verbs $(BUILD)/core/debug/test_packets \
                  $(BUILD)/play/test_tracker $(BUILD)/play/test_hooks3
report-written: $(WRITTEN_TESTS) $(BUILD)/report/test_compare $(BUILD)/report/test_invented \
                $(HELD_ELSEWHERE)
	@mkdir -p $(BUILD)/report/written $(BUILD)/report/compared
	@{ sed -n '/^#/p' tests/host/report/written; \
	    for test in $(WRITTEN_TESTS); do \
	        $$test $(BUILD)/report/written tests/host/report/written | sed -n 's/^sum //p'; done; \
	    for test in compare invented; do \
	        $(BUILD)/report/test_$$test $(BUILD)/report/compared tests/host/report/written | sed -n 's/^sum //p'; \
	    done; \
	    for test in $(HELD_ELSEWHERE); do \
	        $$test $(BUILD)/report/written tests/host/report/written | sed -n 's/^sum //p'; done; } \
	    >$(BUILD)/report/sums
	@mv $(BUILD)/report/sums tests/host/report/written
	@cp $(BUILD)/report/written/written.txt $(BUILD)/report/written/reports.txt tests/host/report/texts

# The time line of a run as SVG.
$(BUILD)/report/timeline_svg: tests/host/report/timeline_svg.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< -ljson-c

# The pictures in the README and in docs/memory.md.
.PHONY: picture
picture: $(PROGRAM) $(BUILD)/firmware/gpu.elf $(BUILD)/report/timeline_svg
	$(PROGRAM) run --frames 2 --copy-only --no-compare --out $(BUILD)/report/picture
	tests/host/report/picture.sh $(BUILD)/report/picture/report.html#picture 1280,760 docs/residency.png
	$(BUILD)/report/timeline_svg $(BUILD)/report/picture/trace.json >$(BUILD)/report/picture/timeline.svg
	tests/host/report/picture.sh $(BUILD)/report/picture/timeline.svg 1280,514 docs/timeline.png
	$(PROGRAM) run --frames 3 --copy-only --no-compare --out $(BUILD)/report/picture
	tests/host/report/portion.py $(BUILD)/report/picture/trace.json >docs/portion.svg
	! $(PROGRAM) run --frames 1 --spoil --no-compare --out $(BUILD)/report/picture
	tests/host/report/picture.sh $(BUILD)/report/picture/report.html#steps 1280,1060 docs/steps.png
