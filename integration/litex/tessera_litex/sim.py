# SPDX-License-Identifier: Apache-2.0
"""`make litex-sim`: VexRiscv, LiteDRAM's SDRAM model, a video framebuffer or the chip's own display, and Tessera in
LiteX's simulator.

The client (integration/litex/client) draws a picture that does not fit into local memory; the display's frame is
written as a PNG file and has to have the CRC that the client found, and the one that was asked for (--expect: the
golden model's). Ends with the picture's path and its CRC, or with one line that says what is wrong.
"""
import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

from litedram.modules import MT48LC16M16
from litedram.phy.model import SDRAMPHYModel
from litex.build.io import CRG
from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.soc.cores.video import VideoGenericPHY
from litex.soc.integration.builder import Builder
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain, Signal

from tessera_litex.client import build_client
from tessera_litex.core import Tessera
from tessera_litex.tools import needed_tools
from tessera_litex.tree import TesseraError, conclude, quiet

PADS = [
    ("sys_clk", 0, Pins(1)),
    ("video_clk", 0, Pins(1)),
    ("serial", 0, *[Subsignal(f"{way}_{name}", Pins(bits)) for way in ("source", "sink")
                    for name, bits in (("valid", 1), ("ready", 1), ("data", 8))]),
    ("vga", 0, *[Subsignal(name, Pins(bits)) for name, bits in (("hsync", 1), ("vsync", 1), ("de", 1), ("r", 8),
                                                                ("g", 8), ("b", 8))]),
]
DISPLAY = "320x200@60Hz"        # integration/litex/client/picture.h
SEGMENT2_BYTES, SEGMENT1_BYTES = 256 << 10, 64 << 10
PICTURE = (320, 200)
# The display's pixels come at half the clock of the simulator, because the chip mixes less than a pixel a cycle. The
# chip is told so, and how much of this SDRAM it may count on: the picture and a cursor need 28 bytes a microsecond.
CLOCK_HZ, VIDEO_HZ = int(1e6), int(0.5e6)
VIDEO = dict(video="video", video_freq=25.175e6, CLOCK_KHZ=2 * 25175, PROMISE1=200, PROMISE2=40)


class System(SoCCore):
    """`sram_bytes`: the program's stack; `display`: timings of a video framebuffer, or None: the chip's own display;
    further arguments are Tessera's."""
    def __init__(self, memory, sdram_init=(), sram_bytes=0x2000, display=DISPLAY, **tessera):
        platform = SimPlatform("SIM", PADS)
        self.crg = CRG(platform.request("sys_clk"))
        self.video_clock = "video_clk" if display is None else "sys_clk"
        if display is None:
            self._add_video_clock(platform.request("video_clk"))
        SoCCore.__init__(self, platform, clk_freq=CLOCK_HZ, cpu_type="vexriscv", uart_name="sim", ident="Tessera",
                         integrated_rom_size=0x10000, integrated_sram_size=sram_bytes)
        module = MT48LC16M16(100e6, "1:1")
        self.sdrphy = SDRAMPHYModel(module=module, data_width=32, clk_freq=100e6, init=list(sdram_init))
        self.add_sdram("sdram", phy=self.sdrphy, module=module, l2_cache_size=0 if memory == "litedram" else 8192)
        self.tessera = Tessera(self, memory=memory, segment2_bytes=SEGMENT2_BYTES, SEGMENT1_BYTES=SEGMENT1_BYTES,
                               **(VIDEO if display is None else {}), **tessera)
        self.videophy = VideoGenericPHY(platform.request("vga"), clock_domain="sys" if display else "video")
        if display is None:
            self.comb += self.tessera.source.connect(self.videophy.sink)
        else:
            self.add_video_framebuffer(phy=self.videophy, timings=display, format="rgb565")

    def _add_video_clock(self, clock):
        starts = Signal(reset=1)
        self.clock_domains.cd_video = ClockDomain()
        self.clock_domains.cd_video_starts = ClockDomain(reset_less=True)
        self.comb += [self.cd_video.clk.eq(clock), self.cd_video_starts.clk.eq(clock), self.cd_video.rst.eq(starts)]
        self.sync.video_starts += starts.eq(0)


# ------------------------------------------------------------------ building

