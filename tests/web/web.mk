# SPDX-License-Identifier: Apache-2.0
# The machine of the page: its C natively, with sanitizers, and the same as WebAssembly in a browser.

WEB_NATIVE_C := tests/web/native.c $(filter-out model/unwind.c web/unwind_web.c,$(WEB_SOURCES)) model/unwind.c
$(BUILD)/web/native: $(WEB_NATIVE_C) $(WEB_HEADERS) $(BUILD)/report_page.h | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(filter-out -Werror -Wconversion -Wsign-conversion,$(CFLAGS)) -Wno-missing-prototypes \
	    -Iweb -Iweb/deflate -Iweb/json -D_DEFAULT_SOURCE $(WEB_DEFINES) $(SANITIZE) -o $@ $(WEB_NATIVE_C) -lm
