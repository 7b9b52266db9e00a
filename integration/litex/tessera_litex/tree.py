# SPDX-License-Identifier: Apache-2.0
"""Where the chip's files are, and where LiteX's words go. Needs nothing but Python."""
import contextlib
import logging
import os
import sys
from pathlib import Path


class TesseraError(Exception):
    """What is wrong and what to change, in one line."""


def root():
    """The folder that has rtl/ and firmware: TESSERA_ROOT, what the package brought along, or the tree around it."""
    here = Path(__file__).resolve()
    for folder in (os.environ.get("TESSERA_ROOT"), here.parent / "tree", here.parents[3]):
        if folder and (Path(folder) / "rtl" / "gpu.v").is_file():
            return Path(folder)
    raise TesseraError("no rtl/gpu.v: set TESSERA_ROOT to a clone of Tessera, or install the package from one")


def sources():
    """Every file of the chip, as tessera.core lists them (all of rtl/ but a memory model)."""
    rtl = root() / "rtl"
    return sorted(str(file) for pattern in ("*.v", "*/*.v") for file in rtl.glob(pattern) if file.name != "slow_ram.v")


def conclude(command, action):
    """A command's exit status: what the action returns is printed, a TesseraError is a line after the command's name.
    LiteX's own remarks are left out."""
    logging.disable(logging.INFO)
    try:
        said = action()
    except TesseraError as error:
        print(f"{command}: {error}", file=sys.stderr)
        return 1
    if said is not None:
        print(said)
    return 0


@contextlib.contextmanager
def quiet(log):
    """What LiteX and its tools say goes into a file."""
    with open(log, "a", encoding="utf-8") as file:
        sys.stdout.flush()
        kept = os.dup(1), os.dup(2)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            sys.stdout.flush()
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
