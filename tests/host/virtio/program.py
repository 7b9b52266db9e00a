# SPDX-License-Identifier: Apache-2.0
"""program.py PROGRAM FOLDER: build/tessera-gpu itself. Goal: it serves one machine after the other, turns a second one
away, outlives one that talks nonsense or goes, ends at a signal, and refuses wrong options in a sentence. What a
machine draws is in its pictures, at most two a second, and what it says of a machine is true (machine.py). Method: this
is the machine monitor, at its socket. The last line says the counts."""
import base64
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

import machine
import picture

GET_FEATURES, GET_CONFIG = 1, 24
WIDTH, HEIGHT = 100, 150


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
    def __init__(self, program, folder, *options, **variables):
        self.path, self.log = folder / 'gpu.sock', folder / 'log'
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen([program, '--socket', self.path, *options], stderr=log,
                                            env={**os.environ, **variables})
        ready = folder / 'gpu.sock.info'  # which it makes last
        while not ready.exists() and self.process.poll() is None:
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


def shows(path, expected, seconds=10):
    """Is it, within so many seconds, the PNG of these rows of RGB?"""
    for _ in range(seconds * 20):
        try:
            if list(picture.rows_of(path.read_bytes(), len(expected[0]) // 3, len(expected))) == expected:
                return True
        except (AssertionError, FileNotFoundError, IndexError, struct.error, picture.zlib.error):
            pass  # another size, or not written yet
        time.sleep(0.05)
    return False


def rows(colour, width=WIDTH, height=HEIGHT):
    """Of RGB, as the guest has BGRX."""
    return [bytes(colour[i % 3] ^ (x * 3 + y * 5 & 0xff) for x in range(width) for i in range(3))
            for y in range(height)]


def draw(guest, of_rows, at):
    """The rows into the guest's memory."""
    guest.memory[at:at + 4 * WIDTH * HEIGHT] = b''.join(
        bytes((row[i + 2], row[i + 1], row[i], 0)) for row in of_rows for i in range(0, len(row), 3))


def count_lines(log):
    """The sums of what it says each second, and the resources and their size, or a line that is another."""
    sums, resources = [0] * 9, []
    form = re.compile(r'tessera-gpu: (\d+) commands \((\d+) refused\), (\d+) transfers of (\d+\.\d\d) Mpixel \((\d+) '
                      r'copied by the host\), (\d+) flushes, (\d+) of the cursor; (\d+) resources of (\d+\.\d) MB; '
                      r'(\d+) evictions, (\d+) pages in, (\d+) out')
    for line in log.splitlines():
        said = form.fullmatch(line)
        if said is None:
            return line
        words = said.groups()
        counted = words[:3] + (words[3].replace('.', ''),) + words[4:7] + words[10:]
        sums = [a + int(b) for a, b in zip(sums, counted)]
        resources.append(words[7:9])
    return sums, resources


def try_machine(check, program, folder):
    """Pictures, their number, and what is said of them."""
    frames, first, second = folder / 'frames', rows((1, 2, 3)), rows((200, 100, 50))
    gpu = Program(program, folder, '--frames', frames, '--size', '640x480', '--local-pages', '64', '--resources', '16')
    guest = machine.Machine(gpu.path)
    kind, answer = guest.do(machine.DISPLAY_INFO)
    check('the display prefers --size', kind == 0x1101 and struct.unpack_from('<IIIII', answer) == (0, 0, 640, 480, 1))
    created = [guest.create(1000 + i, 128, 256) for i in range(129)]  # of 128 KB
    check('--resources: so many and no more', created == [machine.OK] * 128 + [machine.NO_MEMORY])
    for i in range(128):
        guest.do(machine.UNREF, struct.pack('<II', 1000 + i, 0))
    guest.create(7, WIDTH, HEIGHT)
    guest.attach(7, (machine.PIXELS, 4096 * 10), (machine.PIXELS + 4096 * 10, 4096 * 5))
    draw(guest, first, machine.PIXELS)
    check('a scanout', guest.scan_out(7, WIDTH, HEIGHT) == machine.OK)
    check('a transfer', guest.transfer(7, 0, 0, WIDTH, HEIGHT, 0) == machine.OK)
    check('a flush', guest.flush(7, 0, 0, WIDTH, HEIGHT) == machine.OK)
    check('it is in latest.png', shows(frames / 'latest.png', first))
    count = len(list(frames.iterdir()))
    time.sleep(1.3)
    check('nothing is written where nothing changes', len(list(frames.iterdir())) == count)
    draw(guest, second, machine.PIXELS)
    begin = time.monotonic()
    for y in range(0, HEIGHT, 10):
        guest.transfer(7, 0, y, WIDTH, 10, 4 * WIDTH * y)
        guest.flush(7, 0, y, WIDTH, 10)
        time.sleep(0.02)
    check('at most two a second', len(list(frames.iterdir())) <= count + 2 + int(2 * (time.monotonic() - begin)))
    check('what came last is written', shows(frames / 'latest.png', second))
    guest.attach(8, (machine.PIXELS, 4096))
    guest.create(8, 64, 64)
    guest.attach(8, (machine.PIXELS + 7, 64 * 64 * 4))
    guest.memory[machine.PIXELS + 7:machine.PIXELS + 7 + 64 * 64 * 4] = bytes((9, 8, 7, 255)) * 64 * 64
    guest.transfer(8, 0, 0, 64, 64, 0)
    guest.cursor(machine.CURSOR, 30, 100, 8)
    guest.cursor(machine.MOVE, 50, 120, 8)
    with_cursor = [row[:150] + bytes((7, 8, 9)) * 50 if y >= 120 else row for y, row in enumerate(second)]
    try_info(check, program, gpu)
    gpu.process.send_signal(signal.SIGINT)
    check('it ends at SIGINT', gpu.process.wait(120) == 0)
    check('and writes what it has not', shows(frames / 'latest.png', with_cursor))
    said = count_lines(gpu.log.read_text())
    names = sorted(path.name for path in frames.iterdir())
    check('pictures are numbered', names == [f'frame-{i:06}.png' for i in range(len(names) - 1)] + ['latest.png'])
    guest.close()
    check(f'what it says: {said}', isinstance(said, tuple) and said[0][:3] + said[0][4:7] == [299, 2, 17, 1, 16, 2] and
          2 <= said[0][3] <= 6 and said[0][7] == 0 and ('1', '0.1') in said[1])


def info(program, gpu):
    """What tessera info says of the machine."""
    command = [pathlib.Path(program).with_name('tessera'), 'info', '--device', f'guest:{gpu.path}']
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


def try_info(check, program, gpu):
    """tessera info of the machine of try_machine, and of none."""
    said = info(program, gpu).splitlines()
    for line in ('device      model', 'scanout 0   shows 100x150 of resource 7', 'cursor      at 50,120',
                 'resources   2 of 1480, 0.1 of 16.0 MB',
                 '         7  100x150     BGRA  local memory   15 pages, read in place',
                 '         8  64x64       BGRA  local memory   1 parts, copied by the host',
                 'commands    299, 2 refused (0 resources too large)', 'display     off, 0 flips',
                 'read back   1 scanouts, the last: its size is not a mode of the display',
                 'flushes     16', 'cursor      2 commands'):
        check(f'info: {line}', line in said)
    command = [pathlib.Path(program).with_name('tessera'), 'info', '--device', 'guest:/nowhere']
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    check('info of no machine', said.returncode == 2 and 'guest:/nowhere: no tessera-gpu: ' in said.stderr)
    command = [command[0], 'top', '--once', f'guest:{gpu.path}']
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    rows = [line.split() for line in said.stdout.splitlines()]
    check(f'top: {said.stdout}', said.returncode == 0 and len(rows) == 2 and rows[0][0] == 'client' and
          rows[1][0] == '0' and int(rows[1][4]) > 0 and int(rows[1][10]) > 0)  # DMA buffers, allocations


def try_window(check, program, folder):
    """Quiet: nothing is said, whether it is shown or not; and one line where there is no display."""
    for options, variables, expected in (([], {}, ''),
                                         (['--window'], {'SDL_VIDEODRIVER': 'dummy'}, ''),
                                         (['--window'], {'SDL_VIDEODRIVER': 'none such'}, 'no window')):
        gpu = Program(program, folder, '--once', '--quiet', *options, **variables)
        guest = machine.Machine(gpu.path)
        for number, width in ((1, 64), (2, 96)):
            guest.create(number, width, 64)
            guest.scan_out(number, width, 64)
            for _ in range(3):
                guest.flush(number, 0, 0, width, 64)
                time.sleep(0.05)
        guest.close()
        check(f'{options} {variables}: it ends', gpu.process.wait(120) == 0)
        log = gpu.log.read_text()
        check(f'and has said {log!r}', log.count('\n') == (expected != '') and expected in log)


def try_report(check, program, folder):
    """What --report leaves: figures, a time line with the guest's commands, a page with its resources and a picture."""
    report = folder / 'report'
    gpu = Program(program, folder, '--quiet', '--report', report)
    guest = machine.Machine(gpu.path)
    guest.create(77, WIDTH, HEIGHT)
    guest.attach(77, (machine.PIXELS, 4096 * 15))
    draw(guest, rows((1, 2, 3)), machine.PIXELS)
    guest.scan_out(77, WIDTH, HEIGHT)
    guest.transfer(77, 0, 0, WIDTH, HEIGHT, 0)
    guest.flush(77, 0, 0, WIDTH, HEIGHT)
    guest.transfer(78, 0, 0, 1, 1, 0)
    guest.cursor(machine.MOVE, 1, 2, 0)
    check('a picture is there', shows(report / 'latest.png', rows((1, 2, 3))))
    guest.close()
    gpu.process.send_signal(signal.SIGTERM)
    check('--report: it ends', gpu.process.wait(120) == 0)
    run = json.loads((report / 'run.json').read_text())
    counts = [run[name] for name in ('commands_of_the_guest', 'refused', 'transfers', 'in_place', 'flushes',
                                     'cursor_commands', 'resources_at_the_end', 'failures', 'flips', 'read_back')]
    check(f'figures of the {run["device"]}: {counts}',
          run['device'] == 'golden model' and counts == [7, 1, 1, 1, 1, 1, 0, 0, 0, 1] and run['pictures'] >= 1)
    named = [event.get('name') for event in json.loads((report / 'trace.json').read_text())['traceEvents']]
    for command in ('RESOURCE_CREATE_2D resource 77', 'ATTACH_BACKING resource 77', 'SET_SCANOUT resource 77',
                    'RESOURCE_FLUSH resource 77', 'MOVE_CURSOR', 'frame 0'):
        check(f'the time line has {command} once', named.count(command) == (2 if command == 'frame 0' else 1))
    check('and both transfers', all(f'TRANSFER_TO_HOST_2D resource {number}' in named for number in (77, 78)))
    page = (report / 'report.html').read_text()
    for text in ('A Linux guest on the golden model', '"resource 77"', '"pages of resource 77"',
                 '"pictures":[[0,"iVBOR'):
        check(f'the page has {text}', text in page)


def words(page, name):
    data = base64.b64decode(re.search(f'"{name}":"([^"]*)"', page)[1])
    return struct.unpack(f'<{len(data) // 4}I', data)


def try_paging(check, program, folder):
    """Local memory has room for two resources of three: the page names what left, and what it left for."""
    report = folder / 'paging'
    gpu = Program(program, folder, '--quiet', '--report', report, '--local-pages', '32')
    guest = machine.Machine(gpu.path)
    for number in (80, 81, 82):
        guest.create(number, WIDTH, HEIGHT)
        guest.attach(number, (machine.PIXELS, 4096 * 15))
    for number in (80, 81, 82, 80, 81, 82):
        guest.transfer(number, 0, 0, WIDTH, HEIGHT, 0)
        guest.scan_out(number, WIDTH, HEIGHT)
        guest.flush(number, 0, 0, WIDTH, HEIGHT)
    said = info(program, gpu)
    check('info has the paging', re.search(r'^paging +[1-9]\d* evictions, [1-9]\d* pages in, \d+ out$', said, re.M))
    guest.close()
    gpu.process.send_signal(signal.SIGTERM)
    gpu.process.wait(120)
    page = (report / 'report.html').read_text()
    names = json.loads(re.search(r'"names":({[^}]*})', page)[1])
    stays, plans = words(page, 'stays'), words(page, 'plans_of')
    of_stay = [names[str(stay & 0xfffffff)] for stay in stays[2::5]]
    came = {}
    for name, plan in zip(of_stay, plans[0::3]):
        came.setdefault(plan, set()).add(name)
    # 1: evicted. A plan's other stays are what the room was for.
    pairs = {(name, other) for name, stay, plan in zip(of_stay, stays[2::5], plans[1::3]) if stay >> 28 & 3 == 1
             for other in came.get(plan, ()) if other.startswith('resource ')}
    evicted = {name for name, _ in pairs if name.startswith('resource ')}
    check(f'the page says what was evicted, and for what: {sorted(pairs)}',
          evicted == {'resource 80', 'resource 81', 'resource 82'} and all(name != other for name, other in pairs))
    check('everything has a name', not any(name.startswith('0x') for name in names.values()))
    evictions = json.loads((report / 'run.json').read_text())['evictions']
    check(f'{evictions} evictions', evictions >= 4)


def try_updates(check, program, folder):
    """Full-screen updates of 1024x768 with noise, which takes long to compress: what each takes of the thread that
    answers. Processor time, because the machine may have other work."""
    gpu = Program(program, folder, '--once', '--quiet', '--frames', folder / 'updates')
    guest, width, height, taken = machine.Machine(gpu.path), 1024, 768, []
    guest.memory[machine.PIXELS:machine.PIXELS + width * height * 4] = os.urandom(width * height * 4)
    guest.create(1, width, height)
    guest.attach(1, (machine.PIXELS, width * height * 4))
    guest.scan_out(1, width, height)
    while len(list((folder / 'updates').iterdir())) < 4 and len(taken) < 1000:
        guest.memory[machine.PIXELS + len(taken)] ^= 255
        before = running(gpu.process)
        guest.transfer(1, 0, 0, width, height, 0)
        guest.flush(1, 0, 0, width, height)
        time.sleep(0.02)
        taken.append(running(gpu.process) - before)
    check('they are on the display', 'display     shows it, 1 flips' in info(program, gpu).splitlines())
    guest.close()
    gpu.process.wait(120)
    taken.sort()
    half, most = taken[len(taken) // 2], taken[len(taken) * 9 // 10]
    check(f'half of {len(taken)} updates take {half:.1f} ms of the answering thread, nine of ten {most:.1f}',
          4 < len(taken) < 1000 and half <= 5 and most <= 15)


def running(process):
    """Milliseconds that the first thread has run."""
    return int(pathlib.Path(f'/proc/{process.pid}/schedstat').read_text('ascii').split()[0]) / 1e6


def try_options(check, program, folder):
    """What cannot be is refused, and the nearest that can be is not."""
    possible = ['--socket', '/nowhere/at/all']
    for options, said, status in (
            ([], '--socket is missing', 2), (['--socket', 'x', '--size', '1x1'], '--size 1x1 is not possible', 2),
            (['--size', '63x64'], 'is not possible', 2), (['--size', '64x63'], 'is not possible', 2),
            (['--size', '4096x64'], 'is not possible', 2), (['--size', '64x4096'], 'is not possible', 2),
            (['--size', '4095x1025'], 'is not possible', 2), (['--size', '640'], 'is not possible', 2),
            (['--size', '640x'], 'is not possible', 2), (['--size', '640x480x'], 'is not possible', 2),
            (['--resources', '15'], '--resources', 2), (['--resources', '1025'], '--resources', 2),
            (['--timeout', '99999'], '--timeout', 2),
            (['--local-pages', '15'], '--local-pages', 2), (['--local-pages', '4097'], '--local-pages', 2),
            (['--socket', 'x', '--device', 'moon'], "there is no device 'moon'", 1),
            (['--socket', 'x', '--device', 'moon', '--report', folder / 'moon'], "there is no device 'moon'", 1),
            (['--socket', 'x', '--frames', folder / 'a', '--report', folder / 'b'], 'Leave --frames out', 2),
            (['--socket', 'x', '--device', 'tty:/dev/nowhere'], 'cannot open /dev/nowhere', 1),
            ([*possible, '--size', '64x64', '--resources', '16'], 'cannot listen on /nowhere/at/all', 1),
            ([*possible, '--size', '4095x1024', '--local-pages', '4096'], 'cannot listen on /nowhere/at/all', 1),
            (['--socket', 'x' * 108], 'is too long', 1), (['--socket', folder], 'cannot listen on', 1),
            (['--sockets', 'x'], '--socket', 2), (['--help'], '', 0)):
        result = subprocess.run([program, *options], capture_output=True, text=True, timeout=60, check=False)
        check(f'{" ".join(map(str, options))[:60]}: {said}', result.returncode == status and said in result.stderr)
    result = subprocess.run([program, '--socket', 'x'], capture_output=True, text=True, timeout=60, check=False,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    check('no addresses for its memory', (result.returncode, result.stderr) ==
          (1, 'tessera-gpu: no addresses for 2147479552 bytes of guest memory\n'))
    path = folder / 'gpu.sock'
    socket.socket(socket.AF_UNIX).bind(str(path))
    gpu = Program(program, folder, '--once')
    gpu.connect().close()
    check('a socket that nobody has is taken', gpu.process.wait(120) == 0)
    path.write_text('a file')
    result = subprocess.run([program, '--socket', path], capture_output=True, text=True, timeout=60, check=False)
    check('a file is not', result.returncode == 1 and 'cannot listen on' in result.stderr)


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
    check('it offers EDID, 3D and VERSION_1', features & (1 << 32 | 3) == (1 << 32 | 3))
    config = ask(first, GET_CONFIG, struct.pack('<III16x', 0, 16, 0))
    check('it has one display and one capability set', struct.unpack('<IIIIIII', config)[3:] == (0, 0, 1, 1))
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
    check('it ends at a signal', gpu.process.wait(120) == 0 and not gpu.path.exists())

    gpu = Program(program, folder, '--once', '--quiet')
    gpu.connect().close()
    check('--once: it ends after one', gpu.process.wait(120) == 0)
    try_machine(check, program, folder)
    try_window(check, program, folder)
    try_report(check, program, folder)
    try_paging(check, program, folder)
    try_updates(check, program, folder)
    try_options(check, program, folder)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    os.environ.pop('TESSERA_DUMP', None)
    sys.exit(main())
