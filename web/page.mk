# SPDX-License-Identifier: Apache-2.0
# The page of the machine in a browser: build/web/page.html has style and scripts in it, and a line ENGINE in the place
# of the worker and the machine.

WEB_SCRIPTS := ../../host/view/page map patches queue log knobs model client transport link tour_steps tour \
               glossary exercise_list exercises own main page_check page_check_parts start
WEB_PAGE    := $(BUILD)/web/page.html
WEB_OUT     := out/web
WEB_HAS_TOOLS = $(and $(wildcard /usr/include/wasm32-wasi),$(WEB_CC))

$(BUILD)/web/words.js: docs/glossary.md web/page/sources web/page/words.awk \
                       $(shell awk -F' [|] ' 'NF == 3 && !seen[$$2]++ { print $$2 }' web/page/sources)
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f web/page/words.awk docs/glossary.md web/page/sources >$@.tmp && mv $@.tmp $@
# A line STYLE or SCRIPT of the page becomes these files.
$(WEB_PAGE): web/page/page.html web/page/style.css $(BUILD)/web/words.js $(WEB_SCRIPTS:%=web/page/%.js) web/page.mk
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
