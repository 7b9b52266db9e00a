# SPDX-License-Identifier: Apache-2.0
# House rules, and the freshness of what is generated and checked in.
TESTS += test-tidy test-format test-fresh
.PHONY: test-tidy test-format test-fresh tidy-known format

TIDY_C := $(patsubst %,tests/meta/tidy/%.c,tidy tidy_layers tidy_prose)
$(BUILD)/tidy/tidy: $(TIDY_C) tests/meta/tidy/tidy.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -D_POSIX_C_SOURCE=200809L $(CFLAGS) $(SANITIZE) -o $@ $(TIDY_C)

# The project's files: what git knows, or everything outside the output folders of an unpacked archive; but not the
# inputs of fuzzing, which are bytes.
PROJECT_FILES = { git ls-files 2>/dev/null || find . -type f | sed 's,^\./,,' | grep -vE '^(build|out|\.git)/'; } | \
                grep -v '^tests/fuzz/corpus/'

test-tidy: $(BUILD)/tidy/tidy
	@tests/run tidy sh -c "$(PROJECT_FILES) | $<"
	@tests/run tidy-calls python3 -B tests/meta/tidy/calls.py tests/meta/tidy/layers $(C_FILES)
C_FILES = $$($(PROJECT_FILES) | grep -E '\.(c|h|cpp)$$')
format:
	@tests/meta/tidy/format.sh --write $(C_FILES)
test-format:
	@tests/run format tests/meta/tidy/format.sh $(C_FILES)
test-fresh: $(BUILD)/gen
	@tests/run fresh tests/meta/tidy/fresh.sh $<
tidy-known: $(BUILD)/tidy/tidy
	@{ echo '# Files that break a length rule: path, lines that are too long, lines. Only downwards.'; \
	   $(PROJECT_FILES) | $< --known; } >tests/meta/tidy/known.new && mv tests/meta/tidy/known.new tests/meta/tidy/known
