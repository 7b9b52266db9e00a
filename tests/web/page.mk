# SPDX-License-Identifier: Apache-2.0
# The page of the machine in a browser: with a stand-in for the machine in `make test`, with the machine before landing.

$(BUILD)/web/stand_in.html: $(WEB_PAGE) tests/web/stand_in.js
	$(call say,PAGE,$@)awk '$$0 == "ENGINE" { print "<script type=\"text/plain\" id=\"worker-source\">"; \
	        while ((getline line <"tests/web/stand_in.js") > 0) print line; print "</script>"; next } \
	    { print }' $(WEB_PAGE) >$@.tmp && mv $@.tmp $@

.PHONY: test-web-page
TESTS += test-web-page
test-web-page: $(BUILD)/web/stand_in.html
	@tests/run web-page tests/web/page.sh $(BUILD)/web/stand_in.html quick

# browse.py, with a stand-in for the browser.
.PHONY: test-browse
TESTS += test-browse
test-browse:
	@tests/run browse tests/web/test_browse.py

# The whole with the machine; without clang for WebAssembly there is no page, and that counts as skipped.
.PHONY: test-web-page-rest web-picture
TESTS_FULL += test-web-page-rest
test-web-page-rest: $(if $(WEB_HAS_TOOLS),$(WEB_OUT)/index.html)
	@tests/run web-page-rest tests/web/page.sh $(WEB_OUT)/index.html whole

# The picture at the beginning of the README; `make picture` draws it, too.
picture: web-picture
web-picture: $(WEB_OUT)/index.html
	tests/web/browse.py $(WEB_OUT)/index.html --still --size 1280,860 --until 'window.shownAfter' \
	    --do 'goTo("cards", { segment2: 144 }, [["seek", "frame", 2], ["find", "evict"]])' \
	    --do 'new Promise(done => setTimeout(done, 500))' --picture docs/web.png
