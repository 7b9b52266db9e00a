#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: the machine in a browser is the native one, to the byte, says one line about what is wrong, and is quick.

Method: the same knobs go to the C of web/ as a program with sanitizers (build/web/native) and as WebAssembly in
headless Chromium; states, pictures and the history of a run have one sum (web_digest). The time line that the page
exports is that of `tessera run --model`, of a recording that of `tessera play --model`. Times are compared with the
native program's in the same run, since nothing is known of what else the computer does.
    equal.py quick|whole     without a browser the rest counts as skipped
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import time
import zlib

WORK = "build/web/equal-" + "".join(sys.argv[1:])  # two of them may run at a time
WORKLOAD = ('{"slots":4,"segments":[{"size":65536}],"allocs":[%s],"buffers":[%s]}' % (
    ",".join('{"size":%d}' % (4096 * (1 + i % 5)) for i in range(12)),
    ",".join('{"len":64,"patches":[%s]}' % ",".join("[%d,%d,%d,%d]" % (s, (3 * b + 5 * s) % 12, 16 * s, s % 2)
                                                    for s in range(4)) for b in range(9)))).encode()
# The visitor's policy, as own_worth of tests/web/native.c: every member has a part in it.
OWN = ("if (a.tag % 3 == 0) return 0; return a.pages * 3 - a.age - a.uses / 4 + a.came % 5 - "
       "Math.min(a.next, 40) + (a.dirty ? 0.5 : 0) + a.number / 1024 + (a.tag + a.entry) % 3;")
NO_FILE = "00000000"
passed = failed = 0


def check(is_good, what):
    global passed, failed
    passed, failed = passed + bool(is_good), failed + (not is_good)
    print(("ok    " if is_good else "FAIL  ") + what, flush=True)


def lines_of(knobs, name=None):
    lines = []
    for key, value in knobs.items():
        if key == "force":
            lines += ["force " + mode for mode in value]
        elif key == "contexts":
            lines += ["context %d %d %d" % (i, c["priority"], c["budget"]) for i, c in enumerate(value)]
        else:
            lines.append("%s %s" % (key, int(value) if isinstance(value, bool) else value))
    return "\n".join(lines + (["file " + name] if name else [])) + "\n"


