#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What bounds every loop of the firmware: loops.py TABLE FOLDER.

A loop is bounded when its own text yields, or when it counts to a constant: both are found here. Any other loop needs a
line in TABLE. A loop without a line fails, and so does a line without its loop. A line says the file, the function, how
many such loops it has, and one of these kinds with what belongs to it:

    limit NAME    at most so many steps; NAME is a constant of the sources
    yields NAME   each step calls the function NAME, which yields
    bits          a few steps: bits of a word, or what the line says
    client        things of the client whose message or job it is
    table         things of every client
    boot, recovery, tests, hardware   when it runs, or what it waits for

Ends with "N passed, N failed", a check for each file. loops.py --list FOLDER prints the loops as they are read.
"""
import collections
import pathlib
import re
import sys

YIELDS = re.compile(r"\b(yield_if_late|yield_in_loop|turn_wait)\(")
LOOP = re.compile(r"\b(for|while|do|INDEX_SET_EACH)\b")
NAME = re.compile(r"(?<![\w(])(?!__attribute__)(\w+)\([^;{}]*\)\s*$")
# A constant: a name in capitals, maybe with a cast, a factor or an argument, or a number.
CONSTANT = r"\(?(\(uint32_t\)|\(int\))?\(?([A-Z][A-Z0-9_]+(\([A-Z0-9_]+\))?|\d+u?)( [-+*/] ([A-Z][A-Z0-9_]+|\d+u?))*\)?"
COUNTS = re.compile(r"^for \([^;]*; (?:[^;]* && )?\w+ (?:<|<=|!=) " + CONSTANT + r"(?: && [^;|]*)?; *"
                    r"(?:\w+\+\+|\+\+\w+|\w+ \+= \d+u?)(?:, [^;]*)?\)$")


KINDS = ("limit", "yields", "bits", "client", "table", "boot", "recovery", "tests", "hardware")


def without_comments(text):
    """The same length, with comments, strings and directives blank."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"' + r"|'(\\.|[^'\\\n])*'", blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def end_of(text, at, pair):
    """The place after the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == pair[0]) - (text[place] == pair[1])
        if depth == 0:
            return place + 1
    raise SystemExit("loops.py: a bracket is not closed")


def end_of_statement(text, at):
    while text[at].isspace():
        at += 1
    if text[at] == "{":
        return end_of(text, at, "{}")
    head = re.compile(r"(for|while|if|switch|INDEX_SET_EACH)\s*\(").match(text, at)
    if head:
        end = end_of_statement(text, end_of(text, head.end() - 1, "()"))
        other = re.compile(r"\s*else\b").match(text, end)
        return end_of_statement(text, other.end()) if head.group(1) == "if" and other else end
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "({") - (text[place] in ")}")
        if text[place] == ";" and depth == 0:
            return place + 1
    raise SystemExit("loops.py: a statement does not end")


def functions(text):
    """(name, begin, end) of each function's body."""
    depth, at = 0, 0
    for brace in re.finditer(r"[{}]", text):
        if brace.group() == "{":
            if depth == 0:
                at = brace.start()
                name = NAME.search(text[text.rfind("\n\n", 0, at) + 1:at])
            depth += 1
        else:
            depth -= 1
            if depth == 0 and name:
                yield name.group(1), at, brace.end()


def loops(text):
    """(function, head, whole text) of each loop of a file without comments."""
    for function, begin, end in functions(text):
        tails = set()  # the `while` of a `do`
        for found in LOOP.finditer(text, begin, end):
            if found.start() in tails:
                continue
            if found.group() == "do":
                tail = text.index("while", end_of_statement(text, found.end()))
                tails.add(tail)
                whole_end = end_of(text, text.index("(", tail), "()")
                head = "do " + text[tail:whole_end]
            else:
                head_end = end_of(text, text.index("(", found.end()), "()")
                head, whole_end = text[found.start():head_end], end_of_statement(text, head_end)
            yield function, re.sub(r"\s+", " ", head), text[found.start():whole_end]


def bound_of(head, whole):
    return "yields" if YIELDS.search(whole) else "constant" if COUNTS.match(head) else None


def read_table(path):
    """{(file, function): (loops, kind, what)}"""
    table = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, function, count, kind, *what = line.split()
            table[file, function] = int(count), kind, what
    return table


def breaches_of(file, text, table, yielding, words):
    unbounded = collections.Counter()
    calls = collections.defaultdict(str)
    for function, head, whole in loops(text):
        if bound_of(head, whole) is None:
            unbounded[function] += 1
            calls[function] += whole
    for function in sorted(unbounded):
        count, kind, what = table.pop((file, function), (0, None, []))
        if count != unbounded[function]:
            yield f"{function}: {unbounded[function]} loops have no bound of their own, the table has {count}: " \
                  "let them yield, or say there what bounds them"
        elif kind not in KINDS:
            yield f"{function}: '{kind}' is not a kind of bound"
        elif kind == "limit" and what[0] not in words:
            yield f"{function}: no source has a constant {what[0]}"
        elif kind == "yields" and (what[0] not in yielding or not re.search(rf"\b{what[0]}\(", calls[function])):
            yield f"{function}: it does not call {what[0]}, or that does not yield"


def main():
    lists, folder = sys.argv[1] == "--list", pathlib.Path(sys.argv[2])
    texts = {str(path.relative_to(folder)): without_comments(path.read_text(encoding="utf-8"))
             for path in sorted(folder.rglob("*.[ch]"))}
    if lists:
        for file, text in texts.items():
            for function, head, whole in loops(text):
                print(f"{bound_of(head, whole) or '-':9} {file} {function}: {head}")
        return 0
    table, failed = read_table(sys.argv[1]), 0
    kinds = collections.Counter(kind for _, kind, _ in table.values())
    yielding = {name for text in texts.values() for name, begin, end in functions(text)
                if YIELDS.search(text, begin, end)}
    words = {word for path in [*folder.rglob("*.[ch]"), *pathlib.Path("spec").glob("*.def")]
             for word in re.findall(r"\b[A-Z][A-Z0-9_]+\b", path.read_text(encoding="utf-8"))}
    for file, text in texts.items():
        breaches = list(breaches_of(file, text, table, yielding, words))
        failed += bool(breaches)
        for breach in breaches:
            print(f"{folder}/{file}: {breach}")
    for file, function in table:
        print(f"{sys.argv[1]}: {file} {function} has no such loop: remove the line")
    print("functions by kind:", ", ".join(f"{kind} {kinds[kind]}" for kind in KINDS))
    failed += bool(table)
    print(f"{len(texts) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
