#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""covers.py [WORD...]: list every test by tier, or only the tests of which all these words are said.

A row has a target, its seconds and what it covers. Indented below it are the names that its result lines print, where
they are several. Seconds are those of the last run of each (build/tests/summary, or the run before it). With words each
row is followed by its file, or by the makefile that has its rule. The environment has each tier's targets: QUICK, FULL
and LONG. Status 2: the words are found nowhere.

What a test covers is in tests/meta/lists/covers, which wrong() judges for lists.py.
"""
import fnmatch
import glob
import os
import re
import signal
import sys

TABLE, COUNTS = 'tests/meta/lists/covers', 'tests/meta/counts'
# Where the tests are whose rules are in another folder.
FOLDERS = {'bench': 'tests/meta/bench', 'boards': 'tests/chip/board', 'host': 'tests/host/lib', 'model': 'tests/model',
           'spec': 'tests/meta/spec'}
LONGEST = 78  # characters that say what a test covers
TIERS = (('QUICK', 'quick: make test'), ('FULL', 'full: make test-rest, also required before merging'),
         ('LONG', 'long: make test-long, by hand'))


def table():
    """Target -> (text, [(result, text)]), and the targets and results that are there twice."""
    rows, twice, results = {}, [], None
    with open(TABLE, encoding='utf-8') as file:
        for line in file:
            if not line.strip() or line[0] == '#':
                continue
            name, _, text = line.strip().partition(': ')
            if line[0] != ' ':
                twice += [name] if name in rows else []
                results = []
                rows[name] = (text, results)
            else:
                twice += [name] if results is None or name in [result for result, _ in results] else []
                if results is not None:
                    results.append((name, text))
    return rows, twice


def counted():
    """Target -> the names of its result lines."""
    found = {}
    with open(COUNTS, encoding='utf-8') as file:
        for line in file:
            if line[0] != '#':
                name, target = line.split()[:2]
                found.setdefault(target, []).append(name)
    return found


def line_of(name, results):
    """The line in whose name a result is found: the exact one first."""
    exact = [result for result, _ in results if result == name]
    return (exact + [result for result, _ in results if fnmatch.fnmatchcase(name, result)] + [None])[0]


def wrong(targets):
    """What is wrong between the table and the targets of all lists."""
    rows, twice = table()
    names = counted()
    found = [f'{TABLE}: {name} has more than one line' for name in twice]
    found += [f'{TABLE}: {target} has no line. Say there what it covers' for target in sorted(targets - rows.keys())]
    found += [f'{TABLE}: {target} is in no list. Remove its line' for target in sorted(rows.keys() - targets)]
    for target, (text, results) in rows.items():
        owned = names.get(target, [])
        used = {line_of(name, results) for name in owned}
        for name, said in [(target, text)] + results:
            if not said or len(said) > LONGEST:
                found.append(f'{TABLE}: {name}: {len(said)} characters, from 1 to {LONGEST} are right')
        found += [f'{TABLE}: {name} is not a result of {target} (tests/meta/counts). Remove its line'
                  for name, _ in results if name not in used]
        if len(owned) > 1:
            found += [f'{TABLE}: {name} of {target} has no line. Say there what it covers'
                      for name in owned if line_of(name, results) is None]
    return found


def seconds():
    """Result -> seconds of its last run."""
    found = {}
    for path in ('build/tests.before/summary', 'build/tests/summary'):
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                found.update((words[0], int(words[3])) for words in map(str.split, file) if len(words) > 3)
    return found


def makefiles():
    """Target -> the makefile that has its rule."""
    found = {}
    for path in sorted(set(glob.glob('*/**/*.mk', recursive=True)) - set(glob.glob('build/**', recursive=True))):
        with open(path, encoding='utf-8') as file:
            for targets in re.findall(r'^([a-z][^:=\n]*):(?!=)', file.read(), re.MULTILINE):
                found.update((target, path) for target in targets.split())
    return found


def source(name, makefile):
    """The file below the makefile's folder whose name says most of a test's name, or else the makefile."""
    folder = os.path.dirname(makefile)
    folder = folder if folder.startswith('tests/') else FOLDERS.get(folder.split('/')[0], folder)
    files = {}
    for path in sorted(glob.glob(folder + '/**/*.*', recursive=True), key=lambda path: '/test_' in path):
        stem = os.path.basename(path).split('.')[0]
        if re.search(r'\.(c|cpp|v|sh|py|S)$', path):
            files[stem] = path
            files[re.sub(r'^(test|fuzz|icarus)_|_(test|formal)$', '', stem)] = path
    words = re.sub(r'^test-', '', name).split('-')
    spans = sorted(((start, end) for start in range(len(words)) for end in range(start + 1, len(words) + 1)),
                   key=lambda span: (span[0] - span[1], -span[0]))
    return next((files[each] for each in ('_'.join(words[start:end]) for start, end in spans) if each in files),
                makefile)


def row(name, taken, text, indent):
    return f'{indent + name:<36} {"-" if taken is None else taken:>4} {text}'


def listed(target, wanted, took, rules):
    """The rows of a target, if all that is wanted is said in one of them."""
    text, results = table_rows[target]
    owned = names[target]

    def said(*words):
        return all(word in ' '.join(words).lower() for word in wanted)

    def sum_of(some):
        known = [took[name] for name in some if name in took]
        return sum(known) if known else None

    other = f' [{owned[0]}]' if len(owned) == 1 and owned[0] != re.sub('^test-', '', target) else ''
    lines = [(row(target, sum_of(owned), text + other, '  '), target, said(target, text, *owned[:len(owned) == 1]))]
    for result, covered in results:
        of_it = [name for name in owned if line_of(name, results) == result]
        lines.append((row(result, sum_of(of_it), covered, '    '), result, said(target, result, covered, *of_it)))
    if not any(shown for _, _, shown in lines):
        return []
    found = []
    for number, (line, name, shown) in enumerate(lines):
        if shown or number == 0:
            found.append(line)
            if wanted and shown and target in rules:
                found.append(' ' * 42 + source(name, rules[target]))
    return found


def main(words):
    wanted = [word.lower() for word in words]
    took, rules, found = seconds(), makefiles() if wanted else {}, False
    for tier, title in TIERS:
        targets = sorted(os.environ.get(tier, '').split())
        missing = [target for target in targets if target not in table_rows or target not in names]
        lines = [line for target in targets if target not in missing
                 for line in listed(target, wanted, took, rules)]
        lines += [row(target, None, f'has no line in {TABLE}', '  ') for target in missing if not wanted]
        if lines:
            print(f'{title} ({len(targets)} targets; seconds, what it covers)' if not wanted else title)
            print('\n'.join(lines))
            found = True
    if not found:
        print(f"no test says '{' '.join(words)}'. List all of them: make tests", file=sys.stderr)
    return 0 if found else 2


if __name__ == '__main__':
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    table_rows, names = table()[0], counted()
    sys.exit(main(sys.argv[1:]))
