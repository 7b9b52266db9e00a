# SPDX-License-Identifier: Apache-2.0
"""Faults in C, generated on Clang's syntax tree (Debian's python3-clang).

sites(root, files, flags) lists every fault that the operators below make inside functions of `files`; schema(source,
faults) writes a source in which each of some faults can be chosen when the program runs (tests/meta/mutants/mutant.h),
so that one build holds them all.

What stays as it is: constant expressions (case labels, sizes, initialisers of static objects), arguments of macros in
capitals (ASSERT states what cannot happen), and pointers where the result would be no pointer.
"""
import re

import clang.cindex as cindex

from fault import Fault, normal, woven

K = cindex.CursorKind
RELATIONAL = {'<': ('<=', '>='), '<=': ('<', '>'), '>': ('>=', '<='), '>=': ('>', '<'), '==': ('!=',), '!=': ('==',)}
ARITHMETIC = {'+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<<': '>>', '>>': '<<', '&': '|', '|': '&', '^': '|'}
ASSIGNING = {op + '=': other + '=' for op, other in ARITHMETIC.items()}
LOGICAL = {'&&': '||', '||': '&&'}
POINTERS = (cindex.TypeKind.POINTER, cindex.TypeKind.CONSTANTARRAY, cindex.TypeKind.INCOMPLETEARRAY,
            cindex.TypeKind.VARIABLEARRAY)
K_POINTER = cindex.TypeKind.POINTER
CAPITALS = re.compile(rb'[A-Z][A-Z0-9_]+\s*\(')
NUMBER = re.compile(r'(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)$')
NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*$')
COMMENT = re.compile(rb'/\*.*?\*/|//[^\n]*', re.S)
JUMPS = (K.BREAK_STMT, K.CONTINUE_STMT, K.GOTO_STMT)


def is_pointer(cursor):
    return cursor.type.get_canonical().kind in POINTERS


