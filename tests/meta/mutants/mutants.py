# SPDX-License-Identifier: Apache-2.0
"""mutants.py AREA SEED COUNT JOBS [LEAST]: what part of COUNT generated faults do the tests notice? With LEAST:
is it at least as many per cent? mutants.py --known: is each fault that tests/meta/mutants/equivalent names one of a
source?

The faults of an area (mutate_c.py, mutate_rtl.py) are put in an order that the seed gives; the first COUNT of them are
compiled into one copy of the tree, each behind a number. There the targets of tests/meta/mutants/targets are made, with
a tests/run that notes the programs instead of running them. Without a fault every program runs once: it has to pass,
and says which faults it comes to. Then each fault is judged by the programs that come to it, the quickest first, until
one fails or takes much longer than without. Below build/mutants/AREA: report.txt (every fault, and what killed it) and
survivors.patch. Faults that change nothing that can be seen are named in tests/meta/mutants/equivalent with the reason.
"""
import collections
import concurrent.futures
import difflib
import os
import queue
import resource
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
FLAGS = '-std=c11 -Ispec -Ibuild -Ihost -Ihost/include -Imodel -Isim -Ifirmware -D_DEFAULT_SOURCE'.split()
REACHED_BYTES = 65536
AREAS = ('firmware', 'rtl', 'host', 'model', 'sim')
RECORDER = '''#!/bin/sh
name=$1; shift
[ -z "$FLAGS" ] || set -- env "FLAGS=$FLAGS" "$@"
[ -z "$TESTS" ] || set -- env "TESTS=$TESTS" "$@"
{ printf '%s' "$name"; for word; do printf '\\t%s' "$word"; done; printf '\\n'; } >>build/programs
'''


def lines_of(name):
    with open(f'{HERE}/{name}') as stream:
        return [line.rstrip('\n') for line in stream if line.strip() and not line.startswith('#')]


def tracked(*under):
    out = subprocess.check_output(['git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard',
                                   *under], text=True)
    return sorted(path for path in set(out.split('\0')) if path and os.path.exists(f'{ROOT}/{path}'))


def has_clang():
    try:
        import clang.cindex as cindex
    except ImportError:
        return False
    try:
        cindex.Index.create()
    except cindex.LibclangError:
        return False
    return True


def equivalents():
    """The names of the faults that are equivalent: a function, and three lines more: statement, fault, reason."""
    lines = [line.strip() for line in lines_of('equivalent')]
    return {' | '.join(lines[at:at + 3]) for at in range(0, len(lines), 4)}


class Area:
    """Where an area's faults are, and how they are built."""

    def __init__(self, name, targets=None, words=()):
        self.name, self.is_rtl, self.words = name, name == 'rtl', words
        self.work = f'{ROOT}/build/mutants/{name}'
        self.targets = targets or [t for line in lines_of('targets') if line.split()[0] == name
                                   for t in line.split()[1:]]

    def flags(self):
        return [f'-I{ROOT}/{flag[2:]}' if flag.startswith('-I') else flag for flag in FLAGS]

    def sites(self):
        skip = ('firmware/main.c', 'firmware/platform/hal_mmio.c')
        if self.is_rtl:
            import mutate_rtl
            return mutate_rtl.sites(ROOT, [p for p in tracked('rtl') if p.endswith('.v')])
        import mutate_c
        files = [p for p in tracked(self.name) if p.endswith('.c') and p not in skip]
        return mutate_c.sites(ROOT, files, self.flags())

    def schema(self, source, faults):
        if self.is_rtl:
            import mutate_rtl
            return mutate_rtl.schema(source, faults)
        import mutate_c
        return mutate_c.schema(source, faults)

    def compiles(self, path, source):
        """Whether a mutated source does; headers are seen when what includes them is compiled."""
        if not path.endswith(('.c', '.v')):
            return True
        at = f'{self.work}/tree/{os.path.dirname(path)}/mutant-check{path[-2:]}'
        with open(at, 'wb') as stream:
            stream.write(source)
        check = ['gcc', '-w', '-fsyntax-only', '-include', f'{HERE}/mutant.h', *FLAGS, at]
        if self.is_rtl:
            check = ['verilator', '--lint-only', '-Wno-fatal', '-Wno-lint', '-Wno-style', '-Irtl', '-Irtl/core',
                     '-Irtl/engine', '+define+GPU_ASSERT', '--assert', '--no-timing', at]
        done = subprocess.run(check, cwd=f'{self.work}/tree', stderr=subprocess.DEVNULL)
        os.remove(at)
        return done.returncode == 0

    def settings(self):
        """Words for make: warnings are no matter, and every source knows MUTANT()."""
        if self.is_rtl:
            import mutate_rtl
            return mutate_rtl.settings(HERE)
        include = f'-w -include {self.work}/tree/tests/meta/mutants/mutant.h'
        linked = f'{include} {self.work}/tree/build/mutant.o'
        return [f'CC=gcc {linked}', f'CXX=g++ {linked}', f'RV_CC=riscv64-unknown-elf-gcc {include}', *self.words]


