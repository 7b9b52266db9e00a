# SPDX-License-Identifier: Apache-2.0
# `make web-rtl`: the chip's Verilog in a browser (docs/web.md), out/web/rtl.html: what Verilator makes of it and its
# runtime, compiled as they are, with the headers of web/rtl/cxx in the place of those that the C++ library has not.

# Empty where the C++ library for WebAssembly is not installed (make deps-web-rtl).
WEB_RTL_HAS_TOOLS = $(and $(WEB_HAS_TOOLS),$(wildcard /usr/include/wasm32-wasi/c++))
WEB_RTL         := $(BUILD)/web/rtl
WEB_RTL_C       := $(WEB_HOST:%=host/%.c) host/lib/tessera_boot.c model/pixel_model.c \
                   $(addprefix sim/,simulator.c simulator_report.c world.c fault.c profile.c misses.c) \
                   $(wildcard web/rtl/*.c web/deflate/*.c web/json/*.c)
WEB_RTL_OBJECTS := $(WEB_RTL_C:%.c=$(WEB_RTL)/%.o)
VERILATOR_HERE   = $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include
# VL_IGNORE_UNKNOWN_ARCH: Verilator's own word for a machine that it has no pause instruction of. A worker's only clock
# is the process's, too (Verilator 5.032 asks for it, and Debian 13's C library has none).
WEB_RTL_CXX      = $(WEB_CC) --driver-mode=g++ --target=wasm32-wasi -std=c++17 -O2 -fno-exceptions -Iweb/rtl/cxx \
                   -DVL_IGNORE_UNKNOWN_ARCH -DCLOCK_PROCESS_CPUTIME_ID=CLOCK_MONOTONIC \
                   -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=0 $(SIM_DEFINES) \
                   -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID -I$(SIM_OBJ) \
                   -isystem $(VERILATOR_HERE) -isystem $(VERILATOR_HERE)/vltstd

$(WEB_RTL_OBJECTS): $(WEB_RTL)/%.o: %.c $(WEB_HEADERS) $(SIM_HEADERS) web/web_rtl.mk | spec
	@mkdir -p $(@D)
	$(call say,WASM-CC,$<)$(WEB_CC) --target=wasm32-wasi $(WEB_CFLAGS) -c -o $@ $<
$(WEB_RTL)/host/tools/view/report_html.o: $(BUILD)/report_page.h
$(WEB_RTL)/chip.o: sim/chip.cpp $(SIM_HEADERS) $(SIM_OBJ)/Vsim_top.mk $(wildcard web/rtl/cxx/*) web/web_rtl.mk
	@mkdir -p $(@D)
	$(call say,WASM-CXX,$<)$(WEB_RTL_CXX) -Isim -Ihost -Ihost/include -Ispec -I$(BUILD) \
	    $(SIM_CHIP_DEFINES) -c -o $@ $<
# The model and Verilator's runtime, two at a time.
$(WEB_RTL)/verilated/built: $(SIM_OBJ)/Vsim_top.mk $(wildcard web/rtl/cxx/*) web/web_rtl.mk
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,WASM-CXX,$(@D)){ ls $(SIM_OBJ)/Vsim_top*.cpp | grep -Ev '__(ALL|Dpi)\.cpp'; \
	    ls $(addprefix $(VERILATOR_HERE)/,verilated.cpp verilated_threads.cpp); } | \
	    xargs -P 2 -I{} sh -c '$(WEB_RTL_CXX) -c -o $(@D)/$$(basename {} .cpp).o {}'
	@touch $@
$(WEB_OUT)/rtl.wasm: $(WEB_RTL_OBJECTS) $(WEB_RTL)/chip.o $(WEB_RTL)/verilated/built
	@mkdir -p $(@D)
	$(call say,WASM-LD,$@)$(WEB_CC) --driver-mode=g++ --target=wasm32-wasi -mexec-model=reactor \
	    -Wl,-z,stack-size=1048576 -Wl,--strip-debug -o $@ $(WEB_RTL_OBJECTS) $(WEB_RTL)/chip.o $(WEB_RTL)/verilated/*.o \
	    -lwasi-emulated-process-clocks -lwasi-emulated-getpid
$(WEB_RTL)/gpu.elf: $(FIRMWARE_IMAGE)
	@mkdir -p $(@D)
	$(call say,STRIP,$@)$(RV_PREFIX)objcopy --strip-all $< $@
$(WEB_OUT)/rtl.html: web/rtl/page.html web/page/style.css web/rtl/page.js web/worker_wasm.js web/rtl/worker.js \
                     $(WEB_OUT)/rtl.wasm $(WEB_RTL)/gpu.elf
	$(call say,PAGE,$@){ sed -e '/^STYLE$$/{r web/page/style.css' -e 'd;}' -e '/^ENGINE$$/,$$d' web/rtl/page.html; \
	    echo '<script type="text/plain" id="worker-source">'; cat web/worker_wasm.js web/rtl/worker.js; \
	    echo '</script><script type="text/plain" id="machine-base64">'; base64 -w 0 $(WEB_OUT)/rtl.wasm; echo; \
	    echo '</script><script type="text/plain" id="firmware-base64">'; base64 -w 0 $(WEB_RTL)/gpu.elf; echo; \
	    echo '</script>'; sed -e '1,/^ENGINE$$/d' -e '/^SCRIPT$$/{r web/rtl/page.js' -e 'd;}' web/rtl/page.html; \
	    } >$@.tmp && mv $@.tmp $@

.PHONY: web-rtl deps-web-rtl
deps-web-rtl: DEPS := make gcc libc6-dev verilator gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf \
                      $(DEPS_WEB) libc++-dev-wasm32
deps-web-rtl:
	@tests/meta/deps $(DEPS)
web-rtl: deps-web-rtl
	@$(MAKE) --no-print-directory $(WEB_OUT)/rtl.html
	@echo 'open $(WEB_OUT)/rtl.html in a browser'