class Walk:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.found, self.function, self.statement = [], '', ''

    def range(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def source(self, cursor):
        start, end = self.range(cursor)
        return self.text[start:end].decode()

    def between(self, left, right):
        start, end = left.extent.end.offset, right.extent.start.offset
        return COMMENT.sub(b'', self.text[start:end]).decode().strip() if start <= end else None

    def add(self, span, operator, mutated, kind='expression'):
        self.found.append(Fault(self.path, span[0], span[1], operator, self.function, normal(self.statement),
                                normal(self.text[span[0]:span[1]].decode()), mutated, kind))

    # ---------------------------------------------------------------- expressions
    def binary(self, cursor, left, right):
        op = self.between(left, right)
        span, a, b = self.range(cursor), self.source(left), self.source(right)
        if op in RELATIONAL:
            for other in RELATIONAL[op]:
                if not (is_pointer(left) and other not in ('==', '!=')):
                    self.add(span, 'relational', f'{a} {other} {b}')
        elif op in ARITHMETIC or op in ASSIGNING:
            other = ARITHMETIC.get(op) or ASSIGNING[op]
            if not (is_pointer(right) or (is_pointer(left) and op not in ('+', '-', '+=', '-='))):
                self.add(span, 'arithmetic', f'{a} {other} {b}')
        elif op in LOGICAL:
            self.add(span, 'logical', f'{a} {LOGICAL[op]} {b}')
            self.add(span, 'logical', f'!!({a})')
            self.add(span, 'logical', f'!!({b})')

    def unary(self, cursor, operand):
        text, inner = self.source(cursor), self.source(operand)
        if not text.endswith(inner) and not text.startswith(inner):
            return
        op = text.replace(inner, '', 1).strip() if text != inner else ''
        if op == '!':
            self.add(self.range(cursor), 'logical', f'!!({inner})')
        elif op == '~':
            self.add(self.range(cursor), 'arithmetic', inner)
        elif op in ('++', '--'):
            other = '--' if op == '++' else '++'
            self.add(self.range(cursor), 'arithmetic', other + inner if text.startswith(op) else inner + other)

    def constant(self, cursor):
        text, span = self.source(cursor), self.range(cursor)
        number = NUMBER.match(text)
        if text in ('true', 'false'):
            self.add(span, 'constant', 'false' if text == 'true' else 'true')
        elif number:
            value = int(number[1], 16 if number[1][:2] in ('0x', '0X') else 8 if number[1][0] == '0' else 10)
            for other in (value + 1, value - 1):
                if other >= 0:
                    self.add(span, 'constant', (hex(other) if 'x' in number[1] else str(other)) + number[2])
        elif NAME.match(text):
            self.add(span, 'constant', f'({text} + 1)')
            self.add(span, 'constant', f'({text} - 1)')

    def forced(self, cursor, to):
        for value in to:
            self.add(self.range(cursor), 'condition', value, 'condition')

    def expression(self, cursor):
        if CAPITALS.match(self.text, cursor.extent.start.offset):
            return
        kind, children = cursor.kind, list(cursor.get_children())
        if kind == K.CXX_UNARY_EXPR:  # sizeof
            return
        if kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.binary(cursor, *children)
        elif kind == K.UNARY_OPERATOR and len(children) == 1:
            self.unary(cursor, children[0])
        elif kind == K.INTEGER_LITERAL:
            self.constant(cursor)
        elif kind == K.DECL_REF_EXPR and cursor.referenced is not None and \
                cursor.referenced.kind == K.ENUM_CONSTANT_DECL:
            self.constant(cursor)
        elif kind == K.CONDITIONAL_OPERATOR and len(children) == 3:
            self.forced(children[0], ('1', '0'))
        elif kind == K.ARRAY_SUBSCRIPT_EXPR and len(children) == 2:
            index = self.source(children[1])
            self.add(self.range(children[1]), 'index', f'({index}) + 1')
            if index not in ('0', '0u'):
                self.add(self.range(children[1]), 'index', f'({index}) - 1')
            if NUMBER.match(index) or (NAME.match(index) and index.isupper()):
                children = children[:1]
        elif kind == K.INIT_LIST_EXPR:
            # "[NAME] = value": a designator is constant
            children = [c for c in children if not self.text[:c.extent.start.offset].rstrip().endswith(b'[')]
        for child in children:
            if child.kind.is_expression():
                self.expression(child)

    # ---------------------------------------------------------------- statements
    def deleted(self, cursor):
        start, end = self.range(cursor)
        semicolon = self.text.find(b';', end)
        if semicolon >= 0 and not COMMENT.sub(b'', self.text[end:semicolon]).strip():
            self.add((start, semicolon + 1), 'statement', ';', 'statement')

    def top(self, cursor, text=None):
        self.statement = self.source(cursor) if text is None else text
        self.expression(cursor)

    def visit(self, cursor, is_last=False):
        kind, children = cursor.kind, list(cursor.get_children())
        if CAPITALS.match(self.text, cursor.extent.start.offset):
            return
        if kind == K.COMPOUND_STMT:
            for number, child in enumerate(children):
                self.visit(child, is_last and number + 1 == len(children))
        elif kind == K.IF_STMT:
            self.statement = f'if ({self.source(children[0])})'
            self.forced(children[0], ('1', '0'))
            self.expression(children[0])
            for child in children[1:]:
                self.visit(child, is_last)
        elif kind in (K.WHILE_STMT, K.DO_STMT):
            condition, body = children if kind == K.WHILE_STMT else reversed(children)
            self.statement = f'while ({self.source(condition)})'
            self.forced(condition, ('0',))
            self.expression(condition)
            self.visit(body)
        elif kind == K.FOR_STMT:
            self.statement = 'for ' + self.text[cursor.extent.start.offset + 3:
                                                children[-1].extent.start.offset].decode()
            head = self.statement
            for child in children[:-1]:
                self.statement = head
                if child.kind == K.DECL_STMT:
                    self.declaration(child, head)
                elif child.kind.is_expression():
                    self.expression(child)
            self.visit(children[-1])
        elif kind == K.SWITCH_STMT:
            self.top(children[0], f'switch ({self.source(children[0])})')
            self.visit(children[-1])
        elif kind == K.CASE_STMT:
            self.visit(children[-1], is_last)
        elif kind in (K.DEFAULT_STMT, K.LABEL_STMT):
            self.visit(children[-1], is_last)
        elif kind == K.RETURN_STMT:
            self.statement = self.source(cursor)
            if not is_last:
                self.deleted(cursor)
            if children:
                self.expression(children[0])
        elif kind in JUMPS:
            self.statement = self.source(cursor)
            self.deleted(cursor)
        elif kind == K.DECL_STMT:
            self.declaration(cursor, None)
        elif kind.is_expression():
            self.statement = self.source(cursor)
            if not self.statement.startswith('(void)'):
                self.deleted(cursor)
                self.expression(cursor)

    def declaration(self, cursor, text):
        for variable in cursor.get_children():
            if variable.kind != K.VAR_DECL or variable.storage_class == cindex.StorageClass.STATIC:
                continue
            self.statement = self.source(variable) if text is None else text
            inside = list(variable.get_children())
            if is_pointer(variable) and variable.type.get_canonical().kind != cindex.TypeKind.POINTER:
                inside = [c for c in inside if c.kind == K.INIT_LIST_EXPR]  # not the size
            for child in inside:
                if child.kind.is_expression():
                    self.expression(child)

    def of_function(self, cursor):
        self.function = cursor.spelling
        body = [c for c in cursor.get_children() if c.kind == K.COMPOUND_STMT]
        if body:
            self.visit(body[0], True)


def sites(root, files, flags):
    """Every fault of these files and of the functions in headers beside them, each once."""
    index, texts, found, seen = cindex.Index.create(), {}, [], set()
    folders = {path.split('/')[0] for path in files}
    for path in files:
        unit = index.parse(f'{root}/{path}', args=flags)
        for cursor in unit.cursor.get_children():
            if cursor.kind != K.FUNCTION_DECL or not cursor.is_definition() or cursor.location.file is None:
                continue
            name = cursor.location.file.name
            name = name[len(root) + 1:] if name.startswith(root + '/') else name
            if name.split('/')[0] not in folders or (name, cursor.spelling) in seen:
                continue
            seen.add((name, cursor.spelling))
            if name not in texts:
                with open(f'{root}/{name}', 'rb') as stream:
                    texts[name] = stream.read()
            walk = Walk(name, texts[name])
            walk.of_function(cursor)
            found += walk.found
    return Fault.numbered(found)


# -------------------------------------------------------------------- where any other text can stand instead
class Units:
    """The statements and full expressions of functions: (start, end, kind), as Fault says."""

    def __init__(self, text):
        self.text, self.found = text, []

    def end(self, cursor):
        """After a statement's semicolon."""
        children = list(cursor.get_children())
        if cursor.kind in (K.IF_STMT, K.WHILE_STMT, K.FOR_STMT, K.SWITCH_STMT, K.CASE_STMT, K.DEFAULT_STMT,
                           K.LABEL_STMT):
            return self.end(children[-1])
        end = cursor.extent.end.offset
        return end if cursor.kind in (K.COMPOUND_STMT, K.NULL_STMT) else self.text.index(b';', end) + 1

    def expression(self, cursor):
        self.found.append((cursor.extent.start.offset, cursor.extent.end.offset, 'expression'))

    def statement(self, cursor, is_switched=False):
        kind, children = cursor.kind, list(cursor.get_children())
        if kind == K.DECL_STMT:
            for variable in children:
                if variable.kind == K.VAR_DECL and variable.storage_class != cindex.StorageClass.STATIC:
                    self.initialiser(variable)
            return
        if kind in (K.CASE_STMT, K.DEFAULT_STMT, K.LABEL_STMT):
            self.statement(children[-1])
            return
        if not is_switched:
            self.found.append((cursor.extent.start.offset, self.end(cursor), 'instead'))
        if kind == K.COMPOUND_STMT:
            for child in children:
                self.statement(child)
        elif kind in (K.IF_STMT, K.WHILE_STMT, K.SWITCH_STMT):
            self.expression(children[0])
            for child in children[1:]:
                self.statement(child, kind == K.SWITCH_STMT)
        elif kind == K.DO_STMT:
            self.statement(children[0])
            self.expression(children[1])
        elif kind == K.FOR_STMT:
            self.statement(children[-1])

    def initialiser(self, cursor):
        """Of a variable, or of a part of one."""
        if cursor.kind == K.VAR_DECL and is_pointer(cursor) and cursor.type.get_canonical().kind != K_POINTER:
            children = [c for c in cursor.get_children() if c.kind == K.INIT_LIST_EXPR]
        else:
            children = [c for c in cursor.get_children() if c.kind.is_expression()]
        for child in children:
            if child.kind == K.INIT_LIST_EXPR:
                self.initialiser(child)
            elif self.text[child.extent.start.offset:][:1] in (b'.', b'['):
                inside = list(child.get_children())[-1]
                (self.initialiser if inside.kind == K.INIT_LIST_EXPR else self.expression)(inside)
            else:
                self.expression(child)


def units(root, path, flags):
    with open(f'{root}/{path}', 'rb') as stream:
        found = Units(stream.read())
    for cursor in cindex.Index.create().parse(f'{root}/{path}', args=flags).cursor.get_children():
        if cursor.kind == K.FUNCTION_DECL and cursor.is_definition() and cursor.location.file and \
                cursor.location.file.name == f'{root}/{path}':
            found.statement(list(cursor.get_children())[-1])
    return found.found


# -------------------------------------------------------------------- one source with many faults
def chain(faults, plain):
    """The expression that is `plain` unless one of its faults is chosen."""
    shaped = ''.join(f'MUTANT({f.number}) ? ({f.mutated}) : ' for f in faults if f.kind == 'expression')
    text = f'({shaped}({plain}))' if shaped else plain
    conditions = ''.join(f'MUTANT({f.number}) ? {f.mutated} : ' for f in faults if f.kind == 'condition')
    return f'({conditions}({text}) != 0)' if conditions else text


def schema(source, faults):
    """`source` (bytes) in which each fault waits for its number; faults that contain others hold them unmutated."""
    def replaced(here, plain):
        if here[0].kind not in ('statement', 'instead'):
            return chain(here, plain)
        arms = ''.join(f'if (MUTANT({f.number})) {{ {f.mutated} }} else ' for f in here)
        return f'{{ {arms}{{ {plain} }} }}'

    return woven(source, faults, replaced).encode()
