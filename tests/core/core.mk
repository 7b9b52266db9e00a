# SPDX-License-Identifier: Apache-2.0
# The control core's tests: see docs/core.md.

CORE_BUILD := $(BUILD)/core
CORE_RTL   := $(wildcard rtl/core/*.v)
CORE_OBJ   := $(addprefix $(CORE_BUILD)/,elf_image.o bench_memory.o disassemble.o isa_expand.o)
LOCKSTEP_OBJ := $(addprefix $(CORE_BUILD)/,isa_model.o isa_expand.o disassemble.o random_program.o)

$(CORE_BUILD)/%.o: tests/core/%.c $(wildcard tests/core/*.h)
	@mkdir -p $(CORE_BUILD)
	$(call say,CC,$<)$(CC) $(CFLAGS) -c -o $@ $<

# core-run: the bare core as a program runner. Its boot words are at 0xffff0000 (tests/core/bench_memory.h).
# core-run-NAME is the core in another configuration.
CORE_SMALL := COMPRESSED=0 MULTIPLY=0 SHIFTER=0 PREDICT=0 COUNTERS=0 TRAP_VALUES=0 PMP_REGIONS=0
CORE_IM    := COMPRESSED=0 PMP_REGIONS=0
# As many regions as the chip with the firmware's region has.
CORE_FULL  := PMP_REGIONS=8
CORE_SLOW  := $(CORE_FULL) PREDICT=0
define core_run
$(1): $$(CORE_RTL) tests/core/core_run.cpp $$(CORE_OBJ)
	$$(call say,VERILATE,$$@)$$(VERILATOR) $$(VERILATOR_FLAGS) -O3 --x-initial unique --cc --exe --build -j 1 \
	    --top-module core \
	    --Mdir $$(CORE_BUILD)/$$(notdir $(1)).d -GRESET_VECTOR="32'hffff0000" $$(addprefix -G,$(2)) \
	    -CFLAGS "-Wall -Wextra -I$$(CURDIR)/tests/core" -o $$(CURDIR)/$$@ rtl/core/core.v \
	    $$(CURDIR)/tests/core/core_run.cpp $$(addprefix $$(CURDIR)/,$$(CORE_OBJ)) >$$(CORE_BUILD)/$$(notdir $(1)).log || \
	    (cat $$(CORE_BUILD)/$$(notdir $(1)).log; false)
endef
$(eval $(call core_run,$(BUILD)/core-run,$(CORE_FULL)))
$(eval $(call core_run,$(CORE_BUILD)/core-run-small,$(CORE_SMALL)))
$(eval $(call core_run,$(CORE_BUILD)/core-run-im,$(CORE_IM)))
$(eval $(call core_run,$(CORE_BUILD)/core-run-slow,$(CORE_SLOW)))

# Official suites from the user's own checkout.
.PHONY: isa-tests
isa-tests: $(BUILD)/core-run $(CORE_BUILD)/core-run-slow $(CORE_BUILD)/core-run-small
	tests/core/isa_tests.sh "$(RISCV_TESTS)" $(CORE_BUILD)/isa-tests rv32imc $(BUILD)/core-run
	tests/core/isa_tests.sh "$(RISCV_TESTS)" $(CORE_BUILD)/isa-tests rv32imc $(BUILD)/core-run --stall 40
	tests/core/isa_tests.sh "$(RISCV_TESTS)" $(CORE_BUILD)/isa-tests rv32imc $(CORE_BUILD)/core-run-slow --stall 40
	tests/core/isa_tests.sh "$(RISCV_TESTS)" $(CORE_BUILD)/isa-tests rv32i $(CORE_BUILD)/core-run-small --stall 40

# Every file as its own top, and the core in every configuration kept, in three tools, without a warning.
.PHONY: lint-core
lint: lint-core
lint-core:
	tests/core/lint.sh
TESTS_FULL += test-core-lint
.PHONY: test-core-lint
test-core-lint:
	@tests/run core-lint tests/core/lint.sh

# CoreMark from the user's own checkout, with the flags of its published figures.
CORE_PROGRAM_FLAGS := -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs -nostartfiles -Itests/core/program \
                      -T tests/core/program/link.ld tests/core/program/start.S
COREMARK_FLAGS     ?= -march=rv32im -O2
.PHONY: coremark
coremark: $(BUILD)/core-run
	@test -f "$(COREMARK)/core_main.c" || \
	    { echo "make coremark: name a checkout of CoreMark with COREMARK=directory" >&2; exit 2; }
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(COREMARK_FLAGS) $(CORE_PROGRAM_FLAGS) -DITERATIONS=10 -DPERFORMANCE_RUN=1 \
	    -Itests/core/coremark \
	    -I$(COREMARK) -o $(CORE_BUILD)/coremark.elf tests/core/coremark/core_portme.c \
	    $(addprefix $(COREMARK)/,core_main.c core_list_join.c core_matrix.c core_state.c core_util.c)
	$(BUILD)/core-run $(CORE_BUILD)/coremark.elf

# Dhrystone from the user's own checkout (dhry_1.c and dhry_2.c, as in PicoRV32's repository).
DHRYSTONE_FLAGS ?= -march=rv32im -O2
DHRYSTONE_DIALECT := -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs -std=gnu89 -w -fno-builtin-printf -DTIME -DRISCV
.PHONY: dhrystone
dhrystone: $(BUILD)/core-run
	@test -f "$(DHRYSTONE)/dhry_1.c" || \
	    (echo "make dhrystone: name a directory with dhry_1.c: make dhrystone DHRYSTONE=directory" >&2; exit 2)
	$(call say,RV-CC,$<)$(RV_PREFIX)gcc $(DHRYSTONE_FLAGS) $(DHRYSTONE_DIALECT) -Dmain=dhrystone_main -c -o \
	    $(CORE_BUILD)/dhry_1.o $(DHRYSTONE)/dhry_1.c
	$(call say,RV-CC,$<)$(RV_PREFIX)gcc $(DHRYSTONE_FLAGS) $(DHRYSTONE_DIALECT) -c -o $(CORE_BUILD)/dhry_2.o \
	    $(DHRYSTONE)/dhry_2.c
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc $(DHRYSTONE_FLAGS) $(CORE_PROGRAM_FLAGS) -fno-builtin-printf -o \
	    $(CORE_BUILD)/dhrystone.elf \
	    $(CORE_BUILD)/dhry_1.o $(CORE_BUILD)/dhry_2.o tests/core/dhrystone/dhrystone_port.c
	$(BUILD)/core-run $(CORE_BUILD)/dhrystone.elf

# Random programs on the core and on the ISA model, compared record by record.
# lockstep-slow: the core without a table of jumps and with no PMP region that is a power of two, as in the chip.
# $(call lockstep,PROGRAM,PARAMETERS,PMP_POWERS)
define lockstep
$(1): $$(CORE_RTL) tests/core/lockstep.cpp $$(LOCKSTEP_OBJ)
	$$(call say,VERILATE,$$@)$$(VERILATOR) $$(VERILATOR_FLAGS) +define+RVFI -O3 --x-initial unique --cc --exe --build -j \
	    1 --top-module core \
	    --Mdir $$@.d $$(addprefix -G,$(2) PMP_POWERS=$(3)) \
	    -CFLAGS "-Wall -Wextra -DPMP_POWERS=$(3) -I$$(CURDIR)/tests/core" \
	    -o $$(CURDIR)/$$@ rtl/core/core.v $$(CURDIR)/tests/core/lockstep.cpp $$(addprefix $$(CURDIR)/,$$(LOCKSTEP_OBJ)) \
	    >$$@.log || (cat $$@.log; false)
endef
$(eval $(call lockstep,$(CORE_BUILD)/lockstep,$(CORE_FULL),1))
$(eval $(call lockstep,$(CORE_BUILD)/lockstep-slow,$(CORE_SLOW),0))

# lockstep-cached: its ports in caches. Two verilated models in one program.
$(CORE_BUILD)/lockstep-caches/Vcore_caches__ALL.a: rtl/core_caches.v rtl/core_cache.v
	@mkdir -p $(CORE_BUILD)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) -O3 --x-initial unique --cc --build -j 1 -GW_ADDRESS=13 \
	    -GI_BYTES=256 -GD_BYTES=256 --top-module core_caches --Mdir $(@D) rtl/core_caches.v >$(@D).log || \
	    (cat $(@D).log; false)
$(CORE_BUILD)/lockstep-cached: $(CORE_RTL) tests/core/lockstep.cpp tests/core/cached_ports.h $(LOCKSTEP_OBJ) \
                               $(CORE_BUILD)/lockstep-caches/Vcore_caches__ALL.a
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) +define+RVFI -O3 --x-initial unique --cc --exe --build -j 1 \
	    --top-module core --Mdir $@.d $(addprefix -G,$(CORE_FULL)) \
	    -CFLAGS "-Wall -Wextra -DCACHES -DPMP_POWERS=1 -I$(CURDIR)/tests/core -I$(CURDIR)/$(CORE_BUILD)/lockstep-caches" \
	    -o $(CURDIR)/$@ rtl/core/core.v $(CURDIR)/tests/core/lockstep.cpp $(addprefix $(CURDIR)/,$(LOCKSTEP_OBJ)) \
	    $(CURDIR)/$(CORE_BUILD)/lockstep-caches/Vcore_caches__ALL.a >$@.log || (cat $@.log; false)
TESTS_FULL += test-core-lockstep-cached
.PHONY: test-core-lockstep-cached
test-core-lockstep-cached: $(CORE_BUILD)/lockstep-cached
	@tests/run core-lockstep-cached $< --programs 2000 --seed 200000 --stall 0
	@tests/run core-lockstep-cached-stall $< --programs 1000 --seed 250000 --stall 40

TESTS      += test-core-lockstep
TESTS_FULL += test-core-lockstep-slow
.PHONY: test-core-lockstep test-core-lockstep-slow
test-core-lockstep: $(CORE_BUILD)/lockstep
	@tests/run core-lockstep $(CORE_BUILD)/lockstep --programs 3000 --stall 0
	@tests/run core-lockstep-stall $(CORE_BUILD)/lockstep --programs 3000 --seed 50000 --stall 40
test-core-lockstep-slow: $(CORE_BUILD)/lockstep-slow
	@tests/run core-lockstep-slow $(CORE_BUILD)/lockstep-slow --programs 2000 --seed 100000 --stall 0
	@tests/run core-lockstep-slow-stall $(CORE_BUILD)/lockstep-slow --programs 1000 --seed 150000 --stall 40

# The ISA model itself, against qemu-system-riscv32.
$(CORE_BUILD)/model_check: tests/core/model_check.c $(LOCKSTEP_OBJ)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ tests/core/model_check.c $(LOCKSTEP_OBJ)
TESTS += test-core-model
.PHONY: test-core-model
test-core-model: $(CORE_BUILD)/model_check
	@tests/run core-model-qemu $(CORE_BUILD)/model_check --programs 20

# Directed tests, in the configurations kept; the timing test without stalls.
TESTS      += test-core-isa
TESTS_FULL += test-core-isa-rest
.PHONY: test-core-isa test-core-isa-rest
test-core-isa test-core-isa-rest: $(wildcard tests/core/isa/*) # run.sh finds the tests
test-core-isa-rest: $(CORE_BUILD)/core-run-im $(CORE_BUILD)/core-run-slow
	@tests/run core-isa-slow tests/core/isa/run.sh $(CORE_BUILD)/isa-rest rv32imc $(CORE_BUILD)/core-run-slow \
	    --stall 40
	@TESTS=timing FLAGS=-DNO_TABLE tests/run core-timing-slow tests/core/isa/run.sh $(CORE_BUILD)/isa-slow rv32imc \
	    $(CORE_BUILD)/core-run-slow
	@TESTS="traps interrupts counters coherence timing" \
	    tests/run core-isa-im tests/core/isa/run.sh $(CORE_BUILD)/isa-rest rv32im $(CORE_BUILD)/core-run-im
test-core-isa: $(BUILD)/core-run
	@tests/run core-isa tests/core/isa/run.sh $(CORE_BUILD)/isa rv32imc $(BUILD)/core-run
	@tests/run core-isa-stall tests/core/isa/run.sh $(CORE_BUILD)/isa rv32imc $(BUILD)/core-run --stall 40
	@TESTS=timing tests/run core-timing tests/core/isa/run.sh $(CORE_BUILD)/isa rv32imc $(BUILD)/core-run

# Compressed instructions by themselves; other parts: tests/rtl/parts.
$(CORE_BUILD)/core_expand_test: rtl/core/core_expand.v tests/core/core_expand_test.cpp $(LOCKSTEP_OBJ)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -j 1 --top-module core_expand --Mdir $@.d \
	    -CFLAGS "-Wall -Wextra -I$(CURDIR)/tests/core" -o $(CURDIR)/$@ rtl/core/core_expand.v \
	    $(CURDIR)/tests/core/core_expand_test.cpp $(addprefix $(CURDIR)/,$(LOCKSTEP_OBJ)) >$@.log || (cat $@.log; false)
TESTS += test-core-pieces
.PHONY: test-core-pieces
test-core-pieces: $(CORE_BUILD)/core_expand_test
	@tests/run core-expand $(CORE_BUILD)/core_expand_test

# The project's own benchmark; the limit is 2 % above what was measured (docs/core.md).
TESTS += test-core-workload
.PHONY: test-core-workload
test-core-workload: $(BUILD)/core-run
	@tests/run core-workload tests/core/workload.sh $(CORE_BUILD) 1270 $(BUILD)/core-run

# How fast Verilator is: the whole chip in two workloads, the control core alone, and PicoRV32 alone from the user's
# own checkout (make bench-speed PICORV32=directory). Ratios, since machines differ.
SPEED_BUILD := $(CORE_BUILD)/speed
$(SPEED_BUILD)/speed.hex: tests/core/speed/speed.S tests/core/program/workload.c tests/core/program/bench.h
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_PREFIX)gcc -march=rv32im -O2 -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs \
	    -nostartfiles -Wall -Wextra \
	    -Wl,--no-warn-rwx-segments -Wl,--defsym=__stack=0x10000 -DSPEED -Itests/core/program \
	    -T tests/core/program/link.ld -o $(@D)/speed.elf $< tests/core/program/workload.c
	$(call say,COPY,$@)$(RV_PREFIX)objcopy -O verilog --verilog-data-width=4 $(@D)/speed.elf $@
# 1: top, 2: its sources, 3: flags. Lint is off: ours is linted by `make lint`, PicoRV32 is not ours to mend.
speed_build = mkdir -p $(SPEED_BUILD) && { $(VERILATOR) -fno-const-bit-op-tree --no-timing -Irtl -Irtl/core -O3 \
    --x-assign fast --x-initial unique --cc --exe $(3) --top-module $(1) --Mdir $(SPEED_BUILD)/$(1).d \
    -CFLAGS '-DSPEED_TOP=V$(1) -DSPEED_HEADER=\"V$(1).h\"' -o ../$(@F) $(2) $(CURDIR)/tests/core/speed/speed.cpp && \
    $(MAKE) -C $(SPEED_BUILD)/$(1).d -f V$(1).mk $(SIM_OPT); } >$(SPEED_BUILD)/$(1).log 2>&1 || \
    { cat $(SPEED_BUILD)/$(1).log; exit 1; }
$(SPEED_BUILD)/core: tests/core/speed/speed_core.v tests/core/speed/speed.cpp $(CORE_RTL) $(SPEED_BUILD)/speed.hex
	$(call speed_build,speed_core,$<,-Wno-lint -Wno-style --assert +define+GPU_ASSERT)
$(SPEED_BUILD)/picorv32: tests/core/speed/speed_picorv32.v tests/core/speed/speed.cpp $(SPEED_BUILD)/speed.hex
	@test -f "$(PICORV32)/picorv32.v" || \
	    { echo "make bench-speed: name a checkout of PicoRV32 with PICORV32=directory" >&2; exit 2; }
	$(call speed_build,speed_picorv32,$< $(PICORV32)/picorv32.v,-Wno-fatal -Wno-lint -Wno-style)
.PHONY: bench-speed
bench-speed: $(SPEED_BUILD)/core $(SPEED_BUILD)/picorv32 $(BUILD)/tessera $(BUILD)/firmware/gpu.elf \
             $(BUILD)/system/bench_speed $(BUILD)/system/mailbox.bin
	tests/core/speed/speed.sh $(SPEED_BUILD)

# Bounded proofs; the longer ones have no place in a short run. INSTRUCTION runs once per class of bits 6:2, and once
# for everything that is in none. The first two have to fail: the depth reaches records, and a bound is not too wide.
CORE_CLASSES     := 0 4 5 8 12 13 24 25 27
CORE_PROOFS      := INSTRUCTION:8:CLASS=12:MUST_FAIL LIVE:18:ALONE:BOUND=14:MUST_FAIL LIVE:26:ALONE:BOUND=22 \
                    PC:11 REGISTER:11 BUS:11 FETCH:11 CSR:11 \
                    $(foreach class,$(CORE_CLASSES),INSTRUCTION:9:CLASS=$(class)) INSTRUCTION:9
CORE_PROOFS_DEEP := LIVE:21:ALONE:NO_TABLE:BOUND=17 PC:11:NO_TABLE REGISTER:11:NO_TABLE BUS:11:NO_TABLE \
                    FETCH:11:NO_TABLE CSR:11:NO_TABLE
CORE_PROOFS_LONG := PC:12:NO_COMPRESSED BUS:14 REGISTER:14 CSR:14 FETCH:14 PC:14 \
                    $(foreach class,$(CORE_CLASSES),INSTRUCTION:12:CLASS=$(class))
.PHONY: formal-core formal-core-long core-mutation formal
formal: formal-core
formal-core:
	tests/core/formal/run.sh $(CORE_BUILD)/formal $(CORE_PROOFS) $(CORE_PROOFS_DEEP)
formal-core-long:
	@FORMAL_TIMEOUT=3000 tests/run core-formal-long tests/core/formal/run.sh $(CORE_BUILD)/formal $(CORE_PROOFS_LONG)
TESTS_LONG += formal-core-long core-mutation

# riscv-formal from the user's own checkout: make riscv-formal RISCV_FORMAL=dir [CHECKS="insn_* reg_ch0"].
# The test needs no checkout: the design that the checks are about elaborates.
.PHONY: riscv-formal test-core-riscv-formal
riscv-formal:
	tests/core/riscv_formal/run.sh "$(RISCV_FORMAL)" $(CORE_BUILD)/riscv-formal $(foreach check,$(CHECKS),'$(check)')
TESTS += test-core-riscv-formal
test-core-riscv-formal:
	@tests/run core-riscv-formal tests/core/riscv_formal/elaborate.sh $(CORE_BUILD)/riscv-formal-design
TESTS_FULL += test-core-formal
TESTS_LONG += test-core-formal-deep
.PHONY: test-core-formal test-core-formal-deep
test-core-formal-deep:
	@tests/run core-formal-deep tests/core/formal/run.sh $(CORE_BUILD)/formal-deep $(CORE_PROOFS_DEEP)
test-core-formal:
	@tests/run core-formal tests/meta/kept tests/core/formal/run.sh $(CORE_BUILD)/formal $(CORE_PROOFS)

# Faults put into the core on purpose (tests/core/mutation/faults.txt).
core-mutation: $(CORE_BUILD)/lockstep $(BUILD)/core-run
	@tests/run core-mutation tests/core/mutation/run.sh $(CORE_BUILD)/mutation

# Areas on an ECP5.
.PHONY: synth-core
synth: synth-core
synth-core:
	@for parameters in "$(CORE_IM)" "" "$(CORE_SMALL)"; do \
	    set=""; for p in $$parameters; do set="$$set chparam -set $${p%=*} $${p#*=} core;"; done; \
	    for flow in "" "-abc9 -nowidelut"; do \
	        echo "core, $${parameters:-everything}, synth_ecp5 $$flow:"; \
	        $(YOSYS) -q -p "read_verilog -Irtl/core rtl/core/*.v; $$set synth_ecp5 -top core $$flow; \
	            tee -q -o $(BUILD)/core-area.txt stat"; \
	        grep -E 'LUT4|TRELLIS_FF|MULT18|CCU2C|DPR16' $(BUILD)/core-area.txt; done; done

# The debug unit on the whole chip, and the gdb server.
DEBUG_DIR := $(CORE_BUILD)/debug
$(DEBUG_DIR)/directed.elf: tests/core/debug/directed.S tests/chip/system/test.ld
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_CC) $(TEST_FIRMWARE_FLAGS) -T tests/chip/system/test.ld -o $@ $<
$(DEBUG_DIR)/work.elf: tests/core/debug/work.c tests/chip/system/start.S tests/chip/system/test.ld spec/gpu.def | spec
	@mkdir -p $(@D)
	$(call say,RV-LINK,$@)$(RV_CC) $(TEST_FIRMWARE_FLAGS) -T tests/chip/system/test.ld -o $@ tests/chip/system/start.S $<
$(DEBUG_DIR)/%.bin: $(DEBUG_DIR)/%.elf
	$(call say,COPY,$@)$(RV_PREFIX)objcopy -O binary $< $@
$(DEBUG_DIR)/core_debug_test: tests/core/debug/core_debug_test.c tests/chip/system/rig.c tests/chip/system/rig.h \
                              host/lib/gdb/debug.c host/lib/gdb/debug.h $(SIM_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -Itests/chip/system -o $@ $< tests/chip/system/rig.c host/lib/gdb/debug.c $(SIM_LIBS)
.SECONDARY: $(DEBUG_DIR)/directed.elf $(DEBUG_DIR)/work.elf
TESTS += test-core-debug
.PHONY: test-core-debug
test-core-debug: $(DEBUG_DIR)/core_debug_test $(DEBUG_DIR)/directed.bin $(DEBUG_DIR)/work.bin
	@tests/run core-debug $<
	@tests/run core-debug-stall $< --seed 3 --stall 40 --latency 60
$(DEBUG_DIR)/gdb_test: tests/core/debug/gdb_test.c tests/chip/system/rig.c tests/chip/system/rig.h \
                       $(wildcard host/lib/gdb/*.[ch]) $(SIM_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE -Itests/chip/system -o $@ $< tests/chip/system/rig.c \
	    $(wildcard host/lib/gdb/*.c) $(SIM_LIBS)
$(DEBUG_DIR)/test_debug: tests/core/debug/test_debug.c host/lib/gdb/debug.c host/lib/gdb/debug.h | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka
$(DEBUG_DIR)/test_packets: tests/core/debug/test_packets.c host/lib/gdb/gdb_packet.c $(wildcard host/lib/gdb/*.h) \
                           tests/host/report/held.h | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CFLAGS) -D_DEFAULT_SOURCE $(SANITIZE) -Itests/host/report -o $@ $(filter %.c,$^) -lz
TESTS += test-core-gdb-protocol
.PHONY: test-core-gdb-protocol
test-core-gdb-protocol: $(addprefix $(DEBUG_DIR)/,gdb_test test_debug test_packets directed.bin)
	@tests/run core-gdb-debug $(DEBUG_DIR)/test_debug
	@tests/run core-gdb-packets $(DEBUG_DIR)/test_packets $(DEBUG_DIR) tests/host/report/written
	@tests/run core-gdb-protocol timeout 100 $<
TESTS += test-core-gdb-session
.PHONY: test-core-gdb-session
test-core-gdb-session: $(PROGRAM) $(DEBUG_IMAGE)
	@tests/run core-gdb-session tests/core/debug/session.sh $(PROGRAM) $(DEBUG_IMAGE) $(DEBUG_DIR)/session
# The same on the simulated board, through its serial line: the firmware alone takes a minute to load.
TESTS_LONG += test-core-gdb-board
.PHONY: test-core-gdb-board
test-core-gdb-board: $(PROGRAM) $(DEBUG_IMAGE) $(BUILD)/board-sim
	@tests/run core-gdb-board tests/core/debug/session.sh $(PROGRAM) $(DEBUG_IMAGE) $(DEBUG_DIR)/board \
	    $(BUILD)/board-sim

# Firmware that goes wrong: what protection does about it, on the whole chip.
PROTECTION_DIR := $(CORE_BUILD)/protection
$(PROTECTION_DIR)/wild.o: tests/core/protection/wild.c tests/core/protection/wild.h firmware/platform/hal_mmio.c \
                          $(FIRMWARE_HEADERS) | spec
	@mkdir -p $(@D)
	$(call say,RV-CC,$<)$(RV_CC) $(RV_CFLAGS) -c -o $@ $<
$(PROTECTION_DIR)/wild.elf: $(PROTECTION_DIR)/wild.o $(FIRMWARE_IMAGE) linker/gpu.ld
	$(call say,RV-LINK,$@)$(RV_CC) $(RV_CFLAGS) $(RV_LDFLAGS) -Wl,-Map=$(PROTECTION_DIR)/wild.map -o $@ $< \
	    $(filter-out %/hal_mmio.o,$(RV_OBJECTS))
$(PROTECTION_DIR)/test_protection: tests/core/protection/test_protection.c tests/core/protection/wild.h \
                                   $(HOST_HEADERS) $(HOST_LIBRARY) $(SIM_ARCHIVES) | spec
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) -o $@ $< $(HOST_LIBRARY) $(SIM_LIBS)
TESTS_FULL += test-core-protection
.PHONY: test-core-protection
test-core-protection: $(PROTECTION_DIR)/test_protection $(PROTECTION_DIR)/wild.elf
	@tests/run core-protection $^
