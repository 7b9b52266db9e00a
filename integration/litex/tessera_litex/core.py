# SPDX-License-Identifier: Apache-2.0
"""The chip as a LiteX module: registers on the SoC's bus, its two memory ports on that bus or on LiteDRAM.

    self.tessera = Tessera(self, memory="litedram")

Byte order and attributes are those of docs/litex.md: what the CPU writes is there when the register that tells the
GPU is written, as its data cache writes through; what the GPU wrote the CPU sees once it has emptied that cache.
"""
from migen import ClockDomainsRenamer, ClockSignal, Instance, Module, ResetSignal, Signal
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr import AutoCSR
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from litex.soc.integration.soc import SoCRegion

from tessera_litex.tree import TesseraError, root, sources

PAGE = 4096
DATA_WIDTH = 64                 # of both memory ports: docs/engine.md
REGISTER_BYTES = 0x1000
LEAST_SYSTEM = 3 << 20          # rings, staging, page lists (2.6 MB: host/lib/tessera_internal.h), and some textures


def _pages(name, value, least):
    if value % PAGE or value < least:
        raise TesseraError(f"{name} of {value} bytes: make it whole pages of {PAGE}, {least} at least")
    return value


class Tessera(Module, AutoCSR):
    """memory: "bus" (both ports are masters of the SoC's bus, behind its caches) or "litedram" (native ports: more
    bytes a cycle, and beside the L2 cache, which the SoC then may not have). system_bytes is the memory that the
    program and the GPU share, segment2_bytes the GPU's own; both are taken from the end of main_ram, downwards, or
    begin at `base`. Further arguments are the chip's parameters by their names in rtl/gpu.v.

    With video="CLOCK DOMAIN" the chip has its display, in that domain, whose clock has video_freq Hz (25.175e6 for
    640 x 480). `source` is its stream, for a PHY of litex.soc.cores.video:

        self.comb += self.tessera.source.connect(self.videophy.sink)

    PROMISE2 is how many bytes a microsecond the memory always has left for the display. It is 0 if not given, as
    LiteDRAM promises nothing: then segment 1 alone can be shown.

    The SoC gets a region tessera_regs, constants TESSERA_SYSTEM_BASE, _SYSTEM_BYTES, _SEGMENT2_BASE, _SEGMENT2_BYTES
    and _FIRMWARE_BYTES, and an interrupt `name`."""

    def __init__(self, soc, memory="bus", system_bytes=8 << 20, segment2_bytes=2 << 20, base=None,
                 data_width=DATA_WIDTH, name="tessera", video=None, video_freq=None, **parameters):
        self.soc, self.irq = soc, Signal()
        self.parameters = dict(SEGMENT1_BYTES=1 << 18, FIRMWARE_BYTES=1 << 18, SEGMENT2_BYTES=segment2_bytes,
                               WITH_DISPLAY=int(video is not None))
        self._check_video(video, video_freq, parameters)
        self.parameters.update(parameters)
        if memory not in ("bus", "litedram"):
            raise TesseraError(f'memory="{memory}": take "bus" or "litedram"')
        _pages("system_bytes", system_bytes, LEAST_SYSTEM)
        _pages("segment2_bytes", segment2_bytes, PAGE)
        _pages("SEGMENT1_BYTES", self.parameters["SEGMENT1_BYTES"], PAGE)
        self.system_bytes, self.segment2_bytes = system_bytes, segment2_bytes
        self._place(base)
        self._check_bus(memory, data_width)
        is_native = self._is_native(memory)
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.system = axi.AXIInterface(data_width=DATA_WIDTH, address_width=32, id_width=1)
        self.segment2 = axi.AXIInterface(data_width=DATA_WIDTH, address_width=32, id_width=1)
        soc.bus.add_slave(f"{name}_regs", self.registers, SoCRegion(size=REGISTER_BYTES, cached=False))
        for bus, what, origin in ((self.system, "system", self.system_base),
                                  (self.segment2, "segment2", self.segment2_base)):
            if is_native:
                self._native(bus, origin)
            else:
                soc.bus.add_master(f"{name}_{what}_reads", self._half(bus, origin, ("ar", "r")))
                soc.bus.add_master(f"{name}_{what}_writes", self._half(bus, origin, ("aw", "w", "b")))
        self.submodules.ev = EventManager()
        self.ev.event = EventSourceLevel(description="HOST.IRQ_STATUS & HOST.IRQ_ENABLE of the chip.")
        self.ev.finalize()
        self.comb += self.ev.event.trigger.eq(self.irq)
        if soc.irq.enabled:
            soc.irq.add(name, use_loc_if_exists=True)
        self._tell(name)
        self._instance(video)
        del self.soc            # AutoCSR looks into every attribute

    # ---------------------------------------------------------------- places and widths

    def _place(self, base):
        main = self.soc.bus.regions.get("main_ram")
        if main is None:
            raise TesseraError("the SoC has no main_ram: call add_sdram, or give integrated_main_ram_size, before this")
        needed = self.system_bytes + self.segment2_bytes
        start = main.origin + main.size - needed if base is None else base
        if start < main.origin or start + needed > main.origin + main.size:
            raise TesseraError(f"too little memory: main_ram has {main.size} bytes from 0x{main.origin:08x}, "
                               f"system_bytes and segment2_bytes need {needed}: take less, or a larger memory")
        if start % PAGE:
            raise TesseraError(f"base 0x{start:08x}: make it a multiple of {PAGE}")
        self.system_base, self.segment2_base = start, start + self.system_bytes

    def _is_native(self, memory):
        if memory == "bus":
            return False
        if not hasattr(self.soc, "sdram"):
            raise TesseraError('memory="litedram" needs LiteDRAM: call add_sdram before this, or take memory="bus"')
        if "CONFIG_L2_SIZE" in self.soc.constants:
            raise TesseraError('memory="litedram" bypasses the L2 cache, which would keep old data: '
                               'build the SoC with l2_size=0, or take memory="bus"')
        return True

    def _check_bus(self, memory, data_width):
        if data_width != DATA_WIDTH:
            raise TesseraError(f"data_width={data_width}: both memory ports of the chip have {DATA_WIDTH} bits: "
                               "leave it out. LiteX adapts them to the SoC's bus or LiteDRAM's port")
        found = self.soc.bus.data_width
        if memory == "bus" and found > DATA_WIDTH:
            raise TesseraError(f"the SoC's bus has {found} bits, and LiteX cannot widen bursts that begin anywhere: "
                               f'take bus_data_width=32 or {DATA_WIDTH}, or memory="litedram"')
        if self.soc.bus.address_width < 32 or self.soc.csr.data_width < 32:
            raise TesseraError(f"the SoC's bus is too narrow: {self.soc.bus.address_width} bits of address, "
                               f"{self.soc.csr.data_width} of a CSR: take bus_address_width=32 and csr_data_width=32")

    def _check_video(self, video, freq, parameters):
        if (video is None) != (freq is None):
            raise TesseraError(f"video={video!r}, video_freq={freq!r}: give both, the clock domain of the display's "
                               "pixels and its frequency, or none")
        if video is None and parameters.get("WITH_DISPLAY"):
            raise TesseraError("WITH_DISPLAY without pixels: give video and video_freq instead")
        if video is not None:
            khz = int(self.soc.sys_clk_freq) // 1000
            self.parameters.update(CLOCK_KHZ=khz, PIXEL_KHZ=round(freq / 1e3), PROMISE1=4 * khz // 1000, PROMISE2=0)

    # ---------------------------------------------------------------- the display

    def _video(self, domain):
        from tessera_litex.video import VideoPins
        pins = VideoPins()
        self.submodules += ClockDomainsRenamer(domain)(pins)
        self.source = pins.source
        return dict(i_pixel_clk=ClockSignal(domain), i_pixel_rst=ResetSignal(domain), o_d_hsync=pins.hsync,
                    o_d_vsync=pins.vsync, o_d_visible=pins.visible, o_d_colour=pins.colour)

    # ---------------------------------------------------------------- ports

    # A port is two masters, one that reads and one that writes: the chip's writes may wait for its reads, as AXI
    # allows, and LiteX's bridges let one of both begin and the other wait for its end, which would then never come.

    def _half(self, bus, origin, channels):
        """Some channels of a bus, with the chip's addresses, which begin at 0, behind `origin`."""
        half = axi.AXIInterface(data_width=bus.data_width, address_width=32, id_width=1)
        for channel in channels:
            ours, theirs = getattr(bus, channel), getattr(half, channel)
            if channel in ("r", "b"):
                self.comb += theirs.connect(ours)
            elif channel == "w":
                self.comb += ours.connect(theirs)
            else:
                self.comb += [ours.connect(theirs, omit={"addr"}), theirs.addr.eq(ours.addr + origin)]
        return half

    def _native(self, bus, origin):
        from litedram.frontend.axi import LiteDRAMAXI2NativeR, LiteDRAMAXI2NativeW
        offset, crossbar = origin - self.soc.bus.regions["main_ram"].origin, self.soc.sdram.crossbar
        for bridge, channels, mode in ((LiteDRAMAXI2NativeR, ("ar", "r"), "read"),
                                       (LiteDRAMAXI2NativeW, ("aw", "w", "b"), "write")):
            half = bridge(self._half(bus, offset, channels), crossbar.get_port(mode=mode, data_width=DATA_WIDTH),
                          buffer_depth=32, base_address=0)
            self.submodules += half
            self.comb += half.cmd_grant.eq(1)

    def _tell(self, name):
        upper = name.upper()
        for what, value in (("SYSTEM_BASE", self.system_base), ("SYSTEM_BYTES", self.system_bytes),
                            ("SEGMENT2_BASE", self.segment2_base), ("SEGMENT2_BYTES", self.segment2_bytes),
                            ("FIRMWARE_BYTES", self.parameters["FIRMWARE_BYTES"])):
            self.soc.add_constant(f"{upper}_{what}", value)

    # ---------------------------------------------------------------- the chip

    def _signals(self):
        ports = dict(i_clk=ClockSignal(), i_rst=ResetSignal(), o_irq=self.irq)
        regs = self.registers
        for channel, bits in (("aw", ("addr",)), ("ar", ("addr",)), ("w", ("data", "strb")), ("r", ("data", "resp")),
                              ("b", ("resp",))):
            self._channel(ports, "h", channel, getattr(regs, channel), bits, is_master=False)
        for letter, bus in (("m", self.system), ("l", self.segment2)):
            for channel in ("aw", "ar"):
                self._channel(ports, letter, channel, getattr(bus, channel), ("addr", "len", "size", "burst"))
            self._channel(ports, letter, "w", bus.w, ("data", "strb", "last"))
            self._channel(ports, letter, "r", bus.r, ("data", "resp", "last"))
            self._channel(ports, letter, "b", bus.b, ("resp",))
        # The firmware's region lies in segment 1's RAM: no lines of it are read over f_*.
        ports.update(i_f_arready=0, i_f_rdata=0, i_f_rresp=0, i_f_rlast=0, i_f_rvalid=0)
        return ports

    @staticmethod
    def _channel(ports, letter, channel, stream, bits, is_master=True):
        """The chip drives aw, ar and w where it is the master, r and b where it is not."""
        is_driven = (channel in ("aw", "ar", "w")) == is_master
        out, into = ("o", "i") if is_driven else ("i", "o")
        for bit in bits + ("valid",):
            signal = getattr(stream, bit)
            ports[f"{out}_{letter}_{channel}{bit}"] = signal[:12] if letter == "h" and bit == "addr" else signal
        ports[f"{into}_{letter}_{channel}ready"] = stream.ready

    def _instance(self, video):
        pins = self._video(video) if video is not None else dict(i_pixel_clk=0, i_pixel_rst=0)
        parameters = {f"p_{key}": value for key, value in self.parameters.items()}
        self.specials += Instance("gpu", name="gpu", p_DATA_WIDTH=DATA_WIDTH, **parameters, **self._signals(),
                                  **pins)
        for file in sources():
            self.soc.platform.add_source(file)
        for folder in ("rtl", "rtl/core"):
            self.soc.platform.add_verilog_include_path(str(root() / folder))
