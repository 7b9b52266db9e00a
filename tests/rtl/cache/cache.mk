# SPDX-License-Identifier: Apache-2.0
# The core's caches at random against a model, in Verilator (64 bits wide; before landing 32,
# 128, and with a port of their own for lines) and Icarus.

CACHE_TEST     := $(BUILD)/cache
CACHE_TEST_RTL := rtl/core_caches.v rtl/core_cache.v
CACHE_BENCH    := tests/rtl/cache/core_caches_bench.v

$(CACHE_TEST)/test_core_caches-%: tests/rtl/cache/test_core_caches.cpp $(CACHE_BENCH) $(CACHE_TEST_RTL)
	@mkdir -p $(@D)
	$(call say,VERILATE,$@)$(VERILATOR) $(VERILATOR_FLAGS) --cc --exe --build -O3 --x-initial unique --Mdir $@.obj \
	    -GDATA_WIDTH=$(patsubst %-apart,%,$*) -GAPART=$(if $(findstring apart,$*),1,0) \
	    --top-module core_caches_bench -o ../$(@F) $(CACHE_BENCH) $(abspath $<) >$@.log || \
	    (tail -n 30 $@.log; false)
# 2012 for $$fatal; only the top has a clock with a time, so only it has a timescale.
$(CACHE_TEST)/icarus_core_caches.vvp: tests/rtl/cache/icarus_core_caches.v $(CACHE_BENCH) $(CACHE_TEST_RTL)
	@mkdir -p $(@D)
	$(call say,ICARUS,$@)$(IVERILOG) -g2012 -DGPU_ASSERT -Wall -Wno-timescale -Irtl -s icarus_core_caches -o $@ \
	    tests/rtl/cache/icarus_core_caches.v $(CACHE_BENCH) $(CACHE_TEST_RTL)

.PHONY: test-cache test-cache-rest test-cache-formal-long
TESTS      += test-cache
TESTS_FULL += test-cache-rest
TESTS_LONG += test-cache-formal-long
test-cache: $(CACHE_TEST)/test_core_caches-64 $(CACHE_TEST)/icarus_core_caches.vvp
	@tests/run cache tests/rtl/pace.sh cache $<
	@tests/run cache-icarus tests/rtl/icarus.sh $(CACHE_TEST)/icarus_core_caches.vvp
test-cache-rest: $(CACHE_TEST)/test_core_caches-32 $(CACHE_TEST)/test_core_caches-128 \
                 $(CACHE_TEST)/test_core_caches-64-apart
	@tests/run cache-32 $<
	@tests/run cache-128 $(CACHE_TEST)/test_core_caches-128
	@tests/run cache-apart $(CACHE_TEST)/test_core_caches-64-apart
	@tests/run formal-core-cache tests/meta/kept tests/formal/memory/core_cache.sh $(BUILD)/formal-memory
test-cache-formal-long:
	@tests/run formal-core-cache-long tests/formal/memory/core_cache.sh $(BUILD)/formal-memory/long 28
