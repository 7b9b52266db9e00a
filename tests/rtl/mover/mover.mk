# SPDX-License-Identifier: Apache-2.0
# The mover's benches: test-mover (Verilator), test-mover-icarus, test-mover-formal; bench-engine, area-engine.

MOVER_RTL    := rtl/sync_fifo.v $(wildcard rtl/engine/mover*.v rtl/engine/pixel*.v)
MOVER_VH     := rtl/gpu_spec.vh rtl/config.vh
MOVER_BUILD  := $(BUILD)/mover
MOVER_HERE   := tests/rtl/mover
MOVER_H      := tests/rows.h $(wildcard $(MOVER_HERE)/*.h) model/engine_model.h model/pixel_model.h
MOVER_MODEL  := $(BUILD)/model/libmodel.a
MOVER_PARTS_O := test_errors.o test_mover_palette.o test_pixel_parts.o world.o judge.o
MOVER_TEST_O := $(addprefix $(MOVER_BUILD)/test/,test_mover.o $(MOVER_PARTS_O))
MOVER_BENCH_O := $(addprefix $(MOVER_BUILD)/bench/,bench.o world.o judge.o)

$(MOVER_BUILD)/test/%.o: $(MOVER_HERE)/%.c $(MOVER_H) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -I$(MOVER_HERE) -c -o $@ $<
$(MOVER_BUILD)/bench/%.o: $(MOVER_HERE)/%.c $(MOVER_H) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -DWORLD_LOG2_BYTES=24 -I$(MOVER_HERE) -c -o $@ $<

$(MOVER_BUILD)/test/test_plain.o: $(MOVER_HERE)/test_mover.c $(MOVER_H) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -DMOVER_PIXELS=0 -I$(MOVER_HERE) -c -o $@ $<

$(MOVER_BUILD)/test/test_few.o: $(MOVER_HERE)/test_mover.c $(MOVER_H) | spec
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS) -DMOVER_FORMATS=0 -I$(MOVER_HERE) -c -o $@ $<

# $(call mover_verilate,TOP,FILE,HARNESS,OBJECTS): a program build/mover/NAME/VTOP from the objects.
mover_verilate = @mkdir -p $(@D) && rm -f $@ && $(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique \
    --top-module $(1) --Mdir $(@D) -CFLAGS "-I$(CURDIR)/$(MOVER_HERE)" $(2) \
    $(abspath $(MOVER_HERE)/$(3) $(4) $(MOVER_MODEL)) >$(@D)/build.log || (cat $(@D)/build.log; exit 1)

$(MOVER_BUILD)/verilated/Vmover: $(MOVER_RTL) $(MOVER_VH) $(MOVER_HERE)/harness.cpp $(MOVER_TEST_O) $(MOVER_MODEL)
	$(call mover_verilate,mover,-GLOG2_BURSTS=4 rtl/engine/mover.v,harness.cpp,$(MOVER_TEST_O))
MOVER_PLAIN_O := $(addprefix $(MOVER_BUILD)/test/,test_plain.o $(MOVER_PARTS_O))
$(MOVER_BUILD)/plain/Vmover: $(MOVER_RTL) $(MOVER_VH) $(MOVER_HERE)/harness.cpp $(MOVER_PLAIN_O) $(MOVER_MODEL)
	$(call mover_verilate,mover,-GPIXELS=0 rtl/engine/mover.v,harness.cpp,$(MOVER_PLAIN_O))
MOVER_FEW_O := $(addprefix $(MOVER_BUILD)/test/,test_few.o $(MOVER_PARTS_O))
$(MOVER_BUILD)/few/Vmover: $(MOVER_RTL) $(MOVER_VH) $(MOVER_HERE)/harness.cpp $(MOVER_FEW_O) $(MOVER_MODEL)
	$(call mover_verilate,mover,-DCONFIG_FORMATS=0 rtl/engine/mover.v,harness.cpp,$(MOVER_FEW_O))
$(MOVER_BUILD)/operations/Vmover: $(MOVER_RTL) $(MOVER_VH) $(MOVER_HERE)/harness.cpp $(MOVER_BENCH_O) $(MOVER_MODEL)
	$(call mover_verilate,mover,rtl/engine/mover.v,harness.cpp,$(MOVER_BENCH_O))
$(MOVER_BUILD)/copies/Vdut: $(MOVER_RTL) $(MOVER_VH) tests/rtl/dut.v $(MOVER_HERE)/dut_harness.cpp $(MOVER_BENCH_O) \
                            $(MOVER_MODEL)
	$(call mover_verilate,dut,tests/rtl/dut.v,dut_harness.cpp,$(MOVER_BENCH_O))

.PHONY: test-mover test-mover-rest bench-engine
TESTS += test-mover
test-mover: $(MOVER_BUILD)/verilated/Vmover
	@tests/run mover tests/rtl/pace.sh mover $< all 1 2

# All random batches.
TESTS_FULL += test-mover-rest
test-mover-rest: $(MOVER_BUILD)/verilated/Vmover
	@tests/run mover-rest $<

# The paging node's mover has no pixel path.
.PHONY: test-mover-plain
TESTS_FULL += test-mover-plain
test-mover-plain: $(MOVER_BUILD)/plain/Vmover
	@tests/run mover-plain $<

# A small configuration: fewer pixel formats and modes.
.PHONY: test-mover-few
TESTS_FULL += test-mover-few
test-mover-few: $(MOVER_BUILD)/few/Vmover
	@tests/run mover-few tests/rtl/pace.sh mover-few $<

# The aperture beside plain system addresses: the node bench, with more memory.
MOVER_SYSTEM_RTL := $(wildcard rtl/engine/*.v rtl/fabric*.v rtl/aperture*.v) rtl/arbiter.v rtl/command_ram.v \
                    rtl/segment_ram.v rtl/slow_ram.v rtl/sync_fifo.v rtl/gpu_spec.vh rtl/config.vh
$(MOVER_BUILD)/aperture_rate: $(MOVER_HERE)/test_aperture.cpp tests/rtl/node/bench.h tests/rtl/node/system_world.h \
                              tests/rtl/node/record.h tests/rtl/random_source.h tests/rtl/node/node_bench.v \
                              $(MOVER_SYSTEM_RTL)
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir \
	    $(MOVER_BUILD)/aperture_obj \
	    --top-module node_bench -GSEGMENT1_BYTES=131072 -GAPERTURE_PAGES=32 -GLOG2_BURSTS=6 \
	    -CFLAGS "-std=c++17 $(addprefix -I$(CURDIR)/,spec $(BUILD) tests/rtl/node)" -o ../aperture_rate \
	    tests/rtl/node/node_bench.v $(abspath $(MOVER_HERE)/test_aperture.cpp) >$@.log || (tail -n 30 $@.log; false)

.PHONY: test-aperture-rate
TESTS_FULL += test-aperture-rate
test-aperture-rate: $(MOVER_BUILD)/aperture_rate
	@tests/run aperture-rate $<

# Every case of the descriptor bench on tests/rtl/dut.v, the other operations, the aperture beside plain addresses:
# one row each under the key `engine` of out/bench.json; under `area` what `make area-engine` last counted.
bench-engine: $(MOVER_BUILD)/copies/Vdut $(MOVER_BUILD)/operations/Vmover $(MOVER_BUILD)/aperture_rate
	@mkdir -p out
	@(set -e; echo '{"engine": ['; $(MOVER_BUILD)/copies/Vdut copies; echo ','; \
	  $(MOVER_BUILD)/operations/Vmover operations; echo ','; $(MOVER_BUILD)/operations/Vmover maps; echo ','; \
	  $(MOVER_BUILD)/aperture_rate json; echo '], "area": ['; \
	  if [ -f out/area-engine.txt ]; then awk -f tests/rtl/mover/area.awk out/area-engine.txt; fi; \
	  echo ']}') >$(MOVER_BUILD)/bench.json
	@cp $(MOVER_BUILD)/bench.json out/bench.json

# Area on ECP5 for each set of parts, one line each; a line is also kept in out/area-engine.txt.
.PHONY: area-engine
# MOVER_MAPPING=-nowidelut: without multiplexers wider than a LUT4.
MOVER_MAPPING :=
MOVER_AREA := copy:0:0:0:0:0 copy+rows:0:1:0:0:0 copy+rows+fill:1:1:0:0:0 all-but-pixels:1:1:1:1:0 all:1:1:1:1:1
# A build without the pixel path reads none of its files: the mapping depends on everything that was read.
MOVER_ONLY_RTL := $(filter-out rtl/engine/mover_pixels.v rtl/engine/pixel%,$(MOVER_RTL)) rtl/engine/pixel_size.v
area-engine: | spec
	@mkdir -p out $(MOVER_BUILD) && : >out/area-engine.txt
	@for part in $(MOVER_AREA); do IFS=: read name fills rows reverse tiles pixels <<<"$$part"; \
	  files="$(MOVER_ONLY_RTL)"; [ "$$pixels" = 0 ] || files="$(MOVER_RTL)"; \
	  $(YOSYS) -q -p "read_verilog -Irtl -Irtl/engine $$files; chparam -set FILLS $$fills -set ROWS $$rows \
	    -set REVERSE $$reverse -set TILES $$tiles -set PIXELS $$pixels mover; synth_ecp5 $(MOVER_MAPPING) -top mover; \
	    tee -q -o $(MOVER_BUILD)/area.txt stat" || exit 1; \
	  awk -v name=$$name -f tests/rtl/mover/area_line.awk $(MOVER_BUILD)/area.txt | tee -a out/area-engine.txt; done

# Area of each part as a top of its own, with the parameters of the chip; the sum is more than the whole, in which
# constants cross from part to part. Kept in out/area-parts.txt.
AREA_PARTS := mover_pieces mover_map mover_gather mover_cutter mover_read \
              mover_aligner:LANE=9:ERROR=2 mover_write:LOG2_BURSTS=6 node_fetch \
              node_packet node_surface node_retire node_counters guard aperture arbiter fabric_read fabric_write \
              node_execute pixel_path
.PHONY: area-parts
area-parts: | spec
	@mkdir -p out $(MOVER_BUILD) && : >out/area-parts.txt
	@for part in $(AREA_PARTS); do IFS=: read -r top first second <<<"$$part"; \
	  $(YOSYS) -q -p "$(YOSYS_READ); $${first:+chparam -set $${first/=/ } $$top;} \
	    $${second:+chparam -set $${second/=/ } $$top;} synth_ecp5 $(MOVER_MAPPING) -top $$top -run begin:check; \
	    tee -q -o $(MOVER_BUILD)/part.txt stat" >/dev/null 2>&1 || exit 1; \
	  awk -v name=$$part -f tests/rtl/mover/area_line.awk $(MOVER_BUILD)/part.txt | tee -a out/area-parts.txt; done

.PHONY: test-mover-icarus
TESTS_FULL += test-mover-icarus
$(MOVER_BUILD)/icarus_mover.vvp: $(MOVER_HERE)/icarus_mover.v $(MOVER_RTL) $(MOVER_VH)
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2012 -Wall -Wno-timescale -DGPU_ASSERT -Irtl -Irtl/engine -s icarus_mover -o $@ \
	    $(MOVER_HERE)/icarus_mover.v $(MOVER_RTL)
test-mover-icarus: $(MOVER_BUILD)/icarus_mover.vvp
	@tests/run mover-icarus tests/rtl/icarus.sh $<
