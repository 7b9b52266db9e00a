# SPDX-License-Identifier: Apache-2.0
"""names.py FOLDER: does the C below FOLDER name its functions and fields in the field's words?

No two files have a static function of one name: cold.ld, profiles and the stack proof go by name alone. No name
says by a place what happens in time (docs/style.md, rule 3): a step yields, a list is flushed. Prints a line for each
breach and ends with "N passed, N failed", a check for each file.
"""
import collections
import pathlib
import re
import sys

STATIC = re.compile(r'^(?:__attribute__\(\(\w+\)\) )?static (?:inline )?[\w *]+?\b(\w+)\(', re.MULTILINE)
PLACES = re.compile(r'\b(\w*_)?(rests|rested|settles?|settled|settling|roomless|stands|anew)(_\w+)?\b')
COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)


def main(folder):
    owners, breaches, files = collections.defaultdict(list), collections.defaultdict(list), []
    for path in sorted(pathlib.Path(folder).rglob('*.[ch]')):
        code = COMMENT.sub('', path.read_text(encoding='utf-8'))
        files.append(path)
        for name in {match[1] for match in STATIC.finditer(code)}:
            owners[name].append(path)
        for name in sorted({match[0] for match in PLACES.finditer(code)}):
            breaches[path].append(f'{path}: "{name}" is a word for a place: name what happens')
    for name, paths in sorted(owners.items()):
        for path in paths[1:]:
            breaches[path].append(f'{path}: static {name} has the name of one in {paths[0]}: give each its own')
    for path in files:
        for line in breaches[path]:
            print(line)
    failed = sum(1 for path in files if breaches[path])
    print(f'{len(files) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
