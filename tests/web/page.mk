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
