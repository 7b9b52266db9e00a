#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: colours go in and out of a surface as red, green, blue and alpha, and what is not pixels is refused. Method:
every colour bit against docs/pixels.md and against the GPU's own conversion; arrays of a wrong kind or shape; the PNG
of a notebook decoded again."""
import array
import struct
import sys
import zlib

from bench import WHERE, main, raises

import tessera  # noqa: E402
from tessera import BLIT, FORMAT  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

COLOURED = (FORMAT.ARGB8888, FORMAT.XRGB8888, FORMAT.RGB888, FORMAT.RGB565, FORMAT.ARGB1555)
WIDE, HIGH = 64, 32
# Red, green, blue, alpha: all bytes in each place, in another order each.
RGBA = bytes(byte for i in range(WIDE * HIGH) for byte in (
    i & 255, i * 3 & 255, i * 5 + 7 & 255, i * 11 + i // 256 & 255))


def pixels(raw):
    return [tuple(raw[i:i + 4]) for i in range(0, len(raw), 4)]


def kept(pixel, format):
    """What a format keeps of a colour, by docs/pixels.md."""
    red, green, blue, alpha = pixel
    five, six = (lambda v: v >> 3 << 3 | v >> 5), (lambda v: v >> 2 << 2 | v >> 6)
    return {FORMAT.ARGB8888: pixel, FORMAT.XRGB8888: (red, green, blue, 255), FORMAT.RGB888: (red, green, blue, 255),
            FORMAT.RGB565: (five(red), six(green), five(blue), 255),
            FORMAT.ARGB1555: (five(red), five(green), five(blue), 255 * (alpha >> 7))}[format]


def test_bytes_lie_blue_first():
    with tessera.open(WHERE) as gpu:
        for format, raw in ((FORMAT.ARGB8888, b'\x03\x02\x01\x80'), (FORMAT.XRGB8888, b'\x03\x02\x01\xff'),
                            (FORMAT.RGB888, b'\x03\x02\x01'), (FORMAT.RGB565, b'\x00\x00'),
                            (FORMAT.ARGB1555, b'\x00\x80')):
            one = gpu.surface(1, 1, format)
            one.write_rgba(b'\x01\x02\x03\x80')
            assert one.read_bytes() == raw, format
        word = gpu.surface(1, 1)
        word.write(struct.pack('<I', 0x80010203))
        assert bytes(memoryview(word.read_rgba()).cast('B')) == b'\x01\x02\x03\x80'


def test_rgba_of_each_format():
    """In and out; and as the GPU converts to each format, and back to ARGB8888."""
    with tessera.open(WHERE) as gpu:
        whole, back = gpu.surface(WIDE, HIGH), gpu.surface(WIDE, HIGH)
        whole.write_rgba(RGBA)
        assert bytes(memoryview(whole.read_rgba()).cast('B')) == RGBA
        for format in COLOURED:
            ours, its = gpu.surface(WIDE, HIGH, format), gpu.surface(WIDE, HIGH, format)
            ours.write_rgba(RGBA)
            read = bytes(memoryview(ours.read_rgba()).cast('B'))
            assert pixels(read) == [kept(pixel, format) for pixel in pixels(RGBA)], format
            stream = gpu.stream()
            stream.blit(its, whole)
            stream.blit(back, its)
            gpu.submit(stream).wait()
            assert its.read_bytes() == ours.read_bytes(), format
            assert bytes(memoryview(back.read_rgba()).cast('B')) == read, format


def test_rgba_of_masks():
    """13 units a row: in bytes that two rows share."""
    rgba = RGBA[:4 * 13 * 5]
    with tessera.open(WHERE) as gpu:
        for format, bits in ((FORMAT.A8, 8), (FORMAT.A4, 4), (FORMAT.A2, 2), (FORMAT.A1, 1)):
            mask, target = gpu.surface(13, 5, format), gpu.surface(13, 5)
            mask.write_rgba(rgba)
            most = (1 << bits) - 1
            alphas = [(alpha >> 8 - bits) * 255 // most for alpha in rgba[3::4]]
            assert pixels(bytes(memoryview(mask.read_rgba()).cast('B'))) == [(255, 255, 255, a) for a in alphas], format
            stream = gpu.stream()
            stream.fill(target, 0, 0, 13, 5, 0xff000000)
            stream.blit(target, mask, mode='BLEND', value=0xffffffff)
            gpu.submit(stream).wait()
            assert pixels(target.read_bytes()) == [(a, a, a, 255) for a in alphas], format
        for format in FORMAT.INDEX8, FORMAT.BYTES:
            flat = gpu.surface(2, 1, format)
            raises(ValueError, flat.read_rgba, format.name, 'read_rgba', 'no colours')
            raises(ValueError, lambda: flat.write_rgba(bytes(8)), format.name, 'write_rgba', 'no colours')


def test_without_alpha():
    with tessera.open(WHERE) as gpu:
        surface = gpu.surface(2, 2)
        surface.write_rgba(bytes(range(1, 13)))
        assert pixels(bytes(memoryview(surface.read_rgba()).cast('B'))) == [
            (1, 2, 3, 255), (4, 5, 6, 255), (7, 8, 9, 255), (10, 11, 12, 255)]
        raises(ValueError, lambda: surface.write_rgba(bytes(8)), '8 bytes', '2 x 2', '(2, 2, 4)', '(2, 2, 3)')
        raises(TypeError, lambda: surface.write_rgba('red'), 'data of type str')
        raises(TypeError, lambda: surface.write_rgba([1, 2, 3]), 'data of type list', 'array')
        raises(TypeError, lambda: surface.write_rgba(array.array('H', range(8))), 'array of H', 'uint8', 'red first')
        surface.write_rgba(memoryview(RGBA[:16]).cast('B', (2, 2, 4)))
        assert pixels(bytes(memoryview(surface.read_rgba()).cast('B'))) == pixels(RGBA[:16])
        raises(ValueError, lambda: surface.write_rgba(memoryview(RGBA[:16]).cast('B', (1, 4, 4))), '(1, 4, 4)')
        raises(ValueError, lambda: surface.write_rgba(memoryview(RGBA[:16]).cast('B', (2, 8))), '(2, 8)')


def test_kinds_of_numbers():
    """Floats and numbers of a wrong width are refused, whatever their bytes would be."""
    with tessera.open(WHERE) as gpu:
        surface, small = gpu.surface(4, 2), gpu.surface(4, 2, FORMAT.RGB565)
        bytewise = gpu.surface(4, 2, FORMAT.A8)
        before = bytes(range(32))
        surface.write(before)
        raises(TypeError, lambda: surface.write(array.array('f', [0.5] * 8)), 'array of f', 'uint8', '(2, 4, 4)')
        raises(TypeError, lambda: surface.write(array.array('d', [0.5] * 4)), 'array of d')
        raises(TypeError, lambda: surface.write(array.array('h', [1] * 16)), 'array of h')
        raises(TypeError, lambda: surface.write(array.array('H', [1] * 16)), 'array of H')
        raises(TypeError, lambda: small.write(array.array('I', [1] * 4)), 'array of I', 'uint16', '(2, 4)')
        raises(TypeError, lambda: bytewise.write(array.array('H', [1] * 4)), 'array of H', 'uint8')
        raises(TypeError, lambda: surface.write(7), 'data of type int', 'bytes or an array')
        raises(TypeError, lambda: surface.write([7] * 32), 'data of type list')
        assert surface.read_bytes() == before
        surface.write(array.array('I', [0x04030201 + i for i in range(8)]))
        assert surface.read_bytes()[:8] == bytes([1, 2, 3, 4, 2, 2, 3, 4])
        small.write(array.array('H', range(256, 264)))
        assert small.read_bytes()[:4] == bytes([0, 1, 1, 1])
        small.write(bytes(range(16)))
        assert small.read_bytes() == bytes(range(16))
        bytewise.write(memoryview(bytes(range(8))).cast('B', (2, 4)))
        bytewise.write(memoryview(bytes(range(8))).cast('B', (2, 4, 1)))
        assert bytewise.read_bytes() == bytes(range(8))
        turned = memoryview(before).cast('B', (4, 2, 4))
        raises(ValueError, lambda: surface.write(turned), 'shape (4, 2, 4)', '4 x 2', 'shape (2, 4, 4) is needed')
        raises(ValueError, lambda: surface.write(memoryview(before).cast('B', (2, 16))), 'shape (2, 16)')
        raises(ValueError, lambda: bytewise.write(memoryview(bytes(8)).cast('B', (4, 2))), 'shape (4, 2)')
        bytewise.write(b'', 8)
        flat = memoryview(array.array('H', range(8)))
        raises(ValueError, lambda: small.write(flat.cast('B').cast('H', (4, 2))), '(4, 2)', '(2, 4) is needed')
        # Part of it: any bytes, inside.
        surface.write(b'\xaa\xbb', offset=30)
        assert surface.read_bytes(29) == bytes([4, 0xaa, 0xbb]) or surface.read_bytes(30) == b'\xaa\xbb'
        raises(ValueError, lambda: surface.write(b'\xaa\xbb', offset=31), '2 bytes at 31', '32 bytes')
        raises(ValueError, lambda: surface.write(b'\xaa', offset=-1), '1 bytes at -1')
        raises(ValueError, lambda: surface.write(b'', offset=1.5), 'offset 1.5')
        raises(ValueError, lambda: surface.read_bytes(1.5), 'offset 1.5')
        raises(ValueError, lambda: surface.read_bytes(0, 33), '33 bytes at 0')
        raises(ValueError, lambda: surface.read_bytes(33), '-1 bytes at 33')
        raises(ValueError, lambda: surface.read_bytes(-1, 1), '1 bytes at -1')
        assert surface.read_bytes(32) == b'' and surface.read_bytes(31, 1) == b'\xbb'


def test_shapes():
    with tessera.open(WHERE) as gpu:
        assert isinstance(gpu.surface(5, 3).read(), bytes if numpy is None else numpy.ndarray)
        assert gpu.surface(1, 1, 'A8').pitch == 1 and gpu.surface(65535, 1, 'A8').pitch == 65535
        assert gpu.surface(5, 3).shape == (3, 5, 4) and gpu.surface(5, 3, 'RGB888').shape == (3, 5, 3)
        assert gpu.surface(5, 3, 'RGB565').shape == (3, 5) and gpu.surface(5, 3, 'A8').shape == (3, 5, 1)
        mask = gpu.surface(5, 3, 'A2')
        assert mask.shape == (4,) and mask.size == 4 and mask.parts == 4 and mask.unit == 1 and mask.pitch == 5


def test_arrays():
    """With numpy, and packages that have pictures."""
    class Picture:
        def __init__(self, content):
            self.__array_interface__ = content.__array_interface__
            self.content = content

    with tessera.open(WHERE) as gpu:
        surface, small = gpu.surface(4, 2), gpu.surface(4, 2, FORMAT.RGB565)
        shades = numpy.arange(32, dtype=numpy.uint8).reshape(2, 4, 4)
        surface.write_rgba(shades)
        assert surface.read_rgba().shape == (2, 4, 4) and (surface.read_rgba() == shades).all()
        assert (surface.read()[..., [2, 1, 0, 3]] == shades).all() and surface.read_rgba().flags.writeable
        surface.write_rgba(shades[:, ::-1])
        assert (surface.read_rgba() == shades[:, ::-1]).all()
        surface.write_rgba(shades[..., :3])
        assert (surface.read_rgba()[..., :3] == shades[..., :3]).all() and (surface.read_rgba()[..., 3] == 255).all()
        surface.write_rgba(Picture(shades))
        surface.write(Picture(shades))
        assert (surface.read() == shades).all() and surface.read().flags.writeable
        surface.write(numpy.full((2, 4), 0x11223344, dtype=numpy.uint32))
        assert surface.read_bytes() == b'\x44\x33\x22\x11' * 8
        for kind in 'float64', 'float32', 'int64', 'int8', 'uint16', 'bool', 'complex128', '>u4':
            wrong = numpy.zeros((2, 4, 4)).astype(kind)
            name = str(wrong.dtype)
            raises(TypeError, lambda: surface.write(wrong), f'array of {name}', "astype('uint8')")
            raises(TypeError, lambda: surface.write_rgba(wrong), f'array of {name}', 'uint8', '(2, 4, 4)')
        raises(TypeError, lambda: surface.write(numpy.zeros((2, 4), numpy.float32)), 'float32', "astype('uint8')")
        raises(TypeError, lambda: small.write(numpy.zeros((2, 4), numpy.int16)), 'int16', "astype('uint16')")
        raises(TypeError, lambda: surface.write(numpy.array([[None]])), 'object')
        small.write(numpy.full((2, 4), 0x8001, dtype=numpy.uint16))
        assert small.read().dtype == numpy.uint16 and (small.read() == 0x8001).all()
        assert gpu.surface(5, 3, 'A4').read().shape == (8,)


def test_png():
    """What a notebook shows: the file's rows, with the sums of its chunks."""
    with tessera.open(WHERE) as gpu:
        for format in tuple(tessera.UNIT_BYTES) + tuple(tessera.UNITS_PER_BYTE):
            surface = gpu.surface(13, 5, format)
            surface.write(bytes(i * 29 + 3 & 255 for i in range(surface.size)))
            file, chunks, at = surface._repr_png_(), [], 8
            assert file[:8] == b'\x89PNG\r\n\x1a\n'
            while at < len(file):
                size, kind = struct.unpack('>I4s', file[at:at + 8])
                body, check = file[at + 4:at + 8 + size], file[at + 8 + size:at + 12 + size]
                assert struct.unpack('>I', check)[0] == zlib.crc32(body)
                chunks.append((kind, body[4:]))
                at += 12 + size
            assert [kind for kind, _ in chunks] == [b'IHDR', b'IDAT', b'IEND'] and chunks[2][1] == b''
            channels = 4 if format in COLOURED else 1
            assert chunks[0][1] == struct.pack('>IIBBBBB', 13, 5, 8, 6 if channels == 4 else 0, 0, 0, 0)
            rows = zlib.decompress(chunks[1][1])
            pitch = 1 + 13 * channels
            assert len(rows) == 5 * pitch and not any(rows[0::pitch])
            shown = b''.join(rows[y * pitch + 1:(y + 1) * pitch] for y in range(5))
            if channels == 4:
                assert shown == bytes(memoryview(surface.read_rgba()).cast('B'))
            elif format in tessera.UNITS_PER_BYTE:
                assert shown == bytes(memoryview(surface.read_rgba()).cast('B'))[3::4]
            else:
                assert shown == surface.read_bytes()
    assert surface._repr_png_() is None  # closed


