# SPDX-License-Identifier: Apache-2.0
"""Faults in Python, generated on its syntax tree.

sites(root, files) lists every fault that the operators below make in `files`; schema(source, faults) writes a source in
which each of some faults can be chosen when the program runs (mutant.py), so that one tree holds them all.

What stays as it is: docstrings, types, what stands inside f-strings, and what runs only for tools (TYPE_CHECKING).
"""
import ast
import os

from fault import Fault, normal, woven

HERE = os.path.dirname(os.path.abspath(__file__))
RELATIONAL = {ast.Lt: ('<=', '>='), ast.LtE: ('<', '>'), ast.Gt: ('>=', '<='), ast.GtE: ('>', '<'), ast.Eq: ('!=',),
              ast.NotEq: ('==',), ast.Is: ('is not',), ast.IsNot: ('is',), ast.In: ('not in',), ast.NotIn: ('in',)}
ARITHMETIC = {ast.Add: '-', ast.Sub: '+', ast.Mult: '+', ast.FloorDiv: '*', ast.Div: '*', ast.Mod: '//',
              ast.LShift: '>>', ast.RShift: '<<', ast.BitAnd: '|', ast.BitOr: '&', ast.BitXor: '|'}
SIMPLE = (ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Break, ast.Continue)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Walk(ast.NodeVisitor):
    """Collects the faults of one file."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.lines = [0]
        for line in text.splitlines(True):
            self.lines.append(self.lines[-1] + len(line))
        self.found, self.names, self.statement, self.joined = [], [], '', 0

    def span(self, node):
        return (self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset)

    def source(self, node):
        start, end = self.span(node)
        return self.text[start:end].decode()

    def add(self, node, operator, mutated, kind='expression'):
        if not self.joined:
            start, end = self.span(node)
            self.found.append(Fault(self.path, start, end, operator, '.'.join(self.names) or 'module',
                                    normal(self.statement), normal(self.source(node)), mutated, kind))

    # ---------------------------------------------------------------- statements
    def visit(self, node):
        """A statement is the name of the faults inside it; a long one by its first line."""
        if isinstance(node, ast.stmt) and not isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            before, self.statement = self.statement, self.source(node).split('\n')[0]
            if isinstance(node, SIMPLE) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                self.add(node, 'statement', 'pass', 'statement')
            super().visit(node)
            self.statement = before
        else:
            super().visit(node)

    def within(self, node):
        """A function or class. Its types, decorators and docstring are left out."""
        self.names.append(node.name)
        for default in [] if isinstance(node, ast.ClassDef) else node.args.defaults + node.args.kw_defaults:
            if default is not None:
                before, self.statement = self.statement, f'def {node.name}'
                self.visit(default)
                self.statement = before
        for each in node.body:
            self.visit(each)
        self.names.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = within

    def visit_Expr(self, node):
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node):
        if self.source(node.test) == 'TYPE_CHECKING':
            return
        self.forced(node.test)
        self.generic_visit(node)

    def visit_While(self, node):
        self.forced(node.test)
        self.generic_visit(node)

    # ---------------------------------------------------------------- expressions
    def forced(self, test):
        for value in 'True', 'False':
            if self.source(test) != value:
                self.add(test, 'condition', value)

    def visit_IfExp(self, node):
        self.forced(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        for test in node.ifs:
            self.forced(test)
        self.generic_visit(node)

    def visit_Compare(self, node):
        """One operator of a chain becomes another."""
        parts = [self.source(node.left)] + [self.source(each) for each in node.comparators]
        signs = [self.between(a, b) for a, b in zip([node.left] + node.comparators, node.comparators)]
        for i, op in enumerate(node.ops):
            for other in RELATIONAL[type(op)]:
                changed = signs[:i] + [other] + signs[i + 1:]
                self.add(node, 'relational', parts[0] + ''.join(f' {s} {p}' for s, p in zip(changed, parts[1:])))
        self.generic_visit(node)

    def between(self, left, right):
        return normal(self.text[self.span(left)[1]:self.span(right)[0]].decode()).strip('() ')

    def visit_BinOp(self, node):
        other = ARITHMETIC.get(type(node.op))
        if other and not (isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant)):
            self.add(node, 'arithmetic', f'({self.source(node.left)}) {other} ({self.source(node.right)})')
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        other = ARITHMETIC.get(type(node.op))
        if other:
            self.add(node, 'arithmetic', f'{self.source(node.target)} {other}= {self.source(node.value)}', 'statement')
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, (ast.Not, ast.USub, ast.Invert)):
            self.add(node, 'logical' if isinstance(node.op, ast.Not) else 'arithmetic', self.source(node.operand))
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        """Another operator; and each part left out."""
        parts = [f'({self.source(each)})' for each in node.values]
        mine, other = (' and ', ' or ') if isinstance(node.op, ast.And) else (' or ', ' and ')
        self.add(node, 'logical', other.join(parts))
        for i in range(len(parts)):
            self.add(node, 'logical', mine.join(parts[:i] + parts[i + 1:]))
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, bool):
            self.add(node, 'constant', str(not node.value))
        elif isinstance(node.value, int):
            for other in (node.value + 1, node.value - 1):
                if other >= 0:
                    self.add(node, 'constant', str(other))

    def visit_JoinedStr(self, node):
        self.joined += 1
        self.generic_visit(node)
        self.joined -= 1

    def visit_Subscript(self, node):
        self.generic_visit(node)

    def visit_keyword(self, node):
        self.visit(node.value)


def sites(root, files):
    found = []
    for path in files:
        with open(f'{root}/{path}', 'rb') as stream:
            text = stream.read()
        walk = Walk(path, text)
        walk.visit(ast.parse(text))
        found += walk.found
    return Fault.numbered(found)


# -------------------------------------------------------------------- one source with many faults
def head_end(source):
    """Where a line can stand before all that runs: after the docstring and `from __future__`."""
    end = 0
    for node in ast.parse(source).body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and not (isinstance(node, ast.ImportFrom) and node.module == '__future__'):
            break
        end = node.end_lineno
    return sum(len(line) for line in source.splitlines(True)[:end])


def schema(source, faults):
    """`source` (bytes) in which each fault waits for its number; faults that contain others hold them unmutated."""
    def column(at):
        return at - source.rfind(b'\n', 0, at) - 1

    def replaced(here, plain):
        if here[0].kind == 'statement':
            return alternatives(here, plain, ' ' * column(here[0].start))
        chosen = ''.join(f'({f.mutated}) if MUTANT({f.number}) else ' for f in here)
        return f'({chosen}({plain}))'

    if not faults:
        return source
    cut = head_end(source)
    line = f'import sys as _sys; _sys.path.append({HERE!r}); from mutant import MUTANT; _sys.path.pop()\n'
    return source[:cut] + line.encode() + woven(source, faults, replaced, cut).encode()


def alternatives(faults, plain, indent):
    """A statement, or one of its faults. It begins where the statement began, alone in its line."""
    arms = ''.join(f'{"el" if i else ""}if MUTANT({f.number}): {f.mutated}\n{indent}' for i, f in enumerate(faults))
    return f'{arms}else: {plain}'
