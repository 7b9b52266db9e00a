# SPDX-License-Identifier: Apache-2.0
"""sessions.py PROGRAM FOLDER COUNT SEED [ROOT]: so many programs in one boot of a guest, four at a time: honest,
forged, hostile and dying ones in turn (guest_sessions.c). Goal: nothing of them stays in the GPU or in the back end,
nothing of another program is lost, the kernel logs nothing. Method: `tessera info` at the running back end before and
after, its files and memory, and what the guest says. Before come 200 others: after them each part of the back end has
the memory that it keeps. PROGRAM's folder has tessera and virtio/guest_sessions. The last line says the counts."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from guest import MISSING, Guest

WARM, GROWTH = 200, 512  # sessions before; KB of memory that may come with the others
HERE = pathlib.Path(__file__).resolve().parent


def add_programs(folder, programs):
    """The programs and the libraries that they need, as the guest's root has them."""
    (folder / 'bin').mkdir(parents=True)
    for program in programs:
        shutil.copy(program, folder / 'bin')
        said = subprocess.run(['ldd', program], capture_output=True, text=True, check=True).stdout
        for library in re.findall(r'(/\S+\.so\S*)', said):
            (folder / library[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, folder / library[1:])


def back_end(socket):
    """Open files and own memory, KB, of the process that serves the socket. The guest's memory is not its own."""
    for process in pathlib.Path('/proc').iterdir():
        try:
            words = (process / 'cmdline').read_bytes().split(b'\0') if process.name.isdigit() else []
            if b'--socket' in words and str(socket).encode() in words and b'tessera-gpu' in words[0]:
                status = (process / 'status').read_text()
                return len(os.listdir(process / 'fd')), int(re.search(r'RssAnon:\s*(\d+)', status)[1])
        except OSError:
            continue  # it has ended
    return 0, 0


def main():
    program, folder, count, seed = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    root = sys.argv[5] if len(sys.argv) > 5 else ''
    build = pathlib.Path(program).parent
    passed = failed = 0
    states = {}

    def check(what, is_good):
        nonlocal passed, failed
        passed, failed = passed + bool(is_good), failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', what)

    add = folder.with_suffix('.add')
    shutil.rmtree(add, ignore_errors=True)
    add_programs(add, [build / 'virtio' / 'guest_sessions'])
    shutil.copy(HERE / 'sessions.sh', add / 'draw.sh')
    (add / 'sessions').write_text(f'{WARM} {count} {seed}\n', 'ascii')
    guest = Guest(program, folder, root, 'draw', 3000, ['--add', add, '--no-report'])

    def take(name):
        socket = guest.work / 'gpu.sock'
        said = subprocess.run([build / 'tessera', 'info', '--device', f'guest:{socket}'], capture_output=True,
                              text=True, check=False).stdout
        states[name] = said, *min(back_end(socket) for _ in range(5) if time.sleep(0.2) is None)  # a picture is a file

    code = guest.run(take)
    log = (folder / 'log').read_text('utf-8', 'replace')
    if code == MISSING:
        print(log, '0 passed, 0 failed, 10 skipped', sep='\n')
        return 0
    said = guest.said()
    print(*said[-12:], states.get('after', ('',))[0], sep='\n')
    told = [line for line in said if line.startswith('status ')]
    check(f'QEMU ended with {code}', code == 0 and 'end' in said)
    check(f'the guest: {told}', told and re.match(rf'status 0, sessions: {count} of {count} ended, ', told[0]))
    check('some were killed', told and
          re.search(r' [1-9]\d* killed, 0 hung, 0 wrong, 0 bytes of another lost', told[0]))
    check('nothing was logged', 'warnings: 0' in said)
    before, after = states.get('before', ('', 0, 0)), states.get('after', ('', 1, 1))
    count_of = re.compile(r'^resources +(\d+) of', re.M)
    left = [count_of.findall(state[0]) for state in (before, after)]
    check(f'resources before and after: {left}', left[0] and left[0] == left[1])
    # The kernel's own console has a context, too.
    programs = [re.findall(r'^programs +(\d+ of \d+ draw, \d+ allocations);', state[0], re.M)
                for state in (before, after)]
    check(f'programs before and after: {programs}', programs[0] and programs[0] == programs[1] and
          re.fullmatch(r'0 of [01] draw, 0 allocations', programs[0][0]))
    check(f'open files of the back end: {before[1]}, {after[1]}', before[1] == after[1] != 0)
    check(f'its memory: {before[2]} KB, {after[2]} KB', before[2] != 0 and after[2] <= before[2] + GROWTH)
    check('the GPU has not failed', 'has failed' not in log and 'failures' not in after[0])
    check('no command was refused', re.findall(r'commands \((\d+) refused', log) and
          set(re.findall(r'commands \((\d+) refused', log)) == {'0'})
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
