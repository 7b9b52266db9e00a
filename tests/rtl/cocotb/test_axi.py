# SPDX-License-Identifier: Apache-2.0
"""Goal: the chip's three AXI ports keep the rules as others read them, and answers that AXI permits disturb nothing.
Method: cocotbext-axi, whose code is not of this project, is the host's AXI4-Lite master and the memory behind both AXI4
masters (judges.py), with pauses at random on every channel. libtessera and a scene (scene.c) run in a thread on top of
that (client.py): the image is loaded through the registers, the firmware boots, the scene that does not fit has the
golden model's bytes; then a memory answers SLVERR where the machine has to say so, and the scene is drawn again.
SPOIL=1: every rule is broken between chip and judges instead, each in a fork of the machine that has booted, and the
first violation has to be the one that is expected."""
import ctypes
import logging
import os
import sys

import cocotb
from cocotb.triggers import ClockCycles, Edge, First, RisingEdge, Timer
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from client import CONTROL, CORE_RUN, POOL, SEGMENT2_BYTES, SYSTEM_BYTES, Client
from judges import CYCLE_NS, Memory, Port, SystemMemory, Violations, pause
from spoils import CHANNELS, LEFTOVERS, PIXELS, SPOILS

class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def note(self, is_so, what):
        self.passed, self.failed = self.passed + bool(is_so), self.failed + (not is_so)
        print(f"{'so' if is_so else 'not so'}: {what}", flush=True)


class Bench:
    """The chip, its judges, and the verbs of a transport for the thread that libtessera runs in."""

    def __init__(self, dut, seed, percent):
        self.dut, self.seed, self.percent, self.violations = dut, seed, percent, Violations()
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "h"), dut.clk)
        self.system = SystemMemory("system memory", SYSTEM_BYTES, self.violations, seed)
        self.local = Memory("segment 2", SEGMENT2_BYTES, self.violations, seed + 1)
        self.ports = [Port(dut, "m", self.system), Port(dut, "l", self.local)]
        self.client = Client(os.environ["CLIENT_LIBRARY"], self)
        self.loaded = 0
        cocotb.start_soon(self.watch_offers())

    async def watch_offers(self):
        before = 0
        while True:
            await Edge(self.dut.broken)
            now = int(self.dut.broken.value)
            for index, channel in enumerate(CHANNELS):
                if (now & ~before) >> index & 1:
                    self.violations.note(f"{channel} has not stood")
            before = now

    def begin(self):
        """From here on everything pauses."""
        channels = [*self.ports[0].channels, *self.ports[1].channels, self.registers.write_if.aw_channel,
                    self.registers.write_if.w_channel, self.registers.write_if.b_channel,
                    self.registers.read_if.ar_channel, self.registers.read_if.r_channel]
        pause(channels, self.seed, self.percent)
        self.system.is_slow = self.local.is_slow = True

    @property
    def cycle(self):
        return int(get_sim_time("ns")) // CYCLE_NS

    # ------------------------------------------------------------------ what the thread asks the simulation for

    @cocotb.function
    async def simulate_read(self, offset):
        answer = await self.registers.read(offset, 4)
        return answer.resp == AxiResp.OKAY, int.from_bytes(answer.data, "little")

    @cocotb.function
    async def simulate_write(self, offset, value):
        if (offset, value) == (CONTROL, CORE_RUN):
            self.begin()
        answer = await self.registers.write(offset, value.to_bytes(4, "little"))
        return answer.resp == AxiResp.OKAY

    @cocotb.function
    async def simulate(self, cycles):
        if not self.dut.irq.value:
            await First(RisingEdge(self.dut.irq), ClockCycles(self.dut.clk, min(cycles, 2000)))
        await RisingEdge(self.dut.clk)

    # ------------------------------------------------------------------ the transport (host/include/transport.h)

    def register_read(self, context, offset, value):
        is_okay, value[0] = self.simulate_read(offset)
        return 0 if is_okay else -1

    def register_write(self, context, offset, value):
        self.loaded += 1
        return 0 if self.simulate_write(offset, value) else -1

    def memory_read(self, context, address, data, size):
        ctypes.memmove(data, bytes(self.system.data[address:address + size]), size)
        return 0

    def memory_write(self, context, address, data, size):
        self.system.host_writes(address, ctypes.string_at(data, size))
        return 0

    def wait(self, context, cycles):
        self.simulate(cycles)
        return 0

    def cycles(self, context):
        return self.cycle

    def close(self, context):
        pass


