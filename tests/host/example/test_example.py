#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: the programs of docs/example draw what they say, with the headers that are installed; these are plain, and
agree with spec/gpu.def; docs/library.md names what they have. Method: the PNG files, pixel by pixel, against the rules
of docs/pixels.md; the headers' text against what a program prints. test_example.py FOLDER"""
import pathlib
import re
import struct
import subprocess
import sys
import zlib

FOLDER = pathlib.Path(sys.argv[1])
HEADERS = FOLDER / 'include/tessera'
WIDTH, HEIGHT, SIDE = 128, 96, 16
passed = failed = 0


def check(what, is_good):
    global passed, failed
    passed, failed = passed + bool(is_good), failed + (not is_good)
    if not is_good:
        print(f'FAIL  {what}')


def text(path):
    return pathlib.Path(path).read_text(encoding='utf-8')


def decoded(path):
    """Width, height and rows of bytes of a PNG file whose rows are filtered by any of the five filters."""
    file, at, packed = path.read_bytes(), 8, b''
    while at < len(file):
        size, kind = struct.unpack('>I4s', file[at:at + 8])
        if kind == b'IHDR':
            width, height, _, colour = struct.unpack('>IIBB', file[at + 8:at + 18])
        packed += file[at + 8:at + 8 + size] if kind == b'IDAT' else b''
        at += 12 + size
    channels = {2: 3, 6: 4}[colour]
    raw, rows, pitch = zlib.decompress(packed), [], width * channels
    for y in range(height):
        kind, line = raw[y * (pitch + 1)], raw[y * (pitch + 1) + 1:(y + 1) * (pitch + 1)]
        above, row = rows[-1] if rows else bytes(pitch), bytearray()
        for i, byte in enumerate(line):
            left = row[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            near = min((left, above[i], corner), key=lambda v: abs(left + above[i] - corner - v))
            row.append(byte + (0, left, above[i], (left + above[i]) // 2, near)[kind] & 255)
        rows.append(bytes(row))
    return width, height, channels, rows


def div255(x):
    return (x + 128 + ((x + 128) >> 8)) >> 8


def blended(column, constant, blue):
    """The sprite's unit of a column over a blue of 8 bits, as RGB565, with 8 bits again."""
    alpha = div255((255 - 16 * column) * constant)
    red, blue = div255(255 * alpha), div255(blue * (255 - alpha))
    return (red >> 3 << 3 | red >> 5, 0, blue >> 3 << 3 | blue >> 5)


def expected(x, y):
    blue = (0, 0, 255)
    if 8 <= x < 24 and 8 <= y < 24:
        return blended(x - 8, 255, 255)
    if 8 <= x < 24 and 40 <= y < 56:
        return blended(x - 8, 128, 255)
    if 48 <= x < 112 and 16 <= y < 80:
        return blended((x - 48) // 4, 255, 255)
    return blue


def draw():
    for device in 'model', 'simulator':
        for name in 'picture', 'sprite':
            file = FOLDER / f'{name}-{device}.png'
            file.unlink(missing_ok=True)
            ended = subprocess.run([FOLDER / name, device, file], capture_output=True, text=True)
            check(f'{name} {device}: {ended.stderr}', ended.returncode == 0 and file.exists())
        width, height, channels, rows = decoded(FOLDER / f'picture-{device}.png')
        check('the size of picture', (width, height, channels) == (64, 48, 4))
        check('the pixels of picture', all(row == bytes((0x33, 0x66, 0xcc, 0xff)) * 64 for row in rows))
        width, height, channels, rows = decoded(FOLDER / f'sprite-{device}.png')
        check('the size of sprite', (width, height, channels) == (WIDTH, HEIGHT, 3))
        wrong = [(x, y, tuple(rows[y][3 * x:3 * x + 3]), expected(x, y)) for y in range(HEIGHT) for x in range(WIDTH)
                 if tuple(rows[y][3 * x:3 * x + 3]) != expected(x, y)]
        check(f'the pixels of sprite on {device}: {wrong[:3]}', not wrong)
    for words in ['toaster', 'x.png'], ['model', '/no/such/folder/x.png'], []:
        for name in 'picture', 'sprite':
            ended = subprocess.run([FOLDER / name, *words], capture_output=True, text=True)
            check(f'{name} {words} is refused in a line', ended.returncode in (1, 2) and
                  ended.stderr.startswith(f'{name}: ') and ended.stderr.count('\n') == 1)


def headers():
    """Numbers written out, each as the table has it, and no macro of the table."""
    spec, values = text(HEADERS / 'gpu_spec.h'), text(HEADERS / 'tessera_values.h')
    table = dict(line.rsplit(' ', 1) for line in subprocess.run([FOLDER / 'numbers'], capture_output=True, text=True,
                                                                check=True).stdout.splitlines())
    check('the table has many rows', len(table) > 700)
    for name in 'STATUS_COUNT', 'STAT_COUNT':
        table.pop(name)
    written = {name: str(int(number, 0)) for name, number in re.findall(
        r'\b([A-Z][A-Z0-9_]+) = (?:\(int\))?(0x[0-9a-f]+|[0-9]+)(?=,)', re.sub(r'/\*.*?\*/', '', spec, flags=re.S))}
    wrong = {name: (number, written.get(name)) for name, number in table.items() if written.get(name) != number}
    check(f'gpu_spec.h: {wrong}', not wrong)
    for file in HEADERS.glob('*.h'):
        check(f'{file.name} has no macro of the table', not re.search(
            r'"gpu\.def"|#define (REG|FIELD|PKT|ENUMERATOR)\b|##_##', text(file)))
    plain = {name: int(number, 0) for name, number in re.findall(
        r'\bTESSERA_([A-Z0-9_]+) = (0x[0-9a-f]+|[0-9]+),', values)}
    check('tessera_values.h has many names', len(plain) > 120)
    groups = {'': ('FORMAT', 'BLIT'), 'ALLOCATION_': ('ALLOCATION',), 'LOCK_': ('LOCK',), 'RIGHT_': ('RIGHT',),
              'REASON_': ('PLACE_REASON',), 'STATUS_': ('STATUS',), 'STATISTIC_': ('STAT',)}
    missing = [name for prefix, kinds in groups.items() for kind in kinds for name in table
               if name.startswith(kind + '_') and plain.get(prefix + name[len(kind) + 1:]) != int(table[name])]
    check(f'tessera_values.h: {missing}', not missing)


def page():
    """docs/library.md: each name is of a header, and each format, mode and call of the examples is in it."""
    said, declared = text('docs/library.md'), ''.join(text(file) for file in HEADERS.glob('*.h'))
    unknown = [name for name in set(re.findall(r'\b(?:tessera|TESSERA)_\w+', said))
               if not re.search(rf'\b{name}\b', declared) and name != 'tessera_']
    check(f'docs/library.md names what no header has: {unknown}', not unknown)
    values = text(HEADERS / 'tessera_values.h')
    for kind in 'format', 'mode':
        body = re.search(rf'enum tessera_{kind} \{{(.*?)\}};', values, re.S)[1]
        absent = [name for name in re.findall(r'(TESSERA_\w+) =', body) if not re.search(rf'\b{name}\b', said)]
        check(f'docs/library.md does not name {absent}', not absent)
    for file in 'picture', 'sprite':
        called = set(re.findall(r'\b(tessera_\w+)\(', text(f'docs/example/{file}.c')))
        absent = [name for name in called if name not in said]
        check(f'docs/library.md does not name {absent}', not absent)


draw()
headers()
page()
print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
