# SPDX-License-Identifier: Apache-2.0
"""Faults in JavaScript, generated on its words: comments, texts and regular expressions stay as they are.

sites(root, files) lists every fault that the operators below make. There is no build that holds them all: each is put
into a copy of the source (mutants.py, what reads sources).
"""
import re

from fault import Fault, normal

WORD = re.compile(r'''
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
  | (?P<regular>(?<=[(=,:!&|?{};\n])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)
  | (?P<number>(?<![\w.])(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?)(?![\w.]))
  | (?P<name>[A-Za-z_$][\w$]*)
  | (?P<sign>===|!==|=>|==|!=|<=|>=|>>>|<<|>>|&&|\|\||\?\?|\+\+|--|\*\*|[-+*/%&|^]=|[-+*/%<>!?])
  | (?P<other>\s+|.)
''', re.X | re.S)
RELATIONAL = {'<': ('<=', '>='), '<=': ('<', '>'), '>': ('>=', '<='), '>=': ('>', '<'), '==': ('!=',), '!=': ('==',),
              '===': ('!==',), '!==': ('===',)}
ARITHMETIC = {'+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '<<': '>>', '>>': '<<', '+=': '-=', '-=': '+=',
              '++': '--', '--': '++'}
LOGICAL = {'&&': '||', '||': '&&'}
FUNCTION = re.compile(r'^(?:async )?(?:function (\w+)|const (\w+)|  (?:static |async )?(\w+)\()')
STATEMENT = re.compile(r'^\s+(?!const |let |return;|else |for |while |if |case |\}|\.|[?:&|+])'
                       r'(?:[\w$][\w$.()\[\]]*(?: [-+]?= |\(|\+\+|--)[^\n]*|return [^\n]*);$')


def closing(text, at):
    """Behind the bracket that closes the one at `at`; texts inside are passed over."""
    depth = 0
    for word in WORD.finditer(text, at):
        if word['other']:
            depth += (word[0] == '(') - (word[0] == ')')
            if depth == 0:
                return word.end()
    return None


def is_balanced(line):
    signs = ''.join(word[0] for word in WORD.finditer(line) if word['other'])
    return all(signs.count(a) == signs.count(b) for a, b in ('()', '[]', '{}'))


class Walk:
    def __init__(self, path, text):
        self.path, self.text, self.found = path, text, []
        self.lines = text.split('\n')
        self.begins = [0]
        for line in self.lines:
            self.begins.append(self.begins[-1] + len(line) + 1)

    def function(self, number):
        for line in reversed(self.lines[:number + 1]):
            match = FUNCTION.match(line)
            if match:
                return next(name for name in match.groups() if name)
        return self.path.rsplit('/', 1)[-1]

    def add(self, start, end, operator, mutated):
        number = next(i for i in range(len(self.lines)) if self.begins[i + 1] > start)
        before, behind = (len(part.encode()) for part in (self.text[:start], self.text[:end]))
        self.found.append(Fault(self.path, before, behind, operator, self.function(number),
                                normal(self.lines[number]), normal(self.text[start:end]), mutated, 'word'))

    def word(self, word):
        text, start, end = word[0], word.start(), word.end()
        if word['number'] and '.' not in text:
            value = int(text, 0) if text[:2] == '0x' else int(text)
            for other in (value + 1, value - 1):
                if other >= 0:
                    self.add(start, end, 'constant', str(other))
        elif word['name'] in ('true', 'false'):
            self.add(start, end, 'constant', 'false' if text == 'true' else 'true')
        elif word['name'] in ('if', 'while') and self.text[end:end + 2] == ' (':
            behind = closing(self.text, end + 1)
            for value in ('true', 'false') if text == 'if' and behind else ():
                self.add(end + 2, behind - 1, 'condition', value)
        elif text in RELATIONAL:
            for other in RELATIONAL[text]:
                self.add(start, end, 'relational', other)
        elif text in ARITHMETIC and (len(text) == 2 or self.text[start - 1:start] == ' '):
            self.add(start, end, 'arithmetic', ARITHMETIC[text])
        elif text in LOGICAL:
            self.add(start, end, 'logical', LOGICAL[text])
        elif text == '!':
            self.add(start, end, 'logical', '!!')

    def of_file(self):
        for word in WORD.finditer(self.text):
            if word['number'] or word['name'] or word['sign']:
                self.word(word)
        for number, line in enumerate(self.lines):
            if STATEMENT.match(line) and is_balanced(line) and self.lines[number - 1].rstrip()[-1:] in ('{', ';', '/'):
                start = self.begins[number] + len(line) - len(line.lstrip())
                self.add(start, self.begins[number] + len(line), 'statement', ';')


def sites(root, files):
    found = []
    for path in files:
        with open(f'{root}/{path}', encoding='utf-8') as stream:
            walk = Walk(path, stream.read())
        walk.of_file()
        found += walk.found
    return Fault.numbered(found)
