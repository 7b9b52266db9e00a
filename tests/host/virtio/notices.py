# SPDX-License-Identifier: Apache-2.0
"""notices.py FOLDER: do the comparisons with QEMU's own virtio-gpu notice a device that is wrong? Goal: each of
modes.py, desktops.py and igt.py passes with a sound device, and fails when one answer of it is broken. Method: a
stand-in for the guest that leaves the files of one, with a pixel, a line or a result that differs. The last line says
the counts."""
import contextlib
import io
import json
import pathlib
import shutil
import struct
import sys
import zlib

import desktops
import guest
import igt
import modes

WIDTH, HEIGHT = 40, 30
NAMES = ['64x48', '80x60', '100x75', 'weston', 'xorg', 'kmscube', 'chosen', 'sdl', *desktops.TURNS]
LOG = 'tessera-gpu: 9 commands ({} refused), 4 transfers, 2 flushes, {} of the cursor; {} evictions, 0 pages in\n'
RESULTS = [f'kms_test@part-{i}' for i in range(60)]


def picture(name, width, height, is_spoilt):
    pixels = bytearray((i * 7 + len(name) * 13 ^ i >> 5) & 255 for i in range(width * height * 3))
    pixels[-1] ^= is_spoilt
    return bytes(pixels)


def png(width, height, pixels):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = b''.join(b'\0' + pixels[y * width * 3:(y + 1) * width * 3] for y in range(height))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows, 1)) + chunk(b'IEND', b''))


class StandIn:
    """As guest.Guest, and `fault` names what is wrong with Tessera's."""
    fault = ''

    def __init__(self, program, folder, root, word, seconds, options=(), device=()):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = self.work = folder
        self.is_ours, self.word, self.process, self.name = program != 'qemu', word, self, ''
        refused, cursor = self.has('refused'), not self.has('cursor')
        run = {'flips': 0 if self.has('off') else 9, 'read_back': int(self.has('read'))}
        (folder / 'run.json').write_text(json.dumps(run), 'ascii')
        (folder / 'log').write_text(LOG.format(int(refused), int(cursor), 0 if self.has('evictions') else 99), 'ascii')

    def has(self, fault):
        return self.is_ours and self.fault == fault

    def size_of(self, name):
        return tuple(map(int, name.split('x'))) if self.word == 'modes' else (WIDTH, HEIGHT)

    def wait(self):
        return int(self.has('end'))

    def said(self):
        if self.word == 'igt':
            bad = {'result': RESULTS[7:8], 'missing': []}.get(self.fault, []) if self.is_ours else []
            there = RESULTS[:-1] if self.has('missing') else RESULTS
            return [f'igt {name} {"FAIL" if name in bad else "SUCCESS"}' for name in there] + ['end']
        flips = '0 lines of rates, the last' if self.has('flips') else '3 lines of rates, the last 60.02'
        if self.has('rate'):
            flips = '9 lines of rates, the last 180.5'
        return [f'warnings: {int(self.has("warning"))}', f'flips: {flips}', 'cursor: status 0']

    def run(self, take):
        for self.name in NAMES[:3] if self.word == 'modes' else NAMES[3:]:
            if self.has('missing') and self.name == NAMES[2 if self.word == 'modes' else 5]:
                continue
            if self.is_ours:
                width, height = self.size_of(self.name)
                pixels = picture(self.name, width, height, self.has('pixel') and self.name == self.broken())
                (self.folder / 'latest.png').write_bytes(png(width, height, pixels))
            take(self.name)
        return self.wait()

    def broken(self):
        return '80x60' if self.word == 'modes' else 'sdl'

    def monitor(self, command):
        name = command.split()[1]
        width, height = self.size_of(self.name)
        head = f'P6\n{width} {height}\n255\n'.encode()
        (self.work / name).write_bytes(head + picture(self.name, width, height, False))


def is_content(module, folder, fault, words):
    """Does the comparison end with no failure?"""
    StandIn.fault, before = fault, sys.argv
    sys.argv = ['', 'tessera-gpu', str(folder), *words]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            return module.main() == 0 and ', 0 failed' in said.getvalue()
    finally:
        sys.argv = before


def main():
    passed = failed = 0
    folder = pathlib.Path(sys.argv[1])
    every = ('refused', 'warning', 'pixel', 'missing', 'end', 'off', 'read')
    for module, faults, words in ((modes, (*every, 'flips', 'rate', 'cursor'), ()),
                                  (desktops, (*every, 'evictions'), ()),
                                  (igt, ('result', 'missing', 'end'), ('no-folder',))):
        # The results of a real guest are read by the same code.
        assert module.Guest is guest.Guest
        module.Guest = StandIn
        for fault in ('', *faults):
            is_good = is_content(module, folder / module.__name__, fault, words) == (fault == '')
            passed, failed = passed + is_good, failed + (not is_good)
            print('ok   ' if is_good else 'FAIL ', f'{module.__name__}: {fault or "a sound device"}')
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
