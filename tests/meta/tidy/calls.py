# SPDX-License-Identifier: Apache-2.0
"""calls.py LAYERS FILE...: no files of a folder call each other in a circle, but those that LAYERS names.

Lines of LAYERS: `calls PATH`, the folder PATH and all below it; `called FOLDER FILE...`, files of one circle. A file
calls another if it has the name of a function or of a variable that the other one defines and other files may use.
Between folders the includes have one direction. Ends with "N passed, N failed", a check a folder.
"""
import os
import re
import sys

TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
STATIC = re.compile(r'^static\b[^;{}=]*?(\w+)\s*[\[(=;]', re.M)
DEFINED = re.compile(r'^(?!static\b|typedef\b|extern\b|[#\s])[\w\s*]+?[\s*](\w+)\s*'
                     r'(?:\([^;{}]*\)\s*\{|(?:\[[^\]]*\]\s*)*=)', re.M)
USED = re.compile(r'(?<!struct )(?<!enum )(?<!union )(?<!->)(?<!\.)\b[A-Za-z_]\w*')


def graph(files):
    """{file: {file: names}} of the files of one folder."""
    texts = {}
    for path in files:
        with open(path) as stream:
            texts[path] = TEXT.sub(' ', stream.read())
    home = {}
    for path, text in texts.items():
        for match in DEFINED.finditer(text):
            home.setdefault(match[1], set()).add(path)
    calls = {path: {} for path in files}
    for path, text in texts.items():
        own = set(STATIC.findall(text))
        for name in set(USED.findall(text)) - own:
            for other in home.get(name, ()):
                if path not in home[name]:
                    calls[path].setdefault(other, set()).add(name)
    return calls


def reached(calls, start):
    found, left = set(), [start]
    while left:
        for other in calls[left.pop()]:
            if other not in found:
                found.add(other)
                left.append(other)
    return found


def main():
    roots, allowed, folders, failed = [], [], {}, 0
    with open(sys.argv[1]) as stream:
        for line in stream:
            words = line.split()
            if words[:1] == ['calls']:
                roots += words[1:]
            elif words[:1] == ['called']:
                allowed.append({f'{words[1]}/{name}.c' for name in words[2:]})
    for path in sys.argv[2:]:
        if path.endswith('.c') and any(path.startswith(f'{root}/') for root in roots):
            folders.setdefault(os.path.dirname(path), []).append(path)
    needed = set()
    for folder, files in sorted(folders.items()):
        calls = graph(files)
        ways = {path: reached(calls, path) for path in files}
        bad = []
        for path in files:
            for other in sorted(calls[path]):
                if path not in ways[other]:
                    continue
                if any(path in group and other in group for group in allowed):
                    needed |= {path, other}
                else:
                    bad.append(f'{path} calls {other} ({", ".join(sorted(calls[path][other])[:3])}), which comes back')
        print('\n'.join(bad or [f'ok   {folder}']))
        failed += bool(bad)
    for path in sorted(set().union(*allowed) - needed if allowed else []):
        print(f'{sys.argv[1]}: {path} is in no circle by calls: remove it from that line')
        failed += 1
    print(f'{max(len(folders) - failed, 0)} passed, {failed} failed')
    return failed > 0 or not folders


sys.exit(main())
