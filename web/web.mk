# SPDX-License-Identifier: Apache-2.0
# `make web`: the machine in a browser (docs/web.md). Firmware, golden model and host library as WebAssembly, out/web/.

WEB_CC       = $(firstword $(foreach name,clang clang-19 clang-14,$(shell command -v $(name) 2>/dev/null)))
# Empty where the compiler or the C library for WebAssembly is not installed (make deps-web).
WEB_HAS_TOOLS = $(and $(WEB_CC),$(wildcard /usr/include/wasm32-wasi))
WEB_BUILD   := $(BUILD)/web
WEB_OUT     := out/web
# What is not in a browser: files of game data, windows, processes, boards; and what web/ has in its place.
WEB_HOST    := $(filter-out lib/tessera_boot,$(call host_files,lib tools/view tools/bound)) \
               $(addprefix tools/command/scene_,run results) \
               $(filter-out clients/sdl/play/play clients/sdl/play/play_check,$(call host_files,clients/sdl/play)) \
               $(call host_files,tools/recording) \
               $(filter-out tools/replay/replay tools/replay/replay_machine_% tools/replay/pagesim_write \
                 $(addprefix tools/replay/replay_,report schedule submitted),$(call host_files,tools/replay)) \
               $(addprefix tools/cli/,option_table progress) \
               $(filter-out tools/scene/scene_freedoom tools/scene/scene_texture tools/scene/wad, \
                 $(call host_files,tools/scene)) \
               lib/device/installation
WEB_SOURCES := $(filter-out model/stack.c model/unwind.c,$(DEVICE_SOURCES)) $(MODEL_SOURCES) $(WEB_HOST:%=host/%.c) \
               $(wildcard web/*.c web/*/*.c)
WEB_OBJECTS := $(WEB_SOURCES:%.c=$(WEB_BUILD)/%.o)
WEB_DEFINES := -DTESSERA_FIRMWARE_PATH=none -DTESSERA_VERSION=$(shell cat VERSION)
WEB_CFLAGS  := -std=c11 -O2 -Wall -Wextra -Werror $(INCLUDES) -Iweb -Iweb/deflate -Iweb/json \
               -D_DEFAULT_SOURCE $(WEB_DEFINES)
WEB_HEADERS := $(HOST_HEADERS) $(wildcard web/*.h web/*/*.h web/json/json-c/*.h)

$(WEB_OBJECTS): $(WEB_BUILD)/%.o: %.c $(WEB_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,WASM-CC,$<)$(WEB_CC) --target=wasm32-wasi $(WEB_CFLAGS) -c -o $@ $<
$(WEB_BUILD)/host/tools/view/report_html.o: $(BUILD)/report_page.h
$(WEB_OUT)/tessera.wasm: $(WEB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,WASM-LD,$@)$(WEB_CC) --target=wasm32-wasi -mexec-model=reactor -Wl,--export=__stack_pointer \
	    -Wl,--export-table -Wl,-z,stack-size=1048576 -Wl,--strip-debug -o $@ $(WEB_OBJECTS)

# The worker: the report's own sentences about a history, what the machine imports, and the messages.
WEB_SAYS := page report_data report_why
$(WEB_OUT)/worker.js: $(WEB_SAYS:%=host/tools/view/%.js) web/worker_report.js web/worker_wasm.js \
                    web/worker_policy.js web/worker.js
	@mkdir -p $(@D)
	$(call say,PAGE,$@){ cat web/worker_report.js; echo 'function reportOf(run) {'; \
	    cat $(WEB_SAYS:%=host/tools/view/%.js); \
	    echo 'return reportFace({ explain, stay, indexOfPlans, whyAgain, sayArrival, sayLeaving, endedBy, planCount,'; \
	    echo '  stayCount, NO_PLAN });'; echo '}'; cat web/worker_wasm.js web/worker_policy.js web/worker.js; } \
	    >$@.tmp && mv $@.tmp $@

# The page of the machine in a browser: build/web/page.html has style and scripts in it, and a line ENGINE in the place
# of the worker and the machine.

WEB_SCRIPTS := ../../host/tools/view/page map patches queue log knobs model client transport link tour_steps tour \
               glossary exercise_list exercises lab own main page_check page_check_parts start
WEB_PAGE    := $(BUILD)/web/page.html

$(BUILD)/web/words.js: docs/glossary.md web/page/sources web/page/words.awk \
                       $(shell awk -F' [|] ' 'NF == 3 && !seen[$$2]++ { print $$2 }' web/page/sources)
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f web/page/words.awk docs/glossary.md web/page/sources >$@.tmp && mv $@.tmp $@
# A line STYLE or SCRIPT of the page becomes these files.
$(WEB_PAGE): web/page/page.html web/page/style.css $(BUILD)/web/words.js $(WEB_SCRIPTS:%=web/page/%.js) web/web.mk
	@mkdir -p $(@D)
	$(call say,PAGE,$@)awk -v style=web/page/style.css -v scripts="$(BUILD)/web/words.js $(WEB_SCRIPTS:%=web/page/%.js)" \
	    'function put(file,  line) { while ((getline line <file) > 0) print line; close(file) } \
	     $$0 == "STYLE" { put(style); next } \
	     $$0 == "SCRIPT" { count = split(scripts, part); for (i = 1; i <= count; i++) put(part[i]); next } \
	     { print }' web/page/page.html >$@.tmp && mv $@.tmp $@

# One file that a double click opens as well as a server sends it: worker and machine are inside, as text.
$(WEB_OUT)/index.html: $(WEB_PAGE) $(WEB_OUT)/worker.js $(WEB_OUT)/tessera.wasm
	$(call say,PAGE,$@){ sed '/^ENGINE$$/,$$d' $(WEB_PAGE); \
	    echo '<script type="text/plain" id="worker-source">'; cat $(WEB_OUT)/worker.js; echo '</script>'; \
	    echo '<script type="text/plain" id="machine-base64">'; base64 -w 0 $(WEB_OUT)/tessera.wasm; \
	    echo; echo '</script>'; sed '1,/^ENGINE$$/d' $(WEB_PAGE); } >$@.tmp && mv $@.tmp $@

.PHONY: web
web: deps-web
	@$(MAKE) --no-print-directory $(WEB_OUT)/tessera.wasm $(WEB_OUT)/worker.js $(WEB_OUT)/index.html
	@echo 'open $(WEB_OUT)/index.html in a browser'
