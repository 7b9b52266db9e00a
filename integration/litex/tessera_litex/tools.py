# SPDX-License-Identifier: Apache-2.0
"""What simulating a SoC needs of the distribution, said before anything is built. Needs nothing but Python:
    python3 -m tessera_litex.tools COMMAND      nothing, or one line and status 1
"""
import importlib.util
import os
import shutil
import sys

from tessera_litex.tree import TesseraError, conclude

# A program or a file, and Debian's package that has it.
PACKAGES = {"gcc": "gcc", "g++": "g++", "verilator": "verilator", "ninja": "ninja-build",
            "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf",
            "/usr/lib/picolibc/riscv64-unknown-elf/include/stdio.h": "picolibc-riscv64-unknown-elf",
            "/usr/include/event2/event.h": "libevent-dev", "/usr/include/json-c/json.h": "libjson-c-dev",
            "/usr/include/zlib.h": "zlib1g-dev"}


def needed_tools(also=()):
    """Nothing, or a TesseraError that names all that is missing. `also`: modules of Python's that Debian splits off."""
    missing = [package for name, package in PACKAGES.items() if not (os.path.exists(name) or shutil.which(name))]
    missing += ["python3-venv" for name in also if importlib.util.find_spec(name) is None]
    if missing:
        raise TesseraError("packages are missing: apt-get install " + " ".join(missing))


if __name__ == "__main__":
    sys.exit(conclude(sys.argv[1], lambda: needed_tools(["ensurepip"])))
