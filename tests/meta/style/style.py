# SPDX-License-Identifier: Apache-2.0
"""style.py [--all] FILE.md...: does prose read as docs/style.md asks?

A sentence has at most 40 words, a page's mean is at most MEAN, prose lines have at most 120 columns, and no phrase of
tests/meta/style/phrases occurs. A link's #anchor is a heading of the page that it leads to. A test that is named is a
target; a source file, and a name with an underscore, is in the sources. A page for readers has at most READER words,
all pages together TOTAL. A measured figure is the one that tests/meta/style/figures finds where it is recorded; others
belong into docs/lab/. Code blocks, tables and links' addresses are not prose, and a list item is a sentence of its own.
Prints a line for each breach and ends with "N passed, N failed", a check for each rule and file. --all also prints each
page's figures.
"""
import functools
import glob
import os
import re
import sys

LONGEST, MEAN, COLUMNS = 40, 19.0, 120
READER, TOTAL, LINES = 2500, 45000, 110  # LINES of the README
READERS = ['README.md'] + [f'docs/{name}.md' for name in
                           'tour architecture memory engine core host testing'.split()]
MEANS = {'CHANGELOG.md': 15.0}
DATED = ['CHANGELOG.md']  # and docs/lab/: what was measured on a day may be said
ENDS = re.compile(r'(?<=[.!?:])["\')*]*\s+(?=["\'(*`\[A-Z])')
SOURCES = ('.c', '.h', '.v', '.vh', '.S', '.cpp', '.py', '.js', '.sh', '.mk', '.def', '.html', 'Makefile')
FOREIGN = {'litex_sim', 'tessera_ev_status'}  # LiteX's
PHRASES, FIGURES = 'tests/meta/style/phrases', 'tests/meta/style/figures'
MEASURED = re.compile(r'\b\d[\d,.]*\d{3} (cycles|LUT4|instructions)\b|\b\d+\.\d+ (MHz|times)\b')


def table(path):
    """Rows of a table of this folder: cells between ' => ', comments left out."""
    with open(path, encoding='utf-8') as file:
        return [line.rstrip('\n').split(' => ') for line in file if line.strip() and line[0] != '#']


def phrases():
    return [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in table(PHRASES)]


