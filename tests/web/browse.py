#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A page in headless Chromium, in real time, as its worker needs: --dump-dom with a virtual clock would not wait.

    browse.py [options] PAGE[#FRAGMENT]      opens a file or an address, waits until --until is true, prints --print

Speaks the browser's own protocol over its pipe (descriptors 3 and 4), with Python's library alone. Ends with status 1
when the time is up, 2 when the page threw something that it did not catch, 3 without a browser. When it ends no process
of the browser is left: they write into the profile, which is removed after them.
"""
import argparse
import base64
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time


PR_SET_CHILD_SUBREAPER = 36


def adopt():
    """Processes whose parent ends become children of this one, so that they can be ended and waited for."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def children():
    """The processes whose parent this is."""
    own, found = os.getpid(), []
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % int(name)) as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
        except (ValueError, OSError):
            continue
        if parent == own:
            found.append(int(name))
    return found


def end_children():
    """Kill every descendant and wait for it. One that is killed leaves its own children to the next round."""
    while True:
        for child in children():
            os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


class Browser:
    def __init__(self, size, profile):
        name = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        if name is None:
            sys.exit(3)
        to_read, self.out = os.pipe()
        self.inward, to_write = os.pipe()

        def descriptors():
            a, b = os.dup(to_read), os.dup(to_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [name, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--allow-file-access-from-files", "--user-data-dir=" + profile, "--window-size=%d,%d" % size,
             "about:blank"],
            close_fds=False, preexec_fn=descriptors, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session, self.thrown = b"", 0, None, []

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.inward, 1 << 20)
            if not piece:
                sys.exit("the browser has ended")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.out, json.dumps(call).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") == "Runtime.exceptionThrown":
                details = answer["params"]["exceptionDetails"]
                self.thrown.append(details.get("exception", {}).get("description", details["text"]))
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def attach(self):
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return result["result"].get("value")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--size", default="1280,900", help="of the window, WIDTH,HEIGHT")
    parser.add_argument("--dark", action="store_true", help="a dark system")
    parser.add_argument("--still", action="store_true", help="a system that wants no motion")
    parser.add_argument("--before", help="run this in the page before its own scripts")
    parser.add_argument("--until", default="true", help="wait until this is true")
    parser.add_argument("--do", action="append", default=[], help="then this, a promise waited for; may be repeated")
    parser.add_argument("--print", help="then print this")
    parser.add_argument("--picture", help="and write a picture of the page to this file")
    parser.add_argument("--whole", action="store_true", help="of the whole page, not of the window")
    parser.add_argument("--seconds", type=float, default=60, help="at most")
    return parser.parse_args()


def work(options, profile):
    width, height = (int(n) for n in options.size.split(","))
    browser = Browser((width, height), profile)
    try:
        browser.attach()
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)
        browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if options.dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if options.still else "no-preference"}])
        if options.before:
            browser.call("Page.addScriptToEvaluateOnNewDocument", source=options.before)
        page = options.page
        if "://" not in page:
            path, _, fragment = page.partition("#")
            page = "file://" + os.path.abspath(path) + ("#" + fragment if fragment else "")
        browser.call("Page.navigate", url=page)
        end = time.monotonic() + options.seconds
        while not browser.value("!!(%s)" % options.until):
            if time.monotonic() > end:
                print("not in %g s: %s" % (options.seconds, options.until), file=sys.stderr)
                return 1
            time.sleep(0.02)
        for expression in options.do:
            browser.value(expression)
        if options.print:
            print(browser.value(options.print))
        if options.picture:
            picture = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=options.whole)
            with open(options.picture, "wb") as file:
                file.write(base64.b64decode(picture["data"]))
        for line in browser.thrown:
            print("thrown: " + line, file=sys.stderr)
        return 2 if browser.thrown else 0
    finally:
        end_children()


asked = arguments()
adopt()
with tempfile.TemporaryDirectory() as folder:
    status = work(asked, folder)
sys.exit(status)
