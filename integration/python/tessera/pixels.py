# SPDX-License-Identifier: Apache-2.0
"""Pixels as red, green, blue and alpha bytes, and as PNG. docs/pixels.md has the rules: 5 and 6 bits become 8 by
repeating their high bits, and 8 become 5 and 6 by dropping the low ones. A mask is white with an alpha.

A table of 256 bytes (bytes.translate) and slices do the work, so that numpy is not needed."""
from __future__ import annotations

import struct
import zlib
from typing import Callable, Dict

from .spec import FORMAT

UNIT_BYTES = {FORMAT.BYTES: 1, FORMAT.RGB565: 2, FORMAT.ARGB8888: 4, FORMAT.XRGB8888: 4, FORMAT.RGB888: 3,
              FORMAT.ARGB1555: 2, FORMAT.A8: 1, FORMAT.INDEX8: 1}
UNITS_PER_BYTE = {FORMAT.A4: 2, FORMAT.A2: 4, FORMAT.A1: 8}
NO_COLOURS = (FORMAT.BYTES, FORMAT.INDEX8)


def table(rule: Callable[[int], int]) -> bytes:
    """What bytes.translate makes of each byte."""
    return bytes(rule(byte) for byte in range(256))


def either(one: bytes, other: bytes) -> bytes:
    """Bit by bit."""
    return (int.from_bytes(one, 'little') | int.from_bytes(other, 'little')).to_bytes(len(one), 'little')


def five(bits: int) -> int:
    """5 bits to 8."""
    return bits << 3 | bits >> 2


# Of 16 bits, the low byte comes first. Green is in both bytes: G_LOW gives its low bits, G_HIGH its high ones.
B_16 = table(lambda low: five(low & 31))
G_LOW_565, G_HIGH_565 = table(lambda low: low >> 5 << 2), table(lambda high: (high & 7) << 5 | high >> 1 & 3)
R_565 = table(lambda high: five(high >> 3))
G_LOW_1555, G_HIGH_1555 = (table(lambda low: low >> 5 << 3 | low >> 5 >> 2),
                           table(lambda high: (high & 3) << 6 | (high & 3) << 1))
R_1555, A_1555 = table(lambda high: five(high >> 2 & 31)), table(lambda high: 255 * (high >> 7))


def mask_alphas(raw: bytes, parts: int, count: int) -> bytes:
    """The alphas of a mask of 8 / parts bits, the first in a byte's high bits."""
    bits = 8 // parts
    most, alphas = (1 << bits) - 1, bytearray(len(raw) * parts)
    for i in range(parts):
        down = 8 - bits * (i + 1)
        alphas[i::parts] = raw.translate(table(lambda byte: (byte >> down & most) * 255 // most))
    return bytes(alphas[:count])


def to_rgba(raw: bytes, format: FORMAT, count: int) -> bytes:
    """`count` units of a format as bytes red, green, blue, alpha."""
    rgba = bytearray(b'\xff') * (4 * count)
    if format in (FORMAT.ARGB8888, FORMAT.XRGB8888, FORMAT.RGB888):
        unit = UNIT_BYTES[format]
        for i in range(3):
            rgba[i::4] = raw[2 - i::unit]
        if format == FORMAT.ARGB8888:
            rgba[3::4] = raw[3::4]
    elif format == FORMAT.RGB565:
        low, high = raw[0::2], raw[1::2]
        rgba[0::4], rgba[2::4] = high.translate(R_565), low.translate(B_16)
        rgba[1::4] = either(low.translate(G_LOW_565), high.translate(G_HIGH_565))
    elif format == FORMAT.ARGB1555:
        low, high = raw[0::2], raw[1::2]
        rgba[0::4], rgba[2::4], rgba[3::4] = high.translate(R_1555), low.translate(B_16), high.translate(A_1555)
        rgba[1::4] = either(low.translate(G_LOW_1555), high.translate(G_HIGH_1555))
    else:
        rgba[3::4] = mask_alphas(raw, UNITS_PER_BYTE.get(format, 1), count)
    return bytes(rgba)


def from_rgba(rgba: bytes, format: FORMAT) -> bytes:
    """Bytes red, green, blue, alpha as units of a format. A mask takes the alpha."""
    red, green, blue, alpha = (rgba[i::4] for i in range(4))
    count = len(alpha)
    if format in (FORMAT.RGB565, FORMAT.ARGB1555):
        shift = 3 if format == FORMAT.RGB565 else 2  # green's bits in the high byte
        raw = bytearray(2 * count)
        raw[0::2] = either(blue.translate(table(lambda b: b >> 3)),
                           green.translate(table(lambda g: (g >> 5 - shift & 7) << 5)))
        high = either(red.translate(table(lambda r: r >> 3 << shift)),
                      green.translate(table(lambda g: g >> 8 - shift)))
        raw[1::2] = high if shift == 3 else either(high, alpha.translate(table(lambda a: a & 0x80)))
        return bytes(raw)
    if format in UNITS_PER_BYTE or format == FORMAT.A8:
        parts = UNITS_PER_BYTE.get(format, 1)
        bits, padded = 8 // parts, alpha + bytes(-count % parts)
        raw = bytearray(len(padded) // parts)
        for i in range(parts):
            up = 8 - bits * (i + 1)
            raw[:] = either(bytes(raw), padded[i::parts].translate(table(lambda a: a >> 8 - bits << up)))
        return bytes(raw)
    unit = UNIT_BYTES[format]
    raw = bytearray(b'\xff') * (unit * count)
    raw[0::unit], raw[1::unit], raw[2::unit] = blue, green, red
    if format == FORMAT.ARGB8888:
        raw[3::unit] = alpha
    return bytes(raw)


def png(rows: bytes, width: int, height: int, channels: int) -> bytes:
    """A PNG file of 4 channels (red, green, blue, alpha) or 1 (grey)."""
    def chunk(kind: bytes, content: bytes) -> bytes:
        return (struct.pack('>I', len(content)) + kind + content +
                struct.pack('>I', zlib.crc32(kind + content)))
    pitch = width * channels
    filtered = b''.join(b'\0' + rows[y * pitch:(y + 1) * pitch] for y in range(height))
    colour: Dict[int, int] = {1: 0, 4: 6}
    head = struct.pack('>IIBBBBB', width, height, 8, colour[channels], 0, 0, 0)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(filtered)) + chunk(b'IEND', b'')