def read(path):
    with open(path, 'rb') as stream:
        return stream.read()


def make_tree(area, faults):
    """A copy of the tree in which every fault waits; returns those that could be compiled."""
    tree = f'{area.work}/tree'
    shutil.rmtree(area.work, ignore_errors=True)
    for path in tracked():
        os.makedirs(os.path.dirname(f'{tree}/{path}'), exist_ok=True)
        shutil.copy2(f'{ROOT}/{path}', f'{tree}/{path}')
    # What is built and depends on nothing that is mutated is not built again.
    os.makedirs(f'{tree}/build', exist_ok=True)
    subprocess.run(f'cp -a {ROOT}/build/gen {ROOT}/build/*.h {tree}/build/ 2>/dev/null', shell=True)
    subprocess.run(['gcc', '-O1', '-fPIC', '-c', '-o', f'{tree}/build/mutant.o', f'{HERE}/mutant.c'], check=True)
    if not area.is_rtl and os.path.isdir(f'{ROOT}/build/sim'):
        shutil.copytree(f'{ROOT}/build/sim', f'{tree}/build/sim', symlinks=True)
    subprocess.run(['git', 'init', '-q', tree], check=True) # some tests ask git for the project's files
    subprocess.run(['git', '-C', tree, 'add', '-A'], check=True)
    built = []
    for path in sorted({f.path for f in faults}):
        here, source = [f for f in faults if f.path == path], read(f'{ROOT}/{path}')
        if not area.compiles(path, area.schema(source, here)):
            here = [f for f in here if area.compiles(path, area.schema(source, [f]))]
        with open(f'{tree}/{path}', 'wb') as stream:
            stream.write(area.schema(source, here))
        built += here
    with open(f'{tree}/tests/run', 'w') as stream:
        stream.write(RECORDER)
    return [f for f in faults if f in built]


def build(area, jobs):
    tree = f'{area.work}/tree'
    with open(f'{area.work}/build.log', 'w') as log:
        code = subprocess.run(['make', '-k', '-s', f'-j{jobs}', '--no-print-directory', '-C', tree, *area.settings(),
                               *area.targets], stdout=log, stderr=log).returncode
    if code:
        print(read(f'{area.work}/build.log').decode()[-3000:])
        sys.exit(f'the build with faults failed; see {area.work}/build.log')
    return programs_of(area)


def programs_of(area):
    programs = {}
    for line in read(f'{area.work}/tree/build/programs').decode().splitlines():
        name, *command = line.split('\t')
        programs[name] = command
    return programs


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 29, 1 << 29))
    os.setsid()


def run(tree, command, seconds, environment):
    """(ended with 0, seconds) or (None, seconds) when it took longer."""
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=tree, preexec_fn=limits, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, **environment})
    try:
        passed = process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        passed = None
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return passed, time.monotonic() - start


class Program:
    def __init__(self, name, command):
        self.name, self.command, self.seconds, self.reached = name, command, 0.0, b''


def plain_run(area, tree, program, faults):
    path = f'{area.work}/reached-{program.name}'
    with open(path, 'wb') as stream:
        stream.write(bytes(REACHED_BYTES))
    passed, program.seconds = run(tree, program.command, 900, {'MUTANT_REACHED': path, 'MUTANT': '0'})
    program.reached = read(path)
    if area.is_rtl:
        modules = set(program.reached.replace(b'\0', b'').decode().split())
        program.reached = bytearray(REACHED_BYTES)
        for fault in faults:
            program.reached[fault.number] = fault.path in modules
    os.remove(path)
    return passed


def judge(tree, fault, programs, first=None):
    fault.outcome = 'survived' if any(p.reached[fault.number] for p in programs) else 'not reached'
    start = time.monotonic()
    for program in sorted(programs, key=lambda p: p.name != first):
        if not program.reached[fault.number]:
            continue
        passed, _ = run(tree, program.command, 4 * program.seconds + 4, {'MUTANT': str(fault.number)})
        if not passed:
            fault.outcome, fault.killer = 'killed' if passed is False else 'timed out', program.name
            break
    fault.seconds = time.monotonic() - start


def with_tree(trees, work, *arguments):
    tree = trees.get()
    try:
        return work(tree, *arguments)
    finally:
        trees.put(tree)


