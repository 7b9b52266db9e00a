# SPDX-License-Identifier: Apache-2.0
"""reboots.py PROGRAM FOLDER [ROOT]: for guest.sh, a guest that reboots until the driver has found its GPU three times,
or for ten minutes. FOLDER/log is what the program says; the serial line is where guest.py has it."""
import pathlib
import sys
import time

from guest import Guest

FOUND = 'card0 and fb0 are there, virtio_gpudrmfb'


def main():
    guest = Guest(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else '', 'reboot', 600)
    while guest.process.poll() is None and guest.said().count(FOUND) < 3:
        time.sleep(0.5)
    if guest.process.poll() is None:
        guest.monitor('quit')
    guest.process.wait()


if __name__ == '__main__':
    main()
