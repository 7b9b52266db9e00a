# SPDX-License-Identifier: Apache-2.0
"""What is behind the chip's AXI ports: cocotbext-axi's slaves, which hold that no burst crosses 4 KB and that the last
beat is where the address said, over memories that hold what cocotbext-axi does not ask: bursts are INCR, no strobe lies
outside its beat, and no byte outside what the driver gave is touched. Channels pause each on its own, and a memory
takes its time, so that they overtake each other as far as AXI allows."""
import random
import struct
import traceback

import cocotb
from cocotb.triggers import Event, Timer
from cocotbext.axi import AxiBus, AxiBurstType
from cocotbext.axi.axi_slave import AxiSlaveRead, AxiSlaveWrite

from client import CLEARED, LISTS, POOL

CYCLE_NS, PAGE = 10, 4096


class Violations:
    """What was seen, in order; `seen` is set by the first."""

    def __init__(self):
        self.words, self.seen = [], Event()

    def note(self, what):
        if not self.words:
            print(f"violation: {what}", flush=True)
        self.words.append(what)
        self.seen.set()


class Memory:
    """Bytes behind a port. What `fails` says of an address and a direction is answered SLVERR."""

    def __init__(self, name, size, violations, seed):
        self.name, self.data, self.violations, self.random = name, bytearray(size), violations, random.Random(seed)
        self.is_slow, self.fails, self.errors = False, None, 0
        self.bursts, self.beats = {"read": 0, "write": 0}, {"read": 0, "write": 0}

    def may(self, direction, address):
        return True

    def burst(self, direction, address, length, size, burst):
        """An address has been taken."""
        step = 1 << size
        first, end = address, address // step * step + step * (length + 1)
        self.bursts[direction] += 1
        self.beats[direction] += length + 1
        if burst != AxiBurstType.INCR:
            self.violations.note(f"{self.name}: a {direction} that is no INCR burst")
        last = min(end, (first // PAGE + 1) * PAGE) - 1         # further than that is cocotbext-axi's to judge
        if last >= len(self.data) or not self.may(direction, first) or not self.may(direction, last):
            self.violations.note(f"{self.name}: a {direction} of 0x{first:x} to 0x{end:x}, which was not given")
        return first, end

    async def access(self, direction, address):
        if self.is_slow and self.random.randrange(8) == 0:
            await Timer(self.random.choice((1, 1, 2, 5, 30)) * CYCLE_NS, "ns")
        if self.fails is not None and self.fails(direction, address):
            self.errors += 1
            raise ValueError("chosen to fail")

    async def read(self, address, length):
        await self.access("read", address)
        return bytes(self.data[address:address + length])

    async def write(self, address, data):
        await self.access("write", address)
        self.data[address:address + len(data)] = data


class SystemMemory(Memory):
    """The host's. The device may use its rings, its messages' staging and lists, which it only reads, and pages that a
    list of the driver names."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.given = set()

    def host_writes(self, address, data):
        self.data[address:address + len(data)] = data
        if LISTS <= address < POOL:
            self.given.update(struct.unpack(f"<{len(data) // 4}I", data))

    def may(self, direction, address):
        if address >= POOL:
            return address // PAGE in self.given
        return address >= PAGE and (direction == "read" or address < CLEARED)


def watch(channel, note):
    """Call `note` with what is received, before the slave has it."""
    receive = channel.recv

    async def recv():
        item = await receive()
        note(item)
        return item
    channel.recv = recv


class Write(AxiSlaveWrite):
    """cocotbext-axi's, whose assertions are violations."""

    def __init__(self, bus, clock, memory):
        super().__init__(bus, clock, target=memory)
        self.bounds = (0, 0)
        watch(self.aw_channel, self.begin)

    def begin(self, aw):
        self.bounds = self.target.burst("write", int(aw.awaddr), int(aw.awlen), int(aw.awsize), int(aw.awburst))

    async def _write(self, address, data):
        if not self.bounds[0] <= address <= address + len(data) <= self.bounds[1]:
            self.target.violations.note(f"{self.target.name}: a strobe at 0x{address:x}, outside its burst")
        await super()._write(address, data)

    async def _process_write(self):
        await judged(super()._process_write(), self.target)


class Read(AxiSlaveRead):
    """The same for reads."""

    def __init__(self, bus, clock, memory):
        super().__init__(bus, clock, target=memory)
        watch(self.ar_channel, self.begin)

    def begin(self, ar):
        self.target.burst("read", int(ar.araddr), int(ar.arlen), int(ar.arsize), int(ar.arburst))

    async def _process_read(self):
        await judged(super()._process_read(), self.target)


async def judged(process, memory):
    try:
        await process
    except AssertionError as error:
        line = traceback.extract_tb(error.__traceback__)[-1].line
        memory.violations.note(f"{memory.name}: cocotbext-axi has asserted: {line}")


class Port:
    """A memory behind the port that begins with `prefix`."""

    def __init__(self, dut, prefix, memory):
        bus = AxiBus.from_prefix(dut, prefix)
        self.memory = memory
        self.write, self.read = Write(bus.write, dut.clk, memory), Read(bus.read, dut.clk, memory)
        self.channels = (self.write.aw_channel, self.write.w_channel, self.write.b_channel, self.read.ar_channel,
                         self.read.r_channel)

    def leftovers(self):
        """What was offered and belongs to nothing, once the machine has nothing to do."""
        return sum(channel.count() for channel in self.channels)


def pause(channels, seed, percent):
    """`percent` of the time no handshake of a channel, each on its own and in stretches, so that one sometimes stands
    still for long."""
    async def stretches():
        source = random.Random(seed)
        left = [0] * len(channels)
        while True:
            for index, channel in enumerate(channels):
                left[index] -= 1
                if left[index] <= 0:
                    channel.pause = source.randrange(100) < percent
                    left[index] = source.choice((1, 1, 2, 3, 9))
            await Timer(source.choice((1, 2)) * CYCLE_NS, "ns")
    cocotb.start_soon(stretches())
