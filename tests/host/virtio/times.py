# SPDX-License-Identifier: Apache-2.0
"""times.py PROGRAM FOLDER [ROOT]: how long a guest takes from the start of everything to a console that can be read, on
the golden model and on the simulated chip. Method: pictures are written as the guest draws. The first that has the
console's text and all of its eight colours counts, by the time of its file. The aims are 30 s and 10 minutes on two
cores that have nothing else to do; twice as much is held, because they may have. The last line says the counts."""
import pathlib
import sys
import time

from guest import MISSING, Guest, read_png

AIMS = {'model': 30, 'simulator': 600}


def is_console(picture):
    """Eight colours (black is one), and white text in the first row of letters."""
    width, _, pixels = picture
    colours = {pixels[i:i + 3] for i in range(0, width * 5 * 16 * 3, 12)}
    return len(colours) >= 8 and any(pixels[:width * 16 * 3])


def seconds_of(guest, begin, seconds):
    """Until the console was seen. None: it was not. The guest is ended."""
    seen = set()
    while guest.process.poll() is None and time.time() - begin < seconds:
        for path in sorted(guest.folder.glob('frame-*.png')):
            # The last may not be whole yet. latest.png is a link to what is.
            if path in seen or path.stat().st_nlink == 1 and path == max(guest.folder.glob('frame-*.png')):
                continue
            seen.add(path)
            if is_console(read_png(path)):
                guest.monitor('quit')
                guest.process.wait(120)
                return path.stat().st_mtime - begin
        time.sleep(0.2)
    return None


def main():
    program, folder, root = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ''
    passed = failed = 0
    for device, aim in AIMS.items():
        begin = time.time()
        guest = Guest(program, folder / device, root, 'console', 3 * aim, device=['--device', device])
        taken = seconds_of(guest, begin, 2 * aim)
        if guest.process.wait() == MISSING:
            print((guest.folder / 'log').read_text('utf-8', 'replace'), '0 passed, 0 failed, 2 skipped', sep='\n')
            return 0
        is_good = taken is not None and taken <= 2 * aim
        passed, failed = passed + is_good, failed + (not is_good)
        said = 'not seen' if taken is None else f'seen after {taken:.1f} s'
        print('ok   ' if is_good else 'FAIL ', f'{device}: the console is {said}, the aim is {aim} s')
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
