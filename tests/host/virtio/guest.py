# SPDX-License-Identifier: Apache-2.0
"""A guest of host/virtio/linux/linux.sh, what it says on its serial line, and pictures of both kinds. Used by the tests
of guests."""
import pathlib
import shutil
import socket
import subprocess
import time

from picture import rows_of

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
    def __init__(self, program, folder, root, word, seconds, options=(), device=()):
        self.folder = folder
        self.work = pathlib.Path(root + '/var/tmp/tessera-linux') if root else pathlib.Path('build/linux')
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for old in ('serial.log', *(path.name for path in self.work.glob('*.ppm'))):
            (self.work / old).unlink(missing_ok=True)
        place = ['--root', root] if root else []
        command = [SCRIPT, *place, '--guest', word, '--seconds', seconds, *options, folder, program, *device]
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
        """Until it ends; take(NAME) soon after each "shown NAME", before it is gone."""
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