def test_alpha_by_default():
    """BLEND and ADD have a constant alpha of 255 where none is given; 0 draws nothing, if it is said."""
    with tessera.open(WHERE) as gpu:
        source, target = gpu.surface(1, 1), gpu.surface(1, 1)
        source.write_rgba(b'\x50\x60\x70\x80')
        for mode, value, expected in (('BLEND', None, (0x50, 0x60, 0x70)), ('ADD', None, (0x68, 0x70, 0x78)),
                                      ('BLEND', 0, (0x40, 0x40, 0x40)), (BLIT.ADD, 0, (0x40, 0x40, 0x40)),
                                      ('COPY', None, (0x50, 0x60, 0x70)), ('mod', None, (0x14, 0x18, 0x1c))):
            for call in 'blit', 'blit_map':
                target.write_rgba(b'\x40\x40\x40\xff')
                stream = gpu.stream()
                getattr(stream, call)(target, source, mode=mode, value=value)
                gpu.submit(stream).wait()
                raw = bytes(memoryview(target.read_rgba()).cast('B'))
                if mode == 'BLEND' and value is None:
                    expected = tuple((s * 128 + 64 * 127 + 127) // 255 for s in (0x50, 0x60, 0x70))
                assert tuple(raw[:3]) == expected, (mode, value, call, tuple(raw))


def test_value_by_default():
    """255 of BLEND and ADD is exactly 255, and of other modes it is 0."""
    with tessera.open(WHERE) as gpu:
        source, target = gpu.surface(2, 1), gpu.surface(2, 1)
        source.write(struct.pack('<2I', 0xff8090a0, 0))
        for mode, expected in (('BLEND', (0xff8090a0, 0xffffffff)), ('KEY', (0xff8090a0, 0xffffffff))):
            for call in 'blit', 'blit_map':
                stream = gpu.stream()
                stream.fill(target, 0, 0, 2, 1, 0xffffffff)
                if call == 'blit' or mode != 'KEY':
                    getattr(stream, call)(target, source, mode=mode)
                    gpu.submit(stream).wait()
                    assert struct.unpack('<2I', target.read_bytes()) == expected, (mode, call)


skipped = 0
if numpy is None:
    skipped += 1
    del test_arrays

if __name__ == '__main__':
    sys.exit(main(globals(), skipped))
