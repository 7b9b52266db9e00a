#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: what is drawn is what was named, whichever slots it takes, and what a stream no longer needs does not have to
be in memory. Method: more surfaces than slots, in orders in which a slot changes hands; memory that has room for what
is needed and no more; a counter of cycles that carries between the reads of its halves."""
import itertools
import sys

from bench import WHERE, main, raises

import tessera  # noqa: E402
from tessera import device, stream as streams  # noqa: E402


def test_slots_change_hands():
    """Every order of four sources, with 2 to 5 slots; each is drawn beside the last."""
    with tessera.open(WHERE) as gpu:
        target, sources = gpu.surface(8, 1), [gpu.surface(1, 1) for _ in range(4)]
        for i, source in enumerate(sources):
            source.write(bytes([i + 1] * 4))
        for slots, order in itertools.product((2, 3, 4, 5), itertools.product(range(4), repeat=4)):
            stream = gpu.stream(slots)
            for x, i in enumerate(order):
                stream.blit(target, sources[i], x=x)
            gpu.submit(stream).wait()
            assert target.read_bytes()[:16:4] == bytes(i + 1 for i in order), (slots, order)


def test_targets_and_sources():
    """The same surface drawn into and from: two slots of its own, and both in turn."""
    with tessera.open(WHERE) as gpu:
        one, other, stream = gpu.surface(4, 1), gpu.surface(4, 1), gpu.stream()
        stream.fill(one, 0, 0, 4, 1, 0x11111111)
        stream.fill(other, 0, 0, 4, 1, 0x22222222)
        stream.blit(other, one, 0, 0, 0, 0, 1, 1)
        stream.blit(one, other, 1, 0, 1, 0, 1, 1)
        stream.fill(one, 3, 0, 1, 1, 0x33333333)
        stream.blit(other, one, 3, 0, 3, 0, 1, 1)
        gpu.submit(stream).wait()
        assert one.read_bytes() == bytes([17] * 4 + [34] * 4 + [17] * 4 + [51] * 4)
        assert other.read_bytes() == bytes([17] * 4 + [34] * 8 + [51] * 4)


def test_binds():
    """How many BINDs and patch locations: one for each surface and role while there are slots; the one longest unused
    gives way."""
    with tessera.open(WHERE) as gpu:
        a, b, c, d = (gpu.surface(4, 4) for _ in range(4))

        def patches(slots, *draws):
            stream = gpu.stream(slots)
            for target, source in draws:
                stream.blit(target, source)
            return stream.patches

        by_default = gpu.stream(), tessera.Stream(gpu)
        for stream in by_default:
            stream.blit(a, b)
            stream.blit(a, c)
            stream.blit(a, b)
            assert stream.patches == 4
        assert patches(2, (a, b)) == patches(2, (a, b), (a, b)) == 2
        assert patches(3, (a, b), (a, c)) == patches(3, (a, b), (a, c), (a, b), (a, c)) == 3
        assert patches(2, (a, b), (a, c), (a, b)) == 4
        assert patches(2, (a, b), (b, a)) == 4
        assert patches(4, (a, b), (b, a), (a, b)) == 4
        assert patches(4, (a, b), (a, c), (a, d), (a, b)) == 4
        # b was used after c, so d takes c's slot and b keeps its own.
        assert patches(3, (a, b), (a, c), (a, b), (a, d), (a, b)) == 4
        assert patches(3, (a, b), (a, c), (a, b), (a, d), (a, c)) == 5
        assert patches(61, *((a, s) for s in (b, c, d) * 3)) == 4


def small(gpu, count):
    """Allocations of two of the four pages that memory has."""
    made = [gpu.surface(32, 64, read_set=1, write_set=1) for _ in range(count)]
    for i, each in enumerate(made):
        each.write(bytes([i + 1]) * each.size)
    return made


def test_copies_let_go():
    """What copy and fill_bytes name does not stay: the blit that follows has room in memory for two surfaces."""
    with tessera.open(WHERE, segment1_pages=4, segment2_pages=4) as gpu:
        a, b, c, d = small(gpu, 4)
        stream = gpu.stream()
        stream.copy(b, a, 4096, target_offset=4096, source_offset=0)
        stream.blit(d, c)
        gpu.submit(stream).wait()
        assert d.read_bytes() == b'\3' * 8192
        stream.clear()
        stream.fill_bytes(a, 4, 0x77777777, offset=8)
        stream.blit(c, b)
        gpu.submit(stream).wait()
        assert a.read_bytes() == b'\1' * 8 + b'\x77' * 4 + b'\1' * 8180
        assert b.read_bytes() == c.read_bytes() == b'\2' * 4096 + b'\1' * 4096 and d.read_bytes() == b'\3' * 8192


def test_palette_keeps_its_row():
    """A palette stays when copies follow it, and when all 61 slots are taken."""
    with tessera.open(WHERE) as gpu:
        colours, index, target = gpu.allocation(4096), gpu.surface(4, 1, 'INDEX8'), gpu.surface(4, 1)
        colours.write(b''.join(bytes([i, i, i, 255]) for i in range(256)))
        index.write(bytes([9, 8, 7, 6]))
        others = [gpu.surface(4, 1) for _ in range(61)]
        for slots in 2, 61:
            stream = gpu.stream(slots)
            stream.palette(colours)
            stream.copy(others[0], others[1], 16)
            stream.fill_bytes(others[1], 16, 0x01010101)
            stream.blit(target, index)
            for each in others:
                stream.fill(each, 0, 0, 1, 1, 3)
            stream.blit(target, index)
            gpu.submit(stream).wait()
            assert target.read_bytes() == b''.join(bytes([i, i, i, 255]) for i in (9, 8, 7, 6))


def test_copy_from_the_start():
    """Without offsets a copy begins at the first byte of both."""
    with tessera.open(WHERE) as gpu:
        one, other, stream = gpu.allocation(64), gpu.allocation(64), gpu.stream()
        one.write(bytes(range(64)))
        other.write(bytes(64))
        stream.copy(other, one, 4)
        gpu.submit(stream).wait()
        assert other.read() == bytes(range(4)) + bytes(60)


def test_destroy_frees():
    """As many allocations as there is room for, twice."""
    with tessera.open(WHERE, allocations=16) as gpu:
        def fill():
            made = []
            while len(made) < 1000:
                try:
                    made.append(gpu.allocation(4096))
                except tessera.Error:
                    break
            return made
        first = fill()
        assert 4 < len(first) < 1000
        for each in first:
            each.destroy()
        assert len(fill()) == len(first)


def test_one_slot_fewer():
    """Two slots need two surfaces in memory at once; four would need four, and there is no room for them."""
    with tessera.open(WHERE, segment1_pages=4, segment2_pages=4) as gpu:
        a, b, c, d = small(gpu, 4)
        for slots in 2, 4:
            stream = gpu.stream(slots)
            stream.blit(a, b)
            stream.blit(c, d)
            ticket = gpu.submit(stream)
            if slots == 2:
                ticket.wait()
            else:
                assert raises(tessera.Error, ticket.wait).name == 'NO_PLACEMENT'
        assert a.read_bytes() == b'\2' * 8192 and c.read_bytes() == b'\4' * 8192


def test_cycles_carry():
    """Both halves of the counter belong together: if the high one has changed, they are read again."""
    class Counter:
        def __init__(self, *now):
            self.now, self.calls = list(now), 0

        def read(self, gpu, register, value):
            now = self.now.pop(0)
            self.calls += 1
            value._obj.value = now >> 32 if register == device.REGISTER_CORE_CYCLE_HI else now & 0xffffffff
            return 0

    original = device.library.tessera_register_read
    with tessera.open(WHERE) as gpu:
        try:
            for now, expected in ((((5 << 32) + 7,) * 3, (5 << 32) + 7),
                                  ((0xfffffff0, 0x100000003, 0x100000004, 0x100000009, 0x10000000a, 0x10000000b),
                                   0x10000000a),
                                  ((0xfffffff0, 0xfffffff5, 0x100000004, 0x1ffffffff, 0x200000001, 0x200000002,
                                    0x200000003, 0x200000004, 0x200000005), 0x200000004)):
                counter = Counter(*now)
                device.library.tessera_register_read = counter.read
                assert gpu.cycles == expected and counter.calls == len(now), (now, gpu)
        finally:
            device.library.tessera_register_read = original
        before = gpu.cycles
        assert gpu.segments() and gpu.cycles >= before


def test_contexts():
    """submit() makes one context for itself, once; one that is given is used."""
    with tessera.open(WHERE) as gpu:
        surface, stream = gpu.surface(4, 4), gpu.stream()
        stream.fill(surface, 0, 0, 4, 4, 1)
        made = []
        original = device.library.tessera_context_create
        device.library.tessera_context_create = lambda *words: made.append(words) or original(*words)
        try:
            for _ in range(3):
                gpu.submit(stream).wait()
            assert len(made) == 1 and made[0][1:3] == (0, 0)
            assert gpu.context() != gpu.context(1) and made[1][1:3] == (0, 0) and made[2][1:3] == (0, 1)
            del made[1:]
            context = gpu.context(priority=-3)
            assert len(made) == 2 and made[1][1:3] == (0, -3)
            fences = [gpu.submit(stream, context).wait() for _ in range(2)]
            assert len(made) == 2 and len(set(fences)) == 2
            raises(tessera.Error, lambda: gpu.submit(stream, 77).wait(), 'BAD_CONTEXT')
        finally:
            device.library.tessera_context_create = original
        # Bit 0 of the flags: nothing is drawn.
        surface.write(bytes(64))
        gpu.submit(stream, flags=1).wait()
        assert surface.read_bytes() == bytes(64)


def test_a_stream_ends():
    """Memory of a stream is freed with it."""
    freed, original = [], streams.library.tessera_stream_destroy
    with tessera.open(WHERE) as gpu:
        try:
            streams.library.tessera_stream_destroy = lambda stream: freed.append(stream.value) or original(stream)
            stream = gpu.stream()
            at = stream._stream.value
            del stream
            assert freed == [at]
        finally:
            streams.library.tessera_stream_destroy = original


if __name__ == '__main__':
    sys.exit(main(globals()))
