# SPDX-License-Identifier: Apache-2.0
# trace.json against the rules of its format, and the queries of docs/views.md about it. The judge reads our own files,
# thirty times, and is built without sanitizers: a third of the time.

$(BUILD)/report/trace_format: tests/host/report/trace_format.c tests/trace_events.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< -ljson-c
.PHONY: test-trace-format
TESTS += test-trace-format
test-trace-format: $(PROGRAM) $(BUILD)/firmware/gpu.elf $(BUILD)/report/trace_format $(BUILD)/runs/chip/done \
                   $(BUILD)/runs/play/done
	@tests/run trace-format tests/host/report/trace_format.sh $(PROGRAM) $(BUILD)/report/trace_format \
	    $(BUILD)/runs $(BUILD)/report/traces
