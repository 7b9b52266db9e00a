# SPDX-License-Identifier: Apache-2.0
"""One generated fault, and what names it: its function (or module) and its statement, never a line's number."""
import hashlib
import re


def normal(text):
    return re.sub(r'\s+', ' ', text).strip()


class Fault:
    def __init__(self, path, start, end, operator, function, statement, original, mutated, kind):
        self.path, self.start, self.end, self.operator = path, start, end, operator
        self.function, self.statement = function, statement
        self.original, self.mutated, self.kind = original, normal(mutated), kind
        self.number = self.again = 0
        self.outcome, self.killer, self.seconds = '', '', 0.0

    def key(self):
        """What tests/meta/mutants/equivalent names it by; the same words twice in a function are the same fault."""
        return f'{self.function} | {self.statement} | {self.original} => {self.mutated or "nothing"}'

    def text(self):
        """What stands in the source of this fault alone."""
        return self.mutated if self.kind != 'expression' else f'({self.mutated})'

    def draw(self, seed):
        """Its place in the order of a seed: an edit elsewhere moves no other fault."""
        text = f'{seed} {self.path.rsplit("/", 1)[-1]} {self.key()} {self.again}'
        return hashlib.sha256(text.encode()).hexdigest()

    @staticmethod
    def numbered(faults):
        """Each once, in the order of the text, those of one name counted."""
        once, times = {}, {}
        for fault in faults:
            once.setdefault((fault.path, fault.start, fault.end, fault.kind, fault.mutated), fault)
        ordered = sorted(once.values(), key=lambda f: (f.path, f.start, f.end, f.mutated))
        for fault in ordered:
            name = (fault.path, fault.key())
            fault.again = times[name] = times.get(name, -1) + 1
        return ordered


def woven(source, faults, replaced, begin=0):
    """`source` (bytes) from `begin` on, as text, with each place that has faults replaced by `replaced(the faults
    there, the place without them)`. Places that contain others hold them replaced."""
    spans = [(start, -end) for start, end in sorted({(f.start, -f.end) for f in faults})]

    def render(start, end, inner):
        out, at = [], start
        while inner:
            first = inner[0]
            nested = [s for s in inner[1:] if s[1] <= first[1]]
            inner = [s for s in inner[1:] if s[0] >= first[1]]
            here = [f for f in faults if (f.start, f.end) == first]
            out += [source[at:first[0]].decode(), replaced(here, render(first[0], first[1], nested))]
            at = first[1]
        return ''.join(out) + source[at:end].decode()

    return render(begin, len(source), spans)
