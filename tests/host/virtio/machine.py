# SPDX-License-Identifier: Apache-2.0
"""A virtual machine without a guest, for program.py: it gives build/tessera-gpu 8 MB of memory and two queues by
vhost-user, and puts commands of virtio-gpu there, one at a time."""
import ctypes
import mmap
import os
import select
import socket
import struct

MEMORY, USER, RING, ENTRIES = 8 << 20, 0x7000_0000, 0x4000, 8
ASK, ANSWER, PIXELS = 0x10000, 0x20000, 0x100000
SET_FEATURES, SET_MEMORY, SET_SIZE, SET_PLACES, SET_BASE, SET_KICK, SET_CALL, SET_ENABLE = 2, 5, 8, 9, 10, 12, 13, 18
DISPLAY_INFO, CREATE, UNREF, SCANOUT, FLUSH, TRANSFER, ATTACH, DETACH = range(0x100, 0x108)
CURSOR, MOVE = 0x300, 0x301
OK, NO_MEMORY, BAD_RESOURCE = 0x1100, 0x1201, 0x1203


def eventfd():
    """As os.eventfd of Python 3.10."""
    return ctypes.CDLL(None).eventfd(0, 0)


class Machine:
    def __init__(self, path):
        self.link = socket.socket(socket.AF_UNIX)
        self.link.settimeout(30)
        self.link.connect(str(path))
        self.file = os.memfd_create('guest')
        os.ftruncate(self.file, MEMORY)
        self.memory = mmap.mmap(self.file, MEMORY)
        self.kicks, self.calls, self.given = [eventfd(), eventfd()], [eventfd(), eventfd()], [0, 0]
        self.tell(SET_FEATURES, struct.pack('<Q', 1 << 30 | 1 << 32))
        self.tell(SET_MEMORY, struct.pack('<IIQQQQ', 1, 0, 0, MEMORY, USER, 0), [self.file])
        for queue in range(2):
            at = USER + queue * RING
            self.tell(SET_SIZE, struct.pack('<II', queue, ENTRIES))
            self.tell(SET_BASE, struct.pack('<II', queue, 0))
            self.tell(SET_PLACES, struct.pack('<IIQQQQ', queue, 0, at, at + 0x2000, at + 0x1000, 0))
            self.tell(SET_CALL, struct.pack('<Q', queue), [self.calls[queue]])
            self.tell(SET_KICK, struct.pack('<Q', queue), [self.kicks[queue]])
            self.tell(SET_ENABLE, struct.pack('<II', queue, 1))

    def tell(self, request, payload, files=()):
        socket.send_fds(self.link, [struct.pack('<III', request, 1, len(payload)) + payload], files)

    def do(self, command, payload=b'', queue=0):
        """The answer's type and what comes after its head; the cursor's queue has none."""
        request, ring, at = struct.pack('<II16x', command, 0) + payload, queue * RING, self.given[queue]
        self.memory[ASK:ASK + len(request)] = request
        chain = struct.pack('<QIHH', ASK, len(request), 1 - queue, 1) + struct.pack('<QIHH', ANSWER, 2048, 2, 0)
        self.memory[ring:ring + 32] = chain
        slot = ring + 0x1004 + at % ENTRIES * 2
        self.memory[slot:slot + 2] = b'\0\0'
        self.given[queue] = at + 1 & 0xffff
        self.memory[ring + 0x1002:ring + 0x1004] = struct.pack('<H', self.given[queue])
        os.write(self.kicks[queue], struct.pack('<Q', 1))
        assert select.select([self.calls[queue]], [], [], 60)[0], 'no answer within a minute'
        os.read(self.calls[queue], 8)
        used = struct.unpack_from('<H', self.memory, ring + 0x2002)[0]
        assert used == self.given[queue], f'{used} commands are done, and {self.given[queue]} were given'
        return struct.unpack_from('<I', self.memory, ANSWER)[0], self.memory[ANSWER + 24:ANSWER + 2048]

    def create(self, number, width, height, shape=1):
        return self.do(CREATE, struct.pack('<IIII', number, shape, width, height))[0]

    def attach(self, number, *entries):
        payload = struct.pack('<II', number, len(entries)) + b''.join(struct.pack('<QII', *e, 0) for e in entries)
        return self.do(ATTACH, payload)[0]

    def transfer(self, number, x, y, width, height, offset):
        return self.do(TRANSFER, struct.pack('<IIIIQII', x, y, width, height, offset, number, 0))[0]

    def scan_out(self, number, width, height):
        return self.do(SCANOUT, struct.pack('<IIIIII', 0, 0, width, height, 0, number))[0]

    def flush(self, number, x, y, width, height):
        return self.do(FLUSH, struct.pack('<IIIIII', x, y, width, height, number, 0))[0]

    def cursor(self, command, x, y, number):
        self.do(command, struct.pack('<IIIIIIII', 0, x, y, 0, number, 0, 0, 0), 1)

    def close(self):
        self.link.close()
        for file in (self.file, *self.kicks, *self.calls):
            os.close(file)
