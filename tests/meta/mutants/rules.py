# SPDX-License-Identifier: Apache-2.0
"""Faults of our own: one rule of the documents broken, or one defect put back that was found once.

    rules.py --apply LIST...                        does each entry still find its place?
    rules.py --names LIST...                        NAME BY of each
    rules.py --write LIST NAME FOLDER               the sources of one entry, mutated, below FOLDER; prints their paths
    rules.py --run AREA JOBS 'TARGET...' LIST...    is each noticed? AREA names the folder below build/mutants
An entry of a list (# begins a comment):

    no-pin: what a DMA buffer has bound stays where it is when it is split
        firmware/plan/splitter.c splitter_plan
        - mark_carried(splitter, residency);
        +

The name, in brackets the program that is tried first (without firmware-; for faults that only slow programs notice),
and the rule in words; then the function and what stands there ("-", as often as needed) and what replaces it ("+").
Both are compared token by token, so that layout and comments do not matter; what stands there has to be found in that
function exactly once. Several pairs, in several functions, are one fault. All of a list are compiled at once behind the
number MUTANT (mutant.h), the smallest statement or full expression around each; a fault is judged by the programs of
the targets that come to it, as in mutants.py.
"""
import os
import re
import sys
import time

from fault import Fault, normal

HEAD = re.compile(r'([a-z0-9-]+)(?: \[([a-z0-9-]+)\])?: (.+)$')
PLACE = re.compile(r'([\w./-]+\.[ch]) (\w+)$')
TOKEN = re.compile(r'''(?P<skip>/\*.*?\*/|//[^\n]*|\s+|\\\n)|\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|
                       \w+|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.''', re.S | re.X)


class Problem(Exception):
    """Why an entry has no place: said with its name."""


class Entry:
    def __init__(self, name, by, reason):
        self.name, self.by, self.reason, self.edits = name, by, reason, []


class Edit:
    """What is replaced in one function: (old, new) pairs of text."""

    def __init__(self, path, function):
        self.path, self.function, self.pairs = path, function, []


def read_list(path):
    entries, entry = [], None
    with open(path) as stream:
        for number, line in enumerate(stream, 1):
            text = line.strip()
            if not text or text.startswith('#'):
                continue
            head, place = HEAD.match(line.rstrip('\n')), PLACE.match(text)
            if head:
                entry = Entry(*head.groups())
                entries.append(entry)
            elif entry and place:
                entry.edits.append(Edit(*place.groups()))
            elif entry and entry.edits and text[0] == '-':
                pairs = entry.edits[-1].pairs
                if pairs and pairs[-1][1] is None:
                    pairs[-1][0] += ' ' + text[1:]
                else:
                    pairs.append([text[1:], None])
            elif entry and entry.edits and entry.edits[-1].pairs and text[0] == '+':
                pair = entry.edits[-1].pairs[-1]
                pair[1] = text[1:] if pair[1] is None else pair[1] + ' ' + text[1:]
            else:
                raise Problem(f'{path}:{number}: neither a name with its rule, a place, nor what stands there: {text}')
    return entries


def read_lists(paths):
    entries = [entry for path in paths for entry in read_list(path)]
    names = [entry.name for entry in entries]
    for entry in entries:
        if names.count(entry.name) > 1:
            raise Problem(f'{entry.name}: two entries have this name')
        if not entry.edits or any(not e.pairs or any(new is None for _, new in e.pairs) for e in entry.edits):
            raise Problem(f'{entry.name}: a place, what stands there (-) and what replaces it (+) are missing')
    return entries


# -------------------------------------------------------------------- where the tokens stand
def tokens(text):
    return [(m[0], m.start(), m.end()) for m in TOKEN.finditer(text) if m['skip'] is None]


def closing(found, at, pair):
    depth = 0
    for i in range(at, len(found)):
        depth += {pair[0]: 1, pair[1]: -1}.get(found[i][0], 0)
        if depth == 0:
            return i
    return len(found)


def body_of(found, function):
    """The tokens of a function's body, from its brace to the last one."""
    bodies, at = [], 0
    while at < len(found):
        if found[at][0] == '{':
            end = closing(found, at, '{}')
            opened = [i for i in range(at) if found[i][0] == '(' and closing(found, i, '()') == at - 1] if \
                found[at - 1][0] == ')' else []
            if opened and found[opened[0] - 1][0] == function:
                bodies.append((at, end + 1))
            at = end
        at += 1
    return bodies


class Source:
    """A file, its tokens, and in time the places where Clang says that a fault can be chosen."""
    known = {}

    def __init__(self, root, path):
        with open(f'{root}/{path}') as stream:
            self.text = stream.read()
        self.path, self.tokens, self.units = path, tokens(self.text), None

    @classmethod
    def of(cls, root, path):
        if path not in cls.known:
            cls.known[path] = cls(root, path)
        return cls.known[path]

    def places(self, edit):
        """[(start, end, what stands there instead)]: of each pair only the tokens that differ."""
        bodies = body_of(self.tokens, edit.function)
        if len(bodies) != 1:
            raise Problem(f'{self.path} has {len(bodies)} functions {edit.function}')
        words = [token[0] for token in self.tokens]
        found = []
        for old, new in edit.pairs:
            before, after = [t[0] for t in tokens(old)], [t[0] for t in tokens(new)]
            size = len(before)
            at = [i for i in range(bodies[0][0], bodies[0][1] - size + 1) if words[i:i + size] == before]
            if len(at) != 1 or not size:
                raise Problem(f'{self.path} {edit.function}: stands there {len(at)} times, not once: {normal(old)}')
            if before == after:
                raise Problem(f'{self.path} {edit.function}: nothing is replaced: {normal(old)}')
            first, last = 0, 0
            while first < min(size, len(after)) and before[first] == after[first]:
                first += 1
            while last < min(size, len(after)) - first and before[-1 - last] == after[-1 - last]:
                last += 1
            here = self.tokens[at[0] + first:at[0] + size - last]
            start = here[0][1] if here else self.tokens[at[0] + first - 1][2] if first else self.tokens[at[0]][1]
            found.append((start, here[-1][2] if here else start, ' '.join(after[first:len(after) - last])))
        return sorted(found)