def simulator_path(build):
    """Verilator 5.006 computes wrong results without this flag, and LiteX has no place to give one; what it gives,
    -ggdb, makes compiling longer."""
    wrapper = build / "bin" / "verilator"
    wrapper.parent.mkdir(parents=True, exist_ok=True)
    wrapper.write_text("#!/bin/sh\n"
                       "for word; do shift; set -- \"$@\" \"$(printf %s \"$word\" | sed 's/-ggdb //')\"; done\n"
                       f'exec {shutil.which("verilator")} -fno-const-bit-op-tree "$@"\n')
    wrapper.chmod(0o755)
    os.environ["PATH"] = f"{wrapper.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"   # and meson


def generate(make, build, program, jobs=2, is_same=False):
    """What `program(soc, includes, output)` builds for the SoC that `make` returns, then the SoC with it in its SDRAM,
    whose content the simulator reads when it starts: with another program it is the same."""
    soc = make()
    Builder(soc, output_dir=str(build), compile_software=False, compile_gateware=False).build(run=False)
    client, place = program(soc, build / "software" / "include", build / "client.bin")
    main = soc.bus.regions["main_ram"].origin
    soc = make(get_mem_data({client: hex(place)}, data_width=32, endianness="little", offset=main))
    soc.add_constant("SDRAM_TEST_DISABLE")                              # the client lies there already
    soc.add_constant("ROM_BOOT_ADDRESS", place)
    for name in ("BIOS_NO_DELAYS", "BIOS_NO_BUILD_TIME", "BIOS_NO_CRC"):
        soc.add_config(name, check_duplicate=False)
    config = SimConfig(default_clk="sys_clk", default_clk_freq=CLOCK_HZ)
    video_clock = getattr(soc, "video_clock", "sys_clk")
    if video_clock != "sys_clk":
        config.add_clocker(video_clock, VIDEO_HZ)
    config.add_module("serial2console", "serial")
    config.add_module("frame", "vga", clocks=video_clock)
    modules = build / "modules"
    shutil.copytree(Path(__file__).parent / "frame", modules / "frame", dirs_exist_ok=True)
    Builder(soc, output_dir=str(build)).build(run=False, sim_config=config, interactive=False, opt_level="O1",
                                              extra_mods=["frame"], extra_mods_path=str(modules), jobs=jobs)
    if not is_same:
        script = build / "gateware" / "build_sim.sh"
        subprocess.run(["sh", script.name], cwd=script.parent, check=True)


# ------------------------------------------------------------------ running