def prepare(area, names, faults, jobs, start):
    """The programs that pass without a fault, the quickest first, and a tree for each job."""
    trees = queue.Queue()
    trees.put(f'{area.work}/tree')
    for copy in range(1, jobs):
        shutil.rmtree(f'{area.work}/tree{copy}', ignore_errors=True)
        shutil.copytree(f'{area.work}/tree', f'{area.work}/tree{copy}', symlinks=True)
        trees.put(f'{area.work}/tree{copy}')
    print(f'{len(names)} programs built; {time.monotonic() - start:.0f} s', flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        programs = [Program(*item) for item in names.items()]
        passed = list(pool.map(lambda p: with_tree(trees, lambda tree: plain_run(area, tree, p, faults)), programs))
    broken = [p.name for p, ok in zip(programs, passed) if not ok]
    if broken:
        print(f'fail without any fault, so they judge none: {" ".join(broken)}')
    programs = [p for p in programs if p.name not in broken]
    if not programs:
        sys.exit('no program is left to judge')
    programs.sort(key=lambda p: p.seconds)
    print('programs: ' + ', '.join(f'{p.name} {p.seconds:.1f}' for p in programs) +
          f'; {time.monotonic() - start:.0f} s', flush=True)
    return programs, trees


def judge_all(trees, faults, programs, jobs):
    """`faults`: each with the name of the program that is tried first, or None."""
    def one(item):
        fault, first = item
        with_tree(trees, lambda tree: judge(tree, fault, programs, first))
        if os.isatty(1) or os.environ.get('V'):
            print(f'{fault.outcome} {fault.killer} {fault.seconds:.1f} {fault.path} {fault.key()}', flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, faults))


def patch(fault):
    source = read(f'{ROOT}/{fault.path}')
    changed = source[:fault.start] + fault.text().encode() + source[fault.end:]
    lines = difflib.unified_diff(source.decode().splitlines(True), changed.decode().splitlines(True),
                                 f'a/{fault.path}', f'b/{fault.path}', n=1)
    return ''.join(lines)


def report(area, seed, faults, programs):
    counted = [f for f in faults if f.outcome != 'equivalent']
    killed = [f for f in counted if f.outcome in ('killed', 'timed out')]
    alive = [f for f in counted if f not in killed]
    with open(f'{area.work}/report.txt', 'w') as out:
        for f in faults:
            out.write(f'{f.outcome}\t{f.killer or "-"}\t{f.seconds:.1f}\t{f.operator}\t{f.path}\t{f.key()}\n')
    with open(f'{area.work}/survivors.patch', 'w') as out:
        for f in alive:
            out.write(f'# {f.outcome}, {f.operator}: {f.key()}\n{patch(f)}\n')
    by_killer = collections.Counter(f.killer for f in killed)
    print('killed by: ' + ', '.join(f'{name} {n}' for name, n in by_killer.most_common()))
    for f in killed:
        if f.outcome == 'timed out':
            print(f'timed out in {f.killer}: {f.path} {f.key()}')
    for operator in sorted({f.operator for f in counted}):
        of = [f for f in counted if f.operator == operator]
        print(f'  {operator:10} {sum(f in killed for f in of):4} of {len(of):4}')
    for f in alive:
        print(f'{f.outcome}: {f.path}: {f.operator}: {f.key()}')
    share = 100.0 * len(killed) / len(counted) if counted else 0.0
    print(f'{area.name}, seed {seed}: {len(killed)} of {len(counted)} faults noticed, {share:.1f} % '
          f'({sum(f.outcome == "timed out" for f in killed)} by time, {len(faults) - len(counted)} equivalent besides, '
          f'{sum(f.outcome == "not reached" for f in alive)} not reached by any of {len(programs)} programs)')
    return share


def check_known():
    """Faults that are named and that no source has any more."""
    keys = {f.key() for area in AREAS for f in Area(area).sites()}
    known = equivalents()
    gone = [key for key in known if key not in keys]
    for key in gone:
        print(f'tests/meta/mutants/equivalent names what is no fault of any source: {key}')
    print(f'{len(known) - len(gone)} passed, {len(gone)} failed')
    return 1 if gone or not known else 0


def main():
    if not has_clang():
        print("Debian's python3-clang is not installed: no fault is generated\n0 passed, 0 failed, 1 skipped")
        return 0
    if sys.argv[1] == '--known':
        return check_known()
    name, seed, count, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    least = float(sys.argv[5]) if len(sys.argv) > 5 else 0.0
    area = Area(name)
    equivalent = equivalents()
    start = time.monotonic()
    found = area.sites()
    faults = sorted(found, key=lambda f: f.draw(seed))[:count]
    for number, fault in enumerate(faults):
        fault.number = number + 1
    if os.environ.get('MUTANTS_BUILT'):  # the same sample again, after changes of this program alone
        names = programs_of(area)
    else:
        faults = make_tree(area, faults)
        names = build(area, jobs)
    print(f'{len(faults)} of {len(found)} faults in one build')
    programs, trees = prepare(area, names, faults, jobs, start)
    for fault in faults:
        if fault.key() in equivalent:
            fault.outcome = 'equivalent'
    judge_all(trees, [(f, None) for f in faults if not f.outcome], programs, jobs)
    share = report(area, seed, faults, programs)
    print(f'{time.monotonic() - start:.0f} s')
    if least:
        noticed = sum(f.outcome in ('killed', 'timed out') for f in faults)
        if share < least:
            print(f'{least} % are to be noticed')
        print(f'{noticed} passed, {int(share < least)} failed')
    return 1 if share < least else 0


if __name__ == '__main__':
    sys.path.insert(0, HERE)
    sys.exit(main())