def anchors(path):
    """The headings of a page, as links name them."""
    with open(path, encoding='utf-8') as file:
        heads = re.findall(r'^#+ +(.*)$', re.sub(r'```.*?```', '', file.read(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r'[^a-z0-9 _-]', '', head.lower()).replace(' ', '-') for head in heads}


@functools.cache
def targets():
    """The tests that there are: every target of a makefile that is named test-NAME, patterns too."""
    files = ['Makefile'] + [file for file in glob.glob('*/**/*.mk', recursive=True) if not file.startswith('build/')]
    return set(re.findall(r'\btest-[a-z0-9-]+', ''.join(open(file, encoding='utf-8').read() for file in files)))


@functools.cache
def sources():
    """What the tree has: the ends of its files' names, and the words in its sources."""
    names, found = set(), set()
    for folder, folders, files in os.walk('.'):
        folders[:] = [name for name in folders if name[0] != '.' and name not in ('build', 'out', 'corpus', 'docs')]
        for name in files:
            names.add(name)
            if name.endswith(SOURCES):
                with open(f'{folder}/{name}', encoding='utf-8', errors='replace') as file:
                    found.update(re.findall(r'\b[a-z]\w*_\w+', file.read()))
    return names, found


def cited(path, text):
    """A file and a name of the sources that a page says are there: pages are not older than what they explain."""
    wrong = []
    for code in sorted(set(re.findall(r'`([^`\n]+)`', re.sub(r'```.*?```', '', text, flags=re.DOTALL)))):
        base = code.rsplit('/', 1)[-1]
        if re.fullmatch(r'[a-z][\w/.-]*\.(c|h|v|vh|S|cpp|py|js|sh|mk)', code) and \
                'NAME' not in base and not any(name.endswith(base) for name in sources()[0]):
            wrong.append(f'{path}: no file is named {code}')
        if re.fullmatch(r'[a-z][a-z0-9]*(_[a-z0-9]+)+', code) and code not in FOREIGN and code not in sources()[1]:
            wrong.append(f'{path}: no source has the name {code}')
    return wrong


def references(path, text):
    """A link's anchor, and a test, are there."""
    wrong = []
    for page, anchor in re.findall(r'\]\(([\w./-]*)#([^)\s]+)\)', text):
        target = os.path.normpath(os.path.join(os.path.dirname(path), page)) if page else path
        if os.path.exists(target) and anchor not in anchors(target):
            wrong.append(f'{path}: {target} has no heading #{anchor}')
    known = targets()
    for name in sorted(set(re.findall(r'`[^`\n]*?\b(test-[a-z0-9-]*[a-z0-9])(?![a-z0-9*-])', text)) - known):
        wrong.append(f'{path}: no makefile has {name}')
    return wrong


def figures(path, text):
    """What a page says of a figure that is recorded elsewhere is what is recorded; nothing else measured is said."""
    wrong, said = [], set()
    for page, words, source, begin, place in table(FIGURES):
        if page != path:
            continue
        with open(source, encoding='utf-8') as file:
            dividend, _, place = place.rpartition('/')  # "50000000/2": that many by the second word
            recorded = next(line.split()[int(place) - 1] for line in file if line.startswith(begin + ' '))
            recorded = str(round(int(dividend) / float(recorded))) if dividend else recorded
        whole, _, rest = recorded.partition('.')
        shown = f'{int(whole):,}' + (f'{float("0." + rest):.1f}'[1:] if rest else '')
        if words.replace('{}', shown) not in text:
            wrong.append(f'{path}: "{words}" is {shown} today ({source})')
        said.add(shown)
    for number, line in enumerate(text.split('\n'), 1):
        for match in MEASURED.finditer(line):
            if match[0].split()[0] not in said:
                wrong.append(f'{path}:{number}: "{match[0]}" is a figure of one day: name it in {FIGURES}')
    return wrong


def prose_lines(text):
    """(line number, text) of what is prose: no fences, tables, headings, comments of HTML, pictures."""
    fenced = False
    for number, line in enumerate(text.split('\n'), 1):
        if line.lstrip().startswith('```'):
            fenced = not fenced
        elif fenced or line.lstrip().startswith(('|', '#', '<!--', '![')):
            yield number, ''
        else:
            yield number, line


def paragraphs(lines):
    """Runs of prose, a list item by itself: (first line, text)."""
    start, held = 0, []
    for number, line in lines:
        item = re.match(r'\s*([-*+]|\d+\.)\s+', line)
        if not line.strip() or item:
            if held:
                yield start, ' '.join(held)
            start, held = number, []
        if line.strip():
            held.append(re.sub(r'^\s*([-*+]|\d+\.)\s+', '', line).strip())
            start = start if len(held) > 1 else number
    if held:
        yield start, ' '.join(held)


def plain(text):
    """What a reader reads: a link's words, a piece of code as one word."""
    text = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', text)
    return re.sub(r'`[^`]*`', 'code', text)


def sentences(text):
    for start, paragraph in paragraphs(prose_lines(text)):
        for sentence in ENDS.split(plain(paragraph)):
            words = re.findall(r"[A-Za-z0-9][A-Za-z0-9'./-]*", sentence)
            if len(words) > 1:
                yield start, sentence.strip(), len(words)


def words(path):
    with open(path, encoding='utf-8') as file:
        return len(file.read().split())


def lengths(paths):
    """No page for readers, and not all together, are too long."""
    wrong = [f'{path}: {words(path)} words, at most {READER}' for path in paths
             if path in READERS and words(path) > READER]
    if 'README.md' in paths:
        with open('README.md', encoding='utf-8') as file:
            lines = len(file.readlines())
        wrong += [f'README.md: {lines} lines, at most {LINES}'] if lines > LINES else []
    total = sum(map(words, paths))
    return wrong + ([f'all pages: {total} words, at most {TOTAL}'] if total > TOTAL else [])


def judge(path, found, report):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    held = list(sentences(text))
    mean = sum(count for _, _, count in held) / max(1, len(held))
    limit = MEANS.get(path, MEAN)
    long = [f'{path}:{line}: {count} words: {words[:70]}...' for line, words, count in held if count > LONGEST]
    wide = [f'{path}:{number}: {len(line)} columns, at most {COLUMNS}'
            for number, line in prose_lines(text) if len(line) > COLUMNS and ' ' in line[:COLUMNS].strip()]
    said = [f'{path}:{number}: "{match[0]}": write {instead}' for number, line in prose_lines(text)
            for pattern, instead in found for match in [pattern.search(plain(line))] if match]
    average = [f'{path}: {mean:.1f} words a sentence on average, at most {limit:.0f}'] if mean > limit else []
    if report:
        total = len(re.findall(r'\S+', text))
        print(f'{path}: {total} words, {len(held)} sentences, mean {mean:.1f}, {len(long)} too long,',
              f'{len(said)} phrases')
    dated = path in DATED or '/lab/' in path
    there = references(path, text) + ([] if dated else cited(path, text))
    return [long, average, wide, said, there] + ([] if dated else [figures(path, text)])


def told(rules):
    """Print the breaches of each rule and how many rules have some; the exit status."""
    for rule in rules:
        for line in rule:
            print(line)
    failed = sum(1 for rule in rules if rule)
    print(f'{len(rules) - failed} passed, {failed} failed')
    return 1 if failed else 0


def main(arguments):
    report = '--all' in arguments
    paths = [path for path in arguments if path != '--all']
    return told([rule for path in paths for rule in judge(path, phrases(), report)] + [lengths(paths)])


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
