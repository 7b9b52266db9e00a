# SPDX-License-Identifier: Apache-2.0
"""Goal: the chip's three AXI ports keep the rules as others read them. Method: cocotbext-axi, whose code is not of
this project, is the host's AXI4-Lite master and the memory behind both AXI4 masters, with pauses at random on every
channel, each on its own, so that channels overtake each other as far as AXI allows. libtessera and the picture of
integration/litex run in a thread of their own on top of that: bring-up, copies that must agree, the picture with the
golden model's CRC; then memory answers SLVERR, and what the firmware says of it is looked at; then the picture again.
chip_axi.v holds that what is offered stands until it is taken.
"""
import ctypes
import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, First, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiSlave

SYSTEM_BYTES, SEGMENT2_BYTES, POOL = 8 << 20, 256 << 10, 0x290000       # host/lib/tessera_internal.h
PICTURE_BYTES, CONTROL = 320 * 200 * 2, 0x08
VERBS = ("register_read", "register_write", "memory_read", "memory_write", "wait", "cycles", "close")
READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32))
WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32)
MOVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t)
WAIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)
CYCLES = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
CLOSE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
SAY = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


class Transport(ctypes.Structure):
    """host/include/transport.h"""
    _fields_ = [("context", ctypes.c_void_p), *zip(VERBS, (READ, WRITE, MOVE, MOVE, WAIT, CYCLES, CLOSE)),
                ("memory_bytes", ctypes.c_uint32), ("error", ctypes.c_char * 256)]


class Options(ctypes.Structure):
    """host/include/tessera.h: firmware first, the rest stays 0."""
    _fields_ = [("firmware", ctypes.c_char_p), ("rest", ctypes.c_uint32 * 16)]


class Picture(ctypes.Structure):
    """integration/litex/client/picture.h"""
    _fields_ = [("pixels", ctypes.c_void_p), ("crc", ctypes.c_uint32), ("evictions", ctypes.c_uint32),
                ("texture_bytes", ctypes.c_uint32), ("local_bytes", ctypes.c_uint32), ("target", ctypes.c_void_p),
                ("segment2_offset", ctypes.c_uint32)]


class Memory:
    """Behind an AXI4 port. What `fails` says of an address is answered SLVERR."""

    def __init__(self, size):
        self.data, self.fails, self.reads, self.writes, self.errors = bytearray(size), lambda address: False, 0, 0, 0

    async def read(self, address, length):
        self.reads += 1
        self._check(address, length)
        return bytes(self.data[address:address + length])

    async def write(self, address, data):
        self.writes += 1
        self._check(address, len(data))
        self.data[address:address + len(data)] = data

    def _check(self, address, length):
        if self.fails(address) or address + length > len(self.data):
            self.errors += 1
            raise ValueError(f"0x{address:x}")


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def note(self, is_so, what):
        self.passed, self.failed = self.passed + bool(is_so), self.failed + (not is_so)
        print(f"{'so' if is_so else 'not so'}: {what}", flush=True)


def pauses(seed, percent):
    """In bursts, so that a channel sometimes stands still for long."""
    source = random.Random(seed)
    while True:
        is_paused = source.randrange(100) < percent
        for _ in range(source.choice((1, 1, 2, 3, 9))):
            yield is_paused


def pause(port, seed, percent):
    for index, channel in enumerate((port.write_if.aw_channel, port.write_if.w_channel, port.write_if.b_channel,
                                     port.read_if.ar_channel, port.read_if.r_channel)):
        channel.set_pause_generator(pauses(seed * 16 + index, percent))


