# SPDX-License-Identifier: Apache-2.0
"""Takes along what the package needs of the tree around it: RTL, libtessera, the client, and the firmware's image."""
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

TREE = Path(__file__).resolve().parents[2]
TAKEN = ("rtl/**/*.v", "rtl/**/*.vh", "host/lib/*.[ch]", "host/include/*.h", "host/lib/device/transport_mmio.[ch]",
         "host/lib/gdb/debug.[ch]", "host/lib/tdump/*.[ch]",
         "spec/gpu_spec.h", "spec/gpu.def", "build/gpu_*.h", "build/firmware/gpu.elf", "build/firmware/gpu-tcm.elf",
         "integration/litex/client/*")


class BuildWithTree(build_py):
    """An installation that is not of the tree (-e) has a copy of it, if the firmware has been built."""

    def run(self):
        super().run()
        missing = [name for name in TAKEN if not list(TREE.glob(name))]
        if missing:
            raise SystemExit(f"{missing[0]} is missing: run `make firmware` in {TREE} first")
        if getattr(self, "editable_mode", False):
            return
        for name in TAKEN:
            for file in TREE.glob(name):
                target = Path(self.build_lib) / "tessera_litex" / "tree" / file.relative_to(TREE)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


setup(cmdclass={"build_py": BuildWithTree})
