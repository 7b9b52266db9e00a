# SPDX-License-Identifier: Apache-2.0
"""picture.py FILE: is the PNG of 1024 x 768 what the guest of guest.sh wrote: 256 rows of known bytes, then black?"""
import struct
import sys
import zlib

WIDTH, HEIGHT, ROWS = 1024, 768, 256


def rows_of(data, width=WIDTH, height=HEIGHT):
    """Rows of RGB, of a PNG without interlacing."""
    at, packed = 8, b''
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            assert struct.unpack('>IIBBBBB', data[at + 8:at + 21]) == (width, height, 8, 2, 0, 0, 0), 'size or kind'
        if kind == b'IDAT':
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    raw, stride, before = zlib.decompress(packed), width * 3, bytes(width * 3)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left, up, corner = (row[i - 3] if i >= 3 else 0), before[i], (before[i - 3] if i >= 3 else 0)
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[i] = row[i] + (0, left, up, (left + up) // 2, nearest)[kind] & 255
        before = bytes(row)
        yield before


def main():
    with open(sys.argv[1], 'rb') as file:
        rows = list(rows_of(file.read()))
    for y, row in enumerate(rows):
        for x in range(WIDTH):
            i = y * WIDTH + x
            blue, green, red = (33 + i % 89, 35 + y % 83, 40 + i % 7) if y < ROWS else (0, 0, 0)
            if tuple(row[3 * x:3 * x + 3]) != (red, green, blue):
                print(f'pixel {x}, {y} is {tuple(row[3 * x:3 * x + 3])}, expected {(red, green, blue)}')
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
