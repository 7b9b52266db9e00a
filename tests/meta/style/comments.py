# SPDX-License-Identifier: Apache-2.0
"""comments.py [--all] FILE...: do headers' comments and the heads of RTL files read as docs/style.md asks?

Of a C header every comment is judged, of a Verilog file its head: the comment before the first line of code. A
sentence has at most 40 words. A file's mean is at most MEAN; a header's is HEADER_MEAN, because notes on fields are
short. No phrase of tests/meta/style/phrases occurs. A head of RTL has at most HEAD lines, drawings and tables not
counted. Prints a line for each breach and ends with "N passed, N failed", a check for each rule and file. --all also
prints each file's figures.
"""
import re
import sys

from style import ENDS, LONGEST, paragraphs, phrases, plain, told

MEAN, HEADER_MEAN, HEAD = 17.0, 14.0, 14
DRAWN = re.compile(r'--|->|<-|==|\|| {3,}\S|\.{4,}|^\s*[+|]')
ROW = re.compile(r'^\s+(- |[\w/:<>\[\], ]+ {2,}\S)')


def of_header(text):
    """(line number, line) of each comment, an empty one after each."""
    for match in re.finditer(r'/\*(.*?)\*/', text, re.DOTALL):
        first = text.count('\n', 0, match.start()) + 1
        for number, line in enumerate(match[1].split('\n'), first):
            yield number, re.sub(r'^\s*\*( |$)', '', line) if number > first else line.strip()
        yield number, ''


def of_head(text):
    """(line number, line) of the comment before the first line of code."""
    for number, line in enumerate(text.split('\n'), 1):
        if not line.startswith('//'):
            return
        yield number, re.sub(r'^// ?', '', line)


def prose(lines):
    """Drawings left out; a table's row begins a sentence of its own."""
    for number, line in lines:
        if 'SPDX-License' in line:
            yield number, ''
        elif ROW.match(line):
            yield number, ''
            yield number, re.sub(r'^\s+(- )?', '', line)
        else:
            yield number, '' if DRAWN.search(line.strip()) else line


def judge(path, found, report):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    is_header = path.endswith('.h')
    limit = HEADER_MEAN if is_header else MEAN
    lines = list(of_header(text) if is_header else of_head(text))
    held = []
    for start, paragraph in paragraphs(prose(lines)):
        for sentence in ENDS.split(plain(paragraph)):
            count = len(re.findall(r"[A-Za-z0-9][A-Za-z0-9'./-]*", sentence))
            if count > 1:
                held.append((start, sentence, count))
    mean = sum(count for _, _, count in held) / max(1, len(held))
    long = [f'{path}:{line}: {count} words: {words[:70]}...' for line, words, count in held if count > LONGEST]
    average = [f'{path}: {mean:.1f} words a sentence on average, at most {limit:.0f}'] if mean > limit else []
    said = [f'{path}:{number}: "{match[0]}": write {instead}' for number, line in lines
            for pattern, instead in found for match in [pattern.search(plain(line))] if match]
    size = sum(1 for _, line in lines if line.strip() and not DRAWN.search(line) and 'SPDX-License' not in line)
    high = [f'{path}: a head of {size} lines, at most {HEAD}'] if not is_header and size > HEAD else []
    if report:
        print(f'{path}: {len(held)} sentences, mean {mean:.1f}, {len(long)} too long, {len(said)} phrases,',
              f'{size} lines')
    return [long, average, said] + ([] if is_header else [high])


def main(arguments):
    report = '--all' in arguments
    return told([rule for path in arguments if path != '--all' for rule in judge(path, phrases(), report)])


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
