# SPDX-License-Identifier: Apache-2.0
"""coverage.py TREE OUT REASONS TEXT: add up what gcov counted in TREE and what designs counted in OUT/counts, and
judge. coverage.py --known REASONS: only whether each reason still is one of a line.

Writes OUT/coverage.html: a table of folders and files, and below it every line that no test came to and every signal of
RTL with bits that never changed; and the file TEXT, a page: the folders, the files of RTL, every line of firmware and
RTL that is not reached, and the reasons. REASONS has a line
FILE | how the source line begins | why no test comes to it, for each such line. It is a failure when less than LEAST
per cent of a folder's lines are reached, or of RTL's bits change, when a line of firmware or RTL is not reached and has
no reason, and when a reason is about a line that is reached or gone.

A line of RTL is one that Verilator counts: a statement of a process. Modules with other parameters count together, so a
line is reached if it is in any of them.
"""
import collections
import gzip
import html
import json
import os
import re
import subprocess
import sys

LEAST = {'firmware': 97.0, 'host': 0.0, 'model': 0.0, 'sim': 0.0}
LEAST_RTL, LEAST_BITS = 99.0, 93.0
REASONED = ('firmware', 'rtl')
BEGINNING = 45
POINT = re.compile(r"^C '(.*)' (\d+)$")


def counts(tree):
    """path -> line -> how often it ran, the copies of an object added up."""
    data = [os.path.join(folder, name) for folder, _, names in os.walk(f'{tree}/build') for name in names
            if name.endswith('.gcno') and os.path.exists(os.path.join(folder, name))]
    ran = collections.defaultdict(dict)
    for start in range(0, len(data), 40):
        # Where a program never ran, its .gcno alone says which lines there are.
        done = subprocess.run(['gcov', '--json-format', '--stdout', *data[start:start + 40]], cwd=tree,
                              capture_output=True, check=False)
        text = done.stdout
        if text[:2] == b'\x1f\x8b':
            text = gzip.decompress(text)
        for line in text.decode(errors='replace').splitlines():
            if not line.startswith('{'):
                continue
            for file in json.loads(line)['files']:
                path = os.path.relpath(os.path.join(tree, file['file']), tree)
                if path.split('/')[0] not in LEAST or not os.path.exists(path):
                    continue
                for at in file['lines']:
                    number = at['line_number']
                    ran[path][number] = ran[path].get(number, 0) + at['count']
    return ran


def design_counts(folder):
    """path -> line -> how often it ran; path -> (line, bit of a signal) -> how often it changed; of all designs"""
    ran, changed = collections.defaultdict(dict), collections.defaultdict(dict)
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        with open(f'{folder}/{name}', errors='replace') as stream:
            for text in stream:
                match = POINT.match(text)
                if match is None:
                    continue
                field = dict(part.split('\x02', 1) for part in match[1].split('\x01') if '\x02' in part)
                path, count = field['f'], int(match[2])
                if not path.startswith('rtl/'):
                    continue
                if field['page'].startswith('v_toggle') and not field['o'].startswith('unused'): # a word to the linters
                    at = (int(field['l']), field['o'])
                    changed[path][at] = changed[path].get(at, 0) + count
                for part in filter(None, field.get('S', '').split(',')):
                    first, last = (part + '-' + part).split('-')[:2]
                    for line in range(int(first), int(last) + 1):
                        ran[path][line] = ran[path].get(line, 0) + count
    return ran, changed


def read_reasons(path):
    """(file, beginning) -> reasons, one for each line that begins so, in their order"""
    reasons = collections.defaultdict(list)
    with open(path) as stream:
        for line in stream:
            if line.strip() and not line.startswith('#'):
                row = [part.strip() for part in line.split(' | ', 2)]
                reasons[row[0], row[1]].append(row[2] if len(row) > 2 else '')
    return reasons


def still_signals(changed):
    """path -> text: the signals with bits that never changed, and which"""
    still = {}
    for path, bits in sorted(changed.items()):
        names = collections.defaultdict(list)
        for (line, bit), count in sorted(bits.items()):
            if count == 0:
                names[line, bit.split('[')[0]].append(bit[bit.find('['):] if '[' in bit else '')
        if names:
            still[path] = '\n'.join(f'{line:5}  {name}{"".join(which)}' for (line, name), which in names.items())
    return still


