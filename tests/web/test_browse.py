#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: when browse.py has ended nothing of its browser runs any more, and the profile is gone.

Method: in the place of the browser stands a program that answers the protocol and leaves processes behind that write
into the profile for as long as they live: a child, and one in a session of its own whose parent has ended. browse.py
has to end in time with the right status and without a complaint, also when it is told to end or its time is up.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

STAND_IN = '''#!/usr/bin/env python3
import json, os, sys, time
profile = next(word.split("=", 1)[1] for word in sys.argv if word.startswith("--user-data-dir="))
pids = os.environ["STAND_IN_PIDS"]
def note():
    with open(pids, "a") as file:
        file.write("%d\\n" % os.getpid())
def write_for_ever():
    note()
    os.close(3), os.close(4)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for i in range(50):
            try:
                os.makedirs(profile + "/deep/%d" % i, exist_ok=True)
                open(profile + "/deep/%d/file" % i, "w").close()
            except OSError:
                pass
note()
if os.fork() == 0:
    write_for_ever()
    os._exit(0)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        write_for_ever()
    os._exit(0)
while len(open(pids).readlines()) < 3:
    time.sleep(0.01)
rest = b""
while True:
    piece = os.read(3, 65536)
    if not piece:
        break
    rest += piece
    while b"\\0" in rest:
        one, rest = rest.split(b"\\0", 1)
        call = json.loads(one)
        result = {"Target.getTargets": {"targetInfos": [{"type": "page", "targetId": "1"}]},
                  "Target.attachToTarget": {"sessionId": "2"}}.get(call["method"], {})
        if call["method"] == "Runtime.evaluate":
            result = {"result": {"value": "never" not in call["params"]["expression"]}}
        os.write(4, json.dumps({"id": call["id"], "result": result}).encode() + b"\\0")
'''
passed = failed = 0


def check(is_good, what):
    global passed, failed
    passed, failed = passed + bool(is_good), failed + (not is_good)
    print(("ok    " if is_good else "FAIL  ") + what, flush=True)


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def try_it(what, words, status, is_told_to_end=False):
    with tempfile.TemporaryDirectory() as work:
        path = work + "/bin/chromium-headless-shell"
        os.makedirs(work + "/bin")
        os.makedirs(work + "/tmp")
        with open(path, "w") as file:
            file.write(STAND_IN)
        os.chmod(path, 0o755)
        environment = {**os.environ, "PATH": work + "/bin:" + os.environ["PATH"], "TMPDIR": work + "/tmp",
                       "STAND_IN_PIDS": work + "/pids"}
        begin = time.monotonic()
        process = subprocess.Popen(["tests/web/browse.py", "page.html", *words], env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if is_told_to_end:
            while not os.path.exists(work + "/pids") or len(open(work + "/pids").readlines()) < 3:
                time.sleep(0.02)
            time.sleep(0.3)
            process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        with open(work + "/pids") as file:
            pids = [int(line) for line in file]
        alive = [pid for pid in pids if is_alive(pid)]
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        said = said.replace("not in 0.5 s: never\n", "")
        check(process.returncode == status and said == "", "%s: status %d %s" % (what, process.returncode, said[-300:]))
        check(len(pids) == 3 and not alive, "%s: %d of %d processes are left" % (what, len(alive), len(pids)))
        check(os.listdir(work + "/tmp") == [], "%s: the profile is gone" % what)
        check(time.monotonic() - begin < 20, "%s: in time" % what)


for _ in range(3):
    try_it("at the end", ["--print", "1"], 0)
try_it("time is up", ["--until", "never", "--seconds", "0.5"], 1)
try_it("told to end", ["--until", "never", "--seconds", "50"], 1, is_told_to_end=True)
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)
