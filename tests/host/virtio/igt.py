# SPDX-License-Identifier: Apache-2.0
"""igt.py PROGRAM FOLDER IGT [ROOT [TEST...]]: tests of igt-gpu-tools, or those named, in a guest with QEMU's own
virtio-gpu and in one with Tessera. Goal: what passes there does not fail here. IGT is a build of igt-gpu-tools, by the
system in ROOT. Method: each subtest's result is on the serial line (host/virtio/linux/igt.sh). Many subtests measure
time, so what differs runs twice more on Tessera, and once is enough. FOLDER/difference.txt has every result that is not
the same. The last line says the counts."""
import collections
import pathlib
import shutil
import sys

from guest import MISSING, Guest

TESTS = """core_auth core_debugfs core_getclient core_getstats core_getversion core_setmaster core_setmaster_vs_auth
drm_read dumb_buffer kms_addfb_basic kms_atomic kms_atomic_transition kms_cursor_crc kms_cursor_edge_walk kms_getfb
kms_invalid_mode kms_plane_cursor kms_prime kms_prop_blob kms_properties kms_rmfb kms_setmode kms_universal_plane
prime_mmap prime_self_import prime_vgem""".split() + [
    # One display; a guest that is suspended does not come back; what is interruptible is the same with signals.
    'kms_flip *,!2x-*,!*suspend*,!*hang*,!*interruptible',
    # The others are the same for a long time or by several processes, a quarter of an hour in all.
    'kms_cursor_legacy basic-*,short-*,cursor-vs-flip-legacy,flip-vs-cursor-legacy,flip-vs-cursor-atomic,'
    'modeset-atomic-cursor-hotspot,nonblocking-modeset-vs-cursor-atomic']
SECONDS, LEAST = 7200, 40  # of one guest; results that there are at least


def results_of(said):
    """TEST@SUBTEST: its result, and what it said when it failed."""
    results, reasons = {}, {}
    for line in said:
        if line.startswith('igt '):
            _, name, result = line.split()
            results[name] = result
        if line.startswith('igt-why '):
            name, _, reason = line[8:].partition(': ')
            reasons[name] = reason
    return results, reasons


def run(program, folder, root, igt, lines):
    """What QEMU ended with, what the guest said, and the log."""
    tests = folder.with_suffix('.tests')
    tests.parent.mkdir(parents=True, exist_ok=True)
    tests.write_text('\n'.join(lines) + '\n', 'ascii')
    guest = Guest(program, folder, root, 'igt', SECONDS, ['--igt', igt, '--tests', tests])
    code = guest.process.wait()
    if (guest.work / 'serial.log').exists():
        shutil.copy(guest.work / 'serial.log', folder / 'serial.log')
    return code, guest.said(), (folder / 'log').read_text('utf-8', 'replace')


def worse(theirs, ours):
    """What passes there and neither passes nor is missing here as it is there."""
    return sorted(name for name, result in theirs.items() if result == 'SUCCESS' and ours.get(name) != 'SUCCESS')


def try_again(program, folder, root, igt, names):
    """Those of the names that pass now."""
    by_test = collections.defaultdict(list)
    for name in names:
        test, subtest = name.split('@')
        by_test[test].append(subtest)
    lines = [f'{test} {"*" if subtests == ["-"] else ",".join(subtests)}' for test, subtests in by_test.items()]
    results = results_of(run(program, folder, root, igt, lines)[1])[0]
    return {name for name in names if results.get(name) == 'SUCCESS'}


def write_difference(path, theirs, ours, again, reasons):
    names = sorted(name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name))
    lines = [f'{name:<60} {theirs.get(name, "-"):<8} {ours.get(name, "-"):<8}'
             f'{" SUCCESS when run again" if name in again else ""} {reasons.get(name, "")}'.rstrip() + '\n'
             for name in names]
    counts = [collections.Counter(results.values()) for results in (theirs, ours)]
    head = [f'{"test":<60} {"QEMU":<8} Tessera\n'] + lines
    for name, count in zip(('QEMU', 'Tessera'), counts):
        head.append(f'{name}: ' + ', '.join(f'{count[result]} {result}' for result in sorted(count)) + '\n')
    path.write_text(''.join(head), 'utf-8')
    return head


def main():
    program, folder, igt = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    root = sys.argv[4] if len(sys.argv) > 4 else ''
    tests, least = (sys.argv[5:], 1) if len(sys.argv) > 5 else (TESTS, LEAST)
    passed = failed = 0

    def check(what, is_good):
        nonlocal passed, failed
        passed, failed = passed + is_good, failed + (not is_good)
        print('ok   ' if is_good else 'FAIL ', what)

    code, said, log = run('qemu', folder / 'qemu', root, igt, tests)
    if code == MISSING:
        print(log, '0 passed, 0 failed, 5 skipped', sep='\n')
        return 0
    theirs = results_of(said)[0]
    check(f'QEMU\'s own virtio-gpu: {len(theirs)} results', code == 0 and len(theirs) >= least and 'end' in said)
    code, said, log = run(program, folder / 'tessera', root, igt, tests)
    ours, reasons = results_of(said)
    check(f'Tessera: {len(ours)} results', code == 0 and len(ours) >= least and 'end' in said)
    check('the back end lived on', ' commands (' in log and 'has failed' not in log)
    left, again = worse(theirs, ours), set()
    for turn in range(2):
        if left:
            again |= try_again(program, folder / f'again-{turn}', root, igt, left)
            left = [name for name in left if name not in again]
    print(*write_difference(folder / 'difference.txt', theirs, ours, again, reasons), sep='', end='')
    check(f'passes there, but not here: {" ".join(left) or "nothing"}', not left)
    check('most of what passes is the same', sum(ours.get(name) == 'SUCCESS' for name in theirs) >= (least + 1) // 2)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
