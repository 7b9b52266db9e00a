#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""named.py NAME...: the test targets that these names mean, one a line, each once.

A name is a target (test-soak), a target without its prefix (soak), or a test as its result line prints it
(firmware-splitter): tests/meta/counts says which target runs a test. Names that make knows are in TEST_TARGETS.
An unknown name is an error that suggests the nearest ones: status 2, and nothing is printed on stdout.
"""
import difflib
import os
import sys


def counted(path='tests/meta/counts'):
    """Test name -> target, from the lines NAME TARGET CHECKS."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding='utf-8') as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith('#')]
    return {row[0]: row[1] for row in rows if row[1].startswith('test-')}


def main(names):
    tests = counted()
    targets = set(os.environ.get('TEST_TARGETS', '').split()) | set(tests.values())
    found = []
    for name in names:
        bare = name[len('test-'):] if name.startswith('test-') else name
        target = next((each for each in (name, 'test-' + bare) if each in targets), tests.get(name, tests.get(bare)))
        if target is None:
            known = {each[len('test-'):] for each in targets} | set(tests)
            near = difflib.get_close_matches(bare, sorted(known), 5, 0.5)
            hint = 'Did you mean ' + ', '.join(near) + '?' if near else "See tests/meta/counts for all names."
            print(f"no test is named '{bare}'. {hint}", file=sys.stderr)
            return 2
        found.append(target)
    print('\n'.join(dict.fromkeys(found)))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
