# SPDX-License-Identifier: Apache-2.0
"""mutants.py AREA SEED COUNT JOBS [LEAST]: what part of COUNT generated faults do the tests notice? With LEAST:
is it at least as many per cent? mutants.py --known: is each fault that tests/meta/mutants/equivalent names one of a
source?

The faults of an area (mutate_c.py, mutate_rtl.py, mutate_py.py) are put in an order that the seed gives; the first
COUNT of them are compiled into one copy of the tree, each behind a number. There the targets of
tests/meta/mutants/targets are made, with a tests/run that notes the programs instead of running them. Without a fault
every program runs once: it has to pass, and says which faults it comes to. Then each fault is judged by the programs
that come to it, the quickest first, until one fails or takes much longer than without. What survives in Verilog goes
before proofs and Icarus (AREA-source in tests/meta/mutants/targets), which read sources: each runs in a plain copy with
the one fault in its source, and only a failure counts, since a solver's time says nothing. Below build/mutants/AREA:
report.txt (every fault, and what killed it) and survivors.patch. Faults that change nothing that can be seen are named
in tests/meta/mutants/equivalent with the reason. With JUDGES in the environment these lines of targets judge, or these
targets themselves; with UNDER only faults of files below these paths are drawn (and the work lies in
build/mutants/AREA-under). With PIECE it stops after about so many seconds, and the same words again go on with that
sample, whatever has changed in the tree since; without, it begins again.
"""
import collections
import concurrent.futures
import difflib
import glob
import os
import pickle
import queue
import re
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
FAULT_SECONDS = 240 # after them no further program tries a fault
AREAS = ('firmware', 'rtl', 'host', 'model', 'sim', 'web', 'python')
FOLDERS = {'python': 'integration/python/tessera'}  # elsewhere an area is a folder
# Of AREA=web: how its C is compiled, what has no faults, and what reads scripts: by a word of its command the sources,
# and what has to be made of them first. The page's own test judges the page.
WEB_FLAGS = '-Iweb -Iweb/deflate -Iweb/json -DTESSERA_FIRMWARE_PATH=none -DTESSERA_VERSION=0'.split()
WEB_SKIPPED = ('web/page/page_check', 'web/stack_web.c', 'web/unwind_web.c', 'web/own_worth_web.c')
SCRIPTS = {'build/web/stand_in.html': ('web/page/*.js', 'build/web/stand_in.html'),
           'tests/web/equal.py': ('web/worker*.js', 'out/web/worker.js out/web/tessera.wasm build/web/native '
                                  'build/tessera build/runs/play/done')}
