# SPDX-License-Identifier: Apache-2.0
"""Faults in Verilog, generated on Yosys' syntax tree (read_verilog -dump_ast1).

Yosys' own `mutate` changes cells after elaboration: parameters are fixed then, and assertions gone, so no bench of the
tree could run it. Here the source is changed, as in mutate_c.py. What must be constant stays as it is: parameters,
widths and selections, loops, generate conditions; so do assertions and functions.
"""
import bisect
import re
import subprocess

from fault import Fault, normal, woven

NODE = re.compile(r'^( +)AST_([A-Z_0-9]+) <([^:>]+):(\d+)\.(\d+)-(\d+)\.(\d+)>')
BINARY = {'LT': ('<', ('<=', '>='), 'relational'), 'LE': ('<=', ('<', '>'), 'relational'),
          'GT': ('>', ('>=', '<='), 'relational'), 'GE': ('>=', ('>', '<'), 'relational'),
          'EQ': ('==', ('!=',), 'relational'), 'NE': ('!=', ('==',), 'relational'),
          'ADD': ('+', ('-',), 'arithmetic'), 'SUB': ('-', ('+',), 'arithmetic'),
          'BIT_AND': ('&', ('|',), 'arithmetic'), 'BIT_OR': ('|', ('&',), 'arithmetic'),
          'BIT_XOR': ('^', ('|',), 'arithmetic'), 'SHIFT_LEFT': ('<<', ('>>',), 'arithmetic'),
          'SHIFT_RIGHT': ('>>', ('<<',), 'arithmetic'),
          'LOGIC_AND': ('&&', ('||',), 'logical'), 'LOGIC_OR': ('||', ('&&',), 'logical')}
UNARY = {'LOGIC_NOT': ('!', '', 'logical'), 'BIT_NOT': ('~', '', 'arithmetic'), 'REDUCE_OR': ('|', '&', 'logical'),
         'REDUCE_AND': ('&', '|', 'logical')}
TOKEN = re.compile(r'<<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\|\||~\^|~&|~\||[-+*/%<>&|^!~?:]')
SIZED = re.compile(r"(\d+)'([bdh])([0-9a-fA-F_]+)$")
CONSTANT = ('RANGE', 'REPLICATE', 'ASSERT', 'ASSUME', 'COVER', 'FUNCTION', 'TASK', 'INITIAL', 'PARAMETER', 'LOCALPARAM',
            'PARASET', 'CELLTYPE', 'WIRE', 'MEMORY', 'GENVAR', 'FCALL', 'TCALL', 'TO_SIGNED', 'TO_UNSIGNED')
GENERATE = ('GENFOR', 'GENIF', 'GENCASE')


class Node:
    def __init__(self, kind, start, end):
        self.kind, self.start, self.end, self.children = kind, start, end, []


