# SPDX-License-Identifier: Apache-2.0
"""shown.py PROGRAM FOLDER DEVICE: build/tessera-gpu with the golden model or the simulated chip. Goal: what the machine
shows is the display unit's frame in every pixel, with its cursor, before and after the next flip. Method: as
program.py. The last line says the counts."""
import os
import pathlib
import shutil
import struct
import sys

import machine
import program

WIDTH, HEIGHT, CURSOR_AT = 640, 480, machine.PIXELS + 640 * 480 * 4
PREFERS = {'model': (1024, 768), 'simulator': (800, 600)}  # what memory can feed


def main():
    folder = pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    passed = failed = 0

    def check(what, is_good):
        nonlocal passed, failed
        passed, failed = passed + bool(is_good), failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', what)

    gpu = program.Program(sys.argv[1], folder, '--once', '--quiet', '--device', sys.argv[3], '--frames',
                          folder / 'frames')
    guest = machine.Machine(gpu.path)
    size = struct.unpack_from('<II', guest.do(machine.DISPLAY_INFO)[1], 8)
    check(f'the size that it prefers is {size}', size == PREFERS[sys.argv[3]])
    latest = folder / 'frames' / 'latest.png'
    for resource, colour in ((1, (1, 2, 3)), (2, (90, 200, 40))):
        rows = program.rows(colour, WIDTH, HEIGHT)
        at = machine.PIXELS
        for row in rows:
            guest.memory[at:at + 4 * WIDTH] = b''.join(bytes((row[i + 2], row[i + 1], row[i], 7))
                                                       for i in range(0, 3 * WIDTH, 3))
            at += 4 * WIDTH
        guest.create(resource, WIDTH, HEIGHT)
        guest.attach(resource, (machine.PIXELS, WIDTH * HEIGHT * 4))
        guest.transfer(resource, 0, 0, WIDTH, HEIGHT, 0)
        guest.scan_out(resource, WIDTH, HEIGHT)
        guest.flush(resource, 0, 0, WIDTH, HEIGHT)
        check(f'resource {resource} is shown', program.shows(latest, rows, 120))
    guest.memory[CURSOR_AT:CURSOR_AT + 64 * 64 * 4] = bytes((9, 8, 7, 255)) * 64 * 64
    guest.create(3, 64, 64)
    guest.attach(3, (CURSOR_AT, 64 * 64 * 4))
    guest.transfer(3, 0, 0, 64, 64, 0)
    guest.cursor(machine.CURSOR, 600, 100, 3)
    with_cursor = [row[:1800] + bytes((7, 8, 9)) * 40 if 100 <= y < 164 else row for y, row in enumerate(rows)]
    check('and the cursor', program.shows(latest, with_cursor, 120))
    said = program.info(sys.argv[1], gpu)
    check(f'by two flips of the display: {said.splitlines()[2]}',
          'display     shows it, 2 flips\n' in said and 'read back' not in said)
    guest.close()
    check('it ends', gpu.process.wait(300) == 0)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    os.environ.pop('TESSERA_DUMP', None)
    sys.exit(main())