def page(out, table, unreached, still):
    with open(f'{out}/coverage.html', 'w') as stream:
        stream.write('<!doctype html><meta charset="utf-8"><title>Coverage</title><style>body{font:14px sans-serif;'
                     'margin:2em}td,th{padding:1px 12px;text-align:right}td:first-child{text-align:left}'
                     'pre{margin:0}</style><h1>What the tests reach</h1><table><tr><th>file<th>lines<th>reached<th>%')
        for name, lines, reached in table:
            weight = 'b' if '/' not in name else 'span'
            stream.write(f'<tr><td><{weight}>{html.escape(name)}</{weight}><td>{lines}<td>{reached}'
                         f'<td>{100 * reached / max(lines, 1):.1f}')
        stream.write('</table><h1>What none comes to</h1>')
        for path, rows in unreached.items():
            stream.write(f'<h3>{html.escape(path)}</h3><pre>')
            for number, text, reason in rows:
                stream.write(html.escape(f'{number:5}  {text}' + (f'        <- {reason}' if reason else '')) + '\n')
            stream.write('</pre>')
        stream.write('<h1>Signals of RTL with bits that never change</h1>')
        for path, text in still.items():
            stream.write(f'<h3>{html.escape(path)}</h3><pre>{html.escape(text)}</pre>')


def text_page(path, table, unreached):
    """On one page: folders, files of RTL, and of firmware and RTL every line that is not reached."""
    with open(path, 'w') as stream:
        stream.write(f'{"folder":40}{"lines":>8}{"reached":>9}{"%":>8}\n')
        for name, lines, reached in table:
            if '/' not in name or name.startswith('rtl'):
                stream.write(f'{name:40}{lines:8}{reached:9}{100 * reached / max(lines, 1):8.1f}\n')
        stream.write('\nLines of firmware and RTL that no test reaches, and why\n')
        for file, rows in unreached.items():
            if file.split('/')[0] in REASONED:
                stream.write(f'\n{file}\n')
                for number, text, reason in rows:
                    stream.write(f'{number:6}  {text.strip()[:BEGINNING]:{BEGINNING}}  {reason or "no reason"}\n')


def known(path):
    """Has every reason words, and its file a line that begins so?"""
    passed, failed = 0, 0
    for (file, beginning), reasons in read_reasons(path).items():
        lines = open(file).read().split('\n') if os.path.exists(file) else []
        found = [line.strip()[:BEGINNING].strip() for line in lines].count(beginning)
        for at, reason in enumerate(reasons):
            if reason == '' or at >= found:
                print(f'{file} | {beginning} | ' + ('no reason' if reason == '' else 'no such line'))
                failed += 1
            else:
                passed += 1
    print(f'{passed} passed, {failed} failed')
    return failed > 0 or passed == 0


def main():
    if sys.argv[1] == '--known':
        return known(sys.argv[2])
    tree, out = os.path.abspath(sys.argv[1]), sys.argv[2]
    reasons, ran = read_reasons(sys.argv[3]), counts(tree)
    passed, failed, table, unreached, leasts = 0, 0, [], {}, dict(LEAST)
    design_ran, changed = design_counts(f'{out}/counts')
    if changed:
        ran.update(design_ran)
        leasts['rtl'] = LEAST_RTL
    else: # rows of RTL are for a run that has it
        reasons = {row: why for row, why in reasons.items() if not row[0].startswith('rtl/')}
    reasons = collections.defaultdict(list, reasons)
    for folder, least in leasts.items():
        rows = []
        for path in sorted(path for path in ran if path.split('/')[0] == folder):
            with open(path, errors='replace') as stream:
                source = stream.read().split('\n')
            rows.append((path, len(ran[path]), sum(count > 0 for count in ran[path].values())))
            for number in sorted(number for number, count in ran[path].items() if count == 0):
                text = source[number - 1] if number <= len(source) else ''
                known_for = reasons[path, text.strip()[:BEGINNING].strip()]
                reason = known_for.pop(0) if known_for else ''
                unreached.setdefault(path, []).append((number, text, reason))
                if folder in REASONED and reason == '':
                    print(f'{path} | {text.strip()[:BEGINNING].strip()} | line {number}: no test comes to it')
                    failed += 1
        lines, reached = sum(row[1] for row in rows), sum(row[2] for row in rows)
        table += [(folder, lines, reached), *rows]
        share = 100 * reached / max(lines, 1)
        print(f'{folder}: {reached} of {lines} lines are reached, {share:.1f} % (at least {least} %)')
        if share < least or lines == 0:
            failed += 1
        passed += len(rows)
    if changed:
        rows = [(f'rtl bits: {path}', len(bits), sum(count > 0 for count in bits.values()))
                for path, bits in sorted(changed.items())]
        bits, moving = sum(row[1] for row in rows), sum(row[2] for row in rows)
        table += [('rtl bits', bits, moving), *rows]
        print(f'rtl: {moving} of {bits} bits change, {100 * moving / bits:.1f} % (at least {LEAST_BITS} %)')
        failed += 100 * moving / bits < LEAST_BITS
    for (path, beginning), left in reasons.items():
        for _ in left:
            print(f'{path} | {beginning} | is reached, or gone')
            failed += 1
    page(out, table, unreached, still_signals(changed))
    text_page(sys.argv[4], table, unreached)
    print(f'{out}/coverage.html, {sys.argv[4]}')
    print(f'{passed} passed, {failed} failed')
    return failed > 0


sys.exit(main())
