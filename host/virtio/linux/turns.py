# SPDX-License-Identifier: Apache-2.0
"""turns.py COUNT: in the guest of desktop.sh, COUNT pictures of the display's size, shown in turn. The second round
says "shown turn-K" on the serial line. The kernel's driver transfers a picture each time that it is shown."""
import array
import fcntl
import mmap
import os
import struct
import sys
import time

RESOURCES, SET_CRTC, CONNECTOR, ADD_FB, CREATE, MAP = (0xC04064A0, 0xC06864A2, 0xC05064A7, 0xC01C64AE, 0xC02064B2,
                                                       0xC01064B3)
card = os.open('/dev/dri/card0', os.O_RDWR)


def ask(request, layout, *words):
    return struct.unpack(layout, fcntl.ioctl(card, request, struct.pack(layout, *words)))


def words(code, count):
    """An array and its address."""
    kept = array.array(code, [0] * count)
    return kept, kept.buffer_info()[0]


def display():
    """The first controller, its connector and that one's preferred mode."""
    (crtcs, crtcs_at), (connectors, connectors_at) = words('I', 1), words('I', 1)
    ask(RESOURCES, '<4Q8I', 0, crtcs_at, connectors_at, 0, 0, 1, 1, 0, 0, 0, 0, 0)
    count = ask(CONNECTOR, '<4Q12I', *[0] * 8, connectors[0], *[0] * 7)[4]
    modes, modes_at = words('B', 68 * count)
    ask(CONNECTOR, '<4Q12I', 0, modes_at, 0, 0, count, 0, 0, 0, connectors[0], *[0] * 7)
    return crtcs[0], connectors[0], bytes(modes[:68])


def create(width, height, number):
    """A picture that no other is like: its frame buffer."""
    handle, pitch, size = ask(CREATE, '<6IQ', height, width, 32, 0, 0, 0, 0)[4:]
    offset = ask(MAP, '<2IQ', handle, 0, 0)[2]
    row = bytes((x * (number + 3) ^ x >> 4 ^ number * 11) & 255 for x in range(pitch))
    with mmap.mmap(card, size, offset=offset) as memory:
        for y in range(height):
            shift = 4 * y * (number + 1) % pitch
            memory[y * pitch:(y + 1) * pitch] = row[shift:] + row[:shift]
    return ask(ADD_FB, '<7I', 0, width, height, pitch, 32, 24, handle)[0]


def main():
    crtc, connector, mode = display()
    width, height = struct.unpack_from('<H8xH', mode, 4)
    target = array.array('I', [connector])
    pictures = [create(width, height, number) for number in range(int(sys.argv[1]))]
    for is_last in (False, True):
        time.sleep(6 if is_last else 0)  # a busy machine is not done with the first round
        for number, picture in enumerate(pictures):
            ask(SET_CRTC, '<Q7I68s', target.buffer_info()[0], 1, crtc, picture, 0, 0, 0, 1, mode)
            if is_last:
                time.sleep(1)
                print(f'guest: shown turn-{number}', flush=True)
                time.sleep(4)
                print(f'guest: gone turn-{number}', flush=True)


if __name__ == '__main__':
    main()