def changed(text, start, end, places):
    """text[start:end] with what replaces the places in it."""
    out, at = [], start
    for first, last, new in places:
        out += [text[at:first], ' ', new, ' ']
        at = last
    return ''.join(out) + text[at:end]


def faults_of(root, entry, flags):
    """The faults that are this entry, all of one number: in each function the smallest place around its changes."""
    import mutate_c
    faults = []
    for edit in entry.edits:
        source = Source.of(root, edit.path)
        places = source.places(edit)
        if source.units is None:
            source.units = mutate_c.units(root, edit.path, flags)
        start, end = places[0][0], places[-1][1]
        around = [u for u in source.units if (u[0] <= start and end <= u[1] if start < end else u[0] < start < u[1])]
        if not around:
            raise Problem(f'{edit.path} {edit.function}: not inside a function that Clang finds')
        first, last, kind = min(around, key=lambda u: (u[1] - u[0], u[2]))
        faults.append(Fault(edit.path, first, last, 'rule', edit.function, entry.name, source.text[first:last],
                            changed(source.text, first, last, places), kind))
    return faults


# -------------------------------------------------------------------- what is asked of lists
def check(root, entries):
    """Prints which entries have no place; how many."""
    failed = 0
    for entry in entries:
        try:
            for edit in entry.edits:
                if not os.path.exists(f'{root}/{edit.path}'):
                    raise Problem(f'there is no {edit.path}')
                Source.of(root, edit.path).places(edit)
        except Problem as problem:
            print(f'FAIL {entry.name}: {problem}')
            failed += 1
    return failed


def write(root, entry, folder):
    texts = {}
    for edit in entry.edits:
        texts.setdefault(edit.path, []).extend(Source.of(root, edit.path).places(edit))
    for path, places in texts.items():
        text = Source.of(root, path).text
        os.makedirs(os.path.dirname(f'{folder}/{path}'), exist_ok=True)
        with open(f'{folder}/{path}', 'w') as stream:
            stream.write(changed(text, 0, len(text), sorted(places)))
        print(path)


def run(name, jobs, targets, entries):
    import mutants
    if not mutants.has_clang():
        print("Debian's python3-clang is not installed: no fault is compiled\n0 passed, 0 failed, 1 skipped")
        return 0
    failed = check(mutants.ROOT, entries)
    start, area, faults = time.monotonic(), mutants.Area(name, targets, ('SANITIZE=',)), []
    for number, entry in enumerate(entries, 1):
        try:
            entry.faults = faults_of(mutants.ROOT, entry, area.flags()) if not failed else []
        except Problem as problem:
            print(f'FAIL {entry.name}: {problem}')
            failed += 1
        for fault in entry.faults:
            fault.number = number
        faults += entry.faults
    if failed:
        print(f'0 passed, {failed} failed')
        return 1
    built = mutants.make_tree(area, faults)
    names = mutants.build(area, jobs)
    programs, trees = mutants.prepare(area, names, faults, jobs, start)
    for entry in entries:
        entry.judged = entry.faults[0]
        if not all(fault in built for fault in entry.faults):
            entry.judged.outcome = 'does not compile'
    mutants.judge_all(trees, [(e.judged, e.by) for e in entries if not e.judged.outcome], programs, jobs)
    noticed = 0
    failed = len(names) - len(programs)
    for entry in entries:
        if entry.by and entry.by not in names and f'firmware-{entry.by}' not in names:
            print(f'FAIL {entry.name}: [{entry.by}] is no program of these targets')
            failed += 1
    for entry in entries:
        fault = entry.judged
        if fault.outcome in ('killed', 'timed out'):
            noticed += 1
            print(f'ok   {entry.name}: {fault.killer}, {fault.seconds:.1f} s')
        else:
            print(f'FAIL {entry.name}: {fault.outcome}: {entry.reason}')
    failed += len(entries) - noticed
    print(f'{time.monotonic() - start:.0f} s\n{noticed} passed, {failed} failed')
    return 1 if failed or not noticed else 0


def main(words):
    root = os.getcwd()
    try:
        if words[0] == '--run':
            return run(words[1], int(words[2]), words[3].split(), read_lists(words[4:]))
        if words[0] == '--write':
            write(root, {e.name: e for e in read_lists(words[1:2])}[words[2]], words[3])
            return 0
        entries = read_lists(words[1:])
        if words[0] == '--names':
            for entry in entries:
                print(entry.name, entry.by or '-')
            return 0
        failed = check(root, entries)
    except Problem as problem:
        print(f'FAIL {problem}\n0 passed, 1 failed')
        return 1
    print(f'{len(entries) - failed} passed, {failed} failed')
    return 1 if failed or not entries else 0


if __name__ == '__main__':
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(sys.argv[1:]))