def tree_of(root, path, text):
    starts = [0]
    for line in text.split('\n'):
        starts.append(starts[-1] + len(line) + 1)
    out = subprocess.run(['yosys', '-p', f'read_verilog -Irtl -Irtl/core -Irtl/engine -Irtl/display -dump_ast1 {path}'],
                         cwd=root,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    top = Node('TOP', 0, 0)
    stack = [(-1, top)]
    for line in out.split('\n'):
        match = NODE.match(line)
        if not match:
            continue
        depth = len(match[1])
        place = [int(match[n]) for n in (4, 5, 6, 7)]
        here = match[3] == path and place[0] > 0
        node = Node(match[2], starts[place[0] - 1] + place[1] - 1 if here else None,
                    starts[place[2] - 1] + place[3] - 1 if here else None)
        while stack[-1][0] >= depth:
            stack.pop()
        stack[-1][1].children.append(node)
        stack.append((depth, node))
    return top


class Walk:
    def __init__(self, path, text):
        self.path, self.text, self.found = path, text, []
        self.module = path.rsplit('/', 1)[-1][:-2]
        self.statement = ''

    def add(self, start, end, operator, mutated, kind='expression'):
        self.found.append(Fault(self.path, start, end, operator, self.module, normal(self.statement),
                                normal(self.text[start:end]), mutated, kind))

    def operators(self, start, end):
        """The operators outside all brackets: [(place, text)]."""
        depth, at, found = 0, start, []
        while at < end:
            char = self.text[at]
            if char in '([{':
                depth += 1
            elif char in ')]}':
                depth -= 1
            elif self.text.startswith('//', at):
                at = self.text.index('\n', at)
            else:
                match = TOKEN.match(self.text, at)
                if match:
                    if depth == 0:
                        found.append((at, match[0]))
                    at += len(match[0]) - 1
            if depth < 0:
                return []
            at += 1
        return found if depth == 0 else []

    def whole(self, node):
        """A node's place; a name's selection belongs to it."""
        if node.start is None:
            return None
        end = node.end
        while node.kind == 'IDENTIFIER' and self.text[end:end + 1] == '[':
            depth = 0
            for at in range(end, len(self.text)):
                depth += {'[': 1, ']': -1}.get(self.text[at], 0)
                if depth == 0:
                    break
            end = at + 1
        return node.start, end

    def expression(self, node):
        if node.kind in CONSTANT:
            return
        span = self.whole(node)
        text = self.text[span[0]:span[1]] if span else ''
        if '`' in text or self.is_macro_line(span):
            span = None
        if span and node.kind in BINARY and len(node.children) == 2:
            op, others, operator = BINARY[node.kind]
            places = [at for at, name in self.operators(*span) if name == op]
            if places:
                left, right = self.text[span[0]:places[-1]], self.text[places[-1] + len(op):span[1]]
                for other in others:
                    self.add(*span, operator, f'{left}{other}{right}')
                if operator == 'logical':
                    self.add(*span, 'logical', f'({left}) != 0')
                    self.add(*span, 'logical', f'({right}) != 0')
        elif span and node.kind in UNARY and text.startswith(UNARY[node.kind][0]):
            before, after, operator = UNARY[node.kind]
            self.add(*span, operator, f'{after}({text[len(before):]})')
        elif span and node.kind == 'CONSTANT':
            self.constant(span, text)
        elif span and node.kind == 'TERNARY':
            ask = [at for at, name in self.operators(*span) if name == '?']
            if ask:
                self.forced(span[0], span[0] + len(self.text[span[0]:ask[0]].rstrip()))
        for child in node.children:
            self.expression(child)

    def is_macro_line(self, span):
        if not span:
            return False
        start = self.text.rfind('\n', 0, span[0]) + 1
        return '`' in self.text[start:self.text.find('\n', span[1])]

    def constant(self, span, text):
        match = SIZED.match(text)
        if not match:
            return
        base = {'b': 2, 'd': 10, 'h': 16}[match[2]]
        value, limit = int(match[3].replace('_', ''), base), 1 << int(match[1])
        for other in {(value + 1) % limit, (value - 1) % limit}:
            self.add(*span, 'constant', f"{match[1]}'d{other}")

    def forced(self, start, end):
        for value in ("1'b1", "1'b0"):
            self.add(start, end, 'condition', value, 'condition')

    def visit(self, node):
        """Statements and whatever holds them."""
        if node.kind in CONSTANT:
            return
        children = node.children
        if node.kind in ('ASSIGN', 'ASSIGN_LE', 'ASSIGN_EQ') and len(children) == 2:
            if node.start is not None:
                self.statement = self.text[node.start:node.end]
                if re.match(r'_?unused', self.statement): # named for lint alone
                    return
                end = self.text.find(';', node.end)
                is_whole = end >= 0 and not self.text[node.end:end].strip() and not self.is_macro_line(
                    (node.start, end)) and re.match(r'[\w\[\]{}:+, .*-]+?\s*<?=', self.statement)
                if node.kind != 'ASSIGN' and is_whole:
                    self.add(node.start, end + 1, 'statement', ';', 'statement')
            self.expression(children[1])
        elif node.kind == 'CASE':
            condition = children[0]
            if condition.kind == 'REDUCE_BOOL' and condition.children:
                condition = condition.children[0]
            span = self.whole(condition)
            if span:
                before = self.text[:span[0]].rstrip()
                is_if = re.search(r'\bif\s*\($', before) and self.text[span[1]:].lstrip().startswith(')')
                self.statement = ('if ' if is_if else 'case ') + self.text[span[0]:span[1]]
                if is_if and not self.is_macro_line(span):
                    self.forced(*span)
            self.expression(condition)
            for child in children[1:]:
                self.visit(child)
        elif node.kind in ('COND', 'DEFAULT'):
            for child in children:
                if child.kind == 'BLOCK':
                    self.visit(child)
        elif node.kind == 'FOR' or node.kind in GENERATE:
            for child in children:
                if child.kind in ('BLOCK', 'GENBLOCK'):
                    self.visit(child)
        elif node.kind == 'ARGUMENT':
            for child in children:
                span = self.whole(child)
                self.statement = self.text[span[0]:span[1]] if span else ''
                self.expression(child)
        elif node.kind not in ('POSEDGE', 'NEGEDGE', 'EDGE'):
            for child in children:
                self.visit(child)


def sites(root, files):
    found = []
    for path in files:
        with open(f'{root}/{path}') as stream:
            text = stream.read()
        if path.endswith('core_rvfi.v') or not text.isascii():
            continue
        walk = Walk(path, text)
        walk.visit(tree_of(root, path, text))
        found += walk.found
    return Fault.numbered(found)


def shaped(here, plain):
    text = plain
    for f in here:
        if f.kind == 'expression':
            text = f'(mutant == {f.number} ? ({f.mutated}) : {text})' if text != plain else \
                f'(mutant == {f.number} ? ({f.mutated}) : ({plain}))'
    conditions = [f for f in here if f.kind == 'condition']
    if conditions:
        text = f'(({text}) != 0)'
        for f in conditions:
            text = f'(mutant == {f.number} ? {f.mutated} : {text})'
    return text


def declaration(path):
    return ('\n    integer mutant;\n    initial begin\n        mutant = 0;\n'
            '`ifdef VERILATOR\n        mutant = $c32("mutant_in(\\"' + path + '\\")");\n'
            '`else\n        if ($value$plusargs("mutant=%d", mutant)) ;\n`endif\n    end\n')


def schema(source, faults):
    def replaced(here, plain):
        if here[0].kind == 'statement':
            return f'begin if (mutant != {here[0].number}) {plain} end'
        return shaped(here, plain)

    body = woven(source, faults, replaced)
    head = re.search(r'^module\b.*?^\);', body, re.S | re.M)
    return (body[:head.end()] + declaration(faults[0].path) + body[head.end():]).encode()


def settings(here):
    return [f'VERILATOR=verilator -Wno-fatal -Wno-lint -Wno-style -CFLAGS "-include {here}/mutant_rtl.h"']