def native(knobs, content=None, name=None):
    """What the C of web/ says of a run, natively: its states, and the sums of the files that it exports."""
    folder = WORK + "/native"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder + "/in", exist_ok=True)
    os.makedirs(folder + "/out", exist_ok=True)
    with open(folder + "/in/file", "wb") as file:
        file.write(content or b"")
    # What a program has created and not destroyed when its device is closed is not freed: that is so natively, too.
    ran = subprocess.run([os.path.abspath("build/web/native")], input=lines_of(knobs, name), cwd=folder, text=True,
                         capture_output=True, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    states, _, files = (ran.stdout.strip() + ran.stderr.strip()).partition("\n")
    words = files.split()
    return states, dict(zip(words[::2], words[1::2]))


def time_line(*command):
    begin = time.monotonic()
    subprocess.run(["build/tessera", *command, "--model", "--out", WORK], capture_output=True, check=False)
    with open(WORK + "/trace.json", "rb") as file:
        return "%08x" % zlib.crc32(file.read()), time.monotonic() - begin


def browse(requests):
    page = WORK + "/equal.html"
    with open("out/web/worker.js") as worker, open("out/web/tessera.wasm", "rb") as wasm, \
            open("tests/web/equal.js") as script, open(page, "w") as file:
        file.write('<!DOCTYPE html><meta charset="utf-8"><title>equal</title>\n'
                   '<script type="text/plain" id="worker-source">%s</script>\n'
                   '<script type="text/plain" id="machine-base64">%s</script>\n'
                   '<script>const cases = %s;\n%s</script>\n' %
                   (worker.read(), base64.b64encode(wasm.read()).decode(), json.dumps(requests), script.read()))
    ran = subprocess.run(["tests/web/browse.py", page, "--until", 'document.title == "done"', "--seconds", "540",
                          "--print", "JSON.stringify(answers)"], capture_output=True, text=True)
    print(ran.stderr, end="")
    return json.loads(ran.stdout) if ran.stdout else []


def said(answer):
    return "operations {operations} portions {portions} buffers {buffers} frames {frames} digest {digest}".format(
        **answer) if answer.get("type") == "digest" else str(answer)


def runs(kind):
    """Knobs, and the options of `tessera run` that mean the same, if there are such."""
    few = [({"scene": "cards", "frames": 2}, ["--frames", "2"]),
           ({"scene": "cards", "frames": 4, "segment2": 400, "display": 2}, None),
           ({"scene": "programs", "frames": 1, "policy": "literal", "queued": 2, "splitCost": 50, "aperture": 64,
             "force": ["SPLIT", "ALWAYS_REPATCH"], "contexts": [{"priority": 3, "budget": 40},
                                                                {"priority": -2, "budget": 0}]}, None),
           ({"scene": "locks", "frames": 2, "seed": 7, "segment2": 200}, ["--frames", "2", "--seed", "7", "--segment2",
                                                                          "200"])]
    all_of_them = [({"scene": scene}, []) for scene in ("collection", "cards", "programs", "locks")]
    more = [({"scene": "collection", "frames": 3, "copyOnly": True}, ["--frames", "3", "--copy-only"]),
            ({"scene": "cards", "policy": "literal", "segment1": 4, "segment2": 50, "frames": 4, "force": ["EVICT"]},
             None)]
    return few + (all_of_them + more if kind == "whole" else [])


def wrong():
    """Requests that get one line, and a word of it."""
    return [({"type": "step", "unit": "frame"}, "no machine yet"),
            ({"type": "create", "knobs": {"scene": "quake"}}, "this scene does not exist"),
            ({"type": "create", "knobs": {"segment1": 0}}, "from 1 to 4096"),
            ({"type": "create", "knobs": {"segment2": "many"}}, "from 1 to 4096"),
            ({"type": "create", "knobs": {"force": ["KEEP_OFFERED", "DROP_OFFERED"]}}, "contradict"),
            ({"type": "create", "knobs": {"scene": "programs", "contexts": [{"priority": 0, "budget": 8000}]}},
             "budgets"),
            ({"type": "create", "knobs": {"fast": 1}}, "this setting does not exist"),
            ({"type": "create", "knobs": {"force": ["FASTER"]}}, "this mode does not exist"),
            ({"type": "create", "knobs": {"policy": "oracle"}}, "this policy does not exist"),
            ({"type": "create", "knobs": {"segment1": 4097}}, "from 1 to 4096"),
            ({"type": "create", "knobs": {"queued": 17}}, "from 0 to 16"),
            ({"type": "create", "knobs": {"display": 3}}, "from 0 to 2"),
            ({"type": "create", "knobs": {"aperture": 15}}, "from 16 to 4096"),
            ({"type": "create", "knobs": {"frames": 1000}}, "from 1 to 999"),
            ({"type": "create", "knobs": {"contexts": [{"priority": 8, "budget": 0}]}}, "from -7 to 7"),
            ({"type": "create", "knobs": {"contexts": [{"priority": 0, "budget": 9999}]}}, "from 0 to"),
            ({"type": "load", "name": "letter.txt", "base64": base64.b64encode(b"Dear reader").decode()},
             "letter.txt is neither"),
            ({"type": "load", "name": "cut.tsdl", "base64": base64.b64encode(b"TSRASDL\n" + bytes(8)).decode()},
             "cut.tsdl"),
            ({"type": "load", "name": "half.json", "base64": base64.b64encode(WORKLOAD[:99]).decode()}, "half.json"),
            ({"type": "policy", "text": " "}, "is empty"),
            ({"type": "policy", "text": "return ("}, "not valid JavaScript"),
            ({"type": "policy", "text": "}, function() {"}, "not valid JavaScript"),
            ({"type": "policy", "text": "x" * 30000}, "letters"),
            ({"type": "policy", "future": True}, "no machine yet"),
            ({"type": "fly"}, "no message")]


def refused_natively(add):
    """The knobs that are refused above get the same line natively."""
    for request, _ in wrong():
        if request["type"] == "create":
            there, _ = native(request["knobs"])
            add(request, lambda a, n=there: check("error " + a.get("text", "") == n, "refused as natively: " + n))


def is_file(answer, crc):
    """`crc`: NO_FILE, "" for any file, or its sum."""
    if crc == NO_FILE:
        return answer["type"] == "error" and "There is no " in answer["text"]
    return answer["type"] == "file" and crc in ("", answer["crc"])


def exports(add, files, of):
    """The files that the page saves are those of the same calls natively."""
    for what, crc in files.items():
        add({"type": "export", "what": what}, lambda a, w=what, n=crc: check(
            is_file(a, n), "%s as natively (%s, %s): %s" % (w, n, a.get("crc") or a.get("text"), of)))


def policies(add):
    """The visitor's policy: the same run as natively, and one line when it cannot be used."""
    def good(answer, what):
        check(answer["type"] != "error", "%s %s" % (what, answer.get("text", "")))
    knobs = {"scene": "cards", "frames": 3, "segment2": 100, "policy": "own"}
    pages_in = {}

    def count(answer, name):
        good(answer, name)
        pages_in[name] = answer.get("pages_in", -1)
    for text, words in (("return a.colour;", "returned undefined for "), ("return a.colour.red;", "failed for "),
                        ("return new Date;", "failed for "), ("return 0 / 0;", "returned NaN for ")):
        add({"type": "policy", "text": text}, lambda a: good(a, "a policy is taken"))
        add({"type": "create", "knobs": knobs}, lambda a: good(a, "and has a machine"))
        add({"type": "seek", "unit": "frame", "to": 3}, lambda a, t=text, w=words: check(
            a["type"] == "error" and w in a["text"] and "\n" not in a["text"], "%s: %s" % (t, a.get("text"))))
        add({"type": "seek", "unit": "frame", "to": 3}, lambda a, w=words: check(
            a["type"] == "error" and w in a["text"], "and again: %s" % a.get("text")))
    for name, policy in (("LRU", "literal"), ("Belady's rule", "own")):
        if policy == "own":
            add({"type": "policy", "future": True}, lambda a: good(a, "a run is known"))
        add({"type": "create", "knobs": {**knobs, "policy": policy}}, lambda a: good(a, "and has a machine"))
        add({"type": "seek", "unit": "frame", "to": 3}, lambda a, n=name: count(a, n))
    add({"type": "ask"}, lambda a: check(
        a["pages_in"] == pages_in["Belady's rule"] < pages_in["LRU"], "fewer pages than LRU: %s" % pages_in))
    add({"type": "policy", "text": OWN}, lambda a: good(a, "a policy is taken"))
    add({"type": "create", "knobs": knobs}, lambda a: good(a, "and has a machine"))
    there, _ = native(knobs)
    add({"type": "digest"},
        lambda a, n=there: check(said(a) == n, "states as natively, with a policy of one's own: " + n))


def work(kind):
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    with open("build/runs/play/blends.tsdl", "rb") as file:
        recording = file.read()
    requests, expected = [], []

    def add(request, judge):
        requests.append(request)
        expected.append(judge)

    for request, word in wrong():
        add(request, lambda a, r=request, w=word: check(
            a["type"] == "error" and w in a["text"] and "\n" not in a["text"], "%s: %s" % (r["type"], a.get("text"))))
    refused_natively(add)
    for knobs, options in runs(kind):
        of = json.dumps(knobs)
        add({"type": "create", "knobs": knobs}, lambda a, of=of: check(a["type"] == "state", "made: " + of))
        there, files = native(knobs)
        add({"type": "digest"},
            lambda a, n=there, of=of: check(said(a) == n, "states as natively (%s): %s" % (n, of)))
        exports(add, files, of)
        if options is not None:
            there, seconds = time_line("run", "--no-compare", "--scene", knobs["scene"], *options)
            add({"type": "export", "what": "timeline"},
                lambda a, n=there, of=of: check(a.get("crc") == n, "the time line of tessera run (%s): %s" % (n, of)))
            if not options:
                limit = max(6000, 5000 * seconds)
                add({"type": "create", "knobs": knobs}, lambda a, of=of: check(
                    a.get("milliseconds", 1e9) < max(1000, limit / 4), "made in %d ms: %s" % (a["milliseconds"], of)))
                add({"type": "seek", "unit": "frame", "to": 8}, lambda a, l=limit, s=seconds, of=of: check(
                    a["position"]["frame"] == 8 and a["milliseconds"] < l,
                    "8 frames in %d ms, natively with results %d: %s" % (a["milliseconds"], 1000 * s, of)))
    policies(add)
    for name, content in (("blends.tsdl", recording), ("work.json", WORKLOAD)):
        knobs = {} if kind == "whole" else {"frames": 2}
        request = {"type": "load", "name": name, "base64": base64.b64encode(content).decode(), "knobs": knobs}
        add(request, lambda a, name=name: check(a["type"] == "state" and a["known"]["complete"], name + " runs"))
        there, files = native(knobs, content, name)
        add({"type": "digest"},
            lambda a, n=there, name=name: check(said(a) == n, "states as natively: " + name + ": " + n))
        for what in list(files):  # of a run as a whole these say what it took
            if files[what] != NO_FILE and (what, name) != ("timeline", "blends.tsdl"):
                files[what] = ""
        exports(add, files, name)
        if kind == "whole" and name == "blends.tsdl":
            there, _ = time_line("play", "build/runs/play/blends.tsdl", "--frames", "0..7")
            add({"type": "export", "what": "timeline"},
                lambda a, n=there: check(a.get("crc") == n, "the time line of tessera play: " + n))
    if kind == "whole":
        add({"type": "create", "knobs": {"segment1": 0}}, lambda a: check(a["type"] == "error", "an error again"))
        add({"type": "ask"}, lambda a: check(a["type"] == "state", "and the machine that there was goes on"))
    answers = browse(requests)
    check(len(answers) == len(requests) + 2, "every request is answered: %d of %d" % (len(answers) - 2, len(requests)))
    check(answers and answers[0]["type"] == "error", "what is no machine: %s" % answers[0].get("text"))
    ready = answers[1].get("milliseconds", 1e9)
    check(answers[1]["type"] == "ready" and ready < 2000, "ready in %d ms" % ready)
    for answer, judge in zip(answers[2:], expected):
        judge(answer)


if not os.path.exists("out/web/tessera.wasm"):
    print("No clang for WebAssembly here (make deps-web): nothing is compared.\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)
if not (shutil.which("chromium-headless-shell") or shutil.which("chromium")):
    print("No browser here (make deps-browser): nothing is compared.\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)
work(sys.argv[1])
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)
