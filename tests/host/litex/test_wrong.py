#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: Tessera goes into every kind of LiteX SoC that it says it does, whole, and everywhere else one line says what
to change. Method: SoCs without software, elaborated by LiteX of PyPI; every input of the instance is connected in the
Verilog that they write, and the constants that the client reads are where the chip's addresses are moved to. The
display's stream is simulated with small frames of both polarities.
"""
import logging
import re
import sys
import tempfile
from pathlib import Path

from litedram.modules import MT48LC16M16
from litedram.phy.model import SDRAMPHYModel
from migen import ClockDomain, ClockSignal, ResetSignal
from migen.sim import run_simulation
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.soc.cores.video import VideoGenericPHY
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCCore

from tessera_litex import Tessera, TesseraError, root
from tessera_litex.sim import PADS
from tessera_litex.video import VideoPins

logging.disable(logging.CRITICAL)
passed = failed = 0


def note(is_so, what):
    global passed, failed
    passed, failed = passed + bool(is_so), failed + (not is_so)
    if not is_so:
        print("not so:", what)


class System(SoCCore):
    def __init__(self, ram=64 << 20, sdram_bits=32, l2_size=0, core=None, **tessera):
        platform = SimPlatform("SIM", PADS)
        self.crg = CRG(platform.request("sys_clk"))
        SoCCore.__init__(self, platform, clk_freq=int(1e6), uart_name="stub", cpu_type="vexriscv",
                         integrated_rom_size=0x1000, **{"integrated_main_ram_size": 0 if sdram_bits else ram,
                                                        **(core or {})})
        if sdram_bits:
            module = MT48LC16M16(100e6, "1:1")
            self.sdrphy = SDRAMPHYModel(module=module, data_width=sdram_bits, clk_freq=100e6)
            self.add_sdram("sdram", phy=self.sdrphy, module=module, size=ram, l2_cache_size=l2_size)
        self.tessera = Tessera(self, **tessera)
        if "video" in tessera:
            if tessera["video"] != "sys":
                self.clock_domains += ClockDomain(tessera["video"])
                self.comb += [ClockSignal(tessera["video"]).eq(ClockSignal()), ResetSignal(tessera["video"]).eq(0)]
            self.videophy = VideoGenericPHY(platform.request("vga"), clock_domain=tessera["video"])
            self.comb += self.tessera.source.connect(self.videophy.sink)


GOOD = [
    dict(memory="bus"), dict(memory="bus", l2_size=8192), dict(memory="litedram"),
    dict(memory="litedram", sdram_bits=16), dict(memory="litedram", sdram_bits=64),
    dict(memory="litedram", sdram_bits=128), dict(memory="bus", core=dict(bus_data_width=64)),
    dict(memory="bus", core=dict(bus_standard="axi")), dict(memory="bus", core=dict(bus_standard="axi-lite")),
    dict(memory="bus", sdram_bits=0, ram=16 << 20), dict(memory="litedram", base=0x41000000, system_bytes=4 << 20),
    dict(memory="litedram", FIRMWARE_BYTES=0, SEGMENT1_BYTES=131072),
    dict(memory="litedram", video="pixels", video_freq=25.175e6), dict(memory="bus", video="sys", video_freq=40e6),
]
WRONG = [
    (dict(sdram_bits=0, ram=0), "the SoC has no main_ram: call add_sdram, "),
    (dict(ram=8 << 20), "too little memory: main_ram has 8388608 bytes from 0x40000000, system_bytes and "
                        "segment2_bytes need 10485760: take less, or a larger memory"),
    (dict(base=0x43c00000), "too little memory: "), (dict(base=0x3f000000), "too little memory: "),
    (dict(base=0x40000100), "base 0x40000100: make it a multiple of 4096"),
    (dict(system_bytes=1 << 20), "system_bytes of 1048576 bytes: make it whole pages of 4096, 3145728 at least"),
    (dict(segment2_bytes=5000), "segment2_bytes of 5000 bytes: make it whole pages"),
    (dict(SEGMENT1_BYTES=1000), "SEGMENT1_BYTES of 1000 bytes: make it whole pages"),
    (dict(memory="dram"), 'memory="dram": take "bus" or "litedram"'),
    (dict(memory="litedram", sdram_bits=0), 'memory="litedram" needs LiteDRAM: call add_sdram before this'),
    (dict(memory="litedram", l2_size=8192), 'memory="litedram" bypasses the L2 cache, which would keep old data: '
                                            'build the SoC with l2_size=0, or take memory="bus"'),
    (dict(data_width=32), "data_width=32: both memory ports of the chip have 64 bits"),
    (dict(core=dict(bus_data_width=128)), "the SoC's bus has 128 bits, and LiteX cannot widen bursts"),
    (dict(core=dict(csr_data_width=8)), "the SoC's bus is too narrow: 32 bits of address, 8 of a CSR: take "),
    (dict(video="sys"), "video='sys', video_freq=None: give both, the clock domain of the display's pixels and its "),
    (dict(video_freq=25e6), "video=None, video_freq=25000000.0: give both, "),
    (dict(WITH_DISPLAY=1), "WITH_DISPLAY without pixels: give video and video_freq instead"),
]


def _number(text):
    """Of a Verilog constant."""
    return int(text.split("'d")[-1])


def instance_inputs(verilog):
    """Which ports of gpu are given something: names with what they are given."""
    text = re.search(r"\ngpu #\((.*?)\n\) gpu \((.*?)\n\);", verilog, re.S)
    return [dict(re.findall(r"\.(\w+) *\((.*?)\)", text.group(part))) for part in (2, 1)]


def check_good(options):
    header = (root() / "rtl" / "gpu.v").read_text().split(");\n`include")[0]
    inputs = re.findall(r"^ +input +wire +(?:\[.*?\] *)?(\w+)", header, re.M)
    with tempfile.TemporaryDirectory() as folder:
        soc = System(**options)
        Builder(soc, output_dir=folder, compile_software=False, compile_gateware=False).build(run=False)
        verilog = (Path(folder) / "gateware" / "sim.v").read_text()
        constants = (Path(folder) / "software" / "include" / "generated" / "soc.h").read_text()
    ports, parameters = instance_inputs(verilog)
    missing = [name for name in inputs if not ports.get(name) and not re.match("(clk|rst)_", name)]
    note(not missing, f"{options}: every input is connected: {missing}")
    clock = {"pixels": "pixels_clk", "sys": "sys_clk"}.get(options.get("video"))
    if clock is not None:
        note(re.match(f"(builder_)?{clock}", ports["pixel_clk"]), f"{options}: the pixels' clock: {ports['pixel_clk']}")
        note(_number(parameters["PIXEL_KHZ"]) == round(options["video_freq"] / 1e3) and
             _number(parameters["WITH_DISPLAY"]) == 1, f"{options}: {parameters}")
        pads = set(re.findall(r"\bvga_(\w+?)(?:\[\d+\])? *<?= ", verilog))
        note({"hsync", "vsync", "de", "r", "g", "b"} <= pads, f"{options}: every pad is driven: {pads}")
    else:
        note(_number(parameters["WITH_DISPLAY"]) == 0, f"{options}: no display: {parameters}")
    note(parameters.get("DATA_WIDTH") == "7'd64", f"{options}: 64 bits: {parameters}")
    values = {name: int(value) for name, value in re.findall(r"TESSERA_(\w+) (\d+)", constants)}
    main = soc.bus.regions["main_ram"]
    end = values["SEGMENT2_BASE"] + values["SEGMENT2_BYTES"]
    note(values["SYSTEM_BASE"] + values["SYSTEM_BYTES"] == values["SEGMENT2_BASE"] and
         end <= main.origin + main.size and (end == main.origin + main.size or "base" in options),
         f"{options}: places {values}")
    note("INTERRUPT" in values, f"{options}: an interrupt")


# A frame of 3 x 2 pixels: 6 x 4 with its blanks, whose syncs are in column 4 and in row 3.
def frame(is_high):
    for y in range(4):
        for x in range(6):
            visible = x < 3 and y < 2
            yield visible, int((x == 4) == is_high), int((y == 3) == is_high), 0x010203 * (1 + x + 8 * y) * visible


def check_stream(is_high):
    pins, seen = VideoPins(), []

    def drive():
        for _ in range(2):
            for visible, hsync, vsync, colour in frame(is_high):
                yield pins.visible.eq(visible)
                yield pins.hsync.eq(hsync)
                yield pins.vsync.eq(vsync)
                yield pins.colour.eq(colour)
                yield
                seen.append([])
                for name in ("valid", "de", "hsync", "vsync", "r", "g", "b"):
                    seen[-1].append((yield getattr(pins.source, name)))

    run_simulation(pins, drive())
    wanted = [[1, int(visible), int(x == 4), int(y == 3), *(colour >> shift & 255 for shift in (16, 8, 0))]
              for (visible, _, _, colour), (y, x) in zip(frame(is_high), ((i // 6, i % 6) for i in range(24)))]
    note(seen[24:] == wanted, f"the stream of syncs that are {'high' if is_high else 'low'}: {seen[24:]}")


def check_document():
    """The SoC of docs/litex.md, as it stands there."""
    text = re.search(r"```python\n(.*?)```", (root() / "docs" / "litex.md").read_text(), re.S).group(1)
    note(len(text.splitlines()) < 30, "docs/litex.md: under 30 lines")
    scope = {"__name__": "document"}
    exec(compile(text, "docs/litex.md", "exec"), scope)                                     # noqa: S102
    soc = scope["Mine"]()
    regions = set(soc.bus.regions)
    note({"main_ram", "tessera_regs", "video_framebuffer"} <= regions, f"its regions: {regions}")


def main():
    check_document()
    check_stream(False)
    check_stream(True)
    for options in GOOD:
        check_good(options)
    for options, begin in WRONG:
        try:
            System(**options)
            note(False, f"{options} is refused")
        except TesseraError as error:
            note(str(error).startswith(begin) and "\n" not in str(error), f"{options}: {error}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
