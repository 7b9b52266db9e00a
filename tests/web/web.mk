# SPDX-License-Identifier: Apache-2.0
# The machine of the page: its C natively, with sanitizers, and the same as WebAssembly in a browser.

WEB_NATIVE_C := tests/web/native.c $(filter-out web/stack_web.c web/unwind_web.c web/own_worth_web.c, \
                  $(WEB_SOURCES)) model/stack.c model/unwind.c
# Firmware and model as the unit tests have them. Of the rest its own are web/ and what knows the difference: a header
# of zlib or json-c, for which web/ has a stand-in, a path, a page.
WEB_NATIVE_SHARED  := $(filter firmware/% model/%,$(WEB_NATIVE_C))
WEB_NATIVE_OWN     := $(filter-out host/% $(WEB_NATIVE_SHARED),$(WEB_NATIVE_C)) host/lib/device/installation.c \
                      host/tools/view/report_html.c \
                      $(shell grep -lE '<(zlib|json-c/|png)|_json\.h"' $(filter host/%,$(WEB_NATIVE_C)))
WEB_NATIVE_OBJECTS := $(WEB_NATIVE_OWN:%.c=$(BUILD)/web/sanitized/%.o)
WEB_NATIVE_OTHERS  := $(WEB_NATIVE_SHARED:%.c=$(BUILD)/unit/sanitized/%.o) \
                      $(patsubst %.c,$(BUILD)/host/sanitized/%.o, \
                        $(filter-out $(WEB_NATIVE_OWN) $(WEB_NATIVE_SHARED),$(WEB_NATIVE_C)))
$(WEB_NATIVE_OBJECTS): $(BUILD)/web/sanitized/%.o: %.c $(WEB_HEADERS) $(BUILD)/report_page.h | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -Iweb -Iweb/deflate -Iweb/json -D_DEFAULT_SOURCE $(WEB_DEFINES) $(SANITIZE) \
	    -c -o $@ $<
$(BUILD)/web/native: $(WEB_NATIVE_OBJECTS) $(WEB_NATIVE_OTHERS)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $^ -lm

WEB_EQUAL := $(BUILD)/web/native $(PROGRAM) $(BUILD)/runs/play/done
.PHONY: test-web test-web-rest
TESTS += test-web
TESTS_FULL += test-web-rest
test-web: $(WEB_EQUAL) $(if $(WEB_HAS_TOOLS),$(WEB_OUT)/tessera.wasm $(WEB_OUT)/worker.js)
	@tests/run web tests/web/equal.py quick
test-web-rest: $(WEB_EQUAL) $(if $(WEB_HAS_TOOLS),$(WEB_OUT)/tessera.wasm $(WEB_OUT)/worker.js)
	@tests/run web-rest tests/web/equal.py whole

# What stands in for zlib and json-c, beside them: with other names.
WEB_ZLIB_NAMES := $(foreach name,crc32 crc32_z compressBound compress2 uncompress,-D$(name)=web_$(name))
WEB_JSON_NAMES := $(foreach name,$(addprefix tokener_,new free set_flags parse_ex get_error get_parse_end error_desc) \
    type_to_name $(addprefix object_,put get_type is_type get_boolean get_int64 get_double get_string array_length \
    array_get_idx object_get_ex),-Djson_$(name)=web_json_$(name)) -Dpagesim_read=web_pagesim_read \
    -Dpagesim_parse=web_pagesim_parse
$(BUILD)/web/test_deflate: tests/web/test_deflate.c $(wildcard web/deflate/*)
	@mkdir -p $(@D)/stand_in
	$(call say,LINK,$@)for name in deflate huffman inflate; do \
	    $(CC) $(CFLAGS) $(SANITIZE) $(WEB_ZLIB_NAMES) -Iweb/deflate -c -o $(@D)/stand_in/$$name.o \
	    web/deflate/$$name.c || exit 1; done; \
	    $(CC) $(CFLAGS) $(SANITIZE) -o $@ $< $(addprefix $(@D)/stand_in/,deflate.o huffman.o inflate.o) -lcmocka -lz
$(BUILD)/web/test_json: tests/web/test_json.c $(patsubst %,host/tools/replay/%.c,pagesim_read pagesim) $(WEB_HEADERS)
	@mkdir -p $(@D)/stand_in
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -D_DEFAULT_SOURCE $(WEB_JSON_NAMES) -Iweb/json -c -o \
	    $(@D)/stand_in/json.o web/json/json.c && \
	    $(CC) $(CFLAGS) $(SANITIZE) -D_DEFAULT_SOURCE $(WEB_JSON_NAMES) -Iweb/json -c -o $(@D)/stand_in/read.o \
	    host/tools/replay/pagesim_read.c && \
	    $(CC) $(CFLAGS) $(SANITIZE) -D_DEFAULT_SOURCE -o $@ $< $(@D)/stand_in/json.o $(@D)/stand_in/read.o \
	    host/tools/replay/pagesim_read.c host/tools/replay/pagesim.c -lcmocka -ljson-c -lm
$(BUILD)/web/test_knobs: tests/web/test_knobs.c web/knobs.c \
                         $(BUILD)/host/sanitized/host/tools/scene/scenes.o $(WEB_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -Iweb $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka
$(BUILD)/web/test_tape: tests/web/test_tape.c web/tape.c $(WEB_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -Iweb $(SANITIZE) -Wl,--wrap=calloc -Wl,--wrap=realloc -o $@ $(filter %.c,$^)
WEB_WRAPPED := malloc calloc realloc snapshot_take snapshot_note
$(BUILD)/web/test_machine: tests/web/test_machine.c tests/web/snapshot_check.h tests/unit/check.h $(WEB_HEADERS) \
                           $(WEB_NATIVE_OTHERS) $(filter-out %/native.o,$(WEB_NATIVE_OBJECTS))
	$(call say,LINK,$@)$(CC) $(CFLAGS) -Iweb -Iweb/deflate $(SANITIZE) $(WEB_WRAPPED:%=-Wl,--wrap=%) -o $@ \
	    $(filter %.c %.o,$^) -lm
$(BUILD)/web/test_state: tests/web/test_state.c tests/unit/check.h $(WEB_HEADERS) $(WEB_NATIVE_OTHERS) \
                         $(filter-out %/native.o,$(WEB_NATIVE_OBJECTS))
	$(call say,LINK,$@)$(CC) $(CFLAGS) -Iweb -Iweb/json -Iweb/deflate -D_DEFAULT_SOURCE $(SANITIZE) -o $@ \
	    $(filter %.c %.o,$^) -lm
.PHONY: test-web-parts
TESTS += test-web-parts
test-web-parts: $(addprefix $(BUILD)/web/test_,deflate json knobs machine state tape)
	@mkdir -p $(BUILD)/web/parts/out
	@tests/run web-state sh -c 'cd $(BUILD)/web/parts && exec ../test_state'
	@tests/run web-machine sh -c 'cd $(BUILD)/web/parts && exec ../test_machine'
	@tests/run web-knobs $(BUILD)/web/test_knobs
	@tests/run web-tape $(BUILD)/web/test_tape
	@tests/run web-deflate $(BUILD)/web/test_deflate
	@tests/run web-json $(BUILD)/web/test_json
