# SPDX-License-Identifier: Apache-2.0
"""modes.py PROGRAM FOLDER [ROOT]: modetest's picture in every mode that the guest's display has, drawn by Tessera and
by QEMU's own virtio-gpu, compared pixel by pixel; then page flips and a cursor. What QEMU shows comes from its monitor.
The last line says the counts."""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from picture import rows_of  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parents[2] / 'host' / 'virtio' / 'linux' / 'linux.sh'
MISSING = 3


def read_ppm(path):
    """Size and the bytes of the pixels."""
    data = path.read_bytes()
    magic, size, depth, rest = data.split(b'\n', 3)
    assert (magic, depth) == (b'P6', b'255'), 'not a picture of the monitor'
    width, height = map(int, size.split())
    return width, height, rest[:width * height * 3]


def read_png(path):
    data = path.read_bytes()
    width, height = int.from_bytes(data[16:20], 'big'), int.from_bytes(data[20:24], 'big')
    return width, height, b''.join(rows_of(data, width, height))


class Guest:
    def __init__(self, program, folder, root, options=()):
        self.folder = folder
        self.work = pathlib.Path(root + '/var/tmp/tessera-linux') if root else pathlib.Path('build/linux')
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (self.work / 'serial.log').unlink(missing_ok=True)
        place = ['--root', root] if root else []
        command = [SCRIPT, *place, '--guest', 'modes', '--seconds', '400', *options, folder, program]
        with open(folder / 'log', 'wb') as log:
            self.process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)

    def said(self):
        """What the guest has said so far."""
        try:
            text = (self.work / 'serial.log').read_text('utf-8', 'replace')
        except FileNotFoundError:
            return []
        return [line.split('guest: ', 1)[1].strip() for line in text.splitlines() if 'guest: ' in line]

    def run(self, take):
        """Until it ends; take(MODE) soon after each mode is shown, before it is gone."""
        taken = set()
        while self.process.poll() is None:
            lines = self.said()
            for line in lines:
                if line.startswith('shown ') and line not in taken:
                    taken.add(line)
                    time.sleep(1.5)
                    take(line.split()[1])
            time.sleep(0.1)
        return self.process.returncode

    def monitor(self, command):
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self.work / 'monitor.sock'))
            link.sendall(command.encode() + b'\n')
            time.sleep(1)


def main():
    program, folder, root = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ''
    passed = failed = 0

    def check(what, is_good):
        nonlocal passed, failed
        passed, failed = passed + is_good, failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', what)

    # Pictures are kept at once and read at the end: that takes longer than a mode is shown.
    guest = Guest(program, folder / 'tessera', root)
    code = guest.run(lambda mode: shutil.copy(guest.folder / 'latest.png', guest.folder / f'{mode}.png'))
    log = (guest.folder / 'log').read_text('utf-8', 'replace')
    if code == MISSING:
        print(log, '0 passed, 0 failed, 8 skipped', sep='\n')
        return 0
    said = guest.said()
    check(f'QEMU ended with {code}', code == 0)
    check('no command was refused', ' commands (' in log and log.count(' commands (') == log.count('(0 refused)'))
    check('nothing was logged', 'warnings: 0' in said)
    check('pages were flipped', any(line.startswith('flips: ') and line != 'flips: 0 lines of rates' for line in said))
    moves = [int(part.split()[0]) for part in log.split(',') if ' of the cursor' in part]
    check('the cursor moved', 'cursor: status 0' in said and sum(moves) > 0)
    ours = {path.stem: read_png(path) for path in guest.folder.glob('[1-9]*x*.png')}

    guest = Guest('qemu', folder / 'qemu', root, ['--modes', ','.join(ours)])
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
