# SPDX-License-Identifier: Apache-2.0
"""analyse.py TOOLS JOBS CACHE FILE...: do these tools object to these C files? TOOLS: of gcc,cppcheck,clang-tidy.
ANALYSE_NODES: how many states clang-tidy follows in a function at most, 225,000 of its own accord.

gcc is -fanalyzer, which follows paths inside a file; cppcheck looks for the known mistakes; clang-tidy does both, with
the checks that .clang-tidy asks for. Versions object to different things, so only those that the tree is kept with
judge (JUDGES); another version is a skip, and so is a tool that is missing.

An objection that is wrong is answered where it stands, in a comment on the line or above it: `analyse: CHECK: reason`.
An answer without a reason, and one that answers nothing any more (told when all tools judge), are failures. What a tool
said of a file is kept below CACHE by what the tool, its rules, the file and the preprocessed file were.
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

JUDGES = {'gcc': ('gcc', r' 12\.'), 'cppcheck': ('cppcheck', r' 2\.10'), 'clang-tidy': ('clang-tidy', r' version 14\.')}
FLAGS = ('-std=gnu11 -D_GNU_SOURCE -DSTAND_IN_MINOR=4 -Ispec -Ibuild -Ihost -Ihost/include -Imodel -Isim -Ifirmware '
         '-Itests/host/play/lvgl').split()
COMMANDS = {
    'gcc': ['gcc', *FLAGS, '-O1', '-fanalyzer', '-S', '-o', '/dev/null'],
    'cppcheck': ['cppcheck', '-q', '--std=c11', '--enable=warning,performance,portability',
                 '--suppress=missingIncludeSystem', '--suppress=preprocessorErrorDirective',
                 '--template={file}:{line}:{column}: {severity}: {message} [{id}]',
                 *[flag for flag in FLAGS if flag[:2] in ('-D', '-I')]],
    'clang-tidy': ['clang-tidy', '--quiet', '--warnings-as-errors='],
}
# What each says in one line: FILE:LINE:COLUMN: SEVERITY: TEXT [CHECK]
OBJECTION = re.compile(r'^([^:\s]+):(\d+):\d+: (?!note)[a-z ]+: (.*) \[-?([A-Za-z][\w.,=+-]*)\]$', re.M)
if os.environ.get('ANALYSE_NODES'):
    COMMANDS['clang-tidy'] += [f'--extra-arg={word}' for word in
                               ('-Xclang', '-analyzer-config', '-Xclang', f'max-nodes={os.environ["ANALYSE_NODES"]}')]
ANSWER = re.compile(r'analyse: ([\w.-]+)(: *([^*\s].*))?')


def version(tool):
    """What the tool says it is, or None where it is missing."""
    if shutil.which(JUDGES[tool][0]) is None:
        return None
    return subprocess.run([JUDGES[tool][0], '--version'], capture_output=True, text=True, check=False).stdout


@functools.lru_cache(maxsize=None)
def preprocessed(path):
    """The file after its includes and conditions."""
    return subprocess.run(['gcc', *FLAGS, '-E', path], capture_output=True, text=True, check=False)


def run(tool, path, said, cache):
    """What the tool objects to in a file: (path, line, text, check); from the cache where nothing has changed."""
    text = preprocessed(path)
    with open(path) as stream:
        source = stream.read()  # cppcheck reads what conditions leave out, too
    if text.returncode != 0:
        return [(path, 1, text.stderr.strip()[:300], 'does-not-compile')]
    with open('.clang-tidy', 'rb') as stream:
        rules = stream.read() if tool == 'clang-tidy' else b''
    key = hashlib.sha256(repr((said, COMMANDS[tool], source)).encode() + rules + text.stdout.encode()).hexdigest()
    kept = f'{cache}/{tool}-{key}.json'
    if not os.path.exists(kept):
        command = COMMANDS[tool] + [path] + (['--', *FLAGS] if tool == 'clang-tidy' else [])
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        here = os.getcwd() + '/'  # clang-tidy says whole paths: another tree that shares the cache has other ones
        # Of the compiler, the analyser alone: `make` has the warnings.
        found = [(name.removeprefix(here), int(line), text, check.removeprefix('W'))
                 for name, line, text, check in OBJECTION.findall(done.stdout + done.stderr)
                 if tool != 'gcc' or check.startswith('Wanalyzer-')]
        with open(f'{kept}.{os.getpid()}', 'w') as stream:
            json.dump(found, stream)
        os.rename(f'{kept}.{os.getpid()}', kept)
    with open(kept) as stream:
        return [tuple(objection) for objection in json.load(stream)]


def answers(path):
    """The answers in a file: line -> [check, reason, whether it has answered]."""
    with open(path) as stream:
        lines = stream.read().split('\n')
    return {number: [match[1], (match[3] or '').replace('*/', '').strip(), False]
            for number, line in enumerate(lines, 1) for match in [ANSWER.search(line)] if match}


def main():
    tools, jobs, cache, files = sys.argv[1].split(','), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    os.makedirs(cache, exist_ok=True)
    judges, skipped, failed = {}, 0, 0
    for tool in tools:
        said = version(tool)
        if said is None or re.search(JUDGES[tool][1], said) is None:
            print(f'{tool}: {"not installed" if said is None else "another version than the one that judges"}: '
                  'it is left out')
            skipped += 1
        else:
            judges[tool] = said
    answered = {path: answers(path) for path in files}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(run, tool, path, said, cache) for path in files for tool, said in judges.items()]
        found = sorted({objection for task in tasks for objection in task.result()})
    for path, line, text, check in found:
        place = answered.setdefault(path, answers(path)) if os.path.exists(path) else {}
        fits = [place[at] for at in (line, line - 1) if at in place and place[at][0] in check.split(',')]
        if fits:
            fits[0][2] = True
        else:
            print(f'{path}:{line}: {text} [{check}]')
            failed += 1
    for path, place in answered.items():
        for line, (check, reason, is_used) in place.items():
            if reason == '':
                print(f'{path}:{line}: an answer without a reason')
                failed += 1
            elif not is_used and len(judges) == len(JUDGES):
                print(f'{path}:{line}: nothing objects here any more: {check}')
                failed += 1
    passed = len(files) * len(judges)
    print(f'{max(passed - failed, 0)} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return failed > 0


sys.exit(main())
