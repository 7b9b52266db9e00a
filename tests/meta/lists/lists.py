# SPDX-License-Identifier: Apache-2.0
"""make -pqrR help | lists.py FILE...: does every test belong to a target that some list has?

Of the files below tests/, each program, script and proof has to be reached: as a prerequisite or in a recipe of a
target that TESTS, TESTS_FULL or TESTS_LONG names, or of what such a target needs; or, but for test_*.c and
test_*.cpp, because a file that is reached names it. What only measures or draws may be reached from any target
that is no file. A file that is not reached would never run and never be missed. Likewise each of these targets has to
be in tests/meta/counts, and no other; and tests/meta/lists/covers says of each, and of no other, what it covers. The
table of areas in CONTRIBUTING.md has every folder of the tree, and what it says to run is in a list.
"""
import os
import re
import sys

import covers

KINDS = re.compile(r'\.(c|cpp|S|v|sv|sh|py|awk|gdb)$')
TEST = re.compile(r'/test_[^/]*$|_test\.[a-z]*$|_formal\.v$|^tests/formal/|^tests/unit/[^/]*/')
PROGRAM = re.compile(r'/test_[^/]*\.(c|cpp)$')
PATH = re.compile(r'tests/[A-Za-z0-9_./-]*[A-Za-z0-9_]')


def database(text):
    """Make's own listing: target -> (prerequisites, recipe); patterns apart; the lists; what is no file."""
    rules, patterns, lists, phony, current = {}, [], [], set(), None
    for line in text.split('\n'):
        if line.startswith('\t'):
            if current is not None:
                current[1].append(line)
            continue
        if re.match(r'(TESTS|TESTS_FULL|TESTS_LONG) :?= ', line):
            lists += line.split('= ', 1)[1].split()
        rule = re.match(r'([^\s#:=][^:=#]*):{1,2}(?!=)([^=]*)$', line)
        if rule is None:
            if line and not line.startswith('#'):
                current = None
            continue
        needed = rule[2].replace('|', ' ').split()
        if rule[1].strip() == '.PHONY':
            phony.update(needed)
        for target in rule[1].split():
            if '%' in target:
                current = (needed, [])
                patterns.append((target, current))
            else:
                current = rules.setdefault(target, ([], []))
                current[0].extend(needed)
    return rules, patterns, lists, phony


def closure(targets, rules, patterns):
    """Every file that these targets need or name in a recipe."""
    seen, waiting = set(), list(targets)
    while waiting:
        target = waiting.pop()
        if target in seen:
            continue
        seen.add(target)
        if target in rules:
            waiting += rules[target][0]
            waiting += PATH.findall('\n'.join(rules[target][1]))
        if target not in rules or not rules[target][1]:
            for pattern, (needed, recipe) in patterns:
                before, after = pattern.split('%', 1)
                if len(target) > len(before + after) and target.startswith(before) and target.endswith(after):
                    stem = target[len(before):len(target) - len(after)]
                    found = [name.replace('%', stem) for name in needed]
                    if all(os.path.exists(name) or name in rules for name in found if '/' in name and
                           not name.startswith('build/')):
                        waiting += found + PATH.findall('\n'.join(recipe))
    return seen


def named(seen, files):
    """With those of `files` that a reached file below tests/ names by path or by name, as an include or an argument."""
    by_name = {}
    for path in files:
        by_name.setdefault(os.path.basename(path), []).append(path)
    waiting = [path for path in seen if path.startswith('tests/') and os.path.isfile(path)]
    reached = set(waiting)
    while waiting:
        with open(waiting.pop(), errors='replace') as stream:
            words = set(re.findall(r'[A-Za-z0-9_.-]+', stream.read()))
        for word in words & by_name.keys():
            for path in by_name[word]:
                if path not in reached:
                    reached.add(path)
                    waiting.append(path)
    return reached


def uncounted(lists):
    """What is wrong between the lists and the targets in tests/meta/counts."""
    with open('tests/meta/counts') as stream:
        counted = {line.split()[1] for line in stream if line[0] != '#'}
    return ([f'{target}: tests/meta/counts has no test of it' for target in sorted(set(lists) - counted)] +
            [f'tests/meta/counts names {target}, which is in no list' for target in sorted(counted - set(lists))])


def areas(lists):
    """What is wrong in the table of CONTRIBUTING.md that says which tests a change to a folder runs."""
    with open('CONTRIBUTING.md', encoding='utf-8') as stream:
        rows = [line.split('|') for line in stream.read().split('| you changed')[1].split('\n\n')[0].split('\n')[2:]]
    code = [[re.findall('`([^`]*)`', cell) for cell in row[1:3]] for row in rows]
    folders = {path.split('/')[0] for paths, _ in code for path in paths}
    here = {name for name in os.listdir('.') if os.path.isdir(name) and name[0] != '.'} - {'build', 'out'}
    names = [name for _, words in code for word in words for name in word.strip('"').split()]
    return ([f'CONTRIBUTING.md: its table of areas lacks {folder}/' for folder in sorted(here - folders)] +
            [f'CONTRIBUTING.md: its table of areas names {name}, which is in no list' for name in names
             if not {name, f'test-{name}'} & set(lists)])


def main():
    files = [path for path in sys.argv[1:] if path.startswith('tests/') and KINDS.search(path)]
    rules, patterns, lists, phony = database(sys.stdin.read())
    by_target = closure(lists, rules, patterns)
    tested = named(by_target, files)
    used = named(closure(phony, rules, patterns), files)
    failed = 0
    if len(lists) == 0 or len(files) == 0:
        print('no lists, or no files: this is not a listing of make -pqrR help')
        failed += 1
    for path in sorted(files):
        good = by_target if PROGRAM.search(path) else tested if TEST.search(path) else used
        if path not in good:
            print(f'{path}: no target {"of TESTS or another list " if TEST.search(path) else ""}comes to it.',
                  'Add it to one, or remove it.')
            failed += 1
    for wrong in uncounted(lists) + covers.wrong(set(lists)) + areas(lists):
        print(wrong)
        failed += 1
    print(f'{max(len(files) - failed, 0)} passed, {failed} failed')
    return failed > 0


sys.exit(main())
