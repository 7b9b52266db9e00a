# SPDX-License-Identifier: Apache-2.0
"""times.py PROGRAM FOLDER [ROOT]: how long a guest takes from the start of everything to a console that can be read, on
the golden model and on the simulated chip, and how long an update of 1024x768 pixels takes on the golden model. Method:
pictures are written as the guest draws. The first that has the console's text and all of its eight colours counts, by
the time of its file. Updates are a machine's without a guest (machine.py): a transfer and a flush, or these and another
scanout. The aims are 30 s, 10 minutes and 15 ms on two cores that have nothing else to do; twice as much is held,
because they may have, more where more programs wait for a core, and of an update the back end's processor time is. The
last line says the counts."""
import os
import pathlib
import statistics
import sys
import time

import machine
import program
from guest import MISSING, Guest, read_png

AIMS = {'model': 30, 'simulator': 600}
UPDATE_AIM, UPDATES, WIDTH, HEIGHT = 15, 100, 1024, 768


def is_console(picture):
    """Eight colours (black is one), and white text in the first row of letters."""
    width, _, pixels = picture
    colours = {pixels[i:i + 3] for i in range(0, width * 5 * 16 * 3, 12)}
    return len(colours) >= 8 and any(pixels[:width * 16 * 3])


def waiting():
    """Programs that run or wait, for each core; 1 at least."""
    return max(1, os.getloadavg()[0] / os.cpu_count())


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
                guest.process.wait(900)  # the simulated chip draws what is left
                return path.stat().st_mtime - begin
        time.sleep(0.2)
    return None


def processor_time(process):
    """Of it and its threads, seconds."""
    words = pathlib.Path(f'/proc/{process}/stat').read_text('ascii').rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


def update_times(path, folder, flips):
    """Milliseconds of one update: the median by the clock, the mean of the back end's processor time."""
    folder.mkdir(parents=True, exist_ok=True)
    gpu = program.Program(path, folder, '--once', '--quiet', '--device', 'model')
    guest, taken = machine.Machine(gpu.path), []
    for resource in (1, 2):
        guest.create(resource, WIDTH, HEIGHT)
        guest.attach(resource, (machine.PIXELS, WIDTH * HEIGHT * 4))
    guest.scan_out(1, WIDTH, HEIGHT)
    for number in range(-10, UPDATES):
        if number == 0:
            before = processor_time(gpu.process.pid)
        begin = time.perf_counter()
        resource = number % 2 + 1 if flips else 1
        good = guest.transfer(resource, 0, 0, WIDTH, HEIGHT, 0) == machine.OK
        if flips:
            good = guest.scan_out(resource, WIDTH, HEIGHT) == machine.OK and good
        good = guest.flush(resource, 0, 0, WIDTH, HEIGHT) == machine.OK and good
        assert good, 'the back end refuses an update'
        if number >= 0:
            taken.append(time.perf_counter() - begin)
    mean = (processor_time(gpu.process.pid) - before) / UPDATES
    guest.close()
    gpu.process.wait(60)
    return 1000 * statistics.median(taken), 1000 * mean


def main():
    program_path, folder, root = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ''
    passed = failed = 0
    for device, aim in AIMS.items():
        begin = time.time()
        most = round(2 * aim * waiting())
        guest = Guest(program_path, folder / device, root, 'console', 3 * most, device=['--device', device])
        taken = seconds_of(guest, begin, most)
        if guest.process.wait() == MISSING:
            print((guest.folder / 'log').read_text('utf-8', 'replace'), '0 passed, 0 failed, 4 skipped', sep='\n')
            return 0
        is_good = taken is not None and taken <= most
        passed, failed = passed + is_good, failed + (not is_good)
        said = 'not seen' if taken is None else f'seen after {taken:.1f} s'
        print('ok   ' if is_good else 'FAIL ', f'{device}: the console is {said}, the aim is {aim} s')
    for name, flips in (('update', False), ('flip', True)):
        clock, processor = update_times(program_path, folder / name, flips)
        is_good = processor <= 2 * UPDATE_AIM
        passed, failed = passed + is_good, failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', f'model: {name} of {WIDTH}x{HEIGHT}: {clock:.1f} ms, '
              f'{processor:.1f} ms of processor time, the aim is {UPDATE_AIM} ms')
    print('load', *os.getloadavg())
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