def run(build, seconds):
    """The client's lines, and the last cycle, until a whole frame has been shown since it was done."""
    with subprocess.Popen(["obj_dir/Vsim"], cwd=build / "gateware", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as simulator:
        lines, frames, begin = [], 0, time.time()
        try:
            for raw in simulator.stdout:
                line = raw.decode("latin-1").strip()
                print(f"  {line}", flush=True)
                lines.append(line)
                frames += line.startswith("[frame]") and "client: done" in lines
                if frames == 2 or "client: failed" in line or time.time() - begin > seconds:
                    break
        finally:
            simulator.kill()
    return lines


def write_png(path, width, height, rgb):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + rgb[y * width * 3:(y + 1) * width * 3] for y in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def read_frame(path):
    magic, size, depth, rgb = path.read_bytes().split(b"\n", 3)
    width, height = (int(word) for word in size.split())
    if (magic, depth, len(rgb)) != (b"P6", b"255", width * height * 3):
        raise TesseraError(f"{path} is not a frame of the display. Read the simulation's lines above")
    return width, height, rgb


def in_the_middle(width, height, rgb, size=PICTURE):
    """The picture out of a frame of the display, which is larger or the same."""
    left, top = (width - size[0]) // 2, (height - size[1]) // 2
    if left < 0 or top < 0:
        raise TesseraError(f"the display shows {width} x {height}, less than the picture's {size[0]} x {size[1]}")
    rows = [rgb[3 * (width * (top + y) + left):][:3 * size[0]] for y in range(size[1])]
    return b"".join(rows)


def frame_crc(rgb):
    """The CRC of the RGB565 pixels that the display was given."""
    pixels = b"".join(struct.pack("<H", (rgb[i] >> 3) << 11 | (rgb[i + 1] >> 2) << 5 | rgb[i + 2] >> 3)
                      for i in range(0, len(rgb), 3))
    return f"{zlib.crc32(pixels):08x}"


def judge(build, lines, expected, picture):
    text = "\n".join(lines)
    drawn = re.search(r"CRC ([0-9a-f]{8})", text)
    if "client: done" not in text or drawn is None:
        raise TesseraError("the client has not drawn the picture. Its lines above have the reason")
    width, height, rgb = read_frame(build / "gateware" / "frame.ppm")
    write_png(picture, width, height, rgb)
    is_in_the_middle = "the chip's display shows it" in text
    shown = frame_crc(in_the_middle(width, height, rgb) if is_in_the_middle else rgb)
    if shown != drawn.group(1):
        raise TesseraError(f"the display shows CRC {shown}, but the client read {drawn.group(1)}. Look at {picture}")
    if expected and expected != shown:
        raise TesseraError(f"the picture has CRC {shown}, but the golden model's has {expected}. Look at {picture}")
    return f"{picture}: {width} x {height}, CRC {shown}" + (", as the golden model draws it" if expected else "")


def client_of(defines=()):
    """The client at the beginning of main_ram: a program, as simulate takes it, returns its binary and its place."""
    return lambda soc, includes, output: (build_client(soc, includes, output, defines=defines),
                                          soc.bus.regions["main_ram"].origin)


def simulate(make, build, picture="out/litex.png", expected=None, program=None, seconds=900, jobs=2, is_same=False):
    """Builds and runs the SoC that make(sdram_init) returns, in the folder `build`, with the client or another program;
    returns the line that says where the picture is and which CRC it has. A TesseraError says what is wrong."""
    build, picture, begin = Path(build).resolve(), Path(picture), time.time()
    needed_tools()
    build.mkdir(parents=True, exist_ok=True)
    picture.parent.mkdir(parents=True, exist_ok=True)
    simulator_path(build)
    log = build / "log"
    log.unlink(missing_ok=True)
    print(f"2 of 3: build the SoC's simulator: about 6 minutes on two processors ({log})", flush=True)
    try:
        with quiet(log):
            generate(make, build, program or client_of(), jobs, is_same)
    except subprocess.CalledProcessError as error:
        raise TesseraError(f"the simulator was not built. The end of {log} has the reason") from error
    print(f"  built in {time.time() - begin:.0f} s", flush=True)
    print(f"3 of 3: simulate it until the display shows the picture: minutes, at most {seconds // 60}. The client:",
          flush=True)
    begin = time.time()
    lines = run(build, seconds)
    cycle = re.findall(r"at cycle (\d+)", "\n".join(lines))
    print(f"  simulated {cycle[-1] if cycle else 'no'} cycles in {time.time() - begin:.0f} s", flush=True)
    return judge(build, lines, expected, picture)


def add_options(parser, name, seconds):
    """Those of every command that simulates: it builds in build/NAME and draws out/NAME.png."""
    parser.add_argument("--build", default=f"build/{name}")
    parser.add_argument("--picture", default=f"out/{name}.png")
    parser.add_argument("--define", action="append", default=[], help="define this for the program's compiler")
    parser.add_argument("--same-simulator", action="store_true", help="keep the simulator, change only the program")
    parser.add_argument("--seconds", type=int, default=seconds, help="stop the simulation after so many seconds")
    parser.add_argument("--jobs", type=int, default=2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser, "litex", seconds=900)
    parser.add_argument("--memory", default="litedram", help='"litedram" or "bus"')
    parser.add_argument("--display", default="framebuffer", choices=("framebuffer", "chip"),
                        help="what shows the picture: LiteX's video framebuffer, or the chip's display")
    parser.add_argument("--expect", help="the picture's CRC, as the golden model draws it")
    options = parser.parse_args()
    display = DISPLAY if options.display == "framebuffer" else None
    return conclude("litex-sim", lambda: simulate(lambda sdram_init=(): System(options.memory, sdram_init,
                                                                               display=display),
                                                  options.build, options.picture, options.expect,
                                                  client_of(options.define), options.seconds, options.jobs,
                                                  options.same_simulator))


if __name__ == "__main__":
    sys.exit(main())
