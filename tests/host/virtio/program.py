# SPDX-License-Identifier: Apache-2.0
"""program.py PROGRAM FOLDER: build/tessera-gpu itself. Goal: it serves one machine after the other, turns a second one
away, outlives one that talks nonsense or goes, ends at a signal, and refuses wrong options in a sentence. Method: this
is the machine monitor, at its socket. The last line says the counts."""
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

GET_FEATURES, GET_CONFIG = 1, 24


def ask(link, request, payload=b''):
    """The payload of the answer, b'' if the connection has ended."""
    link.sendall(struct.pack('<III', request, 1, len(payload)) + payload)
    head = link.recv(12, socket.MSG_WAITALL)
    return link.recv(struct.unpack('<III', head)[2], socket.MSG_WAITALL) if len(head) == 12 else b''


def has_ended(link):
    try:
        return link.recv(1) == b''
    except ConnectionResetError:  # what it had not read yet
        return True


class Program:
    def __init__(self, program, folder, *options):
        self.path, self.log = folder / 'gpu.sock', folder / 'log'
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen([program, '--socket', self.path, *options], stderr=log)
        while not self.path.exists() and self.process.poll() is None:
            time.sleep(0.05)

    def connect(self):
        link = socket.socket(socket.AF_UNIX)
        link.settimeout(30)
        link.connect(str(self.path))
        return link

    def said(self, text):
        """Within some seconds."""
        for _ in range(200):
            if text in self.log.read_text():
                return True
            time.sleep(0.05)
        return False


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    passed = failed = 0

    def check(what, is_good):
        nonlocal passed, failed
        passed, failed = passed + bool(is_good), failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', what)

    gpu = Program(program, folder)
    first = gpu.connect()
    features = struct.unpack('<Q', ask(first, GET_FEATURES))[0]
    check('it offers EDID and VERSION_1, and no 3D', features & (1 << 32 | 3) == (1 << 32 | 2))
    config = ask(first, GET_CONFIG, struct.pack('<III16x', 0, 16, 0))
    check('it has one display', struct.unpack('<IIIIIII', config)[3:] == (0, 0, 1, 0))
    second = gpu.connect()
    check('a second machine is turned away', has_ended(second) and gpu.said('a second machine was turned away'))
    check('the first goes on', ask(first, GET_FEATURES) != b'')
    first.close()
    time.sleep(0.5)
    third = gpu.connect()
    check('the next is served', ask(third, GET_FEATURES) != b'')
    third.sendall(b'GET / HTTP/1.0\r\n\r\n')
    check('nonsense ends the connection', has_ended(third) and gpu.said('a message has no head of vhost-user'))
    check('and the next is served', ask(gpu.connect(), GET_FEATURES) != b'')
    gpu.process.send_signal(signal.SIGTERM)
    check('it ends at a signal', gpu.process.wait(30) == 0 and not gpu.path.exists())

    gpu = Program(program, folder, '--once', '--quiet')
    gpu.connect().close()
    check('--once: it ends after one', gpu.process.wait(30) == 0)
    for options, said in (([], '--socket is missing'),
                          (['--socket', 'x', '--size', '1x1'], '--size 1x1 is not possible'),
                          (['--socket', 'x', '--device', 'moon'], "there is no device 'moon'"),
                          (['--socket', '/nowhere/at/all'], 'cannot listen on /nowhere/at/all'),
                          (['--socket', 'x' * 200], 'is too long'), (['--sockets', 'x'], '--socket')):
        result = subprocess.run([program, *options], capture_output=True, text=True, timeout=60, check=False)
        check(f'{" ".join(options)[:40]}: {said}', result.returncode in (1, 2) and said in result.stderr)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    os.environ.pop('TESSERA_DUMP', None)
    sys.exit(main())
