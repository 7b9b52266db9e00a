#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: the package `tessera` does what libtessera does, and refuses what does not fit. Method: pictures whose bytes
are known, drawn on the golden model, in memory that holds them all and in memory that does not; every kind of mistake.
Run by pytest, or by itself, all tests or those named: then it prints a sum. LAYOUTS: what layouts.c prints; TRACE: a
trace.json; DEVICE: another than the model."""
import json
import os
import struct
import sys
import tempfile

from bench import ROOT, WHERE, main, raises

import residency  # noqa: E402
import tessera  # noqa: E402
from tessera import BLIT, FORMAT, library  # noqa: E402

WIDTH, HEIGHT = 24, 10
try:
    import numpy
except ImportError:
    numpy = None


def test_fill():
    with tessera.open(WHERE) as gpu:
        for number in tessera.UNIT_BYTES:
            surface = gpu.surface(WIDTH, HEIGHT, number)
            surface.write(bytes(surface.size))
            stream = gpu.stream()
            colour = 0x81c3a5e7 & ((1 << 8 * surface.unit) - 1)
            stream.fill(surface, 2, 1, 5, 3, colour)
            assert gpu.submit(stream).wait() > 0
            unit, raw = colour.to_bytes(surface.unit, 'little'), surface.read_bytes()
            for i in range(WIDTH * HEIGHT):
                inside = 2 <= i % WIDTH < 7 and 1 <= i // WIDTH < 4
                expected = unit if inside else bytes(surface.unit)
                assert raw[i * surface.unit:(i + 1) * surface.unit] == expected, (number, i)


def test_blit():
    with tessera.open(WHERE) as gpu:
        source, target = gpu.surface(WIDTH, HEIGHT), gpu.surface(WIDTH, HEIGHT)
        content = bytes(i * 7 & 255 for i in range(source.size))
        source.write(content)
        target.write(bytes(target.size))
        stream = gpu.stream()
        stream.blit(target, source, x=3, y=2, source_x=1, source_y=4, width=6, height=5)
        gpu.submit(stream).wait()
        raw = target.read_bytes()
        for y in range(5):
            at, begin = (y + 2) * target.pitch + 3 * 4, (y + 4) * source.pitch + 4
            assert raw[at:at + 24] == content[begin:begin + 24]
        assert raw.count(0) >= target.size - 6 * 5 * 4
        # All of the source by default, and half of it over the target: BLEND with a constant alpha.
        stream.clear()
        stream.blit(target, source)
        gpu.submit(stream).wait()
        assert target.read_bytes() == content
        stream.clear()
        stream.fill(source, 0, 0, WIDTH, HEIGHT, 0xffc80000)
        stream.fill(target, 0, 0, WIDTH, HEIGHT, 0xff000064)
        stream.blit(target, source, mode=BLIT.BLEND, value=128)
        gpu.submit(stream).wait()
        assert set(target.read_bytes()[i:i + 4] for i in range(0, target.size, 4)) == {bytes([50, 0, 100, 255])}


def test_masks():
    """White through a mask over black is its alpha."""
    wide, high = 13, 5
    with tessera.open(WHERE) as gpu:
        target = gpu.surface(wide, high)
        for number, parts in tessera.UNITS_PER_BYTE.items():
            mask, bits = gpu.surface(wide, high, number), 8 // parts
            content = bytes(i * 53 + 29 & 255 for i in range(mask.size))
            assert mask.size == -(-wide * high * bits // 8)
            mask.write(content)
            stream = gpu.stream()
            stream.fill(target, 0, 0, wide, high, 0xff000000)
            stream.blit(target, mask, mode=BLIT.BLEND, value=0xffffffff)
            gpu.submit(stream).wait()
            units = [content[i // parts] >> 8 - bits * (i % parts + 1) & (1 << bits) - 1 for i in range(wide * high)]
            alphas = [unit * 255 // ((1 << bits) - 1) for unit in units]
            assert target.read_bytes() == b''.join(bytes((a, a, a, 255)) for a in alphas), number


def between(units, u, v, width, height):
    """Four units around a point, weighed by 128ths, as SDL does; outside lie the nearest."""
    column, row, across, down = int(u // 1), int(v // 1), int(u % 1 * 128), int(v % 1 * 128)

    def unit(i, j):
        return units[min(max(row + j, 0), height - 1) * width + min(max(column + i, 0), width - 1)]

    rows = [[a * (128 - down) + b * down for a, b in zip(unit(i, 0), unit(i, 1))] for i in range(2)]
    return bytes((a * (128 - across) + b * across) // 16384 for a, b in zip(*rows))


def test_map():
    """Turned, repeated and left out at the edge, and between four, each against its formula."""
    wide, high = 7, 5
    with tessera.open(WHERE) as gpu:
        source, target = gpu.surface(wide, high), gpu.surface(12, 9)
        content = bytes((i * 37 + i // 9 * 11) & 255 for i in range(source.size))
        units = [content[i:i + 4] for i in range(0, source.size, 4)]
        source.write(content)
        target.write(bytes(target.size))
        stream, expected = gpu.stream(), [bytes(4)] * (12 * 9)

        def drawn():
            gpu.submit(stream).wait()
            stream.clear()
            raw = target.read_bytes()
            return [raw[i:i + 4] for i in range(0, target.size, 4)]

        stream.blit_map(target, source, x=1, y=1, width=high, height=wide, quarters=1)
        for y in range(wide):
            for x in range(high):
                expected[(y + 1) * 12 + x + 1] = units[(high - 1 - x) * wide + y]
        assert drawn() == expected
        stream.blit_map(target, source, at=(-3, -8, 1, 0.5, 0, 1), is_repeated=True)
        assert drawn() == [units[(-8 + x // 2 + y) % high * wide + (x - 3) % wide]
                           for y in range(9) for x in range(12)]
        expected = drawn()
        stream.blit_map(target, source, at=(-2, 0.5, 1, 0, 0, 0.5), is_transparent=True)
        for y in range(9):
            for x in range(12):
                if 0 <= x - 2 < wide and int(0.5 + 0.5 * y) < high:
                    expected[y * 12 + x] = units[int(0.5 + 0.5 * y) * wide + x - 2]
        assert drawn() == expected
        stream.blit_map(target, source, at=(-0.75, -1.5, 0.53125, 0.25, -0.125, 0.75), is_filtered=True)
        assert drawn() == [between(units, -0.75 + x * 0.53125 - y * 0.125, -1.5 + x * 0.25 + y * 0.75, wide, high)
                           for y in range(9) for x in range(12)]
        raises(ValueError, lambda: stream.blit_map(target, source, at=(1, 2, 3)), '3 numbers')
        raises(ValueError, lambda: stream.blit_map(target, source, at=(40000, 0, 1, 0, 0, 1)), 'u 2621440000')
        raises(tessera.Error, lambda: stream.blit_map(target, source, is_repeated=True, is_transparent=True))
        stream.blit_map(target, source, at=(0, 0, 1, 1, 1, 1))
        raises(tessera.Error, lambda: gpu.submit(stream).wait(), 'BAD_MAP')


def test_palette():
    with tessera.open(WHERE) as gpu:
        colours, source = gpu.allocation(4096), gpu.surface(20, 5, tessera.FORMAT.INDEX8)
        target = gpu.surface(20, 5, tessera.FORMAT.ARGB8888)
        indices = bytes(i * 37 % 256 for i in range(100))
        table = [(0x01020304 * i + 0x80000000) % 2 ** 32 for i in range(512)]
        source.write(indices)
        colours.write(struct.pack('<512I', *table))
        stream = gpu.stream()
        raises(tessera.Error, lambda: stream.blit(target, source), 'INDEX8', 'palette')
        raises(tessera.Error, lambda: stream.palette(colours, offset=128))
        for first in 0, 256:
            stream.palette(colours, offset=4 * first)
            stream.blit(target, source)
            gpu.submit(stream).wait()
            stream.clear()
            assert target.read_bytes() == struct.pack('<100I', *(table[first + i] for i in indices))
        stream.palette(colours)
        stream.fill(target, 0, 0, 20, 5, 0x12345678)
        stream.blit(target, source, is_keyed=True, key=indices[7])
        stream.fill_bytes(colours, 1024, 0x55667788)  # the draws after it load the palette again
        stream.blit(target, source, height=1)
        gpu.submit(stream).wait()
        assert target.read_bytes() == struct.pack('<100I', *(
            0x55667788 if i < 20 else 0x12345678 if indices[i] == indices[7] else table[indices[i]]
            for i in range(100)))


def test_copy():
    with tessera.open(WHERE) as gpu:
        one, other = gpu.allocation(10000), gpu.allocation(10000)
        one.write(bytes(i % 251 for i in range(10000)))
        stream = gpu.stream()
        stream.fill_bytes(other, 10000, 0x44332211)
        stream.copy(other, one, 100, target_offset=1000, source_offset=500)
        ticket = gpu.submit(stream)
        ticket.wait()
        raw = other.read()
        assert raw[1000:1100] == bytes(i % 251 for i in range(500, 600))
        assert raw[:1000] == raw[1100:2100] == bytes([0x11, 0x22, 0x33, 0x44]) * 250
        assert one.read(500, 2) == bytes([500 % 251, 501 % 251])


def test_more_than_memory():
    """The same pictures, drawn in memory for half of them."""
    counted, screen = residency.main(WHERE, 4)
    assert counted['SPLITS'] > 0 and counted['EVICTIONS'] > 0 and counted['PORTIONS'] > counted['DMA_BUFFERS'] == 4
    opened = tessera.open
    try:
        tessera.open = lambda where, **limits: opened(where)
        roomy, expected = residency.main(WHERE, 4)
    finally:
        tessera.open = opened
    assert roomy['EVICTIONS'] == roomy['SPLITS'] == 0
    assert screen == expected and any(screen)


def test_where():
    with tessera.open(WHERE, segment1_pages=4) as gpu:
        segments = gpu.segments()
        assert [s['is_aperture'] for s in segments] == [False, False, True] and segments[0]['bytes'] == 4 * 4096
        surface = gpu.surface(32, 32, read_set=1, write_set=1)
        assert surface.where()[0] == 0
        stream = gpu.stream()
        stream.fill(surface, 0, 0, 32, 32, 1)
        before = gpu.cycles
        gpu.submit(stream).wait()
        assert gpu.cycles > before
        segment, offset, reason = surface.where()
        assert segment == 1 and offset < 4 * 4096 and reason
        surface.evict()
        assert surface.where()[0] == 0 and surface.read_bytes() == bytes([1, 0, 0, 0]) * 1024
        surface.destroy()
        assert gpu.statistics()['DMA_BUFFERS'] == 1


def test_arrays():
    with tessera.open(WHERE) as gpu:
        for number, shape, kind in ((FORMAT.ARGB8888, (HEIGHT, WIDTH, 4), numpy.uint8),
                                    (FORMAT.RGB565, (HEIGHT, WIDTH), numpy.uint16),
                                    (FORMAT.A8, (HEIGHT, WIDTH, 1), numpy.uint8)):
            surface = gpu.surface(WIDTH, HEIGHT, number)
            array = numpy.random.default_rng(7).integers(0, 256, shape).astype(kind)
            surface.write(array)
            assert surface.shape == shape and surface.read().dtype == kind and (surface.read() == array).all()
            surface.write(array[::-1])  # not contiguous
            assert (surface.read() == array[::-1]).all()


def test_refused():
    if WHERE != 'model':  # which has its own
        raises(tessera.Error, lambda: tessera.open(WHERE, firmware='/no/such/image'), '/no/such/image')
    error = raises(tessera.Error, lambda: tessera.open('elsewhere'), 'elsewhere')
    assert error.status < 0 and error.name.startswith('TESSERA_')
    raises(TypeError, lambda: tessera.open(WHERE, segment9_pages=1), 'segment9_pages', 'segment1_pages')
    raises(ValueError, lambda: tessera.open(WHERE, segment1_pages=-1), 'segment1_pages', '-1')
    raises(ValueError, lambda: tessera.open(WHERE, patience_cycles=-1), 'patience_cycles', '-1')
    with tessera.open(WHERE, segment1_pages=4, segment2_pages=4) as gpu:
        raises(ValueError, lambda: gpu.surface(10000, 1000000), '40000000000')
        raises(ValueError, lambda: gpu.surface(16384, 4), '16384 x 4', '1 to 16383')
        raises(ValueError, lambda: gpu.surface(65536, 1, FORMAT.A8), '1 to 65535')
        raises(ValueError, lambda: gpu.surface(0, 4))
        raises(ValueError, lambda: gpu.surface(4, 0))
        tall = gpu.surface(4, 66001, FORMAT.A8)
        assert repr(tall) == 'Surface(4 x 66001, A8)'
        raises(ValueError, lambda: gpu.stream().fill(tall, 0, 0, 1.5, 1, 7), '1.5', 'whole number')
        raises(ValueError, lambda: gpu.stream().blit(tall, tall, width=1, height=1, value=2.5), 'value 2.5')
        raises(ValueError, lambda: gpu.stream().fill(tall, 0, 65536, 4, 1, 7), 'y 65536')
        raises(ValueError, lambda: gpu.stream().fill(tall, 0, 0, 4, 65536, 7), 'height 65536')
        raises(ValueError, lambda: gpu.surface(8, 8, 17), '17')
        raises(ValueError, lambda: gpu.context(priority=(1 << 32) + 1), '4294967297')
        raises(tessera.Error, lambda: gpu.context(priority=8))
        raises(ValueError, lambda: gpu.stream(slots=1), '2 to 61')
        assert raises(tessera.Error, lambda: gpu.allocation(1 << 30)).name == 'TESSERA_NO_MEMORY'
        surface = gpu.surface(64, 64)
        raises(ValueError, lambda: surface.write(b'12'), '2 bytes', '16384')
        raises(ValueError, lambda: gpu.stream().fill(surface, -1, 0, 1, 1, 0), '-1')
        raises(ValueError, lambda: gpu.stream().fill(surface, 60, 0, 8, 8, 0), '8 x 8 at 60, 0', '64 x 64')
        raises(ValueError, lambda: gpu.stream().blit(surface, surface, y=1), '64 x 64 at 0, 1')
        raises(ValueError, lambda: gpu.stream().blit(surface, surface, value=1 << 32), '4294967296')
        # Modes on formats that have no colours: the device refuses it, names the packet, and draws nothing.
        surface.write(bytes(surface.size))
        stream = gpu.stream()
        stream.fill(surface, 0, 0, 8, 8, 0xffffffff)
        raises(ValueError, lambda: stream.blit(surface, gpu.surface(8, 8), mode=7), 'mode 7')
        stream.blit(surface, gpu.surface(8, 8, FORMAT.BYTES), mode=BLIT.BLEND)
        error = raises(tessera.Error, lambda: gpu.submit(stream).wait(), 'BAD_OPERAND: BLIT at byte', 'MODE=BLEND')
        assert error.status > 0 and error.name == tessera.STATUS(error.status).name
        assert surface.read_bytes() == bytes(surface.size)
        # Two that have to be there at once, and do not fit.
        large = [gpu.surface(64, 64, read_set=1, write_set=1) for _ in range(2)]
        stream.clear()
        stream.blit(large[0], large[1])
        assert raises(tessera.Error, lambda: gpu.submit(stream).wait()).name == 'NO_PLACEMENT'
        stream.clear()
        error = raises(tessera.Error, lambda: [stream.fill(surface, 0, 0, 1, 1, 0) for _ in range(10000)], 'submit it')
        assert error.name == 'TESSERA_STREAM_FULL' and len(stream) > 30000
        gpu.submit(stream).wait()
    raises(ValueError, lambda: gpu.statistics(), 'closed')
    gpu.close()


def test_timeline():
    events = [{'ph': 'M', 'pid': 1, 'tid': 3, 'name': 'thread_name', 'args': {'name': 'render node'}},
              {'ph': 'M', 'pid': 1, 'tid': 0, 'name': 'process_name', 'args': {'name': 'Tessera'}},
              {'ph': 'X', 'pid': 1, 'tid': 3, 'ts': 50, 'dur': 7, 'name': 'BLIT', 'args': {'offset': 4}},
              {'ph': 'b', 'pid': 1, 'tid': 0, 'ts': 9, 'name': 'SUBMIT', 'cat': 'message', 'id': 1},
              {'ph': 'e', 'pid': 1, 'tid': 0, 'ts': 90, 'name': 'SUBMIT', 'cat': 'message', 'id': 1},
              {'ph': 'M', 'pid': 1, 'tid': 3, 'name': 'thread_sort_index', 'args': {'sort_index': 4}},
              {'ph': 'X', 'pid': 1, 'tid': 3, 'ts': 50, 'dur': 9, 'name': 'thread_name'},
              {'ph': 'X', 'pid': 1, 'tid': 3, 'ts': 50, 'dur': 8, 'name': 'process_name'},
              {'ph': 'C', 'pid': 1, 'ts': 3, 'name': 'pages', 'args': {'value': 2}}]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'trace.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump({'traceEvents': events}, file)
        submit = {'track': 'Tessera', 'name': 'SUBMIT', 'begin': 9, 'end': 90, 'arguments': {}}
        blit = {'track': 'render node', 'name': 'BLIT', 'begin': 50, 'end': 57, 'arguments': {'offset': 4}}
        longer = [{'track': 'render node', 'name': name, 'begin': 50, 'end': end, 'arguments': {}}
                  for name, end in (('thread_name', 59), ('process_name', 58))]
        assert tessera.timeline(path) == [submit, *longer, blit]
        assert tessera.timeline(path, 'render node') == [*longer, blit]


def test_display():
    """Flips are shown in order, after their drawing, and what is shown stays."""
    with tessera.open('model') as gpu:
        display, stream = gpu.display, gpu.stream()
        assert display.size == (0, 0) and tessera.DISPLAY_MODE.HD in display.modes and 'off' in repr(display)
        raises(tessera.Error, display.flip(None).wait, 'NO_MODE')
        display.set_mode('vga')
        assert display.size == (640, 480)
        pictures = [gpu.surface(640, 480, 'RGB565') for _ in range(2)]
        frames = []
        for number, picture in enumerate(pictures):
            stream.fill(picture, 0, 0, 640, 480, number)
            drawn = gpu.submit(stream)
            frames.append(display.flip(picture, after=drawn).wait().frame)
            drawn.wait()
            stream.clear()
        assert frames[0] < frames[1] <= display.frame
        raises(tessera.Error, pictures[1].evict, 'SHOWN')
        pictures[0].evict()
        assert display.wait_blank(frames[1] + 3).frame >= frames[1] + 3
        assert display.wait_blank().cycle > 0
        cursor = gpu.surface(64, 64)
        display.cursor(cursor, 3, 4).wait()
        display.move_cursor(-5, 100)
        display.flip(gpu.surface(16, 16, 'RGB565'), 'overlay', x=600, y=470, mix='alpha', value=99).wait()
        display.set_palette(range(256))
        raises(ValueError, lambda: display.set_palette([1]), '256 are needed')
        raises(tessera.Error, display.flip(cursor).wait, 'BAD_ARGUMENT', 'FORMAT')
        display.set_mode('OFF')
        pictures[1].evict()


def test_version():
    with open(ROOT / 'VERSION', encoding='utf-8') as file:
        version = file.read().strip()
    assert tessera.__version__ == version
    with open(ROOT / 'integration/python/pyproject.toml', encoding='utf-8') as file:
        assert f'version = "{version}"' in file.read()


def test_layouts():
    structures = {'tessera_options': library.Options, 'tessera_device_options': library.DeviceOptions,
                  'tessera_allocation_options': library.AllocationOptions, 'tessera_segment': library.Segment,
                  'tessera_residence': library.Residence, 'tessera_completion': library.Completion,
                  'tessera_surface': library.Surface, 'tessera_blit': library.Blit, 'tessera_affine': library.Affine,
                  'tessera_place': library.Place, 'tessera_display': library.DisplayState,
                  'tessera_flip': library.FlipOptions, 'tessera_blank': library.Blank}
    expected = []
    for name, structure in structures.items():
        expected.append(f'{name} {library.ctypes.sizeof(structure)}')
        for member, _ in structure._fields_:
            place = getattr(structure, member)
            expected.append(f'{name} {member} {place.offset} {place.size}')
    with open(os.environ['LAYOUTS'], encoding='utf-8') as file:
        assert file.read().splitlines() == expected


def test_trace():
    """Of a real run on the simulated chip (TRACE)."""
    spans = tessera.timeline(os.environ['TRACE'])
    assert {'render node', 'paging node', 'firmware', 'host'} <= {s['track'] for s in spans}
    assert all(0 <= s['begin'] <= s['end'] for s in spans)
    assert [s['begin'] for s in spans] == sorted(s['begin'] for s in spans)
    for node in 'render node', 'paging node':
        alone = tessera.timeline(os.environ['TRACE'], node)
        assert len(alone) > 20 and alone == [s for s in spans if s['track'] == node]


# What cannot be run here is no test that has passed.
skipped = 0
if numpy is None:
    skipped += 1
    del test_arrays
if 'LAYOUTS' not in os.environ:
    del test_layouts
if 'TRACE' not in os.environ:
    del test_trace


if __name__ == '__main__':
    sys.exit(main(globals(), skipped))