class Host:
    """libtessera in a thread; its transport comes back here."""

    def __init__(self, dut, system, begin):
        self.dut, self.system, self.begin = dut, system, begin
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "h"), dut.clk)
        self.library = ctypes.CDLL(os.environ["CLIENT_LIBRARY"])
        self.library.tessera_message.restype = ctypes.c_char_p
        self.library.tessera_status_name.restype = ctypes.c_char_p
        self.gpu, self.lines = ctypes.c_void_p(), []
        self.transport = Transport(None, READ(self._read), WRITE(self._write), MOVE(self._memory_read),
                                   MOVE(self._memory_write), WAIT(self._wait), CYCLES(lambda context: self.cycle),
                                   CLOSE(lambda context: None), SYSTEM_BYTES)
        self.say = SAY(lambda line: self.lines.append(line.decode()))

    @property
    def cycle(self):
        return int(get_sim_time("ns")) // 10

    @cocotb.function
    async def read_register(self, offset):
        return await self.registers.read_dword(offset)

    @cocotb.function
    async def write_register(self, offset, value):
        await self.registers.write_dword(offset, value)

    @cocotb.function
    async def sleep(self, cycles):
        if not self.dut.irq.value:
            await First(RisingEdge(self.dut.irq), ClockCycles(self.dut.clk, min(cycles, 2000)))
        await RisingEdge(self.dut.clk)

    def _read(self, context, offset, value):
        value[0] = self.read_register(offset)
        return 0

    def _write(self, context, offset, value):
        if (offset, value) == (CONTROL, 1):         # the image is loaded: from here on everything pauses
            self.begin()
        self.write_register(offset, value)
        return 0

    def _memory_read(self, context, address, data, size):
        ctypes.memmove(data, bytes(self.system.data[address:address + size]), size)
        return 0

    def _memory_write(self, context, address, data, size):
        self.system.data[address:address + size] = ctypes.string_at(data, size)
        return 0

    def _wait(self, context, cycles):
        self.sleep(cycles)
        return 0

    # What runs in the thread.

    def open(self):
        message = ctypes.create_string_buffer(256)
        options = Options(os.environ["FIRMWARE"].encode())
        status = self.library.tessera_open(ctypes.byref(self.gpu), ctypes.byref(self.transport), ctypes.byref(options),
                                           message)
        return status, message.value.decode()

    def agree(self):
        old = ctypes.c_uint32(0xffffffff)
        return self.library.picture_agree(self.gpu, ctypes.byref(old), self.say), old.value

    def draw(self):
        pixels = ctypes.create_string_buffer(PICTURE_BYTES)
        picture = Picture(ctypes.addressof(pixels))
        status = self.library.picture_draw(self.gpu, ctypes.byref(picture), self.say)
        self.library.tessera_allocation_destroy(self.gpu, ctypes.c_void_p(picture.target))
        return status, f"{picture.crc:08x}", picture.evictions

    def why(self, status):
        return f"{self.library.tessera_status_name(status).decode()}: {self.library.tessera_message(self.gpu).decode()}"


@cocotb.test()
async def ports(dut):
    logging.getLogger("cocotb").setLevel(logging.WARNING)
    seed, percent, expected = int(os.environ["SEED"]), int(os.environ["STALL"]), os.environ["EXPECT"]
    checks = Checks()
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    system, local = Memory(SYSTEM_BYTES), Memory(SEGMENT2_BYTES)
    slaves = [AxiSlave(AxiBus.from_prefix(dut, prefix), dut.clk, target=memory)
              for prefix, memory in (("m", system), ("l", local))]
    host = Host(dut, system, lambda: begin_pauses())
    logging.getLogger("cocotb").setLevel(logging.WARNING)
    for name in list(logging.Logger.manager.loggerDict):
        if name.startswith("cocotb"):
            logging.getLogger(name).setLevel(logging.WARNING)

    @cocotb.function
    async def begin_pauses():
        for index, port in enumerate([host.registers, *slaves]):
            pause(port, seed + index, percent)
    await ClockCycles(dut.clk, 10)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 4)

    status, message = await cocotb.external(host.open)()
    checks.note(status == 0, f"bring-up, {host.cycle} cycles {message}")
    if status == 0:
        await judge(host, system, checks, expected)
    checks.note(int(dut.waited.value) > 1000, f"what was offered had to wait {int(dut.waited.value)} cycles")
    checks.note(int(dut.broken.value) == 0, f"it stood until it was taken: {int(dut.broken.value):06b}")
    for name, memory in (("segment 2", local), ("system memory", system)):
        checks.note(memory.reads > 100 and memory.writes > 100,
                    f"{name}: {memory.reads} bursts read, {memory.writes} written")
    print(f"{host.cycle} cycles\n{checks.passed} passed, {checks.failed} failed", flush=True)
    assert checks.failed == 0


async def judge(host, system, checks, expected):
    status, old = await cocotb.external(host.agree)()
    checks.note((status, old) == (0, 0), f"copies agree, {host.cycle} cycles: {host.why(status)}, {old} bytes")
    status, crc, evictions = await cocotb.external(host.draw)()
    checks.note((status, crc) == (0, expected) and evictions > 0,
                f"the picture, {host.cycle} cycles: {host.why(status)}, CRC {crc}, {evictions} evictions")
    system.fails = lambda address: address >= POOL
    status, _ = await cocotb.external(host.agree)()
    why = host.why(status)
    checks.note(status > 0 and system.errors > 0, f"{system.errors} answers SLVERR are told: {why}")
    system.fails = lambda address: False
    status, crc, _ = await cocotb.external(host.draw)()
    checks.note((status, crc) == (0, expected),
                f"the picture behind them, {host.cycle} cycles: {host.why(status)}, {crc}")