@cocotb.test()
async def ports(dut):
    for name in list(logging.Logger.manager.loggerDict):
        if name.startswith("cocotb"):
            logging.getLogger(name).setLevel(logging.ERROR)
    seed = int(os.environ["SEED"])
    with open(os.environ["EXPECT"], "rb") as pixels:
        expected = pixels.read()
    checks = Checks()
    dut.rst.value, dut.spoil.value = 1, 0
    bench = Bench(dut, seed, int(os.environ["STALL"]))
    for name in list(logging.Logger.manager.loggerDict):
        if name.startswith("cocotb"):
            logging.getLogger(name).setLevel(logging.ERROR)
    await ClockCycles(dut.clk, 10)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 4)

    status, message = await cocotb.external(bench.client.open)(os.environ["FIRMWARE"], seed)
    checks.note(status == 0, f"bring-up, {bench.cycle} cycles, {bench.loaded} registers written {message}")
    if status == 0:
        await (spoil if os.environ.get("SPOIL") else judge)(bench, checks, expected)
    print(f"{bench.cycle} cycles\n{checks.passed} passed, {checks.failed} failed", flush=True)
    assert checks.failed == 0


async def draw(bench, checks, expected, what):
    status, pixels, evictions = await cocotb.external(bench.client.draw)()
    wrong = sum(a != b for a, b in zip(pixels, expected))
    checks.note(status == 0 and pixels == expected and evictions > 0,
                f"{what}, {bench.cycle} cycles: {bench.client.why(status)}, {wrong} bytes wrong, {evictions} evictions")


async def judge(bench, checks, expected):
    client, dut = bench.client, bench.dut
    answer = await bench.registers.write(CONTROL, b"\0")
    checks.note(answer.resp == AxiResp.SLVERR, "a write of one byte of a register is refused")
    await draw(bench, checks, expected, "the scene")
    for way, memory, is_chosen in (
            ("read", bench.system, lambda at: at >= POOL and at & 0xff8 == 0x7f8),
            ("write", bench.system, lambda at: at >= POOL),
            ("read", bench.local, lambda at: at & 0xff8 == 0x7f8),
            ("write", bench.local, lambda at: at & 0xff8 == 0x7f8)):
        memory.fails, memory.errors = lambda tried, at: tried == way and is_chosen(at), 0
        status, _, _ = await cocotb.external(client.draw)()
        checks.note(status > 0 and memory.errors > 0,
                    f"{memory.name}: a {way} answers SLVERR {memory.errors} times, {bench.cycle} cycles: "
                    f"{client.why(status)}")
        memory.fails = None
        await draw(bench, checks, expected, "the scene behind them")
    await Timer(20000 * CYCLE_NS, "ns")
    for port in bench.ports:
        memory = port.memory
        checks.note(memory.bursts["read"] > 100 and memory.bursts["write"] > 100,
                    f"{memory.name}: " + ", ".join(f"{memory.bursts[way]} bursts of {memory.beats[way]} beats {done}"
                                                   for way, done in (("read", "read"), ("write", "written"))))
        checks.note(port.leftovers() == 0, f"{memory.name}: nothing is left over")
    for channel in CHANNELS:
        waited = int(getattr(dut, f"waited_{channel}").value)
        checks.note(waited > 100, f"{channel}: what was offered had to wait {waited} cycles")
    checks.note(not bench.violations.words, f"violations: {bench.violations.words}")


async def is_noticed(bench, violation, expected):
    if violation == LEFTOVERS:
        await Timer(100 * CYCLE_NS, "ns")
        return bench.ports[0].leftovers() > 0
    drawing = cocotb.start_soon(cocotb.external(bench.client.draw)())
    await First(bench.violations.seen.wait(), drawing, Timer(3000000 * CYCLE_NS, "ns"))
    words = bench.violations.words
    if violation == PIXELS:
        return drawing.done() and not words and drawing.result()[0] == 0 and drawing.result()[1] != expected
    return bool(words) and words[0].startswith(violation)


async def spoil(bench, checks, expected):
    for number, (what, violation) in SPOILS.items():
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            bench.dut.spoil.value = number
            os._exit(0 if await is_noticed(bench, violation, expected) else 1)
        _, code = os.waitpid(child, 0)
        checks.note(code == 0, f"noticed: {what}")
