# SPDX-License-Identifier: Apache-2.0
"""modes.py PROGRAM FOLDER [ROOT]: modetest's picture in every mode that the guest's display has, drawn by Tessera and
by QEMU's own virtio-gpu, compared pixel by pixel; then page flips and a cursor. What QEMU shows comes from its monitor
(guest.py). The last line says the counts."""
import json
import pathlib
import shutil
import sys
import zlib

from guest import MISSING, Guest, read_png, read_ppm

RATE = 61  # pages a second, at most: the display has 60 frames


def main():
    program, folder, root = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ''
    passed = failed = 0

    def check(what, is_good):
        nonlocal passed, failed
        passed, failed = passed + is_good, failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', what)

    # Pictures are kept at once and read at the end: that takes longer than a mode is shown.
    guest = Guest(program, folder / 'tessera', root, 'modes', 400)
    code = guest.run(lambda mode: shutil.copy(guest.folder / 'latest.png', guest.folder / f'{mode}.png'))
    log = (guest.folder / 'log').read_text('utf-8', 'replace')
    if code == MISSING:
        print(log, '0 passed, 0 failed, 11 skipped', sep='\n')
        return 0
    said = guest.said()
    check(f'QEMU ended with {code}', code == 0)
    check('no command was refused', ' commands (' in log and log.count(' commands (') == log.count('(0 refused)'))
    check('nothing was logged', 'warnings: 0' in said)
    rates = [float(line.split()[-1]) for line in said if line.startswith('flips: ') and not line.endswith('last')]
    check(f'pages were flipped, {rates} a second', len(rates) == 1)
    check('not sooner than the display shows them', all(rate < RATE for rate in rates))
    run = json.loads((guest.folder / 'run.json').read_text('ascii'))
    check(f'the display showed {run["flips"]} flips, {run["read_back"]} scanouts were read back',
          run['flips'] > 0 and run['read_back'] == 0)
    moves = [int(part.split()[0]) for part in log.split(',') if ' of the cursor' in part]
    check('the cursor moved', 'cursor: status 0' in said and sum(moves) > 0)
    ours = {path.stem: read_png(path) for path in guest.folder.glob('[1-9]*x*.png')}

    guest = Guest('qemu', folder / 'qemu', root, 'modes', 400, ['--modes', ','.join(ours)])
    guest.run(lambda mode: guest.monitor(f'screendump {mode}.ppm'))
    theirs = {mode: read_ppm(guest.work / f'{mode}.ppm') for mode in ours if (guest.work / f'{mode}.ppm').exists()}
    check(f'there are modes: {" ".join(ours)}', len(ours) >= 3 and ours.keys() == theirs.keys())
    for mode, picture in ours.items():
        size = f'{picture[0]}x{picture[1]}'
        same = mode in theirs and picture == theirs[mode]
        check(f'{mode}: {size}, CRC {zlib.crc32(picture[2]):08x}, as on QEMU\'s own virtio-gpu', size == mode and same)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
