# SPDX-License-Identifier: Apache-2.0
# What the commands of build/tessera say, write and end with, over a stand-in whose every answer is known.

STAND_IN := $(BUILD)/stand_in
STAND_IN_OBJECTS := $(filter-out %/platform.o %/tessera_device.o %/replay_machine_model.o %_simulator.o, \
                      $(PROGRAM_OBJECTS) $(REPLAY_OBJECTS) $(PLAY_OBJECTS))
STAND_IN_WRAPPED := malloc calloc realloc free fopen fclose fseek ftell fread mkdir fork mmap clock_gettime
$(STAND_IN)/tessera: tests/host/stand_in/stand_in.c tests/host/lib/fake_device.c tests/host/lib/fake_device.h \
                         $(STAND_IN_OBJECTS) $(HOST_LIBRARY) $(MODEL_LIBRARY) $(HOST_HEADERS) \
                         $(BUILD)/sim/interrupt.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/host/lib -o $@ $(filter %.c,$^) $(BUILD)/sim/interrupt.o \
	    $(STAND_IN_OBJECTS) $(HOST_LIBRARY) \
	    $(MODEL_LIBRARY) $(STAND_IN_WRAPPED:%=-Wl,--wrap=%) -lpng $(REPLAY_LIBS) $(PLAY_LIBS) -lm
$(STAND_IN)/test_commands: tests/host/stand_in/test_commands.c tests/host/stand_in/recordings.c \
                           $(patsubst %,$(BUILD)/host/%.o,$(call host_files,tools/recording)) \
                           $(wildcard tests/host/stand_in/*.h) tests/host/report/held.h \
                           tests/host/lib/wire_board.h $(HOST_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -Itests/host -Itests/host/report -o $@ $(filter %.c %.o,$^) -lz -lpthread

.PHONY: test-commands
TESTS += test-commands
COMMAND_GROUPS := info run contend play console
test-commands: $(STAND_IN)/tessera $(STAND_IN)/test_commands
	@for group in $(COMMAND_GROUPS); do \
	    tests/run commands-$$group $(STAND_IN)/test_commands $(STAND_IN)/tessera $(STAND_IN) tests/host/stand_in/said \
	    $$group || status=1; done; exit $${status:-0}
.PHONY: said-written
report-written: said-written
said-written: $(STAND_IN)/tessera $(STAND_IN)/test_commands
	@{ sed -n '/^#/p' tests/host/stand_in/said; for group in $(COMMAND_GROUPS); do \
	    $(STAND_IN)/test_commands $(STAND_IN)/tessera $(STAND_IN) tests/host/stand_in/said $$group | sed -n 's/^sum //p'; \
	    done; } >$(STAND_IN)/sums
	@mv $(STAND_IN)/sums tests/host/stand_in/said
	@cp $(COMMAND_GROUPS:%=$(STAND_IN)/%.txt) tests/host/stand_in/texts