RECORDER = '''#!/bin/sh
name=$1; shift
[ -z "$FLAGS" ] || set -- env "FLAGS=$FLAGS" "$@"
[ -z "$TESTS" ] || set -- env "TESTS=$TESTS" "$@"
[ -z "$QUICK" ] || set -- env "QUICK=$QUICK" "$@"
line=$name
for word; do line=$(printf '%s\\t%s' "$line" "$word"); done
printf '%s\\n' "$line" >>"${PROGRAMS:-build/programs}"
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
        self.name, self.is_rtl, self.is_python, self.words = name, name == 'rtl', name == 'python', words
        self.folder = FOLDERS.get(name, name)
        self.under = tuple(os.environ.get('UNDER', '').split())
        self.work = f'{ROOT}/build/mutants/{name}{"-under" if self.under else ""}'
        judges = os.environ.get('JUDGES') or name
        self.targets = targets or self.targets_of(judges)
        self.source_targets = [] if targets else self.targets_of(f'{judges}-source')

    @staticmethod
    def targets_of(name):
        if name.startswith('test-'):
            return [] if name.endswith('-source') else name.split()
        return [t for line in lines_of('targets') if line.split()[0] == name for t in line.split()[1:]]

    def flags(self):
        return [f'-I{ROOT}/{flag[2:]}' if flag.startswith('-I') else flag for flag in self.plain_flags()]

    def plain_flags(self):
        return WEB_FLAGS + FLAGS if self.name == 'web' else FLAGS

    def sites(self):
        return [f for f in self.all_sites() if f.path.startswith(self.under or '')]

    def all_sites(self, names=None):
        """With `names`, those of the files that have one of these words."""
        skip = ('firmware/main.c', 'firmware/platform/hal_mmio.c', 'firmware/platform/stacks.c',
                'integration/python/tessera/spec.py', *WEB_SKIPPED)
        ending = '.v' if self.is_rtl else '.py' if self.is_python else '.c'
        under = [p for p in tracked(self.folder) if not p.startswith(skip)]
        files = [p for p in under if p.endswith(ending)]
        if names:
            files = [p for p in files if not names.isdisjoint(re.findall(r'\w+', read(f'{ROOT}/{p}').decode()))]
        if self.is_rtl:
            import mutate_rtl
            return mutate_rtl.sites(ROOT, files)
        if self.is_python:
            import mutate_py
            return mutate_py.sites(ROOT, files)
        import mutate_c
        import mutate_js
        scripts = [p for p in under if p.endswith('.js')] if self.name == 'web' else []
        return mutate_c.sites(ROOT, files, self.flags()) + mutate_js.sites(ROOT, scripts)

    def schema(self, source, faults):
        if faults and faults[0].path.endswith('.js'):
            return source
        if self.is_rtl:
            import mutate_rtl
            return mutate_rtl.schema(source, faults)
        if self.is_python:
            import mutate_py
            return mutate_py.schema(source, faults)
        import mutate_c
        return mutate_c.schema(source, faults)

    def compiles(self, path, source):
        """Whether a mutated source does; headers are seen when what includes them is compiled."""
        if self.is_python:
            try:
                compile(source, path, 'exec')
            except SyntaxError:
                return False
            return True
        if not path.endswith(('.c', '.v')):
            return True
        at = f'{self.work}/tree/{os.path.dirname(path)}/mutant-check{path[-2:]}'
        with open(at, 'wb') as stream:
            stream.write(source)
        check = ['gcc', '-w', '-fsyntax-only', '-include', f'{HERE}/mutant.h', *self.plain_flags(), at]
        if self.is_rtl:
            check = ['verilator', '--lint-only', '-Wno-fatal', '-Wno-lint', '-Wno-style', '-Irtl', '-Irtl/core',
                     '-Irtl/engine', '-Irtl/display', '+define+GPU_ASSERT', '--assert', '--no-timing', at]
        done = subprocess.run(check, cwd=f'{self.work}/tree', stderr=subprocess.DEVNULL)
        os.remove(at)
        return done.returncode == 0

    def settings(self):
        """Words for make: warnings are no matter, and every source knows MUTANT()."""
        if self.is_rtl:
            import mutate_rtl
            return mutate_rtl.settings(HERE)
        if self.is_python:
            return list(self.words)
        include = f'-w -include {self.work}/tree/tests/meta/mutants/mutant.h'
        linked = f'{include} {self.work}/tree/build/mutant.o'
        return [f'CC=gcc {linked}', f'CXX=g++ {linked}', f'RV_CC=riscv64-unknown-elf-gcc {include}',
                f'VERILATOR=verilator -LDFLAGS {self.work}/tree/build/mutant.o', *self.words,
                *(["WEB_CC=clang -w '-DMUTANT(number)=0'"] if self.name == 'web' else [])]


def read(path):
    with open(path, 'rb') as stream:
        return stream.read()


def make_tree(area, faults):
    """A copy of the tree in which every fault waits; returns those that could be compiled. Beside it a plain one."""
    tree = f'{area.work}/tree'
    shutil.rmtree(area.work, ignore_errors=True)
    for path in tracked():
        os.makedirs(os.path.dirname(f'{area.work}/plain/{path}'), exist_ok=True)
        shutil.copy2(f'{ROOT}/{path}', f'{area.work}/plain/{path}')
        os.makedirs(os.path.dirname(f'{tree}/{path}'), exist_ok=True)
        shutil.copy2(f'{ROOT}/{path}', f'{tree}/{path}')
    # What is built and depends on nothing that is mutated is not built again.
    os.makedirs(f'{tree}/build', exist_ok=True)
    os.makedirs(f'{area.work}/plain/build', exist_ok=True)
    for to in (tree, f'{area.work}/plain'):
        subprocess.run(f'cp -a {ROOT}/build/gen {ROOT}/build/*.h {to}/build/ 2>/dev/null', shell=True)
    subprocess.run(['gcc', '-O1', '-fPIC', '-c', '-o', f'{tree}/build/mutant.o', f'{HERE}/mutant.c'], check=True)
    if area.name == 'web':
        copy_built(tree, f'{area.work}/plain')
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


def copy_built(*trees):
    """Most of what judges the page is compiled of what has no faults."""
    names = 'web host unit firmware model runs play tessera'.split()
    built = [f'{ROOT}/build/{name}' for name in names if os.path.exists(f'{ROOT}/build/{name}')]
    for to in trees:
        subprocess.run(['cp', '-a', *built, f'{to}/build/'], check=True)
        if os.path.isdir(f'{ROOT}/out/web'):
            os.makedirs(f'{to}/out', exist_ok=True)
            subprocess.run(['cp', '-a', f'{ROOT}/out/web', f'{to}/out/'], check=True)


def build(area, jobs, until=None):
    """The programs that judge, and those that read sources: names with commands. Ends the process at `until`."""
    tree = f'{area.work}/tree'
    for note in ('programs', 'source_programs'):
        if os.path.exists(f'{tree}/build/{note}'):
            os.remove(f'{tree}/build/{note}')
    for targets, note in ((area.targets, 'programs'), (area.source_targets, 'source_programs')):
        if not targets:
            continue
        with open(f'{area.work}/build.log', 'w') as log:
            make = subprocess.Popen(['make', '-k', '-s', f'-j{jobs}', '--no-print-directory', '-C', tree,
                                     *area.settings(), *targets], stdout=log, stderr=log, start_new_session=True,
                                    env={**os.environ, 'PROGRAMS': f'build/{note}'})
        try:
            code = make.wait(max(1.0, until - time.monotonic()) if until else None)
        except subprocess.TimeoutExpired:
            os.killpg(make.pid, signal.SIGTERM)
            make.wait()
            sys.exit('the time is up while the programs are built; the same again goes on')
        if code:
            print(read(f'{area.work}/build.log').decode()[-3000:])
            sys.exit(f'the build with faults failed; see {area.work}/build.log')
    return programs_of(area, 'programs')


def programs_of(area, note):
    programs, path = {}, f'{area.work}/tree/build/{note}'
    for line in read(path).decode().splitlines() if os.path.exists(path) else ():
        name, *command = line.split('\t')
        programs[name] = command
    return programs


def sources_of(tree, command):
    """The sources of RTL that a proof or what Icarus made reads: those that its words and its script name."""
    text = ' '.join(command)
    for word in command:
        if word.endswith(('.sh', '.vvp')) and os.path.exists(f'{tree}/{word}'):
            text += read(f'{tree}/{word}').decode(errors='replace')
    found = set()
    for word in command:
        if word in SCRIPTS:
            found.update(os.path.relpath(path, tree) for path in glob.glob(f'{tree}/{SCRIPTS[word][0]}'))
    for name in re.findall(r'\brtl/[\w/.*]+', text):
        for path in glob.glob(f'{tree}/{name}'):
            inside = glob.glob(f'{path}/*.v') if os.path.isdir(path) else [path]
            found.update(os.path.relpath(each, tree) for each in inside)
    return found


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
        self.sources = None  # of a program that reads sources: which


def source_program(area, name, command):
    """What Icarus runs is compiled first, from the sources that are there."""
    program = Program(name, command)
    program.sources = sources_of(f'{area.work}/tree', command)
    made = [word for word in command if word.endswith('.vvp')] + [SCRIPTS[w][1] for w in command if w in SCRIPTS]
    if made:
        program.command = ['sh', '-c', f'make -s {" ".join(made)} >/dev/null && exec "$@"', 'sh', *command]
    return program


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
    for program in sorted(programs, key=lambda p: first not in (p.name, p.name.removeprefix('firmware-'))):
        if not program.reached[fault.number] or time.monotonic() - start > FAULT_SECONDS:
            continue
        passed, _ = run(tree, program.command, 4 * program.seconds + 4, {'MUTANT': str(fault.number)})
        if not passed:
            fault.outcome, fault.killer = 'killed' if passed is False else 'timed out', program.name
            break
    fault.seconds += time.monotonic() - start


def judge_source(area, plain, fault, programs):
    """By those that read sources: a plain copy, with the fault in its source for as long."""
    start, path = time.monotonic(), f'{plain}/{fault.path}'
    source = read(path)
    with open(path, 'wb') as stream:
        stream.write(source[:fault.start] + fault.text().encode() + source[fault.end:])
    for program in programs:
        if fault.path not in program.sources or time.monotonic() - start > FAULT_SECONDS:
            continue
        fault.outcome = 'survived'
        passed, _ = run(plain, program.command, 4 * program.seconds + 4, {})
        if passed is False or (passed is None and fault.path.endswith('.js')):
            fault.outcome, fault.killer = 'timed out' if passed is None else 'killed', program.name
            break
    with open(path, 'wb') as stream:
        stream.write(source)
    fault.seconds += time.monotonic() - start


def with_tree(trees, work, *arguments):
    tree = trees.get()
    try:
        return work(tree, *arguments)
    finally:
        trees.put(tree)


def copies(area, name, jobs):
    """A tree for each job."""
    trees = queue.Queue()
    trees.put(f'{area.work}/{name}')
    for copy in range(1, jobs):
        to = f'{area.work}/{name}{copy}'
        if not os.path.exists(to):
            shutil.copytree(f'{area.work}/{name}', to, symlinks=True)
        trees.put(to)
    return trees


def prepare(area, names, faults, jobs, start):
    """The programs that pass without a fault, the quickest first, and a tree for each job."""
    trees = copies(area, 'tree', jobs)
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


def prepare_sources(area, jobs):
    """The same of programs that read sources, in plain trees."""
    plains = copies(area, 'plain', jobs)
    programs = [source_program(area, *item) for item in programs_of(area, 'source_programs').items()
                if not item[1][0].startswith('build/')]

    def once(program):
        passed, program.seconds = with_tree(plains, lambda plain: run(plain, program.command, 900, {}))
        if not passed:
            print(f'{program.name} fails without any fault, so it judges none', flush=True)
        return passed
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        programs = [p for p, passed in zip(programs, list(pool.map(once, programs))) if passed]
    programs.sort(key=lambda p: p.seconds)
    print('of sources: ' + (', '.join(f'{p.name} {p.seconds:.1f}' for p in programs) or 'none'), flush=True)
    return programs, plains


def judge_all(trees, faults, programs, jobs, until=None, of_sources=None):
    """`faults`: each with the name of the program that is tried first, or None. After `until` none is begun.
    `of_sources`: judges what is left then."""
    def one(item):
        fault, first = item
        if until and time.monotonic() > until:
            return
        with_tree(trees, lambda tree: judge(tree, fault, programs, first))
        if of_sources and fault.outcome in ('survived', 'not reached'):
            of_sources(fault)
        if os.isatty(1) or os.environ.get('V'):
            print(f'{fault.outcome} {fault.killer} {fault.seconds:.1f} {fault.path} {fault.key()}', flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, faults))


def patch(area, fault):
    source = read(f'{area.work}/plain/{fault.path}')
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
            out.write(f'# {f.outcome}, {f.operator}: {f.key()}\n{patch(area, f)}\n')
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
    known = equivalents()
    names = {key.split(' | ')[0] for key in known}
    keys = {f.key() for area in AREAS for f in Area(area).all_sites(names)}
    gone = [key for key in known if key not in keys]
    for key in gone:
        print(f'tests/meta/mutants/equivalent names what is no fault of any source: {key}')
    print(f'{len(known) - len(gone)} passed, {len(gone)} failed')
    return 1 if gone or not known else 0


def keep(area, sample):
    with open(f'{area.work}/sample', 'wb') as stream:
        pickle.dump(sample, stream)


def begin(area, seed, count, is_new):
    """The sample: as it was left, if it is the same that was begun; or a new one, its sources in a tree of its own."""
    if not is_new and os.path.exists(f'{area.work}/sample'):
        sample = pickle.loads(read(f'{area.work}/sample'))
        if sample['of'] == (seed, count):
            return sample
    found = area.sites()
    faults = sorted(found, key=lambda f: f.draw(seed))[:count]
    for number, fault in enumerate(faults):
        fault.number = number + 1
    sample = {'of': (seed, count), 'faults': make_tree(area, faults)}
    print(f'{len(sample["faults"])} of {len(found)} faults in one build', flush=True)
    keep(area, sample)
    return sample


def main():
    if not has_clang():
        print("Debian's python3-clang is not installed: no fault is generated\n0 passed, 0 failed, 1 skipped")
        return 0
    if sys.argv[1] == '--known':
        return check_known()
    name, seed, count, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    least = float(sys.argv[5]) if len(sys.argv) > 5 else 0.0
    seconds = float(os.environ.get('PIECE') or 0)
    start = time.monotonic()
    area, until = Area(name), start + seconds if seconds else None
    sample = begin(area, seed, count, is_new=not seconds)
    faults = sample['faults']
    if 'programs' not in sample:
        sample['programs'], _ = prepare(area, build(area, jobs, until), faults, jobs, start)
        keep(area, sample)
    if 'of_sources' not in sample:
        sample['of_sources'], _ = prepare_sources(area, jobs)
        keep(area, sample)
    trees, plains = copies(area, 'tree', jobs), copies(area, 'plain', jobs)
    equivalent = equivalents()
    for fault in faults:
        if fault.key() in equivalent:
            fault.outcome = 'equivalent'
    judge_all(trees, [(f, None) for f in faults if not f.outcome], sample['programs'], jobs, until,
              lambda fault: with_tree(plains, lambda p: judge_source(area, p, fault, sample['of_sources'])))
    keep(area, sample)
    share = report(area, seed, [f for f in faults if f.outcome], sample['programs'] + sample['of_sources'])
    left = sum(not f.outcome for f in faults)
    if left:
        print(f'{left} faults are left; the same again goes on')
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
