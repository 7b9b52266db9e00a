# SPDX-License-Identifier: Apache-2.0
"""desktops.py PROGRAM FOLDER [ROOT [NAME...]]: weston, Xorg with a terminal, kmscube on llvmpipe, an SDL 2 program and
pictures of three times local memory in a guest, or those named, drawn by Tessera and by QEMU's own virtio-gpu; each
holds a picture still, and both must be the same in every pixel (guest.py). The last line says the counts."""
import json
import pathlib
import re
import shutil
import sys
import zlib

from guest import MISSING, Guest, read_png, read_ppm

PROGRAMS = ('weston', 'xorg', 'kmscube', 'chosen', 'sdl', 'turns')
TURNS = [f'turn-{i}' for i in range(17)]


def main():
    program, folder, root = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ''
    programs = sys.argv[4:] or PROGRAMS
    names = [name for program in programs for name in (TURNS if program == 'turns' else [program])]
    options = ['--programs', ','.join(programs)]
    passed = failed = 0

    def check(what, is_good):
        nonlocal passed, failed
        passed, failed = passed + is_good, failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', what)

    guest = Guest(program, folder / 'tessera', root, 'desktops', 2400, options)
    code = guest.run(lambda name: shutil.copy(guest.folder / 'latest.png', guest.folder / f'{name}.png'))
    log = (guest.folder / 'log').read_text('utf-8', 'replace')
    if code == MISSING:
        print(log, f'0 passed, 0 failed, {5 + len(names)} skipped', sep='\n')
        return 0
    said = guest.said()
    print(*said, sep='\n')
    check(f'QEMU ended with {code}', code == 0)
    check('no command was refused', ' commands (' in log and log.count(' commands (') == log.count('(0 refused)'))
    check('nothing was logged', 'warnings: 0' in said)
    evictions = sum(map(int, re.findall(r'(\d+) evictions', log)))
    check(f'there were {evictions} evictions', evictions >= len(TURNS) or 'turns' not in programs)
    run = json.loads((guest.folder / 'run.json').read_text('ascii'))
    check(f'the display showed {run["flips"]} flips, {run["read_back"]} scanouts were read back',
          run['flips'] > 0 and run['read_back'] == 0)
    guest = Guest('qemu', folder / 'qemu', root, 'desktops', 2400, options)
    guest.run(lambda name: guest.monitor(f'screendump {name}.ppm'))
    for name in names:
        ours, theirs = folder / 'tessera' / f'{name}.png', guest.work / f'{name}.ppm'
        picture = read_png(ours) if ours.exists() else None
        text = f'{picture[0]}x{picture[1]}, CRC {zlib.crc32(picture[2]):08x}' if picture else 'not shown'
        # Something with colours: a picture that is black everywhere would be the same, too.
        is_same = picture is not None and theirs.exists() and picture == read_ppm(theirs)
        check(f'{name}: {text}, as on QEMU\'s own virtio-gpu', is_same and len(set(picture[2])) > 8)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
